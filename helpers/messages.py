"""Reading messages, and the API's own rules about them.

A message is a dict `{"role": ..., "content": ...}`; its content is a string or a list of content
blocks. A block is a dict, or an object of the `anthropic` SDK (what a reply is made of). The same
function, `validate_request`, tells a learner what is wrong and makes the practice API answer 400.

Sources: the types of anthropic 2.14, public documentation and error texts reported in public up to
November 2026. Branch on an error's class or status, never on its text: texts may change.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from helpers.models import MODELS, Model
from helpers.shapes import SERVER_RESULTS, dump, listlike, receive

_EMPTY_TEXT = "text content blocks must be non-empty"
_BLANK_TEXT = "text content blocks must contain non-whitespace text"


@dataclass(frozen=True)
class Problem:
    """Why a request would be refused: HTTP `status`, error `type` and the API's sentence."""

    status: int
    type: str
    message: str

    def __str__(self) -> str:
        return self.message


# ---------------------------------------------------------------- reading messages


def blocks(message) -> list[dict]:
    """The content blocks of one message (dict or SDK `Message`) as plain dicts.

    A string becomes one text block; SDK blocks become dicts without their empty (None) fields.
    Absent content gives `[]`, and entries that are no blocks at all are left out. The dicts are
    new, so that changing them changes no message; what they hold inside is shared.
    """
    content = _get(message, "content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not listlike(content):
        return []
    return [block for block in map(_plain_block, content) if block is not None]


def merge_turns(messages) -> list[dict]:
    """Neighbours of the same role joined into one message, as the API does before it reads them.

    Every message returned is a new `{"role", "content"}` with a list of dict blocks as content.
    """
    turns: list[dict] = []
    for message in messages:
        role = _get(message, "role")
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks(message)
        else:
            turns.append({"role": role, "content": blocks(message)})
    return turns


def exchanges(messages) -> list[list]:
    """The history cut into exchanges; the pieces joined are the input, the same objects in order.

    An exchange starts at a user message without any tool result and holds everything up to the
    next one, so a tool call and its result are never parted. Whatever stands before the first
    such message (an assistant message, say) is a piece of its own.
    """
    pieces: list[list] = []
    for message in messages:
        if not pieces or starts_exchange(message):
            piece: list = []
            pieces.append(piece)
        piece.append(message)
    return pieces


def starts_exchange(message) -> bool:
    """Whether `message` (dict or object) is a user message without any tool result."""
    if _get(message, "role") != "user":
        return False
    content = _get(message, "content")
    if type(content) is str or not listlike(content):
        return True
    return not any(_get(block, "type") == "tool_result" for block in content)


def text_of(reply) -> str:
    """The text of a reply: its text blocks joined, nothing else; "" when it has none.

    `reply`: an SDK `Message`, a message dict, a string, or a list of blocks. Safer than
    `reply.content[0].text`, which trips on an empty reply and on one that starts with thinking.
    """
    if isinstance(reply, str):
        return reply
    if listlike(reply):
        reply = {"content": reply}
    texts = (block.get("text") for block in blocks(reply) if block.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _get(thing, key: str):
    if type(thing) is dict:  # first, because asking about a Mapping takes several times as long
        return thing.get(key)
    return thing.get(key) if isinstance(thing, Mapping) else getattr(thing, key, None)


def _plain_block(block) -> dict | None:
    if isinstance(block, Mapping):
        return dict(block)
    if hasattr(block, "model_dump"):
        return {key: value for key, value in dump(block).items() if value is not None}
    return None


# ---------------------------------------------------------------- the rules of a request


def validate_request(messages, *, system=None, tools=None, model=None) -> list[Problem]:
    """Everything the Messages API would refuse about these parts of a request; [] when valid.

    `messages`, `system`, `tools`, `model` as one gives them to `client.messages.create`: dicts or
    SDK objects, read as the SDK sends them. None means "not given"; without a model the rules of
    the current models hold (no prefill). Same-role neighbours count as one turn. Positions in a
    sentence ("messages.3.content.0") are those of the list as given, before merging.

    Never raises and never changes its input. Two things that the SDK would read are refused
    because reading uses them up: iterators and open files. Shapes come first; the conversation is
    looked at once every shape is right. Not looked at: lengths in tokens, the number of cache
    breakpoints, signatures of thinking blocks, betas, other fields of the request.
    """
    faults: list[str] = []
    if model is not None:
        faults += receive("model", model, "model")[1]
    if tools is not None:
        tools, wrong = receive("tools", tools, "tools")
        faults += wrong or _tool_faults(tools)
    messages, wrong = receive("messages", messages, "messages")
    faults += _with_way_out(wrong) or _role_faults(messages)
    if system is not None:
        system, wrong = receive("system", system, "system")
        faults += wrong
    if not faults and model is not None and model not in MODELS:
        return [Problem(404, "not_found_error", f"model: {model}")]
    if not faults:
        faults += _conversation_faults(_turns(messages), MODELS.get(model))
        faults += _system_faults(system)
    return [Problem(400, "invalid_request_error", fault) for fault in faults]


def _with_way_out(faults: list[str]) -> list[str]:
    """A whole reply passed as a message leaks its other fields: say so, and say it first."""
    leak = re.compile(r"messages\.\d+\.(id|model|stop_reason|stop_sequence|usage): Extra inputs")
    if not any(map(leak.match, faults)):
        return faults
    hint = " (is this a whole reply? Append reply.to_param() instead)"
    marked = [fault + hint if leak.match(fault) else fault for fault in faults]
    return sorted(marked, key=lambda fault: not fault.endswith(hint))


def _tool_faults(tools: list) -> Iterator[str]:
    names: set[str] = set()
    for n, tool in enumerate(tools):
        kind, name = (_get(tool, key) for key in ("type", "name"))
        if kind == "memory_20250818":
            yield from receive("memory tool", tool, f"tools.{n}.{kind}")[1]
        elif isinstance(kind, str) and re.search(r"_\d{8}$", kind):
            pass  # another one that the API itself defines
        elif isinstance(kind, str) and kind != "custom":
            yield (
                f"tools.{n}: Input tag '{kind}' found using 'type' does not match any of the "
                "expected tags: 'custom', 'memory_20250818'"
            )
        else:
            yield from receive("tool", tool, f"tools.{n}.custom")[1]
        if isinstance(name, str) and name in names:
            yield "tools: Tool names must be unique."
        elif isinstance(name, str):
            names.add(name)


def _role_faults(messages: list[dict]) -> Iterator[str]:
    """No message at all, unknown roles, and blocks in a message of the wrong role."""
    if not messages:
        yield "messages: at least one message is required"
    for i, message in enumerate(messages):
        role, content = message["role"], message["content"]
        if role not in ("user", "assistant", "system"):
            yield f'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"'
        elif isinstance(content, list):
            for j, block in enumerate(content):
                yield from _block_role_faults(role, block, f"messages.{i}", j)


def _block_role_faults(role: str, block: dict, path: str, j: int) -> Iterator[str]:
    kind = block["type"]
    if role == "system" and kind != "text":
        yield f"{path}: role 'system' supports text, tool_addition, and tool_removal blocks only"
    elif role == "user" and kind in ("thinking", "redacted_thinking"):
        yield f"{path}.content: thinking blocks may only be in `assistant` messages"
    elif role == "user" and kind in ("tool_use", "server_tool_use", "compaction", *SERVER_RESULTS):
        yield f"{path}: `{kind}` blocks can only be in `assistant` messages"
    elif role == "assistant" and kind in ("tool_result", "container_upload"):
        yield f"{path}: `{kind}` blocks can only be in `user` messages"
    elif role == "assistant" and kind == "document":
        yield f"{path}.content.{j}: `document` blocks can only be in `user` messages"
    elif role == "user" and kind == "text" and block.get("citations"):
        yield f"{path}.content.{j}.text.citations: citations must be empty in `user` messages"


# ---------------------------------------------------------------- the conversation


@dataclass
class _Turn:
    """Neighbours of one role. Positions are those of the messages in the request."""

    role: str
    first: int
    last: int
    blocks: list[tuple[int, int, dict]]  # position of the message, of the block in it, the block
    empty_texts: list[int]  # the messages whose content is ""
    empty_lists: list[int]  # the messages whose content is []


def _turns(messages: list[dict]) -> list[_Turn]:
    turns: list[_Turn] = []
    for i, message in enumerate(messages):
        content = message["content"]
        if not turns or turns[-1].role != message["role"]:
            turns.append(_Turn(message["role"], i, i, [], [], []))
        turn = turns[-1]
        turn.last = i
        if content == "":
            turn.empty_texts.append(i)
        elif not content:
            turn.empty_lists.append(i)
        elif isinstance(content, str):
            turn.blocks.append((i, 0, {"type": "text", "text": content}))
        else:
            turn.blocks += [(i, j, block) for j, block in enumerate(content)]
    return turns


def _conversation_faults(turns: list[_Turn], row: Model | None) -> Iterator[str]:
    """Rules that need the whole list. `row`: the model's, None when no model is given."""
    calls: dict[str, int] = {}  # the open tool calls, to the message that makes them
    ids: set[str] = set()
    for n, turn in enumerate(turns):
        after = turns[n + 1] if n + 1 < len(turns) else None
        yield from _empty_faults(turn, final=after is None)
        if turn.role == "system":  # calls stay open across it
            yield from _placement_faults(turn, turns[n - 1] if n else None, after, row)
            continue
        yield from _result_faults(turn, calls)
        calls = {}
        for i, j, block in turn.blocks:
            if block["type"] == "tool_use":
                if block["id"] in ids:
                    yield f"messages.{i}.content.{j}: `tool_use` ids must be unique"
                ids.add(block["id"])
                calls.setdefault(block["id"], i)
    if turns[-1].role == "assistant":
        yield from _prefill_faults(turns[-1], row)
    yield from _unanswered(calls, set())


def _empty_faults(turn: _Turn, *, final: bool) -> Iterator[str]:
    may_be_empty = final and turn.role == "assistant"
    if not turn.blocks:
        if turn.role == "system":
            yield f"messages.{turn.first}: system content must contain at least one block"
        elif not may_be_empty:
            yield _empty_message(turn.first)
        return
    for i in turn.empty_lists:  # an empty message beside others of its turn
        if not (may_be_empty and i == turn.last):
            yield _empty_message(i)
    for i in turn.empty_texts:  # an empty text beside others of its turn
        if not (may_be_empty and i == turn.last):
            yield from _blank({"type": "text", "text": ""}, turn.role, i)
    for i, _, block in turn.blocks:
        yield from _blank(block, turn.role, i)


def _empty_message(i: int) -> str:
    return (
        f"messages.{i}: all messages must have non-empty content except for the optional final "
        "assistant message"
    )


def _blank(block: dict, role: str, i: int) -> Iterator[str]:
    """Texts of nothing, or of nothing but spaces, also inside results."""
    if block["type"] == "text":
        if block["text"].strip():
            return
        if role == "system":
            yield f"messages.{i}: system text blocks must contain non-whitespace text"
        else:
            yield f"messages: {_EMPTY_TEXT if not block['text'] else _BLANK_TEXT}"
    elif block["type"] in ("tool_result", "search_result"):
        inner = block.get("content")
        for part in inner if isinstance(inner, list) else ():
            yield from _blank(part, role, i)


def _result_faults(turn: _Turn, calls: dict[str, int]) -> Iterator[str]:
    """Tool results without a call, twice, or (all but those in front) too late to count."""
    answered: set[str] = set()
    in_front = True
    for i, j, block in turn.blocks:
        if block["type"] != "tool_result":
            in_front = False
            continue
        call = block["tool_use_id"]
        if call not in calls:
            yield (
                f"messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` "
                f"blocks: {call}. Each `tool_result` block must have a corresponding `tool_use` "
                "block in the previous message."
            )
        elif call in answered:
            yield (
                f"messages.{i}.content.{j}: each tool_use must have a single result. Found "
                f"multiple `tool_result` blocks with id: {call}"
            )
        elif in_front:
            answered.add(call)
        if block.get("is_error") and not block.get("content"):
            yield (
                f"messages.{i}.content.{j}.tool_result: content cannot be empty if `is_error` "
                "is true"
            )
    yield from _unanswered(calls, answered)


def _unanswered(calls: dict[str, int], answered: set[str]) -> Iterator[str]:
    missing = [call for call in calls if call not in answered]
    if missing:
        yield (
            f"messages.{calls[missing[0]]}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {', '.join(missing)}. Each `tool_use` block must have a "
            "corresponding `tool_result` block in the next message."
        )


def _prefill_faults(turn: _Turn, row: Model | None) -> Iterator[str]:
    last = turn.blocks[-1][2] if turn.blocks else {"type": None}
    if last["type"] == "compaction":
        return  # the model goes on from the summary
    if row is None or not row.prefill:
        yield (
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message."
        )
    elif last["type"] == "text" and last["text"] != last["text"].rstrip():
        yield "messages: final assistant content cannot end with trailing whitespace"


def _placement_faults(
    turn: _Turn, before: _Turn | None, after: _Turn | None, row: Model | None
) -> Iterator[str]:
    """Where messages of role "system" may stand; several in a row count as one."""
    if row is not None and not row.system_messages:
        yield "role 'system' is not supported on this model"
    elif before is None:
        yield (
            f"messages.{turn.first}: use the top-level 'system' parameter for the initial system "
            "prompt"
        )
    elif before.role != "user" and not _ends_on_server(before):
        yield (
            f"messages.{turn.first}: role 'system' must follow a 'user' message or an 'assistant' "
            "message ending in a server tool result"
        )
    elif after is not None and after.role != "assistant":
        yield (
            f"messages.{turn.last}: role 'system' must precede an 'assistant' message or end the "
            "array"
        )


def _ends_on_server(turn: _Turn) -> bool:
    return bool(turn.blocks) and turn.blocks[-1][2]["type"] in SERVER_RESULTS


def _system_faults(system: str | list[dict] | None) -> Iterator[str]:
    """Blank text in the `system` parameter; "" is let through, it says that there is none."""
    texts = [block["text"] for block in system] if isinstance(system, list) else [system or "-"]
    for text in texts:
        if not text.strip():
            yield f"system: {_BLANK_TEXT if text else _EMPTY_TEXT}"
