"""Forgetting: a fact that the model was told, asked in a fresh request and with the history."""

import random
from dataclasses import dataclass
from functools import partial

from .calls import Caller, assistant, said, stands_in, user
from .steps import Step

ABOUT = (
    "Each fact is told in one request. Its question is asked twice: in a request of its own, and "
    "after the exchange in which the fact was told (with the model's own reply)."
)
FULL = {"count": 40, "seed": 1, "max_tokens": 24}
QUICK = FULL | {"count": 8}

NAMED = "goat parrot horse rabbit donkey lizard turtle boat cabin robot".split()
LOCKED = "locker bicycle safe suitcase garage mailbox cellar boathouse office shed".split()
PEOPLE = "aunt uncle cousin sister brother grandmother teacher dentist landlord tailor".split()
SHARED = "band choir shop club bakery novel song theatre magazine museum".split()
STARTS = "bram vel tos kin mor dal fen gru hol jas lu pir quo rin sef tul vor wex yan zim".split()
ENDS = "bo ra dek lin mo nu pa sta tor vy".split()


@dataclass(frozen=True)
class Fact:
    """A sentence that nobody has said before, a question, and the value that answers it."""

    told: str
    asked: str
    value: str


def new_facts(count: int, seed: int) -> list[Fact]:
    """`count` facts (40 at most) of four kinds in turn; invented names and codes from `seed`."""
    random_ = random.Random(seed)
    names = [(start + end).capitalize() for start in STARTS for end in ENDS]
    random_.shuffle(names)
    codes = random_.sample(range(1000, 10_000), len(LOCKED))
    found = []
    for animal, thing, person, ours, code in zip(NAMED, LOCKED, PEOPLE, SHARED, codes, strict=True):
        for what, value in (
            (f"name of my {animal}", names.pop()),
            (f"code of my {thing}", str(code)),
            (f"village where my {person} lives", names.pop()),
            (f"name of our {ours}", names.pop()),
        ):
            found.append(Fact(f"The {what} is {value}.", f"What is the {what}?", value))
    return found[:count]


def steps(count: int, seed: int, max_tokens: int) -> list[Step]:
    return [
        Step(f"fact {n}", partial(_one, fact, max_tokens))
        for n, fact in enumerate(new_facts(count, seed), 1)
    ]


def _one(fact: Fact, max_tokens: int, caller: Caller) -> dict:
    fresh = caller.ask([user(fact.asked)], max_tokens)
    told = caller.ask([user(fact.told)], max_tokens)
    history = [user(fact.told), assistant(said(told) or "OK."), user(fact.asked)]
    asked_again = caller.ask(history, max_tokens)
    calls = {"fresh": fresh, "told": told, "history": asked_again}
    return {"asked": fact.asked, "value": fact.value, "calls": calls}


def recalled(records: list[dict], way: str) -> int:
    """How many of the facts stand in the reply; `way`: "fresh" or "history"."""
    return sum(stands_in(r["value"], said(r["calls"][way])) for r in records)
