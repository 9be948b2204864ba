"""Which fields a request may have, and with which values: the checks beside `validate_request`."""

from .. import models
from .context import memory_tool
from .context.thinking import CONTROLS
from .errors import Refused, bad_request
from .structured import check_format

COUNT_FIELDS = {
    "messages", "model", "system", "tools", "tool_choice", "thinking",
    "cache_control", "output_config", "speed",
}  # fmt: skip
CREATE_FIELDS = COUNT_FIELDS | {
    "max_tokens", "metadata", "stop_sequences", "stream", "service_tier",
    "inference_geo", "container", "diagnostics",
}  # fmt: skip
BETA_FIELDS = {"context_management", "compaction", "thread", "mcp_servers"}
KNOWN_BETAS = {
    "context-management-2025-06-27", "compact-2026-01-12", "compact-2026-09-04",
    "message-threads-2026-08-12", "token-counting-2024-11-01", "prompt-caching-2024-07-31",
    "extended-cache-ttl-2025-04-11", "pdfs-2024-09-25", "token-efficient-tools-2025-02-19",
    "cache-diagnosis-2026-04-07", "thinking-binding-controls-2026-08-01",
    "interleaved-thinking-2025-05-14", "structured-outputs-2025-11-13",
}  # fmt: skip

EFFORTS = ("low", "medium", "high", "xhigh", "max")
CHOICES = {"speed": ("standard", "fast"), "service_tier": ("auto", "standard_only")}

_CHOICES = ("display", "block_binding")
THINKING_FIELDS = {
    "adaptive": _CHOICES,
    "enabled": ("budget_tokens", *_CHOICES),
    "disabled": (),
    "between_tools": (),
}

# What real Claude offers and this stand-in does not yet. Each goes when its lesson arrives.
NOT_YET = {
    "container": "containers",
    "diagnostics": "cache diagnostics",
    "mcp_servers": "MCP servers",
}


def check_headers(headers) -> set[str]:
    """The betas asked for. Refuses a missing key (401), another version and unknown betas (400)."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise Refused(401, "authentication_error", "Invalid bearer token")
    version = headers.get("anthropic-version")
    if version != "2026-10-21":
        raise bad_request(
            f"anthropic-version: {version!r} is not a version the practice API speaks"
        )
    betas = [b.strip() for b in headers.get("anthropic-beta", "").split(",") if b.strip()]
    unknown = [b for b in betas if b not in KNOWN_BETAS]
    if unknown:
        raise bad_request(
            f"Unexpected value(s) {', '.join(f'`{b}`' for b in unknown)} for the `anthropic-beta` "
            "header. Please consult our documentation at platform.claude.com/docs or try again "
            "without the header."
        )
    return set(betas)


def check_fields(body: dict, *, counting: bool) -> None:
    """Refuses (400) missing, unknown and ill-typed fields of a create or count_tokens body."""
    allowed = COUNT_FIELDS if counting else CREATE_FIELDS
    for name in body:
        if name not in allowed | BETA_FIELDS:
            raise bad_request(f"{name}: Extra inputs are not permitted")
    for name in ("model", "messages") if counting else ("model", "max_tokens", "messages"):
        if name not in body:
            raise bad_request(f"{name}: Field required")
    if not isinstance(body["model"], str):
        raise bad_request("model: Input should be a valid string")
    if body.get("thread") is not None:  # the SDK's tool runner then sends the whole history
        raise bad_request(
            "thread: the practice API keeps no threads; send the whole history instead",
            "thread_unsupported_request",
            unsupported=["thread"],
        )
    for name, feature in NOT_YET.items():
        if body.get(name) is not None:
            raise _not_yet(feature)
    if not isinstance(body.get("stream", False), bool):
        raise bad_request("stream: Input should be a valid boolean")


def check_values(body: dict, betas: set[str]) -> None:
    """Refuses (400) values that the model named in `body` does not take."""
    model = models.model(body["model"])
    if "max_tokens" in body:
        _check_max_tokens(body["max_tokens"], model)
    _check_stop_sequences(body.get("stop_sequences"))
    _check_thinking(body.get("thinking"), model, body.get("max_tokens"), betas)
    _check_tool_choice(body.get("tool_choice"), body.get("tools") or [], model)
    forced = (body.get("tool_choice") or {}).get("type") in ("any", "tool")
    if forced and (body.get("thinking") or {}).get("type") in ("adaptive", "enabled"):
        raise bad_request("Thinking may not be enabled when tool_choice forces tool use.")
    _check_output_config(body.get("output_config"))
    for name, values in CHOICES.items():
        if body.get(name) is not None and body[name] not in values:
            raise bad_request(f"{name}: Input should be {' or '.join(map(repr, values))}")
    if body.get("metadata") is not None and not isinstance(body["metadata"], dict):
        raise bad_request("metadata: Input should be a valid dictionary")
    for tool in body.get("tools") or []:
        if (tool.get("type") or "custom") not in ("custom", memory_tool.TYPE):
            raise _not_yet(f"the tool type {tool['type']}")


def _check_output_config(config) -> None:
    if config is None:
        return
    if not isinstance(config, dict):
        raise bad_request("output_config: Input should be a valid dictionary")
    for name in config:
        if name not in ("effort", "format"):
            raise bad_request(f"output_config.{name}: Extra inputs are not permitted")
    if config.get("effort") is not None and config["effort"] not in EFFORTS:
        raise bad_request(f"output_config.effort: Input should be {' or '.join(EFFORTS)}")
    check_format(config.get("format"))


def _not_yet(feature: str) -> Refused:
    return bad_request(f"the practice API does not offer {feature} yet; the real API does")


def _check_max_tokens(value, model: models.Model) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise bad_request("max_tokens: Input should be a valid integer")
    if value < 0:
        raise bad_request("max_tokens: Input should be greater than or equal to 0")
    if value > model.max_output:
        raise bad_request(
            f"max_tokens: {value} > {model.max_output}, which is the maximum allowed number of "
            f"output tokens for {model.id}"
        )


def _check_stop_sequences(value) -> None:
    if value is None:
        return
    if not isinstance(value, list) or not all(isinstance(s, str) for s in value):
        raise bad_request("stop_sequences: Input should be a valid list of strings")
    if not all(s.strip() for s in value):
        raise bad_request("stop_sequences: each stop sequence must contain non-whitespace")


def _check_thinking(value, model: models.Model, max_tokens: int | None, betas: set[str]) -> None:
    if value is None:
        return
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in THINKING_FIELDS:
        raise bad_request(
            "thinking: Input should have type adaptive, enabled, disabled or between_tools"
        )
    for name in value:
        if name not in ("type", *THINKING_FIELDS[kind]):
            raise bad_request(f"thinking.{kind}.{name}: Extra inputs are not permitted")
    if kind == "enabled" and not model.budgeted_thinking:
        raise bad_request(
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" '
            'and "output_config.effort" to control thinking.'
        )
    if kind == "disabled" and model.always_thinks:
        raise bad_request('"thinking.type.disabled" is not supported for this model.')
    if kind == "enabled":
        _check_budget(value.get("budget_tokens"), max_tokens)
    if value.get("display") not in (None, "summarized", "omitted"):
        raise bad_request(f"thinking.{kind}.display: Input should be 'summarized' or 'omitted'")
    if value.get("block_binding") is not None:
        _check_binding(value["block_binding"], f"thinking.{kind}.block_binding", betas)


def _check_budget(value, max_tokens: int | None) -> None:
    path = "thinking.enabled.budget_tokens"
    if isinstance(value, bool) or not isinstance(value, int):
        raise bad_request(f"{path}: Input should be a valid integer")
    if value < 1024:
        raise bad_request(f"{path}: Input should be greater than or equal to 1024")
    if max_tokens is not None and value >= max_tokens:
        raise bad_request("`max_tokens` must be greater than `thinking.budget_tokens`")


def _check_binding(value, path: str, betas: set[str]) -> None:
    if CONTROLS not in betas:
        raise bad_request(
            f"{path}: Extra inputs are not permitted (is the beta header {CONTROLS} missing?)"
        )
    if not isinstance(value, dict) or not set(value) <= {"prefix_mismatch_behavior"}:
        raise bad_request(f"{path}: Input should hold prefix_mismatch_behavior and nothing else")
    if value.get("prefix_mismatch_behavior") not in (None, "error", "drop_block"):
        raise bad_request(
            f"{path}.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'"
        )


def _check_tool_choice(value, tools: list, model: models.Model) -> None:
    if value is None:
        return
    kind = value.get("type") if isinstance(value, dict) else None
    if kind not in ("auto", "any", "tool", "none"):
        raise bad_request("tool_choice: Input should have type auto, any, tool or none")
    if not tools:
        raise bad_request("tool_choice may only be specified while providing tools")
    if kind in ("any", "tool") and model.always_thinks:
        raise bad_request(
            "tool_choice: a forced tool is not supported by this model, which always thinks"
        )
    if kind == "tool" and value.get("name") not in [t.get("name") for t in tools]:
        raise bad_request(f"tool_choice: no tool is named {value.get('name')!r}")
