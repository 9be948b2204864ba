"""Clearing: a run of twenty turns, its old results cleared never, at every turn, or in batches."""

from functools import partial
from itertools import accumulate

from .cache import marked
from .calls import Caller, assistant, cached_tokens, prompt_tokens, user
from .courier import log
from .steps import Step

ABOUT = (
    "A run of twenty turns, each of which adds one result. All but the newest three results are "
    "replaced by a short placeholder: never, at every turn, or whenever the number of results is a "
    "multiple of five or ten. Time to the first token of each turn, by streaming, summed up."
)
FULL = {"turns": 20, "lines": 4, "every": [0, 1, 5, 10], "repeats": 2, "seed": 500}
QUICK = FULL | {"turns": 12, "lines": 3, "every": [0, 1, 5], "repeats": 1}

KEPT = 3
PLACEHOLDER = "(cleared)"


def steps(turns: int, lines: int, every: list[int], repeats: int, seed: int) -> list[Step]:
    """`lines` of a log (about 21 tokens each) in a result; `every` 0 clears never."""
    return [
        Step(f"every {k}, run {n + 1}", partial(_run, turns, lines, k, seed + 10 * n + k))
        for n in range(repeats)
        for k in every
    ]


def _run(turns: int, lines: int, every: int, seed: int, caller: Caller) -> dict:
    text = log(turns * lines + 1, seed)
    results = ["\n".join(text[1 + n * lines : 1 + (n + 1) * lines]) for n in range(turns)]
    calls, cleared = [], 0
    for turn in range(1, turns + 1):
        if every and turn % every == 0:
            cleared = max(cleared, turn - KEPT)
        shown = [PLACEHOLDER] * cleared + results[cleared:turn]
        calls.append(caller.timed(marked(request(text[0], shown))))
    return {"every": every, "calls": calls}


def request(title: str, results: list[str]) -> list[dict]:
    """The messages of one turn: the task, and each result after the line that asked for it."""
    messages = [user(f"{title} Read the log part by part.")]
    for n, result in enumerate(results, 1):
        messages += [assistant(f"Part {n}, please."), user(result)]
    return messages


def seconds(record: dict) -> list[float]:
    """Seconds to the first token, summed up turn by turn."""
    return list(accumulate(call["first_token_seconds"] for call in record["calls"]))


def tokens(record: dict) -> dict[str, int]:
    """Of the whole run: `sent` in all prompts, `read` anew (not from the cache), `largest` prompt."""
    prompts = [prompt_tokens(call) for call in record["calls"]]
    cached = sum(map(cached_tokens, record["calls"]))
    return {"sent": sum(prompts), "read": sum(prompts) - cached, "largest": max(prompts)}
