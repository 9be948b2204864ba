"""One request, seen the way a skill needs it. Everything here comes from the body and nothing else."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Reply:
    """What the practice model answers: text and tool_use blocks, and why it stopped."""

    content: list[dict]
    stop_reason: str = "end_turn"


def say(text: str) -> Reply:
    """A reply of one text block."""
    return Reply([{"type": "text", "text": text}])


@dataclass(frozen=True)
class Request:
    body: dict

    @cached_property
    def system(self) -> str:
        return _text(self.body.get("system") or "")

    @cached_property
    def turns(self) -> list[tuple[str, str]]:
        return [(m["role"], _text(m["content"])) for m in self.body["messages"]]

    @property
    def last_user_text(self) -> str:
        return next((text for role, text in reversed(self.turns) if role == "user"), "")


def _text(content: str | list[dict]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(b["text"] for b in content if b.get("type") == "text")
