"""Clearing old tool results: the model sees a short placeholder, the run keeps everything.

    edited = clear_old_results(run.messages, keep=3)         # a copy; ids and calls stay
    client.messages.create(..., messages=edited.messages)

`ClearingPolicy` says when to clear, because each clearing makes what follows it new to the prompt
cache; `price` says what a policy costs on a run. Messages with thinking: see `without_thinking`.
"""

from .clearing import PLACEHOLDER, DuplicateId, Edited, clear_old_results, without_thinking
from .counting import count_by, estimate
from .policy import ClearingPolicy
from .pricing import Priced, formula_run, price, requests_of

__all__ = [
    "PLACEHOLDER",
    "ClearingPolicy",
    "DuplicateId",
    "Edited",
    "Priced",
    "clear_old_results",
    "count_by",
    "estimate",
    "formula_run",
    "price",
    "requests_of",
    "without_thinking",
]
