"""The interview: figures that the lessons print, answers made of them, and the page to print."""

import dataclasses
import json
import re
import subprocess
from pathlib import Path

import pytest

from helpers import interview, rebuild
from helpers.interview import AnswerBox, Figure, figures, number
from helpers.interview.answers import answers, filled, filled_html, known_lines, named
from helpers.interview.figures import SOURCES, FigureGone, read_again
from helpers.interview.summary import FILE, TEMPLATE, page
from tests import browser
from tests.test_quiz import NUMBER, said_in

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "14_interview_walkthrough.ipynb"
TEXTS = {f"answer {key}": "\n".join(of["answer"]) for key, of in answers().items()}
TEXTS |= {f"line {line['concept']}": line["say"] for line in known_lines()}
each_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize("name", figures())
def test_a_figure_is_what_its_lesson_prints(name):
    figure = figures()[name]
    assert read_again(figure) == figure, "run python -m helpers.interview, then rebuild lesson 14"


def test_a_figure_names_its_source_and_is_used():
    used = set(named("\n".join(TEXTS.values()) + TEMPLATE.read_text(encoding="utf-8")))
    asked = set(re.findall(r"number\(\"(\w+)\"\)|\"(clear_\w+)\":", code_of(NOTEBOOK)))
    used |= {name for pair in asked for name in pair if name}
    assert used == set(figures())
    assert {figure.by for figure in figures().values()} <= set(SOURCES)


def code_of(path) -> str:
    nb = json.loads(path.read_text(encoding="utf-8"))
    return "\n".join("".join(c["source"]) for c in nb["cells"] if c["cell_type"] == "code")


def test_the_section_of_a_figure_is_a_heading_of_its_lesson():
    for figure in figures().values():
        nb = json.loads((ROOT / "notebooks" / figure.notebook).read_text(encoding="utf-8"))
        text = "\n".join("".join(c["source"]) for c in nb["cells"] if c["cell_type"] == "markdown")
        assert re.search(rf"^#+ {re.escape(figure.section)}$", text, re.MULTILINE), figure.name


def test_a_figure_that_is_gone_is_named():
    gone = Figure("gone", "03", "no lesson prints (this)", "formula")
    with pytest.raises(FigureGone, match="gone: nothing in the outputs of lesson 03"):
        read_again(gone)
    with pytest.raises(FigureGone, match="no notebook of lesson '77'"):
        read_again(dataclasses.replace(gone, lesson="77"))


def test_a_figure_as_a_number():
    assert number("step_30") == 119_000 and number("clear_10") == 0.838


# ---------------------------------------------------------------- texts


@each_text
def test_a_text_that_uses_the_practice_model_or_the_small_one_says_so(text):
    for source in ("practice model", "small real model"):
        key = {"practice model": "practice", "small real model": "small model"}[source]
        if any(figures()[name].by == key for name in named(text)):
            assert source in text


@each_text
def test_every_other_number_in_a_text_stands_in_a_lesson_that_it_uses(text):
    bare = set(NUMBER.findall(re.sub(r"\{\w+\}", "", text)))
    lessons = {figures()[name].notebook for name in named(text)}
    said = set().union(*(said_in(ROOT / "notebooks" / name) for name in lessons))
    assert bare <= said


@each_text
def test_a_text_is_filled(text):
    assert not re.search(r"[{}]|\*\*|`", filled(text))
    html = filled_html(text)
    assert "{" not in html and "**" not in html
    assert html.count("<a href=") == len(re.findall(r"\{\w+\}", text))


def test_there_is_one_line_for_each_concept():
    assert sorted(line["concept"] for line in known_lines()) == list(range(1, 43))
    for line in known_lines():
        assert line["asked"] and set(line["asked"]) <= set(answers())
        assert set(line) == {"concept", "about", "lesson", "asked", "say"}


def test_the_six_questions_are_asked_in_lesson_14():
    code = code_of(NOTEBOOK)
    for key, of in answers().items():
        assert code.count(f'answer_box("{key}")') == code.count(f'model_answer("{key}")') == 1
        assert of["answer"] and of["asked"].endswith("?")
    assert list(answers()) == ["window", "structured", "memory", "risks", "bigger", "volunteer"]


def test_the_answer_about_long_term_memory_has_six_parts():
    for n, word in enumerate(("One", "Two", "Three", "Four", "Five", "Six")):
        assert f"**{word}: " in answers()["memory"]["answer"][n]


def test_a_model_answer_is_folded_and_names_its_sources(monkeypatch):
    bundles = []
    monkeypatch.setattr("helpers.show.basics.in_kernel", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, **_: bundles.append(data))
    interview.model_answer("volunteer")
    interview.lines("08")
    said, lines = bundles
    assert said["text/html"].startswith("<details><summary><b>A model answer</b></summary>")
    assert 'href="08_context_editing.ipynb#When-to-clear"' in said["text/html"]
    assert "a formula and list prices" in said["text/html"]
    assert figures()["clear_10"].value in said["text/plain"]
    assert 'href="08_context_editing.ipynb#When-to-clear"' in lines["text/html"]


def test_an_unknown_question_or_lesson_is_refused():
    with pytest.raises(KeyError):
        interview.model_answer("weather")
    with pytest.raises(ValueError, match="no line for lesson '77'"):
        interview.lines("77")


# ---------------------------------------------------------------- the reader's own answer


def test_what_was_typed_is_still_there_when_the_cell_runs_again(monkeypatch):
    monkeypatch.setattr("helpers.interview.box._TYPED", {})
    _, field, said = AnswerBox("window").widget().children
    assert field.value == "" and "0 words" in said.value
    field.value = "In <b>layers</b>."
    assert "2 words" in said.value and "role='status'" in said.value
    assert AnswerBox("window").widget().children[1].value == "In <b>layers</b>."
    assert AnswerBox("risks").widget().children[1].value == ""


def test_a_box_has_a_twin_that_holds_nothing_of_the_reader(monkeypatch, capsys):
    monkeypatch.setattr("helpers.interview.box._TYPED", {"window": "my own words"})
    interview.answer_box("window")
    assert capsys.readouterr().out.startswith("[interactive] your answer to: How do you handle")
    bundles = []
    monkeypatch.setattr("helpers.show.basics.in_kernel", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, **_: bundles.append(data))
    interview.answer_box("window")
    assert rebuild.WIDGET_VIEW in bundles[0]
    assert "my own words" not in bundles[0]["text/plain"] + bundles[0]["text/html"]


# ---------------------------------------------------------------- the page to print


def test_the_page_to_print_is_made_of_todays_figures():
    assert FILE.read_text(encoding="utf-8") == page(), "run python -m helpers.interview"


def test_its_links_resolve():
    for target in re.findall(r'href="([^"#]+)', page()):
        assert (FILE.parent / target).exists(), target


@pytest.mark.parametrize("format", ["A4", "Letter"])
def test_it_is_one_page(format, tmp_path):
    sheet = tmp_path / "page.html"
    size = f"<style>@page {{ size: {format}; }}</style></head>"
    sheet.write_text(page().replace("</head>", size), encoding="utf-8")
    pdf = tmp_path / "page.pdf"
    told = [f"--print-to-pdf={pdf}", "--no-pdf-header-footer", f"--user-data-dir={tmp_path / 'p'}"]
    command = [browser.executable(), "--headless", *browser.FLAGS, *told, sheet.as_uri()]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    pages = re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())
    assert len(pages) == 1
