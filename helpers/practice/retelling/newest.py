"""The newest word on each thing: what a later sentence makes of the ones before it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..reading.person import user_to_first
from ..reading.statements import Statement
from ..reading.words import DATE, NUMBER_WORDS, PERSONS, TIME, WORD, content, stem


@dataclass
class Item:
    """One sentence of the summary to be: what it says, and what it was made of."""

    text: str
    statements: list[Statement] = field(default_factory=list)
    repeated: bool = False  # it stood in the old summary


_OVER = re.compile(
    r"(?:,| and| but|;|\()? ?(?:not (?:on |in |at |to |for |from )?(?=[\w$€£])|no longer (?:on |in |at |to )?"
    r"|instead of |rather than )([^,;.!?]*)(?: but)?",
    re.I,
)
_CHANGED = re.compile(r"\b(?:now|moved|changed|instead|rescheduled|postponed|new)\b", re.I)


class Items:
    """The sentences of a summary to be, in their order. What a later one replaces is found by what it
    is about, so that a long conversation takes no more than its share of time."""

    def __init__(self) -> None:
        self.by_number: dict[int, Item] = {}
        self._next = 0
        self._about: dict[object, set[int]] = {}  # what a statement is about: which items
        self._said: Counter[str] = Counter()

    def all(self) -> list[Item]:
        return list(self.by_number.values())

    def append(self, item: Item) -> None:
        """Puts an item last, whatever the others say."""
        self._put(self._next, item)
        self._next += 1

    def put(self, number: int, item: Item) -> None:
        """Puts an item in the place of another."""
        self._remove(number, keep_place=True)
        self._put(number, item)

    def add(self, more: Iterable[Item]) -> None:
        """Adds the items of a later sentence, and takes away what these replace."""
        for new in more:
            if not new.text:
                continue
            if _DONE.search(new.text):
                for number, item in list(self.by_number.items()):
                    if _is_done(item, new):
                        self._remove(number)
            for statement in new.statements:
                self._give_way(statement)
            if not self._said[_bare(new.text)]:
                self.append(new)

    def _give_way(self, newer: Statement) -> None:
        near = {n for key in _keys(newer) for n in self._about.get(key, ())}
        for number in sorted(self.by_number) if contrast(newer.text) else sorted(near):
            item = self.by_number[number]
            left = next(_without(item, newer), None)
            if left is None:
                self._remove(number)
            elif left is not item:
                self.put(number, left)

    def _put(self, number: int, item: Item) -> None:
        self.by_number[number] = item
        self._said[_bare(item.text)] += 1
        for statement in item.statements:
            for key in _keys(statement):
                self._about.setdefault(key, set()).add(number)

    def _remove(self, number: int, keep_place: bool = False) -> None:
        item = self.by_number[number]
        if not keep_place:
            del self.by_number[number]
        self._said[_bare(item.text)] -= 1
        for statement in item.statements:
            for key in _keys(statement):
                self._about[key].discard(number)


def _keys(statement: Statement) -> list[object]:
    """Statements that replace one another share one of these: see `_replaces`."""
    keys: list[object] = [statement.words - {"like", "eat"}]
    if statement.about:
        keys.append((statement.root, statement.owners, statement.about))
    return keys


_DONE = re.compile(r"\b(?:already|done|back|bought|sent|returned|posted|gave)\b", re.I)


def _is_done(item: Item, new: Item) -> bool:
    """Whether a thing to be reminded of is told to be done: the two share words."""
    shared = content(WORD.findall(item.text)) & content(WORD.findall(new.text))
    return "to be reminded" in item.text and len(shared - {stem("user"), "back"}) >= 2


def _bare(text: str) -> str:
    return " ".join(WORD.findall(text.lower()))


def _without(item: Item, newer: Statement) -> Iterator[Item]:
    """The item, or what is left of it after what `newer` says."""
    if any(_replaces(newer, older) for older in item.statements):
        return
    for match in contrast(newer.text):
        wrong = content(WORD.findall(match[1]))
        said = content(WORD.findall(user_to_first(item.text)))
        rest = (newer.words - wrong) & (said - wrong) or newer.owners & said
        if wrong and wrong <= said and (rest or newer.root == "user"):
            left = _less(item.text, wrong)
            if left:
                yield Item(left, [], item.repeated)
            return
    yield item


def _less(text: str, wrong: frozenset[str]) -> str:
    """A sentence without those of its parts that hold a word that is wrong now."""
    parts = re.split(r"(,? and |, |; | but )", text.rstrip("."))
    kept = [0] if not content(WORD.findall(parts[0])) & wrong else []
    if not kept:
        return ""
    kept += [n for n in range(2, len(parts), 2) if not content(WORD.findall(parts[n])) & wrong]
    out = parts[0]
    for n in kept[1:]:
        out += parts[n - 1] + parts[n]
    return sentence(out)


def _replaces(newer: Statement, older: Statement) -> bool:
    """Another value of the same thing of the same person, or the same said the other way round."""
    if newer.text == older.text:
        return False
    verbs = {"like", "eat"}
    if newer.words - verbs == older.words - verbs and newer.negative != older.negative:
        return True
    if not newer.about or (newer.root, newer.owners, newer.about) != (older.root, older.owners, older.about):  # fmt: skip
        return False
    if newer.linking and older.linking:
        kind = _kind(newer.value)
        return kind == _kind(older.value) and bool(kind or not _is_person(newer.subject))
    return bool(_CHANGED.search(newer.text)) and _kind(newer.text) == _kind(older.text) != ""


def _is_person(subject: str) -> bool:
    """Of a person many things can be said at once: "Bea is tall", "Bea is happy"."""
    words = WORD.findall(subject)
    return bool(words) and (words[-1][0].isupper() or stem(words[-1]) in PERSONS)


def _kind(value: str) -> str:
    for kind, found in (("date", DATE.search(value)), ("time", TIME.search(value)), ("figure", figures(value))):  # fmt: skip
        if found:
            return kind
    return ""


def contrast(text: str) -> list[re.Match]:
    """The parts that begin after a comma, "and" or "(" with "not", or say "no longer", and so on."""
    return [
        m
        for m in _OVER.finditer(text)
        if not m.group().lower().startswith((" not", "not")) or text[: m.start()].rstrip()[-1:] in ",;("
    ]  # fmt: skip


_COUNTS = NUMBER_WORDS - frozenset("one no once single none couple several".split())


def figures(text: str) -> set[str]:
    """The words that count: figures and number words."""
    words = WORD.findall(text)
    return {w for w in words if any(c.isdigit() for c in w) or w.lower() in _COUNTS}


def sentence(text: str) -> str:
    """With a capital first and a full stop at the end; "" for nothing."""
    text = text.strip(" ,;:-\"'“”").rstrip(".!")
    return text[0].upper() + text[1:] + "." if text else ""
