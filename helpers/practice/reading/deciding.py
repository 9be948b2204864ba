"""Answers with yes or no: by a statement that agrees, or by one that gives another value."""

import re

from .memory import Memory
from .person import sentence, to_second
from .questions import Question
from .statements import Statement
from .words import WORD, stem

_PAST = re.compile(r"(?:was|were|did|have|had)\b", re.I)
# What a user can have one of, so that another value of it means "no".
_SINGLE = frozenset({"live", "birthday", "name", "job", "from"})
_MEAT = frozenset(
    map(stem, """meat beef pork chicken ham bacon lamb turkey steak sausage duck veal fish salmon tuna
        shrimp""".split())
)  # fmt: skip
_DAIRY = frozenset(map(stem, "egg milk cheese butter honey cream yoghurt yogurt dairy".split()))


def yes_or_no(question: Question, found: list[Statement], memory: Memory) -> tuple[str, str] | None:
    """The answer and its bare value; None if the request does not decide it."""
    if found:
        best = found[0]
        if best.verb in ("was", "were") and not _PAST.match(question.text):
            return sentence(to_second(best.text)), ""  # so it was; that says nothing of now
        fits = best.negative == question.negative
        if "eat" in question.words and "allergy" in best.words:
            fits = False
        word = "Yes" if fits else "No"
        return f"{word}: {to_second(best.text)}.", word
    against = _against_diet(question, memory) or _other_value(question, memory)
    return (f"No: {to_second(against.text)}.", "No") if against else None


def _against_diet(question: Question, memory: Memory) -> Statement | None:
    """The diet that speaks against what the user asks to eat, if he told one."""
    food = question.words - {"eat"}
    if "eat" not in question.words or not question.bare or not food <= _MEAT | _DAIRY:
        return None
    for statement in memory.search(frozenset({"diet"}), {}):
        if statement.root == "user" and not statement.about and not statement.owners:
            if "vegan" in statement.words or "vegetarian" in statement.words and food <= _MEAT:
                return None if statement.negative else statement
    return None


def _other_value(question: Question, memory: Memory) -> Statement | None:
    """ "Is my name Bob?" when it is another: a statement about the same thing."""
    asked = [w for w in map(stem, WORD.findall(question.text)) if w in question.words]
    if not asked or question.bare and question.words & {"like", "eat"}:
        return None
    names = memory.names_of(question)
    known = question.words | {n for w in question.words for n in names.get(w, ())}
    for statement in memory.search(frozenset(asked[:1]), names):
        if statement.negative or statement.root not in ("", question.root or statement.root):
            continue
        subject = statement.about | statement.owners
        single = statement.words & _SINGLE if question.bare else frozenset()
        same_thing = subject and statement.linking and statement.value and subject <= known
        if question.bare and not statement.owners <= known:
            continue
        if same_thing or single and single <= question.words:
            return statement
    return None
