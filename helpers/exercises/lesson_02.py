"""The exercises of lesson 02. A first guess, to be replaced with the lesson."""

from .source import Exercise, same, shown

_HISTORIES = (
    [],
    [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello to you."}],
)


def _with_question(answer):
    if not callable(answer):
        return f"{shown(answer)} is not a function."
    for history in _HISTORIES:
        given = [dict(message) for message in history]
        want = [*history, {"role": "user", "content": "And now?"}]
        got = answer(given, "And now?")
        tried = f'with a history of {len(history)} messages and the text "And now?"'
        if not isinstance(got, list):
            return f"Tried {tried}: it returned {shown(got)}, which is not a list."
        if not same(got, want):
            return f"Tried {tried}: it returned {shown(got)}, which is not what is to be sent."
        if not same(given, history):
            return f"Tried {tried}: the history that was passed in has changed."
    return True


EXERCISES = [
    Exercise(
        id="02.1",
        minutes=4,
        task=(
            "Write `with_question(history, text)`: the messages to send for the next turn. It "
            "returns a new list; if the call fails, `history` must be as it was."
        ),
        stub='''def with_question(history, text):
    """The messages to send: `history` and then `text` from the user."""
    ...''',
        hint="`[*history, ...]` makes a new list.",
        solution='''def with_question(history, text):
    """The messages to send: `history` and then `text` from the user."""
    return [*history, {"role": "user", "content": text}]''',
        because="The reply, and with it the question, is stored only when it has arrived.",
        check=_with_question,
        wrong=(
            'def with_question(history, text):\n    history.append({"role": "user", "content": text'
            "})\n    return history",
            "def with_question(history, text):\n    return [*history, text]",
            'def with_question(history, text):\n    return [{"role": "user", "content": text}]',
            "def with_question(history, text):\n    return history[99]",
        ),
        right=(
            'def with_question(history, text):\n    new = dict(role="user", content=text)\n'
            "    return list(history) + [new]",
        ),
    ),
]
