"""The offline stand-in for the Messages API.

`api` behaves like the service: routes, checks, errors, usage. `reply` writes the text of an answer
from one request alone. Nothing here imports anything above floor 0 of the library.
"""

from .api import PracticeAPI

__all__ = ["PracticeAPI"]
