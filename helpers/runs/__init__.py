"""The run record: one task's state, saved outside the model after every step."""

from .record import LedgerRow, Run, plain_message
from .store import RunConflict, RunDamaged, RunStore, RunTooLarge

__all__ = [
    "LedgerRow",
    "Run",
    "RunConflict",
    "RunDamaged",
    "RunStore",
    "RunTooLarge",
    "plain_message",
]
