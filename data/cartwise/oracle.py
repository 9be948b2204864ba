"""What is right in a world of the Cartwise desk, computed from its data and from nothing else.

Written without a look at the agent, the practice model or the guards of the library, so that a test
can hold these against it.
"""

import re
from collections.abc import Iterator


def verdict(world: dict, case: dict) -> list[dict]:
    """What is due for each subject (order or parcel) of a case: subject, outcome, amount.

    amount: in the world's currency, rounded to cents; None where the outcome carries none.
    Sorted by subject. A subject that no rule fits is left out.
    """
    found = []
    for order_id in case["orders"]:
        for subject, kind, fields in subjects(world, order_id):
            for policy in world["policies"]:
                rule = _first(policy["rules"], kind, fields)
                if rule:
                    amount = _amount(rule["amount"], fields)
                    found.append({"subject": subject, "outcome": rule["outcome"], "amount": amount})
    return sorted(found, key=lambda entry: (entry["subject"], entry["outcome"]))


def subjects(world: dict, order_id: str) -> Iterator[tuple[str, str, dict]]:
    """(id, "order" or "parcel", fields by their words) of an order and of each of its parcels."""
    order = world["orders"][order_id]
    paid = world["payments"][order_id]
    of_order = _words({**order, **paid})
    yield order_id, "order", of_order
    for parcel in order["parcels"]:
        fields = _words(parcel)
        for page in world["tracking"][parcel["parcel_id"]]:  # oldest first: the newest word counts
            for event in page["events"]:
                said = {k: page["legend"].get(k, {}).get(v, v) for k, v in _plain(event).items()}
                fields |= _words(said)
        yield parcel["parcel_id"], "parcel", {**of_order, **fields}


def due(world: dict, order_id: str) -> dict[str, float]:
    """Refunds that the rules give for an order: amount by subject."""
    entries = verdict(world, {"orders": [order_id]})
    return {e["subject"]: e["amount"] for e in entries if e["outcome"] == "refund"}


def wrong_building(world: dict) -> list[str]:
    """Ids of the tickets which tell of a parcel in the wrong building, sorted."""
    return sorted(t for t, kind in world["ticket_truth"].items() if kind == "wrong building")


def missing(text: str, entries: list[dict]) -> list[str]:
    """What an answer in prose leaves out of a verdict, a sentence each; [] when all is there.

    A subject counts as answered when its outcome and its amount are named between its id and the next
    one, or in its line when no other id stands there.
    """
    gone = []
    for entry in entries:
        if not any(_says(piece, entry) for piece in _about(text, entry["subject"])):
            amount = "" if entry["amount"] is None else f" of {entry['amount']:.2f}"
            gone.append(f"{entry['subject']}: {entry['outcome']}{amount} is not said")
    return gone


# ---------------------------------------------------------------- rules

CONDITION = re.compile(r"(.+?) is (not |over |under |missing$|known$)?(.*)")
OF_PARCELS = {"status", "delivered building", "signed by", "parcel value", "items", "facility"}


def _first(rules: list[dict], kind: str, fields: dict) -> dict | None:
    return next((r for r in rules if _kind(r) == kind and _holds(r["when"], fields)), None)


def _kind(rule: dict) -> str:
    """A rule is about parcels as soon as it names a field that only parcels have."""
    named = {CONDITION.fullmatch(part)[1] for part in rule["when"].split(" and ")}
    return "parcel" if named & OF_PARCELS else "order"


def _holds(when: str, fields: dict) -> bool:
    return all(_true(part, fields) for part in when.split(" and "))


def _true(condition: str, fields: dict) -> bool:
    name, how, other = CONDITION.fullmatch(condition).groups()
    how, value = (how or "").strip(), fields.get(name)
    if how in ("missing", "known"):
        return (value is None) == (how == "missing")
    if value is None:
        return False  # the false answer to every other condition
    other = fields.get(other, other)
    if how in ("over", "under"):
        return float(value) > float(other) if how == "over" else float(value) < float(other)
    return (_same(value) == _same(other)) != (how == "not")


def _same(value):
    try:
        return round(float(value), 2)
    except (TypeError, ValueError):
        return str(value)


def _amount(expression: str, fields: dict) -> float | None:
    if not expression:
        return None
    first, *rest = [float(fields[name]) for name in expression.split(" minus ")]
    return round(first - sum(rest), 2)


# ---------------------------------------------------------------- small things


def _plain(record: dict) -> dict:
    return {k: v for k, v in record.items() if isinstance(v, str | int | float)}


def _words(record: dict) -> dict:
    return {key.replace("_", " "): value for key, value in _plain(record).items()}


ID = re.compile(r"\b[A-Z]{2}-\d{4}\b")


def _about(text: str, subject: str) -> list[str]:
    """The parts of a text that are about a subject."""
    lines = [line for line in text.splitlines() if set(ID.findall(line)) == {subject}]
    starts = [match.start() for match in ID.finditer(text)] + [len(text)]
    pieces = [text[a:b] for a, b in zip(starts, starts[1:], strict=False)]
    return lines + [piece for piece in pieces if piece.startswith(subject)]


def _says(text: str, entry: dict) -> bool:
    words, outcome, amount = text.lower(), entry["outcome"], entry["amount"]
    named = re.search(rf"(?<!no ){re.escape(outcome)}", words)
    numbers = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", words.replace(",", ""))]
    return bool(named) and (amount is None or amount in numbers)
