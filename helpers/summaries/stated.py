"""What a conversation states and still holds: the facts that a summary of it must have.

    facts(summary, turns)   # order numbers, amounts, dates, names, ..., without what was replaced

A fact is a value (see `values`), a promise, or what somebody is, likes or needs. Questions and
suppositions state nothing. Tool calls and results are no statements: what counts is what was said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from helpers.messages import blocks

from .stating import held, states
from .values import Value, values
from .wording import plain, sentences, stems


@dataclass(frozen=True)
class Fact:
    """One thing that was stated. str(fact) names it with its sentence."""

    kind: str  # code, amount, date, time, address, number, name, promise, trait
    value: str  # as written
    sentence: str  # the words that carry it, as they stand in the text
    by: str  # "user", "assistant" or "summary": who said it
    asks: frozenset[str] = field(default=frozenset(), repr=False)  # keys, one of which is needed
    about: frozenset[str] = field(default=frozenset(), repr=False)  # stems of the words around it
    key: frozenset[str] = field(default=frozenset(), repr=False)  # which attribute of what it is

    def __str__(self) -> str:
        return f"{self.kind} {self.value!r}: {self.sentence}"


def facts(summary: str, turns: Iterable) -> list[Fact]:
    """The facts of `summary` and of the messages `turns`, oldest first, each once.

    What a later statement replaced is left out: "not X but Y", "no longer X", "moved to Y", the
    same attribute stated again, a correction ("sorry, 40"), a reminder that is said to be done.
    """
    return list(_facts((("summary", summary), *spoken(turns))))


@lru_cache(maxsize=8)  # one fold checks two or three summaries against the same turns
def _facts(said: tuple[tuple[str, str], ...]) -> tuple[Fact, ...]:
    known = _known_names([text for _, text in said])
    called = _called([text for by, text in said if by == "user"])
    found: list[Fact] = []
    for by, text in said:
        found = _read(by, text, known, called, found)
    return tuple(_once(found))


def spoken(turns: Iterable) -> list[tuple[str, str]]:
    """(role, text) of each message that has text; tool calls, results and thinking have none."""
    said = []
    for message in turns:
        role = message.get("role") if hasattr(message, "get") else getattr(message, "role", None)
        texts = [b.get("text") for b in blocks(message) if b.get("type") == "text"]
        text = "\n".join(text for text in texts if isinstance(text, str))
        if role in ("user", "assistant") and text.strip():
            said.append((role, text))
    return said


# ---------------------------------------------------------------- reading one text

_TODAY = re.compile(r"\b(?:it is|it's|today is)(?: now| already)? (?:the )?(?:\w+day,? )?$", re.I)
_MARK = re.compile(
    r"^(?:sorry|actually|correction|no|nope|wait|oops|i mean(?:t)?|make (?:it|that)|rather|my mistake|i was wrong"
    r"|change of plans?|i misspoke)\b"
    r"|^(?:it|that|this|they) (?:is|are|was|were|has|have|will be) (?:now|actually|rather|changed|moved|been moved|been changed)\b"
    r"|^(?:it|that|this|they) (?:moved|changed|got moved)\b|^(?:it|that|this|they) (?:is|are) .* now$",
    re.I,
)
_DONE = re.compile(
    r"\b(?:already|done|back|bought|sent|returned|posted|gave|no longer need)\b", re.I
)


def _read(by: str, text: str, known, called, found: list[Fact]) -> list[Fact]:
    """`found` and what one text adds to it, without what it replaces."""
    before = ""
    for raw in sentences(text):
        sentence = plain(raw)
        if not states(sentence):
            before = raw
            continue
        now, over = held(sentence)
        whole = stems(now)
        for part in over:
            found = _taken_back(found, part, whole, known)
        new: list[Fact] = []
        for clause in _clauses(now):
            new += _facts_of(clause, raw, by, known, called, whole)
        new += _promises(sentence, raw, before, by)
        if before and _BARE.match(sentence):
            new = [_leaning(fact, before) for fact in new]
        for fact in new:
            found = [old for old in found if not _replaced(old, fact)]
        if _MARK.search(sentence.strip(" \"'")) and len(sentence.split()) <= 9:
            found = _put_right(found, new)
        if _DONE.search(sentence):
            done = stems(sentence)
            found = [f for f in found if f.kind != "promise" or not _same_errand(f, done)]
        found = found + new
        before = raw
    return found


_BARE = re.compile(r"[\"'(]*(?:they|these|those|it|this|that|she|he) ", re.I)


def _leaning(fact: Fact, before: str) -> Fact:
    """A trait of "they" is told together with the sentence that says who "they" are."""
    if fact.kind != "trait":
        return fact
    return replace(
        fact, sentence=f"{before} {fact.sentence}", about=fact.about | stems(plain(before))
    )


_SPLIT = re.compile(
    r"[;:–—]\s+|,?\s+(?:and|but|so|because|while|who|which|whereas)\s+"
    r"(?=(?:I|we|he|she|it|they|you|my|our|his|her|the|there|[A-Z][\w']+|every|all)\s+[\w']+\s)"
)


def _clauses(sentence: str) -> list[str]:
    """The parts that each say something; two words ("Bob and ...") are no part of their own."""
    parts, start = [], 0
    for match in _SPLIT.finditer(sentence):
        if len(sentence[start : match.start()].split()) > 2:
            parts.append(sentence[start : match.start()])
            start = match.end()
    return [*parts, sentence[start:]]


def _facts_of(clause: str, raw: str, by: str, known, called, whole) -> Iterator[Fact]:
    read = values(clause, known)
    own = frozenset().union(*(stems(v.said) for v in read)) if read else frozenset()
    for value in read:
        if not value.asks or value.kind == "name" and by == "user" and value.asks <= called:
            continue
        about = whole - stems(value.said) if value.kind == "number" else whole
        key = _attribute(clause, value)
        if "today" in key:  # the day on which it was said, which is no fact about anything
            continue
        yield Fact(value.kind, value.said, raw, by, value.asks, about, key)
    if by != "assistant":  # what it says of the user's tastes is an echo
        yield from _traits(clause, raw, by, own)


# ---------------------------------------------------------------- which attribute

_BEING = "is|are|was|were|am|be|been"
_CHANGING = "moved|changed|switched|postponed|rescheduled|set|updated|corrected"
_VERB = re.compile(
    rf"\b(?:(?:will|has|have|had|now|also|just) )*(?:({_BEING})(?: (?:now|also|actually|only))*(?: (?:been|{_CHANGING}))*"
    rf"|({_CHANGING})|(costs?|starts?|begins?|ends?|closes?|opens?|leaves?|left|arrives?|departs?|lands?|lives?"
    rf"|stays?|works?|totals?|amounts?|expires?|weighs?|measures?))\b|[:=]",
    re.I,
)
_HOME = re.compile(r"\b(?:lives?|moved|moving|resides?|living) (?:now )?(?:in|to)\b", re.I)
_DIRECT = re.compile(r"\s*(?:now |called |named |the |to |in |at |on |actually |a |an |[\"'“])*$")


def _attribute(clause: str, value: Value) -> frozenset[str]:
    """What a value is the value of: "our budget for dinner is now 28" is {budget, dinner}.

    Empty if the clause does not say it plainly; then nothing replaces it but a "not ...".
    """
    kind = f"{value.kind}:{value.unit}" if value.kind == "number" else value.kind
    if value.kind == "name" and (home := _HOME.search(clause, 0, value.at)):
        return stems(clause[: home.start()]) | {"home", kind}
    if value.kind == "date" and _TODAY.search(clause, 0, value.at):
        return frozenset({"today", kind})
    verbs = list(_VERB.finditer(clause, 0, value.at))
    if not verbs:
        return frozenset()
    verb = verbs[-1] if value.kind == "name" else verbs[0]
    if value.kind == "name" and not _DIRECT.match(clause[verb.end() : value.at]):
        return frozenset()
    subject = stems(clause[: verb.start()])
    action = stems(verb[3]) if verb[3] else frozenset()
    return subject | action | {kind} if subject or action else frozenset()


def _replaced(old: Fact, new: Fact) -> bool:
    """Whether the later fact says another value of the same attribute."""
    if not old.key or not new.key or old.asks & new.asks:
        return False
    if old.key == new.key:
        return True
    # "The flight is now at ten" after "the flight leaves at nine"
    said_anew = re.search(r"\b(?:now|moved|changed|instead|rescheduled|postponed)\b", new.sentence)
    return old.kind == new.kind and bool(said_anew) and (old.key < new.key or new.key < old.key)


def _taken_back(found: list[Fact], over: str, whole: frozenset, known) -> list[Fact]:
    """Without the facts that hold a value, or a trait, which is said to be over."""
    keys = frozenset().union(*(v.gives for v in values(over, known)))
    words = stems(over) - stems("not no longer but instead rather than from changed moved")
    wrong = [f for f in found if f.asks & keys or _is_trait_of(f, words)]
    near = [f for f in wrong if f.about & (whole | words)] or wrong[-1:]
    return [f for f in found if f not in near]


def _is_trait_of(fact: Fact, words: frozenset[str]) -> bool:
    return fact.kind == "trait" and bool(words) and bool(words & fact.about)


def _put_right(found: list[Fact], new: list[Fact]) -> list[Fact]:
    """ "Sorry, 40": without the newest older fact of the kind, where there is one of each."""
    for fact in new:
        same = [f for f in found if f.kind == fact.kind and not f.asks & fact.asks]
        if fact.kind not in ("trait", "promise") and same:
            gone = same[-1]
            found = [f for f in found if not (f.kind == gone.kind and f.asks == gone.asks)]
    return found


# ---------------------------------------------------------------- promises and traits

_PROMISE = re.compile(
    r"\bremind(?:ed|er)?\b|\bpromis(?:e|es|ed)\b|\bdo not forget to\b|\bcommitted to\b|\bagreed to\b", re.I
)  # fmt: skip
_WILL = {
    "assistant": re.compile(r"\b(?:I|we) (?:will|shall|am going to|are going to)\b|\byou will (?:get|receive|have)\b", re.I),
    "summary": re.compile(r"\b(?:assistant|agent|company|shop|support|they|it) will\b", re.I),
}  # fmt: skip
_LEANS = re.compile(r"\b(?:it|them|that|this)\b", re.I)


def _promises(sentence: str, raw: str, before: str, by: str) -> Iterator[Fact]:
    will = _WILL.get(by)
    asked = _PROMISE.search(sentence)
    if by == "assistant" and asked and not re.search(r"\bI (?:have )?promised?\b", sentence):
        asked = None  # it only says again what it was asked for
    if not (asked or will and will.search(sentence)):
        return
    words = stems(_PROMISE.sub("", sentence))
    if before and _LEANS.search(
        sentence
    ):  # "remind me to give it back": what "it" is stands before
        raw = f"{before} {raw}"
        words |= stems(plain(before))
    if words:
        yield Fact("promise", sentence.strip(), raw, by, frozenset(), words)


def _same_errand(promise: Fact, done: frozenset[str]) -> bool:
    return len(promise.about & done) >= 2


_TRAIT = re.compile(
    r"\b(?:allerg\w*|vegan|vegetarian|pescatarian|halal|kosher|gluten\S*|lactose|diabetic|coeliac|intoleran\w*"
    r"|favou?rite|afraid|cannot|never|always|must)\b"
    r"|\b(?:likes|loves|hates|dislikes|enjoys|prefers|needs)\b"
    r"|\b(?:I|we|they|you|not|really|also|all|both) (?:like|love|hate|dislike|enjoy|prefer|need|do not eat|do not drink)\b",
    re.I,
)
_IDLE = re.compile(r"\b(?:must|need to|cannot) (?:also )?(?:\w+ )?(?:correct|say|tell|ask|go|add|mention|admit|know|wait|help)\b", re.I)  # fmt: skip
_TRIGGERS = stems(
    "likes loves hates dislikes enjoys prefers needs favourite cannot never always must really also"
)


def _traits(clause: str, raw: str, by: str, own: frozenset[str]) -> Iterator[Fact]:
    match = _TRAIT.search(clause)
    if not match or _IDLE.search(clause):
        return
    words = stems(clause[match.start() :]) - _TRIGGERS - own
    words = words or stems(clause) - _TRIGGERS - own
    if words:
        yield Fact("trait", clause.strip(" ,.!"), raw, by, frozenset(), words)


# ---------------------------------------------------------------- names, and each fact once

_GREETED = re.compile(
    r"(?:^|[.!?\n]\s*)(?i:(?:hello|hi|hey|dear|thanks|thank you|good (?:morning|afternoon|evening|night))(?: again)?"
    r"(?:[^.!?\n]{0,30},)?)[, ]+([A-Z]\w+)(?=[,.!?\n]|$)(?! here)"
)
_CLOSED = re.compile(
    r"(?i:thanks?|until|bye|night|sleep|everything|tomorrow)\b[^.!?\n]{0,40}, ([A-Z]\w+)[.!?]"
)


def _called(texts: list[str]) -> frozenset[str]:
    """The names by which the user addresses the assistant: no facts."""
    names = {m[1] for text in texts for p in (_GREETED, _CLOSED) for m in p.finditer(text)}
    told = {n for n in names if any(re.search(rf"\b(?i:name is|i am|i'm) {n}\b", t) for t in texts)}
    return frozenset(f"name:{name.casefold()}" for name in names - told)


def _known_names(texts: list[str]) -> frozenset[str]:
    """Words that stand with a capital inside a sentence, in small letters."""
    inside = re.compile(r"(?<=[a-z,] )[^\W\d_a-z]\w+")
    return frozenset(m.group().casefold() for text in texts for m in inside.finditer(text))


def _once(found: list[Fact]) -> list[Fact]:
    """Each fact once, as it was said first; a number counts as the same with a word in common."""
    kept: dict[tuple, list[Fact]] = {}
    for fact in found:
        same = kept.setdefault((fact.kind, fact.asks or fact.about), [])
        if fact.kind == "number" and fact.about:
            for n, other in enumerate(same):
                if other.about & fact.about:
                    same[n] = replace(other, about=other.about | fact.about)
                    break
            else:
                same.append(fact)
        elif not same:
            same.append(fact)
    order = {id(fact): n for n, fact in enumerate(found)}
    flat = [fact for same in kept.values() for fact in same]
    return sorted(flat, key=lambda fact: order.get(id(fact), 0))
