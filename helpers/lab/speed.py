"""Speed: how long a model reads before its first token, against the length of the prompt."""

import random
from functools import partial

from .calls import Caller, prompt_tokens, user
from .courier import log
from .steps import Step
from .uncertainty import Fit, fit

ABOUT = (
    "Time to the first token of the reply, by streaming, for prompts that no earlier one begins "
    "like: nothing can be read from the cache. The lengths come in a mixed order."
)
FULL = {"lines": [24, 48, 95, 190, 270], "repeats": 2, "seed": 1}
QUICK = FULL | {"lines": [12, 24, 48], "repeats": 1}

QUESTION = "How many times was the parcel moved?"


def steps(lines: list[int], repeats: int, seed: int) -> list[Step]:
    """`lines` of a log, about 21 tokens each; each length `repeats` times."""
    random_ = random.Random(seed)
    found = []
    for repeat in range(repeats):
        for count in random_.sample(lines, len(lines)):
            text = "\n".join(log(count, random_.randrange(10**6)))
            key = f"{count} lines, number {repeat + 1}"
            found.append(Step(key, partial(_one, f"{text}\n\n{QUESTION}")))
    return found


def _one(text: str, caller: Caller) -> dict:
    return {"calls": {"cold": caller.timed([user(text)])}}


def points(records: list[dict]) -> list[tuple[int, float]]:
    """(tokens of the prompt, seconds to the first token) of each record, shortest first."""
    calls = [r["calls"]["cold"] for r in records]
    return sorted((prompt_tokens(call), call["first_token_seconds"]) for call in calls)


def curve(records: list[dict]) -> Fit:
    """Seconds against tokens: a part that grows with the length, and one with its square."""
    found = points(records)
    return fit([tokens for tokens, _ in found], [seconds for _, seconds in found])
