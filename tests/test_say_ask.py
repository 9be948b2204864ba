"""Twice sixty say-and-ask pairs by people who had not seen the practice model's code.

The first run of each set, before anything was changed because of it:

* the first set: 40 of 60. The model was then given a general search over what was stated.
* the second set, written by somebody else and run once that search was done: 55 of 60.
"""

import json
import re
from pathlib import Path

import pytest

from helpers.messages import text_of
from helpers.practice.reply import reply

SETS = ("say_ask.json", "say_ask_2.json")
LEAST = 0.8
DOES_NOT_KNOW = re.compile(r"have not told|has not told|does not say|did not say|do not know", re.I)


def answered(case) -> str:
    """The reply to the question, after a conversation in which the model replied to each turn."""
    history = []
    for text in [*case["turns"], case["ask"]]:
        history.append({"role": "user", "content": text})
        said = text_of(reply({"messages": list(history)}).content)
        history.append({"role": "assistant", "content": said})
    return history[-1]["content"]


def right(case, said: str) -> bool:
    low = said.lower()
    expected = [e if isinstance(e, list) else [e] for e in case["expect"]]
    return (
        all(any(form.lower() in low for form in forms) for forms in expected)
        and not any(bad.lower() in low for bad in case["forbid"])
        and (not case.get("unknown") or bool(DOES_NOT_KNOW.search(said)))
    )


@pytest.mark.parametrize("name", SETS)
def test_sixty_pairs_by_somebody_else(name):
    text = (Path(__file__).parent / "data" / name).read_text(encoding="utf-8")
    cases = json.loads(text)
    wrong = {c["id"]: answered(c) for c in cases if not right(c, answered(c))}
    assert len(cases) == 60
    assert 1 - len(wrong) / len(cases) >= LEAST, wrong
