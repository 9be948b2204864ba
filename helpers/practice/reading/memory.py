"""What a request states, found again for a question.

A long request is not parsed. The question is read first; then every sentence is tested for the
question's words by plain string search, and only what passes is read. So the time is linear in the
request, and small.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from ..request import Request
from .clauses import Statement, clauses, introduced_name, is_fact, is_question, parse, sentences
from .corrections import complete, corrected, resolve
from .person import expand, user_to_first
from .questions import Question
from .words import COLOURS, PLACE, REASON, content, has_date, has_number, search_forms, stem


@dataclass(frozen=True)
class Line:
    """One sentence of a user turn or of the system prompt, and its lower-case twin for searching."""

    text: str
    low: str
    own: bool  # said by the user


# Words that a statement may answer to without using them, and what gives such a statement away.
_IMPLIED = {
    "name": ("i am ", "i'm ", "i’m ", "im ", "name", "call", "this is "),
    "old": ("i am ", "i'm ", "i’m ", "im ", "turn", "year", "age", "old", "is "),
    "job": ("am a", "'m a", "’m a", "im a", "job", "work", "profession", "occupation", "career", "is a", "employ"),
    "eat": ("eat", "ate", "allerg", "veg", "diet", "coeliac", "celiac", "diabet", "halal", "kosher", "gluten", "lactose", "pesc"),
    "diet": ("eat", "veg", "diet", "coeliac", "celiac", "diabet", "halal", "kosher", "gluten", "lactose", "pesc"),
    "food": ("eat", "food", "allerg", "veg", "diet", "halal", "kosher", "gluten", "lactose", "pesc"),
    "favourite": ("favo", "prefer", "best", "most"),
    "address": ("address", "live"),
    "cost": ("cost", "price", "pay", "paid", "buy", "bought", "purchase"),
    "trip": ("going to", "trip", "travel", "journey", "holiday", "vacation"),
}  # fmt: skip
_ALWAYS = {"colour": tuple(COLOURS), "time": ("",), "weight": ("weigh",), "car": ("car", "vehicle", "driv", "drove")}
_PRONOUN = tuple(f"{p} " for p in "he she it they his her its their".split()) + ("it's", "he's", "she's", "they're", "it’s", "he’s", "she’s")


REACH = 8  # sentences that a pronoun or a correction looks back
DEEPEST = 4


def memory_of(request: Request) -> "Memory":
    """The request's memory, made once."""
    return request.worked_out.setdefault("memory", Memory(request))


class Memory:
    """The statements of one request."""

    def __init__(self, request: Request):
        self._request = request
        self._read: dict[int, list[Statement]] = {}

    @cached_property
    def persona(self) -> str:
        """Who the system prompt says the model is, as the model would say it; "" if it does not."""
        for text in sentences(self._request.system):
            if match := re.match(r"you are (?:called |named )?((?:an? |the )?.+)", expand(text), re.I):
                return f"I am {match[1].rstrip('.! ')}."
            if match := re.match(r"your name is (.+)", text, re.I):
                return f"My name is {match[1].rstrip('.! ')}."
        return ""

    @cached_property
    def lines(self) -> list[Line]:
        """Every sentence of the system prompt, then of the user's turns, oldest first."""
        found = [_line(user_to_first(s), False) for s in sentences(self._request.system)]
        for turn in self._request.turns:
            if turn.role == "user":
                found += [_line(user_to_first(s) if "user" in s else s, True) for s in turn.sentences]
            elif turn.role == "system":
                found += [_line(user_to_first(s), False) for s in turn.sentences]
        return found

    def statements(self, index: int, depth: int = 0) -> list[Statement]:
        """What the sentence at `index` states, its pronouns and corrections worked out.

        `depth` counts how many sentences lean on one another; beyond a few nobody follows.
        """
        if index not in self._read:
            self._read[index] = self._statements(index, depth)
        return self._read[index]

    def _statements(self, index: int, depth: int) -> list[Statement]:
        line = self.lines[index]
        if is_question(line.text):
            return []
        if line.own and (fixed := corrected(line.text, index, self._before(index, depth))) is not None:
            return [fixed]
        found: list[Statement] = []
        for clause in clauses(line.text):
            if not is_fact(clause):
                if clause.lower().startswith(("if ", "suppose", "imagine", "what if", "when ")):
                    return found
                continue
            clause = resolve(clause, found, self._before(index, depth), line.own)
            statement = parse(clause, index, line.own)
            if statement:
                found.append(complete(statement, [*reversed(found), *self._before(index, depth)]))
        return found

    def _before(self, index: int, depth: int):
        """The statements before a sentence, newest first; read only as far as somebody asks."""
        if depth >= DEEPEST:
            return
        for earlier in range(index - 1, max(-1, index - 1 - REACH), -1):
            if self.lines[earlier].own == self.lines[index].own:
                yield from reversed(self.statements(earlier, depth + 1))

    # --- searching --------------------------------------------------------------------------------

    def search(self, words: frozenset[str], names: dict[str, set[str]], quick: bool = False):
        """Statements that may hold all `words`, newest first."""
        groups = []
        for word in words:
            if word in _ALWAYS:
                continue
            forms = tuple(f for w in {word, *names.get(word, ())} for f in search_forms(w))
            if word in _IMPLIED:
                if len(words - set(_IMPLIED) - set(_ALWAYS)) > 0:
                    continue
                forms = (*forms, *_IMPLIED[word])
            groups.append(forms)
        lines = self.lines
        favourite = "favourite" in words
        for index in range(len(lines) - 1, -1, -1):
            low = lines[index].low
            missing = [g for g in groups if not any(form in low for form in g)]
            if missing:
                if low.startswith(_PRONOUN) or _MARKER.match(low):
                    near = " ".join(lines[i].low for i in range(max(0, index - 4), index + 1))
                    if any(not any(form in near for form in g) for g in missing):
                        continue
                elif not (favourite and "favo" in low):
                    continue
            yield from reversed(self.statements(index))

    def names_of(self, question: Question) -> dict[str, set[str]]:
        """Who is who: for each word of the question the names or relations that mean the same."""
        found: dict[str, set[str]] = {}
        for word in question.words | question.owners:
            forms = search_forms(word)
            for index, line in enumerate(self.lines):
                if any(form in line.low for form in forms) and not is_question(line.text):
                    for relation, name in aliases(line.text):
                        if word in relation:
                            found.setdefault(word, set()).update(name)
                        elif word in name:
                            found.setdefault(word, set()).update(relation)
        return found

    def find(self, question: Question) -> list[Statement]:
        """Statements that answer a question, best first; [] when the request does not say."""
        names = self.names_of(question)
        best: list[tuple[int, int, Statement]] = []
        for statement in self.search(question.words, names):
            distance = _distance(statement, question, names)
            if distance is not None:
                best.append((distance, -statement.place, statement))
                if distance == 0 and question.words and not several(question):
                    break
        best.sort(key=lambda entry: entry[:2])
        return [statement for *_, statement in best]


def several(question: Question) -> bool:
    """Whether more than one statement may answer: what I like, what I cannot eat."""
    return question.bare and bool(question.words) and question.words <= {"like", "eat", "diet", "allergy", "speak", "play", "food"}


_MARKER = re.compile(r"(?:oh|ah|sorry|wait|no|actually|correction|oops|scratch|my mistake|i was wrong|i meant|i mean|make|not|rather|it is|it's|on second|change|i changed|i've changed|i have changed|hold on|that)\b")


def _line(text: str, own: bool) -> Line:
    return Line(text, text.lower(), own)


def _same(word: str, words: frozenset[str], names: dict[str, set[str]]) -> bool:
    return word in words or bool(names.get(word, set()) & words)


def _distance(statement: Statement, question: Question, names: dict[str, set[str]]) -> int | None:
    """How far a statement is from answering: 0 is exact, None is no answer at all."""
    if "model" in (statement.root, question.root) and statement.root != question.root:
        return None
    if question.bare and statement.root != "user":
        return None
    asked, said = question.words, statement.words
    if not all(_same(word, said, names) for word in asked | question.owners):
        return None
    known = asked | question.owners | question.loose | {n for w in asked | question.owners for n in names.get(w, ())}
    if question.kind == "who" and not question.root and not question.owners:
        return None if statement.negative or not (statement.about | statement.owners) - known else 0
    if not statement.owners <= known:
        return None
    extra = statement.about - known
    if question.bare and extra:
        return None
    if not question.bare and statement.about and not (statement.about & known):
        return None
    if not question.bare and not asked and statement.about:
        return None
    if question.kind == "yesno":
        return len(extra)
    if not _fits(statement, question, asked | question.owners | question.loose):
        return None
    return len(extra)


def _fits(statement: Statement, question: Question, known: frozenset[str]) -> bool:
    """Whether a statement holds the kind of value that is asked for, and something new at all."""
    text = statement.text
    if question.kind == "when":
        return has_date(text)
    if question.kind == "number":
        return has_number(text) or statement.negative
    if question.kind == "why":
        return bool(REASON.search(text))
    new = statement.words - known
    if question.kind == "where":
        return bool(new) and bool(PLACE.search(text))
    if " or " in question.text:
        return True
    return bool(new) or has_number(statement.value)


# --- who is who -----------------------------------------------------------------------------------

_CAP = r"([A-Z\u00c0-\u00de][\w'-]*)"
_ALIAS = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) ((?:[a-z-]+ ){{0,2}}[a-z-]+),? {_CAP}(?=[\s,.!?;]|'s|$)"
    rf"|\b(?:[Mm]y|[Oo]ur) ((?:[a-z-]+ ){{0,2}}[a-z-]+?)(?:'s name)? (?:is|was)(?: called| named)? {_CAP}(?=[\s,.!?;]|$)"
    rf"|\b{_CAP}(?:,| is) (?:my|our) ((?:[a-z-]+ )?[a-z-]+)"
    rf"|\b(?:a|an|one) ((?:[a-z-]+ )?[a-z-]+)(?:,| called| named| whose name is| by the name of) {_CAP}"
)


def aliases(text: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Pairs of (relation, name) that a sentence states: "my sister Ana" is ({sister}, {ana})."""
    pairs = []
    for match in _ALIAS.finditer(text):
        groups = match.groups()
        for relation, name in ((groups[0], groups[1]), (groups[2], groups[3]), (groups[5], groups[4]), (groups[6], groups[7])):
            if relation and name and name not in ("I", "I'm"):
                words = [w for w in relation.split() if w not in ("favourite", "favorite")]
                if len(words) == len(relation.split()) and not {"name"} & content(words):
                    pairs.append((frozenset({stem(words[-1])}), frozenset({stem(name)})))
    return pairs


def named(relation: frozenset[str], lines: list[Line]) -> str:
    """The newest name that a sentence gives to a relation, as written; "" without one."""
    for line in reversed(lines):
        if any(form in line.low for word in relation for form in search_forms(word)) and not is_question(line.text):
            for match in reversed(list(_ALIAS.finditer(line.text))):
                groups = match.groups()
                for rel, name in ((groups[0], groups[1]), (groups[2], groups[3]), (groups[5], groups[4]), (groups[6], groups[7])):
                    if rel and name and stem(rel.split()[-1]) in relation:
                        return name
    return ""


__all__ = ["Line", "Memory", "aliases", "introduced_name", "named", "replace", "several"]
