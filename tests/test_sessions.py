"""helpers/sessions/ against the real embedded server, with real processes where that matters."""

import contextlib
import itertools
import json
import socket
import subprocess
import sys
import threading
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import anthropic
import bson
import pymongo
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pymongo.errors import DuplicateKeyError
from pymongo.monitoring import CommandListener

from helpers.backends import connect, failing
from helpers.database import DatabaseUnavailable, connect_mongo, reset
from helpers.database_lease import server_port
from helpers.messages import blocks, text_of, validate_request
from helpers.models import CHAT_MODEL, SUMMARY_MODEL
from helpers.sessions import (
    CLUSTER,
    LogDamaged,
    Session,
    SessionConflict,
    SessionStore,
    SessionTooLarge,
    StoredMessage,
    content,
    records,
    store,
)
from tests.strategies import garbage, histories

ROOT = Path(__file__).resolve().parents[1]
LESSON = "test_sessions"
NAME = "agent_memory_" + LESSON
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}

# ---------------------------------------------------------------- tools


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson=LESSON)
    reset(database)
    yield database
    database.client.close()


@pytest.fixture(scope="module")
def sessions(db):
    return SessionStore(db)


NUMBERS = itertools.count(1)


@pytest.fixture
def session(sessions):
    return fresh(sessions)


def fresh(sessions) -> Session:
    return sessions.create("ada", f"s{next(NUMBERS)}")


def turn(n=1, *, ids=True) -> list[dict]:
    said = [("user", f"question {n}"), ("assistant", f"answer {n}")]
    made = [{"role": role, "content": text} for role, text in said]
    return [{**m, "id": f"{n}-{m['role']}"} for m in made] if ids else made


def one_turn(sessions, session, n) -> Session:
    sessions.append_turn(session, turn(n))
    return sessions.save(session)


def again(sessions, session) -> Session:
    return sessions.load(session.session_id, session.user_id)


def whole(sessions, session, after=0) -> list[StoredMessage]:
    return sessions.log(session.session_id, session.user_id, after)


def docs(db, session) -> list[dict]:
    mine = {"user_id": session.user_id, "session_id": session.session_id}
    return list(db.logs.find(mine).sort("seq", 1))


def check_log(messages, turns) -> None:
    """Gapless from 1, and the turns (lists of ids) one by one, each once, never interleaved."""
    assert [m.seq for m in messages] == list(range(1, len(messages) + 1))
    assert [m.id for m in messages] == [name for ids in turns for name in ids]


def seen(messages) -> list:
    return [(m.id, m.seq, m.content) for m in messages]


class Commands(CommandListener):
    def __init__(self):
        self.names, self.sent, self.received = [], [], []

    def started(self, event):
        self.names.append(event.command_name)
        self.sent.append(len(bson.encode(event.command)))

    def succeeded(self, event):
        self.received.append(len(bson.encode(event.reply)))

    def failed(self, event):
        pass

    def clear(self):
        self.__init__()


def client(*, port=None, **options):
    address = ("127.0.0.1", port or server_port())
    settings = {"directConnection": True, "w": "majority", "journal": True} | options
    return pymongo.MongoClient(*address, **settings)


class LossyProxy:
    """A way to the server on which chosen answers are lost: the write is done, nobody hears it."""

    def __init__(self):
        self.lose: list[str] = []  # names of commands whose answers will be lost, one each
        self.lost = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near = self.listener.accept()[0]
                threading.Thread(target=self._serve, args=[near], daemon=True).start()

    def _serve(self, near):
        far = socket.create_connection(("127.0.0.1", server_port()))
        with near, far, contextlib.suppress(OSError):
            while request := self._message(near):
                # a header of 16 bytes, flags, the section's kind, then a document whose first
                # field is the command's name
                name = request[26 : request.index(b"\0", 26)].decode("latin-1")
                far.sendall(request)
                reply = self._message(far)
                if name in self.lose:
                    self.lose.remove(name)
                    self.lost += 1
                    return
                near.sendall(reply)

    def _message(self, connection) -> bytes:
        received = b""
        while len(received) < 4 or len(received) < int.from_bytes(received[:4], "little"):
            chunk = connection.recv(1 << 20)
            if not chunk:
                return b""
            received += chunk
        return received

    def close(self):
        self.listener.close()


@pytest.fixture
def proxy(db):
    made = LossyProxy()
    yield made
    made.close()


def through(proxy, **options) -> SessionStore:
    one_at_a_time = {"maxPoolSize": 1, "serverMonitoringMode": "poll"}
    return SessionStore(client(port=proxy.port, **one_at_a_time, **options)[NAME])


# ---------------------------------------------------------------- the life of a session


def test_a_turn_and_a_restart(db, session, sessions):
    stored = sessions.append_turn(session, turn(1))
    assert [(m.id, m.seq, m.role, m.content) for m in stored] == [
        ("1-user", 1, "user", "question 1"),
        ("1-assistant", 2, "assistant", "answer 1"),
    ]
    assert session.window == stored and session.last_seq == 2 and session.version == 1
    session.summary, session.covers = "Ada asked.", 0
    assert sessions.save(session) is session and session.version == 2
    after = again(SessionStore(db), session)  # as another process would
    assert after == session
    assert after.messages() == [
        {"role": "user", "content": "question 1"},
        {"role": "assistant", "content": "answer 1"},
    ]
    assert whole(sessions, session) == stored


def test_documents_can_be_read_by_people(db, session, sessions):
    tool = {"type": "tool_use", "id": "t1", "name": "find", "input": {"$where": "café"}}
    sessions.append_turn(
        session,
        [
            {"role": "user", "content": "Hello", "tokens": {CHAT_MODEL: 8, SUMMARY_MODEL: 7}},
            {"role": "assistant", "content": [tool]},
        ],
    )
    sessions.save(session)
    first, second = docs(db, session)
    assert (first["text"], first["seq"], first["user_id"]) == ("Hello", 1, "ada")
    assert second["blocks"] == json.dumps([tool], ensure_ascii=False)
    assert {"id", "role", "at", "session_id"} <= set(first)
    row = db.sessions.find_one({"session_id": session.session_id})
    assert row["window"][0]["text"] == "Hello" and row["version"] == 2
    assert again(sessions, session).window[0].tokens == {CHAT_MODEL: 8, SUMMARY_MODEL: 7}


def test_no_such_session(sessions):
    assert sessions.load("nobody", "ada") is None
    assert sessions.replay("nobody", "ada") is None
    assert sessions.log("nobody", "ada") == []


def test_contract_of_the_id_file(db, sessions):
    """Id and row: resume. No id: a new conversation. Id, but no row: a fresh one under the id."""
    session = fresh(sessions)
    one_turn(sessions, session, 1)
    assert again(sessions, session).last_seq == 2

    other = sessions.create("ada")
    assert other.session_id != session.session_id and other.window == []
    assert again(sessions, session) == session  # untouched

    db.sessions.delete_one({"session_id": session.session_id})
    assert again(sessions, session) is None
    second = sessions.create("ada", session.session_id)
    assert (second.window, second.summary, second.last_seq) == ([], "", 2)
    assert again(sessions, second) == second  # the old messages do not come back
    one_turn(sessions, second, 2)
    assert again(sessions, second) == second and len(second.window) == 2
    assert [m.seq for m in whole(sessions, second)] == [1, 2, 3, 4]
    assert sessions.replay(second.session_id, "ada").window == second.window


def test_create_gives_the_one_that_is_there(session, sessions):
    one_turn(sessions, session, 1)
    assert sessions.create("ada", session.session_id) == session


def test_eight_creators_make_one_row(db, sessions):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: sessions.create("ada", "crowded"), range(8)))
    assert all(session == made[0] for session in made)
    assert db.sessions.count_documents({"session_id": "crowded"}) == 1


def test_two_documents_for_one_session_are_impossible(db, session, sessions):
    row = db.sessions.find_one({"session_id": session.session_id})
    for changed in ({}, {"_id": "another"}):
        with pytest.raises(DuplicateKeyError):
            db.sessions.insert_one(row | changed)
    one_turn(sessions, session, 1)
    doc = docs(db, session)[0]
    with pytest.raises(DuplicateKeyError):
        db.logs.insert_one(doc | {"id": "another"})  # the same number twice
    with pytest.raises(DuplicateKeyError):
        db.logs.insert_one(doc | {"_id": "another"})  # the same id twice


def test_indexes_are_made_once_and_again_after_a_reset(db, sessions):
    other = client()["agent_memory_test_sessions_2"]
    reset(other)
    made = SessionStore(other)
    SessionStore(other)
    before = other.logs.index_information()
    assert before["message"]["unique"] and set(before) == {"_id_", "message", "order"}
    assert other.sessions.index_information()["session"]["unique"]
    reset(other)
    one_turn(made, made.create("ada", "s"), 1)
    assert other.logs.index_information() == before
    reset(other)
    other.client.close()


def test_what_a_cluster_needs_is_what_is_made():
    for indexes in store.INDEXES.values():
        for _, keys, _ in indexes:
            assert keys[:2] == ["user_id", "session_id"]  # the shard key leads
            assert f"({', '.join(keys)})" in CLUSTER
    assert "retrywrites=false" in CLUSTER and "hashed" in CLUSTER


# ---------------------------------------------------------------- the fault table


def test_order_is_by_number_never_by_time(db):
    times = iter(NOON + timedelta(seconds=s) for s in [9, 5, 5, 3, 3, 1, 1, 0])
    sessions = SessionStore(db, clock=lambda: next(times))
    session = fresh(sessions)
    for n in (1, 2, 3):  # a clock that stands and goes back
        one_turn(sessions, session, n)
    check_log(whole(sessions, session), [[f"{n}-user", f"{n}-assistant"] for n in (1, 2, 3)])
    assert [m.at.second for m in whole(sessions, session)] == [5, 5, 3, 3, 1, 1]
    assert seen(sessions.replay(session.session_id, "ada").window) == seen(session.window)


@pytest.mark.parametrize("retry_writes", [True, False])
@pytest.mark.parametrize("lost", [["insert"], ["update"], ["insert", "update"]])
def test_a_lost_acknowledgement_is_met_within_the_call(proxy, session, retry_writes, lost):
    sessions = through(proxy, retryWrites=retry_writes)
    one_turn(sessions, session, 1)
    proxy.lose = list(lost)
    for n in (2, 3):
        one_turn(sessions, session, n)
    assert proxy.lost == len(lost) and session.version == 4
    check_log(whole(sessions, session), [[f"{n}-user", f"{n}-assistant"] for n in (1, 2, 3)])
    assert again(sessions, session) == session


@pytest.mark.parametrize("retry_writes", [True, False])
def test_acknowledgements_lost_again_and_the_caller_repeats_the_append(
    proxy, session, retry_writes
):
    sessions = through(proxy, retryWrites=retry_writes)
    proxy.lose = ["insert"] * 4
    with pytest.raises(DatabaseUnavailable, match="same message ids, which stores it once"):
        while True:  # the driver, too, repeats what it can
            sessions.append_turn(session, turn(1))
    proxy.lose = []
    stored = sessions.append_turn(session, turn(1))
    assert [m.seq for m in stored] == [1, 2] and session.window == stored
    assert sessions.append_turn(session, turn(1)) == stored
    check_log(whole(sessions, session), [["1-user", "1-assistant"]])
    sessions.save(session)
    assert again(sessions, session) == session


def test_a_lost_acknowledgement_of_create(proxy):
    sessions = through(proxy, retryWrites=False)
    proxy.lose = ["insert"]
    session = sessions.create("ada", f"s{next(NUMBERS)}")
    assert proxy.lost == 1 and session.version == 1
    one_turn(sessions, session, 1)


def test_azure_connection_string(session):
    uri = f"mongodb://127.0.0.1:{server_port()}/?retrywrites=false&maxIdleTimeMS=120000"
    sessions = SessionStore(connect_mongo(uri, lesson=LESSON))
    one_turn(sessions, session, 1)
    assert again(sessions, session) == session


def test_the_same_append_twice_stores_once(session, sessions):
    first = sessions.append_turn(session, turn(1))
    assert sessions.append_turn(session, turn(1)) == first
    sessions.append_turn(session, turn(2))
    sessions.save(session)
    later = again(sessions, session)
    assert sessions.append_turn(later, turn(1)) == first  # whatever came in between
    assert sessions.append_turn(later, first) == first  # also as it was handed out
    assert later == session and len(whole(sessions, session)) == 4


def test_without_ids_every_append_is_a_turn(session, sessions):
    for _ in range(3):
        sessions.append_turn(session, turn(ids=False))
    stored = whole(sessions, session)
    assert [m.seq for m in stored] == list(range(1, 7)) and len({m.id for m in stored}) == 6


def test_a_failed_call_leaves_no_question_behind(session, sessions):
    """Append on success only: after an error the retry asks once."""
    practice = failing(connect("practice"), status=500)

    def say(text):
        asked = session.messages() + [{"role": "user", "content": text}]
        reply = practice.messages.create(model=CHAT_MODEL, max_tokens=100, messages=asked)
        sessions.append_turn(session, [asked[-1], reply])
        sessions.save(session)
        return text_of(reply)

    with pytest.raises(anthropic.InternalServerError):
        say("My favourite colour is green.")
    assert whole(sessions, session) == [] and again(sessions, session) == session
    say("My favourite colour is green.")
    assert [m.role for m in whole(sessions, session)] == ["user", "assistant"]


def test_half_characters_are_repaired_and_it_is_said(session, sessions):
    block = {"type": "text", "text": "ok \ud83d\ude00 \ude00", "n\ud83d": 1}
    said = [{"role": "user", "content": "x\ud83dy"}, {"role": "assistant", "content": [block]}]
    stored = sessions.append_turn(session, said)
    assert stored[0].content == "x\ufffdy"
    assert stored[1].content == [{"type": "text", "text": "ok 😀 \ufffd", "n\ufffd": 1}]
    assert [m.note for m in stored] == [
        "half characters (lone surrogates) repaired: 1",
        "half characters (lone surrogates) repaired: 4",
    ]
    session.summary = "green \udc00"
    sessions.save(session)
    assert session.summary == "green \ufffd" and "repaired: 1" in session.note
    assert again(sessions, session) == session and whole(sessions, session) == stored
    one_turn(sessions, session, 2)  # the session lives on
    assert session.note == ""
    twins = dict.fromkeys(["\ud83d", "\ud83e"], 1)
    with pytest.raises(ValueError, match="two keys differ only in half characters"):
        sessions.append_turn(session, [{"role": "user", "content": [twins]}])


def test_a_dead_server_is_one_sentence_within_three_seconds(db, proxy):
    sessions = through(proxy, serverSelectionTimeoutMS=2_000)
    session = fresh(sessions)
    proxy.close()
    proxy.lose = ["aggregate", "insert", "update", "find", "createIndexes", "hello", "ping"] * 9
    start = time.monotonic()
    with pytest.raises(DatabaseUnavailable) as caught:
        again(sessions, session)
    assert time.monotonic() - start < 3
    said = str(caught.value)
    assert said == (
        "The database does not answer, so the session store could not load the session: see that "
        "the server runs, then try again."
    )
    assert caught.value.__suppress_context__


def test_a_refusal_is_one_sentence(db, session, sessions, monkeypatch):
    class Refusing:
        def aggregate(self, _):
            raise pymongo.errors.OperationFailure("a page of text", 13)

    monkeypatch.setattr(sessions, "_sessions", Refusing())
    with pytest.raises(DatabaseUnavailable, match="refused to load the session .*code 13") as said:
        again(sessions, session)
    assert "page" not in str(said.value)


def test_run_all_twice_gives_the_same(db):
    def lesson():
        database = connect_mongo(lesson="test_sessions_3")
        reset(database)
        ids = itertools.count()
        sessions = SessionStore(database, clock=lambda: NOON, new_id=lambda: f"id{next(ids)}")
        session = sessions.create("ada", "trip")
        sessions.append_turn(session, turn(1, ids=False))
        sessions.save(session)
        return repr(again(sessions, session)), repr(whole(sessions, session))

    assert lesson() == lesson()


def test_a_failed_fold_keeps_the_old_summary_and_the_turn(session, sessions):
    session.summary, session.covers = "Ada likes green.", 0
    sessions.append_turn(session, turn(1))
    # the fold failed: nothing is set, what was dropped stays in the window for the next try
    sessions.save(session)
    after = again(sessions, session)
    assert (after.summary, after.covers, len(after.window)) == ("Ada likes green.", 0, 2)


# ---------------------------------------------------------------- several processes


def test_the_slower_of_two_stores_nothing_and_goes_on_from_there(session, sessions):
    one, two = again(sessions, session), again(sessions, session)
    one_turn(sessions, one, 1)
    with pytest.raises(SessionConflict, match="Another process wrote message 1 of session"):
        sessions.append_turn(two, turn(2))
    assert two.window == [] and two.last_seq == 0
    check_log(whole(sessions, session), [["1-user", "1-assistant"]])
    two = again(sessions, session)
    one_turn(sessions, two, 2)
    assert [m.seq for m in again(sessions, session).window] == [1, 2, 3, 4]


def test_an_old_version_cannot_be_saved_and_nothing_is_lost(session, sessions):
    one, two = again(sessions, session), again(sessions, session)
    sessions.append_turn(two, turn(2))
    one.summary = "from one"
    sessions.save(one)
    with pytest.raises(SessionConflict, match=r"\(version 2, yours began with 1\): load it again"):
        sessions.save(two)
    assert two.version == 1
    after = again(sessions, session)
    assert after.summary == "from one" and len(after.window) == 2


def test_a_deleted_row_is_no_version(db, session, sessions):
    one_turn(sessions, session, 1)
    db.sessions.delete_one({"session_id": session.session_id})
    with pytest.raises(SessionConflict, match="was deleted since it was loaded: create"):
        sessions.save(session)
    new = sessions.create("ada", session.session_id)
    one_turn(sessions, new, 2)
    assert new.version == session.version  # the same number, yet another conversation
    with pytest.raises(SessionConflict):
        sessions.save(session)
    assert again(sessions, session) == new


WORKER = f"""
import random, sys, time
sys.path.insert(0, {str(ROOT)!r})
from helpers.database import connect_mongo
from helpers.sessions import SessionConflict, SessionStore
sessions = SessionStore(connect_mongo(lesson={LESSON!r}))
me, turns = sys.argv[1], int(sys.argv[2])
sys.stdin.readline()  # all at once
for n in range(turns):
    said = [
        {{"role": role, "content": f"{{role}} {{me}} {{n}}", "id": f"{{me}}-{{n}}-{{role}}"}}
        for role in ("user", "assistant")
    ]
    while True:
        session = sessions.load("busy", "ada")
        try:
            sessions.append_turn(session, said)
            session.window = session.window[-6:]
            sessions.save(session)
            break
        except SessionConflict:
            time.sleep(random.random() / 20)
"""


def start(code, *arguments) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def six_processes_on_one_session(db, sessions, turns):
    for collection in (db.sessions, db.logs):
        collection.delete_many({"session_id": "busy"})
    sessions.create("ada", "busy")
    workers = [start(WORKER, me, turns) for me in range(6)]
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        _, errors = worker.communicate(timeout=1800)
        assert (worker.returncode, errors) == (0, "")
    messages = sessions.log("busy", "ada")
    assert len(messages) == 12 * turns
    order = [m.id.rsplit("-", 1)[0] for m in messages[::2]]
    check_log(messages, [[f"{name}-user", f"{name}-assistant"] for name in order])
    assert sorted(order) == sorted(f"{me}-{n}" for me in range(6) for n in range(turns))
    for me in range(6):  # each in the order in which it spoke
        assert [o for o in order if o[0] == str(me)] == [f"{me}-{n}" for n in range(turns)]
    session = sessions.load("busy", "ada")
    assert session.window[-2:] == messages[-2:] and session.last_seq == 12 * turns
    assert session.window == messages[-len(session.window) :]


def test_six_processes_each_turn_once_in_a_gapless_sequence(db, sessions):
    six_processes_on_one_session(db, sessions, turns=15)


@pytest.mark.full
def test_six_processes_of_200_turns(db, sessions):
    six_processes_on_one_session(db, sessions, turns=200)


# ---------------------------------------------------------------- crashes

# Takes turns until the step that it is told, then waits there for its end.
VICTIM = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from helpers.database import connect_mongo
from helpers.sessions import SessionStore
sessions = SessionStore(connect_mongo(lesson={LESSON!r}))
user, name, last = sys.argv[1:]

def here(step):
    if step == last:
        print("here", flush=True)
        time.sleep(600)

class Slow:
    '''Writes document by document, so that the process can end in between.'''
    def __init__(self, docs): self.docs = docs
    def __getattr__(self, name): return getattr(self.docs, name)
    def insert_many(self, documents, ordered):
        for n, document in enumerate(documents):
            here(f"before document {{n}} of turn {{turns}}")
            self.docs.insert_many([document])

sessions._log._docs = Slow(sessions._log._docs)
turns = 0
here("start")
sessions.load(name, user) or sessions.create(user, name)
here("created")
for turns in (1, 2):
    session = sessions.load(name, user)
    here(f"loaded {{turns}}")
    said = [{{"role": r, "content": f"{{r}} {{turns}}", "id": f"{{turns}}-{{r}}"}} for r in "ua"]
    said = [m | {{"role": "user" if m["role"] == "u" else "assistant"}} for m in said]
    sessions.append_turn(session, said)
    here(f"logged {{turns}}")
    session.summary = f"summary {{turns}}"
    sessions.save(session)
    here(f"saved {{turns}}")
"""
STEPS = {  # where it ends, and the turns that must be there then
    "start": None,
    "created": 0,
    "loaded 1": 0,
    "before document 0 of turn 1": 0,
    "before document 1 of turn 1": 1,
    "logged 1": 1,
    "saved 1": 1,
    "loaded 2": 1,
    "before document 0 of turn 2": 1,
    "before document 1 of turn 2": 2,
    "logged 2": 2,
    "saved 2": 2,
}


def killed_at(sessions, steps):
    victims = {step: start(VICTIM, "victim", step, step) for step in steps}
    for victim in victims.values():
        assert victim.stdout.readline().startswith("database"), victim.stderr.read()
        assert victim.stdout.readline() == "here\n", victim.stderr.read()
        victim.kill()
        victim.communicate()
    for step in steps:
        look_after_the_crash(sessions, step, STEPS[step])


def test_killed_around_the_log_write_nothing_is_lost_or_doubled(sessions):
    killed_at(sessions, [step for step in STEPS if step.endswith("1") and STEPS[step] is not None])


@pytest.mark.full
def test_killed_at_every_other_step_nothing_is_lost_or_doubled(sessions):
    killed_at(sessions, [step for step in STEPS if not step.endswith("1")])


def look_after_the_crash(sessions, step, turns):
    session = sessions.load(step, "victim")
    if turns is None:
        assert session is None
        return
    ids = [[f"{n}-u", f"{n}-a"] for n in range(1, turns + 1)]
    check_log(session.window, ids)
    check_log(sessions.log(step, "victim"), ids)
    assert sessions.replay(step, "victim").window == session.window
    # who starts again repeats the turn of which it does not know
    said = [{"role": "user", "content": "u"}, {"role": "assistant", "content": "a"}]
    for n in (turns, turns + 1):
        if n:
            messages = [m | {"id": f"{n}-{m['content']}"} for m in said]
            sessions.append_turn(session, messages)
            sessions.save(session)
    ids += [[f"{turns + 1}-u", f"{turns + 1}-a"]]
    check_log(sessions.log(step, "victim"), ids)
    check_log(sessions.load(step, "victim").window, ids)


def long_turn(n=1, size=5) -> list[dict]:
    return [{"role": "user", "content": f"part {i}", "id": f"{n}-{i}"} for i in range(size)]


@pytest.mark.parametrize("there", [1, 2, 4])
@pytest.mark.parametrize("reader", ["load", "log", "replay", "create", "append"])
def test_a_turn_cut_off_by_the_server_is_finished_by_who_reads_it(
    db, sessions, session, there, reader
):
    one_turn(sessions, session, 0)
    before = again(sessions, session)
    stored = sessions.append_turn(session, long_turn())
    gone = db.logs.delete_many({"session_id": session.session_id, "seq": {"$gt": 2 + there}})
    assert gone.deleted_count == 5 - there
    name = session.session_id
    if reader == "load":
        assert sessions.load(name, "ada").window == session.window
    elif reader == "log":
        assert sessions.log(name, "ada", after=2) == stored
    elif reader == "replay":
        assert sessions.replay(name, "ada").window == session.window
    elif reader == "append":
        assert sessions.append_turn(before, long_turn()) == stored
        assert before.window == session.window
    else:
        db.sessions.delete_one({"session_id": name})
        new = sessions.create("ada", name)
        assert (new.last_seq, new.begin, new.window) == (7, 8, [])
    assert [doc["seq"] for doc in docs(db, session)].count(7) == 1
    assert [m.seq for m in whole(sessions, session)] == [1, 2, 3, 4, 5, 6, 7]


def test_two_who_finish_the_same_turn_write_it_once(db, sessions, session):
    stored = sessions.append_turn(session, long_turn(size=9))
    db.logs.delete_many({"session_id": session.session_id, "seq": {"$gt": 1}})
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(lambda _: again(sessions, session), range(4)))
    assert all(one.window == stored for one in loaded) and len(docs(db, session)) == 9


def test_a_reader_between_the_documents_of_a_turn(db, sessions, session):
    class Slow:
        def __init__(self, collection):
            self.collection = collection

        def __getattr__(self, name):
            return getattr(self.collection, name)

        def insert_many(self, documents, ordered):
            self.collection.insert_many(documents[:1])
            assert [m.seq for m in again(sessions, session).window] == [1, 2, 3, 4, 5]
            return self.collection.insert_many(documents[1:], ordered=ordered)

    slow = SessionStore(db)
    slow._log._docs = Slow(slow._log._docs)
    stored = slow.append_turn(session, long_turn())
    check_log(stored, [[f"1-{i}" for i in range(5)]])
    assert whole(sessions, session) == stored == session.window


def test_an_id_used_before(sessions, session):
    sessions.append_turn(session, turn(1))
    with pytest.raises(ValueError, match="'1-user' is in the log already, in a turn of other"):
        sessions.append_turn(session, turn(1)[:1])
    with pytest.raises(ValueError, match="two messages of the turn have the same id"):
        sessions.append_turn(session, turn(2)[:1] * 2)
    # Further back in a turn it is found only when the turn is there: then it is renamed.
    stored = sessions.append_turn(session, [turn(2)[0], turn(1)[1]])
    assert [m.id for m in stored] == ["2-user", "1-assistant~4"]
    sessions.save(session)
    assert again(sessions, session) == session and len(whole(sessions, session)) == 4


def test_replay_rebuilds_the_row(db, sessions, session):
    for n in range(1, 5):
        one_turn(sessions, session, n)
    rebuilt = sessions.replay(session.session_id, "ada")
    assert (rebuilt.window, rebuilt.last_seq, rebuilt.covers) == (session.window, 8, 0)
    assert rebuilt.version == session.version

    db.sessions.delete_one({"session_id": session.session_id})
    rebuilt, twin = (sessions.replay(session.session_id, "ada") for _ in range(2))
    assert rebuilt.version == 0 and rebuilt.window == session.window
    rebuilt.window, rebuilt.summary, rebuilt.covers = rebuilt.window[4:], "four", 4
    sessions.save(rebuilt)
    assert again(sessions, session) == rebuilt
    with pytest.raises(SessionConflict, match="Another process saved"):
        sessions.save(twin)


def test_a_damaged_log_is_named(db, sessions, session):
    for n in range(1, 4):
        sessions.append_turn(session, turn(n))
    db.logs.delete_many({"session_id": session.session_id, "seq": {"$in": [3, 4]}})
    for read in (sessions.load, sessions.replay):
        with pytest.raises(LogDamaged, match="Messages 3 to 4 are missing in the log of session"):
            read(session.session_id, "ada")
    assert [m.seq for m in whole(sessions, session)] == [1, 2, 5, 6]  # what there is can be read


# ---------------------------------------------------------------- how many commands


def test_one_read_and_two_writes_a_turn_however_long_the_session(db):
    commands = Commands()
    sessions = SessionStore(client(event_listeners=[commands])[NAME])
    session = fresh(sessions)
    for n, size in enumerate([2, 2, 600, 2, 400, 2]):
        session.window = session.window[-4:]
        sessions.save(session)
        commands.clear()
        session = again(sessions, session)
        sessions.append_turn(session, long_turn(n, size))
        session.window = session.window[-4:]
        sessions.save(session)
        assert commands.names == ["aggregate", "insert", "update"]
        if size == 2:  # and no command or answer grows with the session
            assert max(commands.sent + commands.received) < 4_000
    assert session.last_seq == 1_008

    sessions.append_turn(session, turn("x"))
    commands.clear()
    assert again(sessions, session) == session
    assert commands.names == ["aggregate", "find"]


# ---------------------------------------------------------------- whatever the content

ODD = [
    "\0",
    "a\0b",
    "$where",
    "a.b.c",
    "",
    " ",
    "é\u0301\u200d\U0001f468\u200d\U0001f469",
    "\u2028\\u0000\\ud83d\"'",
    "\ufeff",
    "\U0010ffff",
]


def test_odd_content_survives(sessions, session):
    deep = "leaf"
    for n in range(60):
        deep = {str(n): [deep]}
    values = [
        {"": 1, "$set": {"a.b": None}, "a\0b": "\0", ".": True, "_id": 0, "\ufffd": 1.5},
        {"n": [2**63, -(2**63) - 1, 2**64, 10**1000, 0, -0.0, 1e-320, 1.7976931348623157e308]},
        {"deep": deep},
        {text: text for text in ODD},
        {},
    ]
    said = [{"role": "user", "content": text} for text in ODD]
    said += [{"role": "assistant", "content": [value]} for value in values]
    said += [{"role": "user", "content": []}, {"role": "system", "content": "Be brief."}]
    stored = sessions.append_turn(session, said)
    sessions.save(session)
    assert [m.to_param() for m in stored] == said and not any(m.note for m in stored)
    assert repr([m.to_param() for m in whole(sessions, session)]) == repr(said)
    assert again(sessions, session) == session


def test_what_is_stored_is_a_copy(sessions, session):
    block = {"type": "text", "text": "one", "list": (1, 2)}
    stored = sessions.append_turn(session, [{"role": "user", "content": (block,)}])
    block["text"] = "two"
    assert stored[0].content == [{"type": "text", "text": "one", "list": [1, 2]}]


def test_a_whole_reply_can_be_appended(sessions, session):
    asked = {"role": "user", "content": "Hello!"}
    reply = connect("practice").messages.create(model=CHAT_MODEL, max_tokens=100, messages=[asked])
    stored = sessions.append_turn(session, [asked, reply])
    assert stored[1].to_param() == {"role": "assistant", "content": blocks(reply)}
    assert stored[1].id != reply.id  # the server's, not the client's
    assert validate_request([*session.messages(), asked]) == []


WHERE = "messages.0: this content cannot be stored: "


@pytest.mark.parametrize(
    "value, reason",
    [
        (None, "it is neither a string nor a list"),
        (5, "it is neither"),
        ({"type": "text"}, "it is neither"),
        ([None], "it is neither"),
        (["text"], "it is neither"),
        (b"bytes", "it holds a bytes; only what JSON knows"),
        ([{"a": b"bytes"}], "it holds a bytes"),
        ([{"a": datetime(2026, 1, 1)}], "it holds a datetime"),
        ([{"a": iter([1])}], "it holds a list_iterator"),
        ([{"a": float("nan")}], "JSON has no number nan"),
        ([{"a": float("-inf")}], "JSON has no number -inf"),
        ([{1: "a", "1": "b"}], "the key 1 is not a string"),
        ([{None: "a"}], "the key None is not a string"),
        ([{"a": 10**5000}], "Exceeds the limit"),
    ],
)
def test_content_that_is_refused_by_name(sessions, session, value, reason):
    with pytest.raises(ValueError) as caught:
        sessions.append_turn(session, [{"role": "user", "content": value}])
    assert str(caught.value).startswith(WHERE + reason)
    assert whole(sessions, session) == [] == session.window


def test_content_without_an_end(sessions, session):
    deep = ring = []
    for _ in range(100_000):
        deep = [deep]
    ring.append(ring)
    for value in ([{"a": deep}], [{"a": ring}]):
        with pytest.raises(ValueError, match="nested too deeply"):
            sessions.append_turn(session, [{"role": "user", "content": value}])


OK = {"role": "user", "content": "x"}


@pytest.mark.parametrize(
    "messages, words",
    [
        (None, "a turn is a list of 1 to 1,000 messages"),
        ([], "a turn is a list"),
        ("text", "a turn is a list"),
        (OK, "a turn is a list"),
        (iter([OK]), "a turn is a list"),
        ([OK] * 1001, "a turn is a list"),
        ([OK, "text"], "messages.1: a message is a dict with role and content"),
        ([OK, {"role": "user"}], "messages.1: a message is a dict"),
        ([{**OK, "name": "Ada"}], "messages.0: 'name' would be lost"),
        ([{**OK, "role": "tool"}], "messages.0: role must be one of user, assistant, system"),
        ([{**OK, "role": None}], "role must be one of"),
        ([{**OK, "role": ["user"]}], "role must be one of"),
        ([{**OK, "id": None}], "message id must be a string, and is NoneType"),
        ([{**OK, "id": {"$gt": ""}}], "message id must be a string, and is dict"),
        ([{**OK, "id": " "}], "message id is blank"),
        ([{**OK, "tokens": 5}], "messages.0: tokens is a dict of model id to a count"),
        ([{**OK, "tokens": {"m": -1}}], "tokens is a dict"),
        ([{**OK, "tokens": {"m": 1.0}}], "tokens is a dict"),
        ([{**OK, "tokens": {"m": True}}], "tokens is a dict"),
        ([{**OK, "tokens": {"m": 2**63}}], "tokens is a dict"),
        ([{**OK, "tokens": {5: 5}}], "tokens is a dict"),
    ],
)
def test_turns_that_are_refused(sessions, session, messages, words):
    with pytest.raises(ValueError, match="^.*" + words.replace(".", r"\.")):
        sessions.append_turn(session, messages)
    assert whole(sessions, session) == []


def test_token_counts_of_any_model_name(sessions, session):
    counts = {"a.b$c": 2**62, "$x": 0, "\0": 1, CHAT_MODEL: 3}
    sessions.append_turn(session, [{**OK, "tokens": counts}])
    sessions.save(session)
    assert again(sessions, session).window[0].tokens == counts
    assert whole(sessions, session)[0].tokens == counts


ANY_TEXT = st.text(st.characters(), max_size=12) | st.sampled_from(ODD)
ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-(2**70), 2**70)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
ANY_CONTENT = ANY_TEXT | st.lists(st.dictionaries(ANY_TEXT, ANY_JSON, max_size=3), max_size=3)


def repaired(value):
    """What a value with half characters becomes, by Python's own codec."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [repaired(item) for item in value]
    if isinstance(value, dict):
        return {repaired(key): repaired(item) for key, item in value.items()}
    return value


def round_trip(sessions, contents):
    session = fresh(sessions)
    said = [{"role": "user", "content": value} for value in contents]
    before = repr(said)
    try:
        stored = sessions.append_turn(session, said)
    except ValueError as error:
        assert "two keys differ only in half characters" in str(error)
        return
    assert repr(said) == before
    sessions.save(session)
    # repr tells 1 from True and 0.0 from -0.0
    assert repr([m.content for m in stored]) == repr([repaired(value) for value in contents])
    assert [bool(m.note) for m in stored] == [repaired(v) != v for v in contents]
    assert again(sessions, session) == session
    assert repr(whole(sessions, session)) == repr(stored)


@settings(max_examples=25, **QUIET)
@given(st.lists(ANY_CONTENT, min_size=1, max_size=6))
@example(["\ud83d\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00", "\ud83dx"])
def test_random_content_survives(sessions, contents):
    round_trip(sessions, contents)


@pytest.mark.full
@settings(max_examples=1_000, **QUIET)
@given(st.lists(ANY_CONTENT, min_size=1, max_size=6))
def test_much_random_content_survives(sessions, contents):
    round_trip(sessions, contents)


def history_survives(sessions, history):
    session = fresh(sessions)
    stored = sessions.append_turn(session, history)
    sessions.save(session)
    expected = [
        (m["role"], m["content"] if isinstance(m["content"], str) else blocks(m)) for m in history
    ]
    loaded = again(sessions, session)
    assert [(m.role, m.content) for m in loaded.window] == expected
    assert whole(sessions, session) == loaded.window == stored
    assert validate_request(loaded.messages()) == []


@settings(max_examples=15, **QUIET)
@given(histories())
def test_random_histories_survive(sessions, history):
    history_survives(sessions, history)


@pytest.mark.full
@settings(max_examples=500, **QUIET)
@given(histories())
def test_many_random_histories_survive(sessions, history):
    history_survives(sessions, history)


@settings(max_examples=150, **QUIET)
@given(garbage(), st.booleans())
def test_garbage_is_stored_or_refused_by_name(thing, inside):
    messages = [{"role": "user", "content": thing}] if inside else thing
    try:
        made = records.new_messages(messages, first=1, at=NOON, new_id=lambda: f"m{next(NUMBERS)}")
    except ValueError:
        return
    for message in made:
        assert isinstance(message.content, str | list)
        bson.encode(records.to_fields(message))


# ---------------------------------------------------------------- large results


def tool_turn(result) -> list[dict]:
    call = {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "all"}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": result}
    contents = ["Read it all.", [call], [answer], "Done."]
    roles = itertools.cycle(["user", "assistant"])
    return [{"role": r, "content": c} for r, c in zip(roles, contents, strict=False)]


def test_a_result_too_large_for_a_document(db, sessions, session):
    result = "a\0日" * 1_700_000 + "end"  # 5.1 million characters; as JSON text 17 MB
    said = tool_turn(result)
    stored = sessions.append_turn(session, said)
    sessions.save(session)
    assert [m.to_param() for m in stored] == said  # handed back whole
    assert whole(sessions, session) == stored  # and kept whole

    window = again(sessions, session).window
    assert window == session.window and validate_request(session.messages()[:3]) == []
    cut = window[2].content[0]
    hint = "the whole is message 3 of the log"
    assert cut["content"].startswith("a\0日a\0日") and "end" not in cut["content"]
    assert cut["content"].endswith(f"of 5,100,003 characters are cut off here; {hint}]")
    assert window[2].note == f"shortened for the window; {hint}"
    assert (cut["type"], cut["tool_use_id"]) == ("tool_result", "t1")
    assert [m.note for m in (window[0], window[1], window[3])] == ["", "", ""]

    sizes = [len(bson.encode(doc)) for doc in docs(db, session)]
    assert max(sizes) < 13_000_000 and sum(sizes) > 17_000_000
    parts = [doc for doc in docs(db, session) if "seq" not in doc]
    assert len(parts) == 5 and len(docs(db, session)) == 9
    row = db.sessions.find_one({"session_id": session.session_id})
    assert len(bson.encode(row)) < 10_000_000


@pytest.fixture
def small(monkeypatch):
    """The limits a thousand times smaller, so that a test need not write megabytes."""
    monkeypatch.setattr(records, "INLINE_CHARS", 1_000)
    monkeypatch.setattr(records, "PART_CHARS", 3_000)
    monkeypatch.setattr(records, "WINDOW_CHARS", 1_000)
    monkeypatch.setattr(store, "SESSION_BYTES", 15_000)


def test_parts_are_stored_once_and_a_crash_before_the_turn_leaves_no_trace(
    db, sessions, session, small
):
    result = "".join(map(chr, range(0x4E00, 0x4E00 + 7_500)))
    sessions.append_turn(session, tool_turn(result))
    parts = [doc for doc in docs(db, session) if "seq" not in doc]
    assert len(parts) == 3
    # as if it had ended when the parts were there and the turn was not
    db.logs.delete_many({"session_id": session.session_id, "seq": {"$gt": 0}})
    loaded = again(sessions, session)
    assert loaded.window == [] and whole(sessions, session) == []
    for _ in range(2):
        sessions.append_turn(loaded, tool_turn(result))
        sessions.save(loaded)
    assert [m.content for m in whole(sessions, session)][2][0]["content"] == result
    assert len(docs(db, session)) == 3 + 8
    assert again(sessions, session).window == loaded.window
    rebuilt = sessions.replay(session.session_id, "ada")
    assert rebuilt.window == loaded.window  # shortened in the same way

    part = {"session_id": session.session_id, "id.part": 1}
    for damage in ({"$set": {"text": "x"}}, None):
        db.logs.update_one(part, damage) if damage else db.logs.delete_one(part)
        with pytest.raises(LogDamaged, match="Parts of message 3 are missing in the log"):
            whole(sessions, session)


def test_a_large_turn_cut_off_is_finished(db, sessions, session, small):
    stored = sessions.append_turn(session, tool_turn("y" * 5_000))
    db.logs.delete_many({"session_id": session.session_id, "seq": {"$gt": 1}})
    assert whole(sessions, session) == stored
    assert again(sessions, session).window == session.window


def test_many_middling_messages_of_one_turn(sessions, session, small):
    said = [{"role": "user", "content": f"{n} " * 150} for n in range(20)]
    stored = sessions.append_turn(session, said)
    assert [m.content for m in whole(sessions, session)] == [m["content"] for m in said]
    assert session.window == stored  # none is large by itself


def test_a_window_that_was_never_trimmed(sessions, session, small):
    for n in range(20):
        sessions.append_turn(session, [{"role": "user", "content": f"{n}" * 450}])
        if n == 10:
            sessions.save(session)
    with pytest.raises(
        SessionTooLarge, match=r"the most is 15,000: trim its window of 20 messages"
    ):
        sessions.save(session)
    loaded = again(sessions, session)
    assert loaded.window == session.window  # the log has them all
    loaded.window = loaded.window[-2:]
    sessions.save(loaded)
    assert again(sessions, session) == loaded


@settings(max_examples=60, **QUIET)
@given(histories(), st.integers(0, 200))
def test_what_is_shortened_stays_a_valid_request(history, room):
    made = records.new_messages(history, first=1, at=NOON, new_id=lambda: f"m{next(NUMBERS)}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "WINDOW_CHARS", room)
        patch.setattr(content, "_NOTE_CHARS", 0)
        short = [records.for_window(message) for message in made]
    assert validate_request([m.to_param() for m in short]) == []
    for long, now in zip(made, short, strict=True):
        over = len(long.content if isinstance(long.content, str) else str(long.content)) > room
        assert (now is long) or over
        assert now is long or "message" in now.note


def test_how_blocks_are_shortened():
    image = {"type": "image", "source": {"type": "base64", "media_type": "i", "data": "A" * 3000}}
    call = {"type": "tool_use", "id": "t", "name": "n", "input": {"x": "y" * 3000}}
    short = content.shorten([image, call, {"type": "text", "text": "z" * 3000}], 3000, "HINT")
    assert short[0] == {"type": "text", "text": "[image of 3,078 characters left out here; HINT]"}
    assert short[1]["id"] == "t" and "left out here; HINT" in short[1]["input"]["note"]
    assert short[2]["text"] == "z" * 1000 + "\n[2,000 of 3,000 characters are cut off here; HINT]"
    assert content.shorten("z" * 3100, 3000, "HINT") == "z" * 3100  # not worth the note


# ---------------------------------------------------------------- whose session


NAMES = [
    "ada", "Ada", "ADA", "ad", "a", "da", "ada ", " ada", "$ne", '{"$ne": null}', "{'$gt': ''}",
    'ada"', 'a", "b', "a.b", "$where", "\0", "ada\0", "ä", unicodedata.normalize("NFD", "ä"),
    "*", ".*", "^ada", "/ada/", "null", "None", "0", "日本", "👩", "x" * 120, "_id", "ada\n",
]  # fmt: skip


def test_no_user_sees_anothers(sessions):
    pairs = [(name, "shared") for name in NAMES] + [("ada", name) for name in NAMES]
    for user, name in pairs:
        session = sessions.create(user, name)
        said = {"role": "user", "content": f"{user}|{name}", "id": "1"}
        sessions.append_turn(session, [said])
        sessions.save(session)
    for user, name in pairs:
        loaded = sessions.load(name, user)
        assert (loaded.user_id, loaded.session_id, loaded.last_seq) == (user, name, 1)
        for messages in (loaded.window, sessions.log(name, user)):
            assert [m.content for m in messages] == [f"{user}|{name}"]
        if user != "ada":  # another's session cannot be had by its name
            assert sessions.load(user, name) is None and sessions.log(user, name) == []


def test_names_that_could_run_together(sessions):
    pairs = [('a", "b', "c"), ("a", 'b", "c'), ("a", "b"), ("b", "a"), ("ab", "c"), ("a", "bc")]
    for user, name in pairs:
        session = sessions.create(user, name)
        sessions.append_turn(session, [{"role": "user", "content": f"{user}|{name}"}])
        assert session.last_seq == 1
    for user, name in pairs:
        assert [m.content for m in sessions.log(name, user)] == [f"{user}|{name}"]
        assert [m.content for m in sessions.load(name, user).window] == [f"{user}|{name}"]


@pytest.mark.parametrize(
    "bad, words",
    [
        ({"$ne": None}, "must be a string, and is dict"),
        ({"$gt": ""}, "must be a string, and is dict"),
        (["ada"], "must be a string, and is list"),
        (5, "must be a string, and is int"),
        (True, "must be a string, and is bool"),
        (None, "must be a string, and is NoneType"),
        (b"ada", "must be a string, and is bytes"),
        ("", "is blank"),
        (" \t\n", "is blank"),
        ("\u2003", "is blank"),
        ("x" * 121, "has 121 characters, the most is 120"),
        ("x\ud83d", "holds half a character"),
    ],
)
def test_names_that_are_none(db, sessions, session, bad, words):
    for call in (
        lambda user, name: sessions.load(name, user),
        lambda user, name: sessions.log(name, user),
        lambda user, name: sessions.replay(name, user),
        lambda user, name: sessions.create(user, name),
        lambda user, name: sessions.append_turn(Session(user, name, NOON, NOON), turn(1)),
        lambda user, name: sessions.save(Session(user, name, NOON, NOON)),
    ):
        with pytest.raises(ValueError, match=f"^user_id {words}"):
            call(bad, "s1")
        if bad is not None:
            with pytest.raises(ValueError, match=f"^session_id {words}"):
                call("ada", bad)
    if bad is None:
        with pytest.raises(ValueError, match="^session_id must be a string, and is NoneType"):
            sessions.load(None, "ada")


# ---------------------------------------------------------------- clocks, windows, servers


def test_times_are_utc_whatever_the_clock_and_the_client(db):
    east = timezone(timedelta(hours=9))
    times = iter([datetime(2026, 5, 4, 21, 0, n, 123_987, tzinfo=east) for n in range(9)])
    plain = client(tz_aware=False)
    sessions = SessionStore(plain[NAME], clock=lambda: next(times))
    session = fresh(sessions)
    one_turn(sessions, session, 1)
    loaded = again(sessions, session)
    assert loaded == session
    assert loaded.created_at == datetime(2026, 5, 4, 12, 0, 0, 123_000, tzinfo=UTC)
    assert [m.at.second for m in loaded.window] == [1, 1] and loaded.updated_at.second == 2
    for moment in (loaded.created_at, loaded.updated_at, loaded.window[0].at):
        assert moment.utcoffset() == timedelta(0)
    plain.close()


@pytest.mark.parametrize("value", [datetime(2026, 1, 1), None, 5.0, "2026-01-01"])
def test_a_clock_without_a_time_zone(db, value):
    sessions = SessionStore(db, clock=lambda: value)
    with pytest.raises(ValueError, match="the clock must give a datetime with a time zone"):
        sessions.create("ada")


def test_a_window_of_something_else(sessions, session):
    session.window = turn(1)
    with pytest.raises(ValueError, match="the window holds StoredMessages"):
        sessions.save(session)
    session.window, session.summary = [], None
    with pytest.raises(ValueError, match="summary must be a str, and is NoneType"):
        sessions.save(session)


def test_writes_that_nobody_acknowledges(db):
    careless = client(w=0, journal=False)
    with pytest.raises(ValueError, match="does not acknowledge writes"):
        SessionStore(careless[NAME])
    careless.close()
