"""Where a history may be cut in two: at the beginning of an exchange, never inside a pair."""

from collections.abc import Iterator, Sequence

from helpers.messages import blocks, starts_exchange
from helpers.shapes import listlike
from helpers.trimming import InvalidHistory


class UnansweredCall(ValueError):
    """The history ends with a tool call that has no result yet; `calls` are the ids."""

    def __init__(self, calls: Sequence[str]):
        super().__init__(
            f"The history ends in the middle of a tool call ({', '.join(calls)}): append the "
            "results first, then compact."
        )
        self.calls = list(calls)


def safe_cut(messages: Sequence, keep_last: int = 8, *, within_turn: bool = False) -> int:
    """The index at which to cut: `messages[:cut]` can be summarised, `messages[cut:]` stays.

    It is the newest place that leaves at least `keep_last` messages, and 0 when there is none. A
    cut stands before a user message without tool results, so that no call loses its result and no
    answer its question. The end of a finished exchange counts as well: with `keep_last=0` the whole
    of a history that ends with an answer is older.

    within_turn: allow also cuts between two steps of one exchange, before the assistant message
    that follows complete tool results, and after the last results. A long investigation is a single
    exchange and could not be cut otherwise; the task itself is then in the notes alone.

    ValueError: `keep_last` is no whole number, 0 or more. UnansweredCall: results are missing at
    the end. InvalidHistory: a call and its result are already parted.
    """
    if isinstance(keep_last, bool) or not isinstance(keep_last, int) or keep_last < 0:
        raise ValueError(f"keep_last must be a whole number, 0 or more, not {keep_last!r}.")
    allowed = (i for i in _places(messages, within_turn) if i <= len(messages) - keep_last)
    return max(allowed, default=0)


def _places(messages: Sequence, within_turn: bool) -> Iterator[int]:
    """All indexes at which the history may be cut, in order, 0 left out."""
    if not listlike(messages):
        raise InvalidHistory(f"messages must be a list, not {type(messages).__name__}.")
    calls: dict[str, None] = {}  # without a result so far
    answered = False  # the message before ends with results, all of them given
    role = ""
    for i, message in enumerate(messages):
        before, role = role, _role(i, message)
        if i and not calls:
            step = within_turn and role == "assistant" and answered
            if starts_exchange(message) or step:
                yield i
        if role == "assistant" and before == "user" and calls:
            raise _parted(i, calls)
        answered = _read(i, role, blocks(message), calls)
    if calls:
        raise UnansweredCall(list(calls))
    if role == "assistant" or (within_turn and answered):
        yield len(messages)


def _role(i: int, message) -> str:
    role = message.get("role") if hasattr(message, "get") else getattr(message, "role", None)
    if role not in ("user", "assistant", "system"):
        raise InvalidHistory(
            f"messages.{i}: the role must be user, assistant or system, not {role!r}."
        )
    return role


def _read(i: int, role: str, found: list[dict], calls: dict[str, None]) -> bool:
    """Opens and closes calls; whether this message answers calls and leaves none open."""
    results = False
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
            results = True
        elif role == "user" and calls:
            raise _parted(i, calls)
        elif kind == "tool_use" and role == "assistant":
            calls[str(block.get("id"))] = None
    return results and not calls


def _parted(i: int, calls: dict[str, None]) -> InvalidHistory:
    return InvalidHistory(
        f"messages.{i}: the tool calls before it have no results: {', '.join(calls)}. The results "
        "must come first."
    )
