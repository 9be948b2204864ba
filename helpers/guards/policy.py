"""What may be done: decided in code, from data that nobody in a conversation can write."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations

from .decisions import AddressApproval, Approval, Decision, Paid
from .rules import CENT, Rule, number, words

MOST_CLAIMS = 10  # of one order that one refund may settle together
DONE = {"refund": "paid", "discount": "given", "address change": "changed"}


class Policy:
    """Decides about refunds, discounts and addresses, from an order's data, the rules, approvals
    and what the order was given before.

    rules: one list per topic (dicts of rule, when, outcome, amount); the first that holds wins.
    approval_over: what an order is given without an approval may not be more than this together.

    No method takes a text that somebody wrote: no reason, message, memory or ticket. So nothing
    that is said can change a decision.
    """

    def __init__(self, topics: Iterable[Iterable[Mapping]], *, approval_over: float):
        self._topics = [[Rule.of(rule) for rule in rules] for rules in topics]
        limit = number(approval_over)
        if limit is None or limit < 0:
            raise ValueError(f"approval_over is an amount of 0 or more, and is {approval_over!r}")
        self.approval_over = limit

    # ------------------------------------------------------------ money

    def due(
        self,
        order: Mapping,
        payments: Mapping,
        parcels: Sequence[Mapping],
        outcome: str = "refund",
    ) -> dict:
        """What the rules give with this outcome: amount by the id of the order or parcel."""
        of_order = words({**order, **payments})
        known = set(of_order)
        found: dict[str, Decimal] = {}

        def judge(subject: str, record: dict, about: Callable) -> None:
            for rule in self._first(record, about):
                amount = rule.due(record) if rule.outcome == outcome else None
                if amount is not None and amount > 0:
                    found[subject] = found.get(subject, Decimal(0)) + amount

        judge(order["order_id"], of_order, lambda rule: rule.fields() <= known)
        for parcel in parcels:  # which has the fields of its order, too
            record = {**of_order, **words(parcel)}
            judge(parcel["parcel_id"], record, lambda rule: not rule.fields() <= known)
        return found

    def _first(self, record: dict, about: Callable) -> Iterator[Rule]:
        """Of each topic the first rule that holds, of those that are about such a record."""
        for rules in self._topics:
            rule = next((r for r in rules if about(r) and r.holds(record)), None)
            if rule:
                yield rule

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
        (of a parcel the newest known fields). paid: what this order was given before, refunds and
        discounts. Never raises for an odd amount: that is refused.
        """
        records = (order, payments, parcels)
        return self._money("refund", customer_id, records, amount, paid, approvals)

    def discount(
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
        """Whether `amount` may be taken off the price of an order now: as `refund`, by the rules
        whose outcome is "discount".

        A claim is settled once, by a refund or by a discount, and the limit counts both.
        """
        records = (order, payments, parcels)
        return self._money("discount", customer_id, records, amount, paid, approvals)

    def _money(self, what: str, customer_id, records, amount, paid, approvals) -> Decision:
        order, payments, parcels = records
        asked = number(amount) if not isinstance(amount, str) else None
        if asked is None or asked <= 0 or asked != asked.quantize(CENT):
            return _no(what, "an amount is a number over 0 with at most two decimals")
        if order.get("customer_id") != customer_id or payments.get("order_id") != order["order_id"]:
            return _no(what, "the order is not one of this customer's", asked)
        due = self.due(order, payments, parcels, what)
        settled = {claim for made in paid for claim in made.claims}
        open_ = {subject: value for subject, value in due.items() if subject not in settled}
        claims = _which(open_, asked)
        if claims is None:
            if not due:
                why = f"no rule gives a {what} for what the data say about this order"
            elif not open_:
                why = f"every {what} that this order gives has been {DONE[what]} already"
            else:
                why = "the rules do not give this amount for this order: check them and its parcels"
            return _no(what, why, asked)
        captured = number(payments.get("captured_total")) or Decimal(0)
        refunded = number(payments.get("refunded_total")) or Decimal(0)
        left = captured - refunded - sum(made.amount for made in paid)
        if asked > left:
            return _no(what, "it is more than what was captured and not yet refunded", asked)

        def yes(why: str, approved: bool = False) -> Decision:
            return Decision(True, DONE[what], why, asked, claims, approved, what)

        free = sum((made.amount for made in paid if not made.approved), asked)
        if free <= self.approval_over:
            return yes("the rules give it for this order")
        given = sum(
            (a.order_id, a.what, number(a.amount)) == (order["order_id"], what, asked)
            for a in approvals
        )
        used = sum((made.approved, made.what, made.amount) == (True, what, asked) for made in paid)
        if given > used:
            return yes("a person has approved it", approved=True)
        why = f"more than {self.approval_over} on one order needs the approval of a person"
        return Decision(False, "waiting for approval", why, asked, claims, what=what)

    # ------------------------------------------------------------ addresses

    def address_change(
        self,
        customer_id: str,
        order: Mapping,
        parcels: Sequence[Mapping],
        building,
        street,
        *,
        on_file: Sequence[Mapping] = (),
        approvals: Sequence[AddressApproval] = (),
    ) -> Decision:
        """Whether an order may go to another address now.

        Every parcel must be one for which the rules give "address change" (the first that holds, in
        each topic that speaks of it). An address of the customer's account is then enough; any
        other needs a person's approval. on_file: the account's addresses, as records with
        delivery_building and delivery_street. Building and street are compared, never read; odd
        ones are refused.
        """
        what = "address change"
        if order.get("customer_id") != customer_id:
            return _no(what, "the order is not one of this customer's")
        asked = (building, street)
        if not all(isinstance(part, str) and part.strip() for part in asked):
            return _no(what, "an address has a building and a street")
        if asked == _address(order):
            return _no(what, "the order goes there already")
        topics = [rules for rules in self._topics if any(r.outcome == what for r in rules)]
        records = [{**words(order), **words(parcel)} for parcel in parcels]
        first = [next((r for r in t if r.holds(each)), None) for t in topics for each in records]
        if not first or any(rule is None or rule.outcome != what for rule in first):
            return _no(what, "the rules do not allow it for every parcel of this order")
        if asked in map(_address, on_file):
            why = "the rules allow it, and the address is on file"
            return Decision(True, DONE[what], why, Decimal(0), what=what)
        wanted = (order["order_id"], *asked)
        if any((a.order_id, a.building, a.street) == wanted for a in approvals):
            why = "a person has approved it"
            return Decision(True, DONE[what], why, Decimal(0), approved=True, what=what)
        why = "an address that is not on file needs the approval of a person"
        return Decision(False, "waiting for approval", why, Decimal(0), what=what)


def _no(what: str, why: str, amount: Decimal = Decimal(0)) -> Decision:
    return Decision(False, "refused", why, amount, what=what)


def _address(record: Mapping) -> tuple:
    return record.get("delivery_building"), record.get("delivery_street")


def _which(open_: Mapping[str, Decimal], amount: Decimal) -> tuple[str, ...] | None:
    """The claims that make up this amount, as few as possible, in a fixed order; None: no such."""
    subjects = sorted(open_)
    for subject in subjects:
        if open_[subject] == amount:
            return (subject,)
    for count in range(2, len(subjects) + 1):
        for chosen in combinations(subjects[:MOST_CLAIMS], count):
            if sum(open_[subject] for subject in chosen) == amount:
                return chosen
    return None
