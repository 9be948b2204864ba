"""A workshop copy: what is in it, what is not, and where none is made."""

import importlib
import json
import shutil
from pathlib import Path

import nbformat
import pytest

from helpers import rebuild, workshop
from helpers.exercises import EXERCISES
from helpers.workshop import ORIGINALS, NoCopy, make

LESSON = "01_goldfish.ipynb"


@pytest.fixture
def course(tmp_path):
    """A course of one real lesson, and what lies about in a folder that is used."""
    root = tmp_path / "course"
    (root / "notebooks").mkdir(parents=True)
    shutil.copy(rebuild.ROOT / "notebooks" / LESSON, root / "notebooks")
    shutil.copy(rebuild.ROOT / ".gitignore", root)
    for name in (".git/config", ".venv/x", ".course-data/progress/01.1", "saved-notebooks/a.ipynb"):
        write(root / name, "mine")
    for name in ("helpers/a.py", "helpers/__pycache__/a.pyc", ".env", ".env.local", "README.md"):
        write(root / name, "text")
    return root


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_what_is_copied_and_what_stays(course, tmp_path):
    copy = tmp_path / "far" / "away"
    assert make(copy, course) == 1
    assert files(copy) == [
        ".gitignore", f"{ORIGINALS}/{LESSON}", "README.md", "helpers/a.py", f"notebooks/{LESSON}",
    ]  # fmt: skip
    assert [path.name for path in copy.parent.iterdir()] == ["away"]  # nothing half made beside it
    given = (copy / ORIGINALS / LESSON).read_bytes()
    assert given == (copy / "notebooks" / LESSON).read_bytes() and b"\r" not in given


def test_a_data_folder_of_another_name_stays(course, tmp_path, monkeypatch):
    write(course / "my data" / "progress" / "01.1", "")
    monkeypatch.setenv("COURSE_DATA_DIR", str(course / "my data"))
    make(tmp_path / "copy", course)
    assert not (tmp_path / "copy" / "my data").exists()


def test_outputs_and_answers_are_gone_and_hints_are_folded(course, tmp_path):
    path = course / "notebooks" / LESSON
    before = nbformat.read(path, as_version=4)
    for cell in before.cells:
        if "exercise" in cell.metadata.get("tags", []):
            cell.source = 'answer = "AC"\ncheck("01.1", answer)'
    before.metadata["widgets"] = {"state": {}}
    nbformat.write(before, path)
    make(tmp_path / "copy", course)
    nb = nbformat.read(tmp_path / "copy" / "notebooks" / LESSON, as_version=4)
    nbformat.validate(nb)
    assert dict(nb.metadata) == rebuild.METADATA
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code)
    stubs = [cell.source for cell in code if "exercise" in cell.metadata.get("tags", [])]
    assert stubs == [EXERCISES[f"01.{n}"].cell() for n in range(1, len(stubs) + 1)]
    text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    assert text.count("<details><summary>Solution</summary>") == len(stubs)
    assert [cell.source for cell in nb.cells if cell.cell_type == "markdown"] == [
        cell.source for cell in before.cells if cell.cell_type == "markdown"
    ]


def test_nothing_is_overwritten(course, tmp_path):
    taken = tmp_path / "taken"
    write(taken / "mine.txt", "mine")
    file = tmp_path / "file"
    write(file, "a file")
    for folder, why in ((taken, "is not empty"), (file, "could not be made")):
        with pytest.raises(NoCopy, match=why):
            make(folder, course)
    assert files(taken) == ["mine.txt"] and file.read_text(encoding="utf-8") == "a file"
    (tmp_path / "empty").mkdir()
    assert make(tmp_path / "empty", course) == 1


@pytest.mark.parametrize("inside", [".", "copy", "notebooks/copy"])
def test_no_copy_inside_the_course(course, inside):
    before = files(course)
    with pytest.raises(NoCopy, match="inside the course"):
        make(course / inside, course)
    assert files(course) == before


def test_a_damaged_notebook_is_named_and_no_half_copy_is_left(course, tmp_path):
    write(course / "notebooks" / "02_broken.ipynb", "{")
    with pytest.raises(NoCopy, match="02_broken.ipynb cannot be copied"):
        make(tmp_path / "copy", course)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course"]


def test_a_copy_of_a_copy_gives_out_the_same(course, tmp_path):
    make(tmp_path / "one", course)
    make(tmp_path / "two", tmp_path / "one")
    assert files(tmp_path / "one") == files(tmp_path / "two")
    for name in files(tmp_path / "one"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_command_ends_with_a_sentence(course, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(workshop, "make", lambda folder: make(folder, course))
    assert workshop.main([str(tmp_path / "copy")]) == 0
    assert "1 notebooks without outputs and answers" in capsys.readouterr().out
    assert workshop.main([str(tmp_path / "copy")]) == 1
    said = capsys.readouterr().out
    assert said.startswith("No copy was made: ") and said.count("\n") == 1


def test_start_py_knows_a_copy_by_the_same_folder():
    assert importlib.import_module("start").ORIGINALS == ORIGINALS


def test_the_notebook_is_written_as_nbformat_writes_it(course, tmp_path):
    make(tmp_path / "copy", course)
    text = (tmp_path / "copy" / "notebooks" / LESSON).read_text(encoding="utf-8")
    assert text == nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"
    assert json.loads(text)["nbformat"] == 4
