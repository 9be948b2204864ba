"""Card numbers and account numbers in a text."""

import re
from collections.abc import Iterator

Hit = tuple[int, int, str]  # start, end, kind

_GROUP = re.compile(r"\d+")
_GAP = re.compile(r"[ \t\n]{0,2}[-./_|*:·•,]?[ \t\n]{0,2}")
MOST_DIGITS = 19  # of a card number
FEWEST_DIGITS = 12
_CARD = re.compile(
    r"(?:4(?:\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"
    r"|3[47]\d{13}"  # these three: Visa, Mastercard, Amex
    r"|6(?:011|5\d\d|4[4-9]\d|2\d\d)\d{12,15}"  # Discover, UnionPay
    r"|3(?:0[0-5]|[689]\d)\d{11}|35\d{14})"  # Diners, JCB
)
_SHAPES = {(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 2), (4, 4, 5), (4, 4, 4)}
_CARD_WORD = (
    r"(?:(?:credit|debit|bank|giro)[ -]?cards?|cards?|visa|master ?card|amex|american express"
    r"|maestro|diners|kreditkarten?|karten?|cartes?|tarjetas?|carta|kaart|pan)"
)
_NUMBER_WORD = r"(?:numbers?|no|nr|nummer|num|numéro|número|numero)"
_COMPOUND = r"(?:card|(?:kredit|bank|giro|ec-?)?karten|kaart)nu(?:mber|mmer)s?"
_AND_THEN = (
    rf"(?:[ :=#('\"“]|, ?(?={_NUMBER_WORD})"
    rf"|\b(?:{_NUMBER_WORD}|is|was|ist|est|es|my|the|with|de|ends)\b\.?)*$"
)
_ABOUT_CARDS = re.compile(rf"\b(?:{_CARD_WORD}|{_COMPOUND})\b{_AND_THEN}", re.IGNORECASE)
# said outright, so that a digit typed wrong does not matter
_CALLED_A_CARD = re.compile(
    rf"\b(?:{_COMPOUND}|{_CARD_WORD}'?s? {_NUMBER_WORD}"
    rf"|{_NUMBER_WORD} (?:of|de|di|della|van)(?: \w+)? {_CARD_WORD})\b\.?{_AND_THEN}",
    re.IGNORECASE,
)
_NEAR = 60  # characters before a number in which a word says what it is
_PREFIX = re.compile(r"[A-Z]{2,4}$")  # of an id, such as a parcel's


def find(text: str) -> Iterator[Hit]:
    """Cards by pattern, length and Luhn's checksum, or because they are called card numbers; IBANs
    by length and checksum."""
    yield from _cards(text)
    yield from _spelled(text)
    yield from _ibans(text)


def _cards(text: str) -> Iterator[Hit]:
    groups = [m.span() for m in _GROUP.finditer(text)]
    first = 0
    while first < len(groups):
        start, digits, gaps, end, rough = groups[first][0], "", [], None, None
        before = text[max(0, start - _NEAR) : start]
        called = _CALLED_A_CARD.search(before)
        for last in range(first, min(first + MOST_DIGITS, len(groups))):
            if last > first:
                gap = text[groups[last - 1][1] : groups[last][0]]
                if not _GAP.fullmatch(gap):
                    break
                gaps.append(gap)
            digits += text[slice(*groups[last])]
            if len(digits) > MOST_DIGITS:
                break
            sizes = tuple(b - a for a, b in groups[first : last + 1])
            if len(digits) >= FEWEST_DIGITS and _is_one_number(sizes, gaps):
                sure = _is_card(before, digits) and (_CARD.fullmatch(digits) or not called)
                end = last if sure else end
                rough = last if called else rough
        end = rough if end is None else end
        if end is None:
            first += 1
        else:
            yield start, groups[end][1], "card number"
            first = end + 1


def _is_card(before: str, digits: str) -> bool:
    """By how it begins and how long it is, or by the words before it; and by its checksum."""
    known = _CARD.fullmatch(digits)
    if not known and len(before) < 3 or len(set(digits)) == 1:
        return False
    named = (not known or _PREFIX.search(before)) and _ABOUT_CARDS.search(before)
    if not named and (not known or _PREFIX.search(before)):
        return False
    from stdnum import luhn

    return luhn.is_valid(digits)


def _is_one_number(sizes: tuple[int, ...], gaps: list[str]) -> bool:
    """Whether groups of digits belong together; else they are a list of amounts, dates or ids."""
    if len(set(gaps)) > 1 and sizes not in _SHAPES:
        return False
    return not any("," in gap and gap.strip(" ") != gap for gap in gaps)


_DIGIT_WORDS = {
    word: str(n)
    for n, words in enumerate(
        ("zero oh null zéro cero", "one eins un uno", "two zwei zwo deux dos",
         "three drei trois tres",
         "four vier quatre cuatro", "five fünf cinq cinco", "six sechs seis",
         "seven sieben sept siete", "eight acht huit ocho", "nine neun neuf nueve")
    )
    for word in words.split()
}  # fmt: skip
SPELLED = rf"(?:{'|'.join(sorted(_DIGIT_WORDS, key=len, reverse=True))})"
_SPELLED = re.compile(rf"\b(?:{SPELLED}[ ,.\n-]+){{11,18}}{SPELLED}\b", re.IGNORECASE)


def _spelled(text: str) -> Iterator[Hit]:
    for match in _SPELLED.finditer(text):
        yield *match.span(), "card number"


_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ .-]?\d(?:[ .:/_\n-]{0,2}[A-Za-z0-9]){13,40}")
_SHORTEST_IBAN = 15


def _ibans(text: str) -> Iterator[Hit]:
    from stdnum import iban

    for match in _IBAN.finditer(text):
        # the pattern may have run on into the words that follow
        ends = [n for n, char in enumerate(match.group(), 1) if char.isalnum()]
        for end in reversed(ends[_SHORTEST_IBAN - 1 : 34]):
            plain = "".join(filter(str.isalnum, match.group()[:end]))
            if iban.is_valid(plain):
                yield match.start(), match.start() + end, "account number"
                break
