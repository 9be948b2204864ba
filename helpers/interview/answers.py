"""Model answers and lines to say: texts of `data/interview/` with figures put into them."""

import functools
import json
import re
from pathlib import Path

from ..show import escape, output, table
from .figures import SOURCES, figures

FOLDER = Path(__file__).parents[2] / "data" / "interview"
PLACE = re.compile(r"\{(\w+)\}")


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
    return PLACE.sub(lambda place: figures()[place[1]].value, text)


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
    rows = "".join(_origin(name) for name in used)
    said = "".join(f"<p>{filled_html(text)}</p>" for text in paragraphs)
    where = (
        "<table><thead><tr><th>figure</th><th>found by</th><th>printed in</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
    page = (
        f"<details><summary><b>A model answer</b></summary>{said}{where if used else ''}</details>"
    )
    output("\n\n".join(["A model answer", *map(filled, paragraphs)]), page)


def lines(lesson: str) -> None:
    """Show what to say about each thing that a lesson teaches, and to which question it belongs."""
    rows = [line for line in known_lines() if line["lesson"] == lesson]
    if not rows:
        raise ValueError(f"there is no line for lesson {lesson!r}")
    where = [", ".join(answers()[key]["short"] for key in line["asked"]) for line in rows]
    told = [(line["about"], filled(line["say"]), at) for line, at in zip(rows, where, strict=True)]
    table(told, header=("about", "a line to say", "helps with"))


def _origin(name: str) -> str:
    figure = figures()[name]
    place = f'<a href="{escape(figure.link)}">{figure.lesson}, {escape(figure.section)}</a>'
    cells = (escape(figure.value), SOURCES[figure.by], place)
    return "<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>"


def _marked(text: str) -> str:
    """**Strong** words and `code` of an escaped text, as HTML."""
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
