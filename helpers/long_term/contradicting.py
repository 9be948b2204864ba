"""Which earlier facts a new one makes untrue: the newest of two that contradict each other wins.

It is conservative: a fact that is superseded by mistake is lost to the next conversation, while of
two that both stay the model sees the dates. Four ways in which a fact ends another:

* one slot, two values (`claims.py`): deliveries go to Block B, then to Block C;
* a move: whoever moved house has new delivery instructions, too;
* the same words with and without a "not";
* other words about the same thing, and a place of another letter or number: "office parcels use
  Gate 2", "use Gate 3 for office parcels" - most words in common, and close in meaning when there
  are vectors.

A value that only says more ("Block B", "Block B, at the back") contradicts nothing.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from .claims import Claim, claims, designators, happened
from .wording import is_id, same, tokens

OVERLAP = 0.6  # of the words of two facts, places aside, in common
CLOSE = 0.5  # cosine of their vectors
_NOT = re.compile(
    r"\b(?:no longer|not|never|cannot|any ?more|no|(?:do|does|is|are|ca|wo|should|must)n['’]t)\b"
)


@dataclass(frozen=True)
class Fact:
    """A fact's text, and what is read out of it once."""

    text: str

    @cached_property
    def key(self) -> str:
        """The same for facts that say the same in the same words."""
        return same(self.text)

    @cached_property
    def claims(self) -> list[Claim]:
        return claims(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words but for a "not"."""
        return frozenset(tokens(_NOT.sub(" ", same(self.text))))

    @cached_property
    def denies(self) -> bool:
        return bool(_NOT.search(same(self.text)))

    @cached_property
    def places(self) -> dict[str, str]:
        return {} if happened(self.text) else designators(self.text)

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset(filter(is_id, self.words))


def contradicted(
    new: Fact, earlier: Iterable[Fact], alike: Callable[[Fact, Fact], float] | None = None
) -> list[Fact]:
    """The earlier facts that the new one ends, in their order.

    alike: how close two facts are in meaning, 1 for the same; None where there are no vectors.
    """
    return [old for old in earlier if _ends(new, old, alike)]


def _ends(new: Fact, old: Fact, alike) -> bool:
    for claim in new.claims:
        for other in old.claims:
            if other.slot in claim.ends or _other_value(claim, other):
                return True
    if new.denies != old.denies and new.words == old.words and len(new.words) > 1:
        return True
    return bool(new.places) and _other_place(new, old, alike)


def _other_value(claim: Claim, other: Claim) -> bool:
    if claim.slot != other.slot or not (claim.kind == other.kind or claim.ends):
        return False
    one, two = ({*re.findall(r"\w+", c.value)} for c in (claim, other))
    if claim.kind == "pair":
        return one != two
    return not (one <= two or two <= one)


def _other_place(new: Fact, old: Fact, alike) -> bool:
    """The same thing in other words, and one place of another letter or number."""
    if new.claims and old.claims or new.ids != old.ids or new.denies or old.denies:
        return False
    heads = new.places.keys() & old.places.keys()
    if len(heads) != 1 or len(new.places) != 1 or len(old.places) != 1:
        return False
    (head,) = heads
    if new.places[head] == old.places[head]:
        return False
    one = new.words - {head, new.places[head]}
    two = old.words - {head, old.places[head]}
    if len(one & two) < max(2, OVERLAP * len(one | two)):
        return False
    return alike is None or alike(new, old) >= CLOSE
