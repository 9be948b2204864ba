"""What runs the course elsewhere: GitHub's workflow, Codespaces, Binder, Colab, .ci/run.

The services themselves cannot be tried here; that their files say what the README says, can.
"""

import importlib
import itertools
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

start = importlib.import_module("start")  # start.py, beside helpers/
ROOT = Path(__file__).parents[1]
PYTHONS = [start.dotted(version) for version in start.SUPPORTED]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def workflow():
    yaml = importlib.import_module("yaml")  # of jupyter_events, which JupyterLab cannot be without
    return yaml.load(read(".github/workflows/course.yml"), Loader=yaml.BaseLoader)  # all as text


def test_the_workflow_runs_the_commands_of_the_readme_and_nothing_else(workflow):
    (job,) = workflow["jobs"].values()
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == ["python3 start.py check", "python3 start.py test"]
    readme = read("README.md")
    assert "\n```\npython3 start.py test\n```\n" in readme
    assert "| `python3 start.py check` |" in readme
    assert job["env"] == {"CI": "false"}  # the browser's tests are skipped, no other is


def test_the_workflow_covers_every_system_and_python(workflow):
    (job,) = workflow["jobs"].values()
    matrix = job["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert [name.split("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    used = json.dumps([job["runs-on"], job["steps"]])
    assert "${{ matrix.os }}" in used and "${{ matrix.python }}" in used


def test_the_workflow_runs_on_each_push_and_monthly(workflow):
    assert "push" in workflow["on"]
    (times,) = workflow["on"]["schedule"]
    minute, hour, day, month, weekday = times["cron"].split()
    assert minute.isdigit() and hour.isdigit()
    assert (day, month, weekday) == ("1", "*", "*")
    assert workflow["permissions"] == {"contents": "read"}


def test_codespaces_starts_as_the_readme_says():
    lines = read(".devcontainer/devcontainer.json").splitlines()
    found = json.loads("\n".join(line for line in lines if not line.strip().startswith("//")))
    assert found["postCreateCommand"] == "python3 start.py check"
    assert found["image"].split(":")[-1] in PYTHONS
    settings = found["customizations"]["vscode"]["settings"]
    assert settings["python.defaultInterpreterPath"].endswith("/.venv/bin/python")


def test_binder_takes_a_python_of_the_course():
    assert read("runtime.txt").strip().removeprefix("python-") in PYTHONS
    assert not (ROOT / "binder").exists() and not (ROOT / ".binder").exists()  # it would win


def test_the_cell_for_colab_names_what_is_there():
    cell = re.search(r"```\n(!git clone .*?)```", read("README.md"), re.S)[1]
    paths = re.findall(r"/content/course(?:/(\S+))?", cell)
    assert paths == ["", "requirements.txt", "notebooks"]
    assert all((ROOT / path).exists() for path in paths)


@pytest.mark.skipif(os.name == "nt", reason="a script for bash")
def test_ci_run_is_a_script_that_bash_accepts():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    done = subprocess.run(["bash", "-n", str(script)], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "requirements-browser.txt" in read(".ci/run") and "export CI=true" in read(".ci/run")
    assert read(".ci/run").strip().endswith('python3 start.py test "$@"')


def test_everything_that_is_installed_is_pinned_with_a_reason():
    for path, line in itertools.chain.from_iterable(
        ((path, line) for line in path.read_text(encoding="utf-8").splitlines())
        for path in ROOT.glob("requirements*.txt")
    ):
        if line.strip() and not line.startswith(("#", "--only-binary")):
            assert re.match(r"[\w.-]+==[\w.]+( ;.*)?( +# \S.*)?$", line), f"{path.name}: {line}"
    assert list(start.pins(read("requirements-browser.txt"))) == ["playwright"]
