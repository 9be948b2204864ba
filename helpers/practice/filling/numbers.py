"""Numbers in a text: their value, what is counted or measured, and whether they are money."""

import re
from dataclasses import dataclass, replace

from ..material.words import root
from ..reading.words import WORD
from .dates import dates_in

LONGEST = 15  # digits

_UNITS = dict(zip("""zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen""".split(), range(20), strict=True))  # fmt: skip
_TENS = dict(
    zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True)
)  # fmt: skip
_ORDINALS = dict(
    zip("first second third fourth fifth sixth seventh eighth ninth tenth".split(), range(1, 11), strict=True)
)  # fmt: skip
_WORDS = {**_UNITS, **_TENS, "dozen": 12, "hundred": 100}
_ONE = "|".join(sorted(_UNITS, key=len, reverse=True))
_NUMBER = re.compile(
    r"(?P<mark>[$£€¥] ?)?(?<![\w.])(?P<figure>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:[.,]\d+)?)(?P<kilo>k\b)?(?P<nth>st|nd|rd|th)?(?!\w|[-/:]\d)"
    rf"|\b(?P<word>(?:{'|'.join(_TENS)})(?:[- ](?:{_ONE}))?|a dozen|{_ONE})(?: (?P<times>hundred|thousand|million))?\b"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)})\b",
    re.I,
)
CURRENCY = re.compile(
    r"\s?(?:[$£€¥]|euros?\b|dollars?\b|pounds?\b|cents?\b|francs?\b|yen\b|rupees?\b|kroner\b|crowns?\b|(?:EUR|USD|GBP|CHF|JPY|INR|SEK|NOK|DKK|PLN|CZK|CAD|AUD)\b)",
    re.I,
)
_SYMBOL = re.compile(r"(?:EUR|USD|GBP|CHF|JPY|INR|SEK|NOK|DKK|PLN|CZK|CAD|AUD) ?$")
_UNIT = re.compile(
    r"[ -]?(?P<unit>%|percent|per cent|°C?|degrees?|celsius|fahrenheit|(?:milli|centi|kilo)?met(?:re|er)s?|km/h|kmh|mph|km|cm|mm|m²|m2|m³|m3|cubic met(?:re|er)s?|sqm|square met(?:re|er)s?|kilos?|kg|grams?|g|lbs?|miles?|lit(?:re|er)s?|ml|l"
    r"|seconds?|minutes?|mins?|hours?|hrs?|h|days?|nights?|weeks?|months?|years?(?:[- ]old)?|yo|stars?|points?|kwh?|gb|mb|tb|hp|knots?|inch(?:es)?|feet|ft|m)\b",
    re.I,
)
_OUT_OF = re.compile(r"\s?(?:/|out of) ?\d+")
BETWEEN = re.compile(
    r"^ ?(?:[$£€¥]|euros?|k|EUR|USD|GBP|%|°C?)? ?(?:-|–|—|to|and|or) ?[$£€¥]? ?$", re.I
)
_CODE = re.compile(r"\b(?=[A-Za-z]*[-_/]?\d)(?=\w*[A-Za-z])[A-Za-z]+[-_/]?\d[\w/-]*|\b\d+(?:-\d+){2,}\b")  # fmt: skip
_PHONE = re.compile(r"\+\d[\d -]{6,}\d|\b0\d[\d -]{6,}\d")


@dataclass(frozen=True)
class Number:
    """One number: where it stands, its value, its unit, and whether it is an amount of money."""

    start: int
    end: int
    value: int | float
    unit: str = ""
    money: bool = False
    counts: str = ""  # the word after it, if it counts things: "rooms"
    year: bool = False
    ordinal: bool = False
    of: bool = False  # "4 out of 5"


def numbers_in(text: str, after_number: str = "") -> list[Number]:
    """The numbers of a text that are no part of a date, a time, a code or a phone number."""
    hidden = [(a, b) for a, b, _ in dates_in(text)]
    hidden += [m.span() for m in _CODE.finditer(text)] + [m.span() for m in _PHONE.finditer(text)]
    hidden += [m.span() for m in re.finditer(r"\b\d{1,2}:\d\d(?::\d\d)?\b", text)]
    found = []
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        value = _value(match)
        if value is None:
            continue
        year = match["figure"] is not None and re.fullmatch(r"(?:1[5-9]|20)\d\d", match["figure"])
        floor = (
            match["nth"] and re.match(r" [a-z]{3,}", text[end:]) and text[end : end + 4] != " of "
        )
        if not year and not floor and any(a < end and start < b for a, b in hidden):
            continue
        if year and any(a < end and start < b for a, b in hidden) and not _lone_year(text, start):
            continue
        rest = text[end : end + 40]
        out = _OUT_OF.match(rest)
        unit = _UNIT.match(rest)
        money = bool(match["mark"] or CURRENCY.match(rest) or _SYMBOL.search(text[:start]))
        counted = ""
        if not money and not unit and not out:
            more = re.match(r"(?: x| times)? ([a-z][a-z-]+)(?: ([a-z][a-z-]+))?", rest)
            counted = " ".join(w for w in more.groups() if w) if more else ""
        found.append(
            Number(start, end, value, unit["unit"].lower() if unit and not money else "", money, counted,
                   bool(year) and not money, bool(match["nth"] or match["ordinal"]), bool(out))
        )  # fmt: skip
    for n in range(len(found) - 1):  # "between 3 and 5 euros": both are money
        if found[n + 1].money and BETWEEN.match(text[found[n].end : found[n + 1].start]):
            found[n] = replace(found[n], money=True, year=False)
    return found


def _lone_year(text: str, start: int) -> bool:
    return bool(
        re.search(r"\b(?:in|since|of|from|year|built|published|model) $", text[:start], re.I)
    )


def _value(match: re.Match) -> int | float | None:
    if figure := match["figure"]:
        if len(figure) > LONGEST:
            return None
        plain = figure.replace(",", "") if re.search(r",\d{3}(?:\D|$)", figure) else figure.replace(",", ".")  # fmt: skip
        number = float(plain) if "." in plain else int(plain)
        return number * 1000 if match["kilo"] else number
    if match["ordinal"]:
        return _ORDINALS[match["ordinal"].lower()]
    words = re.split(r"[- ]", match["word"].lower())
    value = sum(_WORDS.get(w, 0) for w in words)
    return value * {"hundred": 100, "thousand": 1000, "million": 1_000_000}.get((match["times"] or "").lower(), 1)  # fmt: skip


def unit_stems(number: Number) -> frozenset[str]:
    """The stems of the unit, and of what is counted."""
    long = {"min": "minutes", "mins": "minutes", "hr": "hours", "hrs": "hours", "h": "hours", "kg": "kg weight",
            "km": "km distance", "%": "percent", "°": "degrees", "°c": "degrees celsius", "yo": "years",
            "sqm": "square metres", "m²": "square metres", "km/h": "speed", "kmh": "speed", "mph": "speed"}  # fmt: skip
    words = f"{long.get(number.unit, number.unit)} {number.counts}"
    return frozenset(root(w) for w in WORD.findall(words.replace("-", " ")))
