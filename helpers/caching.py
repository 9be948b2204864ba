"""The prompt cache's rules, once.

A request is read as a chain of blocks: tools, then system, then messages. A block may carry a
**breakpoint** (`cache_control`). The service stores an **entry** for the chain up to a breakpoint,
and a later request that begins with exactly the same chain reads it at a fraction of the price.

    books = CacheBooks(clock=lambda: seconds)
    usage = books.account(model_id, chain(body, count))     # read, written, uncached tokens

Source: the public prompt caching documentation of autumn 2026. Prices are in `models.py`.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from . import messages, models

LIFETIME = {"5m": 300.0, "1h": 3600.0}  # seconds since the entry was last written or read
MAX_BREAKPOINTS = 4  # in one request; the automatic one counts
# Positions in which an older entry is looked for, the breakpoint's own the first. A block is one,
# and so is a run of tool uses, or of tool results, that stand side by side.
LOOKBACK = 20
RUNS = ("tool_use", "tool_result")


class CacheError(ValueError):
    """A request whose breakpoints the API refuses (400)."""


@dataclass(frozen=True)
class Block:
    """One link of a request's chain. `key`: all that must be equal for a hit; `tokens`: of it alone."""

    key: str
    tokens: int
    ttl: str | None = None  # "5m" or "1h" where a breakpoint stands
    run: str | None = None  # one of `RUNS`: with neighbours of the same kind it is one position


@dataclass(frozen=True)
class CacheUsage:
    """How the tokens of one request were booked; the four add up to the whole prompt."""

    read: int = 0
    write_5m: int = 0
    write_1h: int = 0
    uncached: int = 0

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the whole request."""
        return self.read + self.write_5m + self.write_1h + self.uncached


class CacheBooks:
    """What the cache holds, for all models. `clock()` gives seconds; only differences count."""

    def __init__(self, clock: Callable[[], float]):
        self._clock = clock
        self._entries: dict[str, tuple[float, str]] = {}  # chain hash -> (expires, ttl)

    def account(self, model_id: str, blocks: Sequence[Block]) -> CacheUsage:
        """Read and write entries for a request made now. CacheError if the API would refuse it."""
        check_breakpoints(blocks)
        now, minimum = self._clock(), models.model(model_id).min_cacheable
        hashes, lengths = _prefixes(model_id, blocks)
        points = [
            i for i, block in enumerate(blocks) if block.ttl and lengths[i] >= minimum
        ]  # a prefix that is too short is silently not cached
        read_to = self._longest_hit(hashes, _positions(blocks), points, now)
        usage = CacheUsage(read=lengths[read_to] if read_to >= 0 else 0)
        done = usage.read
        for i in {*points, read_to} - {-1}:
            if i <= read_to and self._alive(hashes[i], now):  # a hit starts its lifetime anew
                self._store(hashes[i], self._entries[hashes[i]][1], now)
        for i in points:
            if i > read_to:
                name = f"write_{blocks[i].ttl}"
                usage = replace(usage, **{name: getattr(usage, name) + lengths[i] - done})
                done = lengths[i]
                self._store(hashes[i], blocks[i].ttl, now)
        total = lengths[-1] if lengths else 0
        return replace(usage, uncached=total - done)

    def _longest_hit(
        self, hashes: list[str], positions: list[int], points: list[int], now: float
    ) -> int:
        """Index of the last block of the longest stored prefix within reach; -1 if there is none."""
        reach: set[int] = set()
        for i in points:
            j = i
            while j >= 0 and positions[i] - positions[j] < LOOKBACK:
                reach.add(j)
                j -= 1
        hits = (j for j in sorted(reach, reverse=True) if self._alive(hashes[j], now))
        return next(hits, -1)

    def _store(self, chain_hash: str, ttl: str, now: float) -> None:
        self._entries[chain_hash] = (now + LIFETIME[ttl], ttl)

    def _alive(self, chain_hash: str, now: float) -> bool:
        entry = self._entries.get(chain_hash)
        return entry is not None and now <= entry[0]


def check_breakpoints(blocks: Iterable[Block]) -> None:
    """CacheError for more than four breakpoints, or one of 5 minutes before one of an hour."""
    ttls = [block.ttl for block in blocks if block.ttl]
    if len(ttls) > MAX_BREAKPOINTS:
        raise CacheError(
            f"A maximum of {MAX_BREAKPOINTS} blocks with cache_control may be provided. "
            f"Found {len(ttls)}."
        )
    if "5m" in ttls and "1h" in ttls[ttls.index("5m") :]:
        raise CacheError("a ttl='1h' cache_control block must not come after a ttl='5m' one")


def chain(body: dict, count: Callable[[dict], int]) -> list[Block]:
    """The blocks of a request body (a dict as it goes over the wire), in the order of the cache.

    count(part) gives the tokens of a part of a request: of a body that holds only some tools, only
    a system prompt, or only some messages; counts must add up. A change of the tools changes the
    first keys, and so every prefix. The tool choice, thinking and effort belong to the first
    message's key: a change of them leaves tools and system readable.
    """
    blocks = [_block("tools", tool, count({"tools": [tool]})) for tool in body.get("tools") or []]
    if body.get("system"):
        parts = messages.blocks({"content": body["system"]})
        blocks += _framed("system", parts, count({"system": body["system"]}), count)
    settings = _message_settings(body)
    for message in body["messages"]:
        whole = count({"messages": [message]})
        parts = messages.blocks(message)
        blocks += _framed(message["role"] + settings, parts, whole, count)
        settings = settings and ("" if parts else settings)
    return _with_automatic(blocks, body.get("cache_control"))


def has_breakpoints(body: dict) -> bool:
    """Whether a request body asks for caching at all; without, there is nothing to book."""
    lists = [body.get("tools"), body.get("system")]
    lists += [m.get("content") for m in body["messages"]]
    return body.get("cache_control") is not None or any(
        _marks(block) for blocks in lists if isinstance(blocks, list) for block in blocks
    )


def _framed(kind: str, parts: list[dict], whole: int, count) -> list[Block]:
    """One Block for each part; the first also carries the tokens of the frame around them all."""
    tokens = [_alone(part, count) for part in parts]
    blocks = [_block(kind, part, n) for part, n in zip(parts, tokens, strict=True)]
    if blocks:
        blocks[0] = replace(blocks[0], tokens=tokens[0] + whole - sum(tokens))
    return blocks


def _alone(part: dict, count) -> int:
    """Tokens of one content block without the frame of a message."""
    frame = {"role": "user", "content": []}
    return count({"messages": [{**frame, "content": [part]}]}) - count({"messages": [frame]})


def _block(kind: str, part: dict, tokens: int) -> Block:
    marks = _marks(part)
    ttl = _ttl(marks[-1]) if marks else None
    run = part.get("type") if part.get("type") in RUNS else None
    return Block(f"{kind}:{_canonical(_bare(part))}", tokens, ttl, run)


def _marks(part: dict) -> list:
    """The breakpoints of a block; those inside a tool result count as its own."""
    inner = part.get("content") if isinstance(part.get("content"), list) else []
    parts = [*(p for p in inner if isinstance(p, dict)), part]
    return [p["cache_control"] for p in parts if p.get("cache_control") is not None]


def _bare(part: dict) -> dict:
    """A block without its breakpoints: where one stands does not change what is read."""
    kept = {k: v for k, v in part.items() if k != "cache_control"}
    if isinstance(kept.get("content"), list):
        kept["content"] = [_bare(p) if isinstance(p, dict) else p for p in kept["content"]]
    return kept


def _with_automatic(blocks: list[Block], mark) -> list[Block]:
    """The chain with the automatic breakpoint at its end, if the request asks for it."""
    ttl = _ttl(mark)
    if ttl is None or not blocks or blocks[-1].ttl:
        return blocks
    return [*blocks[:-1], replace(blocks[-1], ttl=ttl)]


def _ttl(mark) -> str | None:
    """The lifetime that a `cache_control` asks for; CacheError for another shape than the API's."""
    if mark is None:
        return None
    if not isinstance(mark, dict) or mark.get("type") != "ephemeral":
        raise CacheError("cache_control.type: Input should be 'ephemeral'")
    ttl = mark.get("ttl", "5m")
    if not isinstance(ttl, str) or ttl not in LIFETIME:
        raise CacheError(f"cache_control.ttl: {ttl!r} is not '5m' or '1h'")
    return ttl


def _message_settings(body: dict) -> str:
    """What, besides tools and system, must be unchanged for messages to be read from the cache."""
    effort = (body.get("output_config") or {}).get("effort")
    named = {"tool_choice": body.get("tool_choice"), "thinking": body.get("thinking")}
    given = {k: v for k, v in {**named, "effort": effort}.items() if v is not None}
    return _canonical(given) if given else ""


def _canonical(value) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _positions(blocks: Sequence[Block]) -> list[int]:
    """The position of each block, counted from the first; those of one run share theirs."""
    found, before = [], None
    for block in blocks:
        new = block.run is None or block.run != before
        found.append((found[-1] if found else -1) + new)
        before = block.run
    return found


def _prefixes(model_id: str, blocks: Sequence[Block]) -> tuple[list[str], list[int]]:
    """For each block: a hash of the chain up to it (each model has its own), and its tokens."""
    running, total = hashlib.sha256(model_id.encode()), 0
    hashes, lengths = [], []
    for block in blocks:
        running.update(hashlib.sha256(block.key.encode()).digest())
        total += block.tokens
        hashes.append(running.hexdigest())
        lengths.append(total)
    return hashes, lengths
