"""Looking for the value of a field: under a key or a label of its name, beside words of its name, or as
the answer to the question what it is. What nothing points to is not taken."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ..material.jsons import key_words, records_in
from ..material.passages import AGENT, CALL, Material
from ..material.words import root
from ..reading.lines import lines_of
from ..reading.words import STOP, search_forms
from .cues import GENERIC, head_of, near, own_stems
from .schemas import Field
from .spans import Span, tokens_of

MOST = 300  # sentences that are looked at for one field
FAR = 7  # words between a value and the word that points to it
LONGEST = 400  # characters of a sentence that is looked at
LABEL_LONG = 300  # characters of the value after a label

_LABEL = re.compile(
    r"^[ \t>*•|-]*(?:\d+[.)] )?[*_]{0,2}([A-Za-z][\w /'’().-]{0,48}?)[*_]{0,2} ?(?::|=| \||\t| – | - )[*_]{0,2}[ \t]*(\S[^\n]*?)[ \t|]*$",
    re.M,
)
_NOT = re.compile(
    r"\b(?:not|no longer|instead of|rather than|never|used to (?:\w+ )?|isn't|wasn't|aren't|formerly|previously|but not)(?: (?:in|at|on|to|the|a|an|for|from|by|be|with))* ?[\"“']?$",
    re.I,
)
_SIDES = frozenset("in out from to up down on off before after".split())
_FROM_TO = re.compile(r"\b(from|to) (?:the )?$", re.I)
_CUT = re.compile(r"[,;:](?=\s)|[()–—]| - |\b(?:and|but|while|whereas|or)\b", re.I)


@dataclass(frozen=True)
class Hit:
    """A value: how sure it is (a larger score is surer), and the passage that it stands in."""

    value: object
    score: float
    place: int = 0


class Seeker:
    """One material, indexed once."""

    def __init__(self, material: Material):
        self.material = material
        self.worked_out: dict[str, object] = {}  # what one way of looking made and another needs

    @cached_property
    def _read(self) -> list[int]:
        """The passages that hold prose."""
        return [
            n for n, p in enumerate(self.material.passages) if p.who != CALL and p.prose.strip()
        ]

    @cached_property
    def lines(self):
        """Every sentence, with the number of the passage it stands in."""
        passages = self.material.passages
        return lines_of([passages[n].prose for n in self._read], self._read)

    @cached_property
    def records(self) -> list[tuple[dict, tuple[str, ...], int]]:
        """(object, the words of the keys above it, passage) of every JSON object."""
        found = []
        for place, passage in enumerate(self.material.passages):
            for value in passage.values:
                found += [(record, (), place) for record in records_in(value)]
        return found

    @cached_property
    def keys(self) -> dict[tuple[str, ...], list[tuple[object, int]]]:
        """(value, passage) of everything that stands in JSON, by the roots of its key."""
        found: dict[tuple[str, ...], list[tuple[object, int]]] = {}
        said: dict[str, tuple[str, ...]] = {}
        for record, _, place in self.records:
            for key, value in record.items():
                if value is None or value == "":
                    continue
                if key not in said:
                    said[key] = tuple(root(w) for w in key_words(key))
                found.setdefault(said[key], []).append((value, place))
        return found

    @cached_property
    def labels(self) -> dict[tuple[str, ...], list[tuple[str, int]]]:
        """(value, passage) of every "label: value" line, by the stems of the label."""
        found: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        for place in self._read:
            text = self.material.passages[place].prose
            if not any(mark in text for mark in (":", "=", "|", "\t", " – ", " - ")):
                continue
            for match in _LABEL.finditer(text):
                words = tuple(
                    root(w) for w in key_words(match[1]) if w not in ("the", "my", "our", "of", "your")
                )  # fmt: skip
                if words and len(match[2]) <= LABEL_LONG:
                    found.setdefault(words, []).append(
                        (match[2].strip().strip("*_|").strip(), place)
                    )
        return found

    # --- keys and labels --------------------------------------------------------------------------

    def by_key(self, field: Field) -> Iterator[Hit]:
        """Values that stand in JSON under a key of the field's name, surest first."""
        words = tuple(root(w) for w in field.words)
        head, own = head_of(field), own_stems(field)
        best: list[Hit] = []
        for said, values in self.keys.items():
            if said == words:
                best += [Hit(value, 9, place) for value, place in values]
            elif head and said and head == said[-1]:
                if set(said) <= set(words) | field.around or own <= set(said):
                    plain = [(v, p) for v, p in values if not isinstance(v, dict | list)]
                    best += [Hit(value, 7, place) for value, place in plain]
        yield from ranked(best, self.material.talk)

    def by_label(self, field: Field) -> Iterator[Hit]:
        """Values of "label: value" lines whose label is the field's name, or a part that names it."""
        whole = tuple(root(w) for w in field.words)
        words = tuple(root(w) for w in field.words if w not in STOP)
        above = ()  # "Contact: ..." gives the contact's name
        if field.words == ("name",) and len(field.path) > 1:
            above = tuple(root(w) for w in key_words(field.path[-2]))
        head, own = head_of(field), own_stems(field)
        best: list[Hit] = []
        for label, values in self.labels.items():
            if label == whole:
                score = 9.0
            elif (set(label) ^ set(whole)) & _SIDES:
                continue  # "check-in" is not "check-out"
            elif label == words:
                score = 8.0
            elif above and label == above:
                score = 7.8
            elif set(label) == set(words) or own and own == set(label) - GENERIC:
                score = 7.5
            elif head and head in label and set(label) <= set(words) | GENERIC:
                score = 7.0
            elif head and len(label) <= 3 and label[-1] == head and not own - set(label) - GENERIC:
                score = 6.5
            elif len(label) == 1 and head and label[0] in near(head) - STOP and label[0] not in GENERIC:  # fmt: skip
                score = 4.0
            else:
                continue
            best += [Hit(value, score, place) for value, place in values]
        yield from ranked(best, self.material.talk)

    # --- beside words -----------------------------------------------------------------------------

    def sentences_with(self, words: Iterable[str], most: int = MOST) -> list[tuple[str, int]]:
        """(sentence, passage) of those that hold one of the words; [] for no words."""
        forms = [form for word in words if word not in STOP for form in search_forms(word)]
        return self._at(self.lines.with_any(forms), most)

    def all_sentences(self, most: int = 10 * MOST) -> list[tuple[str, int]]:
        """(sentence, passage) of all, or of the newest ones of a conversation."""
        return self._at(range(len(self.lines)), most)

    def by_newness(self, words: Iterable[str] = ()) -> list[tuple[str, int]]:
        """The same, all or those with one of the words, the surest to hold first: the newest of a
        conversation, the first of a document."""
        found = self.sentences_with(words) if words else self.all_sentences()
        return found[::-1] if self.material.talk else found

    def _at(self, indexes: Iterable[int], most: int) -> list[tuple[str, int]]:
        chosen = sorted(indexes)
        chosen = chosen[-most:] if self.material.talk else chosen[:most]
        texts, turns = self.lines.texts, self.lines.turns
        return [(texts[i], turns[i]) for i in chosen if len(texts[i]) <= LONGEST]

    def beside(self, field: Field, spans_of, sure: bool = False) -> list[Hit]:
        """Values beside words of the field's name. `sure`: the kind alone is enough to take one.

        `spans_of(text)` gives the candidates of a sentence.
        """
        own, head = own_stems(field), head_of(field)
        cues = near(head) | (near(field.words[-1]) if field.words else frozenset())
        if side := {"from", "to"} & set(field.words):  # "from_city"
            cues = cues - {"in", "from", "to", "at", "near", "live"} | side
        by_word = not (cues & STOP) and not sure and bool(own)
        found = self.sentences_with(own | cues) if by_word else self.all_sentences()
        hits: list[Hit] = []
        for text, place in found:
            spans = spans_of(text)
            if spans and not sure and self._is_other_label(text, own, head):
                continue
            for start, end, value in spans:
                score = points(text, start, end, spans, own, head, cues, field.around)
                if score is None and sure:
                    score = 0.5
                if score is not None and not _NOT.search(text[:start]):
                    if self.material.passages[place].who == AGENT:
                        score -= 1.5  # the user knows better what is his
                    hits.append(Hit(value, score, place))
        return list(ranked(hits, self.material.talk))

    def _is_other_label(self, text: str, own: frozenset[str], head: str) -> bool:
        """Whether a sentence is a "label: value" line of another field."""
        match = _LABEL.match(text)
        if not match or len(match[1].split()) > 3:
            return False
        said = {root(w) for w in key_words(match[1])}
        if tuple(root(w) for w in key_words(match[1])) not in self.labels:
            return False
        mine = own | {head}
        return not said & mine or bool(said - mine - GENERIC - STOP) and bool(own - said)


def points(
    text: str,
    start: int,
    end: int,
    spans: list[Span],
    own: frozenset[str],
    head: str,
    cues: frozenset[str],
    around: frozenset[str],
) -> float | None:
    """How well the words around a value point to a field; None if none does."""
    tokens = tokens_of(text)
    side = _FROM_TO.search(text[:start])
    if side and len({"from", "to"} & cues) == 1 and side[1].lower() not in cues:
        return None
    best: float | None = None
    matched: set[str] = set()
    for n, (at, till, word) in enumerate(tokens):
        is_own, is_cue = word in own, word in cues
        if word == head and is_another(tokens, n, own):
            continue
        if not (is_own or is_cue):
            continue
        if at >= start and till <= end:  # "the University of Linz" names one
            best = 4.5 if word == head and till - at < end - start else best
            continue
        before = till <= start
        between = text[till:start] if before else text[end:at]
        gap = len(between.split())
        if word in STOP:  # a preposition points to what follows it
            if not before or re.sub(
                r"(?:the|a|an|hotel|mr|mrs|ms|dr)\b\.?", "", between, flags=re.I
            ).strip(" \"“'‘"):
                continue
            value = 3.6
        else:
            if gap > FAR:
                continue
            crossed = len(_CUT.findall(between))
            others = sum(
                1 for a, b, _ in spans if (till <= a and b <= start if before else end <= a and b <= at)
            )  # fmt: skip
            value = (5.0 if word == head else 4.0 if is_own else 3.5) - 0.3 * gap
            value -= 0.8 * crossed + 1.5 * others + (0 if before or gap == 0 else 0.6)
        if is_own:
            matched.add(word)
        best = value if best is None else max(best, value)
    if best is None or best < 0.8:
        return None
    if len(own) > 1:
        best += 1.2 * (len(matched) - 1)
        if head not in matched and not any(word in cues for _, _, word in tokens):
            best -= 1.0
    near_by = {word for *_, word in tokens}
    return best + 0.7 * len(around & near_by)


def is_another(tokens: list, n: int, own: frozenset[str]) -> bool:
    """ "The away team" is no home team: another word stands before the noun than the field has."""
    if len(own) < 2 or (own - {tokens[n][2]}) & {word for *_, word in tokens}:
        return False
    before = tokens[n - 1][2] if n else ""
    return bool(before) and before not in STOP and before not in own and before not in GENERIC


def ranked(hits: list[Hit], newest: bool) -> Iterator[Hit]:
    """The surest first; of equals the newest of a conversation, the first of a document."""
    order = sorted(
        range(len(hits)),
        key=lambda n: (-round(hits[n].score, 1), -hits[n].place if newest else hits[n].place, -n if newest else n),
    )  # fmt: skip
    seen: set[str] = set()
    for n in order:
        key = str(hits[n].value)
        if key not in seen:
            seen.add(key)
            yield hits[n]
