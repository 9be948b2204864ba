"""A measurement is a list of steps; each makes one record, and needs no other's."""

from collections.abc import Callable
from dataclasses import dataclass

from ..show import progress
from .calls import Caller, Estimate
from .records import Keep


@dataclass(frozen=True)
class Step:
    """One record to be made: its name in the file, and what makes it."""

    key: str
    make: Callable[[Caller], dict]


def run(steps: list[Step], caller: Caller, keep: Keep, text: str) -> list[dict]:
    """The records of all steps, in order; those that `keep` has already are not made again."""
    watched = progress(steps, text)
    return [keep.once(step.key, lambda step=step: step.make(caller)) for step in watched]


def estimate(steps: list[Step], model: str) -> float:
    """US dollars that the steps cost at most on `model`, at list price; nothing is sent."""
    counter = Estimate(None, model)
    for step in steps:
        step.make(counter)
    return counter.dollars
