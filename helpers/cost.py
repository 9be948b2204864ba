"""Tokens to money: what one call costs, and a meter that writes down every call."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from . import caching, models
from .middleware import Hook, sent_body


def dollars(
    model_id: str,
    input_tokens: int,
    output_tokens: int = 0,
    *,
    cache_read: int = 0,
    cache_write_5m: int = 0,
    cache_write_1h: int = 0,
) -> float:
    """List price of one call in US dollars.

    Each argument is a number of tokens of this call. `input_tokens` is the uncached part of the
    prompt, as `usage.input_tokens` reports it; prompt = input + cache read + cache written, and
    its size decides the tier. UnknownModel if `models.py` has no price.
    """
    prompt = input_tokens + cache_read + cache_write_5m + cache_write_1h
    price = models.model(model_id).price(prompt)
    return (
        input_tokens * price.input
        + cache_read * price.cache_read
        + cache_write_5m * price.cache_write_5m
        + cache_write_1h * price.cache_write_1h
        + output_tokens * price.output
    ) / 1_000_000


@dataclass(frozen=True)
class Call:
    """One answered call: what went out, what was used (tokens), what it costs (US dollars)."""

    model: str
    request: dict
    prompt_tokens: int  # of the whole request, cached or not, and of a summary made on the way
    output_tokens: int
    stop_reason: str | None
    dollars: float | None  # None: the table has no price for this model

    @classmethod
    def of(cls, request: dict, reply: Any) -> "Call":
        """The record of `reply` (an SDK Message) to the body `request`.

        When the API summarised on the way, all its samplings count (`usage.iterations`): the top
        level of `usage` leaves out what a summary used.
        """
        model_id = request["model"]
        known = model_id in models.MODELS
        billed = [_Tokens.of(part) for part in _samplings(getattr(reply, "usage", None))]
        return cls(
            model=model_id,
            request=request,
            prompt_tokens=sum(tokens.prompt for tokens in billed),
            output_tokens=sum(tokens.output for tokens in billed),
            stop_reason=getattr(reply, "stop_reason", None),
            dollars=sum(tokens.dollars(model_id) for tokens in billed) if known else None,
        )


def _samplings(usage: Any) -> list:
    """The parts of a usage that are billed one by one; the whole of it if it has no parts."""
    parts = getattr(usage, "iterations", None)
    return parts if isinstance(parts, list) and parts else [usage]


@dataclass(frozen=True)
class _Tokens:
    """What one sampling used."""

    fresh: int
    read: int
    write_5m: int
    write_1h: int
    output: int

    @classmethod
    def of(cls, usage: Any) -> "_Tokens":
        def tokens(name: str, of=usage) -> int:
            value = of.get(name) if isinstance(of, dict) else getattr(of, name, None)
            return value if isinstance(value, int) else 0  # servers differ in what they send

        written = tokens("cache_creation_input_tokens")
        inside = "cache_creation"
        parts = usage.get(inside) if isinstance(usage, dict) else getattr(usage, inside, None)
        hour = tokens("ephemeral_1h_input_tokens", parts)
        fresh, read = tokens("input_tokens"), tokens("cache_read_input_tokens")
        return cls(fresh, read, written - hour, hour, tokens("output_tokens"))

    @property
    def prompt(self) -> int:
        return self.fresh + self.read + self.write_5m + self.write_1h

    def dollars(self, model_id: str) -> float:
        return dollars(
            model_id,
            self.fresh,
            self.output,
            cache_read=self.read,
            cache_write_5m=self.write_5m,
            cache_write_1h=self.write_1h,
        )


def added_usage(one, other):
    """The tokens of two usages (of SDK Messages) as one usage; None counts for nothing."""
    if one is None or other is None:
        return one or other
    fields = (
        "input_tokens",
        "output_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
    )
    sums = {name: (getattr(one, name) or 0) + (getattr(other, name) or 0) for name in fields}
    return one.model_copy(update=sums)


@dataclass
class Meter(Hook):
    """Writes down every answered `messages.create` of the clients it is attached to.

    Attach it with `connect(meter=meter)`. It is a middleware of the SDK: it sees the request as it
    goes out and the reply as it comes back, whole or streamed, and changes neither. A failed call
    is not billed and not recorded; counting tokens is free and not recorded. A stream that was left
    early is recorded with the tokens that it had reported by then.
    """

    calls: list[Call] = field(default_factory=list)
    practice: bool = False  # set by connect(): the figures are not those of a real model

    def replied(self, request, message: Any, complete: bool) -> None:
        self.calls.append(Call.of(sent_body(request), message))

    @property
    def dollars(self) -> float:
        """US dollars of all recorded calls whose model has a price."""
        return sum(call.dollars or 0 for call in self.calls)

    @property
    def prompt_tokens(self) -> int:
        """Input tokens of all recorded calls together."""
        return sum(call.prompt_tokens for call in self.calls)

    def table(self, only=None) -> None:
        """Print tokens and dollars call by call; `only`: the call numbers (from 1) to show."""
        if not self.calls:
            print("no calls yet")
            return
        print(self._heading())
        print(
            f"{'call':>4}  {'tokens in':>9}  {'tokens out':>10}  {'in so far':>10}  {'dollars so far':>14}"
        )
        tokens, money = 0, 0.0
        for number, call in enumerate(self.calls, 1):
            tokens += call.prompt_tokens
            money += call.dollars or 0
            if only is None or number in only:
                print(
                    f"{number:>4}  {call.prompt_tokens:>9,}  {call.output_tokens:>10,}  "
                    f"{tokens:>10,}  {money:>14.6f}"
                )

    def _heading(self) -> str:
        used = sorted({call.model for call in self.calls})
        unpriced = sorted({call.model for call in self.calls if call.dollars is None})
        if unpriced:
            return f"no list price known for {', '.join(unpriced)}: counted as 0"
        if self.practice:
            return f"at list price, had this been {', '.join(used)}"
        return f"at list price of {models.PRICES_DATED}: {', '.join(used)}"


# --- how a series of requests grows ---------------------------------------------------------------


def step_input(step: int, base: int = 3_000, per_step: int = 4_000) -> int:
    """Tokens that step `step` (from 1) sends, when each step adds `per_step` tokens to `base`."""
    return base + per_step * (step - 1)


def run_input(steps: int, base: int = 3_000, per_step: int = 4_000) -> int:
    """Input tokens of all `steps` steps together: the sum of `step_input`, so about steps² / 2."""
    return steps * base + per_step * steps * (steps - 1) // 2


def growing_run(steps: int, base: int = 3_000, per_step: int = 4_000) -> list[list[caching.Block]]:
    """The requests of such a run as chains of blocks, each with two cache breakpoints: at the end
    of the fixed base and at the end of the request."""
    start = caching.Block("base", base, "5m")
    results = [caching.Block(f"result {n}", per_step) for n in range(steps - 1)]
    return [[start, *_marked(results[: n - 1])] for n in range(1, steps + 1)]


def _marked(blocks: list[caching.Block]) -> list[caching.Block]:
    return [*blocks[:-1], replace(blocks[-1], ttl="5m")] if blocks else []


def series_dollars(
    model_id: str,
    requests: Iterable[list[caching.Block]],
    *,
    cached: bool = True,
    seconds_between: float = 0.0,
) -> list[float]:
    """US dollars for the input of each request of a series, in order, at list price.

    requests: chains of blocks (`growing_run`, or `caching.chain` of real bodies). Without `cached`
    every token is paid in full. `seconds_between` two requests, cache entries grow older.
    """
    now = 0.0
    books = caching.CacheBooks(lambda: now)
    prices = []
    for blocks in requests:
        if not cached:
            prices.append(dollars(model_id, sum(block.tokens for block in blocks)))
            continue
        usage = books.account(model_id, blocks)
        written = {"cache_write_5m": usage.write_5m, "cache_write_1h": usage.write_1h}
        prices.append(dollars(model_id, usage.uncached, cache_read=usage.read, **written))
        now += seconds_between
    return prices
