"""The invented world of the desk: the files in data/cartwise/, and others from other seeds."""

import json
import runpy
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "data" / "cartwise"


@cache
def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def _script(name: str) -> dict:
    return runpy.run_path(str(FOLDER / name))


def world(seed: int | None = None) -> dict:
    """The world that is stored, or one made from another seed. A new dict each time."""
    return json.loads(_read("world.json")) if seed is None else _script("make.py")["make"](seed)


def chat(seed: int | None = None) -> dict:
    """The chat of sixty messages, with the facts in it: {"messages", "facts"}."""
    return json.loads(_read("chat.json")) if seed is None else _script("make.py")["make_chat"](seed)


def verdict(world: dict, case: dict) -> list[dict]:
    """What the data say is due in a case: dicts of subject, outcome and amount (or None)."""
    return _script("oracle.py")["verdict"](world, case)


def missing(text: str, entries: list[dict]) -> list[str]:
    """What a final answer leaves out of a verdict, a sentence each; [] for a right answer."""
    return _script("oracle.py")["missing"](text, entries)


def wrong_building(world: dict) -> list[str]:
    """Ids of the tickets that tell of a parcel in the wrong building."""
    return _script("oracle.py")["wrong_building"](world)
