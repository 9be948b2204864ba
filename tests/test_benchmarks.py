"""Speed of the practice model, reported and not asserted (a busy machine must not fail a test).

What is asserted is the shape: ten times the text takes about ten times as long, not a hundred times.
"""

import random
import time
from statistics import median

import pytest

from helpers.practice.reply import reply
from helpers.practice.tokenizer import count_request

QUESTION = "What is my favourite colour?"


def request_of(tokens: int) -> dict:
    """A conversation of about this many tokens that states one fact at its very beginning."""
    rng = random.Random(tokens)
    words = [
        "".join(rng.choice("aeioulnrst") for _ in range(rng.randint(2, 9))) for _ in range(2_000)
    ]

    def prose(sentences: int) -> str:
        return " ".join(
            " ".join(rng.choices(words, k=11)).capitalize() + "." for _ in range(sentences)
        )

    messages = [
        {"role": "user", "content": "My favourite colour is zeal."},
        {"role": "assistant", "content": "Noted."},
    ]
    while count_request({"messages": messages}) < tokens:
        for _ in range(5):
            messages.append(
                {"role": "user", "content": f"I went to the {rng.choice(words)}. {prose(20)}"}
            )
            messages.append({"role": "assistant", "content": prose(15)})
    return {"messages": [*messages, {"role": "user", "content": QUESTION}]}


@pytest.mark.parametrize("tokens", [10_000, 100_000])
def test_reply(benchmark, tokens):
    body = request_of(tokens)
    answer = benchmark(reply, body)
    assert "zeal" in answer.content[0]["text"]


@pytest.mark.parametrize("tokens", [10_000, 100_000])
def test_counting(benchmark, tokens):
    body = request_of(tokens)
    assert benchmark(count_request, body) >= tokens


@pytest.mark.parametrize("work", [reply, count_request])
def test_time_is_linear(work, record_property):
    small, large = request_of(10_000), request_of(100_000)
    grown = count_request(large) / count_request(small)

    def seconds(body: dict) -> float:
        taken = []
        for _ in range(7):
            start = time.perf_counter()
            work(body)
            taken.append(time.perf_counter() - start)
        return median(taken)

    ratio = seconds(large) / seconds(small)
    record_property("times the text", round(grown, 1))
    record_property("times the time", round(ratio, 1))
    print(f"{work.__name__}: {grown:.1f} times the text, {ratio:.1f} times the time")
    assert ratio < 5 * grown  # quadratic would be ten times
