"""The quiz: its questions as they are written, how an answer is judged, and what is shown."""

import html
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from helpers import rebuild
from helpers.quiz import Option, Question, Quiz, questions, quiz

ROOT = Path(__file__).parents[1]
BOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
each_question = pytest.mark.parametrize("question", questions(), ids=lambda q: q.id)


# ---------------------------------------------------------------- the questions


def test_there_are_at_least_forty_and_some_for_every_lesson():
    assert len(questions()) >= 40
    written = {path.name.split("_")[0] for path in BOOKS}
    assert {question.lesson for question in questions()} | {"14", "lab"} == written | {"lab"}


def test_ids_are_one_series_for_each_lesson_in_the_order_of_the_lessons():
    lessons = list(dict.fromkeys(q.lesson for q in questions()))
    assert lessons == sorted(lessons)
    for lesson in lessons:
        ids = [q.id for q in questions(lesson)]
        assert ids == [f"{lesson}.q{n}" for n in range(1, len(ids) + 1)]


def test_no_question_is_asked_twice():
    asked = [question.ask.lower() for question in questions()]
    assert len(set(asked)) == len(asked)


@each_question
def test_a_question_is_well_formed(question):
    assert 3 <= len(question.options) <= 6
    assert question.right and len(question.right) < len(question.options)
    assert question.concepts and set(question.concepts) <= set(range(1, 43))
    assert question.ask.strip() == question.ask and question.ask[-1] in "?."
    told = "Choose all" in question.ask
    assert told == question.several, "whether several are right has to be said"


@each_question
def test_every_option_is_explained_and_none_is_repeated(question):
    texts = [option.text for option in question.options]
    reasons = [option.because for option in question.options]
    assert len({text.lower().strip(" .") for text in texts}) == len(texts)
    assert len(set(reasons)) == len(reasons)
    for option in question.options:
        assert option.text == option.text.strip() and option.text
        assert len(option.because) >= 20 and option.because[-1] in ".?!"
        assert option.because.lower().strip(" .") != option.text.lower().strip(" .")
        assert not re.search(r"\b(all|none) of (the|these)( above)?$", option.text, re.I)


def longest_is_right(asked) -> float:
    """The share of questions in which the longest option is a right one."""
    found = [max(q.options, key=lambda option: len(option.text)).right for q in asked]
    return sum(found) / len(found)


def test_the_length_of_an_option_does_not_give_the_answer_away():
    assert longest_is_right(questions()) <= 0.4
    shortest = [min(q.options, key=lambda option: len(option.text)).right for q in questions()]
    assert sum(shortest) / len(shortest) <= 0.5


def test_right_answers_are_spread_over_the_places():
    one = [min(q.right) for q in questions() if not q.several]
    assert all(0.15 <= one.count(letter) / len(one) <= 0.35 for letter in "ABCD"), Counter(one)
    assert len({frozenset(q.right) for q in questions() if q.several}) >= 4


NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")


def said_in(path) -> set[str]:
    """Every number that stands in the text, the code or the outputs of a notebook."""
    told = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        told.append("".join(cell["source"]))
        for out in cell.get("outputs", []):
            told.append("".join(out.get("text", "")) + out.get("evalue", ""))
            told += ["".join(v) for k, v in out.get("data", {}).items() if k == "text/plain"]
    return set(NUMBER.findall("\n".join(told)))


def figures_of(question) -> set[str]:
    """The numbers that a question states: asked, in a right option, or in an explanation."""
    told = [question.ask, *(option.because for option in question.options)]
    told += [option.text for option in question.options if option.right]
    plain = re.sub(r"\blessons? \d\d\b", "", "\n".join(told))
    return set(NUMBER.findall(plain))


@each_question
def test_its_figures_are_those_of_its_lesson(question):
    found = list((ROOT / "notebooks").glob(f"{question.lesson}_*.ipynb"))
    assert figures_of(question) <= set().union(*map(said_in, found))


def test_the_check_of_figures_itself():
    made = Question(
        id="01.q1",
        concepts=(1,),
        ask="What of lesson 03 is 1,830,000?",
        options=(
            Option(text="It costs 7.32.", right=True, because="Read 30 of them."),
            Option(text="It costs 9.99.", right=False, because="No, not at 4."),
        ),
    )
    assert figures_of(made) == {"1,830,000", "7.32", "30", "4"}


def test_a_question_that_is_misspelled_is_refused():
    with pytest.raises(ValidationError):
        Option(text="a", right=True, becuase="b")


# ---------------------------------------------------------------- judging


def made(*right, options=4):
    texts = [f"option {n}" for n in range(options)]
    return Question(
        id="99.q1",
        concepts=(1,),
        ask="Which `one`?",
        options=tuple(
            Option(text=text, right=n in right, because=f"because {n}")
            for n, text in enumerate(texts)
        ),
    )


@pytest.mark.parametrize(
    "right, chosen, is_right, said",
    [
        ((1,), "B", True, "Right."),
        ((1,), "", False, "Choose an option first."),
        ((1,), "Z", False, "Choose an option first."),
        ((1,), "A", False, "Not yet: look again at A."),
        ((0, 2), "AC", True, "Right."),
        ((0, 2), ["C", "A"], True, "Right."),
        ((0, 2), "A", False, "Not yet: what you chose is right, and it is not all."),
        ((0, 2), "ABCD", False, "Not yet: look again at B, D."),
    ],
)
def test_judging(right, chosen, is_right, said):
    assert made(*right).judge(chosen) == (is_right, said)


@each_question
def test_a_wrong_choice_is_not_told_the_answer(question):
    for letter, option in question.lettered.items():
        said = Quiz((question,)).check([letter])
        if not option.right:
            assert all(question.lettered[k].because not in said for k in question.right)


# ---------------------------------------------------------------- the box


def test_a_quiz_remembers_what_was_chosen_and_solved():
    box = Quiz((made(1), made(0, 2).model_copy(update={"id": "99.q2"})))
    assert "look again at A" in box.check("A") and not box.solved
    assert "because 0" in box.check("A") and "because 1" not in box.check("A")
    said = box.check("B")
    assert "✓ Right." in said and all(f"because {n}" in said for n in range(4))
    box.move(1)
    assert box.question.id == "99.q2" and "Question 2 of 2" in box.heading()
    assert "1 answered right" in box.heading()
    box.move(1)
    assert box.at == 1
    box.move(-5)
    assert box.at == 0 and box.chosen["99.q1"] == {"B"}


def test_the_widget_is_used_by_buttons_and_boxes():
    box = Quiz((made(1), made(0, 2).model_copy(update={"id": "99.q2"})))
    head, options, buttons, said = box.widget().children
    check, back, forward = buttons.children
    assert back.disabled and not forward.disabled and "Question 1 of 2" in head.value
    check.click()
    assert "Choose an option first." in said.value and "role='status'" in said.value
    options.children[1].value = True
    check.click()
    assert "Right." in said.value and "1 answered right" in head.value
    forward.click()
    assert "Question 2 of 2" in head.value and "Right." not in said.value
    for n in (0, 2):
        options.children[n].value = True
    check.click()
    assert "Right." in said.value and "2 answered right" in head.value
    back.click()
    assert [o.value for o in options.children] == [False, True, False, False]  # still there
    assert [b.tooltip for b in buttons.children] and forward.disabled is False


def test_where_one_is_right_ticking_one_unticks_the_others():
    box = Quiz((made(1), made(0, 2).model_copy(update={"id": "99.q2"})))
    head, options, buttons, said = box.widget().children
    assert "One answer." in head.value
    check, _, forward = buttons.children
    for n in (0, 3, 1):
        options.children[n].value = True
        assert [o.value for o in options.children] == [k == n for k in range(4)]
    options.children[1].value = False  # and it can be taken back
    assert not any(o.value for o in options.children)
    options.children[3].value = True
    check.click()
    assert "look again at D" in said.value and box.chosen["99.q1"] == {"D"}
    forward.click()
    assert "One answer." not in head.value
    for n in (0, 2):
        options.children[n].value = True
    assert [o.value for o in options.children] == [True, False, True, False]


@each_question
def test_no_control_needs_the_arrow_keys(question):
    """JupyterLab keeps them: a list or a radio group cannot be worked by keyboard there."""
    head, options, buttons, _ = Quiz((question,)).widget().children
    assert {type(o).__name__ for o in options.children} == {"Checkbox"}
    assert {type(b).__name__ for b in buttons.children} == {"Button"}
    assert ("One answer." in head.value) is not question.several


def test_what_is_typed_in_a_question_is_text_in_the_page():
    odd = made(1).model_copy(update={"ask": "Is <b>1 < 2</b> for $1 and $2 in `x < y`?"})
    page = Quiz((odd,)).html()
    assert "<b>1" not in page and "<code>x &lt; y</code>" in page and "$1 and $2" not in page


def test_it_reads_without_a_kernel(capsys):
    quiz("01")
    said = capsys.readouterr().out
    assert said.startswith("[interactive] a quiz, 3 questions\n01.q1 ")
    assert said.count("\n  A  ") == 3 and "Answers: 01.q1 " in said


def test_in_a_notebook_there_is_a_widget_and_its_twin(monkeypatch):
    bundles = []
    monkeypatch.setattr("helpers.show.basics.in_kernel", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, **_: bundles.append(data))
    quiz("03")
    (bundle,) = bundles
    assert rebuild.WIDGET_VIEW in bundle
    page = bundle["text/html"]
    assert page.count("<details><summary>Answer to 03.q") == len(questions("03"))
    told = html.unescape(re.sub(r"<[^>]*>", "", page))
    for question in questions("03"):
        assert page.count(f"<b>{question.id}</b>") == 1
        for option in question.options:
            for text in (option.text, option.because):
                assert re.sub(r"[`*]", "", text) in told


def test_a_lesson_without_questions_is_one_sentence():
    with pytest.raises(ValueError, match="there are no questions for lesson '77'"):
        quiz("77")


def test_lesson_14_shows_every_quiz():
    nb = (ROOT / "notebooks" / "14_interview_walkthrough.ipynb").read_text(encoding="utf-8")
    cells = ["".join(cell["source"]) for cell in json.loads(nb)["cells"]]
    shown = re.findall(r"^quiz\(\"(\w+)\"\)$", "\n".join(cells), re.MULTILINE)
    assert shown == list(dict.fromkeys(q.lesson for q in questions()))
