"""The documents that a request carries, and the question about them.

They come as document blocks, as tags (`<document id="...">`), as a JSON list, or as marked entries.
"""

import re
from dataclasses import dataclass, field
from html import unescape

from ..material.jsons import key_words, values_in
from ..material.passages import tagged
from ..request import Request, readable

_TAGS = frozenset("""document doc ticket item note email mail message review article file page entry letter case
    record report comment source text passage snippet result post memo""".split())  # fmt: skip
_WRAPPERS = frozenset(
    "documents docs tickets items notes emails mails messages reviews articles files entries letters cases records reports comments sources texts passages results posts memos data material input".split()
)
_ROLES = frozenset("user assistant turn human system tool".split())
_NAMES = ("id", "name", "index", "number", "key", "title", "ticket_id", "doc_id")
_INNER = re.compile(r"<(source|title|name|id)>([^<\n]{1,120})</\1>")
_CONTENT = re.compile(r"<(document_content|content|body|text)>(.*?)</\1>", re.S)
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(?:\[(?P<mark>[^\s\[\]]{1,40})\](?![(\[])|(?:(?P<noun>[A-Z][a-z]+) )?#?(?P<code>[A-Za-z]{0,6}[-_]?\d[\w-]{0,20})(?=[:.)]))[:.)]?[ \t]+(?=\S)",
    re.M,
)


_TALK = re.compile(
    r"^[ \t]*(?:\[\S{1,80}\] ?)?(?:user|assistant|human|customer|agent|tool results?)\b[^:\n]{0,60}:",
    re.I | re.M,
)


@dataclass(frozen=True)
class Document:
    """One document: its id as it is written, its prose, and the short values it has beside that."""

    id: str
    text: str
    values: tuple[str, ...] = ()  # order numbers and the like
    fields: dict = field(default_factory=dict, hash=False, compare=False)


@dataclass(frozen=True)
class Reading:
    """Documents and what is asked. `marked`: they are plainly marked as documents."""

    documents: list[Document]
    asked: str
    marked: bool
    noun: str = "document"


def reading_of(request: Request) -> Reading | None:
    """The documents of the user's turns and the text around them in the last; None without any."""
    documents: list[Document] = []
    asked, marked, named, noun = "", False, False, ""
    for turn in request.turns:
        if turn.role != "user":
            continue
        for block in turn.of_type("document"):
            name = str(block.get("title") or block.get("context") or len(documents) + 1)
            documents.append(_document(name, "\n".join(readable(block))))
            marked = named = True
        found, outside, plain, word = _in_text(turn.text)
        named = named or plain and any(one.id and not one.id.isdigit() for one in found)
        documents += found
        asked = outside if turn is request.last else asked
        marked, noun = marked or plain, word or noun
    if not documents:
        return None
    marked = marked and (named or len(documents) > 1)
    return Reading(_with_own_ids(documents), asked.strip(), marked, noun or "document")


def _in_text(text: str) -> tuple[list[Document], str, bool, str]:
    """(documents, the text around them, plainly marked, what they are called) of one text."""
    if "</" in text:
        found, outside, noun = _in_tags(text)
        if found:
            return found, outside, True, noun
    values, outside = values_in(text)
    for value in values:
        noun = ""
        if isinstance(value, dict):
            lists = [(k, v) for k, v in value.items() if isinstance(v, list) and v]
            noun, value = max(lists, key=lambda kv: len(kv[1]), default=("", value))
        if isinstance(value, list) and all(isinstance(v, dict) for v in value) and value:
            return _from_records(value), outside, False, noun.rstrip("s")
    marks = [] if _TALK.search(text) else list(_ENTRY.finditer(text))
    if len(marks) > 1:
        ends = [m.start() for m in marks[1:]] + [len(text)]
        found = []
        for mark, end in zip(marks, ends, strict=True):
            body = text[mark.end() : end]
            if end == len(text):  # what follows the last entry after a blank line is the question
                body, gap, after = body.partition("\n\n")
                outside = text[: marks[0].start()] + gap + after
            found.append(_document(mark["mark"] or mark["code"], body))
        noun = next((m["noun"].lower() for m in marks if m["noun"]), "")
        return found, outside, False, noun
    return [], text, False, ""


def _in_tags(text: str) -> tuple[list[Document], str, str]:
    sections, outside = tagged(text)
    found: list[Document] = []
    noun = ""
    for label, about, inside in sections:
        name = next((about[n] for n in _NAMES if n in about), "")
        low = label.lower()
        if low in _WRAPPERS and not name:
            inner, _, word = _in_tags(inside)
            if not inner:
                inner, _, _, word = _in_text(inside)
            found += inner
            noun = noun or word or low.rstrip("s")
        elif low in _TAGS or name and low not in _ROLES:
            inner = _INNER.search(inside[:400])
            body = _CONTENT.search(inside)
            name = inner[2].strip() if inner and not about.get("id") else name
            text_of = body[2] if body else _INNER.sub("", inside, count=1) if inner else inside
            found.append(_document(name, unescape(text_of)))
            noun = noun or low
    return found, outside, noun


def _document(name: str, text: str) -> Document:
    """A document from a text, which may be JSON."""
    values, prose = values_in(text)
    if values and not prose.strip() and isinstance(values[0], dict):
        made = _from_records([values[0]])[0]
        return Document(name or made.id, made.text, made.values, made.fields)
    return Document(name, text.strip())


def _from_records(records: list[dict]) -> list[Document]:
    """One document a record: its prose is every text with a space, its id the first key of that name."""
    keys = [k for k in records[0] if key_words(k)[-1:] in (("id",), ("number",), ("key",), ("no",))]
    several = [k for k in keys if len({str(r.get(k)) for r in records}) == len(records)]
    key = (several or keys or [None])[0]
    found = []
    for n, record in enumerate(records, 1):
        texts = [
            v for k, v in record.items() if isinstance(v, str) and k != key and " " in v.strip()
        ]
        short = [
            str(v) for v in record.values() if isinstance(v, str | int) and str(v) not in texts
        ]
        texts += [v for k, v in record.items() if isinstance(v, str) and k != key and v.isalpha() and k in ("subject", "title")]  # fmt: skip
        whole = "\n".join(t if t.rstrip()[-1:] in ".!?" else f"{t}." for t in texts)
        found.append(Document(str(record.get(key, n)), whole, tuple(short), record))
    return found


def _with_own_ids(documents: list[Document]) -> list[Document]:
    """Each with an id of its own: its number where it has none, or one that was there before."""
    seen: set[str] = set()
    found = []
    for n, one in enumerate(documents, 1):
        name = one.id if one.id and one.id not in seen else str(n)
        seen.add(name)
        found.append(Document(name, one.text, one.values, one.fields))
    return found
