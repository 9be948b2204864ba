"""The practice model at the dispute desk: worlds it has not seen, against the oracle's verdict."""

import random
import string

import pytest

from helpers.cartwise import (
    RULE,
    SYSTEM,
    SYSTEM_WITHOUT_RULE,
    Desk,
    missing,
    open_case,
    run_case,
    verdict,
    world,
)
from helpers.editing import clear_old_results
from helpers.practice.casework.findings import conclusions_in
from tests.caseworlds import by_function

CASES = ("long", "short", "multi")


class Renamed:
    """A desk whose tools have other names and another order."""

    def __init__(self, desk, seed: int):
        rng = random.Random(seed)
        self.desk, self.customer_id = desk, desk.customer_id
        self.names = {
            "".join(rng.choices(string.ascii_lowercase, k=9)): t["name"] for t in desk.tools
        }
        tools = [{**t, "name": n} for n, t in zip(self.names, desk.tools, strict=True)]
        self.tools = rng.sample(tools, len(tools))
        self.effects = {n for n, old in self.names.items() if old in desk.effects}

    def call(self, name, given, tool_use_id=None):
        return self.desk.call(self.names[name], given, tool_use_id)


def work(seed, key, *, shaped=True, renamed=False, system=SYSTEM, keep=None, before=""):
    """The last text, the verdict of the data, and the names of the tools that were called."""
    there = world(seed)
    case = there["cases"][key]
    desk = Desk(there, case["customer_id"], shaped=shaped)
    used = Renamed(desk, seed or 0) if renamed else desk
    messages = [{"role": "user", "content": before + case["message"]}]
    called = []
    for _ in range(60):
        sent = clear_old_results(messages, keep=keep).messages if keep else messages
        content, stop = by_function(system=system, tools=used.tools, messages=sent)
        messages.append({"role": "assistant", "content": content})
        calls = [b for b in content if b["type"] == "tool_use"]
        if not calls:
            return content[0]["text"], verdict(there, case), called
        called += [(b["name"], str(b["input"])) for b in calls]
        results = [(b["id"], *used.call(b["name"], b["input"], b["id"])) for b in calls]
        messages.append(
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": i, "content": text}
                    | ({"is_error": True} if failed else {})
                    for i, text, failed in results
                ],
            }
        )
    raise AssertionError(f"no answer: {called[-4:]}")


def check(seed, key, **how) -> None:
    text, due, called = work(seed, key, **how)
    said = sorted((c.id, c.outcome, c.amount) for c in conclusions_in(text))
    amounts = {None: ""}
    expected = [(e["subject"], e["outcome"], amounts.get(e["amount"], e["amount"])) for e in due]
    assert len(said) == len(expected)
    for (id_, outcome, amount), entry in zip(
        said, sorted(expected, key=lambda e: e[:2]), strict=True
    ):
        assert (id_, outcome) == entry[:2]
        assert amount == entry[2] == "" or float(amount) == entry[2]
    assert missing(text, due) == []
    assert len(set(called)) == len(called)


@pytest.mark.parametrize("key", CASES)
@pytest.mark.parametrize("seed", [None, 2])
def test_the_verdict_is_the_oracles(seed, key):
    check(seed, key)


@pytest.mark.parametrize("key", CASES)
def test_with_tools_renamed_and_shuffled(key):
    check(3, key, renamed=True)


def test_with_raw_results_and_with_cleared_ones():
    check(5, "multi", shaped=False)
    check(5, "multi", keep=2)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 21))
def test_twenty_seeds(seed):
    for key in CASES:
        for shaped in (True, False):
            check(seed, key, shaped=shaped)
            check(seed, key, shaped=shaped, renamed=True)
            check(seed, key, shaped=shaped, keep=3)


def dear() -> int:
    """A seed whose long case has a refund that needs somebody's approval."""
    for seed in range(1, 40):
        there = world(seed)
        due = verdict(there, there["cases"]["long"])
        if any(
            (e["amount"] or 0) > there["approval_over"] for e in due if e["outcome"] == "refund"
        ):
            return seed
    raise AssertionError("no such seed")


def test_the_promise_is_made_when_the_rule_is_far_away_and_only_then():
    seed, promise = dear(), "You will get"
    assert promise not in work(seed, "long", shaped=False)[0]
    far = {"system": SYSTEM_WITHOUT_RULE, "before": f"{RULE}\n\n"}
    assert promise in work(seed, "long", shaped=False, **far)[0]
    assert promise not in work(seed, "long", **far)[0]
    text, _, _ = work(seed, "long", system=SYSTEM_WITHOUT_RULE)
    assert promise in text and "waiting for approval" in text


def test_through_the_real_client_and_the_desks_own_loop(capsys):
    from helpers import connect

    there = world()
    case = there["cases"]["short"]
    run = open_case(case, "r")
    run_case(connect("practice"), run, Desk(there, case["customer_id"]))
    assert run.done and missing(run.reply, verdict(there, case)) == []
    again = "Hello again. What did you offer me, and why?"
    run.add({"role": "user", "content": again})
    steps = run.step
    run_case(connect("practice"), run, Desk(there, case["customer_id"]))
    assert run.step == steps + 1 and "because" in run.reply
