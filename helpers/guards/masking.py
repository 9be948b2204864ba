"""Secrets are blotted out before anything is written: a log, a window, a memory.

Numbers are judged by pattern and checksum (python-stdnum), keys by the forms that their makers
publish, and passwords and codes by the words around them. What only looks like a number of an
order, a parcel or a phone, an amount or a date, stays.
"""

import re
from dataclasses import dataclass

from . import secret_clauses, secret_numbers, secret_words
from .folding import fold

# what stands in a text that was masked before
_DONE = re.compile(
    r".?\[(?:(?:card|account) number|one-time code|security code|PIN|password|key|token)\]"
)


@dataclass(frozen=True)
class Masked:
    """text: with `[card number]` and the like instead of secrets. found: kinds, in order, once."""

    text: str
    found: tuple[str, ...] = ()


def mask(text: str) -> Masked:
    """The text without card and account numbers (IBAN), passwords, one-time codes, keys, tokens.

    Order ids, parcel ids, phone numbers, amounts and dates stay. Pure; a text without a secret
    comes back as it is. TypeError: not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a string, and this is a {type(text).__name__}")
    folded = fold(text)
    numbers = list(secret_numbers.find(folded.text))
    # a card number after the word "code" is a card number, and half of it is no code
    rest = _blotted(folded.text, numbers)
    said = [*secret_words.find(rest), *secret_clauses.find(rest)]
    hits = numbers + [hit for hit in said if not _DONE.match(rest[max(0, hit[0] - 1) : hit[1] + 1])]
    made, found, done = [], [], 0
    for start, end, kind in _apart(hits):
        start, end = folded.span(start, end)
        made += [text[done:start], f"[{kind}]"]
        found.append(kind)
        done = end
    return Masked("".join([*made, text[done:]]), tuple(dict.fromkeys(found)))


def _blotted(text: str, hits: list[tuple[int, int, str]]) -> str:
    for start, end, _ in hits:
        text = text[:start] + secret_words.BLOT * (end - start) + text[end:]
    return text


def _apart(hits: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """In order; of hits that overlap one is made, of the kind of the first to begin or be found."""
    joined: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(hits, key=lambda hit: hit[0]):
        if joined and start < joined[-1][1]:
            first = joined.pop()
            start, end, kind = first[0], max(end, first[1]), first[2]
        joined.append((start, end, kind))
    return joined
