"""The check that lesson 00 prints: each kind of trouble is told from the others."""

import subprocess
import sys
from pathlib import Path

import pytest

from helpers.environment import PYTHONS, first_problem, package_problems, report

ROOT = Path(__file__).parents[1]
FINE = {
    "python": (3, 12),
    "in_course_environment": True,
    "course_environment_exists": True,
    "missing": [],
}


def test_nothing_wrong():
    assert first_problem(**FINE) is None


def test_a_wrong_kernel_is_not_a_missing_package():
    wrong = first_problem(**{**FINE, "in_course_environment": False, "missing": ["anthropic"]})
    missing = first_problem(**{**FINE, "missing": ["anthropic"]})
    assert wrong.startswith("wrong kernel") and "Change Kernel" in wrong
    assert missing.startswith("missing package: anthropic") and "start.py" in missing


def test_an_environment_of_one_s_own_is_fine():
    own = {"in_course_environment": False, "course_environment_exists": False}
    assert first_problem(**{**FINE, **own}) is None


@pytest.mark.parametrize("python", [(3, 10), (3, 14), (2, 7)])
def test_another_python(python):
    assert first_problem(**{**FINE, "python": python}).startswith(f"Python {python[0]}.{python[1]}")


def test_packages_are_compared_with_their_pins():
    text = "\n".join([
        "# a comment",
        "nbval==0.11.0  # compares outputs",
        "pytest==0.0.1",
        "no-such-package==1.0",
        'gone-here==1.0; python_version < "3.0"',
    ])  # fmt: skip
    missing, other = package_problems(text)
    assert missing == ["no-such-package"]
    assert len(other) == 1 and other[0].startswith("pytest ") and "tested: 0.0.1" in other[0]


def test_the_report_shows_no_path(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    monkeypatch.setenv("MONGODB_URI", "mongodb://me:secret@example.org")
    text = report(ROOT)
    assert str(ROOT) not in text and sys.prefix not in text and "secret" not in text
    assert text.splitlines()[-1].startswith("ready ")


def test_the_report_runs_without_any_package():
    """`-I -S`: no site-packages at all, as on a machine where nothing was installed."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from pathlib import Path\n"
        f"from helpers.environment import report; print(report(Path({str(ROOT)!r})).encode())"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert "missing" in done.stdout


def test_the_pythons_are_those_of_start_py():
    assert PYTHONS == ((3, 11), (3, 12), (3, 13))
