"""One pass over the messages: old tool results become placeholders, in a copy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from helpers.messages import blocks
from helpers.shapes import listlike

from .counting import Count, tokens_of, weight, whole

# Ours: what the service puts in place of a result that it clears is not published.
PLACEHOLDER = (
    "[Cleared by the application to save room. Call the tool again if you need this result.]"
)


class DuplicateId(ValueError):
    """Two tool calls, or two results, carry one id; the API refuses such a history."""


@dataclass(frozen=True)
class Edited:
    """What is sent, and what was cleared to get there.

    messages: the copy; a message in which nothing changed is the same object as in the input.
    cleared: all ids that stand for a placeholder by now, those given first. Keep it with the run
        and give it to the next pass.
    saved_tokens: by which `messages` are smaller than the input, by the counter or the estimate.
    new: the ids among `cleared` that this pass has added.
    """

    messages: list
    cleared: list[str]
    saved_tokens: int
    new: list[str] = field(default_factory=list)


def clear_old_results(
    messages: Sequence,
    *,
    keep: int = 3,
    exclude_tools: str | Sequence[str] = (),
    placeholder: str = PLACEHOLDER,
    min_saving: int = 0,
    cleared: str | Sequence[str] = (),
    count: Count | None = None,
) -> Edited:
    """A copy of `messages` in which all but the newest `keep` tool results are placeholders.

    messages: dicts or SDK objects, blocks too; nothing given is changed. `keep` counts results, of
    whatever tool, and 0 clears all. Ids, calls and their inputs stay, so the request stays valid.
    exclude_tools: a tool's name or several; their results stay. Errors stay, and so do a result
    whose call is not among the messages, and one that the placeholder would make no shorter (in
    bytes, and in tokens by `count`).
    cleared: ids that an earlier pass cleared. They are shown as placeholders again, `keep` or not:
    a prefix that changes back is new to the cache twice. Ids that occur nowhere are carried along.
    min_saving: tokens; if what this pass would add saves fewer, it adds nothing.
    count: `count(part of a request body) -> tokens`, such as `count_by(client, model)`; called once
    for each result that may go. Without it tokens are estimated at four bytes each, which
    understates what is saved (JSON has about two).

    A second pass over its own output clears nothing. Linear in the number of blocks.

    ValueError: an argument of the wrong kind. DuplicateId: two calls or two results of one id.
    CountFailed: `count` raised or gave no count. Thinking blocks after a changed result: see
    `without_thinking`.
    """
    for name, value in (("keep", keep), ("min_saving", min_saving)):
        if not whole(value):
            raise ValueError(f"{name} must be a whole number, 0 or more, not {value!r}.")
    if not isinstance(placeholder, str) or not placeholder.strip():
        raise ValueError(f"placeholder must be a text that is not blank, not {placeholder!r}.")
    excluded = set(_names("exclude_tools", exclude_tools))
    given = dict.fromkeys(_names("cleared", cleared))
    if not listlike(messages):
        raise ValueError(f"messages must be a list, not {type(messages).__name__}.")
    messages = list(messages)
    results, tool_of = _scan(messages)
    old = len(results) - keep
    light = weight(placeholder)
    stub_tokens = tokens_of(placeholder, count) if results else 0

    again, fresh, saved_again, saved_fresh = [], [], 0, 0
    for number, (i, j, call, content, failed) in enumerate(results):
        known = call in given
        if not known and (
            number >= old or failed or call not in tool_of or tool_of[call] in excluded
        ):
            continue
        if weight(content) <= light or _is(content, placeholder):
            continue
        saving = tokens_of(content, count) - stub_tokens
        if known:
            again.append((i, j))
            saved_again += saving
        elif saving > 0:
            fresh.append((i, j, call))
            saved_fresh += saving
    if saved_fresh < min_saving:
        fresh, saved_fresh = [], 0
    new = [call for _, _, call in fresh]
    places = again + [(i, j) for i, j, _ in fresh]
    _put_placeholders(messages, places, placeholder)
    return Edited(messages, [*given, *new], saved_again + saved_fresh, new)


def _names(argument: str, value) -> Sequence[str]:
    """One name or several; a string is one name, not a list of letters."""
    if isinstance(value, str):
        return [value]
    if not listlike(value) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{argument} must be a text or a list of texts, not {value!r}.")
    return list(value)


def _scan(messages: list) -> tuple[list[tuple], dict[str, str]]:
    """All tool results in order (message, block, id, content, failed), and each call's tool."""
    results: list[tuple] = []
    tool_of: dict[str, str] = {}
    seen: set[str] = set()
    for i, message in enumerate(messages):
        content = message.get("content") if type(message) is dict else _field(message, "content")
        if type(content) is not list and (type(content) is str or not listlike(content)):
            continue
        for j, block in enumerate(content):
            get = block.get if type(block) is dict else partial(_field, block)
            kind = get("type")
            if kind == "tool_use":
                call, name = get("id"), get("name")
                if not isinstance(call, str):
                    continue
                if call in tool_of:
                    raise DuplicateId(f"messages.{i}: a second tool call with the id {call!r}.")
                tool_of[call] = name if isinstance(name, str) else ""
            elif kind == "tool_result":
                call = get("tool_use_id")
                if not isinstance(call, str):
                    continue
                if call in seen:
                    raise DuplicateId(f"messages.{i}: a second tool result for the id {call!r}.")
                seen.add(call)
                results.append((i, j, call, get("content"), get("is_error")))
    return results, tool_of


def number_of_results(messages: Sequence) -> int:
    """How many tool results the messages hold."""
    contents = [_field(message, "content") for message in messages]
    return sum(
        _field(block, "type") == "tool_result"
        for content in contents
        if listlike(content)
        for block in content
    )


def _is(content, text: str) -> bool:
    if isinstance(content, str) or not listlike(content) or len(content) != 1:
        return content == text
    return _field(content[0], "type") == "text" and _field(content[0], "text") == text


def _put_placeholders(messages: list, places: list[tuple], placeholder: str) -> None:
    """Replaces messages of the list, at these places (message, block), by changed copies."""
    changed: dict[int, list] = {}
    for i, j in places:
        content = changed.get(i)
        if content is None:
            content = changed[i] = list(_field(messages[i], "content"))
        block = content[j]
        plain = block if type(block) is dict else blocks({"content": [block]})[0]
        content[j] = {**plain, "content": placeholder}
    for i, content in changed.items():
        messages[i] = {**_plain(messages[i]), "content": content}


def _plain(message) -> Mapping:
    """The message as a dict; of an object only its role, as its content is replaced anyway."""
    if isinstance(message, (dict, Mapping)):
        return message
    return {"role": _field(message, "role")}


def _field(thing, key: str):
    # dict first: asking about a Mapping takes several times as long
    if type(thing) is dict or isinstance(thing, Mapping):
        return thing.get(key)
    return getattr(thing, key, None)


# ---------------------------------------------------------------- thinking


def without_thinking(messages: Sequence) -> list:
    """The messages without any thinking block; an assistant message of nothing else is left out.

    Newer models bind a thinking block to everything that stands before it, and refuse it (400) once
    an earlier result was cleared or turns were folded into notes. Without any thinking a changed
    history is valid. Messages that have none are the same objects; nothing given is changed.
    """
    kept = []
    for message in messages:
        content = _field(message, "content")
        if _field(message, "role") != "assistant" or not listlike(content):
            kept.append(message)
            continue
        others = [b for b in content if _field(b, "type") not in ("thinking", "redacted_thinking")]
        if len(others) == len(content):
            kept.append(message)
        elif others:
            kept.append({**_plain(message), "content": others})
    return kept
