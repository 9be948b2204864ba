"""The exercises of lesson 06."""

from .source import Exercise, Injected, letters, shown


def _what_goes_in(answer):
    named = letters(answer)
    if not named <= set("ABCD"):
        return f'{shown(answer)}: write letters, such as "AB".'
    if "A" in named:
        return "A: how large would that be in turn 1,000?"
    if "D" in named:
        return "D: these are still in the window; the model reads them as they are."
    if named != {"B", "C"}:
        return f"You have {shown(answer)}; there is one more."
    return True


class _Reply:
    """What the check's `merge` returns."""

    def __init__(self, text, stop_reason):
        self.text, self.stop_reason = text, stop_reason


def _keep_or_replace(answer):
    def raising(summary, dropped):
        raise Injected("overloaded")

    for name, reply, expected in (
        ("a complete reply", _Reply("New.", "end_turn"), "New."),
        ("a reply that was cut", _Reply("New and", "max_tokens"), "Old."),
        ("an empty reply", _Reply("", "end_turn"), "Old."),
        ("a reply of blanks", _Reply("  \n", "end_turn"), "Old."),
        ("a refusal", _Reply("I cannot.", "refusal"), "Old."),
    ):
        got = answer("Old.", ["turn"], lambda summary, dropped, reply=reply: reply)
        if got != expected:
            return f"Tried {name}: it returned {shown(got)}."
    try:
        got = answer("Old.", ["turn"], raising)
    except Injected:
        return "Tried a merge that raises: the error came through."
    return True if got == "Old." else f"Tried a merge that raises: it returned {shown(got)}."


def _missing_numbers(answer):
    for summary, dropped, expected in (
        ("Ines pays 35 euros.", "I pay 35 euros.", []),
        ("Ines pays little.", "I pay 35 euros.", ["35"]),
        ("Order 4471 of 9 October.", "Order 4471 came on 9 October, at 14:30.", ["14", "30"]),
        ("It was 350.", "It was 35.", ["35"]),
        ("Nothing.", "No numbers here.", []),
    ):
        got = answer(summary, dropped)
        try:
            found = sorted(map(str, got))
        except TypeError:
            return f"Tried {dropped!r}: it returned {shown(got)}, which is no list."
        if found != sorted(expected):
            return (
                f"Tried the summary {summary!r} and the turn {dropped!r}: it returned {shown(got)}."
            )
    return True


EXERCISES = [
    Exercise(
        id="06.1",
        minutes=2,
        task=(
            "Predict. Two exchanges were just dropped from the window. What goes into the request for "
            "the new summary?\n\n"
            "* A: the whole log\n* B: the old summary\n* C: the two dropped exchanges\n"
            "* D: the exchanges that are still in the window"
        ),
        stub='answer = ...  # letters, such as "AB"',
        hint="What is in neither the old summary nor the window?",
        solution='answer = "BC"',
        because="What the window still holds needs no retelling, and the log grows without end.",
        check=_what_goes_in,
        wrong=('answer = "A"', 'answer = "C"', 'answer = "BCD"', 'answer = "all"'),
        right=('answer = ["C", "B"]', 'answer = "b and c"'),
    ),
    Exercise(
        id="06.2",
        minutes=8,
        task=(
            "Write `keep_or_replace(summary, dropped, merge)`. `merge(summary, dropped)` asks a model "
            "and returns an object with `text` and `stop_reason`, or raises. Return the new text only "
            'if it is complete (`stop_reason` is `"end_turn"`) and not blank; in every other case the '
            "old summary."
        ),
        stub='''def keep_or_replace(summary, dropped, merge):
    """The new summary if it can be trusted, else the old one."""
    ...''',
        hint="Three things can be wrong: an exception, another stop reason, a text of blanks.",
        solution='''def keep_or_replace(summary, dropped, merge):
    """The new summary if it can be trusted, else the old one."""
    try:
        reply = merge(summary, dropped)
    except Exception:
        return summary
    good = reply.stop_reason == "end_turn" and reply.text.strip()
    return reply.text if good else summary''',
        because="The old summary is worth more than half a new one.",
        check=_keep_or_replace,
        wrong=(
            "def keep_or_replace(summary, dropped, merge):\n    return merge(summary, dropped).text",
            "def keep_or_replace(summary, dropped, merge):\n    try:\n"
            "        return merge(summary, dropped).text\n    except Exception:\n        return summary",
            "def keep_or_replace(summary, dropped, merge):\n    reply = merge(summary, dropped)\n"
            "    return reply.text if reply.stop_reason == 'end_turn' else summary",
            "def keep_or_replace(summary, dropped, merge):\n    return summary",
        ),
        right=(
            "def keep_or_replace(summary, dropped, merge):\n    try:\n"
            "        r = merge(summary, dropped)\n"
            "        if r.stop_reason != 'end_turn' or not r.text.strip():\n"
            "            raise ValueError\n        return r.text\n    except Exception:\n"
            "        return summary",
        ),
    ),
    Exercise(
        id="06.3",
        minutes=6,
        task=(
            "Write `missing_numbers(summary, dropped)`: the numbers (runs of digits, as texts) that "
            "stand in the text `dropped` and not in the text `summary`, as a list. 35 does not stand "
            "in 350."
        ),
        stub='''def missing_numbers(summary, dropped):
    """Numbers of `dropped` that `summary` does not have."""
    ...''',
        hint=r'After `import re`, `re.findall(r"\d+", text)` gives the runs of digits of a text.',
        solution='''import re

def missing_numbers(summary, dropped):
    """Numbers of `dropped` that `summary` does not have."""
    kept = re.findall(r"\\d+", summary)
    return [number for number in re.findall(r"\\d+", dropped) if number not in kept]''',
        because="The smallest useful check. The course's own also knows dates, names and promises.",
        check=_missing_numbers,
        wrong=(
            "import re\n\ndef missing_numbers(summary, dropped):\n"
            "    return [n for n in re.findall(r'\\d+', dropped) if n not in summary]",
            "import re\n\ndef missing_numbers(summary, dropped):\n"
            "    return re.findall(r'\\d+', dropped)",
            "import re\n\ndef missing_numbers(summary, dropped):\n"
            "    return [n for n in re.findall(r'\\d', dropped) if n not in re.findall(r'\\d', summary)]",
            "def missing_numbers(summary, dropped):\n    return []",
        ),
        right=(
            "import re\n\ndef missing_numbers(summary, dropped):\n"
            "    return sorted(set(re.findall(r'\\d+', dropped)) - set(re.findall(r'\\d+', summary)))",
        ),
    ),
]
