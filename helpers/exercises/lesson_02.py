"""The exercises of lesson 02."""

from .source import Exercise, Injected, number, same, shown, word

_NUMBERS = {"two": 2, "four": 4, "eight": 8, "sixteen": 16}


def _how_many_times(answer):
    value = _NUMBERS.get(word(answer), answer)
    value = number(value)
    if value is None:
        return f"{shown(answer)} is not a number."
    if not 3.8 <= value <= 4.2:
        return f"{shown(answer)}: compare the sums of 20 and of 40 turns that the lesson printed."
    return True


def _take_turn(answer):
    old = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello to you."}]
    for before in ([], old):
        tried = f'Tried take_turn(history, "A lamp, please.", send) with {len(before)} messages'
        user = {"role": "user", "content": "A lamp, please."}
        history, sent = [dict(m) for m in before], []

        def overloaded(messages):
            raise Injected("overloaded")

        try:
            answer(history, "A lamp, please.", overloaded)
            return f"{tried} and a send that fails: the caller never learns that it failed."
        except Injected:
            pass
        if not same(history, before):
            return (
                f"{tried} and a send that fails: afterwards the history is {shown(history, 160)}."
            )

        def works(messages, sent=sent):
            sent.append([dict(m) for m in messages])
            return "Noted."

        got = answer(history, "A lamp, please.", works)
        if sent != [[*before, user]]:
            return f"{tried}: what reached send was {shown(sent, 160)}."
        if not same(history, [*before, user, {"role": "assistant", "content": "Noted."}]):
            return f"{tried}: afterwards the history is {shown(history, 160)}."
        if got != "Noted.":
            return f"{tried}: it returned {shown(got)}, not the reply."
    return True


def _reply_text(answer):
    from anthropic.types import Message

    def block(kind, **fields):
        return {"type": kind, **fields}

    thinking = block("thinking", thinking="They like green.", signature="s")
    call = block("tool_use", id="toolu_1", name="look", input={})
    usage = {"input_tokens": 9, "output_tokens": 9}
    frame = {"id": "msg_1", "type": "message", "role": "assistant", "model": "-", "usage": usage}
    frame |= {"stop_reason": "end_turn", "stop_sequence": None}
    for name, content, expected in (
        ("one text block", [block("text", text="Green.")], "Green."),
        ("thinking, then text", [thinking, block("text", text="Green.")], "Green."),
        ("no blocks", [], ""),
        ("two text blocks", [block("text", text="Gre"), block("text", text="en.")], "Green."),
        ("text, then a tool call", [block("text", text="One moment."), call], "One moment."),
    ):
        got = answer(Message.model_validate({**frame, "content": content}))
        if not same(got, expected) or not isinstance(got, str):
            return f"Tried a reply with {name}: it returned {shown(got)}."
    return True


EXERCISES = [
    Exercise(
        id="02.1",
        minutes=2,
        task=(
            "Predict. The chat of this lesson goes on in the same way. About how many times as many "
            "input tokens do 80 turns cost in all as 40 turns: 2, 4 or 8?"
        ),
        stub="answer = ...  # a number",
        hint="Twice the turns, and the average turn sends twice as much.",
        solution="answer = 4",
        because="Turn n sends about n turns. The sum of 1 to n is about n²/2, so twice n is four times.",
        check=_how_many_times,
        wrong=("answer = 2", "answer = 8", 'answer = "many"', "answer = True"),
        right=("answer = 4.0", 'answer = "four"', 'answer = "4x"', "answer = 3.97"),
    ),
    Exercise(
        id="02.2",
        minutes=8,
        task=(
            "Write `take_turn(history, text, send)`. `send(messages)` takes the messages and returns "
            "the reply's text, or raises. On success the history has two more messages and the reply "
            "is returned. On failure the history is as it was and the error reaches the caller."
        ),
        stub='''def take_turn(history, text, send):
    """One turn of a conversation; the history changes only if `send` succeeds."""
    ...''',
        hint="Make a new list for `send`, and touch `history` on the line after.",
        solution='''def take_turn(history, text, send):
    """One turn of a conversation; the history changes only if `send` succeeds."""
    user = {"role": "user", "content": text}
    reply = send([*history, user])
    history += [user, {"role": "assistant", "content": reply}]
    return reply''',
        because="If `send` raises, the line that changes the history is never reached.",
        check=_take_turn,
        wrong=(
            'def take_turn(history, text, send):\n    history.append({"role": "user", "content": text})\n'
            '    reply = send(history)\n    history.append({"role": "assistant", "content": reply})\n'
            "    return reply",
            'def take_turn(history, text, send):\n    user = {"role": "user", "content": text}\n'
            "    try:\n        reply = send([*history, user])\n    except Exception:\n        return None\n"
            '    history += [user, {"role": "assistant", "content": reply}]\n    return reply',
            'def take_turn(history, text, send):\n    user = {"role": "user", "content": text}\n'
            '    reply = send([user])\n    history += [user, {"role": "assistant", "content": reply}]\n'
            "    return reply",
            'def take_turn(history, text, send):\n    user = {"role": "user", "content": text}\n'
            "    return send([*history, user])",
        ),
        right=(
            'def take_turn(history, text, send):\n    history.append({"role": "user", "content": text})\n'
            "    try:\n        reply = send(history)\n    except BaseException:\n        history.pop()\n"
            '        raise\n    history.append({"role": "assistant", "content": reply})\n    return reply',
        ),
    ),
    Exercise(
        id="02.3",
        minutes=4,
        task=(
            "Write `reply_text(reply)`: all the text of a reply. `reply.content` is a list of blocks; "
            'each has a `type`, and those of type `"text"` have a `text`. The list may be empty, and '
            "the text may come in several blocks, or after another block."
        ),
        stub='''def reply_text(reply):
    """The text of all text blocks of a reply, joined."""
    ...''',
        hint='`"".join(...)` over those blocks whose type is `"text"`.',
        solution='''def reply_text(reply):
    """The text of all text blocks of a reply, joined."""
    return "".join(block.text for block in reply.content if block.type == "text")''',
        because="This is `text_of` of the course, less its care for dicts and plain texts.",
        check=_reply_text,
        wrong=(
            "def reply_text(reply):\n    return reply.content[0].text",
            "def reply_text(reply):\n    return reply.content[-1].text if reply.content else ''",
            'def reply_text(reply):\n    return next(b.text for b in reply.content if b.type == "text")',
            'def reply_text(reply):\n    return [b.text for b in reply.content if b.type == "text"]',
        ),
        right=(
            "def reply_text(reply):\n    text = ''\n    for block in reply.content:\n"
            "        text += getattr(block, 'text', '')\n    return text",
        ),
    ),
]
