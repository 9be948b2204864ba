"""Calls to the database as every store makes them: repeated once, and with errors in one sentence."""

from contextlib import contextmanager
from datetime import UTC

from helpers.database import DatabaseUnavailable


def twice(write):
    """Do a write, once more if the connection broke: every write here may safely be repeated.

    The driver does so itself, but not where the URI says retrywrites=false (Azure DocumentDB).
    """
    from pymongo.errors import AutoReconnect, ServerSelectionTimeoutError

    try:
        return write()
    except ServerSelectionTimeoutError:
        raise  # nobody is there
    except AutoReconnect:
        return write()


@contextmanager
def asking(what: str, then: str = "try again", *, who: str = "it"):
    """The driver's errors in one sentence, without the driver's text."""
    from pymongo.errors import ConnectionFailure, OperationFailure, PyMongoError

    try:
        yield
    except ConnectionFailure:
        problem = (
            f"The database does not answer, so {who} could not {what}: see that the server runs, "
            f"then {then}."
        )
        raise DatabaseUnavailable(problem) from None
    except PyMongoError as error:
        code = f", code {error.code}" if isinstance(error, OperationFailure) else ""
        raise DatabaseUnavailable(
            f"The database refused to {what} ({type(error).__name__}{code}): {then}."
        ) from None


def safe_collection(db, name: str):
    """A collection of `db` that is read from the primary and gives times in UTC.

    ValueError for a database that does not acknowledge writes: none would be safe.
    """
    from pymongo import ReadPreference

    if not db.write_concern.acknowledged:
        raise ValueError(
            f"the database does not acknowledge writes (w=0), so nothing in {name} would be safe: "
            "take w=0 out of the MongoDB URI"
        )
    options = db.codec_options.with_options(tz_aware=True, tzinfo=UTC)
    return db.get_collection(name, options, read_preference=ReadPreference.PRIMARY)
