"""One way to look at calls of the SDK, for its sync and its async client, streamed or not.

A `Hook` says what to do before a request goes out, with an error, and with a complete reply.
`sync(hook)` and `asynchronous(hook)` are the middleware functions that the SDK takes.
"""

import copy
import json
from collections.abc import Callable
from typing import Any


class Hook:
    """What to do around one call. The defaults do nothing."""

    def before(self, request):
        """The SDK's request to send in place of `request`; may raise, then nothing is sent."""
        return request

    def error(self, error: Exception) -> Exception:
        """What the caller sees of an error that came back instead of a response."""
        return error

    def replied(self, body: dict, message: Any) -> None:
        """A reply is complete: the body that went out, and the SDK's Message."""


def sync(hook: Hook) -> Callable:
    """The hook as a middleware of `anthropic.Anthropic`."""

    def middleware(request, call_next):
        request = hook.before(request)
        try:
            response = call_next(request)
        except Exception as error:
            seen = hook.error(error)
            if seen is error:
                raise
            raise seen from None
        if _is_reply(request, response):
            if request.stream:
                _watch(response.http_response, hook, sent_body(request))
            else:
                hook.replied(sent_body(request), response.parse())
        return response

    return middleware


def asynchronous(hook: Hook) -> Callable:
    """The hook as a middleware of `anthropic.AsyncAnthropic`."""

    async def middleware(request, call_next):
        request = hook.before(request)
        try:
            response = await call_next(request)
        except Exception as error:
            seen = hook.error(error)
            if seen is error:
                raise
            raise seen from None
        if _is_reply(request, response):
            if request.stream:
                _watch(response.http_response, hook, sent_body(request))
            else:
                hook.replied(sent_body(request), await response.parse())
        return response

    return middleware


def is_message_call(request) -> bool:
    """True for the SDK request that asks for a reply (counting tokens and listing models do not)."""
    return request.method.upper() == "POST" and request.url.endswith("/messages")


def sent_body(request) -> dict:
    """A copy of the JSON body of an SDK request, `extra_body` merged in as the SDK does."""
    extra = request.options.extra_json or {}
    return copy.deepcopy({**(request.json or {}), **extra})


def _is_reply(request, response) -> bool:
    return is_message_call(request) and response.http_response.is_success


def _watch(response, hook: Hook, body: dict) -> None:
    """Read along while the caller reads the stream; tell the hook when it ended or was left."""
    pieces, apieces, close, aclose = (
        response.iter_bytes, response.aiter_bytes, response.close, response.aclose,
    )  # fmt: skip
    seen, told = bytearray(), []

    def tell() -> None:
        if not told:
            told.append(True)
            _tell(hook, body, bytes(seen))

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
        if seen:  # a response is also closed after its last byte was fetched, before it is read
            tell()

    async def aclosed() -> None:
        await aclose()
        if seen:
            tell()

    response.iter_bytes, response.aiter_bytes = iter_bytes, aiter_bytes
    response.close, response.aclose = closed, aclosed


def _tell(hook: Hook, body: dict, stream: bytes) -> None:
    """Give the hook what the events of a stream say about the reply (its text is not put together).

    A stream that was left early is told with the tokens that it had reported so far.
    """
    import anthropic

    message: dict | None = None
    for line in stream.decode("utf-8", "replace").splitlines():
        if not line.startswith("data:"):
            continue
        try:
            event = json.loads(line.removeprefix("data:"))
        except ValueError:  # the last line of a stream that was left
            continue
        if event.get("type") == "message_start":
            message = event["message"]
        elif event.get("type") == "message_delta" and message is not None:
            usage = {**(message.get("usage") or {}), **(event.get("usage") or {})}
            message = {**message, **(event.get("delta") or {}), "usage": usage}
    if message is not None:
        hook.replied(body, anthropic.types.Message.construct(**message))
