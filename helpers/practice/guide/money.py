"""Numbers and sums of money in a folded sentence."""

import re

from ..reading.words import NUMBER_WORDS
from .atlas import fold

_NUMBER = (
    r"(\d{1,4}(?:[.,]\d{1,2})?|" + "|".join(sorted(NUMBER_WORDS - {"no", "none", "couple"})) + ")"
)
_COUNT = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}  # fmt: skip
_TENS = {w: 10 * n for n, w in enumerate("ten twenty thirty forty fifty sixty seventy eighty ninety".split(), 1)}  # fmt: skip


def number(word: str) -> float | None:
    """A figure or a small number word as a number."""
    word = word.replace(",", ".")
    if re.fullmatch(r"\d{1,6}(?:\.\d{1,2})?", word) and word.isascii():
        return float(word)
    return _COUNT.get(word) or _TENS.get(word)


def amount(text: str, currency: str, *, bare: bool = False) -> float | None:
    """The first sum of money that is not denied; with `bare`, a plain number will do.

    Of "from 28 to 40 euros" it is the second.
    """
    unit = rf"(?:{re.escape(fold(currency).removesuffix('s'))}s?|eur|euros?|dollars?|pounds?|[€$£])"
    money = re.compile(rf"(?:[€$£] ?){_NUMBER}(?!\w)|\b{_NUMBER} ?{unit}(?!\w)")
    plain = re.compile(rf"(?<![\w.,]){_NUMBER}(?![\w:]|[.,]\d)")
    for pattern in (money, plain) if bare else (money,):
        found = [m for m in pattern.finditer(text) if not _over(text, m.start())]
        for match in found:
            value = number(next(g for g in match.groups() if g))
            if value is not None:
                return value
    return None


def _over(text: str, at: int) -> bool:
    before = text[max(0, at - 24) : at]
    return bool(re.search(r"\b(?:not|no longer|instead of|from|rather than)(?: was)? $", before))
