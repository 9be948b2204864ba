"""The tool runner and the memory tool over the practice API, through the real client."""

import asyncio
import json

import anthropic
import httpx2
import pytest
from anthropic import beta_async_tool, beta_tool
from anthropic.tools import BetaLocalFilesystemMemoryTool

from helpers.messages import validate_request
from helpers.models import CHAT_MODEL
from helpers.practice.context import memory_tool
from helpers.practice.request import Reply, Request, say
from tests.strict import make_client

MEMORY = {"type": "memory_20250818", "name": "memory"}
ASK = [{"role": "user", "content": "What is the weather in Turin?"}]


@beta_tool
def get_weather(city: str) -> str:
    """The weather in one city.

    Args:
        city: The city's name.
    """
    return f"{city}: 7 degrees"


@beta_async_tool
async def get_weather_later(city: str) -> str:
    """The weather in one city.

    Args:
        city: The city's name.
    """
    return f"{city}: 7 degrees"


# --- threads --------------------------------------------------------------------------------------


@pytest.mark.parametrize("thread", [{"type": "create"}, {"type": "continue"}, "x", 1])
def test_a_thread_is_unsupported_and_says_so(thread):
    with pytest.raises(anthropic.BadRequestError) as caught:
        make_client().beta.messages.create(
            model=CHAT_MODEL,
            max_tokens=99,
            messages=ASK,
            betas=["message-threads-2026-08-12"],
            extra_body={"thread": thread},
        )
    assert type(caught.value).__name__ == "ThreadUnsupportedRequestError"
    assert caught.value.error_code == "thread_unsupported_request"
    assert caught.value.body["error"]["details"] == {
        "error_code": "thread_unsupported_request",
        "unsupported": ["thread"],
    }


def test_an_error_without_a_code_has_no_details():
    with pytest.raises(anthropic.BadRequestError) as caught:
        make_client().messages.create(model=CHAT_MODEL, max_tokens=99, messages=[])
    assert caught.value.error_code is None and "details" not in caught.value.body["error"]


OPTIONS = {"model": CHAT_MODEL, "max_tokens": 500, "messages": ASK}


@pytest.mark.parametrize("more", [{}, {"thread": False}, {"max_iterations": 5}])
def test_the_tool_runner_falls_back_to_the_whole_history(more):
    runner = make_client().beta.messages.tool_runner(tools=[get_weather], **OPTIONS, **more)
    final = runner.until_done()
    assert final.stop_reason == "end_turn"
    assert "7 degrees" in final.content[0].text


@pytest.mark.parametrize("more", [{}, {"thread": False}])
def test_the_tool_runner_step_by_step(more):
    runner = make_client().beta.messages.tool_runner(tools=[get_weather], **OPTIONS, **more)
    assert [message.stop_reason for message in runner] == ["tool_use", "end_turn"]


@pytest.mark.parametrize("more", [{}, {"thread": False}])
def test_the_tool_runner_streams(more):
    runner = make_client().beta.messages.tool_runner(
        tools=[get_weather], stream=True, **OPTIONS, **more
    )
    replies = [stream.get_final_message() for stream in runner]
    assert "7 degrees" in replies[-1].content[0].text


@pytest.mark.parametrize("more", [{}, {"thread": False}])
def test_the_async_tool_runner(more):
    async def run():
        client = make_client(anthropic.AsyncAnthropic, httpx2.AsyncClient)
        runner = client.beta.messages.tool_runner(tools=[get_weather_later], **OPTIONS, **more)
        return await runner.until_done()

    assert "7 degrees" in asyncio.run(run()).content[0].text


# --- the memory tool ------------------------------------------------------------------------------


@pytest.fixture
def seen(monkeypatch):
    """The bodies that reach the reply half."""
    bodies = []
    monkeypatch.setattr(
        "helpers.practice.api.reply", lambda body: bodies.append(body) or say("So.")
    )
    return bodies


def test_the_memory_tool_needs_no_beta_and_reaches_the_model_with_its_schema(seen):
    client = make_client()
    for part in (client, client.beta):
        part.messages.create(model=CHAT_MODEL, max_tokens=9, messages=ASK, tools=[MEMORY])
    for body in seen:
        (tool,) = Request(body).tools
        assert (tool["name"], tool["type"]) == ("memory", memory_tool.TYPE)
        properties = tool["input_schema"]["properties"]
        assert properties["command"]["enum"] == [
            "view", "create", "str_replace", "insert", "delete", "rename"
        ]  # fmt: skip
        assert {"path", "view_range", "file_text", "old_str", "insert_line", "old_path"} < set(
            properties
        )
        assert tool["description"]


def test_its_instructions_are_counted():
    client = make_client()

    def tokens(**more):
        return client.messages.count_tokens(model=CHAT_MODEL, messages=ASK, **more).input_tokens

    named = {"name": "memory", "type": "custom", "input_schema": {"type": "object"}}
    assert tokens(tools=[MEMORY]) > tokens(tools=[named]) + 300
    reply = client.messages.create(
        model=CHAT_MODEL, max_tokens=9, messages=ASK, tools=[MEMORY], tool_choice={"type": "none"}
    )
    assert reply.usage.input_tokens == tokens(tools=[MEMORY])


def test_its_breakpoint_is_a_breakpoint():
    client = make_client()
    marked = {**MEMORY, "cache_control": {"type": "ephemeral"}}
    long = {**MEMORY, "input_examples": [{"command": "view", "path": "/memories/" + "x " * 1500}]}
    assert client.messages.create(
        model=CHAT_MODEL, max_tokens=9, messages=ASK, tools=[marked]
    ).usage.input_tokens
    written = client.messages.create(
        model=CHAT_MODEL, max_tokens=9, messages=ASK, tools=[{**long, **marked}]
    )
    assert written.usage.cache_creation_input_tokens > 1_024


WRONG = {
    "another name": {**MEMORY, "name": "notes"},
    "no name": {"type": "memory_20250818"},
    "a schema of one's own": {**MEMORY, "input_schema": {"type": "object"}},
    "a description": {**MEMORY, "description": "Notes."},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_memory_tool_of_the_wrong_shape(name):
    problems = validate_request(ASK, tools=[WRONG[name]])
    assert problems and problems[0].message.startswith("tools.0.memory_20250818.")
    with pytest.raises(anthropic.BadRequestError) as caught:
        make_client().messages.create(
            model=CHAT_MODEL, max_tokens=9, messages=ASK, tools=[WRONG[name]]
        )
    assert caught.value.api_message == problems[0].message


def test_two_tools_named_memory():
    own = {"name": "memory", "input_schema": {"type": "object"}}
    assert "unique" in validate_request(ASK, tools=[MEMORY, own])[0].message


def test_a_run_with_the_sdk_s_own_memory_tool(tmp_path, monkeypatch):
    """Whoever calls the tool: a call of the model goes to the files and its result comes back."""
    calls = [
        {"command": "create", "path": "/memories/a.md", "file_text": "likes tea"},
        {"command": "view", "path": "/memories/a.md"},
        {"command": "view", "path": "/memories/../../secret"},
    ]

    def model(body):
        results = [b for turn in Request(body).turns for b in turn.of_type("tool_result")]
        if len(results) == len(calls):
            told = [{"text": json.dumps(r["content"]), "error": r.get("is_error")} for r in results]
            return say(json.dumps(told))
        n = len(results)
        call = {"type": "tool_use", "id": f"toolu_{n}", "name": "memory", "input": calls[n]}
        return Reply([call], "tool_use")

    monkeypatch.setattr("helpers.practice.api.reply", model)
    memory = BetaLocalFilesystemMemoryTool(base_path=str(tmp_path))
    runner = make_client().beta.messages.tool_runner(tools=[memory], **OPTIONS)
    created, viewed, escaped = json.loads(runner.until_done().content[0].text)
    assert "created" in created["text"] and "likes tea" in viewed["text"]
    assert escaped["error"] is True
