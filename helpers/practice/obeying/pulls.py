"""By which features of its wording a text pulls the model along. Words and marks only: nothing here
knows where a text comes from or what it is meant for."""

import re
from functools import lru_cache

from ..reading.clauses import sentences
from . import english, languages
from .giving import lifts_limits
from .orders import LIFT, orders_in, readable

NEAR = 2  # sentences on each side of an order that speak with it

# Features that make a text an order rather than a wish.
FIRM = frozenset("standing overriding authority role trigger agent playing denying".split())
# By these it speaks as somebody else: that is what a label helps least against.
POSES = frozenset("authority role denying".split())


@lru_cache(maxsize=4_096)
def features(text: str) -> frozenset[str]:
    """The features of a passage around its orders; empty if it holds none.

    standing: always, from now on, every ... overriding: without a check, ignore ... authority: a
    manager, a policy. role: it imitates the system or the end of a frame. trigger: whenever somebody
    says ... agent: it speaks to the model of the customer. playing: a game, a story. denying: it says
    that it is an instruction. urgent: at once, capitals. reported: the customer says ...
    """
    orders = orders_in(text)
    if not orders:
        return frozenset()
    near = _around(text, {order.text for order in orders})
    plain = " ".join(near)
    english_too = plain.isascii() and (
        english.STANDING.search(plain) or not languages.STANDING.search(plain)
    )

    def has(name: str) -> bool:
        own = getattr(english, name).search(plain)
        return bool(own or not english_too and getattr(languages, name).search(plain))

    shouts = plain.count("!") > 1 or len(english.SHOUTED.findall(text)) > 1
    lifts = any(order.kind == LIFT or lifts_limits(order.text) for order in orders)
    tests = {
        "standing": has("STANDING"),
        "overriding": lifts or english.OVERRIDE.search(plain),
        "authority": has("AUTHORITY"),
        "role": english.ROLE.search("\n".join(near)),
        "trigger": has("TRIGGER"),
        "agent": english.TO_AGENT.search(plain),
        "playing": english.PLAYING.search(plain),
        "denying": english.DENYING.search(plain),
        "urgent": shouts or has("URGENT"),
        "reported": english.REPORTED.search(_CONDITION.sub(" ", plain)),
    }
    return frozenset(name for name, found in tests.items() if found)


# "When the customer says ..." reports nothing.
_CONDITION = re.compile(
    r"\b(?:if|when(?:ever)?|once|as soon as|(?:each|every|next) time)\b[^,;:.]*"
)


def _around(text: str, told: set[str]) -> list[str]:
    lines = sentences(readable(text))
    keep: set[int] = set()
    for n, line in enumerate(lines):
        if line.strip() in told:
            keep.update(range(max(0, n - NEAR), n + NEAR + 1))
    return [line for n, line in enumerate(lines) if n in keep]


def pull(text: str) -> int:
    """How many features pull; 0 without an order, or without a feature that is firm. That somebody
    merely reports it takes one away."""
    found = features(text)
    firm = len(found & FIRM)
    return firm + ("urgent" in found) - ("reported" in found) if firm else 0


def poses(text: str) -> bool:
    """Whether a text with an order speaks as somebody else."""
    return bool(features(text) & POSES)
