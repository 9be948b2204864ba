"""The sentences in which the model states what it found, and the way back from them.

This is the one contract between the skills. A finding, an offer and a conclusion look like this:

    Loan L-7: state is returned, returned on is 2026-03-04 (get_loan, page 2).
    Offered for loan L-7: waiver of 12.50, waiting for a librarian (waive_fee).
    Conclusion for loan L-7: waiver of 12.50, because state is returned and days late is under 10.

The source in brackets may be lacking (a summary drops it). A value that could be misread, such as one
with a comma, stands in double quotation marks; so does an id with spaces. An offer is no finding: what
was offered is told apart from what was established.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

LONGEST_VALUE = 600  # characters
NOTHING = {"news": "none"}  # the fields of a finding that says: looked, nothing there matters

_KIND = r"[a-z]+(?: [a-z]+){0,3}"
_HEAD_KIND = r"[A-Z][a-z]*(?: [a-z]+){0,3}"
_ID = r"(?:\"[^\"\n]{1,200}\"|[^\s\":;,()]{1,80})"
_FIELD = r"[a-z][a-z0-9' -]{0,60}?"
_HEAD = re.compile(rf"(?<![\w'-])({_HEAD_KIND}) ({_ID}): (?={_FIELD} is )")
_PLAIN = rf"(?:[^\n(),\".!]|,(?! {_FIELD} is )|[.!](?![\s\"]|$)){{1,{LONGEST_VALUE}}}"
_PAIR = re.compile(rf"({_FIELD}) is (?:\"([^\"\n]*)\"|({_PLAIN}))")
_SOURCE = re.compile(r",? ?\(([^(),\n]{1,80})(?:, page (\d{1,6}))?[^()\n]{0,80}\)")
_OFFER = re.compile(
    rf"\bOffered for ({_KIND}) ({_ID}): ([^\n:,]{{1,120}}?)(?: of (-?\d[\d.]*\d|\d))?"
    rf", ([^()\n]{{1,200}}?)(?: \(([^()\n]{{1,80}})\))?(?:\.(?=[\s\"]|$)|(?=\"|$))"
)
_CONCLUSION = re.compile(
    rf"\bConclusion for ({_KIND}) ({_ID}): ([^\n,:]{{1,120}}?)(?: of (-?\d[\d.]*\d|\d))?"
    r"(?=, |\.(?:[\s\"]|$)|$)"
)
_RISKY = re.compile(r", | is |[()\"]|[.!?;:](?:\s|$)|^\s|\s$|^$")


@dataclass(frozen=True)
class Finding:
    """What one result says of one subject: its kind ("loan"), its id, and field words with values.

    `tool` and `page` are the source: "" and None where the sentence does not give it.
    """

    kind: str
    id: str
    fields: dict[str, str] = field(default_factory=dict)
    tool: str = ""
    page: int | None = None

    def __str__(self) -> str:
        said = ", ".join(f"{name} is {_safe(value)}" for name, value in self.fields.items())
        return f"{_capital(self.kind)} {_safe_id(self.id)}: {said}{_source(self.tool, self.page)}."


@dataclass(frozen=True)
class Offer:
    """What was offered for a subject: the outcome, its amount ("" without one), what came of it."""

    kind: str
    id: str
    outcome: str
    amount: str = ""
    status: str = ""
    tool: str = ""

    def __str__(self) -> str:
        return (
            f"Offered for {self.kind} {_safe_id(self.id)}: {outcome_words(self.outcome, self.amount)}"
            f", {self.status}{_source(self.tool)}."
        )


@dataclass(frozen=True)
class Conclusion:
    """What is concluded for a subject, and why ("" if that is not read back)."""

    kind: str
    id: str
    outcome: str
    amount: str = ""
    reason: str = ""

    def __str__(self) -> str:
        reason = f", because {self.reason}" if self.reason else ""
        said = outcome_words(self.outcome, self.amount)
        return f"Conclusion for {self.kind} {_safe_id(self.id)}: {said}{reason}."


def findings_in(text: str) -> list[Finding]:
    """The findings that a text states, in their order; [] for most texts."""
    found = []
    for head in _HEAD.finditer(text):
        fields: dict[str, str] = {}
        at = head.end()
        while pair := _PAIR.match(text, at):
            value = pair[2] if pair[2] is not None else pair[3].strip()
            fields[pair[1]] = value
            at = pair.end()
            if text.startswith(", ", at):
                at += 2
        source = _SOURCE.match(text, at)
        if fields:
            tool, page = (source[1], source[2]) if source else ("", None)
            kind = head[1][0].lower() + head[1][1:]
            found.append(
                Finding(kind, head[2].strip('"'), fields, tool, int(page) if page else None)
            )
    return found


def offers_in(text: str) -> list[Offer]:
    """The offers that a text states, in their order."""
    if "Offered for" not in text:
        return []
    return [
        Offer(m[1], m[2].strip('"'), m[3], m[4] or "", m[5].strip(), m[6] or "")
        for m in _OFFER.finditer(text)
    ]


def conclusions_in(text: str) -> list[Conclusion]:
    """The conclusions that a text states, in their order, without their reasons."""
    if "Conclusion for" not in text:
        return []
    return [Conclusion(m[1], m[2].strip('"'), m[3], m[4] or "") for m in _CONCLUSION.finditer(text)]


def outcome_words(outcome: str, amount: str) -> str:
    """ "waiver of 12.50"; the outcome alone without an amount."""
    return f"{outcome} of {amount}" if amount else outcome


# --- texts that hold JSON, as notes do ------------------------------------------------------------

_OPENS = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)
_TRIES = 20  # brackets in one text at which JSON may begin


def strings_in(text: str) -> list[tuple[str, str]]:
    """(key, string) for every string of the text: what stands in JSON under its key, the rest under "".

    Keys are given as field words: "already offered". So notes are read as prose is.
    """
    found: list[tuple[str, str]] = []
    start = at = 0
    for _ in range(_TRIES):
        begun = _OPENS.search(text, at)
        if not begun:
            break
        at = begun.end()
        try:
            value, end = _DECODER.raw_decode(text, begun.start())
        except (ValueError, RecursionError):
            continue
        if inside := list(walked(value)):
            found += [("", text[start : begun.start()]), *inside]
            start = end
        at = end
    return [*found, ("", text[start:])]


def walked(value: object, key: str = "", deep: int = 0) -> Iterator[tuple[str, str]]:
    """(key, string) for every string inside a JSON value, the nearest key above it."""
    if isinstance(value, str):
        yield key, value
    elif deep < 40 and isinstance(value, dict):
        source = value.get("source")
        for name, inner in value.items():
            if isinstance(inner, str) and isinstance(source, str) and inner is not source:
                inner = _with_source(inner, source)
            yield from walked(inner, words_of(name), deep + 1)
    elif deep < 40 and isinstance(value, list):
        for inner in value:
            yield from walked(inner, key, deep + 1)


def _with_source(text: str, source: str) -> str:
    """A finding to which its source is written beside it, when it does not give one itself."""
    found = findings_in(text) if ": " in text and source.strip() else []
    if len(found) != 1 or found[0].tool or not text.strip().startswith(_capital(found[0].kind)):
        return text
    return f"{text.strip().rstrip('.')} ({source.strip()})."


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def words_of(key: object) -> str:
    """A key as the words of a field: "days_late" and "daysLate" are "days late"."""
    return _words(str(key))


@lru_cache(maxsize=16_384)
def _words(key: str) -> str:
    return " ".join(_HUMP.sub(" ", key).replace("_", " ").replace("-", " ").lower().split())


def findings_of(texts: Iterable[str]) -> list[Finding]:
    """The findings of several texts, JSON inside them included."""
    return [f for text in texts for _, part in strings_in(text) for f in findings_in(part)]


# --- saying ---------------------------------------------------------------------------------------


def _safe(value: str) -> str:
    """A value that can be read back: in quotation marks if it could be misread."""
    text = " ".join(str(value).split())[:LONGEST_VALUE]
    return '"' + text.replace('"', "'") + '"' if _RISKY.search(text) else text


def _safe_id(text: str) -> str:
    clean = " ".join(text.split()).replace('"', "'")[:200]
    return clean if re.fullmatch(_ID, clean) else f'"{clean}"'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _source(tool: str, page: int | None = None) -> str:
    if not tool:
        return ""
    return f" ({tool}, page {page})" if page is not None else f" ({tool})"
