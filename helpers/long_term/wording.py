"""Texts as they are stored, compared and searched: their words, ids and dates.

A token is a word in its plain form ("deliveries" is "delivery"), an id as it is written
("cw-6301"), or a date: "@10-14" for a 14 October, "@2026-10-14" when the year is said as well.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date

from helpers.sessions.content import clean_text

STOP = frozenset(
    """a about after again all also am an and any are as at be because been before being but by can
    could customer did do does for from get go goes got had has have he her hers him his how i if in
    into is it its just last me more my no not now of off on one or our out over please said say
    says she should so some such than that the their them then there these they this those time to
    too up us very was we were what when where which while who why will with would yes you your""".split()
)
MONTHS = "january february march april may june july august september october november december"
MONTH = {name[:n]: k for k, name in enumerate(MONTHS.split(), 1) for n in (3, len(name))}
MONTH["sept"] = 9
_NAMES = "|".join(sorted(MONTH, key=len, reverse=True))
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<y>\d{4}))?"
_DATES = [
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?!\d)"),
    re.compile(r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.(?P<y>\d{4})?(?!\d)"),
    re.compile(rf"\b{_DAY}(?: of)? (?P<m>{_NAMES})\b\.?{_YEAR}"),
    re.compile(rf"\b(?P<m>{_NAMES})\b\.? {_DAY}\b{_YEAR}"),
]
_ID = re.compile(r"(?=[\w-]*\d)\w+(?:-\w+)*")  # what holds a digit
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def normal(text: str) -> str:
    """The text as it is stored: composed characters (NFC), single spaces, no half characters."""
    text = unicodedata.normalize("NFC", clean_text(text)[0])
    return " ".join("".join(c if c.isprintable() or c in _JOINS else " " for c in text).split())


_JOINS = "\u200c\u200d"  # they belong to words of some scripts, and to emoji


def same(text: str) -> str:
    """What two texts have in common that say the same in the same words."""
    text = unicodedata.normalize("NFKC", _HIDDEN.sub("", normal(text))).casefold()
    return " ".join(text.split()).strip(" .!;,")


def plain(word: str) -> str:
    """A word without the endings of plurals: "deliveries" and "delivery" are the same."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokens(text: str, *, query: bool = False) -> set[str]:
    """The words, ids and dates by which a text is found; of a query, by which it finds."""
    low = same(text)
    found, rest = dates(low, query=query)
    for match in _ID.finditer(rest):
        found.add(match.group())
    rest = _ID.sub(" ", rest)
    return found | {plain(word) for word in _WORD.findall(rest) if word not in STOP}


def is_id(token: str) -> bool:
    """Whether a token names one thing: letters with digits, or a number of three digits or more."""
    return not is_date(token) and any(c.isdigit() for c in token) and len(token) > 2


def is_date(token: str) -> bool:
    return token.startswith("@")


def dates(low: str, *, query: bool = False) -> tuple[set[str], str]:
    """Tokens of the dates in a lower-case text, and the text without them.

    A date without a year is any year's. A query with a year does not find another year's date.
    """
    found: set[str] = set()

    def take(match: re.Match) -> str:
        month = match["m"]
        month = int(month) if month.isdigit() else MONTH[month]
        made = date_tokens(month, int(match["d"]), match["y"] and int(match["y"]), query=query)
        found.update(made)
        return " " if made else match.group()

    for pattern in _DATES:
        low = pattern.sub(take, low)
    return found, low


def date_tokens(month: int, day: int, year: int | None, *, query: bool = False) -> set[str]:
    """The tokens of one date; none when there is no such date."""
    try:
        date(year or 2000, month, day)
    except ValueError:
        return set()
    short = f"@{month:02}-{day:02}"
    if year is None:
        return {short} if query else {short, short + "?"}
    whole = f"@{year:04}-{month:02}-{day:02}"
    return {whole, short + "?"} if query else {whole, short}


def stated_dates(text: str) -> list[date]:
    """The dates in a text that are said with their year, in order."""
    found, _ = dates(same(text))
    return sorted(date.fromisoformat(t[1:]) for t in found if re.fullmatch(r"@\d{4}-.*", t))


def shortened(text: str, room: int) -> str:
    """At most `room` characters of a text, cut after a sentence, or else after a word."""
    text = normal(text)
    if len(text) <= room:
        return text
    head = text[: room - 1]
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s)", head)]
    if ends and ends[-1] > room // 3:
        return head[: ends[-1]]
    return head.rsplit(" ", 1)[0].rstrip(",;:") + "…"


def pattern_of(texts: Iterable[str]) -> re.Pattern:
    """Finds any of the texts inside another, whatever the spaces and the case; of none, nothing."""
    parts = []
    for text in texts:
        for form in {normal(text), unicodedata.normalize("NFD", normal(text))}:
            words = r"\s+".join(map(re.escape, form.rstrip(" .!").split()))
            parts.append(rf"(?<!\w){words}(?!\w)" if words else r"(?!)")
    found = "|".join(sorted(parts, key=len, reverse=True))
    return re.compile(found or r"(?!)", re.IGNORECASE)
