"""The passages of a request: who says what, under which mark, and what merely asks for the work.

A conversation can come as messages, or as text: lines such as `[m12] user: ...`, `user: ...`,
`[m13] tool result of get_order: ...`, `[m14] assistant calls get_order({...})`.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cached_property

from ..reading.clauses import sentences
from ..request import Request, readable
from .commands import is_command, without_commands
from .jsons import values_in

USER, AGENT, TOOL, CALL, TEXT = "user", "agent", "tool", "call", "text"

_USER = "user|human|customer|client|caller|guest|visitor|patient|buyer"
_AGENT = "assistant|ai|bot|agent|model|support|operator|advisor"
_MARK = re.compile(
    r"^[ \t]*(?:\[(?P<id>[^\s\[\]]{1,80})\][ \t]*)?[*_>#-]{0,3}[ \t]*"
    r"(?:(?P<result>tool[ _]results?)(?: (?:of|from) (?P<tool>[\w.-]{1,128}))?"
    rf"|(?:{_AGENT}) call(?:s|ed) (?P<call>[\w.-]{{1,128}})(?=\()"
    rf"|(?P<user>{_USER})|(?P<agent>{_AGENT}))"
    r"[*_]{0,2}(?(call)|(?: \([^()\n]{0,60}\))?[ \t]?:[*_]{0,2})[ \t]*",
    re.I | re.M,
)
_SPEAKERS = frozenset(("user", "assistant", "human"))
_NUMBERED = re.compile(
    r"^[ \t]*\[(?P<id>[^\s\[\]]*\d[^\s\[\]]{0,60})\](?![(\[])[ \t]*:?[ \t]*", re.M
)
_OPEN = re.compile(r"<([A-Za-z][\w-]{0,40})((?: [^<>\n]{0,200})?)>")
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*[\"']([^\"'\n]{1,200})[\"']")
_ABOUT = frozenset("id name index key number title ticket_id doc_id message_id".split())


@dataclass(frozen=True)
class Passage:
    """Something said by one side. `ids` are the marks that the material gives it."""

    text: str
    who: str = TEXT
    tool: str = ""
    ids: tuple[str, ...] = ()
    label: str = ""  # the tag or heading it stands under

    @cached_property
    def _parsed(self) -> tuple[list[object], str]:
        return values_in(self.text)

    @property
    def values(self) -> list[object]:
        """The JSON objects and lists in it."""
        return self._parsed[0]

    @property
    def prose(self) -> str:
        """It without them."""
        return self._parsed[1]

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences of its prose; a call of a tool has none."""
        return [] if self.who == CALL else sentences(self.prose)


@dataclass
class Material:
    """Everything there is to read, oldest first, and what is asked about it."""

    passages: list[Passage] = field(default_factory=list)
    instruction: str = ""

    @cached_property
    def talk(self) -> bool:
        """Whether it is a conversation, in which the newest word counts."""
        return any(p.who in (USER, AGENT) for p in self.passages)

    @cached_property
    def text(self) -> str:
        """All of it, to look up whether something stands there."""
        return "\n".join(p.text for p in self.passages)


def material_of(request: Request) -> Material:
    """The passages of a request, read once. The system prompt is read where it shows data."""
    if "material" not in request.worked_out:
        request.worked_out["material"] = _material(request)
    return request.worked_out["material"]


def _material(request: Request) -> Material:
    found = Material()
    if "<" in request.system or "{" in request.system:
        sections, outside = tagged(request.system)
        for label, about, inside in sections:
            found.passages += _inside(inside, label, about)[0]
        found.passages += _with_values(outside)
    names: dict[str, str] = {}
    asked: list[str] = []
    several = len(request.turns) > 1
    for turn in request.turns:
        if turn.role == "system":
            continue
        for block in turn.blocks:
            kind = block.get("type")
            if kind == "tool_use":
                names[str(block.get("id"))] = str(block.get("name"))
                found.passages.append(Passage(_json(block.get("input")), CALL, str(block["name"])))
            elif kind == "tool_result":
                tool = names.get(str(block.get("tool_use_id")), "")
                found.passages.append(Passage("\n".join(readable(block)), TOOL, tool))
            elif kind == "document":
                title = str(block.get("title") or "")
                text = "\n".join(readable(block))
                found.passages.append(Passage(text, TEXT, "", (title,) if title else ()))
        if turn.role == "assistant":
            if turn.text:
                found.passages.append(Passage(turn.text, AGENT))
        elif turn.text:
            passages, instruction = read_text(turn.text, several)
            found.passages += passages
            asked.append(instruction)
    found.instruction = "\n".join(part for part in asked if part)
    found.passages = [p for p in found.passages if p.text.strip()]
    return found


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return ""


# ---------------------------------------------------------------- one text


def read_text(text: str, talk: bool = False) -> tuple[list[Passage], str]:
    """The passages of one text of the user, and what it asks. `talk`: it is part of a conversation."""
    marks = _marks(text)
    lead = text[: marks[0].start()] if marks else text
    sections, outside = tagged(lead)
    if not marks and not sections:
        return _bare(text, talk)
    found: list[Passage] = []
    for label, about, inside in sections:
        found += _inside(inside, label, about)[0]
    found += _with_values(outside)
    asked = values_in(outside)[1]
    if marks:
        tail = text[marks[0].start() :]
        for match in _OPEN.finditer(outside):  # a tag that is closed after the lines
            end = tail.find(f"</{match[1]}>")
            if end >= 0:
                asked += tail[end + len(match[1]) + 3 :]
                tail = tail[:end]
                break
        said, after = _lines(tail)
        found += said
        asked += after
    return found, _OPEN.sub("", asked).strip()


def _inside(text: str, label: str, about: dict[str, str]) -> tuple[list[Passage], str]:
    """What stands in a tagged part: lines of a conversation, more tags, or plain text."""
    marks = _marks(text)
    role = about.get("role", label).lower()
    who = USER if re.fullmatch(_USER, role) else AGENT if re.fullmatch(_AGENT, role) else TEXT
    ids = tuple(about[name] for name in about if name in _ABOUT)[:1]
    if not marks:
        sections, outside = tagged(text)
        inner: list[Passage] = []
        for name, more, part in sections:
            inner += _inside(part, name, more)[0]
        if inner and any(p.ids for p in inner):
            return inner + [Passage(outside, who, "", ids, label)] * bool(outside.strip()), ""
        return [Passage(text, who, "", ids, label)], ""
    lead = text[: marks[0].start()]
    found = [Passage(lead, TEXT, "", ids, label)] if lead.strip() else []
    return found + _split(text, marks), ""


def _with_values(text: str) -> list[Passage]:
    """The part of an instruction that is data: a JSON object, such as older notes."""
    values, _ = values_in(text)
    return [Passage(_json(value), TEXT, "", (), "data") for value in values]


def _marks(text: str) -> list[re.Match]:
    """Where somebody begins to speak; without that, where a marked paragraph begins."""
    found = list(_MARK.finditer(text))
    sides = {bool(m["user"]) for m in found if m["user"] or m["agent"]}
    named = any((m["user"] or m["agent"] or "").lower() in _SPEAKERS for m in found)
    if len(sides) > 1 or named or any(m["id"] or m["result"] or m["call"] for m in found):
        return found  # else "Customer: ..." and "Model: ..." are lines of a form
    found = list(_NUMBERED.finditer(text)) if "[" in text else []
    return found if len(found) > 1 else []


def _lines(text: str) -> tuple[list[Passage], str]:
    """The passages of marked lines, and an instruction that follows the last of them."""
    found = _split(text, _marks(text))
    if found and "\n\n" in found[-1].text:
        said, _, after = found[-1].text.rpartition("\n\n")
        if is_command(after):
            found[-1] = Passage(said, found[-1].who, found[-1].tool, found[-1].ids)
            return found, after
    return found, ""


def _split(text: str, marks: list[re.Match]) -> list[Passage]:
    found = []
    ends = [match.start() for match in marks[1:]] + [len(text)]
    for match, end in zip(marks, ends, strict=True):
        parts = match.groupdict()
        said = text[match.end() : end].strip()
        who, tool = TEXT, ""
        if parts.get("result"):
            who, tool = TOOL, parts["tool"] or ""
        elif parts.get("call"):
            who, tool = CALL, parts["call"]
        elif parts.get("user"):
            who = USER
        elif parts.get("agent"):
            who = AGENT
        found.append(Passage(said, who, tool, (parts["id"],) if parts["id"] else ()))
    return found


def tagged(text: str) -> tuple[list[tuple[str, dict[str, str], str]], str]:
    """(tag, its attributes, content) of the outermost tags and fences, and the text around them."""
    found: list[tuple[str, dict[str, str], str]] = []
    outside: list[str] = []
    at = kept = 0
    closed: dict[str, int] = {}  # where the last closing tag of a name stands
    while True:
        tag, fence = _OPEN.search(text, at), text.find("```", at)
        if tag and (fence < 0 or tag.start() < fence):
            name = tag[1]
            if name not in closed:
                closed[name] = text.rfind(f"</{name}>")
            end = text.find(f"</{name}>", tag.end()) if closed[name] >= tag.end() else -1
            if end < 0:
                at = tag.end()
                continue
            outside.append(text[kept : tag.start()])
            attributes = {key.lower(): value for key, value in _ATTRIBUTE.findall(tag[2])}
            found.append((name, attributes, text[tag.end() : end]))
            at = kept = end + len(name) + 3
        elif fence >= 0 and (end := text.find("```", fence + 3)) >= 0:
            outside.append(text[kept:fence])
            found.append(("", {}, text[fence + 3 : end].partition("\n")[2]))
            at = kept = end + 3
        else:
            outside.append(text[kept:])
            return found, "\n".join(part for part in outside if part.strip())


def _bare(text: str, talk: bool) -> tuple[list[Passage], str]:
    """A text without any marks: first what asks for the work, then the material."""
    body, asked = without_commands(text)
    who = TEXT if asked and not talk else USER
    return ([Passage(body, who)] if body else []), asked
