"""A whole answer as the stream of server-sent events that the API would send."""

import json
import re
from collections.abc import Iterator


def events(answer: dict) -> bytes:
    """The event stream of one message (a dict as `api.create` gives it). Text comes by words."""
    return "".join(_events(answer)).encode("utf-8", "surrogatepass")


# What is known only at the end comes with the last event but one.
_AT_THE_END = ("stop_reason", "stop_sequence", "stop_details")


def _events(answer: dict) -> Iterator[str]:
    usage, late = answer["usage"], {"context_management", *_AT_THE_END}
    start = {name: value for name, value in answer.items() if name not in late}
    start |= {"content": [], "stop_reason": None, "stop_sequence": None}
    begun = {name: value for name, value in usage.items() if name not in _LATE_USAGE}
    yield _event("message_start", message={**start, "usage": {**begun, "output_tokens": 1}})
    for index, block in enumerate(answer["content"]):
        empty, deltas = _parts(block)
        yield _event("content_block_start", index=index, content_block=empty)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    ending = {name: answer[name] for name in _AT_THE_END if name in answer}
    used = {name: usage[name] for name in ("output_tokens", *_LATE_USAGE) if name in usage}
    edits = {name: answer[name] for name in ("context_management",) if name in answer}
    yield _event("message_delta", delta=ending, usage=used, **edits)
    yield _event("message_stop")


_LATE_USAGE = ("iterations", "output_tokens_details")


def _parts(block: dict) -> tuple[dict, list[dict]]:
    """A block as it starts, and the deltas that fill it."""
    if block["type"] == "text":
        words = re.findall(r"\s*\S+|\s+$", block["text"])
        return {**block, "text": ""}, [{"type": "text_delta", "text": w} for w in words]
    if block["type"] == "thinking":
        thought = {"type": "thinking_delta", "thinking": block["thinking"]}
        signed = {"type": "signature_delta", "signature": block["signature"]}
        thoughts = [thought] if block["thinking"] else []
        return {**block, "thinking": "", "signature": ""}, [*thoughts, signed]
    if block["type"] == "compaction":  # its signature has no delta: it comes with the start
        filled = {k: block[k] for k in ("content", "encrypted_content") if k in block}
        start = {k: v for k, v in block.items() if k not in filled}
        return {**start, "content": None}, [{"type": "compaction_delta", **filled}]
    if "input" not in block:  # comes whole
        return block, []
    written = json.dumps(block["input"])
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": written}]


def _event(name: str, **data) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
