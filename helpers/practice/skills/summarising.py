"""Summarising: plain prose in the third person from the material that the request carries, the newest
word on each thing. What it was told not to leave out, it keeps; else see `weaknesses.fades`."""

import re

from ..reading.clauses import sentences
from ..reading.words import NUMBER_WORDS, WORD, content
from ..request import Reply, Request, say
from ..retelling.facts import apart, items_of
from ..retelling.material import Material, material_of
from ..retelling.newest import Item
from ..retelling.third_person import to_third
from ..tokenizer import count_text
from ..weaknesses import fades

NOTHING = "Nothing was stated that a summary could keep."
_WORDS = re.compile(
    r"\b(?:at most|no more than|under|within|up to|in|about|maximum(?: of)?|max\.?|limit of)\s+(\d{1,5})[- ]words?"
    r"|\b(\d{1,5}) words? (?:or (?:fewer|less)|at most|max)",
    re.I,
)
_SENTENCES = re.compile(
    r"\b(?:at most |no more than |in |write )(one|two|three|four|five|a single|\d{1,2})(?: \w+)? sentences?\b", re.I
)  # fmt: skip
_NUMBERS = {"a single": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_TRAIT = re.compile(
    r"\b(?:allerg|vegan|vegetarian|likes?|loves?|dislikes?|hates?|prefers?|needs?|must|cannot|favou?rite"
    r"|reminded|promise|will|name)",
    re.I,
)


def answer(request: Request) -> Reply | None:
    """A summary; None if none is asked for, or of nothing that the request carries."""
    material = material_of(request)
    if material is None:
        return None
    request.worked_out["rules"] = []  # rules inside the material are not for this reply
    wanted = _Wanted(material.wanted, material.named)
    lines: list[str] = []
    for item in items_of(material):
        lines += _retold(item, wanted)
    added = wanted.not_in(lines)
    older = [line for line in added if line in material.old]
    lines = list(dict.fromkeys([*older, *lines, *added]))
    text = " ".join(_chosen(lines, material, wanted, request.body.get("max_tokens") or 1_000))
    return say(text or NOTHING)


class _Wanted:
    """What the request names as left out, or as not to be left out."""

    def __init__(self, wanted: str, named: str):
        self.text = text = f"{wanted}\n{named}".strip()
        self.lines = [line for line in (_plain(line) for line in wanted.split("\n")) if line]
        self.words = content(WORD.findall(text))
        self.details = _details(text)

    def names(self, text: str) -> bool:
        """Whether a detail of the text, or most of its words, are asked for by name."""
        words = content(WORD.findall(text))
        shared = words & self.words
        return (
            bool(_details(text) & self.details and len(shared) > 1)
            or bool(words)
            and shared == words
        )

    def not_in(self, lines: list[str]) -> list[str]:
        """Sentences that are wanted and that no line holds, in the third person."""
        have = " ".join(lines)
        said = content(WORD.findall(have)) | {w.lower() for w in WORD.findall(have)}
        return [
            line
            for line in self.lines
            if len(line.split()) > 2 and not content(WORD.findall(line)) <= said
        ]


_SAID = re.compile(r"The (user|assistant) said: [\"“](.+?)[\"”]*\.?$", re.I)


def _plain(line: str) -> str:
    """One wanted line as a sentence of a summary: no bullet, no remark in brackets after it."""
    line = re.sub(r"^[-*•\d.) ]+", "", line.strip())
    line = re.sub(r"\s*\([^()]*\)$", "", line)
    if match := _SAID.match(line):
        told = [
            to_third(s, "user" if match[1].lower() == "user" else "model")
            for s in sentences(match[2])
        ]
        line = " ".join(told)
    line = line.rstrip(" .!?")
    return f"{line[0].upper()}{line[1:]}." if line else ""


def _details(text: str) -> set[str]:
    """Figures and names."""
    words = WORD.findall(text)
    return {
        w.lower().removesuffix("'s")
        for n, w in enumerate(words)
        if any(c.isdigit() for c in w) or w.lower() in NUMBER_WORDS or n and w[0].isupper()
    } - {"i", "the", "one"}  # fmt: skip


def _retold(item: Item, wanted: _Wanted) -> list[str]:
    """The item as it comes out: faded if it was in a summary before, whole if it is asked for."""
    if not item.repeated:
        return [item.text]
    short = fades(item.text)
    if short == item.text:
        return [short]
    lost = (
        item.text[len(short.rstrip(".")) :]
        if item.text.startswith(short.rstrip("."))
        else item.text
    )
    if wanted.text and (wanted.names(lost) or item.text in wanted.text):
        return apart(item.text)
    return [short]


def _weight(line: str, wanted: _Wanted) -> int:
    return (
        2 * len(_details(line))
        + 5 * bool(_TRAIT.search(line))
        + 9 * (bool(wanted.text) and wanted.names(line))
    )


def _chosen(lines: list[str], material: Material, wanted: _Wanted, max_tokens: int) -> list[str]:
    """As many lines as the limits allow, the weightiest ones, in their order."""
    words, most = _limits(material.instruction)
    order = sorted(range(len(lines)), key=lambda n: (-_weight(lines[n], wanted), -n))
    kept: list[int] = []
    tokens = count = 0
    for n in order:
        costs, long = count_text(" " + lines[n]), len(lines[n].split())
        if tokens + costs <= max_tokens - 1 and count + long <= words and len(kept) < most:
            kept.append(n)
            tokens, count = tokens + costs, count + long
    return [lines[n] for n in sorted(kept)]


def _limits(instruction: str) -> tuple[int, int]:
    """At most so many words, and so many sentences."""
    words = [int(a or b) for a, b in _WORDS.findall(instruction)]
    counts = [m[1].lower() for m in _SENTENCES.finditer(instruction)]
    numbers = [_NUMBERS.get(n) or int(n) for n in counts]
    return min(words, default=100_000), min(numbers, default=100_000)
