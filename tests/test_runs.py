"""helpers/runs/: the record of one task, against the real embedded server."""

import copy
import json
import threading
from datetime import UTC, datetime

import pymongo
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from helpers.database import DatabaseUnavailable, connect_mongo, reset
from helpers.messages import blocks, exchanges, validate_request
from helpers.models import AGENT_MODEL
from helpers.runs import LedgerRow, Run, RunConflict, RunDamaged, RunStore, RunTooLarge
from tests.strategies import garbage, histories

QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson="test_runs")
    reset(database)
    yield database
    database.client.close()


@pytest.fixture(scope="module")
def store(db):
    return RunStore(db, clock=lambda: NOW)


def new(run_id="r1", **fields) -> Run:
    return Run(run_id=run_id, customer_id="C-1", **fields)


def call(id="t1", **given):
    use = {"type": "tool_use", "id": id, "name": "look", "input": given}
    return {"role": "assistant", "content": [use]}


def result(id="t1", text="ok"):
    block = {"type": "tool_result", "tool_use_id": id, "content": text}
    return {"role": "user", "content": [block]}


def user(text="Hello"):
    return {"role": "user", "content": text}


# ---------------------------------------------------------------- the record


def test_messages_get_ids():
    run = new()
    assert [run.add(user("a")), run.add(call()), run.add(result(), "mine")] == ["m1", "m2", "mine"]
    assert run.message_ids == ["m1", "m2", "mine"]
    assert run.add(result(), "mine") == "mine" and len(run.messages) == 3  # a second time
    with pytest.raises(ValueError, match="its own"):
        run.add(user("other"), "mine")
    run.add(user("b"), "m5")
    assert run.add(user("c")) == "m6"  # m5 is taken


@pytest.mark.parametrize(
    "message",
    [
        None,
        "Hello",
        {},
        {"role": "user"},
        {"role": "user", "content": ""},
        {"role": "user", "content": []},
        {"role": "user", "content": None},
        {"role": "user", "content": 3},
        {"role": "user", "content": ["text"]},
        {"role": "user", "content": [{"type": "text", "text": "x"}, 3]},
        {"role": "tool", "content": "x"},
        {"content": "x"},
        {"role": "user", "content": [{"type": "text", "text": object()}]},
        {"role": "user", "content": [{"type": "x", "n": float("nan")}]},
    ],
)
def test_what_is_no_message(message):
    run = new()
    with pytest.raises(ValueError):
        run.add(message)
    assert run.messages == run.message_ids == []


@pytest.mark.parametrize("message_id", ["", "  ", 3, b"a", "a" * 121])
def test_what_is_no_message_id(message_id):
    with pytest.raises(ValueError, match="message id"):
        new().add(user(), message_id)


@settings(max_examples=40, **QUIET)
@given(history=histories())
def test_any_history_is_kept_as_plain_dicts(history):
    before = copy.deepcopy(history)
    run = new()
    for message in history:
        run.add(message)
    assert history == before
    for message, kept in zip(history, run.messages, strict=True):
        if isinstance(message["content"], str):
            assert kept == message
        else:
            assert kept == {"role": message["role"], "content": blocks(message)}
        assert json.loads(json.dumps(kept)) == kept
    assert not validate_request(run.messages)
    text = json.dumps(run.messages)
    for message in history:  # nothing is shared
        if isinstance(message["content"], list):
            message["content"].clear()
    assert json.dumps(run.messages) == text


@settings(max_examples=40, **QUIET)
@given(thing=garbage())
def test_anything_else_is_refused_or_kept(thing):
    run = new()
    try:
        run.add(thing)
    except ValueError:
        assert run.messages == []
    else:
        assert json.loads(json.dumps(run.messages)) == run.messages


def test_half_characters_are_repaired():
    run = new()
    run.add(user("x\ud83d y"))
    run.add(result(text="\ud83e\udda6 and \udc00"))
    assert run.messages[0]["content"] == "x\ufffd y"
    assert run.messages[1]["content"][0]["content"] == "\U0001f9a6 and \ufffd"
    run.add(user("\ufeffx 日本 \0"))
    assert run.messages[2]["content"] == "\ufeffx 日本 \0"


@pytest.mark.parametrize("customer", ["", " ", None, 3, {"$ne": ""}, "a" * 121])
def test_the_customer_is_a_text(customer, store):
    with pytest.raises(ValidationError):
        Run(run_id="r", customer_id=customer)
    with pytest.raises(ValueError, match="customer_id"):
        store.load("r", customer)
    with pytest.raises(ValueError, match="run_id"):
        store.load(customer, "C-1")


def test_fields_that_do_not_fit():
    for wrong in (
        {"messages": [user()]},
        {"messages": [user(), user()], "message_ids": ["a", "a"]},
        {"covered_to": "m1"},
        {"colour": "red"},
    ):
        with pytest.raises(ValidationError):
            new(**wrong)


def test_what_the_notes_do_not_cover():
    run = new()
    for message in (user(), call("a"), result("a"), call("b"), result("b"), user("more")):
        run.add(message)
    assert run.uncovered() == run.messages and run.uncovered() is not run.messages
    for covered, rest in [("m1", 5), ("m3", 3), ("m5", 1), ("m6", 0)]:
        run.covered_to = covered
        assert len(run.uncovered()) == rest
    for torn in ("m2", "m4"):
        run.covered_to = torn
        with pytest.raises(ValueError, match="parts the tool call"):
            run.uncovered()
    run.covered_to = "m9"
    with pytest.raises(ValueError, match="which no message has"):
        run.uncovered()
    open_ = new()
    for message in (user(), call("a")):
        open_.add(message)
    open_.covered_to = "m2"
    with pytest.raises(ValueError, match="parts"):
        open_.uncovered()


@settings(max_examples=40, **QUIET)
@given(history=histories(), data=st.data())
def test_a_cut_between_exchanges_is_safe(history, data):
    run = new()
    for message in history:
        run.add(message)
    cuts = [0]
    for piece in exchanges(history):
        cuts.append(cuts[-1] + len(piece))
    cut = data.draw(st.sampled_from([c for c in cuts[:-1] if c]) if cuts[1:-1] else st.just(0))
    if cut:
        run.covered_to = run.message_ids[cut - 1]
    older, recent = run.messages[:cut], run.uncovered()
    assert older + recent == run.messages and not validate_request([user("Notes"), *recent])


def test_the_ledger():
    from anthropic.types import Message

    def reply(model):
        usage = {"input_tokens": 1_000, "output_tokens": 100}
        return Message.model_validate(
            {
                "id": "msg",
                "type": "message",
                "role": "assistant",
                "model": model,
                "content": [],
                "stop_reason": "end_turn",
                "stop_sequence": None,
                "usage": usage,
            }
        )

    run = new(step=3)
    run.charge({"model": AGENT_MODEL}, reply(AGENT_MODEL))
    row = run.charge({"model": "unknown"}, reply("unknown"), "notes")
    assert row == LedgerRow(
        step=3, model="unknown", prompt_tokens=1_000, output_tokens=100, dollars=None, what="notes"
    )
    assert run.prompt_tokens == 2_000 and run.dollars == run.ledger[0].dollars > 0


def test_open_calls():
    run = new()
    assert run.open_calls() == []
    run.add(user())
    assert run.open_calls() == []
    run.add(call("a", n=1))
    assert run.open_calls() == call("a", n=1)["content"]
    run.add(result("a"))
    assert run.open_calls() == []
    run.add({"role": "assistant", "content": "Done"})
    assert run.open_calls() == []


# ---------------------------------------------------------------- in the database


def test_a_run_comes_back_as_it_was(store):
    run = new("back")
    for message in (user(), call("a", **{"a.b": 1, "$set": {"\0": None}}), result("a", "日本 🦦")):
        run.add(message)
    run.notes = {"facts": ["a.b"], "$x": 1}
    run.covered_to, run.cleared, run.step = "m1", ["a"], 2
    run.pending = {"why": "step limit", "step": 2}
    run.ledger.append(LedgerRow(step=1, model="m", prompt_tokens=1, output_tokens=2, dollars=None))
    assert store.save(run) is run and run.version == 1
    there = store.load("back", "C-1")
    assert there == run and there is not run
    there.done, there.reply = True, "x"
    store.save(there)
    assert store.load("back", "C-1") == there and there.version == 2


def test_nobody_elses_run(store):
    store.save(new("theirs"))
    for customer in ("C-2", "c-1", "C-1 "):
        assert store.load("theirs", customer) is None
    assert store.load("none", "C-1") is None
    other = Run(run_id="theirs", customer_id="C-2")
    with pytest.raises(RunConflict, match="already"):
        store.save(other)
    other.version = 1
    with pytest.raises(RunConflict):
        store.save(other)
    assert store.load("theirs", "C-1").version == 1


def test_two_writers(store):
    store.save(new("two"))
    one, other = store.load("two", "C-1"), store.load("two", "C-1")
    one.add(user("one"))
    store.save(one)
    other.add(user("other"))
    with pytest.raises(RunConflict, match=r"version 2, yours began with 1"):
        store.save(other)
    assert store.load("two", "C-1") == one and other.version == 1


def test_a_run_that_was_deleted(store, db):
    run = store.save(new("gone"))
    db.runs.delete_one({"_id": "gone"})
    with pytest.raises(RunConflict, match="deleted"):
        store.save(run)
    run.version = 0
    assert store.save(run).version == 1


def test_an_answer_that_got_lost(store, db):
    """The write was done, but the driver heard of a broken connection and did it again."""
    run = store.save(new("lost"))
    real = store._runs.replace_one

    class Lossy:
        def __getattr__(self, name):
            return getattr(db.runs, name)

        def replace_one(self, *given):
            real(*given)
            return real(*given)

    other = RunStore(db, clock=lambda: NOW)
    other._runs = Lossy()
    assert other.save(run).version == 2


def test_too_large(store):
    run = new("large")
    run.add(user("é" * 7_000_000))
    store.save(run)
    run.add(user("é" * 1_000_000))
    with pytest.raises(RunTooLarge, match="16,000,.* bytes, the most is 15,000,000"):
        store.save(run)
    assert len(store.load("large", "C-1").messages) == 1 and run.version == 1
    with pytest.raises(RunTooLarge):
        store.once("large", "t", lambda: "x" * 16_000_000)


def test_a_record_that_contradicts_itself_is_not_saved(store):
    run = new("odd")
    run.covered_to = "m1"
    with pytest.raises(ValidationError, match="covered_to"):
        store.save(run)
    assert store.load("odd", "C-1") is None


def test_a_damaged_record(store, db):
    for body in ("{", "[]", '{"run_id": "bad"}'):
        row = {"_id": "bad", "customer_id": "C-1", "version": 1, "body": body}
        db.runs.replace_one({"_id": "bad"}, row, upsert=True)
        with pytest.raises(RunDamaged, match="backup"):
            store.load("bad", "C-1")


def test_no_database():
    mongo = pymongo.MongoClient("127.0.0.1", 1, serverSelectionTimeoutMS=50)
    store = RunStore(mongo["agent_memory_x"])
    for ask in (
        lambda: store.load("r", "C-1"),
        lambda: store.save(new()),
        lambda: store.once("r", "t", dict),
    ):
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            ask()
    with pytest.raises(ValueError, match="w=0"):
        RunStore(pymongo.MongoClient("127.0.0.1", 1, w=0)["x"])


# ---------------------------------------------------------------- effects


def test_an_effect_happens_once(store):
    done = []

    def pay():
        done.append(1)
        return ("paid", False)

    assert store.once("e", "t1", pay) == ["paid", False]
    assert store.once("e", "t1", pay) == ["paid", False] and done == [1]
    store.once("e", "t2", pay)
    store.once("f", "t1", pay)  # another run
    assert len(done) == 3


def test_an_effect_that_fails_is_not_done(store):
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.once("e", "t3", fail)
    assert store.once("e", "t3", lambda: "now") == "now"


@pytest.mark.parametrize("key", ["", None, 3, {"$ne": 1}, "a" * 121])
def test_a_key_is_a_text(store, key):
    for pair in (("r", key), (key, "t")):
        with pytest.raises(ValueError):
            store.once(*pair, lambda: 1)


def test_one_answer_for_all(store):
    """Many at once: each may do it, but all go on with the one that was stored first."""
    start, answers = threading.Barrier(8), []

    def go(n):
        start.wait()
        answers.append(store.once("race", "t", lambda: n))

    threads = [threading.Thread(target=go, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and len(set(answers)) == 1
