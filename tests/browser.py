"""A headless Chromium for tests: Playwright's Python package and a browser that is already here.

A reader's machine without them skips these tests; in CI (the variable CI) that is a failure.
"""

import importlib
import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

SHOTS = Path(__file__).parents[1] / "test-output"  # screenshots, for whoever wants to look at them
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--no-sandbox",  # which root, as in a container, cannot have
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]


def missing(why: str):
    """Skip this module, or fail in CI."""
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"{why}; in CI the browser tests have to run", pytrace=False)
    pytest.skip(why, allow_module_level=True)


def executable() -> str:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return found or missing("no Chromium or Chrome here: the browser tests are left out")


@contextmanager
def chromium(width: int = 1280, height: int = 1400, **options):
    """A browser context of its own; ends with it."""
    try:
        playwright = importlib.import_module("playwright.sync_api")
    except ImportError:
        missing("playwright is not installed (requirements-browser.txt)")
    path = executable()
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        try:
            yield browser.new_context(viewport={"width": width, "height": height}, **options)
        finally:
            browser.close()


def shoot(page, name: str, **options) -> None:
    """Keep a picture of the page as test-output/NAME.png."""
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", **options)
