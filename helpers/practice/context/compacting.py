"""Compaction: a summary that the API writes, as a block that stands for everything before it.

On demand (`compaction={"type": "summarize"}`) the block is signed: exactly one, first in `messages`,
unchanged. At a token threshold (the edit `compact_20260112`) it comes first in a reply, and
the last one counts. Both carry a hash of the messages they cover, so that thinking blocks in the
turns after them can still be checked.

How a summary is shown to the model is ours: a user message in front, and a line that goes on from it.
"""

from collections.abc import Iterator

from ..errors import bad_request
from . import signing

ON_DEMAND, AT_THRESHOLD = "compact-2026-09-04", "compact-2026-01-12"  # the betas
HEADING = "The conversation up to here, retold:"
GOING_ON = "I go on from there."


# ---------------------------------------------------------------- the block in a request


def check_blocks(body: dict, betas: set[str]) -> None:
    """Refuses (400) compaction blocks that are not as they were returned, or not in their place.

    Looks at messages of any shape: it runs before these are checked, for its errors have names.
    """
    found = list(_found(body.get("messages")))
    for i, j, _, block in found:
        _check_beta(block, betas, f"messages.{i}.content.{j}")
    full = [place for place in found if place[3].get("content") is not None]
    if not any(isinstance(block.get("signature"), str) for *_, block in full):
        return
    if len(full) > 1:
        raise bad_request(
            f"messages: {len(full)} compaction blocks with content; send only the last one",
            "compaction_block_ambiguous",
        )
    i, j, role, block = full[0]
    path = f"messages.{i}.content.{j}"
    if (i, j) != (0, 0) or role == "system":
        raise bad_request(
            f"{path}: the compaction block must be the first block of the conversation",
            "compaction_block_misplaced",
        )
    _check_signature(block, path)
    if any(str(edit.get("type")).startswith("compact_") for edit in _edits(body)):
        raise bad_request(
            "context_management: an edit that compacts cannot be combined with a compaction block"
        )


def _found(messages) -> Iterator[tuple[int, int, object, dict]]:
    """Compaction blocks with their place and role, in messages of any shape."""
    for i, message in enumerate(messages if isinstance(messages, list) else ()):
        content = message.get("content") if isinstance(message, dict) else None
        for j, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict) and block.get("type") == "compaction":
                yield i, j, message.get("role"), block


def _edits(body: dict) -> list[dict]:
    management = body.get("context_management")
    edits = management.get("edits") if isinstance(management, dict) else None
    return [e for e in edits if isinstance(e, dict)] if isinstance(edits, list) else []


def _check_beta(block: dict, betas: set[str], path: str) -> None:
    needed = ON_DEMAND if isinstance(block.get("signature"), str) else AT_THRESHOLD
    if needed not in betas:
        raise bad_request(
            f"{path}: Input tag 'compaction' found using 'type' does not match any of the expected "
            f"tags (is the beta header {needed} missing?)"
        )


def _check_signature(block: dict, path: str) -> None:
    fields = signing.opened(block["signature"])
    if fields is None:
        raise bad_request(
            f"{path}: Invalid `signature` in `compaction` block", "compaction_signature_invalid"
        )
    content = block["content"]
    if not isinstance(content, str) or fields["summary"] != signing.tag(content):
        raise bad_request(
            f"{path}.content: differs from the summary that was signed",
            "compaction_content_mismatch",
        )
    if block.get("tool_changes") is not None:  # ours never have any
        raise bad_request(
            f"{path}.tool_changes: differs from what was returned with the block",
            "compaction_tool_changes_mismatch",
        )


def end_of_covered(block: dict) -> str | None:
    """The hash of the messages that a compaction block covers; None if it does not say."""
    fields = signing.opened(block.get("signature") or block.get("encrypted_content") or "")
    return fields and fields["at"]


def continued(messages: list[dict]) -> list[dict]:
    """The messages as the model sees them: the last summary in the place of all before it."""
    found = list(_found(messages))
    if not found:
        return messages
    full = [(i, j) for i, j, _, block in found if block.get("content") is not None]
    if not full:
        return [m for m in map(_without_blocks, messages) if m["content"]]
    i, j = full[-1]
    block = messages[i]["content"][j]
    rest = [{**messages[i], "content": messages[i]["content"][j + 1 :]}, *messages[i + 1 :]]
    rest = [m for m in map(_without_blocks, rest) if m["content"]]
    return retold(block["content"], rest, block.get("cache_control"))


def _without_blocks(message: dict) -> dict:
    if isinstance(message["content"], str):
        return message
    kept = [b for b in message["content"] if b["type"] != "compaction"]
    return {**message, "content": kept}


def retold(summary: str, rest: list[dict], mark: dict | None = None) -> list[dict]:
    """The messages that follow a summary, after it. `mark`: the summary's cache breakpoint."""
    text = {"type": "text", "text": f"{HEADING}\n{summary}"}
    front = {"role": "user", "content": [{**text, "cache_control": mark} if mark else text]}
    if rest and rest[0]["role"] == "user":  # or the summary would read as what the user says now
        return [front, {"role": "assistant", "content": GOING_ON}, *rest]
    return [front, *rest]


# ---------------------------------------------------------------- writing one


def signed(body: dict, summary: str) -> dict:
    """The block of a compaction request."""
    fields = {"summary": signing.tag(summary), "at": _end(body)}
    return {"type": "compaction", "content": summary, "signature": signing.seal(fields)}


def at_threshold(body: dict, summary: str | None) -> dict:
    """The block of an edit; content null if no summary came about, and then it changes nothing."""
    if summary is None:
        return {"type": "compaction", "content": None}
    sealed = signing.seal({"at": _end(body)})
    return {"type": "compaction", "content": summary, "encrypted_content": sealed}


def _end(body: dict) -> str:
    """The hash of all messages of a request, as they were sent."""
    prefix = signing.Prefix(body)
    for message in body["messages"]:
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}] if content else []
        for block in content:
            covered = end_of_covered(block) if block["type"] == "compaction" else None
            if covered is not None:
                prefix.so_far = covered
            elif block["type"] != "compaction":
                prefix.add(message["role"], block)
    return prefix.so_far
