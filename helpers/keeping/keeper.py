"""The keeper: a small process that holds one server of ours while somebody uses it.

Every process that uses the server keeps one TCP connection to the keeper, its *lease*. The
operating system closes that connection however the process ends, so the keeper always knows its
users: with the last one gone it stops the server and ends. It starts the server again, on the
same port, when that dies under its users.

`lease.py` is the users' side and starts the keeper: `python -m MODULE FOLDER`, where MODULE holds
a `Keeper` that says which server, and calls `main`.

The protocol, one line each: the user sends `lease TOKEN` or `stop TOKEN`; the keeper answers
`hello TOKEN` at once and `ready PORT` when the server answers, later `stopped` when somebody
asked it to stop, or `failed` when the server does not start. TOKEN stands in the state file, so
that neither side can mistake a stranger on a reused port for the other.
"""

import contextlib
import os
import random
import re
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from helpers.keeping import state as notes

GRACE = 1.5  # seconds without a user, then the end (the next notebook of a series comes sooner)
START_DEADLINE = 60.0  # seconds for one start of a server (about 1.5 on a quiet machine)
START_TRIES = 4  # the first half on the port that the users know
# Below the ports that systems give to outgoing connections: while the server is down, none of
# those can take its port.
PORTS = range(20_000, 32_000)


class Keeper:
    """One keeper of one folder; `run` returns when it is no longer needed. A subclass says what
    it keeps."""

    WORD: str  # stands in the server's command line, and in no stranger's
    LISTENING: re.Pattern[bytes]  # what the server says in its log when it answers; group 1: port

    def command(self, port: int) -> list[str]:
        """How to start the server on a port of 127.0.0.1."""
        raise NotImplementedError

    def before_end(self) -> None:
        """What helps the server to notice that it was asked to end; called until it has."""

    def __init__(self, folder: Path):
        import psutil

        self.folder = folder
        self.users: dict[socket.socket, bool] = {}  # lease -> was it told the server's port?
        self.strangers: dict[socket.socket, float] = {}  # connected, said nothing yet: since when
        self.server: subprocess.Popen | None = None
        self.ready = False
        self.tries = 0
        self.started = self.idle_since = self.state_seen = time.monotonic()
        self.next_start = 0.0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)
        before = notes.read_state(folder)
        if before:  # the server of a keeper that was killed still holds the files
            notes.end(before.server_pid, before.server_created, self.WORD)
        self.state = notes.State(
            keeper_pid=os.getpid(),
            keeper_created=psutil.Process().create_time(),
            keeper_port=self.listener.getsockname()[1],
            token=secrets.token_hex(16),
            server_port=before.server_port if before else None,
        )
        notes.write_state(folder, self.state)
        log = notes.log_file(folder)
        if log.exists() and log.stat().st_size > 1_000_000:
            os.truncate(log, 0)
        log.touch()

    def run(self) -> None:
        last_word = None
        while last_word is None:
            try:
                last_word = self._round()
            except OSError as problem:  # no room on the disk, or the folder is gone
                print(f"keeper: {problem}", file=sys.stderr, flush=True)  # into server.log
                last_word = "failed"
        self.listener.close()  # from now on nobody gets a lease here
        for user in self.users:
            _send(user, last_word)
        self.stop_server()

    def _round(self) -> str | None:
        """Wait for something to happen and see to it; the last word when this is the end."""
        starting = self.users and not self.ready
        for key, _ in self.selector.select(timeout=0.05 if starting else 0.25):
            if key.fileobj is self.listener:
                self._accept()
            elif self._read(key.fileobj) == "stop":
                return "stopped"
        return self._look_around() or (self._tend() if self.users else None)

    # Users

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self.listener.accept()
            connection.settimeout(1.0)
            self.strangers[connection] = time.monotonic()
            self.selector.register(connection, selectors.EVENT_READ)

    def _read(self, connection: socket.socket) -> str | None:
        """Take what one connection says; returns "stop" if it says so."""
        try:
            text = connection.recv(200).decode("ascii", "replace")
        except OSError:
            text = ""
        if connection in self.strangers and text:
            del self.strangers[connection]
            word, _, token = text.strip().partition(" ")
            if secrets.compare_digest(token.encode(), self.state.token.encode()):
                _send(connection, f"hello {self.state.token}")
                if word == "stop":
                    return "stop"  # left open: its end tells the asker that we are gone
                self.users[connection] = False
                self._tell_port()
                return None
        elif text:
            return None  # a user has nothing more to say
        self._drop(connection)
        return None

    def _drop(self, connection: socket.socket) -> None:
        self.selector.unregister(connection)
        connection.close()
        self.strangers.pop(connection, None)
        if self.users.pop(connection, None) is not None and not self.users:
            self.idle_since = time.monotonic()

    def _tell_port(self) -> None:
        if self.ready:
            for user in [user for user, told in self.users.items() if not told]:
                self.users[user] = True
                _send(user, f"ready {self.state.server_port}")

    def _look_around(self) -> str | None:
        """Is there still a reason to be here? If not, the last word for those who listen."""
        now = time.monotonic()
        for stranger in [s for s, since in self.strangers.items() if now - since > 3]:
            self._drop(stranger)
        if not self.users and now - self.idle_since > GRACE:
            return "stopped"
        if now - self.state_seen > 0.5:
            self.state_seen = now
            state = notes.read_state(self.folder)
            if state is None or state.token != self.state.token:
                return "stopped"  # the folder was deleted under us
        return None

    # The server

    def _tend(self) -> str | None:
        """Start the server, notice that it is ready, start it again when it died."""
        now = time.monotonic()
        if self.server is None:
            if now >= self.next_start:
                self._start_server()
        elif self.server.poll() is not None:
            if self.ready:
                self.tries = 0
            self.server, self.ready = None, False
            self.users = dict.fromkeys(self.users, False)
            self.next_start = now + 0.3 * self.tries
            if self.tries >= START_TRIES:
                return "failed"
        elif not self.ready:
            port = self._listening_port()
            if port is not None:
                self.ready = True
                self._tell_port()
            elif now - self.started > START_DEADLINE:
                self.server.kill()
        return None

    def _start_server(self) -> None:
        import psutil

        self.tries += 1
        port = self.state.server_port
        if port is None or self.tries > START_TRIES // 2:
            port = next(p for p in random.sample(PORTS, len(PORTS)) if _is_free(p))
        elif not _is_free(port):
            self.next_start = time.monotonic() + 0.3 * self.tries
            return
        log = notes.log_file(self.folder)
        self.log_start = log.stat().st_size
        self.started = time.monotonic()
        with open(log, "ab") as out:
            self.server = subprocess.Popen(
                self.command(port),
                stdin=subprocess.PIPE,  # its end, seen by a server that looks: the keeper is gone
                stdout=out,
                stderr=out,
                preexec_fn=_die_with_parent if sys.platform == "linux" else None,
            )
        with contextlib.suppress(psutil.Error):
            self.state = replace(
                self.state,
                server_pid=self.server.pid,
                server_created=psutil.Process(self.server.pid).create_time(),
                server_port=port,
            )
        notes.write_state(self.folder, self.state)

    def _listening_port(self) -> int | None:
        """The port on which our own server says in its log that it listens.

        A connection would prove less: a stranger could hold the port while ours still starts.
        """
        with open(notes.log_file(self.folder), "rb") as log:
            log.seek(self.log_start)
            found = self.LISTENING.search(log.read())
        return int(found[1]) if found else None

    def stop_server(self) -> None:
        if self.server is None or self.server.poll() is not None:
            return
        self.server.terminate()
        for _ in range(20):  # 2 seconds
            self.before_end()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.server.wait(0.1)
                return
        self.server.kill()  # what it has acknowledged must be safe without a farewell
        self.server.wait()


def _send(connection: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):  # gone: its end is read in the next round
        connection.sendall(line.encode("ascii") + b"\n")


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
        return True
    except OSError:
        return False


def _die_with_parent() -> None:
    """Linux: the server ends with the keeper, even when that is killed."""
    import ctypes

    ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # 1: PR_SET_PDEATHSIG


def main(kind: type[Keeper], folder: Path) -> int:
    """Keep the server of `folder` until it is no longer needed; the exit code."""
    import filelock

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C at the terminal is meant for others
    try:
        # A keeper on its way out holds the lock until its server has let go of the files.
        with filelock.FileLock(notes.keeper_lock(folder), timeout=20):
            keeper = kind(folder)
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
            try:
                keeper.run()
            finally:
                keeper.stop_server()
    except (filelock.Timeout, OSError) as problem:
        print(f"keeper: {problem}", file=sys.stderr, flush=True)  # into server.log
        return 1
    return 0
