"""What a policy costs on a run, request by request, by the books of the prompt cache."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from helpers import caching, cost
from helpers.models import model as row_of
from helpers.shapes import listlike

from .clearing import PLACEHOLDER
from .counting import Count
from .policy import ClearingPolicy

_MARK = {"type": "ephemeral"}  # five minutes
_QUESTION = "Look into this case."


@dataclass(frozen=True)
class Priced:
    """The input of a run's requests: US dollars, tokens of the whole request, results cleared."""

    dollars: list[float]
    tokens: list[int]
    cleared: list[int]  # results that stand as placeholders in each request

    @property
    def total(self) -> float:
        """US dollars of all requests."""
        return sum(self.dollars)

    @property
    def total_tokens(self) -> int:
        """Input tokens of all requests."""
        return sum(self.tokens)

    @property
    def peak(self) -> int:
        """Tokens of the largest request."""
        return max(self.tokens, default=0)


def price(
    policy: ClearingPolicy | None,
    run,
    model: str,
    *,
    count: Count,
    cached: bool = True,
    system=None,
    tools: Sequence[dict] | None = None,
    seconds_between: float = 0.0,
) -> Priced:
    """What the requests of a run would have cost for input, had `policy` cleared its results.

    run: recorded requests in order, as bodies (dicts) or as the calls of a `cost.Meter`; or a run
        with `messages`, of which one request is made for each of its replies, with `system` and
        `tools`. They must hold the full history, as it is without any clearing.
    policy: None for never. model: whose list price is taken, whatever model the bodies name.
    count: tokens of a part of a body, as in `caching.chain`; it must add up. For the practice model
        that is `helpers.practice.tokenizer.count_request`.
    cached: with the prompt cache. Bodies without any breakpoint get two, at the end of what is
        fixed (tools and system) and at the end of the request. Else every token at full price.
    seconds_between: two requests, in which cache entries grow older.

    ValueError: no requests, or an unknown kind of them. UnknownModel: no price.
    """
    row_of(model)
    policy = policy or ClearingPolicy()
    count = _remembering(count)
    chains, numbers, cleared = [], [], []
    for body in _bodies(run, system, tools):
        tokens = None
        if policy.trigger is not None:
            shown = ClearingPolicy(placeholder=policy.placeholder).step(
                body["messages"], cleared, count=count
            )
            tokens = _size(caching.chain({**body, "messages": shown.messages}, count))
        edited = policy.step(body["messages"], cleared, tokens=tokens, count=count)
        cleared = edited.cleared
        chains.append(caching.chain(_marked({**body, "messages": edited.messages}), count))
        numbers.append(len(cleared))
    dollars = cost.series_dollars(model, chains, cached=cached, seconds_between=seconds_between)
    return Priced(dollars, [_size(blocks) for blocks in chains], numbers)


def requests_of(messages: Sequence, *, system=None, tools: Sequence[dict] | None = None) -> list:
    """The bodies of the requests to which the replies among `messages` were the answers."""
    fixed = {key: part for key, part in (("tools", tools), ("system", system)) if part}
    return [
        {**fixed, "messages": list(messages[:i])}
        for i in range(1, len(messages))
        if messages[i]["role"] == "assistant" and messages[i - 1]["role"] != "assistant"
    ]


def _bodies(run, system, tools) -> list[dict]:
    messages = getattr(run, "messages", None)
    if listlike(messages):
        bodies = requests_of(messages, system=system, tools=tools)
    elif listlike(run):
        bodies = [getattr(request, "request", request) for request in run]
    else:
        bodies = []
    if not bodies or not all(isinstance(b, dict) and "messages" in b for b in bodies):
        raise ValueError(
            "run must be a run with messages and replies among them, or a list of requests: bodies "
            "with messages, or the calls of a Meter."
        )
    return bodies


def _size(blocks: Iterable[caching.Block]) -> int:
    return sum(block.tokens for block in blocks)


def _marked(body: dict) -> dict:
    """The body with a breakpoint behind what is fixed and one at its end, if it has none at all."""
    if caching.has_breakpoints(body):
        return body
    body = {**body, "cache_control": _MARK}
    if body.get("system"):
        system = body["system"]
        parts = [{"type": "text", "text": system}] if isinstance(system, str) else list(system)
        body["system"] = [*parts[:-1], {**parts[-1], "cache_control": _MARK}]
    elif body.get("tools"):
        body["tools"] = [*body["tools"][:-1], {**body["tools"][-1], "cache_control": _MARK}]
    return body


def _remembering(count: Count) -> Count:
    """The same counts, each asked for once: a history comes back with every request."""
    known: dict[str, int] = {}

    def remembered(part: dict) -> int:
        key = repr(part)
        if key not in known:
            known[key] = count(part)
        return known[key]

    return remembered


def formula_run(
    steps: int = 30, base: int = 3_000, per_step: int = 4_000, stub: int = 100
) -> tuple[list[dict], Count]:
    """The run of the growth formula as requests, and the counter by which it has these sizes.

    Each step adds one call and a result of `per_step` tokens to `base`; a placeholder has `stub`
    tokens. Here a token is one letter of the system prompt or of a result, and all else is free.

        bodies, count = formula_run()
        price(ClearingPolicy(every=10), bodies, model, count=count)

    ValueError: a result shorter than the placeholder, which nobody would clear.
    """
    if per_step <= max(stub, len(PLACEHOLDER)):
        raise ValueError(f"per_step must be above {max(stub, len(PLACEHOLDER))}, not {per_step}.")
    messages: list[dict] = [{"role": "user", "content": _QUESTION}]
    bodies = []
    for n in range(1, steps + 1):
        bodies.append({"system": "s" * base, "messages": list(messages)})
        call = {"type": "tool_use", "id": f"call_{n}", "name": "look_up", "input": {"page": n}}
        result = {"type": "tool_result", "tool_use_id": f"call_{n}"}
        result["content"] = f"{n}:".ljust(per_step, "x")
        messages.append({"role": "assistant", "content": [call]})
        messages.append({"role": "user", "content": [result]})

    def size(text) -> int:
        return stub if text == PLACEHOLDER else len(text)

    def count(part: dict) -> int:
        found = size(_text(part.get("system") or ""))
        for message in part.get("messages") or []:
            content = message["content"]
            if isinstance(content, str):  # a result that is counted by itself
                found += size(content) if content != _QUESTION else 0
            else:
                found += sum(size(b["content"]) for b in content if b["type"] == "tool_result")
        return found

    return bodies, count


def _text(system) -> str:
    return system if isinstance(system, str) else "".join(part["text"] for part in system)
