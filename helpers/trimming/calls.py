"""Tool calls and their results: which are open where, and whether one was parted from the other."""

from collections.abc import Iterator, Mapping, Sequence

from helpers.messages import blocks
from helpers.shapes import listlike


class InvalidHistory(ValueError):
    """A list that is no history, or one in which a tool call and its result are already parted."""


def open_calls(messages: Sequence) -> Iterator[tuple[str, ...]]:
    """After each message: the ids of the tool calls still without a result.

    InvalidHistory as soon as no later message can bring things in order.
    """
    if not listlike(messages):
        raise InvalidHistory(f"messages must be a list, not {type(messages).__name__}.")
    calls: dict[str, None] = {}  # of the assistant turn before, still without a result
    answering = False  # has the user turn begun
    for i, message in enumerate(messages):
        role, content = field(message, "role"), field(message, "content")
        if role not in ("user", "assistant", "system"):
            raise InvalidHistory(
                f"messages.{i}: the role must be user, assistant or system, not {role!r}."
            )
        if role == "assistant":
            if answering and calls:
                raise _unanswered(i, calls)
            answering = False
        elif role == "user":
            answering = True
        if isinstance(content, str):
            if role == "user" and calls:
                raise _unanswered(i, calls)
        elif not listlike(content):
            raise InvalidHistory(
                f"messages.{i}: content must be a string or a list of content blocks, not "
                f"{type(content).__name__}."
            )
        else:
            _read_blocks(i, role, blocks(message), calls)
        yield tuple(calls)


def _read_blocks(i: int, role: str, found: list[dict], calls: dict[str, None]) -> None:
    """Opens the calls of an assistant message, closes those that a user message answers."""
    for block in found:
        kind = block.get("type")
        if kind == "tool_result":
            call = block.get("tool_use_id")
            if role != "user" or not isinstance(call, str) or call not in calls:
                raise InvalidHistory(
                    f"messages.{i}: a tool result for {call!r}, which is no unanswered call of the "
                    "assistant turn before: a call and its result must stay together."
                )
            del calls[call]
        elif role == "user" and calls:
            raise _unanswered(i, calls)
        elif kind == "tool_use" and role == "assistant":
            if not isinstance(block.get("id"), str):
                raise InvalidHistory(f"messages.{i}: a tool call needs an id, a string.")
            calls[block["id"]] = None


def _unanswered(i: int, calls: dict[str, None]) -> InvalidHistory:
    return InvalidHistory(
        f"messages.{i}: the tool calls before it have no results yet: "
        f"{', '.join(map(str, calls))}. The results must come first."
    )


def field(thing, key: str):
    if type(thing) is dict:  # first, because asking about a Mapping takes several times as long
        return thing.get(key)
    return thing.get(key) if isinstance(thing, Mapping) else getattr(thing, key, None)
