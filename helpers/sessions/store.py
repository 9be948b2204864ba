"""Sessions in MongoDB: two collections, one commit point.

`sessions` holds one small document per session: what the model needs for the next turn. `logs`
holds one document per message and is only ever added to: what really was said.

A turn is two writes, first the log, then the session:

* The turn counts from the moment the log has its FIRST message. That message's `_id` is made of
  user, session and the next number, so of two processes only one can write it; the other gets
  SessionConflict and has added no message. The first message carries a copy of the turn's others
  (`rest`), and contents too large for it are stored in parts before it: whoever reads a turn that
  was cut off in the middle can finish it, and two who finish it at once write the same.
* The session names the log document that it does not know yet (`next`). `load` reads the session
  and looks that document up in one command. It is there only if somebody ended between the two
  writes; then, and only then, a second read brings the missing turns into the window.
* `save` replaces exactly the version that was loaded.
"""

from datetime import UTC, datetime
from uuid import uuid4

from . import records
from .log import Log, LogDamaged, asking, document_id, twice
from .records import Session, StoredMessage

SESSION_BYTES = 15_000_000  # of a session's document; the server's limit is 16 MB

INDEXES = {  # name, fields, unique
    "sessions": [("session", ["user_id", "session_id"], True)],
    "logs": [
        ("message", ["user_id", "session_id", "id"], True),  # the same append twice stores once
        ("order", ["user_id", "session_id", "seq"], False),
    ],
}

CLUSTER = """
Where one server is not enough, spread both collections by user and session:

* MongoDB:  sh.shardCollection("<db>.sessions", {user_id: 1, session_id: 1})   and the same for logs
* Azure DocumentDB, which hashes one field:  sh.shardCollection("<db>.sessions", {user_id: "hashed"})

Why: every query names both, so it goes to one machine; a session's messages lie together, so they
come in order from one index; one user's many sessions may still be spread. A unique index can be
kept on a cluster only when it starts with the shard key: all of ours do. `_id` is unique on each
machine alone, and ours holds user and session, which always meet on the same one.
Indexes: sessions (user_id, session_id) unique; logs (user_id, session_id, id) unique and
(user_id, session_id, seq). $lookup from a spread collection needs MongoDB 5.1 or later.
Azure's connection string says retrywrites=false: the store repeats a write itself, safely.
"""


class SessionConflict(RuntimeError):
    """Another process was faster. Nothing is lost: load the session again and go on from there."""


class SessionTooLarge(ValueError):
    """The session's own document would be too large: the window has not been trimmed."""


def now_utc() -> datetime:
    return datetime.now(UTC)


def new_hex_id() -> str:
    return uuid4().hex


class SessionStore:
    """Sessions and their logs in one database.

    db: a pymongo Database (`connect_mongo`). clock: gives the time, with a time zone. new_id: makes
    ids for sessions, and for messages that come without one.

    Wherever a user and a session are named, both are non-blank strings (else ValueError), and only
    what belongs to both is read or written. DatabaseUnavailable when the server does not answer.
    Indexes and shard keys for a cluster: CLUSTER.
    """

    def __init__(self, db, *, clock=now_utc, new_id=new_hex_id):
        from pymongo import ReadPreference

        if not db.write_concern.acknowledged:
            raise ValueError(
                "the database does not acknowledge writes (w=0), so no turn would be safe: take "
                "w=0 out of the MongoDB URI"
            )
        options = db.codec_options.with_options(tz_aware=True, tzinfo=UTC)
        self._collections = [
            db.get_collection(name, options, read_preference=ReadPreference.PRIMARY)
            for name in INDEXES
        ]
        self._sessions, logs = self._collections
        self._log = Log(logs)
        self._clock, self._new_id = clock, new_id
        self._make_indexes()

    # ------------------------------------------------------------ a turn

    def load(self, session_id: str, user_id: str) -> Session | None:
        """The session as it stands, with all that the log has; None when it has no row.

        One read; a second one when a process ended between its log and its session write.
        """
        mine = self._mine(user_id, session_id)
        look_up = {"from": "logs", "localField": "next", "foreignField": "_id", "as": "ahead"}
        with asking("load the session"):
            rows = self._sessions.aggregate([{"$match": mine}, {"$lookup": look_up}])
            row = next(iter(rows), None)
            if row is None:
                return None
            window = [records.from_fields(fields) for fields in row["window"]]
            session = Session(window=window, **{name: row[name] for name in SAME})
            if row["ahead"]:
                self._catch_up(session, mine)
        return session

    def append_turn(self, session: Session, messages) -> list[StoredMessage]:
        """Write a turn to the log, all of it or nothing: one write. Then `save` the session.

        messages: dicts with role, content and, if you like, id and tokens ({model id: count}), or
        whole replies. Give ids when you may have to try again: a turn whose ids are in the log is
        not stored twice. A turn is at most 1,000 messages, of any size.

        Returns the messages as stored; `note` says what had to be changed. The session's window
        gets them too, a message over 1,000,000 characters shortened, and `last_seq` moves on.

        ValueError names what cannot be stored. SessionConflict when another process has written to
        the session since it was loaded: no message was stored.
        """
        mine = self._mine(session.user_id, session.session_id)
        first = session.last_seq + 1
        stored = records.new_messages(messages, first=first, at=self._now(), new_id=self._new_id)
        with asking(
            "store the turn",
            "append it again with the same message ids, which stores it once even if it was "
            "stored now",
        ):
            if not self._log.add(mine, stored, session.begin):
                stored = self._log.turn(mine, [message.id for message in stored])
        if not stored or stored[0].seq > first:
            raise SessionConflict(
                f"Another process wrote message {first} of session {session.session_id!r} first: "
                "load it again and append this turn there, with the same message ids; nothing is "
                "lost and nothing is stored twice."
            )
        if stored[0].seq == first:
            self._extend(session, stored)
        return stored

    def save(self, session: Session) -> Session:
        """Write the session's row: one write. The same object, its version one higher.

        SessionConflict when another process has saved since it was loaded; SessionTooLarge when the
        window was never trimmed. Either way the log has every turn.
        """
        mine = self._mine(session.user_id, session.session_id)
        if not all(isinstance(message, StoredMessage) for message in session.window):
            raise ValueError("the window holds StoredMessages: what append_turn and load gave")
        if not isinstance(session.summary, str):
            raise ValueError(f"summary must be a str, and is {type(session.summary).__name__}")
        session.summary, session.note = records.clean_text(session.summary)
        now, version = self._now(), session.version
        row = self._row(session, mine, now)
        with asking("save the session", "load it again: the log has its turns"):
            if version == 0:
                saved = self._insert_row(row)
            else:
                # `_id` is for the embedded server, whose updates use no other index
                seen = {"_id": row["_id"], **mine, "version": version, "begin": session.begin}
                change = {"$set": {name: row[name] for name in row if name not in ("_id", *mine)}}
                saved = twice(lambda: self._sessions.update_one(seen, change)).matched_count
            if not saved:
                self._check_saved(mine, session, row["saved"])
        session.version, session.updated_at = version + 1, now
        return session

    # ------------------------------------------------------------ the rest of its life

    def create(self, user_id: str, session_id: str | None = None) -> Session:
        """A new, empty session, in the database; the one that is there when there is one.

        session_id: made when None. When the log knows this id (its row was deleted), a fresh
        conversation begins, and its messages are numbered on.
        """
        session_id = self._new_id() if session_id is None else session_id
        mine = self._mine(user_id, session_id)
        now = self._now()
        session = Session(user_id, session_id, now, now)
        self._make_indexes()  # the database may have been emptied since
        with asking("create the session"):
            session.last_seq = self._log.last_turn(mine) - 1
            self._catch_up(session, mine)  # which also finishes that turn
            session.window, session.covers = [], session.last_seq
            session.begin = session.last_seq + 1
            if not self._insert_row(self._row(session, mine, now)):
                return self.load(session_id, user_id)
        session.version = 1
        return session

    def log(self, session_id: str, user_id: str, after: int = 0) -> list[StoredMessage]:
        """Every message with a number over `after`, whole and in order, of all conversations."""
        mine = self._mine(user_id, session_id)
        with asking("read the log"):
            return self._log.messages(mine, self._log.read(mine, {"$gt": after}))

    def replay(self, session_id: str, user_id: str) -> Session | None:
        """The session rebuilt from the log alone: every message in the window, no summary.

        Trim it, fold it and `save` it: that replaces the row, or makes it anew. None when there is
        neither row nor log. LogDamaged when messages are missing.
        """
        mine = self._mine(user_id, session_id)
        with asking("replay the log"):
            row = self._sessions.find_one(mine, {"window": 0, "summary": 0})
            docs = self._log.read(mine, {"$gt": 0})
            if not (row or docs):
                return None
            begin = row["begin"] if row else docs[-1]["begin"]
            docs = [doc for doc in docs if doc["seq"] >= begin]
            start = row["created_at"] if row else docs[0]["at"]
            session = Session(user_id, session_id, start, docs[-1]["at"] if docs else start)
            session.begin, session.covers, session.last_seq = begin, begin - 1, begin - 1
            session.version = row["version"] if row else 0
            self._extend(session, self._log.messages(mine, docs))
        return session

    # ------------------------------------------------------------ inside

    def _mine(self, user_id, session_id) -> dict:
        """The one place where a query is begun: always by user and session, always by strings."""
        return {
            "user_id": records.checked_id("user_id", user_id),
            "session_id": records.checked_id("session_id", session_id),
        }

    def _now(self) -> datetime:
        return records.checked_time(self._clock())

    def _make_indexes(self) -> None:
        from pymongo import IndexModel

        with asking("make its indexes"):
            for collection in self._collections:
                collection.create_indexes(
                    [
                        IndexModel([(key, 1) for key in keys], name=name, unique=unique)
                        for name, keys, unique in INDEXES[collection.name]
                    ]
                )

    def _row(self, session: Session, mine: dict, now: datetime) -> dict:
        """The document of the session's next version."""
        from bson import encode

        row = {
            "_id": document_id(mine),
            **{name: getattr(session, name) for name in SAME},
            "window": [records.to_fields(message) for message in session.window],
            "next": document_id(mine, session.last_seq + 1),
            "version": session.version + 1,
            "saved": new_hex_id(),  # by which a save knows itself when its answer was lost
            "updated_at": now,
        }
        size = len(encode(row))
        if size > SESSION_BYTES:
            raise SessionTooLarge(
                f"The session's document would have {size:,} bytes, the most is {SESSION_BYTES:,}: "
                f"trim its window of {len(session.window):,} messages, then save again; the log "
                "keeps them all."
            )
        return row

    def _insert_row(self, row: dict) -> bool:
        from pymongo.errors import DuplicateKeyError

        try:
            twice(lambda: self._sessions.insert_one(row))
        except DuplicateKeyError:
            return False
        return True

    def _check_saved(self, mine: dict, session: Session, saved: str) -> None:
        """The row is what our own save wrote before its answer got lost; else SessionConflict."""
        row = self._sessions.find_one(mine, {"version": 1, "saved": 1})
        if row is None:
            raise SessionConflict(
                f"The row of session {session.session_id!r} was deleted since it was loaded: "
                "create() begins a fresh conversation under this id, replay() and save() bring "
                "the old one back from the log."
            )
        if row["saved"] != saved:
            raise SessionConflict(
                f"Another process saved session {session.session_id!r} (version {row['version']}, "
                f"yours began with {session.version}): load it again; the turns you appended are "
                "in the log and come with it."
            )

    def _catch_up(self, session: Session, mine: dict) -> None:
        docs = self._log.read(mine, {"$gt": session.last_seq})
        self._extend(session, self._log.messages(mine, docs))

    def _extend(self, session: Session, messages: list[StoredMessage]) -> None:
        """Messages of the log that follow on the session's last one, into its window."""
        for message in messages:
            if message.seq != session.last_seq + 1:
                raise LogDamaged(
                    f"Messages {session.last_seq + 1} to {message.seq - 1} are missing in the log "
                    f"of session {session.session_id!r}: restore them from a backup, or delete "
                    "its row and create() it again for a fresh conversation."
                )
            session.window.append(records.for_window(message))
            session.last_seq = message.seq


# Fields that the row has as the session has them.
SAME = (
    *("user_id", "session_id", "created_at", "updated_at", "summary", "covers"),
    *("last_seq", "begin", "version"),
)
