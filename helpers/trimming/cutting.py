"""Keeping a conversation within a budget: the newest exchanges stay, whole."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral

from helpers.messages import starts_exchange

from .calls import open_calls


class BudgetTooSmall(ValueError):
    """What must be sent anyway leaves no room for messages; `budget` and `pinned` are tokens."""

    def __init__(self, budget: int, pinned: int):
        super().__init__(
            f"The budget is {budget} tokens and {pinned} tokens are sent anyway, so there is no "
            f"room for messages: give a budget above {pinned}, or shorten the system prompt or "
            "summary."
        )
        self.budget, self.pinned = budget, pinned


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
    budget, pinned = whole_tokens("budget", budget), whole_tokens("pinned", pinned)
    if pinned and pinned >= budget:
        raise BudgetTooSmall(budget, pinned)
    for _ in open_calls(messages):
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


def whole_tokens(name: str, value) -> int:
    """`value` as an int; ValueError if it is no number of tokens."""
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
