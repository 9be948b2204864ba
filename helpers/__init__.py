"""The shared library of the course: `from helpers import connect, connect_mongo`."""

from .backends import connect

__all__ = ["connect"]
