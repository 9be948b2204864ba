"""The conclusion: outcome, amount and reason for each subject, what was done, and what may be promised.

A rule such as "never <do> <thing> before <condition>" that is in force holds a promise back. Without
one, or when it is overlooked, what is due is promised in words: that is the fault a lesson shows.
"""

import re

from ..reading.rules import Rule
from ..reading.words import WORD, stem
from .acting import Verdict, offer_for, tool_for, verdicts, why_of
from .answered import failures
from .findings import Conclusion, Offer, outcome_words
from .known import Case

_DONE = re.compile(
    r"\b(?:paid|approved|done|confirmed|booked|completed?|accepted|granted|issued|sent|waived|ok|success\w*|created"
    r"|reserved|cancell?ed|placed|renewed|scheduled|carried|executed|active|settled)\b",
    re.I,
)
_PARTICIPLE = re.compile(
    r"(?!request|ask|forward|receiv|escalat|pass|submit|queu|delay|plann|propos)\w+ed", re.I
)
_NOT_YET = re.compile(
    r"\b(?:wait\w*|pending|await\w*|not|un\w+ed|needs?|requires?|until|before|open|later)\b", re.I
)
_REFUSED = re.compile(
    r"\b(?:refus\w*|reject\w*|den(?:y|ied)|declin\w*|fail\w*|forbidden|impossible|not allowed|not possible|cannot)\b",
    re.I,
)
_BACK = re.compile(r"\b(?:re(?:fund|pay|imburs)\w*|money|credit\w*)\b", re.I)
_ANYTHING = frozenset(
    map(stem, "anything something outcome result decision amount money nothing".split())
)


def conclusion(case: Case, holding: list[Rule]) -> str:
    """A line for each verdict; what could not be looked up; "" where there is nothing to conclude."""
    lines = [_line(case, verdict, holding) for verdict in verdicts(case)]
    for call in failures(case):
        what = ", ".join(str(v) for v in call.input.values() if isinstance(v, str | int))[:120]
        text = " ".join(call.text.split())[:200].rstrip(".") or "no reason was given"
        lines.append(f"I could not look up {what or 'that'}: {text}.")
    judged = {verdict.subject for verdict in verdicts(case)}
    named = [(noun, value) for noun, values in case.named.items() for value in values]
    for subject in named:
        below = {s for s in judged if subject == s or subject in case.ancestors(s)}
        if not below and case.facts.get(subject) and case.rules:
            lines.append(f"For {subject[0]} {subject[1]} I found no rule that fits what is known.")
    return "\n".join(lines)


def _line(case: Case, verdict: Verdict, holding: list[Rule]) -> str:
    said = [str(Conclusion(*verdict.subject, verdict.outcome, verdict.amount, verdict.reason))]
    offer = offer_for(case, verdict)
    what = f"The {outcome_words(verdict.outcome, verdict.amount)}"
    if offer and state_of(offer.status) == "done":
        said.append(f"{what} is {offer.status}.")
    elif offer and state_of(offer.status) == "refused":
        why = why_of(case, verdict)
        said.append(f"{what} was not carried out: {offer.status}{f' ({why})' if why else ''}.")
    else:
        if offer and offer.tool:
            said.append(f"{what} is {offer.status}.")
        elif offer:
            said.append(f"It was offered before ({offer.status}), so it is not offered again.")
        said += _promise(case, verdict, holding)
    return " ".join(said)


def _promise(case: Case, verdict: Verdict, holding: list[Rule]) -> list[str]:
    """What the user may count on, as long as nothing has been carried out."""
    if not verdict.positive or not (verdict.amount or tool_for(case, verdict)):
        return []
    for rule in holding:
        if _concerns(rule, case, verdict) and not _is_met(rule, case, verdict):
            return [f"It is not certain yet: nothing is promised {rule.until}."]
    if verdict.amount and _BACK.search(verdict.outcome):
        return [f"You will get {verdict.amount} back."]
    return [f"You will get the {outcome_words(verdict.outcome, verdict.amount)}."]


def _concerns(rule: Rule, case: Case, verdict: Verdict) -> bool:
    """Whether a rule speaks of this outcome, of the tool that carries it out, or of anything at all."""
    words = {stem(w) for w in WORD.findall(rule.text)}
    about = {stem(w) for w in WORD.findall(verdict.outcome)}
    return bool(words & (about | _ANYTHING))


def _is_met(rule: Rule, case: Case, verdict: Verdict) -> bool:
    """Whether what the rule waits for is a known fact ("deposit is paid")."""
    words = re.sub(
        r"^(?:before|until|unless|without)\s+(?:the |its |a |an )?", "", rule.until.lower()
    )
    name, found, value = words.partition(" is ")
    known = case.value(verdict.subject, name.strip()) if found else None
    return known is not None and known.casefold() == value.strip().casefold()


def state_of(status: str) -> str:
    """ "done", "refused" or "waiting" by the words in which a tool gives its answer."""
    if _REFUSED.search(status):
        return "refused"
    done = _DONE.search(status) or _PARTICIPLE.fullmatch(status.strip())
    return "done" if done and not _NOT_YET.search(status) else "waiting"


def told_of(offers: list[Offer]) -> str:
    """What was offered, as an answer to somebody who asks for it; "" without any."""
    newest = {(o.kind, o.id, o.outcome): o for o in offers}
    return " ".join(map(str, newest.values()))
