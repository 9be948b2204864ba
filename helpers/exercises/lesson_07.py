"""The exercises of lesson 07."""

from .source import Exercise, letters, number, same, shown

BASE, PER_STEP, STEP = 2_000, 500, 21


def _tokens_sent(answer):
    got = number(answer)
    if got == BASE + PER_STEP * STEP:
        return f"You have {shown(answer)}: is anything added before the first call?"
    if got == PER_STEP * (STEP - 1):
        return f"You have {shown(answer)}: that is what the results add; something is always sent."
    if got != BASE + PER_STEP * (STEP - 1):
        return f"You have {shown(answer)}: count the results that are there when this call is made."
    return True


def _where_it_holds(answer):
    named = letters(answer)
    if not named <= set("ABCD"):
        return f'{shown(answer)}: write letters, such as "AB".'
    if "A" in named:
        return "A: in this lesson a rule stood there, and was overlooked."
    if "B" in named:
        return "B: a model reads it, like everything else that it is told. What pays the money?"
    if named != {"C", "D"}:
        return f"You have {shown(answer)}; there is one more."
    return True


def _newest(answer):
    events = [{"at": n, "status": f"status {n}"} for n in range(6)]
    for given, limit, kept, gone in (
        (events, 2, events[4:], 4),
        (events, 6, events, 0),
        (events, 10, events, 0),
        (events[:1], 3, events[:1], 0),
        ([], 3, [], 0),
    ):
        before = list(given)
        got = answer(given, limit)
        if given != before:
            return (
                f"Tried {len(before)} events and a limit of {limit}: the list it was given changed."
            )
        if not same(got, {"events": kept, "left_out": gone}):
            return f"Tried {len(given)} events and a limit of {limit}: it returned {shown(got)}."
    return True


def _may_pay(answer):
    for amount, due, limit, approved, expected in (
        (30, [30, 80], 50, [], True),
        (80, [30, 80], 50, [], False),
        (80, [30, 80], 50, [80], True),
        (80, [30], 50, [80], False),
        (40, [30], 50, [], False),
        (50, [50], 50, [], True),
        (80, [80], 50, [30], False),
    ):
        got = answer(amount, due, limit, approved)
        if got is not True and got is not False:
            return (
                f"Tried an amount of {amount}: it returned {shown(got)}, which is no True or False."
            )
        if got is not expected:
            return (
                f"Tried an amount of {amount} with {due} due, a limit of {limit} and {approved} "
                f"approved: it returned {got}."
            )
    return True


EXERCISES = [
    Exercise(
        id="07.1",
        minutes=2,
        task=(
            f"Predict. Instructions and tool definitions take {BASE:,} tokens; each step adds a result "
            f"of {PER_STEP} tokens. How many tokens does call {STEP} send?"
        ),
        stub="answer = ...  # a number of tokens",
        hint="When the first call is made there is no result yet.",
        solution="answer = 2_000 + 500 * 20",
        because=f"Twenty results are there when call {STEP} is made.",
        check=_tokens_sent,
        wrong=("answer = 12_500", "answer = 10_000", "answer = 500", 'answer = "many"'),
        right=("answer = 12_000.0", 'answer = "12,000 tokens"'),
    ),
    Exercise(
        id="07.2",
        minutes=3,
        task=(
            "A shop must never pay more than 50 euros without the approval of a person. Which of these "
            "make sure that it does not happen, whatever the model writes?\n\n"
            "* A: the rule in the first message\n* B: the rule in the system prompt, with its reason\n"
            "* C: the function behind the tool looks the approval up before it pays\n"
            "* D: the account from which the tool pays refuses larger amounts"
        ),
        stub='answer = ...  # letters, such as "AB"',
        hint="Which of them does not depend on what a model makes of a text?",
        solution='answer = "CD"',
        because=(
            "B makes it likely that the model says the right thing. Only code makes it sure that the "
            "right thing happens. Have both."
        ),
        check=_where_it_holds,
        wrong=('answer = "B"', 'answer = "BCD"', 'answer = "C"', 'answer = "all"'),
        right=('answer = ["D", "C"]', 'answer = "c and d"'),
    ),
    Exercise(
        id="07.3",
        minutes=5,
        task=(
            "Write `newest(events, limit)`. The events run from old to new. Return a dict with `events`, "
            "the newest `limit` of them in their order, and `left_out`, how many are gone. The limit is "
            "1 or more. The list that is given stays as it is."
        ),
        stub='''def newest(events, limit):
    """The newest events, and how many were left out."""
    ...''',
        hint="`events[-limit:]` gives the last ones, all of them if there are fewer.",
        solution='''def newest(events, limit):
    """The newest events, and how many were left out."""
    kept = events[-limit:]
    return {"events": kept, "left_out": len(events) - len(kept)}''',
        because="A list that was cut without a word reads like the whole list.",
        check=_newest,
        wrong=(
            "def newest(events, limit):\n"
            "    return {'events': events[:limit], 'left_out': max(0, len(events) - limit)}",
            "def newest(events, limit):\n"
            "    return {'events': events[-limit:], 'left_out': len(events) - limit}",
            "def newest(events, limit):\n    return events[-limit:]",
            "def newest(events, limit):\n    gone = max(0, len(events) - limit)\n"
            "    del events[:gone]\n    return {'events': events, 'left_out': gone}",
        ),
        right=(
            "def newest(events, limit):\n    gone = max(0, len(events) - limit)\n"
            "    return {'left_out': gone, 'events': [e for n, e in enumerate(events) if n >= gone]}",
        ),
    ),
    Exercise(
        id="07.4",
        minutes=6,
        task=(
            "Write the gate. `may_pay(amount, due, limit, approved)`: True if `amount` may be paid now. "
            "It must be one of the amounts in `due` (what the shop's data give). Up to `limit` (included) "
            "it needs no approval; above it, the amount must be in `approved`. Else False."
        ),
        stub='''def may_pay(amount, due, limit, approved):
    """Whether this amount may be paid, from data alone."""
    ...''',
        hint="An approval does not replace the first condition.",
        solution='''def may_pay(amount, due, limit, approved):
    """Whether this amount may be paid, from data alone."""
    return amount in due and (amount <= limit or amount in approved)''',
        because="It has no parameter for a text. So nothing that somebody writes can change it.",
        check=_may_pay,
        wrong=(
            "def may_pay(amount, due, limit, approved):\n"
            "    return amount <= limit or amount in approved",
            "def may_pay(amount, due, limit, approved):\n"
            "    return amount in due and amount < limit or amount in approved",
            "def may_pay(amount, due, limit, approved):\n    return amount in due",
            "def may_pay(amount, due, limit, approved):\n"
            "    return amount in due and (amount <= limit or bool(approved))",
        ),
        right=(
            "def may_pay(amount, due, limit, approved):\n    if amount not in due:\n"
            "        return False\n    return True if amount <= limit else amount in approved",
        ),
    ),
]
