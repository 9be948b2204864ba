"""Speed of `trim` beside `trim_messages` of langchain-core: the same counter, the same messages kept.

Install requirements-dev.txt to run it. The counter reads the texts, as a tokenizer does. The ratio
is printed (`pytest -s`) and stands in the benchmark's own report. Measured in one run: 13 times
faster with a budget for 95 % of the history, 12 times for 50 %, 19 times for 10 %; the test asks
for 8, so that a busy machine does not fail it. With the dropped part counted as well
(`dropped_tokens` read): 12, 6 and 3 times.
"""

import time

import pytest

from helpers.practice.tokenizer import count_text
from helpers.trimming import trim

lc = pytest.importorskip(
    "langchain_core.messages",
    reason="langchain-core is not installed: pip install -r requirements-dev.txt",
    exc_type=ImportError,
)

MESSAGES = 10_000
ANSWER = (
    "There are three that I would try. The one by the river, at house {n}, makes a fish soup and is "
    "open until ten; the one at the market is cheaper and closes at four; the third is a walk of "
    "twenty minutes, but on a Monday it is the only one with a table for six."
)
HISTORY = [
    {"role": "user", "content": f"Where do I find soup number {n} for two, not far from here?"}
    if n % 2 == 0
    else {"role": "assistant", "content": ANSWER.format(n=n)}
    for n in range(MESSAGES)
]
ROUNDS = 3


def count(messages):
    return sum([3 + count_text(message["content"]) for message in messages])


def count_theirs(messages):
    return sum([3 + count_text(message.content) for message in messages])


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95], ids=lambda share: f"budget for {share:.0%}")
def test_trim_and_trim_messages(benchmark, share):
    theirs = lc.convert_to_messages(HISTORY)  # untimed
    budget = int(share * count(HISTORY))
    ours = benchmark.pedantic(trim, (HISTORY, budget, count), rounds=ROUNDS, warmup_rounds=1)

    def trim_theirs(counter=count_theirs):
        return lc.trim_messages(theirs, max_tokens=budget, token_counter=counter, start_on="human")

    kept = trim_theirs()
    assert [m["content"] for m in ours.kept] == [m.content for m in kept]
    assert len(ours.dropped) + len(kept) == MESSAGES and ours.dropped

    times = [
        (seconds(lambda: trim(HISTORY, budget, count)), seconds(trim_theirs)) for _ in range(ROUNDS)
    ]
    mine, other = map(min, zip(*times, strict=True))
    read, read_theirs = [], []
    trim(HISTORY, budget, lambda ms: read.extend(ms) or count(ms))
    trim_theirs(lambda ms: read_theirs.extend(ms) or count_theirs(ms))

    benchmark.extra_info |= {"times faster": round(other / mine, 1)}
    print(
        f"\nbudget for {share:.0%}: trim {mine * 1000:.0f} ms, trim_messages {other * 1000:.0f} ms, "
        f"{other / mine:.1f} times faster; messages counted {len(read):,} and {len(read_theirs):,}"
    )
    assert len(kept) <= len(read) <= len(kept) + 2  # and the exchange that does not fit
    assert len(read) < len(read_theirs)
    assert other > 8 * mine


def seconds(work) -> float:
    """Of this process alone: what else the machine does is no fault of either."""
    start = time.process_time()
    work()
    return time.process_time() - start
