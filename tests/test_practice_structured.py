"""Structured output through the real client: what is accepted, and how replies go wrong."""

import asyncio
import json
from typing import Literal

import anthropic
import httpx2
import pydantic
import pytest

from helpers import backends, connect
from helpers.backends import connect_async, failing
from helpers.cost import Meter
from helpers.models import CHAT_MODEL
from helpers.practice import PracticeAPI, spoiling
from helpers.practice.request import say
from tests.standin import StandIn

ASK = [{"role": "user", "content": "My name is Ines and I am 34."}]
GOOD = {"name": "Ines", "age": 34, "likes": ["tea"]}


class Person(pydantic.BaseModel):
    model_config = {"extra": "forbid"}

    name: str = pydantic.Field(min_length=1)
    age: int = pydantic.Field(ge=0)
    likes: list[str] = []
    kind: Literal["guest", "host"] | None = None


@pytest.fixture(autouse=True)
def filled(monkeypatch):
    """The reply half fills schemas; here it always says the same, so that the API half is tested."""
    text = json.dumps(GOOD)
    monkeypatch.setattr("helpers.practice.api.reply", lambda body: say(text))


def make_client(**options):
    return anthropic.Anthropic(
        api_key="practice",
        base_url=backends.PRACTICE_URL,
        max_retries=0,
        http_client=httpx2.Client(transport=PracticeAPI(**options)),
        _strict_response_validation=True,
    )


def parse(client, output_format=Person, **more):
    more = {"max_tokens": 200, "messages": ASK, **more}
    return client.messages.parse(model=CHAT_MODEL, output_format=output_format, **more)


# --- what is accepted -----------------------------------------------------------------------------


def test_a_parsed_reply():
    for part in (make_client(), make_client().beta):
        reply = parse(part)
        assert reply.parsed_output == Person(**GOOD)
        assert json.loads(reply.content[0].text) == GOOD
        assert reply.stop_reason == "end_turn"


def test_a_parsed_stream():
    for part in (make_client(), make_client().beta):
        with part.messages.stream(
            model=CHAT_MODEL, max_tokens=200, messages=ASK, output_format=Person
        ) as stream:
            final = stream.get_final_message()
        assert final.parsed_output == Person(**GOOD)


def test_the_schema_reaches_the_reply_half(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "helpers.practice.api.reply", lambda body: seen.append(body) or say(json.dumps(GOOD))
    )
    parse(make_client())
    schema = seen[0]["output_config"]["format"]["schema"]
    assert schema["required"] == ["name", "age"]
    assert schema["additionalProperties"] is False


def test_a_changed_schema_invalidates_nothing_but_is_counted_alike():
    plain = {"type": "json_schema", "schema": shape(a={"type": "string"})}
    tokens = make_client().messages.count_tokens(
        model=CHAT_MODEL, messages=ASK, output_config={"format": plain}
    )
    assert tokens.input_tokens > 0


def shape(**properties):
    return {
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
    }


def send(client, schema):
    output = {"format": {"type": "json_schema", "schema": schema}}
    return client.messages.create(
        model=CHAT_MODEL, max_tokens=200, messages=ASK, output_config=output
    )


TEXT, NUMBER = {"type": "string"}, {"type": "number"}
RIGHT = {
    "no properties": shape(),
    "a choice": shape(a={"enum": ["x", "y"]}),
    "a constant": shape(a={"const": 1}),
    "a format": shape(a={"type": "string", "format": "date"}),
    "a list": shape(a={"type": "array", "items": TEXT, "minItems": 1}),
    "a union": shape(a={"anyOf": [TEXT, {"type": "null"}]}),
    "several types": shape(a={"type": ["string", "null"]}),
    "a definition": {**shape(a={"$ref": "#/$defs/x"}), "$defs": {"x": TEXT}},
    "a definition used twice": {
        **shape(a={"$ref": "#/$defs/x"}, b={"$ref": "#/$defs/x"}),
        "$defs": {"x": shape(y=TEXT)},
    },
    "objects inside": shape(a=shape(b=shape(c=NUMBER))),
    "a list at the top": {"type": "array", "items": TEXT},
    "a definition at the top": {"$ref": "#/$defs/x", "$defs": {"x": shape(a=TEXT)}},
    "as many optional ones as are allowed": shape(**{f"p{n}": TEXT for n in range(24)}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_schema_that_is_accepted(name):
    assert send(make_client(), RIGHT[name]).content


WRONG = {
    "no type": ({}, "the top level must have"),
    "a text at the top": (TEXT, "the top level must have"),
    "an open object": ({"type": "object", "properties": {}}, "For 'object' type, 'additionalP"),
    "an open object inside": (shape(a={"type": "object"}), "For 'object' type, 'additionalP"),
    "a minimum": (shape(a={**NUMBER, "minimum": 1}), "For 'number' type, properties minimum"),
    "an integer's maximum": (shape(a={"type": "integer", "maximum": 1}), "For 'integer' type"),
    "a length": (shape(a={**TEXT, "maxLength": 1}), "For 'string' type, properties maxLength"),
    "two items at least": (shape(a={"type": "array", "minItems": 2}), "For 'array' type, 'minI"),
    "a constraint in a union": (shape(a={"anyOf": [{**TEXT, "minLength": 1}]}), "For 'string' t"),
    "a constraint in a list": (
        shape(a={"type": "array", "items": {**NUMBER, "multipleOf": 2}}),
        "For 'number' type",
    ),
    "a type that is none": (shape(a={"type": "text"}), "'text' is no type"),
    "a type that is a number": (shape(a={"type": 3}), "3 is no type"),
    "a reference outside": (shape(a={"$ref": "https://example.org/x.json"}), "$ref 'https"),
    "a reference to nothing": (shape(a={"$ref": "#/$defs/x"}), "$ref '#/$defs/x' leads nowhere"),
    "recursion": (
        {**shape(a={"$ref": "#/$defs/x"}), "$defs": {"x": shape(y={"$ref": "#/$defs/x"})}},
        "recursive schemas",
    ),
    "recursion to the top": (shape(a={"$ref": "#/properties"}) | {"$ref": "#/$defs/x"}, "$ref"),
    "a circle of definitions": (
        {"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"$ref": "#/$defs/x"}}},
        "the top level",
    ),
    "a required one that is not there": ({**shape(), "required": ["a"]}, "required property 'a'"),
    "required names that are none": ({**shape(), "required": [{}]}, "'properties' must be"),
    "properties as a list": ({**shape(), "properties": []}, "'properties' must be"),
    "a property that is no schema": (shape(a=True), "each schema must be an object"),
    "oneOf": (shape(a={"oneOf": [TEXT]}), "oneOf is not supported"),
    "a union of nothing": (shape(a={"anyOf": "x"}), "anyOf must be a list"),
    "too many optional ones": (shape(**{f"p{n}": TEXT for n in range(25)}), "25 optional"),
    "too many unions": (
        {
            **shape(**{f"p{n}": {"anyOf": [TEXT, NUMBER]} for n in range(17)}),
            "required": [f"p{n}" for n in range(17)],
        },
        "17 properties of several types",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_schema_that_is_refused(name):
    schema, start = WRONG[name]
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(make_client(), schema)
    assert caught.value.api_message.startswith(f"output_config.format.schema: {start}")


@pytest.mark.parametrize(
    ("output", "path"),
    [
        ({"format": "json"}, "output_config.format: "),
        ({"format": {"type": "json"}}, "output_config.format.type: "),
        ({"format": {"type": "json_schema"}}, "output_config.format.schema: "),
        ({"format": {"type": "json_schema", "schema": []}}, "output_config.format.schema: "),
        ({"format": {"type": "json_schema", "schema": shape(), "name": "x"}}, "output_config.format.name: "),
    ],
)  # fmt: skip
def test_a_format_of_the_wrong_shape(output, path):
    with pytest.raises(anthropic.BadRequestError) as caught:
        make_client().messages.create(
            model=CHAT_MODEL, max_tokens=9, messages=ASK, output_config=output
        )
    assert caught.value.api_message.startswith(path)


def test_a_schema_nested_without_end():
    schema = shape()
    for _ in range(150):
        schema = shape(a=schema)
    with pytest.raises(anthropic.BadRequestError, match="nested too deeply"):
        send(make_client(), schema)


# --- the failure kinds of messages.parse ----------------------------------------------------------

RAISE = {  # the kind -> what pydantic says of it
    "truncated": "Invalid JSON: EOF while parsing",
    "prose": "Invalid JSON",
    "fenced": "Invalid JSON",
    "malformed": "Invalid JSON",
    "refusal": "Invalid JSON",
    "extra_field": "Extra inputs are not permitted",
    "missing_field": "Field required",
}
NOTHING = {"refused_empty": "refusal", "empty": "end_turn"}  # -> stop_reason


def test_every_kind_is_tested():
    assert {*RAISE, *NOTHING} == set(spoiling.KINDS)


@pytest.mark.parametrize("beta", [False, True])
@pytest.mark.parametrize("kind", RAISE)
def test_a_spoiled_reply_raises_and_is_lost(kind, beta):
    client = make_client(failures=[kind])
    with pytest.raises(pydantic.ValidationError, match=RAISE[kind]) as caught:
        parse(client.beta if beta else client)
    assert not isinstance(caught.value, anthropic.AnthropicError)
    assert parse(client).parsed_output == Person(**GOOD)  # one failure, one reply


@pytest.mark.parametrize("kind", NOTHING)
def test_an_empty_reply_parses_to_none(kind):
    reply = parse(make_client(failures=[kind]))
    assert (reply.parsed_output, reply.content) == (None, [])
    assert reply.stop_reason == NOTHING[kind]


def test_an_exception_is_the_sdk_s_own():
    with pytest.raises(anthropic.OverloadedError):
        parse(make_client(failures=[529]))


def test_create_keeps_what_parse_loses():
    """The way out when the tokens of a failed reply are wanted: create, and validate by hand."""
    reply = send(make_client(failures=["fenced"]), shape(name=TEXT))
    assert reply.usage.output_tokens > 0
    with pytest.raises(pydantic.ValidationError):
        Person.model_validate_json(reply.content[0].text)


def test_a_refusal_says_so():
    reply = send(make_client(failures=["refusal"]), shape())
    assert reply.stop_reason == reply.stop_details.type == "refusal"
    assert reply.content[0].text == spoiling.REFUSAL


# --- failing(): the same on any backend -----------------------------------------------------------


@pytest.mark.parametrize("kind", spoiling.KINDS)
def test_failing_spoils_as_the_api_would(kind):
    body = {"type": "json_schema", "schema": shape(name=TEXT)}
    whole = send(make_client(failures=[kind]), body["schema"])
    spoiled = send(failing(make_client(), kind), body["schema"])
    assert spoiled.content == whole.content
    assert (spoiled.stop_reason, spoiled.usage) == (whole.stop_reason, whole.usage)


@pytest.mark.parametrize("kind", spoiling.KINDS)
def test_failing_spoils_streams_and_async_clients(kind):
    whole = send(make_client(failures=[kind]), shape(name=TEXT))
    options = {"model": CHAT_MODEL, "max_tokens": 200, "messages": ASK}
    with failing(make_client(), kind).messages.stream(**options) as stream:
        final = stream.get_final_message()
    assert [b.to_dict() for b in final.content] == [b.to_dict() for b in whole.content] or (
        kind == "missing_field"  # which one is the schema's to say
    )
    assert final.stop_reason == whole.stop_reason

    async def both():
        client = failing(connect_async("practice"), kind, times=2)
        reply = await client.messages.create(**options)
        async with client.messages.stream(**options) as stream:
            return reply, await stream.get_final_message()

    for reply in asyncio.run(both()):
        assert reply.stop_reason == whole.stop_reason
        assert len(reply.content) == len(whole.content)


def test_failing_spoils_as_often_as_asked_and_nothing_else():
    meter = Meter()
    client = failing(connect("practice", meter=meter), "empty", times=2)
    assert client.messages.count_tokens(model=CHAT_MODEL, messages=ASK).input_tokens > 0
    replies = [
        client.messages.create(model=CHAT_MODEL, max_tokens=99, messages=ASK) for _ in range(3)
    ]
    assert [bool(reply.content) for reply in replies] == [False, False, True]
    assert len(meter.calls) == 3  # a spoiled reply is paid for
    assert meter.calls[0].output_tokens > 0


def test_failing_spoils_another_backend(monkeypatch):
    with StandIn() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        client = failing(connect("endpoint"), "truncated")
        reply = client.messages.create(model=CHAT_MODEL, max_tokens=99, messages=ASK)
        assert reply.stop_reason == "max_tokens"
        assert server.requests == 1
        with failing(connect("endpoint"), "refusal").messages.stream(
            model=CHAT_MODEL, max_tokens=99, messages=ASK
        ) as stream:
            assert stream.get_final_text() == spoiling.REFUSAL


def test_failing_leaves_errors_alone():
    client = failing(make_client(failures=[529]), "empty")
    with pytest.raises(anthropic.OverloadedError):
        client.messages.create(model=CHAT_MODEL, max_tokens=9, messages=ASK)


@pytest.mark.parametrize("kind", ["cut", "", "Truncated"])
def test_a_kind_that_there_is_not(kind):
    with pytest.raises(ValueError, match="there are truncated, prose"):
        failing(make_client(), kind)
    with pytest.raises(ValueError, match="there are truncated, prose"):
        PracticeAPI(failures=[kind])


def test_what_cannot_be_spoiled_stays():
    answer = {"content": [{"type": "text", "text": "Hello."}], "stop_reason": "end_turn"}
    for kind in ("extra_field", "missing_field"):
        assert spoiling.spoil(answer, kind, {}) == answer
    assert spoiling.spoil({**answer, "content": []}, "fenced", {})["content"] == []


def test_a_cut_call_is_no_call():
    call = {"type": "tool_use", "id": "toolu_1", "name": "x", "input": {}}
    text = {"type": "text", "text": "I look it up."}
    answer = {"content": [text, call], "stop_reason": "tool_use"}
    cut = spoiling.spoil(answer, "truncated", {})
    assert cut["content"] == [{"type": "text", "text": "I look"}]
    assert answer["content"] == [text, call]  # the reply given is not changed


def test_a_block_that_has_no_pieces_is_streamed_whole():
    """`failing` streams replies of any backend, with blocks that the practice model never writes."""
    from helpers.practice import streaming

    block = {"type": "redacted_thinking", "data": "x"}
    ending = {"stop_reason": "end_turn", "stop_sequence": None}
    answer = {"id": "msg_1", "content": [block], **ending, "usage": {"output_tokens": 3}}
    assert json.dumps(block) in streaming.events(answer).decode()
