"""Names in a sentence: words with a capital that are not only the first of their sentence."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from .wording import OPENERS

_TOKEN = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
_JOINING = frozenset("of de la le du van von der den the al bin".split())
_AFTER_NAME = re.compile(
    r"\s+(?:is|was|has|had|will|can|cannot|must|does|did|may|and|or|says|said|left|came|went|\w+[^s\W]s|\w+ed)\b"
)


@dataclass(frozen=True)
class Name:
    """A name: as written, its words in small letters without "'s", where it begins."""

    said: str
    words: tuple[str, ...]
    at: int


def names(text: str, known: Collection[str]) -> Iterator[Name]:
    """Runs of words with a capital. `known`: words, in small letters, that are names elsewhere, so
    that they are read as such at the beginning of a sentence too."""
    run: list[re.Match] = []
    tokens = list(_TOKEN.finditer(text))
    for n, token in enumerate(tokens):
        if _is_capital(token.group()) and not (not run and _opens(text, token, known)):
            run.append(token)
        elif not (run and token.group() in _JOINING and _goes_on(text, tokens, n)):
            yield from _name(text, run)
            run = []
            continue
        if n + 1 == len(tokens) or text[token.end() : tokens[n + 1].start()].strip(" "):
            yield from _name(text, run)
            run = []


def _is_capital(word: str) -> bool:
    return word[0].isupper() and word.casefold() not in OPENERS


def _goes_on(text: str, tokens: list[re.Match], n: int) -> bool:
    """Whether a small word stands between two parts of one name."""
    if n + 1 >= len(tokens) or text[tokens[n].end() : tokens[n + 1].start()] != " ":
        return False
    return _is_capital(tokens[n + 1].group()) and tokens[n - 1].end() + 1 == tokens[n].start()


def _opens(text: str, token: re.Match, known: Collection[str]) -> bool:
    """Whether the capital is only that of a sentence's first word."""
    before = text[: token.start()].rstrip(" \"'“‘”([*_-–—\t")
    if before and before[-1] not in ".!?:":
        return False
    word = _bare(token.group())
    if word in known or word != token.group().casefold():
        return False
    after = text[token.end() : token.end() + 40]
    follows = re.match(r"\s+([^\W\d_]\w*)", after)
    return not (_AFTER_NAME.match(after) or follows and _is_capital(follows[1]))


def _name(text: str, run: list[re.Match]) -> Iterator[Name]:
    if run:
        said = text[run[0].start() : run[-1].end()]
        words = tuple(_bare(token.group()) for token in _TOKEN.finditer(said))
        yield Name(said, words, run[0].start())


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$", "", word.casefold()).replace("’", "'")
