"""Which database answers: a MongoDB-protocol server by URI, else the embedded one.

    db = connect_mongo(lesson="05")   # a pymongo Database, empty at first use
    reset(db)                         # and empty again

MONGODB_URI (or the argument) chooses any MongoDB, Atlas or Azure DocumentDB. Without it a server
is started on this machine; `database_lease.py` and `database_keeper.py` look after it.
"""

import importlib.util
import os
import re
import warnings

from helpers.database_lease import DatabaseUnavailable, data_dir, server_port, stop_server

__all__ = ["DatabaseUnavailable", "connect_mongo", "data_dir", "reset", "stop_server"]

PREFIX = "agent_memory_"  # of every database of the course; nothing else is ever emptied
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,24}")  # with the prefix 38 bytes, what Atlas allows
APP = "agent-memory-course"

SELECTION_MS = 2_000  # how long a call looks for a server: a dead one is known in under 3 s

ANSWER_MS = 25_000  # the longest wait for one answer of the embedded server; most take 1 ms
FALLBACK = "or unset MONGODB_URI to use the embedded server"


def connect_mongo(uri: str | None = None, *, lesson: str = "scratch"):
    """The lesson's database (`agent_memory_<lesson>`), proved by a ping; prints which it is.

    uri: a MongoDB connection string; else MONGODB_URI; else the embedded server. Options in it
    win over ours, which are: writes acknowledged by the majority and the journal, dates with a
    time zone, 2 seconds to find the server.
    lesson: 1 to 25 of a-z, 0-9, "_" and "-".

    Returns a `pymongo.database.Database`. Raises ValueError for a bad lesson name and
    DatabaseUnavailable, within 3 seconds, for a server that cannot be used.
    """
    if not isinstance(lesson, str) or not NAME.fullmatch(lesson):
        raise ValueError(
            f"lesson must be 1 to 25 characters of a-z, 0-9, _ and -, and is {lesson!r}"
        )
    if uri is not None and not isinstance(uri, str):
        raise ValueError(f"uri must be a str such as 'mongodb://…', and is {type(uri).__name__}")
    missing = [p for p in ("pymongo", "filelock", "psutil") if not importlib.util.find_spec(p)]
    if missing:
        raise DatabaseUnavailable(
            f"{' and '.join(missing)} not installed in this Python: run `python3 start.py` and "
            "choose the kernel of its .venv."
        )
    uri = (uri or "").strip() or os.environ.get("MONGODB_URI", "").strip()
    name = PREFIX + lesson
    if uri:
        client, who, problem = _remote(uri, name)
    else:
        client, who, problem = _embedded(name)
    if problem:  # raised here, so that no driver's error with its details hangs on to it
        raise DatabaseUnavailable(problem)
    print(f"database {name} · {who}")
    return client[name]


def reset(db) -> None:
    """Empty a lesson's database: all its collections are dropped, with their indexes.

    ValueError for a database that `connect_mongo` does not give (another name), which stays
    untouched; DatabaseUnavailable when the server does not answer.
    """
    from pymongo.database import Database
    from pymongo.errors import PyMongoError

    name = db.name if isinstance(db, Database) else f"a {type(db).__name__}"
    if not (name.startswith(PREFIX) and NAME.fullmatch(name.removeprefix(PREFIX))):
        raise ValueError(f"reset empties only databases named {PREFIX}…, and this is {name}")
    problem = None
    try:
        # Not drop_database: that needs a right which a plain read-and-write user has not.
        for name in db.list_collection_names():
            if not name.startswith("system."):
                db.drop_collection(name)
    except PyMongoError as error:
        problem = f"The database could not be emptied: {_reason(error, 'the server')}"
    if problem:
        raise DatabaseUnavailable(problem)


def _embedded(name: str):
    import pymongo

    port = server_port()
    client = pymongo.MongoClient(
        "127.0.0.1",
        port,
        directConnection=True,
        serverSelectionTimeoutMS=SELECTION_MS,
        socketTimeoutMS=ANSWER_MS,
        **_ours({}),
    )
    problem = _prove(client, name, "the embedded server")
    # The same words on every machine, whatever the folder: a notebook's outputs are compared.
    where = "embedded MongoDB-protocol server · files in the course's data folder"
    return client, f"{where} · nothing leaves this machine", problem


def _remote(uri: str, name: str):
    """(client, what to print, None), or (None, None, what is wrong in one sentence)."""
    hosts, options, problem = _read(uri)
    if problem:
        return None, None, problem
    settings = _ours(options)
    for option, value in (
        ("serverSelectionTimeoutMS", SELECTION_MS),
        ("connectTimeoutMS", SELECTION_MS),  # also the limit of a DNS look-up
    ):
        if option.lower() not in options:
            settings[option] = value
    # The driver's warnings may quote the URI; what matters of them is said below.
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        client, problem = _client(uri, hosts, settings)
    problem = problem or _prove(client, name, hosts)
    if problem:
        if client:
            client.close()
        return None, None, problem
    kind = "MongoDB protocol"
    for end, known in (
        (".mongodb.net", "MongoDB Atlas"),
        (".cosmos.azure.com", "Azure DocumentDB"),
    ):
        if all(host.partition(":")[0].endswith(end) for host in hosts.split(",")):
            kind = known
    ignored = " · an option in the URI was not understood and is ignored" if warned else ""
    return client, f"{kind} at {hosts}{ignored}", None


def _client(uri: str, hosts: str, settings: dict):
    """(client, None), or (None, what is wrong with the URI)."""
    import pymongo
    from pymongo.errors import ConfigurationError, InvalidURI

    try:
        return pymongo.MongoClient(uri, **settings), None
    except OSError:
        return None, "A TLS file named in the MongoDB URI cannot be read: check its path."
    except (InvalidURI, ValueError, TypeError):
        return None, MALFORMED
    except ConfigurationError as error:
        if "must be installed" in str(error):
            return None, "mongodb+srv:// needs the package dnspython: run `pip install dnspython`."
        if not uri.startswith("mongodb+srv:"):
            return None, CONTRADICTION
    except Exception:  # the DNS resolver's own errors
        pass
    return None, (
        f"The name {hosts} could not be looked up (mongodb+srv:// asks the DNS): check the name "
        f"and the network, {FALLBACK}."
    )


MALFORMED = (
    "The MongoDB URI cannot be read: it looks like mongodb://USER:PASSWORD@HOST:PORT/?OPTIONS, "
    "with special characters in the user name and password percent-encoded "
    "(urllib.parse.quote_plus does it)."
)
CONTRADICTION = "The options in the MongoDB URI contradict each other: correct what follows the ?."


def _read(uri: str) -> tuple[str, set[str], str | None]:
    """The hosts (never the user or password), the names of the options, and what is wrong."""
    scheme, slashes, rest = uri.partition("://")
    authority = re.split(r"[/?]", rest, maxsplit=1)[0]
    tail = rest[len(authority) :]
    hosts = authority.rpartition("@")[2]
    if re.search(r"<[^<>@]*>", authority):
        return "", set(), (
            "The MongoDB URI still has a placeholder in angle brackets: put your user name and "
            "password in its place, percent-encoded."
        )  # fmt: skip
    # An "@" after the first "/" or "?": those stand in a password that is not encoded, and what
    # looks like the host is a part of it.
    if (
        scheme not in ("mongodb", "mongodb+srv")
        or not slashes
        or "@" in tail
        or not re.fullmatch(r"[\w.:,%\[\]-]+", hosts)
    ):
        return "", set(), MALFORMED
    options = re.split("[&;]", tail.partition("?")[2])
    return hosts, {option.partition("=")[0].lower() for option in options}, None


def _ours(options: set[str] | dict) -> dict:
    """Our settings, less those that a URI with these options has made itself."""
    settings = {}
    if "tz_aware" not in options:
        settings["tz_aware"] = True
    if "appname" not in options:
        settings["appname"] = APP
    if "w" not in options:
        settings["w"] = "majority"
        if "journal" not in options:
            settings["journal"] = True
    return settings


def _prove(client, name: str, who: str) -> str | None:
    """Ping, and read the list of collections (which needs the rights); what is wrong, or None."""
    import pymongo
    from pymongo.errors import PyMongoError

    try:
        client.is_primary  # noqa: B018  finds a server that takes writes, within its own limit
        with pymongo.timeout(10):  # for one that then hangs
            client.admin.command("ping")
            client[name].list_collection_names()
    except (PyMongoError, OSError) as error:
        return _reason(error, who)
    return None


def _reason(error: Exception, who: str) -> str:
    """One sentence for a driver's error, without the driver's text."""
    from pymongo.errors import ConfigurationError, OperationFailure

    text = str(error)
    if isinstance(error, OperationFailure):
        if error.code in (18, 8000) or "auth" in text.lower() and error.code != 13:
            return (
                f"{who} refused the user name or password: check both (special characters "
                f"percent-encoded) and authSource, {FALLBACK}."
            )
        if error.code == 13:
            return (
                f"{who} answers, but wants a user name and password with the right to read and "
                f"write databases named {PREFIX}…: put them into the URI, {FALLBACK}."
            )
        return f"{who} refused a plain request (code {error.code}): {FALLBACK[3:]}."
    if isinstance(error, ConfigurationError):
        return f"{who} answers, but not as the options of the MongoDB URI want it: check them."
    if re.search(r"\bSSL|certificate verify|TLS|tlsv1", text):
        return (
            f"{who} was reached, but no secure connection came about: check tls=true and the "
            "certificate; on Atlas, add your IP address to the access list."
        )
    if re.search(r"getaddrinfo|Name or service|nodename|name resolution|lookup of", text):
        return f"The host name in {who} is not known: check it and the network, {FALLBACK}."
    if "connection closed" in text:
        return (
            f"{who} closes the connection: check that it is a MongoDB server and whether it wants "
            f"tls=true, {FALLBACK}."
        )
    return f"No database answers at {who}: start it or correct the address, {FALLBACK}."
