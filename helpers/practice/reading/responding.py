"""The answer to one question, from what the request states."""

import re
from dataclasses import replace

from .clauses import is_question
from .deciding import yes_or_no
from .finding import Found, find, find_other, put_right, someone_elses
from .kinds import value_in
from .lists import ASKS, items_on
from .matching import MOST, keys_of, on_its_side, several
from .memory import Memory
from .naming import name_asked
from .person import sentence, to_second
from .questions import Question, read
from .statements import Statement
from .values import value_of
from .wanting import wanted_by
from .words import stem

MOST_OF_ALL = 12  # in an answer that says everything
READ_FOR_ALL = 200  # sentences read for it

Answer = tuple[str, str]  # what is said, and the bare value in it ("" if nothing is known)

_WHO_ARE_YOU = re.compile(
    r"^(?:who|what) are you\b|^what is your name|^your name$|^what (?:should|can|do) i call you",
    re.I,
)
_WHO_AM_I = re.compile(r"^who (?:am i|i am)$", re.I)
_SELF = "I am the practice model of this course, a stand-in without a network."


def respond(question: Question, memory: Memory) -> Answer:
    """What is said to one question, and the bare value ("" if it is not known)."""
    if question.kind == "all":
        return _everything(memory)
    if question.kind == "task":
        return CANNOT, ""
    if question.kind == "topic":
        return _about(question, memory)
    if asked := ASKS.search(question.text):
        name = asked[1] or asked[2]
        if items := "; ".join(map(to_second, items_on(memory))):
            return f"On your {name}: {items}.", items
    if _WHO_ARE_YOU.match(question.text):
        return memory.persona or _SELF, ""
    if _WHO_AM_I.match(question.text):
        question = read("my name")
    question = _completed(question, memory)
    if (pronoun := _PRONOUN.search(question.text)) and not _BEARER.search(
        question.text, 0, pronoun.start()
    ):
        if not (person := memory.last_person()):
            return "You have not told me of whom you speak in this conversation.", ""
        question = read(
            _PRONOUN.sub(lambda m: person + "'s" * (m[1].lower() in _OWNING), question.text)
        )
    known = _by_grammar(question, memory)
    if question.kind == "yesno":
        if known or (searched := find(question, memory)):
            return known or (searched.text, "")
        other = find_other(question, memory)
        return (f"No. {other.text}", "No") if other else (_unknown(question, memory), "")
    searched = None if known and several(question) else _newer(known, question, memory)
    if searched:
        return searched.text, searched.value
    return known or (_unknown(question, memory), "")


def _newer(known: Answer | None, question: Question, memory: Memory) -> Found | None:
    """What a search finds, if the grammar found nothing, or nothing as new and as complete."""
    searched = find(question, memory)
    if not known or not known[1] or searched and searched.many:
        return searched
    place = memory.newest_with(known[1])
    if place is None:
        return None
    if (
        searched
        and searched.whole
        and searched.place > place
        and searched.value.lower() != known[1].lower()
    ):
        return searched
    found = Found(known[0], known[1], place, True)
    corrected = put_right(found, question, memory)
    return corrected if corrected is not found else None


def _by_grammar(question: Question, memory: Memory) -> Answer | None:
    """The answer of a statement that can be parsed; None if none answers."""
    known = name_asked(question, memory)
    if known and not someone_elses(known[1], question, memory):
        return known
    found = memory.find(question)
    if question.kind == "yesno":
        return yes_or_no(question, found, memory)
    if question.words & {"like", "eat"}:
        found = [s for s in _current(found) if on_its_side(s, question)]
    if not found:
        return None
    if several(question):
        return _all_of(found, question)
    wanted = wanted_by(question, memory)
    checked = wanted and wanted.kind in ("code", "job", "phone", "email", "time")
    if checked and not value_in(found[0].text, wanted.kind, wanted.words):
        return None  # "the code has not changed" says no code
    return sentence(to_second(found[0].text)), value_of(found[0], question)


_PRONOUN = re.compile(r"\b(he|she|him|his|her|hers)\b", re.I)
_BEARER = re.compile(r"\b(?:the|my|our) [a-z]+|(?<= )[A-Z]")  # it stands in the question itself
_OWNING = ("his", "her", "hers")


def _completed(question: Question, memory: Memory) -> Question:
    """ "And what is my sister's?": the noun comes from what was spoken of before."""
    if not question.owners or question.words - question.owners or not question.text.endswith("'s"):
        return question
    for index in range(len(memory.lines) - 1, max(-1, len(memory.lines) - MOST), -1):
        line = memory.lines[index]
        if is_question(line.text):
            earlier = read(line.text)
            about = earlier.words - earlier.owners
        else:
            about = next((s.about for s in memory.statements(index) if s.about), frozenset())
        if about:
            return replace(question, words=question.words | about)
    return question


# --- several statements ---------------------------------------------------------------------------


def _all_of(found: list[Statement], question: Question) -> Answer:
    """Every statement that still holds, in the order in which they were made."""
    kept = sorted(_current(found)[:MOST], key=lambda s: s.place)
    said = dict.fromkeys(sentence(to_second(s.text)) for s in kept)
    return " ".join(said), ", ".join(value_of(s, question) for s in kept)


def _current(found: list[Statement]) -> list[Statement]:
    """Without what a newer statement of the same thing replaced: "I no longer like tea"."""
    newest: list[Statement] = []
    told: set[object] = set()
    for statement in sorted(found, key=lambda s: -s.place):
        keys = keys_of(statement)
        if told.isdisjoint(keys):
            newest.append(statement)
            told.update(keys)
    return newest


# --- topics and everything ------------------------------------------------------------------------


def _about(question: Question, memory: Memory) -> Answer:
    """ "What did I say about the parking?": the sentences that speak of it."""
    if question.root == "model" or not question.words:
        return _unknown(question, memory), ""
    names = memory.names_of(question)

    def speaks_of_it(statement: Statement) -> bool:
        whose = statement.owners | statement.about
        if question.root == "user" and whose and not whose & question.words:
            return False  # somebody else's
        return all(
            w in statement.words or names.get(w, set()) & statement.words for w in question.words
        )

    found = [s for s in memory.search(question.words, names) if speaks_of_it(s)]
    if not found:
        if text := memory.told_with(question.words, MOST):
            return f"You told me: {to_second(text)}", text
        what = question.topic or "that"
        return f"You have not told me anything about {what} in this conversation.", ""
    kept = sorted(found[:MOST], key=lambda s: s.place)
    text = "; ".join(dict.fromkeys(to_second(s.text) for s in kept))
    return f"You told me: {text}.", text


def _everything(memory: Memory) -> Answer:
    """What the user said of himself, the newest where one thing was said twice."""
    facts = _current([s for s in memory.personal(READ_FOR_ALL) if s.tells])
    if not facts:
        return "You have not told me anything about yourself in this conversation.", ""
    said = list(dict.fromkeys(to_second(s.text) for s in reversed(facts)))
    text = "; ".join(said[-MOST_OF_ALL:])
    more = f" (and {len(said) - MOST_OF_ALL} more)" if len(said) > MOST_OF_ALL else ""
    return f"You told me: {text}{more}.", text


# --- not knowing ----------------------------------------------------------------------------------


CANNOT = "I cannot do that: I am a practice model, and I only recall what this conversation holds."
_GENERAL = re.compile(
    r"(?:an?|some|something|another|more|any|ideas?|tips|how to|one) (?!of my|thing i|i )|(?:got |have you got )?any (?:ideas|tips)", re.I
)  # fmt: skip
# Questions that can be said back without being misread.
_NOUNS = r"(?:my|our|the|[A-Z][\w-]*['’]s)(?: (?!(?:is|was|to|it|that|called|thing|i)\b)(?!\w+ing\b)[\w'’-]+){1,4}"
_PLAIN = re.compile(
    rf"(?i:what|who) (?i:is|are|was|were) {_NOUNS}$|{_NOUNS}$|(?i:when|where) (?i:is|was|are) (?:my|our|the)(?: [a-z]+){{1,2}}$"
    r"|(?i:(?:(?:what|who|where|when|which|why|how \w+)\b(?: \w+){0,3}? )?(?:do|did|am|have|can|should|was|were|are)) (?:I|i|we)\b[^,]*$"
    r"|(?i:(?:what|who|where|when|which|how \w+)(?: \w+){0,2}? (?:does|did)) (?:my [a-z]+|[A-Z]\w+)(?: [a-z]+)+$"
)


# What only somebody in the conversation can know.
_PRIVATE = frozenset(map(stem, "code pin password passcode combination".split()))
_OF = re.compile(r"the \w+ (?:of|for|to) (?:\w+ ?){1,4}$")


def _unknown(question: Question, memory: Memory) -> str:
    """Not knowing, said of what was asked."""
    topic = question.topic.strip(" ?.") if _PLAIN.match(question.text.strip(" ?.")) else "that"
    if _GENERAL.match(question.text):
        return CANNOT
    private = question.words & _PRIVATE
    if question.root == "user" or question.owners or private or memory.mentions(question.words):
        if private and topic == "that" and _OF.match(question.topic):
            topic = question.topic.strip(" ?.")
        return f"You have not told me {topic} in this conversation."
    if question.root == "model":
        return f"{_SELF} I know only what this request holds, and it does not say that."
    return (
        f"I know only what this request holds, and it does not say: {question.text.strip(' ?.')}? "
        "I am a practice model without general knowledge."
    )
