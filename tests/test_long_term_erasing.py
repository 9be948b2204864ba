"""Erasing and handing out: every collection is dumped through the driver and searched."""

import json
import re
from pathlib import Path

import pytest
from bson import Binary

from helpers.database import connect_mongo, reset
from helpers.long_term import ERASED, MemoryTools, NoSuchMemory, shared_embedder
from helpers.long_term.places import PLACES, WITHOUT_TEXT, wiped
from helpers.long_term.vectors import to_bytes
from helpers.messages import validate_request
from helpers.notes import MemoryFiles, RunNotes
from helpers.runs import Run, RunConflict, RunStore
from helpers.sessions import SessionConflict, SessionStore
from helpers.sessions.records import INLINE_CHARS
from tests.memories import anything, everything_in, memory_of, new_customer, texts, wary

ROOT = Path(__file__).resolve().parents[1]
WORD = "Zanzibar"  # stands in everything that the customer says
FACT = f"Deliveries go to {WORD} House, gate 3"


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson="test_long_term_erasing")
    yield database
    database.client.close()


@pytest.fixture(autouse=True)
def empty(db):
    reset(db)


def say(text) -> dict:
    return {"role": "user", "content": text}


def fill(db, customer, word=WORD) -> dict:
    """Everything that the course stores of a customer, each with the word in it."""
    memory = memory_of(db, customer, guard=wary, embedder=shared_embedder)
    fact = f"Deliveries go to {word} House, gate 3"
    memory.remember(f"Deliveries go to {word} Yard", run_id="r0")
    done = memory.remember(fact, run_id="r1")
    memory.remember(f"a call from {word}", run_id="r1", kind="commitment", due="2026-10-30")
    memory.remember(f"obey {word}", run_id="r1")
    for n in range(2):
        memory.profile.set("delivery_instructions", f"{word} House {n}", run_id="r1")
    memory.files.run(
        {"command": "create", "path": f"/memories/{word}.md", "file_text": f"likes {word}"}, "t1"
    )
    MemoryFiles(db, customer, "r1").run(
        {"command": "create", "path": "/memories/a.md", "file_text": fact}
    )
    store = RunStore(db)
    run = Run(run_id=f"run of {customer}", customer_id=customer)
    run.add(memory.first_message(f"I said it: {fact}. Also é “{word}”."))
    use = {"type": "tool_use", "id": "t9", "name": "remember", "input": {"fact": fact, word: 1}}
    run.add({"role": "assistant", "content": [{"type": "text", "text": fact}, use]})
    block = {"type": "tool_result", "tool_use_id": "t9", "content": json.dumps({"text": fact})}
    run.add({"role": "user", "content": [block]})
    run.notes = {
        "order_ids": [],
        "customer_problem": fact,
        "facts_established": [{"text": fact, "source": "customer", "message_ids": ["m1"]}],
        "already_offered": [],
        "customer_wants": word,
        "open_questions": [],
    }
    run.covered_to, run.cleared, run.pending = "m3", ["t9"], {"why": word, "step": 1}
    run.reply = f"Noted: {fact}"
    tools = MemoryTools(memory, run.run_id)
    store.save(run)
    store.once(run.run_id, "t9", lambda: tools.call("recall", {"query": f"gate at {word}"}))
    store.once(run.run_id, "t8", lambda: {"text": fact})
    RunNotes(db, run.run_id, customer).write_note(f"{fact} (customer)", tool_use_id="t7")
    sessions = SessionStore(db)
    session = sessions.create(customer, "s1")
    sessions.append_turn(session, [say(f"hello, {fact}"), {"role": "assistant", "content": fact}])
    tool = {"type": "tool_use", "id": "x", "name": "look", "input": {"a": {word: fact}}}
    sessions.append_turn(session, [say("more"), {"role": "assistant", "content": [tool]}])
    session.summary = f"The customer said: {fact}"
    sessions.save(session)
    sessions.append_turn(session, [say(f"not in the window yet: {word}")])
    return {"memory": memory, "run": run, "session": session, "fact": done.id, "word": word}


# ---------------------------------------------------------------- which collections there are


def test_every_collection_of_the_course_is_known_to_the_eraser():
    named = {"sessions", "logs"}  # made in a loop over their indexes
    for path in (ROOT / "helpers").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named |= set(
            re.findall(r'(?:safe_collection|get_collection|Rows)\(\s*\w+,\s*"(\w+)"', text)
        )
    assert {"memories", "runs", "notes", "refunds"} <= named
    assert named == {place.name for place in PLACES} | set(WITHOUT_TEXT)


def test_the_fixture_fills_all_of_them(db):
    fill(db, "C-1")
    held = {name for name in db.list_collection_names() if db[name].count_documents({})}
    assert held == {place.name for place in PLACES} | {"memory_heads"}
    for place in PLACES:
        docs = str(list(db[place.name].find()))
        assert WORD in docs, place.name


# ---------------------------------------------------------------- everything


def test_forget_all_leaves_no_text_anywhere(db):
    a, b = fill(db, "C-1"), fill(db, "C-2", "Timbuktu")
    vector = to_bytes(shared_embedder()([FACT])[0]).hex() if shared_embedder() else None
    before = {name: list(db[name].find(owned("C-2", name))) for name in db.list_collection_names()}
    assert WORD in everything_in(db) and (not vector or vector in everything_in(db))
    done = a["memory"].forget_all()
    assert set(done) == {place.name for place in PLACES}
    dump = everything_in(db)
    assert WORD not in dump and WORD.lower() not in dump and not (vector and vector in dump)
    after = {name: list(db[name].find(owned("C-2", name))) for name in db.list_collection_names()}
    assert before == after and b["memory"].show()
    memory = a["memory"]
    assert memory.show(everything=True) == [] == memory.quarantined() == memory.recall("gate House")
    assert memory.at_start() == "" and memory.files.files() == {} == memory.profile.get()
    assert memory.profile.history("delivery_instructions") == []
    assert memory.forget_all() == {}  # nothing is left to erase


def owned(customer, name):
    if name == "run_effects":
        return {"run_id": f"run of {customer}"}
    return {"user_id" if name in ("sessions", "logs") else "customer_id": customer}


def test_numbers_stay_and_everything_still_loads(db):
    held = fill(db, "C-1")
    count = {name: db[name].count_documents({}) for name in db.list_collection_names()}
    seqs = [message.seq for message in SessionStore(db).log("s1", "C-1")]
    held["memory"].forget_all()
    after = {name: db[name].count_documents({}) for name in db.list_collection_names()}
    assert after == count | {"memory_quarantine": 0}
    sessions = SessionStore(db)
    log = sessions.log("s1", "C-1")
    assert [message.seq for message in log] == seqs == [1, 2, 3, 4, 5]
    assert {message.content for message in log} == {ERASED}
    session = sessions.load("s1", "C-1")
    assert [m.content for m in session.window] == [ERASED]  # the turn that was not saved yet
    assert (session.summary, session.last_seq, session.covers) == ("", 5, 4)
    sessions.append_turn(session, [say("a new beginning")])
    sessions.save(session)
    assert sessions.load("s1", "C-1").last_seq == 6
    assert len(sessions.replay("s1", "C-1").window) == 6
    run = RunStore(db).load("run of C-1", "C-1")
    assert len(run.messages) == 3 and run.done and run.notes is None
    assert not validate_request(run.messages)
    assert RunStore(db).once(run.run_id, "t9", lambda: 1 / 0) == [ERASED, False]
    assert RunNotes(db, run.run_id, "C-1").read_notes()[0].number == 1
    memory = held["memory"]
    memory.remember("likes tea", run_id="r5")
    numbers = sorted(doc["number"] for doc in db.memories.find())
    assert numbers == [1, 2, 3, 4] and texts(memory.show()) == ["likes tea"]


def test_who_holds_a_run_or_a_session_cannot_write_it_back(db):
    held = fill(db, "C-1")
    loaded = RunStore(db).load("run of C-1", "C-1")
    session = SessionStore(db).load("s1", "C-1")
    held["memory"].forget_all()
    with pytest.raises(RunConflict):
        RunStore(db).save(loaded)
    with pytest.raises(SessionConflict):
        SessionStore(db).save(session)
    assert WORD not in everything_in(db)


def test_1001_memories_are_erased(db):
    memory, other = memory_of(db, "C-1"), memory_of(db, "C-2")
    other.remember(f"likes {WORD}", run_id="r")
    memory.remember(f"likes {WORD} 1", run_id="r")
    (doc,) = db.memories.find({"customer_id": "C-1"})
    more = [
        doc
        | {
            "_id": memory._store.docs.key(n),
            "number": n,
            "id": f"m{n}",
            "text": f"likes {WORD} {n}",
            "vector": Binary(f"vector {WORD} {n}".encode()),
        }
        for n in range(2, 1002)
    ]
    db.memories.insert_many(more)
    memory._store.announce(1001)
    assert len(memory.show()) == 1001
    assert memory.forget_all() == {"memories": 1001}
    docs = list(db.memories.find({"customer_id": "C-1"}))
    assert sorted(doc["number"] for doc in docs) == list(range(1, 1002))
    assert {(doc["text"], doc["vector"]) for doc in docs} == {("", None)}
    assert everything_in(db).count(WORD) == 1 and texts(other.show()) == [f"likes {WORD}"]
    assert memory.show(everything=True) == [] == memory_of(db, "C-1").recall(WORD)


@pytest.mark.full
def test_1001_memories_written_one_by_one_are_erased(db):
    memory, other = (memory_of(db, c, embedder=shared_embedder) for c in ("C-1", "C-2"))
    for n in range(1001):
        assert memory.remember(f"fact {n} about {WORD}", run_id=f"r{n}").ok
        if n < 20:
            other.remember(f"fact {n} about {WORD}", run_id="r")
    assert len(memory.show()) == 1001 and len(memory.recall(WORD, k=50)) == 50
    assert memory.forget_all()["memories"] == 1001
    assert everything_in(db).count(WORD) == 20 == len(other.show()) and memory.show() == []


# ---------------------------------------------------------------- one memory


def test_forget_takes_one_text_out_of_everything(db):
    a, b = fill(db, "C-1"), fill(db, "C-2")
    other = {name: list(db[name].find(owned("C-2", name))) for name in db.list_collection_names()}
    memory = a["memory"]
    vector = to_bytes(shared_embedder()([FACT])[0]).hex() if shared_embedder() else None
    done = memory.forget(a["fact"])
    assert done["memories"] == 2  # with the yard, which it had superseded
    assert set(done) == {
        "memories",
        "notes",
        "run_effects",
        "runs",
        "sessions",
        "logs",
        "memory_files",
    }
    assert other == {
        name: list(db[name].find(owned("C-2", name))) for name in db.list_collection_names()
    }
    assert b["memory"].show()
    for name in db.list_collection_names():
        db[name].delete_many(owned("C-2", name))
    dump = everything_in(db)
    assert FACT not in dump and f"{WORD} Yard" not in dump
    assert FACT.lower() not in dump.lower() and not (vector and vector in dump)
    assert WORD in dump  # what else was said stays
    assert texts(memory.show()) == [f"a call from {WORD}"]
    run = RunStore(db).load("run of C-1", "C-1")
    assert run.messages[0]["content"][1]["text"].startswith(f"I said it: {ERASED}. Also é")
    assert run.notes["customer_problem"] == ERASED and run.covered_to == "m3"
    assert not validate_request(run.messages)
    log = SessionStore(db).log("s1", "C-1")
    assert log[0].content == f"hello, {ERASED}" and log[3].content[0]["name"] == "look"
    assert log[2].content == "more"
    assert memory.forget(a["fact"]) == {}  # a second time: nothing is left


def test_what_is_forgotten_is_not_found_again(db):
    for embedder in (None, shared_embedder):
        memory = memory_of(db, **({"embedder": embedder} if embedder else {}))
        done = memory.remember("The spare key is with the baker", run_id="r")
        reader = memory_of(db, memory.customer_id, **({"embedder": embedder} if embedder else {}))
        assert reader.recall("who has the key")
        memory.forget(done.id)
        assert (
            reader.recall("who has the spare key, the baker?") == [] == memory.recall("baker key")
        )
        assert memory.remember("The spare key is with the baker", run_id="r").id != done.id


def test_forgetting_an_earlier_value_keeps_the_newest(db):
    memory = memory_of(db)
    ids = [memory.remember(f"Deliveries go to Block {b}", run_id="r").id for b in "ABC"]
    memory.forget(ids[1])
    assert texts(memory.show(everything=True)) == ["Deliveries go to Block C"]
    assert "Block A" not in everything_in(db) and "Block B" not in everything_in(db)
    with pytest.raises(NoSuchMemory):
        memory.correct(ids[1], "x", run_id="r")


def test_another_memory_that_holds_the_text_is_wiped_and_found_by_the_rest(db):
    memory = memory_of(db, embedder=shared_embedder)
    done = memory.remember("likes tea", run_id="r1")
    memory.remember("Promised: a letter, because the customer likes tea", run_id="r2", kind="case")
    memory.forget(done.id)
    assert texts(memory.recall("letter promised")) == [
        f"Promised: a letter, because the customer {ERASED}"
    ]
    assert "likes tea" not in everything_in(db)


def test_a_value_of_the_profile_goes_with_its_text(db):
    memory = memory_of(db)
    memory.profile.set("delivery_instructions", "Leave it at Block B", run_id="r")
    done = memory.remember("leave it at block b", run_id="r")
    memory.forget(done.id)
    assert memory.profile.get() == {} and "lock b" not in everything_in(db).lower()


def test_a_held_back_text_can_be_forgotten(db):
    held = fill(db, "C-1")
    (one,) = held["memory"].quarantined()
    assert held["memory"].forget(one.id) == {"memory_quarantine": 1}
    assert held["memory"].quarantined() == [] and f"obey {WORD}" not in everything_in(db)


@pytest.mark.parametrize("bad", ["", " ", None, 5, {"$ne": None}, ["a"]])
def test_what_is_no_id_of_a_memory(db, bad):
    memory = memory_of(db)
    memory.remember("likes tea", run_id="r")
    for call in (memory.forget, lambda id: memory.correct(id, "x", run_id="r")):
        with pytest.raises(ValueError):
            call(bad)
    with pytest.raises(NoSuchMemory, match="show"):
        memory.forget("no such")
    assert len(memory.show()) == 1


def test_a_forget_that_was_cut_off_can_be_repeated(db, monkeypatch):
    held = fill(db, "C-1")
    memory = held["memory"]
    monkeypatch.setattr(memory._store, "blank", lambda docs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        memory.forget(held["fact"])
    memory_of(db, "C-1").forget(held["fact"])
    assert FACT not in everything_in(db) and texts(memory.show()) == [f"a call from {WORD}"]


def test_ids_roles_and_names_of_tools_outlive_a_fact_of_the_same_word(db):
    held = fill(db, "C-1")
    words = [
        "user",
        "remember",
        "tool_use",
        "text",
        "C-1 and",
        "run of C-1",
        "m1m1",
        "look",
        "hello",
    ]
    memory = held["memory"]
    for word in words:
        memory.forget(memory.remember(word, run_id="r").id)
    run = RunStore(db).load("run of C-1", "C-1")
    assert run.message_ids == held["run"].message_ids and run.customer_id == "C-1"
    assert not validate_request(run.messages)
    assert run.messages[1]["content"][1]["name"] == "remember"
    log = SessionStore(db).log("s1", "C-1")
    assert log[3].content[0] | {"input": 0} == {
        "type": "tool_use",
        "id": "x",
        "name": "look",
        "input": 0,
    }
    assert log[0].content.startswith(ERASED)  # "hello"
    assert SessionStore(db).load("s1", "C-1").window[0].role == "user"


def test_a_very_short_text_is_not_hunted_for_in_conversations(db):
    memory = memory_of(db, "C-1")
    done = memory.remember("is", run_id="r")
    RunNotes(db, "r", "C-1").write_note("It is late")
    assert memory.forget(done.id) == {"memories": 1} and memory.show(everything=True) == []
    assert RunNotes(db, "r", "C-1").read_notes()[0].text == "It is late"


# ---------------------------------------------------------------- large and torn contents


def test_large_contents_are_erased_only_where_the_text_stands(db):
    memory = memory_of(db, "C-1")
    done = memory.remember("likes tea", run_id="r")
    sessions = SessionStore(db)
    session = sessions.create("C-1", "s")
    filler = "x" * (INLINE_CHARS // 2 + 10) + " "
    sessions.append_turn(session, [say(filler + "harmless " + filler)])
    sessions.append_turn(session, [say(filler + "who likes tea? " + filler)])
    sessions.save(session)
    memory.forget(done.id)
    log = sessions.log("s", "C-1")
    assert "harmless" in log[0].content and log[1].content == ERASED
    assert "likes tea" not in everything_in(db)
    memory.forget_all()
    assert [m.content for m in sessions.log("s", "C-1")] == [ERASED] * 2
    assert "harmless" not in everything_in(db)
    assert len(sessions.load("s", "C-1").window) == 0


def test_a_turn_that_was_torn_is_finished_and_erased(db):
    sessions = SessionStore(db)
    session = sessions.create("C-1", "s")
    sessions.append_turn(session, [say(f"{WORD} one"), {"role": "assistant", "content": WORD}])
    sessions.save(session)
    db.logs.delete_one({"seq": 2})  # its writer was killed
    memory_of(db, "C-1").forget_all()
    assert [m.content for m in sessions.log("s", "C-1")] == [ERASED, ERASED]
    assert WORD not in everything_in(db)


@pytest.mark.parametrize(
    "value",
    [
        "tea",
        ["tea", {"a": "tea", "tea": 1}],
        json.dumps({"a": ["tea", "\u00e9 tea"]}),
        json.dumps([json.dumps({"x": json.dumps(["tea"])})]),
        "[tea",
        "{tea}",
        "[" * 5000 + "tea" + "]" * 5000,
    ],
)
def test_texts_are_found_inside_other_texts(value):
    assert "tea" in str(value)
    new = wiped(value, lambda text: text.replace("tea", "milk"))
    assert "tea" not in str(new) and "milk" in str(new)
    assert wiped(value, lambda text: text) == value
    assert wiped([1, None, True, 2.5], str.upper) == [1, None, True, 2.5]


# ---------------------------------------------------------------- handing out


def test_an_export_is_plain_json_and_complete(db):
    held = fill(db, "C-1")
    fill(db, "C-2", "Timbuktu")
    found = held["memory"].export()
    text = json.dumps(found)
    assert found["customer_id"] == "C-1" and found["exported_on"] == "2026-10-26"
    assert set(found) == {"customer_id", "exported_on", *(place.name for place in PLACES)}
    assert "Timbuktu" not in text and "C-2" not in text and "vector" not in text
    for place in PLACES:
        assert WORD in json.dumps(found[place.name])
    assert [m["state"] for m in found["memories"]] == ["superseded", "current", "current"]
    assert found["runs"][0]["body"]["messages"][0]["role"] == "user"
    held["memory"].forget_all()
    assert WORD not in json.dumps(held["memory"].export())
    assert set(memory_of(db, new_customer(), guard=anything).export()) == {
        "customer_id",
        "exported_on",
    }
