"""Servers that speak the Messages API and are not Claude: what they do otherwise, in a sentence.

Ollama, llama.cpp, vLLM, LM Studio and others answer the same requests. They differ in what they
leave out (counting, structured output, cache fields) and in how they word an error.
"""

import json
import re
import socket
from urllib.parse import urlsplit

from .backend_errors import BackendError
from .messages import text_of, validate_request
from .middleware import Hook, path_of, sent_body

PRACTICE = "or use connect('practice')"
TOO_LONG = re.compile(
    r"exceed_context_size|context (?:size|length|window)|prompt is too long|maximum context",
    re.IGNORECASE,
)
WORDS = 160  # characters of a server's own message that are repeated


class NoStructure(BackendError, ValueError):
    """A reply that was to be JSON is none: the server does not do structured output."""


class UseModel(Hook):
    """Asks for one model, whatever model the lesson names."""

    def __init__(self, model_id: str):
        self.model_id = model_id

    def before(self, request):
        if request.json and "model" in request.json:
            return request.copy(body={**request.json, "model": self.model_id})
        return request


class Explain(Hook):
    """Ends what another server cannot do in one sentence, with the class of the SDK's own error.

    who: how the sentence calls the server. again: what to do when it has gone. The server's whole
    answer stays in `error.body`.
    """

    def __init__(self, who: str, again: str = "start it again"):
        self.who, self.again = who, again

    def answered(self, request, response) -> None:
        kind = response.headers.get("content-type", "")
        if response.is_success:
            if "html" in kind or kind.startswith("text/plain"):
                raise BackendError(
                    f"{self.who} answers with a web page or a plain text, not with a message: "
                    f"check the address, {PRACTICE}"
                )
            return
        body = _parsed(response.text)
        if _worded_as_by_the_api(response.status_code, body):
            return
        raise _error_of(response.status_code)(
            explained(response.status_code, body, self.who, path_of(request), sent_body(request)),
            response=response,
            body=body,
        )

    def failed(self, request, error):
        import anthropic

        if isinstance(error, anthropic.APITimeoutError) or not isinstance(
            error, anthropic.APIConnectionError
        ):
            return error
        # The cause says what kind of failure it is; the SDK tries again for this class.
        lost = anthropic.APIConnectionError(
            message=f"{self.who} does not answer any more: {self.again}, {PRACTICE}",
            request=error.request,
        )
        lost.__cause__ = error.__cause__
        return lost

    def replied(self, request, message, complete: bool) -> None:
        output = sent_body(request).get("output_config")
        if not (isinstance(output, dict) and output.get("format")):
            return
        text = text_of(message)
        if text and getattr(message, "stop_reason", None) == "end_turn":
            try:
                json.loads(text)
            except ValueError:
                raise NoStructure(
                    f"{self.who} was asked for JSON and answered with other text, so it or its "
                    f"model does no structured output: use a server and model that do, {PRACTICE}"
                ) from None


BRIEF = (
    'Keep it short. You are a helpful assistant. Begin each answer with "You told me that your". '
    "Say no more than the user said."
)


class Small(Hook):
    """Refuses what is too much for the local model, and what the Messages API itself would refuse.

    Without a system prompt this model rambles on, so that a request without one gets `BRIEF`; not
    one that sets its temperature, as the lab does: that is sent as it is.
    """

    def before(self, request):
        import anthropic
        import httpx2

        if not path_of(request).endswith(("/messages", "/messages/count_tokens")):
            return request
        body = sent_body(request)
        if what := too_much(body):
            raise BackendError(
                f"the local model is too small for {what}: connect('local') is for lessons 00 to "
                f"02 and the lab; take another backend here, such as connect('practice')"
            )
        if problems := validate_request(body.get("messages", []), system=body.get("system")):
            url = httpx2.Request(request.method, "http://127.0.0.1" + path_of(request))
            raise anthropic.BadRequestError(
                problems[0].message,
                response=httpx2.Response(problems[0].status, request=url),
                body={
                    "type": "error",
                    "error": {"type": problems[0].type, "message": problems[0].message},
                },
            )
        if "system" in body or "temperature" in body:
            return request
        return request.copy(body={**(request.json or {}), "system": BRIEF})


def too_much(body: dict) -> str | None:
    """What a very small model cannot do of what a request asks for; None if it can try."""
    if body.get("tools"):
        return "tools"
    if (body.get("output_config") or {}).get("format") or body.get("output_format"):
        return "structured output"
    if any(body.get(name) for name in ("context_management", "compaction")):
        return "clearing or compaction by the server"
    kinds = set()
    for message in body.get("messages") or ():
        content = message.get("content") if isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else ()
        kinds |= {block.get("type") for block in blocks if isinstance(block, dict)}
    if kinds & {"tool_use", "tool_result", "server_tool_use"}:
        return "tools"
    return "images and documents" if kinds & {"image", "document"} else None


def _worded_as_by_the_api(status: int, body) -> bool:
    """Nothing to explain then, but for what a reader of this course has to set."""
    error = body.get("error") if isinstance(body, dict) and body.get("type") == "error" else None
    shaped = isinstance(error, dict) and {"type", "message"} <= set(error)
    return shaped and status not in (401, 403, 404)


def explained(status: int, body, who: str, path: str, sent: dict) -> str:
    """One sentence, with the way out, for an error answer.

    status: of HTTP. body: the answer, parsed if it was JSON, else text. who: how to call the
    server. path: what was called. sent: the request's body.
    """
    words = said(body)
    if status in (401, 403):
        return f"{who} wants a key, or another one: set ANTHROPIC_AUTH_TOKEN, {PRACTICE}"
    if status in (400, 413, 422, 500) and TOO_LONG.search(json.dumps(body, default=str)):
        return f"prompt is too long for {who}: {_sizes(body) or words}; send less, {PRACTICE}"
    if status in (404, 405, 501):
        if path.endswith("/count_tokens"):
            return (
                f"{who} cannot count tokens beforehand (no {path}): read a reply's usage instead, "
                f"{PRACTICE}"
            )
        if re.search(r"\bmodel\b", words, re.IGNORECASE):
            return f"{who} has no model {sent.get('model')!r}: set COURSE_MODEL to one it has"
        return (
            f"{who} has no {path}: ANTHROPIC_BASE_URL must be the address of a server for the "
            f"Messages API, without /v1, {PRACTICE}"
        )
    what = too_much(sent)
    asks = f", which asks for {what}," if what else ""
    return f"{who} refused this request{asks} with status {status} ({words}): change it, {PRACTICE}"


def said(body) -> str:
    """What an error answer says, in one short line: servers put it in different places."""
    found = body
    for _ in range(3):
        if isinstance(found, dict):
            found = next((found[k] for k in ("message", "error", "detail") if found.get(k)), "")
    text = found if isinstance(found, str) else json.dumps(found, default=str)
    if re.match(r"\s*<", text):
        text = "a web page"
    text = " ".join(text.split()) or "without a word"
    return text if len(text) <= WORDS else text[: WORDS - 1] + "…"


def _sizes(body) -> str | None:
    """The two sizes as llama.cpp gives them."""
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and {"n_prompt_tokens", "n_ctx"} <= set(error):
        return f"{error['n_prompt_tokens']} tokens > {error['n_ctx']} maximum"
    return None


def _parsed(text: str):
    try:
        return json.loads(text)
    except ValueError:
        return text


def _error_of(status: int) -> type:
    """The SDK's class for a status."""
    import anthropic

    known = {
        400: anthropic.BadRequestError,
        401: anthropic.AuthenticationError,
        403: anthropic.PermissionDeniedError,
        404: anthropic.NotFoundError,
        409: anthropic.ConflictError,
        422: anthropic.UnprocessableEntityError,
        429: anthropic.RateLimitError,
    }
    default = anthropic.InternalServerError if status >= 500 else anthropic.APIStatusError
    return known.get(status, default)


def named(url: str) -> str:
    """How a sentence calls the server at `url`: host and port, never a password."""
    parts = urlsplit(url)
    return (
        f"the server at {parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    )


def check_reachable(url: str) -> None:
    """BackendError unless something listens at `url`; a password in it is never repeated."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError
    except ValueError:
        raise BackendError(
            "ANTHROPIC_BASE_URL is no web address; it should look like http://127.0.0.1:11434"
        ) from None
    try:
        socket.create_connection((parts.hostname, port), timeout=2).close()
    except (OSError, UnicodeError):
        raise BackendError(
            f"nothing answers at {parts.hostname}:{port} (ANTHROPIC_BASE_URL): start the server, or "
            "use connect('practice')"
        ) from None
