"""Which model answers: `connect()` gives a real `anthropic.Anthropic` for one of four backends."""

import contextlib
import gc
import json
import math
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from . import cost, local, models
from .backend_errors import BackendError, BudgetReached
from .middleware import (
    Hook,
    asynchronous,
    changing,
    changing_async,
    is_message_call,
    path_of,
    sent_body,
    sync,
)
from .servers import Explain, Small, UseModel, check_reachable, named

if TYPE_CHECKING:
    import anthropic

    from .practice import PracticeAPI

PRACTICE_URL = "http://practice.invalid"  # a reserved name: nothing can answer there by accident
CLAUDE_URL = "https://api.anthropic.com"
LOCAL_KEY = "the course's local model"  # no secret: it tells that server from another endpoint
CUSTOM_HEADERS = "ANTHROPIC_CUSTOM_HEADERS"
# llama.cpp closes a connection that waits, at times just when it is used again.
NO_WAITING = {"Connection": "close"}
LINKED_TOKENS = 5_000  # of an image or document that is only linked: more than most have
BYTES_PER_TOKEN = 1.8  # of dense JSON in the newest tokenizer (data/tokens.csv): errs upwards


def connect(
    backend: str | None = None,
    *,
    meter: cost.Meter | None = None,
    max_dollars: float = 1.0,
    clock: Callable[[], float] | None = None,
) -> "anthropic.Anthropic":
    """A client for the Messages API, and one printed line that says who answers and what it costs.

    backend: "practice", "claude", "endpoint" or "local"; else the variable COURSE_BACKEND, else
        "practice".
    meter: records every answered call (tokens, dollars, the request that went out).
    max_dollars: on "claude", a call that could take this client past the amount is not sent.
    clock: seconds, for the practice cache's lifetimes; without it no time passes there.

    BackendError if the backend is unknown or cannot be used; BudgetReached later, by a call.
    """
    with _not_collecting():
        import anthropic
        import httpx2

        plan = _plan(backend, meter, max_dollars, clock)
    http = {"http_client": httpx2.Client(transport=plan.transport)} if plan.transport else {}
    middleware = [sync(hook) for hook in plan.hooks]
    with _without_custom_headers() if plan.private else contextlib.nullcontext():
        return anthropic.Anthropic(**plan.options, **http, middleware=middleware)


def connect_async(
    backend: str | None = None,
    *,
    meter: cost.Meter | None = None,
    max_dollars: float = 1.0,
    clock: Callable[[], float] | None = None,
) -> "anthropic.AsyncAnthropic":
    """The same as `connect`, for `await`."""
    with _not_collecting():
        import anthropic
        import httpx2

        plan = _plan(backend, meter, max_dollars, clock)
    http = {"http_client": httpx2.AsyncClient(transport=plan.transport)} if plan.transport else {}
    middleware = [asynchronous(hook) for hook in plan.hooks]
    with _without_custom_headers() if plan.private else contextlib.nullcontext():
        return anthropic.AsyncAnthropic(**plan.options, **http, middleware=middleware)


@contextlib.contextmanager
def _not_collecting():
    """While the SDK is imported: many objects and no garbage, and so a sixth quicker."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def backend_of(client: "anthropic.Anthropic") -> str:
    """The name of the backend that `client` talks to."""
    url = str(client.base_url).rstrip("/")
    if client.api_key == LOCAL_KEY:
        return "local"
    return {PRACTICE_URL: "practice", CLAUDE_URL: "claude"}.get(url, "endpoint")


def expect_in_practice(client: "anthropic.Anthropic", what: str, got, expected) -> None:
    """Assert a figure that holds for the practice model; on another backend print what came out."""
    if backend_of(client) == "practice":
        assert got == expected, f"{what}: {got!r}, expected {expected!r}"
    else:
        print(f"{what}: {got!r} here; {expected!r} on the practice model")


def too_small(client: "anthropic.Anthropic") -> bool:
    """Whether this is the local model, of which no lesson can demand that a reply is right."""
    return backend_of(client) == "local"


def failing(
    client: "anthropic.Anthropic", status: int | str = 529, times: int = 1
) -> "anthropic.Anthropic":
    """A copy of `client` whose next `times` message calls go wrong, on any backend.

    status: an HTTP status, or "compaction_unavailable": nothing is sent, and the error is the SDK's
        own, made from an answer of the practice API. Or a kind of spoiled reply: "truncated",
        "prose", "fenced", "malformed", "refusal", "refused_empty", "empty", "extra_field" or
        "missing_field": the call is made, and billed, and its reply spoiled.

    The copy does not retry, so that the failure reaches the caller. ValueError for a status that
    the API does not use, and for an unknown kind.
    """
    import anthropic

    from .practice import spoiling

    if not isinstance(times, int) or times < 0:
        raise ValueError(f"times must be a whole number, 0 or more, and is {times!r}")
    awaited = isinstance(client, anthropic.AsyncAnthropic)
    if isinstance(status, str) and status != "compaction_unavailable":
        fail = _spoiling(spoiling.check_kind(status), times, awaited)
    else:
        fail = (asynchronous if awaited else sync)(_Failing(status, times))
    return client.with_options(max_retries=0, middleware=[*client.middleware, fail])


class _Failing(Hook):
    """Lets the first calls fail."""

    def __init__(self, status: int | str, times: int):
        import anthropic
        import httpx2

        from .practice import PracticeAPI

        self.left = times
        self.api = anthropic.Anthropic(
            api_key="practice",
            base_url=PRACTICE_URL,
            max_retries=0,
            http_client=httpx2.Client(transport=PracticeAPI(failures=[status] * times)),
        )

    def before(self, request):
        if self.left and is_message_call(request):
            self.left -= 1
            question = [{"role": "user", "content": "?"}]
            self.api.messages.create(model=models.CHAT_MODEL, max_tokens=1, messages=question)
        return request


def _spoiling(kind: str, times: int, awaited: bool) -> Callable:
    """A middleware that spoils the first replies."""
    from .practice import spoiling

    left = [times]

    def due(request) -> bool:
        if not left[0] or not is_message_call(request):
            return False
        left[0] -= 1
        return True

    def spoil(message: dict, body: dict) -> dict:
        return spoiling.spoil(message, kind, body)

    return changing_async(due, spoil) if awaited else changing(due, spoil)


@dataclass(frozen=True)
class _Plan:
    """What a client is made of."""

    line: str  # printed: who answers, and what it costs
    options: dict
    hooks: list[Hook] = field(default_factory=list)
    transport: "PracticeAPI | None" = None  # None: the network
    private: bool = True  # what the environment holds for Claude stays here


def _plan(backend, meter, max_dollars, clock) -> _Plan:
    """The plan for a backend, with the meter in front; prints its line."""
    name = backend or os.environ.get("COURSE_BACKEND") or "practice"
    if not isinstance(name, str) or name not in _BACKENDS:
        raise BackendError(f"there is no backend {name!r}: use {', '.join(map(repr, _BACKENDS))}")
    plan = _BACKENDS[name](max_dollars, clock)
    if name in ("claude", "endpoint"):
        plan.options.update(_retries())
    print(plan.line)
    if meter is None:
        return plan
    meter.practice = name == "practice"
    return replace(plan, hooks=[*plan.hooks, meter])  # last: it sees what really goes out


def _retries() -> dict:
    """COURSE_RETRIES: how often a refused call is sent again, for many people on one key."""
    asked = os.environ.get("COURSE_RETRIES", "").strip()
    if not asked:
        return {}  # the SDK's own: twice
    if not (asked.isascii() and asked.isdigit()):
        raise BackendError(
            f"COURSE_RETRIES is {asked!r}: set it to a whole number, such as 8, or unset it"
        )
    return {"max_retries": int(asked)}


def _practice(_max_dollars, clock) -> _Plan:
    from .practice import PracticeAPI

    line = "practice model · no key, no network, no cost"
    if os.environ.get("ANTHROPIC_API_KEY"):
        line += " · ANTHROPIC_API_KEY is set and stays unused"
    # No retries: its failures are injected on purpose, and none is worth waiting for.
    options = {"api_key": "practice", "base_url": PRACTICE_URL, "max_retries": 0}
    transport = PracticeAPI(clock=clock) if clock else PracticeAPI()
    return _Plan(line, options, [_ShowBugs()], transport)


class _ShowBugs(Hook):
    """Raises a bug inside the practice API as itself; the SDK calls it a connection error."""

    def failed(self, request, error: Exception | None) -> Exception | None:
        import anthropic
        import httpx2

        bug = error.__cause__ if isinstance(error, anthropic.APIConnectionError) else None
        return error if bug is None or isinstance(bug, httpx2.HTTPError) else bug


def _claude(max_dollars, _clock) -> _Plan:
    key = os.environ.get("ANTHROPIC_API_KEY")
    if isinstance(max_dollars, bool) or not isinstance(max_dollars, int | float) or max_dollars < 0:
        raise ValueError(
            f"max_dollars must be a number of dollars, 0 or more, and is {max_dollars!r}"
        )
    if not math.isfinite(max_dollars):
        raise ValueError(f"max_dollars must be a finite number of dollars, and is {max_dollars!r}")
    if not key:
        raise BackendError(
            "the backend 'claude' needs a key: set ANTHROPIC_API_KEY, or use connect('practice')"
        )
    line = f"Claude · real calls, billed to your key · stops before ${max_dollars:.2f}"
    options = {"api_key": key, "base_url": CLAUDE_URL}
    return _Plan(line, options, [_StopAt(max_dollars)], private=False)


class _StopAt(Hook):
    """Refuses a call that could take the total past `max_dollars`.

    A call under way is counted with the most that it can cost, so that threads cannot pass the
    limit together; a stream that is left early, or never read, stays counted like that.
    """

    def __init__(self, max_dollars: float):
        self.max_dollars, self.spent = max_dollars, 0.0
        self.under_way: dict[int, float] = {}
        self.lock = threading.Lock()

    def before(self, request):
        path = path_of(request)
        if request.method.upper() != "POST" or path.endswith("/count_tokens"):
            return request
        if not is_message_call(request):
            raise BackendError(
                f"{path} is not sent: its price is not known beforehand, and this client has a limit; "
                "use messages.create, or a client of your own"
            )
        worst = _upper_estimate(sent_body(request))
        with self.lock:
            spent = self.spent + sum(self.under_way.values())
            if not spent + worst <= self.max_dollars:
                raise BudgetReached(
                    f"not sent: ${spent:.4f} spent, this call could cost ${worst:.4f}, and the "
                    f"limit is ${self.max_dollars:.2f}; connect(max_dollars=...) sets another"
                )
            self.under_way[id(request)] = worst
        return request

    def failed(self, request, error: Exception | None) -> Exception | None:
        with self.lock:
            self.under_way.pop(id(request), None)
        return error

    def replied(self, request, message, complete: bool) -> None:
        paid = cost.Call.of(sent_body(request), message).dollars or 0.0
        with self.lock:
            worst = self.under_way.pop(id(request), 0.0)
            self.spent += paid if complete else max(paid, worst)


def _upper_estimate(body: dict) -> float:
    """US dollars that a call costs at most, near enough: dense text, and a reply of full length."""
    text = json.dumps(body, ensure_ascii=False)
    tokens = len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN
    tokens += LINKED_TOKENS * (text.count('"url"') + text.count('"file"'))
    if '"cache_control"' in text:
        tokens *= 2  # an hour in the cache is written for twice the price
    samplings = 2 if '"compact_' in text else 1  # a summary on the way is billed as well
    return samplings * cost.dollars(body["model"], round(tokens), body["max_tokens"])


def _endpoint(_max_dollars, _clock) -> _Plan:
    url = os.environ.get("ANTHROPIC_BASE_URL")
    if not url:
        raise BackendError(
            "the backend 'endpoint' needs an address: set ANTHROPIC_BASE_URL, for example to "
            "http://127.0.0.1:11434 for Ollama"
        )
    check_reachable(url)
    model_id = os.environ.get("COURSE_MODEL")
    asked = f"model {model_id}" if model_id else "the model it is asked for (COURSE_MODEL sets one)"
    return _Plan(
        f"endpoint · an Anthropic-compatible server of yours · {asked}",
        {"api_key": _endpoint_key(), "base_url": url, "default_headers": NO_WAITING},
        [*([UseModel(model_id)] if model_id else []), Explain(named(url))],
    )


def _endpoint_key() -> str:
    """The key for another server: never an Anthropic key that happens to lie in the environment."""
    for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"):
        key = os.environ.get(name, "").strip().strip("'\"").strip()
        if key and not key.lower().startswith("sk-ant"):
            return key
    return "local"


@contextlib.contextmanager
def _without_custom_headers():
    """Keep the SDK from reading ANTHROPIC_CUSTOM_HEADERS: they are meant for Claude, and may be keys."""
    kept = os.environ.pop(CUSTOM_HEADERS, None)
    try:
        yield
    finally:
        if kept is not None:
            os.environ[CUSTOM_HEADERS] = kept


def _local(_max_dollars, _clock) -> _Plan:
    port = local.server_port()
    return _Plan(
        f"local · {models.LOCAL_MODEL}, a real but very small model on this machine, for lessons "
        "00 to 02 and the lab: too small for the others · no key, no cost",
        # Retries bridge the second or two in which a server that was killed starts again.
        {
            "api_key": LOCAL_KEY,
            "base_url": f"http://127.0.0.1:{port}",
            "default_headers": NO_WAITING,
            "max_retries": 5,
        },
        [Small(), UseModel(models.LOCAL_MODEL), Explain("the local model", "connect again")],
    )


_BACKENDS = {"practice": _practice, "claude": _claude, "endpoint": _endpoint, "local": _local}
