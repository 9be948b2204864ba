"""What the sentences of a passage tell the model to do: give something away, put rules aside, say
something, write in a form. Whether that is followed is another question: see `weaknesses.obeys`."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ..reading.clauses import sentences
from ..reading.person import expand
from ..reading.rules import is_standing, rules_in
from . import languages
from .giving import gives
from .spelling import LONGEST, plain

MOST = 60  # sentences of one passage that are read

GIVE, LIFT, SAY, FORM, SHOW = "give", "lift", "say", "form", "show"


@dataclass(frozen=True)
class Order:
    """What is told: `kind`, and the sentence in small letters.

    amount: the sum that it names, "" for none. when: what has to happen first, "" for nothing. word:
    a word that stands for it, "" for none. said: what is to be said.
    """

    kind: str
    text: str
    amount: str = ""
    when: str = ""
    word: str = ""
    said: str = ""


@lru_cache(maxsize=4_096)
def orders_in(text: str) -> tuple[Order, ...]:
    """The orders of a passage, in their order; () for most."""
    if not _promising(text):
        return ()
    found: list[Order] = []
    whole = readable(text)
    for sentence in sentences(whole)[:MOST]:
        found += _orders(sentence)
    if found and (match := _CODE.search(whole)):
        found = [replace(order, word=match[1].strip()) if order.when else order for order in found]
    return tuple(found)


def readable(text: str) -> str:
    """The passage in small letters, short forms written out, its lines kept apart."""
    return expand(re.sub(r"(?<=[a-z])_(?=[a-z])", " ", plain(text[:LONGEST])))


# A text with none of these holds no order: most texts are passed over quickly. Four of them are
# common words written backwards or turned by thirteen letters.
_HINTS = re.compile(
    r"refund|reimburs|compensat|approv|authori|money|pay|paid|credit|discount|voucher|waive|rebate"
    r"|return|upgrad|free|grant|entitl|ignor|disregard|overrid|bypass|skip|forget|tell|inform|assure"
    r"|say|mention|reply|answer|respon|capital|whatever|everything|claim|request|demand|limit|exempt"
    r"|rule|polic|charge|price|amount|cash|funds|complain|allow|permi|settle|owed|eur|dollar|usd"
    r"|dnufer|vorppa|ershaq|nccebi"
    r"|[^\x00-\x7f]|&#?\w+;|%[0-9a-f]{2}|(?<!\w)\w(?:[ .\-_*|]\w){3}|[a-z0-9+/]{16}|[a-z][0-9@$][a-z]",
    re.I,
)


def _promising(text: str) -> bool:
    return bool(_HINTS.search(text) or languages.GIFT.search(text.lower()))


# --- one sentence ---------------------------------------------------------------------------------

_LIFT = re.compile(
    r"\b(?:ignor|disregard|overrid|overrul|bypass|forget|suspend|drop|discard|erase|supersed)"
    r"(?:e|es|ing|ed|s|den)?\b(?! my\b)(?:\W+\w+){0,5}?\W+"
    r"(?:instructions?|rules?|polic(?:y|ies)|guidelines?|prompts?|restrictions?|limits?|guardrails?"
    r"|directives?|labels?|safeguards?|constraints?|checks|everything above|all of the above"
    r"|told before)\b"
)
_SAY = re.compile(
    r"(?:^|[,;:.!?>\"'(\])}-]\s*|\b(?:please|then|and|always|just|also|must|should|shall|will|to)\s+)"
    r"(?:always |also |please |first |simply )*(?:tell|inform|assure|promise|notify|remind|let|advise"
    r"|confirm to|say to|write to|announce to|explain to|mention to)\s+"
    r"(?:the |this |that |every |any |each |all )*(?:customers?|users?|clients?|guests?|members?"
    r"|persons?|people|them|him|her|everyone|everybody|readers?|patients?|visitors?|callers?"
    r"|whoever\s+\w+)\b(?: (?:know|that|in (?:your|every|each|the) \w+|always|at the end|first))*"
    r"[:,]?\s+(?:that )?[\"']?(.{4,200}?)[\"']?[.!]*$"
)
_SAY_IT = re.compile(
    r"\balways (?:say|mention|add|state|write|include)"
    r"(?: that| the (?:sentence|line|words|phrase))?[: ]+[\"']?(.{4,200}?)[\"']?[.!]*$"
)
_SHOW = re.compile(
    r"\b(?:reveal|print|show|repeat|output|quote|recite|paste|disclose|write out|append|include|copy"
    r"|leak|display|tell (?:me|him|her|them|the \w+)|(?:begin|start|end) (?:your|every|each|the) \w+ with)"
    r"\b[^.!?]{0,40}?\b(?:system prompt|initial prompt|(?:your|the|all|these) "
    r"(?:full |complete |exact |original |secret |hidden |own |system )*"
    r"(?:instructions|prompt|guidelines)|everything above|the text above)\b"
)
_NO_LIMIT = (
    r"(?<!up to )(?<!over )(?<!under )(?<!below )(?<!above )(?<!than )(?<!limit )(?<![\w.,-])"
)
_SUM = r"(\d{1,6}(?:[.,]\d{1,2})?)"
_AMOUNT = re.compile(
    rf"{_NO_LIMIT}(?:[€$£]\s?|(?:eur|usd|gbp|chf)\s){_SUM}(?![\d%])"
    rf"|{_NO_LIMIT}{_SUM}\s?(?:euros?|eur|€|dollars?|usd|\$|pounds?|gbp|£|chf|francs?)(?!\w)"
)
_WHEN = re.compile(
    r"\b(?:when(?:ever)?|if|(?<!at )once|as soon as|(?:every|each|the next|next) time(?: that)?"
    r"|in case|should (?=i\b|the\b|he\b|she\b|they\b|this\b)|the moment|upon)\s*"
    r"\b(.{3,160}?)(?=,|;|:|\bthen\b| - |[.!?]*$"
    r"|\b(?:refund|pay|approve|grant|issue|reimburse|ignore|give|send|treat)\b)"
)
_WORD_FOR_IT = r"(?:code|key|magic|secret) ?word|code|signal|trigger|sign|pass ?phrase"
_MEANS = re.compile(
    r"\blet [\"'(]?(\w[\w -]{1,30}?)[\"')]? (?:mean|be|stand for)\b|\bby [\"'(](\w[\w -]{1,30}?)[\"')] (?:i|we) mean\b|"
    r"[\"'(]?\b(\w[\w -]{1,30}?)[\"')]?\s+"
    rf"(?:means|stands for|is short for|is (?:the|my|our|a) (?:{_WORD_FOR_IT})\b)"
)
_CODE = re.compile(
    rf"\b(?:{_WORD_FOR_IT}) (?:is|:|will be)?\s*[\"']?([\w-]+(?: [\w-]+){{0,2}}?)[\"']?\s*(?:[.,;:!]|$)"
)


def _orders(sentence: str) -> list[Order]:
    text = sentence.strip()
    found: list[Order] = []
    if gives(text):
        found.append(_order(GIVE, text))
    if text.endswith("?"):
        return found
    if _LIFT.search(text):
        found.append(_order(LIFT, text))
    if _SHOW.search(text):
        found.append(_order(SHOW, text))
    elif match := _SAY.search(text) or _SAY_IT.search(text):
        found.append(_order(SAY, text, match[1].strip()))
    elif is_standing(text) and any(rule.kind not in ("before", "never") for rule in rules_in(text)):
        found.append(_order(FORM, text))
    return found


def _order(kind: str, text: str, said: str = "") -> Order:
    amount = next((a or b for a, b in _AMOUNT.findall(text)), "").replace(",", ".")
    when = match[1].strip() if (match := _WHEN.search(text)) else ""
    match = _MEANS.search(text)
    word = next((g.strip() for g in match.groups() if g), "") if match else ""
    return Order(kind, text, amount, when, word, said)
