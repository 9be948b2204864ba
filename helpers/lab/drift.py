"""Prose drift: a summary of a summary, round after round, and the exact facts that are left."""

import re
from functools import partial

from .calls import Caller, said, stands_in, user
from .records import DATA, read
from .steps import Step

ABOUT = (
    "A text with exact facts is summarised, its summary is summarised, and so on. In one series "
    "each round has only the summary; in the other, as in a conversation that goes on, each round "
    "has the summary and one sentence of news. Counted: the facts of the first text that are left."
)
FULL = {"texts": 5, "rounds": 8, "max_tokens": 200}
QUICK = {"texts": 1, "rounds": 4, "max_tokens": 200}

TEXTS = DATA / "texts.json"
SERIES = ("alone", "with news")
REQUEST = "Summarize this text in a few sentences:\n\n"


def all_texts() -> list[tuple[str, list[str]]]:
    """The texts, and the exact facts of each: names, numbers, dates (braces in the file)."""
    marked = read(TEXTS)["texts"]
    return [(re.sub(r"[{}]", "", text), re.findall(r"{(.+?)}", text)) for text in marked]


def steps(texts: int, rounds: int, max_tokens: int) -> list[Step]:
    news = read(TEXTS)["news"][:rounds]
    return [
        Step(f"text {n}, {series}", partial(_one, text, facts, news, series, max_tokens))
        for n, (text, facts) in enumerate(all_texts()[:texts], 1)
        for series in SERIES
    ]


def _one(text: str, facts: list[str], news: list[str], series: str, max_tokens: int,
         caller: Caller) -> dict:  # fmt: skip
    calls = []
    for sentence in news:
        if series == "with news":
            text = f"{text} {sentence}"
        calls.append(caller.ask([user(REQUEST + text)], max_tokens))
        text = said(calls[-1]) or text  # an empty summary is not stored: known from lesson 06
    return {"series": series, "facts": facts, "calls": calls}


def kept(record: dict) -> list[int]:
    """How many of the facts stand in the summary of each round; the first figure is all of them."""
    facts = record["facts"]
    rounds = [sum(stands_in(fact, said(call)) for fact in facts) for call in record["calls"]]
    return [len(facts), *rounds]
