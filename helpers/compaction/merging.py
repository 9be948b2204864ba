"""Two notes become one by code: nothing that was noted is lost because a model left it out."""

from collections.abc import Iterable

from .notes import CaseNotes, Fact
from .statements import Statement, contradicts, same, statement


def merge_notes(old: CaseNotes | dict | None, new: CaseNotes | dict) -> CaseNotes:
    """The notes `new`, which cover later messages, merged into `old` (None for none yet).

    Lists: what is old first, then what is new, in their order and without doubles (case, spaces and
    a final full stop make no difference). Texts: the new one unless it is blank.
    Facts: one that is there already keeps its first text and source, and gains the message ids of
    its repetition. So does one whose every value an earlier fact states. Where two facts give the
    same field of the same subject different values ("Parcel P-1: status is ..."), both are kept
    with their sources and marked `disputed`: which one holds is for the reader to decide. Values of
    different moments, or of different pages of one source, are no dispute: things change.

    Pure; merging the same notes twice changes nothing. ValueError: a dict that is no case notes.
    """
    old, new = CaseNotes.of(old), CaseNotes.of(new)
    return CaseNotes(
        order_ids=_joined(old.order_ids, new.order_ids),
        customer_problem=_newest(old.customer_problem, new.customer_problem),
        facts_established=_facts([*old.facts_established, *new.facts_established]),
        already_offered=_joined(old.already_offered, new.already_offered),
        customer_wants=_newest(old.customer_wants, new.customer_wants),
        open_questions=_joined(old.open_questions, new.open_questions),
    )


def _newest(old: str, new: str) -> str:
    return next((text for text in (new, old) if text.strip()), "")


def _joined(*lists: list[str]) -> list[str]:
    first: dict[str, str] = {}
    for text in (text for some in lists for text in some if text.strip()):
        first.setdefault(same(text), text)
    return list(first.values())


def _facts(facts: Iterable[Fact]) -> list[Fact]:
    kept: list[Fact] = []
    stated: list[Statement] = []
    place: dict[str, int] = {}  # of a text
    saying: dict[tuple[str, str], list[int]] = {}  # (subject, field): places
    for fact in facts:
        key = same(fact.text)
        if not key:
            continue
        new = statement(fact.text)
        others = {name: saying.get((new.subject, name), []) for name in new.values}
        at = place.get(key, _place_of_all(new, others, stated))
        if at is not None:
            kept[at] = _again(kept[at], fact)
            continue
        place[key] = at = len(kept)
        kept.append(fact.model_copy(update={"message_ids": list(dict.fromkeys(fact.message_ids))}))
        stated.append(new)
        for name, places in others.items():
            against = [n for n in places if contradicts(stated[n], new, name)]
            for n in [*against, at] if against else []:
                kept[n] = kept[n].model_copy(update={"disputed": True})
            saying.setdefault((new.subject, name), []).append(at)
    return kept


def _again(first: Fact, other: Fact) -> Fact:
    """The first, with the places of the other; once disputed, always disputed."""
    ids = list(dict.fromkeys([*first.message_ids, *other.message_ids]))
    disputed = first.disputed or other.disputed
    return first.model_copy(update={"message_ids": ids, "disputed": disputed})


def _place_of_all(new: Statement, others: dict[str, list[int]], stated: list) -> int | None:
    """The first fact that states every value of the new one; None if there is none."""
    common: set[int] | None = None
    for name, places in others.items():
        here = {n for n in places if stated[n].values[name] == new.values[name]}
        common = here if common is None else common & here
    return min(common) if common else None
