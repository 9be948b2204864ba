"""Counting: the tokens that each message of a history adds, by the model's own counter."""

from collections.abc import Sequence

from .calls import field, open_calls
from .cutting import whole_tokens

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
    opened = [(), *open_calls(messages)]
    messages = list(messages)
    counts = _known(known, len(messages))
    fixed = {
        key: value for key, value in (("system", system), ("tools", tools)) if value is not None
    }

    def total(end: int) -> int:
        closed = _closed(messages[:end], opened[end])
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
            whole_tokens(f"known[{i}]", value)
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
    while end and field(messages[end - 1], "role") == "system":
        end -= 1  # a system message must be last, or before an assistant message
    return [*messages[:end], {"role": "user", "content": [*results, _CLOSE]}, *messages[end:]]
