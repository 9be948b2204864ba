"""The log: documents that are only ever added, and how a turn gets there whole or not at all."""

import json

from helpers import database_calls
from helpers.database_calls import twice

from . import records
from .records import StoredMessage


class LogDamaged(RuntimeError):
    """Documents of the log are missing or changed; the store itself never does that."""


class Log:
    """The collection `logs`. `mine`, everywhere: the part of a query that names user and session.

    A message's `_id` is made of user, session and number, so a number is given once; a part's of
    the hash of the content and its place.
    """

    def __init__(self, collection):
        self._docs = collection

    def add(self, mine: dict, stored: list[StoredMessage], begin: int) -> bool:
        """Write a turn, in one write. False when the log has its number, or one of its ids.

        The first message decides, and it carries the fields of the others (`rest`).
        """
        from pymongo.errors import BulkWriteError

        turn = [records.to_fields(message) for message in stored]
        docs = [self._document(mine, part) for part in records.split_large(turn)]
        turn = [{**fields, "turn": stored[0].seq, "begin": begin} for fields in turn]
        docs += [self._document(mine, {**turn[0], "rest": turn[1:]})]
        docs += [self._document(mine, fields) for fields in turn[1:]]
        while docs:
            try:
                twice(lambda docs=docs: self._docs.insert_many(docs, ordered=True))
                return True
            except BulkWriteError as error:
                wrong = (error.details.get("writeErrors") or [{}])[0]
                if wrong.get("code") != 11000:
                    raise
                if "seq" in docs[wrong["index"]]:
                    return False
                docs = docs[wrong["index"] + 1 :]  # that part is there from an earlier try
        return True

    def turn(self, mine: dict, ids: list[str]) -> list[StoredMessage]:
        """The turn with these message ids, in which missing ones are written now; [] for none."""
        head = self._docs.find_one({**mine, "id": ids[0]})
        if head is None:
            return []
        if [head["id"], *(fields["id"] for fields in head.get("rest", ()))] != ids:
            raise ValueError(
                f"the message id {ids[0]!r} is in the log already, in a turn of other messages: "
                "give new messages new ids"
            )
        first = head["seq"]
        return self.messages(mine, self.read(mine, {"$gte": first, "$lt": first + len(ids)}))

    def last_turn(self, mine: dict) -> int:
        """The number with which the last turn begins; 1 for an empty log."""
        last = self._docs.find_one({**mine, "seq": {"$gt": 0}}, sort=[("seq", -1)])
        return last["turn"] if last else 1

    def read(self, mine: dict, seq: dict) -> list[dict]:
        """Documents of messages, by number; turns that were cut off are finished on the way."""
        found = {doc["seq"]: doc for doc in self._docs.find({**mine, "seq": seq}).sort("seq", 1)}
        for head in list(found.values()):
            for fields in head.get("rest", ()):
                if fields["seq"] not in found:
                    found[fields["seq"]] = self._finish(self._document(mine, fields))
        return [found[number] for number in sorted(found)]

    def messages(self, mine: dict, docs: list[dict]) -> list[StoredMessage]:
        """The messages of documents; contents in parts are fetched and joined."""
        keys = [
            _part_id(mine, doc["parts"]["sha256"], n)
            for doc in docs
            if "parts" in doc
            for n in range(doc["parts"]["count"])
        ]
        pieces = {}
        if keys:
            found = self._docs.find({**mine, "_id": {"$in": keys}})
            pieces = {(doc["id"]["sha256"], doc["id"]["part"]): doc["text"] for doc in found}
        messages = []
        for doc in docs:
            body = records.join_parts(doc, pieces) if "parts" in doc else None
            if "parts" in doc and body is None:
                raise LogDamaged(
                    f"Parts of message {doc['seq']} are missing in the log of session "
                    f"{mine['session_id']!r}: restore them from a backup."
                )
            messages.append(records.from_fields(doc, body))
        return messages

    def _document(self, mine: dict, fields: dict) -> dict:
        if "seq" in fields:
            key = document_id(mine, fields["seq"])
        else:
            key = _part_id(mine, fields["id"]["sha256"], fields["id"]["part"])
        return {"_id": key, **mine, **fields}

    def _finish(self, doc: dict) -> dict:
        """Write a message that is missing. Somebody else may be doing so at this moment."""
        from pymongo.errors import DuplicateKeyError

        for message_id in (doc["id"], f"{doc['id']}~{doc['seq']}"):
            doc["id"] = message_id
            try:
                twice(lambda: self._docs.insert_one(doc))
                break
            except DuplicateKeyError:
                there = self._docs.find_one({"_id": doc["_id"]})
                if there:
                    return there
                # else an earlier turn has used this id: no reason to lose a message
        return doc


def document_id(mine: dict, *more) -> str:
    return json.dumps([mine["user_id"], mine["session_id"], *more], ensure_ascii=False)


def _part_id(mine: dict, sha256: str, n: int) -> str:
    return document_id(mine, sha256, n)


def asking(what: str, then: str = "try again"):
    """The driver's errors in one sentence, without the driver's text."""
    return database_calls.asking(what, then, who="the session store")
