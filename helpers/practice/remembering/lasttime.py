"""What notes on a customer say: which case "last time" was, and what is told of it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ..reading.clauses import sentences
from ..reading.words import DATE, STOP, WORD, stem
from .notes import ITEM, PERSON

_STORED = re.compile(r"^[\s\-*•+>\d.)]*?(\d{4}-\d\d-\d\d)?[^:\"\n]{0,80}:\s*[\"“](.*)[\"”]\s*$")
_ISO = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_LAST = re.compile(
    r"\b(?:last|latest|most recent|newest) (?:case|order|complaint|booking|problem|visit|contact)\b",
    re.I,
)
_CASE = re.compile(
    r"\b(?:case|complaint|refunded|replaced|wrong|lost|missing|late|damaged|dispute|problem|trouble"
    r"|delivered)\b",
    re.I,
)
# A heading in front of the first note: "Profile: ...", "Notes on the guest:".
_TITLE = re.compile(
    rf"^\W*(?:(?:the )?{PERSON}(?:['’]s)? )?"
    r"(?:profile|notes?|memor(?:y|ies)|history|facts|background|record)"
    r"(?: (?:of|about|on|for) (?:the |this )?\w+)?\s*(?:\([^()\n]*\)?)?\W*:\s*|^\W+$",
    re.I,
)
_CLOSES = re.compile(
    r"^\W*(?:end|/)\W*(?:of )?(?:the )?(?:notes?|memor|data|profile|block)\b", re.I
)
LONGEST = 240  # characters of a note that are told


@dataclass(frozen=True)
class Item:
    """One thing that the notes say, as it can be told, and its date ("" if unknown)."""

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
        if _CLOSES.match(line):
            continue
        stored = _STORED.match(line)
        on = (stored[1] if stored else "") or next(iter(_ISO.findall(line)), "")
        body = _TITLE.sub("", ITEM.sub("", line), count=1)
        parts = [stored[2]] if stored else [s for p in body.split("; ") for s in sentences(p)]
        for said in parts:
            clean = " ".join(said.split()).strip(' "“”.,;:<>[]')
            if len(clean.split()) > 1:
                found.append(Item(clean[:LONGEST], on))
    return tuple(found)


def last_case(said: tuple[Item, ...], is_named, about: str) -> Item | None:
    """The case that "last time" means: what is called so, else the newest one that names something.

    is_named: whether a text names something that can be looked up. about: the customer's words, which
    decide between cases of the same date.
    """
    words = _stems(about)
    named = [item for item in said if is_named(item.text)]
    known = named or [item for item in said if _CASE.search(item.text)]
    if not known:
        return None
    places = {item: n for n, item in enumerate(said)}

    def rank(item: Item) -> tuple:
        return bool(_LAST.search(item.text)), item.on, len(item.stems & words), -places[item]

    return max(known, key=rank)


def nearest(said: tuple[Item, ...], about: str, without: Item | None = None) -> list[Item]:
    """What else the notes say of what the customer speaks of: at most two things."""
    words = _stems(DATE.sub(" ", about))
    found = []
    for item in said:
        shared = len((item.stems & words) - _DULL)
        shared += bool(item.stems & _PLACES and words & _PLACES)
        if shared and item != without and not item.text.endswith(": none"):
            found.append((shared, item))
    return [item for _, item in sorted(found, key=lambda pair: -pair[0])[:2]]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(w) for w in WORD.findall(text) if w.lower() not in STOP)


def _set(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_DULL = _set("time last again same problem trouble order parcel case customer hello left")
_PLACES = _set(
    """deliver delivery deliveries courier building block gate address floor street tower house door
    neighbour entrance left room office yard"""
)
_BEFORE = r"(?:previous|former|last|earlier)"
_BACK = re.compile(
    r"\b(?:last time|(?:yet |once )?again|as before|like (?:before|last)|the same|once more"
    r"|same (?:\w+ )?(?:problem|thing|trouble|issue|story|mistake|building|place|as)"
    r"|(?:another|second|third|fourth) time|the other day|any news|remember me"
    r"|as (?:you|we) (?:know|agreed|discussed|said)|my (?:open|previous|former|last|earlier) \w+"
    r"|(?:we|you) (?:agreed|promised|spoke|talked|told me|said)"
    rf"|{_BEFORE} (?:case|complaint|order|problem|conversation|contact))\b",
    re.I,
)


def refers_back(text: str) -> bool:
    """Whether a text speaks of something that was before this conversation."""
    return bool(_BACK.search(text))
