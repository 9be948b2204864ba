"""What a customer has said stands in more collections than the memories: all of them, to be erased or
handed out.

Erasing blanks texts and leaves documents, numbers and ids, so that nothing that counts on them
breaks: a session loads, a log has no gap, a run is not started a second time. A run or session
gets a new version, so whoever holds it loaded is told so when he saves it. `refunds` is left: money
that moved is kept in the books, and no text of the customer stands there.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from helpers.database import DatabaseUnavailable
from helpers.guards.presenting import quoted
from helpers.sessions import SessionStore, StoredMessage

from .places import ERASED, NOTHING, PLACES, Change, Place, wiped
from .rows import Rows
from .wording import pattern_of

SHORT = 4  # a text of fewer characters is in every other sentence by chance
TRIES = 100  # each failure means that another process has written


def erase_all(db, customer_id: str) -> dict[str, int]:
    """Blank every text of the customer; how many documents were changed, by collection."""
    rows = _rows(db, customer_id)
    _turns(db, customer_id, rows["logs"])
    done = {}
    for place in PLACES:
        if place.always:
            first, blank = next((name, value) for name, value in place.always.items())
            query = {first: {"$ne": blank}}
            done[place.name] = rows[place.name].update(query, place.always)
        else:
            done[place.name] = _change_each(rows[place.name], place, place.blank)
    return {name: changed for name, changed in done.items() if changed}


def erase_text(db, customer_id: str, texts: Iterable[str]) -> dict[str, int]:
    """Take these texts out of everything of the customer's; how many documents were changed."""
    texts = [text for text in texts if len(text) >= SHORT]
    pattern = pattern_of([*texts, *map(quoted, texts)])  # as `present` shows them, too
    rows = _rows(db, customer_id)
    large = _large_with(pattern, _turns(db, customer_id, rows["logs"]), rows["logs"])

    def wipe(text: str) -> str:
        return pattern.sub(ERASED, text)

    done = {}
    for place in PLACES:

        def change(doc: dict, place=place) -> Change | None:
            if place.name == "logs" and (digest := _digest(doc)):
                return place.blank(doc) if digest in large else NOTHING
            return place.without(doc, wipe)

        done[place.name] = _change_each(rows[place.name], place, change)
    return {name: changed for name, changed in done.items() if changed}


def export(db, customer_id: str, now: datetime) -> dict:
    """Every document of the customer's as plain JSON, by collection."""
    rows, found = _rows(db, customer_id), {}
    for place in PLACES:
        docs = sorted(rows[place.name].find(), key=_in_order)
        if docs:
            found[place.name] = [_plain(doc, place) for doc in docs]
    return {"customer_id": customer_id, "exported_on": now.date().isoformat(), **found}


# ---------------------------------------------------------------- inside


def _rows(db, customer_id: str) -> dict[str, Rows]:
    made: dict[str, Rows] = {}
    for place in sorted(PLACES, key=lambda place: place.owner == "run_id"):
        if place.owner == "run_id":
            made[place.name] = Rows.of_runs(db, place.name, made["runs"])
        else:
            made[place.name] = Rows(db, place.name, customer_id, owner=place.owner)
    return made


def _change_each(rows: Rows, place: Place, change: Callable[[dict], Change | None]) -> int:
    """Change every document; those that others change meanwhile are read and changed again."""
    total = 0
    for _ in range(TRIES):
        changes, gone = [], []
        for doc in rows.find():
            made = change(doc)
            if made is None:
                gone.append(doc["_id"])
                continue
            fields, removed = made
            removed = tuple(name for name in removed if name in doc)
            if not removed and all(doc.get(name) == value for name, value in fields.items()):
                continue
            seen = {"_id": doc["_id"]}
            if place.version:
                seen[place.version] = doc.get(place.version)
            changes.append((seen, {**fields, **place.touched(doc)}, removed))
        if gone:
            total += rows.delete({"_id": {"$in": gone}})
        matched = rows.update_each(changes) if changes else 0
        total += matched
        if matched == len(changes):
            return total
    raise DatabaseUnavailable(
        f"Other processes changed {place.name} {TRIES} times meanwhile: erase again."
    )


def _turns(db, customer_id: str, logs: Rows) -> list[tuple[str, StoredMessage]]:
    """Every message in the logs, with its session.

    Turns of which a part is still to be written (their writer was killed) are written by this: what
    is copied into their first message is about to be erased.
    """
    sessions = sorted({doc["session_id"] for doc in logs.find(fields=["session_id"])})
    store = SessionStore(db) if sessions else None
    return [(id, message) for id in sessions for message in store.log(id, customer_id)]


def _large_with(pattern, turns, logs: Rows) -> set[str]:
    """Digests of the contents that are stored in parts and hold a text: a part may end inside it.

    Such a content is erased as a whole.
    """
    digests = {
        (doc["session_id"], doc["seq"]): doc["parts"]["sha256"]
        for doc in logs.find({"parts": {"$ne": None}}, ["session_id", "seq", "parts"])
    }
    return {
        digests[session, message.seq]
        for session, message in turns
        if (session, message.seq) in digests and _holds(pattern, message.content)
    }


def _holds(pattern, content) -> bool:
    return wiped(content, lambda text: pattern.sub(ERASED, text)) != content


def _digest(doc: Mapping) -> str | None:
    """Of a content that is stored in parts: named by its message, and by each part."""
    if "seq" not in doc:
        return doc["id"]["sha256"]
    return doc["parts"]["sha256"] if "parts" in doc else None


_INTERNAL = ("_id", "saved", "call", "recent", "next", "total", "vector", "model", "remove_at")


def _plain(doc: Mapping, place: Place) -> dict:
    kept = {k: v for k, v in doc.items() if k not in _INTERNAL and k != place.owner}
    return {key: _readable(value) for key, value in kept.items()}


def _readable(value):
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list):
        return [_readable(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _readable(item) for key, item in value.items()}
    if isinstance(value, str) and value[:1] in ("[", "{") and value[-1:] in ("]", "}"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _in_order(doc: Mapping) -> tuple:
    owner = str(doc.get("session_id") or doc.get("field") or "")
    return owner, doc.get("number") or doc.get("seq") or 0, str(doc["_id"])
