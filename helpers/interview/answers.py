"""Model answers and lines to say: texts of `data/interview/` with figures put into them."""

import functools
import json
import re
from pathlib import Path

from ..show import escape, output
from ..show.tables import rendered
from .figures import SOURCES, figures

FOLDER = Path(__file__).parents[2] / "data" / "interview"
PLACE = re.compile(r"\{(\w+)\}")
LINES = ("about", "a line to say", "question")
ORIGINS = ("figure", "found by", "printed in")


@functools.cache
def answers() -> dict[str, dict]:
    """Each question by its key, such as "window": `asked`, and the paragraphs of `answer`."""
    return json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))


@functools.cache
def known_lines() -> list[dict]:
    """A line for each concept: `concept`, `about`, `lesson`, `asked` (keys of answers), `say`."""
    return json.loads((FOLDER / "lines.json").read_text(encoding="utf-8"))


def named(text: str) -> list[str]:
    """The names of the figures that a text has places for, in order, each once."""
    return list(dict.fromkeys(PLACE.findall(text)))


def filled(text: str) -> str:
    """`text` with its figures, as plain text."""
    return PLACE.sub(lambda place: figures()[place[1]].value, re.sub(r"\*\*|`", "", text))


def filled_html(text: str, to_notebooks: str = "") -> str:
    """`text` with its figures as HTML: each a link to the section of the lesson that prints it.

    to_notebooks: the way from the page to `notebooks/`, such as "../notebooks/".
    """

    def link(place) -> str:
        figure = figures()[place[1]]
        where = escape(f"{to_notebooks}{figure.link}")
        return f'<a href="{where}" title="lesson {figure.lesson}">{escape(figure.value)}</a>'

    return PLACE.sub(link, _marked(escape(text)))


def model_answer(key: str) -> None:
    """Show our answer to a question, folded, and under it where each of its figures comes from.

    KeyError if there is no such question.
    """
    paragraphs = answers()[key]["answer"]
    used = named("\n".join(paragraphs))
    said = "".join(f"<p>{filled_html(text)}</p>" for text in paragraphs)
    where = _table(ORIGINS, map(_origin, used)) if used else ""
    page = f"<details><summary><b>A model answer</b></summary>{said}{where}</details>"
    output("\n\n".join(["A model answer", *map(filled, paragraphs)]), page)


def lines(lesson: str) -> None:
    """Show what to say about each thing that a lesson teaches, and to which question it belongs."""
    rows = [line for line in known_lines() if line["lesson"] == lesson]
    if not rows:
        raise ValueError(f"there is no line for lesson {lesson!r}")
    where = [", ".join(answers()[key]["short"] for key in line["asked"]) for line in rows]
    told = [(line["about"], filled(line["say"]), at) for line, at in zip(rows, where, strict=True)]
    text, _ = rendered(told, LINES)
    page = [(escape(about), filled_html(line["say"]), at)
            for (about, _, at), line in zip(told, rows, strict=True)]  # fmt: skip
    output(text, _table(LINES, page))


def _origin(name: str) -> tuple[str, ...]:
    figure = figures()[name]
    place = f'<a href="{escape(figure.link)}">{figure.lesson}, {escape(figure.section)}</a>'
    return escape(figure.value), SOURCES[figure.by], place


def _table(header, rows) -> str:
    """An HTML table of cells that are HTML already, all to the left."""

    def row(cells, tag) -> str:
        return "".join(f'<{tag} style="text-align:left">{cell}</{tag}>' for cell in cells)

    body = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in rows)
    return f"<table><thead><tr>{row(header, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def _marked(text: str) -> str:
    """**Strong** words and `code` of an escaped text, as HTML."""
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
