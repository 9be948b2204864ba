"""Facts of subjects: the newest value of each field, and what belongs to what."""

from dataclasses import dataclass

from .records import Said, Subject
from .times import moment


@dataclass
class Fact:
    """A value of a field, when it was observed ("" if no event told it), and where it was read."""

    value: str
    at: str
    place: int


class Facts:
    """What is known of each subject. A subject inherits the fields of what it belongs to."""

    def __init__(self):
        self.facts: dict[Subject, dict[str, Fact]] = {}
        self.aside: dict[Subject, dict[str, Fact]] = {}  # found deeper inside: counts for less
        self.parents: dict[Subject, list[Subject]] = {}

    def add(self, said: Said, place: int) -> None:
        """Take in what was said, unless what is known was observed later. `place`: where it stands."""
        own = self.facts.setdefault(said.subject, {})
        for target, fields in (
            (own, said.fields),
            (self.aside.setdefault(said.subject, {}), said.aside),
        ):
            for words, value in fields.items():
                old = target.get(words)
                if old is None or not _older(said.at, old.at):
                    target[words] = Fact(value, said.at, place)
        links = self.parents.setdefault(said.subject, [])
        links += [p for p in said.parents if p not in links and p != said.subject]

    def value(self, subject: Subject, words: str) -> str | None:
        """The value of a subject's field: its own, else that of what it belongs to; None if unknown."""
        seen, level = set(), [subject]
        while level:
            for store in (self.facts, self.aside):
                for one in level:
                    if fact := store.get(one, {}).get(words):
                        return fact.value
            seen |= set(level)
            above = [p for one in level for p in self.parents.get(one, ()) if p not in seen]
            level = list(dict.fromkeys(above))
        return None

    def ancestors(self, subject: Subject) -> list[Subject]:
        """What a subject belongs to, nearest first."""
        found: list[Subject] = []
        level = [subject]
        while level:
            above = [p for one in level for p in self.parents.get(one, ())]
            level = [p for p in dict.fromkeys(above) if p not in found and p != subject]
            found += level
        return found


def _older(new: str, old: str) -> bool:
    if not new or not old:
        return False
    one, other = moment(new), moment(old)
    return one is not None and other is not None and one < other
