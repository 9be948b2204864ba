"""How long a lesson takes: reading, running, exercises. For who plans a class.

python -m helpers.minutes          # reading and exercises
python -m helpers.minutes --run    # runs every lesson as well, and adds the time that takes

Reading: the words of the text, of the code, and of what is printed (40 words an output at most),
at 200 a minute; folded parts are not counted, and a picture counts as 40 words. Exercises: the
minutes that each one says.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

WORDS_A_MINUTE = 200
OUTPUT_WORDS = 40  # of an output, at most: a table is looked at, not read
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Time:
    """The time for one notebook. run_seconds: None when it was not run. All else in minutes."""

    name: str
    words: int
    exercises: int
    said: int | None  # what the notebook itself says
    run_seconds: float | None = None

    @property
    def reading(self) -> float:
        return self.words / WORDS_A_MINUTE

    @property
    def total(self) -> float:
        return self.reading + self.exercises + (self.run_seconds or 0) / 60


def time_of(path: Path, *, run: bool = False) -> Time:
    """The time for the notebook at `path`; `run` runs it (and writes nothing)."""
    import nbformat

    nb = nbformat.read(path, as_version=4)
    words = exercises = 0
    for cell in nb.cells:
        text = re.sub(r"<details>.*?</details>", "", cell.source, flags=re.S)
        words += len(re.findall(r"\w[\w'’.,-]*", text))
        words += sum(min(OUTPUT_WORDS, _words(out)) for out in cell.get("outputs", []))
        found = re.match(r"\*\*Exercise [^*]+\*\* \((\d+) minutes?\)", text)
        exercises += int(found[1]) if found else 0
    seconds = _seconds(path) if run else None
    return Time(path.stem, words, exercises, said_minutes(nb.cells[0].source), seconds)


def said_minutes(text: str) -> int | None:
    """The minutes that a lesson says it takes, in the text of its first cell; None if it does not."""
    said = re.search(r"^About (\d+) minutes\b", text, re.M)
    return int(said[1]) if said else None


def _words(output) -> int:
    data = output.get("data", {})
    if "image/png" in data:
        return OUTPUT_WORDS
    return len(re.findall(r"\w+", output.get("text", "") or data.get("text/plain", "")))


def _seconds(path: Path) -> float:
    from .rebuild import rebuild

    return rebuild(path).seconds


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m helpers.minutes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--run", action="store_true", help="run every lesson and add its time")
    run = parser.parse_args(argv).run
    print(f"{'lesson':32}  words  reading  exercises  {'run':>6}  together  it says")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        t = time_of(path, run=run)
        ran = f"{t.run_seconds:.0f} s" if run else "–"
        print(
            f"{t.name:32}  {t.words:5,}  {t.reading:7.0f}  {t.exercises:9}  {ran:>6}"
            f"  {t.total:8.0f}  {t.said or '–':>7}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
