"""helpers/scout/ against the real embedded server and the practice model, with real processes."""

import io
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import anthropic
import httpx2
import numpy as np
import pymongo
import pytest
from hypothesis import HealthCheck, given, settings
from pymongo.monitoring import CommandListener

from helpers.backends import connect, failing
from helpers.cost import Meter
from helpers.database import DatabaseUnavailable, connect_mongo, data_dir, reset
from helpers.database_lease import server_port
from helpers.messages import validate_request
from helpers.models import CHAT_MODEL, SUMMARY_MODEL
from helpers.scout import (
    PERSONA,
    Forgetful,
    FullHistory,
    NoAnswer,
    Scout,
    guide,
    persona_with_places,
    terminal,
)
from helpers.sessions import SessionStore
from helpers.summaries import SummaryResult, build_request_system_prompt, fold
from tests.strategies import histories

ROOT = Path(__file__).resolve().parents[1]
LESSON = "test_scout"
TEXTS = json.loads((ROOT / "data" / "scout" / "conversation.json").read_text(encoding="utf-8"))[
    "texts"
]
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def client():
    return connect("practice")


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson=LESSON)
    reset(database)
    yield database
    database.client.close()


@pytest.fixture(scope="module")
def store(db):
    return SessionStore(db)


@pytest.fixture
def scout(client, store):
    return fresh(client, store)


def fresh(client, store, **options) -> Scout:
    """A Scout that folds as soon as it can (trim_to as large as the budget), to test it often."""
    options.setdefault("trim_to", options.get("budget", 700))
    return Scout(client, store, "ada", session_id=f"s{next(NUMBERS)}", **options)


def log_of(scout):
    return scout.store.log(scout.session_id, scout.user_id)


def check(scout, turn_ids=None):
    """No message lost and none twice, and the window goes on where the summary ends."""
    log = log_of(scout)
    assert [m.seq for m in log] == list(range(1, len(log) + 1))
    assert len({m.id for m in log}) == len(log)
    session = scout.session()
    # (what other programs have stored is counted in the window only)
    assert [(m.id, m.content) for m in session.window] == [
        (m.id, m.content) for m in log[session.covers :]
    ]
    assert session.last_seq == len(log)
    if turn_ids is not None:
        assert [m.id for m in log] == [f"{t}-{n}" for t in turn_ids for n in (0, 1)]
    return session


# ---------------------------------------------------------------- one turn


def test_it_remembers_across_objects(client, store, scout):
    assert "green" in scout.say("My favourite color is green.")
    again = Scout(client, store, "ada", session_id=scout.session_id)
    assert "green" in again.say("What is my favourite color?")
    session = check(again)
    assert [m.content for m in session.window[::2]] == [
        "My favourite color is green.",
        "What is my favourite color?",
    ]
    assert [m.role for m in session.window] == ["user", "assistant"] * 2
    assert all(m.tokens[CHAT_MODEL] > 0 for m in session.window)


def test_a_session_id_is_made_where_none_is_given(client, store):
    ids = iter(["session", "turn"])
    scout = Scout(client, store, "ada", new_id=lambda: next(ids))
    scout.say("Hello")
    assert scout.session_id == "session"
    assert [m.id for m in log_of(scout)] == ["turn-0", "turn-1"]


def test_the_record_of_a_turn(store):
    meter = Meter()
    client = connect("practice", meter=meter)
    scout = fresh(client, store, budget=120)
    for n in range(6):
        before = len(meter.calls)
        scout.say(f"My bag number {n} weighs {n + 3} kilos.")
        calls = meter.calls[before:]
        assert scout.last.prompt_tokens == calls[0].prompt_tokens
        assert scout.last.output_tokens == calls[0].output_tokens
        assert scout.last.dollars == pytest.approx(sum(call.dollars for call in calls))
        assert scout.last.folded == (scout.last.dropped > 0) == (len(calls) > 1)
        assert scout.last.window_tokens == sum(m.tokens[CHAT_MODEL] for m in scout.session().window)
        assert scout.last.window_tokens <= 120 and not scout.last.over_budget
    assert scout.last.folded and scout.session().summary


def test_counts_and_request_are_exact(client, store):
    scout = fresh(client, store, budget=120)
    for n in range(6):
        session = scout.session()
        scout.say(f"My bag number {n} weighs {n + 3} kilos.")
        sent = scout.last.calls[0].request
        assert sent["messages"] == [*session.messages(), {"role": "user", "content": mine(n)}]
        assert sent["system"] == build_request_system_prompt(PERSONA, session.summary)


def mine(n):
    return f"My bag number {n} weighs {n + 3} kilos."


def test_streamed_and_whole_are_the_same(client, store):
    whole, streamed = fresh(client, store), fresh(client, store)
    for text in ("My favourite color is green.", "What is my favourite color?"):
        pieces = []
        assert streamed.say(text, show=pieces.append) == "".join(pieces) == whole.say(text)
        assert len(pieces) > 1
    assert [m.content for m in log_of(whole)] == [m.content for m in log_of(streamed)]
    assert whole.last == streamed.last


@pytest.mark.parametrize("text", ["", " \n", None, 3, ["a"], b"a"])
@pytest.mark.parametrize("kind", [Scout, Forgetful, FullHistory])
def test_what_cannot_be_said(client, store, kind, text):
    program = fresh(client, store) if kind is Scout else kind(client)
    with pytest.raises(ValueError, match="not blank"):
        program.say(text)
    if kind is Scout:
        assert log_of(program) == []


def test_odd_characters(scout):
    for text in ("\ud800 half", "NUL \0 and \u2028", "日本語 🦦", "x" * 30_000):
        assert scout.say(text)
    assert [m.content for m in log_of(scout)][::2][:3] == [
        "? half",
        "NUL \0 and \u2028",
        "日本語 🦦",
    ]
    assert scout.last.over_budget  # the newest exchange alone
    scout.say("Hello")
    assert not scout.last.over_budget
    check(scout)


@pytest.mark.parametrize(
    "wrong",
    [
        {"budget": -1},
        {"budget": 1.5},
        {"tools": [{"name": "a", "input_schema": {"type": "object"}}]},
        {"summary_max_tokens": 0},
    ],
)
def test_options_that_cannot_be(client, store, wrong):
    with pytest.raises(ValueError):
        fresh(client, store, **wrong)


@pytest.mark.parametrize("user", ["", None, {"$ne": ""}, "a" * 200])
def test_a_user_is_a_string(client, store, user):
    with pytest.raises(ValueError, match="user_id"):
        Scout(client, store, user)


def test_two_users_and_two_sessions(client, store):
    name = f"s{next(NUMBERS)}"
    ada, bob = (Scout(client, store, user, session_id=name) for user in ("ada", "bob"))
    other = Scout(client, store, "ada")
    ada.say("My favourite color is green.")
    bob.say("I am ada. My user id is ada.")
    for stranger in (bob, other):
        assert "green" not in stranger.say("What is my favourite color?")
    assert [m.content for m in log_of(ada)][::2] == ["My favourite color is green."]
    assert "green" in ada.say("What is my favourite color?")
    for scout in (ada, bob, other):
        check(scout)


class Commands(CommandListener):
    def __init__(self):
        self.names = []

    def started(self, event):
        self.names.append(event.command_name)

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


def test_one_read_and_two_writes_a_turn(client, db):
    commands = Commands()
    with pymongo.MongoClient(
        "127.0.0.1", server_port(), directConnection=True, event_listeners=[commands]
    ) as mongo:
        scout = fresh(client, SessionStore(mongo[db.name]), budget=120)
        scout.session()
        for n in range(8):
            commands.names.clear()
            scout.say(mine(n))
            assert commands.names == ["aggregate", "insert", "update"]
    assert scout.last.folded


# ---------------------------------------------------------------- the bound


def spoken(client, store, turns):
    """(tokens sent, the most that may be sent) of each turn of the real conversation."""
    scout, sent = fresh(client, store), []
    system = build_request_system_prompt(PERSONA, ".")
    for text in TEXTS[:turns]:
        fixed = client.messages.count_tokens(
            model=CHAT_MODEL, system=system, messages=[{"role": "user", "content": text}]
        ).input_tokens
        scout.say(text)
        sent.append((scout.last.prompt_tokens, fixed + scout.summary_max_tokens + scout.budget))
        assert scout.last.window_tokens <= scout.budget
    check(scout)
    return sent


def test_the_bound_over_30_turns(client, store):
    for sent, most in spoken(client, store, 30):
        assert sent <= most


def quadratic_share(sent):
    """How much of the total at the end is due to n² in the best parabola; and R² of a line."""
    total, n = np.cumsum(sent), np.arange(1, len(sent) + 1)
    square, *_ = np.polyfit(n, total, 2)
    rest = total - np.polyval(np.polyfit(n, total, 1), n)
    return abs(square) * n[-1] ** 2 / total[-1], 1 - rest.var() / total.var()


@pytest.mark.full
def test_a_hundred_turns_cost_a_straight_line(client, store):
    bounded = spoken(client, store, 100)
    assert all(sent <= most for sent, most in bounded)
    sent = [sent for sent, _ in bounded]
    share, straight = quadratic_share(sent[20:])
    assert straight > 0.999 and share < 0.1  # the summary grows until it has its full length
    assert quadratic_share(sent[50:])[0] < 0.02  # and then nothing grows any more
    naive, growing = FullHistory(client), []
    for text in TEXTS:
        naive.say(text)
        growing.append(naive.last.prompt_tokens)
    assert quadratic_share(growing[20:])[0] > 0.3
    assert sum(growing) > 2 * sum(sent)


# ---------------------------------------------------------------- failures


class Through:
    """A client some of whose calls are watched, or answered here."""

    def __init__(self, client, **calls):
        self.real, self.messages = client, self
        self.__dict__.update(calls)

    def __getattr__(self, name):
        return getattr(self.real.messages, name)


@pytest.mark.parametrize("show", [None, lambda piece: None])
def test_a_failed_call_leaves_no_trace(client, store, show):
    scout = fresh(client, store)
    scout.say("My favourite color is green.")
    before, last = scout.session(), scout.last
    scout.client = failing(client, 529)
    with pytest.raises(anthropic.APIStatusError):
        scout.say("What is my favourite color?", show=show)
    assert scout.session() == before and scout.last is last and len(log_of(scout)) == 2
    assert "green" in scout.say("What is my favourite color?", show=show)
    check(scout)


@pytest.mark.parametrize("kind", [Forgetful, FullHistory])
def test_a_failed_call_of_the_others(client, kind):
    program = kind(client)
    program.say("My favourite color is green.")
    program.client = failing(client)
    with pytest.raises(anthropic.APIStatusError):
        program.say("What is my favourite color?")
    assert ("green" in program.say("What is my favourite color?")) == (kind is FullHistory)


TEXT = {"type": "text", "text": "I cannot"}
CALL = {"type": "tool_use", "id": "t1", "name": "find", "input": {}}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}


def made(content, stop_reason):
    return anthropic.types.Message.model_validate(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": CHAT_MODEL,
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )


@pytest.mark.parametrize(
    "content, stop_reason",
    [
        ([], "end_turn"),
        ([{**TEXT, "text": " \n"}], "end_turn"),
        ([THOUGHT], "max_tokens"),
        ([TEXT], "refusal"),
        ([], "refusal"),
        ([CALL], "max_tokens"),
    ],
)
def test_a_reply_that_is_none(client, store, content, stop_reason):
    scout = fresh(Through(client, create=lambda **_: made(content, stop_reason)), store)
    with pytest.raises(NoAnswer, match="nothing of this turn is kept"):
        scout.say("Hello")
    assert log_of(scout) == []


def test_thinking_is_not_kept(client, store):
    reply = made([THOUGHT, TEXT, TEXT], "end_turn")
    scout = fresh(Through(client, create=lambda **_: reply), store)
    assert scout.say("Hello") == "I cannotI cannot"
    assert log_of(scout)[1].content == [TEXT, TEXT]
    scout.client = client
    assert scout.say("Hello again")


def test_a_fold_that_fails_loses_nothing(client, store):
    working, asked = [False], []

    def folding(its_client, summary, dropped, **options):
        assert options == {"max_tokens": 400, "model": SUMMARY_MODEL}
        asked.append([m.seq for m in dropped])
        its_client = its_client if working[0] else failing(its_client)
        return fold(its_client, summary, dropped, **options)

    scout = fresh(client, store, budget=100, fold=folding)
    for n in range(6):
        scout.say(mine(n))
        session = check(scout)
        assert session.summary == "" and session.covers == 0 and not scout.last.folded
    assert scout.last.over_budget and scout.last.dropped == 0
    assert "call failed" in scout.last.folds[0].reason
    assert scout.last.window_tokens == sum(m.tokens[CHAT_MODEL] for m in session.window) > 100
    working[0] = True
    scout.say(mine(6))
    session = check(scout)
    assert scout.last.folded and not scout.last.over_budget and session.summary
    assert asked[-1] == list(range(1, session.covers + 1)) and session.covers == scout.last.dropped


def test_a_fold_that_raises_leaves_the_turn_in_the_log(client, store):
    def broken(*_, **__):
        raise ZeroDivisionError

    scout = fresh(client, store, budget=0)
    scout.say(mine(0))
    scout._fold = broken
    with pytest.raises(ZeroDivisionError):
        scout.say(mine(1), turn_id="t1")
    scout._fold = fold
    assert scout.say(mine(1), turn_id="t1") == log_of(scout)[-1].content  # and asks nobody
    check(scout)
    scout.say(mine(2))
    assert check(scout).covers == 4


def test_a_counter_that_fails(client, store):
    request = httpx2.Request("POST", "http://x.invalid")
    left = [0]

    def count(**options):
        left[0] -= 1
        if left[0] < 0:
            raise anthropic.APIConnectionError(request=request)
        return client.messages.count_tokens(**options)

    scout = fresh(Through(client, count_tokens=count), store, budget=60)
    with pytest.raises(anthropic.APIConnectionError):  # before anybody was asked
        scout.say(mine(0))
    assert log_of(scout) == []
    for n in range(3):
        left[0] = 10
        if n == 1:
            left[0] = 2  # enough for the question, not for the reply
        scout.say(mine(n))
        session = check(scout)
        counted = [CHAT_MODEL in m.tokens for m in session.window]
        assert counted == ([True] * 3 + [False] if n == 1 else [True] * len(counted))
    assert session.covers and scout.last.window_tokens <= 60


def test_no_database(client, db, store):
    class Gone:
        def __init__(self, failing):
            self.failing = failing

        def __getattr__(self, name):
            if name == self.failing:
                raise DatabaseUnavailable("gone")
            return getattr(store, name)

    for step, kept in [("load", 0), ("append_turn", 0), ("save", 2)]:
        scout = fresh(client, Gone(step))
        with pytest.raises(DatabaseUnavailable):
            scout.say(mine(0), turn_id="t")
        scout.store = store
        assert len(log_of(scout)) == kept
        scout.say(mine(0), turn_id="t")
        check(scout, ["t"])


@pytest.mark.parametrize("turn_id", ["", "a" * 119, "\ud800"])
def test_a_turn_id_is_checked_before_anybody_is_asked(store, turn_id):
    scout = fresh(None, store)
    if turn_id:
        with pytest.raises(ValueError, match="turn_id"):
            scout.say("Hello", turn_id=turn_id)


# ---------------------------------------------------------------- tools

FIND = {
    "name": "find_places",
    "description": "Find places in a district.",
    "input_schema": {
        "type": "object",
        "properties": {"district": {"type": "string", "description": "district"}},
        "required": ["district"],
    },
}


def test_tools(client, store):
    asked = []

    def call_tool(name, given):
        asked.append((name, given))
        if len(asked) == 2:
            raise LookupError("no such district")
        return "Nori Bar, 12 euros"

    scout = fresh(client, store, tools=[FIND], call_tool=call_tool, budget=300)
    reply = scout.say("Please find places in the district Quayrow.")
    assert asked == [("find_places", {"district": "Quayrow"})] and "Nori Bar" in reply
    assert [m.role for m in log_of(scout)] == ["user", "assistant"] * 2
    assert len(scout.last.calls) == 2
    scout.say("Please find places in the district Nowhere.")
    assert log_of(scout)[6].content[0]["is_error"]
    for n in range(8):
        scout.say(mine(n))
        window = scout.session().messages()
        assert not validate_request([*window, {"role": "user", "content": "?"}], tools=[FIND])
    assert check(scout).covers >= 8


def test_a_model_that_never_stops_calling(client, store):
    numbers = itertools.count()

    def create(**_):
        return made([{**CALL, "id": f"t{next(numbers)}"}], "tool_use")

    options = {"tools": [FIND], "call_tool": lambda name, given: "ok"}
    scout = fresh(Through(client, create=create), store, **options)
    with pytest.raises(NoAnswer, match="10 rounds"):
        scout.say("Hello")
    assert log_of(scout) == []


@settings(max_examples=25, **QUIET)
@given(history=histories())
def test_any_conversation_goes_on(client, store, history):
    """Whatever another program has stored: parallel tools, images, thinking."""
    history = history[:-1]  # it ends at a user turn, and Scout brings the next one
    while history and validate_request([*history, {"role": "user", "content": "Hello"}]):
        history = history[:-1]
    scout = fresh(client, store, budget=50)
    if history:
        session = scout.session()
        store.append_turn(session, history)
        store.save(session)
    for n in range(2):
        scout.say(mine(n))
        check(scout)
    assert len(log_of(scout)) == len(history) + 4
    assert scout.last.window_tokens <= 50 or len(scout.session().window) == 2


# ---------------------------------------------------------------- other processes


def test_another_process_is_faster_at_each_step(client, store):
    scout = fresh(client, store, budget=120)
    other = Scout(client, store, "ada", session_id=scout.session_id, budget=120)
    numbers, turns = itertools.count(), []

    def between():
        turns.append(f"o{next(numbers)}")
        other.say("The other bag is blue.", turn_id=turns[-1])

    def create(**request):
        between()
        return client.messages.create(**request)

    def folding(*given, **options):
        if len(folds) < 2:
            folds.append(1)
            between()
        return fold(*given, **options)

    folds = []
    scout.client, scout._fold = Through(client, create=create), folding
    for n in range(5):
        scout.say(mine(n), turn_id=f"t{n}")
        turns.append(f"t{n}")
    assert len(folds) == 2 and len(scout.last.folds) >= 1
    check(scout)
    assert sorted(m.id for m in log_of(scout)) == sorted(f"{t}-{n}" for t in turns for n in (0, 1))
    ids = [m.id.rpartition("-")[0] for m in log_of(scout)]
    assert ids[::2] == ids[1::2]  # turns are never interleaved


def test_a_row_that_is_deleted_during_a_turn(client, db, store):
    scout = fresh(client, store)
    scout.say(mine(0))

    def create(**request):
        db.sessions.delete_one({"session_id": scout.session_id})
        return client.messages.create(**request)

    scout.client = Through(client, create=create)
    scout.say(mine(1), turn_id="t1")
    assert [m.id for m in log_of(scout)][2:] == ["t1-0", "t1-1"]
    assert scout.session().last_seq == 4


CHILD = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from helpers.backends import connect
from helpers.database import connect_mongo
from helpers.scout import Scout, bounded
from helpers.sessions import SessionStore
from helpers.summaries import fold

name, me, turns, at, step = sys.argv[1:]
now = 0

def after(step_done, call):
    def wrapped(*given, **options):
        result = call(*given, **options)
        if step_done == step and now == int(at):
            print("here", flush=True)
            time.sleep(600)
        return result
    return wrapped

class Messages:
    def __init__(self, real):
        self.create = after("asked", real.create)
        self.count_tokens = real.count_tokens
class Client:
    def __init__(self, real):
        self.messages = Messages(real.messages)

store = SessionStore(connect_mongo(lesson={LESSON!r}))
store.load = after("loaded", store.load)
store.append_turn = after("logged", store.append_turn)
store.save = after("saved", store.save)
bounded.trim = after("trimmed", bounded.trim)
bounded.count_messages = after("counted", bounded.count_messages)
scout = Scout(
    Client(connect("practice")), store, "ada", session_id=name, budget=100, fold=after("folded", fold)
)
scout.session()
sys.stdin.readline()
for now in range(int(turns)):
    scout.say(f"My bag number {{now}} weighs {{now + 3}} kilos.", turn_id=f"{{me}}{{now}}")
"""


def start(*arguments) -> subprocess.Popen:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    return child


def go(children):
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()


def killed_at(client, store, steps):
    """Processes that are killed in their fifth turn; here the conversation goes on."""
    children = {step: start(f"killed-{step}", "t", 6, 4, step) for step in steps}
    go(children.values())
    for step, child in children.items():
        line = ""
        while "here" not in line:
            line = child.stdout.readline()
            assert line, child.stderr.read()
        child.kill()
        child.communicate()
        asked = []
        scout = Scout(
            Through(client, create=lambda a=asked, **r: a.append(r) or client.messages.create(**r)),
            store,
            "ada",
            session_id=f"killed-{step}",
            budget=100,
        )
        done = step in ("logged", "trimmed", "folded", "saved")
        assert len(log_of(scout)) == (10 if done else 8)
        scout.session()
        check(scout)
        scout.say(mine(4), turn_id="t4")  # what a caller does who has heard nothing
        assert len([r for r in asked if r["system"].startswith(PERSONA)]) == (0 if done else 1)
        for n in range(5, 8):
            scout.say(mine(n), turn_id=f"t{n}")
        session = check(scout, [f"t{n}" for n in range(8)])
        assert session.covers > 0 and scout.last.window_tokens <= 100
        assert "bag number 0" in session.summary


def test_killed_between_its_steps(client, store, db):
    killed_at(client, store, ["asked", "logged", "folded"])


@pytest.mark.full
def test_killed_at_every_step(client, store, db):
    for collection in (db.sessions, db.logs):
        collection.delete_many({"session_id": {"$regex": "^killed-"}})
    for steps in (["loaded", "counted", "asked", "logged"], ["trimmed", "folded", "saved"]):
        killed_at(client, store, steps)


def together(client, store, name, processes, turns):
    children = [start(name, f"p{n}-", turns, -1, "") for n in range(processes)]
    go(children)
    for child in children:
        _, errors = child.communicate(timeout=600)
        assert (child.returncode, errors) == (0, "")
    scout = Scout(client, store, "ada", session_id=name, budget=100)
    check(scout)
    ids = [m.id for m in log_of(scout)]
    order = [name.rpartition("-")[0] for name in ids[::2]]
    assert ids == [f"{turn}-{n}" for turn in order for n in (0, 1)]
    assert sorted(order) == sorted(f"p{p}-{n}" for p in range(processes) for n in range(turns))


def test_two_processes_on_one_session(client, store):
    together(client, store, "two", 2, 8)


@pytest.mark.full
def test_six_processes_on_one_session(client, store):
    together(client, store, "six", 6, 15)


# ---------------------------------------------------------------- the persona


def test_the_persona_and_the_guide(client):
    assert guide()["city"] in PERSONA
    whole = persona_with_places()
    assert whole.startswith(PERSONA)
    assert all(place["name"] in whole for place in guide()["places"])
    said = [{"role": "user", "content": "."}]
    counts = [
        client.messages.count_tokens(model=CHAT_MODEL, system=system, messages=said).input_tokens
        for system in (PERSONA, whole)
    ]
    assert counts[0] < 80 and 4_000 < counts[1] < 4_400  # as its docstring says


# ---------------------------------------------------------------- in a terminal

GREEN = "My favourite color is green.\nWhat is my favourite color?\n"


@pytest.fixture
def id_file():
    file = data_dir() / terminal.ID_FILE
    database = connect_mongo(lesson="scout")
    for _ in range(2):
        file.unlink(missing_ok=True)
        reset(database)
        if _ == 0:
            yield SimpleNamespace(file=file, db=database)
    database.client.close()


def program(memory, **environment) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "helpers.scout", "--memory", memory],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def heard(process, text):
    out, errors = process.communicate(text.encode("utf-8"), timeout=60)
    assert (process.returncode, errors) == (0, b"")
    return out.decode("utf-8").replace("\r\n", "\n")


def test_the_three_programs(id_file):
    running = {memory: program(memory, PYTHONIOENCODING="utf-8") for memory in terminal.MEMORIES}
    out = {memory: heard(process, GREEN + "quit\n") for memory, process in running.items()}
    last = {memory: text.split("Scout: ")[-1] for memory, text in out.items()}
    assert "not told me" in last["none"] and "green" not in last["none"]
    assert last["list"].startswith("Your favourite color is green.\n[tokens in ")
    assert last["bounded"].startswith("Your favourite color is green.\n[tokens in ")
    for text in out.values():
        assert text.count("[tokens in ") == 2 and text.endswith("You: quit\nGoodbye.\n")
    # again, on a console that cannot show everything; the input ends without `quit`
    again = program("bounded", PYTHONIOENCODING="cp1252")
    asked = "Is 日本 far? \x81\nWhat is my favourite color?".encode()
    shown, errors = again.communicate(asked, timeout=60)
    assert (again.returncode, errors) == (0, b"")
    shown = shown.decode("cp1252").replace("\r\n", "\n")
    assert "goes on after 4 messages" in shown
    assert "Your favourite color is green." in shown.split("Scout: ")[-1]
    assert shown.endswith("You: \nGoodbye.\n")


def told(monkeypatch, capsys, text, *arguments):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert terminal.main(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_contract_of_the_session_file(monkeypatch, capsys, id_file):
    def run(text):
        return told(monkeypatch, capsys, text, "--user", "ada")

    def documents():
        return [list(id_file.db[name].find().sort("_id", 1)) for name in ("sessions", "logs")]

    assert "A new conversation." in run(GREEN)
    first = id_file.file.read_text(encoding="utf-8").strip()
    # both are there
    assert "goes on after 4 messages" in run("")
    assert "color is green" in run("What is my favourite color?\nQUIT\nnever said")
    assert id_file.file.read_text(encoding="utf-8").strip() == first
    # the file is deleted
    id_file.file.unlink()
    before = documents()
    out = run("What is my favourite color?\n")
    assert "A new conversation." in out and "green" not in out
    second = id_file.file.read_text(encoding="utf-8").strip()
    assert second != first
    after = documents()
    assert [[d for d in docs if d["session_id"] == first] for docs in after] == before
    # the session's row is gone
    id_file.file.write_text(first, encoding="utf-8")
    id_file.db.sessions.delete_one({"session_id": first})
    out = run("What is my favourite color?\n")
    assert "a fresh conversation under it" in out and "green" not in out
    assert id_file.file.read_text(encoding="utf-8").strip() == first
    assert id_file.db.logs.count_documents({"session_id": first}) == 8  # the old ones are there too
    assert "goes on after 2 messages" in run("")
    # an empty file is none; another user does not see the session
    out = told(monkeypatch, capsys, "What is my favourite color?\n", "--user", "bob")
    assert "a fresh conversation under it" in out and "green" not in out
    id_file.file.write_text("\n", encoding="utf-8")
    assert "A new conversation." in run("")


def test_leaving_and_failing(monkeypatch, capsys):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert told(monkeypatch, capsys, "", "--memory", "none").endswith("Goodbye.\n")
    monkeypatch.undo()
    monkeypatch.setattr(sys, "stdin", None)
    assert terminal.main(["--memory", "none"]) == 0
    assert terminal.main(["--memory", "none", "--backend", "moon"]) == 1
    assert "Scout cannot start: there is no backend 'moon'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        terminal.main(["--memory", "elephant"])
    monkeypatch.setattr(terminal, "connect", lambda *a, **k: failing(connect(*a, **k)))
    out = told(monkeypatch, capsys, "Hello\n\nHello\n", "--memory", "list")
    assert out.count("This turn failed: ") == 1 and out.count("[tokens in ") == 1


def test_folding_in_a_terminal(monkeypatch, capsys, id_file):
    small = lambda *a, **k: Scout(*a, budget=60, **k)  # noqa: E731
    monkeypatch.setattr(terminal, "Scout", small)
    out = told(monkeypatch, capsys, "".join(f"{mine(n)}\n" for n in range(3)))
    assert "2 messages folded]" in out
    failed = lambda *_, **__: SummaryResult("", False, "The call failed.")  # noqa: E731
    monkeypatch.setattr(terminal, "Scout", lambda *a, **k: small(*a, fold=failed, **k))
    assert "The call failed.]" in told(monkeypatch, capsys, mine(3))


def test_a_window_over_the_budget_is_trimmed_well_below_it(store):
    """Else it would be over again in the next turn, and every turn would pay for a fold."""
    client = connect("practice")
    often, seldom = fresh(client, store, budget=200), fresh(client, store, budget=200, trim_to=100)
    folds = {often: 0, seldom: 0}
    for n in range(20):
        for scout in folds:
            scout.say(f"My bag number {n} weighs {n + 3} kilos.")
            folds[scout] += bool(scout.last.folds)
            assert scout.last.window_tokens <= (
                100 if scout.last.folds and scout is seldom else 200
            )
    assert 2 * folds[seldom] < folds[often]


def test_trimming_to_more_than_the_budget_is_refused(store):
    with pytest.raises(ValueError, match="trim_to"):
        Scout(connect("practice"), store, "ada", budget=100, trim_to=101)
