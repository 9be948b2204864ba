"""A text as a reader sees it: odd characters become plain ones, and what cannot be seen goes.

Guards look at the folded text, so that how a secret or an order is written does not hide it.
"""

import re
import unicodedata
from dataclasses import dataclass

# Letters of other alphabets that common fonts draw like Latin ones.
_ALIKE = dict(
    zip(
        "АВЕКМНОРСТХаеорсухіјѕԁһԛԝӏІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαν",
        "ABEKMHOPCTXaeopcyxijsdhqwlIJSABEZHIKMNOPTYXoav",
        strict=True,
    )
)
_INVISIBLE = {"Cf", "Cc", "Cs", "Co", "Cn"}  # formats, controls, half characters, none at all
_MARKS = {"Mn", "Me"}  # accents of their own: part of a letter in many alphabets, not in Latin
_FILLERS = "\u115f\u1160\u3164\uffa0\u2800"  # letters and signs that show nothing
_DASHES = "‐‑‒–—―−﹣－"
_LINES = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


_PLAIN = re.compile(r"[ -~\n\t]*")


@dataclass(frozen=True)
class Folded:
    """text: the folded one. places: for each of its characters, the place in the original."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Start and end in the original of a stretch of the folded text, not empty."""
        return self.places[start], self.places[end - 1] + 1


def fold(text: str) -> Folded:
    """Compatibility forms (full width, circled, mathematical) become plain, digits those of ASCII,
    spaces and dashes the common ones, look-alikes in Latin words Latin; what is invisible goes."""
    if _PLAIN.fullmatch(text):
        return Folded(text, tuple(range(len(text))))
    made: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if unicodedata.category(char) in _MARKS and (not made or made[-1].isascii()):
            continue
        for plain in _plain(char):
            made.append(plain)
            places.append(place)
    return Folded(_latin("".join(made)), tuple(places))


def _plain(char: str) -> str:
    if (char.isascii() and char.isprintable()) or char in "\n\t":
        return char
    if char in _LINES:
        return "\n"
    if not visible(char):
        return ""
    if char in _DASHES:
        return "-"
    made = []
    for plain in unicodedata.normalize("NFKC", char):
        digit = unicodedata.digit(plain, None)
        if digit is not None:
            made.append(str(digit))
        elif visible(plain):
            made.append(" " if plain.isspace() else plain)
    return "".join(made)


def visible(char: str) -> bool:
    """Whether a character shows something, or is a space."""
    return unicodedata.category(char) not in _INVISIBLE and char not in _FILLERS


def is_latin(char: str) -> bool:
    return "a" <= char.lower() <= "z"


def _latin(text: str) -> str:
    """Look-alikes become Latin in words that mix them with Latin letters, and in words that are
    made of nothing else when the text is a Latin one."""
    if text.isascii():
        return text
    mostly = sum(map(is_latin, text)) > sum(c.isalpha() and not c.isascii() for c in text)
    made = list(text)
    for start, word in words_of(text):
        alike = [_ALIKE.get(c, c) for c in word]
        if mixes(word) or (mostly and all(map(is_latin, alike))):
            made[start : start + len(word)] = alike
    return "".join(made)


def words_of(text: str) -> list[tuple[int, str]]:
    """The unbroken runs of letters, with where they begin."""
    found, start = [], None
    for place, char in enumerate(text + " "):
        if char.isalpha():
            start = place if start is None else start
        elif start is not None:
            found.append((start, text[start:place]))
            start = None
    return found


def mixes(word: str) -> bool:
    """Whether a word has Latin letters and look-alikes of another alphabet."""
    return any(map(is_latin, word)) and any(c in _ALIKE for c in word)


def bare(text: str) -> str:
    """Folded, in small letters, Latin letters without their accents: for looking words up."""
    small = fold(text).text.lower()
    if small.isascii():
        return small
    made = []
    for char in small:
        base = unicodedata.normalize("NFD", char)[0]
        made.append(base if is_latin(base) else char)
    return "".join(made).replace("ß", "ss").replace("ø", "o").replace("ł", "l").replace("ı", "i")
