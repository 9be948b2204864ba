"""Saying back what was asked: "do I live" becomes "whether you live"."""

import re

from .person import to_second

AUXILIARY = re.compile(
    r"^(am|is|are|was|were|do|does|did|have|has|had|can|could|should|may|must|will|would|might)\b"
    r"\s*(not\s+)?",
    re.I,
)
_PARTICIPLE = re.compile(r"(?:ed|ing|born|called|named|due|kept|from|at|parked|scheduled)$", re.I)


_SUBJECT = re.compile(
    r"(?:i|we|you|he|she|it|they|my|our|the|his|her|their|this|that|these|those|a|an)$|.*'s$", re.I
)


def topic_of(wh: str, rest: str) -> str:
    """ "is my lucky number" after "what" is "your favourite colour"."""
    words = rest.split()
    if not words:
        return ""
    first = words[0].lower()
    if wh in ("what", "who", "which") and first in ("is", "are", "was", "were") and len(words) > 1:
        phrase = " ".join(words[1:])
        if words[1].lower() != "i" and not _PARTICIPLE.search(phrase):
            return (
                ("who " if wh == "who" else "")
                + to_second(phrase)
                + (f" {first}" if wh == "who" else "")
            ).strip()
    lead, index = [wh], 0
    while index < len(words) and not AUXILIARY.match(words[index].lower() + " ") and index < 4:
        lead.append(words[index])
        index += 1
    after = words[index + 1 : index + 2]
    asks_subject = (
        index and wh in ("what", "which", "how many") and after and not _SUBJECT.match(after[0])
    )
    if index >= len(words) or asks_subject:
        return to_second(" ".join([wh, *words]))
    return to_second(" ".join([*lead, *_uninvert(words[index].lower(), words[index + 1 :])]))


def whether(rest: str, aux: str) -> str:
    """ "do I like olives" is "whether you like olives"."""
    if not rest.strip():
        return ""
    return to_second("whether " + " ".join(_uninvert(aux, rest.split())))


def _uninvert(aux: str, rest: list[str]) -> list[str]:
    """Question order to statement order: "do I live", "I live"; "is my flight", "my flight is"."""
    if not aux or not rest:
        return rest
    if aux in ("do", "did"):
        return rest
    size = 1
    if rest[0].lower() not in ("i", "we", "you", "he", "she", "it", "they"):
        size = (
            2
            if rest[0].lower() in ("my", "our", "the", "his", "her", "their", "this", "that")
            else 1
        )
        while size < len(rest) and (
            rest[size - 1].endswith("'s") or rest[size - 1].lower() in ("favourite", "favorite")
        ):
            size += 1
        if aux not in ("does", "can", "could", "should", "will", "would", "may", "must", "might"):
            tail = len(rest)
            while tail > size and (
                _PARTICIPLE.search(rest[tail - 1])
                or rest[tail - 1].lower() in ("in", "on", "to", "with")
            ):
                tail -= 1
            size = max(size, tail) if tail < len(rest) or True else size
    subject, verb = rest[:size], rest[size:]
    if aux == "does":
        return [*subject, *([_third(verb[0]), *verb[1:]] if verb else [])]
    return [*subject, aux, *verb]


def _third(verb: str) -> str:
    if verb.lower() == "have":
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb + "s"
