"""Overflow: what the server says to a prompt that is longer than the window."""

import random
from functools import partial

from .calls import Caller, user
from .steps import Step

ABOUT = "Two prompts that are longer than the window: by a tenth, and twice as long."
FULL = {"window": 8192, "times": [1.1, 2.0]}
QUICK = FULL | {"times": [1.1]}

WORDS = "parcel depot bridge ticket harbour window garden market".split()  # a token each, or more


def steps(window: int, times: list[float]) -> list[Step]:
    """Prompts of `times` the `window` (tokens)."""
    return [Step(f"{n:g} times the window", partial(_one, round(window * n))) for n in times]


def _one(words: int, caller: Caller) -> dict:
    random_ = random.Random(words)
    text = " ".join(random_.choice(WORDS) for _ in range(words))
    return {"words": words, "call": caller.refused([user(text)])}
