"""Tokens to money: the table's prices, and a meter that misses nothing."""

import asyncio
import json

import anthropic
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import connect, models
from helpers.backends import connect_async, failing
from helpers.cost import Meter, dollars
from helpers.models import AGENT_MODEL, CHAT_MODEL, MODELS

HELLO = [{"role": "user", "content": "My name is Ines."}]
TOKENS = st.integers(0, 2_000_000)


# facts.md section 3, in the order of the table: input, 5-minute write, 1-hour write, read, output
LIST_PRICES = [
    (10, 12.50, 20, 0.25, 50),
    (4, 5, 8, 0.20, 20),
    (2, 2.50, 4, 0.10, 10),
    (0.50, 0.625, 1.00, 0.05, 2.50),  # a million tokens are above the tier of 100k
    (1, 1.25, 2, 0.10, 5),
]


@pytest.mark.parametrize(("model_id", "figures"), list(zip(MODELS, LIST_PRICES, strict=True)))
def test_a_million_tokens_cost_what_the_list_says(model_id, figures):
    million = 1_000_000
    paid = (
        dollars(model_id, million),
        dollars(model_id, 0, cache_write_5m=million),
        dollars(model_id, 0, cache_write_1h=million),
        dollars(model_id, 0, cache_read=million),
        dollars(model_id, million, million) - dollars(model_id, million),
    )
    assert paid == pytest.approx(figures)


@pytest.mark.parametrize(
    ("prompt", "per_million"), [(1, 0.10), (100_000, 0.10), (100_001, 0.50), (999_999, 0.50)]
)
def test_haiku_is_tiered_by_the_whole_prompt(prompt, per_million):
    assert dollars(CHAT_MODEL, prompt) == pytest.approx(prompt * per_million / 1e6)
    read = prompt - 1  # cached tokens count towards the tier
    expected = (per_million + read * per_million / 10) / 1e6
    assert dollars(CHAT_MODEL, 1, cache_read=read) == pytest.approx(expected)


@given(TOKENS, TOKENS, TOKENS, TOKENS)
def test_more_never_costs_less(fresh, out, read, written):
    cost = dollars(AGENT_MODEL, fresh, out, cache_read=read, cache_write_5m=written)
    assert cost >= 0
    assert dollars(AGENT_MODEL, fresh + 1, out, cache_read=read, cache_write_5m=written) > cost


def test_a_model_without_a_price():
    with pytest.raises(models.UnknownModel, match="'gpt'.*knows " + CHAT_MODEL[:6]):
        dollars("gpt", 1)


@pytest.mark.parametrize("odd", [None, 7, [], {}])
def test_an_id_that_is_no_text(odd):
    with pytest.raises(models.UnknownModel):
        models.model(odd)


def test_every_model_has_a_price_for_every_prompt():
    for model in MODELS.values():
        for tokens in (0, 1, 100_000, 100_001, model.window):
            assert model.price(tokens).input > 0


# --- the meter ------------------------------------------------------------------------------------


@pytest.fixture
def metered():
    meter = Meter()
    return connect(meter=meter), meter


def send(client, messages=HELLO, **more):
    return client.messages.create(
        **{"model": CHAT_MODEL, "max_tokens": 50, "messages": messages, **more}
    )


def test_every_call_is_written_down(metered):
    client, meter = metered
    replies = [send(client), send(client, max_tokens=2), send(client, system="Be kind.")]
    assert [c.prompt_tokens for c in meter.calls] == [r.usage.input_tokens for r in replies]
    assert [c.output_tokens for c in meter.calls] == [r.usage.output_tokens for r in replies]
    assert [c.stop_reason for c in meter.calls] == ["end_turn", "max_tokens", "end_turn"]
    assert meter.calls[2].request["system"] == "Be kind."
    assert meter.prompt_tokens == sum(r.usage.input_tokens for r in replies)
    assert meter.dollars == pytest.approx(
        sum(dollars(CHAT_MODEL, r.usage.input_tokens, r.usage.output_tokens) for r in replies)
    )


def test_the_request_is_kept_as_it_went_out(metered):
    client, meter = metered
    history = [dict(HELLO[0])]
    reply = send(client, history)
    history.append({"role": "assistant", "content": reply.content})
    history.append({"role": "user", "content": "And?"})
    assert meter.calls[0].request["messages"] == HELLO
    send(client, history)
    assert meter.calls[1].request["messages"][1]["content"][0]["text"] == reply.content[0].text


def test_failures_and_counts_are_not_billed(metered):
    client, meter = metered
    unlucky = failing(client)
    with pytest.raises(anthropic.OverloadedError):
        send(unlucky)
    with pytest.raises(anthropic.BadRequestError):
        send(client, [])
    client.messages.count_tokens(model=CHAT_MODEL, messages=HELLO)
    client.models.list()
    assert meter.calls == []
    send(unlucky)
    assert len(meter.calls) == 1


def test_a_raw_response_is_recorded_too(metered):
    client, meter = metered
    raw = client.messages.with_raw_response.create(model=CHAT_MODEL, max_tokens=50, messages=HELLO)
    assert meter.calls[0].output_tokens == raw.parse().usage.output_tokens


def test_the_table(metered, capsys):
    client, meter = metered
    capsys.readouterr()
    meter.table()
    assert capsys.readouterr().out == "no calls yet\n"
    for _ in range(3):
        send(client)
    meter.table(only=[1, 3])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"at list price, had this been {CHAT_MODEL}"
    assert [line.split()[0] for line in lines[1:]] == ["call", "1", "3"]
    tokens = meter.calls[0].prompt_tokens
    assert lines[3].split()[1:4] == [
        str(tokens),
        str(meter.calls[2].output_tokens),
        str(3 * tokens),
    ]


def test_the_table_of_real_calls_says_when_the_prices_are_from(capsys):
    meter = Meter()
    client = connect(meter=meter)
    send(client)
    meter.practice = False
    capsys.readouterr()
    meter.table()
    assert models.PRICES_DATED in capsys.readouterr().out


def test_a_model_without_a_price_is_counted_and_said(metered, capsys):
    import dataclasses

    client, meter = metered
    send(client)
    meter.calls.append(dataclasses.replace(meter.calls[0], model="llama", dollars=None))
    before = meter.calls[0].dollars
    assert meter.dollars == before
    meter.table()
    assert "no list price known for llama" in capsys.readouterr().out


# --- streams and the async client -----------------------------------------------------------------


def as_recorded(call):
    return call.model, call.prompt_tokens, call.output_tokens, call.stop_reason, call.dollars


def test_a_streamed_call_is_recorded_like_a_whole_one(metered):
    client, meter = metered
    send(client)
    with client.messages.stream(model=CHAT_MODEL, max_tokens=50, messages=HELLO) as stream:
        text = "".join(stream.text_stream)
    for _ in send(client, stream=True):
        pass
    whole, *streamed = map(as_recorded, meter.calls)
    assert streamed == [whole, whole]
    assert "Ines" in text
    assert meter.calls[1].request["stream"] is True


def test_a_stream_that_is_left_is_recorded_with_what_it_had_reported(metered):
    client, meter = metered
    with client.messages.stream(model=CHAT_MODEL, max_tokens=50, messages=HELLO) as stream:
        next(iter(stream.text_stream))
    assert len(meter.calls) == 1
    assert meter.calls[0].prompt_tokens > 0


def test_the_async_client_is_metered_too():
    async def ask(meter):
        client = connect_async(meter=meter)
        await client.messages.create(model=CHAT_MODEL, max_tokens=50, messages=HELLO)
        async with client.messages.stream(
            model=CHAT_MODEL, max_tokens=50, messages=HELLO
        ) as stream:
            return [piece async for piece in stream.text_stream]

    meter, plain = Meter(), Meter()
    send(connect(meter=plain))
    pieces = asyncio.run(ask(meter))
    assert len(pieces) > 2
    assert [as_recorded(c) for c in meter.calls] == [as_recorded(plain.calls[0])] * 2


def test_a_bug_surfaces_as_itself_in_the_async_client(monkeypatch):
    monkeypatch.setattr("helpers.practice.api.reply", lambda body: body["no such field"])
    with pytest.raises(KeyError, match="no such field"):
        asyncio.run(
            connect_async().messages.create(model=CHAT_MODEL, max_tokens=50, messages=HELLO)
        )


def test_cached_tokens_are_priced_by_their_lifetime(metered):
    client, meter = metered
    system = [
        {
            "type": "text",
            "text": "Be kind. " * 2000,
            "cache_control": {"type": "ephemeral", "ttl": "1h"},
        }
    ]
    for _ in range(2):
        send(client, system=system)
    first, second = meter.calls
    assert first.prompt_tokens == second.prompt_tokens
    question = client.messages.count_tokens(model=CHAT_MODEL, messages=HELLO).input_tokens
    cached = first.prompt_tokens - question
    price = models.model(CHAT_MODEL).price(first.prompt_tokens)
    reply = first.output_tokens * price.output
    assert first.dollars == pytest.approx(
        (question * price.input + cached * price.cache_write_1h + reply) / 1e6
    )
    assert second.dollars == pytest.approx(
        (question * price.input + cached * price.cache_read + reply) / 1e6
    )


def served(content: bytes, kind: str = "application/json"):
    """A metered client of a server that always answers this."""
    meter = Meter()
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(200, content=content, headers={"content-type": kind})
    )
    client = connect(meter=meter).with_options(http_client=httpx2.Client(transport=transport))
    return client, meter


MESSAGE = {
    "id": "m", "type": "message", "role": "assistant", "model": "-", "content": [],
    "stop_reason": "end_turn", "stop_sequence": None,
}  # fmt: skip


@pytest.mark.parametrize(
    "usage", [None, {}, {"input_tokens": 3, "output_tokens": None}, {"input_tokens": "3"}]
)
def test_odd_usage_disturbs_nobody(usage):
    client, meter = served(json.dumps({**MESSAGE, "usage": usage}).encode())
    assert send(client).stop_reason == "end_turn"
    assert meter.calls[0].output_tokens == 0


@pytest.mark.parametrize("body", [b"hello", b"[1]", b"", b"null"])
def test_a_body_that_is_no_message_is_not_recorded(body):
    client, meter = served(body, "text/plain")
    try:
        send(client)
    except Exception as error:  # whatever the SDK makes of it, it is not the meter's
        assert "helpers" not in str(error)
    assert meter.calls == []


def test_odd_events_of_a_stream():
    start = {
        "type": "message_start",
        "message": {**MESSAGE, "usage": {"input_tokens": 3, "output_tokens": 1}},
    }
    delta = {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 5, "input_tokens": None},
    }
    text = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "a\u2028data: 5"},
    }
    block = {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "text", "text": ""},
    }
    events = [start, block, text, delta, {"type": "message_stop"}]
    body = "".join(
        f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n" for e in events
    )
    client, meter = served(
        body.replace(
            "event: content_block_start", "data: null\n\nevent: content_block_start"
        ).encode(),
        "text/event-stream",
    )
    for _ in send(client, stream=True):
        pass
    assert (meter.calls[0].prompt_tokens, meter.calls[0].output_tokens) == (3, 5)
