"""The questions, and how an answer to one is judged."""

import functools
import json
from collections.abc import Collection
from pathlib import Path

from pydantic import BaseModel, ConfigDict

FILE = Path(__file__).parents[2] / "data" / "quiz.json"
LETTERS = "ABCDEFGH"


class Option(BaseModel):
    """One option: what it says, whether it is right, and why it is or is not."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    text: str
    right: bool
    because: str


class Question(BaseModel):
    """One question. id: "03.q2", its lesson and its number there ("lab.q1" in the lab).

    concepts: numbers of what is asked for (`tests/concepts.py`). Texts are plain, with `code`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    concepts: tuple[int, ...]
    ask: str
    options: tuple[Option, ...]

    @property
    def lesson(self) -> str:
        return self.id.partition(".")[0]

    @property
    def lettered(self) -> dict[str, Option]:
        """The options by their letters, in order."""
        return dict(zip(LETTERS, self.options, strict=False))

    @property
    def right(self) -> set[str]:
        """The letters of all right options."""
        return {letter for letter, option in self.lettered.items() if option.right}

    @property
    def several(self) -> bool:
        """Whether more than one option is right."""
        return len(self.right) > 1

    def judge(self, chosen: Collection[str]) -> tuple[bool, str]:
        """Whether exactly the right letters were chosen, and a sentence that says how far it is.

        A wrong choice is not told which option would have been right.
        """
        picked = set(chosen) & set(self.lettered)
        if not picked:
            return False, "Choose an option first."
        if picked == self.right:
            return True, "Right."
        if wrong := sorted(picked - self.right):
            return False, f"Not yet: look again at {', '.join(wrong)}."
        return False, "Not yet: what you chose is right, and it is not all."


@functools.cache
def questions(lesson: str | None = None) -> tuple[Question, ...]:
    """All questions in the order of the lessons, or those of one lesson, such as "03".

    ValueError if there are none for it.
    """
    every = tuple(Question(**each) for each in json.loads(FILE.read_text(encoding="utf-8")))
    if lesson is None:
        return every
    if found := tuple(q for q in every if q.lesson == lesson):
        return found
    known = ", ".join(dict.fromkeys(q.lesson for q in every))
    raise ValueError(f"there are no questions for lesson {lesson!r}; there are some for {known}")
