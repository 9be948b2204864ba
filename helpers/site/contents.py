"""What a lesson says of itself: number, title, one sentence, minutes."""

import re
from dataclasses import dataclass
from pathlib import Path

from ..minutes import said_minutes


@dataclass(frozen=True)
class Lesson:
    """One notebook as it stands in a list of contents. number: "07", or "lab"."""

    path: Path
    number: str
    title: str
    lead: str
    minutes: int | None

    @property
    def page(self) -> str:
        return f"{self.path.stem}.html"


def lessons(root: Path) -> list[Lesson]:
    """All notebooks of the course at `root`, in the order in which they are read."""
    return [_lesson(path) for path in sorted((root / "notebooks").glob("*.ipynb"))]


def _lesson(path: Path) -> Lesson:
    import nbformat

    text = nbformat.read(path, as_version=4).cells[0].source
    number, name = path.stem.split("_", 1)
    title = re.search(r"^# (?:\S+ · )?(.+)$", text, re.M)
    lead = re.search(r"^\*([^*].*)\*$", text, re.M)
    return Lesson(
        path,
        number,
        title[1] if title else name.replace("_", " "),
        lead[1] if lead else "",
        said_minutes(text),
    )
