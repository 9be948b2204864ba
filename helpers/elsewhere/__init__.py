"""Heavy reading elsewhere: a call with a fresh context reads many documents and answers shortly.

    found = read_elsewhere(client, tickets, "Which tickets mention the wrong building?")
    found.answer, found.ids        # all that enters the main context
    found.tokens                   # what the reading took, in contexts that are gone

It is worth its own call when much is read, little is wanted and nothing of it is needed again.
`reading.py` makes the calls, `documents.py` is what goes in, `answers.py` what comes out; `tool.py`
lets an agent have it done.
"""

from .documents import render
from .reading import Elsewhere, NotAllRead, read_elsewhere
from .tool import ElsewhereTool

__all__ = ["Elsewhere", "ElsewhereTool", "NotAllRead", "read_elsewhere", "render"]
