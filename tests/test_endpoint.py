"""Every lesson runs to its end on another model, with its exercises solved: nothing in it rests on
the practice model's words, and every official solution is right in its place."""

import re
import tempfile
from pathlib import Path

import nbformat
import pytest

from helpers import rebuild
from tests.standin import StandIn, reworded_text
from tests.test_exercises import exercise_cells

ROOT = Path(__file__).parents[1]
DOLLARS: dict[str, float] = {}
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))


@pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)
def test_a_lesson_runs_to_its_end_on_an_endpoint(path):
    nb = nbformat.read(path, as_version=4)
    exercises = list(exercise_cells(nb))
    for exercise, _, code in exercises:
        code.source = exercise.cell(exercise.solution)
    with StandIn() as server, tempfile.TemporaryDirectory() as data:
        env = rebuild.run_conditions(data) | {
            "COURSE_BACKEND": "endpoint",
            "ANTHROPIC_BASE_URL": server.url,
        }
        try:
            rebuild.execute(nb, path.parent, env)
        finally:
            rebuild.end_processes(data)
        assert server.requests > 0
        DOLLARS[path.stem] = server.dollars
    said = "".join(o.get("text", "") for c in nb.cells for o in c.get("outputs", []))
    assert "an Anthropic-compatible server of yours" in said
    for exercise, _, code in exercises:
        assert [o.data["text/plain"] for o in code.outputs] == [f"{exercise.id} right"]


def test_a_whole_pass_costs_what_the_readme_says():
    """A chatty model may write two or three times as much as the stand-in does."""
    if len(DOLLARS) < len(LESSONS):
        pytest.skip("the lessons were not all run")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    cents = int(re.search(r"Lessons 00 to 06 together cost less than (\d+) cents", readme)[1])
    dollars = int(re.search(r"all lessons together cost less than (\d+) dollars", readme)[1])
    assert 0 < 3 * sum(cost for name, cost in DOLLARS.items() if name < "07") < cents / 100
    assert 0 < 2 * sum(DOLLARS.values()) < dollars, DOLLARS


def test_a_plan_costs_a_head_what_the_instructors_read():
    if len(DOLLARS) < len(LESSONS):
        pytest.skip("the lessons were not all run")
    text = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d\d) .*?\| (.?) \| (.?) \| (.?) \| [^|]+\|$", text, re.M)
    for column, plan in enumerate(("90 minutes", "half a day", "a day"), start=1):
        amount, unit = re.search(rf"^\* {plan}: less than (\d+) (cent|dollar)s?", text, re.M).groups()
        bound = int(amount) / (100 if unit == "cent" else 1)
        taken = [row[0] for row in rows if row[column] == "×"]
        costs = {name: price for name, price in DOLLARS.items() if name[:2] in taken}
        assert len(costs) == len(taken) >= 4
        talkative = sum(price * (3 if name < "07" else 2) for name, price in costs.items())
        assert bound / 10 < talkative < bound, (plan, talkative)


def test_there_are_lessons_to_run():
    assert [p.stem[:2] for p in LESSONS] == [f"{n:02}" for n in range(len(LESSONS))]
    assert len(LESSONS) >= 3


def test_the_stand_in_differs_as_it_says():
    assert reworded_text("Your name is Ines. The total is 12500 euros.") == (
        "Sure, here is what I can say. The total is 12,500 euros. Your name is Ines."
    )
    assert reworded_text("The code is K1037-2026.").endswith("The code is K1037-2026.")
