"""What was held back: texts that read like an instruction or a grant. Looked at, never recalled."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from helpers.guards import mask

from .documents import MONTHS, expired, expiry, removal
from .rows import Rows
from .wording import same

HELD_CHARS = 2_000  # of one text: enough to look at


@dataclass(frozen=True)
class Held:
    """One text that was not stored as a memory, and why. where: "memory", "case", or which field of
    the profile it was meant for."""

    id: str
    text: str
    reason: str
    where: str
    source_run: str
    written_on: date


class Quarantine:
    """What was held back of one customer; part of a `Memory`, which makes it."""

    def __init__(self, rows: Rows, clock: Callable[[], datetime], new_id: Callable[[], str]):
        self._docs, self._clock, self._new_id = rows, clock, new_id
        rows.index("id")

    def hold(self, text: str, reason: str, *, where: str, run_id: str) -> None:
        """Keep a text to be looked at; the same text from the same run once."""
        now = self._clock()
        expires_at = expiry(now, MONTHS)
        text = mask(text).text[:HELD_CHARS]
        digest = hashlib.sha256(same(text).encode()).hexdigest()
        self._docs.insert(
            {
                "_id": self._docs.key(run_id, digest),
                "id": self._new_id(),
                "text": text,
                "reason": reason,
                "where": where,
                "run_id": run_id,
                "written_on": now,
                "expires_at": expires_at,
                "remove_at": removal(expires_at, now),
            }
        )

    def all(self) -> list[Held]:
        """Everything that is held back, oldest first."""
        now = self._clock()
        docs = [doc for doc in self._docs.find() if not expired(doc, now)]
        # written in the same moment of a given clock: remove_at counts from the machine's own
        order = sorted(
            docs, key=lambda doc: (doc["written_on"], doc["remove_at"] or now, doc["id"])
        )
        return [_held(doc) for doc in order]

    def find(self, id: str) -> Held | None:
        doc = self._docs.one({"id": id})
        return _held(doc) if doc else None

    def delete(self, id: str) -> int:
        return self._docs.delete({"id": id})


def _held(doc: Mapping) -> Held:
    return Held(
        doc["id"],
        doc["text"],
        doc["reason"],
        doc["where"],
        doc["run_id"],
        doc["written_on"].date(),
    )
