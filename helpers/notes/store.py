"""The notes of one run: findings in the order in which they were written, never changed.

Each note is a document whose `_id` is made of customer, run and number. So of two processes only
one can write number n, and whoever writes n has seen everything before it: numbers have no gaps,
a note that is there is not stored again, and the caps hold without a lock.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from helpers.database_calls import asking, safe_collection, twice
from helpers.sessions.content import clean_text
from helpers.sessions.records import checked_id, checked_time
from helpers.sessions.store import now_utc

NOTE_CHARS = 2_000  # of one note: a finding and its source, no whole result
RUN_CHARS = 20_000  # of a run's notes together: all of them are read back at once

NOTE_TOOLS = [
    {
        "name": "write_note",
        "description": (
            "Saves one finding of this case as a note. Notes outlive the conversation: tool "
            "results may be cleared from it and old messages summarised, the notes stay. Write a "
            "note as soon as a result has told you something that the decision will need: what "
            "you found, with exact ids, amounts and dates and the tool that said it; what you "
            "have ruled out; what is left to do. One or a few sentences; never a whole result. "
            "A note cannot be changed: when something turns out otherwise, write a new one."
        ),
        "input_schema": {
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "description": f"The finding and its source, at most {NOTE_CHARS:,} characters.",
                }
            },
            "required": ["text"],
            "additionalProperties": False,
        },
    },
    {
        "name": "read_notes",
        "description": (
            "Reads back the notes of this case, oldest first. Use it before anything else when "
            "the conversation shows no findings, because an earlier session may have made some, "
            "and whenever a result that you need again is no longer there. Where two notes "
            "disagree, the later one holds."
        ),
        "input_schema": {"type": "object", "properties": {}, "additionalProperties": False},
    },
]


class NoteRefused(ValueError):
    """A note that is not stored; the sentence, made for the model, says what to write instead."""


@dataclass(frozen=True)
class Note:
    """One stored note. number: 1, 2, 3, ... in its run. at: when it was stored (UTC).
    changed: what had to be repaired to store it, "" for nothing."""

    number: int
    text: str
    at: datetime
    changed: str = ""


class RunNotes:
    """The notes of one run of one customer, and the two tools that give them to an agent.

    db: a pymongo Database (`connect_mongo`). run_id, customer_id: whose notes; both come from your
    own program and the login, never from what the model says (ValueError for what is no id).
    clock: gives the time, with a time zone.

    DatabaseUnavailable when the server does not answer: never taken for "no notes".
    """

    tools = NOTE_TOOLS

    def __init__(self, db, run_id: str, customer_id: str, *, clock=now_utc):
        self._mine = {
            "customer_id": checked_id("customer_id", customer_id),
            "run_id": checked_id("run_id", run_id),
        }
        self._docs = safe_collection(db, "notes")
        self._clock = clock
        with asking("make the index of the notes"):
            self._docs.create_index([("customer_id", 1), ("run_id", 1), ("number", 1)])

    def write_note(self, text: str, *, tool_use_id: str | None = None) -> Note:
        """Store a note; the note as stored.

        The same text twice in a row is stored once. So is the same text from the same tool call
        (`tool_use_id`), at any distance: a run that was killed may do its last call again.

        NoteRefused: no text, over NOTE_CHARS, or the run's notes would be over RUN_CHARS.
        """
        from pymongo.errors import DuplicateKeyError

        text, changed = _checked(text)
        call = _call_key(tool_use_id, text)
        while True:  # each round that fails means that another process has written a note
            with asking("save the note"):
                last = self._docs.find_one(self._mine, sort=[("number", -1)]) or _NONE
                same = last if last["text"] == text else None
                if not same and call:
                    same = self._docs.find_one({**self._mine, "call": call})
                if same:
                    return _note(same)
                doc = self._next(last, text, changed, call)
                try:
                    twice(lambda doc=doc: self._docs.insert_one(doc))
                except DuplicateKeyError:
                    continue
            return _note(doc)

    def read_notes(self) -> list[Note]:
        """All notes of the run, oldest first."""
        with asking("read the notes"):
            return [_note(doc) for doc in self._docs.find(self._mine).sort("number", 1)]

    def call(self, name: str, input: Mapping, tool_use_id: str | None = None) -> tuple[str, bool]:
        """Carry out a call of one of `tools`: the text of its result (JSON), and `is_error`."""
        if name == "read_notes":
            notes = [{"number": note.number, "text": note.text} for note in self.read_notes()]
            return json.dumps({"notes": notes}, ensure_ascii=False), False
        if name != "write_note":
            return f"There is no tool {name!r} here: use write_note or read_notes.", True
        try:
            text = input.get("text") if isinstance(input, Mapping) else None
            note = self.write_note(text, tool_use_id=tool_use_id)
        except NoteRefused as refused:
            return str(refused), True
        return json.dumps({"saved": True, "number": note.number}), False

    def _next(self, last: dict, text: str, changed: str, call: str | None) -> dict:
        total = last["total"] + len(text)
        if total > RUN_CHARS:
            raise NoteRefused(
                f"Not saved: the notes of this case would have {total:,} characters together, the "
                f"most is {RUN_CHARS:,}. Work with the notes that are there, and finish the case."
            )
        number = last["number"] + 1
        key = [self._mine["customer_id"], self._mine["run_id"], number]
        return {
            "_id": json.dumps(key, ensure_ascii=False),
            **self._mine,
            "number": number,
            "text": text,
            "total": total,  # characters of the notes up to this one
            "call": call,
            "at": checked_time(self._clock()),
            "changed": changed,
        }


_NONE = {"number": 0, "text": None, "total": 0}


def _checked(text) -> tuple[str, str]:
    if not isinstance(text, str) or not text.strip():
        raise NoteRefused("Not saved: a note needs a text; write down what you found, and where.")
    if len(text) > NOTE_CHARS:
        raise NoteRefused(
            f"Not saved: this note has {len(text):,} characters, the most is {NOTE_CHARS:,}. Write "
            "the finding and its source, not the whole result."
        )
    return clean_text(text)


def _call_key(tool_use_id: str | None, text: str) -> str | None:
    """Names a tool call. The text is part of it, so that no note is lost to an id used twice."""
    if tool_use_id is None:
        return None
    parts = json.dumps([checked_id("tool_use_id", tool_use_id), text])
    return hashlib.sha256(parts.encode()).hexdigest()


def _note(doc: Mapping) -> Note:
    return Note(doc["number"], doc["text"], doc["at"], doc["changed"])
