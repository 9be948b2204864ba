"""What nbval does not look at: the form of the lessons, and runs under other conditions.

nbval (see pyproject.toml) runs each notebook alone and compares what comes out with what is saved.
"""

import ast
import copy
import os
import random
import re
import tempfile
from pathlib import Path

import nbformat
import pytest

from helpers import rebuild

ROOT = Path(__file__).parents[1]
BOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LESSONS = [path for path in BOOKS if re.match(r"\d\d_", path.name)]
SANITIZE = ROOT / "tests" / "sanitize.cfg"


def read(path):
    nb = nbformat.read(path, as_version=4)
    nb.path = path
    return nb


@pytest.fixture(params=BOOKS, ids=lambda path: path.name)
def book(request):
    return read(request.param)


@pytest.fixture(params=LESSONS, ids=lambda path: path.name)
def lesson(request):
    return read(request.param)


def code(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def markdown(nb) -> str:
    return "\n\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")


def prose(text) -> str:
    """Markdown without what stands in code."""
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def tags(cell):
    return cell.metadata.get("tags", [])


def words(cell):
    """Every text in the saved outputs of a cell."""
    for out in cell.outputs:
        yield out.get("text", "")
        yield f"{out.get('ename', '')}: {out.get('evalue', '')}"
        yield from out.get("traceback", [])
        yield from (str(v) for k, v in out.get("data", {}).items() if not k.startswith("image/"))


# ---------------------------------------------------------------- saved as it was run


def test_the_file_is_a_valid_notebook(book):
    path = book.pop("path")
    nbformat.validate(book)
    text = path.read_text(encoding="utf-8")
    assert "\r" not in text and text.endswith("}\n")


def test_every_cell_was_run_in_order(book):
    # nbval passes a cell that was never run, without comparing anything
    counts = [cell.execution_count for cell in code(book)]
    assert counts == list(range(1, len(counts) + 1))
    assert all(cell.source.strip() for cell in book.cells)


def test_no_kernel_or_front_end_of_one_author(book):
    assert dict(book.metadata) == rebuild.METADATA
    assert all(set(cell.metadata) <= {"tags"} for cell in book.cells)
    assert rebuild.WIDGET_VIEW not in book.path.read_text(encoding="utf-8")


def test_nothing_in_an_output_ages_or_belongs_to_one_machine(book):
    forbidden = {
        "a path of one machine": r"/home/\w|/Users/\w|/root/|/tmp/|/var/folders|[A-Z]:\\+Users",
        "a place in memory": r"\b0x[0-9a-fA-F]{6,}",
        "a port": r"(?:127\.0\.0\.1|localhost):\d+",
        "a secret": r"sk-ant-|mongodb(?:\+srv)?://[^\s/]*:[^\s/]*@",
    }
    aging = {
        "a version": r"(?<![\d.])\d+\.\d+\.\d+(?![\d.])",
        "a time of day": r"\b\d\d:\d\d:\d\d\b",
    }
    for cell in code(book):
        rules = forbidden if "nbval-ignore-output" in tags(cell) else forbidden | aging
        for text in words(cell):
            for what, pattern in rules.items():
                found = re.search(pattern, text)
                assert not found, f"{what} in the output of: {cell.source[:80]}\n{found.group()}"


def test_nothing_went_to_stderr(book):
    for cell in code(book):
        assert not [o for o in cell.outputs if o.get("name") == "stderr"], cell.source


def test_errors_only_where_announced(book):
    # nbval passes an announced error that does not come
    for cell in code(book):
        has_error = any(out.output_type == "error" for out in cell.outputs)
        assert has_error == ("raises-exception" in tags(cell)), cell.source


def test_at_most_one_cell_is_not_compared(book):
    marks = sum(tag in ("nbval-ignore-output", "nbval-skip") for c in code(book) for tag in tags(c))
    marks += len(re.findall(r"NBVAL_\w+", "\n".join(cell.source for cell in code(book))))
    assert marks <= 1


def test_figures_have_pictures_and_words(book):
    # nbval never looks at a picture, not even whether there is one
    for cell in code(book):
        for out in cell.outputs:
            data = out.get("data", {})
            text = data.get("text/plain", "")
            assert not text.startswith("<Figure size"), "show.figure(fig, text) says what is shown"
            figure, twin = text.startswith("[figure]"), text.startswith("[interactive]")
            assert figure or twin if "image/png" in data else not figure, cell.source
            assert not {"image/svg+xml", "image/jpeg"} & set(data), cell.source


def test_an_output_fits_a_screen(book):
    for cell in code(book):
        lines = sum(
            len((out.get("text") or out.get("data", {}).get("text/plain", "")).splitlines())
            for out in cell.outputs
            if "text/html" not in out.get("data", {}) and "image/png" not in out.get("data", {})
        )
        assert lines <= 45, f"{lines} lines: {cell.source[:80]}"


# ---------------------------------------------------------------- written in one manner


def test_no_trailing_semicolon(book):
    # under nbval IPython prints what ";" should hide (nbval#194)
    for cell in code(book):
        lines = [ln for ln in cell.source.splitlines() if ln.strip() and ln.strip()[0] != "#"]
        assert not (lines and lines[-1].rstrip().endswith(";")), cell.source


def test_nothing_waits_for_a_keyboard(book):
    for cell in code(book):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                assert called not in ("input", "getpass"), cell.source


def test_cells_are_short(book):
    for cell in code(book)[1:]:  # the first is the set-up cell
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if len(lines) <= 6:
            continue
        nodes = ast.parse(cell.source).body
        blocks = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)]
        one_definition = len(blocks) == 1 and len(nodes) == 1 + ("exercise" in tags(cell))
        one_text = len(nodes) == 1 and isinstance(getattr(nodes[0], "value", None), ast.Constant)
        # a text: the program of another process
        assert one_definition or one_text, f"{len(lines)} lines:\n{cell.source}"
        for block in blocks:
            assert block.end_lineno - block.lineno < 20, f"over 20 lines: {block.name}"


def test_headings(book):
    levels = [len(m) for m in re.findall(r"^(#{1,6}) ", prose(markdown(book)), flags=re.M)]
    assert book.cells[0].source.startswith("# ") and levels.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(levels, levels[1:], strict=False))


def test_images_have_words_and_links_resolve(book):
    text = prose(markdown(book))
    assert "![](" not in text, "an image without alternative text"
    assert not re.search(r"<img(?![^>]*\balt=\"[^\"]+\")", text), "an image without alt"
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"[a-z]+:", target):
            assert (book.path.parent / target).exists(), target


def test_details_are_closed_and_spaced(book):
    for cell in book.cells:
        if cell.cell_type == "markdown" and "<details" in cell.source:
            text, n = cell.source, cell.source.count("<details")
            assert n == text.count("</details>") == text.count("<summary>")
            # without the blank lines the Markdown inside is not rendered
            assert n == len(re.findall(r"</summary>\n\n", text))
            assert n == len(re.findall(r"\n\n</details>(?:\n\n|\n?$)", text))


HTML = set("details summary br kbd sub sup b i em strong img a p table tr td th span".split())


def test_xml_tags_stand_in_code(book):
    # <document> in running Markdown vanishes in GitHub's preview (anthropics/courses#27)
    for cell in book.cells:
        if cell.cell_type == "markdown":
            for tag in re.findall(r"</?([a-zA-Z][\w-]*)[^>\n]*>", prose(cell.source)):
                assert tag.lower() in HTML, f"<{tag}> outside code"


def test_dollars_are_not_read_as_formulas(book):
    # JupyterLab makes a formula of what stands between two dollar signs of one paragraph, also
    # between "\\$", entities and <span>$</span>: write `$7` in code, or 7 dollars
    for cell in book.cells:
        if cell.cell_type == "markdown":
            for paragraph in prose(cell.source).split("\n\n"):
                signs = len(re.findall(r"\$|&#36;|&dollar;", paragraph))
                assert signs < 2, f"two dollar signs in one paragraph: {paragraph}"


# ---------------------------------------------------------------- what a lesson has


def test_the_first_lessons_are_there():
    assert [path.name[:2] for path in LESSONS[:3]] == ["00", "01", "02"]


def test_all_set_up_cells_are_the_same():
    first = {path.name: code(read(path))[0].source for path in LESSONS}
    assert len(set(first.values())) == 1, first


def test_a_lesson_has_its_parts(lesson):
    text, source = markdown(lesson), "\n".join(cell.source for cell in code(lesson))
    assert re.search(r"^About \d+ minutes\b", text, flags=re.M), "its minutes"
    assert "**Where we are**" in text and "**Afterwards you can**" in text
    assert re.search(r"^## When this breaks\n\n\|.*\n\|[-| :]+\|\n(\|.*\n?)+", text, flags=re.M)
    assert re.search(r"<details><summary>.*In an interview", text)
    assert re.search(r"^\*\*In short\.\*\* ", text, flags=re.M)
    assert re.search(r"^\s*assert |expect_in_practice\(|expect\(", source, flags=re.M), (
        "no cell that asserts anything"
    )


def test_a_lesson_links_to_the_next(lesson):
    after = LESSONS[LESSONS.index(lesson.path) + 1 :]
    last = lesson.cells[-1].source
    assert not after or f"({after[0].name})" in last, f"no link to {after[0].name}"


def test_a_lesson_has_two_to_four_exercises(lesson):
    found = [t for cell in lesson.cells for t in tags(cell) if t.startswith("exercise-")]
    assert 2 <= len(found) <= 4
    number = lesson.path.name[:2]
    assert found == [f"exercise-{number}.{n}" for n in range(1, len(found) + 1)]


# ---------------------------------------------------------------- runs under other conditions


def sanitizers():
    """The pairs of tests/sanitize.cfg, as nbval applies them."""
    lines = SANITIZE.read_text(encoding="utf-8").splitlines()
    patterns = [ln.removeprefix("regex: ") for ln in lines if ln.startswith("regex: ")]
    replacements = [ln.removeprefix("replace: ") for ln in lines if ln.startswith("replace: ")]
    return list(zip(patterns, replacements, strict=True))


def compared(nb) -> list[tuple[str, list]]:
    """What each cell says, as far as it has to be the same on every run."""
    found = []
    for cell in code(rebuild.tidy(copy.deepcopy(nb))):
        outputs = []
        for out in cell.outputs if "nbval-ignore-output" not in tags(cell) else []:
            kept = [kv for kv in out.get("data", {}).items() if not kv[0].startswith("image/")]
            said = str([out.get("text"), out.get("ename"), out.get("evalue"), sorted(kept)])
            for pattern, replacement in sanitizers():
                said = re.sub(pattern, replacement, said)
            outputs.append(said)
        found.append((cell.source, outputs))
    return found


def rerun(path, data_dir, **conditions):
    """Run the notebook over whatever lies in `data_dir`; it must say what is saved."""
    saved = read(path)
    again = copy.deepcopy(saved)
    for cell in code(again):
        cell.outputs, cell.execution_count = [], None
    rebuild.execute(again, path.parent, rebuild.run_conditions(data_dir) | conditions)
    for (source, want), (_, got) in zip(compared(saved), compared(again), strict=True):
        assert got == want, f"in {path.name}: {source}"


# A narrow Windows console, another time zone, no UTF-8 mode
ELSEWHERE = {
    "PYTHONUTF8": "0",
    "PYTHONIOENCODING": "cp1252",
    "COLUMNS": "40",
    "TZ": "Asia/Tokyo",
}


# Those with the database or a second process; the others, whose cells are of the same kinds, in full.
QUICK = ("05", "02", "00")
REVERSED = [
    pytest.param(path, id=path.name, marks=[] if path.name[:2] in QUICK else pytest.mark.full)
    for path in BOOKS[::-1]
]


@pytest.mark.parametrize("path", REVERSED)
def test_runs_elsewhere_in_reverse_order_over_shared_data(path):
    # one after the other in the session's folder; in one process nbval then runs over that, too
    rerun(path, os.environ["COURSE_DATA_DIR"], **ELSEWHERE)


@pytest.fixture
def shared_data():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data_dir:
        yield data_dir
        rebuild.end_processes(data_dir)


@pytest.mark.full
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_runs_twice_in_a_row(path, shared_data):
    rerun(path, shared_data)
    rerun(path, shared_data)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
def test_runs_in_any_order(seed, shared_data):
    for path in random.Random(seed).sample(BOOKS, len(BOOKS)):
        rerun(path, shared_data)
