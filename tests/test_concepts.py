"""Every concept of the course is shown by a cell, asked for, and has a line for the interview."""

import html
import json
import re
from functools import cache
from pathlib import Path

import pytest

from helpers.exercises import EXERCISES
from helpers.interview.answers import filled, known_lines
from helpers.quiz import questions
from tests.concepts import CONCEPTS

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
QUIZ = {question.id: question for question in questions()}
each_concept = pytest.mark.parametrize("number", CONCEPTS)


@cache
def cells(lesson: str) -> list[dict]:
    (path,) = NOTEBOOKS.glob(f"{lesson}_*.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def written(lesson: str) -> bool:
    """Whether this lesson is there: the lab is not in every copy of the course."""
    return lesson != "lab" or bool(list(NOTEBOOKS.glob("lab_*.ipynb")))


def found(lesson: str, piece: str) -> list[dict]:
    return [cell for cell in cells(lesson) if piece in "".join(cell["source"])]


def test_all_forty_two_are_there():
    assert sorted(CONCEPTS) == list(range(1, 43))


@each_concept
def test_a_concept_is_shown_by_cells_that_are_there(number):
    concept = CONCEPTS[number]
    assert concept.about and concept.cells
    for n, (lesson, piece) in enumerate(concept.cells):
        if not written(lesson):
            continue
        here = found(lesson, piece)
        assert len(here) == 1, f"lesson {lesson}: {len(here)} cells hold {piece!r}"
        if n == 0:
            assert here[0]["cell_type"] == "code" and here[0]["execution_count"]


@each_concept
def test_a_concept_is_asked_for_by_an_exercise_or_a_question(number):
    asked = CONCEPTS[number].asked
    assert asked
    for each in asked:
        assert each in EXERCISES or each in QUIZ or not written(each.partition(".")[0]), each
        if each in QUIZ:
            assert number in QUIZ[each].concepts, f"{each} does not say that it asks for {number}"


def test_a_question_asks_for_what_the_table_says():
    for question in questions():
        for number in question.concepts:
            assert question.id in CONCEPTS[number].asked, f"{number} does not name {question.id}"


def test_every_exercise_asks_for_a_concept():
    asked = {each for concept in CONCEPTS.values() for each in concept.asked}
    known = set(EXERCISES) - {"00.2"}  # how to write a list of messages
    assert known <= asked


@each_concept
def test_a_concept_has_a_line_for_the_interview_in_lesson_14(number):
    (line,) = [line for line in known_lines() if line["concept"] == number]
    (cell,) = found("14", f'lines("{line["lesson"]}")')
    pages = ["".join(o["data"].get("text/html", "")) for o in cell["outputs"] if "data" in o]
    told = html.unescape(re.sub(r"<[^>]*>", "", " ".join(pages)))
    assert filled(line["say"]) in told, "rebuild lesson 14"
    assert line["lesson"] in CONCEPTS[number].lessons
