"""What code refuses, whatever a model or a text says."""

from .decisions import AddressApproval, Approval, Decision, Paid
from .masking import Masked, mask
from .policy import Policy
from .presenting import present
from .rules import BadRule, Rule
from .storing import Verdict, may_store
from .suspicion import Suspicion, reads_like_instruction, suspicious

__all__ = [
    "AddressApproval",
    "Approval",
    "BadRule",
    "Decision",
    "Masked",
    "Paid",
    "Policy",
    "Rule",
    "Suspicion",
    "Verdict",
    "mask",
    "may_store",
    "present",
    "reads_like_instruction",
    "suspicious",
]
