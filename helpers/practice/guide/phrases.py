"""Small readings of one folded sentence: what is denied, liked, disliked, and of whom."""

import re

from .atlas import fold

_NOT = re.compile(
    r"\b(?:not|no|never|nor|without|avoid(?:s|ing)?|except|rather than|instead of|anywhere but|free of|fewer|less|nothing)\b"
)
_DISLIKE = re.compile(
    r"\b(?:(?:dis|does not |do not |did not |not |never )likes?|hates?|detests?|loathes?|avoids?|cannot (?:stand|bear|take|handle|eat|have|tolerate|digest)"
    r"|(?:does|do) not (?:enjoy|want|care for|eat)|not (?:fond|a fan) of|afraid of|bothered by)\b"
)
LIKE = re.compile(r"(?<!not )\b(?:likes?|loves?|enjoys?|adores?|fond of)\b")
_BREAK = re.compile(r"[;.!?\n]|\bbut\b|\bso\b|\band (?=(?:i|we|he|she|they|my|our)\b)")
_COMMA = re.compile(r"[,;:.!?\n]|\bbut\b")
_HOLDER = re.compile(
    r"\b(my \w+|the user's \w+|the user|i|we)\b(?= (?:\w+ )?(?:am|is|are|was|has|have|needs?|eats?|cannot|do|does|must|keep)\b)"
)
_NAMED = re.compile(
    r"\b([A-Z][\w'-]+)(?= (?:\w+ )?(?:is|was|has|needs|eats|cannot|does|must|keeps)\b)"
)
_NO_NAMES = frozenset(
    "i my our his her their the he she they it we you this that there what who which where".split()
)


def negated(text: str, at: int) -> bool:
    """Whether a "not" or its like stands before, in the same part of the sentence."""
    before = _COMMA.split(text[:at])[-1]
    return bool(_NOT.search(before)) and not re.search(r"\bnot only\b", before)


def dislikes(text: str, at: int) -> bool:
    """Whether a dislike is said before, and nothing liked since."""
    before = _BREAK.split(text[:at])[-1]
    last = max((m.start() for m in _DISLIKE.finditer(before)), default=-1)
    return last >= 0 and not any(m.start() > last + 8 for m in LIKE.finditer(before))


def refused(text: str, at: int) -> bool:
    """Whether "no" or "without" stands right before."""
    return bool(re.search(r"\b(?:no|without) (?:more |any )?$", text[:at]))


def likes(text: str, at: int) -> bool:
    """Whether it is said to be liked."""
    return bool(LIKE.search(_BREAK.split(text[:at])[-1])) and not dislikes(text, at)


def past(text: str) -> bool:
    """Whether the sentence tells of the past."""
    return bool(re.search(r"\b(?:had|ate|went|visited|was|were|spent|saw|gets? to)\b", text))


def holder_of(text: str, line: str, at: int) -> str:
    """Who is spoken of at that place of the sentence: a name, "father", or "i"; "" if unclear."""
    found = []
    for name in _NAMED.findall(line):
        if fold(name) not in _NO_NAMES and fold(name) in text:
            found.append((text.index(fold(name)), fold(name)))
    for match in _HOLDER.finditer(text):
        who = match[1]
        own = who in ("i", "we", "the user")
        found.append((match.start(), "i" if own else who.rpartition(" ")[2]))
    found.sort()
    before = [who for start, who in found if start <= at]
    return before[-1] if before else found[0][1] if found else ""
