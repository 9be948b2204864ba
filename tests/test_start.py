"""start.py: what it decides, what it says when something is missing, what it may delete."""

import ast
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

start = importlib.import_module("start")  # start.py, beside helpers/
ROOT = Path(start.ROOT)
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and modes of POSIX")
GIT = shutil.which("git")

# What pip 23 to 26 and uv 0.13 really printed, shortened.
RETRY = (
    "WARNING: Retrying (Retry(total={}, connect=None, read=None, redirect=None, status=None)) "
    "after connection broken by '{}': /simple/anthropic/\n"
)
REFUSED = "NewConnectionError('<x>: Failed to establish a new connection: [Errno 111] refused')"
NO_MATCH = (
    "ERROR: Could not find a version that satisfies the requirement {0} (from versions: {1})\n"
    "ERROR: No matching distribution found for {0}\n"
)
PIP = {
    "network": RETRY.format(0, REFUSED) + NO_MATCH.format("anthropic==2.14.0", "none"),
    "network (another index answers)": RETRY.format(0, REFUSED)
    + NO_MATCH.format("anthropic==2.14.0", "1.13.0"),
    "network (half way)": "  Downloading jupyterlab.whl\nERROR: Exception:\npip._vendor.urllib3."
    "exceptions.ReadTimeoutError: HTTPSConnectionPool(host='x', port=443): Read timed out.\n",
    "certificate": RETRY.format(
        0,
        "SSLError(SSLCertVerificationError(1, '[SSL: "
        "CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate'))",
    )
    + NO_MATCH.format("six", "none"),
    "proxy": RETRY.format(0, "ProxyError('Cannot connect to proxy.', " + REFUSED + ")")
    + NO_MATCH.format("six", "none"),
    "wheel": NO_MATCH.format("secantusdb==0.7.0b3", "none"),
    "wheel (after a retry that worked)": RETRY.format(4, REFUSED)
    + NO_MATCH.format("secantusdb==0.7.0b3", "0.6.0"),
    "disk": "Installing collected packages: numpy\nERROR: Could not install packages due to an "
    "OSError: [Errno 28] No space left on device\n\n",
    "disk (Windows)": "ERROR: Could not install packages due to an OSError: [WinError 112] There "
    "is not enough space on the disk\n",
    "rights": "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: "
    "'/opt/course/.venv/lib'\nConsider using the `--user` option\n",
    "rights (Windows)": "ERROR: Could not install packages due to an OSError: [WinError 5] Access "
    "is denied: 'C:\\\\x'\n",
    "path": "ERROR: Could not install packages due to an OSError: [Errno 2] No such file or "
    "directory: 'C:\\\\x'\nHINT: This error might have occurred since this system does not have "
    "Windows Long Path support enabled.\n",
    "pip": "/x/.venv/bin/python: No module named pip\n",
    "other": "Collecting x\nERROR: Cannot install x and y because of conflicting dependencies.\n",
    "other (silent)": "",
}
UV = {
    "network": "error: Request failed after 3 retries in 9.0s\n  cause: Failed to fetch: "
    "http://127.0.0.1:9/simple/x/\n  cause: error sending request for url (http://127.0.0.1:9/)\n"
    "  cause: tcp connect error\n  cause: Connection refused (os error 111)\n",
    "network (dns)": "  cause: dns error\n  cause: failed to lookup address information: x\n",
    "certificate": "error: Failed to fetch: https://x/\n  cause: error sending request for url "
    "(https://x/)\n  cause: invalid peer certificate: UnknownIssuer\n",
    "proxy": "error: Request failed after 3 retries in 11.5s\n  cause: tunnel error: failed to "
    "create underlying connection\n  cause: tcp connect error\n",
    "wheel": "error: No solution found when resolving dependencies\n  cause: Because "
    "secantusdb==0.7.0b3 has no usable wheels and you require secantusdb==0.7.0b3, we can "
    "conclude that your requirements are unsatisfiable.\n",
    "wheel (version)": "  cause: Because there is no version of secantusdb==0.7.0b3 and you "
    "require secantusdb==0.7.0b3, we can conclude that your requirements are unsatisfiable.\n",
    "disk": "error: Failed to install: numpy.whl (numpy==2.4.6)\n  cause: failed to copy file from "
    "/tmp/a to /tmp/b: No space left on device (os error 28)\n",
    "python": "error: No interpreter found for Python 3.11 in managed installations or search "
    "path\n\nhint: A managed Python download is available for Python 3.11, but uv is set to "
    "offline mode\n",
    "rights": "error: failed to create directory `/opt/course/.venv`: Permission denied "
    "(os error 13)\n",
}
OUTPUTS = [(kind, text) for table in (PIP, UV) for kind, text in table.items()]
WAY_OUT = {
    "network": "connect to the internet",
    "certificate": "PIP_CERT",
    "proxy": "HTTPS_PROXY",
    "wheel": "secantusdb==0.7.0b3",
    "disk": "free some space",
    "rights": "folder of your own",
    "path": "short path",
    "pip": "delete the folder .venv",
    "python": "install Python 3.13",
    "other": "course-install.log",
}


def is_a_sentence(text):
    return text[0].isupper() and text.endswith(".") and "\n" not in text


@pytest.mark.parametrize(("kind", "output"), OUTPUTS)
def test_every_failure_of_an_installer_is_one_sentence_with_the_way_out(kind, output):
    kind = kind.split(" ")[0]
    found, sentence = start.diagnose(output, "python3 start.py test")
    assert found == kind
    assert WAY_OUT[kind] in sentence
    assert is_a_sentence(sentence)
    assert "python3 start.py test" in sentence or kind == "wheel"


def test_no_network_names_the_offline_folder():
    sentence = start.diagnose(PIP["network"], "x")[1]
    assert "PIP_NO_INDEX" in sentence and "PIP_FIND_LINKS" in sentence


@pytest.mark.parametrize("output", [NO_MATCH.format("anthropic==2.14.0", "none"), UV["wheel"]])
def test_an_incomplete_offline_folder_is_not_called_a_platform_without_wheels(output):
    kind, sentence = start.diagnose(output, "x", offline=True)
    assert kind == "offline" and "==" in sentence and "offline folder" in sentence


def test_what_is_quoted_and_logged_never_holds_a_password(tmp_path):
    line = "ERROR: 404 for https://user:se/cr@et@pypi.example/simple/x/"
    assert "et@" not in start.redact(line) and "pypi.example" in start.redact(line)
    assert "user" not in start.diagnose(line, "x")[1]
    log = tmp_path / "log"
    command = [sys.executable, "-c", f"print({line!r})"]
    status, output = start.run_logged(command, str(log), os.environ, str(tmp_path))
    assert status == 0
    assert "user" not in output and "user" not in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("version", [(3, 11, 7), (3, 12, 1), (3, 13, 0), (3, 13, 99)])
def test_tested_pythons_are_no_problem(version):
    assert start.python_problem(version) is None


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13), (3, 14, 0), (4, 0, 0)])
def test_other_pythons_are_named_with_the_way_out(version):
    sentence = start.python_problem(version)
    assert ".".join(map(str, version)) in sentence and "https://www.python.org" in sentence
    assert ("too new" in sentence) == (version > (3, 14))
    assert is_a_sentence(sentence)
    better = start.python_problem(version, ["py -3.12", "python3.11"], ["check"])
    assert "`py -3.12 start.py check`" in better and is_a_sentence(better)


def test_start_parses_on_old_pythons_and_imports_the_standard_library_only():
    tree = ast.parse((ROOT / "start.py").read_text(encoding="utf-8"), feature_version=(3, 6))
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in top for alias in node.names}
    assert names <= sys.stdlib_module_names
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.NamedExpr | ast.Match)]


DEBIAN = (
    "The virtual environment was not created successfully because ensurepip is not\navailable.  "
    "On Debian/Ubuntu systems, you need to install the python3-venv\npackage"
)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (DEBIAN.replace("not\navailable", "not available"), "sudo apt install python3.12-venv"),
        (DEBIAN, "sudo apt install python3.12-venv"),
        ("/usr/bin/python3: No module named venv", "sudo apt install python3.12-venv"),
        ("Error: Refusing to create a venv in /a:b because it contains the PATH separator :.", ":"),
        ("Error: [Errno 28] No space left on device: '/x/.venv'", "disk is full"),
        ("Error: [Errno 13] Permission denied: '/x/.venv'", "folder of your own"),
        ("Error: Command '['ensurepip']' returned non-zero exit status 1.", "non-zero exit"),
    ],
)
def test_failures_of_venv(output, words):
    sentence = start.venv_problem(output, (3, 12, 1), "python3 start.py")
    assert words in sentence and "`python3 start.py`" in sentence and is_a_sentence(sentence)


WANTED = {"requirements": "r1", "pythons": ["3.12"], "system": "linux-x86_64", "folder": "/c/.venv"}
STAMP = {
    "requirements": "r1",
    "python": "3.12",
    "system": "linux-x86_64",
    "folder": "/c/.venv",
    "installed": {"nbval": "0.11.0"},
    "complete": True,
}
PROBE = {"python": "3.12", "installed": {"nbval": "0.11.0"}}


@pytest.mark.parametrize(
    ("present", "stamp", "probe", "action", "words"),
    [
        (True, STAMP, PROBE, "nothing", ""),
        (False, None, None, "build", ""),
        (True, None, None, "build", "half made"),
        (True, [], None, "build", "half made"),
        (True, {**STAMP, "complete": False}, PROBE, "build", "half made"),
        (True, {"complete": True}, PROBE, "build", "another system"),
        (True, {**STAMP, "system": "win32-AMD64"}, None, "build", "another system"),
        (True, {**STAMP, "folder": "/old/.venv"}, PROBE, "build", "another folder"),
        (True, {**STAMP, "python": "3.11"}, PROBE, "build", "made by Python 3.11, and this is"),
        (True, STAMP, None, "build", "does not start"),
        (True, STAMP, {**PROBE, "python": "3.13"}, "build", "does not start"),
        (True, {**STAMP, "requirements": "r0"}, PROBE, "update", "requirements.txt has changed"),
        (True, STAMP, {**PROBE, "installed": {}}, "update", "nbval 0.11.0 is missing"),
        (True, STAMP, {**PROBE, "installed": {"nbval": "0.10.0"}}, "update", "nbval 0.11.0"),
    ],
)
def test_what_to_do_about_an_environment(present, stamp, probe, action, words):
    found, why = start.needs_install(present, stamp, WANTED, probe)
    assert found == action
    assert words in why and bool(why) == bool(words)
    assert not why or is_a_sentence(why)


def test_a_python_that_does_not_fit_accepts_what_uv_made():
    wanted = start.wanted_stamp(str(ROOT), version=(3, 10, 1))
    assert wanted["pythons"] == ["3.11", "3.12", "3.13"]
    assert start.wanted_stamp(str(ROOT), version=(3, 12, 1))["pythons"] == ["3.12"]


def test_requirements_are_pins_with_a_reason():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    assert len(start.pins("\n".join(wanted))) == len(wanted)
    assert all("  # " in line for line in wanted if ";" not in line)


@pytest.mark.parametrize(
    ("system", "machine", "version", "there"),
    [
        ("linux", "x86_64", "3.11", True),
        ("linux", "aarch64", "3.13", True),
        ("darwin", "arm64", "3.12", True),
        ("win32", "AMD64", "3.12", True),
        ("darwin", "x86_64", "3.12", False),
        ("win32", "ARM64", "3.12", False),
        ("linux", "x86_64", "3.14", False),
    ],
)
def test_the_embedded_database_is_asked_for_only_where_it_has_a_wheel(
    system, machine, version, there
):
    from packaging.requirements import Requirement

    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("secantusdb"))
    marks = {"sys_platform": system, "platform_machine": machine, "python_version": version}
    assert Requirement(line).marker.evaluate(marks) is there


def test_the_settings_for_pip_hold_for_uv_too():
    env = start.uv_environ({"PIP_INDEX_URL": "https://i/", "PIP_FIND_LINKS": "/a /b"})
    assert env["UV_DEFAULT_INDEX"] == "https://i/" and env["UV_FIND_LINKS"] == "/a,/b"
    kept = start.uv_environ({"PIP_INDEX_URL": "https://i/", "UV_DEFAULT_INDEX": "https://u/"})
    assert kept["UV_DEFAULT_INDEX"] == "https://u/"
    env = start.pip_environ({"PIP_TARGET": "/x", "PIP_USER": "1", "PIP_NO_INDEX": "1"})
    assert env == {"PIP_USER": "0", "PIP_NO_INDEX": "1"}


def test_without_a_writable_home_everything_goes_to_the_data_folder(tmp_path, monkeypatch):
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    env = start.course_environ(str(tmp_path), {"JUPYTER_DATA_DIR": "/mine", "PYTHONHOME": "/x"})
    assert env["JUPYTER_DATA_DIR"] == "/mine" and "PYTHONHOME" not in env
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        assert env[name].startswith(str(tmp_path / ".course-data"))
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert "IPYTHONDIR" not in start.course_environ(str(tmp_path), {})


def test_the_data_folder_is_absolute_for_kernels_that_start_elsewhere(tmp_path):
    root = str(tmp_path)
    assert start.data_folder(root, {}) == os.path.join(root, ".course-data")
    env = start.course_environ(root, {"COURSE_DATA_DIR": "mine"})
    assert env["COURSE_DATA_DIR"] == os.path.join(root, "mine")
    assert "COURSE_DATA_DIR" not in start.course_environ(root, {})


def test_unpacking_error_numbers_of_our_own():
    assert "disk is full" in start.os_problem(OSError(28, "No space left"), "x")
    assert "may not be written" in start.os_problem(PermissionError(13, "no", "/c/.venv"), "x")
    assert start.os_problem(OSError(5, "I/O error"), "x") is None


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        ("code cell 1 (cell 2 of 9): ModuleNotFoundError: No module named 'x'", "delete the"),
        ("code cell 1 (cell 2 of 9): OSError: [Errno 28] No space left on device", "free some"),
        ("code cell 3 (cell 5 of 9): its kernel ended", "close other programs"),
        ("code cell 3 (cell 5 of 9): it ran longer than 60 s", "close other programs"),
        ("no kernel started: timeout", "127.0.0.1"),
        ("code cell 3 (cell 5 of 9): NameError: name 'x' is not defined", "start.py reset"),
    ],
)
def test_what_to_do_about_a_lesson_that_stopped(problem, words):
    assert words in start.lesson_advice(problem)


# ---------------------------------------------------------------- a small course on disk


def notebook(source):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": None}
    cell.update(outputs=[], source=source)
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def git(root, *args):
    command = [GIT, "-c", "user.name=t", "-c", "user.email=t@example.org", *args]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def course(tmp_path):
    """A course of three tiny notebooks, in a path with a space and letters beyond ASCII."""
    root = tmp_path / "Mein Kürs ñ"
    (root / "notebooks").mkdir(parents=True)
    shutil.copy(ROOT / "start.py", root)
    shutil.copy(ROOT / "requirements.txt", root)
    for name in ("00_start_here", "01_goldfish", "02_history_list"):
        (root / "notebooks" / f"{name}.ipynb").write_text(notebook("1 + 1"), encoding="utf-8")
    return root


@pytest.fixture
def cloned(course):
    if not GIT:
        pytest.skip("git is not installed")
    git(course, "init", "-q")
    git(course, "add", "-A")
    git(course, "commit", "-q", "-m", "shipped")
    return course


def run(root, *args, code=None, **env):
    """(exit code, output) of start.py in its own process, started from another folder."""
    env = {**os.environ, "COURSE_PYTHON": sys.executable, "COURSE_DATA_DIR": None, **env}
    command = [sys.executable, *(["-c", code] if code else [str(root / "start.py")]), *args]
    done = subprocess.run(
        command,
        cwd=root.parent,
        env={name: value for name, value in env.items() if value is not None},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")


def pretend(version, *args):
    return (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.version_info = {version!r}; "
        f"import start; sys.exit(start.main({list(args)!r}))"
    )


@pytest.mark.parametrize("version", [(3, 10, 13), (3, 14, 0)])
def test_a_wrong_python_gets_a_sentence(course, version):
    # no uv on this PATH, and only this Python
    folder = os.path.dirname(sys.executable) if os.name == "nt" else str(course)
    status, output = run(course, code=pretend(version, "test"), COURSE_PYTHON=None, PATH=folder)
    assert status == 1
    assert output.startswith("This course needs Python 3.11, 3.12 or 3.13, and this is")
    assert output.count("\n") == 1


def test_an_unknown_command_gets_the_list(course):
    status, output = run(course, "tset")
    assert status == 2
    assert all(name in output for name in ("'tset'", *start.COMMANDS, "--help"))
    assert output.count("\n") == 1


def test_help_names_every_command(course):
    status, output = run(course, "--help")
    assert status == 0
    assert all(f"start.py {name}" in output for name in (*start.COMMANDS, "--help"))


def test_output_survives_a_console_that_cannot_show_it(course):
    status, output = run(course, "tëst", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert status == 2 and "Traceback" not in output and "UnicodeEncodeError" not in output


def test_the_tests_exit_code_and_closing_line_are_passed_on(course):
    (course / "test_one.py").write_text("def test_one():\n    assert 0\n", encoding="utf-8")
    status, output = run(course, "test", "--", "-q", "-p", "no:cacheprovider")
    assert status == 1
    assert output.startswith("Running the tests: python -m pytest -q")
    assert "1 failed" in output.splitlines()[-1]


def test_all_tests_run_in_two_processes_and_one_failure_is_a_failure(course):
    for name, wrong in (("one", 0), ("two", 1)):
        text = f"import os\n\n\ndef test_{name}():\n    assert {1 - wrong}, os.getpid()\n"
        (course / f"test_{name}.py").write_text(text, encoding="utf-8")
    status, output = run(course, "test")
    assert status == 1
    assert output.startswith("Running the tests: python -m pytest -n 2 --dist loadfile ")
    assert "[gw" in output and "FAILED test_two.py::test_two" in output
    assert re.search(r"\b1 failed, 1 passed\b", output.splitlines()[-1])


def test_a_course_without_lessons_or_requirements_says_so(course):
    shutil.rmtree(course / "notebooks")
    status, output = run(course)
    assert status == 1 and "lesson 00 is missing" in output
    (course / "requirements.txt").unlink()
    status, output = run(course, "test", COURSE_PYTHON=None)
    assert status == 1 and "requirements.txt is missing" in output


# ---------------------------------------------------------------- the environment


@pytest.fixture
def environment(course, monkeypatch, capsys):
    """ensure_environment on `course` with an installer that makes an empty .venv at once."""
    made = []

    def make(root, venv, env, again, fresh):
        made.append(fresh)
        if fresh:
            command = [start.own_python(), "-m", "venv", "--without-pip", "--symlinks", venv]
            subprocess.run(command, check=True)

    monkeypatch.setattr(start, "make", make)
    monkeypatch.setattr(start.shutil, "which", lambda name: "/uv" if name == "uv" else None)

    def ensure():
        made.clear()
        python = start.ensure_environment(str(course), {}, "python3 start.py")
        assert Path(python).is_file()
        return list(made), capsys.readouterr().out

    return ensure


@POSIX
def test_an_environment_is_made_once_and_made_anew_when_it_is_broken(course, environment):
    venv = course / ".venv"
    stamp = venv / start.STAMP
    assert environment()[0] == [True]
    assert environment() == ([], "")

    stamp.unlink()
    made, said = environment()
    assert made == [True] and "half made" in said

    stamp.write_text('{"complete": tr', encoding="utf-8")  # a full disk, a power cut
    made, said = environment()
    assert made == [True] and "half made" in said

    (venv / "bin" / "python").unlink()
    made, said = environment()
    assert made == [True] and "does not start" in said

    with open(course / "requirements.txt", "a", encoding="utf-8") as file:
        file.write("six==1.17.0\n")
    made, said = environment()
    assert made == [False] and "requirements.txt has changed" in said
    assert environment() == ([], "")

    moved = course.parent / "moved"
    course.rename(moved)
    shutil.copytree(moved, course, symlinks=True)
    assert environment() == ([], "")  # same place: fine
    shutil.rmtree(course / ".venv")
    (moved / ".venv").rename(venv)
    data = json.loads(stamp.read_text(encoding="utf-8"))
    stamp.write_text(json.dumps({**data, "folder": "/elsewhere/.venv"}), encoding="utf-8")
    made, said = environment()
    assert made == [True] and "another folder" in said


@POSIX
def test_a_failed_install_leaves_no_stamp(course, environment, monkeypatch):
    assert environment()[0] == [True]
    with open(course / "requirements.txt", "a", encoding="utf-8") as file:
        file.write("six==1.17.0\n")

    def fail(*args, **kwargs):
        raise start.InstallFailed("No.")

    monkeypatch.setattr(start, "make", fail)
    with pytest.raises(start.InstallFailed):
        environment()
    assert not (course / ".venv" / start.STAMP).exists()


def test_a_folder_named_venv_that_is_no_environment_is_not_deleted(course):
    (course / ".venv").mkdir()
    (course / ".venv" / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(start.Problem, match="not a Python environment"):
        start.remove_environment(str(course / ".venv"))
    assert (course / ".venv" / "thesis.txt").exists()


@POSIX
def test_a_linked_environment_loses_the_link_only(course, tmp_path):
    target = tmp_path / "elsewhere"
    target.mkdir()
    (target / "pyvenv.cfg").write_text("", encoding="utf-8")
    (course / ".venv").symlink_to(target)
    start.remove_environment(str(course / ".venv"))
    assert not (course / ".venv").exists() and (target / "pyvenv.cfg").exists()


@pytest.fixture
def installers(course, monkeypatch, capsys):
    """make() with scripted installers: {word in the command: output of its failure}."""

    def install(failures, uv=True, env=None, version=sys.version_info):
        commands = []

        def run_logged(command, log, env, cwd):
            commands.append(" ".join(command))
            for word, output in failures.items():
                if word in commands[-1]:
                    return 1, output
            return 0, ""

        monkeypatch.setattr(start, "run_logged", run_logged)
        monkeypatch.setattr(start, "suitable_pythons", list)
        monkeypatch.setattr(
            start.shutil, "which", lambda name: "/bin/uv" if uv and name == "uv" else None
        )
        with monkeypatch.context() as patch:
            patch.setattr(start.sys, "version_info", version)
            problem = None
            try:
                start.make(str(course), str(course / ".venv"), env or {}, "python3 start.py", True)
            except start.Problem as error:
                problem = str(error)
        return commands, problem, capsys.readouterr().out

    return install


def test_uv_is_used_when_it_is_there(installers):
    commands, problem, said = installers({}, env={"PIP_NO_INDEX": "1"})
    assert problem is None and len(commands) == 2
    assert commands[0].startswith("/bin/uv venv") and "--no-index" in commands[1]
    assert said.count("\n") == 1


def test_without_uv_pip_installs(installers):
    commands, problem, _ = installers({}, uv=False)
    assert problem is None and "-m venv" in commands[0] and "-m pip install" in commands[1]


@pytest.mark.parametrize("step", ["uv venv", "uv pip"])
def test_pip_takes_over_when_uv_fails(installers, step):
    commands, problem, said = installers({step: UV["certificate"]})
    assert problem is None and "-m pip install" in commands[-1]
    assert 'uv did not manage it ("cause: invalid peer certificate' in said


def test_pip_does_not_try_what_a_full_disk_refused(installers):
    commands, problem, _ = installers({"uv pip": UV["disk"]})
    assert "disk is full" in problem and not any("-m pip" in command for command in commands)


def test_both_installers_failing_ends_in_pips_sentence(installers):
    _, problem, _ = installers({"uv pip": UV["network"], "-m pip": PIP["wheel"]})
    assert "no ready-made build of secantusdb==0.7.0b3" in problem


def test_uv_brings_a_python_when_this_one_does_not_fit(installers):
    old = (3, 10, 13, "final", 0)
    commands, problem, _ = installers({"--python 3.13": UV["python"]}, version=old)
    assert problem is None and "--python 3.12" in commands[1]
    _, problem, _ = installers({"uv venv": UV["python"]}, version=old)
    assert problem.startswith("The tool uv found no Python 3.11, 3.12 or 3.13")
    _, problem, _ = installers({}, uv=False, version=old)
    assert problem.startswith("This course needs Python")


def test_a_venv_that_fails_without_a_reason_on_a_full_disk_names_the_disk(installers, monkeypatch):
    monkeypatch.setattr(start, "FULL_DISK", 1 << 62)
    output = "Error: Command '['ensurepip']' returned non-zero exit status 1."
    _, problem, _ = installers({"-m venv": output}, uv=False)
    assert "disk is full" in problem


def test_two_starts_take_turns(tmp_path):
    path = tmp_path / "start.py"
    path.write_text("", encoding="utf-8")
    with open(path, "rb") as other:
        with start.one_at_a_time(str(path)):
            assert not start.try_lock(other)
        assert start.try_lock(other)


@POSIX
def test_ctrl_c_during_an_install_ends_the_installer_and_says_how_to_go_on(course):
    code = (
        "import signal\n"  # what runs in the background is born deaf to Ctrl-C
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"import sys; sys.path.insert(0, {str(course)!r}); import start\n"
        "def ensure(root, env, again):\n"
        "    code = 'import os, time; print(os.getpid(), flush=True); time.sleep(60)'\n"
        "    start.run_logged([sys.executable, '-c', code], start.ROOT + '/log', env, root)\n"
        "start.ensure_environment = ensure\n"
        "sys.exit(start.main(['test']))\n"
    )
    command = [sys.executable, "-c", code]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    log = course / "log"
    deadline = time.monotonic() + 30
    while not (log.exists() and log.read_text(encoding="utf-8").endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30)[0].decode()
    assert process.returncode == 130
    assert "run `python3 start.py test` again" in output and "Traceback" not in output
    with pytest.raises(ProcessLookupError):
        os.kill(int(log.read_text(encoding="utf-8")), 0)


# ---------------------------------------------------------------- reset


def changed_course(root):
    """The learner's doings: a changed notebook, one of their own, data."""
    (root / "notebooks" / "01_goldfish.ipynb").write_text("my work", encoding="utf-8")
    (root / "notebooks" / "mine.ipynb").write_text("all mine", encoding="utf-8")
    (root / ".course-data" / "db").mkdir(parents=True)
    (root / ".course-data" / "db" / "f").write_text("x", encoding="utf-8")


def test_reset_saves_then_restores_and_deletes_the_data(cloned):
    lesson = cloned / "notebooks" / "01_goldfish.ipynb"
    changed_course(cloned)
    (cloned / "notebooks" / "02_history_list.ipynb").unlink()
    status, output = run(cloned, "reset")
    assert status == 0, output
    assert lesson.read_text(encoding="utf-8") == notebook("1 + 1")
    assert (cloned / "notebooks" / "02_history_list.ipynb").exists()
    assert (cloned / "notebooks" / "mine.ipynb").read_text(encoding="utf-8") == "all mine"
    assert not (cloned / ".course-data").exists()
    saved = cloned / "saved-notebooks" / "01_goldfish-1.ipynb"
    assert saved.read_text(encoding="utf-8") == "my work"
    assert "Put back 2 notebooks" in output and saved.name in output

    lesson.write_text("more work", encoding="utf-8")
    assert run(cloned, "reset")[0] == 0
    assert saved.read_text(encoding="utf-8") == "my work"
    second = saved.with_name("01_goldfish-2.ipynb")
    assert second.read_text(encoding="utf-8") == "more work"
    status, output = run(cloned, "reset")
    assert status == 0 and "as shipped" in output
    assert len(list(saved.parent.glob("*.ipynb"))) == 2


def test_reset_restores_what_the_learner_has_staged(cloned):
    changed_course(cloned)
    git(cloned, "add", "notebooks")
    status, output = run(cloned, "reset")
    assert status == 0, output
    assert (cloned / "notebooks" / "01_goldfish.ipynb").read_text(encoding="utf-8") == notebook(
        "1 + 1"
    )
    assert (cloned / "notebooks" / "mine.ipynb").exists()


def test_reset_without_git_runs_the_notebooks_again_and_keeps_copies(course):
    rebuild = course / "helpers" / "rebuild.py"
    rebuild.parent.mkdir()
    rebuild.write_text(
        "open('notebooks/01_goldfish.ipynb', 'w').write('rebuilt')\n", encoding="utf-8"
    )
    changed_course(course)
    # inside somebody else's clone, the folder is still not a clone of the course
    if GIT:
        git(course.parent, "init", "-q")
        git(course.parent, "commit", "-q", "--allow-empty", "-m", "other")
    status, output = run(course, "reset")
    assert status == 0, output
    assert "not a git clone" in output
    assert (course / "notebooks" / "01_goldfish.ipynb").read_text(encoding="utf-8") == "rebuilt"
    saved = list((course / "saved-notebooks").glob("*.ipynb"))
    assert [path.name for path in saved] == ["01_goldfish-1.ipynb"]  # the others did not change
    assert saved[0].read_text(encoding="utf-8") == "my work"
    rebuild.write_text("raise SystemExit('01_goldfish: it FAILED')\n", encoding="utf-8")
    status, output = run(course, "reset")
    assert status == 1 and "01_goldfish: it FAILED" in output and "Traceback" not in output


def test_reset_refuses_folders_that_are_not_the_courses(cloned, tmp_path):
    foreign = tmp_path / "photos"
    foreign.mkdir()
    (foreign / "me.jpg").write_text("x", encoding="utf-8")
    changed_course(cloned)
    for folder in (foreign, tmp_path, cloned, cloned / "notebooks", Path(cloned.anchor)):
        status, output = run(cloned, "reset", COURSE_DATA_DIR=str(folder))
        assert status == 1 and "left alone" in output and output.count("\n") == 1
    home = tmp_path / "home"
    home.mkdir()
    (home / start.MARKER).write_text("", encoding="utf-8")
    where = {"HOME": str(home), "USERPROFILE": str(home)}
    status, output = run(cloned, "reset", COURSE_DATA_DIR=str(home), **where)
    assert status == 1 and "home folder" in output
    assert (foreign / "me.jpg").exists() and home.exists()
    assert (cloned / "notebooks" / "01_goldfish.ipynb").read_text(encoding="utf-8") == "my work"


def test_reset_deletes_a_data_folder_that_the_course_marked(cloned, tmp_path):
    data = tmp_path / "my data"
    start.mark_data_folder(str(data))
    (data / "db").mkdir()
    status, output = run(cloned, "reset", COURSE_DATA_DIR=str(data))
    assert status == 0 and not data.exists()


def test_reset_deletes_a_data_folder_of_lessons_run_without_start_py(cloned, tmp_path):
    data = tmp_path / "data"
    (data / "database").mkdir(parents=True)
    assert run(cloned, "reset", COURSE_DATA_DIR=str(data))[0] == 0
    assert not data.exists()


def test_a_data_folder_in_use_is_a_sentence(tmp_path, monkeypatch):
    def in_use(folder):
        raise OSError(39, "Directory not empty")

    monkeypatch.setattr(start.shutil, "rmtree", in_use)
    monkeypatch.setattr(start.time, "sleep", lambda seconds: None)
    with pytest.raises(start.Problem, match="close JupyterLab and run reset again"):
        start.delete_data(str(tmp_path))


def test_a_folder_with_something_in_it_is_never_marked(tmp_path):
    (tmp_path / "photo").write_text("x", encoding="utf-8")
    start.mark_data_folder(str(tmp_path))
    assert os.listdir(tmp_path) == ["photo"]


@POSIX
def test_a_linked_data_folder_is_left_alone(cloned, tmp_path):
    target = tmp_path / "elsewhere"
    start.mark_data_folder(str(target))
    (cloned / ".course-data").symlink_to(target)
    status, output = run(cloned, "reset")
    assert status == 1 and "link" in output and target.exists()


# ---------------------------------------------------------------- check


def with_helpers(root):
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "helpers", root / "helpers", ignore=ignore)
    return {path: path.read_bytes() for path in (root / "notebooks").iterdir()}


def test_check_says_that_this_machine_is_ready(course):
    before = with_helpers(course)
    status, output = run(course, "check")
    last = output.splitlines()[-1]
    assert status == 0, output
    assert last.startswith("Ready: lessons 00, 01 and 02 ran to their end")
    assert {path: path.read_bytes() for path in (course / "notebooks").iterdir()} == before


def test_check_says_which_lesson_stopped_and_what_to_do(course, monkeypatch):
    lesson = course / "notebooks" / "00_start_here.ipynb"
    lesson.write_text(notebook("import os\nos.nonsense"), encoding="utf-8")
    before = lesson.read_bytes()
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(start.Problem) as caught:
        start.run_lessons(str(course))  # what `check` runs in the environment
    sentence = str(caught.value)
    assert sentence.startswith("Not ready: 00_start_here.ipynb stopped in code cell 1")
    assert "AttributeError" in sentence and "start.py reset" in sentence
    assert "\n" not in sentence and caught.value.status == 1
    assert lesson.read_bytes() == before


def test_check_names_a_python_without_jupyter(course):
    status, output = run(course, "check", COURSE_PYTHON=str(course / "no-python"))
    assert status == 1 and output.startswith("Not ready: JupyterLab does not start")
    assert output.count("\n") == 1


def test_check_names_a_missing_lesson_before_it_installs_anything(course):
    (course / "notebooks" / "01_goldfish.ipynb").unlink()
    status, output = run(course, "check", COURSE_PYTHON=None)
    assert status == 1 and output.startswith("Not ready: The notebook of lesson 01 is missing")
    assert not (course / ".venv").exists()


# ---------------------------------------------------------------- for real


# ---------------------------------------------------------------- a workshop copy


@pytest.fixture
def workshops(course, tmp_path):
    """Two copies of a small course beside each other, made by its own command."""
    with_helpers(course)
    shutil.copy(ROOT / ".gitignore", course)
    for name in ("one", "two"):
        status, output = run(course, "workshop", str(tmp_path / "Wörk shops" / name))
        assert status == 0 and f"{name}: 3 notebooks" in output.splitlines()[0], output
    return tmp_path / "Wörk shops"


def test_a_workshop_copy_is_ready_and_resets_to_what_was_given_out(workshops):
    one, two = workshops / "one", workshops / "two"
    status, output = run(one, "check")
    assert status == 0 and output.splitlines()[-1].startswith("Ready: "), output
    lesson = one / "notebooks" / "01_goldfish.ipynb"
    given = lesson.read_bytes()
    lesson.write_text("my work", encoding="utf-8")
    (one / "notebooks" / "02_history_list.ipynb").unlink()
    (one / ".course-data" / "progress").mkdir(parents=True)
    status, output = run(one, "reset")
    assert status == 0 and "Put back 2 notebooks" in output, output
    assert lesson.read_bytes() == given and not (one / ".course-data").exists()
    saved = one / "saved-notebooks" / "01_goldfish-1.ipynb"
    assert saved.read_text(encoding="utf-8") == "my work"
    assert not (two / "saved-notebooks").exists()  # one copy is nothing to the other
    assert run(one, "reset")[1].endswith("The notebooks are as shipped. Reset is done.\n")


@pytest.mark.full
def test_a_workshop_copy_of_the_course_itself_is_ready(tmp_path):
    status, output = run(ROOT, "workshop", str(tmp_path / "copy"))
    assert status == 0, output
    status, output = run(tmp_path / "copy", "check")
    assert status == 0 and output.splitlines()[-1].startswith("Ready: "), output


def test_the_tests_of_a_workshop_copy_are_those_of_its_course(course):
    (course / start.ORIGINALS).mkdir()
    status, output = run(course, "test")
    assert (
        status == 1 and output.startswith("This is a workshop copy: ") and output.count("\n") == 1
    )


@pytest.mark.parametrize("args", [["a", "b"], ["--help"]])
def test_workshop_takes_one_folder(course, args):
    status, output = run(course, "workshop", *args)
    assert status == 2 and "takes one argument" in output and output.count("\n") == 1


@pytest.mark.full
def test_a_fresh_clone_installs_and_tests(course):
    """Needs the package index, and a minute or two."""
    (course / "test_one.py").write_text("def test_one():\n    pass\n", encoding="utf-8")
    env = {**os.environ, "COURSE_PYTHON": ""}
    env.pop("PYTHONPATH", None)  # the tests' own block of the network
    command = [sys.executable, str(course / "start.py"), "test", "-q"]
    for installs in (True, False):
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        output = done.stdout.decode("utf-8", "replace")
        assert done.returncode == 0 and "1 passed" in output.splitlines()[-1]
        assert ("Installed in" in output) == installs
