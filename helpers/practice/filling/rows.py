"""Lists of objects: from JSON, else one object a line, an entry or a part of a sentence."""

import json
import re

from ..material.jsons import key_words
from ..material.words import root
from .cues import kind_of_name, own_stems
from .lists import segments_of
from .schemas import Field, Schema, is_plain_text
from .seeking import Seeker
from .strings import leftover

MOST_TRIES = 12  # ways to cut a material into entries
DEEPEST = 2  # lists inside lists that are read from prose

_NAMING = frozenset("name title any person prose place org".split())
_NO_ENTRY = re.compile(r"\W*(?:sub)?(?:total|sum|tax|vat|discount|balance|amount due)\b", re.I)
_LABEL = re.compile(r"\W*([A-Za-z][\w ]{0,40}?) ?[:=] ")


def rows_for(filler, one: dict, field: Field, depth: int) -> list[dict]:
    """The objects of a list. `filler`: the `Filler` at work; `one`: the schema of an object."""
    known = one.get("properties") or {}
    for hit in filler.seeker.by_key(field):
        if isinstance(hit.value, list) and all(isinstance(v, dict) for v in hit.value):
            if rows := _from_json(filler, hit.value, one, field, depth):
                return rows
    records = [record for record, *_ in filler.seeker.records]
    rows = _from_json(filler, records, one, field, depth)
    if rows or not known or filler.depth > DEEPEST:
        return rows
    best: list[dict] = []
    for n, segments in enumerate(segments_of(field, filler.seeker)):
        if n >= MOST_TRIES or len(best) > 1:
            break
        rows = [row for text in segments if (row := _row(filler, text, one, field, depth))]
        best = max(best, rows, key=len)
    return best


def _from_json(filler, values: list, one: dict, field: Field, depth: int) -> list[dict]:
    """One object for each record that has the keys of the schema, or most of them."""
    known = one.get("properties") or {}
    needed = set(one.get("required") or [])
    rows = []
    for value in values:
        shared = {n for n in known if n in value}
        if shared and (needed <= shared or len(shared) * 2 > len(known)):
            inner = filler.inside(json.dumps(value))
            rows.append(inner.value(one, Field((*field.path, "item")), depth + 1)[0])
    return rows


def _row(filler, text: str, one: dict, field: Field, depth: int) -> dict | None:
    """One entry as an object; None if it does not state what the object is about."""
    known = one.get("properties") or {}
    if _is_of_another(text, filler.schema, field) or _NO_ENTRY.match(text) and "total" not in known:
        return None
    needed = [n for n in one.get("required") or [] if n in known] or list(known)
    inner = filler.inside(text)
    filled: dict[str, object] = {}
    stated: list[str] = []
    naming = [n for n in known if is_plain_text(filler.schema, known[n]) and _names(n)]
    for name in sorted(known, key=lambda n: n in naming):
        place = Field((*field.path, name), {}, name in needed)
        if naming and name == naming[0] and not _is_pointed_at(inner.seeker, place):
            continue  # it gets what is left
        value, found = inner.value(known[name], place, depth + 1)
        if found:
            filled[name] = value
            stated += _written(value, text)
    if naming and naming[0] not in filled and filled:
        if (rest := leftover(text, stated)) and len(rest.split()) <= 8:
            filled[naming[0]] = rest
    missing = [n for n in needed if n not in filled]
    if len(filled) < min(2, len(known)) or len(missing) * 2 > len(needed) or needed[0] in missing:
        return None
    return {
        n: filled[n] if n in filled else filler.schema.blank(known[n])
        for n in known
        if n in filled or n in needed
    }


def _names(name: str) -> bool:
    return kind_of_name(Field((name,))) in _NAMING


def _is_of_another(text: str, schema: Schema, field: Field) -> bool:
    """Whether an entry is a "label: value" line of another field of the schema."""
    match = _LABEL.match(text)
    if not match:
        return False
    said = {root(w) for w in key_words(match[1])}
    known = schema.resolve(schema.root).get("properties") or {}
    others = [own_stems(Field((name,))) for name in known if name not in field.path]
    return any(own and own <= said for own in others)


def _is_pointed_at(seeker: Seeker, field: Field) -> bool:
    return any(True for _ in seeker.by_label(field)) or any(True for _ in seeker.by_key(field))


def _written(value: object, text: str) -> list[str]:
    """How a value stands in a text."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, int | float) or isinstance(value, bool):
        return []
    forms = [f"{value:,}", f"{value:.2f}", f"{value:.1f}", str(value)]
    return [f for f in forms if re.search(rf"(?<![\d.]){re.escape(f)}(?![\d]|\.\d)", text)][:1]
