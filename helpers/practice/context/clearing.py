"""Server-side clearing: old tool results and old thinking, gone before the model reads.

The client keeps and sends its whole history; what is cleared is worked out from that history alone,
each time anew. With `clear_at_least` the edit is done in batches: going through the requests that
the history must have come from, it clears only when that many tokens can go at once, and what is
cleared stays cleared. So requests between two batches have the same beginning, and the cache reads it.
"""

from dataclasses import dataclass
from itertools import accumulate

from ... import messages as reading
from .. import tokenizer
from .thinking import THINKING, without

# What the service writes is not published. This text is ours, and says nothing that a model must not.
PLACEHOLDER = "[An old tool result stood here; it was cleared. (text of the practice API)]"

TRIGGER = {"type": "input_tokens", "value": 100_000}
KEEP = 3  # tool uses


@dataclass
class _Use:
    """A tool use that has its result."""

    name: str
    call: tuple[int, int]  # message and block of the tool_use
    result: tuple[int, int]
    new_result: dict
    new_call: dict
    saved: int  # tokens that clearing it saves


def clear_tool_uses(body: dict, edit: dict) -> tuple[dict, dict | None]:
    """The request with old results replaced, and the API's report of it (None: nothing cleared)."""
    uses = _uses(body["messages"], edit)
    cleared = _cleared(body, uses, edit)
    if not cleared:
        return body, None
    changed = {use.result: use.new_result for use in cleared}
    changed |= {use.call: use.new_call for use in cleared}
    report = {
        "type": edit["type"],
        "cleared_tool_uses": len(cleared),
        "cleared_input_tokens": sum(use.saved for use in cleared),
    }
    return {**body, "messages": _replaced(body["messages"], changed)}, report


def _uses(messages: list[dict], edit: dict) -> list[_Use]:
    """Every answered tool use, in the order of the calls."""
    inputs = edit.get("clear_tool_inputs") or False
    calls: dict[str, tuple[int, int, dict]] = {}
    found: dict[str, _Use] = {}
    for i, message in enumerate(messages):
        for j, block in enumerate(_blocks(message)):
            if block["type"] == "tool_use":
                calls[block["id"]] = (i, j, block)
            elif block["type"] == "tool_result" and block["tool_use_id"] in calls:
                ci, cj, call = calls[block["tool_use_id"]]
                new_call = call
                if inputs is True or inputs and call["name"] in inputs:
                    new_call = {**call, "input": {}}
                new = {**block, "content": PLACEHOLDER}
                old_tokens = tokenizer.count_blocks([call, block])
                saved = old_tokens - tokenizer.count_blocks([new_call, new])
                found[call["id"]] = _Use(call["name"], (ci, cj), (i, j), new, new_call, saved)
    return [found[call] for call in calls if call in found]


def _cleared(body: dict, uses: list[_Use], edit: dict) -> list[_Use]:
    """The uses that the edit clears."""
    keep = (edit.get("keep") or {}).get("value", KEEP)
    least = (edit.get("clear_at_least") or {}).get("value", 0)
    trigger = edit.get("trigger") or TRIGGER
    spared = set(edit.get("exclude_tools") or [])
    size = _sizes(body)
    cleared: list[_Use] = []
    waiting: list[_Use] = []  # old enough, and not cleared yet
    seen = answered = 0
    for end in _requests(body["messages"]) if least else [len(body["messages"])]:
        while answered < len(uses) and uses[answered].result[0] < end:
            answered += 1
        while seen < answered - keep:
            use, seen = uses[seen], seen + 1
            # never in place of a result that is shorter than the placeholder
            waiting += [use] if use.name not in spared and use.saved > 0 else []
        over = answered if trigger["type"] == "tool_uses" else size[end]
        if over > trigger["value"] and waiting and sum(use.saved for use in waiting) >= least:
            cleared, waiting = cleared + waiting, []
    return cleared


def _sizes(body: dict) -> list[int]:
    """Tokens of the request with its first 0, 1, 2, ... messages."""
    base = tokenizer.count_request({**body, "messages": []})
    return list(accumulate(map(tokenizer.count_message, body["messages"]), initial=base))


def _requests(messages: list[dict]) -> list[int]:
    """How many messages each request held that a history came from; the last is this one."""
    ends = [
        n
        for n, message in enumerate(messages)
        if n and message["role"] == "assistant" and messages[n - 1]["role"] != "assistant"
    ]
    return [*ends, len(messages)]


def _replaced(messages: list[dict], changed: dict[tuple[int, int], dict]) -> list[dict]:
    touched = {i for i, _ in changed}
    return [
        {**m, "content": [changed.get((i, j), b) for j, b in enumerate(_blocks(m))]}
        if i in touched
        else m
        for i, m in enumerate(messages)
    ]


def _blocks(message: dict) -> list[dict]:
    return message["content"] if isinstance(message["content"], list) else []


def clear_thinking(body: dict, edit: dict, *, keeps_all: bool) -> tuple[dict, dict | None]:
    """The request without the thinking of older turns, and the API's report of it.

    A turn is everything between two messages of the user; a loop of tool calls is one turn.
    `keeps_all`: what the model does when the edit does not say how many turns to keep.
    """
    keep = edit.get("keep") or ("all" if keeps_all else {"type": "thinking_turns", "value": 1})
    if keep == "all" or keep["type"] == "all":
        return body, None
    turns: list[list[tuple[int, int]]] = []
    pieces = reading.exchanges(body["messages"])
    starts = accumulate(map(len, pieces), initial=0)
    for start, piece in zip(starts, pieces, strict=False):
        thoughts = [
            (start + i, j)
            for i, message in enumerate(piece)
            for j, block in enumerate(_blocks(message))
            if block["type"] in THINKING
        ]
        turns += [thoughts] if thoughts else []
    old = turns[: max(0, len(turns) - keep["value"])]
    if not old:
        return body, None
    places = {place for turn in old for place in turn}
    edited = {**body, "messages": without(body["messages"], places)}
    saved = tokenizer.count_request(body) - tokenizer.count_request(edited)
    report = {
        "type": edit["type"],
        "cleared_thinking_turns": len(old),
        "cleared_input_tokens": saved,
    }
    return edited, report
