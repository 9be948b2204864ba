"""Does a text only ask? Sentence by sentence: a question beside a statement takes nothing from it."""

import re
from functools import cache

from .folding import fold
from .lexicon.asking import PHRASES
from .phrases import clauses, compiled

_ASKS = "?？؟"
# a point ends a sentence, unless it stands in a number or after a short form
_SENTENCE = re.compile(
    rf"(?:[^.!。！\n{_ASKS}]|(?<=\d)\.(?=\d)|(?<=\bno)\.(?= ?\d)|(?<=\bnr)\.(?= ?\d)"
    rf"|(?<=\b[ei])\.(?=[ge]\b)|(?<=\b[ei]\.[ge])\.|(?<=\bmr)\.|(?<=\bmrs)\.|(?<=\bdr)\.|(?<=\bst)\.)+[.!。！{_ASKS}]*",
    re.IGNORECASE,
)
_COURTESY = 6  # words of a sentence that only greets or thanks


def only_asks(text: str) -> bool:
    """Whether a text asks something and none of its sentences states anything.

    A polite wish to note something states it. A greeting, thanks and a plea for an answer state
    nothing. Pure.
    """
    said = [
        (clause, bool(set(sentence) & set(_ASKS)))
        for sentence in _SENTENCE.findall(fold(text).text)
        for clause in clauses(sentence)
    ]
    asked = any(mark or _begins("question", clause) for clause, mark in said)
    return asked and not any(_states(clause, mark) for clause, mark in said)


def _states(clause: str, mark: bool) -> bool:
    """Whether a sentence states something. mark: it ends like a question."""
    parts = [f" {part.strip()} " for part in re.split(_JOINT, clause) if part.strip()]
    parts = [part for part in parts if not _is_polite(part)]
    if not parts or _is_polite(clause):
        return False
    if any(_begins("wish", part) for part in parts):
        return True
    if mark or _begins("question", parts[0]):
        asks = [_begins("question", part) and part.count(" ") > 3 for part in parts]
        return any(asks) and any(_begins("statement", part) for part in parts)
    return not _begins("plea", parts[0])


def _is_polite(part: str) -> bool:
    """A greeting, thanks and the like, perhaps with a name."""
    short = _begins("courtesy", part) and part.count(" ") <= _COURTESY + 1
    return short and not _patterns()["statement"].search(part)


_JOINT = r" , | (?:and|but|so) (?=(?:can|could|would|will|where|when|why|how|what|is|are|do|does) )"


def _begins(what: str, clause: str) -> bool:
    return bool(_patterns()[what].match(clause, 1))


@cache
def _patterns() -> dict:
    return {name: compiled(lines, {}) for name, lines in PHRASES.items()}
