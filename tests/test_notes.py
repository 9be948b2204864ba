"""The notes of a run, against the real embedded server, with real processes where that matters."""

import itertools
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pymongo
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pymongo.errors import AutoReconnect

from helpers import cartwise
from helpers.backends import connect
from helpers.compaction import safe_cut
from helpers.database import DatabaseUnavailable, connect_mongo, reset
from helpers.database_lease import server_port
from helpers.editing import clear_old_results
from helpers.messages import blocks, validate_request
from helpers.notes import NOTE_TOOLS, Note, NoteRefused, RunNotes
from helpers.notes.store import NOTE_CHARS, RUN_CHARS
from helpers.runs import Run
from tests.strategies import garbage

ROOT = Path(__file__).resolve().parents[1]
LESSON = "test_notes"
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson=LESSON)
    reset(database)
    yield database
    database.client.close()


def fresh(db, **more) -> RunNotes:
    return RunNotes(db, f"run {next(NUMBERS)}", "ada", clock=lambda: NOON, **more)


@pytest.fixture
def notes(db):
    return fresh(db)


def again(db, notes) -> RunNotes:
    """What another session of the same run has."""
    return RunNotes(db, notes._mine["run_id"], notes._mine["customer_id"])


def texts(notes) -> list[str]:
    return [note.text for note in notes.read_notes()]


# ---------------------------------------------------------------- writing and reading


def test_notes_come_back_in_order(db, notes):
    assert notes.read_notes() == []
    assert notes.write_note("one") == Note(1, "one", NOON)
    assert notes.write_note("two") == Note(2, "two", NOON)
    assert again(db, notes).read_notes() == [Note(1, "one", NOON), Note(2, "two", NOON)]


def test_customers_and_runs_never_see_each_other(db):
    owners = [("r", "ada"), ("r", "ben"), ("s", "ada"), ('r", "ada', "x"), ("ada", "r")]
    every = [RunNotes(db, run, customer) for run, customer in owners]
    for n, notes in enumerate(every):
        notes.write_note(f"secret {n}", tool_use_id="toolu_1")
        notes.write_note("the same", tool_use_id="toolu_2")
    for n, notes in enumerate(every):
        assert texts(notes) == [f"secret {n}", "the same"]


@pytest.mark.parametrize("bad", ["", " ", None, 0, 7, {"$ne": None}, ["a"], "x" * 121, "\ud83d"])
def test_what_is_no_id(db, bad):
    with pytest.raises(ValueError, match="customer_id"):
        RunNotes(db, "run", bad)
    with pytest.raises(ValueError, match="run_id"):
        RunNotes(db, bad, "ada")


def test_the_same_note_twice_in_a_row_is_stored_once(notes):
    first = notes.write_note("one")
    assert notes.write_note("one") == first
    notes.write_note("two")
    assert notes.write_note("one").number == 3  # found again later: that is news
    assert texts(notes) == ["one", "two", "one"]


def test_the_same_call_is_stored_once_at_any_distance(db, notes):
    first = notes.write_note("one", tool_use_id="toolu_1")
    notes.write_note("two", tool_use_id="toolu_2")
    assert again(db, notes).write_note("one", tool_use_id="toolu_1").number == first.number
    assert texts(notes) == ["one", "two"]


def test_an_id_used_twice_loses_no_note(notes):
    for text in ("one", "two", "one"):
        notes.write_note(text, tool_use_id="toolu_1")
    assert texts(notes) == ["one", "two"]


# ---------------------------------------------------------------- what may be stored


@pytest.mark.parametrize(
    "text, stored, changed",
    [
        ("x\ud83d", "x\ufffd", "half characters (lone surrogates) repaired: 1"),
        ("\ud83d\ude00", "\U0001f600", "half characters (lone surrogates) repaired: 2"),
        ("a\x00b", "a\x00b", ""),
        ("$where {.}\r\n\u2028", "$where {.}\r\n\u2028", ""),
        (" two lines\nof text ", " two lines\nof text ", ""),
    ],
)
def test_odd_characters(db, notes, text, stored, changed):
    assert notes.write_note(text).text == stored
    (note,) = again(db, notes).read_notes()
    assert (note.text, note.changed) == (stored, changed)
    result, is_error = notes.call("read_notes", {})
    message = {"type": "tool_result", "tool_use_id": "t", "content": result}
    json.dumps(message).encode()
    assert not is_error and json.loads(result)["notes"] == [{"number": 1, "text": stored}]


@settings(max_examples=40, **QUIET)
@given(written=st.lists(st.text(max_size=20), max_size=6))
def test_any_texts(db, written):
    notes, expected = fresh(db), []
    for text in written:
        if not text.strip():
            with pytest.raises(NoteRefused, match="a note needs a text"):
                notes.write_note(text)
        else:
            notes.write_note(text)
            expected += [text] if expected[-1:] != [text] else []
    assert texts(notes) == expected


@pytest.mark.parametrize("bad", ["", " \n", None, 3, ["a"], {"text": "a"}, b"a"])
def test_what_is_no_note(notes, bad):
    with pytest.raises(NoteRefused, match="Not saved: a note needs a text"):
        notes.write_note(bad)
    assert notes.read_notes() == []


def test_a_note_has_a_most(notes):
    notes.write_note("x" * NOTE_CHARS)
    with pytest.raises(
        NoteRefused, match="has 2,001 characters, the most is 2,000. Write the find"
    ):
        notes.write_note("x" * (NOTE_CHARS + 1))


def test_a_run_has_a_most(notes):
    for n in range(RUN_CHARS // NOTE_CHARS):
        notes.write_note(f"{n:02}" + "x" * (NOTE_CHARS - 2))
    with pytest.raises(NoteRefused, match="20,001 characters together, the most is 20,000"):
        notes.write_note("y")
    assert len(notes.read_notes()) == 10
    assert notes.write_note("09" + "x" * (NOTE_CHARS - 2)).number == 10  # there already


def test_a_clock_without_a_zone_is_refused(db):
    with pytest.raises(ValueError, match="time zone"):
        RunNotes(db, "r", "c", clock=datetime.now).write_note("x")


# ---------------------------------------------------------------- as tools


def test_the_tools_are_valid_and_tell_when_to_use_them():
    assert not validate_request([{"role": "user", "content": "Hi"}], tools=NOTE_TOOLS)
    write, read = NOTE_TOOLS
    assert (write["name"], read["name"]) == ("write_note", "read_notes")
    assert "2,000 characters" in write["input_schema"]["properties"]["text"]["description"]
    assert "before anything else" in read["description"]


def test_calls(notes):
    assert notes.call("read_notes", {}) == ('{"notes": []}', False)
    assert notes.call("write_note", {"text": "one"}, "t1") == (
        '{"saved": true, "number": 1}',
        False,
    )
    assert notes.call("write_note", {"text": "one"}, "t1") == (
        '{"saved": true, "number": 1}',
        False,
    )
    text, is_error = notes.call("read_notes", {}, "t2")
    assert json.loads(text) == {"notes": [{"number": 1, "text": "one"}]} and not is_error


@settings(max_examples=40, **QUIET)
@given(given_input=garbage())
def test_calls_with_anything(db, given_input):
    notes = RunNotes(db, "anything", "ada")
    text, is_error = notes.call("write_note", given_input)
    assert isinstance(text, str) and (is_error or json.loads(text)["saved"])


def test_an_unknown_tool(notes):
    assert notes.call("erase_notes", {}) == (
        "There is no tool 'erase_notes' here: use write_note or read_notes.",
        True,
    )


def test_notes_outlive_clearing_and_a_cut(db, notes):
    """What is left of the conversation has no finding; the next session reads all of them."""
    messages = [{"role": "user", "content": "Find out what happened."}]
    for n in range(10):
        call = {"type": "tool_use", "id": f"t{n}", "name": "write_note", "input": {"text": f"f{n}"}}
        text, is_error = notes.call(call["name"], call["input"], call["id"])
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": text}
        messages += [
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
        ]
    messages += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "And?"}]
    short = clear_old_results(messages, keep=0).messages[safe_cut(messages, 1) :]
    assert short == messages[-1:] and not validate_request(short, tools=notes.tools)
    read = {"type": "tool_use", "id": "t99", "name": "read_notes", "input": {}}
    text, _ = again(db, notes).call("read_notes", {}, "t99")
    result = {"type": "tool_result", "tool_use_id": "t99", "content": text}
    short += [{"role": "assistant", "content": [read]}, {"role": "user", "content": [result]}]
    assert not validate_request(short, tools=notes.tools)
    assert [note["text"] for note in json.loads(text)["notes"]] == [f"f{n}" for n in range(10)]


def test_a_fresh_session_picks_up_from_the_notes(db):
    """The first session ends after a few steps; the second has none of its messages."""
    world = cartwise.world()
    case = world["cases"]["short"]
    customer = case["customer_id"]
    notes = RunNotes(db, "a case in two sessions", customer)
    client = connect("practice")

    def work(notes, **more):
        run = Run(run_id="session", customer_id=customer)
        run.add({"role": "user", "content": case["message"]}, "m1")
        cartwise.run_case(client, run, cartwise.Desk(world, customer, notes=notes), **more)
        calls = [b for m in run.messages for b in blocks(m) if b["type"] == "tool_use"]
        return run, [(call["name"], str(call["input"])) for call in calls]

    _, first = work(notes, max_steps=6)
    written = texts(notes)
    run, second = work(again(db, notes))
    whole, once = work(RunNotes(db, "the same in one session", customer))
    done_before = set(first[:-1]) - {("read_notes", "{}")}
    assert len(written) >= 2 and texts(notes)[: len(written)] == written
    assert second[0] == ("read_notes", "{}") and not done_before & set(second)
    assert len(second) < len(once)
    assert run.done and run.reply == whole.reply


# ---------------------------------------------------------------- several processes


def test_writers_at_once_lose_nothing(db, notes):
    start = threading.Barrier(6)

    def write(who: int):
        mine = again(db, notes)
        start.wait()
        return [mine.write_note(f"{who}.{n}", tool_use_id=f"{who}.{n}").number for n in range(8)]

    with ThreadPoolExecutor(6) as threads:
        numbers = list(threads.map(write, range(6)))
    found = notes.read_notes()
    assert [note.number for note in found] == list(range(1, 49))
    assert sorted(note.text for note in found) == sorted(f"{w}.{n}" for w in range(6) for n in range(8))  # fmt: skip
    assert all(own == sorted(own) for own in numbers)


def test_the_same_note_from_several_at_once_is_stored_once(db, notes):
    start = threading.Barrier(6)

    def write(_):
        mine = again(db, notes)
        start.wait()
        return mine.write_note("one", tool_use_id="toolu_1").number

    with ThreadPoolExecutor(6) as threads:
        assert set(threads.map(write, range(6))) == {1}
    assert texts(notes) == ["one"]


def test_caps_hold_with_several_at_once(db, notes):
    def write(who: int):
        for n in range(5):
            try:
                again(db, notes).write_note(f"{who}.{n}".ljust(NOTE_CHARS))
            except NoteRefused:
                pass

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(4)))
    assert len(notes.read_notes()) == RUN_CHARS // NOTE_CHARS


WRITER = """
import sys
from helpers.database import connect_mongo
from helpers.notes import RunNotes
notes = RunNotes(connect_mongo(lesson="test_notes"), sys.argv[1], "ada")
for n in range(1_000_000):
    notes.write_note(f"finding {n}", tool_use_id=f"toolu_{n}")
    print(n, flush=True)
"""


def test_notes_survive_a_killed_process(db, notes):
    run_id = notes._mine["run_id"]
    command = [sys.executable, "-c", WRITER, run_id]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
    told = -1
    for line in process.stdout:
        if line.strip().isdigit():
            told = int(line)
        if told == 20:
            break
    process.kill()
    process.wait(20)
    process.stdout.close()
    found = texts(notes)
    assert len(found) >= 21 and found == [f"finding {n}" for n in range(len(found))]
    # the next session does the last call again, and goes on
    last = len(found) - 1
    notes.write_note(f"finding {last}", tool_use_id=f"toolu_{last}")
    notes.write_note("done", tool_use_id="toolu_x")
    assert texts(notes) == [*found, "done"]


# ---------------------------------------------------------------- a database in trouble


def test_a_dead_server_is_never_taken_for_no_notes(db):
    client = pymongo.MongoClient(
        "127.0.0.1", server_port(), directConnection=True, serverSelectionTimeoutMS=200
    )
    notes = RunNotes(client.agent_memory_test_notes, "r", "c")
    notes._docs = pymongo.MongoClient("127.0.0.1", 1, serverSelectionTimeoutMS=200).x.notes
    for do in (notes.read_notes, lambda: notes.write_note("x"), lambda: notes.call("read_notes", {})):  # fmt: skip
        with pytest.raises(DatabaseUnavailable, match="does not answer, so it could not"):
            do()
    client.close()


class LosesAnswers:
    """A collection whose inserts are done though their answer is lost, the first `times`."""

    def __init__(self, docs, times):
        self.docs, self.times = docs, times

    def __getattr__(self, name):
        return getattr(self.docs, name)

    def insert_one(self, doc):
        self.docs.insert_one(doc)
        if self.times:
            self.times -= 1
            raise AutoReconnect("connection reset")


@pytest.mark.parametrize("call", [None, "toolu_1"])
def test_a_lost_answer_does_not_store_twice(notes, call):
    notes._docs = LosesAnswers(notes._docs, 1)
    assert notes.write_note("one", tool_use_id=call).number == 1
    assert notes.write_note("two", tool_use_id=call).number == 2
    assert texts(notes) == ["one", "two"]


def test_a_database_without_acknowledgement_is_refused(db):
    careless = db.with_options(write_concern=pymongo.WriteConcern(w=0))
    with pytest.raises(ValueError, match="w=0"):
        RunNotes(careless, "r", "c")


def test_running_again_over_an_emptied_database(db):
    notes = fresh(db)
    notes.write_note("one")
    reset(db)
    assert notes.read_notes() == []
    assert notes.write_note("one").number == 1
