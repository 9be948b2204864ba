"""INSTRUCTORS.md: its minutes, plans and pointers are those of the lessons."""

import importlib
import re
from pathlib import Path

import nbformat
import pytest

from helpers import minutes, site

start = importlib.import_module("start")  # start.py, beside helpers/
ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
LESSONS = site.lessons(ROOT)
PLANS = {"90 minutes": 90, "Half a day": 240, "A day": 480}  # minutes in all, breaks included


def rows(*, cells: int) -> list[list[str]]:
    """The rows of the table with so many columns, without its head."""
    found = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in TEXT.splitlines()
        if line.startswith("| ") and line.count("|") == cells + 1
    ]
    return found[1:]


def linked(cell: str) -> Path:
    return ROOT / re.search(r"\]\((notebooks/[^)]+)\)", cell)[1]


def headings_and_exercises(path: Path) -> set[str]:
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    return set(re.findall(r"^## (.+)$|^\*\*Exercise (\S+)\*\*", text, re.M)) | {("", "")}


def test_every_lesson_has_its_row_with_the_minutes_it_says():
    said = {linked(row[0]).name: int(row[1]) for row in rows(cells=6)}
    for lesson in LESSONS:
        if lesson.number.isdigit() or lesson.path.name in said:
            assert said.get(lesson.path.name) == lesson.minutes, lesson.path.name


def test_the_readme_says_the_same_minutes():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| \S+ \| \[[^]]+\]\(notebooks/([^)]+)\) \| (\d+) \|", readme, re.M)
    said = dict(found)
    assert len(said) >= 13
    for lesson in LESSONS:
        if lesson.path.name in said:
            assert int(said[lesson.path.name]) == lesson.minutes, lesson.path.name


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_adds_up(plan):
    column = 2 + list(PLANS).index(plan)
    total = sum(int(row[1]) for row in rows(cells=6) if row[column] == "×")
    (line,) = re.findall(rf"^\* \*\*{plan}\*\*.*$", TEXT, re.M)
    assert f"{total} minutes of lessons" in line
    rest = int(re.search(r"(\d+) for questions", line)[1])
    rest += sum(int(n) for n in re.findall(r"a break of (\d+)", line))
    rest += sum(2 * int(n) for n in re.findall(r"two breaks of (\d+)", line))
    rest += 60 * line.count("an hour for lunch")
    assert total + rest == PLANS[plan]


def test_what_may_be_skipped_is_there():
    for row in rows(cells=6):
        known = {name for pair in headings_and_exercises(linked(row[0])) for name in pair}
        named = re.findall(r"\*([^*]+)\*", row[5]) + re.findall(r"\b\d\d\.\d\b", row[5])
        assert set(named) <= known, f"{row[0]}: {set(named) - known}"


def test_every_answer_points_to_its_proof():
    table = [row for row in rows(cells=3) if "](notebooks/" in row[2]]
    assert len(table) >= 12
    for _, answer, proof in table:
        known = {name for pair in headings_and_exercises(linked(proof)) for name in pair}
        assert answer and set(re.findall(r"\*([^*]+)\*", proof)) <= known, proof


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_a_lesson_takes_about_as_long_as_it_says(lesson):
    """Reading and exercises; the time that cells run is under a minute, and not taken here."""
    took = minutes.time_of(lesson.path)
    assert took.said == lesson.minutes
    if lesson.number in ("14", "lab"):  # own answers aloud; a model that takes its time
        assert took.total <= lesson.minutes
    else:
        assert 0.6 * took.said <= took.total <= 1.3 * took.said + 3, took


def test_the_minutes_of_a_notebook(tmp_path):
    cells = [
        nbformat.v4.new_markdown_cell("# A\n\nAbout 7 minutes.\n\n" + "word " * 196),
        nbformat.v4.new_markdown_cell("**Exercise 01.1** (5 minutes). <details>not read</details>"),
    ]
    path = tmp_path / "01_a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    took = minutes.time_of(path)
    assert (took.exercises, took.said, took.words) == (5, 7, 200 + 4)
    assert took.total == pytest.approx(5 + 204 / 200)


def test_the_commands_are_those_of_the_course():
    used = set(re.findall(r"start\.py (\w+)", TEXT))
    assert used and used <= set(start.COMMANDS)
    for name in re.findall(r"\b(COURSE_[A-Z]+)\b", TEXT):
        sources = [ROOT / "helpers" / "backends.py", ROOT / "start.py"]
        assert any(name in path.read_text(encoding="utf-8") for path in sources), name
