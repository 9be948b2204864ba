"""The exercises of lesson 08."""

from .source import Exercise, letters, number, shown


def _what_stays(answer):
    named = letters(answer)
    if not named <= set("ABCD"):
        return f'{shown(answer)}: write letters, such as "AB".'
    if "C" in named:
        return "C: then nothing has become shorter."
    if "A" not in named:
        return "One that you left out: without it the model would not know that it ever looked."
    if "B" not in named:
        return "One that you left out: without it no call would have this answer."
    if "D" not in named:
        return "There is one more: the API looks for the answer at a certain place."
    return True


def _to_clear(answer):
    for name, sizes, keep, placeholder, expected in (
        ("five results of 900, keep 3", [900] * 5, 3, 20, [0, 1]),
        ("five results of 900, keep 0", [900] * 5, 0, 20, [0, 1, 2, 3, 4]),
        ("two results, keep 3", [900, 900], 3, 20, []),
        ("a short result among long ones", [900, 5, 900, 900], 1, 20, [0, 2]),
        ("a result as long as the placeholder", [20, 21, 900], 1, 20, [1]),
        ("no results", [], 2, 20, []),
    ):
        got = answer(list(sizes), keep, placeholder)
        try:
            found = sorted(map(int, got))
        except (TypeError, ValueError):
            return f"Tried {name}: it returned {shown(got)}, which is no list of positions."
        if found != expected:
            return f"Tried {name}, a placeholder of {placeholder} tokens: it returned {shown(got)}."
    return True


def _steps_to_pay(answer):
    for rewritten, cleared, write, read, expected in (
        (1_000, 1_000, 3, 1, 2),
        (1_000, 3_000, 3, 1, 1),
        (8_700, 27_300, 5, 0.2, 8),
        (12_000, 3_900, 5, 0.2, 74),
        (0, 4_000, 5, 0.2, 0),
    ):
        got = answer(rewritten, cleared, write, read)
        if number(got) != expected:
            return (
                f"Tried {rewritten:,} tokens written again and {cleared:,} cleared, at {write} and "
                f"{read} a token: it returned {shown(got)}."
            )
    return True


def _what_is_answered(answer):
    named = letters(answer)
    if not named <= set("ABCDE"):
        return f'{shown(answer)}: write letters, such as "AB".'
    if "B" in named:
        return "B: a thinking block after that result is bound to what it said."
    if "E" in named:
        return "E: the system prompt stands before every thinking block."
    if "A" not in named:
        return "One that you left out changes nothing that stood before a thinking block."
    if "C" not in named:
        return "One that you left out: what is checked, the request as sent or as edited?"
    if "D" not in named:
        return "One that you left out: which signature could be wrong there?"
    return True


EXERCISES = [
    Exercise(
        id="08.1",
        minutes=2,
        task=(
            "Predict. An old result is cleared. What stays as it was?\n\n"
            "* A: the block with the call\n* B: the `tool_use_id` in the result's block\n"
            "* C: the content of the result\n"
            "* D: the result's place, in the message after the call"
        ),
        stub='answer = ...  # letters, such as "AB"',
        hint="Look at the cleared block that the lesson prints. What would the API refuse?",
        solution='answer = "ABD"',
        because=(
            "The API wants an answer with the right id directly after each call; the model wants to "
            "see that it looked. Only the content may go."
        ),
        check=_what_stays,
        wrong=('answer = "A"', 'answer = "C"', 'answer = "AB"', 'answer = "BD"', 'answer = "all"'),
        right=('answer = ["D", "A", "B"]', 'answer = "a, b and d"'),
    ),
    Exercise(
        id="08.2",
        minutes=6,
        task=(
            "Write `to_clear(sizes, keep, placeholder)`. `sizes` are the tokens of the results, "
            "oldest first; `placeholder` is how many tokens a placeholder has. Return the positions "
            "that are cleared: all but the newest `keep`, and only results that are longer than the "
            "placeholder. `keep` may be 0, and it may be more than there are."
        ),
        stub='''def to_clear(sizes, keep, placeholder):
    """Positions of the results that are replaced by a placeholder."""
    ...''',
        hint="How many are old? `len(sizes) - keep`, but never less than none.",
        solution='''def to_clear(sizes, keep, placeholder):
    """Positions of the results that are replaced by a placeholder."""
    old = max(0, len(sizes) - keep)
    return [n for n, size in enumerate(sizes[:old]) if size > placeholder]''',
        because="Counted from the front, the slice has no `[:-0]` in it.",
        check=_to_clear,
        wrong=(
            "def to_clear(sizes, keep, placeholder):\n"
            "    return [n for n, s in enumerate(sizes[:-keep]) if s > placeholder]",
            "def to_clear(sizes, keep, placeholder):\n"
            "    return list(range(max(0, len(sizes) - keep)))",
            "def to_clear(sizes, keep, placeholder):\n"
            "    return [n for n, s in enumerate(sizes[:len(sizes) - keep]) if s >= placeholder]",
            "def to_clear(sizes, keep, placeholder):\n    return sum(s > placeholder for s in sizes)",
        ),
        right=(
            "def to_clear(sizes, keep, placeholder):\n"
            "    return [n for n in range(len(sizes)) if n + keep < len(sizes) and sizes[n] > placeholder]",
        ),
    ),
    Exercise(
        id="08.3",
        minutes=6,
        task=(
            "When has a clearing paid for itself? It takes `cleared` tokens out of every request "
            "from now on: these are no longer read from the cache. And `rewritten` tokens behind "
            "them must be written to it once more, where they would have been read. `write` and "
            "`read` are the prices of one token. Write `steps_to_pay(rewritten, cleared, write, "
            "read)`: after how many steps, this one included, is what was saved at least what was "
            "paid? A whole number."
        ),
        stub='''def steps_to_pay(rewritten, cleared, write, read):
    """Steps until a clearing has paid for itself."""
    ...''',
        hint=(
            "Paid once: `rewritten * (write - read)`. Saved in each step: `cleared * read`. After "
            "`import math`, `math.ceil` rounds up."
        ),
        solution='''import math

def steps_to_pay(rewritten, cleared, write, read):
    """Steps until a clearing has paid for itself."""
    return math.ceil(rewritten * (write - read) / (cleared * read))''',
        because=(
            "For the first batch of the formula's run that is 8 steps: 8,700 tokens written again, "
            "27,300 cleared. So a run of 15 steps lost by it, and one of 20 gained."
        ),
        check=_steps_to_pay,
        wrong=(
            "def steps_to_pay(rewritten, cleared, write, read):\n"
            "    return rewritten * write / (cleared * read)",
            "def steps_to_pay(rewritten, cleared, write, read):\n"
            "    return int(rewritten * (write - read) / (cleared * read))",
            "def steps_to_pay(rewritten, cleared, write, read):\n    return rewritten // cleared",
        ),
        right=(
            "def steps_to_pay(rewritten, cleared, write, read):\n    steps = 0\n"
            "    while steps * cleared * read < rewritten * (write - read):\n"
            "        steps += 1\n    return steps",
        ),
    ),
    Exercise(
        id="08.4",
        minutes=2,
        task=(
            "Predict. The history holds thinking blocks of a model that binds them. Which requests "
            "does the API accept?\n\n"
            "* A: one more message at the end\n* B: an old result cleared by hand\n"
            "* C: old results cleared by the server's edit\n"
            "* D: an old result cleared by hand, and all thinking blocks left out\n"
            "* E: a new system prompt"
        ),
        stub='answer = ...  # letters, such as "AB"',
        hint="Does anything change that stood before a thinking block which is sent?",
        solution='answer = "ACD"',
        because=(
            "The signatures are checked on what is sent; the server's edit comes after that. And "
            "where no thinking block is sent, there is none to check."
        ),
        check=_what_is_answered,
        wrong=('answer = "C"', 'answer = "ABCD"', 'answer = "AC"', 'answer = "CE"'),
        right=('answer = ["A", "C", "D"]', 'answer = "a, c and d"'),
    ),
]
