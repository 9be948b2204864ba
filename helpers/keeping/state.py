"""What a server's keeper writes down, and how to find the processes it names.

Shared by `keeper.py` (writes) and `lease.py` (reads).
"""

import contextlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from helpers.files import replace_text


@dataclass(frozen=True)
class State:
    """What the keeper writes down for its users, and for the keeper after it.

    Process ids come with the creation time (seconds since 1970), because ids are used again.
    """

    keeper_pid: int
    keeper_created: float
    keeper_port: int
    token: str
    server_pid: int | None = None
    server_created: float | None = None
    server_port: int | None = None


def state_file(folder: Path) -> Path:
    return folder / "keeper.json"


def log_file(folder: Path) -> Path:
    return folder / "server.log"


def keeper_lock(folder: Path) -> Path:
    """Held by the keeper for as long as it lives, so that a folder has one keeper at most."""
    return folder / "keeper.lock"


def read_state(folder: Path) -> State | None:
    """The state in `folder`; None when there is none that can be read."""
    try:
        return State(**json.loads(state_file(folder).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_state(folder: Path, state: State) -> None:
    """Replace the state in one step: a reader sees the old one or the new one."""
    replace_text(state_file(folder), json.dumps(asdict(state)))


def process(pid: int | None, created: float | None, word: str):
    """The living psutil process with that id, creation time and `word` in its command, or None."""
    import psutil

    if pid is None or created is None:
        return None
    with contextlib.suppress(psutil.Error):
        found = psutil.Process(pid)
        if (
            found.status() != psutil.STATUS_ZOMBIE
            and abs(found.create_time() - created) < 5  # a corrected clock moves it a little
            and any(word in part for part in found.cmdline())
        ):
            return found
    return None


def end(pid: int | None, created: float | None, word: str) -> None:
    """Kill the process that `process` finds, if any, and wait until it runs no more.

    Not asked first: what a server has acknowledged must be safe without that.
    """
    import psutil

    for _ in range(100):  # 5 seconds; a zombie, which nobody may ever collect, is gone too
        found = process(pid, created, word)
        if found is None:
            return
        with contextlib.suppress(psutil.Error):
            found.kill()
        time.sleep(0.05)
