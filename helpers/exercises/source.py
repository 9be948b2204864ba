"""What an exercise is made of, and how an answer is judged. Nothing a learner passes may raise."""

import ast
import dis
import functools
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType

NOT_ATTEMPTED, NOT_YET, RIGHT = "not attempted", "not yet", "right"


@dataclass(frozen=True)
class Verdict:
    """One of three outcomes, and for "not yet" what was tried and where it differs."""

    outcome: str
    message: str = ""


@dataclass(frozen=True)
class Exercise:
    """One exercise, written down once: the notebook's text and cell are made from it.

    `stub`, `solution` and the texts in `wrong` and `right` are Python that ends by defining the
    same name, the one that is checked. `check(answer)` returns True, or a string: what was tried
    and where it differs, never the answer. It may be careless, `judge` catches what it raises.
    `needs` is code that makes what the notebook has at that point, for running it alone in a test.
    """

    id: str  # "02.1": lesson and number
    minutes: int
    task: str  # Markdown
    stub: str
    hint: str  # Markdown
    solution: str
    check: Callable[[object], object]
    wrong: tuple[str, ...]  # at least three plausible ones
    right: tuple[str, ...]  # at least one that is not the solution
    because: str = ""  # Markdown under the solution: why it is so
    needs: str = ""

    @property
    def target(self) -> str:
        """The name that the stub defines last: what is checked."""
        return _last_name(self.stub)

    def cell(self, answer: str | None = None) -> str:
        """The code cell: the stub (or `answer` in its place) and the call of `check`."""
        code = (self.stub if answer is None else answer).strip()
        gap = "\n\n\n" if isinstance(ast.parse(code).body[-1], ast.FunctionDef) else "\n"
        return f'{code}{gap}check("{self.id}", {self.target})'

    def markdown(self) -> str:
        """The text cell: task, and folded the hint and the solution."""
        because = f"\n{self.because.strip()}\n" if self.because else ""
        return (
            f"**Exercise {self.id}** ({self.minutes} minute{'s' * (self.minutes != 1)}). "
            f"{self.task.strip()}\n\n"
            f"<details><summary>Hint</summary>\n\n{self.hint.strip()}\n\n</details>\n\n"
            "<details><summary>Solution</summary>\n\n"
            f"```python\n{self.solution.strip()}\n```\n{because}\n</details>"
        )


def _last_name(code: str) -> str:
    last = ast.parse(textwrap.dedent(code)).body[-1]
    if isinstance(last, ast.FunctionDef | ast.ClassDef):
        return last.name
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        return last.targets[0].id
    raise ValueError(f"an exercise ends with `name = ...` or a definition, not with {code!r}")


def shown(value, limit: int = 80) -> str:
    """`value` for a message: its repr on one line, at most `limit` characters; never raises."""
    if isinstance(value, FunctionType):
        return f"the function {value.__name__}"
    try:
        text = " ".join(repr(value).split())
    except KeyboardInterrupt:
        raise
    except BaseException:  # a learner's own __repr__ may do anything
        text = f"an object of class {type.__getattribute__(type(value), '__name__')}"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def same(a, b) -> bool:
    """Whether two values are equal; arrays when all of it is; what cannot be compared is not."""
    try:
        equal = a == b
        return bool(equal.all()) and len(a) == len(b) if hasattr(equal, "all") else bool(equal)
    except Exception:
        return False


def number(value) -> float | None:
    """A number, however it was given: 4, 4.0, "4", "4x", "79,000 tokens"; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(?:about |~ ?)?([\d.,_]*\d)\s*(?:x|×|[a-z ]*)\.?", value.lower())
        value = found[1].replace(",", "").replace("_", "") if found else None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def letters(value) -> set[str]:
    """The capitals of an answer such as "AC", "a and c" or ["C", "A"]."""
    parts = value if isinstance(value, str | list | tuple | set) else str(value)
    text = parts if isinstance(parts, str) else " ".join(map(str, parts))
    bare = re.sub(r"\b(and|or|only)\b", " ", text.lower())
    return {c for c in bare.upper() if c.isalnum()}


def word(value) -> str:
    """A one-word answer without its case, spaces and full stop; "" for what is not a string."""
    return value.strip().strip(".").lower() if isinstance(value, str) else ""


class _Untouched(BaseException):
    """The learner's function is still the stub, or says that it is not written."""


class Injected(Exception):
    """What a check raises inside the learner's function on purpose; it comes back to the check."""


class _Raised(BaseException):
    """The learner's function raised; passes a careless `except Exception` in a check."""


def judge(exercise: Exercise, answer) -> Verdict:
    """The verdict on `answer`. Raises nothing but KeyboardInterrupt, whatever is passed."""
    try:
        if _untouched(exercise, answer):
            return Verdict(NOT_ATTEMPTED)
        said = exercise.check(_guarded(answer))
    except _Untouched:
        return Verdict(NOT_ATTEMPTED)
    except _Raised as error:
        return Verdict(NOT_YET, str(error))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Verdict(NOT_YET, f"{shown(answer)} could not be checked: {_error(error)}.")
    if isinstance(said, Verdict):
        return said
    if said is True:
        return Verdict(RIGHT)
    return Verdict(NOT_YET, said if isinstance(said, str) else f"You have {shown(answer)}.")


def _error(error: BaseException) -> str:
    """The class of an error and what it says, on one line."""
    try:
        text = " ".join(str(error).split())[:200].rstrip(".")
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _untouched(exercise: Exercise, answer) -> bool:
    if answer is ...:
        return True
    if type(answer) in (list, tuple, set):
        return any(part is ... for part in answer)
    if type(answer) is dict:
        return any(part is ... for part in answer.values())
    if type(answer) is FunctionType:
        return _empty(answer) or _same_code(answer, exercise.stub)
    return False


def _empty(function: FunctionType) -> bool:
    """Whether the function has no body but a docstring, `...`, `pass` or `return`."""
    steps = [s for s in dis.get_instructions(function) if s.opname not in ("RESUME", "NOP")]
    return all(
        s.opname == "RETURN_VALUE"
        or (s.opname in ("LOAD_CONST", "RETURN_CONST") and s.argval in (None, ...))
        for s in steps
    )


def _same_code(function: FunctionType, stub: str) -> bool:
    """Whether the function does, instruction by instruction, what the stub's does."""
    parts = [c for c in compile(stub, "<stub>", "exec").co_consts if hasattr(c, "co_code")]
    return any(_steps(part) == _steps(function) for part in parts)


def _steps(code) -> list:
    return [(s.opname, s.argrepr) for s in dis.get_instructions(code)]


def _guarded(answer):
    """A function that reports what goes wrong inside it, and on which input."""
    if not isinstance(answer, FunctionType | BuiltinFunctionType | MethodType | functools.partial):
        return answer

    def call(*args, **kwargs):
        try:
            result = answer(*args, **kwargs)
        except NotImplementedError:
            raise _Untouched from None
        except (KeyboardInterrupt, Injected):
            raise
        except BaseException as error:
            given = ", ".join(
                [shown(a) for a in args] + [f"{k}={shown(kwargs[k])}" for k in kwargs]
            )
            name = getattr(answer, "__name__", "your function")
            raise _Raised(f"{name}({given}) raised {_error(error)}.") from None
        if result is ...:
            raise _Untouched
        return result

    return call
