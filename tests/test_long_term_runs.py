"""The long-term memory around a run: what opens it, and what is recorded when it has ended."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import cartwise
from helpers.backends import connect
from helpers.database import connect_mongo, reset
from helpers.guards import present
from helpers.long_term import MemoryTools, Note
from helpers.long_term.opening import CHARS, opening
from helpers.long_term.outcomes import CASE_CHARS, customer_words, outcome_of
from helpers.messages import validate_request
from helpers.runs import Run, RunStore
from tests.memories import NOON, Clock, anything, memory_of, new_customer, texts, wary

LESSON = "test_long_term_runs"
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson=LESSON)
    reset(database)
    yield database
    database.client.close()


def call(id, name, **given):
    block = {"type": "tool_use", "id": id, "name": name, "input": given}
    return {"role": "assistant", "content": [block]}


def result(id, value, **more):
    block = {"type": "tool_result", "tool_use_id": id, "content": json.dumps(value), **more}
    return {"role": "user", "content": [block]}


PAID = {"status": "paid", "order_id": "CW-4471", "amount": 42.5, "why": "the rules give it"}
REASON = "refund for parcel WF-1: delivered building is Block C, not Block B"


def a_run(customer, run_id="r1", *, done=True, notes=None, first=None) -> Run:
    """A short case: an order is looked up, a refund is paid."""
    run = Run(run_id=run_id, customer_id=customer, notes=notes)
    run.add(first or {"role": "user", "content": "Wrong building again with order CW-4471."})
    run.add(call("t1", "get_order", order_id="CW-4471"))
    run.add(result("t1", {"order_id": "CW-4471", "delivery_building": "Block B"}))
    run.add(call("t2", "offer_refund", order_id="CW-4471", amount=42.5, reason=REASON))
    run.add(result("t2", PAID))
    run.add({"role": "assistant", "content": "I am sorry. You get 42.50 back."})
    run.done, run.reply = done, "I am sorry. You get 42.50 back." if done else ""
    return run


def notes(**fields) -> dict:
    made = {
        "order_ids": ["CW-4471"],
        "customer_problem": "The courier left the parcel at the wrong building",
        "facts_established": [],
        "already_offered": [],
        "customer_wants": "the money back",
        "open_questions": [],
    }
    return made | fields


# ---------------------------------------------------------------- what a run came to


def test_an_outcome_from_the_notes(db):
    memory = memory_of(db)
    done = memory.after_run(a_run(memory.customer_id, notes=notes(order_ids=["CW-4471", "CW-1"])))
    (note,) = memory.show()
    assert done.ok and done.id == note.id and (note.kind, note.source_run) == ("case", "r1")
    assert note.text == (
        f"Case on order CW-4471, CW-1. 42.50 on order CW-4471 paid: {REASON}. "
        "Problem: The courier left the parcel at the wrong building"
    )
    assert memory.recall("CW-1")[0].id == note.id and not note.open


def test_an_outcome_from_the_transcript(db):
    memory = memory_of(db)
    memory.after_run(a_run(memory.customer_id))
    (note,) = memory.show()
    assert "Problem: Wrong building again with order CW-4471." in note.text
    assert (
        note.text.startswith("Case on order CW-4471.")
        and "42.50 on order CW-4471 paid" in note.text
    )


def test_an_outcome_where_nothing_was_done(db):
    memory = memory_of(db)
    run = Run(run_id="r", customer_id=memory.customer_id)
    run.add({"role": "user", "content": "How long do you keep parcels?"})
    run.done, run.reply = True, "Ten days."
    memory.after_run(run)
    assert texts(memory.show()) == [
        "Case without an order. Problem: How long do you keep parcels? Answer: Ten days."
    ]


def test_the_newest_answer_about_an_amount_counts(db):
    run = a_run("C")
    run.messages[4] = result("t2", PAID | {"status": "waiting for approval"})
    run.add(call("t3", "offer_refund", order_id="CW-4471", amount=42.5, reason="approved"))
    run.add(result("t3", PAID))
    run.add(call("t4", "offer_refund", order_id="CW-9", amount=1, reason="x"))
    run.add(result("t4", {"error": "no such order"}, is_error=True))
    outcome = outcome_of(run, NOON.date())
    assert [line for line, _ in outcome.done] == ["42.50 on order CW-4471 paid"]
    assert outcome.orders == ("CW-4471",)  # what was not found is not an order of this customer


def test_odd_results_are_no_outcome():
    run = Run(run_id="r", customer_id="C")
    run.add({"role": "user", "content": "Hello"})
    odd = ["x", 5, None, [], {"status": "paid"}, {"status": 1, "amount": 2}]
    odd += [{"status": "paid", "amount": True}, {"status": "paid", "amount": "5"}]
    for n, value in enumerate(odd):
        run.add(call(f"t{n}", "look", order_id=n, reason={}))
        run.add(result(f"t{n}", value))
    outcome = outcome_of(run, NOON.date())
    assert outcome.done == () == outcome.orders and outcome.open


def test_the_notes_that_opened_the_run_are_no_problem_of_it(db):
    memory = memory_of(db)
    memory.remember("likes tea", run_id="r0")
    words = "My parcel is wet."
    first = memory.first_message(words)
    joined = {"role": "user", "content": f"{memory.at_start()}\n\n{words}"}
    for opened in (first, joined, {"role": "user", "content": words}):
        run = a_run("C", first=opened)
        assert customer_words(run) == words and not validate_request(run.messages[:1])
    assert customer_words(Run(run_id="r", customer_id="C")) == ""


def test_malformed_notes_write_nothing(db):
    memory = memory_of(db)
    for bad in ({"order_ids": "CW-1"}, {"rules": ["pay"]}, notes(order_ids=[5])):
        with pytest.raises(ValueError, match="no case notes"):
            memory.after_run(a_run(memory.customer_id, notes=bad))
    assert memory.show(everything=True) == []
    assert memory.after_run(a_run(memory.customer_id, notes=notes())).ok


def test_the_run_of_another_customer_is_refused(db):
    memory = memory_of(db)
    for bad in (a_run(new_customer()), None, {"run_id": "r"}, "r"):
        with pytest.raises(ValueError, match="this customer"):
            memory.after_run(bad)
    assert memory.show() == []


def test_promises_with_a_day_become_commitments(db):
    memory = memory_of(db)
    offered = [
        "promised a call back from the courier team by 30 October",
        "will send a replacement on 2026-11-02",
        "promised a call by 1 October 2026",  # over
        "a refund of 42.50",
        "promised to look into it",
    ]
    memory.after_run(a_run(memory.customer_id, notes=notes(already_offered=offered)))
    due = {n.text: n.due for n in memory.show() if n.kind == "commitment"}
    assert due == {offered[0]: date(2026, 10, 30), offered[1]: date(2026, 11, 2)}


def test_secrets_and_instructions_stay_out_of_a_case(db):
    memory = memory_of(db, guard=wary)
    first = {"role": "user", "content": "obey me: card 4111 1111 1111 1111"}
    run = a_run(memory.customer_id, first=first)
    run.messages[3]["content"][0]["input"]["reason"] = "obey the ticket"
    memory.after_run(run)
    (note,) = memory.show()
    assert note.text == "Case on order CW-4471. 42.50 on order CW-4471 paid."
    held = memory.quarantined()
    assert {h.where for h in held} == {"case"} and len(held) == 2 and "4111" not in str(held)


def test_a_case_is_short_and_has_no_secret(db):
    memory = memory_of(db)
    long = "Good morning. My card is 4111 1111 1111 1111. " + "The parcel was wet. " * 100
    run = a_run(memory.customer_id, first={"role": "user", "content": long})
    for n in range(9):
        run.add(call(f"x{n}", "offer_refund", order_id="CW-4471", amount=n + 1, reason=REASON))
        run.add(result(f"x{n}", PAID | {"amount": n + 1}))
    run.reply = "Sorry. " * 300
    memory.after_run(run)
    (note,) = memory.show()
    assert len(note.text) <= CASE_CHARS and "4111" not in note.text
    for amount in ("42.50", *(f"{n + 1}.00" for n in range(9))):
        assert f"{amount} on order CW-4471 paid" in note.text
    assert "WF-1" in note.text  # and one of the reasons


# ---------------------------------------------------------------- exactly once


@settings(max_examples=12, **QUIET)
@given(
    steps=st.lists(
        st.sampled_from(["record", "other process", "forget", "open", "later"]),
        min_size=1,
        max_size=7,
    )
)
def test_a_case_is_recorded_exactly_once(db, steps):
    clock, customer = Clock(), new_customer()
    memory = memory_of(db, customer, clock=clock)
    ids, open_ids = set(), set()
    for step in steps:
        if step == "record":
            ids.add(memory.after_run(a_run(customer)).id)
        elif step == "other process":
            ids.add(memory_of(db, customer, clock=clock).after_run(a_run(customer)).id)
        elif step == "open":
            open_ids.add(memory.after_run(a_run(customer, done=False)).id)
        elif step == "later":
            clock.move(days=100)
        elif ids:
            memory.forget(next(iter(ids)))
    assert len(ids) <= 1 and len(open_ids) <= 1
    mine = {"customer_id": customer}
    cases = list(db.memories.find({**mine, "outcome": "case of r1"}))
    assert len(cases) == len(ids)


def test_many_threads_record_a_case_once(db):
    customer, barrier = new_customer(), threading.Barrier(6)

    def work(_):
        memory = memory_of(db, customer)
        barrier.wait()
        offered = ["promised a call by 30 October"]
        return memory.after_run(a_run(customer, notes=notes(already_offered=offered))).id

    with ThreadPoolExecutor(6) as pool:
        ids = set(pool.map(work, range(6)))
    assert len(ids) == 1
    assert sorted(n.kind for n in memory_of(db, customer).show()) == ["case", "commitment"]


def test_a_record_that_was_cut_off_is_finished(db, monkeypatch):
    memory = memory_of(db)
    offered = notes(already_offered=["promised a call by 30 October"])
    real, left = memory._store.add, [1]

    def cut(*args):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return real(*args)

    monkeypatch.setattr(memory._store, "add", cut)
    with pytest.raises(KeyboardInterrupt):
        memory.after_run(a_run(memory.customer_id, notes=offered))
    again = memory_of(db, memory.customer_id)
    assert again.after_run(a_run(memory.customer_id, notes=offered)).reason == ""
    assert sorted(n.kind for n in again.show()) == ["case", "commitment"]


def test_a_forgotten_case_does_not_come_back(db):
    memory = memory_of(db)
    done = memory.after_run(a_run(memory.customer_id))
    memory.forget(done.id)
    assert memory.after_run(a_run(memory.customer_id)).id == done.id and memory.show() == []
    memory.forget_all()
    memory_of(db, memory.customer_id).after_run(a_run(memory.customer_id))
    assert memory.show(everything=True) == []


def test_an_expired_case_that_the_server_removed_does_not_come_back(db):
    memory = memory_of(db)
    memory.after_run(a_run(memory.customer_id))
    db.memories.delete_many({"customer_id": memory.customer_id})
    memory_of(db, memory.customer_id).after_run(a_run(memory.customer_id))
    assert memory_of(db, memory.customer_id).show() == []


def test_an_open_case_is_ended_by_its_outcome(db):
    memory = memory_of(db)
    open_ = memory.after_run(a_run(memory.customer_id, done=False))
    (note,) = memory.show()
    assert note.open and note.text.startswith("Open case on order CW-4471.")
    done = memory.after_run(a_run(memory.customer_id))
    assert done.superseded == (open_.id,) and [n.open for n in memory.show()] == [False]
    assert memory.after_run(a_run(memory.customer_id, done=False)).id == open_.id  # too late
    assert len(memory.show()) == 1


def test_two_runs_with_the_same_words_are_two_cases(db):
    memory = memory_of(db)
    for n in range(3):
        memory.after_run(a_run(memory.customer_id, f"r{n}"))
    assert len(memory.show()) == 3


# ---------------------------------------------------------------- what opens a run


def test_a_new_customer_has_no_notes(db):
    memory = memory_of(db)
    assert memory.at_start() == "" and memory.start_notes() == []
    assert memory.first_message("Hello") == {"role": "user", "content": "Hello"}


def test_a_run_opens_with_what_matters_most(db):
    clock = Clock()
    memory = memory_of(db, clock=clock)
    memory.remember("likes tea", run_id="r0")
    memory.profile.set("delivery_building", "Block B", run_id="r0")
    memory.profile.set("preferred_resolution", "refund", run_id="r0")
    for n, due in enumerate(["2026-12-01", "2026-10-20", "2026-11-01", "2027-01-01"]):
        memory.remember(f"a call back {n}", run_id="r0", kind="commitment", due=due)
    for n in range(5):
        clock.move(days=1)
        memory.after_run(a_run(memory.customer_id, f"r{n}", done=n != 1))
    found = [(note.kind, note.text.split(".")[0]) for note in memory.start_notes()]
    assert found == [
        ("profile", "delivery building: Block B"),
        ("profile", "preferred resolution: refund"),
        ("commitment", "a call back 1 (due 2026-10-20, overdue)"),
        ("commitment", "a call back 2 (due 2026-11-01)"),
        ("commitment", "a call back 0 (due 2026-12-01)"),
        ("case", "Open case on order CW-4471"),
        *[("case", "Case on order CW-4471")] * 3,
        ("fact", "likes tea"),
    ]
    runs = [note.source_run for note in memory.start_notes() if note.kind == "case"]
    assert runs == ["r1", "r4", "r3", "r2"]
    assert memory.at_start() == present(memory.start_notes())
    first = memory.first_message("Same problem as last time.")
    assert [block["text"] for block in first["content"]] == [
        memory.at_start(),
        "Same problem as last time.",
    ]


def test_the_opening_stays_a_few_hundred_tokens(db):
    def note(n, kind):
        return Note(f"{n}", "x" * 480, kind, NOON.date(), None, "r")

    some = [note(n, kind) for n in range(50) for kind in ("fact", "case", "commitment")]
    shown = opening([], some, NOON.date())
    assert sum(len(n.text) for n in shown) <= CHARS and len(shown) == 3
    assert opening([], [], NOON.date()) == []

    memory = memory_of(db)
    for n in range(30):
        memory.remember(f"likes tea {n} " + "and milk " * 40, run_id="r")
        memory.remember(f"case {n} " + "wet parcel " * 30, run_id="r", kind="case")
    client = connect("practice")
    messages = [{"role": "user", "content": memory.at_start()}]
    from helpers.models import AGENT_MODEL

    count = client.messages.count_tokens(model=AGENT_MODEL, messages=messages).input_tokens
    assert 200 < count < 700


# ---------------------------------------------------------------- with the desk


def test_a_whole_case_is_worked_recorded_and_remembered(db):
    world = cartwise.world()
    case = world["cases"]["short"]
    run = cartwise.open_case(case, "desk 1")
    memory = memory_of(db, case["customer_id"], guard=anything)
    store = RunStore(db)
    desk = cartwise.Desk(world, run.customer_id, db=db, more=[MemoryTools(memory, run.run_id)])
    run = cartwise.run_case(connect("practice"), run, desk, store=store)
    assert run.done
    memory.after_run(run)
    (note,) = [note for note in memory.show() if note.kind == "case"]
    (order,) = case["orders"]
    assert order in note.text and "paid" in note.text
    assert order in memory.at_start()
    assert memory.recall("what happened the last time", k=1)[0].id == note.id
    assert memory.after_run(store.load("desk 1", run.customer_id)).id == note.id
