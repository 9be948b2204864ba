"""One request, seen the way a skill needs it. Everything here comes from the body and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import eq

from helpers.messages import merge_turns

from .reading.clauses import sentences
from .reading.data import as_lines
from .reading.lines import Lines, lines_of


@dataclass(frozen=True)
class Reply:
    """What the practice model answers: text and tool_use blocks, and why it stopped.

    `value` is the bare value of the answer ("green"), for a reader who asked for nothing else.
    """

    content: list[dict]
    stop_reason: str = "end_turn"
    value: str = ""


def say(text: str, value: str = "") -> Reply:
    """A reply of one text block."""
    return Reply([{"type": "text", "text": text}], value=value)


class Turn:
    """One turn after merging: its role, its blocks, and its text blocks joined by line breaks."""

    __slots__ = ("role", "text", "_content", "_sentences")

    def __init__(self, role: str, content: str | list[dict]):
        self.role, self._content, self._sentences = role, content, None
        if not isinstance(content, str):
            content = "\n".join([b["text"] for b in content if b.get("type") == "text"])
        self.text = content

    @property
    def blocks(self) -> list[dict]:
        if isinstance(self._content, str):
            return [{"type": "text", "text": self._content}]
        return self._content

    @property
    def sentences(self) -> list[str]:
        if self._sentences is None:
            self._sentences = sentences(self.text)
        return self._sentences

    @property
    def length(self) -> int:
        """Characters of everything in the turn that can be read."""
        if isinstance(self._content, str):
            return len(self._content)
        return sum(len(text) for block in self.blocks for text in readable(block))

    def of_type(self, kind: str) -> list[dict]:
        return [b for b in self.blocks if b.get("type") == kind]


class Request:
    """A request body, read lazily: `system` (text), `turns`, `last` (the user's), `tools`."""

    def __init__(self, body: dict):
        self.body = body
        self.worked_out: dict[str, object] = {}  # what one skill found and another needs

    @cached_property
    def system(self) -> str:
        """The system prompt's text; "" without one."""
        return "\n".join(_texts(self.body.get("system") or ""))

    @cached_property
    def turns(self) -> list[Turn]:
        """Same-role neighbours joined, as the API does. A system turn keeps its own role."""
        messages = self.body.get("messages") or []
        if all(type(m) is dict and type(m.get("content")) is str for m in messages):
            roles = [m["role"] for m in messages]
            if not any(map(eq, roles, roles[1:])):  # nothing to merge: quick
                return [Turn(m["role"], m["content"]) for m in messages]
        return [Turn(m["role"], m["content"]) for m in merge_turns(messages)]

    @cached_property
    def lines(self) -> Lines:
        """Every sentence that the model did not say itself, oldest first, with its turn."""
        turns = enumerate(self.turns)
        others = [(n, as_lines(turn.text)) for n, turn in turns if turn.role != "assistant"]
        return lines_of([text for _, text in others], [number for number, _ in others])

    @cached_property
    def last(self) -> Turn:
        """The last user turn, which is the one to answer; an empty turn if there is none."""
        users = (turn for turn in reversed(self.turns) if turn.role == "user")
        return next(users, Turn("user", []))

    @property
    def tools(self) -> list[dict]:
        """The client-side tools offered: those with a schema."""
        return [t for t in self.body.get("tools") or [] if t.get("input_schema") is not None]

    @property
    def tool_choice(self) -> dict:
        return self.body.get("tool_choice") or {"type": "auto"}


def readable(block: dict) -> Iterator[str]:
    """Every text inside a block that the model reads: text, tool inputs and results, documents."""
    kind = block.get("type")
    if kind == "text":
        yield block.get("text") or ""
    elif kind == "tool_result":
        yield from _texts(block.get("content") or "")
    elif kind == "tool_use":
        yield str(block.get("input"))
    elif kind == "document":
        source = block.get("source") or {}
        if source.get("type") == "text":
            yield source.get("data") or ""
        elif source.get("type") == "content":
            yield from _texts(source.get("content") or "")


def _texts(content: str | list) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text for block in content if isinstance(block, dict) for text in readable(block)]
