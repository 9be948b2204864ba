"""Compaction: the older part of a run becomes typed notes; the newest messages stay word for word.

    result = compact(client, run, keep_last=8)      # one call to a model; merged by code
    messages = window(run)                          # what the model sees from now on

The full history stays in `run.messages`. A compaction that fails in any way leaves the run as it
was and says why.
"""

from .asking import render
from .compacting import Compacted, CompactionStuck, compact
from .cutting import UnansweredCall, safe_cut
from .merging import merge_notes
from .notes import HEADING, CaseNotes, Fact, notes_message, notes_schema
from .showing import window

__all__ = [
    "HEADING",
    "CaseNotes",
    "Compacted",
    "CompactionStuck",
    "Fact",
    "UnansweredCall",
    "compact",
    "merge_notes",
    "notes_message",
    "notes_schema",
    "render",
    "safe_cut",
    "window",
]
