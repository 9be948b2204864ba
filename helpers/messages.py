"""Reading messages, and the API's own rules about them.

A message is a dict `{"role": ..., "content": ...}`; its content is a string or a list of content
blocks. A block is a dict, or an object of the `anthropic` SDK (what a reply is made of). The same
function, `validate_request`, tells a learner what is wrong and makes the practice API answer 400.

Sources: the types of anthropic 2.14, public documentation and error texts reported in public up to
November 2026. Branch on an error's class or status, never on its text: texts may change.
"""

import io
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set, ValuesView
from dataclasses import dataclass
from datetime import date

from helpers.models import MODELS

MAX_MESSAGES = 100_000  # in one request


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
    if not _listlike(content):
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
        if not pieces or _starts_exchange(message):
            pieces.append([])
        pieces[-1].append(message)
    return pieces


def text_of(reply) -> str:
    """The text of a reply: its text blocks joined, nothing else; "" when it has none.

    `reply`: an SDK `Message`, a message dict, a string, or a list of blocks. Safer than
    `reply.content[0].text`, which trips on an empty reply and on one that starts with thinking.
    """
    if isinstance(reply, str):
        return reply
    if _listlike(reply):
        reply = {"content": reply}
    texts = (block.get("text") for block in blocks(reply) if block.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _starts_exchange(message) -> bool:
    if _get(message, "role") != "user":
        return False
    content = _get(message, "content")
    if isinstance(content, str) or not _listlike(content):
        return True
    return not any(_get(block, "type") == "tool_result" for block in content)


def _get(thing, key: str):
    return thing.get(key) if isinstance(thing, Mapping) else getattr(thing, key, None)


def _plain_block(block) -> dict | None:
    if isinstance(block, Mapping):
        return dict(block)
    if hasattr(block, "model_dump"):
        return {key: value for key, value in _dump(block).items() if value is not None}
    return None


def _dump(model) -> dict:
    """An SDK object as the SDK sends it: the fields that were set, nulls among them."""
    hidden = getattr(model, "__api_exclude__", None)
    return model.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude=hidden, warnings=False
    )


def _listlike(value) -> bool:
    """Sent as a JSON array, and readable more than once (an iterator is not)."""
    if isinstance(value, list | tuple):
        return True
    if isinstance(value, str | bytes | bytearray | memoryview):
        return False
    return isinstance(value, Sequence | Set | ValuesView)


# ---------------------------------------------------------------- what goes over the wire


class _NotSendable(Exception):
    """The SDK could not send this value as JSON."""


def _wire(value):
    """A copy of `value` as it arrives at the API, by the SDK's own rules; nothing is changed."""
    kind = type(value)
    if kind is str:
        if not value.isascii():
            _check_text(value)
        return value
    if kind is dict or isinstance(value, Mapping):
        return _wire_object(value)
    if kind is list or _listlike(value):
        return [_wire(item) for item in value]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        _check_text(value)
        return str.__str__(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NotSendable("Out of range float values are not JSON compliant")
        return value
    if hasattr(kind, "model_dump"):
        return _wire(_dump(value))
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Iterator):
        raise _NotSendable("an iterator can be read only once: pass a list")
    raise _NotSendable(f"Object of type {kind.__name__} is not JSON serializable")


def _wire_object(value) -> dict:
    plain = {}
    for key, item in value.items():
        if type(item).__name__ in ("Omit", "NotGiven"):  # the SDK's "leave this out"
            continue
        if key == "data" and isinstance(item, io.IOBase | os.PathLike):
            plain[key] = "(a file, which the SDK reads when it sends)"
        elif isinstance(key, str):
            plain[_wire(key)] = _wire(item)
        elif key is None or isinstance(key, bool | int | float):
            plain[str(key)] = _wire(item)
        else:
            raise _NotSendable(f"keys must be str, not {type(key).__name__}")
    return plain


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _NotSendable(
            f"the text holds half a character (a lone surrogate) at position {error.start}"
        ) from None


def _received(value, path: str, faults: list[str]):
    """`_wire(value)`, or None and one fault more."""
    try:
        return _wire(value)
    except _NotSendable as error:
        faults.append(f"{path}: {error}")
    except RecursionError:
        faults.append(f"{path}: nested too deeply, or inside itself")
    except Exception as error:  # an object that cannot even be read
        faults.append(f"{path}: cannot be read ({type(error).__name__})")
    return None


# ---------------------------------------------------------------- shapes
# A check is given a value and its path, and yields a sentence for each thing that is wrong.

Check = Callable[[object, str], Iterator[str]]


def _kind(kind: type, name: str) -> Check:
    def check(value, path):
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            yield f"{path}: Input should be {name}"

    return check


_string = _kind(str, "a valid string")
_boolean = _kind(bool, "a valid boolean")
_object = _kind(dict, "an object")
_list = _kind(list, "a valid array")


def _matches(pattern: str) -> Check:
    def check(value, path):
        if not isinstance(value, str):
            yield f"{path}: Input should be a valid string"
        elif not re.fullmatch(pattern, value):
            yield f"{path}: String should match pattern '^{pattern}$'"

    return check


def _one_of(*allowed: str) -> Check:
    def check(value, path):
        if not isinstance(value, str) or value not in allowed:
            yield f"{path}: Input should be {_listed(allowed, 'or')}"

    return check


def _listed(names, word: str) -> str:
    *head, last = [f"'{name}'" for name in names]
    return f"{', '.join(head)} {word} {last}" if head else last


def _nullable(inner: Check) -> Check:
    def check(value, path):
        return iter(()) if value is None else inner(value, path)

    return check


def _array(inner: Check) -> Check:
    def check(value, path):
        yield from _list(value, path)
        if isinstance(value, list):
            for n, item in enumerate(value):
                yield from inner(item, f"{path}.{n}")

    return check


def _text_or(inner: Check) -> Check:
    def check(value, path):
        return iter(()) if isinstance(value, str) else inner(value, path)

    return check


def _fields(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    known = {**required, **(optional or {})}

    def check(value, path):
        if not isinstance(value, dict):
            yield f"{path}: Input should be an object"
            return
        for name in required:
            if name not in value:
                yield f"{path}.{name}: Field required"
        for name, item in value.items():
            if name in known:
                yield from known[name](item, f"{path}.{name}")
        for name in value:
            if name not in known and name != "type":
                yield f"{path}.{name}: Extra inputs are not permitted"

    return check


def _by_type(variants: dict[str, Check]) -> Check:
    def check(value, path):
        if not isinstance(value, dict):
            yield f"{path}: Input should be an object"
        elif "type" not in value:
            yield f"{path}.type: Field required"
        elif not isinstance(value["type"], str) or value["type"] not in variants:
            yield (
                f"{path}: Input tag '{value['type']}' found using 'type' does not match any of "
                f"the expected tags: {', '.join(map(repr, variants))}"
            )
        else:
            yield from variants[value["type"]](value, f"{path}.{value['type']}")

    return check


_CACHED = {
    "cache_control": _nullable(_by_type({"ephemeral": _fields({}, {"ttl": _one_of("5m", "1h")})}))
}
_CITED = {"citations": _nullable(_list)}
_CITATIONS = {"citations": _nullable(_fields({}, {"enabled": _boolean}))}
_MEDIA = _one_of("image/jpeg", "image/png", "image/gif", "image/webp")
_ID = _matches("[a-zA-Z0-9_-]+")
_NAME = _matches("[a-zA-Z0-9_-]{1,128}")

_TEXT = _fields({"text": _string}, _CACHED | _CITED)
_URL, _FILE = _fields({"url": _string}), _fields({"file_id": _string})
_IMAGE = _fields(
    {
        "source": _by_type(
            {
                "base64": _fields({"media_type": _MEDIA, "data": _string}),
                "url": _URL,
                "file": _FILE,
            }
        )
    },
    _CACHED | {"transformations": _nullable(_object)},
)
_DOCUMENT = _fields(
    {
        "source": _by_type(
            {
                "base64": _fields({"media_type": _one_of("application/pdf"), "data": _string}),
                "text": _fields({"media_type": _one_of("text/plain"), "data": _string}),
                "content": _fields(
                    {"content": _text_or(_array(_by_type({"text": _TEXT, "image": _IMAGE})))}
                ),
                "url": _URL,
                "file": _FILE,
            }
        )
    },
    _CACHED | _CITATIONS | {"title": _nullable(_string), "context": _nullable(_string)},
)
_SEARCH_RESULT = _fields(
    {"source": _string, "title": _string, "content": _array(_by_type({"text": _TEXT}))},
    _CACHED | _CITATIONS,
)
_IN_RESULT = {
    "text": _TEXT,
    "image": _IMAGE,
    "search_result": _SEARCH_RESULT,
    "document": _DOCUMENT,
    "tool_reference": _fields({"tool_name": _string}, _CACHED),
    "browser_state": _fields({"tabs": _list}, _CACHED | {"state_changes": _nullable(_list)}),
}
_CALL = {"id": _ID, "name": _NAME, "input": _object}
_ON_SERVER = _fields(
    {"tool_use_id": _string, "content": lambda v, p: iter(())}, _CACHED | {"caller": _object}
)

_BLOCK = {
    "text": _TEXT,
    "image": _IMAGE,
    "document": _DOCUMENT,
    "search_result": _SEARCH_RESULT,
    "thinking": _fields({"thinking": _string, "signature": _string}),
    "redacted_thinking": _fields({"data": _string}),
    "tool_use": _fields(_CALL, _CACHED | {"caller": _object, "toolset_name": _nullable(_string)}),
    "tool_result": _fields(
        {"tool_use_id": _ID},
        _CACHED
        | {
            "content": _text_or(_array(_by_type(_IN_RESULT))),
            "is_error": _boolean,
            "toolset_name": _nullable(_string),
        },
    ),
    "container_upload": _fields({"file_id": _string}, _CACHED),
    "server_tool_use": _fields(_CALL, _CACHED | {"caller": _object}),
    "web_search_tool_result": _ON_SERVER,
    "web_fetch_tool_result": _ON_SERVER,
    "code_execution_tool_result": _ON_SERVER,
    "bash_code_execution_tool_result": _ON_SERVER,
    "text_editor_code_execution_tool_result": _ON_SERVER,
    "tool_search_tool_result": _ON_SERVER,
}
_USER_ONLY = {"tool_result", "container_upload"}
_ASSISTANT_ONLY = {"thinking", "redacted_thinking", "tool_use", "server_tool_use"} | {
    name for name, check in _BLOCK.items() if check is _ON_SERVER
}
_check_content = _text_or(_array(_by_type(_BLOCK)))
_check_system = _text_or(_array(_by_type({"text": _TEXT})))

_SCHEMA = _fields({"type": _one_of("object")})  # a JSON schema: further keys are free
_TOOL = _fields(
    {"name": _NAME, "input_schema": _object},
    _CACHED
    | {
        "type": _nullable(_one_of("custom")),
        "description": _string,
        "strict": _boolean,
        "defer_loading": _boolean,
        "input_examples": _array(_object),
        "allowed_callers": _list,
        "eager_input_streaming": _nullable(_boolean),
    },
)


# ---------------------------------------------------------------- the rules of a request


def validate_request(messages, *, system=None, tools=None, model=None) -> list[Problem]:
    """Everything the Messages API would refuse about these parts of a request; [] when valid.

    `messages`, `system`, `tools`, `model` as one gives them to `client.messages.create`: dicts or
    SDK objects, read as the SDK sends them. None means "not given"; without a model the rules of
    the current models hold (no prefill). Same-role neighbours count as one turn. Positions in a
    sentence ("messages.3.content.0") are those of the list as given, before merging.

    Never raises and never changes its input. A one-shot iterator is refused, not used up. Shapes
    come first: rules about the conversation are looked at once every shape is right.
    Not here: lengths in tokens, cache breakpoints, bound thinking, betas, other fields.
    """
    faults: list[str] = []
    if model is not None:
        faults += _string(model, "model")
        if model == "":
            faults.append("model: String should have at least 1 character")
    if tools is not None:
        faults += _tool_faults(tools)
    seen = _messages_received(messages, faults)
    if system is not None:
        system = _received(system, "system", faults)
        if system is not None:
            faults += _check_system(system, "system")
    if not faults and model is not None and model not in MODELS:
        return [Problem(404, "not_found_error", f"model: {model}")]
    if not faults:
        faults += _conversation_faults(seen, MODELS.get(model))
        faults += _system_faults(system)
    return [Problem(400, "invalid_request_error", fault) for fault in faults]


def _tool_faults(tools) -> Iterator[str]:
    if not _listlike(tools):
        yield "tools: Input should be a valid array"
        return
    names: set[str] = set()
    for n, tool in enumerate(tools):
        faults: list[str] = []
        tool = _received(tool, f"tools.{n}", faults)
        yield from faults
        if faults:
            continue
        kind = tool.get("type") if isinstance(tool, dict) else None
        if isinstance(kind, str) and re.search(r"_\d{8}$", kind):
            pass  # a tool that the API itself defines, such as memory_20250818
        elif isinstance(kind, str) and kind != "custom":
            yield (
                f"tools.{n}: Input tag '{kind}' found using 'type' does not match any of the "
                "expected tags: 'custom', 'memory_20250818' and others with a date"
            )
            continue
        else:
            yield from _TOOL(tool, f"tools.{n}.custom")
            schema = tool.get("input_schema") if isinstance(tool, dict) else None
            if isinstance(schema, dict):
                yield from _schema_faults(schema, f"tools.{n}.custom.input_schema")
        name = tool.get("name") if isinstance(tool, dict) else None
        if isinstance(name, str):
            if name in names:
                yield "tools: Tool names must be unique."
            names.add(name)


def _schema_faults(schema: dict, path: str) -> Iterator[str]:
    yield from _SCHEMA({"type": schema["type"]} if "type" in schema else {}, path)
    yield from _nullable(_object)(schema.get("properties"), f"{path}.properties")
    yield from _nullable(_array(_string))(schema.get("required"), f"{path}.required")


def _messages_received(messages, faults: list[str]) -> list[dict]:
    """The messages as the API receives them; each wrong shape is added to `faults`."""
    if not _listlike(messages):
        faults.append("messages: Input should be a valid array")
        return []
    if not messages:
        faults.append("messages: at least one message is required")
    if len(messages) > MAX_MESSAGES:
        faults.append(
            f"messages: List should have at most {MAX_MESSAGES} items, not {len(messages)}"
        )
        return []
    received = []
    for n, message in enumerate(messages):
        before = len(faults)
        message = _received(message, f"messages.{n}", faults)
        if len(faults) == before:
            faults += _message_faults(message, f"messages.{n}")
        received.append(message)
    return received


def _message_faults(message, path: str) -> Iterator[str]:
    if not isinstance(message, dict):
        yield f"{path}: Input should be an object"
        return
    role = message.get("role")
    if "role" not in message:
        yield f"{path}.role: Field required"
    elif not isinstance(role, str):
        yield f"{path}.role: Input should be a valid string"
    elif role not in ("user", "assistant", "system"):
        yield f'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"'
    if "content" not in message:
        yield f"{path}.content: Field required"
    elif not isinstance(message["content"], str):
        yield from _check_content(message["content"], f"{path}.content")
        yield from _role_faults(role, message["content"], path)
    whole_reply = message.keys() & {"stop_reason", "usage"}
    way_out = " (this is a whole reply: append reply.to_param() instead)" if whole_reply else ""
    for key in message:
        if key not in ("role", "content"):
            yield f"{path}.{key}: Extra inputs are not permitted{way_out}"


def _role_faults(role, content, path: str) -> Iterator[str]:
    """Blocks that stand in a message of the wrong role."""
    for n, block in enumerate(content if isinstance(content, list) else ()):
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(kind, str) or kind not in _BLOCK:
            continue
        if role == "system" and kind != "text":
            yield (
                f"{path}: role 'system' supports text, tool_addition, and tool_removal blocks only"
            )
        elif role == "user" and kind in _ASSISTANT_ONLY:
            yield f"{path}: `{kind}` blocks can only be in `assistant` messages"
        elif role == "assistant" and kind in _USER_ONLY:
            yield f"{path}: `{kind}` blocks can only be in `user` messages"
        elif role == "assistant" and kind == "document":
            yield f"{path}.content.{n}: `document` blocks can only be in `user` messages"
        elif role == "user" and kind == "text" and block.get("citations"):
            yield f"{path}.content.{n}.text.citations: must be empty in `user` messages"


# ---------------------------------------------------------------- the conversation


@dataclass
class _Turn:
    role: str
    first: int  # position of its first and last message in the request
    last: int
    blocks: list[tuple[int, int, dict]]  # message position, block position, block


def _turns(messages: list[dict]) -> list[_Turn]:
    turns: list[_Turn] = []
    for i, message in enumerate(messages):
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if not turns or turns[-1].role != message["role"]:
            turns.append(_Turn(message["role"], i, i, []))
        turns[-1].last = i
        turns[-1].blocks += [(i, j, block) for j, block in enumerate(content)]
    return turns


def _conversation_faults(messages: list[dict], row) -> Iterator[str]:
    """Rules that need all messages; their shapes are right. `row`: the model's, None if open."""
    turns = _turns(messages)
    calls: dict[str, int] = {}  # tool calls of the turn before, to the message that makes them
    ids: set[str] = set()
    for n, turn in enumerate(turns):
        is_last = n == len(turns) - 1
        yield from _empty_faults(turn, messages, final=is_last)
        if turn.role == "system":
            before = turns[n - 1] if n else None
            after = None if is_last else turns[n + 1]
            yield from _placement_faults(turn, before, after, row)
            continue  # a call stays open across it
        if turn.role == "user" or n:
            yield from _result_faults(turn, calls)
        calls = {}
        if turn.role == "assistant":
            for i, j, block in turn.blocks:
                if block["type"] == "tool_use":
                    if block["id"] in ids:
                        yield f"messages.{i}.content.{j}: `tool_use` ids must be unique"
                    ids.add(block["id"])
                    calls.setdefault(block["id"], i)
    if turns[-1].role == "assistant":
        yield from _prefill_faults(turns[-1], row)
    yield from _unanswered(calls, set())


def _empty_faults(turn: _Turn, messages: list[dict], *, final: bool) -> Iterator[str]:
    optional = final and turn.role == "assistant"
    strings = {i for i in range(turn.first, turn.last + 1) if messages[i]["content"] == ""}
    empty = sorted(strings) if turn.blocks else [turn.first]
    for i in empty:
        if turn.role == "system":
            yield f"messages.{i}: system content must contain at least one block"
        elif not (optional and i == turn.last):
            yield (
                f"messages.{i}: all messages must have non-empty content except for the optional "
                "final assistant message"
            )
    for i, _, block in turn.blocks:
        if i in strings:
            continue
        if turn.role == "system":
            if not block["text"].strip():
                yield f"messages.{i}: system text blocks must contain non-whitespace text"
        else:
            yield from _blank(block, "messages")


def _blank(block: dict, where: str) -> Iterator[str]:
    if block["type"] == "text":
        if not block["text"]:
            yield f"{where}: text content blocks must be non-empty"
        elif not block["text"].strip():
            yield f"{where}: text content blocks must contain non-whitespace text"
    elif block["type"] in ("tool_result", "search_result"):
        inner = block.get("content")
        for part in inner if isinstance(inner, list) else ():
            yield from _blank(part, where)


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


def _prefill_faults(turn: _Turn, row) -> Iterator[str]:
    last = turn.blocks[-1][2] if turn.blocks else {"type": None}
    if row is None or not row.prefill:
        yield (
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message."
        )
    elif last["type"] == "text" and last["text"] != last["text"].rstrip():
        yield "messages: final assistant content cannot end with trailing whitespace"


def _placement_faults(turn: _Turn, before, after, row) -> Iterator[str]:
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
    return bool(turn.blocks) and _BLOCK[turn.blocks[-1][2]["type"]] is _ON_SERVER


def _system_faults(system) -> Iterator[str]:
    if isinstance(system, str):
        if system and not system.strip():
            yield "system: text content blocks must contain non-whitespace text"
    elif system is not None:
        for block in system:
            yield from _blank(block, "system")
