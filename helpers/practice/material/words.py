"""The root of a word: its stem, taken until nothing changes ("servings", "serving", "serves")."""

from functools import lru_cache

from ..reading.words import STOP, WORD, stem


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """The stem of a word and of that stem."""
    first = stem(word)
    return stem(first) if first.isalpha() else first


def roots(text: str) -> list[str]:
    """The roots of all words of a text, in their order."""
    return [root(word) for word in WORD.findall(text)]


@lru_cache(maxsize=16_384)
def content_of(text: str) -> frozenset[str]:
    """The roots of the words that carry a meaning."""
    return frozenset(root(w) for w in WORD.findall(text) if w.lower() not in STOP)
