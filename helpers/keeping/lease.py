"""Leases on a server that this machine's processes share: get one, give everybody's back.

`server_port(service, folder)` finds the keeper of a folder or starts one (see `keeper.py`) and
holds one connection to it for as long as this process lives. Should the keeper be killed, a
background thread gets a new lease, and with it the server comes back on the same port.
"""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from helpers.keeping import state as notes

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 90.0  # seconds until a server that does not start is given up
NOT_FOR_THE_SERVER = ("ANTHROPIC_", "MONGODB_URI", "SECANTUS")  # keys, and switches that weaken it


@dataclass(frozen=True)
class Service:
    """One kind of server, as its users see it."""

    name: str
    keeper: str  # the module that is run to keep it
    server: str  # a word of the server's command line, and of no stranger's
    error: type[Exception]  # raised with one of the next two
    did_not_start: Callable[[], str]
    cannot_write: Callable[[OSError], str]  # the folder


class _Refused(Exception):
    """This keeper gives no lease: it is gone, going, or not ours."""


class Lease:
    """This process's lease of one folder's server."""

    def __init__(self, service: Service, folder: Path):
        self.service, self.folder = service, folder
        self.connection: socket.socket | None = None
        self.children: list[subprocess.Popen] = []  # keepers we started: to be reaped
        self.changed = threading.Condition()
        self.port: int | None = None  # of the server; None while we wait for it
        self.over = self.failed = False
        self._acquire()
        threading.Thread(target=self._watch, name=f"{service.name} lease", daemon=True).start()

    def wait(self) -> int | None:
        """The server's port, as soon as it answers; None when the lease is over."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.port or self.over, timeout=PATIENCE):
                self.failed = True
            return None if self.over else self.port

    def _acquire(self) -> None:
        """Connect to the folder's keeper; start one if there is none."""
        import filelock

        problem = None
        try:
            with contextlib.suppress(_Refused):
                self.connection = _ask(self.folder, "lease")
                return
            self.folder.mkdir(parents=True, exist_ok=True)
            # One starter at a time. The lock is let go as soon as there is a lease; the
            # server's own start is waited for outside.
            with filelock.FileLock(self.folder / "start.lock", timeout=PATIENCE):
                self.connection = self._ask_or_start()
        except filelock.Timeout:
            self.connection = None
        except OSError as error:
            problem = self.service.cannot_write(error)
        if problem or self.connection is None:
            raise self.service.error(problem or self.service.did_not_start())

    def _ask_or_start(self) -> socket.socket | None:
        child, starts, deadline = None, 0, time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(_Refused):
                return _ask(self.folder, "lease")
            if child is None or child.poll() is not None:
                if starts == 3:
                    break
                child, starts = _start_keeper(self.service, self.folder), starts + 1
                self.children.append(child)
            time.sleep(0.03)
        return None

    def _watch(self) -> None:
        """Background: read what the keeper says; when it was killed, get another one."""
        with contextlib.suppress(Exception):  # nothing may appear in a notebook from here
            while self._listen():
                with self.changed:
                    self.port = None
                self._reap()
                self._acquire()
        with self.changed:
            self.over = True
            self.changed.notify_all()
        self._reap(patience=5)

    def _listen(self) -> bool:
        """Read until the connection ends; was that a death (True) or a farewell (False)?"""
        text, connection = "", self.connection
        while True:
            try:
                heard = connection.recv(200)
            except OSError:
                heard = b""
            if not heard:
                connection.close()
                return not self.over
            *lines, text = (text + heard.decode("ascii", "replace")).split("\n")
            for word, _, rest in (line.partition(" ") for line in lines):
                with self.changed:
                    if word == "ready":
                        self.port = int(rest)
                    elif word in ("stopped", "failed"):
                        self.over, self.failed = True, word == "failed"
                    self.changed.notify_all()

    def _reap(self, patience: float = 0.2) -> None:
        """Collect the keepers that have ended, so that no zombie of ours stays."""
        deadline = time.monotonic() + patience
        while self.children and time.monotonic() < deadline:
            self.children = [child for child in self.children if child.poll() is None]
            time.sleep(0.02)


_leases: dict[Path, Lease] = {}
_lock = threading.Lock()


def server_port(service: Service, folder: Path) -> int:
    """The port of the server that keeps its files in `folder` (absolute), started if need be.

    The server stays at least as long as this process. `service.error` when it cannot start.
    """
    for _ in range(3):  # again if somebody stopped the server just now
        with _lock:
            lease = _leases.get(folder)
            if lease is None or lease.over:
                if not _leases and hasattr(os, "register_at_fork"):
                    os.register_at_fork(after_in_child=_forget)
                lease = _leases[folder] = Lease(service, folder)
        port = lease.wait()
        if port:
            return port
        if lease.failed:
            break
    raise service.error(service.did_not_start())


def stop_server(service: Service, folder: Path) -> None:
    """Stop the server of `folder` for all its users, and wait until it is gone; none is fine."""
    import filelock

    if not folder.is_dir():
        return
    with contextlib.suppress(_Refused, OSError):
        with _ask(folder, "stop") as connection:
            connection.settimeout(10)
            while connection.recv(200):  # ends when the keeper has ended
                pass
    with _lock:
        if folder in _leases:
            _leases.pop(folder).over = True
    state = notes.read_state(folder)
    lock = filelock.FileLock(notes.keeper_lock(folder))
    with contextlib.suppress(OSError):
        try:
            lock.acquire(timeout=5)
        except filelock.Timeout:  # it hangs
            _end_keeper(service, state)
            lock.acquire(timeout=5)
        try:
            # Without its lock a keeper has done its work and is as good as gone, unless it was
            # killed and left its server behind.
            _end_keeper(service, state)
            if state:
                notes.end(state.server_pid, state.server_created, service.server)
        finally:
            lock.release()


def _end_keeper(service: Service, state: notes.State | None) -> None:
    if state:
        notes.end(state.keeper_pid, state.keeper_created, service.keeper)


def _ask(folder: Path, word: str) -> socket.socket:
    """Say `word` to the folder's keeper; the open connection once it has greeted back."""
    state = notes.read_state(folder)
    if state is None:
        raise _Refused
    try:
        connection = socket.create_connection(("127.0.0.1", state.keeper_port), timeout=2)
    except OSError:
        raise _Refused from None
    try:
        connection.sendall(f"{word} {state.token}\n".encode("ascii"))
        expected = f"hello {state.token}\n".encode("ascii")
        heard = b""
        while len(heard) < len(expected):
            part = connection.recv(len(expected) - len(heard))
            if not part:
                raise _Refused
            heard += part
        if heard != expected:
            raise _Refused
        connection.settimeout(None)
        return connection
    except (OSError, _Refused):
        connection.close()
        raise _Refused from None


def _start_keeper(service: Service, folder: Path) -> subprocess.Popen:
    """Start a keeper that outlives us, whatever happens to this process or its terminal."""
    command = [sys.executable, "-m", service.keeper, str(folder)]
    with open(notes.log_file(folder), "ab") as log:
        settings = {
            "cwd": ROOT,
            "env": keeper_environment(),
            "stdin": subprocess.DEVNULL,
            "stdout": log,
        }
        if sys.platform != "win32":
            return subprocess.Popen(command, stderr=log, start_new_session=True, **settings)
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        try:  # out of the job that ends with Jupyter, where that is allowed
            breakaway = flags | subprocess.CREATE_BREAKAWAY_FROM_JOB
            return subprocess.Popen(command, stderr=log, creationflags=breakaway, **settings)
        except OSError:
            return subprocess.Popen(command, stderr=log, creationflags=flags, **settings)


def keeper_environment() -> dict[str, str]:
    """The environment of a keeper and its server: ours without keys."""
    env = {k: v for k, v in os.environ.items() if not k.upper().startswith(NOT_FOR_THE_SERVER)}
    paths = [str(ROOT), env.get("PYTHONPATH", "")]
    env["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    env["PYTHONUTF8"] = "1"
    return env


def _forget() -> None:
    """In a forked child: the lease is the parent's. Closing our copy of it ends nothing there."""
    global _lock
    _lock = threading.Lock()
    for lease in _leases.values():
        lease.connection.close()
    _leases.clear()
