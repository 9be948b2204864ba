"""Other servers for the Messages API: what they do differently ends in one sentence."""

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anthropic
import pydantic
import pytest

from helpers import connect
from helpers.backends import BackendError, connect_async
from helpers.models import CHAT_MODEL
from helpers.servers import WORDS, NoStructure, said, too_much

HELLO = [{"role": "user", "content": "Hello!"}]
MESSAGE = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None,
    "content": [{"type": "text", "text": "Hello."}], "stop_reason": "end_turn",
    "usage": {"input_tokens": 3, "output_tokens": 2},
}  # fmt: skip


@contextmanager
def server(status, answer, kind="application/json"):
    """A server that gives every request the same answer; its address."""
    content = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST

        def log_message(self, *_):
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.server_address[1]}"
    finally:
        listening.shutdown()
        listening.server_close()


@pytest.fixture
def endpoint(monkeypatch):
    """A client of a server with one answer, without retries."""
    with contextmanagers() as enter:

        def make(status, answer, kind="application/json", connect=connect):
            url = enter(server(status, answer, kind))
            monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
            return connect("endpoint").with_options(max_retries=0)

        yield make


@contextmanager
def contextmanagers():
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield stack.enter_context


def ask(client, **more):
    given = {"model": CHAT_MODEL, "max_tokens": 9, "messages": HELLO, **more}
    return client.messages.create(**given)


# What the servers really answer: llama.cpp measured here, the others as their projects document it.
LLAMA = {"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 8192,
                   "message": "request (9031 tokens) exceeds the available context size (8192 "
                   "tokens), try increasing it", "n_prompt_tokens": 9031}}  # fmt: skip
VLLM = {"object": "error", "code": 400, "type": "BadRequestError",
        "message": "This model's maximum context length is 4096 tokens. However, you requested "
        "5000 tokens."}  # fmt: skip
NO_MODEL = {"type": "error", "error": {"type": "not_found_error", "message": "model 'x' not found"}}
NO_IMAGES = {"error": {"code": 500, "message": "image input is not supported", "type": "x"}}
PAGE = "<html><body>nginx: 404 Not Found</body></html>"

ERRORS = [
    (400, LLAMA, anthropic.BadRequestError, "9031 tokens > 8192 maximum; send less"),
    (400, VLLM, anthropic.BadRequestError, "maximum context length is 4096 tokens"),
    (404, NO_MODEL, anthropic.NotFoundError, f"has no model '{CHAT_MODEL}': set COURSE_MODEL"),
    (404, {"detail": "Not Found"}, anthropic.NotFoundError, "has no /v1/messages: ANTHROPIC_BASE"),
    (404, PAGE, anthropic.NotFoundError, "has no /v1/messages"),
    (405, "", anthropic.APIStatusError, "has no /v1/messages"),
    (401, {"error": "no key"}, anthropic.AuthenticationError, "set ANTHROPIC_AUTH_TOKEN"),
    (403, PAGE, anthropic.PermissionDeniedError, "set ANTHROPIC_AUTH_TOKEN"),
    (500, NO_IMAGES, anthropic.InternalServerError, "with status 500 (image input is not supp"),
    (422, {"detail": [{"loc": ["body"]}]}, anthropic.UnprocessableEntityError, "status 422"),
    (429, {"error": "busy"}, anthropic.RateLimitError, "status 429 (busy)"),
    (503, PAGE, anthropic.InternalServerError, "status 503 (a web page)"),
]


@pytest.mark.parametrize(("status", "answer", "kind", "words"), ERRORS)
def test_an_error_keeps_its_class_and_becomes_a_sentence(endpoint, status, answer, kind, words):
    client = endpoint(status, answer)
    with pytest.raises(kind) as caught:
        ask(client)
    sentence = str(caught.value)
    assert words in sentence and "the server at 127.0.0.1:" in sentence
    assert "\n" not in sentence and "<html" not in sentence
    assert "COURSE_MODEL" in sentence or "connect('practice')" in sentence
    assert caught.value.status_code == status
    assert caught.value.body == (answer if isinstance(answer, dict) else answer.strip())
    with pytest.raises(kind) as streamed:
        with client.messages.stream(model=CHAT_MODEL, max_tokens=9, messages=HELLO):
            pass
    assert str(streamed.value) == sentence


def test_the_async_client_says_the_same(endpoint):
    async def call():
        await ask(endpoint(400, LLAMA, connect=connect_async))

    with pytest.raises(anthropic.BadRequestError, match="9031 tokens > 8192 maximum"):
        asyncio.run(call())


def test_an_error_that_is_worded_as_by_the_api_stays_as_it_is(endpoint):
    answer = {"type": "error", "error": {"type": "invalid_request_error", "message": "too odd"}}
    with pytest.raises(anthropic.BadRequestError) as caught:
        ask(endpoint(400, answer))
    assert str(caught.value) == f"Error code: 400 - {answer}" and caught.value.body == answer


def test_a_server_that_cannot_count_says_so(endpoint):
    client = endpoint(404, {"error": {"message": "File Not Found"}})
    with pytest.raises(anthropic.NotFoundError, match="cannot count tokens beforehand") as caught:
        client.messages.count_tokens(model=CHAT_MODEL, messages=HELLO)
    assert "read a reply's usage instead" in str(caught.value)


def test_what_asked_for_too_much_is_named(endpoint):
    tool = {"name": "get", "input_schema": {"type": "object"}}
    with pytest.raises(anthropic.BadRequestError, match="which asks for tools, with status 400"):
        ask(endpoint(400, {"error": "no"}), tools=[tool])


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "text/plain"])
def test_a_web_page_is_no_message(endpoint, kind):
    with pytest.raises(BackendError, match="a web page or a plain text, not with a message"):
        ask(endpoint(200, PAGE, kind))


class Name(pydantic.BaseModel):
    name: str


def test_no_structured_output_is_a_sentence_not_a_page_of_pydantic(endpoint):
    client = endpoint(200, MESSAGE)
    with pytest.raises(NoStructure, match="does no structured output") as caught:
        client.messages.parse(model=CHAT_MODEL, max_tokens=9, messages=HELLO, output_format=Name)
    assert isinstance(caught.value, BackendError | ValueError)
    assert caught.value._render_traceback_() == [f"NoStructure: {caught.value}"]
    cut = {**MESSAGE, "stop_reason": "max_tokens"}  # what is cut off proves nothing
    with pytest.raises(pydantic.ValidationError):
        endpoint(200, cut).messages.parse(
            model=CHAT_MODEL, max_tokens=9, messages=HELLO, output_format=Name
        )
    fine = {**MESSAGE, "content": [{"type": "text", "text": '{"name": "Ines"}'}]}
    reply = endpoint(200, fine).messages.parse(
        model=CHAT_MODEL, max_tokens=9, messages=HELLO, output_format=Name
    )
    assert reply.parsed_output.name == "Ines"


def test_a_reply_without_cache_fields_is_a_reply(endpoint):
    usage = ask(endpoint(200, MESSAGE)).usage
    assert usage.cache_read_input_tokens is None and usage.input_tokens == 3


def test_a_server_that_went_away_says_so(monkeypatch):
    with server(200, MESSAGE) as url:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url.replace("//", "//user:secret@"))
        client = connect("endpoint").with_options(max_retries=0)
    with pytest.raises(anthropic.APIConnectionError, match="does not answer any more") as caught:
        ask(client)
    assert "secret" not in str(caught.value) and "start it again" in str(caught.value)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "a"}}, "a"),
        ({"error": "b"}, "b"),
        ({"detail": "c\n d"}, "c d"),
        ({"message": "d"}, "d"),
        ({"detail": [{"loc": 1}]}, '[{"loc": 1}]'),
        ("plain", "plain"),
        ("", "without a word"),
        ({}, "without a word"),
        ([], "[]"),
        (None, "null"),
        ({"error": None}, "without a word"),
        (PAGE, "a web page"),
    ],
)
def test_what_a_server_said_in_one_line(body, words):
    assert said(body) == words
    assert len(said({"error": "x" * 999})) == WORDS


@pytest.mark.parametrize(
    "body",
    [{}, {"messages": None}, {"messages": "x"}, {"messages": [1]}, {"tools": []}, {"messages": HELLO},
     {"output_config": None}, {"output_config": {"effort": "low"}}, {"context_management": None}],
)  # fmt: skip
def test_what_is_plain_is_not_too_much(body):
    assert too_much(body) is None
