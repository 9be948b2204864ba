"""What the rules give for each subject, and the tool that carries it out."""

import re
from dataclasses import dataclass

from ..reading.words import WORD, stem
from .calls import Call, parsed
from .findings import Offer
from .judging import CaseRule, amount_of, fields_of, holds, number, reason_of, same
from .known import Case
from .records import Subject
from .tools import Tool

_NEGATIVE = re.compile(
    r"(?:no|not|none|nothing|without|never|deny|denied|reject\w*|refus\w*)\b", re.I
)
_STATUS = ("status", "state", "result", "decision", "outcome", "answer")
_WHY = ("why", "reason", "message", "note", "explanation", "detail")
_FOR = re.compile(r"^(.{1,120}?) for ([a-z]+(?: [a-z]+){0,3}) (\S{1,80}|\"[^\"]{1,200}\"): ")


@dataclass(frozen=True)
class Verdict:
    """What a rule gives for a subject; `amount` is "" for an outcome without money."""

    subject: Subject
    outcome: str
    amount: str
    reason: str

    @property
    def about(self) -> str:
        return f"{self.subject[0]} {self.subject[1]}"

    @property
    def positive(self) -> bool:
        return not _NEGATIVE.match(self.outcome)


def verdicts(case: Case) -> list[Verdict]:
    """For each subject of the case, and each topic of rules: the first rule that holds."""
    if "verdicts" not in case.request.worked_out:
        case.request.worked_out["verdicts"] = _verdicts(case)
    return case.request.worked_out["verdicts"]


def _verdicts(case: Case) -> list[Verdict]:
    by_topic: dict[str, list[CaseRule]] = {}
    for rule in case.rules.values():
        by_topic.setdefault(rule.topic, []).append(rule)
    kinds = {rule: kind_of(case, rule) for rule in case.rules.values()}
    found = []
    for subject in case.scope:

        def fields(words: str, subject=subject) -> str | None:
            return case.value(subject, words)

        for rules in by_topic.values():
            mine = (r for r in rules if kinds[r] == subject[0] and holds(r, fields))
            if rule := next(mine, None):
                amount = amount_of(rule.amount, fields)
                found.append(Verdict(subject, rule.outcome, amount, reason_of(rule, fields)))
    return found


def kind_of(case: Case, rule: CaseRule) -> str:
    """The kind of subject that a rule judges: the one that has most of its fields, some as its own.

    Between equals, what a tool can be asked about, then what belongs to something else.
    """
    names = {name.lower() for name in rule.fields} | fields_of([rule])
    best, most = "", (0, 0, 0, 0)
    for kind in dict.fromkeys(kind for kind, _ in case.scope):
        subjects = [s for s in case.scope if s[0] == kind]
        own = {n for n in names for s in subjects if _has(case, s, n)}
        if not own:
            continue
        seen = {n for n in names for s in subjects if case.value(s, n) is not None}
        deep = max(len({k for k, _ in case.ancestors(s)}) for s in subjects)
        score = (len(seen), kind in case.nouns, deep, len(own))
        if score > most:
            best, most = kind, score
    return best


def _has(case: Case, subject: Subject, words: str) -> bool:
    return words in case.facts.get(subject, {}) or words in case.aside.get(subject, {})


# --- carrying out ---------------------------------------------------------------------------------


def tool_for(case: Case, verdict: Verdict) -> Tool | None:
    """The tool that carries an outcome out; None if none is offered or the outcome is a refusal."""
    words = frozenset(stem(w) for w in WORD.findall(verdict.outcome))
    if not verdict.positive or not words:
        return None
    fitting = [t for t in case.tools if t.job == "act" and words <= t.about]
    return fitting[0] if fitting else None


def action_for(case: Case, verdict: Verdict) -> tuple[Tool, dict] | None:
    """The call that carries a verdict out, filled; None if there is none, or something is lacking."""
    tool = tool_for(case, verdict)
    given = None if tool is None else call_of(case, tool, verdict)
    return None if given is None else (tool, given)


def call_of(case: Case, tool: Tool, verdict: Verdict) -> dict | None:
    """The input with which a tool carries out a verdict; None if something is lacking."""
    given: dict = {}
    for param in tool.params:
        value = _filled(case, verdict, param)
        if value is not None:
            given[param.name] = value
        elif param.required:
            return None
    return given


def _filled(case: Case, verdict: Verdict, param) -> object | None:
    kind = param.spec.get("type")
    if param.noun:
        for subject in (verdict.subject, *case.ancestors(verdict.subject)):
            if subject[0] == param.noun:
                return int(subject[1]) if kind == "integer" and subject[1].isdigit() else subject[1]
        return case.value(verdict.subject, f"{param.noun} id")
    if param.options:
        said = [
            o
            for o in param.options
            if str(o).lower() in (verdict.outcome.lower(), verdict.subject[0])
        ]
        known = case.value(verdict.subject, param.words)
        said += [o for o in param.options if known is not None and str(o) == known]
        return said[0] if said else None
    if param.reasons:
        return f"{verdict.outcome} for {verdict.about}: {verdict.reason}"
    if param.counts and verdict.amount and kind in ("number", "integer", "string", None):
        value = float(verdict.amount)
        return verdict.amount if kind == "string" else int(value) if value.is_integer() else value
    known = case.value(verdict.subject, param.words)
    if known is None or not param.required:
        return known
    try:
        return {"integer": int, "number": float}.get(kind, str)(known)
    except ValueError:
        return None


def offer_for(case: Case, verdict: Verdict) -> Offer | None:
    """What was already done about a verdict: by a call that is visible, or by what is told of it."""
    if not verdict.positive:
        return None
    for call in reversed(case.calls):
        if call.tool and call.tool.job == "act" and is_about(case, call, verdict):
            return offer_of(case, call, verdict)
    for offer in reversed(case.offers):
        if (offer.kind, offer.id) == verdict.subject and offer.outcome == verdict.outcome:
            return offer
    for told in case.told:
        if _tells_of(case, told, verdict):
            return Offer(*verdict.subject, verdict.outcome, verdict.amount, _cut(told))
    return None


def is_about(case: Case, call: Call, verdict: Verdict) -> bool:
    """Whether an action was for this subject and this outcome."""
    texts = [str(v) for v in call.input.values()]
    if tool_for(case, verdict) != call.tool:
        return False
    if made := next((m for t in texts if (m := _FOR.match(t))), None):
        return (made[2], made[3].strip('"')) == verdict.subject and made[1] == verdict.outcome
    near = {verdict.subject[1], *(a[1] for a in case.ancestors(verdict.subject))}
    amounts = [t for t in texts if number(t) is not None and t not in near]
    agrees = not verdict.amount or not amounts or any(same(t, verdict.amount) for t in amounts)
    named = any(verdict.subject[1] in t for t in texts)
    return agrees and (named or bool(near & set(texts)) and bool(verdict.amount))


def _tells_of(case: Case, told: str, verdict: Verdict) -> bool:
    """Whether a note on what was offered, in any words, is about this verdict."""
    low = told.lower()
    words = {stem(w) for w in WORD.findall(low)}
    if (
        not frozenset(stem(w) for w in WORD.findall(verdict.outcome)) <= words
        and verdict.amount not in low
    ):
        return False
    if _names(verdict.subject[1], told):
        return True
    near = [value for _, value in case.ancestors(verdict.subject)]
    return (
        bool(verdict.amount)
        and verdict.amount in low
        and any(_names(value, told) for value in near)
    )


def _names(value: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text))


def offer_of(case: Case, call: Call, verdict: Verdict | None = None) -> Offer | None:
    """What came of an action: its status as the tool gave it."""
    if verdict is None:
        verdict = next((v for v in verdicts(case) if is_about(case, call, v)), None)
    if verdict is None:
        return None
    return Offer(*verdict.subject, verdict.outcome, verdict.amount, status_of(call), call.name)


def status_of(call: Call) -> str:
    """ "paid", "waiting": what the tool answered; what is not known is said to be so."""
    if call.error:
        return f"failed, {_cut(call.text)}" if call.text else "failed"
    value = parsed(call.text)
    if isinstance(value, dict):
        return _cut(next((str(value[k]) for k in _STATUS if isinstance(value.get(k), str)), "done"))
    return _cut(call.text) if call.prose else "made, the answer is no longer shown"


def why_of(case: Case, verdict: Verdict) -> str:
    """Why an action ended as it did, as its tool gave it; "" if it did not say."""
    for call in reversed(case.calls):
        if call.tool and call.tool.job == "act" and is_about(case, call, verdict):
            value = parsed(call.text)
            if isinstance(value, dict):
                found = (str(value[k]) for k in _WHY if isinstance(value.get(k), str) and value[k])
                return " ".join(next(found, "").split())[:300].rstrip(". ")
    return ""


def _cut(text: str) -> str:
    """On one line and short, without what would end or open something in a sentence."""
    return re.sub(r"[()\"\n]+|[.!?](?=\s|$)", " ", " ".join(text.split()))[:150].strip() or "done"
