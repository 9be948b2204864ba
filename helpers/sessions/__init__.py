"""A session that survives: the working window in one small document, every message in a log.

    store = SessionStore(connect_mongo(lesson="05"))
    session = store.load(session_id, user_id) or store.create(user_id, session_id)
    store.append_turn(session, [{"role": "user", "content": "Hello"}, reply.to_param()])
    store.save(session)

How it works and why: `store.py`. The log: `log.py`. What is in the documents: `records.py`, and
`content.py` for the contents of messages.
"""

from .log import LogDamaged
from .records import Session, StoredMessage
from .store import CLUSTER, SessionConflict, SessionStore, SessionTooLarge

__all__ = [
    "CLUSTER",
    "LogDamaged",
    "Session",
    "SessionConflict",
    "SessionStore",
    "SessionTooLarge",
    "StoredMessage",
]
