"""Filling a schema, field by field: a value of the right type that the material states, else nothing."""

from ..material.passages import Material, Passage
from .amounts import number_for, numbers_for
from .choices import boolean_for, choice_for, choices_for
from .dates import iso_date, iso_moment, iso_time
from .entries import kept_for
from .lists import texts_for
from .notes import CaseReading
from .roles import role_of
from .rows import rows_for
from .schemas import DEEPEST, NOTHING, Field, Schema, kind_of
from .seeking import Seeker
from .strings import said_to_be, string_for
from .validity import is_valid

MOST_PROSE = 8  # sentences joined in a field of prose


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
        root = self.schema.root
        value, _ = self.value(root, Field())
        return value if is_valid(self.schema, value, root) else self.schema.blank(root)

    def inside(self, text: str) -> "Filler":
        """A filler for the same schema that reads one entry of a list and nothing else."""
        return Filler(self.schema.root, Material([Passage(text)]), depth=self.depth + 1)

    def value(self, spec: object, field: Field, depth: int = 0) -> tuple[object, bool]:
        """(value, whether the material states it) for one place of the schema."""
        spec = self.schema.resolve(spec)
        field = field.of(spec)
        if depth > DEEPEST:
            return self.schema.blank(spec, depth), False
        for branch in self.schema.branches(spec):
            found = self._one(self.schema.resolve(branch), field.of(branch), depth)
            if found is NOTHING:
                continue
            if isinstance(found, dict | list) or is_valid(self.schema, found, spec):
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
            if hit := said_to_be(field, self.seeker):
                return self.fitting(str(hit.value), field)
            kept = self.reading.of(role)[-MOST_PROSE:]
            text = " ".join(k.text for k in kept) or self._older(field)
            return self.fitting(text, field) if text else NOTHING
        hit = string_for(field, self.seeker)
        if hit is None:
            return NOTHING
        return self.fitting(self._formed(str(hit.value), spec), field) or NOTHING

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

    def fitting(self, value: str, field: Field) -> object:
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
            found = kept_for(self, role, one, kind, field, depth)
        elif kind == "string":
            found = self._texts(one, field)
        elif kind in ("integer", "number"):
            found = numbers_for(field.of(one), self.seeker, kind == "integer")
        elif kind == "object":
            found = rows_for(self, one, field, depth)
        if len(branches) > 1 or kind != "object":
            found = [v for v in found if is_valid(self.schema, v, items)]
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
        fitting = [self.fitting(text, field.of(one)) for text in texts]
        return list(dict.fromkeys(text for text in fitting if text is not NOTHING and text))
