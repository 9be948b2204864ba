"""One way to look at calls of the SDK, for its sync and its async client, streamed or not.

A `Hook` says what to do before a request goes out, with an error, and with a reply. `sync(hook)`
and `asynchronous(hook)` are the middleware functions that the SDK takes.
"""

import copy
import json
import re
from collections.abc import Callable
from typing import Any


class Hook:
    """What to do around one call. The defaults do nothing. `request` is the same object each time."""

    def before(self, request):
        """The SDK's request to send in place of `request`; may raise, then nothing is sent."""
        return request

    def answered(self, request, response) -> None:
        """An HTTP response came, of whatever status (an error's body has been read). An exception
        raised here takes its place; the SDK tries again if the exception's class is one of those."""

    def failed(self, request, error: Exception | None) -> Exception | None:
        """No reply came: what the caller sees of `error`; None if an error status came back."""
        return error

    def replied(self, request, message: Any, complete: bool) -> None:
        """A reply came: the SDK's Message, without its text if streamed. Not `complete`: the stream
        was left before it had reported all its tokens."""


def sync(hook: Hook) -> Callable:
    """The hook as a middleware of `anthropic.Anthropic`."""

    def middleware(request, call_next):
        request = hook.before(request)
        try:
            response = call_next(request)
        except Exception as error:
            _raise(hook.failed(request, error), error)
        if not response.http_response.is_success:
            response.http_response.read()
        hook.answered(request, response.http_response)
        _seen(hook, request, response.http_response)
        return response

    return middleware


def asynchronous(hook: Hook) -> Callable:
    """The hook as a middleware of `anthropic.AsyncAnthropic`."""

    async def middleware(request, call_next):
        request = hook.before(request)
        try:
            response = await call_next(request)
        except Exception as error:
            _raise(hook.failed(request, error), error)
        if not response.http_response.is_success:
            await response.http_response.aread()
        hook.answered(request, response.http_response)
        _seen(hook, request, response.http_response)
        return response

    return middleware


def changing(due: Callable, change: Callable[[dict, dict], dict]) -> Callable:
    """A middleware of `anthropic.Anthropic` that changes replies.

    due(request) says of each SDK request whether its reply is to be changed; change(message, body)
    gives the new message (a dict as it comes over the wire). A streamed call is made in one piece
    and its changed reply streamed from here. Errors pass unchanged. Put it innermost.
    """

    def middleware(request, call_next):
        if not due(request):
            return call_next(request)
        response = call_next(_in_one_piece(request))
        if response.http_response.is_success:
            response.http_response.read()
            _replace(response, request, change)
        return response

    return middleware


def changing_async(due: Callable, change: Callable[[dict, dict], dict]) -> Callable:
    """The same as `changing`, for `anthropic.AsyncAnthropic`."""

    async def middleware(request, call_next):
        if not due(request):
            return await call_next(request)
        response = await call_next(_in_one_piece(request))
        if response.http_response.is_success:
            await response.http_response.aread()
            _replace(response, request, change)
        return response

    return middleware


def _in_one_piece(request):
    """The same call without streaming: a reply that is to be changed is needed whole."""
    if not sent_body(request).get("stream"):
        return request
    return request.copy(body={**request.json, "stream": False})


def _replace(response, request, change: Callable[[dict, dict], dict]) -> None:
    """Put the changed reply in the place of the one that came."""
    import httpx2

    from .practice import streaming

    old, body = response.http_response, sent_body(request)
    message = change(old.json(), body)
    headers = {k: v for k, v in old.headers.items() if k.lower() in _KEPT_HEADERS}
    if body.get("stream"):
        headers["content-type"] = "text/event-stream; charset=utf-8"
        content = streaming.events(message)
    else:
        headers["content-type"] = "application/json"
        content = json.dumps(message).encode()
    response.http_response = httpx2.Response(
        old.status_code, headers=headers, content=content, request=old.request
    )


_KEPT_HEADERS = ("request-id", "anthropic-workspace-id")


def path_of(request) -> str:
    """The path of an SDK request, without a query."""
    return request.url.partition("?")[0]


def is_message_call(request) -> bool:
    """True for the SDK request that asks for a reply (counting tokens and listing models do not)."""
    return request.method.upper() == "POST" and path_of(request).endswith("/messages")


def sent_body(request) -> dict:
    """A copy of the JSON body of an SDK request, `extra_body` merged in as the SDK does."""
    extra = request.options.extra_json or {}
    return copy.deepcopy({**(request.json or {}), **extra})


def _raise(seen: Exception | None, error: Exception):
    if seen is None or seen is error:
        raise error
    raise seen from None


def _seen(hook: Hook, request, response) -> None:
    """Tell the hook about a response, at once or when its body has been read."""
    import httpx2

    if not is_message_call(request):
        return
    if not response.is_success:
        hook.failed(request, None)
        return
    try:
        content = response.content
    except httpx2.ResponseNotRead:
        _watch(response, hook, request)
    else:
        _tell(hook, request, content)


def _watch(response, hook: Hook, request) -> None:
    """Read along while the caller reads the body; tell the hook when it ended or was left."""
    pieces, apieces, close, aclose = (
        response.iter_bytes, response.aiter_bytes, response.close, response.aclose,
    )  # fmt: skip
    seen, told = bytearray(), []

    def tell() -> None:
        if not told:
            told.append(True)
            _tell(hook, request, bytes(seen))

    def iter_bytes(*args, **kwargs):
        for chunk in pieces(*args, **kwargs):
            seen.extend(chunk)
            yield chunk
        tell()

    async def aiter_bytes(*args, **kwargs):
        async for chunk in apieces(*args, **kwargs):
            seen.extend(chunk)
            yield chunk
        tell()

    def closed() -> None:
        close()
        tell()

    async def aclosed() -> None:
        await aclose()
        tell()

    response.iter_bytes, response.aiter_bytes = iter_bytes, aiter_bytes
    response.close, response.aclose = closed, aclosed


def _tell(hook: Hook, request, content: bytes) -> None:
    """Give the hook what a body says about the reply: a JSON message, or the events of a stream.

    A body that is neither (a proxy's page, say) is no reply that could be priced: it is left.
    """
    import anthropic

    text = content.decode("utf-8", "replace")
    message, complete = _whole(text), True
    if message is None:
        message, complete = _streamed(text)
    if message is not None:
        hook.replied(request, anthropic.types.Message.construct(**message), complete)


def _whole(text: str) -> dict | None:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _streamed(text: str) -> tuple[dict | None, bool]:
    """What a stream's events say of the message, and whether its last figures had come."""
    message, complete = None, False
    for event in _events(text):
        if event.get("type") == "message_start" and isinstance(event.get("message"), dict):
            message = event["message"]
        elif event.get("type") == "message_delta" and message is not None:
            told = {k: v for k, v in (event.get("usage") or {}).items() if v is not None}
            usage = {**(message.get("usage") or {}), **told}
            message = {**message, **(event.get("delta") or {}), "usage": usage}
            complete = True
    return message, complete


def _events(text: str):
    """The data of each server-sent event that is a JSON object."""
    for block in re.split(r"(?:\r\n|\n|\r){2}", text):
        lines = re.split(r"\r\n|\n|\r", block)
        data = "\n".join(line[5:].strip() for line in lines if line.startswith("data:"))
        event = _whole(data)
        if event is not None:
            yield event
