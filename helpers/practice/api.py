"""The API half: an HTTP transport that answers like the Messages API, without a network.

A real `anthropic.Anthropic` is given this as the transport of its HTTP client. What the service
would refuse is refused here with the same status and error type; what it would report (usage, stop
reason, ids) is reported. The text of the answer comes from `reply`, a pure function of the request.
"""

import itertools
import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import httpx2

from .. import caching, models
from . import context, streaming, tokenizer
from .catalog import model_info, model_list
from .checks import check
from .context import asking, compacting, thinking
from .errors import Refused, bad_request, compaction_unavailable, usual
from .fields import check_headers
from .reply import reply
from .spoiling import check_kind, spoil
from .writing import usage, written

Account = Callable[[dict], caching.CacheUsage]

MAX_BODY_BYTES = 32 * 1024 * 1024  # of one request


class PracticeAPI(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """The transport, for a client and for an async client.

    It keeps no content between requests: a counter, failures to come, and the prompt cache's books
    (hashes of what could be read again). The books change `usage` and never a reply.

    failures: what goes wrong, one entry for each request, in this order: an HTTP status (such as
        529) or "compaction_unavailable"; a kind of `spoiling.KINDS` (such as "truncated"), or None
        for a message call that goes well: these two wait for the next message call.
    ids: numbers for request and message ids, so that a run gives the same ids each time.
    clock: seconds, for the lifetime of cache entries. By default no time passes.
    """

    def __init__(
        self,
        *,
        failures: Iterable[int | str | None] = (),
        ids: Iterator[int] | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ):
        self._failures = deque(map(_failure, failures))
        self._ids = ids or itertools.count(1)
        self._books = caching.CacheBooks(clock)
        self._booking = threading.Lock()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        return self.handle_request(request)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        number = next(self._ids)
        request_id = f"req_practice_{number:06d}"
        try:
            answer, status, headers = self._answer(request, number), 200, {}
        except Refused as refused:
            answer, status, headers = refused.body(request_id), refused.status, refused.headers
        headers = {"request-id": request_id, **headers}
        if isinstance(answer, bytes):
            headers["content-type"] = "text/event-stream; charset=utf-8"
            return httpx2.Response(status, content=answer, headers=headers)
        headers["content-type"] = "application/json"
        return httpx2.Response(status, content=json.dumps(answer).encode(), headers=headers)

    def _answer(self, request: httpx2.Request, number: int) -> dict | bytes:
        """The answer as a JSON object, or as the bytes of an event stream."""
        content = request.read()
        if len(content) > MAX_BODY_BYTES:
            raise usual(413)
        betas = check_headers(request.headers)
        route = (request.method, request.url.path)
        failure = self._next_failure(spoils=route == ("POST", "/v1/messages"))
        if route == ("POST", "/v1/messages"):
            body = _parsed(content)
            answer = create(body, betas, f"msg_practice_{number:06d}", self._account)
            if failure:
                answer = spoil(answer, failure, body)
            return streaming.events(answer) if body.get("stream") else answer
        if route == ("POST", "/v1/messages/count_tokens"):
            return count_tokens(_parsed(content), betas)
        if route == ("GET", "/v1/models"):
            return model_list(request.url.params)
        if request.method == "GET" and request.url.path.startswith("/v1/models/"):
            return model_info(request.url.path.removeprefix("/v1/models/"))
        raise usual(404)

    def _next_failure(self, *, spoils: bool) -> str | None:
        """Raises the failure that is due, or gives the kind in which the reply is to be spoiled."""
        if not self._failures or not (spoils or isinstance(self._failures[0], Refused)):
            return None
        failure = self._failures.popleft()
        if isinstance(failure, Refused):
            raise failure
        return failure

    def _account(self, body: dict) -> caching.CacheUsage:
        """Book one valid request; bad_request if its breakpoints are refused."""
        blocks = _chain(body)
        with self._booking:
            return self._books.account(body["model"], blocks)


def _failure(what: int | str | None) -> Refused | str | None:
    """A failure to come as the API will use it; ValueError for one that there is not."""
    if what == "compaction_unavailable":
        return compaction_unavailable()
    if what is None:
        return None
    return check_kind(what) if isinstance(what, str) else usual(what)


def _chain(body: dict) -> list[caching.Block]:
    """The request as the cache sees it; [] if it asks for no caching."""
    if not caching.has_breakpoints(body):
        return []
    try:
        blocks = caching.chain(body, tokenizer.count_request)
        caching.check_breakpoints(blocks)
    except caching.CacheError as error:
        raise bad_request(str(error)) from None
    return blocks


def create(body: dict, betas: set[str], message_id: str, account: Account) -> dict:
    """The answer to POST /v1/messages as a dict; Refused if the service would refuse `body`.

    `account` books one request as the model sees it and says what the cache had of it.
    """
    check(body, betas, counting=False)
    seen = context.see(body)
    _check_window(seen)
    head = {"id": message_id, "type": "message", "role": "assistant", "model": body["model"]}
    if body.get("compaction") is not None:
        return {**head, **_compaction(seen, account)}
    edit = context.due(seen)
    compaction, iterations, pause = [], [], False
    if edit is not None:
        seen, compaction, iterations = _compacted(seen, edit, account)
        pause = edit.get("pause_after_compaction", False)
    message = _summarised(compaction, iterations) if pause else _replied(seen, account)
    if iterations and not pause:
        message["content"] = [*compaction, *message["content"]]
        billed = {k: v for k, v in message["usage"].items() if k in iterations[0]}
        message["usage"]["iterations"] = [*iterations, {"type": "message", **billed}]
    if body.get("context_management") is not None:
        message["context_management"] = {"applied_edits": seen.applied_edits}
    if thinking.CONTROLS in betas:
        message["input_transformations"] = seen.input_transformations
    return {**head, **message}


def _check_window(seen: context.Seen) -> None:
    window, tokens = models.model(seen.body["model"]).window, seen.tokens
    if tokens > window:
        raise bad_request(f"prompt is too long: {tokens} tokens > {window} maximum")


def _replied(seen: context.Seen, account: Account) -> dict:
    """The model's reply to the request as it sees it."""
    body, prompt_tokens = seen.body, seen.tokens
    model = models.model(body["model"])
    booked = account(body)
    answer = reply(body)
    thought = thinking.thought(body, answer) if thinking.wanted(body, model) else None
    limits = {
        "max_tokens": body["max_tokens"],
        "model_context_window_exceeded": model.window - prompt_tokens,
    }
    said = written(answer, thought, body.get("stop_sequences") or [], limits)
    used = {**usage(booked, prompt_tokens, said.output_tokens), "service_tier": "standard"}
    if thought is not None:
        used["output_tokens_details"] = {"thinking_tokens": said.thinking_tokens}
    content = [
        thinking.signed(seen.sent, b["thinking"]) if b["type"] == "thinking" else b
        for b in said.content
    ]
    ending = {"stop_reason": said.stop_reason, "stop_sequence": said.stop_sequence}
    return {"content": content, **ending, "usage": used}


# ---------------------------------------------------------------- compaction


def _compaction(seen: context.Seen, account: Account) -> dict:
    """The answer to a request for a summary: the block alone, or nothing if it did not come about."""
    if (summary := asking.adopted(seen.body)) is not None:
        nothing = usage(caching.CacheUsage(), 0, 0)
        return _summarised(
            [compacting.signed(seen.sent, summary)], [{"type": "compaction", **nothing}]
        )
    summary, iteration = _summary(seen, seen.body["compaction"].get("instructions"), account)
    too_long = iteration["output_tokens"] > seen.body["max_tokens"]
    if summary is not None and not too_long:
        return _summarised([compacting.signed(seen.sent, summary)], [iteration])
    if too_long:
        iteration["output_tokens"] = seen.body["max_tokens"]
    failed = _summarised([], [iteration])
    return {**failed, "stop_reason": "max_tokens" if too_long else "end_turn"}


def _compacted(seen: context.Seen, edit: dict, account: Account):
    """The request after the edit that summarises it, its block, and what that used."""
    summary, iteration = _summary(seen, edit.get("instructions"), account)
    block = compacting.at_threshold(seen.sent, summary)
    if summary is not None:
        seen = context.compacted(seen, summary)
    return seen, [block], [iteration]


def _summary(seen: context.Seen, instructions: str | None, account: Account):
    """The summary of a request (None: none came about), and the tokens that it used."""
    request = asking.summary_request(seen.body, instructions)
    asked = tokenizer.count_message({"content": f"{asking.TASK}\n{instructions or ''}"})
    summary = asking.summarised(request)
    used = usage(account(seen.body), seen.tokens + asked, tokenizer.count_text(summary or ""))
    return summary, {"type": "compaction", **used}


def _summarised(content: list[dict], iterations: list[dict]) -> dict:
    """A message that holds a summary and no reply. Its own usage is nothing."""
    nothing = {**usage(caching.CacheUsage(), 0, 0), "service_tier": "standard"}
    return {
        "content": content,
        "stop_reason": "compaction",
        "stop_sequence": None,
        "usage": {**nothing, "iterations": iterations},
    }


# ---------------------------------------------------------------- counting, and what is accepted


def count_tokens(body: dict, betas: set[str]) -> dict:
    """The answer to POST /v1/messages/count_tokens: tokens of the whole request.

    With `context_management` what would be left after the edits that clear, and what there was.
    Nothing is summarised for it.
    """
    check(body, betas, counting=True)
    seen = context.see(body)
    _chain(seen.body)  # refuses bad breakpoints; counting reads and writes no cache
    counted = {"input_tokens": seen.tokens}
    if body.get("context_management") is not None:
        counted["context_management"] = {"original_input_tokens": seen.original_tokens}
    return counted


def _parsed(content: bytes) -> dict:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):  # not JSON, not UTF-8, or nested without end
        raise bad_request("The request body is not valid JSON") from None
    if not isinstance(body, dict):
        raise bad_request("The request body is not a JSON object")
    return body
