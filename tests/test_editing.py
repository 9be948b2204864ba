"""Clearing old tool results: every row of the fault table, when to clear, and what it costs."""

import copy
import json

import anthropic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import connect, cost
from helpers.editing import (
    PLACEHOLDER,
    ClearingPolicy,
    DuplicateId,
    Edited,
    clear_old_results,
    count_by,
    estimate,
    formula_run,
    price,
    requests_of,
    without_thinking,
)
from helpers.messages import blocks, merge_turns, validate_request
from helpers.models import AGENT_MODEL, MODELS, UnknownModel
from helpers.practice import tokenizer
from helpers.trimming import CountFailed
from tests.strategies import PIXEL, garbage, histories

OPUS = next(m.id for m in MODELS.values() if m.prices[0].input == 4)
PAGE = json.dumps({"events": [{"at": f"2026-10-{n:02}", "status": "DL"} for n in range(1, 12)]})
SEED_STUB = "[old]"


def u(text):
    return {"role": "user", "content": text}


def a(text):
    return {"role": "assistant", "content": text}


def tu(*ids, name="look_up"):
    calls = [{"type": "tool_use", "id": i, "name": name, "input": {"page": 1}} for i in ids]
    return {"role": "assistant", "content": calls}


def tr(*ids, content=PAGE, **more):
    results = [{"type": "tool_result", "tool_use_id": i, "content": content, **more} for i in ids]
    return {"role": "user", "content": results}


def run_of(number, content=PAGE, name="look_up"):
    messages = [u("Where is it?")]
    for n in range(number):
        messages += [tu(f"t{n}", name=name), tr(f"t{n}", content=content)]
    return messages


def results(messages):
    found = [b for m in messages for b in blocks(m) if b["type"] == "tool_result"]
    return {b["tool_use_id"]: b.get("content") for b in found}


def shown(messages, placeholder=PLACEHOLDER):
    """The ids whose results stand as placeholders."""
    return [i for i, content in results(messages).items() if content == placeholder]


def exact(part):
    return tokenizer.count_request(part)


def size(messages):
    return sum(tokenizer.count_message({"content": m["content"]}) for m in merge_turns(messages))


def ids(numbers):
    return [f"t{n}" for n in numbers]


# --- the teaching version and its faults: what lesson 08 shows ------------------------------------


def twelve_lines(messages, keep=3, stub=PLACEHOLDER):
    """The version that a reader can say aloud; each fault below is a test of ours."""
    places = [
        (i, j)
        for i, m in enumerate(messages)
        if m["role"] == "user" and isinstance(m["content"], list)
        for j, block in enumerate(m["content"])
        if block.get("type") == "tool_result"
    ]
    copies = [
        {**m, "content": list(m["content"])} if isinstance(m["content"], list) else m
        for m in messages
    ]
    for i, j in places[:-keep]:
        copies[i]["content"][j] = {**copies[i]["content"][j], "content": stub}
    return copies


def as_objects(messages):
    """The user's result blocks as objects, as a program may keep them that builds its own types."""
    kind = anthropic.types.ToolUseBlock

    class Result(anthropic.BaseModel):
        type: str
        tool_use_id: str
        content: str

    def block(b):
        return kind(**b) if b["type"] == "tool_use" else Result(**b)

    return [
        m if isinstance(m["content"], str) else {**m, "content": [block(b) for b in m["content"]]}
        for m in messages
    ]


TEACHING_FAULTS = {
    "keep = 0 clears nothing": (run_of(3), 0),
    "the placeholder is longer than the result": (run_of(5, content="ok"), 3),
    "blocks of the SDK": (as_objects(run_of(5)), 3),
}


def test_where_both_versions_agree():
    messages = run_of(9)
    assert clear_old_results(messages).messages == twelve_lines(messages)


def test_keep_zero_clears_all():
    messages, keep = TEACHING_FAULTS["keep = 0 clears nothing"]
    assert shown(twelve_lines(messages, keep)) == []
    assert shown(clear_old_results(messages, keep=keep).messages) == ids(range(3))


def test_nothing_grows():
    messages, keep = TEACHING_FAULTS["the placeholder is longer than the result"]
    assert size(twelve_lines(messages, keep)) > size(messages)
    assert clear_old_results(messages, keep=keep) == Edited(messages, [], 0)


def test_sdk_objects_do_not_crash_it():
    messages, keep = TEACHING_FAULTS["blocks of the SDK"]
    with pytest.raises(AttributeError):
        twelve_lines(messages, keep)
    edited = clear_old_results(messages, keep=keep)
    assert shown(edited.messages) == edited.cleared == ids(range(2))
    assert validate_request(edited.messages) == []


def test_the_teaching_version_fires_again_on_every_turn():
    """Each turn another old result changes, and with it the prefix; a policy waits."""
    policy, cleared = ClearingPolicy(every=10), []
    before, before_ours, breaks, breaks_ours = [], [], 0, 0
    for n in range(1, 31):
        messages = run_of(n)
        now, edited = twelve_lines(messages), policy.step(messages, cleared)
        breaks += now[: len(before)] != before
        breaks_ours += edited.messages[: len(before_ours)] != before_ours
        before, before_ours, cleared = now, edited.messages, edited.cleared
    assert (breaks, breaks_ours) == (27, 3)


# --- the fault table ------------------------------------------------------------------------------


def test_a_second_pass_over_its_own_output_clears_nothing():
    first = clear_old_results(run_of(9))
    assert first.cleared == first.new == ids(range(6))
    second = clear_old_results(first.messages)
    assert second == Edited(first.messages, [], 0)
    third = clear_old_results(run_of(9), cleared=first.cleared)
    assert (third.messages, third.cleared, third.new) == (first.messages, first.cleared, [])


def test_a_persisted_run_over_its_trigger_is_not_cleared_again():
    """The full history is stored, the ids too: the same step gives the same request."""
    policy = ClearingPolicy(trigger=2_000)
    messages = run_of(20)
    first = policy.step(messages, count=exact)
    stored = json.loads(json.dumps({"messages": messages, "cleared": first.cleared}))
    again = policy.step(stored["messages"], stored["cleared"], count=exact)
    assert first.new and again.new == []
    assert (again.messages, again.cleared) == (first.messages, first.cleared)


@pytest.mark.parametrize("content", ["ok", "", None, [], PLACEHOLDER, [{"type": "text", "text": "ok"}],
                                     [{"type": "text", "text": PLACEHOLDER}]])  # fmt: skip
def test_a_result_that_is_no_longer_than_the_placeholder_stays(content):
    messages = run_of(3, content=content)
    for count in (None, exact):
        assert clear_old_results(messages, keep=0, count=count) == Edited(messages, [], 0)


def test_shorter_in_letters_but_not_in_tokens_stays():
    messages = run_of(2, content="x" * 200)

    def odd(part):
        return 50 if part["messages"][0]["content"] == PLACEHOLDER else 20

    assert clear_old_results(messages, keep=0, count=odd).cleared == []


def test_exclude_tools_is_a_name_or_a_list_of_names():
    messages = run_of(3, name="search")
    for names in ("search", ["search"], ("search", "x"), {"search"}):
        assert clear_old_results(messages, keep=0, exclude_tools=names).cleared == []
    for names in ("s", "searches", list("search"), ()):
        assert clear_old_results(messages, keep=0, exclude_tools=names).cleared == ids(range(3))


def test_an_excluded_result_counts_among_the_newest():
    messages = [*run_of(3), tu("n1", name="read_notes"), tr("n1")]
    assert clear_old_results(messages, keep=2, exclude_tools="read_notes").cleared == ids([0, 1])


@pytest.mark.parametrize(
    "messages, named",
    [
        ([u("Hi"), tu("1", "2"), tr("1", "2", "1")], r"messages\.2: a second tool result .* '1'"),
        ([u("Hi"), tu("1"), tr("1"), a("So."), tr("1")], r"messages\.4: a second tool result"),
        ([u("Hi"), tu("1"), tr("1"), tu("1")], r"messages\.3: a second tool call .* '1'"),
    ],
)
def test_two_of_one_id_are_refused_by_name(messages, named):
    with pytest.raises(DuplicateId, match=named):
        clear_old_results(messages)


def test_parallel_results_are_cleared_one_by_one_and_stay_pairs():
    messages = [u("Hi"), tu("1", "2"), tr("1", "2"), a("So."), u("And?")]
    edited = clear_old_results(messages, keep=1)
    assert shown(edited.messages) == ["1"] and validate_request(edited.messages) == []


# --- more about one pass --------------------------------------------------------------------------


def test_errors_stay():
    messages = [u("Hi"), tu("1"), tr("1", is_error=True), tu("2"), tr("2", is_error=False)]
    assert clear_old_results(messages, keep=0).cleared == ["2"]


def test_what_was_cleared_stays_cleared():
    messages = [*run_of(4), tu("x", name="notes"), tr("x", is_error=True)]
    edited = clear_old_results(messages, keep=9, cleared=["t3", "gone", "x"], exclude_tools="notes")
    assert shown(edited.messages) == ["t3", "x"]
    assert (edited.cleared, edited.new) == (["t3", "gone", "x"], [])
    assert clear_old_results(messages, keep=9, cleared="t1").cleared == ["t1"]


def test_a_result_whose_call_is_not_there_stays():
    assert clear_old_results([u("Hi"), tr("1")], keep=0).cleared == []


def test_unanswered_calls_at_the_end():
    messages = [*run_of(2), tu("7", "8"), tr("7")]
    assert clear_old_results(messages, keep=1).cleared == ids([0, 1])
    assert clear_old_results([*run_of(2), tu("7")], keep=1).cleared == ["t0"]


def test_everything_else_of_a_block_and_of_a_message_stays():
    message = {**tr("t0", cache_control={"type": "ephemeral"}), "id": "m2"}
    message["content"].append({"type": "text", "text": "Go on."})
    edited = clear_old_results([u("Hi"), tu("t0"), message], keep=0)
    expected = copy.deepcopy(message)
    expected["content"][0]["content"] = PLACEHOLDER
    assert edited.messages[2] == expected
    assert edited.messages[0]["content"] == "Hi"


def test_nothing_given_is_changed_and_nothing_is_copied_needlessly():
    messages = run_of(6)
    before = copy.deepcopy(messages)
    edited = clear_old_results(messages, keep=2)
    assert messages == before and edited.messages is not messages
    same = [x is y for x, y in zip(edited.messages, messages, strict=True)]
    assert [n for n, kept in enumerate(same) if not kept] == [2, 4, 6, 8]


def test_messages_that_are_objects():
    class Stored:
        def __init__(self, role, content):
            self.role, self.content = role, content

    reply = anthropic.types.Message.construct(**tu("t0"), id="m", type="message")
    edited = clear_old_results([Stored("user", "Hi"), reply, Stored(**tr("t0"))], keep=0)
    assert edited.cleared == ["t0"] and edited.messages[1] is reply
    assert edited.messages[2] == tr("t0", content=PLACEHOLDER)


def test_an_image_is_cleared_by_what_it_weighs_not_by_its_letters():
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    messages = run_of(1, content=[{"type": "image", "source": source}])
    edited = clear_old_results(messages, keep=0)
    assert edited.cleared == ["t0"] and edited.saved_tokens == 1_000 - estimate(PLACEHOLDER)
    by_count = clear_old_results(messages, keep=0, count=exact)
    assert by_count.saved_tokens == tokenizer.IMAGE - tokenizer.count_text(PLACEHOLDER)


def test_saved_tokens_are_those_of_the_counter():
    messages = run_of(9)
    edited = clear_old_results(messages, count=exact)
    assert edited.saved_tokens == size(messages) - size(edited.messages) > 0
    again = clear_old_results(messages, cleared=edited.cleared, count=exact)
    assert again.saved_tokens == edited.saved_tokens  # against the full history, each time


def test_the_estimate_claims_less_than_is_saved():
    messages = run_of(9)
    edited = clear_old_results(messages)
    real = size(messages) - size(edited.messages)
    assert 0.3 * real < edited.saved_tokens < real


def test_min_saving():
    messages = run_of(9)
    saving = clear_old_results(messages, count=exact).saved_tokens
    assert clear_old_results(messages, count=exact, min_saving=saving).new
    waits = clear_old_results(messages, count=exact, min_saving=saving + 1)
    assert waits == Edited(messages, [], 0)
    known = clear_old_results(messages, cleared=["t0"], min_saving=10**9)
    assert shown(known.messages) == known.cleared == ["t0"]


def test_each_result_is_counted_once_and_kept_ones_never():
    asked = []

    def count(part):
        asked.append(part["messages"][0]["content"])
        return len(asked[-1])

    messages = [u("Hi")]
    for n in range(9):
        messages += [tu(f"t{n}"), tr(f"t{n}", content=f"{n} {PAGE}")]
    clear_old_results(messages, count=count)
    assert [text[0] for text in asked] == ["[", *"012345"]


def test_counting_by_the_model_that_will_answer():
    client = connect("practice")
    messages = run_of(9)
    count = count_by(client, AGENT_MODEL)
    edited = clear_old_results(messages, count=count)
    sent = [
        client.messages.count_tokens(model=AGENT_MODEL, messages=m).input_tokens
        for m in (messages, edited.messages)
    ]
    assert edited.saved_tokens == sent[0] - sent[1]


@pytest.mark.parametrize("bad", [-1, True, 1.5, "3", None, [3]])
def test_no_numbers(bad):
    for name in ("keep", "min_saving"):
        with pytest.raises(ValueError, match=f"{name} must be a whole number, 0 or more"):
            clear_old_results([], **{name: bad})


@pytest.mark.parametrize("bad", [7, None, [7], [None], {"a": 1}.items()])
def test_no_names(bad):
    for name in ("exclude_tools", "cleared"):
        with pytest.raises(ValueError, match=f"{name} must be a text or a list of texts"):
            clear_old_results([], **{name: bad})


@pytest.mark.parametrize("bad", ["", "  ", None, 7])
def test_no_placeholder(bad):
    with pytest.raises(ValueError, match="placeholder must be a text that is not blank"):
        clear_old_results(run_of(2), placeholder=bad)


@pytest.mark.parametrize("bad", ["Hi", None, 7, u("Hi")])
def test_no_messages(bad):
    with pytest.raises(ValueError, match="messages must be a list"):
        clear_old_results(bad)


def test_a_counter_that_fails():
    for bad in (-1, None, 1.5, True):
        with pytest.raises(CountFailed, match="Nothing was changed"):
            clear_old_results(run_of(5), count=lambda part, bad=bad: bad)
    with pytest.raises(CountFailed, match="KeyError"):
        clear_old_results(run_of(5), count=lambda part: part["text"])


def test_no_messages_at_all():
    assert clear_old_results([]) == clear_old_results(()) == Edited([], [], 0)


# --- thinking -------------------------------------------------------------------------------------


def test_without_thinking():
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    hidden = {"type": "redacted_thinking", "data": "x"}
    both = {"role": "assistant", "content": [thought, hidden, *tu("1")["content"]]}
    alone = {"role": "assistant", "content": [thought]}
    messages = [u("Hi"), both, tr("1"), alone, a("So."), u("And?")]
    before = copy.deepcopy(messages)
    assert without_thinking(messages) == [u("Hi"), tu("1"), tr("1"), a("So."), u("And?")]
    assert messages == before
    plain = run_of(3)
    assert list(map(id, without_thinking(plain))) == list(map(id, plain))
    objects = [{"role": "assistant", "content": [anthropic.types.ThinkingBlock(**thought)]}]
    assert without_thinking(objects) == []


def test_a_cleared_history_is_valid_without_any_thinking_only():
    """Opus binds its thoughts to what stands before them; the practice API checks it."""
    client = connect("practice")

    def send(messages):
        return client.messages.create(model=OPUS, max_tokens=2_000, messages=messages, tools=[TOOL])

    history = [*run_of(5), a("I have looked."), u("What is it, then?")]
    reply = send(history)
    assert "thinking" in [block.type for block in reply.content]
    history += [reply.to_param(), u("And now?")]
    send(history)  # as it was, it is valid
    edited = clear_old_results(history)
    with pytest.raises(anthropic.BadRequestError, match="signature"):
        send(edited.messages)
    send(without_thinking(edited.messages))


# --- properties -----------------------------------------------------------------------------------


def check_clearing(messages, keep, known, count):
    before = copy.deepcopy(messages)
    edited = clear_old_results(messages, keep=keep, cleared=known, count=count, placeholder="-")
    assert messages == before
    assert validate_request(edited.messages) == []
    assert list(results(edited.messages)) == list(results(messages))
    assert size(edited.messages) <= size(messages)
    assert edited.cleared == [*dict.fromkeys(known), *edited.new]
    changed = [i for i, c in results(edited.messages).items() if c != results(messages)[i]]
    assert set(edited.new) <= set(changed) <= set(edited.cleared)
    for old, new in zip(messages, edited.messages, strict=True):
        assert new is old or any(b["type"] == "tool_result" for b in blocks(old))
    again = clear_old_results(edited.messages, keep=keep, count=count, placeholder="-")
    assert again == Edited(edited.messages, [], 0)
    same = clear_old_results(
        messages, keep=keep, cleared=edited.cleared, count=count, placeholder="-"
    )
    assert same.messages == edited.messages and same.new == []
    if count:
        assert edited.saved_tokens == size(messages) - size(edited.messages)


def random_clearing(examples):
    @settings(deadline=None, max_examples=examples, database=None)
    @given(histories(max_exchanges=6), st.integers(0, 6), st.data())
    def search(messages, keep, data):
        known = data.draw(st.lists(st.sampled_from([f"toolu_{n}" for n in range(9)]), max_size=3))
        check_clearing(messages, keep, known, data.draw(st.sampled_from([None, exact])))

    search()


def test_random_histories():
    random_clearing(150)


@pytest.mark.full
def test_random_histories_at_length():
    random_clearing(5_000)


@settings(deadline=None, max_examples=100)
@given(garbage(objects=False))
def test_json_garbage_is_passed_on_or_refused(messages):
    before = repr(messages)
    try:
        edited = clear_old_results(messages, keep=0)
    except ValueError as error:
        assert "messages" in str(error)
    else:
        assert len(edited.messages) == len(messages)
    assert repr(messages) == before


# --- when to clear --------------------------------------------------------------------------------


def steps(policy, number, **more):
    """Ids cleared after each step of a growing run."""
    cleared, after = [], []
    for n in range(number + 1):
        cleared = policy.step(run_of(n), cleared, **more).cleared
        after.append(len(cleared))
    return after


def test_never():
    assert steps(ClearingPolicy(), 12) == [0] * 13


def test_every_ten():
    assert steps(ClearingPolicy(every=10), 22) == [0] * 10 + [7] * 10 + [17] * 3


def test_every_call():
    assert steps(ClearingPolicy(every=1), 6) == [0, 0, 0, 0, 1, 2, 3]


def test_parallel_results_do_not_jump_over_a_multiple():
    messages = [*run_of(9), tu("a", "b", "c"), tr("a", "b", "c")]
    assert ClearingPolicy(every=10).step(messages).cleared == ids(range(7))


def test_a_trigger_clears_when_the_request_is_over_it():
    policy = ClearingPolicy(trigger=1_000)
    messages = run_of(12)
    assert policy.step(messages, tokens=1_000).cleared == []
    assert policy.step(messages, tokens=1_001).cleared == ids(range(9))
    assert size(messages) > 1_000
    assert policy.step(messages, count=exact).cleared == ids(range(9))


def test_a_run_that_stays_over_its_trigger_is_not_cleared_on_every_call():
    """The three results that are kept alone are over the trigger: at_least lets it wait."""
    page = size(run_of(1))
    eager, patient = ClearingPolicy(50, at_least=0), ClearingPolicy(50, at_least=5 * page)
    assert len(set(steps(eager, 20, count=exact))) == 18
    assert len(set(steps(patient, 20, count=exact))) == 3
    for trigger in (50, 2 * page, 3 * page, 4 * page, 10 * page):
        assert len(set(steps(ClearingPolicy(trigger), 40, count=exact))) < 21


def test_the_trigger_sees_the_request_as_it_goes_out():
    policy = ClearingPolicy(trigger=size(run_of(6)))
    first = policy.step(run_of(7), count=exact)
    assert first.new == ids(range(4))
    assert policy.step(run_of(8), first.cleared, count=exact).new == []


def test_at_least_holds_for_every_too():
    big = clear_old_results(run_of(10)).saved_tokens
    assert ClearingPolicy(every=10, at_least=big).step(run_of(10)).new
    assert ClearingPolicy(every=10, at_least=big + 1).step(run_of(10)).new == []


def test_every_and_a_trigger_together():
    policy = ClearingPolicy(trigger=1_000, every=5)
    assert policy.step(run_of(7), tokens=900).cleared == ids(range(2))
    assert policy.step(run_of(7), tokens=1_001).cleared == ids(range(4))


def test_a_policy_is_pure_and_passes_its_settings_on():
    policy = ClearingPolicy(every=1, keep=1, exclude_tools="notes", placeholder="[gone]")
    messages = [*run_of(3), tu("n", name="notes"), tr("n"), tu("z"), tr("z")]
    before = copy.deepcopy(messages)
    one, two = policy.step(messages), policy.step(messages)
    assert one == two and messages == before
    assert shown(one.messages, "[gone]") == ids(range(3))


@pytest.mark.parametrize(
    "bad, named",
    [
        ({"every": 0}, "every must be 1 or more"),
        ({"every": -1}, "every must be a whole number"),
        ({"trigger": 1.5}, "trigger must be a whole number"),
        ({"at_least": True}, "at_least must be a whole number"),
        ({"keep": -1}, "keep must be a whole number"),
        ({"placeholder": " "}, "placeholder must be"),
        ({"exclude_tools": [1]}, "exclude_tools must be"),
    ],
)
def test_no_policy(bad, named):
    with pytest.raises(ValueError, match=named):
        ClearingPolicy(**bad)


def test_a_trigger_must_know_the_size():
    with pytest.raises(ValueError, match="give step\\(\\) tokens="):
        ClearingPolicy(trigger=1_000).step(run_of(3))
    with pytest.raises(ValueError, match="tokens must be a whole number"):
        ClearingPolicy(trigger=1_000).step(run_of(3), tokens=-1)


# --- what it costs: facts.md section 4 ------------------------------------------------------------


@pytest.mark.parametrize(
    ("every", "dollars", "peak"),
    [(None, 0.937, 119_000), (1, 1.830, 17_600), (5, 0.924, 33_200), (10, 0.838, 52_700)],
)
def test_the_four_figures_with_the_cache(every, dollars, peak):
    bodies, count = formula_run()
    priced = price(ClearingPolicy(every=every), bodies, OPUS, count=count)
    assert (round(priced.total, 3), priced.peak) == (dollars, peak)


@pytest.mark.parametrize(
    ("every", "tokens", "dollars"), [(None, 1_830_000, 7.32), (1, 461_100, 1.84)]
)
def test_the_two_figures_without_a_cache(every, tokens, dollars):
    bodies, count = formula_run()
    priced = price(ClearingPolicy(every=every), bodies, OPUS, count=count, cached=False)
    assert (priced.total_tokens, round(priced.total, 2)) == (tokens, dollars)
    assert priced.tokens[-1] == (17_600 if every else 119_000)


def test_the_formula_run_is_the_formula():
    bodies, count = formula_run(12, 500, 900)
    priced = price(None, bodies, OPUS, count=count)
    assert priced.tokens == [cost.step_input(n, 500, 900) for n in range(1, 13)]
    assert priced.dollars == pytest.approx(
        cost.series_dollars(OPUS, cost.growing_run(12, 500, 900))
    )
    assert all(validate_request(b["messages"], system=b["system"]) == [] for b in bodies)
    with pytest.raises(ValueError, match="per_step must be above 100"):
        formula_run(per_step=100)


def answer(client, messages, **more):
    return client.messages.create(model=AGENT_MODEL, max_tokens=60, messages=messages, **more)


SYSTEM = [{"type": "text", "text": "You are the dispute desk. " * 200}]
TOOL = {"name": "look_up", "description": "One page.", "input_schema": {"type": "object"}}


@pytest.fixture(scope="module")
def recorded():
    """A run of ten calls that really went out, with its usage."""
    meter = cost.Meter()
    client = connect("practice", meter=meter)
    marked = [{**SYSTEM[0], "cache_control": {"type": "ephemeral"}}]
    for n in range(10):
        more = {"system": marked, "tools": [TOOL], "cache_control": {"type": "ephemeral"}}
        answer(client, run_of(n, content=PAGE * 9), **more)
    return meter


def test_the_price_of_a_recorded_run_is_the_one_that_was_billed(recorded):
    priced = price(None, recorded.calls, AGENT_MODEL, count=exact)
    replies = [cost.dollars(AGENT_MODEL, 0, c.output_tokens) for c in recorded.calls]
    billed = [c.dollars - r for c, r in zip(recorded.calls, replies, strict=True)]
    assert priced.dollars == pytest.approx(billed)
    assert priced.tokens == [c.prompt_tokens for c in recorded.calls]


def test_a_recorded_run_priced_with_clearing(recorded):
    bodies = [call.request for call in recorded.calls]
    before = copy.deepcopy(bodies)
    never = price(None, bodies, AGENT_MODEL, count=exact)
    often = price(ClearingPolicy(every=1), bodies, AGENT_MODEL, count=exact)
    assert often.peak < never.peak and often.cleared == [0] * 4 + [1, 2, 3, 4, 5, 6]
    sometimes = price(ClearingPolicy(trigger=4_000), bodies, AGENT_MODEL, count=exact)
    assert 0 < len(set(sometimes.cleared) - {0}) < len(set(often.cleared) - {0})
    assert bodies == before


def test_a_run_is_priced_by_its_messages():
    class Run:
        messages = [*run_of(9, content=PAGE * 9), a("It was left at the wrong door.")]

    bodies = requests_of(Run.messages, system=SYSTEM, tools=[TOOL])
    assert [len(body["messages"]) for body in bodies] == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
    by_run = price(
        ClearingPolicy(every=5), Run, AGENT_MODEL, count=exact, system=SYSTEM, tools=[TOOL]
    )
    assert by_run == price(ClearingPolicy(every=5), bodies, AGENT_MODEL, count=exact)
    assert by_run.cleared[-1] == 2


def test_breakpoints_stand_behind_what_is_fixed():
    messages = run_of(3, content=PAGE * 99)
    for fixed in (
        {"system": "x" * 9_000},
        {"system": SYSTEM, "tools": [TOOL]},
        {"tools": [TOOL]},
        {},
    ):
        bodies = [{**fixed, "messages": messages}, {**fixed, "messages": messages}]
        first, second = price(None, bodies, AGENT_MODEL, count=exact).dollars
        assert second == pytest.approx(first * 0.10 / 2.50)  # all written, then all read


def test_entries_grow_older():
    bodies, count = formula_run(10)
    slow = price(None, bodies, OPUS, count=count, seconds_between=301)
    assert slow.total > price(None, bodies, OPUS, count=count, seconds_between=200).total


@pytest.mark.parametrize("bad", [[], None, 7, "x", [7], [{}], [u("Hi")]])
def test_no_run(bad):
    with pytest.raises(ValueError, match="run must be a run with messages"):
        price(None, bad, OPUS, count=exact)


def test_no_price():
    with pytest.raises(UnknownModel):
        price(None, [{"messages": [u("Hi")]}], "gpt", count=exact)
