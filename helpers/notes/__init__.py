"""Notes that outlive the context: they stand in a database, not in the messages.

    notes = RunNotes(db, run_id, customer_id)
    notes.write_note("Parcel PX-1: status is delivered (get_tracking, page 6).")
    client.messages.create(..., tools=notes.tools)        # the agent writes and reads them itself

    memory = memory_tool(MemoryFiles(db, customer_id))    # the provider's memory tool, stored here
    client.beta.messages.tool_runner(..., tools=[memory])

One finding after the other: `store.py`. Files that the model edits: `tree.py` has the commands,
`files.py` keeps them in the database, `sdk_tool.py` gives them to the SDK.
"""

from .files import MemoryFiles
from .sdk_tool import async_memory_tool, memory_tool
from .store import NOTE_TOOLS, Note, NoteRefused, RunNotes
from .tree import MemoryRefused

__all__ = [
    "NOTE_TOOLS",
    "MemoryFiles",
    "MemoryRefused",
    "Note",
    "NoteRefused",
    "RunNotes",
    "async_memory_tool",
    "memory_tool",
]
