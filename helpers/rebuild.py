"""Run the notebooks again and store their outputs in a form that stays the same.

python -m helpers.rebuild                  # every notebook of the course
python -m helpers.rebuild notebooks/02*    # some
python -m helpers.rebuild --check          # run, write nothing, exit 1 if a file would change

For authors: it also writes task, hint, solution and the untouched stub of every exercise into the
notebook, from `helpers/exercises/`, and so replaces an answer that was typed there.
"""

import argparse
import contextlib
import os
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OFFLINE = ROOT / "helpers" / "offline"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
CELL_SECONDS = 60  # a cell that runs longer has failed
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}
UNFIXED = re.compile(
    r"(ANTHROPIC|COURSE|MONGODB|IPYTHON|PYTEST)_?.*"
    r"|(HTTP|HTTPS|ALL|NO)_PROXY|MPLBACKEND|MATPLOTLIBRC|PYTHON(OPTIMIZE|WARNINGS|STARTUP|INSPECT)"
    r"|PYTHONDONTWRITEBYTECODE",  # or every kernel and process compiles the helpers anew
    re.IGNORECASE,
)


class RebuildFailed(Exception):
    """A notebook could not be run to its end; the message says which, where and why."""


def run_conditions(data_dir) -> dict[str, str]:
    """The whole environment of one run of a lesson, for tests and rebuilding alike.

    `data_dir` is a fresh folder of the caller's, who removes it. Practice model, embedded
    database, no key, no address of a server, network blocked but for this machine.
    The time zone, the locale and Python's encodings stay as they are: a lesson that depends on
    them is to be found, not helped.
    """
    env = {k: v for k, v in os.environ.items() if not UNFIXED.fullmatch(k)}
    others = [p for p in env.get("PYTHONPATH", "").split(os.pathsep) if p and p != str(OFFLINE)]
    return env | {
        "COURSE_BACKEND": "practice",
        "COURSE_DATA_DIR": str(data_dir),
        "COLUMNS": "80",
        "IPYTHONDIR": str(Path(data_dir) / "ipython"),  # not the learner's own start-up files
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join([str(OFFLINE), *others]),
    }


def end_processes(data_dir, seconds: float = 5) -> int:
    """End every process but this one whose COURSE_DATA_DIR is `data_dir`; how many there were.

    For the end of a run, when nothing but a database server can be left. Waits up to `seconds`.
    """
    import psutil

    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid():
                if process.environ().get("COURSE_DATA_DIR") == str(data_dir):
                    process.terminate()
                    found.append(process)
        except (psutil.Error, OSError):
            continue  # gone, or somebody else's
    _wait_for(found, seconds)
    for process in filter(_runs, found):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    _wait_for(found, seconds)
    return len(found)


def _wait_for(processes, seconds) -> None:
    deadline = time.monotonic() + seconds
    while any(map(_runs, processes)) and time.monotonic() < deadline:
        time.sleep(0.02)


def _runs(process) -> bool:
    """Whether a process is there and more than an entry that nobody has collected (a zombie)."""
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def execute(nb, folder, env: dict[str, str]) -> None:
    """Run notebook `nb` in place, in `folder`, in a kernel of this Python under `env`.

    RebuildFailed says which cell failed, also when an announced error did not come.
    """
    __tracebackhide__ = True  # pytest would print `env`, and with it what is no test's business
    import ipykernel.kernelspec
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellControlSignal, DeadKernelError

    class ThisPython(KernelSpecManager):
        """Whatever "python3" means on this machine, here it is the Python that runs this."""

        def get_kernel_spec(self, kernel_name):
            return KernelSpec(**ipykernel.kernelspec.get_kernel_dict())

    class Manager(AsyncKernelManager):
        def __init__(self, **kwargs):
            connection = str(Path(env["COURSE_DATA_DIR"]) / "kernel.json")
            super().__init__(kernel_spec_manager=ThisPython(), connection_file=connection, **kwargs)

    client = NotebookClient(
        nb,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        kernel_manager_class=Manager,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    started = {}
    client.on_cell_execute = lambda cell, cell_index: started.update(at=cell_index)
    try:
        with open(Path(env["COURSE_DATA_DIR"]) / "kernel.log", "w", encoding="utf-8") as log:
            client.execute(env=env, stderr=log)  # what the kernel itself says is nobody's output
    except (CellControlSignal, DeadKernelError, RuntimeError, TimeoutError, OSError) as error:
        raise RebuildFailed(_where(nb, started.get("at"), error)) from None
    for n, cell in enumerate(nb.cells):
        announced = "raises-exception" in cell.metadata.get("tags", [])
        if announced and not any(o.output_type == "error" for o in cell.get("outputs", [])):
            raise RebuildFailed(
                _where(nb, n, "it announces an error (raises-exception), none came")
            )


def _where(nb, n, error) -> str:
    """Which cell failed, in up to three lines: cell `n` (from 0) of `nb`."""
    if hasattr(error, "ename"):
        why = f"{error.ename}: {_one_line(error.evalue)}"
    elif type(error).__name__ == "CellTimeoutError":
        why = f"it ran longer than {CELL_SECONDS} s"
    elif type(error).__name__ == "DeadKernelError":
        why = "its kernel ended"
    else:
        why = _one_line(str(error))
    if n is None:
        return f"no kernel started: {why}"
    lines = [line for line in nb.cells[n].source.splitlines() if line.strip()]
    number = sum(c.cell_type == "code" for c in nb.cells[: n + 1])
    return f"code cell {number} (cell {n + 1} of {len(nb.cells)}): {why}\n    {lines[0]}"


def _one_line(text, limit=300):
    line = " ".join(str(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def tidy(nb):
    """`nb` without what differs between two runs, machines or front ends; cell ids stay."""
    import nbformat

    nb.metadata = nbformat.from_dict(METADATA)
    for cell in nb.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        for out in cell.get("outputs", []):
            out.get("data", {}).pop(WIDGET_VIEW, None)
            if out.output_type == "error":
                out.traceback = _short_traceback(out.traceback)
        if "outputs" in cell:
            differs = "nbval-ignore-output" in (tags or [])  # from machine to machine: not stored
            cell.outputs = [] if differs else [o for o in cell.outputs if o.get("data", True)]
    return nb


def _short_traceback(traceback):
    """Frames in cells and the error itself: no colours, no files of this machine."""
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", part) for part in traceback]
    return [part for part in plain if not re.match(r"\s*File\b", part)]


def fold_exercises(nb) -> None:
    """Write the exercises into `nb`: text into each Markdown cell tagged `exercise-NN.N`, stub and
    check into the next cell, which is code and tagged `exercise`. RebuildFailed if one is missing.
    """
    from helpers.exercises import EXERCISES

    for n, cell in enumerate(nb.cells):
        for tag in cell.metadata.get("tags", []):
            if not tag.startswith("exercise-"):
                continue
            exercise = EXERCISES.get(tag.removeprefix("exercise-"))
            if exercise is None:
                raise RebuildFailed(f"cell {n + 1} is tagged {tag}: helpers/exercises/ has none")
            after = nb.cells[n + 1] if n + 1 < len(nb.cells) else None
            if after is None or "exercise" not in after.metadata.get("tags", []):
                raise RebuildFailed(f"the cell after {tag} is to be code, tagged `exercise`")
            cell.source, after.source = exercise.markdown(), exercise.cell()


@dataclass(frozen=True)
class Result:
    """What came of one notebook: its new text, or why there is none; seconds it took."""

    path: Path
    text: str | None
    changed: bool
    problem: str
    seconds: float


def rebuild(path: Path) -> Result:
    """Fold, run and tidy the notebook at `path`, in a fresh data folder; writes nothing."""
    import nbformat

    start = time.monotonic()
    text, changed, problem = None, False, ""
    try:
        before = path.read_text(encoding="utf-8")
        nb = nbformat.reads(before, as_version=4)
        fold_exercises(nb)
        with tempfile.TemporaryDirectory(
            prefix="course-rebuild-", ignore_cleanup_errors=True
        ) as data_dir:
            try:
                execute(nb, path.parent, run_conditions(data_dir))
            finally:
                end_processes(data_dir)
        text = nbformat.writes(tidy(nb)) + "\n"
        changed = text != before
    except RebuildFailed as error:
        problem = str(error)
    except (OSError, ValueError, nbformat.ValidationError) as error:
        problem = f"cannot be read as a notebook: {type(error).__name__}: {_one_line(error)}"
    return Result(path, text, changed, problem, time.monotonic() - start)


def main(argv=None) -> int:
    """The command; exit code 0 (done, or with --check nothing to do) or 1."""
    parser = argparse.ArgumentParser(prog="python -m helpers.rebuild", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 on a change")
    parser.add_argument("-j", type=int, default=2, metavar="N", help="notebooks at a time")
    args = parser.parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console without · or → prints an escape instead
            stream.reconfigure(errors="backslashreplace")
    paths = [p.resolve() for p in args.paths] or sorted((ROOT / "notebooks").glob("*.ipynb"))
    bad = False
    with ThreadPoolExecutor(max(1, args.j)) as pool:
        for result in pool.map(rebuild, paths):
            said = "FAILED" if result.problem else "changed" if result.changed else "same"
            print(f"{result.path.name:32} {result.seconds:5.1f} s  {said}", flush=True)
            if result.problem:
                print(f"{result.path.name}: {result.problem}", file=sys.stderr, flush=True)
            elif result.changed and not args.check:
                result.path.write_text(result.text, encoding="utf-8", newline="\n")
            bad |= bool(result.problem) or (args.check and result.changed)
    return int(bad)


if __name__ == "__main__":
    here = str(ROOT / "helpers")
    sys.path = [str(ROOT), *(p for p in sys.path if p != here)]  # also as a plain script
    sys.exit(main())
