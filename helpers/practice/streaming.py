"""A whole answer as the stream of server-sent events that the API would send."""

import json
import re
from collections.abc import Iterator


def events(answer: dict) -> bytes:
    """The event stream of one message (a dict as `api.create` gives it). Text comes by words."""
    return "".join(_events(answer)).encode("utf-8", "surrogatepass")


def _events(answer: dict) -> Iterator[str]:
    usage = answer["usage"]
    start = {**answer, "content": [], "stop_reason": None, "stop_sequence": None}
    yield _event("message_start", message={**start, "usage": {**usage, "output_tokens": 1}})
    for index, block in enumerate(answer["content"]):
        empty, deltas = _parts(block)
        yield _event("content_block_start", index=index, content_block=empty)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    ending = {k: answer[k] for k in ("stop_reason", "stop_sequence")}
    yield _event("message_delta", delta=ending, usage={"output_tokens": usage["output_tokens"]})
    yield _event("message_stop")


def _parts(block: dict) -> tuple[dict, list[dict]]:
    """A block as it starts, and the deltas that fill it."""
    if block["type"] == "text":
        words = re.findall(r"\s*\S+|\s+$", block["text"])
        return {**block, "text": ""}, [{"type": "text_delta", "text": w} for w in words]
    if block["type"] == "thinking":
        thought = {"type": "thinking_delta", "thinking": block["thinking"]}
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {**block, "thinking": "", "signature": ""}, [thought, signed]
    written = json.dumps(block["input"])
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": written}]


def _event(name: str, **data) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
