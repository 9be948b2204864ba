"""Tokens of a tool result: by a counter that is passed in, else by an estimate that errs low.

A counter, here and in `caching.chain`, is `count(part) -> int`: the tokens of a part of a request
body, such as `{"messages": [...]}`. A result is counted as what a user message would hold, and only
differences are used, so the frame of that message cancels out.
"""

import json
from collections.abc import Callable
from numbers import Integral

from helpers.messages import blocks
from helpers.shapes import listlike
from helpers.trimming import CountFailed

Count = Callable[[dict], int]

# Bytes of text for one token. In data/tokens.csv JSON has about 2, prose up to 3.6 and only Russian
# more than 4: so this claims less than is saved, for JSON about half of it.
BYTES_PER_TOKEN = 4
NOT_TEXT = 1_000  # tokens of an image or a file, whatever its size


def estimate(content) -> int:
    """Tokens of a result's content (a string, a list of blocks, None), estimated from below."""
    return weight(content) // BYTES_PER_TOKEN


def weight(content) -> int:
    """Bytes of a result's text; what is no text counts as `NOT_TEXT` tokens of it."""
    if isinstance(content, str):
        return len(content) if content.isascii() else len(content.encode("utf-8", "replace"))
    if not listlike(content):
        return 0
    return sum(map(_block_weight, blocks({"content": content})))


def _block_weight(block: dict) -> int:
    text = block.get("text")
    if block.get("type") == "text":
        return weight(text) if isinstance(text, str) else 0
    return NOT_TEXT * BYTES_PER_TOKEN


def tokens_of(content, count: Count | None) -> int:
    """Tokens of a result's content by `count`, or by the estimate. CountFailed: no usable count."""
    if count is None:
        return estimate(content)
    held = content if isinstance(content, str) else blocks({"content": content})
    return counted(count, {"messages": [{"role": "user", "content": held}]})


def counted(count: Count, part: dict) -> int:
    """count(part), checked: CountFailed if it raises or returns no whole number, 0 or more."""
    try:
        tokens = count(part)
    except Exception as error:
        raise CountFailed(
            f"Nothing was changed: counting raised {type(error).__name__}: {error}"
        ) from error
    if not whole(tokens):
        raise CountFailed(
            "Nothing was changed: count() must return a whole number of tokens, 0 or more, and "
            f"returned {tokens!r}."
        )
    return int(tokens)


def whole(value) -> bool:
    """Whether `value` is a whole number, 0 or more (True and False are none)."""
    return isinstance(value, (int, Integral)) and not isinstance(value, bool) and value >= 0


def count_by(client, model: str) -> Count:
    """A counter by the model that will answer: `client.messages.count_tokens`, which is free.

    It asks once for each text and remembers the answer. Its parts must be valid requests: messages,
    perhaps with system and tools. Errors of the API pass through.
    """
    known: dict[str, int] = {}

    def count(part: dict) -> int:
        key = json.dumps(part, sort_keys=True, default=repr)
        if key not in known:
            known[key] = client.messages.count_tokens(model=model, **part).input_tokens
        return known[key]

    return count
