"""Which model answers: `connect()` gives a real `anthropic.Anthropic` for one of four backends."""

import json
import os
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from . import cost, models

if TYPE_CHECKING:
    import anthropic

PRACTICE_URL = "http://practice.invalid"  # a reserved name: nothing can answer there by accident
CLAUDE_URL = "https://api.anthropic.com"
BYTES_PER_TOKEN = 1.8  # of dense JSON in the newest tokenizer (data/tokens.csv): errs upwards


class BackendError(RuntimeError):
    """A backend cannot be used; the message is one sentence with the way out."""


class BudgetReached(BackendError):
    """The next call could pass `max_dollars`; it was not sent."""


def connect(
    backend: str | None = None,
    *,
    meter: "cost.Meter | None" = None,
    max_dollars: float = 1.0,
) -> "anthropic.Anthropic":
    """A client for the Messages API, and one printed line that says who answers and what it costs.

    backend: "practice", "claude", "endpoint" or "local"; else the variable COURSE_BACKEND, else
        "practice".
    meter: records every answered call (tokens, dollars, the request that went out).
    max_dollars: on "claude", a call that could take this client past the amount is not sent.

    BackendError if the backend is unknown or cannot be used; BudgetReached later, by a call.
    """
    name = backend or os.environ.get("COURSE_BACKEND") or "practice"
    if name not in _BACKENDS:
        raise BackendError(f"there is no backend {name!r}: use {', '.join(map(repr, _BACKENDS))}")
    client, line = _BACKENDS[name](max_dollars)
    print(line)
    if meter is None:
        return client
    meter.practice = name == "practice"
    return client.with_options(middleware=[meter, *client.middleware])


def backend_of(client: "anthropic.Anthropic") -> str:
    """The name of the backend that `client` talks to."""
    url = str(client.base_url).rstrip("/")
    return {PRACTICE_URL: "practice", CLAUDE_URL: "claude"}.get(url, "endpoint")


def expect_in_practice(client: "anthropic.Anthropic", what: str, got, expected) -> None:
    """Assert a figure that holds for the practice model; on another backend print what came out."""
    if backend_of(client) == "practice":
        assert got == expected, f"{what}: {got!r}, expected {expected!r}"
    else:
        print(f"{what}: {got!r} here; {expected!r} on the practice model")


def failing(
    client: "anthropic.Anthropic", status: int = 529, times: int = 1
) -> "anthropic.Anthropic":
    """A copy of `client` whose next `times` message calls fail with `status`, on any backend.

    The error is the SDK's own, made from an answer of the practice API. The copy does not retry,
    so that the failure reaches the caller. ValueError for a status that the API does not use.
    """
    api = _practice_client(failures=[status] * times)
    left = times

    def fail_first(request, call_next):
        nonlocal left
        if left and cost.is_message_call(request):
            left -= 1
            api.messages.create(
                model=models.CHAT_MODEL, max_tokens=1, messages=[{"role": "user", "content": "?"}]
            )  # raises
        return call_next(request)

    return client.with_options(max_retries=0, middleware=[*client.middleware, fail_first])


def _practice(_max_dollars: float) -> "tuple[anthropic.Anthropic, str]":
    line = "practice model · no key, no network, no cost"
    if os.environ.get("ANTHROPIC_API_KEY"):
        line += " · ANTHROPIC_API_KEY is set and stays unused"
    return _practice_client(), line


def _practice_client(failures=()) -> "anthropic.Anthropic":
    import anthropic
    import httpx2

    from .practice import PracticeAPI

    return anthropic.Anthropic(
        api_key="practice",
        base_url=PRACTICE_URL,
        max_retries=0,  # its failures are injected on purpose: none is worth waiting for
        http_client=httpx2.Client(transport=PracticeAPI(failures=failures)),
        middleware=[_show_bugs],
    )


def _show_bugs(request, call_next):
    """Raise a bug inside the practice API as itself; the SDK calls it a connection error."""
    import anthropic
    import httpx2

    try:
        return call_next(request)
    except anthropic.APIConnectionError as error:
        bug = error.__cause__
        if bug is None or isinstance(bug, httpx2.HTTPError):
            raise
        raise bug from None


def _claude(max_dollars: float) -> "tuple[anthropic.Anthropic, str]":
    import anthropic

    key = os.environ.get("ANTHROPIC_API_KEY")
    if not key:
        raise BackendError(
            "the backend 'claude' needs a key: set ANTHROPIC_API_KEY, or use connect('practice')"
        )
    client = anthropic.Anthropic(
        api_key=key, base_url=CLAUDE_URL, middleware=[_stop_at(max_dollars)]
    )
    return client, f"Claude · real calls, billed to your key · stops before ${max_dollars:.2f}"


def _stop_at(max_dollars: float) -> Callable:
    """A middleware that refuses a call which could take the total past `max_dollars`."""
    spent = cost.Meter()

    def limit(request, call_next):
        if not cost.is_message_call(request):
            return call_next(request)
        worst = _upper_estimate(cost.sent_body(request))
        if spent.dollars + worst > max_dollars:
            raise BudgetReached(
                f"not sent: ${spent.dollars:.4f} spent, this call could cost ${worst:.4f}, and the "
                f"limit is ${max_dollars:.2f}; connect(max_dollars=...) sets another"
            )
        return spent(request, call_next)

    return limit


def _upper_estimate(body: dict) -> float:
    """US dollars that a call costs at most, near enough: dense text, and a reply of full length."""
    tokens = len(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")) / BYTES_PER_TOKEN
    return cost.dollars(body["model"], round(tokens), body["max_tokens"])


def _endpoint(_max_dollars: float) -> "tuple[anthropic.Anthropic, str]":
    import anthropic

    url = os.environ.get("ANTHROPIC_BASE_URL")
    if not url:
        raise BackendError(
            "the backend 'endpoint' needs an address: set ANTHROPIC_BASE_URL, for example to "
            "http://127.0.0.1:11434 for Ollama"
        )
    _check_reachable(url)
    model_id = os.environ.get("COURSE_MODEL")
    client = anthropic.Anthropic(
        api_key=_endpoint_key(),
        base_url=url,
        middleware=[_use_model(model_id)] if model_id else [],
    )
    answers = (
        f"model {model_id}" if model_id else "the model it is asked for (COURSE_MODEL sets one)"
    )
    return client, f"endpoint · an Anthropic-compatible server of yours · {answers}"


def _endpoint_key() -> str:
    """The key for another server: never an Anthropic key that happens to lie in the environment."""
    token, key = os.environ.get("ANTHROPIC_AUTH_TOKEN"), os.environ.get("ANTHROPIC_API_KEY", "")
    return token or (key if key and not key.startswith("sk-ant-") else "local")


def _check_reachable(url: str) -> None:
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError
    except ValueError:
        raise BackendError(
            f"ANTHROPIC_BASE_URL is {url!r}; it should look like http://127.0.0.1:11434"
        ) from None
    try:
        socket.create_connection((parts.hostname, port), timeout=2).close()
    except OSError:
        raise BackendError(
            f"nothing answers at {parts.hostname}:{port} (ANTHROPIC_BASE_URL): start the server, or "
            "use connect('practice')"
        ) from None


def _use_model(model_id: str) -> Callable:
    """A middleware that asks for `model_id`, whatever model the lesson names."""

    def rename(request, call_next):
        if request.json and "model" in request.json:
            request = request.copy(body={**request.json, "model": model_id})
        return call_next(request)

    return rename


def _local(_max_dollars: float):
    raise BackendError(
        "the backend 'local' comes with the lab on a real small model, which is not part of this "
        "version of the course; use connect('practice')"
    )


_BACKENDS = {"practice": _practice, "claude": _claude, "endpoint": _endpoint, "local": _local}
