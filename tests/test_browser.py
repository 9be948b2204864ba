"""JupyterLab in a real browser: three lessons run to their end, and their widgets do as they say.

Everything goes on in copies. Screenshots are kept in test-output/.
"""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

from helpers import cost, rebuild
from tests.browser import chromium, shoot

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "CONFIG_DIR": "JUPYTER_CONFIG_DIR",
    "DATA_DIR": "JUPYTER_DATA_DIR",
    "RUNTIME_DIR": "JUPYTER_RUNTIME_DIR",
    "SETTINGS_DIR": "JUPYTERLAB_SETTINGS_DIR",
    "WORKSPACES_DIR": "JUPYTERLAB_WORKSPACES_DIR",
}
SETTINGS = {  # of JupyterLab: no news from the network; every cell in the page, seen or not
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
RUN_SECONDS = 120  # far more than a lesson takes: only a broken one waits that long
READY = """name => {  // what is run before its kernel is connected may never run
  const open = window.jupyterapp.shell.currentWidget?.context;
  const kernel = open?.sessionContext?.session?.kernel;
  return open?.path.endsWith(name) && open.sessionContext.isReady
    && kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
}"""
PROMPTS = "cells => cells.map(c => c.querySelector('.jp-InputPrompt').innerText.trim())"
OUTPUTS = "cells => cells.map(c => c.querySelector('.jp-OutputArea').innerText)"


@pytest.fixture(scope="module")
def browser():
    with chromium() as context:  # first: without one nothing else needs to be started
        yield context


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """A JupyterLab of our own on copies of the course; its address."""
    course, home = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("home")
    ignored = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for name in ("notebooks", "helpers", "data"):
        shutil.copytree(ROOT / name, course / name, ignore=ignored)
    folders = {variable: str(home / name) for name, variable in FOLDERS.items()}
    for name, values in SETTINGS.items():
        file = home / "SETTINGS_DIR" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"--ServerApp.root_dir={course} --port={port} --ServerApp.port_retries=0".split()
    options += "--ip=127.0.0.1 --no-browser --allow-root --expose-app-in-browser".split()
    options += ["--IdentityProvider.token=", "--ServerApp.password="]
    with open(home / "lab.log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            cwd=course,
            env=rebuild.run_conditions(home) | folders,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(process, f"http://127.0.0.1:{port}", home / "lab.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        rebuild.end_processes(home)  # the server, its kernels, their database
        process.wait(10)


def wait_for(process, url, log):
    for _ in range(600):
        try:
            return urllib.request.urlopen(f"{url}/api/status", timeout=5).close()
        except OSError:
            assert process.poll() is None, log.read_text(encoding="utf-8")[-2000:]
            time.sleep(0.1)
    pytest.fail(log.read_text(encoding="utf-8")[-2000:])


class Lesson:
    """A lesson in an open page. Its code cells are counted from 0, as in the file."""

    def __init__(self, page, number):
        path = next((ROOT / "notebooks").glob(f"{number}_*.ipynb"))
        self.saved = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
        self.page = page
        self.command("docmanager:open", {"path": f"notebooks/{path.name}"})
        page.wait_for_function(READY, arg=path.name)
        self.notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook")
        self.cells = self.notebook.locator(".jp-CodeCell")
        self.cells.nth(len(self.saved) - 1).wait_for()

    def command(self, name, arguments=None):
        script = "([name, args]) => window.jupyterapp.commands.execute(name, args).then(() => null)"
        self.page.evaluate(script, [name, arguments or {}])

    def counts(self):
        """The number in front of each code cell; 0: not run yet, or running."""
        found = (re.fullmatch(r"\[(\d+)\]:", p) for p in self.cells.evaluate_all(PROMPTS))
        return [int(match[1]) if match else 0 for match in found]

    def run(self, upto=None):
        """Run all cells, or the cells up to (and with) code cell `upto`, as a reader would."""
        self.command("notebook:clear-all-cell-outputs")  # and the numbers of the run before
        wanted = len(self.saved) if upto is None else upto + 1
        assert not any(self.counts())
        if upto is None:
            self.command("notebook:run-all-cells")
        else:
            self.cells.nth(upto).locator(".jp-InputArea-editor").click()
            self.command("notebook:run-all-above")
            self.command("notebook:run-cell")
        deadline = time.monotonic() + RUN_SECONDS
        while not all(self.counts()[:wanted]):
            assert time.monotonic() < deadline and not self.errors(), [self.counts(), self.errors()]
            self.page.wait_for_timeout(100)

    def errors(self):
        """What was raised where no error is announced."""
        shown = zip(self.saved, self.cells.evaluate_all(OUTPUTS), strict=True)
        return [
            text
            for cell, text in shown
            if "Traceback (most" in text and "raises-exception" not in cell.metadata.get("tags", [])
        ]

    def where(self, call):
        """The number of the code cell that holds `call`."""
        return next(n for n, cell in enumerate(self.saved) if call in cell.source)

    def output(self, call):
        return self.cells.nth(self.where(call)).locator(".jp-OutputArea").first

    def says_what_is_saved(self):
        """What is printed in the page is what the file holds; how many outputs were compared."""
        compared = 0
        for cell, shown in zip(self.saved, self.cells.evaluate_all(OUTPUTS), strict=True):
            if "nbval-ignore-output" in cell.metadata.get("tags", []):
                continue
            for out in cell.outputs:
                text = out.get("text") or out.get("ename") or ""
                assert squeezed(text) in squeezed(shown), cell.source
                compared += bool(text)
        return compared


def squeezed(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def page(browser, lab):
    """JupyterLab in the browser, with nothing open."""
    page = browser.new_page()
    page.set_default_timeout(1000 * RUN_SECONDS)
    page.goto(f"{lab}/lab?reset")
    page.wait_for_function("() => window.jupyterapp && document.querySelector('.jp-Launcher')")
    return page


@pytest.fixture
def lesson(page, request):
    return Lesson(page, request.param)


def opened(number):
    return pytest.mark.parametrize("lesson", [number], indirect=True, ids=[number])


@opened("01")
def test_the_chat_box_answers_and_forgets(lesson):
    twin = lesson.output("chat(lambda")
    assert "Noted: your favourite colour is red." in twin.inner_text()  # before anything has run
    assert "Error displaying widget" not in lesson.notebook.inner_text()
    lesson.run()
    assert lesson.says_what_is_saved() >= 6

    box = lesson.output("chat(lambda")
    log, field = box.get_by_role("log"), box.get_by_role("textbox")
    assert log.inner_text().count("You:") == 2
    field.fill("My favourite colour is <b>purple</b>.")
    field.press("Enter")
    log.get_by_text("Noted: your favourite colour is").nth(1).wait_for()
    assert log.inner_text().count("<b>purple</b>") >= 1  # what is typed is text, not markup
    field.fill("What is my favourite colour?")
    box.get_by_role("button", name="Send").click()
    log.get_by_text("You have not told me your favourite colour").wait_for()
    assert field.input_value() == ""
    field.fill("quit")
    field.press("Enter")
    log.get_by_text("The conversation has ended").wait_for()
    assert field.is_disabled()
    shoot(lesson.page, "lesson-01-chat-box")


@opened("03")
def test_the_slider_of_the_cost_explorer_draws_again(lesson):
    lesson.run()
    assert lesson.says_what_is_saved() >= 10

    box = lesson.output("cost_explorer(")
    picture, words = box.locator("img"), box.get_by_role("status")
    row = box.locator(".widget-slider").filter(has_text=re.compile(r"^\s*steps"))
    handle = row.get_by_role("slider")
    before = picture.get_attribute("src")
    assert costs(30) in words.inner_text()
    handle.focus()
    for _ in range(6):
        lesson.page.keyboard.press("ArrowRight")
    words.get_by_text(costs(60)).wait_for()
    assert float(handle.get_attribute("aria-valuenow")) == 60
    lesson.page.wait_for_function("([i, b]) => i.src !== b", arg=[picture.element_handle(), before])
    assert picture.evaluate("image => image.naturalWidth") > 300
    picture.scroll_into_view_if_needed()
    shoot(lesson.page, "lesson-03-cost-explorer")


def costs(steps):
    """What a run of so many steps costs on the model of the lesson, as the explorer words it."""
    from helpers.models import MODELS

    model = next(m.id for m in MODELS.values() if m.prices[0].input == 4)
    requests = cost.growing_run(steps)
    full = sum(cost.series_dollars(model, requests, cached=False))
    cached = sum(cost.series_dollars(model, requests))
    return (
        f"{steps} steps send {cost.run_input(steps):,} tokens for {full:.2f} dollars in full, "
        f"{cached:.2f} with caching"
    )


@opened("11")
def test_the_memory_inspector_deletes(lesson):
    lesson.run()
    assert lesson.says_what_is_saved() >= 20

    lesson.run(upto=lesson.where("memory_inspector("))  # the lesson's end has erased everything
    box = lesson.output("memory_inspector(")
    chosen, table = box.get_by_role("listbox"), box.get_by_role("table")
    rows = table.get_by_role("row").all_inner_texts()
    victim = next(row.split("\t")[1].strip() for row in rows if "dog" in row)
    chosen.select_option(next(o for o in chosen.locator("option").all_inner_texts() if "dog" in o))
    box.get_by_role("textbox").and_(box.locator("textarea")).wait_for()
    lesson.page.wait_for_function(
        "([t, v]) => t.value === v", arg=[box.locator("textarea").element_handle(), victim]
    )
    shoot(lesson.page, "lesson-11-before")
    box.get_by_role("button", name="Delete", exact=True).click()
    box.get_by_text("again to delete it for good").wait_for()
    assert victim in table.inner_text()  # one press deletes nothing
    box.get_by_role("button", name="Delete for good").click()
    box.get_by_role("status").get_by_text("Deleted").wait_for()
    left = table.get_by_role("row").all_inner_texts()
    assert left == [row for row in rows if victim not in row] and len(left) == len(rows) - 1
    assert not [o for o in chosen.locator("option").all_inner_texts() if "dog" in o]
    shoot(lesson.page, "lesson-11-after")
