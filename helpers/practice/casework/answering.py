"""Answers to questions about a case, from what was found: no lookup is needed for what is visible."""

import re

from ..reading.clauses import is_question
from ..reading.words import STOP, WORD, stem
from .concluding import told_of
from .findings import Finding, conclusions_in
from .known import Case
from .records import Subject
from .trouble import asks_for_work

LONGEST = 300  # characters of a message that only asks
MOST = 6  # subjects in one answer

_OFFERED = re.compile(
    r"\b(?:offer(?:ed)?|promised?|paid|pay|give|given|get|receive|decide[d]?|conclu\w+|outcome|decision)\b",
    re.I,
)
_ALL = re.compile(
    r"\bwhat (?:did|have) you (?:find|found|learn\w*|establish\w*)|\bwhat do you know\b", re.I
)


def answer_from(case: Case) -> tuple[str, str] | None:
    """What is said to the question of the last message, and the bare value; None if it asks for more."""
    text = case.request.last.text.strip()
    asked = [s for s in case.request.last.sentences if is_question(s)]
    if not asked or len(text) > LONGEST or asks_for_work(text) or not case.facts:
        return None
    question = " ".join(asked)
    named = [s for s in case.facts if _stands_in(s[1], question)]
    if _unknown_named(case, question):
        return None
    words = {stem(w) for w in WORD.findall(question) if w.lower() not in STOP}
    if found := _fields(case, words, named):
        return found
    if _OFFERED.search(question) and (told := _offers(case, named)):
        return told, told
    if named or _ALL.search(question):
        findings = [_finding(case, s) for s in (named or case.scope)[:MOST] if case.facts.get(s)]
        told = " ".join(map(str, findings))
        return (told, told) if told else None
    return None


def _fields(case: Case, words: set[str], named: list[Subject]) -> tuple[str, str] | None:
    """Findings of the fields whose words the question holds."""
    best: dict[str, int] = {}
    subjects = named or case.scope
    for subject in subjects:
        for name in case.facts.get(subject, {}):
            own = {stem(w) for w in name.split() if w not in STOP}
            if own and own <= words:
                best[name] = len(own)
    if not best:
        return None
    most = max(best.values())
    names = [name for name, size in best.items() if size == most]
    told = []
    for subject in subjects:
        fields = {n: v for n in names if (v := case.value(subject, n)) is not None}
        own = any(n in case.facts.get(subject, {}) for n in names)
        if fields and (own or subject in named):
            told.append(Finding(*subject, fields))
    told = told[:MOST]
    value = "; ".join(v for f in told for v in f.fields.values())
    return (" ".join(map(str, told)), value) if told else None


def _offers(case: Case, named: list[Subject]) -> str:
    offers = [o for o in case.offers if not named or (o.kind, o.id) in named]
    concluded = [
        c
        for turn in case.request.turns
        if turn.role == "assistant"
        for c in conclusions_in(turn.text)
        if not named or (c.kind, c.id) in named
    ]
    if offers:
        return told_of(offers)
    if case.told:
        return " ".join(text.rstrip(".") + "." for text in dict.fromkeys(case.told))
    return " ".join(map(str, dict.fromkeys(concluded)))


def _finding(case: Case, subject: Subject) -> Finding:
    return Finding(*subject, {name: fact.value for name, fact in case.facts[subject].items()})


def _stands_in(value: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text))


def _unknown_named(case: Case, question: str) -> bool:
    """Whether the question names an id of which nothing is known yet."""
    known = {value for _, value in case.facts}
    codes = re.findall(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z-])[\w-]{3,}(?![\w-])", question)
    return any(code not in known for code in codes)
