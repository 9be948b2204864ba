"""Keeping a conversation within a budget: count each message, then drop the oldest exchanges.

    counts = count_messages(client, model, history)
    trimmed = trim(history, 700, counter(history, counts))
    # send trimmed.kept, summarise trimmed.dropped

Whole exchanges are kept or dropped, so an answer never loses its question and a tool call never
loses its result. Tokens are the model's own (`count_tokens`), never characters.
"""

from .calls import InvalidHistory
from .counting import count_messages
from .cutting import BudgetTooSmall, CountFailed, Trimmed, counter, trim

__all__ = [
    "BudgetTooSmall",
    "CountFailed",
    "InvalidHistory",
    "Trimmed",
    "count_messages",
    "counter",
    "trim",
]
