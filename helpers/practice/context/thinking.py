"""Thinking blocks: when they are written, what they say, and whether they may come back.

On a model that binds thinking, a block is valid only after exactly what it was written after: tools,
system and every message before it, as they were sent. Its signature carries hashes of these, so that
it can be checked with nothing kept. Thinking blocks themselves are no part of that prefix; each one
remembers the one before it, so they may go from the front, and not from the middle.
"""

from collections.abc import Iterator

from ... import models
from ..errors import Refused, bad_request
from ..reading.clauses import sentences
from ..request import Reply, Request
from . import signing
from .compacting import end_of_covered

CONTROLS = "thinking-binding-controls-2026-08-01"  # the beta that lets a request choose
THINKING = ("thinking", "redacted_thinking")
MISMATCH = "prefix_binding_mismatch"
_LONGEST = 30  # words of the message that a thought repeats


def wanted(body: dict, model: models.Model) -> bool:
    """Whether the reply to a request begins with a thinking block."""
    kind = (body.get("thinking") or {}).get("type")
    if kind == "between_tools":
        last = body["messages"][-1]["content"]
        return isinstance(last, list) and any(b["type"] == "tool_result" for b in last)
    return model.always_thinks or kind in ("adaptive", "enabled")


def thought(body: dict, reply: Reply) -> str:
    """What the model thinks before it gives `reply`: what came last, and what it does about it."""
    request = Request(body)
    names = {b["id"]: b["name"] for turn in request.turns for b in turn.of_type("tool_use")}
    came = [names.get(b["tool_use_id"], "a tool") for b in request.last.of_type("tool_result")]
    calls = [b["name"] for b in reply.content if b["type"] == "tool_use"]
    if came:
        first = f"{_listed(came)} answered."
    else:
        words = (sentences(request.last.text) or [""])[0].split()
        first = f"The last message says: {' '.join(words[:_LONGEST])}"
    return f"{first} {f'I call {_listed(calls)} next.' if calls else 'I can reply now.'}"


def _listed(names: list[str]) -> str:
    return ", ".join(dict.fromkeys(names))


# ---------------------------------------------------------------- writing one


def signed(body: dict, text: str) -> dict:
    """A thinking block with `text` at the end of the request `body`, as the client gets it."""
    prefix, before = signing.Prefix(body), ""
    for _, _, role, block in _blocks(body):
        before = _after(prefix, role, block, before)
    if (body.get("thinking") or {}).get("display") == "omitted":
        text = ""
    fields = {"model": body["model"], "start": prefix.start, "at": prefix.so_far, "before": before}
    return {"type": "thinking", "thinking": text, "signature": signing.seal(fields, text)}


def _blocks(body: dict) -> Iterator[tuple[int, int, str, dict]]:
    """Every block with its place and its role."""
    for i, message in enumerate(body["messages"]):
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}] if content else []
        for j, block in enumerate(content):
            yield i, j, message["role"], block


def _after(prefix: signing.Prefix, role: str, block: dict, before: str) -> str:
    """Goes past a block; the tag of the last thinking block up to there."""
    if block["type"] == "compaction":
        covered = end_of_covered(block)
        if covered is not None:  # stands for all that it covers
            prefix.so_far = covered
        return before
    prefix.add(role, block)
    return signing.tag(block["signature"]) if block["type"] == "thinking" else before


# ---------------------------------------------------------------- reading them again


def check(body: dict) -> tuple[list[dict], list[dict]]:
    """The messages without the thinking blocks that the model may not read, and a note on each.

    Refuses (400) a block that was changed, and on a model that binds thinking one whose prefix has
    changed, unless the request says "drop_block". The notes are the API's `input_transformations`.
    """
    if not any(block["type"] in THINKING for *_, block in _blocks(body)):
        return body["messages"], []
    model = models.model(body["model"])
    binding = (body.get("thinking") or {}).get("block_binding") or {}
    drops = binding.get("prefix_mismatch_behavior") == "drop_block"
    prefix, before = signing.Prefix(body), ""
    gone: dict[tuple[int, int], str] = {}
    for i, j, role, block in _blocks(body):
        if block["type"] in THINKING:
            reason = _fault(block, model, prefix, before, f"messages.{i}.content.{j}")
            if reason == MISMATCH and not drops:
                raise _mismatch(f"messages.{i}.content.{j}")
            if reason:
                gone[i, j] = reason
        before = _after(prefix, role, block, before)
    notes = [
        {"type": "thinking_dropped", "path": f"messages.{i}.content.{j}", "reason": reason}
        for (i, j), reason in gone.items()
    ]
    return (without(body["messages"], gone) if gone else body["messages"]), notes


def _fault(
    block, model: models.Model, prefix: signing.Prefix, before: str, path: str
) -> str | None:
    """Why the model may not read a block; Refused if it is none of ours, or changed."""
    if block["type"] == "redacted_thinking":
        if model.binds_thinking:
            raise bad_request(f"{path}: Invalid `data` in `redacted_thinking` block")
        return None
    fields = signing.opened(block["signature"], block["thinking"])
    if fields is None:
        # Of another server's blocks a model that binds nothing asks no questions here.
        if model.binds_thinking or signing.is_ours(block["signature"]):
            raise bad_request(f"{path}: Invalid `signature` in `thinking` block")
        return None
    if not model.binds_thinking:
        return None
    if fields["model"] != model.id:
        return "model_binding_mismatch"
    moved = fields["start"] != prefix.start or fields["at"] != prefix.so_far
    return MISMATCH if moved or before not in ("", fields["before"]) else None


def _mismatch(path: str) -> Refused:
    return bad_request(
        f"{path}: Invalid `signature` in `thinking` block. The block is bound to a different "
        "conversation: the system prompt, the tools or a message before it changed since it was "
        "written. Send these unchanged, or leave out all thinking blocks."
    )


def without(messages: list[dict], places) -> list[dict]:
    """The messages without the blocks at `places` (message, block); emptied messages go too."""
    kept = []
    for i, message in enumerate(messages):
        content = message["content"]
        if isinstance(content, list) and any((i, j) in places for j in range(len(content))):
            content = [block for j, block in enumerate(content) if (i, j) not in places]
            if not content:
                continue
            message = {**message, "content": content}
        kept.append(message)
    return kept
