"""The local model: a small real one, in a server that all kernels share and that ends with them.

The packages come with `python3 start.py local` (`packages.py`); `server.py` runs them, in a process
of its own; `keeper.py` looks after it as `keeping/` does after any server.
"""

from pathlib import Path

from ..backend_errors import BackendError
from ..database_lease import cannot_write, data_dir, data_dir_name
from ..keeping import Service
from ..keeping import server_port as kept_port
from ..keeping import stop_server as stop_kept
from .packages import model_file, problem
from .server import threads

__all__ = ["data_dir", "model_file", "problem", "server_port", "stop_server", "threads"]


def _folder(data: Path | str | None) -> Path:
    return Path(data_dir() if data is None else data).resolve() / "local"


def server_port(data: Path | str | None = None) -> int:
    """The port of the local model's server of a data folder, started if need be.

    The server stays at least as long as this process. BackendError when it cannot start.
    """
    if why := problem():
        raise BackendError(why)
    return kept_port(LOCAL, _folder(data))


def stop_server(data: Path | str | None = None) -> None:
    """Stop it for all its users and wait until it is gone; none running is fine."""
    stop_kept(LOCAL, _folder(data))


def _did_not_start() -> str:
    return (
        f"the local model did not start{_last_words()}: see local/server.log in {data_dir_name()}, "
        "or use connect('practice')"
    )


def _last_words() -> str:
    """What its log says last of an error, in one short line."""
    try:
        lines = (_folder(None) / "server.log").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    words = [w for w in lines.splitlines()[-200:] if "error" in w.lower() or " E " in w]
    return f" ({' '.join(words[-1].split())[-120:]})" if words else ""


LOCAL = Service(
    name="local model",
    keeper="helpers.local.keeper",
    server="helpers.local",
    error=BackendError,
    did_not_start=_did_not_start,
    cannot_write=cannot_write,
)
