"""Filling a schema, field by field: a value of the right type that the material states, else nothing."""

import re

from ..material.passages import Material, Passage
from ..material.words import root
from .amounts import number_for, numbers_for
from .choices import boolean_for, choice_for, choices_for
from .cues import kind_of_name
from .dates import dates_in, iso_date, iso_moment, iso_time, times_in
from .lists import is_of_ids, segments_of, texts_for
from .notes import CaseReading
from .roles import role_of
from .schemas import DEEPEST, Field, Schema, kind_of
from .seeking import Seeker
from .strings import leftover, string_for
from .telling import Kept

NOTHING = object()  # no value was found
MOST_PROSE = 8  # sentences joined in a field of prose
MOST_TRIES = 12  # ways to cut a material into the entries of a list

_TEXT = ("text", "fact", "statement", "content", "note", "claim", "what", "description", "finding", "question", "offer", "summary")  # fmt: skip
_SOURCE = frozenset("source origin speaker by from who said author via provenance".split())
_SAYS_SOURCE = re.compile(r"\b(?:with (?:its|the|their) source|source|where it comes from)\b", re.I)


class Filler:
    """One schema and one material. `answers`: values that another skill gives for some fields."""

    def __init__(self, schema: object, material: Material, answers=None, depth: int = 0):
        self.schema = Schema(schema)
        self.material = material
        self.seeker = Seeker(material)
        self.reading = CaseReading(material, self._roles())
        self.answers = answers
        self.depth = depth  # of the lists that this filler works inside of
        self.entry = depth > 0  # the material is one entry of a list

    def _roles(self) -> frozenset[str]:
        """The parts of a case for which the schema has a field."""
        known = self.schema.resolve(self.schema.root).get("properties") or {}
        specs = {name: self.schema.resolve(part) for name, part in known.items()}
        return frozenset(role_of(Field((n,), s)) for n, s in specs.items() if isinstance(n, str))

    def fill(self) -> object:
        """The value for the whole schema. It is valid, whatever the material says."""
        value, _ = self.value(self.schema.root, Field())
        return value

    def value(self, spec: object, field: Field, depth: int = 0) -> tuple[object, bool]:
        """(value, whether the material states it) for one place of the schema."""
        spec = self.schema.resolve(spec)
        field = field.of(spec)
        if depth > DEEPEST:
            return self.schema.blank(spec, depth), False
        for branch in self.schema.branches(spec):
            found = self._one(self.schema.resolve(branch), field.of(branch), depth)
            if found is not NOTHING:
                return found, True
        return self.schema.blank(spec, depth), False

    def _one(self, spec: dict, field: Field, depth: int) -> object:
        """A value that the material states for one branch, or NOTHING."""
        if "const" in spec:
            return spec["const"]
        kind = kind_of(spec)
        if self.answers and (given := self.answers(field, spec, kind)) is not None:
            return given
        if isinstance(options := spec.get("enum"), list):
            hit = choice_for(field, options, self.seeker)
            return hit.value if hit else NOTHING
        if kind == "object":
            return self._object(spec, field, depth)
        if kind == "array":
            return self._array(spec, field, depth)
        if kind in ("integer", "number"):
            hit = number_for(field, self.seeker, kind == "integer")
            return hit.value if hit else NOTHING
        if kind == "boolean":
            hit = boolean_for(field, self.seeker)
            return hit.value if hit else NOTHING
        return self._string(spec, field) if kind == "string" else NOTHING

    # --- text -------------------------------------------------------------------------------------

    def _string(self, spec: dict, field: Field) -> object:
        if not self.entry and (role := role_of(field)):
            kept = self.reading.of(role)[-MOST_PROSE:]
            text = " ".join(k.text for k in kept) or self._older(field)
            return self._fitting(text, field) if text else NOTHING
        hit = string_for(field, self.seeker)
        if hit is None:
            return NOTHING
        return self._fitting(self._formed(str(hit.value), spec), field) or NOTHING

    def _older(self, field: Field) -> str:
        """What older notes in the material say under the same name."""
        for hit in self.seeker.by_key(field):
            if isinstance(hit.value, str) and hit.score >= 9:
                return hit.value
        return ""

    def _formed(self, value: str, spec: dict) -> str:
        """A day or a time in the form that the format asks for; "" if it is not stated so exactly."""
        form, text = spec.get("format"), self.material.text
        if form == "date":
            return iso_date(value, text)
        if form == "time":
            return iso_time(value)
        if form == "date-time":
            for passage in self.material.passages:
                if (at := passage.text.find(value)) >= 0:
                    return iso_moment(passage.text, at, at + len(value), text)
            return ""
        return value

    def _fitting(self, value: str, field: Field) -> object:
        """The text within its limits; NOTHING if it is too short."""
        most, least = field.limits.get("maxLength"), field.limits.get("minLength", 0)
        if most is not None and len(value) > most:
            cut = value[: int(most)]
            value = cut.rpartition(" ")[0].rstrip(" ,;") or cut if " " in cut else cut
        if len(value) < least:
            return NOTHING
        return value

    # --- objects ----------------------------------------------------------------------------------

    def _object(self, spec: dict, field: Field, depth: int) -> object:
        known = spec.get("properties") or {}
        needed = {n for n in spec.get("required") or [] if isinstance(n, str)}
        filled: dict[str, object] = {}
        any_found = False
        for name, part in known.items():
            value, found = self.value(part, field.under(name, {}, name in needed), depth + 1)
            fixed = "const" in self.schema.resolve(part)
            if found or name in needed:
                filled[name] = value
            any_found = any_found or found and not fixed
        for name in needed - set(known):
            filled[name] = ""
        return filled if any_found or not field.path else NOTHING

    # --- lists ------------------------------------------------------------------------------------

    def _array(self, spec: dict, field: Field, depth: int) -> object:
        items = self.schema.resolve(spec.get("items"))
        branches = self.schema.branches(items)
        one = self.schema.resolve(branches[0]) if branches else {}
        kind = kind_of(one)
        found: list = []
        if isinstance(options := one.get("enum"), list):
            found = choices_for(field, options, self.seeker)
        elif kind in ("string", "object") and not self.entry and (role := role_of(field)):
            found = self._kept(role, one, kind, field, depth)
        elif kind == "string":
            found = self._texts(one, field)
        elif kind in ("integer", "number"):
            found = numbers_for(field.of(one), self.seeker, kind == "integer")
        elif kind == "object":
            found = self._rows(one, field, depth)
        limits = field.limits
        if spec.get("uniqueItems"):
            found = [v for n, v in enumerate(found) if v not in found[:n]]
        if (most := limits.get("maxItems")) is not None:
            found = found[: int(most)]
        few = int(limits.get("minItems", 0))
        if len(found) < few <= 50:
            found += [self.schema.blank(items, depth + 1)] * (few - len(found))
            return found if any(found) else NOTHING
        return found or NOTHING

    def _texts(self, one: dict, field: Field) -> list[str]:
        texts = texts_for(field.of({**one, "type": "array"}), self.seeker)
        if one.get("format"):
            texts = [formed for text in texts if (formed := self._formed(text, one))]
        fitting = [self._fitting(text, field.of(one)) for text in texts]
        return list(dict.fromkeys(text for text in fitting if text is not NOTHING and text))

    def _kept(self, role: str, one: dict, kind: str, field: Field, depth: int) -> list:
        """The entries of older notes as they are, then what the material states."""
        found: list = []
        for hit in self.seeker.by_key(field):
            if isinstance(hit.value, list) and hit.score >= 9:
                old = [v for v in hit.value if _is_like(v, kind, one)]
                found += [v for v in old if v not in found]
        old_texts = {_key(str(_text_of(v))) for v in found}
        says_source = bool(_SAYS_SOURCE.search(field.description))
        for kept in self.reading.of(role):
            if _key(kept.text) in old_texts:
                continue
            if kind == "object":
                found.append(self._entry(kept, one, field, depth))
            else:
                text = kept.text
                if says_source and kept.source and f"({kept.source}" not in text:
                    text = f"{text.rstrip(' .')} ({kept.source})"
                found.append(text)
        return found

    def _entry(self, kept: Kept, one: dict, field: Field, depth: int) -> dict:
        """One entry as an object: the text, its source, its marks, and what else it states."""
        known = one.get("properties") or {}
        needed = set(one.get("required") or [])
        main = next((n for n in known if root(n.lower()) in map(root, _TEXT) and _is_text(self, known[n])), None)  # fmt: skip
        main = main or next(
            (n for n in known if _is_text(self, known[n]) and not _is_source(n)), None
        )
        inner = None
        filled: dict[str, object] = {}
        for name, part in known.items():
            place = field.under(name, self.schema.resolve(part), name in needed)
            spec = self.schema.resolve(part)
            if name == main:
                fitting = self._fitting(kept.text, place.of(spec))
                filled[name] = "" if fitting is NOTHING else fitting
            elif _is_source(name):
                value = self._source(kept, spec)
                if value not in (None, "") or name in needed:
                    filled[name] = value if value is not None else self.schema.blank(spec)
            elif _is_marks(place) and not (inner_text := _is_text(self, part)):
                if kept.ids or name in needed:
                    filled[name] = list(kept.ids)
            elif _is_marks(place) and inner_text:
                if kept.ids or name in needed:
                    filled[name] = kept.ids[0] if kept.ids else ""
            else:
                if inner is None:
                    inner = self._inside(kept.text)
                value, found = inner.value(part, place, depth + 1)
                if found or name in needed:
                    filled[name] = value
        return filled

    def _source(self, kept: Kept, spec: dict) -> object:
        """Where an entry comes from: as it is, or as the option that means it."""
        options = next(
            (b["enum"] for b in self.schema.branches(spec) if isinstance(b.get("enum"), list)), None
        )
        if options is None:
            said = str(spec.get("description") or "").lower()
            return next((w for w in _SIDES.get(kept.source, ()) if w in said), kept.source)
        for word in (*_SIDES.get(kept.source, (kept.source, "tool", "system")), "other", "unknown"):
            for option in options:
                if isinstance(option, str) and option.lower() == word.lower():
                    return option
        return options[0]

    def _inside(self, text: str) -> "Filler":
        """A filler that reads one entry of a list and nothing else."""
        inner = Filler(self.schema.root, Material([Passage(text)]), depth=self.depth + 1)
        return inner

    def _rows(self, one: dict, field: Field, depth: int) -> list[dict]:
        """The objects of a list: from JSON, else one an entry, a line or a sentence."""
        known = one.get("properties") or {}
        for hit in self.seeker.by_key(field):
            if isinstance(hit.value, list) and all(isinstance(v, dict) for v in hit.value):
                if rows := self._from_json(hit.value, one, field, depth):
                    return rows
        rows = self._from_json([r for r, *_ in self.seeker.records], one, field, depth)
        if rows or not known or self.depth > 2:
            return rows
        best: list[dict] = []
        for n, segments in enumerate(segments_of(field, self.seeker)):
            if n >= MOST_TRIES or best and len(best) > 1:
                break
            rows = [row for text in segments if (row := self._row(text, one, field, depth))]
            if len(rows) > len(best):
                best = rows
        return best

    def _from_json(self, values: list, one: dict, field: Field, depth: int) -> list[dict]:
        known = one.get("properties") or {}
        needed = set(one.get("required") or [])
        rows = []
        for value in values:
            shared = {n for n in known if n in value}
            if shared and (needed <= shared or len(shared) * 2 > len(known)):
                import json

                inner = Filler(self.schema.root, Material([Passage(json.dumps(value))]), depth=self.depth + 1)  # fmt: skip
                row, _ = inner.value(one, Field((*field.path, "item")), depth + 1)
                rows.append(row)
        return rows

    def _row(self, text: str, one: dict, field: Field, depth: int) -> dict | None:
        """One entry as an object; None if it does not state what the object is about."""
        known = one.get("properties") or {}
        needed = [n for n in one.get("required") or [] if n in known] or list(known)
        inner = self._inside(text)
        filled: dict[str, object] = {}
        stated: list[str] = []
        naming = [
            n for n in known if _is_text(self, known[n]) and kind_of_name(Field((n,))) in _NAMING
        ]
        for name in sorted(known, key=lambda n: n in naming):
            place = Field((*field.path, name), {}, name in needed)
            if naming and name == naming[0] and not _has_label(inner.seeker, place):
                continue  # it gets what is left
            value, found = inner.value(known[name], place, depth + 1)
            if found:
                filled[name] = value
                if isinstance(value, str):
                    stated.append(value)
                elif isinstance(value, int | float) and not isinstance(value, bool):
                    stated += _written(value, text)
        if _NO_ENTRY.match(text) and not any(n in ("total", "label", "sum") for n in known):
            return None
        if naming and naming[0] not in filled and filled:
            if (rest := leftover(text, stated)) and len(rest.split()) <= 8:
                filled[naming[0]] = rest
        missing = [n for n in needed if n not in filled]
        if len(filled) < 2 and len(known) > 1 or len(missing) * 2 > len(needed) or not filled:
            return None
        first = needed[0] if needed else next(iter(known))
        if first in missing:
            return None
        return {
            n: filled[n] if n in filled else self.schema.blank(known[n])
            for n in known
            if n in filled or n in needed
        }


_NAMING = frozenset("name title any person prose place org".split())
_NO_ENTRY = re.compile(r"\W*(?:sub)?(?:total|sum|tax|vat|discount|balance|amount due)\b", re.I)


def _has_label(seeker: Seeker, field: Field) -> bool:
    return any(True for _ in seeker.by_label(field)) or any(True for _ in seeker.by_key(field))


_SIDES = {
    "customer": ("customer", "user", "client", "caller"),
    "agent": ("agent", "assistant", "model", "support"),
}


def _written(value: int | float, text: str) -> list[str]:
    """How a number may be written in a text."""
    forms = [f"{value:,}", f"{value:.2f}", f"{value:.1f}", str(value)]
    return [f for f in forms if re.search(rf"(?<![\d.]){re.escape(f)}(?![\d]|\.\d)", text)][:1]


def _is_text(filler: Filler, spec: object) -> bool:
    spec = filler.schema.resolve(spec)
    return any(
        kind_of(b) == "string" and "enum" not in b and "const" not in b and not b.get("format")
        for b in filler.schema.branches(spec)
    )


def _is_source(name: str) -> bool:
    return name.lower() in _SOURCE or name.lower().endswith("_source")


def _is_marks(field: Field) -> bool:
    """Whether a field of an entry wants the marks of the messages that state it."""
    words = {w.rstrip("s") for w in field.words}
    return bool(words & {"id", "message", "mark", "reference", "ref", "msg"}) and not words & {"order", "parcel", "customer", "text"}  # fmt: skip


def _is_like(value: object, kind: str, one: dict) -> bool:
    """Whether an entry of older notes fits the schema of an entry."""
    if kind == "string":
        return isinstance(value, str)
    return isinstance(value, dict) and set(one.get("required") or []) <= set(value) <= set(
        one.get("properties") or {}
    )


def _text_of(value: object) -> object:
    if isinstance(value, dict):
        return next((value[n] for n in _TEXT if n in value), next(iter(value.values()), ""))
    return value


def _key(text: str) -> str:
    """A text without its source in brackets and its end mark, to see that two are the same."""
    return re.sub(r"\s*\([^()]*\)[. ]*$", "", text).strip(" .").lower()


__all__ = ["Filler", "NOTHING", "dates_in", "is_of_ids", "times_in"]
