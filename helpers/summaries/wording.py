"""Sentences and words, for finding out what a text states. English, by simple rules."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

LONGEST = 1_000  # characters of one sentence; a longer one is read in pieces

_END = re.compile(r"(?<=[.!?])[\"”')\]]*\s+|\s*[\r\n]+\s*")
_SHORT = re.compile(
    r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
    r"|[A-Z]|[ap]\.m)\.$"
)
_NUMBERED = re.compile(r"\b(?:[Nn]o|[Nn]r)\.$")


def sentences(text: str) -> list[str]:
    """The sentences of a text as they stand in it; line breaks end a sentence too."""
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.end()].rstrip()
        after = text[match.end() : match.end() + 1]
        # Short forms end in a stop and no sentence: "Mr. Bell", "No. 12", "Oct. 14", "at 3 p.m. in".
        short = _SHORT.search(piece[-12:]) and not (piece.endswith(".m.") and after.isupper())
        if "\n" not in match.group() and (
            short or _NUMBERED.search(piece[-4:]) and after.isdigit()
        ):
            continue
        found.append(piece)
        start = match.end()
    found.append(text[start:])
    return [part for piece in found if piece.strip() for part in _parts(piece.strip())]


def _parts(piece: str) -> Iterator[str]:
    while len(piece) > LONGEST:
        at = piece.rfind(" ", LONGEST // 2, LONGEST)
        at = at if at > 0 else LONGEST
        yield piece[:at]
        piece = piece[at:].lstrip()
    if piece:
        yield piece


@lru_cache(maxsize=2_000)
def plain(text: str) -> str:
    """For reading: one form of every character, straight apostrophes, short forms written out."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("`", "'")
    text = re.sub(r"\b(ca|wo)n't\b", lambda m: "cannot" if m[1] == "ca" else "will not", text)
    text = re.sub(r"n't\b", " not", text)
    text = re.sub(r"\b(I|you|we|they|he|she|it)'ll\b", r"\1 will", text, flags=re.I)
    text = re.sub(r"\b(he|she|it|that|there|who|what|where)'s\b", r"\1 is", text, flags=re.I)
    return re.sub(r"\b(I)'m\b|\b(you|we|they)'re\b", _be, text, flags=re.I)


def _be(match: re.Match) -> str:
    return f"{match[1]} am" if match[1] else f"{match[2]} are"


def squash(text: str) -> str:
    """Without differences in white space and case: to see whether a sentence stands in a text."""
    return " ".join(text.casefold().split())


# --- words ----------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
SMALL = frozenset(
    """a an the this that these those i me my mine we us our ours you your yours he him his she her hers
    it its they them their theirs who whom whose which what where when why how am is are was were be been
    being do does did done have has had having will would shall should can could may might must of in on
    at by for with about as into onto from to up out over off under and or but if so than then there here
    not no nor yes very really quite just also too only still already again now please well ok okay some
    any all both each every much many more most lot let own s t user user's users assistant said says
    say told tells tell wants want would like thing things one ones lets another other""".split()
)


@lru_cache(maxsize=4_000)
def stems(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, without their endings: "allergic" and "allergy"
    share one, "dislikes" and "dislike" too."""
    return frozenset(
        stem(word) for word in _WORD.findall(text) if word.casefold().replace("’", "'") not in SMALL
    )


@lru_cache(maxsize=8_000)
def stem(word: str) -> str:
    """The beginning of a word, at most six letters, by which its forms are known."""
    word = re.sub(r"['’]s?$", "", word.casefold())
    word = word.replace("our", "or") if len(word) > 5 else word
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    for ending in ("ing", "ied", "ed", "ie", "e", "y"):
        if len(word) - len(ending) > 2 and word.endswith(ending):
            word = word[: -len(ending)]
            break
    return word[:6]


# Words that stand with a capital without being a name: at the beginning of a sentence, mostly.
OPENERS = SMALL | frozenset(
    """hello hi hey good dear thanks thank sorry great lovely nice fine sure right correct noted actually
    correction oops wait maybe perhaps today tonight tomorrow yesterday next last first second third
    finally once twice two three four five six seven eight nine ten eleven twelve after before during
    since until because although though while however instead unless whether suppose imagine if
    remember remind make take give show find look call send buy book order ask add use keep bring check
    see come go get put set try turn write read never always often sometimes usually everything nothing
    something anything everyone nobody somebody monday tuesday wednesday thursday friday saturday sunday
    mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue wed thu fri sat sun january
    february march april may june july august september october november december jan feb mar apr jun
    jul aug sep sept oct nov dec english-speaking i'm i'll i've i'd ok bye goodbye sleep until time
    dollars euros pounds usd eur gbp jpy chf mr mrs ms dr prof am pm ps fyi btw by between around
    their ours here there oh ah well yes no not happy glad welcome conversation summary part parts plans
    tickets ticket note notes update""".split()
)
