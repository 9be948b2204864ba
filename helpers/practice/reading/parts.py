"""Parts of sentences: what each is about, and which words of a question it says."""

import re
from functools import lru_cache

from .clauses import KNOWN, LONGEST, VERBS, strip_lead
from .kinds import NAMELESS, OF_WORD
from .person import expand
from .wanting import GENERIC, SMALL, Wanted
from .words import DATE, PERSONS, STOP, WORD, stem

_JOIN = re.compile(
    r"\s*[;–—]\s*|,\s+(?:and |but |so |while |yet )?|\s+(?:and|but|while|whereas|so)\s+"
)
_LABELLED = re.compile(r"\s*(?:[\w .]+\. )?\w+(?: \w+)?: ")
_MINE = re.compile(r"\b(?:i|me|we|us|mine|ours|my|our)\b", re.I)
# "... lives far away, so we seldom meet": the user comes in only after what is said of the other.
_AND_WE = re.compile(
    r",? (?:and|but|so|because|while|since|though|although|whereas) (?:i|we)\b", re.I
)
_OWNER = re.compile("['’]s$")
_SHORT_BE = re.compile("['’](?:s|m|re|ve)$")
_AFTER_BE = re.compile(
    r" (?:an?|the|on|in|at|my|not|just|been|called|now|allergic|afraid|vegan|vegetarian|\w+(?:ing|ed)|\d)\b| \w+$"
)
_PREPOSITIONS = frozenset("of for from to in at on with near by".split())
_OTHERS = frozenset("he she his her".split())
VERB_WITHIN = 10  # words


def parts_of(text: str) -> list[str]:
    """The parts of a sentence that each have a verb; the rest stays with what stands before it."""
    return list(_parts_of(text) if len(text) <= LONGEST else _parts_of.__wrapped__(text))


@lru_cache(maxsize=KNOWN)
def _parts_of(text: str) -> tuple[str, ...]:
    found: list[str] = []
    start = end = 0
    for match in [*_JOIN.finditer(text), None]:
        stop = match.start() if match else len(text)
        piece = text[start:stop]
        if found and not (_states(piece) and _states(found[-1])):
            found[-1] = text[end - len(found[-1]) : stop]
        else:
            found.append(piece)
        start, end = match.end() if match else stop, stop
    return tuple(part for part in found if part.strip())


def _states(text: str) -> bool:
    return _verb_in(text) is not None or bool(_LABELLED.match(text))


def _verb_in(text: str) -> int | None:
    """Where the verb of a part begins, among its first words."""
    for number, match in enumerate(WORD.finditer(text[:120])):
        if number == VERB_WITHIN:
            break
        word, small = match.group().lower(), match.group().islower()
        if _SHORT_BE.search(word) and _AFTER_BE.match(text, match.end()):
            return match.end()
        if word in ("is", "are") or number and (word in VERBS or small and word.endswith("ed")):
            return match.start()
        if number == 1 and text[:1].isupper() and small and re.fullmatch(r"[a-z]{3,}s", word):
            return match.start()
    return None


def subject_of(part: str) -> list[str]:
    """The words before the verb; [] without a verb."""
    at = _verb_in(part)
    return WORD.findall(part[:at]) if at else []


def _head(subject: list[str]) -> list[str]:
    """A subject without what follows its first preposition: "the bus" of "the bus from the station"."""
    at = next((i for i, w in enumerate(subject) if i and w.lower() in _PREPOSITIONS), len(subject))
    return subject[:at]


def heads_of(part: str) -> set[str]:
    """The stems of what a part is about."""
    return _heads(subject_of(part))


def _heads(subject: list[str]) -> set[str]:
    return {stem(w) for w in _head(subject) if w.lower() not in STOP | NAMELESS}


def first_word(part: str) -> str:
    """The first word that is more than "well" or "actually", in small letters."""
    words = WORD.findall(strip_lead(expand(part[:80])))
    return words[0].lower() if words else ""


def covered(text: str, wanted: Wanted) -> frozenset[str]:
    """The words of the question that a text says."""
    said = {stem(w) for w in WORD.findall(text)}
    return frozenset(word for word, near in wanted.near.items() if near & said)


def is_open(part: str, value: str, known: frozenset[str]) -> bool:
    """Whether a part names nothing of its own: all its words are the question's, or its value."""
    subject = subject_of(part)
    if {w.lower() for w in subject} & {"i", "we"}:
        words = WORD.findall(part.replace(value, ""))
    else:
        words = subject or WORD.findall(part.partition(value)[0])
    allowed = known | GENERIC | set(OF_WORD) | {stem(w) for w in WORD.findall(value)}
    return all(stem(w) in allowed for w in words if w.lower() not in STOP | NAMELESS | SMALL)


def about_it(part: str, wanted: Wanted) -> bool:
    """Whether the words of the question are more than the tail of another subject ("the bus to ...")."""
    subject = subject_of(part)
    heads = _heads(subject)
    if len(_head(subject)) == len(subject) or not heads or heads & wanted.words:
        return True
    said = {stem(w) for w in WORD.findall(part)[len(subject) :]}
    return any(near & said for near in wanted.near.values())


def about_another(part: str, wanted: Wanted, lent: bool = False) -> bool:
    """Whether a part is about somebody that the question is not about."""
    known, by_name = wanted.words, wanted.kind in ("who", "name")
    subject = subject_of(strip_lead(part))
    others = [
        w for i, w in enumerate(subject) if stem(w) not in known and _is_person(w, i, subject)
    ]
    if any(_OWNER.search(w) for w in subject[:-1] if w in others):
        return True
    if wanted.mine:
        if first_word(part) in _OTHERS and not _MINE.search(part):
            return True
        # The "my" of "my sister" is no sign of the user himself.
        rest = re.sub(r"^\W*(?:\w+ )?(?:my|our)\b", "", part, flags=re.I) if others else part
        rest = _AND_WE.split(rest)[0] if others else rest
        strange = others and not by_name or _heads(subject) and not _heads(subject) & known
        return bool(strange) and not _MINE.search(rest)
    if wanted.people:
        owned = any(_OWNER.search(w) for w in subject[:-1])
        asked = {stem(w) for w in subject} & wanted.people or by_name
        if any(stem(w) in PERSONS for w in others) and (owned or not asked):
            return True
        by_me = first_word(part) in ("i", "we") and wanted.kind != "who"
        return by_me and wanted.acting and not lent
    return False


def _is_person(word: str, at: int, subject: list[str]) -> bool:
    """A relation, or a name; a capital at the beginning may be no name."""
    if stem(word) in PERSONS:
        return True
    named = word[0].isupper() and word.lower() not in NAMELESS | STOP and not DATE.search(word)
    return named and (at > 0 or len(subject) == 1 or bool(_OWNER.search(word)))
