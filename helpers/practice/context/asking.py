"""Asking for a summary: what a compaction request may be, and how the model is asked.

The summary is the model's own, made of the messages that it covers.
"""

import json
import re

from ..errors import bad_request
from ..reading.clauses import is_question, sentences
from ..request import Request, Turn, readable
from ..skills import summarising
from .compacting import GOING_ON, HEADING, ON_DEMAND

LONGEST_INSTRUCTIONS = 16_384  # characters
MOST_TOKENS = 16_000  # of a summary
LONGEST_RESULT = 2_000  # characters of a tool result that is retold

TASK = "Write a summary of this conversation in <turns>."
TASK_AGAIN = "Merge the conversation in <turns> into the summary in <summary>."


def check_request(body: dict, betas: set[str]) -> None:
    """Refuses (400) a compaction request that cannot be one. `compaction` is not null."""
    value = body["compaction"]
    if ON_DEMAND not in betas:
        raise bad_request(
            f"compaction: Extra inputs are not permitted (is the beta header {ON_DEMAND} missing?)"
        )
    if not isinstance(value, dict) or value.get("type") != "summarize":
        raise bad_request("compaction.type: Input should be 'summarize'")
    for name in value:
        if name not in ("type", "instructions"):
            raise bad_request(f"compaction.{name}: Extra inputs are not permitted")
    instructions = value.get("instructions")
    if instructions is not None and not isinstance(instructions, str):
        raise bad_request("compaction.instructions: Input should be a valid string")
    if instructions and len(instructions) > LONGEST_INSTRUCTIONS:
        raise bad_request(
            f"compaction.instructions: String should have at most {LONGEST_INSTRUCTIONS} characters"
        )
    if body.get("context_management") is not None:
        raise bad_request("compaction: cannot be combined with context_management")


def check_reply_shape(body: dict) -> None:
    """Refuses (400) fields that shape a reply, since a compaction request has none."""
    if body.get("stop_sequences"):
        raise bad_request("stop_sequences: not supported with compaction")
    if (body.get("output_config") or {}).get("format") is not None:
        raise bad_request("output_config.format: not supported with compaction")
    if (body.get("tool_choice") or {}).get("type") in ("any", "tool"):
        raise bad_request("tool_choice: a forced tool is not supported with compaction")


def check_covered(messages) -> None:
    """Refuses (400) messages that end inside a turn, or that hold nothing to summarize."""
    sent = messages if isinstance(messages, list) else []
    turns = [m for m in sent if isinstance(m, dict) and m.get("role") in ("user", "assistant")]
    if not any(map(_says_something, turns)):
        raise bad_request("messages: nothing to summarize", "compaction_nothing_to_summarize")
    last = turns[-1]
    blocks = last.get("content") if isinstance(last.get("content"), list) else []
    if last["role"] == "assistant" and any(
        isinstance(b, dict) and b.get("type") == "tool_use" for b in blocks
    ):
        raise bad_request(
            f"messages.{len(sent) - 1}: the assistant's turn is not finished: its tool calls have "
            "no results yet",
            "compaction_incomplete_turn",
        )


def _says_something(message: dict) -> bool:
    content = message.get("content")
    if isinstance(content, str) or not isinstance(content, list):
        return bool(content)
    return any(
        not isinstance(b, dict) or b.get("type") != "compaction" or b.get("content") is not None
        for b in content
    )


# ---------------------------------------------------------------- the request for it


def summary_request(body: dict, instructions: str | None) -> dict:
    """The request for a summary of what the model sees of `body`.

    `instructions` go beside the task. A call is left out, and so is a JSON result that the model
    has spoken about; of one that it has not, the plain fields are told.
    """
    old, told = "", []
    names: dict[str, str] = {}
    said = [n for n, m in enumerate(body["messages"]) if m["role"] == "assistant"]
    last = max(said, default=-1)
    for n, message in enumerate(body["messages"]):
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in content:
            if block["type"] == "tool_use":
                names[block["id"]] = block["name"]
            elif block["type"] == "text" and n == 0 and block["text"].startswith(HEADING):
                old = block["text"].removeprefix(HEADING).strip()
            elif block["type"] == "text" and block["text"] != GOING_ON:
                told.append(f"{message['role']}: {_inside(block['text'])}")
            elif block["type"] == "tool_result":
                told += _of_result(block, names, newest=n > last)
            elif block["type"] in ("document", "search_result"):
                told.append(f"tool: {_inside(' '.join(readable(block)))}")
    lines = [f"<summary>\n{_inside(old)}\n</summary>"] if old else []
    lines += ["<turns>", *told, "</turns>"]
    if asks := _open_requests(body["messages"]):
        lines += ["<must_keep>", *asks, "</must_keep>"]
    lines += [TASK_AGAIN if old else TASK]
    lines += [instructions.strip()] if (instructions or "").strip() else []
    text = "\n".join(lines)
    return {
        "model": body["model"],
        "max_tokens": MOST_TOKENS,
        "messages": [{"role": "user", "content": text}],
    }


def _open_requests(messages: list[dict]) -> list[str]:
    """What the user has asked for and not got yet: a summary without it would end the work."""
    if messages[-1]["role"] != "user":
        return []
    texts = [Turn(m["role"], m["content"]).text for m in messages if m["role"] == "user"]
    newest = next((text for text in reversed(texts) if text.strip()), "")
    if newest.startswith(HEADING):
        return []  # it stands in the old summary
    asked = [s for s in sentences(newest) if is_question(s) or _PLEASE.search(s)]
    return [f"The user asks: {_inside(text)}" for text in asked]


_PLEASE = re.compile(r"\bplease\b|\b(?:can|could|will|would) you\b", re.IGNORECASE)


def _inside(text: str) -> str:
    """A text that cannot end the part in which it stands."""
    return text.replace("</", "< /").strip()


def _of_result(block: dict, names: dict[str, str], *, newest: bool) -> list[str]:
    text = " ".join(readable(block)).strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return [f"tool: {_inside(text[:LONGEST_RESULT])}"] if text else []
    if not newest or not isinstance(value, dict):
        return []
    fields = [
        f"{name.replace('_', ' ')} is {told}"
        for name, told in value.items()
        if isinstance(told, str | int | float) and not isinstance(told, bool)
    ]
    name = names.get(block["tool_use_id"], "a tool")
    return [f"tool: {_inside(f'{name} says: ' + ', '.join(fields))[:LONGEST_RESULT]}"]


def summarised(request: dict) -> str | None:
    """The model's own summary, from the request for it; None if there is nothing to summarise."""
    reply = summarising.answer(Request(request))
    return reply and reply.content[0]["text"]


def adopted(body: dict) -> str | None:
    """The summary itself, if the messages that the model sees hold nothing else."""
    (first, *rest) = body["messages"]
    if rest or isinstance(first["content"], str):
        return None
    text = first["content"][0].get("text") or ""
    only = len(first["content"]) == 1 and text.startswith(HEADING)
    return text.removeprefix(HEADING).strip() if only else None
