"""The sentences of a request side by side with their lower-case twins, searched without a loop over
them: a string is looked for in one long text, and only where it stands is a sentence looked up."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from .clauses import sentences_of

COMMON = 8  # a string with more hits than an eighth of the sentences is looked for in each of them


@dataclass(frozen=True)
class Line:
    """One sentence of a user turn or of the system prompt, and its lower-case twin for searching."""

    text: str
    low: str
    turn: int  # the turn it stands in; -1 for the system prompt

    @property
    def own(self) -> bool:
        """Whether the user said it."""
        return self.turn >= 0


class Lines(Sequence):
    """Sentences in their order. `texts` and `turns` run in parallel; no text holds a line break."""

    def __init__(self, texts: list[str], turns: list[int]):
        self.texts, self.turns = texts, turns
        self._made: dict[int, Line] = {}
        self._having: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: int) -> Line:
        if index not in self._made:
            self._made[index] = Line(self.texts[index], self.lows[index], self.turns[index])
        return self._made[index]

    @cached_property
    def whole(self) -> str:
        """All of them in small letters, a line each."""
        return "\n".join(self.texts).lower()

    @cached_property
    def lows(self) -> list[str]:
        return self.whole.split("\n") if self.texts else []

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(low) + 1 for low in self.lows)]

    def having(self, form: str) -> list[int]:
        """Where the sentences with this string stand, in their order."""
        if form not in self._having:
            self._having[form] = self._find(form)
        return self._having[form]

    def _find(self, form: str) -> list[int]:
        if form not in self.whole:
            return []
        if self.whole.count(form) * COMMON > len(self.lows):
            return [i for i, low in enumerate(self.lows) if form in low]
        found = []
        at = self.whole.find(form)
        while at >= 0:
            found.append(bisect_right(self._starts, at) - 1)
            at = self.whole.find(form, self._starts[found[-1] + 1])
        return found

    def with_any(self, forms: Iterable[str]) -> set[int]:
        """The sentences that hold one of these strings. A form nobody uses costs one search."""
        found: set[int] = set()
        for form in forms:
            found.update(self.having(form))
        return found


def lines_of(texts: list[str], turns: list[int]) -> Lines:
    """The sentences of several texts, each with the number of the turn its text stands in."""
    found, places = sentences_of(texts)
    return Lines(found, [turns[place] for place in places])
