"""Structured output: which JSON schemas `output_config.format` takes.

The words of a refusal are ours, as near to the service's as is known. Not checked: the size of the
grammar, and patterns and formats of strings.
"""

from collections.abc import Iterator

from .errors import Refused, bad_request

TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
UNSUPPORTED = {
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength"),
    "array": ("maxItems", "uniqueItems", "contains", "prefixItems"),
    "object": ("minProperties", "maxProperties", "patternProperties", "propertyNames"),
}
UNSUPPORTED["integer"] = UNSUPPORTED["number"]
MOST_OPTIONAL = 24  # properties that are not required, in the whole schema
MOST_UNIONS = 16  # properties of several types
DEEPEST = 100


def check_format(value) -> None:
    """Refuses (400) an `output_config.format` that the API does not take. None is none."""
    if value is None:
        return
    path = "output_config.format"
    if not isinstance(value, dict):
        raise bad_request(f"{path}: Input should be a valid dictionary")
    if value.get("type") != "json_schema":
        raise bad_request(f"{path}.type: Input should be 'json_schema'")
    for name in value:
        if name not in ("type", "schema"):
            raise bad_request(f"{path}.{name}: Extra inputs are not permitted")
    schema = value.get("schema")
    if not isinstance(schema, dict):
        raise bad_request(f"{path}.schema: Input should be a valid dictionary")
    _Check(schema, f"{path}.schema").run()


class _Check:
    """One walk over a schema, with what must be counted over all of it."""

    def __init__(self, schema: dict, path: str):
        self.root, self.path = schema, path
        self.optional = self.unions = 0
        self.done: set[str] = set()  # definitions that are known to be right

    def run(self) -> None:
        kind = self._resolved(self.root).get("type")
        if kind not in ("object", "array"):
            raise self._wrong("the top level must have the type object or array")
        self._schema(self.root, ())
        if self.optional > MOST_OPTIONAL:
            raise self._wrong(f"{self.optional} optional properties, {MOST_OPTIONAL} are allowed")
        if self.unions > MOST_UNIONS:
            raise self._wrong(f"{self.unions} properties of several types, {MOST_UNIONS} allowed")

    def _wrong(self, why: str) -> Refused:
        return bad_request(f"{self.path}: {why}")

    def _schema(self, schema, within: tuple[str, ...]) -> None:
        if not isinstance(schema, dict):
            raise self._wrong("each schema must be an object")
        if len(within) > DEEPEST:
            raise self._wrong("the schema is nested too deeply")
        if (reference := schema.get("$ref")) is not None:
            self._reference(reference, within)
        kinds = schema.get("type")
        for kind in kinds if isinstance(kinds, list) else [kinds] if kinds is not None else []:
            self._type(schema, kind)
        for part in self._parts(schema):
            self._schema(part, (*within, ""))

    def _reference(self, reference, within: tuple[str, ...]) -> None:
        definition = self._target(reference)
        if reference in within:
            raise self._wrong("recursive schemas are not supported")
        if reference not in self.done:
            self._schema(definition, (*within, reference))
            self.done.add(reference)

    def _target(self, reference) -> dict:
        """The definition that a `$ref` means."""
        if not isinstance(reference, str) or not reference.startswith("#/"):
            raise self._wrong(f"$ref {reference!r} is not supported: only '#/$defs/...'")
        found = self.root
        for step in reference[2:].split("/"):
            found = found.get(step) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            raise self._wrong(f"$ref {reference!r} leads nowhere")
        return found

    def _resolved(self, schema: dict) -> dict:
        """The schema that a schema refers to, over any number of steps; {} for a circle."""
        for _ in range(DEEPEST):
            if "$ref" not in schema:
                return schema
            schema = self._target(schema["$ref"])
        return {}

    def _type(self, schema: dict, kind) -> None:
        if kind not in TYPES:
            raise self._wrong(f"{kind!r} is no type of JSON")
        found = [name for name in UNSUPPORTED.get(kind, ()) if name in schema]
        if kind == "array" and schema.get("minItems", 0) not in (0, 1):
            raise self._wrong(
                "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
            )
        if found:
            raise self._wrong(f"For '{kind}' type, properties {', '.join(found)} are not supported")
        if kind == "object":
            self._object(schema)

    def _object(self, schema: dict) -> None:
        if schema.get("additionalProperties") is not False:
            raise self._wrong("For 'object' type, 'additionalProperties' must be set to false")
        properties, required = schema.get("properties", {}), schema.get("required", [])
        names = isinstance(required, list) and all(isinstance(name, str) for name in required)
        if not isinstance(properties, dict) or not names:
            raise self._wrong("'properties' must be an object and 'required' a list of names")
        missing = [name for name in required if name not in properties]
        if missing:
            raise self._wrong(f"required property {missing[0]!r} is not among the properties")
        self.optional += len(properties) - len(set(required))
        self.unions += sum(map(_is_union, properties.values()))

    def _parts(self, schema: dict) -> Iterator[object]:
        """The schemas inside a schema, without the definitions, which are read when referred to."""
        properties = schema.get("properties")
        yield from properties.values() if isinstance(properties, dict) else ()
        if "items" in schema:
            yield schema["items"]
        for name in ("anyOf", "allOf"):
            given = schema.get(name, [])
            if not isinstance(given, list):
                raise self._wrong(f"{name} must be a list")
            yield from given
        for name in ("oneOf", "not", "if"):
            if name in schema:
                raise self._wrong(f"{name} is not supported")


def _is_union(schema) -> bool:
    return isinstance(schema, dict) and ("anyOf" in schema or isinstance(schema.get("type"), list))
