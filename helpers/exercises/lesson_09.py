"""The exercises of lesson 09."""

import copy

from .source import Exercise, number, same, shown

ASKED = {"role": "user", "content": "Where is it?"}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]}
SAID = {"role": "assistant", "content": "There."}
BLOCKS = {"role": "user", "content": [{"type": "text", "text": "And now?"}]}


def _where_to_cut(answer):
    got = number(answer)
    if got == 6:
        return "6: message 6 is a user message, but what is in it?"
    if got in (5, 7):
        return f"You have {shown(answer)}: what would stand first behind the cut?"
    if got == 0:
        return "0: there is a place at which a question of the user begins."
    if got != 4:
        return f"You have {shown(answer)}: at least two messages stay, and no pair is torn."
    return True


def _cut_before(answer):
    long = [ASKED, CALL, RESULT, SAID]
    for given, keep, expected in (
        ([ASKED, SAID, ASKED, SAID], 2, 2),
        ([ASKED, SAID, ASKED, CALL, RESULT, SAID], 2, 2),
        ([ASKED, SAID, ASKED, SAID, BLOCKS, SAID], 1, 4),
        (long, 2, 0),
        ([*long, *long, *long], 5, 4),
        ([ASKED, SAID], 8, 0),
        ([], 3, 0),
        ([ASKED, SAID, ASKED], 0, 2),
    ):
        before = copy.deepcopy(given)
        got = answer(given, keep)
        tried = f"Tried {len(given)} messages and keep_last={keep}"
        if given != before:
            return f"{tried}: the list that it was given changed."
        if isinstance(got, bool) or not isinstance(got, int):
            return f"{tried}: it returned {shown(got)}, which is no index."
        if got != expected:
            return f"{tried}: it returned {got}. Look at what stands before and behind that place."
    return True


def _all_offers(answer):
    for old, new, expected in (
        (["A voucher of 5 EUR."], ["A call."], ["A voucher of 5 EUR.", "A call."]),
        (["A voucher."], ["a voucher."], ["A voucher."]),
        (["A voucher."], [" A voucher. ", "A call."], ["A voucher.", "A call."]),
        ([], ["B", "A", "b"], ["B", "A"]),
        (["B", "A"], [], ["B", "A"]),
        (["A call."], ["", "  "], ["A call."]),
    ):
        given = list(old), list(new)
        got = answer(*given)
        if given != (old, new):
            return f"Tried {old} and {new}: a list that it was given changed."
        if not same(got, expected):
            return f"Tried {old} and {new}: it returned {shown(got)}."
    return True


def _billed(answer):
    part = {"type": "compaction", "input_tokens": 900, "output_tokens": 80}
    more = {"type": "message", "input_tokens": 120, "output_tokens": 30}
    for usage, expected in (
        ({"input_tokens": 50, "output_tokens": 7}, (50, 7)),
        ({"input_tokens": 50, "output_tokens": 7, "iterations": None}, (50, 7)),
        ({"input_tokens": 0, "output_tokens": 0, "iterations": [part]}, (900, 80)),
        ({"input_tokens": 120, "output_tokens": 30, "iterations": [part, more]}, (1020, 110)),
        ({"input_tokens": 50, "output_tokens": 7, "iterations": []}, (50, 7)),
    ):
        got = answer(copy.deepcopy(usage))
        if not isinstance(got, tuple | list) or not same(list(got), list(expected)):
            kind = "several" if usage.get("iterations") else "no"
            top = usage["input_tokens"]
            return f"Tried a usage with {kind} iterations and {top} at the top: it returned {shown(got)}."
    return True


EXERCISES = [
    Exercise(
        id="09.1",
        minutes=3,
        task=(
            "Predict. A run has eight messages, with indexes from 0:\n\n"
            "* 0 user: question\n* 1 assistant: tool use\n* 2 user: tool result\n"
            "* 3 assistant: answer\n* 4 user: question\n* 5 assistant: tool use\n"
            "* 6 user: tool result\n* 7 assistant: answer\n\n"
            "At least the newest two messages must stay, and cuts are made only where an exchange "
            "begins. Which index is the first that stays?"
        ),
        stub="answer = ...  # an index",
        hint="Which user messages are questions?",
        solution="answer = 4",
        because="Index 6 would leave two messages, but it is the result of a call that would be gone.",
        check=_where_to_cut,
        wrong=("answer = 6", "answer = 5", "answer = 0", "answer = 8"),
        right=('answer = "4"', "answer = 4.0"),
    ),
    Exercise(
        id="09.2",
        minutes=8,
        task=(
            "Write `cut_before(messages, keep_last)`: the largest index at which an exchange begins and "
            "which leaves at least `keep_last` messages; 0 if there is none. An exchange begins at a "
            "user message without any tool result. `content` is a text, or a list of blocks (dicts "
            "with a `type`)."
        ),
        stub='''def cut_before(messages, keep_last):
    """The newest place for a cut."""
    ...''',
        hint="Go backwards from `len(messages) - keep_last`, and look at the message at that index.",
        solution='''def cut_before(messages, keep_last):
    """The newest place for a cut."""
    for index in range(min(len(messages) - keep_last, len(messages) - 1), 0, -1):
        message = messages[index]
        parts = message["content"] if isinstance(message["content"], list) else []
        if message["role"] == "user" and all(p["type"] != "tool_result" for p in parts):
            return index
    return 0''',
        because="The course's `safe_cut` also refuses while a call is unanswered.",
        check=_cut_before,
        wrong=(
            "def cut_before(messages, keep_last):\n    return max(0, len(messages) - keep_last)",
            "def cut_before(messages, keep_last):\n"
            "    return max((i for i, m in enumerate(messages) if m['role'] == 'user'\n"
            "                and i <= len(messages) - keep_last), default=0)",
            "def cut_before(messages, keep_last):\n"
            "    return max((i for i, m in enumerate(messages) if m['role'] == 'user'\n"
            "                and isinstance(m['content'], str) and i <= len(messages) - keep_last),\n"
            "               default=0)",
            "def cut_before(messages, keep_last):\n"
            "    return next((i for i, m in enumerate(messages) if m['role'] == 'user'\n"
            "                 and isinstance(m['content'], str)), 0)",
        ),
        right=(
            "def cut_before(messages, keep_last):\n"
            "    def begins(m):\n"
            "        return m['role'] == 'user' and 'tool_result' not in str(m['content'])\n"
            "    places = [i for i, m in enumerate(messages) if begins(m)]\n"
            "    return max([i for i in places if i <= len(messages) - keep_last], default=0)",
        ),
    ),
    Exercise(
        id="09.3",
        minutes=6,
        task=(
            "Write `all_offers(old, new)`: one list of what was offered, from the notes so far and from "
            "the new ones. First what is old, then what is new, in their order. Two texts are the same "
            "offer if they differ only in capitals or in spaces around them; the first spelling stays, "
            "without the spaces around it. Blank texts are left out. The lists that are given stay as "
            "they are."
        ),
        stub='''def all_offers(old, new):
    """Everything that was offered, without doubles."""
    ...''',
        hint="A dict keeps its keys in order: `first.setdefault(text.strip().lower(), text.strip())`.",
        solution='''def all_offers(old, new):
    """Everything that was offered, without doubles."""
    first = {}
    for text in [*old, *new]:
        if text.strip():
            first.setdefault(text.strip().lower(), text.strip())
    return list(first.values())''',
        because="Nothing that was once offered can fall out, whatever the next reply leaves out.",
        check=_all_offers,
        wrong=(
            "def all_offers(old, new):\n    return old + new",
            "def all_offers(old, new):\n    return list(new)",
            "def all_offers(old, new):\n    return sorted({t.strip() for t in [*old, *new]})",
            "def all_offers(old, new):\n"
            "    return list({t.strip().lower(): t.strip() for t in [*old, *new]}.values())",
        ),
        right=(
            "def all_offers(old, new):\n    kept, seen = [], set()\n"
            "    for text in (t.strip() for t in list(old) + list(new)):\n"
            "        if text and text.casefold() not in seen:\n"
            "            seen.add(text.casefold())\n            kept.append(text)\n    return kept",
        ),
    ),
    Exercise(
        id="09.4",
        minutes=5,
        task=(
            "Write `billed(usage)`: the pair (tokens in, tokens out) that is paid for a reply. `usage` "
            "is a dict with `input_tokens` and `output_tokens`. If it has `iterations` (a list of such "
            "dicts that is not empty), they are the whole bill: add them up."
        ),
        stub='''def billed(usage):
    """Tokens in and out that are paid for."""
    ...''',
        hint="`usage.get('iterations') or [usage]` is always a list of what has to be added up.",
        solution='''def billed(usage):
    """Tokens in and out that are paid for."""
    parts = usage.get("iterations") or [usage]
    return (sum(p["input_tokens"] for p in parts), sum(p["output_tokens"] for p in parts))''',
        because=(
            "After a compaction on demand the top level says 0; after one at a threshold it has the "
            "answer alone. The sum is right in all three cases. (Cached tokens are left aside here.)"
        ),
        check=_billed,
        wrong=(
            "def billed(usage):\n    return usage['input_tokens'], usage['output_tokens']",
            "def billed(usage):\n    parts = [usage, *(usage.get('iterations') or [])]\n"
            "    return (sum(p['input_tokens'] for p in parts),\n"
            "            sum(p['output_tokens'] for p in parts))",
            "def billed(usage):\n    part = (usage.get('iterations') or [usage])[0]\n"
            "    return part['input_tokens'], part['output_tokens']",
        ),
        right=(
            "def billed(usage):\n    if not usage.get('iterations'):\n"
            "        return [usage['input_tokens'], usage['output_tokens']]\n"
            "    ins = outs = 0\n    for part in usage['iterations']:\n"
            "        ins += part['input_tokens']\n        outs += part['output_tokens']\n"
            "    return [ins, outs]",
        ),
    ),
]
