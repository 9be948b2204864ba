"""The shared library of the course: `from helpers import connect, connect_mongo`."""

__all__ = ["connect", "connect_mongo"]


def __getattr__(name):  # when asked: `helpers.environment` must run where packages are missing
    if name == "connect":
        from .backends import connect as found
    elif name == "connect_mongo":
        from .database import connect_mongo as found
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found
