"""The desk: the tools that the agent may call, and what they do for the customer who is logged in."""

import json
import re
from collections.abc import Iterable

from helpers.guards import Approval, Policy

from .refunds import Refunds
from .shaping import shape
from .tooling import ToolError, arguments, definition, tool

TICKETS = 5  # on a page of a search

FIELDS = {  # what the model needs of each result; the rest is the business of other programs
    "get_order": (
        "order_id customer_id placed_on order_total currency delivery_building delivery_street "
        "parcels.parcel_id parcels.items parcels.parcel_value"
    ).split(),
    "get_tracking": (
        "parcel_id page pages next_page events.at events.status events.facility "
        "events.delivered_building events.signed_by"
    ).split(),
    "get_payments": (
        "order_id payments.payment_id payments.amount payments.status payments.captured_on "
        "captured_total refunded_total"
    ).split(),
    "search_tickets": (
        "query page pages next_page tickets.ticket_id tickets.order_id tickets.opened_on "
        "tickets.subject tickets.text"
    ).split(),
}


class Desk:
    """The tools of one customer's case. `tools` goes into the request, `call` carries out a call.

    world: as `data/cartwise/make.py` makes it. customer_id: of the login, never from a text; an
    order of somebody else is not found. shaped: results as the model needs them; False gives them
    raw, as the courier and the shop's programs send them.
    db: a pymongo Database for refunds (without one they are kept in memory). notes: `RunNotes`, for
    the two note tools. more: further objects that have `tools` and `call`. approvals: what persons
    have approved.

    ValueError: no such customer.
    """

    def __init__(
        self,
        world: dict,
        customer_id: str,
        *,
        shaped: bool = True,
        db=None,
        notes=None,
        more: Iterable = (),
        approvals: Iterable[Approval] = (),
    ):
        if not any(customer["customer_id"] == customer_id for customer in world["customers"]):
            raise ValueError(
                f"{customer_id!r} is no customer of this shop: use the id of the login"
            )
        self.world, self.customer_id, self.shaped = world, customer_id, shaped
        self.approvals = tuple(approvals)
        self.refunds = Refunds(db)
        rules = [policy["rules"] for policy in world["policies"]]
        self.policy = Policy(rules, approval_over=world["approval_over"])
        self._own = [
            self.get_order,
            self.get_tracking,
            self.get_payments,
            self.search_tickets,
            self.get_policy,
            self.offer_refund,
        ]
        others = [*([notes] if notes is not None else []), *more]
        self._others = {tool["name"]: other for other in others for tool in other.tools}
        self.tools = [self._definition(function) for function in self._own]
        self.tools += [tool for other in others for tool in other.tools]
        # their calls change something, or cost something: none is made twice
        self.effects = frozenset({"offer_refund", *self._others} - {"read_notes"})

    def call(self, name: str, input, tool_use_id: str | None = None) -> tuple[str, bool]:
        """Carry out one call: the text of its result (JSON), and whether it is an error.

        tool_use_id: names the call; with the same one an effect happens once. Never raises for what
        a model may have written: that becomes an error with the way out.
        """
        if name in self._others:
            return self._others[name].call(name, input, tool_use_id)
        function = next((f for f in self._own if f.__name__ == name), None)
        if function is None:
            known = ", ".join(tool["name"] for tool in self.tools)
            return f"There is no tool {name!r}. The tools are {known}.", True
        try:
            given = arguments(function, input)
            if name == "offer_refund":
                given["offer_id"] = tool_use_id
            result = function(**given)
        except ToolError as error:
            return str(error), True
        if self.shaped and name in FIELDS:
            result = shape(result, FIELDS[name])
        return json.dumps(result, ensure_ascii=False), False

    def _definition(self, function) -> dict:
        ids = self.world["ids"]
        more = {
            "order_id": {"pattern": ids["order"]["pattern"]},
            "parcel_id": {"pattern": ids["parcel"]["pattern"]},
            "topic": {"enum": [policy["topic"] for policy in self.world["policies"]]},
        }
        fill = {kind: form["example"] for kind, form in ids.items()}
        return definition(function, fill | {"currency": self.world["currency"]}, more)

    # ------------------------------------------------------------ the tools

    @tool(order_id="The id of the order, such as {order}.")
    def get_order(self, order_id: str) -> dict:
        """Reads one order: when it was placed, what it cost, the building and street it was to be
        delivered to, and the parcels it was sent in with their ids and values. Start here for every
        order that the customer names. An order of another customer is not found."""
        return self._order(order_id)

    @tool(
        parcel_id="The id of the parcel, such as {parcel}; get_order lists the parcels of an order.",
        page="Which page, from 1 (the oldest events). Take it from next_page.",
    )
    def get_tracking(self, parcel_id: str, page: int = 1) -> dict:
        """Reads one page of the courier's events about a parcel, oldest first: when, in which
        status, at which facility, and on delivery the building and who signed. The newest events
        decide and stand on the last page: go on with next_page until it is null."""
        pages = self.world["tracking"].get(parcel_id)
        if pages is None or not self._owns(parcel_id):
            raise ToolError(
                f"No parcel {parcel_id!r} was found among this customer's orders: take a parcel_id "
                "from get_order."
            )
        return pages[_page(page, len(pages)) - 1]

    @tool(order_id="The id of the order, such as {order}.")
    def get_payments(self, order_id: str) -> dict:
        """Reads what was charged and what was paid back for one order: each payment, the total that
        was captured and the total that was refunded. Use it when a charge is in question, and
        before any refund."""
        self._order(order_id)
        return self.world["payments"][order_id]

    @tool(
        query="Words to look for, such as an order id or what happened; empty for all tickets.",
        page="Which page, from 1 (the best matches). Take it from next_page.",
    )
    def search_tickets(self, query: str, page: int = 1) -> dict:
        """Reads earlier tickets of the desk that have all words of the query, five on a page; when
        none has, the nearest five. Use it to see what was said before about an order or about a
        kind of problem. Tickets of other customers come without their order."""
        found = self._matching(query)
        pages = max(1, -(-len(found) // TICKETS))
        page = _page(page, pages)
        return {
            "query": query,
            "page": page,
            "pages": pages,
            "next_page": page + 1 if page < pages else None,
            "tickets": [self._shown(t) for t in found[TICKETS * (page - 1) : TICKETS * page]],
        }

    @tool(topic="What the rules are about.")
    def get_policy(self, topic: str) -> dict:
        """Reads the shop's rules on one topic: for each rule the condition under which it holds,
        the outcome and the amount. The first rule of a topic that holds is the one that counts.
        Read the topics that a case touches before you decide anything."""
        for policy in self.world["policies"]:
            if policy["topic"] == topic:
                return policy
        topics = ", ".join(policy["topic"] for policy in self.world["policies"])
        raise ToolError(f"There are no rules on {topic!r}. The topics are: {topics}.")

    @tool(
        order_id="The id of the order that the money is paid back for, such as {order}.",
        amount="The amount in {currency} that the rule gives, with two decimals, such as 12.50.",
        reason="Why: the rule and the facts that it rests on, in one sentence.",
    )
    def offer_refund(
        self, order_id: str, amount: float, reason: str, *, offer_id: str | None = None
    ) -> dict:
        """Asks for a refund and pays it out if it is allowed. This moves money: call it once for
        each amount that a rule gives as a refund, after everything has been looked up. The answer's
        status is "paid", "waiting for approval" (a person has been asked) or "refused"."""
        order = self._order(order_id)
        if not reason.strip():
            raise ToolError("The reason is empty: name the rule and the facts in one sentence.")
        records = order, self.world["payments"][order_id], self._parcels(order)

        # neither the reason nor anything else that somebody wrote is shown to the policy
        def decide(paid):
            options = {"paid": paid, "approvals": self.approvals}
            return self.policy.refund(self.customer_id, *records, amount, **options)

        offer_id = offer_id or f"{order_id} {len(self.refunds.paid(order_id))} {amount}"
        decision = self.refunds.refund(order_id, offer_id, decide)
        return {
            "status": decision.status,
            "order_id": order_id,
            "amount": float(decision.amount),
            "why": decision.why,
        }

    # ------------------------------------------------------------ the data behind them

    def _order(self, order_id: str) -> dict:
        order = self.world["orders"].get(order_id)
        if order is None or order["customer_id"] != self.customer_id:
            raise ToolError(
                f"No order {order_id!r} was found for this customer: check the id, or ask the "
                "customer for it."
            )
        return order

    def _owns(self, parcel_id: str) -> bool:
        return any(
            parcel["parcel_id"] == parcel_id
            for order in self.world["orders"].values()
            if order["customer_id"] == self.customer_id
            for parcel in order["parcels"]
        )

    def _parcels(self, order: dict) -> list[dict]:
        """The parcels of an order with what the courier knows last about each."""
        made = []
        for parcel in order["parcels"]:
            known: dict = dict(parcel)
            for page in self.world["tracking"][parcel["parcel_id"]]:
                legend = page["legend"]
                for event in page["events"]:
                    for key in ("status", "facility", "delivered_building", "signed_by"):
                        if key in event:
                            known[key] = legend.get(key, {}).get(event[key], event[key])
            made.append(known)
        return made

    def _matching(self, query: str) -> list[dict]:
        """Tickets with all words of the query; when there are none, a page of the nearest ones."""
        wanted = set(_words(query))
        tickets = self.world["tickets"]
        if not wanted:
            return tickets
        scored = []
        for ticket in tickets:
            shown = self._shown(ticket)
            has = set(_words(f"{shown['subject']} {shown['text']} {shown.get('order_id', '')}"))
            scored.append((len(wanted & has), ticket))
        if exact := [ticket for score, ticket in scored if score == len(wanted)]:
            return exact
        nearest = sorted((s for s in scored if s[0]), key=lambda s: -s[0])  # ties: oldest first
        return [ticket for _, ticket in nearest[:TICKETS]]

    def _shown(self, ticket: dict) -> dict:
        """A ticket as this customer's case may see it."""
        hidden = {"customer_id"}
        if ticket["customer_id"] != self.customer_id:
            hidden |= {"order_id"}
        return {key: value for key, value in ticket.items() if key not in hidden}


def _page(page: int, pages: int) -> int:
    if not 1 <= page <= pages:
        raise ToolError(f"There is no page {page}: the pages are 1 to {pages}.")
    return page


def _words(text: str) -> list[str]:
    return re.findall(r"\w[\w-]*", text.lower())
