"""What keeps the embedded database: `python -m helpers.database_keeper FOLDER` (see `keeping/`).

The server (package `secantusdb`, GPL) is only ever run as a program, never imported.
"""

import contextlib
import re
import socket
import sys
from pathlib import Path

from helpers.keeping.keeper import Keeper, main

# The server stands still when what it must hold no longer fits: seen once with 256M, after a whole
# test suite. It takes only what it needs.
CACHE = "1G"


class DatabaseKeeper(Keeper):
    WORD = "secantus"
    LISTENING = re.compile(rb"listening on 127\.0\.0\.1:(\d+)")

    def command(self, port: int) -> list[str]:
        config = self.folder / "secantusd.toml"  # empty, and named: no other one is looked for
        config.write_text("", encoding="utf-8")
        # -P: nothing in the current folder can stand in for the package.
        command = [sys.executable, "-P", "-m", "secantus", "--config", str(config)]
        command += ["--host", "127.0.0.1", "--port", str(port), "--cache-size", CACHE]
        return [*command, "--storage-path", str(self.folder / "files")]

    def before_end(self) -> None:
        # It waits for the next connection before it looks up; so give it one.
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.state.server_port), 0.1).close()


if __name__ == "__main__":
    raise SystemExit(main(DatabaseKeeper, Path(sys.argv[1])))
