"""The prompt cache's rules, and the books that the practice API keeps by them."""

import dataclasses

import anthropic
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import caching, cost
from helpers.backends import PRACTICE_URL
from helpers.caching import Block, CacheBooks, CacheError, CacheUsage
from helpers.models import AGENT_MODEL, CHAT_MODEL, MODELS
from helpers.practice import PracticeAPI, tokenizer

OPUS = next(m.id for m in MODELS.values() if m.prices[0].input == 4)
MARK = {"type": "ephemeral"}


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def blocks(*sizes, ttl="5m", at=(-1,)):
    made = [Block(f"block {i}", n) for i, n in enumerate(sizes)]
    for i in at:
        made[i] = dataclasses.replace(made[i], ttl=ttl)
    return made


# --- facts.md section 4: four ways to clear, priced with the cache --------------------------------


def run_with_clearing(every, keep=3, steps=30):
    """30 steps of 3,000 + 4,000 a result; all but `keep` cleared whenever `every` divides them."""
    cleared, requests = 0, []
    for results in range(steps):
        if every and results % every == 0:
            cleared = max(cleared, results - keep)
        request = [Block("base", 3_000, "5m")]
        for i in range(results):
            request.append(Block(f"stub {i}", 100) if i < cleared else Block(f"result {i}", 4_000))
        request[-1] = dataclasses.replace(request[-1], ttl="5m")
        requests.append(request)
    return requests


@pytest.mark.parametrize(
    ("every", "expected"),
    [(0, (0.937, 119_000)), (1, (1.830, 17_600)), (5, (0.924, 33_200)), (10, (0.838, 52_700))],
)
def test_the_four_figures(every, expected):
    requests = run_with_clearing(every)
    peak = max(sum(block.tokens for block in request) for request in requests)
    assert (round(sum(cost.series_dollars(OPUS, requests)), 3), peak) == expected


def test_the_formula_s_figures():
    assert [cost.step_input(n) for n in (10, 20, 30)] == [39_000, 79_000, 119_000]
    assert cost.run_input(30) == 1_830_000
    requests = cost.growing_run(30)
    assert requests == run_with_clearing(0)
    full = cost.series_dollars(OPUS, requests, cached=False)
    assert (round(sum(full), 2), round(full[-1], 3)) == (7.32, 0.476)
    assert (
        run_with_clearing(1)[-1]
        and sum(b.tokens for r in run_with_clearing(1) for b in r) == 461_100
    )  # the run with clearing: $1.84 at full price
    assert round(sum(cost.series_dollars(OPUS, run_with_clearing(1), cached=False)), 2) == 1.84


@given(st.integers(1, 200), st.integers(0, 9_000), st.integers(0, 9_000))
def test_the_sum_is_the_sum(steps, base, per_step):
    each = [cost.step_input(n, base, per_step) for n in range(1, steps + 1)]
    assert cost.run_input(steps, base, per_step) == sum(each)
    made = [sum(b.tokens for b in r) for r in cost.growing_run(steps, base, per_step)]
    assert made == each


def test_entries_expire_between_slow_requests():
    requests = cost.growing_run(10)
    quick = sum(cost.series_dollars(OPUS, requests, seconds_between=200))
    slow = sum(cost.series_dollars(OPUS, requests, seconds_between=301))
    assert quick < sum(cost.series_dollars(OPUS, requests, cached=False)) < slow


# --- rules ----------------------------------------------------------------------------------------


def test_the_same_prefix_is_written_once_and_read_after(clock):
    books = CacheBooks(clock)
    first = books.account(OPUS, blocks(600, 400))
    again = books.account(OPUS, blocks(600, 400))
    longer = books.account(OPUS, blocks(600, 400, 50))
    assert first == CacheUsage(write_5m=1000)
    assert again == CacheUsage(read=1000)
    assert longer == CacheUsage(read=1000, write_5m=50)


def test_what_stands_after_the_last_breakpoint_is_not_cached(clock):
    assert CacheBooks(clock).account(OPUS, blocks(600, 400, at=(0,))) == CacheUsage(
        write_5m=600, uncached=400
    )


def test_a_change_invalidates_what_follows_it(clock):
    books = CacheBooks(clock)
    books.account(OPUS, blocks(600, 400, 300, at=(0, 2)))
    changed = blocks(600, 400, 300, at=(0, 2))
    changed[1] = Block("another", 400)
    assert books.account(OPUS, changed) == CacheUsage(read=600, write_5m=700)


@pytest.mark.parametrize("model", MODELS)
def test_a_prefix_below_the_minimum_is_silently_not_cached(clock, model):
    minimum = MODELS[model].min_cacheable
    books = CacheBooks(clock)
    assert books.account(model, blocks(minimum - 1)) == CacheUsage(uncached=minimum - 1)
    assert books.account(model, blocks(minimum)) == CacheUsage(write_5m=minimum)


def test_each_model_has_its_own_entries(clock):
    books = CacheBooks(clock)
    books.account(AGENT_MODEL, blocks(5000))
    assert books.account(CHAT_MODEL, blocks(5000)).read == 0


@pytest.mark.parametrize(("ttl", "seconds"), [("5m", 300), ("1h", 3600)])
def test_an_entry_lives_as_long_as_it_says_after_its_last_use(clock, ttl, seconds):
    books = CacheBooks(clock)
    request = blocks(1000, ttl=ttl)
    assert getattr(books.account(OPUS, request), f"write_{ttl}") == 1000
    for _ in range(3):  # a hit starts the lifetime anew
        clock.now += seconds - 1
        assert books.account(OPUS, request).read == 1000
    clock.now += seconds + 1
    assert books.account(OPUS, request).read == 0


def test_an_hour_may_come_before_five_minutes_and_not_after(clock):
    mixed = blocks(1000, 1000)
    mixed[0] = dataclasses.replace(mixed[0], ttl="1h")
    assert CacheBooks(clock).account(OPUS, mixed) == CacheUsage(write_1h=1000, write_5m=1000)
    mixed[0], mixed[1] = blocks(1000)[0], dataclasses.replace(mixed[1], ttl="1h")
    with pytest.raises(CacheError, match="1h"):
        CacheBooks(clock).account(OPUS, mixed)


def test_at_most_four_breakpoints(clock):
    CacheBooks(clock).account(OPUS, blocks(*[600] * 5, at=(0, 1, 2, 3)))
    with pytest.raises(CacheError, match="maximum of 4.*Found 5"):
        CacheBooks(clock).account(OPUS, blocks(*[600] * 5, at=(0, 1, 2, 3, 4)))


@pytest.mark.parametrize(("added", "read"), [(19, 1000), (20, 0)])
def test_an_older_entry_is_looked_for_in_twenty_blocks(clock, added, read):
    books = CacheBooks(clock)
    books.account(OPUS, blocks(1000))
    assert books.account(OPUS, blocks(1000, *[10] * added)).read == read


@pytest.mark.parametrize(("others", "read"), [(17, 1000), (18, 0)])
def test_a_run_of_parallel_calls_is_one_position_and_so_are_its_results(clock, others, read):
    books = CacheBooks(clock)
    books.account(OPUS, blocks(1000))
    runs = [Block(f"{run} {n}", 10, run=run) for run in caching.RUNS for n in range(30)]
    assert books.account(OPUS, [*blocks(1000, at=()), *runs, *blocks(*[10] * others)]).read == read


def test_calls_one_after_the_other_are_no_run(clock):
    books = CacheBooks(clock)
    books.account(OPUS, blocks(1000))
    steps = [Block(f"{run} {n}", 10, run=run) for n in range(10) for run in caching.RUNS]
    last = dataclasses.replace(steps[-1], ttl="5m")
    assert books.account(OPUS, [*blocks(1000, at=()), *steps[:-1], last]).read == 0
    last = dataclasses.replace(steps[-2], ttl="5m")
    assert books.account(OPUS, [*blocks(1000, at=()), *steps[:-2], last]).read == 1000


@given(
    st.lists(
        st.lists(st.integers(0, 900), min_size=1, max_size=12).flatmap(
            lambda sizes: st.tuples(
                st.just(sizes),
                st.lists(st.integers(0, len(sizes) - 1), max_size=4, unique=True),
            )
        ),
        max_size=8,
    ),
    st.floats(0, 400),
)
def test_every_token_is_booked_once(requests, pause):
    clock = Clock()
    books = CacheBooks(clock)
    for sizes, at in requests:
        usage = books.account(OPUS, blocks(*sizes, at=at))
        assert usage.prompt_tokens == sum(sizes)
        assert min(dataclasses.astuple(usage)) >= 0
        clock.now += pause


# --- from a request body --------------------------------------------------------------------------

TOOLS = [
    {"name": n, "input_schema": {"type": "object", "properties": {}}, "description": "word " * 400}
    for n in ("look", "find")
]
BODY = {
    "model": OPUS,
    "tools": TOOLS,
    "system": [{"type": "text", "text": "Be kind. " * 300, "cache_control": MARK}],
    "messages": [{"role": "user", "content": "Where is the station? " * 100}],
}


def chain(body):
    return caching.chain(body, tokenizer.count_request)


def test_the_chain_holds_all_tokens_in_the_order_of_the_cache():
    made = chain(BODY)
    assert [b.key.split(":")[0] for b in made] == ["tools", "tools", "system", "user"]
    assert [b.ttl for b in made] == [None, None, "5m", None]
    assert sum(b.tokens for b in made) == tokenizer.count_request(BODY)


def test_the_automatic_breakpoint_is_the_last_block():
    assert [b.ttl for b in chain({**BODY, "cache_control": {**MARK, "ttl": "1h"}})][-1] == "1h"


CHANGES = {
    "nothing": ({}, ("tools", "system", "messages")),
    "a tool": ({"tools": TOOLS[:1]}, ()),
    "the system prompt": ({"system": [{"type": "text", "text": "Be brief. " * 300}]}, ("tools",)),
    "the tool choice": ({"tool_choice": {"type": "auto"}}, ("tools", "system")),
    "thinking": ({"thinking": {"type": "adaptive"}}, ("tools", "system")),
    "the effort": ({"output_config": {"effort": "low"}}, ("tools", "system")),
    "a message": ({"messages": [{"role": "user", "content": "When?"}]}, ("tools", "system")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_change_invalidates(clock, change):
    changed, kept = CHANGES[change]
    marked = {
        **BODY,
        "tools": [TOOLS[0], {**TOOLS[1], "cache_control": MARK}],
        "cache_control": MARK,
    }
    books = CacheBooks(clock)
    books.account(OPUS, chain(marked))
    after = chain({**marked, **changed})
    read = books.account(OPUS, after).read
    parts = {"tools": 0, "system": 0, "messages": 0}
    for block in after:
        kind = block.key.split(":")[0]
        parts[kind if kind in parts else "messages"] += block.tokens
    assert read == sum(parts[kind] for kind in kept)


# --- through the real client ----------------------------------------------------------------------


def client_with(clock):
    return anthropic.Anthropic(
        api_key="practice",
        base_url=PRACTICE_URL,
        max_retries=0,
        http_client=httpx2.Client(transport=PracticeAPI(clock=clock)),
        _strict_response_validation=True,
    )


def usage_of(client, **changes):
    return client.messages.create(**{**BODY, "max_tokens": 20, **changes}).usage


def test_usage_tells_what_was_written_and_read(clock):
    client = client_with(clock)
    whole = tokenizer.count_request(BODY)
    question = tokenizer.count_message(BODY["messages"][0])
    first, second = usage_of(client), usage_of(client)
    assert (first.input_tokens, first.cache_creation_input_tokens, first.cache_read_input_tokens) == (
        question, whole - question, 0
    )  # fmt: skip
    assert first.cache_creation.ephemeral_5m_input_tokens == whole - question
    assert (second.input_tokens, second.cache_creation_input_tokens, second.cache_read_input_tokens) == (
        question, 0, whole - question
    )  # fmt: skip
    clock.now += 301
    assert usage_of(client).cache_read_input_tokens == 0


def test_a_reply_does_not_depend_on_the_cache(clock):
    client = client_with(clock)
    replies = [client.messages.create(**BODY, max_tokens=50).content for _ in range(3)]
    assert replies[0] == replies[1] == replies[2]


REFUSED = {
    "five breakpoints": {"messages": [{"role": "user", "content": [
        {"type": "text", "text": f"{n}", "cache_control": MARK} for n in range(5)]}]},
    "a lifetime of its own": {"cache_control": {**MARK, "ttl": "2h"}},
    "another kind": {"cache_control": {"type": "forever"}},
    "an empty mark": {"cache_control": {}},
    "a list of lifetimes": {"cache_control": {**MARK, "ttl": ["5m"]}},
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_breakpoints(clock, name):
    with pytest.raises(anthropic.BadRequestError):
        client_with(clock).messages.count_tokens(**{**BODY, **REFUSED[name]})
    with pytest.raises(anthropic.BadRequestError) as caught:
        usage_of(client_with(clock), **REFUSED[name])
    assert caught.value.type == "invalid_request_error"


def test_a_breakpoint_inside_a_result_is_the_result_s(clock):
    text = {"type": "text", "text": "sunny " * 600}
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}

    def history(*parts):
        result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": list(parts)}
        return {**BODY, "system": "Hm.", "messages": [
            *BODY["messages"], {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
        ]}  # fmt: skip

    marked, bare = chain(history({**text, "cache_control": MARK})), chain(history(text))
    assert [b.ttl for b in marked][-1] == "5m"
    assert [b.run for b in marked[-2:]] == ["tool_use", "tool_result"]
    assert [b.key for b in marked] == [b.key for b in bare]
