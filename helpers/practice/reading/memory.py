"""What a request states, found again for a question.

A long request is not parsed. The question is read first; then every sentence is tested for the
question's words by plain string search, and only what passes is read. So the time is linear in the
request, and small.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice

from ..request import Request
from .aliases import named, naming
from .clauses import (
    KEEPING,
    clauses,
    is_fact,
    is_question,
    is_request_to_keep,
    sentences,
    strip_lead,
)
from .clues import ANYWHERE, HIMSELF, IMPLIED, LEANING, SHARP, TELLS, of_himself
from .corrections import complete, corrected, person_in, resolve
from .lines import Lines
from .matching import MOST, distance, keys_of, on_its_side, several
from .person import expand, user_to_first
from .questions import Question
from .statements import Statement, note_of, parse
from .words import WORD, search_forms, stem

LEAN = 4  # sentences before a leaning one in which its subject is looked for
REACH = 8  # sentences that a correction looks back
LAST = 40  # sentences in which the bearer of a pronoun in a question is looked for
NAMES = 24  # names of one relation, and relations of one name
READ_FOR_NAMES = 200  # sentences in which the names of one word are looked for
DEEPEST = 4  # sentences that lean on one another


_TO_REMEMBER = re.compile(
    r"(?:and |also |please |do )*(?:remember|keep in mind|bear in mind|don['’]t forget|note)\b(?: that)?[:,]? +(?=\S)",
    re.I,
)


_BEGUN = frozenset(begin[:2] for begin in LEANING)
_OVER = re.compile(
    r"\b(?:no longer|not|instead of|rather than)\b[^,;.]*"
)  # what is said to be over


def _telling(question: Question, names: dict[str, set[str]]) -> re.Pattern | None:
    """What gives away a statement about the user himself; None if the question is about more."""
    known = question.words | question.owners | question.loose
    if not question.bare or question.root != "user" or not known or "name" in known:
        return None
    if "live" in known:
        known |= {"address", stem("city"), "town"}
    return of_himself(known.union(*names.values()))


def memory_of(request: Request) -> "Memory":
    """The request's memory, made once."""
    if "memory" not in request.worked_out:
        request.worked_out["memory"] = Memory(request)
    return request.worked_out["memory"]


class Memory:
    """The statements of one request."""

    def __init__(self, request: Request):
        self._request = request
        self._read: dict[int, list[Statement]] = {}
        self.wanted: dict[str, object] = {}  # what questions want, worked out once

    @cached_property
    def persona(self) -> str:
        """Who the system prompt says the model is, as the model would say it; "" if it does not."""
        for text in sentences(self._request.system):
            if match := re.match(
                r"you are (?:called |named )?((?:an? |the )?.+)", expand(text), re.I
            ):
                return f"I am {match[1].rstrip('.! ')}."
            if match := re.match(r"your name is (.+)", text, re.I):
                return f"My name is {match[1].rstrip('.! ')}."
        return ""

    @cached_property
    def lines(self) -> Lines:
        """Every sentence of the system prompt, then of the user's turns, oldest first."""
        said, turns = self._request.lines, self._request.turns
        before = list(map(user_to_first, sentences(self._request.system)))
        texts = before + said.texts
        places = [-1] * len(before) + [n if turns[n].role == "user" else -1 for n in said.turns]
        for index in said.having("user"):
            text = said.texts[index]
            if places[len(before) + index] < 0 or "user" in text:
                texts[len(before) + index] = user_to_first(text)
        for index in {i for form in KEEPING for i in said.having(form)}:
            text = texts[len(before) + index]
            if text.endswith("?") and is_request_to_keep(text):
                texts[len(before) + index] = text.rstrip("?") + "."
        return Lines(texts, places)

    # --- reading ----------------------------------------------------------------------------------

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
        leaning = line.low.startswith(LEANING)
        if (
            leaning
            and line.own
            and (fixed := corrected(line.text, index, self._before(index, depth)))
        ):
            return [fixed]
        found: list[Statement] = []
        for clause in clauses(line.text):
            if not is_fact(clause):
                if clause.lower().startswith(("if ", "suppose", "imagine", "what if", "when ")):
                    return found
                continue
            same = chain(reversed(found), self._before(index, depth, line.turn))
            clause = resolve(clause, same, self._before(index, depth), line.own)
            if statement := parse(clause, index, line.own):
                near = chain(reversed(found), self._before(index, depth))
                found.append(complete(statement, near))
        if not found and line.own and (match := _TO_REMEMBER.match(line.text)):
            note = note_of(line.text[match.end() :].strip(" .!"), index)
            return [note] if note.words else []
        if not found and line.own and is_request_to_keep(line.text):
            return [note_of(strip_lead(line.text), index)]
        keep = _TO_REMEMBER.match(line.text) or is_request_to_keep(line.text)
        return [replace(s, kept=True) for s in found] if keep else found

    def _before(self, index: int, depth: int, turn: int | None = None) -> Iterator[Statement]:
        """The statements before a sentence, newest first (of one turn), read only when asked for."""
        if depth >= DEEPEST:
            return
        for earlier in range(index - 1, max(-1, index - 1 - REACH), -1):
            line = self.lines[earlier]
            if line.own == self.lines[index].own and turn in (None, line.turn):
                yield from reversed(self.statements(earlier, depth + 1))

    # --- searching --------------------------------------------------------------------------------

    def with_any(self, forms: Iterable[str]) -> set[int]:
        """The sentences that hold one of these strings."""
        return self.lines.with_any(forms)

    @cached_property
    def _leaning(self) -> set[int]:
        """The sentences that begin with a pronoun or put something right."""
        lows = enumerate(self.lines.lows)
        begun = [i for i, low in lows if low[:2] in _BEGUN and low.startswith(LEANING)]
        return {*begun, *self.with_any(("'s is ", "’s is ", "'s are ", "’s are "))}

    def search(
        self,
        words: frozenset[str],
        names: dict[str, set[str]],
        telling: re.Pattern | None = None,
    ) -> Iterator[Statement]:
        """Statements that may hold all `words`, newest first; `telling` stands in the user's own."""
        groups: list[set[int]] = []
        for word in sorted(words - ANYWHERE):
            forms = [f for w in (word, *sorted(names.get(word, ()))) for f in search_forms(w)]
            if word in IMPLIED:
                if word not in SHARP and words - set(IMPLIED) - ANYWHERE:
                    continue
                forms += IMPLIED[word]
            found = self.with_any(forms) - self._asking
            if telling:
                found = self._of_himself(found, telling)
            if word in TELLS:
                texts = self.lines.texts if word == "name" else self.lines.lows
                found = {i for i in found if TELLS[word].search(texts[i])}
            groups.append(found)
        if groups:
            chosen = set.intersection(*groups)
            chosen |= self._leaning_on(groups)
            if "favourite" in words:
                chosen |= self.with_any(
                    ("favourite is", "favorite is", "favourite now", "favorite now")
                )
        else:
            chosen = set(range(len(self.lines)))
        for index in sorted(chosen - self._asking, reverse=True):
            yield from reversed(self.statements(index))

    def _of_himself(self, among: set[int], telling: re.Pattern) -> set[int]:
        """The sentences in which the user may tell of himself; all leaning ones, all of the system's."""
        lows, turns = self.lines.lows, self.lines.turns
        sure = {i for i in among if turns[i] < 0} | among & self._leaning
        may = (among - sure) & self.with_any(HIMSELF)
        return sure | {i for i in may if telling.search(lows[i])}

    @cached_property
    def _asking(self) -> set[int]:
        """The sentences that end with a question mark, which state nothing."""
        return {i for i, text in enumerate(self.lines.texts) if text[-1] == "?"}

    def _leaning_on(self, groups: list[set[int]]) -> set[int]:
        """The leaning sentences that have something of each group within reach before them."""
        fewest = min(groups, key=len)
        near = {i + step for i in fewest for step in range(LEAN + 1)} & self._leaning
        return {
            index
            for index in near
            if all(any(index - step in group for step in range(LEAN + 1)) for group in groups)
        }

    def find(self, question: Question) -> list[Statement]:
        """Statements that answer a question, best first; [] when the request does not say."""
        names = self.names_of(question)
        best: list[tuple[int, int, Statement]] = []
        many, told, shown = several(question), set(), 0
        for statement in self.search(question.words, names, _telling(question, names)):
            far = distance(statement, question, names)
            if far is not None:
                best.append((far, -statement.place, statement))
                if far == 0 and question.words and not many:
                    break
                if many and told.isdisjoint(keys := keys_of(statement)):
                    told.update(keys)
                    shown += on_its_side(statement, question)
                    if shown == MOST:
                        break
        best.sort(key=lambda entry: entry[:2])
        return [statement for *_, statement in best]

    def personal(self, most: int) -> list[Statement]:
        """What the user said of himself and what is his, newest first, from at most `most` sentences."""
        chosen = self.with_any(
            ("i ", "i'm", "i’m", "my ", "we ", "we're", "our ", " is ", " are ", ":", "user")
        )
        own = sorted(chosen, reverse=True)[:most]
        return [s for index in own for s in reversed(self.statements(index))]

    # --- who is who -------------------------------------------------------------------------------

    def names_of(self, question: Question) -> dict[str, set[str]]:
        """For each word of the question the names or relations that mean the same."""
        found: dict[str, set[str]] = {}
        for word in (question.words | question.owners) - set(IMPLIED):
            for noun, name in self._pairs(word):
                others = found.setdefault(word, set())
                if len(others) < NAMES:
                    others.add(name if word == noun else noun)
        return found

    def _pairs(self, word: str) -> Iterator[tuple[str, str]]:
        """The stems of (noun, name) pairs of which the word is one."""
        for text in islice(self._naming(word), READ_FOR_NAMES):
            pairs = [(stem(noun), stem(name.split()[-1])) for noun, name in named(text)]
            if any(word in pair for pair in pairs) and not is_question(text):
                yield from (pair for pair in pairs if word in pair)

    def _naming(self, word: str) -> Iterator[str]:
        """The sentences that may give a name to the word, or have it as a name, newest first."""
        if word[0].isdigit():
            return
        forms, texts = search_forms(word), self.lines.texts
        may_name = naming(forms)
        for index in sorted(self.with_any(forms) - self._asking, reverse=True):
            if may_name.search(texts[index]):
                yield texts[index]

    def relation_of(self, word: str) -> tuple[str, str] | None:
        """(noun, name) as written, of whoever bears the name `word`; None for a stranger."""
        return self._newest(word, 1)

    def name_of(self, words: frozenset[str]) -> str:
        """The newest name that a sentence gives to a relation, as written; "" without one."""
        return next((pair[1] for word in sorted(words) if (pair := self._newest(word, 0))), "")

    def _newest(self, word: str, at: int) -> tuple[str, str] | None:
        for text in self._naming(word):
            for pair in reversed(list(named(text))):
                if stem(pair[at].split()[-1]) == word and not is_question(text):
                    return pair
        return None

    def last_person(self) -> str:
        """The person who was spoken of last, as written ("my sister", "Tom"); "" without one."""
        for index in range(len(self.lines) - 1, max(-1, len(self.lines) - LAST), -1):
            for statement in reversed(self.statements(index)):
                if person := person_in(statement):
                    return person
        return ""

    def mentions(self, words: frozenset[str]) -> bool:
        """Whether the user has used one of these words in a statement."""
        found = self.with_any(sorted(words)) - self._asking
        return any(self.lines[i].own and not is_question(self.lines[i].text) for i in found)

    def newest_with(self, value: str) -> int | None:
        """The newest statement that has these words; None without one."""
        low = value.lower()
        backwards = range(len(self.lines) - 1, -1, -1)
        places = (
            i
            for i in backwards
            if low in self.lines[i].low and low in _OVER.sub("", self.lines[i].low)
        )
        return next((i for i in places if not is_question(self.lines[i].text)), None)

    def told_with(self, words: frozenset[str], most: int) -> str:
        """The user's newest sentences that have all these words, oldest first; "" without any."""
        found = [self.with_any(search_forms(word)) for word in sorted(words)]
        chosen = sorted(set.intersection(*found), reverse=True)[: most * 4] if found else []
        told = [
            line.text
            for line in (self.lines[i] for i in chosen)
            if line.own
            and not is_question(line.text)
            and words <= set(map(stem, WORD.findall(line.text)))
        ]
        return " ".join(reversed(told[:most]))
