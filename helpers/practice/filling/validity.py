"""Whether a value is valid for a schema: the part of JSON Schema that structured output knows."""

from .schemas import DEEPEST, Schema

_TYPES = {
    "string": str, "boolean": bool, "object": dict, "array": list, "null": type(None),
}  # fmt: skip


def is_valid(schema: Schema, value: object, spec: object, depth: int = 0) -> bool:
    """Types, const, enum, required and further properties, items, unions, limits. No formats."""
    if isinstance(spec, bool):
        return spec
    spec = schema.resolve(spec)
    if depth > DEEPEST or not spec:
        return True
    if "const" in spec and not _same(value, spec["const"]):
        return False
    if isinstance(spec.get("enum"), list) and not any(_same(value, o) for o in spec["enum"]):
        return False
    for key in ("anyOf", "oneOf"):
        if isinstance(parts := spec.get(key), list):
            fitting = sum(is_valid(schema, value, part, depth + 1) for part in parts)
            if not fitting or key == "oneOf" and fitting > 1:
                return False
    kinds = spec.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(kinds, list) and not any(_is(value, kind) for kind in kinds):
        return False
    if isinstance(value, dict):
        return _object(schema, value, spec, depth)
    if isinstance(value, list):
        return _list(schema, value, spec, depth)
    if isinstance(value, str):
        return spec.get("minLength", 0) <= len(value) <= spec.get("maxLength", len(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value, spec)
    return True


def _same(one: object, other: object) -> bool:
    """Equal as JSON: true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is(value: object, kind: object) -> bool:
    if kind in ("integer", "number"):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and -1e300 < value < 1e300 and (kind == "number" or value == int(value))
    return isinstance(value, _TYPES.get(kind, object))


def _object(schema: Schema, value: dict, spec: dict, depth: int) -> bool:
    known = spec.get("properties") or {}
    if any(name not in value for name in spec.get("required") or []):
        return False
    if spec.get("additionalProperties") is False and set(value) - set(known):
        return False
    return all(is_valid(schema, value[n], known[n], depth + 1) for n in value if n in known)


def _list(schema: Schema, value: list, spec: dict, depth: int) -> bool:
    if not spec.get("minItems", 0) <= len(value) <= spec.get("maxItems", len(value)):
        return False
    if spec.get("uniqueItems") and any(v in value[:n] for n, v in enumerate(value)):
        return False
    items = spec.get("items", True)
    return all(is_valid(schema, v, items, depth + 1) for v in value)


def _number(value: int | float, spec: dict) -> bool:
    if value < spec.get("minimum", value) or value > spec.get("maximum", value):
        return False
    if "exclusiveMinimum" in spec and value <= spec["exclusiveMinimum"]:
        return False
    if "exclusiveMaximum" in spec and value >= spec["exclusiveMaximum"]:
        return False
    step = spec.get("multipleOf")
    return not step or abs(value / step - round(value / step)) < 1e-9
