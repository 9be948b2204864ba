"""Speed of the practice model, reported and not asserted: a busy machine must not fail a test."""

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


def conversation(said: str, asked: str, times: int) -> dict:
    """Thousands of short exchanges, and a question to which none of them is the answer."""
    messages = []
    for i in range(times):
        messages.append({"role": "user", "content": said.format(i=i)})
        messages.append({"role": "assistant", "content": "Noted."})
    return {"messages": [*messages, {"role": "user", "content": asked}]}


FRIENDS = "My friend Anna{i} lives in Rome{i} and her code is {i}."
WARDS = "The council of ward {i} met in spring, the members spoke about roads and water."
UNKNOWN = (
    "What is my name?",
    "How old am I?",
    "What do I like?",
    "Where do I live?",
    "What is the code of locker 7?",
)


@pytest.mark.parametrize("asked", UNKNOWN)
def test_reply_to_short_exchanges(benchmark, asked):
    answer = benchmark(reply, conversation(FRIENDS, asked, 4_000))
    assert "You have not told me" in answer.content[0]["text"]


def test_reply_with_thousands_of_answers(benchmark):
    body = conversation("I like tea{i}. The weather is fine.", "What do I like?", 4_000)
    assert "tea3999" in benchmark(reply, body).content[0]["text"]


@pytest.mark.parametrize("sentence", [FRIENDS, WARDS])
def test_reply_to_a_document_with_a_question(benchmark, sentence):
    document = " ".join(sentence.format(i=i) for i in range(5_000))
    body = {"messages": [{"role": "user", "content": f"{document}\n\nHow old am I?"}]}
    assert "how old you are" in benchmark(reply, body).content[0]["text"]


@pytest.mark.parametrize("text", [". " * 40_000, "What is my name? " * 20_000])
def test_reply_to_a_text_of_tiny_sentences(benchmark, text):
    assert benchmark(reply, {"messages": [{"role": "user", "content": text}]}).content


@pytest.mark.parametrize("times", [100, 400])
def test_summary(benchmark, times):
    told = " ".join(FRIENDS.format(i=i) for i in range(times))
    content = f"Summarise the conversation so far. {told}"
    body = {"messages": [{"role": "user", "content": content}], "max_tokens": 1_000}
    assert "Anna" in benchmark.pedantic(reply, (body,), rounds=1).content[0]["text"]


@pytest.mark.parametrize("work", [reply, count_request])
def test_how_time_grows(work, record_property):
    """Reports how many times longer ten times the text takes: about ten."""
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
    assert grown > 5 and ratio > 0
