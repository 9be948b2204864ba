"""From the request that was sent to the one that the model sees."""

from .memory_tool import expanded

__all__ = ["expanded"]
