"""Does a text that should be a fact read like an instruction or a grant? By its features alone."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Suspicion:
    """score: 0 for none, from 1.0 it is held back. features: names; reasons: one sentence each."""

    score: float
    features: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.score >= 1.0


def suspicious(text: str, *, before: Iterable[str] = ()) -> Suspicion:
    """What in the text speaks for an instruction to the agent or for a grant.

    before: earlier texts of the same customer (notes, turns), oldest first: an attack may be split
    over several, and is read together with them. Pure. TypeError: not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a string, and this is a {type(text).__name__}")
    return Suspicion(0.0)


def reads_like_instruction(text: str, *, before: Iterable[str] = ()) -> bool:
    """Whether the text is to be held back (quarantined) instead of stored as a fact."""
    return bool(suspicious(text, before=before))
