"""The practice API through the real client: what the service refuses, is refused the same way."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import anthropic
import httpx2
import pytest

from helpers import backends, models
from helpers.models import AGENT_MODEL, CHAT_MODEL, MODELS
from helpers.practice import PracticeAPI, errors

STRICT = "strict"
THINKER = next(m.id for m in MODELS.values() if m.always_thinks)
OLDER = next(m.id for m in MODELS.values() if m.prefill)
TOOL = {
    "name": "get_weather",
    "description": "The weather in one city.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}
USER = {"role": "user", "content": "My name is Ines."}


def make_client(**options):
    return anthropic.Anthropic(
        api_key="practice",
        base_url=backends.PRACTICE_URL,
        max_retries=0,
        http_client=httpx2.Client(transport=PracticeAPI(**options)),
        _strict_response_validation=True,
    )


@pytest.fixture
def client():
    """A real client that accepts nothing but well-formed answers."""
    return make_client()


def send(client, messages=(USER,), model=CHAT_MODEL, max_tokens=50, **more):
    return client.messages.create(
        model=model, max_tokens=max_tokens, messages=list(messages), **more
    )


def call(*ids):
    return {
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": i, "name": "get_weather", "input": {"city": "Lyon"}}
            for i in ids
        ],
    }


def result(*ids, first=(), last=()):
    results = [{"type": "tool_result", "tool_use_id": i, "content": "sunny"} for i in ids]
    return {"role": "user", "content": [*first, *results, *last]}


def text(words):
    return {"type": "text", "text": words}


def said(words):
    return {"role": "assistant", "content": words}


# --- facts.md section 1, row by row (but the last) -----------------------------------------------


def test_two_user_messages_in_a_row_are_one_turn(client):
    two = [USER, {"role": "user", "content": "What is my name?"}]
    assert "Ines" in send(client, two).content[0].text


def test_two_assistant_messages_in_a_row_are_accepted(client):
    reply = send(client, [USER, said("One."), said("Two."), {"role": "user", "content": "Go on."}])
    assert reply.stop_reason == "end_turn"


REFUSED = {
    "empty text block": [{"role": "user", "content": [text("")]}],
    "blank text block": [{"role": "user", "content": [text(" \n")]}],
    "blank content": [{"role": "user", "content": "  "}],
    "orphan result": [USER, said("Hm."), result("toolu_1")],
    "result first": [result("toolu_1")],
    "result of an earlier turn": [USER, call("toolu_1"), result("toolu_1"), said("So."), result("toolu_1")],
    "call not answered": [USER, call("toolu_1"), {"role": "user", "content": "And?"}],
    "call at the end": [USER, call("toolu_1")],
    "text before the results": [USER, call("toolu_1"), result("toolu_1", first=[text("Here:")])],
    "two results for one id": [USER, call("toolu_1"), result("toolu_1", "toolu_1")],
    "parallel result missing": [USER, call("toolu_1", "toolu_2"), result("toolu_1")],
    "parallel results split over turns": [
        USER, call("toolu_1", "toolu_2"), result("toolu_1"), said("Wait."), result("toolu_2"),
    ],
    "prefill": [USER, said("Your name is")],
    "no messages": [],
    "empty message in the middle": [USER, {"role": "assistant", "content": []}, USER],
    "empty user message": [{"role": "user", "content": []}],
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_the_request_is_refused(client, name):
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, REFUSED[name], tools=[TOOL])
    assert type(caught.value) is anthropic.BadRequestError
    assert caught.value.status_code == 400
    assert caught.value.type == "invalid_request_error"
    assert caught.value.request_id.startswith("req_practice_")


@pytest.mark.parametrize("name", REFUSED)
def test_counting_refuses_the_same(client, name):
    with pytest.raises(anthropic.BadRequestError):
        client.messages.count_tokens(model=CHAT_MODEL, messages=REFUSED[name], tools=[TOOL])


def test_results_in_two_user_messages_are_one_turn(client):
    parts = [USER, call("toolu_1", "toolu_2"), result("toolu_1"), result("toolu_2")]
    assert send(client, parts, tools=[TOOL]).stop_reason == "end_turn"


def test_text_after_the_results_is_accepted(client):
    parts = [USER, call("toolu_1"), result("toolu_1", last=[text("Well?")])]
    assert send(client, parts, tools=[TOOL]).role == "assistant"


def test_an_older_model_takes_a_prefill(client):
    assert send(client, [USER, said("Your name is")], model=OLDER).role == "assistant"


def test_an_unknown_model_is_not_found(client):
    with pytest.raises(anthropic.NotFoundError) as caught:
        send(client, model="sonnet4")
    assert (caught.value.status_code, caught.value.type) == (404, "not_found_error")
    assert caught.value.api_message == "model: sonnet4"


def test_a_prompt_over_the_window(client):
    window = models.model(OLDER).window
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, [{"role": "user", "content": "word " * (window + 10)}], model=OLDER)
    tokens = client.messages.count_tokens(
        model=OLDER, messages=[{"role": "user", "content": "word " * (window + 10)}]
    ).input_tokens
    assert caught.value.status_code == 400
    assert caught.value.type == "invalid_request_error"
    assert caught.value.api_message == f"prompt is too long: {tokens} tokens > {window} maximum"


@pytest.mark.parametrize("field", ["temperature", "top_p", "top_k"])
def test_sampling_parameters_are_gone(client, field):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{field}'"):
        send(client, **{field: 0})
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, extra_body={field: 0})
    assert caught.value.type == "invalid_request_error"
    assert caught.value.api_message == f"{field}: Extra inputs are not permitted"


# --- the rest of the API -------------------------------------------------------------------------

BAD_VALUES = {
    "a field nobody knows": ({"extra_body": {"memory": True}}, "memory: Extra inputs"),
    "max_tokens as text": ({"extra_body": {"max_tokens": "50"}}, "max_tokens: Input should be a valid integer"),
    "max_tokens below zero": ({"max_tokens": -1}, "max_tokens: Input should be greater"),
    "max_tokens over the model's": ({"max_tokens": 128_001, "timeout": 9}, "max_tokens: 128001 > 128000"),
    "stop sequence of blanks": ({"stop_sequences": [" "]}, "stop_sequences"),
    "stop sequences as text": ({"extra_body": {"stop_sequences": "x"}}, "stop_sequences"),
    "budgeted thinking": ({"thinking": {"type": "enabled", "budget_tokens": 1024}}, '"thinking.type.enabled" is not'),
    "thinking of no kind": ({"thinking": {"type": "deep"}}, "thinking: "),
    "no thinking for a thinker": ({"model": THINKER, "thinking": {"type": "disabled"}}, '"thinking.type.disabled"'),
    "forced tool for a thinker": ({"model": THINKER, "tools": [TOOL], "tool_choice": {"type": "any"}}, "tool_choice"),
    "tool choice without tools": ({"tool_choice": {"type": "auto"}}, "tool_choice may only be"),
    "choice of another tool": ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "x"}}, "tool_choice"),
    "two tools of one name": ({"tools": [TOOL, TOOL]}, "tools"),
    "tool without a schema": ({"tools": [{"name": "x"}]}, "tools"),
    "blank system block": ({"system": [text(" ")]}, "system"),
    "an unknown beta": ({"extra_headers": {"anthropic-beta": "invalid-beta-name"}}, "Unexpected value(s) `invalid-beta-name`"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_VALUES)
def test_a_bad_value_is_refused(client, name):
    options, start = BAD_VALUES[name]
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, **options)
    assert caught.value.type == "invalid_request_error"
    assert caught.value.api_message.startswith(start)


LATER = {
    "containers": {"container": "container_1"},
    "MCP servers": {"extra_body": {"mcp_servers": []}},
    "the tool type web_search_20250305": {
        "tools": [{"type": "web_search_20250305", "name": "web_search"}]
    },
}  # fmt: skip


@pytest.mark.parametrize("name", LATER)
def test_what_comes_later_says_so(client, name):
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, **LATER[name])
    feature = name.split(",")[0]
    assert caught.value.api_message == (
        f"the practice API does not offer {feature} yet; the real API does"
    )


@pytest.mark.parametrize("missing", ["model", "max_tokens", "messages"])
def test_a_missing_field_is_named(client, missing):
    body = {"model": CHAT_MODEL, "max_tokens": 5, "messages": [USER]}
    del body[missing]
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.post("/v1/messages", body=body, cast_to=object)
    assert caught.value.api_message == f"{missing}: Field required"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"x"', b"\xff", b"null"])
def test_a_body_that_is_no_object(content):
    api = httpx2.Client(transport=PracticeAPI())
    headers = {"authorization": "Bearer x", "anthropic-version": "2026-10-21"}
    answer = api.post(backends.PRACTICE_URL + "/v1/messages", content=content, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_a_missing_key_is_refused():
    keyless = anthropic.Anthropic(
        api_key="", max_retries=0, http_client=httpx2.Client(transport=PracticeAPI())
    )
    with pytest.raises(anthropic.AuthenticationError) as caught:
        send(keyless)
    assert (caught.value.status_code, caught.value.type) == (401, "authentication_error")


def test_a_body_over_32_megabytes(client):
    with pytest.raises(anthropic.RequestTooLargeError) as caught:
        send(client, [{"role": "user", "content": "x" * (33 * 1024 * 1024)}])
    assert caught.value.status_code == 413


def test_an_unknown_path(client):
    with pytest.raises(anthropic.NotFoundError):
        client.get("/v1/nothing", cast_to=object)


def test_the_model_list(client):
    assert [m.id for m in client.models.list()] == list(MODELS)
    info = client.models.retrieve(CHAT_MODEL)
    assert (info.max_input_tokens, info.max_tokens) == (1_000_000, 128_000)
    with pytest.raises(anthropic.NotFoundError):
        client.models.retrieve("sonnet4")


def test_usage_is_what_counting_says(client):
    counted = client.messages.count_tokens(model=CHAT_MODEL, messages=[USER], system="Be kind.")
    reply = send(client, system="Be kind.")
    assert reply.usage.input_tokens == counted.input_tokens
    alone = client.messages.count_tokens(model=CHAT_MODEL, messages=[USER]).input_tokens
    again = [USER, reply.to_param(), USER]
    with_reply = client.messages.count_tokens(model=CHAT_MODEL, messages=again).input_tokens
    assert with_reply - 2 * alone >= reply.usage.output_tokens


def test_a_cut_reply_says_so(client):
    whole, cut = send(client), send(client, max_tokens=3)
    assert (whole.stop_reason, cut.stop_reason) == ("end_turn", "max_tokens")
    assert whole.content[0].text.startswith(cut.content[0].text)
    assert cut.usage.output_tokens <= 3 < whole.usage.output_tokens


def test_no_room_at_all_gives_no_content(client):
    reply = send(client, max_tokens=0)
    assert (reply.content, reply.stop_reason, reply.usage.output_tokens) == ([], "max_tokens", 0)


def test_a_stop_sequence_ends_the_reply(client):
    reply = send(client, stop_sequences=["nobody says this", "Ines"])
    assert (reply.stop_reason, reply.stop_sequence) == ("stop_sequence", "Ines")
    assert "Ines" not in "".join(b.text for b in reply.content)


def test_a_full_window_ends_the_reply(client):
    window = models.model(OLDER).window
    one = {"role": "user", "content": "word"}

    def tokens(n):
        filled = [{"role": "user", "content": "word" + " word" * n}]
        return client.messages.count_tokens(model=OLDER, messages=filled).input_tokens

    frame = tokens(0)
    per_word = tokens(1000) - tokens(0)
    assert per_word == 1000  # one token a word, so that the window can be filled to the brim
    filled = [{**one, "content": "word" + " word" * (window - frame - 2)}]
    reply = send(client, filled, model=OLDER, max_tokens=500)
    assert reply.usage.input_tokens == window - 2
    assert reply.stop_reason == "model_context_window_exceeded"
    assert reply.usage.output_tokens <= 2


def test_parallel_calls_and_their_answers(client):
    ask = {"role": "user", "content": "What is the weather in Turin and in Ghent?"}
    reply = send(client, [ask], tools=[TOOL], max_tokens=500)
    assert reply.stop_reason == "tool_use"
    calls = [b for b in reply.content if b.type == "tool_use"]
    assert sorted(c.input["city"] for c in calls) == ["Ghent", "Turin"]
    assert len({c.id for c in calls}) == 2
    answers = [
        {"type": "tool_result", "tool_use_id": c.id, "content": f"{c.input['city']}: 7 degrees"}
        for c in calls
    ]
    history = [ask, reply.to_param(), {"role": "user", "content": answers}]
    final = send(client, history, tools=[TOOL], max_tokens=500)
    assert final.stop_reason == "end_turn"
    assert "7 degrees" in final.content[0].text


def test_blocks_may_be_sent_back_as_they_came(client):
    reply = send(client)
    history = [USER, {"role": "assistant", "content": reply.content}]
    assert (
        "Ines" in send(client, [*history, {"role": "user", "content": "Who am I?"}]).content[0].text
    )


def test_a_whole_message_as_a_message_is_refused(client):
    history = [USER, send(client), {"role": "user", "content": "Who am I?"}]
    with pytest.raises(anthropic.BadRequestError) as caught:
        send(client, history)
    assert caught.value.api_message.startswith("messages.1.")


def test_a_reply_is_the_same_each_time_and_from_any_thread(client):
    ask = [USER, {"role": "user", "content": "What is my name?"}]
    expected = send(client, ask).content[0].text
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: send(client, ask), range(40)))
    assert {r.content[0].text for r in replies} == {expected}
    assert len({r.id for r in replies}) == 40


# --- streaming -----------------------------------------------------------------------------------


def essence(reply):
    """What a streamed reply and a whole one have in common: all but the SDK's classes."""
    blocks = [b.model_dump(exclude={"parsed_output"}) for b in reply.content]
    usage = reply.usage
    return blocks, usage.input_tokens, usage.output_tokens, reply.stop_reason, reply.stop_sequence


def streamed(client, messages=(USER,), **more):
    options = {"model": CHAT_MODEL, "max_tokens": 50, "messages": list(messages), **more}
    with client.messages.stream(**options) as stream:
        pieces = list(stream.text_stream)
        return pieces, stream.get_final_message()


@pytest.mark.parametrize(
    "more", [{}, {"max_tokens": 3}, {"stop_sequences": ["Ines"]}, {"max_tokens": 0}]
)
def test_a_streamed_reply_is_the_whole_reply_in_pieces(client, more):
    whole = send(client, **more)
    pieces, final = streamed(client, **more)
    assert "".join(pieces) == "".join(b.text for b in whole.content)
    assert essence(final) == essence(whole)
    if not more:
        assert len(pieces) > 2


def test_tool_calls_are_streamed_too(client):
    ask = [{"role": "user", "content": "What is the weather in Turin and in Ghent?"}]
    whole = send(client, ask, tools=[TOOL])
    assert essence(streamed(client, ask, tools=[TOOL])[1]) == essence(whole)


def test_a_refused_stream_raises_before_it_begins(client):
    with pytest.raises(anthropic.BadRequestError):
        streamed(client, [])


def test_an_async_client_gets_the_same_reply(client):
    async def ask():
        transport = httpx2.AsyncClient(transport=PracticeAPI())
        client = anthropic.AsyncAnthropic(
            api_key="practice", max_retries=0, http_client=transport,
            _strict_response_validation=True,
        )  # fmt: skip
        reply = await client.messages.create(model=CHAT_MODEL, max_tokens=50, messages=[USER])
        async with client.messages.stream(
            model=CHAT_MODEL, max_tokens=50, messages=[USER]
        ) as stream:
            return essence(reply), essence(await stream.get_final_message())

    whole = essence(send(client))
    assert asyncio.run(ask()) == (whole, whole)


# --- failures ------------------------------------------------------------------------------------

CLASSES = {
    401: anthropic.AuthenticationError,
    403: anthropic.PermissionDeniedError,
    429: anthropic.RateLimitError,
    500: anthropic.InternalServerError,
    503: anthropic.InternalServerError,
    529: anthropic.OverloadedError,
}


@pytest.mark.parametrize("status", CLASSES)
def test_an_injected_failure_is_the_sdk_s_own(status):
    client = make_client(failures=[status])
    with pytest.raises(CLASSES[status]) as caught:
        send(client)
    assert caught.value.status_code == status
    assert caught.value.type == errors.USUAL[status][0]
    assert send(client).role == "assistant"  # one failure, one answer


def test_the_sdk_retries_what_passes():
    client = make_client(failures=[529, 429]).with_options(max_retries=2)
    assert send(client).role == "assistant"


def test_a_status_that_the_api_does_not_use():
    with pytest.raises(ValueError, match="418"):
        PracticeAPI(failures=[418])


def test_a_bug_surfaces_as_itself(monkeypatch, capsys):
    client = backends.connect("practice")
    monkeypatch.setattr("helpers.practice.api.reply", lambda body: body["no such field"])
    attempts = []
    monkeypatch.setattr(
        "helpers.practice.checks.messages.validate_request",
        lambda *a, **k: attempts.append(1) or [],
    )
    with pytest.raises(KeyError, match="no such field"):
        send(client.with_options(max_retries=2))
    assert len(attempts) == 1


def test_a_request_leaves_nothing_behind(client):
    """State would show here: the second client has seen a thousand other requests."""
    fresh = make_client()
    for n in range(1000):
        send(client, [{"role": "user", "content": f"My name is Nobody{n}."}])
    ask = [{"role": "user", "content": "What is my name?"}]
    busy, alone = send(client, ask), send(fresh, ask)
    assert busy.content == alone.content
    assert "Nobody" not in json.dumps(busy.model_dump(mode="json"))


def test_two_threads_do_not_share_an_id():
    client, ids, lock = make_client(), [], threading.Lock()

    def one(_):
        reply = send(client, max_tokens=1)
        with lock:
            ids.append(reply._request_id)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(50)))
    assert len(set(ids)) == 50


def test_the_agent_model_answers_too(client):
    assert send(client, model=AGENT_MODEL).model == AGENT_MODEL
