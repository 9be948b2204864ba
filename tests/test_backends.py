"""connect(): the backend that was asked for, one printed line, no key spent or shown by accident."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import anthropic
import pydantic
import pytest

from helpers import connect
from helpers.backends import (
    BackendError,
    BudgetReached,
    backend_of,
    connect_async,
    expect_in_practice,
    failing,
)
from helpers.cost import Meter
from helpers.models import AGENT_MODEL, CHAT_MODEL, MODELS
from tests.standin import StandIn

KEY = "sk-ant-" + "x" * 20
HELLO = [{"role": "user", "content": "My name is Ines."}]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("COURSE_BACKEND", "COURSE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def send(client, messages=HELLO, model=CHAT_MODEL, max_tokens=50, **more):
    return client.messages.create(model=model, max_tokens=max_tokens, messages=messages, **more)


def test_practice_is_the_default(capsys):
    client = connect()
    assert type(client) is anthropic.Anthropic
    assert backend_of(client) == "practice"
    assert capsys.readouterr().out == "practice model · no key, no network, no cost\n"
    assert "Ines" in send(client).content[0].text


def test_a_key_in_the_environment_is_seen_not_used(monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    client = connect()
    out = capsys.readouterr().out
    assert out.count("\n") == 1 and "ANTHROPIC_API_KEY is set and stays unused" in out
    assert KEY not in out and client.api_key != KEY
    assert send(client).role == "assistant"


def test_the_argument_wins_over_the_variable(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_BACKEND", "claude")
    assert backend_of(connect("practice")) == "practice"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gpt", "there is no backend 'gpt': use 'practice', 'claude', 'endpoint', 'local'"),
        ("claude", "set ANTHROPIC_API_KEY"),
        ("endpoint", "set ANTHROPIC_BASE_URL"),
    ],
)
def test_what_cannot_be_used_says_so_in_a_sentence(name, says):
    with pytest.raises(BackendError, match=says) as caught:
        connect(name)
    assert "\n" not in str(caught.value)


def test_the_variable_chooses(monkeypatch):
    monkeypatch.setenv("COURSE_BACKEND", "nonsense")
    with pytest.raises(BackendError, match="nonsense"):
        connect()


def test_claude_goes_to_claude_and_says_its_limit(monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")  # is not for this backend
    client = connect("claude", max_dollars=2.5)
    out = capsys.readouterr().out
    assert backend_of(client) == "claude"
    assert "stops before $2.50" in out and KEY not in out


# --- the spending limit: a real client against a server of ours that stands in for the service ----


@pytest.fixture
def billed(monkeypatch):
    """A "claude" client whose address is a stand-in on this machine."""
    with StandIn(plain=True) as server:
        monkeypatch.setattr("helpers.backends.CLAUDE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

        def make(max_dollars, meter=None):
            return connect("claude", max_dollars=max_dollars, meter=meter), server

        yield make


def test_a_call_that_could_pass_the_limit_is_not_sent(billed):
    client, server = billed(0.0001)
    with pytest.raises(BudgetReached, match=r"the limit is \$0\.00"):
        send(client, model=AGENT_MODEL, max_tokens=1000)
    assert server.requests == 0


def test_what_was_spent_counts(billed):
    meter = Meter()
    client, server = billed(0.01, meter)
    with pytest.raises(BudgetReached, match="spent"):
        for _ in range(1000):
            send(client, model=AGENT_MODEL, max_tokens=500)
    assert 1 < server.requests < 1000
    assert 0 < meter.dollars <= 0.01
    assert len(meter.calls) == server.requests


def test_counting_is_free(billed):
    client, server = billed(0.0)
    assert client.messages.count_tokens(model=CHAT_MODEL, messages=HELLO).input_tokens > 0
    assert server.requests == 1


# --- endpoint -------------------------------------------------------------------------------------


def test_an_endpoint_is_asked(monkeypatch, capsys):
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        client = connect("endpoint")
        reply = send(client)
        assert backend_of(client) == "endpoint"
        assert server.keys == {"local"}  # a key for Claude is not sent to another server
    assert reply.content[0].type == "thinking"
    assert KEY not in capsys.readouterr().out


def test_an_endpoint_s_own_key_and_model(monkeypatch):
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "for-this-server")
        monkeypatch.setenv("COURSE_MODEL", AGENT_MODEL)
        assert send(connect("endpoint")).model == AGENT_MODEL
        assert server.keys == {"for-this-server"}


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1:9", "nothing answers at 127.0.0.1:9"),
        ("127.0.0.1:8080", "it should look like"),
        ("http://127.0.0.1:notaport", "it should look like"),
        ("ftp://127.0.0.1", "it should look like"),
        ("http://", "it should look like"),
    ],
)
def test_a_dead_or_wrong_address(monkeypatch, url, says):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    with pytest.raises(BackendError, match=says) as caught:
        connect("endpoint")
    assert "\n" not in str(caught.value) and caught.value.__suppress_context__


# --- what lessons use -----------------------------------------------------------------------------


def test_a_practice_figure_is_asserted_on_practice_only(monkeypatch, capsys):
    practice = connect()
    expect_in_practice(practice, "tokens", 12, 12)
    with pytest.raises(AssertionError, match="tokens: 12, expected 13"):
        expect_in_practice(practice, "tokens", 12, 13)
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        other = connect("endpoint")
    capsys.readouterr()
    expect_in_practice(other, "tokens", 12, 13)
    assert capsys.readouterr().out == "tokens: 12 here; 13 on the practice model\n"


@pytest.mark.parametrize("times", [0, 1, 3])
def test_failing_fails_as_often_as_asked(times):
    client = connect()
    unlucky = failing(client, status=529, times=times)
    for _ in range(times):
        with pytest.raises(anthropic.OverloadedError):
            send(unlucky)
    assert send(unlucky).role == "assistant"
    assert send(client).role == "assistant"


def test_failing_works_on_any_backend_and_sends_nothing(monkeypatch):
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        unlucky = failing(connect("endpoint"), status=429)
        with pytest.raises(anthropic.RateLimitError):
            send(unlucky)
        assert server.requests == 0
        assert send(unlucky).role == "assistant"


def test_failing_does_not_touch_counting():
    unlucky = failing(connect())
    assert unlucky.messages.count_tokens(model=CHAT_MODEL, messages=HELLO).input_tokens > 0


def test_failing_refuses_a_status_that_is_none():
    with pytest.raises(ValueError, match="200"):
        failing(connect(), status=200)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_of_the_table_answers(model):
    assert send(connect(), model=model).model == model


# --- what an attacker tried -----------------------------------------------------------------------


def test_threads_cannot_pass_the_limit_together(billed):
    client, server = billed(0.05)

    def one(_):
        try:
            send(client, model=AGENT_MODEL, max_tokens=2000)  # at most 2 cents each
        except BudgetReached:
            return "refused"

    with ThreadPoolExecutor(10) as pool:
        outcomes = list(pool.map(one, range(40)))
    assert "refused" in outcomes  # together they could have cost 80 cents
    assert 0 < server.dollars <= 0.05


def test_a_stream_that_is_not_read_to_its_end_counts_in_full(billed):
    client, server = billed(0.05)
    with pytest.raises(BudgetReached):
        for _ in range(10):
            send(client, model=AGENT_MODEL, max_tokens=2000, stream=True).close()
    assert server.requests == 2


def test_a_reply_that_cannot_be_parsed_is_paid_for(billed):
    class Fact(pydantic.BaseModel):
        text: str

    meter = Meter()
    client, server = billed(0.05, meter)
    with pytest.raises(pydantic.ValidationError):
        failing(client, "fenced").messages.parse(
            model=CHAT_MODEL, max_tokens=99, messages=HELLO, output_format=Fact
        )
    assert len(meter.calls) == server.requests == 1
    assert meter.dollars > 0


@pytest.mark.parametrize("limit", [float("nan"), float("inf"), -1, "1", None, True])
def test_a_limit_that_is_none(monkeypatch, limit):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with pytest.raises(ValueError, match="max_dollars"):
        connect("claude", max_dollars=limit)


def test_what_has_no_price_is_not_sent(billed):
    client, server = billed(1.0)
    with pytest.raises(BackendError, match="batches is not sent"):
        client.messages.batches.create(requests=[])
    assert server.requests == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ANTHROPIC_AUTH_TOKEN", "sk-ant-oat01-xyz"),
        ("ANTHROPIC_API_KEY", " sk-ant-xyz"),
        ("ANTHROPIC_API_KEY", "'sk-ant-xyz'"),
        ("ANTHROPIC_API_KEY", "SK-ANT-XYZ"),
        ("ANTHROPIC_AUTH_TOKEN", "  "),
    ],
)
def test_no_form_of_a_claude_key_goes_to_an_endpoint(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"x-api-key: {KEY}")
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        send(connect("endpoint"))
        assert server.keys == {"local"}
        assert KEY not in str(server.headers)
    assert os.environ["ANTHROPIC_CUSTOM_HEADERS"]  # left as it was


def test_custom_headers_do_not_disturb_the_practice_model(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "anthropic-beta: mine\nauthorization: none")
    assert send(connect()).role == "assistant"


@pytest.mark.parametrize(
    "url", ["user:hunter2@127.0.0.1:1", "ftp://user:hunter2@h", "http://[::1", "http://.:1"]
)
def test_an_odd_address_is_one_sentence_without_a_password(monkeypatch, url):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    with pytest.raises(BackendError) as caught:
        connect("endpoint")
    assert "hunter2" not in str(caught.value) and "\n" not in str(caught.value)


def test_the_meter_sees_the_model_that_was_asked(monkeypatch):
    meter = Meter()
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("COURSE_MODEL", AGENT_MODEL)
        send(connect("endpoint", meter=meter))
    assert meter.calls[0].model == meter.calls[0].request["model"] == AGENT_MODEL


def test_an_endpoint_streams(monkeypatch):
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        with connect("endpoint").messages.stream(
            model=CHAT_MODEL, max_tokens=50, messages=HELLO
        ) as stream:
            assert "Ines" in stream.get_final_text()


def test_failing_an_async_client():
    unlucky = failing(connect_async())
    with pytest.raises(anthropic.OverloadedError):
        asyncio.run(unlucky.messages.create(model=CHAT_MODEL, max_tokens=9, messages=HELLO))


@pytest.mark.parametrize("times", [-1, 1.5, "1"])
def test_failing_an_odd_number_of_times(times):
    with pytest.raises(ValueError, match="times"):
        failing(connect(), times=times)


@pytest.mark.parametrize("name", [["practice"], 3, " practice "])
def test_a_backend_that_is_no_name(name):
    with pytest.raises(BackendError):
        connect(name)
