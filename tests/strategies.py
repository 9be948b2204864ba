"""Hypothesis strategies for message histories, for every test that takes one.

`histories()` draws histories that the API accepts and that end at a user turn; `garbage()` draws
what a careless caller may pass instead.
"""

import copy
import datetime
import functools
import string
from types import MappingProxyType

from hypothesis import strategies as st

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)


@functools.cache  # building a strategy costs more than drawing from it
def texts(max_size: int = 30):
    """Text that is not blank and that JSON can carry."""
    return st.text(min_size=1, max_size=max_size).filter(lambda text: text.strip())


@functools.cache
def names():
    return st.text(string.ascii_lowercase + "_", min_size=1, max_size=12)


@functools.cache
def text_blocks():
    return texts().map(lambda text: {"type": "text", "text": text})


@functools.cache
def images():
    data = st.just({"type": "base64", "media_type": "image/png", "data": PIXEL})
    link = st.just({"type": "url", "url": "https://example.org/parcel.png"})
    return st.one_of(data, link).map(lambda source: {"type": "image", "source": source})


@functools.cache
def documents():
    source = texts().map(lambda text: {"type": "text", "media_type": "text/plain", "data": text})
    return source.map(lambda source: {"type": "document", "source": source, "title": "note"})


@functools.cache
def inputs():
    """The input of a tool call."""
    leaf = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=5))
    return st.dictionaries(st.text(max_size=5), st.one_of(leaf, st.lists(leaf, max_size=2)))


@functools.cache
def _one_to(most: int):
    return st.sampled_from([1, 1, 1, *range(1, most + 1)])


@functools.cache
def _user_content(media: bool):
    kinds = [text_blocks()] + ([images(), documents()] if media else [])
    return st.one_of(texts(), texts(), st.lists(st.one_of(kinds), min_size=1, max_size=3))


@functools.cache
def _result_content(media: bool):
    kinds = [text_blocks()] + ([images()] if media else [])
    return st.one_of(st.none(), st.just(""), texts(), st.lists(st.one_of(kinds), max_size=2))


_COIN = st.booleans()
_DIGIT = st.integers(0, 9)


@st.composite
def histories(draw, *, tools=True, thinking=True, sdk=True, media=True, max_exchanges=4):
    """A valid history ending at a user turn, by default with everything that may stand in one.

    `tools`, `thinking`, `sdk` (blocks as the client returns them), `media`: leave them out by
    False. Runs of one role, parallel calls and a leading assistant message occur as well.
    """
    writer = _Writer(draw, thinking=thinking, sdk=sdk, media=media)
    if draw(_DIGIT) < 2:
        writer.say("assistant", draw(texts()))
    for last in [False] * draw(st.integers(0, max_exchanges - 1)) + [True]:
        writer.user_turn()
        rounds = draw(st.integers(0, 2)) if tools else 0
        for number in range(rounds):
            writer.calls_and_results()
            if last and number == rounds - 1 and draw(_COIN):
                return writer.messages  # an agent in the middle of its work
        if last and rounds:
            writer.assistant_turn()
            writer.user_turn()
        elif not last:
            writer.assistant_turn()
    return writer.messages


class _Writer:
    def __init__(self, draw, *, thinking, sdk, media):
        self.draw, self.thinking, self.sdk, self.media = draw, thinking, sdk, media
        self.messages: list[dict] = []
        self.calls = 0

    def say(self, role, content):
        self.messages.append({"role": role, "content": content})

    def user_turn(self):
        for _ in range(self.draw(_one_to(3))):
            self.say("user", self.draw(_user_content(self.media)))

    def assistant_turn(self):
        for _ in range(self.draw(_one_to(2))):
            parts = self.thoughts() + [self.draw(text_blocks())]
            plain = self.draw(_COIN) and len(parts) == 1
            self.say("assistant", parts[0]["text"] if plain else self.as_returned(parts))

    def thoughts(self):
        if not self.thinking or self.draw(_DIGIT) > 2:
            return []
        open_ = {"type": "thinking", "thinking": self.draw(texts()), "signature": "s=="}
        return [open_ if self.draw(_COIN) else {"type": "redacted_thinking", "data": "x=="}]

    def calls_and_results(self):
        calls = []
        for _ in range(self.draw(_one_to(3))):
            self.calls += 1
            name, arguments = self.draw(names()), self.draw(inputs())
            calls.append(
                {"type": "tool_use", "id": f"toolu_{self.calls}", "name": name, "input": arguments}
            )
        before = self.thoughts() + self.perhaps_text()
        cut = self.draw(_DIGIT) % len(calls)  # now and then over two messages
        if cut:
            self.say("assistant", self.as_returned(before + calls[:cut]))
            before = []
        self.say("assistant", self.as_returned(before + calls[cut:]))

        results = [self.result(call) for call in calls]
        if self.draw(_COIN):
            results.reverse()
        cut = self.draw(_DIGIT) % len(results)
        after = self.perhaps_text()
        if cut:
            self.say("user", results[:cut])
        self.say("user", results[cut:] + after)
        if self.draw(_DIGIT) < 2:
            self.say("user", self.draw(texts()))

    def perhaps_text(self):
        return [self.draw(text_blocks())] if self.draw(_COIN) else []

    def result(self, call):
        result = {"type": "tool_result", "tool_use_id": call["id"]}
        content = self.draw(_result_content(self.media))
        if content is not None:
            result["content"] = content
        if content and self.draw(_COIN):
            result["is_error"] = self.draw(_COIN)
        return result

    def as_returned(self, parts):
        if not self.sdk or self.draw(_COIN):
            return parts
        from anthropic import types

        kinds = {
            "text": types.TextBlock,
            "tool_use": types.ToolUseBlock,
            "thinking": types.ThinkingBlock,
            "redacted_thinking": types.RedactedThinkingBlock,
        }
        return [kinds[part["type"]](**copy.deepcopy(part)) for part in parts]


# ---------------------------------------------------------------- what nobody should pass

_WORDS = st.sampled_from(
    "role content type text user assistant system tool_use tool_result tool_use_id id name input "
    "thinking signature image document source base64 url data is_error cache_control".split()
)


class Hostile:
    """An object that objects to everything."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    __len__ = __iter__ = __bool__ = __eq__ = __repr__ = __str__ = None
    __hash__ = object.__hash__


class LyingClass:
    """Trips `isinstance`, Hypothesis's own included: for tests by hand."""

    @property
    def __class__(self):
        raise RuntimeError("no class")


class HostileDict(dict):
    def items(self):
        raise RuntimeError("items")

    keys = __iter__ = get = items


class HostileList(list):
    def __iter__(self):
        raise RuntimeError("iter")

    def __len__(self):
        raise RuntimeError("len")


class HostileText(str):
    def encode(self, *_):
        raise RuntimeError("encode")


def _deep():
    thing = []
    for _ in range(5000):
        thing = [thing]
    return thing


def _ring():
    thing = {"role": "user"}
    thing["content"] = [thing]
    return thing


_MAKERS = (
    object,
    Hostile,
    lambda: HostileDict(role="user", content="x"),
    lambda: HostileList([1]),
    lambda: HostileText("x"),
    _deep,
    _ring,
    lambda: (n for n in range(3)),
    lambda: iter([{"role": "user", "content": "x"}]),
    lambda: b"bytes",
    lambda: {1, 2},
    lambda: {("a", 1): 2, None: 3},
    lambda: float("nan"),
    lambda: 10**5000,
    lambda: "half \ud83d",
    lambda: datetime.date(2026, 1, 1),
    lambda: MappingProxyType({"role": "user", "content": "x"}),
    lambda: range(3),
    lambda: Hostile,
    lambda: print,
    lambda: RuntimeError("x"),
)


def odd_objects():
    """Python objects that no request can carry."""
    return st.sampled_from(_MAKERS).map(lambda make: make())


def garbage(*, objects=True):
    """JSON-like values, many of them nearly messages; with `objects`, odd Python objects inside."""
    leaves = [st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), _WORDS]
    leaf = st.one_of(*leaves, *([odd_objects()] if objects else []))

    def bigger(inner):
        message = st.fixed_dictionaries(
            {"role": st.one_of(_WORDS, inner), "content": inner},
            optional={"id": inner},
        )
        return st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(st.one_of(_WORDS, st.text(max_size=3)), inner, max_size=4),
            st.lists(message, max_size=3),
            message,
        )

    return st.recursive(leaf, bigger, max_leaves=12)
