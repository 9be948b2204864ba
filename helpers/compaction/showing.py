"""What the model sees of a run: the notes in front, then everything that they do not cover."""

import sys

from helpers.editing import PLACEHOLDER, clear_old_results, without_thinking

from .notes import CaseNotes, notes_message


def window(run, *, placeholder: str = PLACEHOLDER) -> list[dict]:
    """The messages of the next request of a run (`runs.Run`), as a new list.

    First the notes as a user message, if there are any, then `run.uncovered()`, in which the
    results that `run.cleared` names are placeholders. Thinking blocks are left out as soon as
    notes or placeholders change what stands before them; without these, it is `run.messages`.
    Everything else is the run's, byte for byte. ValueError, from the run, if `covered_to` is no
    place at which it may be cut.
    """
    return shown(run.notes, run.uncovered(), run.cleared, placeholder)


def shown(notes, recent, cleared, placeholder: str = PLACEHOLDER) -> list[dict]:
    """The same of the parts: notes (a dict or None), uncovered messages, cleared ids."""
    edited = clear_old_results(recent, keep=sys.maxsize, cleared=cleared, placeholder=placeholder)
    front = [notes_message(CaseNotes.of(notes))] if notes is not None else []
    changed = front or any(a is not b for a, b in zip(edited.messages, recent, strict=True))
    return front + (without_thinking(edited.messages) if changed else edited.messages)
