"""Filling a tool's parameters from a text, by their types and names. Nothing is invented: a required
value that the text does not hold is `Missing`."""

import re

from .words import DATE, NUMBER_WORDS, TIME, WORD, content


class Missing(Exception):
    """A required parameter has no value in the text; str() names it in plain words."""


_QUOTED = re.compile(r"[\"“]([^\"”]{1,300})[\"”]|(?<!\w)'([^']{1,300})'(?!\w)")
_CODE = re.compile(r"(?<![\w.])(?=[\w-]*\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*(?![\w])")
_NUMBER = re.compile(r"(?<![\w-])[-+]?\d[\d,]*(?:\.\d+)?")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CAPITAL = re.compile(
    r"[A-Z\u00c0-\u00de][\w'-]*(?: (?:de |la |le |of |the )?[A-Z\u00c0-\u00de][\w'-]*)*"
)
_AFTER = re.compile(
    r"\b(?:in|for|at|of|to|from|about|named|called|on|near|with) (?:the )?([a-z][\w-]*)\b(?! \w+ing\b)"
)
_FREE = frozenset(
    "query text question message content note notes topic prompt body description reason term keyword keywords q search".split()
)
_NUMBERS = {
    w: n
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
LONGEST_NUMBER = 30  # characters
_NO_NAME = frozenset(
    """I What Which Who Where When How Why Is Are Do Does Did Can Could Would Will Please Show Give Get Find Look Check
    Tell Search The A An My Our And Or But In On At Compare Also Then Now Hello Hi Hey Yes No Thanks Thank Let Fetch Call Use List Read
    If It That This There Write Send Add Calculate Convert Translate Book Order Issue Cancel Track For Of To From I'd I'm Has Have Was""".split()
)


def fill(
    schema: dict, text: str, forced: bool = False, not_names: frozenset[str] = frozenset()
) -> list[dict]:
    """The inputs of one or more calls; several when the text lists several values for one parameter.

    `forced`: the caller must call, so a missing value becomes an empty one instead of `Missing`.
    `not_names`: stems of words that are no values even with a capital ("Weather in Rome").
    """
    properties = schema.get("properties") or {}
    required = schema.get("required") or []
    filled: dict = {}
    many: tuple[str, list] | None = None
    used: set[str] = set()
    order = [*required, *(name for name in properties if name not in required)]
    for name in order:
        spec = _spec(properties.get(name))
        values = [
            v for v in _values(name, spec, text, name in required, not_names) if str(v) not in used
        ]
        if not values:
            if name in required:
                if not forced:
                    raise Missing(name.replace("_", " "))
                filled[name] = _empty(spec)
            continue
        if spec.get("type") == "array":
            filled[name] = values
        else:
            filled[name] = values[0]
            if len(values) > 1 and name in required and many is None and _listed(text, values):
                many = (name, values)
        used.update(map(str, values if many and many[0] == name else values[:1]))
    if many:
        name, values = many
        return [{**filled, name: value} for value in dict.fromkeys(values)]
    return [filled]


def _spec(schema: object) -> dict:
    """A parameter's schema; one that says nothing (`true`) allows anything."""
    spec = dict(schema) if isinstance(schema, dict) else {}
    kinds = spec.get("type")
    if isinstance(kinds, list):  # ["string", "null"]: the first one
        spec["type"] = next((kind for kind in kinds if isinstance(kind, str)), None)
    elif not isinstance(kinds, str):
        spec.pop("type", None)
    if not isinstance(spec.get("enum"), list):
        spec.pop("enum", None)
    return spec


def _listed(text: str, values: list) -> bool:
    """Whether two values stand in one list ("in Rome and Paris"), not anywhere in the text."""
    first, second = re.escape(str(values[0])), re.escape(str(values[1]))
    return bool(
        re.search(
            rf"{first}(?:'s)?(?:,| and| or|, and| &)+ (?:in |for |of |the |order |at )*{second}",
            text,
        )
    )


def _values(name: str, spec: dict, text: str, required: bool, not_names: frozenset[str]) -> list:
    """Candidates for one parameter, best first. For an optional one only what clearly is meant."""
    kind = spec.get("type")
    words = content(re.findall(r"[A-Za-z]+", name.replace("_", " ")))
    if options := spec.get("enum"):
        low = f" {' '.join(w.lower() for w in WORD.findall(text))} "
        return [o for o in options if f" {str(o).lower().replace('_', ' ')} " in low]
    if "const" in spec:
        return [spec["const"]]
    if kind == "array":
        items = {"type": "string", **_spec(spec.get("items"))}
        return _values(name, items, text, required, not_names) if items["type"] != "array" else []
    if kind in ("integer", "number"):
        found = _numbers(text, words, required)
        return [int(n) if n == int(n) else n for n in found if kind == "number" or n == int(n)]
    if kind == "boolean":
        return [True] if words & content(WORD.findall(text)) else [False] if required else []
    if kind not in (None, "string"):
        return []
    return _strings(name.lower(), spec, text, not_names, required)


def _numbers(text: str, words: frozenset[str], required: bool) -> list:
    """Numbers of the text; one beside a word of the parameter's name comes first."""
    near, other = [], []
    tokens = list(re.finditer(rf"{_NUMBER.pattern}|\b[a-z]+\b", text, re.I))
    for index, match in enumerate(tokens):
        token = match.group()
        if token.lower() in _NUMBERS and token.lower() in NUMBER_WORDS:
            value = _NUMBERS[token.lower()]
        elif token[-1].isdigit():
            if len(token) > LONGEST_NUMBER:
                continue
            value = float(token.replace(",", "")) if "." in token else int(token.replace(",", ""))
        else:
            continue
        around = content([t.group() for t in tokens[max(0, index - 2) : index + 2]])
        (near if words & around else other).append(value)
    return near + other if required else near


def _strings(
    name: str, spec: dict, text: str, not_names: frozenset[str], required: bool
) -> list[str]:
    parts = set(re.findall(r"[a-z]+", name))
    if "pattern" in spec or parts & {
        "id",
        "ids",
        "number",
        "code",
        "reference",
        "sku",
        "key",
        "no",
    }:
        # A "pattern" is not run: an expression from outside can take for ever.
        return [m.group() for m in _CODE.finditer(text)]
    if parts & {"email", "mail"}:
        return _MAIL.findall(text)
    if parts & {"date", "day", "when", "time", "from_date"} or spec.get("format") in (
        "date",
        "date-time",
        "time",
    ):
        patterns = (TIME, DATE) if "time" in parts else (DATE, TIME)
        return [m.group() for p in patterns for m in p.finditer(text)][:1]
    quoted = [a or b for a, b in _QUOTED.findall(text)]
    if parts & _FREE:
        if quoted:
            return quoted[:1]
        match = re.search(r"\b(?:for|about|that|saying|on|:)\s+(.+?)[?.!]*$", text, re.S)
        return (
            [match[1].strip()]
            if match and required
            else [text.strip(" ?.!")]
            if required and text.strip()
            else []
        )
    if quoted:
        return quoted
    if not required:
        return []
    for side, hints in (
        ("from", {"origin", "source", "departure", "from"}),
        ("to", {"destination", "target", "to", "arrival", "recipient"}),
    ):
        if parts & hints:
            names = re.findall(rf"\b{side} ({_CAPITAL.pattern})", text)
            return names or [m for m in re.findall(rf"\b{side} (?:the )?([a-z][\w-]+)", text)][:1]
    names = [n for m in _CAPITAL.finditer(text) if (n := _name(m.group(), not_names))]
    if names:
        return names
    return [m for m in _AFTER.findall(text) if m not in ("me", "my", "us", "the", "you", "a")][:1]


def _name(run: str, not_names: frozenset[str]) -> str:
    """A run of capitalised words without the sentence's first word."""
    words = run.split()
    while words and (words[0] in _NO_NAME or content(words[:1]) & not_names):
        words = words[1:]
    return " ".join(words).removesuffix("'s")


def _empty(spec: dict) -> object:
    if spec.get("enum"):
        return spec["enum"][0]
    return {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}.get(
        spec.get("type"), ""
    )
