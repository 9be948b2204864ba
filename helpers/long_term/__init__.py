"""Long-term memory: what is known of a customer from one conversation to the next.

    memory = Memory(db, customer_id)                       # the id of the login, bound once
    memory.remember("Deliveries go to Block B", run_id=run.run_id)
    memory.recall("wrong building again")                  # by meaning, words, ids and dates
    run.add(memory.first_message(words))                   # opens a run with what is known
    desk = Desk(world, customer_id, more=[MemoryTools(memory, run.run_id)])
    memory.after_run(run)                                  # records what came of it, once
    memory.show(); memory.correct(id, text, run_id=...); memory.forget(id); memory.forget_all()

How it works: `memory.py`; the one place where queries are built: `rows.py`; numbers and versions:
`store.py`; ranking: `ranking.py`; contradictions: `contradicting.py`; erasing: `erasing.py`.
"""

from .documents import KINDS, MONTHS, Note, Remembered
from .memory import Memory, NoSuchMemory
from .places import ERASED
from .profile import PROFILE_FIELDS, Entry, Field, Profile
from .quarantine import Held
from .store import CLUSTER, MemoryDamaged
from .tools import MEMORY_TOOLS, MemoryTools
from .vectors import Embedder, shared_embedder

__all__ = [
    "CLUSTER",
    "ERASED",
    "KINDS",
    "MEMORY_TOOLS",
    "MONTHS",
    "PROFILE_FIELDS",
    "Embedder",
    "Entry",
    "Field",
    "Held",
    "Memory",
    "MemoryDamaged",
    "MemoryTools",
    "NoSuchMemory",
    "Note",
    "Profile",
    "Remembered",
    "shared_embedder",
]
