"""The profile: named fields of a customer, each with what it may hold, its source and its history.

`profiles` has a document for each value that was ever set; `_id` is made of customer, field and
number, so of two processes only one can write a field's next value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from helpers.database import DatabaseUnavailable
from helpers.sessions.records import checked_id

from .documents import CURRENT, FORGOTTEN, MONTHS, Remembered, expired, expiry, removal
from .rows import Rows
from .wording import normal, same

TRIES = 100  # each failure means that another process has written


@dataclass(frozen=True)
class Field:
    """values: the allowed ones, () for free text of at most `chars` characters."""

    description: str
    values: tuple[str, ...] = ()
    chars: int = 200


PROFILE_FIELDS: Mapping[str, Field] = {
    "delivery_instructions": Field("where and how the courier should deliver"),
    "delivery_building": Field("the building that deliveries go to", chars=80),
    "preferred_resolution": Field(
        "what the customer prefers when something went wrong",
        ("refund", "replacement", "voucher", "repair"),
    ),
    "contact_by": Field("how to reach the customer", ("email", "phone", "letter", "chat")),
    "language": Field(
        "the language to write in",
        tuple(
            "English German French Spanish Italian Dutch Polish Portuguese Czech Danish Swedish "
            "Norwegian Finnish Greek Hungarian Romanian Turkish Ukrainian Arabic Hindi Chinese "
            "Japanese Korean Swahili".split()
        ),
    ),
    "called": Field("how the customer wants to be called", chars=80),
}


@dataclass(frozen=True)
class Entry:
    """One value of a field. written_on, expires_on: days (UTC). state: "current" for the newest,
    "superseded", or "expired". number: 1, 2, 3, ... in its field."""

    field: str
    value: str
    source_run: str
    written_on: date
    expires_on: date | None
    number: int
    state: str = CURRENT


class Profile:
    """The profile of one customer; part of a `Memory`, which makes it."""

    def __init__(
        self,
        rows: Rows,
        clock: Callable[[], datetime],
        admit: Callable[..., Remembered | None],
        fields: Mapping[str, Field] = PROFILE_FIELDS,
    ):
        self._docs, self._clock, self._admit = rows, clock, admit
        self.fields = fields
        rows.index("field", "number")

    def set(self, field: str, value: str, *, run_id: str, expires=MONTHS) -> Remembered:
        """Set a field; the value before stays in its history. The same value again changes nothing.

        Not ok, with a reason: a value that the field does not allow, or that may not be stored.
        ValueError: no such field, or a value that is no text.
        """
        rule, run_id = self._rule(field), checked_id("run_id", run_id)
        if not isinstance(value, str):
            raise ValueError(f"the value of {field} is a text, and is a {type(value).__name__}")
        now = self._clock()
        value, wrong = _allowed(field, rule, normal(value))
        if wrong:
            return Remembered(False, reason=wrong)
        if not rule.values:
            refused = self._admit(value, run_id=run_id, where=f"profile: {field}")
            if refused:
                return refused
        expires_at = expiry(now, expires)
        for _ in range(TRIES):
            docs = self._read({"field": field})
            if docs and docs[-1]["value"] == value and not expired(docs[-1], now):
                return Remembered(True, _name(docs[-1]), "It says so already.")
            number = docs[-1]["number"] + 1 if docs else 1
            doc = {
                "_id": self._docs.key(field, number),
                "field": field,
                "number": number,
                "value": value,
                "state": CURRENT,
                "run_id": run_id,
                "written_on": now,
                "expires_at": expires_at,
                "remove_at": removal(expires_at, now),
            }
            if self._docs.insert(doc):
                ended = [_name(old) for old in docs[-1:] if old["state"] != FORGOTTEN]
                return Remembered(True, _name(doc), superseded=tuple(ended))
        raise DatabaseUnavailable(
            f"Other processes changed this profile {TRIES} times meanwhile: try again."
        )

    def get(self) -> dict[str, Entry]:
        """The newest value of each field that has one and has not expired."""
        now = self._clock()
        newest = {doc["field"]: doc for doc in self._read({})}
        return {
            field: _entry(newest[field], newest[field], now)
            for field in self.fields
            if field in newest and _holds(newest[field], now)
        }

    def history(self, field: str) -> list[Entry]:
        """Every value of a field, oldest first. ValueError: no such field."""
        self._rule(field)
        docs = self._read({"field": field})
        now = self._clock()
        return [_entry(doc, docs[-1], now) for doc in docs if doc["state"] != FORGOTTEN]

    def forget(self, field: str) -> int:
        """Blank every value of a field; how many there were. The numbers stay."""
        self._rule(field)
        query = {"field": field, "state": CURRENT}
        return self._docs.update(query, {"value": "", "state": FORGOTTEN})

    # ------------------------------------------------------------ inside

    def _rule(self, field: str) -> Field:
        rule = self.fields.get(field) if isinstance(field, str) else None
        if rule is None:
            raise ValueError(f"the profile has no field {field!r:.80}: {', '.join(self.fields)}")
        return rule

    def _read(self, query: Mapping) -> list[dict]:
        return sorted(self._docs.find(query), key=lambda doc: doc["number"])


def _allowed(field: str, rule: Field, value: str) -> tuple[str, str]:
    """The value as the field has it, and what is wrong with it."""
    if not value:
        return value, f"{field} needs a value; forget the field to have none."
    if rule.values:
        known = {same(allowed): allowed for allowed in rule.values}
        if same(value) not in known:
            return value, f"{field} is one of {', '.join(rule.values)}."
        return known[same(value)], ""
    if len(value) > rule.chars:
        return value, f"{field} has at most {rule.chars} characters."
    return value, ""


def _name(doc: Mapping) -> str:
    return f"{doc['field']} {doc['number']}"


def _holds(doc: Mapping, now: datetime) -> bool:
    return doc["state"] == CURRENT and not expired(doc, now)


def _entry(doc: Mapping, newest: Mapping, now: datetime) -> Entry:
    state = CURRENT if doc is newest else "superseded"
    return Entry(
        doc["field"],
        doc["value"],
        doc["run_id"],
        doc["written_on"].date(),
        doc["expires_at"] and doc["expires_at"].date(),
        doc["number"],
        "expired" if state == CURRENT and expired(doc, now) else state,
    )
