"""Exercises that check themselves: `check("01.1", answer)`, `hint("01.1")`, `solution("01.1")`.

Each lesson's exercises are in `lesson_NN.py`, once; `helpers.rebuild` writes them into the
notebook. A new lesson is one more file of that name.
"""

import functools
import importlib
import pkgutil

from ..show import escape, output
from .source import NOT_ATTEMPTED, RIGHT, Exercise, Verdict, judge, same, shown, word

__all__ = [
    "EXERCISES",
    "Exercise",
    "Verdict",
    "check",
    "hint",
    "judge",
    "same",
    "shown",
    "solution",
    "word",
]

_MARKS = {NOT_ATTEMPTED: "○", RIGHT: "✓"}


@functools.cache
def _all() -> dict[str, Exercise]:
    """Every exercise by its id, in order."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name.startswith("lesson_"))
    found = [e for n in names for e in importlib.import_module(f"{__name__}.{n}").EXERCISES]
    return {exercise.id: exercise for exercise in found}


def __getattr__(name):
    if name == "EXERCISES":  # read when it is first asked for: lessons import this package
        return _all()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def check(exercise_id: str, answer=...) -> None:
    """Say whether `answer` is right: not attempted, not yet (and why), or right. Never raises."""
    exercise = _find(exercise_id)
    if exercise is None:
        return
    verdict = judge(exercise, answer)
    # Issue 6: the learner's own progress is recorded here, under COURSE_DATA_DIR.
    said = f"{exercise.id} {verdict.outcome}"
    mark = _MARKS.get(verdict.outcome, "✗")
    more = f": {verdict.message}" if verdict.message else ""
    why = f" {escape(verdict.message)}" if verdict.message else ""
    output(said + more, f'<p role="status"><b>{mark} {said}</b>{"." if why else ""}{why}</p>')


def hint(exercise_id: str) -> None:
    """Show the hint of an exercise."""
    if exercise := _find(exercise_id):
        output(f"{exercise.id} hint: {exercise.hint.strip()}", **_markdown(exercise.hint))


def solution(exercise_id: str) -> None:
    """Show our solution of an exercise; others may be right as well."""
    if exercise := _find(exercise_id):
        code, because = exercise.solution.strip(), exercise.because.strip()
        text = f"{code}\n\n{because}" if because else code
        output(text, **_markdown(f"```python\n{code}\n```\n\n{because}"))


def _markdown(text):
    return {"text/markdown": text.strip()}


def _find(exercise_id) -> Exercise | None:
    known = _all()
    if isinstance(exercise_id, str) and exercise_id.strip() in known:
        return known[exercise_id.strip()]
    output(f"There is no exercise {shown(exercise_id)}; there are {', '.join(known)}.")
    return None
