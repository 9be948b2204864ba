"""helpers/database*.py against real servers in real processes.

The users of the database are processes of their own (`User`), because what is tested is what
happens when they end, one way or another. Nothing waits a fixed time: `soon` polls.
"""

import contextlib
import datetime
import json
import os
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote_plus

import psutil
import pymongo
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pymongo.errors import OperationFailure

from helpers import database, database_lease
from helpers.database import DatabaseUnavailable, connect_mongo, reset, stop_server
from helpers.keeping import lease
from helpers.keeping import state as database_state

ROOT = Path(__file__).resolve().parents[1]
LINE = (
    "database agent_memory_{} · embedded MongoDB-protocol server · files in the course's data "
    "folder · nothing leaves this machine\n"
)

# A call that finds no server says so after two seconds. A killed one is back after about as long, so
# the users try again, as an application would.
PATIENTLY = """
def patiently(call, seconds=20):
    import time
    from pymongo.errors import ConnectionFailure
    end = time.monotonic() + seconds
    while True:
        try:
            return call()
        except ConnectionFailure:
            if time.monotonic() > end:
                raise
"""

# A user of the database: connects, then does line by line what it is told.
WORKER = f"""{PATIENTLY}
import sys
sys.path.insert(0, {str(ROOT)!r})
import json, os, subprocess, threading, time
from helpers.database import connect_mongo
db = connect_mongo(lesson="test")
print(json.dumps("up"), flush=True)
for line in sys.stdin:
    print(json.dumps(patiently(lambda: eval(line))), flush=True)
"""

# Inserts 0, 1, 2, ... and reports each one when it is acknowledged.
WRITER = f"""{PATIENTLY}
import sys
sys.path.insert(0, {str(ROOT)!r})
from pymongo.errors import DuplicateKeyError
from helpers.database import connect_mongo
db = connect_mongo(lesson="test")
for n in range(int(sys.argv[1])):
    try:
        patiently(lambda: db.writes.insert_one({{"_id": n}}))
    except DuplicateKeyError:
        pass  # the driver's own retry of a write that had arrived
    print(n, flush=True)
"""


def soon(check, seconds=20.0):
    """The first true value of `check()`; fails when there is none in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := check():
            return value
        time.sleep(0.1)
    pytest.fail(f"did not come true within {seconds} seconds")


def environment(data) -> dict:
    env = {k: v for k, v in os.environ.items() if k != "MONGODB_URI"}
    return env | {"COURSE_DATA_DIR": str(data), "PYTHONIOENCODING": "utf-8"}


class User:
    """A process that uses the database of one data folder."""

    def __init__(self, data, wait=True):
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=environment(data),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        if wait:
            self.connected()

    def connected(self):
        assert self.process.stdout.readline() == LINE.format("test"), self.process.stderr.read()
        assert self.hear() == "up"

    def hear(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else pytest.fail(self.process.stderr.read())

    def do(self, expression):
        self.process.stdin.write(expression + "\n")
        self.process.stdin.flush()
        return self.hear()

    def insert(self):
        return self.do('bool(db.things.insert_one({"a": 1}).acknowledged)')

    def count(self):
        return self.do("db.things.count_documents({})")

    def end(self):
        """End normally; it printed and complained about nothing on the way."""
        out, err = self.process.communicate(timeout=20)
        assert (out, err, self.process.returncode) == ("", "", 0)

    def kill(self):
        self.process.kill()
        self.process.communicate(timeout=20)


@contextlib.contextmanager
def fresh_data(parent: Path):
    """A data folder with a space and letters beyond ASCII; nothing is left running in it."""
    folder = parent / "Kurs Daten äß日"
    try:
        yield folder
    finally:
        left = running(folder)
        stop_server(folder)
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()


@pytest.fixture
def data(tmp_path):
    with fresh_data(tmp_path) as folder:
        yield folder


TOGETHER = {}


def together(body):
    """A test of processes that mostly waits: three of these run at a time, each in its folder."""
    TOGETHER[body.__name__] = body

    def test(outcomes):
        outcomes[body.__name__].result()

    test.__name__, test.__doc__ = body.__name__, body.__doc__
    return test


@pytest.fixture(scope="module")
def outcomes(request, tmp_path_factory):
    def run(name):
        with fresh_data(tmp_path_factory.mktemp(name)) as folder:
            TOGETHER[name](folder)

    tmp_path_factory.getbasetemp()  # made here: pytest does not make it from several threads
    chosen = {item.name for item in request.session.items}
    with ThreadPoolExecutor(3) as pool:
        yield {name: pool.submit(run, name) for name in TOGETHER if name in chosen}


def running(data) -> list[psutil.Process]:
    """The keepers and servers of a data folder (a zombie does not run)."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        command = " ".join(process.info["cmdline"] or [])
        if str(data) in command and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def state(data) -> database_state.State:
    return database_state.read_state(data / "database")


def server(data) -> psutil.Process:
    return psutil.Process(state(data).server_pid)


def gone_in_time(data):
    def gone():
        now = state(data)
        return now is None or not (
            database_state.process(now.keeper_pid, now.keeper_created, "database_keeper")
            or database_state.process(now.server_pid, now.server_created, "secantus")
        )

    end = time.monotonic() + 5
    soon(gone, seconds=5)
    soon(lambda: not running(data), seconds=max(0.3, end - time.monotonic()))


# Life and death


@together
def test_start_insert_find_and_again_after_the_end(data):
    user = User(data)
    assert user.insert() and user.insert() and user.count() == 2
    assert len(running(data)) == 2  # one keeper, one server
    assert all(c.laddr.ip == "127.0.0.1" for p in running(data) for c in p.net_connections())
    assert user.do("threading.Thread(target=sys.exit).start()") is None  # ends the thread only
    assert user.insert()
    user.end()
    gone_in_time(data)
    # Its port is taken meanwhile: no obstacle.
    with socket.create_server(("127.0.0.1", state(data).server_port)):
        user = User(data)
        assert user.count() == 3
        user.process.stdin.write("os._exit(3)\n")
        user.process.stdin.flush()
        assert user.process.wait(20) == 3
        user.process.communicate()
        gone_in_time(data)


@together
def test_what_a_user_starts_neither_keeps_nor_ends_its_lease(data):
    user = User(data)
    sleepers = [  # with everything inherited that can be
        user.do(
            "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], "
            "close_fds=False, stdin=-3, stdout=-3, stderr=-3).pid"
        )
    ]
    if hasattr(os, "fork"):
        forked = "(lambda pid: {} if pid == 0 else {})(os.fork())"
        assert user.do(forked.format("os._exit(0)", "os.waitpid(pid, 0)[1]")) == 0
        assert user.insert()
        sleepers.append(user.do(forked.format("(time.sleep(60), os._exit(0))", "pid")))
    user.process.kill()
    gone_in_time(data)
    for pid in sleepers:
        assert psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        psutil.Process(pid).kill()
    user.process.communicate(timeout=20)


@together
def test_eight_at_once_share_one_server_until_the_last_one_ends(data):
    users = [User(data, wait=False) for _ in range(8)]
    for user in users:
        user.connected()
    before = state(data)
    assert len(running(data)) == 2
    # The one that started the keeper is killed: the others do not notice.
    starter = psutil.Process(before.keeper_pid).ppid()
    users.sort(key=lambda user: user.process.pid != starter)
    assert sys.platform == "win32" or users[0].process.pid == starter
    users.pop(0).kill()
    assert all(user.insert() for user in users)
    last = users.pop()
    for user in users:
        user.process.kill()
    for user in users:
        user.process.communicate(timeout=20)
    assert last.insert() and last.count() == 8
    assert state(data) == before
    last.kill()
    gone_in_time(data)


def write_while_the_server_is_killed(data, writes, kills):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(writes)],
        env=environment(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout.readline() == LINE.format("test")
    acknowledged, servers = [], set()
    for line in process.stdout:
        acknowledged.append(int(line))
        if len(acknowledged) % (writes // (kills + 1)) == 0 and len(servers) < kills:
            victim = server(data)
            servers.add(victim.pid)
            victim.kill()
    assert process.wait(20) == 0, process.stderr.read()
    assert acknowledged == list(range(writes))  # writing went on after each kill
    assert len(servers) == kills
    user = User(data)
    stored = user.do("sorted(d['_id'] for d in db.writes.find())")
    assert set(acknowledged) <= set(stored)
    user.end()
    gone_in_time(data)


@together
def test_server_killed_under_writes_loses_no_acknowledged_one(data):
    write_while_the_server_is_killed(data, writes=300, kills=2)


@pytest.mark.full
@pytest.mark.parametrize("round", range(3))
def test_server_killed_under_2000_writes_loses_no_acknowledged_one(data, round):
    write_while_the_server_is_killed(data, writes=2000, kills=8)


@together
def test_keeper_killed_the_survivors_write_on(data):
    first, second = User(data), User(data)
    before = state(data)
    psutil.Process(before.keeper_pid).kill()
    assert first.insert() and second.insert()
    assert first.count() == 2
    after = soon(lambda: state(data).keeper_pid != before.keeper_pid and state(data))
    assert after.server_port == before.server_port  # so the clients need not know
    assert len(running(data)) == 2
    first.end()
    # The keeper dies once more, and with it its last user.
    psutil.Process(second.process.pid).suspend()  # so that it does not look after the server
    psutil.Process(after.keeper_pid).kill()
    second.kill()
    if sys.platform == "linux":  # elsewhere the server stays until the next keeper comes
        gone_in_time(data)
    user = User(data)
    assert user.count() == 2 and len(running(data)) == 2
    user.end()
    gone_in_time(data)


@together
def test_orphaned_server_is_replaced(data):
    """What the next keeper finds where the system does not end the server with its keeper."""
    user = User(data)
    assert user.insert()
    before = state(data)
    keeper, orphan = psutil.Process(before.keeper_pid), psutil.Process(before.server_pid)
    # The keeper is stopped, not killed, and made to look dead: its lock is given free.
    keeper.suspend()
    folder = data / "database"
    (folder / "keeper.lock").unlink()
    database_state.write_state(folder, replace(before, keeper_port=free_port(), token="other"))
    second = User(data)
    assert second.insert() and second.count() == 2
    assert not orphan.is_running() or orphan.status() == psutil.STATUS_ZOMBIE
    keeper.kill()
    user.kill()
    second.end()
    gone_in_time(data)


@together
def test_new_user_during_a_slow_shutdown(data):
    user = User(data)
    assert user.insert()
    before = state(data)
    server(data).suspend()  # so it does not hear that it shall end
    user.end()

    def closed():
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", before.keeper_port)).close()
            return False
        return True

    soon(closed)
    assert psutil.pid_exists(before.server_pid)  # still holding the files
    user = User(data)
    assert user.insert() and user.count() == 2
    assert state(data).keeper_pid != before.keeper_pid
    user.end()
    gone_in_time(data)


@together
def test_stopped_for_all_or_deleted_and_nobody_brings_it_back(data):
    stop_server(data)  # nothing there: nothing to do, and nothing made
    assert not data.exists()
    user = User(data)
    assert user.insert()
    stop_server(data)
    assert running(data) == []
    soon(lambda: user.do("'database lease' not in [t.name for t in threading.enumerate()]"))
    shutil.rmtree(data)
    stop_server(data)
    assert not data.exists()
    # Who wants it again connects again.
    user.process.stdin.write("connect_mongo(lesson='test').things.count_documents({})\n")
    user.process.stdin.flush()
    assert user.process.stdout.readline() == LINE.format("test")
    assert user.hear() == 0
    if sys.platform != "win32":  # which does not delete what is in use
        shutil.rmtree(data)  # under the keeper
        gone_in_time(data)
        assert not data.exists()
    user.end()
    gone_in_time(data)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


# One server for the simple things


@pytest.fixture(scope="module")
def embedded(tmp_path_factory):
    data = tmp_path_factory.mktemp("data with space ü")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_DATA_DIR", str(data))
        patch.delenv("MONGODB_URI", raising=False)
        yield database_lease.server_port()
        stop_server(data)


@pytest.fixture
def no_wait(monkeypatch):
    monkeypatch.setattr(database, "SELECTION_MS", 20)


def test_settings_of_the_embedded_database(embedded, capsys):
    db = connect_mongo(lesson="05")
    assert capsys.readouterr().out == LINE.format("05")  # no port, no path
    assert db.name == "agent_memory_05"
    assert db.client.options.server_selection_timeout == 2
    assert db.write_concern.document == {"w": "majority", "j": True}
    assert db.client.options.pool_options.appname == "agent-memory-course"
    now = datetime.datetime(2026, 11, 30, 12, 0, 0, 123000, tzinfo=datetime.UTC)
    db.dates.replace_one({"_id": 1}, {"at": now}, upsert=True)
    assert db.dates.find_one()["at"] == now
    assert db.dates.find_one()["at"].utcoffset() == datetime.timedelta(0)
    db.client.close()


def test_uri_argument_before_environment_before_embedded(embedded, monkeypatch, capsys):
    uri = f"mongodb://127.0.0.1:{embedded}/"
    monkeypatch.setenv("MONGODB_URI", "mongodb://127.0.0.1:9/")
    db = connect_mongo(uri, lesson="x")
    said = f"database agent_memory_x · MongoDB protocol at 127.0.0.1:{embedded}\n"
    assert capsys.readouterr().out == said
    assert db.client.options.server_selection_timeout == 2
    assert db.client.options.retry_writes and db.codec_options.tz_aware
    assert db.write_concern.document == {"w": "majority", "j": True}
    monkeypatch.setenv("MONGODB_URI", f"  {uri}\n")
    assert connect_mongo(lesson="x").name == "agent_memory_x"
    assert capsys.readouterr().out == said
    for blank in ("", "  "):
        monkeypatch.setenv("MONGODB_URI", blank)
        connect_mongo(blank, lesson="x")
        assert capsys.readouterr().out == LINE.format("x")


def test_options_in_the_uri_win(embedded, capsys):
    db = connect_mongo(
        f"mongodb://127.0.0.1:{embedded}/?retrywrites=false&W=1&Journal=false&appName=mine"
        "&serverSelectionTimeoutMS=1500&tz_aware=false"
    )
    options = db.client.options
    assert options.retry_writes is False
    assert db.write_concern.document == {"w": 1, "j": False}
    assert options.pool_options.appname == "mine"
    assert options.server_selection_timeout == 1.5
    assert not db.codec_options.tz_aware
    # Azure DocumentDB's own string ends so; our write concern stays.
    db = connect_mongo(f"mongodb://127.0.0.1:{embedded}/?retrywrites=false&maxIdleTimeMS=120000")
    assert db.client.options.retry_writes is False
    assert db.write_concern.document == {"w": "majority", "j": True}
    db = connect_mongo(f"mongodb://127.0.0.1:{embedded}/?w=0")
    assert db.write_concern.document == {"w": 0}
    capsys.readouterr()
    connect_mongo(f"mongodb://127.0.0.1:{embedded}/?retrywritse=false")
    assert capsys.readouterr().out.endswith(
        " · an option in the URI was not understood and is ignored\n"
    )


def test_reset_empties_this_lesson_only(embedded):
    one, two = connect_mongo(lesson="one"), connect_mongo(lesson="two")
    for db in (one, two):
        db.a.insert_one({})
        db.b.create_index("x", unique=True)
    assert reset(one) is None
    assert one.list_collection_names() == []
    assert sorted(two.list_collection_names()) == ["a", "b"]
    reset(one)
    reset(two)
    one.b.insert_many([{"x": 1}, {"x": 1}])  # the index went too


@pytest.mark.parametrize("name", ["shop", "agent_memory", "agent_memory_", "agent_memoryx_1"])
def test_reset_refuses_what_is_not_ours(embedded, name):
    theirs = connect_mongo().client[name]
    theirs.orders.insert_one({})
    with pytest.raises(ValueError, match="reset empties only databases named agent_memory_…"):
        reset(theirs)
    assert theirs.list_collection_names() == ["orders"]


@pytest.mark.parametrize("thing", [None, "agent_memory_x", 3])
def test_reset_refuses_what_is_no_database(thing):
    with pytest.raises(ValueError, match="reset empties only"):
        reset(thing)


def test_reset_refuses_a_collection(embedded):
    with pytest.raises(ValueError, match="reset empties only"):
        reset(connect_mongo()["agent_memory_x"])


def test_reset_without_a_server_is_one_sentence():
    client = pymongo.MongoClient("127.0.0.1", 9, serverSelectionTimeoutMS=50, connect=False)
    with pytest.raises(DatabaseUnavailable, match="could not be emptied: No database answers"):
        reset(client["agent_memory_x"])
    client.close()


@pytest.mark.parametrize(
    "lesson",
    ["", " ", "A", "a b", "a.b", "a/b", "$a", "_a", "a\n", "ä", "x" * 26, "a\x00", None, 5, b"a"],
)
def test_bad_lesson_names(lesson):
    with pytest.raises(ValueError, match="lesson must be 1 to 25 characters"):
        connect_mongo(lesson=lesson)


@pytest.mark.parametrize("uri", [5, b"mongodb://h", ["mongodb://h"]])
def test_uri_of_a_wrong_type(uri):
    with pytest.raises(ValueError, match="uri must be a str"):
        connect_mongo(uri)


@pytest.mark.parametrize("lesson", ["a", "05", "14_interview_walkthrough", "x" * 25, "a-b_c"])
def test_good_lesson_names(embedded, lesson):
    name = connect_mongo(lesson=lesson).name
    assert name == "agent_memory_" + lesson and len(name) <= 38


# Wrong addresses and passwords

SECRET = "S3cr3t"


def failure(uri, capsys=None) -> str:
    """The one sentence with which `uri` fails; nothing else is said, nowhere is the secret."""
    with pytest.raises(DatabaseUnavailable) as caught:
        connect_mongo(uri)
    error = caught.value
    assert error.__cause__ is None and error.__context__ is None
    message = str(error)
    shown = message + repr(error) + traceback.format_exc()
    shown += "".join(traceback.format_exception_only(error)) + str(error._render_traceback_())
    if capsys:
        captured = capsys.readouterr()
        assert captured.out == captured.err == ""
    assert SECRET not in shown and quote_plus(SECRET) not in shown
    assert "\n" not in message and message.endswith(".") and len(message) < 300
    for word in ("ServerSelectionTimeoutError", "Topology", "Errno", "pymongo.errors"):
        assert word not in shown
    return message


@pytest.mark.parametrize(
    "uri",
    [
        f"mongodb://u:{SECRET}@127.0.0.1:9/",
        f"mongodb://u:{SECRET}@127.0.0.1:9,127.0.0.1:11/?replicaSet=rs0",
    ],
)
def test_dead_address_says_so_in_three_seconds(uri, capsys):
    start = time.monotonic()
    message = failure(uri, capsys)
    assert time.monotonic() - start < 3
    hosts = uri.split("@")[1].split("/")[0]
    assert message == (
        f"No database answers at {hosts}: start it or correct the address, "
        "or unset MONGODB_URI to use the embedded server."
    )


def test_silent_stranger_says_so_in_three_seconds(capsys):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        start = time.monotonic()
        message = failure(f"mongodb://u:{SECRET}@127.0.0.1:{listener.getsockname()[1]}/", capsys)
    assert time.monotonic() - start < 3
    assert message.startswith("No database answers at 127.0.0.1:")


def test_dead_address_from_the_environment(monkeypatch, no_wait):
    monkeypatch.setenv("MONGODB_URI", f"mongodb://u:{SECRET}@127.0.0.1:9/")
    assert failure(None).startswith("No database answers at 127.0.0.1:9")


def test_unknown_names(capsys, monkeypatch):
    start = time.monotonic()
    with monkeypatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", unknown_name)
        patch.setattr(database, "SELECTION_MS", 300)
        assert "host name in nowhere.invalid" in failure(f"mongodb://u:{SECRET}@nowhere.invalid/")
    message = failure(f"mongodb+srv://u:{SECRET}@nowhere.invalid/", capsys)
    assert "nowhere.invalid could not be looked up" in message
    assert time.monotonic() - start < 5


def unknown_name(*_, **__):
    raise socket.gaierror(-2, "Name or service not known")


def test_srv_without_dnspython(monkeypatch):
    def client(*_, **__):
        raise pymongo.errors.ConfigurationError(
            'The "dnspython" module must be installed to use mongodb+srv:// URIs'
        )

    monkeypatch.setattr(pymongo, "MongoClient", client)
    assert "pip install dnspython" in failure(f"mongodb+srv://u:{SECRET}@a.example/")


@pytest.mark.parametrize(
    "uri",
    [
        "localhost:27017",
        "http://localhost:27017",
        "mongodb:/u:S3cr3t@h",
        "mongodb:u:S3cr3t@h",
        "mongodb://",
        "mongodb:///",
        "mongodb://u:S3cr3t@",
        "mongodb://u:S3cr3t",
        "mongodb://h:99999",
        "mongodb://h:0x",
        "mongodb://u:S3cr3t/x@h",
        "mongodb://u:12/S3cr3t@h",
        "mongodb://u:12?S3cr3t=1@h",
        "mongodb://u:@S3cr3t@h",
        "mongodb://u:%zzS3cr3t@h",
        "mongodb://u:S3cr3t@h one",
        "mongodb://u:S3cr3t@h/?x",
        "mongodb://u:S3cr3t@h/?replicaSet=a&replicaSet",
        "mongodb://u:S3cr3t@h\nmongodb://h",
        "mongodb+srv://u:S3cr3t@a.example,b.example/",
        "mongodb+srv://u:S3cr3t@a.example:27017/",
    ],
)
def test_malformed_uris(uri, capsys):
    assert failure(uri, capsys).startswith("The MongoDB URI cannot be read")


def test_placeholder_left_in_the_uri():
    uri = "mongodb+srv://me:<db_password>@cluster.example.mongodb.net/"
    assert "placeholder in angle brackets" in failure(uri)


def test_missing_tls_file(capsys):
    uri = f"mongodb://h/?tls=true&tlsCertificateKeyFile=/no/{SECRET}"
    assert failure(uri, capsys).startswith("A TLS file named in the MongoDB URI cannot be read")


def test_contradicting_options(capsys):
    message = failure(f"mongodb://u:{SECRET}@127.0.0.1:9/?w=0&journal=true", capsys)
    assert message.startswith("The options in the MongoDB URI")


def test_tls_asked_of_a_server_without(capsys, no_wait):
    with socketserver.TCPServer(("127.0.0.1", 0), NoTLS) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{web.server_address[1]}"
        message = failure(f"mongodb://u:{SECRET}@{address}/?tls=true", capsys)
        assert message.startswith(f"{address} was reached, but no secure connection came about")
        failure(f"mongodb://u:{SECRET}@{address}/")  # not MongoDB's protocol at all
        web.shutdown()


class NoTLS(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        self.request.recv(1000)


def test_wrong_password(embedded, capsys):
    start = time.monotonic()
    message = failure(f"mongodb://nobody:{SECRET}@127.0.0.1:{embedded}/", capsys)
    assert message.startswith(f"127.0.0.1:{embedded} refused the user name or password")
    assert time.monotonic() - start < 3


@pytest.mark.parametrize(
    "code, words",
    [
        (18, "refused the user name or password"),
        (8000, "refused the user name or password"),
        (13, "wants a user name and password"),
        (59, "refused a plain request (code 59)"),
    ],
)
def test_refusals_of_a_server(code, words):
    assert words in database._reason(OperationFailure(SECRET, code), "h")


@pytest.mark.parametrize("password", [f"{SECRET}@/:?#[]% &=+\"'\\", f"{SECRET}пароль ü日", SECRET])
def test_right_password_is_never_shown(embedded, password, capsys):
    admin = pymongo.MongoClient("127.0.0.1", embedded, directConnection=True)
    with contextlib.suppress(OperationFailure):
        admin.admin.command("dropUser", "ada")
    admin.admin.command("createUser", "ada", pwd=password, roles=["root"])
    admin.close()
    uri = f"mongodb://ada:{quote_plus(password)}@127.0.0.1:{embedded}/"
    db = connect_mongo(uri, lesson="x")
    db.things.insert_one({})
    out, err = capsys.readouterr()
    assert out == f"database agent_memory_x · MongoDB protocol at 127.0.0.1:{embedded}\n"
    shown = out + err + repr(db) + repr(db.client) + str(db.client) + repr(db.things)
    assert SECRET not in shown and "ada" not in shown


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    before=st.text(max_size=6),
    after=st.text(max_size=6),
    encoded=st.booleans(),
    where=st.sampled_from(
        [
            "mongodb://u:{}@127.0.0.1:9/",
            "mongodb://{}:p@127.0.0.1:9/db?retrywrites=false",
            "mongodb://127.0.0.1:9/?tls=true&tlsCertificateKeyFilePassword={}",
            "mongodb://127.0.0.1:9/?authMechanism=MONGODB-AWS"
            "&authMechanismProperties=AWS_SESSION_TOKEN:{}",
            "mongodb://u:p@127.0.0.1:9/?password={}",
            "mongodb://u:p@127.0.0.1:9/?{}=1",
        ]
    ),
)
def test_no_secret_wherever_it_stands(monkeypatch, capsys, before, after, encoded, where):
    def prove(client, name, who):  # as if nobody answered, without the wait
        return database._reason(pymongo.errors.ServerSelectionTimeoutError(repr(client)), who)

    monkeypatch.setattr(database, "_prove", prove)
    secret = before + SECRET + after
    with contextlib.suppress(UnicodeEncodeError):  # a lone surrogate cannot be encoded
        failure(where.format(quote_plus(secret) if encoded else secret), capsys)


# What cannot start


@pytest.fixture
def no_package(monkeypatch):
    monkeypatch.delenv("MONGODB_URI", raising=False)
    monkeypatch.setattr(
        database_lease.importlib.util,
        "find_spec",
        lambda name: None if name == "secantus" else SimpleNamespace(),
    )


@pytest.mark.parametrize(
    "version, system, machine, words",
    [
        ((3, 14), "linux", "x86_64", "no build for Python 3.14: use Python 3.11, 3.12 or 3.13"),
        ((3, 12), "darwin", "x86_64", "no build for Intel Macs"),
        ((3, 12), "darwin", "arm64", "is not installed in this Python: run `python3 start.py`"),
        ((3, 13), "linux", "x86_64", "is not installed in this Python: run `python3 start.py`"),
    ],
)
def test_platform_without_the_package(no_package, monkeypatch, version, system, machine, words):
    monkeypatch.setattr(
        database_lease, "sys", SimpleNamespace(version_info=version, platform=system)
    )
    monkeypatch.setattr(database_lease.platform, "machine", lambda: machine)
    message = failure(None)
    assert words in message and "set MONGODB_URI" in message


def test_without_pymongo(monkeypatch):
    monkeypatch.setattr(database.importlib.util, "find_spec", lambda name: name != "pymongo")
    assert "pymongo not installed" in failure("mongodb://h")


@pytest.mark.parametrize("below", [False, True])
def test_folder_that_cannot_be_made(tmp_path, monkeypatch, below):
    monkeypatch.delenv("MONGODB_URI", raising=False)
    blocker = tmp_path / "file"
    blocker.write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv("COURSE_DATA_DIR", str(blocker / "data" if below else blocker))
    message = failure(None)
    assert message.startswith("The course's data folder (COURSE_DATA_DIR) cannot be written")
    assert str(tmp_path) not in message


def test_server_that_cannot_start_is_given_up(data, monkeypatch):
    """Its files are a file: it ends at once, is tried a few times, and the keeper goes too."""
    monkeypatch.delenv("MONGODB_URI", raising=False)
    monkeypatch.setenv("COURSE_DATA_DIR", str(data))
    (data / "database").mkdir(parents=True)
    (data / "database" / "files").write_text("", encoding="utf-8")
    message = failure(None)
    assert message.startswith("The embedded database did not start: see database/server.log in")
    assert "start.py reset" in message
    gone_in_time(data)


def test_data_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("COURSE_DATA_DIR", raising=False)
    assert database.data_dir() == ROOT / ".course-data"
    monkeypatch.setenv("COURSE_DATA_DIR", "other")
    assert database.data_dir() == ROOT / "other"
    monkeypatch.setenv("COURSE_DATA_DIR", str(tmp_path))
    assert database.data_dir() == tmp_path


# Manners


def test_import_is_cheap():
    code = (
        "import sys, helpers.database; "
        "print([m for m in ('pymongo', 'filelock', 'psutil', 'secantus') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.stdout == "[]\n", done.stderr


def test_server_package_is_never_imported_and_gets_no_keys(embedded):
    assert "secantus" not in sys.modules
    env = {"ANTHROPIC_API_KEY": SECRET, "MONGODB_URI": SECRET, "SECANTUS_FORCE_DURABLE": "0"}
    with pytest.MonkeyPatch.context() as patch:
        for key, value in env.items():
            patch.setenv(key, value)
        assert not set(env) & set(lease.keeper_environment())


def test_jupyter_shows_one_line(tmp_path):
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from helpers.database import *; "
        f"connect_mongo('http://u:{SECRET}@h')"
    )
    env = os.environ | {"IPYTHONDIR": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--colors=NoColor", "-c", code],
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    shown = (done.stdout + done.stderr).strip()
    assert shown.startswith("DatabaseUnavailable: The MongoDB URI cannot be read"), shown
    assert "\n" not in shown and SECRET not in shown
