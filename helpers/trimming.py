"""Keeping a conversation within a budget: count each message, then drop the oldest exchanges.

    counts = count_messages(client, model, history)
    trimmed = trim(history, 700, counter(history, counts))
    # send trimmed.kept, summarise trimmed.dropped

Whole exchanges are kept or dropped, so an answer never loses its question and a tool call never
loses its result. Tokens are the model's own (`count_tokens`), never characters.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

from helpers.messages import blocks, starts_exchange
from helpers.shapes import listlike


class BudgetTooSmall(ValueError):
    """What must be sent anyway leaves no room for messages; `budget` and `pinned` are tokens."""

    def __init__(self, budget: int, pinned: int):
        super().__init__(
            f"The budget is {budget} tokens and {pinned} tokens are sent anyway, so there is no "
            f"room for messages: give a budget above {pinned}, or shorten the system prompt or "
            "summary."
        )
        self.budget, self.pinned = budget, pinned


class InvalidHistory(ValueError):
    """A list that is no history, or one in which a tool call and its result are already parted."""


class CountFailed(RuntimeError):
    """The counter raised, or returned what is no number of tokens."""


class _WhenRead:
    """A field of a dataclass: an int, or a function that is called when the field is first read."""

    def __set_name__(self, owner, name: str):
        self.name = name

    def __get__(self, instance, owner=None) -> int:
        if instance is None:  # a dataclass asks for the default: there is none
            raise AttributeError(self.name)
        value = vars(instance)[self.name]
        if callable(value):
            value = vars(instance)[self.name] = value()
        return value

    def __set__(self, instance, value: int | Callable[[], int]):
        vars(instance)[self.name] = value


@dataclass(frozen=True)
class Trimmed:
    """A history cut in two: `dropped + kept` is the input, the same message objects in order.

    What was dropped is counted when `dropped_tokens` is first read (also by `==` and `repr`).
    CountFailed then: the counter cannot count it.
    """

    kept: list  # the newest messages, to be sent
    dropped: list  # the older ones, to be summarised
    kept_tokens: int  # of the messages in `kept`, without what is pinned
    dropped_tokens: int = _WhenRead()
    over_budget: bool  # the newest exchange alone, with what is pinned, is over the budget

    def __reduce__(self):  # pickled and copied as what it says, without the counter
        values = (self.kept, self.dropped, self.kept_tokens, self.dropped_tokens, self.over_budget)
        return type(self), values


# ---------------------------------------------------------------- trimming


def trim(
    messages: Sequence, budget: int, count: Callable[[list], int], *, pinned: int = 0
) -> Trimmed:
    """The newest exchanges that fit into `budget` tokens, and the rest.

    `budget`: tokens of the whole request, that is of the kept messages and of the `pinned` part
    (tokens sent anyway: system prompt, tools, summary). `count(messages) -> int`: tokens of a list
    of messages; it must add up, count(a + b) == count(a) + count(b). See `counter`.

    The newest exchange always stays, even if it alone is over: then `over_budget` is True. Older
    ones stay, whole, newest first, up to the first that does not fit. Budget 0 keeps the newest
    exchange alone; `[]` gives empty lists. Messages before the first user message count as the
    oldest exchange. Linear time: each message is looked at once, and counted once at most, those
    that are dropped only when `dropped_tokens` is read. Nothing given is changed.

    ValueError: a budget or `pinned` that is negative or no whole number. BudgetTooSmall: `pinned`
    alone fills the budget. InvalidHistory: results without calls, or calls without results
    anywhere but at the end (an agent at work), also in what would be dropped. CountFailed: no
    usable count, and nothing trimmed.
    """
    budget, pinned = _tokens("budget", budget), _tokens("pinned", pinned)
    if pinned and pinned >= budget:
        raise BudgetTooSmall(budget, pinned)
    for _ in _open_calls(messages):
        pass  # raises if a call and its result are parted
    messages = list(messages)
    room, total, start = budget - pinned, 0, len(messages)
    older, known = [], 0  # not counted yet; tokens of the exchange that did not fit
    for first in range(len(messages) - 1, -1, -1):
        if first and not starts_exchange(messages[first]):
            continue
        tokens = _counted(count, messages[first:start])
        if start < len(messages) and total + tokens > room:
            older, known = messages[:first], tokens
            break
        total += tokens
        start = first

    def dropped_tokens() -> int:
        return known + (
            _counted(count, older, "The dropped messages have no count") if older else 0
        )

    return Trimmed(messages[start:], messages[:start], total, dropped_tokens, total > room)


def counter(messages: Sequence, counts: Sequence[int]) -> Callable[[list], int]:
    """A `count` for `trim` out of `counts`, the tokens of each of `messages` (`count_messages`).

    It knows these very message objects and no others (LookupError). ValueError: lengths differ.
    """
    if len(messages) != len(counts):
        raise ValueError(f"{len(messages)} messages, but {len(counts)} counts: give one for each.")
    held = list(messages)  # an id is unique only while its object lives
    table = dict(zip(map(id, held), counts, strict=True))

    def count(some: list) -> int:
        try:
            return sum([table[id(message)] for message in some])
        except KeyError:
            raise LookupError(
                f"a message is not one of the {len(held)} that were counted: count it first"
            ) from None

    return count


def _tokens(name: str, value) -> int:
    if not _whole(value):
        raise ValueError(f"{name} must be a whole number of tokens, 0 or more, not {value!r}.")
    return int(value)


def _whole(value) -> bool:
    return isinstance(value, (int, Integral)) and not isinstance(value, bool) and value >= 0


def _counted(count: Callable[[list], int], messages: list, so="Nothing was trimmed") -> int:
    try:
        tokens = count(messages)
    except Exception as error:
        raise CountFailed(
            f"{so}: counting {len(messages)} messages raised {type(error).__name__}: {error}"
        ) from error
    if not _whole(tokens):
        raise CountFailed(
            f"{so}: count() must return a whole number of tokens, 0 or more, and returned "
            f"{tokens!r} for {len(messages)} messages."
        )
    return int(tokens)


# ---------------------------------------------------------------- calls and results


def _open_calls(messages: Sequence) -> Iterator[tuple[str, ...]]:
    """After each message: the ids of the tool calls still without a result.

    InvalidHistory as soon as no later message can bring things in order.
    """
    if not listlike(messages):
        raise InvalidHistory(f"messages must be a list, not {type(messages).__name__}.")
    calls: dict[str, None] = {}  # of the assistant turn before, still without a result
    answering = False  # has the user turn begun
    for i, message in enumerate(messages):
        role, content = _field(message, "role"), _field(message, "content")
        if role not in ("user", "assistant", "system"):
            raise InvalidHistory(
                f"messages.{i}: the role must be user, assistant or system, not {role!r}."
            )
        if role == "assistant":
            if answering and calls:
                raise _unanswered(i, calls)
            answering = False
        elif role == "user":
            answering = True
        if isinstance(content, str):
            if role == "user" and calls:
                raise _unanswered(i, calls)
        elif not listlike(content):
            raise InvalidHistory(
                f"messages.{i}: content must be a string or a list of content blocks, not "
                f"{type(content).__name__}."
            )
        else:
            _read_blocks(i, role, blocks(message), calls)
        yield tuple(calls)


def _read_blocks(i: int, role: str, found: list[dict], calls: dict[str, None]) -> None:
    """Opens the calls of an assistant message, closes those that a user message answers."""
    for block in found:
        kind = block.get("type")
        if kind == "tool_result":
            call = block.get("tool_use_id")
            if role != "user" or not isinstance(call, str) or call not in calls:
                raise InvalidHistory(
                    f"messages.{i}: a tool result for {call!r}, which is no unanswered call of the "
                    "assistant turn before: a call and its result must stay together."
                )
            del calls[call]
        elif role == "user" and calls:
            raise _unanswered(i, calls)
        elif kind == "tool_use" and role == "assistant":
            if not isinstance(block.get("id"), str):
                raise InvalidHistory(f"messages.{i}: a tool call needs an id, a string.")
            calls[block["id"]] = None


def _unanswered(i: int, calls: dict[str, None]) -> InvalidHistory:
    return InvalidHistory(
        f"messages.{i}: the tool calls before it have no results yet: "
        f"{', '.join(map(str, calls))}. The results must come first."
    )


def _field(thing, key: str):
    if type(thing) is dict:  # first, because asking about a Mapping takes several times as long
        return thing.get(key)
    return thing.get(key) if isinstance(thing, Mapping) else getattr(thing, key, None)


# ---------------------------------------------------------------- counting

_CLOSE = {"type": "text", "text": "."}


def count_messages(
    client,
    model: str,
    messages: Sequence,
    *,
    system=None,
    tools=None,
    known: Sequence[int | None] | None = None,
) -> list[int]:
    """Tokens that each message adds to a request, by the model's own counter.

    `client`: an `anthropic.Anthropic` (counting is free, with a rate limit of its own). `system`,
    `tools`: as they will be sent. `known`: for each message the count already known, or None; what
    it leaves out is counted, the rest is given back as it stands. Keep counts beside the messages
    and per model: other models count differently. The service calls its counts estimates.

    How: count the history up to each message and take differences. The API counts only what it
    would accept, so each of these requests is closed by one short user message, which also brings
    an empty result for every tool call still open. Hence the frame of a result (its id) counts
    with its call, and the result with what it says. No beginning of the history is changed, which
    signed thinking blocks would not survive. Counts are never negative and the sum over an
    exchange is exact; where a thinking block stops counting later, the differences inside are
    evened out.

    Calls: one for each new message, and one more for each stretch of new messages (one stretch in
    the usual case: a turn is a question, an answer and 3 calls). None when all are known.

    ValueError: `known` is too long or holds what is no count. InvalidHistory: as in `trim`. Errors
    of the API pass through; the longest request goes first, so that they come at once.
    """
    open_calls = [(), *_open_calls(messages)]
    messages = list(messages)
    counts = _known(known, len(messages))
    fixed = {
        key: value for key, value in (("system", system), ("tools", tools)) if value is not None
    }

    def total(end: int) -> int:
        closed = _closed(messages[:end], open_calls[end])
        return client.messages.count_tokens(model=model, messages=closed, **fixed).input_tokens

    for stretch in reversed(_unknown(counts)):
        totals = {end: total(end) for end in range(stretch.stop, stretch.start - 1, -1)}
        top, before = totals[stretch.stop], totals[stretch.start]
        for i in stretch:
            after = max(before, min(totals[i + 1], top))
            counts[i] = after - before
            before = after
    return counts


def _known(known: Sequence[int | None] | None, length: int) -> list[int | None]:
    known = [] if known is None else list(known)
    if len(known) > length:
        raise ValueError(f"known has {len(known)} counts for {length} messages.")
    for i, value in enumerate(known):
        if value is not None:
            _tokens(f"known[{i}]", value)
    return known + [None] * (length - len(known))


def _unknown(counts: list[int | None]) -> list[range]:
    """The stretches of messages without a count."""
    stretches: list[range] = []
    for i, value in enumerate(counts):
        if value is not None:
            continue
        if stretches and stretches[-1].stop == i:
            stretches[-1] = range(stretches[-1].start, i + 1)
        else:
            stretches.append(range(i, i + 1))
    return stretches


def _closed(messages: list, calls: tuple[str, ...]) -> list:
    """These messages and one more user message that makes a valid request of them."""
    results = [{"type": "tool_result", "tool_use_id": call} for call in calls]
    end = len(messages)
    while end and _field(messages[end - 1], "role") == "system":
        end -= 1  # a system message must be last, or before an assistant message
    return [*messages[:end], {"role": "user", "content": [*results, _CLOSE]}, *messages[end:]]
