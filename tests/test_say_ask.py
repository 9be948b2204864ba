"""Sixty say-and-ask pairs by somebody who had not seen the practice model's code.

The score of the first run, before anything was changed because of them, is FIRST_RUN.
"""

import json
import re
from pathlib import Path

from helpers.messages import text_of
from helpers.practice.reply import reply

CASES = json.loads((Path(__file__).parent / "data" / "say_ask.json").read_text(encoding="utf-8"))
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


def test_sixty_pairs_by_somebody_else():
    wrong = {c["id"]: answered(c) for c in CASES if not right(c, answered(c))}
    assert len(CASES) == 60
    assert 1 - len(wrong) / len(CASES) >= LEAST, wrong
