"""Whether a document says something: the words in one clause, belonging together, and not denied."""

import re
from dataclasses import dataclass

from ..material.words import root
from ..reading.clauses import VERBS, sentences
from ..reading.person import expand
from ..reading.words import NUMBER_WORDS, STOP, WORD, search_forms
from .alike import WRONG, alike, near
from .documents import Document
from .topics import Topic

_PIECE = re.compile(rf"{WORD.pattern}|[,;:()–—.!?]")
_BREAKS = frozenset(",;:()–—.!?")
_CONJUNCTIONS = frozenset("but because so while although though since and which who".split())
_DETERMINERS = frozenset("the a an my our his her their your its this that these those some any one".split())  # fmt: skip
_PREPOSITIONS = frozenset("to on of in at with for from by inside under near into onto over about through down up along across behind beside outside opposite around off above below beyond past during after before until".split())  # fmt: skip
_ADVERBS = frozenset("""again yesterday today once twice already too instead please only also even now then here there still
    very badly slightly completely totally quite rather so more most fully heavily partly entirely altogether
    last this next before after when where while until without within upstairs downstairs outside inside
    there nearby abroad""".split())  # fmt: skip
_BE = frozenset("is was are were be been being seems seemed looks looked arrived arrives came comes got gets turned became appeared".split())  # fmt: skip
_MEASURES = NUMBER_WORDS | frozenset("the a all not minute minutes hour hours day days week weeks month months too far much".split())  # fmt: skip
_NOT = frozenset("not no never without neither nor nothing nobody none hardly cannot isn't wasn't far".split())  # fmt: skip
_FACTIVE = frozenset("know understand believe see accept mind care imagine explain get say stand forget tell".split())  # fmt: skip
_UNREAL = frozenset("if unless whether hope hoped hoping afraid worried worry worries suppose imagine might may thought feared assumed avoid prevent expected expect believed case".split())  # fmt: skip
_POLAR = re.compile(r"(?:and |but |so )?(?:is|are|was|were|did|does|do|has|have|had|could it|can it|might|will it|would it)\b", re.I)  # fmt: skip
_WISHES = re.compile(
    r"\b(?:want|need|like|please|ask|request|demand|wish|prefer|expect|claim|(?:can|could|may|would) (?:you|i|we)|send|give|where is|when (?:do|will) (?:i|we))",
    re.I,
)
_BRINGING = frozenset("left leave leaves delivered deliver brought bring dropped drop handed taken took take gave given put went go sent send ended found find lying waiting stood landed".split())  # fmt: skip
_ELSE = frozenset(
    "another different other neighbouring neighboring adjacent somebody someone".split()
)
_MOVING = frozenset("move moved moving live lived lives living".split())


@dataclass(frozen=True)
class Piece:
    """One word or mark of a sentence."""

    low: str
    root: str
    text: str

    @property
    def breaks(self) -> bool:
        return self.low in _BREAKS


def said_in(document: Document, topic: Topic) -> str:
    """The sentence in which a document says the topic; "" if it does not."""
    for other in topic.others:
        if found := said_in(document, other):
            return found
    if not _may_hold(document, topic):
        return ""
    lines = sentences(document.text)
    pieces = [_pieces(line) for line in lines]
    for n, line in enumerate(lines):
        if topic.wished and not _WISHES.search(expand(line)):
            continue
        if _says(line, pieces, n, topic, document):
            return line
    if not topic.pairs and not topic.phrases and _of_values(topic, document):
        return lines[0] if lines else document.id
    return ""


def _may_hold(document: Document, topic: Topic) -> bool:
    """Quickly: whether some word near to each wanted one stands there at all."""
    low = f"{document.text} {' '.join(document.values)}".lower()
    wanted = [*topic.words, *(head for _, head in topic.pairs)]
    return all(any(form in low for w in near(word) for form in search_forms(w)) for word in wanted)


def _pieces(line: str) -> list[Piece]:
    plain = expand(line)
    return [Piece(m.group().lower(), root(m.group()), m.group()) for m in _PIECE.finditer(plain)]


def _says(line: str, pieces: list, n: int, topic: Topic, document: Document) -> bool:
    here = pieces[n]
    low = line.lower()
    if any(phrase.lower() not in low for phrase in topic.phrases):
        return False
    for mod, head in topic.pairs:
        if not any(_holds(here, i, line) for i in _pairs(here, mod, head)):
            return False
    if not topic.pairs and len(topic.words) > 1 and not _together(here, topic.words):
        return False
    for word in topic.words:
        at = next((i for i, p in enumerate(here) if _is(p, word) and _holds(here, i, line)), None)
        if at is None and not _beside(pieces, n, word, bool(topic.pairs)):
            if not any(word == v.lower() for v in document.values):
                return False
    return bool(topic.pairs or topic.phrases) or any(_is(p, w) for p in here for w in topic.words)


def _together(pieces: list[Piece], words: tuple[str, ...]) -> bool:
    """Whether two of the words at least stand in one part of the sentence."""
    most = 0
    seen: set[str] = set()
    for piece in [*pieces, None]:
        if piece is None or piece.breaks:
            most, seen = max(most, len(seen)), set()
        else:
            seen |= {word for word in words if _is(piece, word)}
    return most > 1


def _is(piece: Piece, word: str) -> bool:
    return piece.low == word or not piece.breaks and alike(piece.root, word)


def _beside(pieces: list, n: int, word: str, paired: bool) -> bool:
    """Beside a pair a further word may stand in the sentence before or after."""
    if not paired:
        return False
    near_by = [*(pieces[n - 1] if n else []), *(pieces[n + 1] if n + 1 < len(pieces) else [])]
    return any(_is(p, word) for p in near_by)


def _of_values(topic: Topic, document: Document) -> bool:
    values = {v.lower() for v in document.values}
    return bool(topic.words) and all(w in values for w in topic.words)


# ---------------------------------------------------------------- what belongs together


def _pairs(pieces: list[Piece], mod: str, head: str) -> list[int]:
    """Where the modifier stands that belongs to the noun."""
    found = [i for i, p in enumerate(pieces) if _is(p, mod) and _belongs(pieces, i, head)]
    if mod in WRONG:
        found += _elsewhere(pieces, head)
    return found


def _belongs(pieces: list[Piece], at: int, head: str) -> bool:
    return (
        _before(pieces, at, head)
        or _of(pieces, at, head)
        or _at(pieces, at, head)
        or _said_of(pieces, at, head)
    )


def _before(pieces: list[Piece], at: int, head: str) -> bool:
    """ "The wrong apartment building", "they damaged the box"."""
    verb = pieces[at].low.endswith("ed") or pieces[at].low in VERBS
    for step, piece in enumerate(pieces[at + 1 : at + 5]):
        if piece.breaks:
            return False
        if _is(piece, head):
            return not _goes_on(pieces, at + 1 + step)
        if piece.low in _DETERMINERS and verb and step == 0:
            continue
        if piece.low in STOP or piece.low in VERBS or piece.low in _PREPOSITIONS:
            return False
    return False


def _goes_on(pieces: list[Piece], at: int) -> bool:
    """Whether the noun is only the first part of another: "building site"."""
    if at + 1 >= len(pieces):
        return False
    after = pieces[at + 1]
    return (
        after.text.isalpha()
        and after.text.islower()
        and after.low not in STOP | _PREPOSITIONS | _ADVERBS | _CONJUNCTIONS | VERBS
        and not after.low.endswith(("ed", "ing", "ly"))
    )


def _of(pieces: list[Piece], at: int, head: str) -> bool:
    """ "Damage to the outer box", "the guard at the gate"."""
    if at + 2 >= len(pieces) or pieces[at + 1].low not in _PREPOSITIONS:
        return False
    for step, piece in enumerate(pieces[at + 2 : at + 6]):
        if piece.breaks:
            return False
        if _is(piece, head):
            return not _goes_on(pieces, at + 2 + step)
        if piece.low in STOP and piece.low not in _DETERMINERS:
            return False
    return False


def _at(pieces: list[Piece], at: int, head: str) -> bool:
    """ "The guard at the gate": the first noun stands in a phrase behind the other."""
    if pieces[at].low.endswith("ed") or pieces[at].root in WRONG or _goes_on(pieces, at):
        return False
    i = at - 1
    while i >= 0 and pieces[i].low in _DETERMINERS:
        i -= 1
    return i > 0 and pieces[i].low in _PREPOSITIONS and _is(pieces[i - 1], head)


def _said_of(pieces: list[Piece], at: int, head: str) -> bool:
    """ "The box on the stairs was badly damaged": the noun is what the sentence says it of."""
    i = at - 1
    while i >= 0 and (pieces[i].low in _ADVERBS or pieces[i].low.endswith("ly") or pieces[i].low in _MEASURES or pieces[i].low[0].isdigit()):  # fmt: skip
        i -= 1
    if i < 0 or pieces[i].low not in _BE and not (i and pieces[i - 1].low in ("has", "had") and pieces[i].low == "been"):  # fmt: skip
        return False
    while i > 0 and pieces[i - 1].low in ("has", "had", "have", "been", "also", "already", "now"):
        i -= 1
    start = i
    while start > 0 and not (pieces[start - 1].breaks or pieces[start - 1].low in ("but", "because", "so", "while", "although", "and")):  # fmt: skip
        start -= 1
    subject = pieces[start:i]
    if (
        subject and subject[0].low in ("which", "that") or not subject
    ):  # "the box, which was damaged"
        earlier = [p for p in pieces[max(0, start - 5) : start] if not p.breaks]
        return bool(earlier) and _is(earlier[-1], head)
    noun = None
    for piece in subject:
        if noun is not None and (
            piece.low in STOP or piece.low in _PREPOSITIONS or piece.low in VERBS
        ):
            break
        if piece.low not in STOP and piece.low not in _ADVERBS:
            noun = piece
    if noun is None:
        return False
    related = re.search(r"\b(?:that|which|i|we|you|they)\b", " ".join(p.low for p in subject))
    return _is(noun, head) or bool(related) and any(_is(p, head) for p in subject[:3])


def _elsewhere(pieces: list[Piece], head: str) -> list[int]:
    """Wrong without the word: brought to another building, to one "instead of" the other, "not mine"."""
    words = [p.low for p in pieces]
    found = []
    brought = bool(set(words) & _BRINGING) and not set(words) & _MOVING
    for i, piece in enumerate(pieces):
        if piece.low in _ELSE and brought and i + 1 < len(pieces) and _is(pieces[i + 1], head):
            if not _goes_on(pieces, i + 1):
                found.append(i)
        if piece.low in ("instead", "rather") and words[i + 1 : i + 2] in (["of"], ["than"]):
            before = any(_is(p, head) for p in pieces[max(0, i - 4) : i])
            after = any(_is(p, head) for p in pieces[i + 2 : i + 6])
            if before and after:
                found.append(i)
        if piece.low == "not" and words[max(0, i - 2) : i][:1] in (["that"], ["which"]):
            own = words[i + 1 : i + 2] in (["my"], ["our"]) or words[i + 1 : i + 3] in (
                ["the", "right"], ["the", "correct"]
            )  # fmt: skip
            if own and any(_is(p, head) for p in pieces[i + 2 : i + 4]):
                found.append(-i - 1)  # the "not" belongs to it
    return found


# ---------------------------------------------------------------- denied, supposed, asked


def _holds(pieces: list[Piece], at: int, line: str) -> bool:
    """Whether the words at a place are stated: not denied, not only supposed or asked."""
    if at < 0:
        return True
    start = at
    while start > 0 and not (pieces[start - 1].breaks or pieces[start - 1].low in ("but", "because", "so")):  # fmt: skip
        start -= 1
    before = [p.low for p in pieces[start:at]]
    if set(before) & _UNREAL and "in case of" not in " ".join(before):
        return False
    if line.rstrip("\"')” ").endswith("?") and _POLAR.match(
        " ".join(p.low for p in pieces[start:])
    ):
        return False
    for n, word in enumerate(before):
        if word in _NOT and not _is_idle(before, n, word):
            return False
    return True


def _is_idle(before: list[str], n: int, word: str) -> bool:
    """A "not" that denies something else: "I do not know why ...", "not only ..."."""
    after = before[n + 1 : n + 4]
    if after[:1] == ["only"] or word == "far" and after[:1] != ["from"]:
        return True
    if any(w in _FACTIVE for w in after[:2]):
        return True
    # a verb of its own and a preposition between: "did not get my parcel from the ..."
    return "that" in before[n + 1 :] and not any(
        w in ("think", "thought", "believe", "say", "said", "mean", "find", "case", "true") for w in after
    )  # fmt: skip
