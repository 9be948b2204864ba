"""The value of a field for a number: money, counts, measures, years, ages, ratings."""

import re
from collections.abc import Iterator

from ..material.words import content_of, root
from ..reading.words import STOP
from .cues import GENERIC, KINDS, head_of, near, own_stems
from .numbers import BETWEEN, Number, numbers_in, unit_stems
from .schemas import Field
from .seeking import Hit, Seeker, points, ranked

_MONEY = frozenset(root(word) for word, kind in KINDS.items() if kind == "money")
_TOTALS = frozenset(map(root, "price total amount cost sum".split()))
_UNITS = frozenset(map(root, """minute minutes hour hours second seconds day days night nights week weeks month months
    year years km kilometre metre metres kg kilo gram grams percent pct degree degrees celsius litre litres mile miles
    page pages star stars point points""".split()))  # fmt: skip
_AGE = re.compile(
    r"\b(?:aged?|am|'m|’m|is|turn(?:ed|s|ing)?|are) (?:now |just |only |almost |nearly )?(\d{1,3})\b(?! ?(?:%|km|kg|cm|m\b|euro|minute|people|of\b|[a-z]+s\b(?<!years)))"
    r"|\b(\d{1,3})[- ](?:years?|months?|weeks?)[- ]olds?\b|, (\d{1,3})(?=,| |\.|$)(?! [A-Z\d])|\((?:aged? )?(\d{1,3})\)|\b(\d{1,3}) years? of age\b"
    r"|\b([a-z]+(?:-[a-z]+)?)[- ]years?[- ]old\b",
    re.I,
)
_PARTY = re.compile(
    r"\b(?:table|party|group|dinner|lunch|booking|book|reservation|seats?|places?|room|tickets|us) (?:for|of) (?:about )?$"
    r"|\bwe(?: are| will be|'re|’re|'ll be) (?:a (?:party|group) of )?(?:about )?$|\bthere (?:are|will be) $|\bcoming with $",
    re.I,
)
_PARTY_WORDS = frozenset(map(root, "guest guests people party size persons diners attendees covers seats".split()))  # fmt: skip
_LEAST = frozenset(("min", "minimum", "lowest", "least", "from", "low"))
_MOST = frozenset(("max", "maximum", "highest", "most", "up", "high"))
_LIMIT_BEFORE = re.compile(r"(?:(at most|up to|maximum(?: of)?|max\.?|no more than|below|under)|(at least|minimum(?: of)?|min\.?|from|starting at|over|above)) [$£€]?$", re.I)  # fmt: skip
_NOT = re.compile(r"\b(?:not|no longer|instead of|rather than|but not)(?: (?:for|at|on|the|a))* ?[$£€]?$", re.I)  # fmt: skip


def number_for(field: Field, seeker: Seeker, whole: bool) -> Hit | None:
    """The surest number for a field (`whole`: an integer); None if the material states none."""
    for hit in (*seeker.by_key(field), *seeker.by_label(field)):
        for value in _values(hit.value, field):
            if fits(value, field, whole):
                return Hit(_typed(value, whole), hit.score, hit.place)
    hits = (hit for hit in _found(field, seeker) if fits(hit.value, field, whole))
    hit = next(hits, None)
    return Hit(_typed(hit.value, whole), hit.score, hit.place) if hit else None


def numbers_for(field: Field, seeker: Seeker, whole: bool) -> list[int | float]:
    """All numbers that a list of numbers asks for, in their order."""
    found = [hit for hit in _found(field, seeker) if fits(hit.value, field, whole)]
    return [_typed(hit.value, whole) for hit in sorted(found, key=lambda hit: hit.place)]


def _values(value: object, field: Field) -> list[int | float]:
    """The numbers in what stands under a key or after a label."""
    if isinstance(value, bool):
        return []
    if isinstance(value, int | float):
        return [value]
    if not isinstance(value, str):
        return []
    found = numbers_in(value)
    words = set(field.words)
    if words & _MOST and len(found) > 1:
        found = found[1:]
    return [n.value for n in found] or [int(m) for m in re.findall(r"^\d{1,9}$", value.strip())]


def fits(value: object, field: Field, whole: bool) -> bool:
    """Whether a number keeps the type and the limits of the field."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if not -1e15 < value < 1e15:  # also what is no number, or endless
        return False
    limits = field.limits
    if whole and value != int(value):
        return False
    if value < limits.get("minimum", value) or value > limits.get("maximum", value):
        return False
    if value <= limits.get("exclusiveMinimum", value - 1):
        return False
    if value >= limits.get("exclusiveMaximum", value + 1):
        return False
    step = limits.get("multipleOf")
    return not step or abs(value / step - round(value / step)) < 1e-9


def _typed(value: int | float, whole: bool) -> int | float:
    return int(value) if whole or isinstance(value, int) or value == int(value) else value


def _found(field: Field, seeker: Seeker) -> Iterator[Hit]:
    head, words = head_of(field), set(field.words)
    stems = {root(w) for w in field.words}
    if "age" in field.words:
        yield from _ages(field, seeker)
        return
    own = own_stems(field) | (stems & _MONEY)
    head = head or next(iter(sorted(stems & _MONEY)), "")
    if stems & {root("year")} and not own - {root("year")} - GENERIC:
        own |= {root("year")}
    # not the units, and not what says which end of a range is meant
    own -= {root(w) for w in _LEAST | _MOST} | {w for w in own if w in _UNITS and len(own) > 1}
    head = head if head in own else next((root(w) for w in reversed(field.words) if root(w) in own), head)  # fmt: skip
    cues = near(head) | frozenset(w for word in own for w in near(word) if w not in STOP)
    hits: list[Hit] = []
    if stems & _QUANTITY:
        hits += _times(seeker)
    for text, place in _sentences(own, cues, seeker, bool(own)):
        numbers = numbers_in(text)
        spans = [(n.start, n.end, "") for n in numbers]
        for at, number in enumerate(numbers):
            score = _score(field, text, number, spans, own, head, cues, words, stems)
            if score is None or _NOT.search(text[: number.start]):
                continue
            score += _end_of_range(text, numbers, at, words)
            if score > 0.5:
                hits.append(Hit(number.value, score, place))
    if not hits and stems & _TOTALS and len(own) <= 2:
        hits = _only_amount(seeker, own)
    yield from ranked(hits, seeker.material.talk)


_QUANTITY = frozenset(map(root, "quantity qty pieces".split()))
_TIMES = re.compile(
    r"^\W*(\d{1,6}) ?(?:x|×|\*|pcs|pieces|of)? (?=[A-Za-z])|[x×] ?(\d{1,6})\b|\b(\d{1,6}) ?[x×] ",
    re.I,
)


def _times(seeker: Seeker) -> list[Hit]:
    """ "3 x paper", "paper x3": how many of a thing."""
    found = []
    for text, place in seeker.all_sentences():
        if match := _TIMES.search(text):
            found.append(Hit(int(next(g for g in match.groups() if g)), 4, place))
    return found


def _sentences(own, cues, seeker: Seeker, by_word: bool) -> list[tuple[str, int]]:
    if by_word and not cues & STOP and not own & (_PARTY_WORDS | {root("year")}):
        return seeker.sentences_with(own | cues)
    return seeker.all_sentences()


def _score(field, text, number: Number, spans, own, head, cues, words, stems) -> float | None:
    units = unit_stems(number)
    wanted_units = stems & _UNITS
    if wanted_units and number.unit and not units & stems:
        return None  # "90 minutes" is no number of hours
    if number.year and not stems & {root("year"), root("population"), root("price")} and not number.money:  # fmt: skip
        if not words & {"salary", "rent", "distance", "mileage", "total"}:
            return None
    if root("year") in stems and not number.year and not units & {root("years")}:
        return None
    if root("year") in stems and number.year and not own - {root("year")}:
        return 3.0
    score = points(text, number.start, number.end, spans, own, head, cues, field.around)
    if own & _PARTY_WORDS and _PARTY.search(text[: number.start]) and not number.money:
        score = max(score or 0, 5.0)
    if units and units & (own | stems):
        score = max(score or 0, 6.0 if units & own else 5.0)
    elif units and units & (cues - STOP):
        score = max(score or 0, 4.5)
    elif number.counts and not (score and score >= 4.4):
        return None  # it counts something else
    if number.unit and len(number.unit) > 1 and "".join(field.words).endswith(_flat(number.unit)):
        score = max(score or 0, 5.0)
    if number.of and stems & {root("rating"), root("score"), root("stars"), root("grade")}:
        score = max(score or 0, 4.0)
    if score is None:
        return None
    if stems & _MONEY and not words & {"tax", "discount"}:
        score += 1.5 if number.money else -2.0
    elif number.money:
        return None
    if stems & _MONEY and number.unit and not number.money:
        return None
    if number.ordinal and not stems & {root("floor"), root("place"), root("position"), root("rank"), root("edition")}:  # fmt: skip
        return None
    return score


def _flat(unit: str) -> str:
    return unit.replace("²", "2").replace("³", "3").replace("/", "").replace(" ", "")


def _end_of_range(text: str, numbers: list[Number], at: int, words: set[str]) -> float:
    """For a least or a largest value: which end of "between 3 and 5" this is."""
    number = numbers[at]
    limit = _LIMIT_BEFORE.search(text[: number.start])
    first = at + 1 < len(numbers) and BETWEEN.match(text[number.end : numbers[at + 1].start])
    second = at > 0 and BETWEEN.match(text[numbers[at - 1].end : number.start])
    if words & _LEAST:
        return 2.0 if first or limit and limit[2] else -4.0 if second or limit else 0.0
    if words & _MOST:
        return 2.0 if second or limit and limit[1] else -4.0 if first or limit else 0.0
    return 0.0


def _ages(field: Field, seeker: Seeker) -> Iterator[Hit]:
    nouns = {root(w) for w in field.words if w not in ("age", "in", "years")} | field.around
    found = []
    for text, place in seeker.all_sentences():
        for match in _AGE.finditer(text):
            word = next(g for g in match.groups() if g)
            value = numbers_in(word)
            if value or word.isdigit():
                number = int(word) if word.isdigit() else value[0].value
                said = {root(w) for w in re.findall(r"[A-Za-z]+", text)}
                found.append(Hit(number, 3 + len(nouns & said), place))
    yield from ranked(found, seeker.material.talk)


def _only_amount(seeker: Seeker, own: frozenset[str]) -> list[Hit]:
    """The one amount of money that the material states; [] if it states several, or none."""
    found = [
        Hit(number.value, 1, place)
        for text, place in seeker.all_sentences()
        for number in numbers_in(text)
        if number.money and not (_MONEY - _TOTALS - own) & content_of(text)
    ]
    return found[:1] if len({hit.value for hit in found}) == 1 else []
