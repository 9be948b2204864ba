"""The invented world of the desk: the files in data/cartwise/, and others from other seeds."""

import json
import re
import runpy
from collections.abc import Iterable
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


def facts_until(chat: dict, end: int | None = None) -> list[dict]:
    """The facts of a chat's first `end` messages (all without one) that none of these corrects."""
    stated = [fact for fact in chat["facts"] if end is None or fact["message"] < end]
    return [
        fact
        for n, fact in enumerate(stated)
        if not any(set(fact["must"]) & set(later.get("gone", ())) for later in stated[n + 1 :])
    ]


def facts_in(memory: str | Iterable[str], facts: list[dict]) -> list[dict]:
    """Those of the facts whose words stand together in one entry of a memory.

    memory: the entries, or a text, of which each sentence and each line is one.
    """
    entries = re.split(r"(?<=[.!?])\s+|\n", memory) if isinstance(memory, str) else memory
    low = [entry.casefold() for entry in entries]
    return [
        fact for fact in facts if any(all(w.casefold() in e for w in fact["must"]) for e in low)
    ]


def verdict(world: dict, case: dict) -> list[dict]:
    """What the data say is due in a case: dicts of subject, outcome and amount (or None)."""
    return _script("oracle.py")["verdict"](world, case)


def missing(text: str, entries: list[dict]) -> list[str]:
    """What a final answer leaves out of a verdict, a sentence each; [] for a right answer."""
    return _script("oracle.py")["missing"](text, entries)


def wrong_building(world: dict) -> list[str]:
    """Ids of the tickets that tell of a parcel in the wrong building."""
    return _script("oracle.py")["wrong_building"](world)
