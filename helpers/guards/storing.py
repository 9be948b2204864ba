"""What may become a memory: facts that help the next conversation, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass

MOST_CHARACTERS = 500  # of one memory


@dataclass(frozen=True)
class Verdict:
    """ok: it may be stored. reason: one sentence, "" when ok. kind: what is wrong with it.

    kind: "" | "no text" | "blank" | "too long" | "question" | "secret" | "sensitive" | "guess" |
    "instruction". Only "instruction" is worth quarantine; the others are not kept anywhere.
    """

    ok: bool
    reason: str = ""
    kind: str = ""

    def __bool__(self) -> bool:
        return self.ok


def may_store(text, *, source: str = "customer", before: Iterable[str] = ()) -> Verdict:
    """Whether a text may be stored as a memory of the customer.

    source: who stated it: "customer", "agent" (its own words) or "tool" (a result, a ticket).
    before: earlier memories of this customer that `suspicious` reads together with it. Pure; never
    raises for an odd text: that is refused. ValueError: no such source.
    """
    if source not in ("customer", "agent", "tool"):
        raise ValueError(f'source is "customer", "agent" or "tool", and not {source!r}')
    if not isinstance(text, str):
        return Verdict(False, "A memory is a text.", "no text")
    if not text.strip():
        return Verdict(False, "There is nothing in it.", "blank")
    if len(text) > MOST_CHARACTERS:
        return Verdict(False, f"A memory has at most {MOST_CHARACTERS} characters.", "too long")
    return Verdict(True)
