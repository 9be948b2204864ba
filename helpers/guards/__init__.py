"""What code refuses, whatever a model or a text says."""

from .policy import Approval, Decision, Paid, Policy
from .rules import BadRule, Rule

__all__ = ["Approval", "BadRule", "Decision", "Paid", "Policy", "Rule"]
