"""What may be paid: decided in code, from data that nobody in a conversation can write."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from .rules import CENT, Rule, number, words

MOST_CLAIMS = 10  # of one order that one refund may settle together


@dataclass(frozen=True)
class Approval:
    """A person's word that this amount may be refunded on this order. Amount: in the currency."""

    order_id: str
    amount: float
    by: str


@dataclass(frozen=True)
class Paid:
    """A refund that went out: what it settled, how much it was, whether it used an approval."""

    claims: tuple[str, ...]  # ids of the order or of its parcels
    amount: Decimal
    approved: bool = False


@dataclass(frozen=True)
class Decision:
    """allowed: the money may move now. status: "paid", "waiting for approval" or "refused"."""

    allowed: bool
    status: str
    why: str
    amount: Decimal
    claims: tuple[str, ...] = ()
    approved: bool = False

    def as_paid(self) -> Paid:
        """How the refund is written down once it has been made."""
        return Paid(self.claims, self.amount, self.approved)


class Policy:
    """Decides about refunds from an order's data, the rules, approvals and what was paid before.

    rules: one list per topic (dicts of rule, when, outcome, amount); the first that holds wins.
    approval_over: an order's refunds without an approval may not be more than this together.

    No method takes a text that somebody wrote: no reason, message, memory or ticket. So nothing
    that is said can change a decision.
    """

    def __init__(self, topics: Iterable[Iterable[Mapping]], *, approval_over: float):
        self._topics = [[Rule.of(rule) for rule in rules] for rules in topics]
        limit = number(approval_over)
        if limit is None or limit < 0:
            raise ValueError(f"approval_over is an amount of 0 or more, and is {approval_over!r}")
        self.approval_over = limit

    def due(self, order: Mapping, payments: Mapping, parcels: Sequence[Mapping]) -> dict:
        """Refunds that the rules give: amount by the id of the order or parcel it is for."""
        of_order = words({**order, **payments})
        known = set(of_order)
        found = self._due(order["order_id"], of_order, lambda rule: rule.fields() <= known)
        for parcel in parcels:  # which has the fields of its order, too
            record = {**of_order, **words(parcel)}
            found |= self._due(parcel["parcel_id"], record, lambda rule: not rule.fields() <= known)
        return found

    def _due(self, subject: str, record: dict, about: Callable) -> dict[str, Decimal]:
        found: dict[str, Decimal] = {}
        for rules in self._topics:
            rule = next((r for r in rules if about(r) and r.holds(record)), None)
            if rule and rule.outcome == "refund":
                amount = rule.due(record)
                if amount is not None and amount > 0:
                    found[subject] = found.get(subject, Decimal(0)) + amount
        return found

    def refund(
        self,
        customer_id: str,
        order: Mapping,
        payments: Mapping,
        parcels: Sequence[Mapping],
        amount,
        *,
        paid: Sequence[Paid] = (),
        approvals: Sequence[Approval] = (),
    ) -> Decision:
        """Whether `amount` may be refunded on an order now.

        customer_id: of the login. order, payments, parcels: records of the shop and the courier
        (of a parcel the newest known fields). paid: earlier refunds of this order. Never raises for
        an odd amount: that is refused.
        """
        asked = number(amount) if not isinstance(amount, str) else None
        if asked is None or asked <= 0 or asked != asked.quantize(CENT):
            return _no("an amount is a number over 0 with at most two decimals", Decimal(0))
        if order.get("customer_id") != customer_id or payments.get("order_id") != order["order_id"]:
            return _no("the order is not one of this customer's", asked)
        due = self.due(order, payments, parcels)
        settled = {claim for refund in paid for claim in refund.claims}
        open_ = {subject: value for subject, value in due.items() if subject not in settled}
        claims = _which(open_, asked)
        if claims is None:
            if not due:
                why = "no rule gives a refund for what the data say about this order"
            elif not open_:
                why = "every refund that this order gives has been paid already"
            else:
                why = "the rules do not give this amount for this order: check them and its parcels"
            return _no(why, asked)
        captured = number(payments.get("captured_total")) or Decimal(0)
        refunded = number(payments.get("refunded_total")) or Decimal(0)
        left = captured - refunded - sum(refund.amount for refund in paid)
        if asked > left:
            return _no("it is more than what was captured and not yet refunded", asked)
        free = sum((refund.amount for refund in paid if not refund.approved), asked)
        if free <= self.approval_over:
            return Decision(True, "paid", "the rules give it for this order", asked, claims)
        given = sum(
            a.order_id == order["order_id"] and number(a.amount) == asked for a in approvals
        )
        used = sum(refund.approved and refund.amount == asked for refund in paid)
        if given > used:
            return Decision(True, "paid", "a person has approved it", asked, claims, approved=True)
        why = f"more than {self.approval_over} on one order needs the approval of a person"
        return Decision(False, "waiting for approval", why, asked, claims)


def _no(why: str, amount: Decimal) -> Decision:
    return Decision(False, "refused", why, amount)


def _which(open_: Mapping[str, Decimal], amount: Decimal) -> tuple[str, ...] | None:
    """The claims that make up this amount, as few as possible, in a fixed order; None: there are none."""
    subjects = sorted(open_)
    for subject in subjects:
        if open_[subject] == amount:
            return (subject,)
    for count in range(2, len(subjects) + 1):
        for chosen in combinations(subjects[:MOST_CLAIMS], count):
            if sum(open_[subject] for subject in chosen) == amount:
                return chosen
    return None
