"""A JSON schema, read: its branches, its references, and the value that says nothing."""

import re
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..material.jsons import key_words
from ..material.words import root
from ..reading.words import STOP, WORD

NOTHING = object()  # no value was found
DEEPEST = 24  # levels of objects and lists

_BRACES = re.compile(r"\s*\{([^{}\n]*(?:\{\}|\[\])?[^{}\n]*)\}\s*$")
_LIMIT = re.compile(r"(\w+): (-?\d+(?:\.\d+)?)(?=,|$)")
# An example in a description: it shows a form and is no value.
_EXAMPLE = re.compile(r"(?:\be\.g\.|\bfor example|\bsuch as|\blike|\bexample:)[^.;]*", re.I)
_SAYING_NOTHING = ("unknown", "none", "not stated", "other", "unclear", "neutral", "n/a", "")


@dataclass(frozen=True)
class Field:
    """One place to fill: the names that lead there, and its resolved schema."""

    path: tuple[str, ...] = ()
    spec: dict = field(default_factory=dict)
    required: bool = True

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its own name, else of its title."""
        return key_words(self.path[-1]) if self.path else ()

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the words of its name that say something."""
        return frozenset(root(w) for w in self.words if w not in STOP)

    @cached_property
    def around(self) -> frozenset[str]:
        """The stems of the names it stands under."""
        words = [w for name in self.path[:-1] for w in key_words(name)]
        return frozenset(root(w) for w in words if w not in STOP)

    @cached_property
    def description(self) -> str:
        """What is said of it, without the limits and examples."""
        text = _BRACES.sub("", str(self.spec.get("description") or ""))
        return _EXAMPLE.sub("", text)

    @cached_property
    def described(self) -> frozenset[str]:
        """The stems of the words of its description."""
        found = WORD.findall(self.description)
        return frozenset(root(w) for w in found if w.lower() not in STOP)

    @cached_property
    def example(self) -> str:
        """The example that its description or its schema gives; "" without one."""
        found = _EXAMPLE.search(str(self.spec.get("description") or ""))
        examples = self.spec.get("examples")
        more = [e for e in examples if isinstance(e, str)] if isinstance(examples, list) else []
        return " ".join([found.group() if found else "", *more])

    @cached_property
    def limits(self) -> dict[str, float]:
        """Its limits, from the schema and from the braces that end a description."""
        found = _BRACES.search(str(self.spec.get("description") or ""))
        limits = {k: float(v) for k, v in _LIMIT.findall(found[1])} if found else {}
        for key, value in self.spec.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                limits[key] = value
        return limits

    def under(self, name: str, spec: dict, required: bool) -> "Field":
        """The place of one of its properties."""
        return Field((*self.path, name), spec, required)

    def of(self, spec: dict) -> "Field":
        """The same place with one branch of its schema, which keeps the description."""
        said = self.spec.get("description")
        merged = {"description": said, **spec} if said and not spec.get("description") else spec
        return replace(self, spec=merged)


class Schema:
    """A schema with its definitions."""

    def __init__(self, root: object):
        self.root = root if isinstance(root, dict) else {}

    def resolve(self, spec: object, seen: tuple[str, ...] = ()) -> dict:
        """A schema without `$ref` and `allOf` at its top; {} for one that allows anything."""
        if not isinstance(spec, dict):
            return {}
        ref = spec.get("$ref")
        if isinstance(ref, str):
            if ref in seen:
                return {}
            rest = {k: v for k, v in spec.items() if k != "$ref"}
            return {**self.resolve(self._target(ref), (*seen, ref)), **rest}
        if isinstance(parts := spec.get("allOf"), list):
            merged = {k: v for k, v in spec.items() if k != "allOf"}
            for part in parts:
                merged = _joined(self.resolve(part, seen), merged)
            return merged
        return spec

    def _target(self, ref: str) -> object:
        found: object = self.root
        for step in ref.removeprefix("#").strip("/").split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            if step:
                found = found.get(step) if isinstance(found, dict) else None
        return found

    def branches(self, spec: dict) -> list[dict]:
        """The forms a value may have, null left out; see `nullable`."""
        found: list[dict] = []
        for key in ("anyOf", "oneOf"):
            if isinstance(parts := spec.get(key), list):
                rest = {k: v for k, v in spec.items() if k not in ("anyOf", "oneOf")}
                for part in parts:
                    found += self.branches({**rest, **self.resolve(part)})
                return found
        kinds = spec.get("type")
        if isinstance(kinds, list):
            return [{**spec, "type": kind} for kind in kinds if kind != "null"]
        return [] if kinds == "null" else [spec]

    def nullable(self, spec: dict) -> bool:
        """Whether null is a value of it."""
        for key in ("anyOf", "oneOf"):
            if isinstance(parts := spec.get(key), list):
                return any(self.nullable(self.resolve(part)) for part in parts)
        if "const" in spec:
            return spec["const"] is None
        if isinstance(options := spec.get("enum"), list):
            return None in options
        kinds = spec.get("type")
        return kinds == "null" or isinstance(kinds, list) and "null" in kinds

    # --- what says nothing ------------------------------------------------------------------------

    def blank(self, spec: object, depth: int = 0) -> object:
        """A valid value that states nothing: null, "", 0, false, [], or only what must be there."""
        spec = self.resolve(spec)
        if "const" in spec:
            return spec["const"]
        if self.nullable(spec) or depth > DEEPEST:
            return None
        branches = self.branches(spec)
        one = branches[0] if branches else {}
        if "const" in one:
            return one["const"]
        if isinstance(options := one.get("enum"), list) and options:
            return least(options)
        kind = kind_of(one)
        limits = Field((), one).limits if kind in ("string", "integer", "number", "array") else {}
        if kind == "object":
            return self._blank_object(one, depth)
        if kind == "array":
            few = int(limits.get("minItems", 0))
            return [self.blank(one.get("items"), depth + 1) for _ in range(min(few, 50))]
        if kind in ("integer", "number"):
            return _nearest_to_nothing(one, kind)
        if kind == "boolean":
            return False
        least_long = one.get("minLength")
        return "-" * least_long if isinstance(least_long, int) else ""

    def _blank_object(self, spec: dict, depth: int) -> dict:
        known = spec.get("properties") or {}
        needed = [n for n in spec.get("required") or [] if isinstance(n, str)]
        return {name: self.blank(known.get(name), depth + 1) for name in needed}


def kind_of(spec: dict) -> str:
    """The type of one branch: as it says, else by what it has."""
    kind = spec.get("type")
    if isinstance(kind, str):
        return kind
    if "properties" in spec:
        return "object"
    return "array" if "items" in spec else "string"


def is_plain_text(schema: Schema, spec: object) -> bool:
    """Whether a place takes any text: no option, no date."""
    return any(
        kind_of(b) == "string" and "enum" not in b and "const" not in b and not b.get("format")
        for b in schema.branches(schema.resolve(spec))
    )


def least(options: list) -> object:
    """The option that says least: null, "unknown", "none", ...; else the first one."""
    low = {str(o).lower().replace("_", " "): o for o in reversed(options)}
    if None in options:
        return None
    return next((low[word] for word in _SAYING_NOTHING if word in low), options[0])


def _nearest_to_nothing(spec: dict, kind: str) -> int | float:
    """0, or the number within the limits that is nearest to it."""
    low, high = spec.get("minimum"), spec.get("maximum")
    step = spec.get("multipleOf") or (1 if kind == "integer" else 0)
    if (over := spec.get("exclusiveMinimum")) is not None and not isinstance(over, bool):
        low = max(over + (step or 1e-6), low if low is not None else over)
    if (under := spec.get("exclusiveMaximum")) is not None and not isinstance(under, bool):
        high = min(under - (step or 1e-6), high if high is not None else under)
    value: int | float = 0
    if low is not None and value < low:
        value = low if not step else step * -(-low // step)
    if high is not None and value > high:
        value = high if not step else step * (high // step)
    return int(value) if value == int(value) else value


def _joined(one: dict, other: dict) -> dict:
    """Two schemas that both hold."""
    merged = {**one, **other}
    if "properties" in one or "properties" in other:
        merged["properties"] = {**(one.get("properties") or {}), **(other.get("properties") or {})}
        merged["required"] = [*(one.get("required") or []), *(other.get("required") or [])]
    return merged
