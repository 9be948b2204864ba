"""What a memory is: for the caller (`Note`), and as a document."""

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from helpers.sessions.records import checked_time

KINDS = ("fact", "case", "commitment")
MONTHS = 12  # after which a memory expires, unless it is said otherwise
CURRENT, SUPERSEDED, FORGOTTEN = "current", "superseded", "forgotten"


@dataclass(frozen=True)
class Note:
    """One memory as it is handed out.

    kind: "fact", "case", "commitment" (or "profile" where `at_start` shows a field). written_on,
    expires_on, due: days (UTC); None for never and for no day. source_run: the run that wrote it
    first; sources: every run that stated it. score: of a recall, 0 elsewhere.
    state: "current"; "superseded" by the note superseded_by, which has the newer word; or
    "expired". supersedes: the notes that this one ended. open: a case whose run has not ended.
    """

    id: str
    text: str
    kind: str
    written_on: date
    expires_on: date | None
    source_run: str
    score: float = 0.0
    due: date | None = None
    state: str = CURRENT
    sources: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    open: bool = False


@dataclass(frozen=True)
class Remembered:
    """What became of a text. ok: it is remembered, as note `id`.

    reason: one sentence when it is not, or when it was known before; "" else. superseded: ids of
    the notes that it ended. quarantined: it is held back, to be looked at, and never recalled.
    """

    ok: bool
    id: str | None = None
    reason: str = ""
    superseded: tuple[str, ...] = ()
    quarantined: bool = False


def note_of(doc: Mapping, now: datetime, score: float = 0.0) -> Note:
    """The note of a document that has not been forgotten."""
    state = doc["state"]
    if state == CURRENT and expired(doc, now):
        state = "expired"
    return Note(
        id=doc["id"],
        text=doc["text"],
        kind=doc["kind"],
        written_on=doc["written_on"].date(),
        expires_on=doc["expires_at"] and doc["expires_at"].date(),
        source_run=doc["run_id"],
        score=score,
        due=doc["due"] and doc["due"].date(),
        state=state,
        sources=tuple(doc["sources"]),
        supersedes=tuple(doc["supersedes"]),
        superseded_by=doc["superseded_by"],
        open=(doc["outcome"] or "").startswith("open of "),
    )


def expired(doc: Mapping, now: datetime) -> bool:
    return doc["expires_at"] is not None and doc["expires_at"] <= now


def expiry(now: datetime, expires) -> datetime | None:
    """When something written now expires. expires: months, a timedelta, or None for never."""
    if expires is None:
        return None
    if isinstance(expires, timedelta) and expires > timedelta(0):
        return checked_time(now + expires)
    if type(expires) is int and 0 < expires <= 1200:
        months = now.month - 1 + expires
        year, month = now.year + months // 12, months % 12 + 1
        day = min(now.day, calendar.monthrange(year, month)[1])
        return now.replace(year=year, month=month, day=day)
    raise ValueError(
        f"expires is a number of months (1 to 1,200), a timedelta over 0 or None for never, and "
        f"is {expires!r:.80}"
    )


def removal(expires_at: datetime | None, now: datetime) -> datetime | None:
    """When the server may remove it: after the same time, but by the server's own clock.

    The clock that is passed in may stand still in a test or run ahead in a lesson.
    """
    if expires_at is None:
        return None
    try:
        return checked_time(datetime.now(UTC) + (expires_at - now))
    except OverflowError:
        return None


def day(due) -> datetime | None:
    """A due day as it is stored: a date, a datetime with a time zone, or "2026-10-20"."""
    if due is None:
        return None
    if isinstance(due, datetime):
        return checked_time(due)
    if isinstance(due, str):
        try:
            due = date.fromisoformat(due)
        except ValueError:
            due = None
    if isinstance(due, date):
        return datetime(due.year, due.month, due.day, tzinfo=UTC)
    raise ValueError("due is a date, such as date(2026, 10, 20), or None")
