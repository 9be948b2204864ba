"""The exercises of lesson 04."""

from .source import Exercise, number, shown


def _what_stays(answer):
    value = number(answer)
    if value is None:
        return f"{shown(answer)} is not a number of exchanges."
    if value == 3:
        return "Three would be 40 + 90 + 30 = 160 tokens, which is over the budget."
    if value != 2:
        return f"{shown(answer)}: begin with the newest and add them up until one does not fit."
    return True


def _own_counts(answer):
    for whole, own in (
        ([], []),
        ([12], [12]),
        ([12, 30, 45, 45], [12, 18, 15, 0]),
        ([5, 5, 100], [5, 0, 95]),
    ):
        given = list(whole)
        got = answer(given)
        try:
            listed = list(got)
        except TypeError:
            return f"Tried own_counts({whole}): it returned {shown(got)}, which is no list."
        if listed != own:
            return f"Tried own_counts({whole}): it returned {shown(got)}."
        if given != whole:
            return f"Tried own_counts({whole}): the list that was passed in has changed."
    return True


def _how_many_fit(answer):
    for sizes, budget, expected in (
        ([50, 60, 70], 200, 3),
        ([50, 60, 70], 150, 2),
        ([50, 60, 70], 130, 2),
        ([50, 60, 70], 10, 1),
        ([500, 20, 20], 100, 2),
        ([20, 500, 20], 100, 1),
        ([20, 20, 500], 100, 1),
        ([], 100, 0),
    ):
        got = answer(list(sizes), budget)
        if isinstance(got, bool) or got != expected:
            return f"Tried how_many_fit({sizes}, {budget}): it returned {shown(got)}."
    return True


EXERCISES = [
    Exercise(
        id="04.1",
        minutes=2,
        task=(
            "Predict. A history has four exchanges, oldest first, of 20, 40, 90 and 30 tokens. The "
            "budget is 150. How many exchanges are sent?"
        ),
        stub="answer = ...  # a number",
        hint="Start at the end: 30. Then 30 + 90. Then?",
        solution="answer = 2",
        because=(
            "30 + 90 = 120 fits, 160 does not, and trimming stops there. The oldest exchange of 20 "
            "tokens would fit, but a conversation with a gap in it is worse than a shorter one."
        ),
        check=_what_stays,
        wrong=("answer = 3", "answer = 4", 'answer = "all"', "answer = True"),
        right=('answer = "2"', "answer = 2.0"),
    ),
    Exercise(
        id="04.2",
        minutes=6,
        task=(
            "Repair the bug. `whole[i]` is the count of the whole history up to and including message "
            "i. Write `own_counts(whole)`: a list with what each message adds."
        ),
        stub='''def own_counts(whole):
    """Tokens that each message adds, from counts of the whole history up to it."""
    ...''',
        hint="The first message adds its own count. Each later one adds the difference to the one before.",
        solution='''def own_counts(whole):
    """Tokens that each message adds, from counts of the whole history up to it."""
    return [now - before for before, now in zip([0, *whole], whole)]''',
        because="Differences add up to the last count; counts of wholes add up to far too much.",
        check=_own_counts,
        wrong=(
            "def own_counts(whole):\n    return whole",
            "def own_counts(whole):\n    return [b - a for a, b in zip(whole, whole[1:])]",
            "def own_counts(whole):\n    return [n / (i + 1) for i, n in enumerate(whole)]",
            "def own_counts(whole):\n    whole.insert(0, 0)\n"
            "    return [b - a for a, b in zip(whole, whole[1:])]",
        ),
        right=(
            "def own_counts(whole):\n    result, before = [], 0\n    for now in whole:\n"
            "        result.append(now - before)\n        before = now\n    return result",
        ),
    ),
    Exercise(
        id="04.3",
        minutes=8,
        task=(
            "Write `how_many_fit(sizes, budget)`. `sizes` are the tokens of the exchanges, oldest "
            "first. How many of the newest are sent? The newest always is, even if it alone is over "
            "the budget; with no exchanges the answer is 0."
        ),
        stub='''def how_many_fit(sizes, budget):
    """How many of the newest exchanges fit into the budget (the newest always counts)."""
    ...''',
        hint="Walk over `reversed(sizes)`, add up, and stop at the first that does not fit.",
        solution='''def how_many_fit(sizes, budget):
    """How many of the newest exchanges fit into the budget (the newest always counts)."""
    kept, total = 0, 0
    for size in reversed(sizes):
        total += size
        if kept and total > budget:
            break
        kept += 1
    return kept''',
        because="One pass over the exchanges, and no gap in the middle.",
        check=_how_many_fit,
        wrong=(
            "def how_many_fit(sizes, budget):\n    kept, total = 0, 0\n    for size in reversed(sizes):\n"
            "        total += size\n        if total > budget:\n            break\n        kept += 1\n"
            "    return kept",
            "def how_many_fit(sizes, budget):\n    kept, total = 0, 0\n    for size in sizes:\n"
            "        if total + size <= budget:\n            total += size\n            kept += 1\n"
            "    return kept",
            "def how_many_fit(sizes, budget):\n    return sum(s <= budget for s in sizes)",
            "def how_many_fit(sizes, budget):\n    kept = total = 0\n    for size in reversed(sizes):\n"
            "        if kept and total + size > budget:\n            continue\n        total += size\n"
            "        kept += 1\n    return kept",
        ),
        right=(
            "def how_many_fit(sizes, budget):\n    n = len(sizes)\n"
            "    while n > 1 and sum(sizes[-n:]) > budget:\n        n -= 1\n    return n",
        ),
    ),
]
