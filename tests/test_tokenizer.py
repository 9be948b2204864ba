"""The practice model's tokenizer: how near it is, that it adds up, and that cutting is exact."""

import csv
from collections import defaultdict
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.practice.tokenizer import (
    DOCUMENT,
    IMAGE,
    count_blocks,
    count_message,
    count_request,
    count_text,
    cut,
)

TABLE = Path(__file__).parent.parent / "data" / "tokens.csv"
# One sentence each, in a language whose long words the rule knows nothing about.
ROUGH = {"German": 0.30}

any_text = st.text(st.characters(), max_size=200)  # lone surrogates and NULs too
tricky = st.sampled_from(
    [
        "",
        " ",
        "\x00",
        "\ud83d",
        "\ude00",
        "\ud83d\ude00",
        "🍜🌮",
        "👩‍👩‍👧",
        "e\u0301tude",
        "荷物が間違った",
        "a" * 500,
    ]
)
texts = st.lists(st.one_of(any_text, tricky), max_size=4).map("".join)


def errors():
    """Relative errors of the rule by kind of text."""
    found = defaultdict(list)
    with open(TABLE, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            true = int(row["claude_tokens"])
            found[row["kind"]].append(abs(count_text(row["text"]) - true) / true)
    return found


def test_median_error_is_below_15_percent_overall_and_in_every_kind():
    found = errors()
    assert median(e for kind in found.values() for e in kind) < 0.15
    too_far = {kind: median(e) for kind, e in found.items() if median(e) >= ROUGH.get(kind, 0.15)}
    assert too_far == {}


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("", 0),
        ("word", 1),
        ("words", 2),
        (" word", 1),
        ("4471", 2),
        ("a.b", 3),
        ("🍜", 3),
        ("\n    x", 2),
    ],
)
def test_the_rule_on_small_texts(text, tokens):
    assert count_text(text) == tokens


@given(texts, st.integers(-3, 80))
def test_cut_is_the_longest_beginning_that_fits(text, limit):
    beginning = cut(text, limit)
    assert text.startswith(beginning)
    assert count_text(beginning) <= max(0, limit)
    if beginning != text:
        # One more whole character is too much: only marks and pair halves may lie between.
        longer = next(
            (
                text[:end]
                for end in range(len(beginning) + 1, len(text) + 1)
                if ends_whole(text, end)
            ),
            text,
        )
        assert count_text(longer) > max(0, limit)


def ends_whole(text: str, end: int) -> bool:
    """Whether a cut at `end` falls between two characters."""
    if end >= len(text):
        return True
    after, before = text[end], text[end - 1]
    mark = (
        "\u0300" <= after <= "\u036f"
        or after in "\u200d\ufe0e\ufe0f"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )
    return not mark and not ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")


@given(texts, st.integers(0, 60))
def test_cut_never_ends_inside_a_character(text, limit):
    beginning = cut(text, limit)
    assert beginning == "" or ends_whole(text, len(beginning))


def blocks_of(text):
    return [
        {"type": "text", "text": text or "x"},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"word": text}},
        {
            "type": "tool_result",
            "tool_use_id": "toolu_1",
            "content": [{"type": "text", "text": text}],
        },
    ]


@given(st.lists(texts, min_size=1, max_size=5), texts)
@settings(max_examples=50)
def test_counts_add_up(parts, system):
    messages = [
        {"role": "user" if i % 2 == 0 else "assistant", "content": blocks_of(t)}
        for i, t in enumerate(parts)
    ]
    tools = [{"name": "look", "description": "Looks a word up", "input_schema": {"type": "object"}}]
    body = {"messages": messages}
    assert count_request(body) == sum(map(count_message, messages))
    extra = count_request({**body, "system": system, "tools": tools}) - count_request(body)
    assert extra == count_request({"system": system, "tools": tools, "messages": []})
    assert count_request({"messages": messages[:-1]}) + count_message(
        messages[-1]
    ) == count_request(body)
    for message in messages:
        assert count_blocks(message["content"]) == sum(
            count_blocks([b]) for b in message["content"]
        )


def test_a_string_and_one_text_block_count_the_same():
    plain = {"role": "user", "content": "Where is my parcel?"}
    block = {"role": "user", "content": [{"type": "text", "text": "Where is my parcel?"}]}
    assert count_message(plain) == count_message(block)


def test_what_cannot_be_read_has_a_fixed_price():
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "A" * 40_000},
    }
    pdf = {
        "type": "document",
        "source": {"type": "base64", "media_type": "application/pdf", "data": "A" * 40_000},
    }
    assert count_blocks([image]) == IMAGE
    assert count_blocks([pdf]) == DOCUMENT


def test_a_text_document_counts_by_its_text():
    def document(text):
        return {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": text},
        }

    more = count_blocks([document("word " * 1_000)]) - count_blocks([document("word ")])
    assert more == count_text("word " * 1_000) - count_text("word ")


def test_cache_marks_and_signatures_cost_nothing():
    marked = {"type": "text", "text": "hello", "cache_control": {"type": "ephemeral"}}
    assert count_blocks([marked]) == count_blocks([{"type": "text", "text": "hello"}])
    tool = {"name": "look", "input_schema": {"type": "object"}}
    cached = {**tool, "cache_control": {"type": "ephemeral"}}
    assert count_request({"messages": [], "tools": [tool]}) == count_request(
        {"messages": [], "tools": [cached]}
    )
