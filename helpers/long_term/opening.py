"""What a run is opened with: the profile, what is promised, what is open, what was last."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from .documents import Note
from .profile import Entry

CHARS = 1_800  # of the texts together: some four hundred tokens
CASES, COMMITMENTS, FACTS = 3, 3, 5


def opening(profile: Iterable[Entry], notes: Iterable[Note], today: date) -> list[Note]:
    """The notes to show, the most useful first, as many as fit.

    Commitments that are due soonest, or overdue; open cases; the last cases; the newest facts.
    """
    newest = sorted(notes, key=lambda note: note.written_on, reverse=True)
    due = [note for note in newest if note.kind == "commitment"]
    cases = [note for note in newest if note.kind == "case"]
    chosen = [
        *map(_field, profile),
        *[_due(n, today) for n in sorted(due, key=lambda n: n.due or date.max)[:COMMITMENTS]],
        *[note for note in cases if note.open][:CASES],
        *[note for note in cases if not note.open][:CASES],
        *[note for note in newest if note.kind == "fact"][:FACTS],
    ]
    shown, room = [], CHARS
    for note in chosen:
        if len(note.text) <= room:
            shown.append(note)
            room -= len(note.text)
    return shown


def _field(entry: Entry) -> Note:
    text = f"{entry.field.replace('_', ' ')}: {entry.value}"
    return Note(
        f"{entry.field} {entry.number}",
        text,
        "profile",
        entry.written_on,
        entry.expires_on,
        entry.source_run,
    )


def _due(note: Note, today: date) -> Note:
    if note.due is None:
        return note
    late = ", overdue" if note.due < today else ""
    return replace(note, text=f"{note.text} (due {note.due}{late})")
