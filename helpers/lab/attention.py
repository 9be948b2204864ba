"""Attention: one fact in a long log, by its depth and by the length of the log."""

import random
from functools import partial

from . import courier
from .calls import Caller, prompt_tokens, said, stands_in, user
from .steps import Step

ABOUT = (
    "A log of events of one parcel. Five of its events are asked for, one by one, each in a request "
    "with the whole log; they stand at the front, at a quarter, in the middle, at three quarters, "
    "at the end. Which event stands where changes from log to log."
)
FULL = {"lines": [24, 70, 142, 260], "logs": 5, "seed": 1000, "max_tokens": 24}
QUICK = FULL | {"lines": [24, 70], "logs": 2}

DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the log: 0 is its first line


def steps(lines: list[int], logs: int, seed: int, max_tokens: int) -> list[Step]:
    """One step a log, all lengths of one number before the next: a part is a small whole."""
    return [
        Step(f"{count} lines, log {n + 1}", partial(_one, count, seed + n, n, max_tokens))
        for n in range(logs)
        for count in lines
    ]


def _one(lines: int, seed: int, turn: int, max_tokens: int, caller: Caller) -> dict:
    text, asked = log_with_facts(lines, seed, turn)
    found = []
    for depth, question, value in asked:
        call = caller.ask([user(f"{text}\n\n{question}")], max_tokens)
        found.append({"depth": depth, "asked": question, "value": value, "call": call})
    return {"lines": lines, "answers": found}


def log_with_facts(lines: int, seed: int, turn: int) -> tuple[str, list[tuple]]:
    """The text of a log, and (depth, question, value) for each fact that stands in it.

    turn: by how many places the facts are shifted over the depths, so that over five logs every
        fact stands at every depth once.
    """
    random_ = random.Random(f"{seed}/{lines}")
    people = random_.sample(courier.PEOPLE, courier.CLERKS + 2)
    numbers = random_.sample(range(1000, 10_000), lines + 3)
    clerks, (neighbour, insurer) = people[2:], people[:2]
    gate, fee, seal = (str(numbers.pop()) for _ in range(3))
    facts = [
        (f"The gate code given to the driver was {gate}.",
         "What was the gate code given to the driver?", gate),
        (f"The parcel was left with a neighbour named {neighbour}.",
         "What is the name of the neighbour who got the parcel?", neighbour),
        (f"The customs fee paid was {fee} crowns.", "What was the customs fee paid?", fee),
        (f"The seal on the parcel was numbered {seal}.",
         "What was the number of the seal on the parcel?", seal),
        (f"The parcel was insured by a clerk named {insurer}.",
         "What is the name of the clerk who insured the parcel?", insurer),
    ]  # fmt: skip
    facts = facts[turn % 5 :] + facts[: turn % 5]
    text = [courier.event(random_, clerks, numbers) for _ in range(lines)]
    asked = []
    for depth, (line, question, value) in zip(DEPTHS, facts, strict=True):
        text[round(depth * (lines - 1))] = line
        asked.append((depth, question, value))
    return "\n".join(text), asked


def recall(records: list[dict]) -> dict[tuple[int, float], tuple[int, int]]:
    """(found, asked) for each (lines, depth)."""
    table: dict[tuple[int, float], tuple[int, int]] = {}
    for record in records:
        for answer in record["answers"]:
            place = record["lines"], answer["depth"]
            found, asked = table.get(place, (0, 0))
            hit = stands_in(answer["value"], said(answer["call"]))
            table[place] = found + hit, asked + 1
    return table


def lengths(records: list[dict]) -> dict[int, int]:
    """Tokens of the prompt for each number of lines, the median log."""
    by_lines: dict[int, list[int]] = {}
    for record in records:
        tokens = [prompt_tokens(answer["call"]) for answer in record["answers"]]
        by_lines.setdefault(record["lines"], []).extend(tokens)
    return {lines: sorted(found)[len(found) // 2] for lines, found in sorted(by_lines.items())}
