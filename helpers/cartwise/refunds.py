"""The refunds of the shop: one record for each order, changed only as a whole.

A refund is written down and made in the same step, so it cannot be made twice: not by a second call,
not by a second process, not by a run that is killed and resumed. Every query names `_id`, the order's
id; where one server is not enough:  sh.shardCollection("<db>.refunds", {_id: "hashed"})
"""

from collections.abc import Callable
from decimal import Decimal

from helpers.database_calls import asking, safe_collection, twice
from helpers.guards import Decision, Paid

TRIES = 100  # each failure means that another process has written


class Refunds:
    """Refunds in memory, or with `db` (a pymongo Database) in its collection `refunds`."""

    def __init__(self, db=None):
        self._docs = None if db is None else safe_collection(db, "refunds")
        self._rows: dict[str, dict] = {}

    def paid(self, order_id: str) -> list[Paid]:
        """What was refunded on an order, in order."""
        return [_paid(made) for made in self._read(order_id)["made"]]

    def total(self) -> Decimal:
        """Everything that was refunded, in the currency."""
        return sum(
            (made.amount for row in self._all() for made in map(_paid, row["made"])), Decimal(0)
        )

    def waiting(self) -> list[dict]:
        """What waits for a person's approval: dicts of order_id and amount (a text), each once."""
        return [
            {"order_id": row["_id"], "amount": amount}
            for row in self._all()
            for amount in row["waiting"]
        ]

    def refund(
        self, order_id: str, offer_id: str, decide: Callable[[list[Paid]], Decision]
    ) -> Decision:
        """Make the refund that `decide` allows in view of what was paid before; its decision.

        offer_id names the call: the same call a second time gets the first one's decision back.
        """
        for _ in range(TRIES):
            row = self._read(order_id)
            for made in row["made"]:
                if made["offer_id"] == offer_id:
                    paid = _paid(made)
                    return Decision(
                        True, "paid", made["why"], paid.amount, paid.claims, paid.approved
                    )
            decision = decide([_paid(made) for made in row["made"]])
            amount = str(decision.amount)
            if decision.status == "refused":
                return decision
            waiting = [a for a in row["waiting"] if a != amount]
            made = list(row["made"])
            if decision.allowed:
                made.append(
                    {
                        "offer_id": offer_id,
                        "claims": list(decision.claims),
                        "amount": amount,
                        "approved": decision.approved,
                        "why": decision.why,
                    }
                )
            else:
                waiting.append(amount)
            if self._replace(row, {"made": made, "waiting": waiting}):
                return decision
        raise RuntimeError(
            f"other processes changed the refunds of {order_id} {TRIES} times: again"
        )

    # ------------------------------------------------------------ inside

    def _read(self, order_id: str) -> dict:
        empty = {"_id": order_id, "version": 0, "made": [], "waiting": []}
        if self._docs is None:
            return self._rows.get(order_id, empty)
        with asking("look up the refunds"):
            return self._docs.find_one({"_id": order_id}) or empty

    def _all(self) -> list[dict]:
        if self._docs is None:
            return list(self._rows.values())
        with asking("look up the refunds"):
            return list(self._docs.find({}).sort("_id", 1))

    def _replace(self, seen: dict, change: dict) -> bool:
        """Write the next version of a row; False when `seen` is no longer the newest."""
        row = {**seen, **change, "version": seen["version"] + 1}
        if self._docs is None:
            self._rows[row["_id"]] = row
            return True
        from pymongo.errors import DuplicateKeyError

        with asking("make the refund", "ask for it again: it is not paid twice"):
            if seen["version"]:
                old = {"_id": row["_id"], "version": seen["version"]}
                return bool(twice(lambda: self._docs.replace_one(old, row)).matched_count)
            try:
                twice(lambda: self._docs.insert_one(row))
            except DuplicateKeyError:
                return False
        return True


def _paid(made: dict) -> Paid:
    return Paid(tuple(made["claims"]), Decimal(made["amount"]), made["approved"])
