"""Server-side context editing through the real beta client, and the properties of what the model sees."""

import asyncio
import copy
import json

import anthropic
import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import backends, messages
from helpers.cost import Meter
from helpers.models import CHAT_MODEL, MODELS
from helpers.practice import context, tokenizer
from helpers.practice.context import clearing
from tests.strategies import histories
from tests.strict import make_client

CLEARING = "context-management-2025-06-27"
COMPACTING = "compact-2026-01-12"
CLEAR = "clear_tool_uses_20250919"
THINK = "clear_thinking_20251015"
OLDER = next(m.id for m in MODELS.values() if not m.keeps_thinking)
BINDER = next(m.id for m in MODELS.values() if m.binds_thinking)
TOOL = {"name": "look", "description": "Looks.", "input_schema": {"type": "object"}}
LONG = " ".join(["event"] * 400)


@pytest.fixture
def client():
    return make_client()


@pytest.fixture
def seen(monkeypatch):
    """The bodies that reach the reply half, which answers all the same."""
    from helpers.practice import api

    bodies, answer = [], api.reply
    monkeypatch.setattr(api, "reply", lambda body: bodies.append(body) or answer(body))
    return bodies


def run(steps=6, result=LONG, name="look"):
    """A run of tool calls that ends at the newest result."""
    found = [{"role": "user", "content": "My name is Ines. Look into it."}]
    for n in range(steps):
        call = {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": {"page": n}}
        found.append({"role": "assistant", "content": [call]})
        answer = {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": f"{n}: {result}"}
        found.append({"role": "user", "content": [answer]})
    return found


def clear(**fields):
    return {"type": CLEAR, "trigger": {"type": "tool_uses", "value": 0}, **fields}


def send(client, edits, history=None, *, betas=(CLEARING,), model=CHAT_MODEL, **more):
    return client.beta.messages.create(
        model=model,
        max_tokens=2000,
        messages=run() if history is None else history,
        tools=[TOOL],
        context_management={"edits": edits},
        betas=list(betas),
        **more,
    )


def preview(client, edits, history=None, betas=(CLEARING,), **more):
    return client.beta.messages.count_tokens(
        model=CHAT_MODEL,
        messages=run() if history is None else history,
        tools=[TOOL],
        context_management={"edits": edits},
        betas=list(betas),
        **more,
    )


def results(body):
    """What the results of a body say: None where the placeholder stands."""
    found = [b for m in body["messages"] for b in messages.blocks(m) if b["type"] == "tool_result"]
    return [None if b["content"] == clearing.PLACEHOLDER else b["content"] for b in found]


def keep(value):
    return {"type": "tool_uses", "value": value}


# --- clear_tool_uses ------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [0, 1, 3, 6, 9])
def test_the_oldest_results_go_and_the_calls_stay(client, seen, kept):
    history = run()
    reply = send(client, [clear(keep=keep(kept))], history)
    gone = max(0, 6 - kept)
    left = results(seen[-1])
    assert left == [None] * gone + results({"messages": history})[gone:]
    calls = [b for m in seen[-1]["messages"] for b in messages.blocks(m) if b["type"] == "tool_use"]
    assert [c["input"] for c in calls] == [{"page": n} for n in range(6)]
    edits = reply.context_management.applied_edits
    assert [e.cleared_tool_uses for e in edits] == ([gone] if gone else [])
    assert all(e.type == CLEAR for e in edits)


def test_three_are_kept_when_nothing_is_said(client, seen):
    send(client, [clear()])
    assert [r is None for r in results(seen[-1])] == [True] * 3 + [False] * 3


def test_the_figures_add_up(client):
    reply = send(client, [clear()])
    counted = preview(client, [clear()])
    plain = client.messages.count_tokens(model=CHAT_MODEL, messages=run(), tools=[TOOL])
    assert counted.context_management.original_input_tokens == plain.input_tokens
    assert reply.usage.input_tokens == counted.input_tokens
    cleared = reply.context_management.applied_edits[0].cleared_input_tokens
    assert counted.input_tokens + cleared == plain.input_tokens


def test_the_client_s_history_is_untouched(client):
    history = run()
    before = copy.deepcopy(history)
    send(client, [clear(keep=keep(0))], history)
    assert history == before


@pytest.mark.parametrize(
    ("trigger", "fires"),
    [
        ({"type": "tool_uses", "value": 5}, True),
        ({"type": "tool_uses", "value": 6}, False),
        ({"type": "input_tokens", "value": 1_000}, True),
        ({"type": "input_tokens", "value": 100_000}, False),
    ],
)
def test_the_trigger(client, trigger, fires):
    reply = send(client, [clear(trigger=trigger)])
    assert bool(reply.context_management.applied_edits) is fires


def test_the_trigger_is_a_hundred_thousand_tokens_when_nothing_is_said(client):
    tokens = client.messages.count_tokens(model=CHAT_MODEL, messages=run(1), tools=[TOOL])
    steps = 100_000 // tokens.input_tokens + 20
    assert send(client, [{"type": CLEAR}], run(50)).context_management.applied_edits == []
    assert send(client, [{"type": CLEAR}], run(steps)).context_management.applied_edits


def test_excluded_tools_stay(client, seen):
    one = run(3, name="memory")
    two = run(3)[1:]
    for n, message in enumerate(two):
        block = message["content"][0]
        block["id" if n % 2 == 0 else "tool_use_id"] = f"toolu_b{n // 2}"
    history = [*one, *two]
    reply = send(client, [clear(keep=keep(1), exclude_tools=["memory"])], history)
    assert [r is None for r in results(seen[-1])] == [False] * 3 + [True] * 2 + [False]
    assert reply.context_management.applied_edits[0].cleared_tool_uses == 2


@pytest.mark.parametrize(
    ("inputs", "left"), [(True, {}), (["look"], {}), (["other"], {"page": 0}), (False, {"page": 0})]
)
def test_inputs_go_when_it_is_asked(client, seen, inputs, left):
    send(client, [clear(clear_tool_inputs=inputs)])
    calls = [b for m in seen[-1]["messages"] for b in messages.blocks(m) if b["type"] == "tool_use"]
    assert calls[0]["input"] == left and calls[-1]["input"] == {"page": 5}


def test_nothing_grows(client, seen):
    reply = send(client, [clear(keep=keep(0))], run(result="ok"))
    assert None not in results(seen[-1]) and reply.context_management.applied_edits == []


def test_a_clearing_that_is_too_small_is_left(client, seen):
    big = {"type": "input_tokens", "value": 1_000_000}
    reply = send(client, [clear(clear_at_least=big)])
    assert None not in results(seen[-1]) and reply.context_management.applied_edits == []


def test_clear_at_least_clears_in_batches(client, seen):
    """What is cleared grows by leaps, and the requests between two leaps begin the same."""
    least = {"type": "input_tokens", "value": 2_200}  # three results of about 800
    cleared = []
    for steps in range(1, 14):
        send(client, [clear(clear_at_least=least)], run(steps))
        cleared.append(results(seen[-1]).count(None))
    assert cleared == sorted(cleared) and set(cleared) == {0, 3, 6, 9}


def test_clear_at_least_spares_the_cache():
    """Read from the cache: with batches most of each request, without them little."""

    def read(**fields):
        client, tokens = make_client(), 0
        for steps in range(4, 20):
            reply = send(
                client,
                [clear(**fields)],
                run(steps),
                cache_control={"type": "ephemeral"},
            )
            tokens += reply.usage.cache_read_input_tokens
        return tokens

    assert read(clear_at_least={"type": "input_tokens", "value": 2_000}) > 1.5 * read()


def test_the_cache_sees_what_the_model_sees(client):
    mark = {"cache_control": {"type": "ephemeral"}}
    first = send(client, [clear()], run(), **mark)
    again = send(client, [clear()], run(), **mark)
    assert first.usage.cache_creation_input_tokens == again.usage.cache_read_input_tokens > 0
    plain = client.beta.messages.create(
        model=CHAT_MODEL, max_tokens=99, messages=run(), tools=[TOOL], **mark
    )
    assert plain.usage.cache_read_input_tokens < first.usage.cache_creation_input_tokens


def test_parallel_results_go_one_by_one(client, seen):
    calls = [{"type": "tool_use", "id": f"t{n}", "name": "look", "input": {}} for n in range(3)]
    answers = [{"type": "tool_result", "tool_use_id": f"t{n}", "content": LONG} for n in (2, 0, 1)]
    history = [{"role": "user", "content": "Look."}, {"role": "assistant", "content": calls}]
    send(client, [clear(keep=keep(1))], [*history, {"role": "user", "content": answers}])
    assert results(seen[-1]) == [LONG, None, None]  # t2 is the newest call


def test_images_and_blocks_go_as_well(client, seen):
    history = run(4)
    history[2]["content"][0]["content"] = [
        {"type": "image", "source": {"type": "url", "url": "https://example.org/p.png"}},
        {"type": "text", "text": "a picture"},
    ]
    reply = send(client, [clear()], history)
    assert results(seen[-1])[0] is None
    assert reply.context_management.applied_edits[0].cleared_input_tokens > 1_000


# --- clear_thinking -------------------------------------------------------------------------------


def thoughtful(client, turns=4, model=BINDER, **more):
    history = []
    for n in range(turns):
        history.append({"role": "user", "content": f"My friend {n} lives in town {n}."})
        reply = client.beta.messages.create(
            model=model, max_tokens=2000, messages=history, tools=[TOOL], **more
        )
        history.append(reply.to_param())
    return [*history, {"role": "user", "content": "Thank you."}]


def thoughts(body):
    return [
        sum(b["type"] == "thinking" for b in messages.blocks(m))
        for m in body["messages"]
        if m["role"] == "assistant"
    ]


@pytest.mark.parametrize(
    ("kept", "left"),
    [
        ({"type": "thinking_turns", "value": 1}, [0, 0, 0, 1]),
        ({"type": "thinking_turns", "value": 9}, [1, 1, 1, 1]),
        ({"type": "all"}, [1, 1, 1, 1]),
        ("all", [1, 1, 1, 1]),
        (None, [1, 1, 1, 1]),
    ],
)
def test_thinking_of_older_turns_goes(client, seen, kept, left):
    history = thoughtful(client)
    edit = {"type": THINK, **({"keep": kept} if kept else {})}
    reply = send(client, [edit], history, model=BINDER)
    assert thoughts(seen[-1]) == left
    applied = reply.context_management.applied_edits
    assert [e.cleared_thinking_turns for e in applied] == ([3] if 0 in left else [])
    counted = client.beta.messages.count_tokens(
        model=BINDER, messages=history, tools=[TOOL], betas=[CLEARING],
        context_management={"edits": [edit]},
    )  # fmt: skip
    saved = sum(e.cleared_input_tokens for e in applied)
    assert counted.context_management.original_input_tokens - counted.input_tokens == saved


def test_an_older_model_keeps_the_last_turn_when_nothing_is_said(client, seen):
    on = {"type": "enabled", "budget_tokens": 1024}
    history = thoughtful(client, model=OLDER, thinking=on)
    send(client, [{"type": THINK}], history, model=OLDER, thinking=on)
    assert thoughts(seen[-1]) == [0, 0, 0, 1]


def test_a_loop_of_calls_is_one_turn(client, seen):
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    history = run(4)
    for message in history[1::2]:
        message["content"].insert(0, thought)
    edit = {"type": THINK, "keep": {"type": "thinking_turns", "value": 1}}
    send(client, [edit], history, thinking={"type": "adaptive"})
    assert thoughts(seen[-1]) == [1, 1, 1, 1]


def test_both_edits_in_order(client, seen):
    history = [*thoughtful(client), {"role": "assistant", "content": "Welcome."}, *run()]
    edit = {"type": THINK, "keep": {"type": "thinking_turns", "value": 1}}
    reply = send(client, [edit, clear()], history, model=BINDER)
    assert [e.type for e in reply.context_management.applied_edits] == [THINK, CLEAR]


# --- what the reply says, whole and streamed ------------------------------------------------------


def test_nothing_is_said_when_nothing_is_asked(client):
    reply = client.beta.messages.create(
        model=CHAT_MODEL, max_tokens=99, messages=run(), tools=[TOOL]
    )
    assert reply.context_management is None
    assert send(client, []).context_management.applied_edits == []


def test_a_streamed_reply_says_the_same(client):
    whole = send(client, [clear()])
    options = {"model": CHAT_MODEL, "max_tokens": 2000, "messages": run(), "tools": [TOOL]}
    with client.beta.messages.stream(
        **options, context_management={"edits": [clear()]}, betas=[CLEARING]
    ) as stream:
        events = list(stream)
        final = stream.get_final_message()
    assert final.context_management == whole.context_management
    (delta,) = [e for e in events if e.type == "message_delta"]
    assert delta.context_management == whole.context_management
    (start,) = [e for e in events if e.type == "message_start"]
    assert start.message.context_management is None


def test_the_async_client_gets_the_same(client):
    async def ask():
        asynchronous = make_client(anthropic.AsyncAnthropic, httpx2.AsyncClient)
        return await send(asynchronous, [clear()])

    assert asyncio.run(ask()).context_management == send(client, [clear()]).context_management


def test_the_stable_client_takes_it_as_an_extra(client):
    reply = client.messages.create(
        model=CHAT_MODEL, max_tokens=2000, messages=run(), tools=[TOOL],
        extra_body={"context_management": {"edits": [clear()]}},
        extra_headers={"anthropic-beta": CLEARING},
    )  # fmt: skip
    assert reply.context_management["applied_edits"][0]["cleared_tool_uses"] == 3


def test_the_meter_sees_fewer_tokens():
    meter = Meter()
    client = backends.connect("practice", meter=meter)
    send(client, [clear()])
    send(client, [])
    assert meter.calls[0].prompt_tokens < meter.calls[1].prompt_tokens
    assert meter.calls[0].request["context_management"]["edits"][0]["type"] == CLEAR


def test_a_prompt_over_the_window_may_be_cleared_under_it(client):
    window = MODELS[OLDER].window
    history = run(8, result="word " * (window // 6))
    with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
        send(client, [], history, model=OLDER)
    assert send(client, [clear(keep=keep(1))], history, model=OLDER).usage.input_tokens < window


# --- what is refused ------------------------------------------------------------------------------

REFUSED = {
    "no beta": ([clear()], (), "context_management: Extra inputs are not permitted"),
    "the beta of compaction": ([clear()], (COMPACTING,), "context_management.edits.0: 'clear_tool"),
    "the beta of clearing": (
        [{"type": "compact_20260112"}],
        (CLEARING,),
        "context_management.edits.0: 'compact_20260112' needs the beta header compact-2026-01-12",
    ),
    "an edit of no type": ([{}], (CLEARING,), "context_management.edits.0.type: Field required"),
    "an unknown edit": ([{"type": "clear_all"}], (CLEARING,), "context_management.edits.0: Input"),
    "an unknown field": ([clear(after=1)], (CLEARING,), f"context_management.edits.0.{CLEAR}.after"),
    "a trigger of no kind": (
        [clear(trigger={"type": "messages", "value": 1})],
        (CLEARING,),
        f"context_management.edits.0.{CLEAR}.trigger",
    ),
    "a trigger without a value": (
        [clear(trigger={"type": "tool_uses"})],
        (CLEARING,),
        f"context_management.edits.0.{CLEAR}.trigger.tool_uses.value: Field required",
    ),
    "keep as a number": ([clear(keep=3)], (CLEARING,), f"context_management.edits.0.{CLEAR}.keep"),
    "keep in tokens": (
        [clear(keep={"type": "input_tokens", "value": 3})],
        (CLEARING,),
        f"context_management.edits.0.{CLEAR}.keep.type",
    ),
    "keep below zero": ([clear(keep=keep(-1))], (CLEARING,), f"context_management.edits.0.{CLEAR}.keep"),
    "keep as true": ([clear(keep=keep(True))], (CLEARING,), f"context_management.edits.0.{CLEAR}.keep"),
    "a tool's name as text": (
        [clear(exclude_tools="look")],
        (CLEARING,),
        f"context_management.edits.0.{CLEAR}.exclude_tools",
    ),
    "no thinking turns": (
        [{"type": THINK, "keep": {"type": "thinking_turns", "value": 0}}],
        (CLEARING,),
        f"context_management.edits.0.{THINK}.keep",
    ),
    "thinking second": ([clear(), {"type": THINK}], (CLEARING,), "context_management.edits: 'clear_thi"),
    "the same twice": ([clear(), clear()], (CLEARING,), "context_management.edits: only one"),
    "clearing thoughts without thinking": ([{"type": THINK}], (CLEARING,), "`clear_thinking_20251015` strategy"),
    "compacting too early": (
        [{"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 49_999}}],
        (COMPACTING,),
        "context_management.edits.0.compact_20260112.trigger.value: Input should be greater",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_an_edit_that_is_refused(client, name):
    edits, betas, start = REFUSED[name]
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, edits, betas=betas)
    assert caught.value.type == "invalid_request_error"
    assert caught.value.api_message.startswith(start)
    with pytest.raises(anthropic.BadRequestError) as caught:
        preview(client, edits, betas=betas)
    assert caught.value.api_message.startswith(start)


@pytest.mark.parametrize("value", [[], "x", 1, {"edits": {}}, {"edits": [[]]}, {"enabled": True}])
def test_a_management_of_the_wrong_shape(client, value):
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.beta.messages.create(
            model=CHAT_MODEL, max_tokens=9, messages=run(),
            betas=[CLEARING], extra_body={"context_management": value},
        )  # fmt: skip
    assert caught.value.api_message.startswith("context_management")


@pytest.mark.parametrize("value", [None, {}, {"edits": []}])
def test_a_management_of_nothing(client, value):
    reply = client.beta.messages.create(
        model=CHAT_MODEL, max_tokens=99, messages=run(), tools=[TOOL],
        betas=[CLEARING], extra_body={"context_management": value},
    )  # fmt: skip
    assert reply.role == "assistant"


# --- properties -----------------------------------------------------------------------------------

quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
counts = st.integers(0, 6)


@st.composite
def edits_of(draw):
    tool_edit = {
        "type": CLEAR,
        "trigger": {
            "type": draw(st.sampled_from(["tool_uses", "input_tokens"])),
            "value": draw(counts),
        },
        "keep": keep(draw(counts)),
        "clear_tool_inputs": draw(st.booleans()),
    }
    if draw(st.booleans()):
        tool_edit["clear_at_least"] = {"type": "input_tokens", "value": draw(st.integers(0, 60))}
    thinking = {"type": THINK, "keep": {"type": "thinking_turns", "value": draw(st.integers(1, 3))}}
    return draw(st.sampled_from([[tool_edit], [thinking], [thinking, tool_edit]]))


def as_sent(history):
    """A history as it comes over the wire."""
    return json.loads(
        json.dumps(history, default=lambda block: block.model_dump(mode="json", exclude_unset=True))
    )


def long_results(history):
    """The same history with results that are worth clearing."""
    for message in history:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_result" and isinstance(block.get("content"), str):
                block["content"] += " result" * 30
    return history


@quick
@given(histories(max_exchanges=5), edits_of())
def test_what_the_model_sees_is_a_valid_request_and_smaller(history, edits):
    body = {"model": CHAT_MODEL, "messages": long_results(as_sent(history))}
    before = copy.deepcopy(body)
    asked = {**body, "thinking": {"type": "adaptive"}, "context_management": {"edits": edits}}
    found = context.see(asked)
    assert body == before
    assert messages.validate_request(found.body["messages"]) == []
    saved = sum(edit["cleared_input_tokens"] for edit in found.applied_edits)
    assert found.original_tokens - found.tokens == saved >= 0
    assert found.original_tokens == tokenizer.count_request(body)
    assert all(v for e in found.applied_edits for k, v in e.items() if k != "type")
    assert all(e["type"] in {edit["type"] for edit in edits} for e in found.applied_edits)
    assert context.see(asked).body == found.body


@quick
@given(histories(max_exchanges=4, thinking=False), counts)
def test_what_is_kept_is_the_newest(history, kept):
    sent = long_results(as_sent(history))
    edit = {"type": CLEAR, "trigger": {"type": "tool_uses", "value": 0}, "keep": keep(kept)}
    body = {"model": CHAT_MODEL, "messages": sent, "context_management": {"edits": [edit]}}
    found = context.see(body).body["messages"]
    old = {b["tool_use_id"]: b for m in sent for b in messages.blocks(m) if "tool_use_id" in b}
    new = {b["tool_use_id"]: b for m in found for b in messages.blocks(m) if "tool_use_id" in b}
    calls = [b["id"] for m in sent for b in messages.blocks(m) if b["type"] == "tool_use"]
    answered = [call for call in calls if call in old]
    cleared = [call for call in answered if old[call] != new[call]]
    assert list(old) == list(new)
    assert not set(cleared) & set(answered[len(answered) - kept :] if kept else [])
    stay = set(answered[: max(0, len(answered) - kept)]) - set(cleared)
    place = tokenizer.count_text(clearing.PLACEHOLDER)
    frame = tokenizer.count_blocks([{"type": "tool_result"}])
    assert all(tokenizer.count_blocks([old[c]]) - frame <= place for c in stay)


def test_clearing_is_linear():
    """Four times the steps must not take sixteen times as long."""
    import time

    def seconds(steps):
        edit = clear(clear_at_least={"type": "input_tokens", "value": 500})
        body = {"model": CHAT_MODEL, "messages": run(steps, result="word " * 100)}
        body["context_management"] = {"edits": [edit]}
        context.see(body)  # the tokenizer learns the pieces
        start = time.perf_counter()
        context.see(body)
        return time.perf_counter() - start

    assert seconds(2_000) < 10 * seconds(500) + 0.05
