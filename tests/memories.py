"""What the tests of the long-term memory share: memories with ids and a clock of their own."""

import itertools
import json
from datetime import UTC, datetime, timedelta

from bson import Binary

from helpers.guards import Verdict
from helpers.long_term import Memory

NOON = datetime(2026, 10, 26, 12, tzinfo=UTC)
CUSTOMERS = itertools.count(1)


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now=NOON):
        self.now = now

    def __call__(self):
        return self.now

    def move(self, **by):
        self.now += timedelta(**by)


def anything(text, *, source="customer", before=()):
    """A guard that lets everything in: what may be stored is tested with the guards."""
    return Verdict(True)


def wary(text, *, source="customer", before=()):
    """A guard of one word for each answer."""
    for word, kind in (("secret", "secret"), ("obey", "instruction"), ("seems", "guess")):
        if word in text:
            return Verdict(False, f"This is refused as {kind}.", kind)
    return Verdict(True)


def no_vectors():
    """The embedder of a platform without wordllama."""
    return None


def new_customer() -> str:
    return f"C-{next(CUSTOMERS)}"


def memory_of(db, customer=None, **more) -> Memory:
    """A memory that stores anything, without vectors, whose clock stands at NOON."""
    options = {"clock": lambda: NOON, "guard": anything, "embedder": no_vectors, **more}
    return Memory(db, customer or new_customer(), **options)


def texts(notes) -> list[str]:
    return [note.text for note in notes]


def everything_in(db) -> str:
    """All that the database holds, through the driver alone, as one text; JSON inside JSON too."""
    found = []

    def walk(value):
        if isinstance(value, dict):
            for key, item in value.items():
                found.append(str(key))
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)
        elif isinstance(value, bytes | Binary):
            found.append(bytes(value).hex())
        elif isinstance(value, str):
            found.append(value)
            if value[:1] in "[{":
                try:
                    walk(json.loads(value))
                except ValueError:
                    pass
        else:
            found.append(str(value))

    for name in sorted(db.list_collection_names()):
        for doc in db[name].find():
            walk(doc)
    return "\n".join(found)
