"""Entries of a part of a case: the text, where it comes from, and the marks of what states it."""

import re

from ..material.words import root
from .schemas import NOTHING, Field, is_plain_text
from .telling import Kept

_TEXT = ("text", "fact", "statement", "content", "note", "claim", "what", "description", "finding",
         "question", "offer", "summary")  # fmt: skip
_SOURCE = frozenset("source origin speaker by from who said author via provenance".split())
_SAYS_SOURCE = re.compile(r"\bsource\b|\bwhere it comes from\b", re.I)
_SIDES = {
    "customer": ("customer", "user", "client", "caller"),
    "agent": ("agent", "assistant", "model", "support"),
}
_MARKS = frozenset("id message mark reference ref msg entry".split())
_NO_MARKS = frozenset("order parcel customer text ticket product user".split())


def kept_for(filler, role: str, one: dict, kind: str, field: Field, depth: int) -> list:
    """The entries of older notes as they are, then what the material states.

    `filler`: the `Filler` at work; `one`: the schema of an entry, of the type `kind`.
    """
    found: list = []
    for hit in filler.seeker.by_key(field):
        if isinstance(hit.value, list) and hit.score >= 9:
            old = [_as_entry(filler, value, kind, one) for value in hit.value]
            found += [v for v in old if v is not NOTHING and v not in found]
    old_texts = {_key(str(_text_of(v))) for v in found}
    says_source = bool(_SAYS_SOURCE.search(field.description))
    for kept in filler.reading.of(role):
        if _key(kept.text) in old_texts:
            continue
        if kind == "object":
            found.append(_entry(filler, kept, one, field, depth))
            continue
        text = kept.text
        if says_source and kept.source and f"({kept.source}" not in text:
            text = f"{text.rstrip(' .')} ({kept.source})"
        found.append(text)
    return found


def _entry(filler, kept: Kept, one: dict, field: Field, depth: int) -> dict:
    """One entry as an object, with what else its text states."""
    schema = filler.schema
    known = one.get("properties") or {}
    needed = set(one.get("required") or [])
    texts = [n for n in known if is_plain_text(schema, known[n]) and not _is_source(n)]
    main = next((n for n in texts if root(n) in _TEXT_ROOTS), texts[0] if texts else None)
    inner = None
    filled: dict[str, object] = {}
    for name, part in known.items():
        spec = schema.resolve(part)
        place = field.under(name, spec, name in needed)
        found = True
        if name == main:
            fitting = filler.fitting(kept.text, place.of(spec))
            value = "" if fitting is NOTHING else fitting
        elif _is_source(name):
            value = _source(schema, kept, spec)
            found = value not in (None, "")
        elif _is_marks(place):
            single = is_plain_text(schema, part)
            value = (kept.ids[:1] or [""])[0] if single else list(kept.ids)
            found = bool(kept.ids)
        else:
            inner = inner or filler.inside(kept.text)
            value, found = inner.value(part, place, depth + 1)
        if found or name in needed:
            filled[name] = value if value is not None else schema.blank(spec)
    return filled


_TEXT_ROOTS = frozenset(map(root, _TEXT))


def _source(schema, kept: Kept, spec: dict) -> object:
    """Where an entry comes from: in the words of the description, or as the option that means it."""
    options = [b["enum"] for b in schema.branches(spec) if isinstance(b.get("enum"), list)]
    if not options:
        said = str(spec.get("description") or "").lower()
        return next((w for w in _SIDES.get(kept.source, ()) if w in said), kept.source)
    words = [*_SIDES.get(kept.source, (kept.source, "tool", "system")), "other", "unknown"]
    same = {str(option).lower(): option for option in reversed(options[0])}
    return next((same[w.lower()] for w in words if w.lower() in same), options[0][0])


def _is_source(name: str) -> bool:
    return name.lower() in _SOURCE or name.lower().endswith("_source")


def _is_marks(field: Field) -> bool:
    """Whether a field of an entry wants the marks of the messages that state it."""
    words = {w.rstrip("s") for w in field.words}
    return bool(words & _MARKS) and not words & _NO_MARKS


def _as_entry(filler, value: object, kind: str, one: dict) -> object:
    """An entry of older notes as it is, with what it lacks left empty; NOTHING if it is none."""
    if kind == "string":
        return value if isinstance(value, str) else NOTHING
    known, needed = one.get("properties") or {}, one.get("required") or []
    if not isinstance(value, dict) or not value or not set(value) <= set(known):
        return NOTHING
    lacking = {n: filler.schema.blank(known.get(n)) for n in needed if n not in value}
    return {**value, **lacking} if len(lacking) < len(known) else NOTHING


def _text_of(value: object) -> object:
    if isinstance(value, dict):
        return next((value[n] for n in _TEXT if n in value), next(iter(value.values()), ""))
    return value


def _key(text: str) -> str:
    """A text without its source in brackets and its end mark, to see that two are the same."""
    return re.sub(r"\s*\([^()]*\)[. ]*$", "", text).strip(" .").lower()
