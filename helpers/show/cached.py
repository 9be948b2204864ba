"""How much of a request is read from the prompt cache: by the cache's rules, or by a reply's usage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .. import caching, models
from ..practice import tokenizer
from .parts import Part, plain


@dataclass(frozen=True)
class Reading:
    """How the tokens of one request are booked, and why nothing is read if that is so."""

    read: int
    written: int
    full: int
    why: str = ""  # why nothing can be read or written

    @property
    def total(self) -> int:
        return self.read + self.written + self.full

    def words(self) -> str:
        """The booking as a sentence."""
        if self.why:
            return f"Nothing is read from the prompt cache: {self.why}."
        share = f" ({percent(self.read, self.total)})" if self.total else ""
        return (
            f"Read from the prompt cache: {self.read:,} of {self.total:,} tokens{share}; "
            f"written to it: {self.written:,}; in full: {self.full:,}."
        )


def percent(part: int, whole: int) -> str:
    """A share for people; "0 %" and "100 %" are exact."""
    share = round(100 * part / whole) if whole else 0
    return f"{min(max(share, 1), 99) if 0 < part < whole else share} %"


def earlier(after) -> list[dict]:
    """`after` as request bodies: one request, a list of messages, or a list of requests."""
    several = isinstance(after, Sequence) and after and all(map(_is_body, after))
    return [plain(request) for request in (after if several else [after])]


def _is_body(value) -> bool:
    return isinstance(value, dict) and "messages" in value


def by_rules(request, before: list[dict]) -> Reading:
    """The booking of `request` when the requests `before` went out just before it, in their order.

    By `caching.py`, which every answer of the practice model goes by as well, in practice tokens
    and within the cache's lifetime. CacheError for breakpoints that the API would refuse.
    """
    body = plain(request)
    total = tokenizer.count_request(body)
    if not caching.has_breakpoints(body):
        return Reading(0, 0, total, "the request does not ask for caching (no `cache_control`)")
    named = [b["model"] for b in [body, *reversed(before)] if b.get("model") in models.MODELS]
    model_id = named[0] if named else models.CHAT_MODEL
    books = caching.CacheBooks(lambda: 0.0)
    for one in before:
        model = one["model"] if one.get("model") in models.MODELS else model_id
        books.account(model, caching.chain(one, tokenizer.count_request))
    usage = books.account(model_id, caching.chain(body, tokenizer.count_request))
    written = usage.write_5m + usage.write_1h
    least = models.model(model_id).min_cacheable
    short = f"what stands before its breakpoints is shorter than {least:,} tokens"
    return Reading(usage.read, written, usage.uncached, "" if usage.read or written else short)


def by_usage(request, usage) -> Reading:
    """The booking that a reply reports (`reply.usage`, or a dict), in the tokens that are drawn.

    Its own counts may be those of another tokenizer, so the shares are carried over.
    """
    total = tokenizer.count_request(plain(request))
    names = ("cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens")
    read, written, full = (_number(usage, name) for name in names)
    prompt = read + written + full
    if not prompt:
        return Reading(0, 0, total, "the reply reports no usage")
    if not read and not written:
        return Reading(0, 0, total, "the reply's usage reports none")
    share = round(total * read / prompt)
    rest = round(total * written / prompt)
    return Reading(share, rest, total - share - rest)


def _number(usage, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else getattr(usage, name, None)
    return value if isinstance(value, int) else 0


def marked(parts: list[Part], reading: Reading) -> list[Part]:
    """The parts with `cached` set: what is read from the cache is the beginning of a request."""
    start, found = 0, []
    for part in parts:
        found.append(replace(part, cached=max(0, min(reading.read - start, part.tokens))))
        start += part.tokens
    return found
