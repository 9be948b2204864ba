"""The rules of `helpers.messages`: each with the request that breaks it and one that does not."""

import copy
import json
import time

import anthropic
import httpx2
import pytest
from anthropic.types import TextBlock, ThinkingBlock, ToolUseBlock
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from helpers import messages as api
from helpers.messages import Problem, blocks, exchanges, merge_turns, text_of, validate_request
from helpers.models import AGENT_MODEL, CHAT_MODEL, MODELS
from tests.strategies import (
    PIXEL,
    Hostile,
    HostileDict,
    HostileList,
    LyingClass,
    garbage,
    histories,
    text_blocks,
    texts,
)

OLD = next(m.id for m in MODELS.values() if m.prefill)  # takes prefill
INLINE = next(m.id for m in MODELS.values() if m.system_messages)  # takes role "system"

quick = settings(deadline=None, max_examples=60)


def user(*parts):
    return {"role": "user", "content": parts[0] if isinstance(parts[0], str) else list(parts)}


def assistant(*parts):
    return {**user(*parts), "role": "assistant"}


def late(text):
    return {"role": "system", "content": text}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def call(id="toolu_1", **more):
    return {"type": "tool_use", "id": id, "name": "track", "input": {"parcel": 7}, **more}


def result(id="toolu_1", content="delivered", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def tool(name="track", **more):
    return {"name": name, "input_schema": {"type": "object", "properties": {}}, **more}


ASK = user("Where is parcel 7?")
CALL = assistant(text("Let me look."), call())
PAIR = [ASK, CALL, user(result())]
THOUGHT = {"type": "thinking", "thinking": "", "signature": "c2ln"}
NOTE = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "a note"},
}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
CITATION = {"type": "char_location", "cited_text": "a", "document_index": 0}
SEARCHED = [
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
]

EMPTY_TEXT = "messages: text content blocks must be non-empty"
BLANK_TEXT = "messages: text content blocks must contain non-whitespace text"
PREFILL = (
    "This model does not support assistant message prefill. "
    "The conversation must end with a user message."
)


def empty(i):
    return (
        f"messages.{i}: all messages must have non-empty content except for the optional final "
        "assistant message"
    )


def orphan(where, id="toolu_1"):
    return (
        f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. "
        "Each `tool_result` block must have a corresponding `tool_use` block in the previous "
        "message."
    )


def unanswered(i, ids="toolu_1"):
    return (
        f"messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
        "message."
    )


# ---------------------------------------------------------------- the table

# name: (messages, other arguments, the sentences, all of them and in order)
REFUSED = {
    # the list
    "no messages": ([], {}, ["messages: at least one message is required"]),
    "None": (None, {}, ["messages: Input should be a valid array"]),
    "a string": ("hi", {}, ["messages: Input should be a valid array"]),
    "one message without a list": (ASK, {}, ["messages: Input should be a valid array"]),
    "a number inside": ([7], {}, ["messages.0: Input should be an object"]),
    "None inside": ([ASK, None], {}, ["messages.1: Input should be an object"]),
    "strings inside": (["hi"], {}, ["messages.0: Input should be an object"]),
    "too many": (
        [ASK] * 100_001,
        {},
        ["messages: List should have at most 100000 items after validation, not 100001"],
    ),
    # one message
    "no role": ([{"content": "hi"}], {}, ["messages.0.role: Field required"]),
    "no content": ([{"role": "user"}], {}, ["messages.0.content: Field required"]),
    "content None": (
        [{"role": "user", "content": None}],
        {},
        ["messages.0.content: Input should be a valid array"],
    ),
    "content a block": (
        [{"role": "user", "content": text("hi")}],
        {},
        ["messages.0.content: Input should be a valid array"],
    ),
    "role None": (
        [{"role": None, "content": "hi"}],
        {},
        ["messages.0.role: Input should be a valid string"],
    ),
    "role tool": (
        [{"role": "tool", "content": "hi"}],
        {},
        ['messages: Unexpected role "tool". Allowed roles are "user" or "assistant"'],
    ),
    "extra field": (
        [ASK | {"sent_at": 5}],
        {},
        ["messages.0.sent_at: Extra inputs are not permitted"],
    ),
    # nothing in it
    "empty string": ([user("")], {}, [empty(0)]),
    "empty list": ([{"role": "user", "content": []}], {}, [empty(0)]),
    "empty list before words": ([{"role": "user", "content": []}, ASK], {}, [empty(0)]),
    "empty list after words": ([ASK, {"role": "user", "content": []}], {}, [empty(1)]),
    "empty last user message": ([ASK, assistant("Hi."), user("")], {}, [empty(2)]),
    "empty in the middle": ([ASK, assistant(""), ASK], {}, [empty(1)]),
    "empty string in a run": ([ASK, user("")], {}, [EMPTY_TEXT]),
    "blank string": ([user(" \n")], {}, [BLANK_TEXT]),
    "empty text": ([user(text(""))], {}, [EMPTY_TEXT]),
    "blank text": ([user(text("a"), text("\t"))], {}, [BLANK_TEXT]),
    "empty text in a result": ([ASK, CALL, user(result(content=[text("")]))], {}, [EMPTY_TEXT]),
    "empty text in an assistant message": ([ASK, assistant(text("")), ASK], {}, [EMPTY_TEXT]),
    # blocks
    "a string as block": (
        [{"role": "user", "content": ["hi"]}],
        {},
        ["messages.0.content.0: Input should be an object"],
    ),
    "no type": ([user({"text": "hi"})], {}, ["messages.0.content.0.type: Field required"]),
    "no text": ([user({"type": "text"})], {}, ["messages.0.content.0.text.text: Field required"]),
    "text a number": (
        [user(text(5))],
        {},
        ["messages.0.content.0.text.text: Input should be a valid string"],
    ),
    "extra field in a block": (
        [user(text("hi", id="x"))],
        {},
        ["messages.0.content.0.text.id: Extra inputs are not permitted"],
    ),
    "call without input": (
        [ASK, assistant({k: v for k, v in call().items() if k != "input"}), user(result())],
        {},
        ["messages.1.content.0.tool_use.input: Field required"],
    ),
    "call input as text": (
        [ASK, assistant(call(input='{"parcel": 7}')), user(result())],
        {},
        ["messages.1.content.0.tool_use.input: Input should be an object"],
    ),
    "call id with a space": (
        [ASK, assistant(call("a b")), user(result("a b"))],
        {},
        [
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            "messages.2.content.0.tool_result.tool_use_id: String should match pattern "
            "'^[a-zA-Z0-9_-]+$'",
        ],
    ),
    "caller null": (  # what a plain model_dump() of a reply holds
        [ASK, assistant(call(caller=None)), user(result())],
        {},
        ["messages.1.content.0.tool_use.caller: Input should be an object"],
    ),
    "result without id": (
        [ASK, CALL, user({"type": "tool_result", "content": "x"})],
        {},
        ["messages.2.content.0.tool_result.tool_use_id: Field required"],
    ),
    "result content None": (
        [ASK, CALL, user(result(content=None))],
        {},
        ["messages.2.content.0.tool_result.content: Input should be a valid array"],
    ),
    "result content a number": (
        [ASK, CALL, user(result(content=12))],
        {},
        ["messages.2.content.0.tool_result.content: Input should be a valid array"],
    ),
    "is_error as text": (
        [ASK, CALL, user(result(is_error="no"))],
        {},
        ["messages.2.content.0.tool_result.is_error: Input should be a valid boolean"],
    ),
    "error without a word": (
        [ASK, CALL, user(result(content="", is_error=True))],
        {},
        [
            "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
        ],
    ),
    "thinking without signature": (
        [ASK, assistant({"type": "thinking", "thinking": "hm"}), ASK],
        {},
        ["messages.1.content.0.thinking.signature: Field required"],
    ),
    "cached thinking": (
        [ASK, assistant(THOUGHT | {"cache_control": {"type": "ephemeral"}}), ASK],
        {},
        ["messages.1.content.0.thinking.cache_control: Extra inputs are not permitted"],
    ),
    "odd cache lifetime": (
        [user(text("hi", cache_control={"type": "ephemeral", "ttl": "2h"}))],
        {},
        ["messages.0.content.0.text.cache_control.ttl: Input should be '5m' or '1h'"],
    ),
    "image without source": (
        [user({"type": "image"})],
        {},
        ["messages.0.content.0.image.source: Field required"],
    ),
    "image of another kind": (
        [user({"type": "image", "source": PICTURE["source"] | {"media_type": "image/bmp"}})],
        {},
        [
            "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', "
            "'image/png', 'image/gif' or 'image/webp'"
        ],
    ),
    # roles of blocks
    "call by the user": (
        [user(call())],
        {},
        ["messages.0: `tool_use` blocks can only be in `assistant` messages"],
    ),
    "thinking by the user": (
        [user(THOUGHT)],
        {},
        ["messages.0.content: thinking blocks may only be in `assistant` messages"],
    ),
    "redacted thinking by the user": (
        [user({"type": "redacted_thinking", "data": "x"})],
        {},
        ["messages.0.content: thinking blocks may only be in `assistant` messages"],
    ),
    "result by the assistant": (
        [ASK, assistant(result()), ASK],
        {},
        ["messages.1: `tool_result` blocks can only be in `user` messages"],
    ),
    "document by the assistant": (
        [ASK, assistant(NOTE), ASK],
        {},
        ["messages.1.content.0: `document` blocks can only be in `user` messages"],
    ),
    "citations by the user": (
        [user(text("hi", citations=[CITATION]))],
        {},
        ["messages.0.content.0.text.citations: citations must be empty in `user` messages"],
    ),
    "server search by the user": (
        [user(*SEARCHED)],
        {},
        [
            "messages.0: `server_tool_use` blocks can only be in `assistant` messages",
            "messages.0: `web_search_tool_result` blocks can only be in `assistant` messages",
        ],
    ),
    # calls and results
    "orphan first": ([user(result())], {}, [orphan("messages.0.content.0")]),
    "orphan after talk": (
        [ASK, assistant("Hi."), user(result())],
        {},
        [orphan("messages.2.content.0")],
    ),
    "result two turns late": (
        [*PAIR, assistant("Done."), user(result())],
        {},
        [orphan("messages.4.content.0")],
    ),
    "unanswered": ([ASK, CALL, user("So?")], {}, [unanswered(1)]),
    "another id": (
        [ASK, CALL, user(result("toolu_2"))],
        {},
        [orphan("messages.2.content.0", "toolu_2"), unanswered(1)],
    ),
    "text before the result": ([ASK, CALL, user(text("Here:"), result())], {}, [unanswered(1)]),
    "image before the result": ([ASK, CALL, user(PICTURE, result())], {}, [unanswered(1)]),
    "text before the result, in a run": (
        [ASK, CALL, user("Here:"), user(result())],
        {},
        [unanswered(1)],
    ),
    "text between results": (
        [ASK, assistant(call("a"), call("b")), user(result("a"), text("and"), result("b"))],
        {},
        [unanswered(1, "b")],
    ),
    "one of two missing": (
        [ASK, assistant(call("a"), call("b")), user(result("b"))],
        {},
        [unanswered(1, "a")],
    ),
    "both missing": (
        [ASK, assistant(call("a"), call("b")), user("So?")],
        {},
        [unanswered(1, "a, b")],
    ),
    "results split over two turns": (
        [
            ASK,
            assistant(call("a"), call("b")),
            user(result("a")),
            assistant("And"),
            user(result("b")),
        ],
        {},
        [unanswered(1, "b"), orphan("messages.4.content.0", "b")],
    ),
    "two results": (
        [ASK, CALL, user(result(), result())],
        {},
        [
            "messages.2.content.1: each tool_use must have a single result. Found multiple "
            "`tool_result` blocks with id: toolu_1"
        ],
    ),
    "two results in a run": (
        [ASK, CALL, user(result()), user(result())],
        {},
        [
            "messages.3.content.0: each tool_use must have a single result. Found multiple "
            "`tool_result` blocks with id: toolu_1"
        ],
    ),
    "one id for two calls": (
        [ASK, assistant(call(), call()), user(result())],
        {},
        ["messages.1.content.1: `tool_use` ids must be unique"],
    ),
    "an id used again": (
        [*PAIR, assistant(call()), user(result())],
        {},
        ["messages.3.content.0: `tool_use` ids must be unique"],
    ),
    # the end
    "prefill": ([ASK, assistant("It is")], {}, [PREFILL]),
    "prefill, chat model": ([ASK, assistant("It is")], {"model": CHAT_MODEL}, [PREFILL]),
    "prefill, agent model": ([ASK, assistant("It is")], {"model": AGENT_MODEL}, [PREFILL]),
    "empty prefill": ([ASK, assistant("")], {}, [PREFILL]),
    "ends with a call": ([ASK, CALL], {}, [PREFILL, unanswered(1)]),
    "ends with a call, prefill model": ([ASK, CALL], {"model": OLD}, [unanswered(1)]),
    "prefill ends in a space": (
        [ASK, assistant("It is ")],
        {"model": OLD},
        ["messages: final assistant content cannot end with trailing whitespace"],
    ),
    # role "system"
    "system role, chat model": (
        [ASK, late("Be brief.")],
        {"model": CHAT_MODEL},
        ["role 'system' is not supported on this model"],
    ),
    "system role first": (
        [late("Be brief."), ASK],
        {"model": INLINE},
        ["messages.0: use the top-level 'system' parameter for the initial system prompt"],
    ),
    "system role after the assistant": (
        [ASK, assistant("Hi."), late("Be brief.")],
        {"model": INLINE},
        [
            "messages.2: role 'system' must follow a 'user' message or an 'assistant' message "
            "ending in a server tool result"
        ],
    ),
    "system role between call and result": (
        [ASK, CALL, late("Be brief."), user(result())],
        {"model": INLINE},
        [
            "messages.2: role 'system' must follow a 'user' message or an 'assistant' message "
            "ending in a server tool result"
        ],
    ),
    "system role between user messages": (
        [ASK, late("Be brief."), late("Really."), ASK],
        {"model": INLINE},
        ["messages.2: role 'system' must precede an 'assistant' message or end the array"],
    ),
    "system role, empty": (
        [ASK, late("")],
        {"model": INLINE},
        ["messages.1: system content must contain at least one block"],
    ),
    "system role, blank": (
        [ASK, late(" ")],
        {"model": INLINE},
        ["messages.1: system text blocks must contain non-whitespace text"],
    ),
    "system role with an image": (
        [ASK, {"role": "system", "content": [PICTURE]}],
        {"model": INLINE},
        ["messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only"],
    ),
    # system
    "system a number": ([ASK], {"system": 7}, ["system: Input should be a valid array"]),
    "system a message": (
        [ASK],
        {"system": text("Be brief.")},
        ["system: Input should be a valid array"],
    ),
    "system blank": (
        [ASK],
        {"system": " \n"},
        ["system: text content blocks must contain non-whitespace text"],
    ),
    "system block empty": (
        [ASK],
        {"system": [text("Be brief."), text("")]},
        ["system: text content blocks must be non-empty"],
    ),
    "system block blank": (
        [ASK],
        {"system": [text(" ")]},
        ["system: text content blocks must contain non-whitespace text"],
    ),
    "system block extra": (
        [ASK],
        {"system": [text("Be brief.", role="system")]},
        ["system.0.role: Extra inputs are not permitted"],
    ),
    # tools
    "tools a dict": ([ASK], {"tools": tool()}, ["tools: Input should be a valid array"]),
    "tool a string": ([ASK], {"tools": ["x"]}, ["tools.0.custom: Input should be an object"]),
    "tool without name": (
        [ASK],
        {"tools": [{"input_schema": {"type": "object"}}]},
        ["tools.0.custom.name: Field required"],
    ),
    "tool name with a space": (
        [ASK],
        {"tools": [tool("my tool")]},
        ["tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
    ),
    "tool name too long": (
        [ASK],
        {"tools": [tool("x" * 129)]},
        ["tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
    ),
    "tool name empty": (
        [ASK],
        {"tools": [tool("")]},
        ["tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
    ),
    "tool without schema": (
        [ASK],
        {"tools": [{"name": "track"}]},
        ["tools.0.custom.input_schema: Field required"],
    ),
    "schema without type": (
        [ASK],
        {"tools": [tool(input_schema={})]},
        ["tools.0.custom.input_schema.type: Field required"],
    ),
    "schema of another type": (
        [ASK],
        {"tools": [tool(input_schema={"type": "string"})]},
        ["tools.0.custom.input_schema.type: Input should be 'object'"],
    ),
    "tool with parameters": (
        [ASK],
        {"tools": [tool(parameters={})]},
        ["tools.0.custom.parameters: Extra inputs are not permitted"],
    ),
    "tool names twice": (
        [ASK],
        {"tools": [tool(), tool("b"), tool()]},
        ["tools: Tool names must be unique."],
    ),
    # model
    "model a number": ([ASK], {"model": 5}, ["model: Input should be a valid string"]),
    "model empty": ([ASK], {"model": ""}, ["model: String should have at least 1 character"]),
    # what cannot be sent at all
    "bytes": (
        [ASK, user(text(b"hi"))],
        {},
        ["messages.1: Object of type bytes is not JSON serializable"],
    ),
    "an iterator": (iter([ASK]), {}, ["messages: an iterator can be read only once: pass a list"]),
    "half a character": (
        [user("x\ud83d")],
        {},
        ["messages.0: a text holds half a character (a lone surrogate)"],
    ),
    "not a number": (
        [ASK, assistant(call(input={"x": float("nan")})), user(result())],
        {},
        ["messages.1: Out of range float values are not JSON compliant"],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    messages, more, sentences = REFUSED[name]
    problems = validate_request(messages, **more)
    assert [str(problem) for problem in problems] == sentences
    assert {(p.status, p.type) for p in problems} == {(400, "invalid_request_error")}


ACCEPTED = {
    "one message": ([ASK], {}),
    "a tuple": ((ASK,), {}),
    "two user messages in a row": ([ASK, ASK], {}),
    "two assistant messages in a row": ([ASK, assistant("Hi."), assistant("Yes."), ASK], {}),
    "assistant first": ([assistant("Hi."), ASK], {}),
    "a pair": (PAIR, {}),
    "a pair, then text": ([ASK, CALL, user(result(), text("So?"))], {}),
    "a pair, then text in a run": ([ASK, CALL, user(result()), user("So?")], {}),
    "text after a call": ([ASK, assistant(call(), text("One moment.")), user(result())], {}),
    "parallel, other order": (
        [ASK, assistant(call("a"), call("b")), user(result("b"), result("a"))],
        {},
    ),
    "parallel, over runs": (
        [ASK, assistant(call("a")), assistant(call("b")), user(result("a")), user(result("b"))],
        {},
    ),
    "result without content": (
        [ASK, CALL, user({"type": "tool_result", "tool_use_id": "toolu_1"})],
        {},
    ),
    "result with empty text": ([ASK, CALL, user(result(content=""))], {}),
    "result with an empty list": ([ASK, CALL, user(result(content=[]))], {}),
    "result with blocks": ([ASK, CALL, user(result(content=[text("x"), PICTURE, NOTE]))], {}),
    "result of an error": ([ASK, CALL, user(result(is_error=True))], {}),
    "calls without tools": (PAIR, {"tools": []}),
    "image and document": ([user(PICTURE, NOTE, text("What is it?"))], {}),
    "thinking": ([ASK, assistant(THOUGHT, text("Hi.")), ASK], {}),
    "nulls that may be null": ([user(text("x", citations=None, cache_control=None))], {}),
    "citations of the assistant": ([ASK, assistant(text("Hi.", citations=[CITATION])), ASK], {}),
    "citations empty": ([user(text("x", citations=[]))], {}),
    "cached": ([user(text("x", cache_control={"type": "ephemeral", "ttl": "1h"}))], {}),
    "searched by the server": ([ASK, assistant(*SEARCHED, text("Found.")), ASK], {}),
    "prefill": ([ASK, assistant("It is")], {"model": OLD}),
    "empty prefill": ([ASK, assistant("")], {"model": OLD}),
    "empty prefill, list": ([ASK, {"role": "assistant", "content": []}], {"model": OLD}),
    "system role last": ([ASK, late("Be brief.")], {"model": INLINE}),
    "system role after a result": ([*PAIR, late("Be brief.")], {"model": INLINE}),
    "system role twice, before the assistant": (
        [ASK, late("Be brief."), late("Really."), assistant("Hi."), ASK],
        {"model": INLINE},
    ),
    "system role after a search": (
        [ASK, assistant(*SEARCHED), late("Be brief.")],
        {"model": INLINE},
    ),
    "system role, no model given": ([ASK, late("Be brief.")], {}),
    "system": ([ASK], {"system": "Be brief."}),
    "system empty": ([ASK], {"system": ""}),
    "system blocks": (
        [ASK],
        {"system": [text("Be brief.", cache_control={"type": "ephemeral"})]},
    ),
    "tools": (
        [ASK],
        {"tools": [tool(description="d", strict=True, type="custom"), tool("b", type=None)]},
    ),
    "schema with more": ([ASK], {"tools": [tool(input_schema={"type": "object", "title": "T"})]}),
    "server tool": ([ASK], {"tools": [{"type": "memory_20250818", "name": "memory"}]}),
    "all models": ([ASK], {"model": AGENT_MODEL}),
    "exactly 100,000": ([ASK] * 100_000, {}),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name):
    messages, more = ACCEPTED[name]
    assert validate_request(messages, **more) == []


@pytest.mark.parametrize("model", MODELS)
def test_every_model_of_the_table_is_known(model):
    assert validate_request([ASK], model=model) == []


def test_unknown_model():
    assert validate_request([ASK], model="gpt-9") == [
        Problem(404, "not_found_error", "model: gpt-9")
    ]
    assert validate_request([ASK], model=" ")[0].status == 404  # a name like any other


def test_the_shape_is_looked_at_before_the_model():
    assert validate_request([], model="gpt-9")[0].status == 400


def test_unknown_block_type_names_the_known_ones():
    (problem,) = validate_request([user({"type": "picture"})])
    assert problem.message.startswith(
        "messages.0.content.0: Input tag 'picture' found using 'type' does not match any of the "
        "expected tags: 'text', 'image', "
    )


def test_function_tool_of_another_provider():
    other = {"type": "function", "function": {"name": "track", "parameters": {}}}
    (problem,) = validate_request([ASK], tools=[other])
    assert problem.message.startswith("tools.0: Input tag 'function' found using 'type' does not")


def test_problem_prints_its_sentence():
    assert f"{Problem(400, 'invalid_request_error', 'no')}" == "no"


def test_all_parts_are_reported_at_once():
    problems = validate_request([7], system=[7], tools=[7])
    assert [p.message.split(":")[0] for p in problems] == [
        "tools.0.custom",
        "messages.0",
        "system.0",
    ]


# ---------------------------------------------------------------- SDK objects and the wire

REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": CHAT_MODEL,
    "content": [THOUGHT, text("Let me look."), call()],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "output_tokens": 1},
}


class Recorder:
    """A real client whose requests go nowhere but into `self.body`."""

    def __init__(self):
        transport = httpx2.MockTransport(self.answer)
        self.client = anthropic.Anthropic(
            api_key="practice",
            base_url="https://api.example",
            max_retries=0,
            http_client=httpx2.Client(transport=transport),
        )

    def answer(self, request):
        self.body = json.loads(request.content)
        return httpx2.Response(200, json=REPLY)

    def send(self, messages, **more):
        more = {"model": CHAT_MODEL, "max_tokens": 9} | more
        self.reply = self.client.messages.create(messages=messages, **more)
        return self.body


recorder = Recorder()


@pytest.fixture(scope="module")
def reply():
    recorder.send([ASK])
    return recorder.reply


def agree(messages, **more):
    """The verdict on Python objects, after checking that it is the verdict on what is sent."""
    body = recorder.send(messages, **more)
    verdict = validate_request(messages, **more)
    on_the_wire = {key: body[key] for key in ("system", "tools", "model") if key in more}
    assert verdict == validate_request(body["messages"], **on_the_wire)
    return [str(problem) for problem in verdict]


def test_reply_content_goes_back_as_it_came(reply):
    history = [ASK, {"role": "assistant", "content": reply.content}, user(result())]
    assert agree(history) == []
    assert agree([ASK, reply.to_param(), user(result())]) == []


def test_whole_reply_as_message(reply):
    first, *others = agree([ASK, reply, user(result())])
    assert first == (
        "messages.1.id: Extra inputs are not permitted "
        "(is this a whole reply? Append reply.to_param() instead)"
    )
    fields = [sentence.split(":")[0] for sentence in others]
    assert fields == [
        f"messages.1.{key}" for key in ("model", "stop_reason", "stop_sequence", "usage", "type")
    ]


def test_dumped_reply_as_message(reply):
    first, *others = agree([ASK, reply.model_dump(), user(result())])
    assert first.startswith("messages.1.id: Extra inputs are not permitted (is this a whole reply?")
    assert "messages.1.content.2.tool_use.caller: Input should be an object" in others


@pytest.mark.parametrize(
    "content",
    [
        [TextBlock(type="text", text="x")],
        [TextBlock(type="text", text="x", citations=None)],
        [TextBlock(type="text", text="")],
        [ThinkingBlock(type="thinking", thinking="", signature="s")],
        [ThinkingBlock.construct(type="thinking", thinking="")],
        [ToolUseBlock(type="tool_use", id="t", name="n", input={}, caller=None)],
        [ToolUseBlock(type="tool_use", id="t", name="n", input={"a": None})],
        TextBlock(type="text", text="x"),
        (text("x"),),
        {"a": 1}.values(),
        {"a"},
        None,
        7,
        [None],
        [[text("x")]],
    ],
    ids=repr,
)
def test_objects_and_wire_agree(content):
    agree([ASK, {"role": "assistant", "content": content}, ASK])
    agree([{"role": "user", "content": content}])


def test_system_and_tools_as_objects_and_on_the_wire(reply):
    assert agree([ASK], system=[TextBlock(type="text", text="Be brief.")]) == []
    assert agree([ASK], system=reply.content) != []
    assert agree([ASK], tools=({"name": "n", "input_schema": {"type": "object"}},)) == []
    assert agree([ASK], tools=[{"name": "n"}]) != []


def test_beta_tool_names_the_way_out():
    @anthropic.beta_tool
    def track(parcel: int) -> str:
        """Where a parcel is.

        Args:
            parcel: its number
        """
        return "delivered"

    with pytest.raises(TypeError):
        recorder.send([ASK], tools=[track])
    (problem,) = validate_request([ASK], tools=[track])
    assert problem.message.endswith("is not JSON serializable: pass tool.to_dict()")
    assert validate_request([ASK], tools=[track.to_dict()]) == []


# ---------------------------------------------------------------- reading


def test_blocks(reply):
    assert blocks(ASK) == [text("Where is parcel 7?")]
    assert blocks(reply) == [THOUGHT, text("Let me look."), call()]
    assert blocks({"role": "user", "content": (text("a"), TextBlock(type="text", text="b"))}) == [
        text("a"),
        text("b"),
    ]
    assert blocks({"role": "assistant", "content": [ToolUseBlock(**call(), caller=None)]}) == [
        call()
    ]
    assert blocks({"role": "user", "content": None}) == blocks({}) == blocks(None) == []
    assert blocks({"role": "user", "content": [7, text("a"), None]}) == [text("a")]


def test_blocks_are_new():
    message = user(text("a"))
    blocks(message)[0]["text"] = "b"
    merge_turns([message])[0]["content"][0]["text"] = "b"
    assert message == user(text("a"))


def test_merge_turns():
    history = [ASK, user(text("And 8?")), CALL, user(result()), user("So?"), late("a"), late("b")]
    assert merge_turns(history) == [
        user(text("Where is parcel 7?"), text("And 8?")),
        CALL,
        user(result(), text("So?")),
        {"role": "system", "content": [text("a"), text("b")]},
    ]
    assert merge_turns([]) == []


@pytest.mark.parametrize(
    "history, lengths",
    [
        ([], []),
        ([ASK], [1]),
        ([ASK, assistant("Hi."), ASK, assistant("Yes.")], [2, 2]),
        ([ASK, ASK], [1, 1]),
        ([assistant("Hi."), assistant("You?"), ASK], [2, 1]),
        ([*PAIR, assistant("Done."), ASK], [4, 1]),
        ([ASK, CALL, user(result(), text("So?")), assistant("Done.")], [4]),
        ([ASK, CALL, user(text("So?"), result())], [3]),
        ([user(result()), ASK], [1, 1]),
        ([*PAIR, late("Be brief."), assistant("Done."), ASK, late("x")], [5, 2]),
        ([late("x"), ASK], [1, 1]),
        ([{}, {"role": "user"}, {"role": "user", "content": 7}, {"role": 5}], [1, 1, 2]),
        ([{"role": "user", "content": [7, None]}, {"role": "user", "content": []}], [1, 1]),
    ],
)
def test_exchanges(history, lengths):
    pieces = exchanges(history)
    assert [len(piece) for piece in pieces] == lengths
    assert [id(m) for piece in pieces for m in piece] == [id(m) for m in history]


def test_exchanges_with_objects(reply):
    assert [len(piece) for piece in exchanges([ASK, reply, user(result()), ASK])] == [3, 1]


def test_text_of(reply):
    assert text_of(reply) == "Let me look."  # although thinking comes first
    assert text_of(reply.to_param()) == "Let me look."
    assert text_of(reply.content) == "Let me look."
    assert text_of("plain") == text_of(user("plain")) == "plain"
    assert text_of([text("a"), call(), text("b")]) == "ab"
    for nothing in (None, [], {}, "", 7, [None], {"content": None}, assistant(THOUGHT), [call()]):
        assert text_of(nothing) == ""
    assert text_of([{"type": "text"}, {"type": "text", "text": None}]) == ""


def test_text_of_a_reply_without_content(reply):
    for content in (None, []):
        odd = anthropic.types.Message.construct(**{**REPLY, "content": content})
        assert text_of(odd) == ""
        assert blocks(odd) == []


def test_text_of_ignores_types_the_sdk_does_not_know():
    recorder.send([ASK])
    strange = anthropic.types.Message.construct(**{**REPLY, "content": []})
    strange.content = [
        TextBlock.construct(type="advice", text="no"),
        TextBlock.construct(**text("yes")),
    ]
    assert text_of(strange) == "yes"


# ---------------------------------------------------------------- properties


@quick
@given(histories())
def test_valid_histories_are_valid(history):
    assert validate_request(history) == []
    assert validate_request(history, model=CHAT_MODEL, system="Be brief.", tools=[tool()]) == []


@quick
@given(histories())
def test_valid_histories_are_sent_as_they_are_read(history):
    body = recorder.send(history)
    assert validate_request(body["messages"]) == []
    assert api.receive("messages", history, "messages") == (body["messages"], [])


@quick
@given(histories())
def test_nothing_is_changed(history):
    before = copy.deepcopy(history)
    validate_request(history)
    merge_turns(history)
    exchanges(history)
    for message in history:
        blocks(message)
        text_of(message)
    assert history == before


@quick
@given(histories(), st.data())
def test_merging_beforehand_changes_no_verdict(history, data):
    assert validate_request(merge_turns(history)) == []
    spoil = data.draw(st.sampled_from(sorted(SPOILERS)))
    spoiled = merge_turns(history)
    assume(SPOILERS[spoil](spoiled, data.draw))
    assert validate_request(merge_turns(spoiled)) != []
    halves = split(spoiled)
    assert validate_request(halves) != []
    assert validate_request(merge_turns(halves)) != []


def split(history):
    """The same history with one message a block."""
    return [
        {**message, "content": [part]}
        for message in history
        for part in (message["content"] or [text("")])
    ]


# Each changes a merged history in place so that it is invalid; False when it finds nothing to do.


def places(history, kind):
    return [
        (message["content"], j)
        for message in history
        for j, part in enumerate(message["content"])
        if part["type"] == kind
    ]


def spoiler(kind):
    def wrap(change):
        def spoil(history, draw):
            found = places(history, kind)
            if not found:
                return False
            content, j = draw(st.sampled_from(found))
            change(content, j)
            history[:] = [message for message in history if message["content"]]
            return bool(history)

        SPOILERS[change.__name__] = spoil
        return change

    return wrap


SPOILERS = {}


@spoiler("tool_result")
def drop_a_result(content, j):
    del content[j]


@spoiler("tool_result")
def repeat_a_result(content, j):
    content.insert(j, dict(content[j]))


@spoiler("tool_result")
def words_before_a_result(content, j):
    content.insert(j, text("Here:"))


@spoiler("tool_result")
def result_for_another_call(content, j):
    content[j] = content[j] | {"tool_use_id": "toolu_unknown"}


@spoiler("tool_result")
def one_more_result(content, j):
    content.insert(j, result("toolu_unknown"))


@spoiler("tool_use")
def drop_a_call(content, j):
    del content[j]


@spoiler("tool_use")
def repeat_a_call(content, j):
    content.insert(j, dict(content[j]))


@spoiler("tool_use")
def call_without_name(content, j):
    content[j] = {key: value for key, value in content[j].items() if key != "name"}


@spoiler("tool_use")
def call_with_text_as_input(content, j):
    content[j] = content[j] | {"input": "{}"}


@spoiler("text")
def empty_a_text(content, j):
    content[j] = text("")


@spoiler("text")
def blank_a_text(content, j):
    content[j] = text(" \n\t")


@spoiler("text")
def text_with_an_extra_field(content, j):
    content[j] = text("x", id="x")


@spoiler("thinking")
def thinking_without_signature(content, j):
    content[j] = {"type": "thinking", "thinking": "x"}


@spoiler("image")
def image_without_source(content, j):
    content[j] = {"type": "image"}


def add(spoil):
    SPOILERS[spoil.__name__] = spoil


@add
def orphan_in_front(history, draw):
    history.insert(0, user(result("toolu_unknown")))
    return True


@add
def reply_at_the_end(history, draw):
    history.append(assistant(text("It is")))
    return True


@add
def call_at_the_end(history, draw):
    history.append(assistant(call("toolu_last")))
    return True


@add
def words_between_call_and_result(history, draw):
    found = [n for n, message in enumerate(history) if "tool_result" in kinds(message)]
    if not found:
        return False
    n = draw(st.sampled_from(found))
    history[n:n] = [user(text("Wait.")), assistant(text("Yes?"))]
    return True


@add
def swap_the_roles_of_a_tool_message(history, draw):
    found = [m for m in history if {"tool_use", "tool_result"} & set(kinds(m))]
    if not found:
        return False
    message = draw(st.sampled_from(found))
    message["role"] = "user" if message["role"] == "assistant" else "assistant"
    return True


@add
def unknown_role(history, draw):
    draw(st.sampled_from(history))["role"] = draw(st.sampled_from(["tool", "", "User", None, 5]))
    return True


@add
def late_system_prompt(history, draw):
    history.insert(0, late("Be brief."))
    history[0]["content"] = [text("Be brief.")]
    return True


def kinds(message):
    return [part["type"] for part in message["content"]]


def test_every_damage_is_found():
    done = damage(examples=40)
    assert min(done.values()) >= 3, done  # none of them idle


@pytest.mark.full
def test_every_damage_is_found_at_length():
    damage(examples=1500)


def damage(examples):
    """Histories that are valid until each spoiler in turn has been at them; how often it was."""
    done = dict.fromkeys(SPOILERS, 0)

    @settings(deadline=None, max_examples=examples, database=None)
    @given(histories(), st.data())
    def search(history, data):
        for name, spoil in SPOILERS.items():
            spoiled = copy.deepcopy(merge_turns(history))
            assert validate_request(spoiled) == []
            if spoil(spoiled, data.draw):
                problems = validate_request(spoiled)
                assert problems, name
                assert all(p.status == 400 and p.message for p in problems)
                done[name] += 1

    search()
    return done


@quick
@given(garbage(objects=False), garbage(objects=False), garbage(objects=False))
def test_json_garbage_never_raises(messages, system, tools):
    check_verdict(validate_request(messages, system=system, tools=tools, model=CHAT_MODEL))


@quick
@given(garbage(), garbage(), garbage(), garbage())
def test_garbage_objects_never_raise(messages, system, tools, model):
    check_verdict(validate_request(messages, system=system, tools=tools, model=model))


@quick
@given(st.lists(st.one_of(garbage(), histories().map(lambda h: h[0])), max_size=4), garbage())
def test_garbage_among_messages_never_raises(messages, block):
    messages.append({"role": "user", "content": [text("x"), block]})
    check_verdict(validate_request(messages))


def check_verdict(problems):
    for problem in problems:
        assert isinstance(problem, Problem)
        assert (problem.status, problem.type) in {
            (400, "invalid_request_error"),
            (404, "not_found_error"),
        }
        assert problem.message and "\n" not in problem.message.split("Input tag")[0]


@pytest.mark.parametrize(
    "odd", [Hostile, LyingClass, lambda: HostileDict(a=1), lambda: HostileList([1])]
)
def test_hostile_objects_give_a_problem(odd):
    for messages in (odd(), [odd()], [{"role": "user", "content": odd()}], [user(text(odd()))]):
        assert validate_request(messages)[0].status == 400
    assert validate_request([ASK], system=odd()) and validate_request([ASK], tools=[odd()])
    assert validate_request([ASK], model=odd())


def test_an_iterator_is_not_used_up():
    parts = iter([text("a")])
    message = {"role": "user", "content": parts}
    assert validate_request([message])[0].message == (
        "messages.0: an iterator can be read only once: pass a list"
    )
    blocks(message), merge_turns([message]), exchanges([message]), text_of(message)
    assert list(parts) == [text("a")]


@quick
@given(histories())
def test_exchanges_of_valid_histories(history):
    pieces = exchanges(history)
    assert [id(m) for piece in pieces for m in piece] == [id(m) for m in history]
    assert all(pieces)
    for n, piece in enumerate(pieces):
        first, *rest = [(m["role"], kinds({"content": blocks(m)})) for m in piece]
        assert first[0] == "user" or n == 0
        assert "tool_result" not in first[1]
        assert all(role != "user" or "tool_result" in parts for role, parts in rest)
        inside = [part for m in piece for part in blocks(m)]
        calls = {part["id"] for part in inside if part["type"] == "tool_use"}
        answered = {part["tool_use_id"] for part in inside if part["type"] == "tool_result"}
        assert calls == answered  # no pair is parted


@quick
@given(st.lists(st.dictionaries(st.sampled_from(["role", "content", "x"]), garbage(objects=False))))
def test_exchanges_of_any_dicts(history):
    pieces = exchanges(history)
    assert [id(m) for piece in pieces for m in piece] == [id(m) for m in history]
    assert all(pieces)
    for piece in pieces[1:]:
        assert piece[0].get("role") == "user"
        assert "tool_result" not in [part.get("type") for part in blocks(piece[0])]


@quick
@given(st.lists(st.one_of(text_blocks(), st.just(call()), st.just(THOUGHT)), max_size=5), texts())
def test_text_of_joins_the_text_blocks(parts, words):
    expected = "".join(part["text"] for part in parts if part["type"] == "text")
    assert text_of(parts) == text_of({"content": parts}) == expected
    assert text_of(words) == text_of(user(words)) == words


@quick
@given(garbage(objects=False))
def test_reading_json_garbage_never_raises(thing):
    assert isinstance(text_of(thing), str)
    assert isinstance(blocks(thing), list)


@pytest.mark.full
def test_linear_in_the_history():
    def seconds(n):
        history = [
            message
            for i in range(n // 4)
            for message in (ASK, assistant(call(f"t{i}")), user(result(f"t{i}")), assistant("Yes."))
        ] + [ASK]
        start = time.perf_counter()
        assert validate_request(history[-n:]) == []
        assert len(exchanges(history)) == n // 4 + 1
        return time.perf_counter() - start

    seconds(1000)
    assert seconds(80_000) < 8 * seconds(20_000) + 1  # four times the messages, with some room
