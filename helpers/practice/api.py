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

from .. import caching, messages, models
from . import streaming, tokenizer
from .context import expanded
from .errors import Refused, bad_request, compaction_unavailable, usual
from .fields import check_fields, check_headers, check_values
from .reply import reply
from .spoiling import check_kind, spoil

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
        check_headers(request.headers)
        route = (request.method, request.url.path)
        failure = self._next_failure(spoils=route == ("POST", "/v1/messages"))
        if route == ("POST", "/v1/messages"):
            body = _parsed(content)
            answer = create(body, f"msg_practice_{number:06d}", self._account)
            if failure:
                answer = spoil(answer, failure, body)
            return streaming.events(answer) if body.get("stream") else answer
        if route == ("POST", "/v1/messages/count_tokens"):
            return count_tokens(_parsed(content))
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


def create(body: dict, message_id: str, account: Callable[[dict], caching.CacheUsage]) -> dict:
    """The answer to POST /v1/messages as a dict; Refused if the service would refuse `body`."""
    _check(body, counting=False)
    model = models.model(body["model"])
    body = {**body, "tools": expanded(body.get("tools"))}
    prompt_tokens = tokenizer.count_request(body)
    if prompt_tokens > model.window:
        raise bad_request(f"prompt is too long: {prompt_tokens} tokens > {model.window} maximum")
    booked = account(body)
    answer = reply(body)
    content, stop_reason, stop_sequence = answer.content, answer.stop_reason, None
    content, found = _stop_at(content, body.get("stop_sequences") or [])
    if found is not None:
        stop_reason, stop_sequence = "stop_sequence", found
    room = model.window - prompt_tokens
    content, cut = _fit(content, min(body["max_tokens"], room))
    if cut:
        full = room < body["max_tokens"]
        stop_reason = "model_context_window_exceeded" if full else "max_tokens"
        stop_sequence = None
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": model.id,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": stop_sequence,
        "usage": {
            "input_tokens": prompt_tokens - booked.read - booked.write_5m - booked.write_1h,
            "output_tokens": tokenizer.count_blocks(content),
            "cache_creation_input_tokens": booked.write_5m + booked.write_1h,
            "cache_read_input_tokens": booked.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": booked.write_5m,
                "ephemeral_1h_input_tokens": booked.write_1h,
            },
            "service_tier": "standard",
        },
    }


def count_tokens(body: dict) -> dict:
    """The answer to POST /v1/messages/count_tokens: tokens of the whole request."""
    _check(body, counting=True)
    body = {**body, "tools": expanded(body.get("tools"))}
    _chain(body)  # refuses bad breakpoints; counting reads and writes no cache
    return {"input_tokens": tokenizer.count_request(body)}


def model_list(params) -> dict:
    """The answer to GET /v1/models: at most `limit` rows, after `after_id` or before `before_id`."""
    ids = list(models.MODELS)
    for name in ("after_id", "before_id"):
        if params.get(name) and params[name] not in ids:
            raise bad_request(f"{name}: no model is named {params[name]!r}")
    if params.get("after_id"):
        ids = ids[ids.index(params["after_id"]) + 1 :]
    if params.get("before_id"):
        ids = ids[: ids.index(params["before_id"])]
    limit = params.get("limit", "20")
    if not limit.isascii() or not limit.isdigit() or not 1 <= int(limit) <= 1000:
        raise bad_request("limit: Input should be from 1 to 1000")
    rows = [model_info(model_id) for model_id in ids[: int(limit)]]
    first, last = (rows[0]["id"], rows[-1]["id"]) if rows else (None, None)
    more = len(ids) > len(rows)
    return {"data": rows, "has_more": more, "first_id": first, "last_id": last}


def model_info(model_id: str) -> dict:
    """The answer to GET /v1/models/{id}. The release date is given as unknown: the epoch."""
    if model_id not in models.MODELS:
        raise Refused(404, "not_found_error", f"model: {model_id}")
    model = models.model(model_id)
    return {
        "type": "model",
        "id": model.id,
        "display_name": model.name,
        "created_at": "1970-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": model.window,
        "max_tokens": model.max_output,
    }


def _parsed(content: bytes) -> dict:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):  # not JSON, not UTF-8, or nested without end
        raise bad_request("The request body is not valid JSON") from None
    if not isinstance(body, dict):
        raise bad_request("The request body is not a JSON object")
    return body


def _check(body: dict, *, counting: bool) -> None:
    check_fields(body, counting=counting)
    problems = messages.validate_request(
        body["messages"], system=body.get("system"), tools=body.get("tools"), model=body["model"]
    )
    if problems:
        first = problems[0]
        raise Refused(first.status, first.type, first.message)
    check_values(body)


def _stop_at(content: list[dict], sequences: list[str]) -> tuple[list[dict], str | None]:
    """Content up to the first stop sequence in a text block, and that sequence (None: not met)."""
    for i, block in enumerate(content):
        text = block.get("text", "")
        met = [(text.find(s), s) for s in sequences if s in text]
        if met:
            at, sequence = min(met)
            before = [{**block, "text": text[:at]}] if text[:at] else []
            return content[:i] + before, sequence
    return content, None


def _fit(content: list[dict], limit: int) -> tuple[list[dict], bool]:
    """Content of at most `limit` tokens, and whether something had to go."""
    kept: list[dict] = []
    for block in content:
        tokens = tokenizer.count_blocks([block])
        if tokens > limit:
            text = tokenizer.cut(block["text"], limit) if block["type"] == "text" else ""
            return kept + ([{**block, "text": text}] if text else []), True
        kept.append(block)
        limit -= tokens
    return kept, False
