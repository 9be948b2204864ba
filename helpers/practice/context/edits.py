"""Which edits `context_management` may ask for: their fields, their betas and their order."""

import json
from functools import cache
from typing import Annotated, Literal, NotRequired

from pydantic import Discriminator, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from ... import models, shapes
from ..errors import bad_request
from .compacting import AT_THRESHOLD

CLEARING = "context-management-2025-06-27"
CLEAR_TOOLS, CLEAR_THINKING = "clear_tool_uses_20250919", "clear_thinking_20251015"
COMPACT = "compact_20260112"
BETA_OF = {CLEAR_TOOLS: CLEARING, CLEAR_THINKING: CLEARING, COMPACT: AT_THRESHOLD}
SMALLEST_TRIGGER = 50_000  # tokens at which a conversation is compacted at the earliest

_shape = with_config(extra="forbid", strict=True)
_Count = Annotated[int, Field(ge=0)]


@_shape
class InputTokens(TypedDict):
    type: Literal["input_tokens"]
    value: _Count


@_shape
class ToolUses(TypedDict):
    type: Literal["tool_uses"]
    value: _Count


@_shape
class ClearToolUses(TypedDict):
    type: Literal["clear_tool_uses_20250919"]
    trigger: NotRequired[Annotated[InputTokens | ToolUses, Discriminator("type")]]
    keep: NotRequired[ToolUses]
    clear_at_least: NotRequired[InputTokens | None]
    exclude_tools: NotRequired[list[str] | None]
    clear_tool_inputs: NotRequired[bool | list[str] | None]


@_shape
class ThinkingTurns(TypedDict):
    type: Literal["thinking_turns"]
    value: Annotated[int, Field(gt=0)]


@_shape
class AllTurns(TypedDict):
    type: Literal["all"]


@_shape
class ClearThinking(TypedDict):
    type: Literal["clear_thinking_20251015"]
    keep: NotRequired[ThinkingTurns | AllTurns | Literal["all"]]


@_shape
class CompactTrigger(TypedDict):
    type: Literal["input_tokens"]
    value: Annotated[int, Field(ge=SMALLEST_TRIGGER)]


@_shape
class Compact(TypedDict):
    type: Literal["compact_20260112"]
    trigger: NotRequired[CompactTrigger | None]
    instructions: NotRequired[str | None]
    pause_after_compaction: NotRequired[bool]


@_shape
class Management(TypedDict):
    edits: NotRequired[
        list[Annotated[ClearToolUses | ClearThinking | Compact, Discriminator("type")]]
    ]


@cache
def _adapter() -> TypeAdapter:
    return TypeAdapter(Management)


def check(body: dict, betas: set[str]) -> None:
    """Refuses (400) a `context_management` that the API does not take. It is not null."""
    path, value = "context_management", body["context_management"]
    if not betas & {CLEARING, AT_THRESHOLD}:
        raise bad_request(
            f"{path}: Extra inputs are not permitted (is the beta header {CLEARING} missing?)"
        )
    _, faults = shapes.compare(_adapter(), json.dumps(value), path)
    if faults:
        raise bad_request(faults[0])
    kinds = [edit["type"] for edit in value.get("edits", [])]
    for n, kind in enumerate(kinds):
        if BETA_OF[kind] not in betas:
            raise bad_request(f"{path}.edits.{n}: '{kind}' needs the beta header {BETA_OF[kind]}")
        if kinds.count(kind) > 1:
            raise bad_request(f"{path}.edits: only one edit of the type '{kind}' is allowed")
    if CLEAR_THINKING in kinds[1:]:
        raise bad_request(f"{path}.edits: '{CLEAR_THINKING}' must be the first edit")


def check_thinking(body: dict) -> None:
    """Refuses (400) an edit of thinking blocks in a request that does not think."""
    asked = (body.get("thinking") or {}).get("type") in ("adaptive", "enabled")
    thinks = asked or models.model(body["model"]).always_thinks
    if not thinks and any(edit["type"] == CLEAR_THINKING for edit in of(body)):
        raise bad_request(
            f"`{CLEAR_THINKING}` strategy requires `thinking` to be enabled or adaptive"
        )


def of(body: dict) -> list[dict]:
    """The edits that a checked request asks for, in order."""
    return (body.get("context_management") or {}).get("edits") or []
