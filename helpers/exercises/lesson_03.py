"""The exercises of lesson 03."""

from .. import cost
from .source import Exercise, number, shown


def _step_twenty(answer):
    value = number(answer)
    if value is None:
        return f"{shown(answer)} is not a number of tokens."
    if value == cost.step_input(21):
        return f"{shown(answer)} is one step too many: how many results has step 20 seen?"
    if value != cost.step_input(20):
        return f"{shown(answer)}: put a smaller step into your formula; step 10 sends 39,000."
    return True


def _run_total(answer):
    for steps, base, per_step in ((1, 3_000, 4_000), (2, 10, 5), (30, 3_000, 4_000), (7, 0, 100)):
        got = answer(steps, base, per_step)
        if isinstance(got, bool) or got != cost.run_input(steps, base, per_step):
            by_hand = " (base for step 1, base + per_step for step 2)" if steps == 2 else ""
            return (
                f"Tried run_total({steps}, {base}, {per_step}){by_hand}: it returned {shown(got)}."
            )
    return True


def _prompt_tokens(answer):
    from anthropic.types import Usage

    for name, fresh, read, written in (
        ("nothing cached", 500, 0, 0),
        ("a hit", 40, 3_000, 0),
        ("a first call that writes", 40, 0, 3_000),
        ("a hit that writes the rest", 40, 3_000, 700),
        ("a server without a cache, which sends None", 500, None, None),
        ("a server that tells what was read only", 500, 3_000, None),
    ):
        usage = Usage.construct(
            input_tokens=fresh,
            cache_read_input_tokens=read,
            cache_creation_input_tokens=written,
            output_tokens=77,
        )
        got = answer(usage)
        if isinstance(got, bool) or got != fresh + (read or 0) + (written or 0):
            return f"Tried {name} ({fresh}, {read}, {written}): it returned {shown(got)}."
    return True


EXERCISES = [
    Exercise(
        id="03.1",
        minutes=2,
        task=(
            "Predict. The fixed part is 3,000 tokens and each step adds 4,000. How many input tokens "
            "does step 20 send?"
        ),
        stub="answer = ...  # tokens",
        hint="Step 1 has no result yet. Step 2 has one.",
        solution="answer = 3_000 + 4_000 * 19",
        because="Step 20 sends the fixed part and the results of the 19 steps before it.",
        check=_step_twenty,
        wrong=(
            "answer = 3_000 + 4_000 * 20",
            "answer = 80_000",
            'answer = "many"',
            "answer = True",
        ),
        right=("answer = 79_000.0", 'answer = "79,000"', 'answer = "79000 tokens"'),
    ),
    Exercise(
        id="03.2",
        minutes=6,
        task=(
            "Write `run_total(steps, base, per_step)`: the input tokens of all steps together. "
            "A loop is fine; so is a formula."
        ),
        stub='''def run_total(steps, base, per_step):
    """Input tokens of the whole run."""
    ...''',
        hint="Add up `base + per_step * (n - 1)` for every step n from 1 to `steps`.",
        solution='''def run_total(steps, base, per_step):
    """Input tokens of the whole run."""
    return sum(base + per_step * (n - 1) for n in range(1, steps + 1))''',
        because=(
            "As a formula: `steps * base + per_step * steps * (steps - 1) / 2`. The second part has "
            "the square in it."
        ),
        check=_run_total,
        wrong=(
            "def run_total(steps, base, per_step):\n    return base + per_step * (steps - 1)",
            "def run_total(steps, base, per_step):\n"
            "    return sum(base + per_step * n for n in range(1, steps + 1))",
            "def run_total(steps, base, per_step):\n    return steps * (base + per_step)",
            "def run_total(steps, base, per_step):\n"
            "    return sum(base + per_step * (n - 1) for n in range(1, steps))",
        ),
        right=(
            "def run_total(steps, base, per_step):\n"
            "    return steps * base + per_step * steps * (steps - 1) / 2",
        ),
    ),
    Exercise(
        id="03.3",
        minutes=4,
        task=(
            "Write `prompt_tokens(usage)`: all tokens of the prompt, cached or not. "
            "`usage.input_tokens` is only the part that was neither read from the cache nor written "
            "to it. A server without a cache sends `None` for the other two figures."
        ),
        stub='''def prompt_tokens(usage):
    """Tokens of the whole prompt, from a reply's usage."""
    ...''',
        hint="Three fields: `input_tokens`, `cache_read_input_tokens`, `cache_creation_input_tokens`.",
        solution='''def prompt_tokens(usage):
    """Tokens of the whole prompt, from a reply's usage."""
    read, written = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
    return usage.input_tokens + (read or 0) + (written or 0)''',
        because="Whoever watches `input_tokens` alone sees a prompt shrink when caching begins.",
        check=_prompt_tokens,
        wrong=(
            "def prompt_tokens(usage):\n    return usage.input_tokens",
            "def prompt_tokens(usage):\n    return usage.input_tokens + usage.cache_read_input_tokens",
            "def prompt_tokens(usage):\n    return usage.input_tokens + usage.output_tokens",
            "def prompt_tokens(usage):\n    return (usage.input_tokens + usage.cache_read_input_tokens\n"
            "            + usage.cache_creation_input_tokens)",
            "def prompt_tokens(usage):\n    try:\n        return (usage.input_tokens"
            " + usage.cache_read_input_tokens\n                + usage.cache_creation_input_tokens)\n"
            "    except TypeError:\n        return usage.input_tokens",
        ),
        right=(
            "def prompt_tokens(usage):\n    names = ('input_tokens', 'cache_read_input_tokens',"
            " 'cache_creation_input_tokens')\n    return sum(getattr(usage, n) or 0 for n in names)",
        ),
    ),
]
