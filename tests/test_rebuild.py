"""The conditions of a run, the block of the network, and rebuilding notebooks."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from helpers import rebuild
from helpers.exercises import EXERCISES
from helpers.offline import sitecustomize as offline

ROOT = Path(__file__).parents[1]

# ---------------------------------------------------------------- the conditions of a run


def test_the_conditions_of_a_run(monkeypatch):
    unwanted = {
        "ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": "http://x", "MONGODB_URI": "mongodb://x",
        "COURSE_MODEL": "m", "COURSE_BACKEND": "claude", "MPLBACKEND": "agg", "HTTPS_PROXY": "http://x",
        "http_proxy": "http://x", "PYTHONOPTIMIZE": "2", "PYTHONWARNINGS": "error",
        "PYTEST_CURRENT_TEST": "x", "IPYTHONDIR": "x", "COLUMNS": "13", "PYTHONHASHSEED": "7",
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    kept = {
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "cp1252",
        "TZ": "Asia/Tokyo",
        "PATH": "somewhere",
    }
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["mine", str(rebuild.OFFLINE)]))
    for key, value in (unwanted | kept).items():
        monkeypatch.setenv(key, value)
    env = rebuild.run_conditions(Path("a folder"))
    assert env["COURSE_BACKEND"] == "practice"
    assert env["COURSE_DATA_DIR"] == "a folder"
    assert env["PYTHONHASHSEED"] == "0" and env["COLUMNS"] == "80"
    assert env["IPYTHONDIR"] == str(Path("a folder") / "ipython")
    assert env["PYTHONPATH"].split(os.pathsep) == [str(rebuild.OFFLINE), "mine"]
    fixed = {"COURSE_BACKEND", "COURSE_DATA_DIR", "PYTHONHASHSEED", "COLUMNS", "IPYTHONDIR"}
    assert not (set(unwanted) - fixed) & set(env)
    assert {key: env[key] for key in kept} == kept
    assert all(isinstance(value, str) for value in env.values())


def test_the_tests_run_under_these_conditions():
    data_dir = os.environ["COURSE_DATA_DIR"]
    assert Path(data_dir).is_dir()
    theirs = ("PYTEST_", "COURSE_TEST_")  # the second: what conftest.py hands on between processes
    ours = {k: v for k, v in os.environ.items() if not k.startswith(theirs)}
    assert ours == rebuild.run_conditions(data_dir)


# ---------------------------------------------------------------- offline

PROBES = r"""
import asyncio, json, socket, sys
UDP = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
def tcp():
    s = socket.socket(); s.settimeout(2); return s
async def opens(host, port): (await asyncio.open_connection(host, port))[1].close()
async def datagram():
    loop = asyncio.get_running_loop()
    await loop.create_datagram_endpoint(asyncio.DatagramProtocol, remote_addr=("192.0.2.1", 9))
server = socket.create_server(("127.0.0.1", 0)); port = server.getsockname()[1]
away = {
    "connect": lambda: tcp().connect(("192.0.2.1", 80)),
    "connect_ex": lambda: tcp().connect_ex(("192.0.2.1", 80)),
    "create_connection": lambda: socket.create_connection(("192.0.2.1", 80), 2),
    "by name": lambda: socket.create_connection(("example.com", 80), 2),
    "IPv6": lambda: socket.socket(socket.AF_INET6).connect(("2001:db8::1", 80)),
    "a name that begins like us": lambda: socket.getaddrinfo("127.0.0.1.example.com", 80),
    "getaddrinfo": lambda: socket.getaddrinfo("example.com", 80),
    "gethostbyname": lambda: socket.gethostbyname("example.com"),
    "gethostbyname_ex": lambda: socket.gethostbyname_ex("example.com"),
    "gethostbyaddr": lambda: socket.gethostbyaddr("192.0.2.1"),
    "sendto": lambda: UDP.sendto(b"x", ("192.0.2.1", 53)),
    "sendmsg": lambda: UDP.sendmsg([b"x"], [], 0, ("192.0.2.1", 53)),
    "UDP connect": lambda: UDP.connect(("192.0.2.1", 53)),
    "asyncio": lambda: asyncio.run(opens("192.0.2.1", 80)),
    "asyncio by name": lambda: asyncio.run(opens("example.com", 80)),
    "asyncio UDP": lambda: asyncio.run(datagram()),
}
here = {
    "connect": lambda: tcp().connect(("127.0.0.1", port)),
    "connect_ex": lambda: tcp().connect_ex(("127.0.0.1", port)),
    "localhost": lambda: socket.create_connection(("localhost", port), 2),
    "asyncio": lambda: asyncio.run(opens("127.0.0.1", port)),
    "sendto": lambda: UDP.sendto(b"x", ("127.0.0.1", port)),
    "getaddrinfo": lambda: socket.getaddrinfo(None, port),
    "a pair": lambda: [a.sendall(b"x") for a, b in [socket.socketpair()]],
}
said = {}
for where, probes in {"away": away, "here": here}.items():
    for name, probe in probes.items():
        try:
            probe(); said[where + " " + name] = "reached"
        except OSError as error:
            said[where + " " + name] = str(error)
print(json.dumps(said))
"""


def test_only_this_machine_can_be_reached(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROBES],
        env=rebuild.run_conditions(tmp_path),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    said = json.loads(done.stdout)
    assert len(said) == 23
    for probe, result in said.items():
        if probe.startswith("away"):
            assert "this run is offline" in result, f"{probe}: {result}"
        else:
            assert result == "reached", f"{probe}: {result}"


def test_this_process_is_offline_as_well():
    import socket

    with pytest.raises(OSError, match="this run is offline"):
        socket.create_connection(("192.0.2.1", 80), 1)


@pytest.mark.parametrize(
    "host, here",
    [
        ("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("localhost", True),
        ("0.0.0.0", True), ("::", True), ("::ffff:127.0.0.1", True), (b"127.0.0.1", True),
        (None, True), ("", True), ("example.com", False), ("127.0.0.1.example.com", False),
        ("localhost.example.com", False), ("10.0.0.1", False), ("192.168.0.1", False),
        ("::ffff:8.8.8.8", False), ("<broadcast>", False), (b"\xff", False), ("1", False),
    ],
)  # fmt: skip
def test_what_counts_as_this_machine(host, here):
    assert offline.is_here(host) is here


@given(st.ip_addresses())
def test_addresses_elsewhere_are_elsewhere(address):
    assert offline.is_here(str(address)) <= (address.is_loopback or address.is_unspecified) or (
        address.version == 6 and address.ipv4_mapped is not None
    )


# ---------------------------------------------------------------- processes that are left


def test_end_processes_ends_those_of_this_run_and_no_other(tmp_path):
    sleep = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]
    ours = subprocess.Popen(sleep, env={**os.environ, "COURSE_DATA_DIR": str(tmp_path)})
    other = subprocess.Popen(sleep, env={**os.environ, "COURSE_DATA_DIR": str(tmp_path / "x")})
    try:
        for process in (ours, other):  # until the new program runs, /proc shows the old one
            while "sleep(60)" not in " ".join(psutil.Process(process.pid).cmdline()):
                time.sleep(0.01)
        assert rebuild.end_processes(tmp_path) == 1
        assert ours.wait(5) is not None and other.poll() is None
    finally:
        for process in (ours, other):
            process.kill()
            process.wait()


# ---------------------------------------------------------------- tidying


def test_tidy_leaves_nothing_that_changes():
    frame = "\x1b[31mFile \x1b[32m/somewhere/helpers/messages.py:3\x1b[39m, in f()"
    traceback = [
        "\x1b[31m----\x1b[39m",
        "\x1b[36mCell In[2], line 1\x1b[39m",
        frame,
        "ValueError: x",
    ]
    view = {rebuild.WIDGET_VIEW: {"model_id": "abc"}}
    cell = new_code_cell(
        "x",
        id="kept",
        metadata={"tags": ["exercise"], "execution": {"iopub": "2026"}, "scrolled": True},
        outputs=[
            new_output("display_data", {**view, "text/plain": "[interactive] x"}),
            new_output("display_data", view),
            new_output("stream", name="stdout", text="said"),
            new_output("error", ename="ValueError", evalue="x", traceback=traceback),
        ],
    )
    nb = new_notebook(
        cells=[new_markdown_cell("# T", metadata={"trusted": True}), cell],
        metadata={
            "kernelspec": {"name": "my-own", "display_name": "Mine"},
            "widgets": {"state": {}},
            "vscode": {},
        },
    )
    once = rebuild.tidy(nb)
    assert dict(once.metadata) == rebuild.METADATA
    assert once.cells[0].metadata == {} and once.cells[1].metadata == {"tags": ["exercise"]}
    assert once.cells[1].id == "kept"
    widget, stream, error = once.cells[1].outputs
    assert widget.data == {"text/plain": "[interactive] x"} and stream.text == "said"
    assert error.traceback == ["----", "Cell In[2], line 1", "ValueError: x"]
    before = nbformat.writes(once)
    assert nbformat.writes(rebuild.tidy(once)) == before


# ---------------------------------------------------------------- exercises


def exercise_book(tag="exercise-01.1", following="exercise"):
    cells = [
        new_markdown_cell("old", metadata={"tags": [tag]}),
        new_code_cell("answer = 'typed'", metadata={"tags": [following] if following else []}),
    ]
    return new_notebook(cells=cells)


def test_exercises_are_written_from_their_source():
    nb = exercise_book()
    rebuild.fold_exercises(nb)
    assert nb.cells[0].source == EXERCISES["01.1"].markdown()
    assert nb.cells[1].source == EXERCISES["01.1"].cell()
    assert "<details><summary>Hint</summary>\n\n" in nb.cells[0].source
    assert (
        "\n\n</details>\n\n<details><summary>Solution</summary>\n\n```python\n"
        in nb.cells[0].source
    )


@pytest.mark.parametrize(
    "book, says",
    [
        (exercise_book("exercise-77.7"), "cell 1 is tagged exercise-77.7"),
        (exercise_book(following=""), "the cell after exercise-01.1"),
        (new_notebook(cells=exercise_book().cells[:1]), "the cell after exercise-01.1"),
    ],
)
def test_an_exercise_without_its_other_half_is_refused(book, says):
    with pytest.raises(rebuild.RebuildFailed, match=says):
        rebuild.fold_exercises(book)


# ---------------------------------------------------------------- the command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("with a space é")


def write(folder, file, *cells):
    path = folder / file
    nb = new_notebook(cells=[c if hasattr(c, "source") else new_code_cell(c) for c in cells])
    nbformat.write(nb, path)
    return path


def command(*arguments, cwd=ROOT, **env):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        capture_output=True,
        encoding="cp1252" if env else "utf-8",
        timeout=180,
    )


@pytest.fixture(scope="module")
def rebuilt(folder):
    """A notebook with everything that could differ, rebuilt twice and looked at once."""
    path = write(
        folder,
        "good.ipynb",
        new_markdown_cell("# Good"),
        f"import sys; sys.path.insert(0, {str(ROOT)!r})",
        "import os, pathlib, subprocess\nfrom helpers import show\n"
        "folder = pathlib.Path(os.environ['COURSE_DATA_DIR'])\n"
        "print(sorted(p.name for p in folder.iterdir() if p.name == 'left'), 'a · b → c')",
        "_ = (folder / 'left').write_text('x', encoding='utf-8')\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)'])\n"
        f"_ = pathlib.Path({str(folder / 'left behind')!r}).write_text(\n"
        "    f'{child.pid} {folder}', encoding='utf-8')",
        "print('one', flush=True)\nprint('two')",
        "print(hash('a') == hash('a'), {'b', 'a', 'c'})",
        "fig, ax = show.axes()\nshow.figure(fig, 'an empty figure')",
        new_code_cell("import json\njson.loads('no')", metadata={"tags": ["raises-exception"]}),
    )
    os.chmod(path, 0o644)
    first = command("-m", "helpers.rebuild", path)
    left = (folder / "left behind").read_text(encoding="utf-8").split(" ", 1)
    text = path.read_bytes()
    # as a plain script, from elsewhere, on a Windows console, with a key lying about
    second = command(
        ROOT / "helpers" / "rebuild.py", "--check", path.name, cwd=folder,
        PYTHONUTF8="0", PYTHONIOENCODING="cp1252", ANTHROPIC_API_KEY="key", MPLBACKEND="agg",
        PYTHONPATH="",
    )  # fmt: skip
    return path, first, second, text, left


def test_a_second_run_is_the_same(rebuilt):
    path, first, second, text, _ = rebuilt
    assert (first.returncode, first.stderr) == (0, "") and "changed" in first.stdout
    assert (second.returncode, second.stderr) == (0, "") and "same" in second.stdout
    assert path.read_bytes() == text and b"\r" not in text


def test_what_was_run_is_what_is_saved(rebuilt):
    nb = nbformat.reads(rebuilt[3].decode("utf-8"), as_version=4)
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, 8))
    assert code[1].outputs[0].text == "[] a · b → c\n"
    assert len(code[3].outputs) == 1
    assert code[5].outputs[0].data["text/plain"] == "[figure] an empty figure"
    assert not re.search("site-packages|/lib/python", "".join(code[6].outputs[0].traceback))


def test_nothing_is_left_of_a_run(rebuilt):
    pid, data_dir = rebuilt[4]
    assert not psutil.pid_exists(int(pid)) or psutil.Process(int(pid)).status() == "zombie"
    assert not Path(data_dir).exists()


def test_a_failing_notebook_is_named_with_its_cell_and_not_written(folder, capsys):
    bad = write(folder, "bad.ipynb", new_markdown_cell("# x"), "x = 1", "\nboom(x)\ny = 2", "z = 3")
    quiet = write(
        folder, "quiet.ipynb", new_code_cell("x = 1", metadata={"tags": ["raises-exception"]})
    )
    dies = write(folder, "dies.ipynb", "import os", "os._exit(3)")
    broken, gone = folder / "broken.ipynb", folder / "gone.ipynb"
    broken.write_text("{", encoding="utf-8")
    before = bad.read_bytes()
    assert rebuild.main(["-j", "3", *map(str, [bad, quiet, dies, broken, gone])]) == 1
    out, said = capsys.readouterr()
    assert out.count("FAILED") == 5
    assert (
        "bad.ipynb: code cell 2 (cell 3 of 4): NameError: name 'boom' is not defined\n    boom(x)\n"
        in said
    )
    assert "quiet.ipynb: code cell 1 (cell 1 of 1): it announces an error" in said
    assert "dies.ipynb: code cell 2 (cell 2 of 2): its kernel ended\n" in said
    assert "broken.ipynb: cannot be read as a notebook: " in said
    assert "gone.ipynb: cannot be read as a notebook: FileNotFoundError" in said
    assert len(said.splitlines()) == 8 and "Traceback" not in said
    assert bad.read_bytes() == before


def test_check_finds_a_change_and_writes_nothing(folder, tmp_path, monkeypatch, capsys):
    path = write(folder, "stale.ipynb", new_code_cell("print(2)", execution_count=1))
    before = path.read_bytes()
    # a kernel of that name which belongs to somebody else is not ours
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text(
        json.dumps({"argv": ["no-such-program"], "display_name": "x", "language": "python"}),
        encoding="utf-8",
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    assert rebuild.main(["--check", str(path)]) == 1
    out, err = capsys.readouterr()
    assert re.fullmatch(r"stale\.ipynb +\d+\.\d s  changed\n", out) and err == ""
    assert path.read_bytes() == before


def test_a_cell_that_never_ends(folder, monkeypatch):
    monkeypatch.setattr(rebuild, "CELL_SECONDS", 1)
    path = write(folder, "endless.ipynb", "while True:\n    pass")
    result = rebuild.rebuild(path)
    assert result.text is None
    assert result.problem.startswith("code cell 1 (cell 1 of 1): it ran longer than 1 s\n")
