"""Counting and trimming: every row of the fault table, and histories that nobody would think of."""

import copy
import dataclasses
import pickle

import anthropic
import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import backends
from helpers.messages import exchanges, merge_turns, validate_request
from helpers.models import CHAT_MODEL, MODELS
from helpers.practice import PracticeAPI, tokenizer
from helpers.trimming import (
    BudgetTooSmall,
    CountFailed,
    InvalidHistory,
    Trimmed,
    count_messages,
    counter,
    trim,
)
from tests.strategies import PIXEL, garbage, histories

OLDER = next(m.id for m in MODELS.values() if m.prefill)
WITH_SYSTEM = next(m.id for m in MODELS.values() if m.system_messages)
SYSTEM = "You are Scout, a guide to one city."
TOOL = {"name": "look_up", "description": "A place.", "input_schema": {"type": "object"}}
quick = settings(deadline=None, max_examples=100)


def u(text):
    return {"role": "user", "content": text}


def a(text):
    return {"role": "assistant", "content": text}


def tu(*ids):
    calls = [{"type": "tool_use", "id": i, "name": "look_up", "input": {}} for i in ids]
    return {"role": "assistant", "content": calls}


def tr(*ids, content="open"):
    results = [{"type": "tool_result", "tool_use_id": i, "content": content} for i in ids]
    return {"role": "user", "content": results}


def image():
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    return {"role": "user", "content": [{"type": "image", "source": source}]}


def tens(messages):
    """Ten tokens a message: room for two messages is a budget of 20."""
    return 10 * len(messages)


def practice(messages):
    """The practice model's own count; it adds up."""
    plain = [{"role": "user", "content": merge_turns([m])[0]["content"]} for m in messages]
    return sum(map(tokenizer.count_message, plain))


def same(some, others):
    """The same objects in the same order."""
    return list(map(id, some)) == list(map(id, others))


def open_calls(history):
    turns = merge_turns(history)
    calls, results = [], []
    for turn in turns[-2:]:
        if turn["role"] == "assistant":
            calls = [b["id"] for b in turn["content"] if b["type"] == "tool_use"]
            results = []
        else:
            results += [b["tool_use_id"] for b in turn["content"] if b["type"] == "tool_result"]
    return [call for call in calls if call not in results]


def next_user(history):
    """A user message that may follow: it answers what is open."""
    results = [{"type": "tool_result", "tool_use_id": i} for i in open_calls(history)]
    return {"role": "user", "content": [*results, {"type": "text", "text": "And now?"}]}


# --- the fault table, row by row ------------------------------------------------------------------


def test_results_whose_call_was_cut_are_not_kept():
    history = [u("Hi"), tu("1"), tr("1"), u("And?")]
    trimmed = trim(history, 20, tens)
    assert same(trimmed.kept, history[3:]) and same(trimmed.dropped, history[:3])
    assert same(trim(history, 40, tens).kept, history)


@pytest.mark.parametrize("budget", [0, 10, 20, 30, 1000])
def test_an_unanswered_call_is_refused_whatever_the_budget(budget):
    with pytest.raises(InvalidHistory, match=r"messages\.2: the tool calls .* no results yet: 1\."):
        trim([u("Hi"), tu("1"), u("And?")], budget, tens)


def test_an_unanswered_call_may_stand_last():
    history = [u("Hi"), a("Yes?"), u("Open?"), tu("1")]
    assert same(trim(history, 20, tens).kept, history[2:])


@pytest.mark.parametrize("budget", range(0, 60, 5))
def test_a_parallel_pair_is_all_or_nothing(budget):
    history = [u("Hi"), tu("1", "2"), tr("1"), tr("2"), u("And?")]
    kept = trim(history, budget, tens).kept
    assert same(kept, history if budget >= 50 else history[4:])


def test_half_of_a_parallel_pair_is_refused():
    for history in ([u("Hi"), tu("1", "2"), tr("1"), u("And?")],
                    [u("Hi"), tu("1", "2"), tr("1"), a("So."), u("And?")]):  # fmt: skip
        with pytest.raises(InvalidHistory, match=r"messages\.3: .* no results yet: 2\."):
            trim(history, 1000, tens)


def test_half_of_the_results_may_stand_last():
    history = [u("Hi"), a("Yes?"), u("Open?"), tu("1", "2"), tr("1")]
    kept = trim(history, 0, tens).kept
    assert same(kept, history[2:])
    assert validate_request([*kept, tr("2")]) == []


def test_one_long_exchange_stays_and_says_that_it_is_over():
    history = [u("Plan my day.")]
    for n in range(30):
        history += [tu(f"t{n}"), tr(f"t{n}")]
    trimmed = trim(history, 100, tens)
    assert trimmed == Trimmed(history, [], 610, 0, True)
    assert trim(history, 610, tens) == Trimmed(history, [], 610, 0, False)


def test_a_budget_below_what_is_pinned_is_a_named_error():
    with pytest.raises(BudgetTooSmall, match="budget is 10 tokens and 500 tokens") as caught:
        trim([u("Hi")], 10, tens, pinned=500)
    assert (caught.value.budget, caught.value.pinned) == (10, 500)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("budget, pinned", [(500, 500), (0, 1), (0, 500)])
def test_pinned_that_fills_the_budget(budget, pinned):
    for history in ([], [u("Hi")]):
        with pytest.raises(BudgetTooSmall):
            trim(history, budget, tens, pinned=pinned)


def test_pinned_takes_its_part_of_the_budget():
    history = [u("1"), a("2"), u("3"), a("4")]
    assert trim(history, 540, tens, pinned=500) == Trimmed(history, [], 40, 0, False)
    assert trim(history, 539, tens, pinned=500) == Trimmed(history[2:], history[:2], 20, 20, False)
    assert trim(history, 519, tens, pinned=500) == Trimmed(history[2:], history[:2], 20, 20, True)
    assert trim(history, 501, tens, pinned=500).over_budget


@pytest.mark.parametrize("budget", [0, 1, 10**9])
def test_nothing_stays_nothing(budget):
    assert trim([], budget, tens) == Trimmed([], [], 0, 0, False)


def test_budget_zero_keeps_the_newest_exchange():
    history = [u("1"), a("2"), u("3"), a("4")]
    assert trim(history, 0, tens) == Trimmed(history[2:], history[:2], 20, 20, True)


@pytest.mark.parametrize("bad", [-1, True, False, 1.0, float("nan"), "700", None, [700]])
def test_no_budget(bad):
    for history in ([], [u("Hi")]):
        with pytest.raises(ValueError, match="budget must be a whole number of tokens"):
            trim(history, bad, tens)
        with pytest.raises(ValueError, match="pinned must be a whole number of tokens"):
            trim(history, 700, tens, pinned=bad)


def test_under_budget_nothing_changes():
    history = [u("Hi"), a("Yes?")]
    trimmed = trim(history, 10**6, tens)
    assert same(trimmed.kept, history) and trimmed.dropped == []
    assert trimmed.kept is not history  # appending to it must not change the caller's list


@pytest.mark.parametrize("make", [image, lambda: u([{"type": "text", "text": "x" * 9000}])])
def test_the_counter_decides_what_a_block_weighs(make):
    history = [u("Hi"), a("Yes?"), make(), a("I see.")]
    light = trim(history, 10, lambda messages: len(messages))
    assert same(light.kept, history)
    heavy = trim([*history, u("So?")], 2000, lambda ms: 3000 * sum(m is history[2] for m in ms))
    assert same(heavy.kept, [heavy.kept[0]]) and heavy.dropped_tokens == 3000


def test_an_image_alone_is_counted_by_the_service(client):
    assert count_messages(client, CHAT_MODEL, [image()]) == [
        tokenizer.IMAGE + tokenizer.PER_MESSAGE
    ]


def test_a_counter_that_raises_fails_closed():
    def only_strings(messages):
        return sum(len(m["content"].split()) for m in messages)

    history = [u([{"type": "text", "text": "Hi"}]), a("Yes?"), u("So?")]
    before = copy.deepcopy(history)
    with pytest.raises(
        CountFailed, match="Nothing was trimmed: .*AttributeError: 'list'"
    ) as caught:
        trim(history, 10, only_strings)
    assert isinstance(caught.value.__cause__, AttributeError)
    assert history == before


@pytest.mark.parametrize("bad", [-1, None, 2.5, "7", True, [7], float("nan")])
def test_a_counter_that_returns_no_count_fails_closed(bad):
    with pytest.raises(CountFailed, match="Nothing was trimmed: .*returned"):
        trim([u("Hi")], 10, lambda messages: bad)


def test_a_counter_that_fails_on_what_is_dropped_says_so_when_its_count_is_read():
    history = [u("1"), u("2"), u("3"), u("4")]
    trimmed = trim(history, 10, lambda ms: -1 if history[0] in ms else 10)
    assert same(trimmed.kept, history[3:]) and same(trimmed.dropped, history[:3])
    for _ in range(2):
        with pytest.raises(CountFailed, match="dropped messages have no count: .*returned -1"):
            _ = trimmed.dropped_tokens


def test_what_is_dropped_is_counted_when_read_and_once():
    seen = []
    history = [u(str(n)) for n in range(6)]
    trimmed = trim(history, 20, lambda ms: seen.extend(ms) or 10 * len(ms))
    assert len(seen) == 3  # two that fit, one that does not
    trimmed.dropped.clear()  # the caller's list; the count is of what was dropped
    assert trimmed.dropped_tokens == trimmed.dropped_tokens == 40 and len(seen) == 6
    with pytest.raises(dataclasses.FrozenInstanceError):
        trimmed.dropped_tokens = 1


def test_what_trim_returns_is_a_value():
    history = [u(str(n)) for n in range(6)]
    expected = Trimmed(history[4:], history[:4], 20, 40, False)
    assert trim(history, 20, tens) == expected != trim(history, 10, tens)
    assert "kept_tokens=20, dropped_tokens=40, over_budget=False" in repr(trim(history, 20, tens))
    for copied in (pickle.loads(pickle.dumps(trim(history, 20, tens))),
                   copy.deepcopy(trim(history, 20, tens)),
                   dataclasses.replace(trim(history, 20, tens))):  # fmt: skip
        assert copied == expected
    assert dataclasses.asdict(trim(history, 20, tens))["dropped_tokens"] == 40


def test_a_broken_pair_in_what_would_be_dropped_is_refused_by_name():
    history = [u("Hi"), tu("1"), u("And?"), *[u(str(n)) for n in range(50)]]
    with pytest.raises(InvalidHistory, match=r"messages\.2: .* no results yet: 1\."):
        trim(history, 10, tens)


def test_counting_half_a_pair_is_never_asked(recorded):
    client, bodies = recorded
    history = [u("Hi"), tu("1", "2"), tr("1"), tr("2"), a("Open."), u("And?"), tu("3")]
    with pytest.raises(anthropic.BadRequestError):
        client.messages.count_tokens(model=CHAT_MODEL, messages=[tr("1")])
    bodies.clear()
    count_messages(client, CHAT_MODEL, history)
    assert len(bodies) == 8
    for body in bodies:
        assert validate_request(body["messages"], model=CHAT_MODEL) == []


# --- more about trim ------------------------------------------------------------------------------


def test_it_stops_at_the_first_that_does_not_fit():
    sizes = {"small": 1, "large": 100, "mid": 10, "new": 5}
    history = [u(name) for name in sizes]
    trimmed = trim(history, 20, lambda ms: sum(sizes[m["content"]] for m in ms))
    assert trimmed == Trimmed(history[2:], history[:2], 15, 101, False)


def test_every_message_is_counted_once_at_most():
    history = [u(str(n)) if n % 2 == 0 else a(str(n)) for n in range(100)]
    for budget in (0, 15, 500, 990, 1000, 5000):
        seen = []
        trimmed = trim(history, budget, lambda ms, seen=seen: seen.extend(ms) or 10 * len(ms))
        assert len(seen) <= len(trimmed.kept) + 2
        assert trimmed.dropped_tokens == 10 * len(trimmed.dropped)
        assert sorted(map(id, seen)) == sorted(map(id, history))


@pytest.mark.parametrize("history", [[a("Hello.")], [a("Hello."), a("Anyone?")]])
def test_leading_assistant_messages_alone(history):
    trimmed = trim(history, 0, tens)
    assert same(trimmed.kept, history)
    assert validate_request([*trimmed.kept, u("Hi")]) == []


def test_leading_assistant_messages_are_the_oldest_exchange():
    history = [a("Hello."), u("Hi"), a("Yes?")]
    assert same(trim(history, 20, tens).kept, history[1:])
    assert same(trim(history, 30, tens).kept, history)


def test_sdk_blocks_and_objects_with_fields():
    class Stored:
        def __init__(self, role, content):
            self.role, self.content = role, content

    call = anthropic.types.ToolUseBlock(type="tool_use", id="1", name="look_up", input={})
    history = [
        Stored("user", "Hi"),
        Stored("assistant", [call]),
        Stored("user", tr("1")["content"]),
    ]
    history += [Stored("assistant", "Open."), Stored("user", "Thanks")]
    trimmed = trim(history, 40, tens)
    assert same(trimmed.kept, history[4:]) and same(trimmed.dropped, history[:4])
    with pytest.raises(InvalidHistory):
        trim([history[0], history[1], history[4]], 40, tens)


@pytest.mark.parametrize(
    "history, named",
    [
        ([tr("1")], r"messages\.0: a tool result for '1'"),
        ([u("Hi"), a("So."), tr("1")], r"messages\.2: a tool result for '1'"),
        ([u("Hi"), tu("1"), tr("1"), a("So."), tr("1")], r"messages\.4: a tool result for '1'"),
        ([u("Hi"), tu("1"), tr("1", "1")], r"messages\.2: a tool result for '1'"),
        ([u("Hi"), tu("1"), tr("1"), tr("1")], r"messages\.3: a tool result for '1'"),
        ([u("Hi"), tu("1"), a("Wait."), u("No.")], r"messages\.3: .* no results yet: 1"),
        ([u("Hi"), tu("1"), u([{"type": "text", "text": "x"}, *tr("1")["content"]])], r"\.2: the"),
        ([u("Hi"), a(tr("1")["content"])], r"messages\.1: a tool result"),
        ([u("Hi"), tu(None)], r"messages\.1: a tool call needs an id"),
        ([u("Hi"), tu([1])], r"messages\.1: a tool call needs an id"),
        ([u("Hi"), tu("1"), tr([1])], r"messages\.2: a tool result for \[1\]"),
        ([u("Hi"), {"role": "tool", "content": "x"}], r"messages\.1: the role must be"),
        ([{"content": "x"}], r"messages\.0: the role must be .*not None"),
        ([{"role": ["user"], "content": "x"}], r"messages\.0: the role must be"),
        (["Hi"], r"messages\.0: the role must be"),
        ([u("Hi"), a(None)], r"messages\.1: content must be .*NoneType"),
        ([u({"type": "text", "text": "x"})], r"messages\.0: content must be .*dict"),
        ("Hi", "messages must be a list, not str"),
        (u("Hi"), "messages must be a list, not dict"),
        (None, "messages must be a list, not NoneType"),
        (7, "messages must be a list, not int"),
        (iter([u("Hi")]), "messages must be a list, not list_iterator"),
    ],
)  # fmt: skip
def test_no_history(history, named, client):
    with pytest.raises(InvalidHistory, match=named):
        trim(history, 1000, tens)
    with pytest.raises(InvalidHistory, match=named):
        count_messages(client, CHAT_MODEL, history)


def test_a_tuple_is_a_history():
    history = (u("1"), u("2"))
    assert trim(history, 10, tens) == Trimmed([history[1]], [history[0]], 10, 10, False)


def test_counter_looks_counts_up():
    history = [u("same"), a("same"), u("same")]
    count = counter(history, [1, 20, 300])
    assert (count(history), count(history[1:]), count([])) == (321, 320, 0)
    assert trim(history, 300, count) == Trimmed(history[2:], history[:2], 300, 21, False)
    with pytest.raises(CountFailed, match="not one of the 3 that were counted"):
        trim([*history, u("same")], 300, count)
    with pytest.raises(ValueError, match="3 messages, but 2 counts"):
        counter(history, [1, 20])


# --- properties -----------------------------------------------------------------------------------


@st.composite
def pieces(draw):
    """Beginnings of histories: they end anywhere, in an open call too."""
    history = draw(histories(max_exchanges=6))
    return history[: draw(st.integers(0, len(history)))] if draw(st.booleans()) else history


def check_trim(history, count, budget, more):
    before = copy.deepcopy(history)
    following = next_user(history)
    assert validate_request([*history, following]) == []

    trimmed = trim(history, budget, count)
    assert history == before
    assert same(trimmed.dropped + trimmed.kept, history)
    assert validate_request([*trimmed.kept, following]) == []
    assert trimmed.kept_tokens == count(trimmed.kept)
    assert trimmed.dropped_tokens == count(trimmed.dropped)
    assert trimmed.over_budget == (trimmed.kept_tokens > budget)

    parts = exchanges(history)
    newest = len(parts[-1]) if parts else 0
    assert len(trimmed.kept) >= newest
    assert len(trimmed.kept) in {len(sum(parts[n:], [])) for n in range(len(parts) + 1)}
    if trimmed.over_budget:
        assert len(trimmed.kept) == newest
    elif trimmed.dropped:  # one exchange more would not have fitted
        assert trimmed.kept_tokens + count(exchanges(trimmed.dropped)[-1]) > budget

    larger = trim(history, budget + more, count)
    assert len(larger.kept) >= len(trimmed.kept)
    again = trim(trimmed.kept, budget, count)
    assert same(again.kept, trimmed.kept) and again.dropped == []
    if budget > more:
        room = trim(history, budget + more, count, pinned=more)
        assert same(room.kept, trimmed.kept) and room.over_budget == trimmed.over_budget


def random_histories(examples):
    @settings(deadline=None, max_examples=examples, database=None)
    @given(pieces(), st.sampled_from([tens, practice]), st.integers(0, 1000), st.integers(0, 300))
    def search(history, count, share, more):
        check_trim(history, count, count(history) * share // 900, more)

    search()


def test_random_histories_and_budgets():
    random_histories(300)


@pytest.mark.full
def test_random_histories_and_budgets_at_length():
    random_histories(10_000)


@quick
@given(histories(max_exchanges=6), st.data())
def test_a_history_with_a_message_missing(history, data):
    """Refused exactly when no next user message could make a valid request of it."""
    del history[data.draw(st.integers(0, len(history) - 1))]
    valid = validate_request([*history, next_user(history)]) == []
    try:
        trimmed = trim(history, data.draw(st.integers(0, 100)), tens)
    except InvalidHistory:
        assert not valid
    else:
        assert valid
        assert validate_request([*trimmed.kept, next_user(history)]) == []


@quick
@given(garbage(objects=False), st.integers(0, 50))
def test_json_garbage_is_trimmed_or_refused_by_name(messages, budget):
    before = repr(messages)
    try:
        trimmed = trim(messages, budget, tens)
    except InvalidHistory as error:
        assert str(error).startswith("messages")
    else:
        assert same(trimmed.dropped + trimmed.kept, messages)
    assert repr(messages) == before


# --- count_messages -------------------------------------------------------------------------------


def make_client():
    return anthropic.Anthropic(
        api_key="practice",
        base_url=backends.PRACTICE_URL,
        max_retries=0,
        http_client=httpx2.Client(transport=PracticeAPI()),
        _strict_response_validation=True,
    )


@pytest.fixture(scope="module")
def client():
    return make_client()


class Recorder:
    """A client whose `messages.count_tokens` writes down what it was asked."""

    def __init__(self, client):
        self.client, self.bodies, self.messages = client, [], self

    def count_tokens(self, **body):
        self.bodies.append(body)
        return self.client.messages.count_tokens(**body)


@pytest.fixture
def recorded(client):
    """A client and the list of the bodies that it sends."""
    recorder = Recorder(client)
    return recorder, recorder.bodies


def total(client, messages, **more):
    answer = client.messages.count_tokens(model=CHAT_MODEL, messages=messages, **more)
    return answer.input_tokens


def test_counts_are_those_of_the_model(client):
    history = [
        u("Where may one eat fish?"),
        a("At Nori, by the river."),
        u("Is it dear?"),
        a("No."),
    ]
    expected = [tokenizer.count_message(message) for message in history]
    assert count_messages(client, CHAT_MODEL, history) == expected
    assert count_messages(client, CHAT_MODEL, history, system=SYSTEM, tools=[TOOL]) == expected
    assert count_messages(client, OLDER, history) == expected


def test_a_call_counts_with_the_frames_of_its_results(client):
    history = [u("Hi"), tu("1", "2"), tr("1", "2", content="open from ten"), a("Open.")]
    counts = count_messages(client, CHAT_MODEL, history, tools=[TOOL])
    plain = [tokenizer.count_message(message) for message in history]
    frames = 2 * tokenizer.PER_CALL
    assert counts == [plain[0], plain[1] + frames, plain[2] - frames, plain[3]]


def test_one_call_for_each_message_and_one_more(recorded):
    client, bodies = recorded
    history = [u("1"), a("2"), u("3"), a("4"), u("5")]
    counts = count_messages(client, CHAT_MODEL, history)
    assert len(bodies) == 6
    assert [len(body["messages"]) for body in bodies] == [6, 5, 4, 3, 2, 1]  # longest first
    for known, calls in [
        (counts, 0), (counts[:3], 3), (counts[:4], 2), ([], 6), ([None] * 5, 6),
        ([None, *counts[1:]], 2), ([counts[0], None, counts[2], None, counts[4]], 4),
    ]:  # fmt: skip
        bodies.clear()
        assert count_messages(client, CHAT_MODEL, history, known=known) == counts
        assert len(bodies) == calls


def test_what_is_known_is_believed(client):
    history = [u("1"), a("2"), u("3")]
    assert count_messages(client, CHAT_MODEL, history, known=[700])[0] == 700


@pytest.mark.parametrize(
    "known, named",
    [
        ([1, 2], "known has 2 counts for 1 messages"),
        ([-1], r"known\[0\] must be a whole number"),
        ([True], r"known\[0\] must be a whole number"),
        ([1.5], r"known\[0\] must be a whole number"),
        (["1"], r"known\[0\] must be a whole number"),
    ],
)
def test_no_known_counts(recorded, known, named):
    client, bodies = recorded
    with pytest.raises(ValueError, match=named):
        count_messages(client, CHAT_MODEL, [u("Hi")], known=known)
    assert bodies == []


def test_no_messages_no_calls(recorded):
    client, bodies = recorded
    assert count_messages(client, CHAT_MODEL, []) == []
    assert bodies == []


def test_what_the_service_refuses_comes_with_the_first_call(recorded):
    client, bodies = recorded
    history = [u("Hi"), a("Yes?"), u("So?"), a([]), u("Well?")]
    with pytest.raises(anthropic.BadRequestError):
        count_messages(client, CHAT_MODEL, history)
    assert len(bodies) == 1
    with pytest.raises(anthropic.NotFoundError):
        count_messages(client, "sonnet4", [u("Hi")])


def test_system_messages_inside_the_history(client):
    note = {"role": "system", "content": "It rains today."}
    for history in ([u("Hi"), note], [u("Hi"), note, note], [u("Hi"), note, a("Yes?"), u("So?")]):
        counts = count_messages(client, WITH_SYSTEM, history)
        assert counts == [tokenizer.count_message(message) for message in history]


class Scripted:
    """A client whose counts are given: for a history of n messages and the closing one."""

    def __init__(self, *totals):
        self.totals = totals
        self.messages = self

    def count_tokens(self, *, model, messages):
        return anthropic.types.MessageTokensCount(input_tokens=self.totals[len(messages) - 1])


@pytest.mark.parametrize(
    "totals, counts",
    [
        ([10, 15, 40, 60], [5, 25, 20]),
        ([10, 15, 70, 60], [5, 45, 0]),  # a thinking block that counts no longer
        ([10, 15, 12, 60], [5, 0, 45]),
        ([10, 8, 40, 60], [0, 30, 20]),
        ([10, 8, 9, 7], [0, 0, 0]),
    ],
)
def test_counts_are_never_negative_and_the_sum_is_right(totals, counts):
    history = [u("Hi"), a("Yes?"), u("So?")]
    assert count_messages(Scripted(*totals), CHAT_MODEL, history) == counts


@settings(deadline=None, max_examples=40)
@given(pieces(), st.data())
def test_the_sum_and_the_fixed_part_are_the_whole_request(client, history, data):
    before = copy.deepcopy(history)
    more = data.draw(st.sampled_from([{}, {"system": SYSTEM}, {"system": SYSTEM, "tools": [TOOL]}]))
    counts = count_messages(client, CHAT_MODEL, history, **more)
    assert history == before
    assert len(counts) == len(history) and all(type(n) is int and n >= 0 for n in counts)
    dot = [u(".")]
    fixed = total(client, dot, **more) - total(client, dot)
    if validate_request(history, model=CHAT_MODEL) == []:
        assert total(client, history, **more) == fixed + sum(counts)
    frames = tokenizer.PER_CALL * len(open_calls(history))
    assert sum(counts) == practice(history) + frames

    count = counter(history, counts)
    for exchange in exchanges(history)[:-1]:  # exact for each
        assert count(exchange) == practice(exchange)
    known = [None if data.draw(st.booleans()) else n for n in counts]
    assert count_messages(client, CHAT_MODEL, history, known=known, **more) == counts


def test_a_trimmed_window_is_within_the_budget_as_the_service_counts(client):
    history = []
    for n in range(20):
        history += [
            u(f"Question {n}: where is there soup?"),
            a("By the river, " * (n % 5) + "there."),
        ]
    count = counter(history, count_messages(client, CHAT_MODEL, history, system=SYSTEM))
    pinned = total(client, [u(".")], system=SYSTEM) - total(client, [u(".")])
    trimmed = trim(history, 200, count, pinned=pinned)
    assert trimmed.dropped and not trimmed.over_budget
    sent = total(client, [*trimmed.kept, u("So?")], system=SYSTEM)
    assert sent - tokenizer.count_message(u("So?")) == pinned + trimmed.kept_tokens <= 200
