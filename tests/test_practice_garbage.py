"""No body, however odd, trips the practice API: it answers or refuses, and never breaks."""

import json

import httpx2
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from helpers import backends
from helpers.models import CHAT_MODEL, MODELS
from helpers.practice import PracticeAPI
from helpers.practice.fields import KNOWN_BETAS
from tests.strategies import garbage, histories
from tests.test_practice_context import as_sent

FIELDS = [
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "stop_sequences",
    "cache_control", "output_config", "context_management", "compaction", "thread", "metadata",
    "stream", "speed", "service_tier", "mcp_servers", "container", "diagnostics",
]  # fmt: skip
quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

_KEYS = st.sampled_from(
    "type value keep trigger edits clear_at_least exclude_tools clear_tool_inputs instructions "
    "pause_after_compaction format schema properties items anyOf $ref effort display block_binding "
    "prefix_mismatch_behavior budget_tokens content signature encrypted_content tool_changes".split()
)
_WORDS = st.sampled_from(
    "clear_tool_uses_20250919 clear_thinking_20251015 compact_20260112 summarize json_schema object "
    "input_tokens tool_uses thinking_turns all adaptive enabled compaction memory_20250818 memory "
    "string array drop_block".split()
)


def nearly_right():
    """JSON that is made of the API's own words."""
    leaf = st.one_of(
        _WORDS, st.none(), st.booleans(), st.integers(-2, 60_000), st.just("#/$defs/x")
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(_KEYS, inner, max_size=4),
            st.builds(lambda kind, more: {**more, "type": kind}, _WORDS, st.dictionaries(_KEYS, inner, max_size=4)),
        ),
        max_leaves=12,
    )  # fmt: skip


def answer(body, betas=(), path="/v1/messages"):
    request = httpx2.Request(
        "POST",
        backends.PRACTICE_URL + path,
        content=json.dumps(body).encode(),
        headers={
            "authorization": "Bearer x",
            "anthropic-version": "2026-10-21",
            "anthropic-beta": ",".join(betas),
        },
    )
    return PracticeAPI().handle_request(request)


def check(body, betas):
    for path in ("/v1/messages", "/v1/messages/count_tokens"):
        response = answer(body, betas, path)
        assert response.status_code in (200, 400, 404)
        if response.status_code != 200:
            error = response.json()["error"]
            assert error["type"] in ("invalid_request_error", "not_found_error")
            assert error["message"] and "Traceback" not in error["message"]


BETAS = st.sampled_from([(), tuple(sorted(KNOWN_BETAS))])
BODY = {"model": CHAT_MODEL, "max_tokens": 99, "messages": [{"role": "user", "content": "Hello."}]}


@quick
@given(st.sampled_from(FIELDS), st.one_of(nearly_right(), garbage(objects=False)), BETAS)
@example("compaction", {"type": "summarize", "instructions": []}, tuple(KNOWN_BETAS))
@example("context_management", {"edits": [{"type": []}]}, tuple(KNOWN_BETAS))
@example("output_config", {"format": {"type": "json_schema", "schema": {"$ref": {}}}}, ())
@example("output_config", {"format": {"type": "json_schema", "schema": {"type": {}}}}, ())
@example("thinking", {"type": {}}, ())
def test_one_odd_field(name, value, betas):
    check({**BODY, name: value}, betas)


@quick
@given(
    st.fixed_dictionaries(
        {},
        optional={name: st.one_of(nearly_right(), garbage(objects=False)) for name in FIELDS},
    ),
    st.sampled_from(list(MODELS)),
    BETAS,
)
def test_odd_bodies(fields, model, betas):
    check({**BODY, "model": model, **fields}, betas)


@quick
@given(nearly_right(), st.sampled_from(["user", "assistant", "system"]), BETAS, st.booleans())
def test_odd_blocks(block, role, betas, summarising):
    more = {"compaction": {"type": "summarize"}} if summarising else {}
    for content in (block, [block], [{"type": "text", "text": "x"}, block]):
        odd = {"role": role, "content": content}
        check({**BODY, **more, "messages": [odd, *BODY["messages"]]}, betas)
        check({**BODY, **more, "messages": [*BODY["messages"], odd]}, betas)


@quick
@given(
    histories(max_exchanges=3), nearly_right(), nearly_right(), BETAS, st.sampled_from(list(MODELS))
)
def test_a_right_history_with_odd_settings(history, management, thinking, betas, model):
    fields = {"context_management": management, "thinking": thinking}
    check({**BODY, "model": model, "messages": as_sent(history), **fields}, betas)
