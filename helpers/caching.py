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
LOOKBACK = 20  # blocks before a breakpoint in which an older entry is looked for


class CacheError(ValueError):
    """A request whose breakpoints the API refuses (400)."""


@dataclass(frozen=True)
class Block:
    """One link of a request's chain. `key`: all that must be equal for a hit; `tokens`: of it alone."""

    key: str
    tokens: int
    ttl: str | None = None  # "5m" or "1h" where a breakpoint stands


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
        read_to = self._longest_hit(hashes, points, now)
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

    def _longest_hit(self, hashes: list[str], points: list[int], now: float) -> int:
        """Index of the last block of the longest stored prefix within reach; -1 if there is none."""
        reach = {j for i in points for j in range(max(0, i - LOOKBACK), i + 1)}
        hits = (j for j in sorted(reach, reverse=True) if self._alive(hashes[j], now))
        return next(hits, -1)

    def _store(self, chain_hash: str, ttl: str, now: float) -> None:
        self._entries[chain_hash] = (now + LIFETIME[ttl], ttl)

    def _alive(self, chain_hash: str, now: float) -> bool:
        entry = self._entries.get(chain_hash)
        return entry is not None and now <= entry[0]


def check_breakpoints(blocks: Iterable[Block]) -> None:
    """CacheError for more than four breakpoints, an unknown lifetime, or 5 minutes before an hour."""
    ttls = [block.ttl for block in blocks if block.ttl]
    for ttl in ttls:
        if ttl not in LIFETIME:
            raise CacheError(f"cache_control.ttl: {ttl!r} is not '5m' or '1h'")
    if len(ttls) > MAX_BREAKPOINTS:
        raise CacheError(
            f"A maximum of {MAX_BREAKPOINTS} blocks with cache_control may be provided. "
            f"Found {len(ttls)}."
        )
    if "5m" in ttls and "1h" in ttls[ttls.index("5m") :]:
        raise CacheError("a ttl='1h' cache_control block must not come after a ttl='5m' one")


def chain(body: dict, count: Callable[[dict], list[int]]) -> list[Block]:
    """The blocks of a request body (a dict as it goes over the wire), in the order of the cache.

    count(part) gives the tokens of each block of a part of the request: of a body that holds
    only `tools`, only `system` or one message. A change of the tools changes the first keys, and
    so every prefix; the tool choice, thinking and effort are part of the first message's key, so a
    change of them leaves tools and system readable.
    """
    found: list[tuple[str, dict, int]] = []
    tools = body.get("tools") or []
    found += zip(["tools"] * len(tools), tools, count({"tools": tools}), strict=True)
    system = messages.blocks({"content": body["system"]}) if body.get("system") else []
    found += zip(["system"] * len(system), system, count({"system": system}), strict=True)
    for turn in messages.merge_turns(body["messages"]):
        parts = turn["content"]
        found += zip([turn["role"]] * len(parts), parts, count({"messages": [turn]}), strict=True)
    settings = _message_settings(body)
    result = []
    for kind, block, tokens in found:
        if kind not in ("tools", "system") and settings:
            kind, settings = kind + settings, ""
        mark = block.get("cache_control")
        bare = {k: v for k, v in block.items() if k != "cache_control"}
        result.append(Block(f"{kind}:{_canonical(bare)}", tokens, _ttl(mark)))
    return _with_automatic(result, body.get("cache_control"))


def _with_automatic(blocks: list[Block], mark: dict | None) -> list[Block]:
    """The chain with the automatic breakpoint at its end, if the request asks for it."""
    if not mark or not blocks or blocks[-1].ttl:
        return blocks
    return [*blocks[:-1], replace(blocks[-1], ttl=_ttl(mark))]


def _ttl(mark: dict | None) -> str | None:
    return (mark.get("ttl") or "5m") if mark else None


def _message_settings(body: dict) -> str:
    """What, besides tools and system, must be unchanged for messages to be read from the cache."""
    effort = (body.get("output_config") or {}).get("effort")
    named = {"tool_choice": body.get("tool_choice"), "thinking": body.get("thinking")}
    given = {k: v for k, v in {**named, "effort": effort}.items() if v is not None}
    return _canonical(given) if given else ""


def _canonical(value) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


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
