"""What is decided, what was done before, and what a person allowed: plain records."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Approval:
    """A person's word that this amount may be given on this order. Amount: in the currency."""

    order_id: str
    amount: float
    by: str
    what: str = "refund"  # or "discount": neither stands for the other


@dataclass(frozen=True)
class AddressApproval:
    """A person's word that this order may go to this address, once it is known who asked for it."""

    order_id: str
    building: str
    street: str
    by: str


@dataclass(frozen=True)
class Paid:
    """A refund or discount that was made: what it settled, how much, and whether by approval."""

    claims: tuple[str, ...]  # ids of the order or of its parcels
    amount: Decimal
    approved: bool = False
    what: str = "refund"


@dataclass(frozen=True)
class Decision:
    """allowed: it may be done now. why: half a sentence. amount: 0 where no money moves.

    status: "paid" (a refund), "given" (a discount), "changed" (an address), "waiting for approval"
    or "refused".
    """

    allowed: bool
    status: str
    why: str
    amount: Decimal
    claims: tuple[str, ...] = ()
    approved: bool = False
    what: str = "refund"

    def as_paid(self) -> Paid:
        """How the refund or the discount is written down once it has been made."""
        return Paid(self.claims, self.amount, self.approved, self.what)
