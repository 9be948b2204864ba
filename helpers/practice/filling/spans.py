"""The pieces of a sentence that can be the value of a field, by the kind of value."""

import re

from ..material.words import root
from ..reading.words import COLOUR_WORDS, STOP, WORD
from .dates import dates_in, times_in
from .numbers import numbers_in

Span = tuple[int, int, str]  # start, end, the value as it is taken over

_CAP = r"[A-Z\u00c0-\u00de][\w\u00c0-\u017f'’&-]*"
_RUN = re.compile(rf"(?<![\w'’-]){_CAP}(?:(?: (?:of the|of|the|de la|de|da|del|du|van der|van|von|la|&) | ){_CAP}|(?: |-)\d+\b(?![.,:]\d))*")  # fmt: skip
_CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber",
    re.I,
)
_NO_NAME = frozenset("""i i'm i've i'd i'll im ok hello hi hey dear thanks thank please yes no best regards kind cheers
    sincerely but and so or if when then also we our he she it they there here this that these those today
    tomorrow yesterday yours love greetings order ticket table invoice date name email phone total subject
    mr mrs ms dr prof eur usd gbp for from on with contact call book booked served serves until""".split())  # fmt: skip
_PATTERNS = {
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "phone": re.compile(r"(?<![\w-])(?:\+\d|\(?0)[\d ()/.-]{5,}\d|\b\d{3}[- ]\d{3,4}[- ]\d{3,4}\b|\b555[- ]?\d{4}\b"),
    "url": re.compile(r"\bhttps?://[^\s<>\"')\]]+[\w/]|\bwww\.[\w-]+(?:\.[\w-]+)+(?:/[\w./-]*\w)?"),
    "colour": re.compile(rf"\b(?:(?:dark|light|pale|deep|bright) )?(?:{'|'.join(COLOUR_WORDS)})(?:ish)?\b", re.I),
    "duration": re.compile(r"\b(?:\d+(?:[.,]\d+)?|an?|half an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several)(?: and a half)?[ -](?:seconds?|minutes?|mins?|hours?|days?|nights?|weeks?|months?|years?)\b(?: and \d+ (?:minutes?|seconds?))?", re.I),
    "currency": re.compile(r"\b(?:EUR|USD|GBP|CHF|JPY|INR|SEK|NOK|DKK|PLN|CZK|CAD|AUD)\b|\b(?:euros?|dollars?|pounds|francs|yen|rupees)\b|[€$£¥]", re.I),
    "postcode": re.compile(r"\b(?:[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}-?\d{4,5}|\d{4,5}(?:-\d{3,4})?)\b"),
    "street": re.compile(
        r"\b\d{1,5}[A-Za-z]?,? (?:[A-Z][\w'’-]+ ){1,4}(?i:street|st|road|rd|avenue|ave|lane|way|drive|square|place|court|close|row|hill|quay|terrace|gardens|boulevard|walk|crescent|alley)\b\.?"
        r"|\b(?:[A-Z][\w'’-]+ ){1,4}(?i:street|road|avenue|lane|way|drive|square|place|court|close|row|hill|quay|terrace|gardens|boulevard|walk|crescent|alley)(?: \d{1,5}[A-Za-z]?)?\b"
        r"|\b[A-Z]\w+(?:straße|strasse|weg|gasse|platz|straat|laan|gade|gatan)(?: \d{1,5}[A-Za-z]?)?\b|\b(?:Rua|Via|Calle|Rue|Avenida)(?: [A-Za-zÀ-ÿ'-]+){1,5}(?:,? \d{1,5})?"
    ),
    "quoted": re.compile(r"[\"“‘«]([^\"”’»\n]{1,200})[\"”’»]|(?<!\w)'([^'\n]{2,200})'(?!\w)"),
}  # fmt: skip
CODE = re.compile(
    r"(?<![\w.@])#?(?:(?!EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|CAD|AUD|INR|JPY)[A-Z]{2,3} \d{2,5}|(?=[\w-]*\d)(?:[A-Za-z]{1,6}[-_/]?\d[A-Za-z0-9]*(?:[-_/][A-Za-z0-9]+)*|\d+(?:[-_/][A-Za-z0-9]+)+|[A-Za-z0-9]*\d[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*|\d{3,}|[A-Z]+(?:-[A-Z0-9]+)*-\d[\w-]*))(?![\w@]|\.\w|[.,]\d)"
)
_JOB = re.compile(
    r"\b(?:(?:am|is|are|was|'m|became|become)(?: now| currently)? an?|as(?: now)? (?:an?|the|our|their)|year-old|, an?|job is(?: an?)?|occupation is(?: an?)?|profession is(?: an?)?|works? as) ((?:[a-z][a-z-]+ ){0,2}?[a-z][a-z-]+)(?=[,.;!?)]|$| (?:from|in|at|for|and|who|with|by|on|of|living|based|but|called|named|to|near|since)\b)",
    re.I,
)
_NO_JOB = frozenset("""person man woman boy girl customer client user fan member guest lot bit few problem question
    vegetarian vegan regular new happy good friend year-old cat dog house flat room city town village mother
    father parent child kid couple group""".split())  # fmt: skip


def spans_of(kind: str, text: str) -> list[Span]:
    """The values of a kind in a text, in their order."""
    if kind in ("date", "datetime"):
        return dates_in(text)
    if kind == "time":
        return [(a, b, re.sub(r"^at ", "", t, flags=re.I)) for a, b, t in times_in(text)]
    if kind in ("person", "place", "org", "name"):
        return names_in(text)
    if kind == "language":
        return [s for s in names_in(text, first=False) if " " not in s[2]]
    if kind == "quoted":
        return _quoted(text)
    if kind == "title":
        return _quoted(text) or names_in(text, first=False)
    if kind == "code":
        return codes_in(text)
    if kind == "money":
        return [_amount(text, n.start, n.end) for n in numbers_in(text) if n.money]
    if kind == "job":
        return [
            (m.start(1), m.end(1), m[1])
            for m in _JOB.finditer(text)
            if m[1].split()[-1].lower() not in _NO_JOB and m[1].split()[0].lower() not in _NO_JOB
        ]
    if kind in _PATTERNS:
        found = _PATTERNS[kind].finditer(text)
        return [(m.start(), m.end(), m.group().strip().rstrip(".,")) for m in found]
    return []


def _quoted(text: str) -> list[Span]:
    found = []
    for match in _PATTERNS["quoted"].finditer(text):
        inner = match[1] or match[2]
        found.append((match.start(), match.end(), inner.strip(" .,")))
    return found


def codes_in(text: str) -> list[Span]:
    """Ids, references, numbers of things: what has a figure and is no amount, date or time."""
    if not any(c.isdigit() for c in text):
        return []
    hidden = [(a, b) for a, b, _ in dates_in(text)]
    hidden += (
        [(m.start(), m.end()) for m in _PATTERNS["email"].finditer(text)] if "@" in text else []
    )
    found = []
    for match in CODE.finditer(text):
        start, end = match.span()
        if any(a < end and start < b for a, b in hidden):
            continue
        word = match.group().lstrip("#")
        before, after = text[max(0, start - 2) : start], text[end : end + 12]
        if word.isdigit() and (
            re.search(r"[$£€¥] ?$", before)
            or re.match(r" ?(?:[$£€¥%°]|euros?|dollars?|pounds?|EUR|USD|GBP|km|kg|minutes|people|[a-z]{3,}s\b)", after)
        ):  # fmt: skip
            continue
        if re.fullmatch(r"\d+(?:st|nd|rd|th|k|km|kg|cm|mm|m|g|h|am|pm|ml|l|x|GB|MB)", word, re.I):
            continue
        found.append((match.end() - len(word), end, word))
    return found


def _amount(text: str, start: int, end: int) -> Span:
    """A number with the currency beside it, as written."""
    after = re.match(r" ?(?:[$£€¥]|[A-Z]{3}\b|[a-z]+\b)", text[end:])
    if text[start] not in "$£€¥" and after:
        end += after.end()
    before = re.search(r"\b(?:EUR|USD|GBP|CHF) ?$", text[:start])
    start = before.start() if before else start
    return start, end, text[start:end].strip()


def names_in(text: str, first: bool = True) -> list[Span]:
    """Runs of capitalised words that are no day, no month and no beginning of a sentence.

    `first`: the first word counts if what follows shows that it is a name.
    """
    found = []
    for match in _RUN.finditer(text):
        start, run = match.start(), match.group()
        words = run.split(" ")
        opening = start == 0 or text[start - 2 : start] in (". ", "! ", "? ", ": ", "- ", "* ") or text[start - 1] == "\n"  # fmt: skip
        while words and (
            words[0].lower().rstrip("'’") in _NO_NAME
            or words[0].lower() in STOP
            or _CALENDAR.fullmatch(words[0])
            or words[0].lower() in ("and", "of", "the", "&")
        ):
            start += len(words[0]) + 1
            words = words[1:]
            opening = False
        if opening and words and not _is_name_at_start(text, start, words, first):
            start += len(words[0]) + 1
            words = words[1:]
        while words and (words[-1].lower() in ("and", "of", "the", "&", "de") or _CALENDAR.fullmatch(words[-1])):  # fmt: skip
            words = words[:-1]
        if words:
            value = " ".join(words).rstrip("'’-")
            end = start + len(value)
            value = re.sub(r"['’]s$", "", value)
            if (
                len(value) > 1
                and not value[0].isdigit()
                and not re.fullmatch(r"[A-Z]{1,3}[ -]?\d+", value)
            ):
                found.append((start, end, value))
    return found


_VERB_AFTER = re.compile(
    r"['’]s\b|,? (?:is|was|has|had|lives|works|wrote|teaches|plays|will|would|wants|can|said|says|asked|asks|called|and [A-Z]|who|an?|the|\(|aged?|\d|[a-z]+ed\b|[a-z]+s\b|hat|speaks|loves|likes|here)\b|[,.]?\s*$| \(|, \d",
)


def _is_name_at_start(text: str, start: int, words: list[str], first: bool) -> bool:
    """Whether the capital first word of a sentence is a name: another capital or a verb follows."""
    if not first:
        return False
    if len(words) > 1 and words[1][:1].isupper():
        return words[0].lower() not in STOP
    if root(words[0]) in _COMMON or not words[0].isalpha():
        return False
    return bool(_VERB_AFTER.match(text, start + len(words[0])))


_COMMON = frozenset(map(root, """review great lovely nice new old price rent cost pay paid order bring take meet send
    buy sell add mix bake cook heat serve use put open close start end first second last next found lost bug app
    customer client user patient guest room table flat house car bike train flight hotel restaurant food service
    delivery parcel box invoice please everything nothing somebody""".split()))  # fmt: skip


def tokens_of(text: str) -> list[tuple[int, int, str]]:
    """(start, end, stem) of every word."""
    return [(m.start(), m.end(), root(m.group())) for m in WORD.finditer(text)]
