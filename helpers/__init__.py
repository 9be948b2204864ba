"""The shared library of the course: `from helpers import connect, connect_mongo`."""

from .backends import connect
from .database import connect_mongo

__all__ = ["connect", "connect_mongo"]
