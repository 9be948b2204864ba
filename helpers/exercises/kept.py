"""What the learner has solved: one empty file for each exercise, in the course's data folder.

Nothing in it could be damaged, two notebooks can write at once, and it never leaves the machine.
"""

from collections.abc import Iterable
from pathlib import Path

FOLDER = "progress"


def _folder() -> Path:
    from ..database import data_dir

    return data_dir() / FOLDER


def record(exercise_id: str) -> str:
    """Keep an exercise as solved: "" when that is done, else a sentence that says why it is not."""
    try:
        _folder().mkdir(parents=True, exist_ok=True)
        (_folder() / exercise_id).touch()
    except OSError as error:
        return (
            "That it is solved could not be kept, because the course's data folder cannot be "
            f"written ({error.strerror or type(error).__name__}); the answer counts all the same."
        )
    return ""


def solved(known: Iterable[str]) -> tuple[list[str], str]:
    """Those of the `known` exercises that are solved, and a sentence if that cannot be read."""
    try:
        there = {path.name for path in _folder().iterdir()}
    except FileNotFoundError:
        there = set()
    except OSError as error:
        return [], (
            "What was solved before cannot be read in the course's data folder "
            f"({error.strerror or type(error).__name__}); exercises can be solved all the same."
        )
    return [exercise_id for exercise_id in known if exercise_id in there], ""
