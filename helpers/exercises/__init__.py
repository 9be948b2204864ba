"""Exercises that check themselves: `check("01.1", answer)`, `hint("01.1")`, `solution("01.1")`.

`progress()` shows what is solved; that is kept in the course's data folder and nowhere else. Each lesson's exercises are in `lesson_NN.py`, once; `helpers.rebuild` writes them into the
notebook. A new lesson is one more file of that name.
"""

import functools
import importlib
import pkgutil

from ..show import escape, output, table
from . import kept
from .source import NOT_ATTEMPTED, RIGHT, Exercise, Verdict, judge, same, shown, word

__all__ = [
    "EXERCISES",
    "Exercise",
    "Verdict",
    "check",
    "hint",
    "judge",
    "progress",
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
    """Say whether `answer` is right: not attempted, not yet (and why), or right. Never raises.

    What is right is kept as solved (`progress`); an answer is judged the same if it cannot be.
    """
    exercise = _find(exercise_id)
    if exercise is None:
        return
    verdict = judge(exercise, answer)
    said = f"{exercise.id} {verdict.outcome}"
    mark = _MARKS.get(verdict.outcome, "✗")
    why = verdict.message
    if verdict.outcome == RIGHT:
        why = " ".join(filter(None, [why, kept.record(exercise.id)]))
    more = f" {escape(why)}" if why else ""
    output(
        f"{said}: {why}" if why else said,
        f'<p role="status"><b>{mark} {said}</b>{"." if why else ""}{more}</p>',
    )


def progress() -> None:
    """Show which exercises are solved on this machine, lesson by lesson."""
    known = _all()
    done, problem = kept.solved(known)
    lessons: dict[str, list[str]] = {}
    for exercise_id in known:
        lessons.setdefault(exercise_id.split(".")[0], []).append(exercise_id)
    rows = [
        (
            lesson,
            f"{sum(e in done for e in ids)} of {len(ids)}",
            ", ".join(e for e in ids if e in done),
        )
        for lesson, ids in lessons.items()
    ]
    table(rows, ("lesson", "solved", "which"), f"Exercises solved: {len(done)} of {len(known)}")
    if problem:
        output(problem)


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
