"""Thinking blocks through the real client: when they come, what they cost, and when they are refused."""

import asyncio
import copy

import anthropic
import httpx2
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from helpers import messages
from helpers.models import AGENT_MODEL, CHAT_MODEL, MODELS
from tests.strategies import histories
from tests.strict import make_client
from tests.test_practice_context import as_sent

BINDERS = [m.id for m in MODELS.values() if m.binds_thinking]
BINDER, OTHER_BINDER = BINDERS
OLDER = next(m.id for m in MODELS.values() if m.budgeted_thinking)
CONTROLS = "thinking-binding-controls-2026-08-01"
CLEARING = "context-management-2025-06-27"
ON = {"type": "adaptive"}
DROP = {**ON, "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
TOOL = {
    "name": "get_weather",
    "description": "The weather in one city.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}
ASK = {"role": "user", "content": "My name is Ines."}


@pytest.fixture
def client():
    return make_client()


def send(client, history=(ASK,), model=BINDER, max_tokens=2000, **more):
    return client.beta.messages.create(
        model=model, max_tokens=max_tokens, messages=list(history), **more
    )


def user(text):
    return {"role": "user", "content": text}


def talk(client, *texts, model=BINDER, **more):
    """A conversation of these user messages with its replies, and one more message at its end."""
    history = []
    for text in texts:
        history.append(user(text))
        history.append(send(client, history, model, **more).to_param())
    return [*history, user("What is my name?")]


def kinds(reply):
    return [block.type for block in reply.content]


# --- when they come -------------------------------------------------------------------------------

ALWAYS = [m.id for m in MODELS.values() if m.always_thinks]
SOMETIMES = [m.id for m in MODELS.values() if not m.always_thinks]


@pytest.mark.parametrize("model", ALWAYS)
def test_some_models_always_think(client, model):
    assert kinds(send(client, model=model)) == ["thinking", "text"]
    assert (
        kinds(client.messages.create(model=model, max_tokens=999, messages=[ASK]))[0] == "thinking"
    )


@pytest.mark.parametrize("model", SOMETIMES)
def test_the_others_think_when_asked(client, model):
    assert kinds(send(client, model=model)) == ["text"]
    assert kinds(send(client, model=model, thinking=ON)) == ["thinking", "text"]
    assert kinds(send(client, model=model, thinking={"type": "disabled"})) == ["text"]


def test_a_budget_of_thought(client):
    budget = {"type": "enabled", "budget_tokens": 1024}
    assert kinds(send(client, model=OLDER, thinking=budget)) == ["thinking", "text"]


def weather(model=AGENT_MODEL, **more):
    """A request that ends at a tool's result, and the reply that called the tool."""
    client, ask = make_client(), [user("What is the weather in Turin?")]
    called = send(client, ask, model, tools=[TOOL], **more)
    call = called.content[-1]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "Turin: 7 degrees"}
    return client, [*ask, called.to_param(), {"role": "user", "content": [result]}], called


def test_thinking_between_tools_only():
    between = {"type": "between_tools"}
    client, history, called = weather(thinking=between)
    assert kinds(called) == ["tool_use"]
    answered = send(client, history, AGENT_MODEL, tools=[TOOL], thinking=between)
    assert kinds(answered) == ["thinking", "text"]


def test_a_thought_follows_from_the_request(client):
    first, second = send(client), send(client, [user("My friend is called Bo.")])
    assert "My name is Ines." in first.content[0].thinking
    assert "Bo" in second.content[0].thinking and "Ines" not in second.content[0].thinking
    assert send(client).content == first.content
    _, history, called = weather(BINDER)
    assert "get_weather" in called.content[0].thinking
    answered = send(client, history, tools=[TOOL])
    assert answered.content[0].thinking.startswith("get_weather answered.")


def test_the_reply_itself_is_the_same(client):
    thinking = send(client, model=CHAT_MODEL, thinking=ON)
    assert thinking.content[1:] == send(client, model=CHAT_MODEL).content


def test_thinking_is_counted(client):
    plain, reply = send(client, model=CHAT_MODEL), send(client, model=CHAT_MODEL, thinking=ON)
    thought = reply.usage.output_tokens_details.thinking_tokens
    assert 0 < thought == reply.usage.output_tokens - plain.usage.output_tokens
    assert plain.usage.output_tokens_details is None
    with_it = client.messages.count_tokens(model=CHAT_MODEL, messages=[ASK, reply.to_param(), ASK])
    without = client.messages.count_tokens(model=CHAT_MODEL, messages=[ASK, plain.to_param(), ASK])
    assert with_it.input_tokens - without.input_tokens == thought


def test_omitted_thinking_is_empty_and_paid_for(client):
    shown, omitted = (
        send(client, thinking={**ON, "display": display}) for display in ("summarized", "omitted")
    )
    assert (omitted.content[0].thinking, omitted.content[0].type) == ("", "thinking")
    assert omitted.usage == shown.usage
    history = [ASK, omitted.to_param(), user("What is my name?")]
    assert "Ines" in send(client, history).content[1].text


def test_thinking_counts_toward_max_tokens(client):
    cut = send(client, max_tokens=30)
    assert (kinds(cut), cut.stop_reason) == (["thinking"], "max_tokens")
    assert cut.usage.output_tokens <= 30
    assert send(client).content[0].thinking.startswith(cut.content[0].thinking)
    assert send(client, max_tokens=0).content == []


@pytest.mark.parametrize("part", ["stable", "beta"])
@pytest.mark.parametrize("thinking", [ON, {**ON, "display": "omitted"}])
def test_a_stream_says_the_same(client, part, thinking):
    whole = send(client, thinking=thinking)
    place = client.messages if part == "stable" else client.beta.messages
    with place.stream(model=BINDER, max_tokens=2000, messages=[ASK], thinking=thinking) as stream:
        events = list(stream)
        final = stream.get_final_message()
    assert [b.to_dict() for b in final.content] == [b.to_dict() for b in whole.content]
    assert final.usage.output_tokens == whole.usage.output_tokens
    assert final.usage.output_tokens_details == whole.usage.output_tokens_details or (
        part == "stable"
        and final.usage.output_tokens_details.thinking_tokens
        == whole.usage.output_tokens_details.thinking_tokens
    )
    assert ("thinking" in {e.type for e in events}) is ("display" not in thinking)
    history = [ASK, final.to_param(), user("What is my name?")]
    assert send(client, history).stop_reason == "end_turn"


def test_the_async_client_gets_the_same(client):
    async def ask():
        return await send(make_client(anthropic.AsyncAnthropic, httpx2.AsyncClient))

    assert asyncio.run(ask()).content == send(client).content


def test_a_parsed_reply_may_think_first(client, monkeypatch):
    import pydantic

    from helpers.practice.request import say

    class Name(pydantic.BaseModel):
        name: str

    monkeypatch.setattr("helpers.practice.api.reply", lambda body: say('{"name": "Ines"}'))
    reply = client.messages.parse(model=BINDER, max_tokens=999, messages=[ASK], output_format=Name)
    assert kinds(reply) == ["thinking", "text"] and reply.parsed_output == Name(name="Ines")


REFUSED = {
    "no type": ({}, "thinking: Input should have type"),
    "a type that is a list": ({"type": []}, "thinking: Input should have type"),
    "a field too many": ({**ON, "budget_tokens": 2000}, "thinking.adaptive.budget_tokens: Extra"),
    "a display of no kind": ({**ON, "display": "loud"}, "thinking.adaptive.display"),
    "binding without its beta": (DROP, "thinking.adaptive.block_binding: Extra inputs"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_thinking_field_that_is_refused(client, name):
    value, start = REFUSED[name]
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, thinking=value)
    assert caught.value.api_message.startswith(start)


def test_a_forced_tool_and_thinking(client):
    with pytest.raises(anthropic.BadRequestError, match="Thinking may not be enabled"):
        send(client, model=CHAT_MODEL, thinking=ON, tools=[TOOL], tool_choice={"type": "any"})


@pytest.mark.parametrize(
    ("budget", "start"),
    [
        (None, "thinking.enabled.budget_tokens: Input should be a valid integer"),
        (True, "thinking.enabled.budget_tokens: Input should be a valid integer"),
        (1023, "thinking.enabled.budget_tokens: Input should be greater"),
        (2000, "`max_tokens` must be greater than `thinking.budget_tokens`"),
    ],
)
def test_a_budget_that_is_refused(client, budget, start):
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, model=OLDER, thinking={"type": "enabled", "budget_tokens": budget})
    assert caught.value.api_message.startswith(start)


@pytest.mark.parametrize(
    "binding", [[], "x", {"behavior": "error"}, {"prefix_mismatch_behavior": "ignore"}]
)
def test_a_binding_that_is_refused(client, binding):
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, thinking={**ON, "block_binding": binding}, betas=[CONTROLS])
    assert caught.value.api_message.startswith("thinking.adaptive.block_binding")


# --- bound to what stands before ------------------------------------------------------------------

BOUND = "Invalid `signature` in `thinking` block. The block is bound to a different conversation"


def refused(client, history, at, **more):
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, history, **more)
    assert caught.value.api_message.startswith(f"{at}: {BOUND}")
    with pytest.raises(anthropic.BadRequestError):  # and counting refuses the same
        client.beta.messages.count_tokens(model=BINDER, messages=history, **more)


def run(client, steps=4, **more):
    """An agent's run on a binding model: what it sent, up to its newest result."""
    history = [user("What is the weather in Turin?")]
    for n in range(steps):
        reply = send(client, history, tools=[TOOL], tool_choice={"type": "auto"}, **more)
        thought = reply.to_param()["content"][0]
        call = {
            "type": "tool_use",
            "id": f"toolu_{n}",
            "name": "get_weather",
            "input": {"city": "Turin"},
        }
        result = {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": "7 degrees " * 200}
        history.append({"role": "assistant", "content": [thought, call]})
        history.append({"role": "user", "content": [result]})
    return history


@pytest.mark.parametrize("model", BINDERS)
def test_an_unchanged_history_is_valid(client, model):
    history = talk(client, "My name is Ines.", "I live in Lyon.", "I like tea.", model=model)
    assert "Ines" in send(client, history, model).content[1].text
    mixed = [*history[:2], *map(copy.deepcopy, history[2:])]
    assert send(client, mixed, model).role == "assistant"


def shortened(history):
    """The mistake of lesson 08: an old result is replaced on the client."""
    history = copy.deepcopy(history)
    history[2]["content"][0]["content"] = "[cleared]"
    return history


def test_a_shortened_result_invalidates_what_was_thought_after_it(client):
    history = run(client)
    assert send(client, history, tools=[TOOL]).role == "assistant"
    refused(client, shortened(history), "messages.3.content.0", tools=[TOOL])


def test_the_server_s_own_clearing_does_not(client):
    clear = {"type": "clear_tool_uses_20250919", "trigger": {"type": "tool_uses", "value": 1}}
    history = run(client)
    options = {"tools": [TOOL], "betas": [CLEARING], "context_management": {"edits": [clear]}}
    reply = send(client, history, **options)
    assert reply.context_management.applied_edits[0].cleared_tool_uses == 1
    more = [*history, reply.to_param(), user("Thank you.")]  # and what it thought then is valid too
    assert send(client, more, **options).role == "assistant"
    assert send(client, more, tools=[TOOL]).role == "assistant"


def test_without_any_thinking_blocks_the_same_change_is_accepted(client):
    history = shortened(run(client))
    for message in history:
        if message["role"] == "assistant":
            message["content"] = [b for b in message["content"] if messages.blocks({"content": [b]})[0]["type"] != "thinking"]  # fmt: skip
    assert send(client, history, tools=[TOOL]).role == "assistant"


CHANGES = {
    "another system prompt": (lambda h: h, {"system": "Be brief!"}, "messages.1.content.0"),
    "no system prompt": (lambda h: h, {"system": anthropic.omit}, "messages.1.content.0"),
    "another tool": (lambda h: h, {"tools": [TOOL, {**TOOL, "name": "x"}]}, "messages.1.content.0"),
    "another word": (lambda h: [user("My name is Bea."), *h[1:]], {}, "messages.1.content.0"),
    "the first exchange dropped": (lambda h: h[2:], {}, "messages.1.content.0"),
    "the second exchange dropped": (lambda h: [*h[:2], *h[4:]], {}, "messages.3.content.0"),
    "a message put in front": (lambda h: [user("Hello."), *h], {}, "messages.2.content.0"),
    "a message put between": (
        lambda h: [*h[:2], user("By the way."), *h[2:]],
        {},
        "messages.4.content.0",
    ),
    "an answer changed": (
        lambda h: [h[0], {**h[1], "content": [h[1]["content"][0], {"type": "text", "text": "So."}]}, *h[2:]],
        {},
        "messages.3.content.0",
    ),
    "a thought left out between others": (
        lambda h: [*h[:3], {**h[3], "content": h[3]["content"][1:]}, *h[4:]],
        {},
        "messages.5.content.0",
    ),
    "a thought moved": (
        lambda h: [*h[:3], {**h[3], "content": [h[1]["content"][0], *h[3]["content"][1:]]}, *h[4:]],
        {},
        "messages.3.content.0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_before_a_thought_is_refused(client, name):
    change, other, at = CHANGES[name]
    setting = {"system": "Be brief.", "tools": [TOOL]}
    history = talk(client, "My name is Ines.", "I live in Lyon.", "I like tea.", **setting)
    assert send(client, history, **setting).role == "assistant"
    refused(client, change(history), at, **{**setting, **other})


FREE = {
    "more messages": lambda h: [*h, {"role": "assistant", "content": "Ines."}, user("Thanks.")],
    "the first thought left out": lambda h: [h[0], {**h[1], "content": h[1]["content"][1:]}, *h[2:]],
    "all but the last thought left out": lambda h: [
        {**m, "content": m["content"][1:]} if m["role"] == "assistant" and n < 5 else m
        for n, m in enumerate(h)
    ],
    "text as a list of blocks": lambda h: [
        {**m, "content": messages.blocks(m)} if m["role"] == "user" else m for m in h
    ],
    "a breakpoint for the cache": lambda h: [
        {**h[0], "content": [{"type": "text", "text": h[0]["content"], "cache_control": {"type": "ephemeral"}}]},
        *h[1:],
    ],
    "a reply in two messages": lambda h: [
        h[0],
        *({"role": "assistant", "content": [block]} for block in h[1]["content"]),
        *h[2:],
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FREE)
def test_what_changes_nothing_before_a_thought_is_accepted(client, name):
    history = talk(client, "My name is Ines.", "I live in Lyon.", "I like tea.")
    assert send(client, FREE[name](history)).role == "assistant"


def test_other_settings_are_free(client):
    history = talk(client, "My name is Ines.", tools=[TOOL])
    for more in (
        {"max_tokens": 30},
        {"tool_choice": {"type": "none"}},
        {"output_config": {"effort": "low"}},
        {"thinking": {**ON, "display": "omitted"}},
        {"cache_control": {"type": "ephemeral"}},
    ):
        assert send(client, history, tools=[TOOL], **more).role == "assistant"


def test_another_process_can_check_a_signature(client):
    """The API keeps nothing: the signature is enough."""
    history = talk(client, "My name is Ines.", "I live in Lyon.")
    assert send(make_client(), history).role == "assistant"


@pytest.mark.parametrize("model", MODELS)
def test_a_changed_block_is_refused_on_any_model(client, model):
    history = talk(client, "My name is Ines.", model=model, thinking=ON)
    thought = history[1]["content"][0]
    other = {"type": "thinking", "thinking": "Bea.", "signature": thought.signature}
    for block in (other, {**other, "signature": thought.signature[:-1] + "!"}):
        changed = [history[0], {**history[1], "content": [block]}, *history[2:]]
        with pytest.raises(anthropic.BadRequestError) as caught:
            send(client, changed, model)
        assert caught.value.api_message == (
            "messages.1.content.0: Invalid `signature` in `thinking` block"
        )


@pytest.mark.parametrize("signature", ["", "s", "practice", "practice.", "practice.x.y", "é" * 9])
def test_a_made_up_signature_is_refused(client, signature):
    made_up = {"type": "thinking", "thinking": "Hm.", "signature": signature}
    history = [ASK, {"role": "assistant", "content": [made_up]}, ASK]
    with pytest.raises(anthropic.BadRequestError, match="Invalid `signature`"):
        send(client, history)


def test_a_redacted_thought_is_nobody_s(client):
    redacted = {"type": "redacted_thinking", "data": "x"}
    history = [
        ASK,
        {"role": "assistant", "content": [redacted, {"type": "text", "text": "So."}]},
        ASK,
    ]
    with pytest.raises(anthropic.BadRequestError, match="Invalid `data`"):
        send(client, history)


def test_a_model_that_binds_nothing_takes_a_changed_history(client):
    history = talk(client, "My name is Ines.", "I live in Lyon.", model=CHAT_MODEL, thinking=ON)
    changed = [user("My name is Bea."), *history[1:]]
    assert "Bea" in send(client, changed, CHAT_MODEL, thinking=ON).content[1].text


def test_the_thoughts_of_another_model_are_left_out(client):
    history = talk(client, "My name is Ines.", "I live in Lyon.", model=OTHER_BINDER)
    with_controls = send(client, history, BINDER, betas=[CONTROLS])
    assert [n.path for n in with_controls.input_transformations] == [
        "messages.1.content.0", "messages.3.content.0"
    ]  # fmt: skip
    assert {n.reason for n in with_controls.input_transformations} == {"model_binding_mismatch"}
    own = [{**m, "content": m["content"][1:]} if m["role"] == "assistant" else m for m in history]
    assert with_controls.usage.input_tokens == send(client, own).usage.input_tokens


# --- drop_block -----------------------------------------------------------------------------------


def test_drop_block_leaves_out_what_does_not_fit(client):
    history = run(client)
    reply = send(client, shortened(history), tools=[TOOL], thinking=DROP, betas=[CONTROLS])
    notes = reply.input_transformations
    assert [n.path for n in notes] == [f"messages.{n}.content.0" for n in (3, 5, 7)]
    assert {(n.type, n.reason) for n in notes} == {("thinking_dropped", "prefix_binding_mismatch")}
    more = [*shortened(history), reply.to_param(), user("Thank you.")]  # the new thought is valid
    again = send(client, more, tools=[TOOL], thinking=DROP, betas=[CONTROLS])
    assert again.input_transformations == notes
    refused(client, more, "messages.3.content.0", tools=[TOOL])


def test_nothing_is_reported_without_the_beta_or_without_a_drop(client):
    history = talk(client, "My name is Ines.")
    assert send(client, history).input_transformations is None
    assert send(client, history, betas=[CONTROLS]).input_transformations == []
    with client.beta.messages.stream(
        model=BINDER, max_tokens=99, messages=history, betas=[CONTROLS]
    ) as stream:
        assert stream.get_final_message().input_transformations == []


# --- properties -----------------------------------------------------------------------------------

quick = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def thought_through(client, history):
    """The history with the model's own thought in front of each of its turns."""
    sent = []
    for n, message in enumerate(history):
        if message["role"] == "assistant" and n and history[n - 1]["role"] != "assistant":
            thought = send(client, sent, tools=[], max_tokens=4000).to_param()["content"][0]
            message = {**message, "content": [thought, *messages.blocks(message)]}
        sent.append(message)
    return sent


@quick
@given(histories(thinking=False, sdk=False, max_exchanges=3), st.data())
def test_any_history_is_valid_as_it_was_and_in_no_other_way(history, data):
    client = make_client()
    history = as_sent(history)
    sent = thought_through(client, history)
    assert send(client, sent).role == "assistant"
    thoughts = [n for n, m in enumerate(sent) if isinstance(m["content"], list) and m != history[n]]
    if not thoughts:
        return
    changed = copy.deepcopy(history)
    n = data.draw(st.integers(0, thoughts[-1] - 1), label="message")
    changed[n]["content"] = [*messages.blocks(changed[n]), {"type": "text", "text": "changed"}]
    assume(not messages.validate_request(changed))  # results must come first
    changed = [
        {**m, "content": [sent[i]["content"][0], *messages.blocks(m)]} if i in thoughts else m
        for i, m in enumerate(changed)
    ]
    with pytest.raises(anthropic.BadRequestError, match="bound to a different conversation"):
        send(client, changed)
    dropped = send(client, changed, thinking=DROP, betas=[CONTROLS])
    assert len(dropped.input_transformations) == sum(i > n for i in thoughts)
