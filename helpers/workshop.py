"""A copy of the course for a workshop: without outputs and answers, so that nothing is given away.

python -m helpers.workshop [FOLDER]        (or: python3 start.py workshop [FOLDER])

Hints and solutions stay where they are, folded. The copy is complete: its own start.py makes its
own environment and keeps its own data, so several copies can stand side by side.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from .database import data_dir
from .rebuild import ROOT, RebuildFailed, fold_exercises, tidy

ORIGINALS = ".workshop"  # in the copy: the notebooks as they were given out, for `start.py reset`
LEFT_OUT = (".git", ".env*", ORIGINALS)  # and what .gitignore names: it belongs to one machine


class NoCopy(Exception):
    """Why no copy was made and what to do, in one sentence."""


def make(folder: Path, root: Path = ROOT) -> int:
    """Copy the course at `root` to `folder`, which is new or empty; how many notebooks it has.

    All of it or nothing: an interrupted copy leaves no half course. NoCopy: the folder holds
    something, lies inside the course or cannot be written.
    """
    folder = folder.resolve()
    if folder == root or root in folder.parents:
        raise NoCopy(f"{folder} lies inside the course: name a folder beside it.")
    try:
        if folder.exists() and any(folder.iterdir()):
            raise NoCopy(f"{folder} is not empty, and nothing is overwritten: name a new folder.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as making:
            copy = Path(making) / "course"
            shutil.copytree(root, copy, ignore=_ignored(root))
            books = sorted((copy / "notebooks").glob("*.ipynb"))
            for path in books:
                path.write_text(_cleared(path), encoding="utf-8", newline="\n")
            shutil.copytree(copy / "notebooks", copy / ORIGINALS)
            if folder.exists():
                folder.rmdir()
            copy.rename(folder)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise NoCopy(f"{folder} could not be made ({why}): name another folder.") from error
    return len(books)


def _ignored(root: Path):
    """What `shutil.copytree` leaves out."""
    lines = (root / ".gitignore").read_text(encoding="utf-8").split()
    by_name = shutil.ignore_patterns(*LEFT_OUT, *(line.rstrip("/") for line in lines))
    data = data_dir().resolve()

    def ignored(folder: str, names: list[str]) -> set[str]:
        return by_name(folder, names) | {n for n in names if Path(folder, n).resolve() == data}

    return ignored


def _cleared(path: Path) -> str:
    """The text of a notebook without outputs, and with the untouched stub in every exercise."""
    import nbformat

    try:
        nb = nbformat.read(path, as_version=4)
        fold_exercises(nb)
    except (RebuildFailed, ValueError) as error:
        raise NoCopy(
            f"{path.name} cannot be copied ({error}): `start.py reset` puts it back."
        ) from None
    for cell in tidy(nb).cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return nbformat.writes(nb) + "\n"


def main(argv=None) -> int:
    """The command; exit code 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=ROOT.with_name(f"{ROOT.name}-workshop"),
        help="the folder to make, new or empty (default: NAME-workshop beside the course)",
    )
    folder = parser.parse_args(argv).folder
    try:
        count = make(folder)
    except NoCopy as problem:
        print(f"No copy was made: {problem}")
        return 1
    print(f"Made {folder.resolve()}: {count} notebooks without outputs and answers.")
    print("Whoever gets this folder opens a terminal in it and types `python3 start.py`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
