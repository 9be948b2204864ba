"""Notes on a customer that a program has put in front of the customer's own words.

They stand in a frame, under a heading, or as plain sentences that speak of the customer. Notes of
this
very case, as a compaction leaves them, are something else: they have no words of the customer
behind
them, or say that they are of this case.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from ..obeying.marking import spans
from ..reading.clauses import sentences
from ..reading.words import DATE, STOP, WORD, stem

_PERSON = r"(?:customer|user|client|guest|member|reader|patient|visitor|caller|person|account|buyer|shopper|traveller|owner)"
_HEADING = re.compile(
    rf"^[\s#*\[(<=_-]*(?:(?:the |this |our |your |"
    rf"these )?{_PERSON}(?:['’]s)?\s+)?(?:(?:stored|saved|earlier|previous|past|long-?term|"
    rf"known|older|recent) )*"
    r"(?:notes?|profile|memor(?:y|ies)|history|record|background|facts|what (?:we|you|i|"
    r"is) (?:know|remember|known|remembered)|remembered|known|last case|past cases|"
    r"open cases?|deliver(?:y|ies)|preferences?|earlier conversations?|"
    r"previous conversations?)\b[^\n]{0,80}?[:\])>]",
    re.I,
)
_OF_THIS_CASE = re.compile(
    r"\b(?:so far|this case|this run|conversation summary|case notes|progress|up to here|"
    r"this conversation)\b",
    re.I,
)
_ABOUT = re.compile(rf"^\W*(?:(?:the|this|our)\s+)?{_PERSON}\b(?!\s*(?:care|service|number))", re.I)
_FIRST_PERSON = re.compile(r"\b(?:i|i['’]m|me|my|mine|we|us|our|myself)\b", re.I)
_QUOTED = re.compile(r"[\"“][^\"”\n]*[\"”]")
_ITEM = re.compile(r"^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+")
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
    """What the customer wrote."""
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
        if span.end == len(
            text
        ):  # not closed: the customer's words are what does not look like notes
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
    r"^\s*(?:</[^>\n]{1,60}>|[-=*#~_`]{3,}[^\n]*|[\[(]?\W{0,4}(?:end|"
    r"ende)\b[^\n]{0,80})\s*(?:\n|$)",
    re.I,
)
_SPEAKER = re.compile(
    rf"^\s*(?:(?:the )?(?:new |current )?(?:message|words|question) (?:of|"
    rf"from) (?:the )?{_PERSON}|(?:the )?{_PERSON}(?:['’]s)?(?: (?:message|writes|wrote|says|"
    rf"now))?)\s*:\s*",
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
    last = max((n for n, line in enumerate(lines) if _ITEM.match(line)), default=-1)
    tail = [line for line in lines[last + 1 :]]
    if last >= 0 and any(line.strip() for line in tail):
        return "\n".join(lines[: last + 1]), _SPEAKER.sub("", "\n".join(tail).strip(), count=1)
    before, gap, after = text.rstrip().rpartition("\n\n")
    if gap and before.strip() and not _ITEM.match(after):
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
    return bool(
        _ITEM.match(bare) or _PAIR.match(bare) or _ABOUT.match(bare) or _HEADING.match(bare)
    )


# --- what they say --------------------------------------------------------------------------------

_STORED = re.compile(r"^[\s\-*•+>\d.)]*?(\d{4}-\d\d-\d\d)?[^:\"\n]{0,80}:\s*[\"“](.*)[\"”]\s*$")
_ISO = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_LAST = re.compile(
    r"\b(?:last|latest|most recent|newest) (?:case|order|complaint|booking|problem|visit|"
    r"contact)\b",
    re.I,
)
_CASE = re.compile(
    r"\b(?:case|complaint|refunded|replaced|wrong|lost|missing|late|damaged|dispute|problem|"
    r"trouble|delivered)\b",
    re.I,
)
# A heading in front of the first note: "Profile: ...", "Notes about the guest:".
_TITLE = re.compile(
    rf"^\W*(?:(?:the )?{_PERSON}(?:['’]s)? )?(?:profile|notes?|memor(?:y|ies)|history|facts|"
    rf"background|record)(?: (?:of|about|on|for) (?:the |"
    rf"this )?\w+)?\s*(?:\([^()\n]*\)?)?\W*:\s*|^\W+$",
    re.I,
)
LONGEST = 240  # characters of a note that are told


@dataclass(frozen=True)
class Item:
    """One thing that the notes say, as it can be told, and when it was written down ("" if unknown)."""

    text: str
    on: str = ""

    @property
    def stems(self) -> frozenset[str]:
        return _stems(self.text)


@lru_cache(maxsize=512)
def items(text: str) -> tuple[Item, ...]:
    """The things that notes say: lines, and in a line the parts between semicolons or full stops."""
    found: list[Item] = []
    for line in text.split("\n"):
        stored = _STORED.match(line)
        on = (stored[1] if stored else "") or next(iter(_ISO.findall(line)), "")
        body = _TITLE.sub("", _ITEM.sub("", line), count=1)
        parts = [stored[2]] if stored else [s for p in body.split("; ") for s in sentences(p)]
        for said in parts:
            clean = " ".join(said.split()).strip(' "“”.,;:<>[]')
            if len(clean.split()) > 1:
                found.append(Item(clean[:LONGEST], on))
    return tuple(found)


def last_case(said: tuple[Item, ...], is_named, about: str) -> Item | None:
    """The case that "last time" means: what is called so, else the newest one that names something.

    is_named: whether a text names something that can be looked up. about: the customer's words,
    which
    decide between cases of the same date.
    """
    words = _stems(about)
    known = [item for item in said if is_named(item.text)] or [
        i for i in said if _CASE.search(i.text)
    ]
    if not known:
        return None
    places = {item: n for n, item in enumerate(said)}
    return max(
        known, key=lambda i: (bool(_LAST.search(i.text)), i.on, len(i.stems & words), -places[i])
    )


def nearest(said: tuple[Item, ...], about: str, without: Item | None = None) -> list[Item]:
    """What else the notes say of what the customer speaks of: at most two things."""
    words = _stems(DATE.sub(" ", about))
    found = []
    for item in said:
        shared = len((item.stems - _DULL) & (words - _DULL)) + bool(
            item.stems & _PLACES and words & _PLACES
        )
        if shared and item != without and not item.text.endswith(": none"):
            found.append((shared, item))
    return [item for _, item in sorted(found, key=lambda pair: -pair[0])[:2]]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(w) for w in WORD.findall(text) if w.lower() not in STOP)


_DULL = frozenset(
    map(stem, "time last again same problem trouble order parcel case customer hello left".split())
)
_PLACES = frozenset(
    map(
        stem,
        """deliver delivery deliveries courier building block gate address floor street tower house
        door neighbour entrance
        left room office yard""".split(),
    )
)

_BACK = re.compile(
    r"\b(?:last time|(?:yet |once )again|again|as before|like (?:before|last)|the same|"
    r"same (?:\w+ )?(?:problem|thing|trouble|issue|story|mistake|building|place|as)|"
    r"once more|(?:another|second|third|fourth) time"
    r"|the other day|as (?:you|we) (?:know|agreed|discussed|said)|(?:we|you) (?:agreed|"
    r"promised|spoke|talked|told me|said)|my (?:last|previous|earlier|former|open) \w+"
    r"|any news|remember me|earlier (?:case|complaint|problem)|(?:previous|former|"
    r"last) (?:case|complaint|order|problem|conversation|contact))\b",
    re.I,
)


def refers_back(text: str) -> bool:
    """Whether a text speaks of something that was before this conversation."""
    return bool(_BACK.search(text))
