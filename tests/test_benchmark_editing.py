"""Speed of clearing beside LangChain's context editing: the same results cleared.

Install requirements-dev.txt to run it. Two comparisons: the edit alone, and the whole step as an
agent takes it (is the request over its trigger? then a cleared copy). Messages are converted before
the clock runs, and both sides are given the same size of the request, so that no counter is timed.
The ratios are printed (`pytest -s`) and stand in the benchmark's own report; a busy machine must
not fail the test.
"""

import time

import pytest

from helpers.editing import ClearingPolicy, clear_old_results

lc = pytest.importorskip(
    "langchain_core.messages",
    reason="langchain-core is not installed: pip install -r requirements-dev.txt",
    exc_type=ImportError,
)
middleware = pytest.importorskip(
    "langchain.agents.middleware",
    reason="langchain is not installed: pip install -r requirements-dev.txt",
    exc_type=ImportError,
)

BLOCKS = 10_000  # half of them calls, half results
PLACEHOLDER = "[cleared]"
PAGE = (
    '{"events":[' + ",".join(['{"at":"2026-10-14","status":"DL","facility":"F-0412"}'] * 6) + "]}"
)
SIZE = 10**6  # tokens of the request, as the last usage gave them
ROUNDS = 3


def ours(blocks):
    messages = [{"role": "user", "content": "Where is the parcel?"}]
    for n in range(blocks // 2):
        call = {"type": "tool_use", "id": f"t{n}", "name": "get_tracking", "input": {"page": n}}
        result = {"type": "tool_result", "tool_use_id": f"t{n}", "content": PAGE}
        messages += [
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
        ]
    return messages


def theirs(blocks):
    messages = [lc.HumanMessage("Where is the parcel?")]
    for n in range(blocks // 2):
        call = {"id": f"t{n}", "name": "get_tracking", "args": {"page": n}}
        messages.append(lc.AIMessage("", tool_calls=[call]))
        messages.append(lc.ToolMessage(PAGE, tool_call_id=f"t{n}"))
    return messages


class Request:
    """As much of a model request as the middleware touches."""

    system_message = None

    def __init__(self, messages):
        self.messages = messages

    def override(self, *, messages):
        return Request(messages)


def edit_of(keep):
    return middleware.ClearToolUsesEdit(trigger=0, keep=keep, placeholder=PLACEHOLDER)


def edit_alone(messages, keep):
    messages = list(messages)  # it edits in place
    edit_of(keep).apply(messages, count_tokens=lambda _: SIZE)
    return messages


def middleware_step(messages, keep):
    editing = middleware.ContextEditingMiddleware(
        edits=[edit_of(keep)], token_counter=lambda _: SIZE
    )
    return editing.wrap_model_call(Request(messages), lambda request: request.messages)


def clear(messages, keep):
    return clear_old_results(messages, keep=keep, placeholder=PLACEHOLDER).messages


def step(messages, keep):
    policy = ClearingPolicy(trigger=0, keep=keep, at_least=0, placeholder=PLACEHOLDER)
    return policy.step(messages, tokens=SIZE).messages


PAIRS = {"the edit alone": (clear, edit_alone), "the whole step": (step, middleware_step)}


@pytest.mark.parametrize("keep", [3, BLOCKS // 4])
@pytest.mark.parametrize("what", PAIRS)
def test_clearing_beside_context_editing(benchmark, what, keep):
    mine, other = PAIRS[what]
    messages, converted = ours(BLOCKS), theirs(BLOCKS)  # untimed
    edited = benchmark.pedantic(mine, (messages, keep), rounds=ROUNDS, warmup_rounds=1)

    shown = [m["content"][0]["content"] for m in edited[2::2]]
    shown_there = [m.content for m in other(converted, keep)[2::2]]
    assert shown == shown_there
    assert shown.count(PLACEHOLDER) == BLOCKS // 2 - keep

    times = [
        (seconds(lambda: mine(messages, keep)), seconds(lambda: other(converted, keep)))
        for _ in range(ROUNDS)
    ]
    here, there = map(min, zip(*times, strict=True))
    benchmark.extra_info |= {"times faster": round(there / here, 1)}
    print(
        f"\n{what}, {BLOCKS:,} blocks, the newest {keep:,} kept: ours {here * 1000:.0f} ms, "
        f"LangChain {there * 1000:.0f} ms, {there / here:.1f} times faster"
    )
    assert here < there


@pytest.mark.parametrize("count", [None, lambda part: len(str(part))], ids=["estimate", "counter"])
def test_clearing_is_linear(benchmark, count):
    benchmark.pedantic(
        clear_old_results, (ours(BLOCKS),), {"count": count}, rounds=ROUNDS, warmup_rounds=1
    )
    small, large = (
        min(seconds(lambda m=m: clear_old_results(m, count=count)) for _ in range(ROUNDS))
        for m in (ours(BLOCKS), ours(4 * BLOCKS))
    )
    assert large < 12 * small  # four times the blocks; a quadratic one would take 16 times


def seconds(work) -> float:
    """Of this process alone: what else the machine does is no fault of either."""
    start = time.process_time()
    work()
    return time.process_time() - start
