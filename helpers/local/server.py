"""The local model's server: llama.cpp in this process, until it is told to end.

By hand, for connect('endpoint') as with any other server:  python -m helpers.local 8123
"""

import contextlib
import importlib
import os
import socket
import sys
import threading
from pathlib import Path

from ..models import LOCAL_MODEL, LOCAL_WINDOW

READY = "local model answers at http://127.0.0.1:"


def threads(cores: int | None = None) -> int:
    """Threads that compute: half of the cores, and one at least.

    llama.cpp's threads wait for each other by spinning. On two cores that had other work as well
    two threads were ten times slower than one.
    """
    return max(1, (cores or os.cpu_count() or 1) // 2)


def serve(port: int, model: Path, until_closed=None) -> None:
    """Serve the file `model` on 127.0.0.1 until `until_closed` (a stream) ends, or for ever.

    Prints one line when it answers. RuntimeError if the file is no model.
    """
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {LOCAL_MODEL}  # or each reply would name the file, path and all
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel = LOCAL_WINDOW, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads()
    params.sampling.temp = 0  # the likeliest word each time, unless a request wants otherwise
    params.cache_ram_mib = 512  # for earlier prompts; llama.cpp would take 8 GB
    params.ui = False
    server = xllamacpp.Server(params)
    print(READY + server.listening_address.rpartition(":")[2], flush=True)
    if until_closed is None:
        threading.Event().wait()
    with contextlib.suppress(OSError):
        until_closed.read()
    os._exit(0)  # at once, whatever it computes: nobody waits for it any more


def main(args: list[str]) -> int:
    """`PORT`, and `--keeper MODEL` from the keeper; exit code."""
    from .packages import model_file, problem

    kept = args[1:2] == ["--keeper"]
    if not kept and (why := problem()):
        print(why, file=sys.stderr)
        return 1
    if not args or not args[0].isdecimal() or not 0 < int(args[0]) < 65_536:
        print("say on which port: python -m helpers.local 8123", file=sys.stderr)
        return 2
    port = int(args[0])
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        print(f"port {port} is taken or not allowed: choose another", file=sys.stderr)
        return 1
    with contextlib.suppress(KeyboardInterrupt):
        serve(port, Path(args[2]) if kept else model_file(), sys.stdin if kept else None)
    return 0
