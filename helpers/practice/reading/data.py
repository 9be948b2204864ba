"""JSON in what somebody wrote, as lines that can be read like prose: notes and profiles, say."""

import re
from collections.abc import Iterator

from ..material.jsons import DEEPEST, values_in

SENTENCE = 4  # words from which on a text says something without the name of its field
_SOURCE = re.compile(r" \([^()]{1,60}\)(?=\.?$)")  # at the end of a note: who states it


def as_lines(text: str) -> str:
    """The text with its JSON first, a line for each value: a sentence as it is, else "field: value".

    A text without JSON is returned as it is, and costs one search.
    """
    if '{"' not in text:
        return text
    values, rest = values_in(text)
    told = [line for value in values for line in _lines(value, "", 0)]
    return "\n".join([*told, rest]) if told else text


def _lines(value: object, name: str, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lines(inner, key.replace("_", " ").strip(), depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _lines(inner, name, depth + 1)
    elif isinstance(value, str) and len(value.split()) >= SENTENCE:
        yield _SOURCE.sub("", " ".join(value.split()))
    elif name and isinstance(value, str | int | float) and not isinstance(value, bool):
        if said := " ".join(str(value).split()):
            yield f"{name[0].upper()}{name[1:]}: {said}"
