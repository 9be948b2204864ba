"""A list that the user keeps: "put two chairs on my list", "and a lamp, please", "take the lamp off"."""

import re

from .clauses import is_question
from .memory import Memory
from .words import WORD, content

_POLITE = r"(?:(?:can|could|would|will) you )?(?:(?:and|also|please|just|ok|oh)[, ]+)*"
_PUT = re.compile(
    rf"^{_POLITE}(?:put|add|stick|write|note)(?: down)? (.+?) (?:on|to|onto|in) (?:my|the|our) (?:\w+ )?list\b", re.I
)  # fmt: skip
_TAKE = re.compile(
    r"\b(?:take|remove|cross|delete|scratch|drop) (.+?) (?:off|from)(?: of)? (?:my|the|our) (?:\w+ )?list\b"
    r"|\b(?:take|cross|drop) (?:off )?(.+?)(?: off)?(?:,? please)?[.!]?$",
    re.I,
)
_ALSO = re.compile(
    r"^(?:(?:oh|ok|and|also|plus)[, ]+)+(.+?)(?:,? (?:please|too|as well|thanks))*[.!]?$", re.I
)
ASKS = re.compile(r"\bwhat\b.*\b(?:on|in) (?:my|the|our) ((?:\w+ )?list)\b|\b(?:read|show|give|tell) me (?:my|the|our) ((?:\w+ )?list)$", re.I)  # fmt: skip
MOST_WORDS = 8  # of one thing on a list


def items_told(memory: Memory) -> list[tuple[int, str, bool]]:
    """(sentence, thing, whether it was put on the list or taken off), oldest first."""
    found: list[tuple[int, str, bool]] = []
    for start in sorted(memory.with_any((" list",))):
        index = start
        while index < len(memory.lines) and (item := _item(memory.lines[index], index > start)):
            if not found or index > found[-1][0]:
                found.append((index, *item))
            index += 1
    return found


def _item(line, following: bool) -> tuple[str, bool] | None:
    text = line.text.rstrip("?")
    if not line.own:
        return None
    if match := _PUT.match(text):
        return match[1], True
    if match := _TAKE.search(text):
        return (match[1] or match[2], False) if match[1] or following else None
    if following and not is_question(line.text) and (match := _ALSO.match(text)):
        return (match[1], True) if len(match[1].split()) <= MOST_WORDS else None
    return None


def items_on(memory: Memory) -> list[str]:
    """What is on the list now."""
    kept: list[str] = []
    for _, item, on in items_told(memory):
        words = content(WORD.findall(item))
        kept = [other for other in kept if on or not content(WORD.findall(other)) & words]
        if on:
            kept.append(item)
    return kept
