"""Figures that lessons printed, each with the place where it stands.

`data/interview/figures.json` has for each figure the lesson, a pattern that finds it in the saved
outputs, and what was found there: so an answer can be built in a copy without outputs as well. A
test reads all of them again; `python -m helpers.interview` writes what it finds.
"""

import functools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
FILE = ROOT / "data" / "interview" / "figures.json"
SOURCES = {  # who or what made a figure; nothing of it is a measurement of Claude
    "formula": "a formula and list prices",
    "practice": "the practice model",
    "small model": "one small real model",
    "data": "the course's data",
}


class FigureGone(ValueError):
    """A figure is not in the outputs of its lesson any more; the message says which, and where."""


@dataclass(frozen=True)
class Figure:
    """One printed figure. lesson: "03". find: a regular expression with one group, the figure.

    by: a key of SOURCES. value: the figure as it was printed, such as "17,600". section: the
    heading above the cell that prints it.
    """

    name: str
    lesson: str
    find: str
    by: str
    value: str = ""
    section: str = ""

    @property
    def notebook(self) -> str:
        """The file name of its lesson."""
        return notebook_of(self.lesson).name

    @property
    def link(self) -> str:
        """Where it is printed, from within `notebooks/`."""
        return f"{self.notebook}#{self.section.replace(' ', '-')}"


def notebook_of(lesson: str) -> Path:
    """The notebook of a lesson, such as "03", or of the lab. FigureGone if there is none."""
    found = sorted(NOTEBOOKS.glob(f"{lesson}_*.ipynb"))
    if not found:
        raise FigureGone(f"there is no notebook of lesson {lesson!r}")
    return found[0]


@functools.cache
def figures() -> dict[str, Figure]:
    """Every figure by its name, with its value and place as they were read last."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: Figure(name, **fields) for name, fields in known.items()}


def number(name: str) -> float:
    """The value of a figure as a number: 17600.0 for "17,600"."""
    return float(figures()[name].value.replace(",", ""))


def read_again(figure: Figure) -> Figure:
    """The figure as it stands in the saved outputs now. FigureGone if it is not there."""
    for section, text in printed(figure.lesson):
        if found := re.search(figure.find, text):
            return replace(figure, value=found[1], section=section)
    raise FigureGone(
        f"{figure.name}: nothing in the outputs of lesson {figure.lesson} matches {figure.find!r}"
    )


@functools.cache
def printed(lesson: str) -> tuple[tuple[str, str], ...]:
    """What each cell of a lesson has printed, with the heading above it."""
    return tuple(_printed(json.loads(notebook_of(lesson).read_text(encoding="utf-8"))))


def _printed(notebook: dict) -> Iterator[tuple[str, str]]:
    section = ""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            outside = re.sub(r"```.*?```", "", "".join(cell["source"]), flags=re.DOTALL)
            for heading in re.findall(r"^#+ (.+)$", outside, flags=re.MULTILINE):
                section = heading.strip()
            continue
        for out in cell.get("outputs", []):
            text = out.get("text") or out.get("data", {}).get("text/plain", "")
            yield section, "".join(text)


def write() -> int:
    """Read every figure again and store what was found; how many have changed."""
    before = figures()
    after = {name: read_again(figure) for name, figure in before.items()}
    kept = {name: _fields(figure) for name, figure in after.items()}
    text = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
    FILE.write_text(text, encoding="utf-8", newline="\n")
    figures.cache_clear()
    return sum(before[name] != after[name] for name in before)


def _fields(figure: Figure) -> dict[str, str]:
    names = ("lesson", "find", "by", "value", "section")
    return {name: getattr(figure, name) for name in names}
