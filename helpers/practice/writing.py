"""From a reply to the message that is sent: thinking in front, within its limits, with its usage."""

from dataclasses import dataclass, replace

from .. import caching
from . import tokenizer
from .request import Reply


@dataclass(frozen=True)
class Written:
    """A reply as it was sampled. Tokens are of the reply; `thinking_tokens` are among them."""

    content: list[dict]
    stop_reason: str
    stop_sequence: str | None = None
    output_tokens: int = 0
    thinking_tokens: int = 0


def written(answer: Reply, thought: str | None, sequences: list[str], limits: dict) -> Written:
    """The reply after `thought` (None: no thinking), up to a stop sequence or a limit.

    limits: tokens by the stop reason of reaching them ("max_tokens", ...). A thinking block has no
    signature yet.
    """
    block = {"type": "thinking", "thinking": thought, "signature": ""}
    content = [*([block] if thought is not None else []), *answer.content]
    content, found = _stop_at(content, sequences)
    reply = Written(content, answer.stop_reason)
    if found is not None:
        reply = replace(reply, stop_reason="stop_sequence", stop_sequence=found)
    reason = min(limits, key=limits.get)
    content, cut = _fit(content, limits[reason])
    if cut:
        reply = Written(content, reason)
    thoughts = [b for b in content if b["type"] == "thinking"]
    return replace(
        reply,
        output_tokens=tokenizer.count_blocks(content),
        thinking_tokens=tokenizer.count_blocks(thoughts),
    )


def _stop_at(content: list[dict], sequences: list[str]) -> tuple[list[dict], str | None]:
    """Content up to the first stop sequence in a text block, and that sequence (None: not met)."""
    for i, block in enumerate(content):
        text = block.get("text", "")
        met = [(text.find(s), s) for s in sequences if s in text]
        if met:
            at, sequence = min(met)
            before = [{**block, "text": text[:at]}] if text[:at] else []
            return content[:i] + before, sequence
    return content, None


def _fit(content: list[dict], limit: int) -> tuple[list[dict], bool]:
    """Content of at most `limit` tokens, and whether something had to go."""
    kept: list[dict] = []
    for block in content:
        tokens = tokenizer.count_blocks([block])
        if tokens > limit:
            name = block["type"]  # the text of a text or thinking block has its type's name
            frame = tokenizer.count_blocks([{**block, name: ""}]) if name in block else 0
            text = tokenizer.cut(block[name], limit - frame) if name in block else ""
            return kept + ([{**block, name: text}] if text else []), True
        kept.append(block)
        limit -= tokens
    return kept, False


def usage(booked: caching.CacheUsage, prompt_tokens: int, output_tokens: int) -> dict:
    """How one sampling is billed: prompt tokens as the cache booked them, and output tokens."""
    written_to = booked.write_5m + booked.write_1h
    return {
        "input_tokens": prompt_tokens - booked.read - written_to,
        "output_tokens": output_tokens,
        "cache_creation_input_tokens": written_to,
        "cache_read_input_tokens": booked.read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": booked.write_5m,
            "ephemeral_1h_input_tokens": booked.write_1h,
        },
    }
