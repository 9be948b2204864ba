"""The passages of a request that the model did not write itself, each with whether it is marked as data.

A passage is a note, a line of a list, a paragraph, a string in the JSON of a result. What the house
itself says is no material: results that hold rules and answers to actions are left out. What the model
has stated in its own notes is left out as well: see `stated`.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..casework.tools import tools_of
from ..remembering.notes import own_words
from ..request import Request, readable
from .marking import Told, says_data, spans, told_by
from .orders import orders_in
from .stated import unstated, unstated_in_notes

SYSTEM, USER, NOTES, DOCUMENT = "system", "user", "notes", "document"
RESULT, RECORD = "result", "record"  # of a tool: in words, in JSON
LONGEST = 200_000  # characters of one text that are cut into passages
SHORT = 3  # a string of fewer words says nothing


NOTED = ("read", "files")  # the jobs of tools that give back what the model has noted


class Passage(NamedTuple):
    """A text, where it stands (its turn; -1 for the system prompt), and whether it is marked."""

    text: str
    marked: bool
    where: str
    turn: int


def passages(request: Request) -> list[Passage]:
    """Every passage in which an order, or half of one, can stand; oldest first."""
    if "passages" not in request.worked_out:
        request.worked_out["passages"] = list(_passages(request))
    return request.worked_out["passages"]


def _passages(request: Request) -> Iterator[Passage]:
    told = told_by(request.system)
    for text, marked in cut(request.system, told.tags, True):
        yield Passage(text, marked, SYSTEM, -1)
    jobs = _jobs(json.dumps(request.tools))
    tools = frozenset(jobs)
    called: dict[str, str] = {}  # the jobs of calls, by their ids
    for number, turn in enumerate(request.turns):
        if turn.role == "assistant":
            for block in turn.of_type("tool_use"):
                called[str(block.get("id"))] = jobs.get(block.get("name"), "")
            continue
        own = own_words(tuple(block.get("text") or "" for block in turn.of_type("text")))
        for block in turn.blocks:
            kind = block.get("type")
            if kind == "text":
                for text, marked in cut(block.get("text") or "", told.tags):
                    where = USER if text in own else NOTES
                    yield Passage(unstated_in_notes(text, tools), marked, where, number)
            elif kind == "tool_result":
                job = called.get(str(block.get("tool_use_id")))
                behind = tools if job in NOTED else frozenset()
                for text in readable(block) if job != "act" else ():
                    where = RECORD if text[:1] in ("{", "[") else RESULT
                    for part, marked in _of_result(text, told, behind, where == RECORD):
                        yield Passage(part, marked, where, number)
            elif kind == "document":
                for text in readable(block):
                    for part, marked in cut(text, told.tags):
                        yield Passage(part, marked or told.documents, DOCUMENT, number)


@lru_cache(maxsize=64)
def _jobs(tools: str) -> dict[str, str]:
    """What each of the tools is for, by name. The tools come as JSON: a run offers the same ones in
    each of its requests."""
    return {tool.name: tool.job for tool in tools_of(json.loads(tools))}


@lru_cache(maxsize=1_024)
def _of_result(
    text: str, told: Told, tools: frozenset[str], record: bool
) -> tuple[tuple[str, bool], ...]:
    """The passages of a result, without what the model has stated by one of these tools.

    Of a record only those that hold an order, since there no two are halves of one; without any, an
    empty one, which still parts what stands before and after it.
    """
    parts = of_result(text, told)
    if tools:
        parts = tuple((unstated(part, tools), marked) for part, marked in parts)
    if not record:
        return parts
    return tuple(part for part in parts if orders_in(part[0])) or (("", False),)


@lru_cache(maxsize=1_024)
def of_result(text: str, told: Told = Told()) -> tuple[tuple[str, bool], ...]:  # noqa: B008
    """The passages of a tool's result, each with whether it is marked; () for one that gives rules."""
    try:
        value = json.loads(text) if text[:1] in ("{", "[") else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict | list):
        return tuple((part, marked or told.results) for part, marked in cut(text, told.tags))
    if isinstance(value, dict) and isinstance(value.get("rules"), list):
        return ()
    return tuple(_strings(value, told, told.results))


def _strings(value: object, told: Told, marked: bool, deep: int = 0) -> Iterator[tuple[str, bool]]:
    """The strings of a JSON value. A label beside them, or in the key above them, marks them."""
    if isinstance(value, str):
        if len(value.split()) >= SHORT or not value.isascii() or len(value) > 15:
            for part, framed in cut(value, told.tags):
                yield part, marked or framed
    elif deep < 40 and isinstance(value, dict):
        label = any(isinstance(v, str) and len(v) < 300 and says_data(v) for v in value.values())
        for key, inner in value.items():
            if str(key).lower() in _ECHOES:
                continue
            named = says_data(str(key).replace("_", " "))
            if isinstance(inner, str | int | float | bool) and _is_switch(key, inner):
                yield f"{key}: {json.dumps(inner)}", marked or label or named
            yield from _strings(inner, told, marked or label or named, deep + 1)
    elif deep < 40 and isinstance(value, list):
        for inner in value:
            yield from _strings(inner, told, marked, deep + 1)


_ECHOES = ("query", "q", "search")  # in which a result repeats what the model has asked


def _is_switch(key: str, value: object) -> bool:
    """Whether a pair reads like a setting ("auto_accept": true)."""
    return (
        isinstance(value, bool)
        or isinstance(value, str)
        and len(value.split()) < SHORT
        and len(key) > 3
    )


_ITEM = re.compile(r"^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+", re.M)


@lru_cache(maxsize=2_048)
def cut(
    text: str, tags: frozenset[str] = frozenset(), system: bool = False
) -> tuple[tuple[str, bool], ...]:
    """The passages of a text, each with whether it is marked; headings of frames are left out.

    tags: names of tags that are known to hold data. system: it is a system prompt.
    """
    text = text[:LONGEST]
    found: list[tuple[str, bool]] = []
    at = 0
    for span in spans(text, tags, system):
        found += [(part, False) for part in _parts(text[at : span.heading])]
        found += [(part, True) for part in _parts(text[span.start : span.end])]
        at = span.end
    found += [(part, False) for part in _parts(text[at:])]
    return tuple(found)


def _parts(text: str) -> Iterator[str]:
    """Paragraphs, and in lists the items."""
    for paragraph in re.split(r"\n[ \t]*\n", text):
        starts = [match.start() for match in _ITEM.finditer(paragraph)]
        if len(starts) < 2:
            starts = starts if starts and starts[0] > 0 else []
        for begin, end in zip([0, *starts], [*starts, len(paragraph)], strict=True):
            if part := _ITEM.sub("", paragraph[begin:end], count=1).strip():
                yield part
