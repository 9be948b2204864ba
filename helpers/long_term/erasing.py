"""What a customer has said stands in more collections than the memories: all of them, to be erased or
handed out.

Erasing blanks texts and leaves documents, numbers and ids, so that nothing that counts on them
breaks: a session loads, a log has no gap, a run is not started a second time. A run or session
gets a new version, so whoever holds it loaded is told so when he saves it. `refunds` is left: money
that moved is kept in the books, and no text of the customer stands there.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from helpers.database import DatabaseUnavailable
from helpers.guards.presenting import quoted
from helpers.sessions import SessionStore, StoredMessage
from helpers.sessions.content import HALF

from .documents import FORGOTTEN
from .rows import Rows
from .store import BLANK
from .wording import pattern_of

ERASED = "[erased]"  # not nothing: a message has to have a text
TRIES = 100  # each failure means that another process has written
Wipe = Callable[[str], str]

# A change of one document: fields to set, fields to remove; None to delete it.
Change = tuple[dict, tuple[str, ...]]


@dataclass(frozen=True)
class Place:
    """One collection that may hold what a customer said.

    owner: the field that names the customer. texts: the fields in which texts stand. blank(doc):
    the change after which it holds none; None to delete the document. version(doc): more fields to
    set with any change, and the field by which a writer notices. always: what every document is
    set to when it is blanked, where that is the same for all.
    """

    name: str
    texts: tuple[str, ...]
    blank: Callable[[dict], Change | None] = lambda doc: ({}, ())
    owner: str = "customer_id"
    version: str = ""
    always: Mapping | None = None

    def touched(self, doc: Mapping) -> dict:
        """The fields by which others notice that the document was changed."""
        if not self.version:
            return {}
        token = uuid4().hex
        if isinstance(doc.get(self.version), int):
            return {self.version: doc[self.version] + 1, "saved": token}
        return {self.version: token}


def _log_entry(doc: dict) -> Change | None:
    if "seq" not in doc:
        return None  # a part of a large content
    return {"text": ERASED, "note": "", "rest": []}, ("blocks", "parts")


def _run_record(doc: dict) -> Change:
    body = json.loads(doc["body"])
    body["messages"] = [{"role": m["role"], "content": ERASED} for m in body["messages"]]
    body |= {"notes": None, "covered_to": None, "cleared": [], "pending": None}
    body |= {"reply": ERASED if body["reply"] else "", "done": True}
    return {"body": _dump(body), "done": True}, ()


def _effect(doc: dict) -> Change:
    result = json.loads(doc["result"])
    answer = isinstance(result, list) and len(result) == 2  # text, is_error
    return {"result": _dump([ERASED, result[1] is True] if answer else ERASED)}, ()


PLACES = [
    Place("notes", ("text",), always={"text": ERASED, "call": None, "changed": ""}),
    Place("run_effects", ("result",), _effect, owner="run_id"),
    Place("runs", ("body",), _run_record, version="version"),
    Place(
        "sessions",
        ("window", "summary"),
        lambda doc: ({"window": [], "summary": "", "covers": doc["last_seq"]}, ()),
        owner="user_id",
        version="version",
    ),
    Place("logs", ("text", "blocks", "rest", "note"), _log_entry, owner="user_id"),
    Place(
        "memory_files",
        ("files",),
        lambda doc: ({"files": [], "recent": []}, ()),
        version="version",
    ),
    Place("profiles", ("value",), always={"value": "", "state": FORGOTTEN}),
    Place("memory_quarantine", ("text",), lambda doc: None),
    Place("memories", ("text",), always=BLANK),
]
# Collections of the course without a text of a customer.
WITHOUT_TEXT = ("memory_heads", "memory_outcomes", "refunds")


# What else goes when a text is taken out of a document: what was made of it.
ALSO = {
    "notes": {"call": None},
    "memory_files": {"recent": []},
    "profiles": {"value": "", "state": FORGOTTEN},
    "memories": {"vector": None, "model": None},  # made anew when it is next looked for
}


def erase_all(db, customer_id: str) -> dict[str, int]:
    """Blank every text of the customer; how many documents were changed, by collection."""
    rows = _rows(db, customer_id)
    _turns(db, customer_id, rows["logs"])
    done = {}
    for place in PLACES:
        if place.always:
            first = next(iter(place.texts))
            query = {first: {"$ne": place.always[first]}}
            done[place.name] = rows[place.name].update(query, place.always)
        else:
            done[place.name] = _change_each(rows[place.name], place, place.blank)
    return {name: changed for name, changed in done.items() if changed}


def erase_text(db, customer_id: str, texts: Iterable[str]) -> dict[str, int]:
    """Take these texts out of everything of the customer's; how many documents were changed."""
    texts = [form for text in texts for form in (text, quoted(text))]  # as `present` shows it, too
    rows, pattern = _rows(db, customer_id), pattern_of(texts)
    large = _large_with(pattern, _turns(db, customer_id, rows["logs"]), rows["logs"])
    done = {}
    for place in PLACES:

        def change(doc: dict, place=place) -> Change | None:
            if place.name == "logs" and (found := _digest(doc)):
                erase = found in large
                return place.blank(doc) if erase else ({}, ())
            return _without(place, doc, pattern)

        done[place.name] = _change_each(rows[place.name], place, change)
    return {name: changed for name, changed in done.items() if changed}


def export(db, customer_id: str, now: datetime) -> dict:
    """Every document of the customer's as plain JSON, by collection."""
    rows, found = _rows(db, customer_id), {}
    for place in PLACES:
        docs = sorted(rows[place.name].find(), key=_place_in_order)
        if docs:
            found[place.name] = [_plain(doc, place) for doc in docs]
    return {"customer_id": customer_id, "exported_on": now.date().isoformat(), **found}


def wiped(value, wipe: Wipe):
    """The value with every text in it wiped, those in JSON texts too; what is unchanged is equal."""
    if isinstance(value, str):
        return _wiped_text(value, wipe)
    if isinstance(value, list):
        return [wiped(item, wipe) for item in value]
    if isinstance(value, Mapping):
        return {wipe(str(key)): wiped(item, wipe) for key, item in value.items()}
    return value


# ---------------------------------------------------------------- inside


def _rows(db, customer_id: str) -> dict[str, Rows]:
    made = {
        place.name: Rows(db, place.name, customer_id, owner=place.owner)
        for place in PLACES
        if place.owner != "run_id"
    }
    return made | {
        place.name: Rows.of_runs(db, place.name, made["runs"])
        for place in PLACES
        if place.owner == "run_id"
    }


def _change_each(rows: Rows, place: Place, change: Callable[[dict], Change | None]) -> int:
    """Change every document; those that others change meanwhile are read and changed again."""
    total = 0
    for _ in range(TRIES):
        changes, gone, tried = [], [], 0
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
            tried += 1
        if gone:
            total += rows.delete({"_id": {"$in": gone}})
        matched = rows.update_each(changes) if changes else 0
        total += matched
        if matched == tried:
            return total
    raise DatabaseUnavailable(
        f"Other processes changed {place.name} {TRIES} times meanwhile: erase again."
    )


def _without(place: Place, doc: dict, pattern) -> Change | None:
    """The change that takes a text out of one document; it may be none at all."""
    hit = False

    def wipe(text: str) -> str:
        nonlocal hit
        new, count = pattern.subn(ERASED, text)
        hit |= bool(count)
        return new

    fields = {name: wiped(doc[name], wipe) for name in place.texts if name in doc}
    if not hit:
        return {}, ()
    if place.name == "memory_quarantine":
        return None
    return {**fields, **ALSO.get(place.name, {})}, ()


def _wiped_text(text: str, wipe: Wipe) -> str:
    if text[:1] in "[{" and text[-1:] in "]}":
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return wipe(text)
        new = wiped(value, wipe)
        return text if new == value else _dump(new)
    return wipe(text)


def _dump(value) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or not HALF.search(text) else json.dumps(value)


def _turns(db, customer_id: str, logs: Rows) -> list[tuple[str, StoredMessage]]:
    """Every message in the logs, with its session.

    Turns of which a part is still to be written (their writer was killed) are written by this: what
    is copied into their first message is about to be erased.
    """
    sessions = sorted({doc["session_id"] for doc in logs.find(fields=["session_id"])})
    store = SessionStore(db) if sessions else None
    return [(id, message) for id in sessions for message in store.log(id, customer_id)]


def _large_with(pattern, turns, logs: Rows) -> set[str]:
    """Digests of the contents that are stored in parts and hold a text: a part may end inside it."""
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
    found = []
    wiped(content, lambda text: found.append(text) or text if pattern.search(text) else text)
    return bool(found)


def _digest(doc: Mapping) -> str | None:
    """Of a content that is stored in parts: named by its message, and by each part."""
    if "seq" not in doc:
        return doc["id"]["sha256"]
    return doc["parts"]["sha256"] if "parts" in doc else None


_INTERNAL = ("_id", "saved", "call", "recent", "next", "total", "vector", "model", "remove_at")


def _place_in_order(doc: Mapping) -> tuple:
    owner = str(doc.get("session_id") or doc.get("field") or "")
    return owner, doc.get("number") or doc.get("seq") or 0, str(doc["_id"])


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
    if isinstance(value, str) and value[:1] in "[{" and value[-1:] in "]}":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
