"""The lab: measurements against a stand-in, records that survive an interruption, and the data."""

import json
import re
from types import SimpleNamespace

import anthropic
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import connect, lab, models
from helpers.lab import __main__ as command
from helpers.lab import attention, cache, clearing, courier, drift, forgetting, records, speed
from helpers.lab.calls import Caller, fingerprint, stands_in, user
from tests.standin import StandIn

SMALL = {
    "forgetting": {"count": 3},
    "attention": {"lines": [6, 12], "logs": 1},
    "drift": {"texts": 1, "rounds": 2},
    "speed": {"lines": [3, 5, 9], "repeats": 1},
    "cache": {"lines": 20, "repeats": 1},
    "clearing": {"turns": 6, "lines": 2, "every": [0, 1, 3], "repeats": 1},
}


class Server(StandIn):
    """Takes a temperature, as servers of small models do."""

    def answer(self, method, path, headers, content):
        body = json.loads(content) if content else {}
        assert body.pop("temperature", 0) == 0
        return super().answer(method, path, headers, json.dumps(body).encode())


# ---------------------------------------------------------------- how sure


def test_wilson_against_published_values():
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
    for hits, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert lab.wilson(hits, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_is_symmetric(case):
    hits, trials = case
    low, high = lab.wilson(hits, trials)
    assert 0 <= low <= hits / trials <= high <= 1 and high - low > 0
    other = lab.wilson(trials - hits, trials)
    assert (1 - other[1], 1 - other[0]) == pytest.approx((low, high))


def test_wilson_refuses_what_is_no_share():
    for hits, trials in ((0, 0), (3, 2), (-1, 4)):
        with pytest.raises(ValueError):
            lab.wilson(hits, trials)


def test_the_curve_is_found_again():
    x = [500, 1_000, 2_000, 4_000, 6_000]
    found = lab.fit(x, [0.007 * n + 5e-7 * n * n for n in x])
    assert (found.slope, found.bend) == pytest.approx((0.007, 5e-7))
    assert found.slope_error < 1e-9 and found.at(2_000) == pytest.approx(16)
    noisy = lab.fit(x, [0.007 * n + (-1) ** n for n in range(5)])
    assert noisy.slope_error > 0 and noisy.bend_error > 0
    with pytest.raises(ValueError):
        lab.fit([1, 1, 2], [1, 1, 2])


def test_the_rule_of_scoring():
    assert stands_in("Kinmo", "It is KINMO.") and stands_in("14 May", "on 14 May")
    assert not stands_in("12", "It has 1274 clocks.") and not stands_in("Kin", "Kinmo")
    assert not stands_in("Kinmo", "")


# ---------------------------------------------------------------- the texts


def test_facts_are_new_each_time_and_the_same_for_a_seed():
    facts = forgetting.new_facts(40, 1)
    assert len({f.value for f in facts}) == len({f.asked for f in facts}) == len(facts) == 40
    assert facts == forgetting.new_facts(40, 1) != forgetting.new_facts(40, 2)
    assert forgetting.new_facts(5, 1) == facts[:5]
    for fact in facts:
        assert stands_in(fact.value, fact.told) and not stands_in(fact.value, fact.asked)


def test_logs_begin_differently():
    firsts = [courier.log(3, seed)[0] for seed in range(40)]
    assert len(set(firsts)) > 38 and len(courier.log(30, 1)) == 30


@pytest.mark.parametrize("lines", [24, 260])
def test_every_fact_stands_at_every_depth_once_in_five_logs(lines):
    seen = set()
    for turn in range(5):
        text, asked = attention.log_with_facts(lines, 1000 + turn, turn)
        assert len(text.splitlines()) == lines
        for depth, question, value in asked:
            seen.add((depth, question))
            assert len(re.findall(rf"\b{value}\b", text)) == 1, (
                "or a reply could be right by chance"
            )
            line = next(n for n, ln in enumerate(text.splitlines()) if value in ln)
            assert line == round(depth * (lines - 1))
    assert len(seen) == 25


def test_texts_hold_their_facts_and_the_news_none():
    news = records.read(drift.TEXTS)["news"]
    for text, facts in drift.all_texts():
        assert len(facts) == len(set(facts)) == 12 and "{" not in text
        assert all(stands_in(fact, text) for fact in facts)
        assert not any(stands_in(fact, sentence) for fact in facts for sentence in news)


def test_one_digit_is_changed_and_nothing_else():
    before = cache.conversation(courier.log(20, 1))
    after = cache.changed(before, 2)
    assert [n for n, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]] == [
        2
    ]
    a, b = before[2]["content"], after[2]["content"]
    assert len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 1


# ---------------------------------------------------------------- a measurement


class Scripted:
    """A client whose replies come from a function of the request; a clock that counts tokens read.

    It caches as llama.cpp does: what a prompt shares with the one before is not read again.
    """

    def __init__(self, reply=lambda messages: "Yes."):
        self.reply, self.now, self.before, self.requests = reply, 0.0, "", []
        self.base_url, self.api_key, self.messages = "http://127.0.0.1:1", "key", self

    def clock(self):
        return self.now

    def create(self, *, model, max_tokens, messages, extra_body=None, extra_headers=None):
        self.requests.append(messages)
        texts = [m["content"] if isinstance(m["content"], str) else m["content"][0]["text"]
                 for m in messages]  # fmt: skip
        prompt = "\n".join(texts)
        same = next((n for n, (a, b) in enumerate(zip(prompt, self.before, strict=False)) if a != b),
                    min(len(prompt), len(self.before)))  # fmt: skip
        self.before, self.now = prompt, self.now + (len(prompt) - same) / 100
        usage = {"input_tokens": len(prompt) - same, "cache_read_input_tokens": same}
        return anthropic.types.Message.construct(
            id="m", type="message", role="assistant", model=f"/some/folder/{model}",
            content=[{"type": "text", "text": self.reply(messages)}], stop_reason="end_turn",
            usage=usage | {"output_tokens": 1},
        )  # fmt: skip

    def stream(self, **request):
        reply = self.create(**request)
        events = [
            SimpleNamespace(type="message_start"),
            SimpleNamespace(type="content_block_delta"),
        ]

        class Stream:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                return None

            def __iter__(self):
                return iter(events)

            def get_final_message(self):
                return reply

        return Stream()


def measured(name, client, **changes):
    return lab.measure(name, client, quick=True, clock=client.clock, **(SMALL[name] | changes))


def last_text(messages):
    return messages[-1]["content"]


def test_forgetting_counts_what_stands_in_the_replies():
    values = {f.asked: f.value for f in forgetting.new_facts(3, 1)}

    def reply(messages):
        if len(messages) == 3:  # only the third call of a fact has a history
            assert messages[1]["content"] == "Told me."
            return f"It is {values[last_text(messages)]}."
        return "I do not know." if last_text(messages) in values else "Told me."

    found = measured("forgetting", Scripted(reply))
    assert [forgetting.recalled(found, way) for way in ("fresh", "history")] == [0, 3]


def test_attention_asks_each_fact_in_the_same_log():
    client = Scripted(lambda messages: last_text(messages).splitlines()[0])  # reads the first line
    found = measured("attention", client)
    assert len(client.requests) == 10
    assert {d: hits for (_, d), hits in attention.recall(found).items()} == {
        0.0: (1, 1), 0.25: (0, 1), 0.5: (0, 1), 0.75: (0, 1), 1.0: (0, 1)
    }  # fmt: skip
    assert list(attention.lengths(found)) == [6, 12]


def test_drift_gives_each_summary_to_the_next_round():
    def half(messages):
        words = last_text(messages).removeprefix(drift.REQUEST).split()
        return " ".join(words[: len(words) // 2])

    found = measured("drift", Scripted(half))
    assert [r["series"] for r in found] == ["alone", "with news"]
    for record in found:
        start, first, second = drift.kept(record)
        assert start == 12 > first > second


def test_an_empty_summary_does_not_end_the_series():
    client = Scripted(lambda messages: "")
    found = measured("drift", client)
    assert drift.kept(found[0]) == [12, 0, 0]
    assert client.requests[1] == client.requests[0]


def test_speed_finds_the_tokens_read_and_the_curve():
    client = Scripted()
    found = measured("speed", client)
    assert len(speed.points(found)) == 3
    assert speed.curve(found).slope == pytest.approx(0.01, rel=0.1)


def test_a_change_costs_what_stands_behind_it():
    found = measured("cache", Scripted())
    unchanged, end, middle, front = (cache.seconds(found, turn)[0] for turn in cache.TURNS)
    assert unchanged < end < middle < front
    shares = cache.shares(found)
    assert shares["unchanged"] > 0.8 and shares["at the front"] < 0.1


def test_clearing_at_every_turn_reads_more_than_in_batches():
    by_every = {r["every"]: clearing.tokens(r) for r in measured("clearing", Scripted(), turns=12)}
    assert by_every[1]["sent"] < by_every[3]["sent"] < by_every[0]["sent"]
    assert by_every[1]["read"] > by_every[3]["read"]
    assert by_every[1]["largest"] < by_every[0]["largest"]


def test_an_interval_of_clearing_keeps_the_newest_three():
    client = Scripted()
    measured("clearing", client, every=[3], turns=6)
    texts = [[m["content"] for m in request[:-1]] for request in client.requests]
    assert [t.count(clearing.PLACEHOLDER) for t in texts] == [0, 0, 0, 0, 0, 3]


def test_overflow_keeps_the_error():
    class Full(Scripted):
        def create(self, **_):
            response = httpx2.Response(400, request=httpx2.Request("POST", "http://x"))
            raise anthropic.BadRequestError("too long", response=response, body={"why": "too long"})

    (found,) = lab.measure("overflow", Full(), quick=True, window=50)
    error = {"class": "BadRequestError", "status": 400, "body": {"why": "too long"}}
    assert found["call"]["error"] == error and found["words"] == 55


def test_no_path_of_a_server_is_saved():
    call = Caller(Scripted(), "SomeModel").ask([user("hi")], 5)
    assert call["reply"]["model"] == "SomeModel" and "/some" not in json.dumps(call)


def test_on_the_practice_model_and_on_an_endpoint(monkeypatch):
    found = lab.measure("forgetting", connect("practice"), quick=True)
    assert forgetting.recalled(found, "fresh") == 0 < forgetting.recalled(found, "history")
    with Server() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        found = lab.measure("cache", connect("endpoint"), quick=True, lines=10)
    assert set(cache.shares(found).values()) == {0.0}  # it has no cache fields


# ---------------------------------------------------------------- saved, and continued


def head(**changes):
    settings = {"count": 3, "seed": 1} | changes
    return records.header("forgetting", "about", settings, "endpoint", "m")


def test_an_interrupted_run_continues_where_it_stopped(tmp_path):
    made, file = [], tmp_path / "a.json"

    def make(n):
        if n == 3 and not made[2:]:
            raise KeyboardInterrupt
        made.append(n)
        return {"n": n}

    steps = [lab.Step(f"step {n}", lambda _, n=n: make(n)) for n in (1, 2, 3)]
    from helpers.lab.steps import run

    with pytest.raises(KeyboardInterrupt):
        run(steps, None, lab.Keep(head(), file), "test")
    assert not file.exists(), "a part is no result"
    made.append(None)
    keep = lab.Keep(head(), file)
    assert [r["n"] for r in run(steps, None, keep, "test")] == [1, 2, 3]
    keep.finish()
    assert made == [1, 2, None, 3] and [p.name for p in tmp_path.iterdir()] == ["a.json"]
    again = lab.Keep(head(), file)
    run(steps, None, again, "test")
    assert made == [1, 2, None, 3], "what is complete is not measured again"
    assert again.header["date"] == min(r["at"] for r in again.records.values())


def test_records_of_other_settings_are_not_mixed_in(tmp_path):
    keep = lab.Keep(head(), tmp_path / "a.json")
    keep.once("x", lambda: {"n": 1})
    keep.finish()
    for changed, again, known in (
        (head(count=40), False, 1),  # more of the same
        (head(seed=2), False, 0),
        (head() | {"model": "other"}, False, 0),
        (head() | {"machine": {}}, False, 0),
        (head() | {"conditions": "quiet"}, False, 1),
        (head(), True, 0),
    ):
        assert len(lab.Keep(changed, tmp_path / "a.json", again).records) == known
    (tmp_path / "a.json").write_text("{broken", encoding="utf-8")
    assert not lab.Keep(head(), tmp_path / "a.json").records


def test_only_what_was_asked_for_is_in_the_result(tmp_path):
    keep = lab.Keep(head(), tmp_path / "a.json")
    for key in "xyz":
        keep.once(key, dict)
    keep.finish()
    less = lab.Keep(head(), tmp_path / "a.json")
    less.once("y", dict)
    less.finish()
    assert [r["key"] for r in records.load("a", tmp_path)["records"]] == ["y"]


def test_what_was_not_measured_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match="python -m helpers.lab speed"):
        lab.load("speed", tmp_path)


# ---------------------------------------------------------------- the command


def test_the_command_runs_and_saves(tmp_path, monkeypatch, capsys):
    with Server() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        argv = ["forgetting", "--quick", "--backend", "endpoint", "--out", str(tmp_path)]
        assert command.main(argv) == 0
        asked = server.requests
        assert command.main(argv) == 0 and server.requests == asked
    document = lab.load("forgetting", tmp_path)
    assert len(document["records"]) == document["settings"]["count"] == 8
    assert "forgetting.json" in capsys.readouterr().out


def test_on_claude_the_price_comes_first(monkeypatch, capsys):
    monkeypatch.setattr(command, "connect", lambda *_, **__: pytest.fail("nothing may be sent"))
    argv = ["forgetting", "attention", "--backend", "claude", "--max-dollars", "0.0001"]
    assert command.main(argv) == 1
    said = capsys.readouterr()
    assert re.search(r"forgetting: at most \$0\.\d\d at list price", said.out)
    assert "not started" in said.err and said.err.count("\n") == 1
    argv = ["--backend", "claude", "--max-dollars", "0"]
    assert command.main(argv) == 1
    most = float(re.search(r"not started: \$([\d.]+)", capsys.readouterr().err)[1])
    assert 0 < most < 1, "all of them at the default limit"


def test_the_estimate_is_above_what_is_paid():
    from helpers import cost

    meter = cost.Meter()
    client = connect("practice", meter=meter)
    for name in ("forgetting", "cache"):
        lab.measure(name, client, quick=True)
        steps = lab.MEASUREMENTS[name].steps(**lab.settings_of(name, quick=True))
        paid, most = meter.dollars, lab.estimate(steps, models.CHAT_MODEL)
        assert 0 < paid < most < 5 * paid
        meter.calls.clear()


def test_an_unknown_name_is_one_sentence(capsys):
    assert command.main(["speeed"]) == 1
    assert capsys.readouterr().err.startswith("there is no measurement 'speeed'")


def test_only_the_full_run_on_local_is_the_courses_data():
    assert command.results_folder("local", False) == records.DATA
    for backend, quick in (("local", True), ("claude", False), ("endpoint", True)):
        assert records.DATA not in (command.results_folder(backend, quick) / "x").parents


def test_fingerprints_tell_requests_apart():
    prints = {fingerprint([user(t)], n) for t in ("a", "b") for n in (1, 2)}
    assert len(prints) == 4 and all(len(p) == 16 for p in prints)
