"""Is this machine ready? Standard library only: this must run where the packages are missing."""

import importlib.metadata
import os
import platform
import re
import sys
from pathlib import Path

PYTHONS = ((3, 11), (3, 12), (3, 13))  # those that the course is tested with
START = "run `python3 start.py` (Windows: `py start.py`) in the course folder"


def report(root: Path) -> str:
    """Lines to read and to paste into a bug report; the last says what to do. No path, no key.

    root: the course folder, which holds `requirements.txt` and, once installed, `.venv`.
    """
    missing, other = package_problems((root / "requirements.txt").read_text(encoding="utf-8"))
    problem = first_problem(
        python=sys.version_info[:2],
        in_course_environment=_same(sys.prefix, root / ".venv"),
        course_environment_exists=(root / ".venv").is_dir(),
        missing=missing,
    )
    lines = [
        f"system    {platform.system()} {platform.release()} {platform.machine()}",
        f"python    {platform.python_version()} ({platform.python_implementation()})",
        f"kernel    {_kernel(root)}",
        f"packages  {_packages(missing, other)}",
        f"backend   {os.environ.get('COURSE_BACKEND') or 'practice'}",
        f"database  {'the one MONGODB_URI names' if os.environ.get('MONGODB_URI') else 'embedded'}",
        f"ready     {'yes' if problem is None else f'no: {problem}'}",
    ]
    return "\n".join(lines)


def first_problem(
    *,
    python: tuple[int, int],
    in_course_environment: bool,
    course_environment_exists: bool,
    missing: list[str],
) -> str | None:
    """What stands in the way and what to do about it, in one sentence; None if nothing does."""
    if missing and course_environment_exists and not in_course_environment:
        return (
            "wrong kernel: this notebook runs on another Python than the one in .venv. Choose "
            f"Kernel → Change Kernel → Python 3 in a JupyterLab opened by start.py: {START}"
        )
    if python not in PYTHONS:
        return f"Python {python[0]}.{python[1]} is not one of 3.11, 3.12, 3.13: {START} with one of them"
    if missing:
        return f"missing package: {', '.join(missing)}. The Python is right: {START}, which installs it"
    return None


def package_problems(requirements: str) -> tuple[list[str], list[str]]:
    """Names that `requirements` (the file's text) pins: those missing here, those of another version."""
    missing, other = [], []
    for line in requirements.splitlines():
        pin = re.match(r"([A-Za-z0-9._-]+)==([^\s;#]+)\s*(?:;\s*([^#]+))?", line)
        if not pin or not _applies(pin[3]):
            continue
        try:
            found = importlib.metadata.version(pin[1])
        except importlib.metadata.PackageNotFoundError:
            missing.append(pin[1])
            continue
        if found != pin[2]:
            other.append(f"{pin[1]} {found} (tested: {pin[2]})")
    return missing, other


def _applies(marker: str | None) -> bool:
    """Does a requirement with this environment marker apply here?"""
    if not marker:
        return True
    try:
        from packaging.markers import Marker
    except ImportError:  # then much else is missing too
        return False
    return Marker(marker.strip()).evaluate()


def _same(a: str | Path, b: str | Path) -> bool:
    return Path(a).resolve() == Path(b).resolve()


def _kernel(root: Path) -> str:
    if _same(sys.prefix, root / ".venv"):
        return "the course's own environment (.venv)"
    return (
        "another environment than .venv" if (root / ".venv").is_dir() else "an environment of yours"
    )


def _packages(missing: list[str], other: list[str]) -> str:
    if not missing and not other:
        return "all there, as tested"
    parts = [f"missing: {', '.join(missing)}"] if missing else []
    return "; ".join([*parts, *other])
