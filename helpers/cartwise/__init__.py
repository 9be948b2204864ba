"""The dispute desk: an agent with tools that finds out what happened to an order."""

from helpers.guards import Approval

from .desk import Desk
from .shaping import shape
from .world import chat, missing, verdict, world, wrong_building

__all__ = ["Approval", "Desk", "chat", "missing", "shape", "verdict", "world", "wrong_building"]
