"""Lessons read well where nothing runs: GitHub, nbviewer, an HTML export, a fresh clone."""

import ast
import functools
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
BOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TWIN = "[interactive] "
# what a widget calls itself when nobody gave it a twin
BARE = re.compile(r"^(interactive|Output|\w+)\((children|value|description|options|layout)=")


@functools.cache
def widget_functions() -> set[tuple[str, str]]:
    """Module and name of the helpers' functions that show a widget.

    Those that call `show.live`, themselves or by another function of their file.
    """
    found = set()
    for path in (ROOT / "helpers").rglob("*.py"):
        calls = {
            node.name: {
                getattr(n.func, "attr", getattr(n.func, "id", ""))
                for n in ast.walk(node)
                if isinstance(n, ast.Call)
            }
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef) and node.name != "live"
        }
        showing = {"live"}
        while more := {name for name in calls.keys() - showing if calls[name] & showing}:
            showing |= more
        public = {name for name in showing - {"live"} if not name.startswith("_")}
        found |= {(path.relative_to(ROOT / "helpers").parts[0], name) for name in public}
    return found


def widgets_in(cells):
    """Each cell with the names of the functions in it that show a widget."""
    imported = set()
    for cell in cells:
        nodes = list(ast.walk(ast.parse(cell.source)))
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module.startswith("helpers."):
                module = node.module.split(".")[1]
                imported = {
                    each for each in imported if each[1] not in [a.name for a in node.names]
                }
                imported |= {(module, alias.name) for alias in node.names}
        called = {getattr(node.func, "id", "") for node in nodes if isinstance(node, ast.Call)}
        yield cell, {name for _, name in imported & widget_functions() if name in called}


def code(path):
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


def twins(cell):
    plain = [out.get("data", {}).get("text/plain", "") for out in cell.outputs]
    return [text for text in plain if text.startswith(TWIN)]


def test_the_widgets_of_the_course_are_known():
    shown = {"chat", "context_view", "cost_explorer", "memory_inspector", "trimming_stepper"}
    assert {("show", name) for name in shown} <= widget_functions()
    used = {name for path in BOOKS for _, names in widgets_in(code(path)) for name in names}
    assert shown <= used


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_each_widget_has_its_twin(path):
    for cell, used in widgets_in(code(path)):
        assert len(twins(cell)) >= len(used), f"a widget without a twin: {cell.source}"
        for out in cell.outputs:
            data = out.get("data", {})
            text = data.get("text/plain", "")
            assert not BARE.match(text), f"a widget without show.live: {cell.source}"
            if text.startswith(TWIN):  # words that say something, beside any table or picture
                assert len(text.removeprefix(TWIN).split()) >= 8, cell.source


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_no_output_is_empty(path):
    for cell in code(path):
        for out in cell.outputs:
            data = out.get("data", {})
            said = out.get("text", "") + out.get("ename", "") + "".join(map(str, data.values()))
            assert said.strip(), cell.source
            assert "Error displaying widget" not in said, cell.source
            if "text/html" in data:  # what a page shows; words that only it has would be lost
                assert re.sub(r"<[^>]*>", "", data["text/html"]).strip(), cell.source
                assert data.get("text/plain", "").strip(), cell.source


# Conversion takes a second or two: the widgets of the first lessons here, all in full.
CONVERTED = [
    pytest.param(path, id=path.name, marks=[] if path.name[:2] == "03" else pytest.mark.full)
    for path in BOOKS
]


@pytest.mark.parametrize("path", CONVERTED)
def test_jupyters_own_export_shows_every_twin(path):
    """`jupyter nbconvert --to html`, as anybody would call it: the richest form that is saved."""
    from bs4 import BeautifulSoup
    from nbconvert import HTMLExporter

    page = BeautifulSoup(HTMLExporter().from_filename(str(path))[0], "html.parser")
    shown = page.select(".jp-OutputArea-child")
    wanted = [out for cell in code(path) for out in cell.outputs]
    assert len(shown) == len(wanted)
    for area, out in zip(shown, wanted, strict=True):
        data = out.get("data", {})
        assert area.get_text().strip() or area.find("img"), out
        assert bool(area.find("img")) == ("image/png" in data and "text/html" not in data), out
    assert "Error displaying widget" not in page.get_text()
