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
    r"\b(?:offer(?:ed)?|promised?|paid|pay|give|given|get|receive)\b",
    re.I,
)
_WHY = re.compile(r"\b(?:why|reason|decide[d]?|conclu\w+|outcomes?|decisions?)\b", re.I)
_ASIDE = ("next ", "left out")  # of the way in which a result came, not of the case
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
    if _WHY.search(question) and (told := _concluded(case, named)):
        return told, told
    if _OFFERED.search(question) and (told := _offers(case, named) or _concluded(case, named)):
        return told, told
    if named or _ALL.search(question):
        return _told(case, named or case.scope)
    if found := _fields(case, words, named, whole=False):
        return found
    low = question.lower()
    kinds = [kind for kind in dict.fromkeys(k for k, _ in case.scope) if stem(kind) in words]
    if kinds:
        kind = min(kinds, key=lambda k: low.find(k))
        return _told(case, [s for s in case.scope if s[0] == kind])
    return None


def all_told(case: Case) -> str:
    """Everything that was found about the subjects of the case; "" without any."""
    told = _told(case, case.scope)
    return told[0] if told else ""


def _told(case: Case, subjects: list[Subject]) -> tuple[str, str] | None:
    """All that is known of some subjects."""
    found = [_finding(case, s) for s in subjects if case.facts.get(s)]
    told = " ".join(str(finding) for finding in found[:MOST] if finding.fields)
    return (told, told) if told else None


def _fields(
    case: Case, words: set[str], named: list[Subject], whole: bool = True
) -> tuple[str, str] | None:
    """Findings of the fields whose words the question holds: all of them, or most of them."""
    best: dict[str, int] = {}
    subjects = named or case.scope
    for subject in subjects:
        for name in case.facts.get(subject, {}):
            own = {stem(w) for w in name.split() if w not in STOP}
            if own and own <= words or not whole and 2 * len(own & words) >= len(own) > 0:
                best[name] = len(own & words)
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
    """What was offered: as the model said it, else as notes tell it; "" without any."""
    if offers := [o for o in case.offers if not named or (o.kind, o.id) in named]:
        return told_of(offers)
    return " ".join(text.rstrip(".") + "." for text in dict.fromkeys(case.told))


def _concluded(case: Case, named: list[Subject]) -> str:
    """The newest conclusions, with their reasons, as the model said them."""
    lines: dict[tuple, str] = {}
    for turn in case.request.turns:
        for line in turn.text.splitlines() if turn.role == "assistant" else ():
            for found in conclusions_in(line)[:1]:
                if not named or (found.kind, found.id) in named:
                    lines[found.kind, found.id, found.outcome] = line
    return " ".join(lines.values())


def _finding(case: Case, subject: Subject) -> Finding:
    facts = case.facts[subject].items()
    told = {name: fact.value for name, fact in facts if not name.startswith(_ASIDE)}
    return Finding(*subject, told)


def _stands_in(value: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text))


def _unknown_named(case: Case, question: str) -> bool:
    """Whether the question names an id of which nothing is known yet."""
    known = {value for _, value in case.facts}
    codes = re.findall(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z-])[\w-]{3,}(?![\w-])", question)
    return any(code not in known for code in codes)
