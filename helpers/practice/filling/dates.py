"""Days and times as they are written, and in the form that a schema's format asks for."""

import re

from ..reading.words import DATE, TIME

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_ISO = re.compile(
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?(?!\d)"
)
_SPACED = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]"
    r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?[ -](?P<year>\d{4}))?\b"
    r"|\b(?P<month2>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:the )?(?P<day2>\d{1,2})(?:st|nd|rd|th)?\b(?:,? (?P<year2>\d{4}))?\b(?!:)",
    re.I,
)
_FIGURES = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b")
_CLOCK = re.compile(
    r"\b([01]?\d|2[0-3])[:.]([0-5]\d)(?::([0-5]\d))? ?([ap])?\.?m?\b|\b(1[0-2]|[1-9]) ?([ap])\.?m\b|\b(noon|midnight)\b",
    re.I,
)


def dates_in(text: str) -> list[tuple[int, int, str]]:
    """(start, end, as written) of every day in a text, without overlaps, in their order."""
    if not any(c.isdigit() for c in text) and not _WORDED.search(text):
        return []
    found: list[tuple[int, int, str]] = []
    taken: list[tuple[int, int]] = []
    for pattern in (_ISO, _FIGURES, _SPACED, DATE):
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= a or start >= b for a, b in taken):
                written = match.group().strip()
                written = re.sub(r"^(?:on|in|by|since|until|the) (?=\S)", "", written, flags=re.I)
                found.append((start, end, written))
                taken.append((start, end))
    return sorted(found)


_WORDED = re.compile(
    r"day\b|tonight|tomorrow|week|month|year|christmas|easter|january|february|march|april|june|july|august|september|october|november|december",
    re.I,
)


def times_in(text: str) -> list[tuple[int, int, str]]:
    """(start, end, as written) of every time of the day."""
    found = [
        (m.start(), m.end(), m.group()) for m in _CLOCK.finditer(text) if not _in_date(text, m)
    ]
    if found:
        return found
    return [
        (m.start(), m.end(), re.sub(r"^at ", "", m.group(), flags=re.I))
        for m in TIME.finditer(text)
        if re.match(r"(?:at )?(?:noon|midnight|midday|half|quarter|\d)|in the|at \w+", m.group(), re.I)
    ]  # fmt: skip


def _in_date(text: str, match: re.Match) -> bool:
    """Whether "10.12" is the beginning of 10.12.2026, or an amount."""
    after = text[match.end() : match.end() + 6]
    money = re.match(r" ?(?:euro|dollar|pound|[€$£%]|eur|usd|gbp|kg|km|cm|m\b)", after, re.I)
    before = text[max(0, match.start() - 1) : match.start()]
    return bool(re.match(r"[./-]\d", after) or money or before in ("€", "$", "£", "-", ".", ","))


def iso_date(written: str, material: str = "") -> str:
    """ "9 October 2026" as 2026-10-09; "" if the year, or the day, is not stated.

    A day without a year takes the year of `material`, if that names one year and no other.
    """
    if match := _ISO.search(written):
        return match.group()[:10]
    if match := _FIGURES.search(written):
        first, second, year = (int(n) for n in match.groups())
        day, month = (first, second) if second <= 12 else (second, first)
        return _day(year, month, day)
    if match := _SPACED.search(written):
        day = int(match["day"] or match["day2"])
        month = _MONTHS.index((match["month"] or match["month2"]).lower()[:3]) + 1
        year = match["year"] or match["year2"] or _year_of(material)
        return _day(int(year), month, day) if year else ""
    return ""


def _year_of(material: str) -> str:
    years = set(re.findall(r"(?<![\w.-])(?:19|20)\d\d(?=-\d\d-\d\d|[^\w-]|$)", material))
    return years.pop() if len(years) == 1 else ""


def _day(year: int, month: int, day: int) -> str:
    return f"{year:04d}-{month:02d}-{day:02d}" if 1 <= month <= 12 and 1 <= day <= 31 else ""


def iso_time(written: str) -> str:
    """ "2.30 pm" as 14:30:00; "" without a time by the clock."""
    match = _CLOCK.search(written)
    if not match:
        return ""
    if match[7]:
        return "12:00:00" if match[7].lower() == "noon" else "00:00:00"
    hour = int(match[1] or match[5])
    half = (match[4] or match[6] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02d}:{match[2] or '00'}:{match[3] or '00'}" if hour < 24 else ""


def iso_moment(text: str, start: int, end: int, material: str = "") -> str:
    """The day at `start` to `end` with the time that stands beside it, in the form date-time."""
    written = text[start:end]
    if (match := _ISO.search(written)) and len(match.group()) > 10:
        return match.group().replace(" ", "T", 1).replace(" ", "")
    day = iso_date(written, material)
    if not day:
        return ""
    near = [t for t in times_in(text) if -40 <= t[0] - end <= 40 or 0 <= start - t[1] <= 40]
    clock = iso_time(min(near, key=lambda t: abs(t[0] - end))[2]) if near else ""
    return f"{day}T{clock or '00:00:00'}"
