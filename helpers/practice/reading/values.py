"""The bare value in a statement: "nine" of "my lucky number is nine"."""

import re

from .questions import Question
from .statements import Statement
from .words import DATE, NUMBER_WORDS, TIME, WORD, stem

_AMOUNT = re.compile(r"(?:[$€£] ?)?\d[\d.,]*\d|\d")
_LEAD = re.compile(
    r"^(?:now|also|really|only|actually|currently|in|on|at|to|from|of|with|by|the|an?|called|named|near|is|are|am|was|were|be|that|it|for|as|set|due|i|my|'s)\s+",
    re.I,
)


def value_of(statement: Statement, question: Question) -> str:
    """The part of a statement that answers, without the rest of the sentence."""
    text = statement.text
    if question.kind == "when" and (
        spans := [m.group() for p in (DATE, TIME) if (m := p.search(text))]
    ):
        return " ".join(dict.fromkeys(spans))
    if question.kind == "number":
        if question.text.lower().startswith("how much") and (digits := _AMOUNT.search(text)):
            return digits.group()
        for word in WORD.findall(text):
            if word[-1:].isdigit() or word[:1].isdigit() or word.lower() in NUMBER_WORDS:
                return word
    value = statement.value or text
    known = question.words | question.loose | question.owners
    last = 0
    for match in WORD.finditer(value):
        if stem(match.group()) in known:
            last = match.end()
    if value[last:].strip(" .,"):
        value = value[last:]
    value = value.strip(" ,.;")
    while (shorter := _LEAD.sub("", value)) != value:
        value = shorter
    return re.split(
        r",\s| and (?=i\b|my\b|work)| but | because | so ", value, maxsplit=1, flags=re.I
    )[0].strip()
