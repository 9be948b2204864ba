"""JSON values that stand in a text, and what can be looked up in them."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache

FAILURES = 60  # beginnings that turn out to be no JSON; after these the rest is read as prose
DEEPEST = 40  # levels that are looked into

_START = re.compile(r"[{\[](?=\s*[\"\[{\]}\d-]|\s*(?:true|false|null)\b)")
_DECODER = json.JSONDecoder()


def values_in(text: str) -> tuple[list[object], str]:
    """The JSON objects and lists of a text in their order, and the text without them."""
    if "{" not in text and "[" not in text:
        return [], text
    found: list[object] = []
    rest: list[str] = []
    at = failed = 0
    kept = 0  # the text up to here is taken care of
    while failed < FAILURES and (match := _START.search(text, at)):
        try:
            value, end = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            failed += 1
            at = match.end()
            continue
        if _telling(value):
            found.append(value)
            rest.append(text[kept : match.start()])
            kept = end
        at = end
    return found, "\n".join([*rest, text[kept:]]) if found else text


def _telling(value: object) -> bool:
    """Whether it is more than a mark in brackets such as [1]."""
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(isinstance(v, dict | list | str) for v in value)


def records_in(value: object, depth: int = 0) -> Iterator[dict]:
    """Every object inside a value, the outer ones first."""
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            if isinstance(part, dict | list):
                yield from records_in(part, depth + 1)


@lru_cache(maxsize=4_096)
def key_words(key: str) -> tuple[str, ...]:
    """The words of a key, in small letters: "orderId" and "order_id" are order, id."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", key)
    return tuple(part.lower() for part in parts)
