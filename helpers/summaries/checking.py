"""Does a new summary hold what the old one and the dropped turns state?"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil

from .stated import Fact, facts
from .stating import held
from .values import values
from .wording import plain, sentences, squash, stems

SHARE = 0.6  # of the words of a promise or a trait must stand together in the new summary


@dataclass(frozen=True)
class SummaryCheck:
    """What a summary keeps and what it misses; `score` is kept / (kept + missing), from 0 to 1."""

    kept: tuple[Fact, ...]
    missing: tuple[Fact, ...]

    @property
    def score(self) -> float:
        """1.0 when nothing is asked for."""
        asked = len(self.kept) + len(self.missing)
        return len(self.kept) / asked if asked else 1.0


def check_summary(new: str, old: str, dropped: Iterable) -> SummaryCheck:
    """Compare the summary `new` with what the summary `old` and the messages `dropped` state.

    Asked for are order numbers and other codes, amounts, dates, times, addresses, quantities,
    names, promises, and what somebody is, likes or needs, as far as no later statement replaced
    them (see `stated.facts`). Forms do not matter: "14 October" is "Oct 14", "40 dollars" is "$40",
    "1,200" is "1200", "three" is "3". A number must stand in a sentence that shares a word with its
    own; of a promise or a trait 60 % of the words must stand together. A sentence that is repeated
    word for word is always kept. Each missing fact comes with the sentence that carries it.

    It reads forms of English, no meanings: it can ask for something unimportant, and does not see
    that a value stands beside the wrong thing. Never raises on odd text.
    """
    asked = facts(old, dropped)
    written = Written(new, [fact.value for fact in asked if fact.kind == "name"])
    kept = [fact for fact in asked if written.has(fact)]
    missing = [fact for fact in asked if not written.has(fact)]
    return SummaryCheck(tuple(kept), tuple(missing))


@dataclass
class _Sentence:
    keys: frozenset[str]
    stems: frozenset[str]


@dataclass
class Written:
    """A summary, read once for many questions. `names`: names that may stand in it."""

    text: str
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        known = {word.casefold() for name in self.names for word in name.split()}
        self.squashed = squash(self.text)
        self.sentences = []
        for raw in sentences(self.text):
            now, _ = held(plain(raw))
            keys = frozenset().union(*(value.gives for value in values(now, known)))
            self.sentences.append(_Sentence(keys, stems(now)))
        now = " ".join(held(plain(raw))[0] for raw in sentences(self.text))
        self.words = (
            " " + " ".join(re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", now.casefold()))) + " "
        )
        self.compact = re.sub(r"[\s_/-]", "", now.casefold())

    def has(self, fact: Fact) -> bool:
        """Whether the summary states the fact."""
        if all(squash(part) in self.squashed for part in sentences(fact.sentence)):
            return True
        if fact.kind in ("promise", "trait"):
            return self._has_words(fact.about)
        if fact.kind == "name":
            return self._has_name(fact)
        near = [s for s in self.sentences if s.keys & fact.asks]
        if fact.kind == "code" and not near:
            codes = [key.partition(":")[2] for key in fact.asks]
            return any(len(code) >= 5 and code in self.compact for code in codes)
        if fact.kind != "number" or not fact.about or _is_reference(fact):
            return bool(near)
        return any(s.stems & fact.about for s in near)

    def _has_name(self, fact: Fact) -> bool:
        for key in fact.asks:
            name = " ".join(re.findall(r"[^\W_]+", key.partition(":")[2]))
            if f" {name} " in self.words or f" {name}s " in self.words:
                return True
        return False

    def _has_words(self, words: frozenset[str]) -> bool:
        needed = ceil(SHARE * len(words))
        for n, sentence in enumerate(self.sentences):
            after = self.sentences[n + 1].stems if n + 1 < len(self.sentences) else frozenset()
            if len(words & (sentence.stems | after)) >= needed:
                return True
        return False


def _is_reference(fact: Fact) -> bool:
    """An order number is known by itself; a small number only with what it counts."""
    return any(len(key.partition(":")[2]) >= 4 for key in fact.asks)
