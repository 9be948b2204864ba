"""Dates and times in values, for telling which of two is newer."""

import re
from datetime import UTC, datetime

_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d\S*)?")
_DAY_FIRST = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})(?:,? (\d\d):(\d\d))?")
_NAMES = frozenset("at time timestamp when date datetime moment day".split())
_ENDS = frozenset("at time timestamp date datetime on".split())


def moment(value: object) -> datetime | None:
    """The point in time that a value states, in UTC; None for any other value."""
    if not isinstance(value, str) or not 8 <= len(value) <= 40 or not value[0].isdigit():
        return None
    try:
        if _ISO.fullmatch(value):
            at = datetime.fromisoformat(value)
            return at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
        if match := _DAY_FIRST.fullmatch(value):
            day, month, year, hour, minute = (int(n or 0) for n in match.groups())
            return datetime(year, month, day, hour, minute)
    except (ValueError, OverflowError):
        pass
    return None


def has_clock(value: object) -> bool:
    """Whether a value states a time of day, not only a date."""
    return isinstance(value, str) and ":" in value and moment(value) is not None


def time_field(fields: dict[str, object]) -> str:
    """The field (by its words) that says when something was observed; "" without one."""
    timed = [name for name, value in fields.items() if moment(value)]
    for good in (
        lambda n: n in _NAMES and has_clock(fields[n]),
        lambda n: n in _NAMES,
        lambda n: n.split()[-1] in _ENDS and has_clock(fields[n]),
        lambda n: n.split()[-1] in _ENDS,
    ):
        if name := next((n for n in timed if good(n)), ""):
            return name
    return ""
