"""The embedded database of a data folder: its port, its end, and what to say when there is none."""

import importlib.util
import os
import platform
import sys
from pathlib import Path

from helpers import keeping

ROOT = Path(__file__).resolve().parents[1]


class DatabaseUnavailable(RuntimeError):
    """No database answers; the message is one sentence that says what to do."""

    def _render_traceback_(self) -> list[str]:  # what Jupyter shows: the sentence is enough
        return [f"DatabaseUnavailable: {self}"]


def data_dir() -> Path:
    """Where the course keeps its data: COURSE_DATA_DIR, else `.course-data` beside `helpers/`."""
    chosen = os.environ.get("COURSE_DATA_DIR", "").strip() or ".course-data"
    return ROOT / Path(chosen).expanduser()


def _folder(data: Path | str | None) -> Path:
    return Path(data_dir() if data is None else data).resolve() / "database"


def server_port(data: Path | str | None = None) -> int:
    """The port of the embedded server of a data folder (default `data_dir()`), started if need be.

    The server stays at least as long as this process. DatabaseUnavailable when it cannot start.
    """
    if importlib.util.find_spec("secantus") is None:  # looked for, not imported
        raise DatabaseUnavailable(_no_server())
    return keeping.server_port(DATABASE, _folder(data))


def stop_server(data: Path | str | None = None) -> None:
    """Stop the embedded server of a data folder for all its users, and wait until it is gone.

    Does nothing when none runs. Meant for `start.py reset`, before the files are deleted.
    """
    keeping.stop_server(DATABASE, _folder(data))


def data_dir_name() -> str:
    """The data folder as a message names it, without a path of this machine."""
    return "COURSE_DATA_DIR" if os.environ.get("COURSE_DATA_DIR", "").strip() else ".course-data"


def cannot_write(error: OSError) -> str:
    """What to do when the data folder cannot be written: a clause, to be made a sentence."""
    return (
        f"the course's data folder ({data_dir_name()}) cannot be written "
        f"({error.strerror or type(error).__name__}): free some room or make it writable, or set "
        "COURSE_DATA_DIR to another folder"
    )


def _did_not_start() -> str:
    return (
        f"The embedded database did not start: see database/server.log in {data_dir_name()}; "
        "`python3 start.py reset` deletes its files and begins anew, or set MONGODB_URI to "
        "another server."
    )


def _no_server() -> str:
    """Why the package is not there, and the way out on this machine."""
    other = "set MONGODB_URI to a MongoDB, Atlas or Azure DocumentDB server"
    if sys.version_info >= (3, 14):
        return (
            "The embedded database has no build for Python "
            f"{sys.version_info[0]}.{sys.version_info[1]}: "
            f"use Python 3.11, 3.12 or 3.13, or {other}."
        )
    if sys.platform == "darwin" and platform.machine() == "x86_64":
        return (
            "The embedded database has no build for Intel Macs (on Apple silicon: use a Python "
            f"for arm64): {other}."
        )
    return (
        "The embedded database (package secantusdb) is not installed in this Python: "
        f"run `python3 start.py` and choose the kernel of its .venv, or {other}."
    )


DATABASE = keeping.Service(
    name="database",
    keeper="helpers.database_keeper",
    server="secantus",
    error=DatabaseUnavailable,
    did_not_start=_did_not_start,
    cannot_write=lambda error: f"T{cannot_write(error)[1:]}.",
)
