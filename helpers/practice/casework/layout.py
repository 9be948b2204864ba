"""How a result is laid out around its records: pages, legends of codes, rules, lists."""

from .findings import words_of

LEGEND = frozenset("legend codes code key keys glossary meaning meanings dictionary lookup".split())
_WHEN = ("when", "if", "condition", "conditions", "provided")


def holds(record: dict, noun: str, wanted: str) -> bool:
    """Whether the record says that it is about this id."""
    return any(
        str(value) == wanted and (noun in words_of(key) or words_of(key) == "id")
        for key, value in record.items()
        if isinstance(value, str | int)
    )


def following(value: dict) -> str:
    """What the result gives as its next page."""
    for key, inner in value.items():
        if words_of(key).split()[:1] == ["next"] and isinstance(inner, str | int):
            if not isinstance(inner, bool) and str(inner).strip():
                return str(inner)
    return ""


def legends(value: dict) -> dict[str, dict]:
    """What codes mean, by the words of the field that they stand in."""
    found: dict[str, dict] = {}
    for key, inner in value.items():
        words = words_of(key).split()
        if not isinstance(inner, dict) or not words or words[-1] not in LEGEND:
            continue
        if len(words) > 1 and _maps(inner):
            found[" ".join(words[:-1])] = inner
        for name, codes in inner.items():
            if isinstance(codes, dict) and _maps(codes):
                found[words_of(name)] = codes
    return found


def _maps(codes: dict) -> bool:
    return bool(codes) and all(isinstance(v, str | int | float) for v in codes.values())


def are_rules(items: list) -> bool:
    """Whether a list holds rules: dicts that each say when they hold."""
    return bool(items) and all(
        isinstance(item, dict) and any(isinstance(item.get(key), str) for key in _WHEN)
        for item in items
    )


def singular(words: str) -> str:
    """The name of one thing of a list: "entry" of "entries"."""
    if words.endswith("ies") and len(words) > 4:
        return words[:-3] + "y"
    if words.endswith(("sses", "shes", "ches", "xes")):
        return words[:-2]
    return words[:-1] if words.endswith("s") and not words.endswith("ss") else words
