"""Notes on a customer that a program has put into the first message, and the words beside them.

They stand in a frame, under a heading, or as plain sentences that speak of the customer. Notes of this
very case, as a compaction leaves them, are something else: no words of the customer stand behind them,
or they say that they are of this case.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from ..obeying.marking import spans

PERSON = (
    r"(?:customer|user|client|guest|member|reader|patient|visitor|caller|person|account|buyer|shopper"
    r"|traveller|owner)"
)
_HEADING = re.compile(
    rf"^[\s#*\[(<=_-]*(?:(?:the |this |our |your |these )?{PERSON}(?:['’]s)?\s+)?"
    r"(?:(?:stored|saved|earlier|previous|past|long-?term|known|older|recent) )*"
    r"(?:notes?|profile|memor(?:y|ies)|history|record|background|facts|remembered|known|preferences?"
    r"|what (?:we|you|i|is) (?:know|remember|known|remembered)|(?:last|past|open) cases?"
    r"|deliver(?:y|ies)|(?:earlier|previous) conversations?)\b[^\n]{0,80}?[:\])>]",
    re.I,
)
_OF_THIS_CASE = re.compile(
    r"\b(?:so far|this case|this run|conversation summary|case notes|progress|up to here"
    r"|this conversation)\b",
    re.I,
)
_ABOUT = re.compile(rf"^\W*(?:(?:the|this|our)\s+)?{PERSON}\b(?!\s*(?:care|service|number))", re.I)
_FIRST_PERSON = re.compile(r"\b(?:i|i['’]m|me|my|mine|we|us|our|myself)\b", re.I)
_QUOTED = re.compile(r"[\"“][^\"”\n]*[\"”]")
ITEM = re.compile(r"^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+")
_PAIR = re.compile(r"^[ \t]*[\w ,'’()-]{2,40}:[ \t]*\S")


@dataclass(frozen=True)
class Piece:
    """A part of a turn: its text, and whether it is notes on the customer."""

    text: str
    noted: bool


@lru_cache(maxsize=512)
def pieces(blocks: tuple[str, ...]) -> tuple[Piece, ...]:
    """The text blocks of a user turn, parted into notes on the customer and own words.

    All of it counts as own words when nothing else is left of them.
    """
    found = [piece for text in blocks for piece in _parted(text)]
    if any(p.noted for p in found) and any(not p.noted and p.text.strip() for p in found):
        return tuple(found)
    return tuple(Piece(text, False) for text in blocks)


def own_words(blocks: tuple[str, ...]) -> str:
    """The own words of a turn."""
    return "\n".join(p.text for p in pieces(blocks) if not p.noted)


def noted(blocks: tuple[str, ...]) -> str:
    """What the notes say; "" without any."""
    return "\n".join(p.text for p in pieces(blocks) if p.noted)


def _parted(text: str) -> list[Piece]:
    for span in spans(text):
        head = text[span.heading : span.start]
        if _OF_THIS_CASE.search(head) or _OF_THIS_CASE.search(text[span.start : span.start + 80]):
            continue
        before, inside, after = text[: span.heading], text[span.start : span.end], text[span.end :]
        if span.end == len(text):  # not closed: own words are what does not look like notes
            inside, after = _open_end(inside)
        else:
            after = _without_end(after)
        return [
            *([Piece(before, False)] if before.strip() else []),
            Piece(inside, True),
            *_rest(after),
        ]
    return _unframed(text)


def _rest(text: str) -> list[Piece]:
    return [Piece(text.strip(), False)] if text.strip() else []


_END = re.compile(
    r"^\s*(?:</[^>\n]{1,60}>|[-=*#~_`]{3,}[^\n]*|[\[(]?\W{0,4}end\b[^\n]{0,80})\s*(?:\n|$)", re.I
)
_SPEAKER = re.compile(
    rf"^\s*(?:(?:the )?(?:new |current )?(?:message|words|question) (?:of|from) (?:the )?{PERSON}"
    rf"|(?:the )?{PERSON}(?:['’]s)?(?: (?:message|writes|wrote|says|now))?)\s*:\s*",
    re.I,
)


def _without_end(text: str) -> str:
    """What follows a frame, without the line or the tag that closes it and without "Customer:"."""
    closing = re.match(r"\s*</[^>\n]{1,60}>", text)
    text = text[closing.end() :] if closing else _END.sub("", text, count=1)
    return _SPEAKER.sub("", text, count=1)


def _open_end(text: str) -> tuple[str, str]:
    """Notes that nothing closes, and what comes after their last item or paragraph."""
    lines = text.split("\n")
    last = max((n for n, line in enumerate(lines) if ITEM.match(line)), default=-1)
    tail = lines[last + 1 :]
    if last >= 0 and any(line.strip() for line in tail):
        return "\n".join(lines[: last + 1]), _SPEAKER.sub("", "\n".join(tail).strip(), count=1)
    before, gap, after = text.rstrip().rpartition("\n\n")
    if gap and before.strip() and not ITEM.match(after):
        return before, _SPEAKER.sub("", after, count=1)
    return text, ""


def _unframed(text: str) -> list[Piece]:
    """Notes under a heading, or plain sentences about the customer, in front of other paragraphs."""
    if _OF_THIS_CASE.search(text[:200]):
        return [Piece(text, False)]
    first = text.lstrip().split("\n\n", 1)[0]
    bare = _QUOTED.sub("", first)
    heads = bool(_HEADING.match(bare)) and not _FIRST_PERSON.search(bare[:60])
    if not heads and not (_ABOUT.match(bare) and not _FIRST_PERSON.search(bare)):
        return [Piece(text, False)]
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    count = 1
    while count < len(paragraphs) - 1 and _is_notes(paragraphs[count]):
        count += 1
    inside, after = "\n\n".join(paragraphs[:count]), "\n\n".join(paragraphs[count:])
    if not after:
        inside, after = _open_end(inside)
    return [Piece(inside, True), *_rest(_without_end(after))]


def _is_notes(paragraph: str) -> bool:
    bare = _QUOTED.sub("", paragraph)
    if _FIRST_PERSON.search(bare):
        return False
    return bool(ITEM.match(bare) or _PAIR.match(bare) or _ABOUT.match(bare) or _HEADING.match(bare))
