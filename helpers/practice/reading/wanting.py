"""What an answer must share with a question, and the kind of value that it must hold."""

import re
from dataclasses import dataclass

from .kinds import NAMELESS, OF_WORD, kind_of
from .memory import Memory
from .naming import name_asked
from .person import expand
from .questions import CATEGORY, Question, read
from .wording import AUXILIARY
from .words import DATE, NUMBER_WORDS, PERSONS, STOP, WORD, stem

_WH = re.compile(
    r"^(?:(?:in|on|at|to|from|for|by|with|of|about|under|until) )?"
    r"(how (?:many|much|old|long|far|often|tall|big|heavy|large)"
    r"|what|which|whom?|whose|where|when|why|how)\b\s*",
    re.I,
)
# Words that say little about what is asked, and small words that `STOP` does not have.
GENERIC = frozenset(
    map(stem, """get take have make do go come put keep use give need want find set plan follow happen be know tell
        say mention ask choose recommend suggest supposed kind type sort thing way one place today tonight
        tomorrow week this last next time day again total exactly dietary kept going spell end called pick
        earlier leave-it people person guest number amount name""".split()),
)  # fmt: skip
SMALL = frozenset(
    "before after during until since per without between because while though via around within".split()
)
# Words that stand for one another in an answer. Unlike synonyms a word may stand in several lines.
_GROUPS = [
    frozenset(map(stem, line.split()))
    for line in """
    favourite best most go-to beat
    cost price pay charge quote fee bill spend
    budget spend afford aside
    live address
    house home place flat
    hotel stay accommodation hostel inn lodge
    trip go fly off head
    arrive get
    remind remember forget
    marry wedding anniversary
    dog puppy
    cat kitten
    child son
    child daughter
    child boy
    child girl
    son boy
    daughter girl
    expire run valid
    sibling brother
    sibling sister
    parent mother
    parent father
    meeting appointment
    learn study class lesson course
    return back
    sing song
    have own got
    hate stand bear
    allergy diet eat
    book reserve
    guest people
    buy get
    """.strip().splitlines()
]
_NEAR: dict[str, frozenset[str]] = {}
for _group in _GROUPS:
    for _word in _group:
        _NEAR[_word] = _NEAR.get(_word, frozenset()) | _group

_BE = ("is", "are", "was", "were")
_HAVING = frozenset(
    "have get got own need take use".split()
)  # which every thing can be the object of
_NOT = frozenset("not cannot never avoid".split())
_OWN = ("phone", "email", "age", "diet", "job")  # kinds that need no other word: "how old am I"
_AGREEING = frozenset(("like",))  # verbs whose opposite is no answer


@dataclass(frozen=True)
class Wanted:
    """What an answer must share with the question, and the kind of value that it must hold."""

    question: Question
    kind: str
    near: dict[str, frozenset[str]]  # the words that must be said, each with those that do as well
    people: frozenset[str]  # those of the question
    words: frozenset[str]  # all that the question says itself, which is no news
    typed: frozenset[str]  # words that a value of the kind stands for: "code"
    acting: bool  # somebody else does something
    linking: bool  # "what is my ...": the answer has to say what something is
    many: bool  # more than one is asked for: "which shops"

    @property
    def must(self) -> frozenset[str]:
        return frozenset(self.near)

    @property
    def mine(self) -> bool:
        """Whether the question is about the user and nobody else."""
        return self.question.root == "user" and not self.people

    @property
    def signed(self) -> bool:
        """Whether "I hate it" must not answer "what do I like"."""
        return bool(_AGREEING & self.must)


def wanted_by(question: Question, memory: Memory) -> Wanted | None:
    """What the question wants; None if it names nothing to look for. Worked out once."""
    if question.text not in memory.wanted:
        memory.wanted[question.text] = _wanted(question, memory)
    return memory.wanted[question.text]


def _wanted(question: Question, memory: Memory) -> Wanted | None:
    text = expand(question.text).strip(" ?.!,")
    match = _WH.match(text)
    phrase = match[1].lower() if match else ""
    tokens = WORD.findall(text[match.end() :] if match else text)
    low = [w.lower() for w in tokens]
    at = next((i for i, w in enumerate(low) if AUXILIARY.match(w + " ") or w == "cannot"), None)
    size = 0  # of the noun after "which"
    if phrase in ("what", "which", "whose", "how many", "how much"):
        size = at if at is not None else 1
    kind = kind_of(phrase, tokens[:size], tokens[size:]) if match else "yesno"
    people = frozenset(stem(w) for w in tokens if stem(w) in PERSONS or _is_name(w))
    stems = [stem(w) for w in tokens[size:] if w.lower() not in STOP | SMALL]
    best = {"best", "most"} & set(low)
    must = {w for w in stems if w not in GENERIC and not (best and w == "like")}
    must |= {"favourite"} if best else set()
    if {"eat", "have"} & set(low) and _NOT & set(low) and not must - {"eat"} - people:
        kind = "diet"
    typed = {w for w in must if OF_WORD.get(w) == kind or kind == "diet" and w == "eat"}
    if must - typed or question.root == "user" and kind in _OWN:
        must -= typed
    being = at is not None and low[at] in _BE
    head = {stem(w) for w in low[:size] if w not in STOP | NUMBER_WORDS} - GENERIC
    vague = not must - people or kind == "number" or not being and _deed(low, at, people) in _HAVING
    if head and (vague or being and not head <= CATEGORY | set(OF_WORD)):
        named = {w for w in head if OF_WORD.get(w) != kind}
        must |= named - CATEGORY or (GENERIC & set(stems) if must else named)
    if not must and not (question.root == "user" and kind in (*_OWN, "name")):
        if not stems or kind in ("any", "name", "yesno"):
            return None
        must = set(stems)
    linking = kind == "any" and being and question.root != ""
    acting = bool(people) and at is not None and not being and not {"i", "we"} & set(low)
    many = phrase in ("what", "which") and any(w in NUMBER_WORDS or _plural(w) for w in low[:size])
    names = memory.names_of(question)
    near = {w: frozenset({w, *_NEAR.get(w, ()), *names.get(w, ())}) for w in must}
    if question.root == "user" and (own := name_asked(read("my name"), memory)):
        tokens += own[1].split()
    words = frozenset(map(stem, tokens)).union(*near.values())
    return Wanted(question, kind, near, people, words, frozenset(typed), acting, linking, many)  # fmt: skip


def _is_name(word: str) -> bool:
    return word[0].isupper() and word.lower() not in NAMELESS and not DATE.search(word)


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _deed(low: list[str], at: int | None, people: frozenset[str]) -> str:
    """What somebody does: "play" of "does my son play"; "" if nobody does anything."""
    for index in range(len(low) if at is None else at + 1, len(low) - 1):
        if low[index] in ("i", "we") or stem(low[index]) in people:
            return low[index + 1]
    return ""
