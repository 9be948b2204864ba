"""From the JSON of a tool's result to what it says of which subject.

A record is a dict with an id of its own. A list of events says how its subject stands: the newest word
on each field counts. A list of other records gives the subject's parts, which inherit its fields; a
record inside another one, and an id of something else, give what it belongs to.
"""

from dataclasses import dataclass, field

from .findings import words_of
from .layout import LEGEND, are_rules, following, holds, legends, singular
from .times import has_clock, moment, time_field

Subject = tuple[str, str]  # kind and id: ("loan", "L-7")

_EVENTS = frozenset(
    """event entry scan update log change history step reading movement stage visit timeline stamp checkpoint
    action activity status track trace milestone""".split()
)
_ID_ENDS = ("id", "ids")
_OTHER_ENDS = ("number", "no", "nr", "code", "reference", "ref", "key")
_PAGING = frozenset(("page", "pages", "total pages", "page count", "per page", "has more"))
DEEPEST = 12
LONGEST = 600  # characters of a value that are kept


@dataclass
class Said:
    """What one result says of one subject: field words with values, and what it belongs to.

    `at`: when the newest event took place, as it is written; "" if no event told it.
    """

    subject: Subject
    fields: dict[str, str] = field(default_factory=dict)
    aside: dict[str, str] = field(default_factory=dict)  # found deeper inside: counts for less
    parents: list[Subject] = field(default_factory=list)
    at: str = ""


@dataclass
class Page:
    """One result, read: what it says, the next page's value ("" for none), and rules if it has any."""

    said: list[Said] = field(default_factory=list)
    next: str = ""
    rules: list[dict] = field(default_factory=list)


def read_result(value: object, asked: dict[str, str], nouns: set[str]) -> Page:
    """What the JSON of a result says. `asked`: id by noun that the call asked about."""
    reader = _Reader(asked, nouns)
    if isinstance(value, list):
        value = {"results": value}
    if isinstance(value, dict):
        reader.page.next = following(value)
        reader.legend = legends(value)
        reader.top(value)
    return reader.page


class _Reader:
    def __init__(self, asked: dict[str, str], nouns: set[str]):
        self.asked, self.nouns = asked, nouns
        self.legend: dict[str, dict] = {}
        self.page = Page()
        self.by: dict[Subject, Said] = {}

    def of(self, subject: Subject) -> Said:
        if subject not in self.by:
            self.by[subject] = Said(subject)
            self.page.said.append(self.by[subject])
        return self.by[subject]

    def top(self, record: dict) -> None:
        own = next(((n, i) for n, i in self.asked.items() if holds(record, n, i)), None)
        own = own or self.own_id(record, "") or next(iter(self.asked.items()), None)
        if own is None:  # a wrapper, or an answer about nothing in particular
            self.inside(record, None, 0)
        else:
            self.record(record, own, None, 0)
            for other in self.asked.items():
                if other[0] != own[0]:
                    self.link(own, other)

    # --- one record -----------------------------------------------------------------------------

    def record(self, record: dict, own: Subject, parent: Subject | None, deep: int) -> None:
        said = self.of(own)
        if parent and parent != own:
            self.link(own, parent)
        for key, value in record.items():
            words = words_of(key)
            if isinstance(value, dict | list) or value is None:
                continue
            noun = self.id_noun(words)
            text = self.text(key, value)
            if (noun, text) == own or deep == 0 and words in _PAGING or words.startswith("next "):
                continue
            said.fields[words] = text
            if noun and noun != own[0] and self.is_other(words, noun):
                self.link(own, (noun, text))
        self.inside(record, own, deep)

    def inside(self, record: dict, own: Subject | None, deep: int) -> None:
        if deep > DEEPEST:
            return
        for key, value in record.items():
            words = words_of(key)
            if isinstance(value, dict):
                if deep == 0 and words.split()[-1:] and words.split()[-1] in LEGEND:
                    continue
                self.nested(words, value, own, deep + 1)
            elif isinstance(value, list):
                if are_rules(value):
                    self.page.rules += value
                elif any(isinstance(item, dict) for item in value):
                    self.listed(words, [v for v in value if isinstance(v, dict)], own, deep + 1)
                else:
                    self.plain_list(words, value, own)

    def nested(self, words: str, value: dict, own: Subject | None, deep: int) -> None:
        """A dict inside a record: something that it belongs to, or a group of its own fields."""
        other = self.own_id(value, words) if deep <= DEEPEST else None
        if (
            other
            and (own is None or other[0] != own[0])
            and (own is None or other[0] in self.nouns)
        ):
            if own:
                self.link(own, other)
            self.record(value, other, None, deep)
        elif own is None:
            self.inside(value, None, deep)
        else:
            self.flat(words, value, own, deep)

    def flat(self, under: str, value: dict, own: Subject, deep: int) -> None:
        """Fields of a group, by their own words and by those of the group before them."""
        said = self.of(own)
        for key, inner in value.items():
            words = words_of(key)
            if isinstance(inner, dict):
                if deep < DEEPEST:
                    self.flat(words, inner, own, deep + 1)
            elif inner is not None and not isinstance(inner, list) and words != "id":
                said.aside.setdefault(words, self.text(key, inner))
                said.aside.setdefault(f"{under} {words}", self.text(key, inner))

    def plain_list(self, words: str, value: list, own: Subject | None) -> None:
        texts = [self.text(words, v) for v in value if v is not None and not isinstance(v, list)]
        noun = singular(words.removesuffix(" ids").removesuffix(" id"))
        if noun in self.nouns:
            for text in texts:
                if own is None:
                    self.of((noun, text))
                elif (noun, text) != own:
                    self.link((noun, text), own)
        elif own and texts:
            self.of(own).fields.setdefault(words, ", ".join(texts)[:LONGEST])

    # --- lists of records -------------------------------------------------------------------------

    def listed(self, words: str, items: list[dict], own: Subject | None, deep: int) -> None:
        one = singular(words)
        events: list[tuple[Subject, dict]] = []
        for item in items:
            mine = self.own_id(item, one)
            if own and self.is_event(one, item, mine):
                events.append((self.about(item, own), item))
            elif mine:
                self.record(item, mine, own, deep)
            else:
                self.inside(item, own, deep)
        for subject in dict.fromkeys(subject for subject, _ in events):
            self.told_by([item for about, item in events if about == subject], subject)

    def is_event(self, one: str, item: dict, mine: Subject | None) -> bool:
        kind = mine[0] if mine else ""
        if kind in self.nouns and kind:
            return False
        if (
            not mine
            or kind.split()[-1] in _EVENTS
            or one.split()[-1:]
            and one.split()[-1] in _EVENTS
        ):
            return True
        return self.asked and any(has_clock(v) for v in item.values()) and bool(self.page.next)

    def about(self, item: dict, own: Subject) -> Subject:
        """The subject that an event names itself, or the one whose list it stands in."""
        for key, value in item.items():
            noun = self.id_noun(words_of(key))
            if noun in self.nouns and noun != own[0] and isinstance(value, str | int):
                self.link((noun, str(value)), own)
                return noun, str(value)
        return own

    def told_by(self, events: list[dict], own: Subject) -> None:
        """The newest word on each field: by the time of the event, else by its place in the list."""
        timed = []
        for place, event in enumerate(events):
            plain = {
                words_of(k): self.text(k, v)
                for k, v in event.items()
                if v is not None and not isinstance(v, dict | list)
            }
            name = time_field(plain)
            timed.append((moment(plain.get(name)), place, name, plain, event))
        if all(at is not None for at, *_ in timed):
            timed.sort(key=lambda entry: entry[:2])
        said = self.of(own)
        for _, _, name, plain, event in timed:
            said.fields |= {w: v for w, v in plain.items() if not self.is_event_id(w)}
            said.at = plain.get(name, "")
            for inner in event.values():
                if isinstance(inner, dict):
                    for deeper, value in inner.items():
                        if (
                            value is not None
                            and not isinstance(value, dict | list)
                            and deeper != "id"
                        ):
                            said.aside[words_of(deeper)] = self.text(deeper, value)

    def is_event_id(self, words: str) -> bool:
        noun = self.id_noun(words)
        return bool(noun) and noun not in self.nouns

    # --- ids and values ---------------------------------------------------------------------------

    def id_noun(self, words: str) -> str:
        """ "loan" of "loan id"; "" for a key that identifies nothing."""
        *noun, last = words.split() or [""]
        if words in self.nouns:
            return words
        if noun and (last == "id" or last in _OTHER_ENDS and " ".join(noun) in self.nouns):
            return " ".join(noun)
        return ""

    def is_other(self, words: str, noun: str) -> bool:
        return words.endswith(" id") or noun in self.nouns

    def own_id(self, record: dict, under: str) -> Subject | None:
        """The kind and the id of a record, by its keys and by what it stands under."""
        found: list[Subject] = []
        for key, value in record.items():
            if isinstance(value, bool) or not isinstance(value, str | int):
                continue
            words = words_of(key)
            last = words.split()[-1:] or [""]
            if (
                words == "id"
                or last[0] in _OTHER_ENDS
                and len(words.split()) == 1
                and under in self.nouns
            ):
                found.append((under or "thing", str(value)))
            elif noun := self.id_noun(words):
                found.append((noun, str(value)))
        for subject in found:
            if under and subject[0] == under:
                return subject
        return found[0] if found else None

    def link(self, child: Subject, parent: Subject) -> None:
        said = self.of(child)
        if parent not in said.parents:
            said.parents.append(parent)

    def text(self, key: str, value: object) -> str:
        """A value as text, a code as what the legend says that it means."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        text = str(value)
        return str(self.legend.get(words_of(key), {}).get(text, text))[:LONGEST]
