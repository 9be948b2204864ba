"""The exercises of the lab."""

from .source import Exercise, letters, shown


def _recall(answer):
    def record(value, reply):
        call = {"reply": {"content": [{"type": "text", "text": reply}]}}
        return {"value": value, "calls": {"history": call}}

    for what, records, expected in (
        (
            "two hits and a miss",
            [("Kinmo", "It is Kinmo."), ("4821", "4821"), ("Voldek", "No.")],
            2,
        ),
        ("another case", [("Kinmo", "KINMO, of course")], 1),
        ("a longer word that begins like it", [("Kinmo", "It is Kinmora.")], 0),
        ("a longer number that holds it", [("482", "The code is 4821.")], 0),
        ("an empty reply", [("Kinmo", "")], 0),
        ("no record at all", [], 0),
    ):
        got = answer([record(*pair) for pair in records])
        if isinstance(got, bool) or got != expected:
            return f"Tried {what}: it returned {shown(got)}."
    return True


def _told_apart(answer):
    for one, other, expected in (
        ((10, 10), (2, 10), True),
        ((8, 10), (5, 10), False),
        ((5, 10), (8, 10), False),
        ((80, 100), (50, 100), True),
        ((0, 40), (38, 40), True),
        ((3, 5), (3, 5), False),
    ):
        got = answer(one, other)
        if got is not True and got is not False:
            return f"Tried {one} and {other}: it returned {shown(got)}, which is not True or False."
        if got is not expected:
            return f"Tried {one} and {other}: it returned {got}; print both intervals."
    return True


def _places(answer):
    given = letters(answer)
    if not given or not given <= set("ABC"):
        return f"{shown(answer)} is none of A, B and C."
    if given != {"C"}:
        return f"{shown(answer)}: what stands in front of the change, and what behind it?"
    return True


EXERCISES = [
    Exercise(
        id="lab.1",
        minutes=2,
        task=(
            "Predict. A program puts today's date and time into the prompt. Each call is a few "
            "seconds after the one before, the conversation is long. Where does the line cost the "
            "most reading? A: at the end of the newest message. B: in the middle of the history. "
            "C: at the top of the system prompt."
        ),
        stub='answer = ...  # "A", "B" or "C"',
        hint="A cache holds a prefix. Look at the figure of the cache again.",
        solution='answer = "C"',
        because=(
            "A line at the top changes the whole prefix on every call: everything behind it is read "
            "again. At the end of the newest message nothing stands behind it."
        ),
        check=_places,
        wrong=('answer = "A"', 'answer = "B"', 'answer = "front"', "answer = 3"),
        right=("answer = 'c'", "answer = ['C']"),
    ),
    Exercise(
        id="lab.2",
        minutes=5,
        task=(
            "Write `recalled(records)`: for how many records does the value stand in the reply that "
            'was given with the history? `record["calls"]["history"]["reply"]` is the raw reply; '
            "`text_of` reads it. Any case counts; `Kinmo` does not stand in `Kinmora`."
        ),
        stub='''def recalled(records):
    """How many values stand in the reply with the history."""
    ...''',
        hint='`re.search(rf"\\b{re.escape(value)}\\b", text, re.IGNORECASE)`, or the words one by one.',
        solution='''def recalled(records):
    """How many values stand in the reply with the history."""
    hits = 0
    for record in records:
        text = text_of(record["calls"]["history"]["reply"])
        hits += bool(re.search(rf"\\b{re.escape(record['value'])}\\b", text, re.IGNORECASE))
    return hits''',
        because=(
            "A rule that a program applies is worth more than a judgement from reading: it is the "
            "same for every reply, and anybody can apply it again."
        ),
        check=_recall,
        needs="import re\nfrom helpers.messages import text_of",
        wrong=(
            "def recalled(records):\n    return sum(r['value'] in"
            " text_of(r['calls']['history']['reply']) for r in records)",
            "def recalled(records):\n    return sum(r['value'].lower() in"
            " text_of(r['calls']['history']['reply']).lower() for r in records)",
            "def recalled(records):\n    return len(records)",
            "def recalled(records):\n    return sum(r['value'].lower() =="
            " text_of(r['calls']['history']['reply']).lower() for r in records)",
        ),
        right=(
            "def recalled(records):\n    def words(text):\n"
            "        return re.findall(r'\\w+', text.lower())\n"
            "    return sum(r['value'].lower() in words(text_of(r['calls']['history']['reply']))"
            " for r in records)",
        ),
    ),
    Exercise(
        id="lab.3",
        minutes=5,
        task=(
            "Write `told_apart(one, other)`: two results such as `(8, 10)` and `(5, 10)`, each hits "
            "and trials. True when their intervals do not overlap. `wilson(hits, trials)` gives the "
            "two ends of an interval."
        ),
        stub='''def told_apart(one, other):
    """Whether the intervals of two results do not overlap."""
    ...''',
        hint="They do not overlap when the low end of one is above the high end of the other.",
        solution='''def told_apart(one, other):
    """Whether the intervals of two results do not overlap."""
    low, high = wilson(*one)
    other_low, other_high = wilson(*other)
    return low > other_high or other_low > high''',
        because=(
            "8 of 10 and 5 of 10 are not told apart by ten trials each. 80 of 100 and 50 of 100 are. "
            "It is a strict test: some pairs whose intervals overlap a little do differ."
        ),
        check=_told_apart,
        needs="from helpers.lab import wilson",
        wrong=(
            "def told_apart(one, other):\n    return one[0] / one[1] != other[0] / other[1]",
            "def told_apart(one, other):\n    return wilson(*one)[0] > wilson(*other)[1]",
            "def told_apart(one, other):\n    return abs(one[0] / one[1] - other[0] / other[1]) > 0.2",
            "def told_apart(one, other):\n    return wilson(*one)[0] > wilson(*other)[0]",
        ),
        right=(
            "def told_apart(one, other):\n    a, b = sorted([wilson(*one), wilson(*other)])\n"
            "    return a[1] < b[0]",
        ),
    ),
]
