"""Calls of tools that a context shows, and what came back of each."""

import json
import re
from dataclasses import dataclass, field

from .findings import Finding, words_of
from .records import Page
from .tools import Tool

Key = tuple[str, str]  # a tool's name and its input, so written that the same call has the same key

# What stands in for a result that was taken out; the wording is free, so these are its usual words.
_CLEARED = re.compile(
    r"\b(?:cleared|removed|omitted|elided|dropped|trimmed|truncated|shortened|placeholder|stub)\b"
    r"|\b(?:call|run|use|ask) (?:the |this |that )?(?:tool )?again\b|\b(?:old|older|earlier) (?:tool )?results?\b",
    re.I,
)


@dataclass
class Call:
    """One call that the context shows, with what came back: data, words, or nothing that can be read."""

    tool: Tool | None
    name: str
    input: dict
    key: Key
    turn: int
    answered: bool = False
    error: bool = False
    text: str = ""
    page: Page | None = None
    prose: bool = False  # words that are no mere placeholder
    findings: list[Finding] = field(default_factory=list)

    @property
    def has_data(self) -> bool:
        """Whether something can be learned from the result as it stands here."""
        known = self.page is not None or self.prose or bool(self.findings)
        return self.answered and not self.error and known

    @property
    def asked(self) -> dict[str, str]:
        """The ids that the call asked about, by noun."""
        if self.tool is None:
            return {}
        return {
            p.noun: str(self.input[p.name])
            for p in self.tool.params
            if p.noun and isinstance(self.input.get(p.name), str | int)
        }


def key_of(name: str, given: dict) -> Key:
    """The same for the same call: the first page is what a call without a page gives."""
    clean = {k: v for k, v in given.items() if not (words_of(k) == "page" and v in (1, "1", None))}
    try:
        return name, json.dumps(clean, sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError):
        return name, repr(clean)


def topic_of(tool: Tool, given: dict) -> str:
    """The value of the enum that a call chooses; the tool's name for a tool without one."""
    chosen = [str(given[p.name]) for p in tool.params if p.options and p.name in given]
    return " ".join(chosen) or tool.name


def parsed(text: str) -> object | None:
    """The dict or list that a text is, amounts as they are written; None for any other text."""
    if not text[:1] or text[0] not in "{[":
        return None
    try:
        value = json.loads(text, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def is_placeholder(text: str) -> bool:
    """Whether a text only says that a result stood here."""
    return bool(_CLEARED.search(text))
