"""By which features of its wording a text pulls the model along. Words and marks only: nothing here
knows where a text comes from or what it is meant for."""

from functools import lru_cache

from ..reading.clauses import sentences
from . import words
from .orders import LIFT, lifts_limits, orders_in, readable

NEAR = 2  # sentences on each side of an order that speak with it

# Features that make a text an order rather than a wish, and those that only lend it weight.
FIRM = ("standing", "overriding", "authority", "role", "trigger", "agent", "playing", "denying")
WEIGHT = ("urgent",)


@lru_cache(maxsize=4_096)
def features(text: str) -> frozenset[str]:
    """The features of a passage around its orders; empty if it holds none.

    standing: always, from now on, every ... overriding: without a check, ignore ... authority: a manager,
    a policy. role: it imitates the system or the end of a frame. trigger: whenever somebody says ...
    agent: it speaks to the model of the customer. playing: a game, a story. denying: it says that it is
    an instruction. urgent: at once, capitals, exclamation marks. reported: the customer says ...
    """
    orders = orders_in(text)
    if not orders:
        return frozenset()
    near = _around(text, {order.text for order in orders})
    plain = " ".join(near)
    other = (
        bool(words.NOT_ENGLISH.search(plain))
        or bool(words.OTHER_STANDING.search(plain))
        and not words.STANDING.search(plain)
    )
    tests = {
        "standing": words.STANDING.search(plain) or other and words.OTHER_STANDING.search(plain),
        "overriding": words.OVERRIDE.search(plain)
        or any(order.kind == LIFT or lifts_limits(order.text) for order in orders),
        "authority": words.AUTHORITY.search(plain) or other and words.OTHER_AUTHORITY.search(plain),
        "role": words.ROLE.search("\n".join(near)),
        "trigger": words.TRIGGER.search(plain) or other and words.OTHER_TRIGGER.search(plain),
        "agent": words.TO_AGENT.search(plain),
        "playing": words.PLAYING.search(plain),
        "denying": words.DENYING.search(plain),
        "urgent": words.URGENT.search(plain) or plain.count("!") > 1 or len(words.SHOUTED.findall(text)) > 1
        or other and words.OTHER_URGENT.search(plain),
        "reported": words.REPORTED.search(plain),
    }  # fmt: skip
    return frozenset(name for name, found in tests.items() if found)


def _around(text: str, told: set[str]) -> list[str]:
    lines = sentences(readable(text))
    keep: set[int] = set()
    for n, line in enumerate(lines):
        if line.strip() in told:
            keep.update(range(max(0, n - NEAR), n + NEAR + 1))
    return [line for n, line in enumerate(lines) if n in keep]


def pull(text: str) -> int:
    """How many features pull; 0 without an order or without one that is firm."""
    found = features(text)
    firm = len(found.intersection(FIRM))
    return firm + len(found.intersection(WEIGHT)) - ("reported" in found) if firm else 0
