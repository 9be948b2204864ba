"""From the request that was sent to the one that the model sees.

In this order: thinking blocks are compared with the request as it came; a compaction block takes the
place of all before it; the memory tool gets its schema; the edits of `context_management` are done.
What comes out is what is counted, looked up in the cache and read.
"""

from dataclasses import dataclass, field, replace

from ... import models
from .. import tokenizer
from . import clearing, compacting, edits, thinking
from .memory_tool import expanded

TRIGGER = 150_000  # tokens at which the edit compacts when it does not say


@dataclass(frozen=True)
class Seen:
    """What the model sees of a request."""

    body: dict
    sent: dict  # the body as it came
    tokens: int  # of the whole request as it is seen
    original_tokens: int  # of the request before the edits
    applied_edits: list[dict] = field(default_factory=list)
    input_transformations: list[dict] = field(default_factory=list)


def see(body: dict) -> Seen:
    """The request as the model sees it. Refused if a thinking block may not stand where it does."""
    messages, notes = thinking.check(body)
    messages = compacting.continued(messages)
    seen = {**body, "messages": messages, "tools": expanded(body.get("tools"))}
    original, applied = tokenizer.count_request(seen), []
    keeps_all = models.model(body["model"]).keeps_thinking
    for edit in edits.of(body):
        report = None
        if edit["type"] == edits.CLEAR_THINKING:
            seen, report = clearing.clear_thinking(seen, edit, keeps_all=keeps_all)
        elif edit["type"] == edits.CLEAR_TOOLS:
            seen, report = clearing.clear_tool_uses(seen, edit)
        applied += [report] if report else []
    tokens = tokenizer.count_request(seen) if applied else original
    return Seen(seen, body, tokens, original, applied, notes)


def due(seen: Seen) -> dict | None:
    """The edit that asks for a summary now, because the request has reached its trigger."""
    for edit in edits.of(seen.body):
        if edit["type"] == edits.COMPACT:
            trigger = (edit.get("trigger") or {}).get("value", TRIGGER)
            return edit if seen.tokens >= trigger else None
    return None


def compacted(seen: Seen, summary: str) -> Seen:
    """The request after it was compacted on the way: the summary, and the newest turn beside it.

    The newest turn (with the call that its results answer) stays for this one reply; later requests
    have the summary alone.
    """
    messages = seen.body["messages"]
    start = len(messages) - 1
    while start and messages[start - 1]["role"] == messages[-1]["role"]:
        start -= 1
    content = messages[start]["content"]
    if isinstance(content, list) and any(b["type"] == "tool_result" for b in content):
        start = max(0, start - 1)
        while start and messages[start - 1]["role"] == "assistant":
            start -= 1
    body = {**seen.body, "messages": compacting.retold(summary, messages[start:])}
    return replace(seen, body=body, tokens=tokenizer.count_request(body))
