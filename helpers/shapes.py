"""The shapes of a request's parts, as the Messages API accepts them: one type for each block.

`receive(part, value)` sends a value through JSON, as the SDK does, and compares what arrives with
these types. Pydantic does the comparing: it words a fault as the API does
("messages.0.content.0.text.text: Field required").

Source: the request types of anthropic 2.14 (`anthropic/types/*_param.py`). What those types let be
null may be null here; unknown fields are refused, but for those inside a tool's input or schema.
"""

import json
from collections.abc import Iterator, Mapping, MappingView, Sequence, Set
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Discriminator, Field, Tag, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

MAX_MESSAGES = 100_000  # in one request

_shape = with_config(extra="forbid", strict=True)
_open_shape = with_config(extra="allow", strict=True)

Id = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]+$")]
Name = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,128}$")]


@_shape
class CacheControl(TypedDict):
    type: Literal["ephemeral"]
    ttl: NotRequired[Literal["5m", "1h"]]


@_shape
class Cacheable(TypedDict):
    cache_control: NotRequired[CacheControl | None]


@_shape
class Text(Cacheable):
    type: Literal["text"]
    text: str
    citations: NotRequired[list[dict[str, Any]] | None]


# -- pictures and documents


@_shape
class Url(TypedDict):
    type: Literal["url"]
    url: str


@_shape
class File(TypedDict):
    type: Literal["file"]
    file_id: str


@_shape
class Picture(TypedDict):
    type: Literal["base64"]
    media_type: Literal["image/jpeg", "image/png", "image/gif", "image/webp"]
    data: str


@_shape
class Pdf(TypedDict):
    type: Literal["base64"]
    media_type: Literal["application/pdf"]
    data: str


@_shape
class PlainText(TypedDict):
    type: Literal["text"]
    media_type: Literal["text/plain"]
    data: str


@_shape
class Image(Cacheable):
    type: Literal["image"]
    source: Annotated[Picture | Url | File, Discriminator("type")]
    transformations: NotRequired[dict[str, Any] | None]


def _text_or_list(value) -> str:
    return "(text)" if isinstance(value, str) else "(list)"


def _or_text(items):
    """A string, or a list of `items`; the tags in brackets are left out of paths."""
    return Annotated[
        Annotated[str, Tag("(text)")] | Annotated[list[items], Tag("(list)")],
        Discriminator(_text_or_list),
    ]


@_shape
class Parts(TypedDict):
    type: Literal["content"]
    content: _or_text(Annotated[Text | Image, Discriminator("type")])


@_shape
class CitationsSwitch(TypedDict):
    enabled: NotRequired[bool]


@_shape
class Document(Cacheable):
    type: Literal["document"]
    source: Annotated[Pdf | PlainText | Parts | Url | File, Discriminator("type")]
    citations: NotRequired[CitationsSwitch | None]
    context: NotRequired[str | None]
    title: NotRequired[str | None]


@_shape
class SearchResult(Cacheable):
    type: Literal["search_result"]
    content: list[Text]
    source: str
    title: str
    citations: NotRequired[CitationsSwitch]


# -- thinking and tools


@_shape
class Thinking(TypedDict):
    type: Literal["thinking"]
    thinking: str
    signature: str


@_shape
class RedactedThinking(TypedDict):
    type: Literal["redacted_thinking"]
    data: str


@_shape
class ToolUse(Cacheable):
    type: Literal["tool_use"]
    id: Id
    name: Name
    input: dict[str, Any]
    caller: NotRequired[dict[str, Any]]
    toolset_name: NotRequired[str | None]


@_shape
class ToolReference(Cacheable):
    type: Literal["tool_reference"]
    tool_name: str


@_shape
class BrowserState(Cacheable):
    type: Literal["browser_state"]
    tabs: list[dict[str, Any]]
    state_changes: NotRequired[list[dict[str, Any]] | None]


@_shape
class ToolResult(Cacheable):
    type: Literal["tool_result"]
    tool_use_id: Id
    content: NotRequired[
        _or_text(
            Annotated[
                Text | Image | SearchResult | Document | ToolReference | BrowserState,
                Discriminator("type"),
            ]
        )
    ]
    is_error: NotRequired[bool]
    toolset_name: NotRequired[str | None]


# -- tools that run on the server: known here only so far as they may stand in a history


@_shape
class ServerToolUse(Cacheable):
    type: Literal["server_tool_use"]
    id: Id
    name: Name
    input: dict[str, Any]
    caller: NotRequired[dict[str, Any]]


SERVER_RESULTS = (
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
)


@_shape
class ServerToolResult(Cacheable):
    type: Literal[SERVER_RESULTS]
    tool_use_id: Id
    content: Any
    caller: NotRequired[dict[str, Any]]


@_shape
class Compaction(Cacheable):
    """A summary that the API wrote in place of everything before it (beta)."""

    type: Literal["compaction"]
    content: NotRequired[Annotated[str, Field(min_length=1)] | None]  # null: it failed
    encrypted_content: NotRequired[str | None]  # null where the SDK has put a stream together
    # as they came: what `model_dump()` adds as null is refused
    signature: NotRequired[str]
    tool_changes: NotRequired[list[dict[str, Any]]]


@_shape
class ContainerUpload(Cacheable):
    type: Literal["container_upload"]
    file_id: str


Block = Annotated[
    Text
    | Image
    | Document
    | SearchResult
    | Thinking
    | RedactedThinking
    | ToolUse
    | ToolResult
    | ServerToolUse
    | ServerToolResult
    | ContainerUpload
    | Compaction,
    Discriminator("type"),
]


# -- the parts of a request


@_shape
class Message(TypedDict):
    role: str  # which ones: messages.py
    content: _or_text(Block)


@_open_shape
class InputSchema(TypedDict):
    type: Literal["object"]
    properties: NotRequired[dict[str, Any] | None]
    required: NotRequired[list[str] | None]


@_shape
class Tool(Cacheable):
    name: Name
    input_schema: InputSchema
    type: NotRequired[Literal["custom"] | None]
    description: NotRequired[str]
    strict: NotRequired[bool]
    defer_loading: NotRequired[bool]
    eager_input_streaming: NotRequired[bool | None]
    input_examples: NotRequired[list[dict[str, Any]]]
    allowed_callers: NotRequired[list[str]]


@_shape
class MemoryTool(Cacheable):
    """A tool whose schema the API knows: `type` says all of it."""

    type: Literal["memory_20250818"]
    name: Literal["memory"]
    strict: NotRequired[bool]
    defer_loading: NotRequired[bool]
    input_examples: NotRequired[list[dict[str, Any]]]
    allowed_callers: NotRequired[list[str]]


_PARTS = {
    "model": Annotated[str, Field(min_length=1)],
    "messages": Annotated[list[Message], Field(max_length=MAX_MESSAGES)],
    "system": _or_text(Text),
    "tools": list[Any],
    "tool": Tool,
    "memory tool": MemoryTool,
}


@cache
def _adapter(part: str) -> TypeAdapter:
    return TypeAdapter(_PARTS[part])


# -- from Python objects to what arrives


def listlike(value) -> bool:
    """Sent as a JSON array and readable more than once (an iterator is not)."""
    if isinstance(value, list | tuple):
        return True
    if isinstance(value, str | bytes | bytearray | memoryview):
        return False
    return isinstance(value, Sequence | Set | MappingView)


def dump(model) -> dict:
    """An SDK object as the SDK sends it: the fields that were set, nulls among them."""
    hidden = getattr(model, "__api_exclude__", None)
    return model.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude=hidden, warnings=False
    )


def receive(part: str, value, path: str) -> tuple[Any, list[str]]:
    """What arrives at the API when `value` is sent as `part`, and a sentence for each fault.

    `part`: "model", "messages", "system", "tools" (any list), "tool" or "memory tool". `path`:
    where the place named in a fault begins, such as "tools.0.custom". The value comes back as plain
    dicts and lists, or as None when there are faults.
    """
    body, problem = _sent(value)
    if problem:
        if type(value) in (list, tuple):  # say which one
            each = ((n, _sent(item)[1]) for n, item in enumerate(value))
            path, problem = next(((f"{path}.{n}", p) for n, p in each if p), (path, problem))
        return None, [f"{path}: {problem}"]
    return compare(_adapter(part), body, path)


def compare(adapter: TypeAdapter, body: bytes | str, path: str) -> tuple[Any, list[str]]:
    """A JSON text read as the type of `adapter`, and a sentence for each fault (then no value)."""
    try:
        return adapter.validate_json(body), []
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        return None, [_sentence(path, detail) for detail in details]


def _sent(value) -> tuple[bytes, str | None]:
    """The JSON for `value`, or why the SDK could not send it. Nothing is changed or used up."""
    try:
        text = json.dumps(value, default=_as_json, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8"), None
    except UnicodeEncodeError:
        return b"", "a text holds half a character (a lone surrogate)"
    except RecursionError:
        return b"", "nested too deeply"
    except TypeError as error:
        return b"", _first_line(error)
    except ValueError as error:  # newer Pythons append the number to "Out of range float values"
        return b"", _first_line(error).split(":")[0]
    except Exception as error:  # an object that cannot even be read
        return b"", f"cannot be read ({type(error).__name__})"


def _as_json(value):
    kind = type(value)
    if hasattr(kind, "model_dump"):
        return dump(value)
    if isinstance(value, Mapping):
        return dict(value)
    if listlike(value):
        return list(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Iterator):
        raise TypeError("an iterator can be read only once: pass a list")
    way_out = ": pass tool.to_dict()" if hasattr(kind, "to_dict") else ""
    raise TypeError(f"Object of type {kind.__name__} is not JSON serializable{way_out}")


def _first_line(error: Exception) -> str:
    try:
        return str(error).splitlines()[0]
    except Exception:  # a stranger's error may not even have a text
        return f"cannot be read ({type(error).__name__})"


def _sentence(path: str, detail) -> str:
    place = [str(step) for step in detail["loc"] if step not in ("(text)", "(list)")]
    sentence = detail["msg"]
    if detail["type"] == "union_tag_not_found":
        place, sentence = [*place, "type"], "Field required"
    # a field's name may be any text, a line break among them
    return f"{' '.join('.'.join([path, *place]).splitlines())}: {sentence}"
