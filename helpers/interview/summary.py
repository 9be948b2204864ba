"""The one page to print: a template of `data/interview/` with the figures put into it."""

from pathlib import Path

from ..show import escape
from .answers import FOLDER, PLACE
from .figures import figures

TEMPLATE = FOLDER / "summary.html"
FILE = Path(__file__).parents[2] / "docs" / "summary.html"
_MADE_BY = {"practice": " p", "small model": " s"}


def page() -> str:
    """The page as HTML: each figure with a link to its lesson, and the lesson's number raised."""

    def shown(place) -> str:
        figure = figures()[place[1]]
        where = escape(f"../notebooks/{figure.link}")
        raised = f"{figure.lesson}{_MADE_BY.get(figure.by, '')}"
        return f'<a href="{where}">{escape(figure.value)}</a><sup>{raised}</sup>'

    return PLACE.sub(shown, TEMPLATE.read_text(encoding="utf-8"))
