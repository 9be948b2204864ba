"""The dispute desk: an agent with tools that finds out what happened to an order."""

from helpers.guards import Approval

from .desk import Desk
from .loop import PAUSES, run_case
from .prompts import REASON, RULE, SYSTEM, SYSTEM_WITHOUT_RULE, open_case
from .shaping import shape
from .world import chat, facts_in, facts_until, missing, verdict, world, wrong_building

__all__ = [
    "PAUSES",
    "REASON",
    "RULE",
    "SYSTEM",
    "SYSTEM_WITHOUT_RULE",
    "Approval",
    "Desk",
    "chat",
    "facts_in",
    "facts_until",
    "missing",
    "open_case",
    "run_case",
    "shape",
    "verdict",
    "world",
    "wrong_building",
]
