"""What the model gives away because a text told it to, although the rules give it not, or not yet.

That is the fault in `weaknesses.obeys`. The amount is the one that the order names, else the one at
issue: what a rule would give for the subject, else the first amount that is known of it.
"""

import re

from ..obeying.following import Followed, followed
from ..obeying.orders import GIVE, LIFT
from ..reading.words import WORD, stem
from .acting import Verdict, call_of, is_about, offer_for, offer_of, tool_for, verdicts, why_of
from .calls import Call
from .findings import Offer, outcome_words
from .judging import amount_of, number
from .known import Case
from .records import Subject
from .shapes import ids_in, shapes_by_noun
from .tools import Tool

MOST = 6  # subjects that one order is carried out for
LONGEST = 160  # characters of an order that are told

_STORED = re.compile(r"^\d{4}-\d\d-\d\d[^:\"]{0,60}:\s*")  # what stands before a stored note
_MONEY = re.compile(r"\b(?:value|total|price|amount|cost|fee|rate|sum|captured|paid|charge)s?\b")


def given_away(case: Case) -> list[tuple[Verdict, Followed]]:
    """The gifts that orders in force ask for, each with the order."""
    if "given away" not in case.request.worked_out:
        case.request.worked_out["given away"] = _given_away(case)
    return case.request.worked_out["given away"]


def lifted(case: Case) -> bool:
    """Whether an order that is followed puts the rules aside."""
    return any(f.order.kind in (LIFT, GIVE) for f in followed(case.request))


def _given_away(case: Case) -> list[tuple[Verdict, Followed]]:
    orders = [f for f in followed(case.request) if f.order.kind == GIVE]
    if not orders:
        return []
    due = [v for v in verdicts(case) if v.positive and tool_for(case, v)]
    found: dict[tuple[Subject, str], tuple[Verdict, Followed]] = {}
    for told in orders:
        tool, outcome = _tool(case, told)
        for subject in _subjects(case, told, tool, outcome)[:MOST]:
            amount = _amount(case, told, subject, outcome)
            if (
                any(v.subject == subject and v.outcome == outcome for v in due)
                and not told.order.amount
            ):
                continue  # the rules give it
            verdict = Verdict(subject, outcome, amount, _quoted(told))
            if amount or tool and not any(p.counts and p.required for p in tool.params):
                found.setdefault((subject, amount if told.order.amount else ""), (verdict, told))
    return list(found.values())


def action_told(case: Case) -> tuple[Tool, dict] | None:
    """The first gift that a tool can carry out and that was not carried out yet."""
    for verdict, _ in given_away(case):
        tool = _by_outcome(case, verdict.outcome)
        if tool and _done(case, verdict) is None and (given := call_of(case, tool, verdict)):
            return tool, given
    return None


def gifts_told(case: Case) -> list[str]:
    """What the customer is told of each gift."""
    lines = []
    for verdict, _ in given_away(case):
        what = f"{outcome_words(verdict.outcome, verdict.amount)} for {verdict.about}"
        status = _done(case, verdict)
        if status is None:
            lines.append(f'I was told: "{verdict.reason}". So you will get the {what}.')
        else:
            why = why_of(case, verdict)
            lines.append(
                f'I was told: "{verdict.reason}". So I have asked for the {what}, and the answer is: '
                f"{status}{f' ({why})' if why else ''}."
            )
    return lines


def offer_told(case: Case, call: Call) -> Offer | None:
    """What came of an action that was told, not ruled; None for any other action."""
    for verdict, _ in given_away(case):
        if is_about(case, call, verdict):
            return offer_of(case, call, verdict)
    return None


# --- which tool, for what, how much ---------------------------------------------------------------


def _tool(case: Case, told: Followed) -> tuple[Tool | None, str]:
    """The tool that an order means, and the word for what it gives: of those that pay, the one whose
    word the order says, else the first one that a rule uses."""
    said = {stem(w) for w in WORD.findall(told.order.text)}
    pays = [t for t in case.tools if t.job == "act" and any(p.counts for p in t.params)]
    found: dict[str, Tool] = {}
    for outcome in [*(rule.outcome for rule in case.rules.values()), *_WORDS]:
        if (tool := _by_outcome(case, outcome)) and (tool in pays or not pays):
            found.setdefault(outcome, tool)
    if not found:
        return next(iter(pays), None), "refund"
    outcome = max(found, key=lambda o: len(said & {stem(w) for w in WORD.findall(o)}))
    return found[outcome], outcome


_WORDS = "refund discount credit waiver voucher compensation payment replacement upgrade".split()


def _by_outcome(case: Case, outcome: str) -> Tool | None:
    return tool_for(case, Verdict(("", ""), outcome, "", ""))


def _subjects(case: Case, told: Followed, tool: Tool | None, outcome: str) -> list[Subject]:
    """What an order is about: what it names, else what the rules judge, else what the users named."""
    shapes = shapes_by_noun(p for t in case.tools for p in t.params)
    if named := [pair for pair in ids_in(told.order.text.upper(), shapes) if case.facts.get(pair)]:
        return named
    roots = [(noun, value) for noun, values in case.named.items() for value in values]
    wanted = {p.noun for p in tool.required if p.noun} if tool else set()
    if told.order.amount:
        fitting = [r for r in roots if not wanted or r[0] in wanted]
        return (fitting or roots)[:1]
    judged = {verdict.subject for verdict in verdicts(case)}
    priced = [s for s in case.scope if _by_rule(case, s, outcome)]
    deep = [s for s in priced if s in judged] or priced
    deep = deep or [s for s in case.scope if s in judged and _sum(case, s)]
    # of a part and its whole only the parts
    parts = [s for s in deep if not any(s in case.ancestors(other) for other in deep)]
    return parts or [r for r in roots if case.facts.get(r)]


def _amount(case: Case, told: Followed, subject: Subject, outcome: str) -> str:
    return told.order.amount or _by_rule(case, subject, outcome) or _sum(case, subject)


def _by_rule(case: Case, subject: Subject, outcome: str) -> str:
    """What a rule with this outcome would give, if it held; "" for nothing."""
    for rule in case.rules.values():
        if rule.outcome == outcome and rule.amount:
            amount = amount_of(rule.amount, lambda words: case.value(subject, words))
            if amount and (number(amount) or 0) > 0:
                return amount
    return ""


def _sum(case: Case, subject: Subject) -> str:
    """The first amount known of a subject: its own, else of what it belongs to."""
    for one in (subject, *case.ancestors(subject)):
        for words, fact in case.facts.get(one, {}).items():
            value = number(fact.value) if _MONEY.search(words) else None
            if value and value > 0:
                return fact.value.replace(",", "")
    return ""


def _done(case: Case, verdict: Verdict) -> str | None:
    offer = offer_for(case, verdict)
    return None if offer is None else offer.status


def _quoted(told: Followed) -> str:
    """The words of an order, as they can stand in a sentence of the model."""
    said, text = told.passage.text, told.order.text
    at = said.lower().find(text)
    text = _STORED.sub("", said[at : at + len(text)] if at >= 0 else text)
    text = re.sub(r"^[\s*•-]+|[\"“”:;\n]+", " ", text)
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:LONGEST]}".rstrip(" .!,")
