"""What the result of a tool states, in the sentences in which findings are stated."""

import re
from collections.abc import Iterator

from ..casework.findings import Finding, Offer, words_of
from ..material.passages import Passage
from ..material.words import root

FIELDS = 8  # of one record
RECORDS = 6  # of one result
LONGEST = 120  # characters of a value
EVENTS = 3  # entries without a name of their own that are kept of one list

_NOISE = frozenset(
    "page pages next_page checksum hash etag signature uuid version schema request_id trace_id".split()
)
_ODD = re.compile(r"[0-9a-f]{16,}|[A-Za-z0-9+/]{40,}={0,2}")
_VERBS = frozenset("offer make give issue pay do create send request propose grant apply".split())
_GIVING = frozenset(
    map(
        root,
        "offer refund pay issue grant waive credit voucher replace replacement compensate reimburse discount".split(),
    )
)
_READING = frozenset(map(root, "get read find search look list fetch show check lookup".split()))
DENIED = re.compile(
    r"\b(?:refused|denied|rejected|failed|error|not allowed|declined|invalid)\b", re.I
)


def findings_of(passage: Passage) -> list[Finding]:
    """The findings in a result that is JSON; [] for prose."""
    found: list[Finding] = []
    for value in passage.values:
        page = value.get("page") if isinstance(value, dict) else None
        page = page if isinstance(page, int) and not isinstance(page, bool) else None
        for kind, name, fields in _records(value, "", ""):
            if fields and len(found) < RECORDS:
                found.append(Finding(kind, name, fields, passage.tool, page))
    return found


def _records(value: object, kind: str, name: str, depth: int = 0) -> Iterator[tuple]:
    """(kind, id, fields) of a record and of the named records inside it."""
    if depth > 6:
        return
    if isinstance(value, list):
        for part in value:
            yield from _records(part, kind, name, depth + 1)
        return
    if not isinstance(value, dict):
        return
    key = next((k for k in value if k.endswith(("_id", "Id")) and _plain(value[k])), None)
    if key is None:
        key = next((k for k in value if k in ("id", "topic", "query", "name", "rule")), None)
    if key is not None:
        kind = words_of(key).removesuffix(" id") if key != "id" else kind or "record"
        name = str(value[key])
    fields = {
        words_of(k): _shown(v)
        for k, v in value.items()
        if k != key and k.lower() not in _NOISE and _plain(v) and not _ODD.fullmatch(str(v))
    }
    if name:
        yield kind, name, dict(list(fields.items())[:FIELDS])
    for k, inner in value.items():
        if isinstance(inner, dict) and k != "legend":
            yield from _records(inner, kind, "", depth + 1)
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            if _own_names(inner):
                yield from _records(inner, words_of(k).removesuffix("s"), "", depth + 1)
            elif name:
                for event in _telling(inner):
                    told = {words_of(n): _shown(v) for n, v in event.items() if _plain(v)}
                    yield kind, name, dict(list(told.items())[:FIELDS])


def _own_names(entries: list) -> bool:
    """Whether the entries of a list are things with names, not events of the thing above."""
    first = entries[0]
    keys = [k for k in first if k.endswith(("_id", "Id")) or k in ("id", "rule")]
    return bool(keys) and not any(k in first for k in ("event_id", "eventId", "at", "time"))


def _telling(entries: list) -> list[dict]:
    """Of many events those that say what few others say, and the last one."""
    events = [e for e in entries if isinstance(e, dict)]
    count: dict[str, int] = {}
    for event in events:
        for key in event:
            count[key] = count.get(key, 0) + 1
    rare = [e for e in events[:-1] if any(count[k] * 2 < len(events) for k in e)]
    return [*rare[-(EVENTS - 1) :], *events[-1:]]


def _plain(value: object) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= LONGEST
    return isinstance(value, int | float)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_giving(tool: str) -> bool:
    """Whether a tool's name says that it gives something to somebody."""
    words = {root(w) for w in words_of(tool).split()}
    return bool(words & _GIVING) and not words & _READING


def offer_of(passage: Passage) -> Offer | None:
    """What a giving tool answered, as an offer; None if it gave nothing."""
    for value in passage.values:
        if not isinstance(value, dict):
            continue
        status = next((v for k, v in value.items() if k in ("status", "state", "result")), None)
        if not isinstance(status, str) or DENIED.search(status):
            continue
        key = next((k for k in value if k.endswith("_id") and _plain(value[k])), None)
        amount = value.get("amount")
        what = [w for w in words_of(passage.tool).split() if root(w) not in _VERBS]
        name = str(value[key]) if key else ""
        kind = words_of(key).removesuffix(" id") if key else "case"
        shown = _shown(amount) if _plain(amount) else ""
        return Offer(kind, name, " ".join(what) or passage.tool, shown, status, passage.tool)
    return None
