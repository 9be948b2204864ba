"""Entries of notes: said without an opening, put right where somebody corrected himself."""

import re
from dataclasses import dataclass

from ..material.words import content_of
from .dates import dates_in
from .numbers import numbers_in
from .spans import codes_in, names_in


@dataclass
class Kept:
    """One entry: its text, where it comes from, and the marks of the passages that state it."""

    text: str
    source: str
    ids: list[str]
    place: int = 0


_OPENING = re.compile(
    r"(?:(?:hello|hi|hey|yes|yeah|no|sorry|wait|well|oh|ah|ok|okay|by the way|one more thing|also|and|but|so|thanks|thank you|good"
    r"|all right|fine|actually|please note|note|anyway|besides|first|then|fair enough|understood|of course)(?:[,:;!]+ | - |(?<=and) |(?<=but) |(?<=so) ))+(?=\w)",
    re.I,
)


def shortened(text: str) -> str:
    """Without "Hello," or "By the way:", if enough is left."""
    match = _OPENING.match(text)
    if not match or len(text) - match.end() < 12:
        return text
    rest = text[match.end() :]
    return rest[0].upper() + rest[1:]


# ---------------------------------------------------------------- corrections

_MARKED = re.compile(
    r"^(?:(?:oh|no|and|but|ah)[,!]? )?(?:sorry(?!,? but)|wait|oops|correction|pardon|i was wrong|my mistake|i made a mistake|i meant|i must correct"
    r"|let me correct|to correct|i looked|on second)\b|\b(?:wrote|said|typed|told you)\b[^.]{0,20}\b(?:too fast|wrong|wrongly|by mistake)\b|\bmy mistake\b|\bi mixed (?:up|that|it)\b"
    r"|\blooked (?:at )?[\w ]{0,24}again\b|\bi (?:mis(?:read|typed|spelled|remembered)|got (?:that|it) wrong)\b",
    re.I,
)
_NOT = re.compile(
    r",?(?: and| but)?,? (?:not|instead of|rather than)\b(?: (?:in|on|at|the|for|to|from|by|of|with|as|a|an|is|it is|was)\b)* ?",
    re.I,
)
NEAR = 6  # passages before a correction in which no common word is needed


def corrected(found: list[Kept]) -> list[Kept]:
    """Entries in which what a later one puts right is right; the correction itself without the error.

    "Sorry, it is on the 18th, not on the 16th" changes earlier entries that speak of the same. Only
    what says that it is a correction is one: "to A, not to B" alone may tell a contrast.
    """
    for at, kept in enumerate(found):
        pair = _pair(kept.text) if kept.source != "agent" and _MARKED.search(kept.text) else None
        if pair is None:
            continue
        old, new, clean = pair
        about = content_of(clean)
        for earlier in found[:at]:
            if not _has(earlier.text, old):
                continue
            common = (content_of(earlier.text) & about) - content_of(f"{old} {new}")
            if common or kept.place - earlier.place <= NEAR:
                earlier.text = re.sub(
                    rf"(?<!\w){re.escape(old)}(?!\w)", lambda _, n=new: n, earlier.text
                )
                earlier.ids += [i for i in kept.ids if i not in earlier.ids]
        kept.text = clean
    return found


def _has(text: str, value: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text))


def _pair(text: str) -> tuple[str, str, str] | None:
    """(the error, what is right, the sentence without the error); None if there is no such pair."""
    for match in _NOT.finditer(text):
        rest = text[match.end() :]
        for spans_of in (dates_in, codes_in, names_in, _figures):
            wrong = next((s for s in spans_of(rest) if not rest[: s[0]].strip(" \"“'‘")), None)
            right = [s for s in spans_of(text[: match.start()])]
            if wrong and right and right[-1][2] != wrong[2]:
                clean = text[: match.start()] + rest[wrong[1] :]
                head, colon, tail = clean.partition(": ")
                clean = tail if colon and _MARKED.search(head) else clean
                return wrong[2], right[-1][2], shortened(clean[0].upper() + clean[1:])
    return None


def _figures(text: str) -> list[tuple[int, int, str]]:
    return [(n.start, n.end, text[n.start : n.end]) for n in numbers_in(text)]
