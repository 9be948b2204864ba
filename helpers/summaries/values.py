"""Values in a sentence: order numbers, amounts, dates, times, addresses, numbers and names.

A value has keys: the same keys for "14 October", "Oct 14" and "2026-10-14", for "$40" and "40
dollars". English only, and a reading by pattern: it knows forms of writing, no meanings.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from .names import Name, names
from .wording import stems


@dataclass(frozen=True)
class Value:
    """One value: `said` as written; `asks` is what must be given, one of them; `gives` what it
    gives to whoever asks ("Thursday 14 May" asks for 14 May and gives Thursday too)."""

    kind: str  # code, amount, date, time, address, number, name
    said: str
    asks: frozenset[str]
    gives: frozenset[str]
    at: int  # where it begins in its sentence
    unit: str = ""  # of a number: the stem of the word after it


# ---------------------------------------------------------------- numbers

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: n for n, word in enumerate(_UNITS + _TEENS)}
_WORDS |= {word: 10 * n for n, word in enumerate(_TENS, 2)}
_LARGE = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000}
_SMALL_WORD = "|".join(sorted([*_UNITS[2:], *_TEENS], key=len, reverse=True))
_WORD_NUMBER = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[1:10])}))?|{_SMALL_WORD})"
    rf"(?: (?:{'|'.join(_LARGE)}))?|(?:an? |one )(?:{'|'.join(_LARGE)})"
)
_DIGITS = r"\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?(?![\d])|\d+(?:[.,]\d+)?"
_NUMBER = rf"(?:{_DIGITS}|\b(?:{_WORD_NUMBER})\b)"


def _readings(said: str) -> list[Decimal]:
    """The numbers a text can mean: "1,234" is 1234 or, where a comma is a point, 1.234."""
    low = said.lower().replace("\u2019", "'")
    if low[:1].isalpha():
        total, times = 0, 1
        for word in re.split(r"[- ]+", low):
            if word in _LARGE:
                times = _LARGE[word]
            else:
                total += _WORDS.get(word, 1)
        return [Decimal(total * times)]
    compact = re.sub(r"[\s']", "", low)
    both = "," in compact and "." in compact
    if both:  # the last of the two is the point
        point = max(compact, key=lambda c: compact.rfind(c) if c in ",." else -1)
        texts = [compact.replace("," if point == "." else ".", "").replace(",", ".")]
    else:
        texts = [re.sub("[,.]", "", compact)] if re.search(r"[,.]\d{3}(?!\d)", compact) else []
        texts += [compact.replace(",", ".")] if re.fullmatch(r"\d+[,.]?\d*", compact) else []
    found = []
    for text in texts:
        try:
            found.append(Decimal(text))
        except InvalidOperation:
            continue
    return found


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _numbers(said: str, times: str = "") -> list[str]:
    large = {"k": 1_000, "m": 1_000_000, "thousand": 1_000, "million": 1_000_000}
    return [_plain(n * large.get(times.lower(), 1)) for n in _readings(said)]


# ---------------------------------------------------------------- patterns

_MONTHS = "january february march april may june july august september october november december"
_MONTH_OF = {m[:3]: n for n, m in enumerate(_MONTHS.split(), 1)}
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY_NAME = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_DATES = [
    re.compile(rf"\b{_DAY}\s?(?:-|–|to|until|and)\s?{_DAY}\s(?:of )?({_MONTH})(?:,? (\d{{4}})\b)?", re.I),
    re.compile(rf"\b({_MONTH})\s{_DAY}\s?(?:-|–|to|until)\s?{_DAY}\b(?:,? (\d{{4}})\b)?", re.I),
    re.compile(rf"\b{_DAY}\s(?:of )?({_MONTH})(?:,? (\d{{4}})\b)?", re.I),
    re.compile(rf"\b({_MONTH})\s(?:the )?{_DAY}\b(?![:.]\d)(?:,? (\d{{4}})\b)?", re.I),
    re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b"),
    re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d\d)\b"),
]  # fmt: skip
_WEEKDAY = re.compile(rf"\b(?:{_DAY_NAME})\b", re.I)
_MONTH_ALONE = re.compile(
    rf"\b(?:(?:in|since|until|till|by|of|from|next|this|last|early|late|mid)[ -]({_MONTH})|({_MONTH})(?= \d{{4}}))"
)
_ORDINAL = re.compile(r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|time|street|avenue|century))")

_CURRENCY = {
    "usd": r"US\$|\$|dollars?|USD", "eur": "€|euros?|EUR", "gbp": "£|pounds?|GBP",
    "jpy": "¥|yen|JPY", "chf": "francs?|CHF", "inr": "₹|rupees?|INR", "cent": "cents?",
    "crown": "crowns?|kronor|kroner|SEK|NOK|DKK", "zloty": "zlotys?|PLN", "peso": "pesos?",
}  # fmt: skip
_SIGN = "|".join(_CURRENCY.values())
_AMOUNT = re.compile(
    rf"(?<![\w.,])(?:({_SIGN})\s?({_DIGITS})(?: ?(k|m|thousand|million)\b)?"
    rf"|({_NUMBER})(?: ?(k|m|thousand|million)\b)?[ -]?({_SIGN})(?!\w))",
    re.I,
)
_PERCENT = re.compile(rf"({_NUMBER})\s?(?:%|per ?cent\b)", re.I)
_CLOCK = re.compile(r"\b([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?:\s?([ap])\.?m\b\.?)?", re.I)
_HOUR = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(_UNITS[1:])})\s?(?:([ap])\.?m\b\.?|o['’]clock\b)", re.I
)
_PAST = re.compile(rf"\b(half|quarter) (past|to) (\d{{1,2}}|{'|'.join(_UNITS[1:])})\b", re.I)
_NOON = re.compile(r"\b(noon|midday|midnight)\b", re.I)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|https?://[^\s,;\"')]+|\bwww\.[^\s,;\"')]+", re.I)  # fmt: skip
_PHONE = re.compile(r"\+\d[\d ()-]{6,}\d|\b\d{2,5}(?:[ -]\d{2,5}){2,}\b")
_CODE = re.compile(r"(?<![\w-])#?[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*(?![\w-])")
_MEASURE = re.compile(r"(\d+)(st|nd|rd|th|kg|km|cm|mm|ml|m|g|l|h|k|x|min|s|gb|mb|tb|kwh)", re.I)
_STREETS = "street st road rd avenue ave lane drive square boulevard way row quay court place"
_STREET = re.compile(
    rf"\b(\d{{1,5}}[A-Za-z]?),? ((?:[A-Z][\w'’-]* ){{1,3}}(?:{'|'.join(_STREETS.split())})\b)", re.I
)
_SHORT_STREET = {"st": "street", "rd": "road", "ave": "avenue"}
_PLAIN_NUMBER = re.compile(rf"(?<![\w.,-])#?({_NUMBER})(?![\w-])", re.I)


def values(text: str, known: Collection[str] = ()) -> list[Value]:
    """The values of one sentence, in their order. `known`: names seen elsewhere, in small letters,
    by which a capital at the beginning of a sentence is told from a name."""
    return list(_values(text, frozenset(known)))


@lru_cache(maxsize=2_000)
def _values(text: str, known: frozenset[str]) -> tuple[Value, ...]:
    found: list[Value] = []
    for read in (_mails, _addresses, _dates, _amounts, _times, _phones, _codes, _plain_numbers):
        for value in read(text):
            found.append(value)
            end = value.at + len(value.said)
            text = text[: value.at] + "\x00" * (end - value.at) + text[end:]
    found += map(_of_name, names(text, known))
    return tuple(sorted(found, key=lambda value: value.at))


def _of_name(name: Name) -> Value:
    asks = frozenset({"name:" + " ".join(name.words)})
    gives = asks | {f"name:{word}" for word in name.words}
    return Value("name", name.said, asks, gives, name.at)


def _value(kind, match, asks, gives=(), unit="") -> Value:
    asks = frozenset(f"{kind}:{key}" for key in asks)
    return Value(
        kind, match.group().rstrip(" .,"), asks, asks | frozenset(gives), match.start(), unit
    )


def _mails(text: str) -> Iterator[Value]:
    for match in _MAIL.finditer(text):
        yield _value("code", match, [match.group().lower().rstrip("./")])


def _addresses(text: str) -> Iterator[Value]:
    for match in _STREET.finditer(text):
        words = match[2].lower().split()
        words[-1] = _SHORT_STREET.get(words[-1], words[-1])
        if match[2][:1].isupper():
            yield _value("address", match, [f"{match[1].lower()} {' '.join(words)}"])


def _dates(text: str) -> Iterator[Value]:
    taken: list[tuple[int, int]] = []
    for n, pattern in enumerate(_DATES):
        for match in pattern.finditer(text):
            if any(match.start() < end and match.end() > start for start, end in taken):
                continue
            days = list(_days(n, match))
            if not days:
                continue
            taken.append(match.span())
            keys = [_day_keys(*day) for day in days]
            gives = {key for _, given in keys for key in given}
            if n == 5:  # one day with two readings
                yield _value("date", match, [asked for asked, _ in keys], gives)
            else:  # each day of a range is asked for
                for asked, _ in keys:
                    yield _value("date", match, [asked], gives)
    for match in _WEEKDAY.finditer(text):
        if not match.group()[0].isupper() and not match.group().lower().endswith(("day", "days")):
            continue
        day = f"date:{match.group()[:3].lower()}"
        # "Thursday 14 May": the date is what counts, the weekday follows from it.
        beside = any(0 <= start - match.end() <= 6 for start, _ in taken)
        beside = beside or any(0 <= match.start() - end <= 3 for _, end in taken)
        yield Value("date", match.group().rstrip("."), frozenset() if beside else frozenset({day}),
                    frozenset({day}), match.start())  # fmt: skip
    for match in _MONTH_ALONE.finditer(text):
        if not any(match.start() < end and match.end() > start for start, end in taken):
            month = _MONTH_OF[(match[1] or match[2])[:3].lower()]
            yield _value("date", match, [f"month {month}"])
    for match in _ORDINAL.finditer(text):
        if not any(match.start() < end and match.end() > start for start, end in taken):
            yield _value("date", match, [f"day {int(match[1])}"])


def _days(pattern: int, match: re.Match) -> Iterator[tuple[int, int, str]]:
    """(day, month, year or "") of each day that a match of `_DATES[pattern]` names."""
    g = match.groups()
    if pattern in (0, 1):
        month = g[2] if pattern == 0 else g[0]
        days = g[:2] if pattern == 0 else g[1:3]
        found = [(int(day), _MONTH_OF[month[:3].lower()], g[3] or "") for day in days]
    elif pattern in (2, 3):
        day, month = (g[0], g[1]) if pattern == 2 else (g[1], g[0])
        found = [(int(day), _MONTH_OF[month[:3].lower()], g[2] or "")]
    elif pattern == 4:
        found = [(int(g[2]), int(g[1]), g[0])]
    else:
        year = g[2] if len(g[2]) == 4 else f"20{g[2]}"
        found = list(dict.fromkeys([(int(g[0]), int(g[1]), year), (int(g[1]), int(g[0]), year)]))
    yield from ((d, m, y) for d, m, y in found if 1 <= d <= 31 and 1 <= m <= 12)


def _day_keys(day: int, month: int, year: str) -> tuple[str, set[str]]:
    gives = {f"date:{day}-{month}", f"date:month {month}", f"date:day {day}"}
    if not year:
        return f"{day}-{month}", gives
    return f"{day}-{month}-{year}", gives | {f"date:{day}-{month}-{year}"}


def _amounts(text: str) -> Iterator[Value]:
    for match in _AMOUNT.finditer(text):
        sign, digits, times, digits2, times2, word = match.groups()
        numbers = _numbers(digits or digits2, times or times2 or "")
        kind = next(name for name, p in _CURRENCY.items() if re.fullmatch(p, sign or word, re.I))
        yield _value("amount", match, [f"{kind} {n}" for n in numbers],
                     [f"number:{n}" for n in numbers])  # fmt: skip
    for match in _PERCENT.finditer(text):
        numbers = _numbers(match[1])
        yield _value("number", match, [f"{n}%" for n in numbers], [f"number:{n}" for n in numbers])


def _times(text: str) -> Iterator[Value]:
    for pattern in (_CLOCK, _HOUR, _PAST, _NOON):
        for match in pattern.finditer(text):
            yield _value("time", match, _time_of(pattern, match))
        text = pattern.sub(lambda m: "\x00" * len(m.group()), text)


def _time_of(pattern: re.Pattern, match: re.Match) -> list[str]:
    if pattern is _CLOCK:
        return _hours(int(match[1]), match[2], match[3])
    if pattern is _HOUR:
        return _hours(_hour(match[1]), "00", match[2])
    if pattern is _NOON:
        return ["0:00", "24:00"] if match[1].lower() == "midnight" else ["12:00"]
    minutes, hour = {"half": 30, "quarter": 15}[match[1].lower()], _hour(match[3])
    if match[2].lower() == "to":
        minutes, hour = 60 - minutes, (hour - 1) or 12
    return _hours(hour, f"{minutes:02}", None)


def _hour(said: str) -> int:
    return int(said) if said.isdigit() else _WORDS[said.lower()]


def _hours(hour: int, minutes: str, half: str | None) -> list[str]:
    """The times of day that are meant; without "am" or "pm" a small hour is two."""
    if half:
        return [f"{hour % 12 + (12 if half.lower() == 'p' else 0)}:{minutes}"]
    both = [hour, hour + 12] if 1 <= hour <= 11 else [hour]
    return [f"{h}:{minutes}" for h in both]


def _phones(text: str) -> Iterator[Value]:
    for match in _PHONE.finditer(text):
        yield _value("code", match, [re.sub(r"\D", "", match.group())])


def _codes(text: str) -> Iterator[Value]:
    for match in _CODE.finditer(text):
        word = match.group().lstrip("#")
        letters, digits = any(c.isalpha() for c in word), any(c.isdigit() for c in word)
        if digits and (letters or "-" in word or "/" in word):
            if measure := _MEASURE.fullmatch(word):
                unit = measure[2].lower()
                yield _value("number", match, _numbers(measure[1]), unit=unit)
            else:
                yield _value("code", match, [re.sub(r"[-_/]", "", word).lower()])


def _plain_numbers(text: str) -> Iterator[Value]:
    for match in _PLAIN_NUMBER.finditer(text):
        after = re.match(r"\s+([a-z][\w-]*)", text[match.end() : match.end() + 30])
        unit = next(iter(stems(after[1])), "") if after else ""
        yield _value("number", match, _numbers(match[1]), unit=unit)
