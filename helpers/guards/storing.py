"""What may become a memory: facts that help the next conversation, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from .asking import only_asks
from .folding import fold
from .lexicon.unfit import LISTS, PHRASES
from .masking import mask
from .phrases import clauses, compiled
from .suspicion import suspicious

MOST_CHARACTERS = 500  # of one memory
SOURCES = ("customer", "agent", "tool")


@dataclass(frozen=True)
class Verdict:
    """ok: it may be stored. reason: one sentence, "" when ok. kind: what is wrong with it.

    kind: "" | "no text" | "blank" | "too long" | "secret" | "sensitive" | "instruction" | "guess" |
    "question". Only "instruction" is worth quarantine; the others are not kept anywhere.
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
    raises for an odd text: that is refused. The reason repeats nothing of the text. ValueError: no
    such source.
    """
    if source not in SOURCES:
        raise ValueError(f"source is one of {', '.join(SOURCES)}, and not {source!r}")
    if not isinstance(text, str):
        return Verdict(False, "A memory is a text.", "no text")
    if not any(map(str.isalnum, fold(text).text)):
        return Verdict(False, "There is nothing to read in it.", "blank")
    if len(text) > MOST_CHARACTERS:
        return Verdict(
            False, f"A memory has at most {MOST_CHARACTERS} characters: say it shorter.", "too long"
        )
    if secrets := mask(text).found:
        reason = f"It holds a secret ({', '.join(secrets)}), and secrets are never kept."
        return Verdict(False, reason, "secret")
    said = clauses(text)
    if _speaks_of("sensitive", said):
        reason = "It tells of health or of something as private: keep what it means for a delivery."
        return Verdict(False, reason, "sensitive")
    if found := suspicious(text, before=before):
        reason = (
            f"It reads like an instruction or a permission, not like a fact. {found.reasons[0]}"
        )
        return Verdict(False, reason, "instruction")
    if _speaks_of("guess", said) or (source == "agent" and _speaks_of("opinion", said)):
        return Verdict(False, "It is a guess or an opinion: keep what was stated.", "guess")
    if only_asks(text):
        return Verdict(False, "It is a question, and a memory is a statement.", "question")
    return Verdict(True)


def _speaks_of(what: str, said: list[str]) -> bool:
    return any(_patterns()[what].search(clause) for clause in said)


@cache
def _patterns() -> dict:
    return {name: compiled(lines, LISTS) for name, lines in PHRASES.items()}
