"""The documents of a call: what may come in, how they are shown, how they are divided."""

import re
from collections.abc import Iterable, Mapping
from html import escape

from helpers.backends import BYTES_PER_TOKEN

Documents = Mapping[str, str] | Iterable[tuple[str, str]]

ID = re.compile(r"[\w.:/#-]{1,100}")  # a document's id: it stands in a tag and in prose


def render(name: str, text: str) -> str:
    """A document as the model sees it. Its text cannot close its own tag, nor open another."""
    return f'<document id="{name}">\n{escape(text, quote=False)}\n</document>'


def checked(documents: Documents) -> dict[str, str]:
    """By id; ValueError for what are no documents."""
    pairs = list(documents.items() if isinstance(documents, Mapping) else documents)
    found: dict[str, str] = {}
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ValueError("documents are a dict of id to text, or pairs of id and text")
        name, text = pair
        if not isinstance(name, str) or not ID.fullmatch(name):
            raise ValueError(
                f"{name!r} is no id of a document: use 1 to 100 letters, digits and - _ . : / #"
            )
        if not isinstance(text, str):
            raise ValueError(f"document {name} must be a text, and is {type(text).__name__}")
        if name in found:
            raise ValueError(f"two documents have the id {name}: give each its own")
        found[name] = text
    return found


def batches(documents: dict[str, str], batch_tokens: int) -> list[dict[str, str]]:
    """In their order, each batch as full as it may be; tokens are estimated high."""
    made: list[dict[str, str]] = []
    room = 0.0
    for name, text in documents.items():
        size = len(render(name, text).encode("utf-8", "replace")) / BYTES_PER_TOKEN
        if not made or size > room:
            made.append({})
            room = batch_tokens
        made[-1][name] = text
        room -= size
    return made
