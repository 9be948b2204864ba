"""Every exercise against its stub, its solution, wrong and right answers; and the machinery."""

import ast
import concurrent.futures
import functools
import re
import tempfile
from pathlib import Path

import nbformat
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import database, exercises, rebuild
from helpers.exercises import EXERCISES, Exercise, Verdict, judge, kept, same, shown, word
from helpers.exercises.source import NOT_ATTEMPTED, NOT_YET, RIGHT

ROOT = Path(__file__).parents[1]
BOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
each_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.id)


def answer_of(exercise, code):
    """What the learner's cell would hand to `check`."""
    names = {}
    exec(exercise.needs, names)
    exec(code, names)
    return names[exercise.target]


# ---------------------------------------------------------------- each exercise, six ways


@each_exercise
def test_the_stub_is_not_attempted(exercise):
    assert judge(exercise, answer_of(exercise, exercise.stub)) == Verdict(NOT_ATTEMPTED)


@each_exercise
def test_the_solution_is_right(exercise):
    assert judge(exercise, answer_of(exercise, exercise.solution)) == Verdict(RIGHT)


@each_exercise
def test_another_right_answer_is_right(exercise):
    assert exercise.right and exercise.solution not in exercise.right
    for code in exercise.right:
        assert judge(exercise, answer_of(exercise, code)) == Verdict(RIGHT), code


@each_exercise
def test_wrong_answers_are_not_yet_and_told_why_but_not_the_answer(exercise):
    assert len(set(exercise.wrong)) >= 3
    answer = answer_of(exercise, exercise.solution)
    for code in exercise.wrong:
        verdict = judge(exercise, answer_of(exercise, code))
        assert verdict.outcome == NOT_YET and len(verdict.message) > 20, code
        assert "\n" not in verdict.message
        for line in exercise.solution.splitlines():
            stated = line.strip()
            if len(stated) > 12 and stated not in code and stated not in exercise.stub:
                assert stated not in verdict.message
        # a list of all the choices names the answer too: it is allowed when the stub has it
        if isinstance(answer, str | int) and str(answer).lower() not in exercise.stub.lower():
            own = re.sub(re.escape(shown(answer_of(exercise, code))), "", verdict.message)
            assert not re.search(rf"\b{re.escape(str(answer))}\b", own, re.IGNORECASE), own


@each_exercise
def test_an_exercise_is_well_written(exercise):
    assert re.fullmatch(r"(\d\d|lab)\.[1-4]", exercise.id) and 1 <= exercise.minutes <= 10
    for text in (exercise.task, exercise.hint, exercise.solution):
        assert text.strip() and "```" not in text and "<details" not in text
    target = exercise.target
    for code in (exercise.solution, *exercise.wrong, *exercise.right):
        assert re.search(rf"^(?:def |class |){target}\b", code, re.MULTILINE)
    ast.parse(exercise.cell())
    assert exercise.cell().startswith(exercise.stub.strip())
    assert exercise.cell().endswith(f'check("{exercise.id}", {target})')


@each_exercise
def test_no_answer_makes_a_check_raise(exercise):
    for answer in NASTY:
        verdict = judge(exercise, answer)
        assert verdict.outcome in (NOT_ATTEMPTED, NOT_YET), shown(answer)


def test_ids_are_one_series_for_each_lesson():
    by_lesson = {}
    for exercise_id in EXERCISES:
        by_lesson.setdefault(exercise_id.split(".")[0], []).append(exercise_id)
    for lesson, ids in by_lesson.items():
        assert ids == [f"{lesson}.{n}" for n in range(1, len(ids) + 1)]


def test_each_lesson_goes_from_predicting_to_writing():
    by_lesson = {}
    for exercise in EXERCISES.values():
        by_lesson.setdefault(exercise.id[:2], []).append(exercise)
    lessons = {path.name[:2] for path in BOOKS if re.match(r"\d\d_", path.name)}
    assert lessons <= set(by_lesson)
    for lesson, series in by_lesson.items():
        assert 2 <= len(series) <= 4, lesson
        first, lines = series[0].stub, [len(e.solution.split("\n")) for e in series]
        assert isinstance(ast.parse(first).body[-1], ast.Assign), f"{lesson}: nothing to predict"
        assert max(lines) >= 3, f"{lesson}: nothing to write"


# ---------------------------------------------------------------- nasty answers


class Evil:
    def __repr__(self):
        raise RuntimeError("no repr")

    def __eq__(self, other):
        raise RuntimeError("no ==")

    __hash__ = None

    def __bool__(self):
        raise RuntimeError("no bool")

    def __len__(self):
        raise RuntimeError("no len")

    def __getattr__(self, name):
        raise RuntimeError("no attributes")


class Quits:
    def __repr__(self):
        raise SystemExit

    def __eq__(self, other):
        raise SystemExit

    __hash__ = None


class EvilText(str):
    def strip(self, *args):
        raise RuntimeError("no strip")

    lower = strip


def leaves(*args, **kwargs):
    raise SystemExit(3)


def recurses(*args, **kwargs):
    return recurses(*args, **kwargs)


def bad_words(*args, **kwargs):
    class Odd(Exception):
        def __str__(self):
            raise ValueError

    raise Odd


NASTY = [
    None, True, float("nan"), -1, 10**400, "", "x" * 10_000, "\ud83d", b"x", [], {}, (), object(),
    numpy.zeros(0), numpy.arange(3), numpy.array([["a"]]), Evil(), Quits(), EvilText("x"), Evil,
    [Evil()], {"a": Quits()}, leaves, recurses, bad_words, lambda: 1, lambda *a, **k: Evil(),
    lambda *a, **k: None, lambda *a, **k: iter(()), functools.partial(leaves), len, print, type,
    NotImplemented, ..., [...], {"a": ...}, range(3), ValueError("x"), ValueError, ast, 3 + 4j,
]  # fmt: skip


def exercise_with(check, stub="answer = ..."):
    return Exercise("99.1", 1, "Task.", stub, "Hint.", "answer = 1", check, ("answer = 2",), ())


@pytest.mark.parametrize(
    "check",
    [
        lambda a: a == 1,
        lambda a: a() == 1,
        lambda a: a(1, [2]) or "no",
        lambda a: "no" if a["x"] else True,
        lambda a: a,
        lambda a: word(a) == "yes" or f"You have {a!r}.",
        lambda a: 1 / 0,
        lambda a: [][0],
    ],
)
def test_judge_raises_nothing(check):
    for answer in NASTY:
        verdict = judge(exercise_with(check), answer)
        assert isinstance(verdict, Verdict) and "\n" not in verdict.message


def test_check_shows_any_answer(capsys):
    for answer in NASTY:
        exercises.check("01.1", answer)
    assert len(capsys.readouterr().out.splitlines()) == len(NASTY)


@given(st.text() | st.integers() | st.lists(st.text()) | st.dictionaries(st.text(), st.floats()))
def test_any_plain_value_is_judged(value):
    assert judge(exercise_with(lambda a: same(a, ["only this"])), value).outcome == NOT_YET


def test_the_three_outcomes():
    def check(answer):
        return answer == 4 or f"{shown(answer)} is not the sum of 2 and 2."

    assert judge(exercise_with(check), ...) == Verdict(NOT_ATTEMPTED)
    assert judge(exercise_with(check), 5) == Verdict(NOT_YET, "5 is not the sum of 2 and 2.")
    assert judge(exercise_with(check), 4) == Verdict(RIGHT)
    assert judge(exercise_with(lambda a: False), "x") == Verdict(NOT_YET, "You have 'x'.")


STUB = '''def double(n):
    """Twice n."""
    m = n
    ...'''


def unchanged(n):
    """Another docstring than the stub's."""


def passes(n):
    pass


def not_written(n):
    raise NotImplementedError("later")


def dots(n):
    return ...


def test_a_function_that_is_not_written_is_not_attempted():
    exercise = exercise_with(lambda f: f(2) == 4 or "no", STUB)
    names = {}
    exec(STUB, names)
    for function in (names["double"], unchanged, passes, not_written, dots, lambda n: ...):
        assert judge(exercise, function) == Verdict(NOT_ATTEMPTED)
    assert judge(exercise, lambda n: n + n) == Verdict(RIGHT)
    assert judge(exercise, lambda n: n * n * n) == Verdict(NOT_YET, "no")
    assert judge(exercise, int) == Verdict(NOT_YET, "no")


def test_an_error_in_the_learners_function_is_one_line_with_the_input():
    def broken(n, key=None):
        return n[key]

    exercise = exercise_with(lambda f: f([1, 2], key=9))
    assert judge(exercise, broken) == Verdict(
        NOT_YET, "broken([1, 2], key=9) raised IndexError: list index out of range."
    )

    def careless(f):
        try:
            return f(1)
        except Exception:
            return True

    assert judge(exercise_with(careless), broken).outcome == NOT_YET


def test_a_part_that_is_not_filled_in_is_not_attempted():
    exercise = exercise_with(lambda a: True)
    for answer in ([1, ...], (..., 2), {"a": 1, "b": ...}, {...}):
        assert judge(exercise, answer) == Verdict(NOT_ATTEMPTED)
    assert judge(exercise, [[...]]) == Verdict(RIGHT)  # only the check knows what that means


def test_ctrl_c_is_not_swallowed():
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(exercise_with(stop), 1)
    with pytest.raises(KeyboardInterrupt):
        judge(exercise_with(lambda f: f()), stop)


@pytest.mark.parametrize(
    "a, b, equal",
    [
        (1, 1.0, True),
        ("a", "b", False),
        ([1, 2], [1, 2], True),
        (numpy.arange(3), [0, 1, 2], True),
        (numpy.arange(3), [0, 1, 3], False),
        (numpy.arange(3), [0, 1], False),
        (numpy.arange(3), 1, False),
        (numpy.zeros(0), [5], False),
    ],
)
def test_same(a, b, equal):
    assert same(a, b) is equal


def test_what_cannot_be_compared_is_not_the_same():
    assert same(Evil(), 1) is same(1, Evil()) is False


def test_shown():
    assert shown("a\nb") == r"'a\nb'"
    assert shown("x" * 200) == "'" + "x" * 78 + "…"
    assert shown(Evil()) == "an object of class Evil"
    assert shown(Quits()) == "an object of class Quits"


def test_word():
    assert word("  The Model. ") == "the model"
    assert word(3) == word(None) == ""


# ---------------------------------------------------------------- what is shown


def test_check_hint_and_solution_print_words(capsys):
    exercise = EXERCISES["01.1"]
    exercises.check("01.1")
    exercises.check("01.1", answer_of(exercise, exercise.solution))
    exercises.check("01.1", answer_of(exercise, exercise.wrong[0]))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "01.1 not attempted"
    assert lines[1] == "01.1 right"
    assert lines[2].startswith("01.1 not yet: ")
    exercises.hint("01.1")
    assert capsys.readouterr().out == f"01.1 hint: {exercise.hint.strip()}\n"
    exercises.solution("01.1")
    assert capsys.readouterr().out.startswith(exercise.solution.strip())


def test_an_unknown_exercise_is_one_sentence_with_the_known_ones(capsys):
    for unknown in ["1.1", "77.7", "", 1.1, None, [1], Evil()]:
        for ask in (exercises.check, exercises.hint, exercises.solution):
            assert ask(unknown) is None
            said = capsys.readouterr().out
            assert said.startswith("There is no exercise ") and said.count("\n") == 1
            assert all(known in said for known in EXERCISES)


def test_in_a_notebook_a_verdict_is_words_and_a_mark(monkeypatch):
    shown_bundles = []
    monkeypatch.setattr("helpers.show.basics.in_kernel", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown_bundles.append(data))
    exercises.check("01.1")
    exercises.check("01.1", "<b>$1 and $2</b>")
    first, second = shown_bundles
    assert first["text/plain"] == "01.1 not attempted"
    assert first["text/html"] == '<p role="status"><b>○ 01.1 not attempted</b></p>'
    assert "✗ 01.1 not yet</b>." in second["text/html"]
    assert "<b>$1" not in second["text/html"] and "style" not in second["text/html"]


# ---------------------------------------------------------------- what is solved


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A data folder of this test alone."""
    monkeypatch.setenv("COURSE_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def right(exercise_id):
    exercises.check(exercise_id, answer_of(EXERCISES[exercise_id], EXERCISES[exercise_id].solution))


def test_what_is_right_is_kept_and_nothing_else(data, capsys):
    exercises.progress()
    first = capsys.readouterr().out.splitlines()
    assert first[0] == f"Exercises solved: 0 of {len(EXERCISES)}" and not data.exists()
    right("01.1")
    right("02.1")
    right("01.1")
    exercises.check("01.3")
    exercises.check("01.2", "no")
    exercises.check("01.1", "B")  # it was right once
    capsys.readouterr()
    exercises.progress()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["Exercises", "solved:", "2", "of", str(len(EXERCISES))]
    assert ["01", "1", "of", "3", "01.1"] in lines and ["02", "1", "of", "3", "02.1"] in lines
    assert sorted(path.name for path in data.rglob("*")) == ["01.1", "02.1", "progress"]


def test_what_is_strange_in_the_folder_is_left_alone(data, capsys):
    (data / "progress" / "01.2").mkdir(parents=True)  # nobody's file; it counts
    (data / "progress" / "77.7").write_bytes(b"\xff\x00")
    (data / "progress" / "01.1").write_bytes(b"\xff\x00")
    right("01.3")
    exercises.progress()
    said = capsys.readouterr().out
    assert said.startswith("01.3 right\nExercises solved: 3 of ") and "77.7" not in said


def test_a_damaged_or_locked_folder_is_one_sentence_and_the_check_still_judges(data, capsys):
    data.mkdir()
    (data / "progress").write_text("a file where a folder belongs", encoding="utf-8")
    right("01.1")
    exercises.check("01.1", "B")
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("01.1 right: That it is solved could not be kept, because ")
    assert said[1].startswith("01.1 not yet: ") and len(said) == 2
    exercises.progress()
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Exercises solved: 0 of ")
    assert said[-1].startswith("What was solved before cannot be read ")


def test_two_notebooks_at_once_lose_nothing(data):
    ids = sorted(EXERCISES)[:12]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert set(pool.map(kept.record, ids * 3)) == {""}
    assert kept.solved(EXERCISES) == (ids, "")


def test_what_is_solved_is_kept_where_the_run_keeps_its_data():
    """In a test or a rebuild that is a folder which goes with it."""
    where = database.data_dir()
    assert "course-tests-" in str(where)
    right("01.2")
    assert (where / "progress" / "01.2").exists()
    assert rebuild.run_conditions("a folder")["COURSE_DATA_DIR"] == "a folder"


# ---------------------------------------------------------------- the notebooks


def exercise_cells(nb):
    """(exercise, its text cell, its code cell) of a notebook."""
    for text, code in zip(nb.cells, nb.cells[1:], strict=False):
        for tag in text.metadata.get("tags", []):
            if tag.startswith("exercise-"):
                yield EXERCISES[tag.removeprefix("exercise-")], text, code


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_the_notebook_says_what_the_source_says(path):
    for exercise, text, code in exercise_cells(nbformat.read(path, as_version=4)):
        assert text.source == exercise.markdown(), "run python -m helpers.rebuild"
        assert code.source == exercise.cell()
        assert [o.data["text/plain"] for o in code.outputs] == [f"{exercise.id} not attempted"]


def test_every_exercise_is_in_a_notebook():
    found = [e.id for path in BOOKS for e, _, _ in exercise_cells(nbformat.read(path, 4))]
    assert sorted(found) == sorted(EXERCISES)


@pytest.mark.full  # test_endpoint.py runs the solved notebooks too, on another model
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_a_solved_notebook_runs_to_its_end(path):
    nb = nbformat.read(path, as_version=4)
    cells = list(exercise_cells(nb))
    for exercise, _, code in cells:
        code.source = exercise.cell(exercise.solution)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data_dir:
        try:
            rebuild.execute(nb, path.parent, rebuild.run_conditions(data_dir))
        finally:
            rebuild.end_processes(data_dir)
    for exercise, _, code in cells:
        assert [o.data["text/plain"] for o in code.outputs] == [f"{exercise.id} right"]
