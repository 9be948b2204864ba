"""The documents of one customer: the one place where a query of this package is built.

Every collection names its customer in one field. A `Rows` is bound to a customer when it is made, puts
that field into every query and every document itself, and refuses both if they bring one of their
own. Nothing else in this package touches a collection.
"""

import json
from collections.abc import Iterable, Mapping

from helpers.database_calls import asking, safe_collection, twice
from helpers.sessions.records import checked_id

BATCH = 500  # changes in one command


class Rows:
    """One customer's documents in one collection.

    db: a pymongo Database. owner: the field that names the customer. ValueError for what is no
    customer id: a dict, or "", could be a query for everybody's data.
    """

    def __init__(self, db, name: str, customer_id: str, *, owner: str = "customer_id"):
        self._bind(db, name, owner, checked_id("customer_id", customer_id))
        self.customer_id = self._owned

    @classmethod
    def of_runs(cls, db, name: str, runs: "Rows"):
        """The documents of a collection that name no customer but a run, of this customer's runs."""
        rows = cls.__new__(cls)
        mine = [doc["run_id"] for doc in runs.find(fields=["run_id"])]
        rows._bind(db, name, "run_id", {"$in": mine})
        rows.customer_id = runs.customer_id
        return rows

    def _bind(self, db, name: str, owner: str, owned) -> None:
        self.name, self._owner, self._owned = name, owner, owned
        self._docs = safe_collection(db, name)

    def key(self, *parts) -> str:
        """An `_id` that no other customer's document can have."""
        return json.dumps([self.customer_id, *parts], ensure_ascii=False)

    def index(self, *fields: str) -> None:
        """Make an index on customer and fields, and the one by which the server removes what has
        expired (by its field `remove_at`)."""
        from pymongo import IndexModel

        keys = [(key, 1) for key in (self._owner, *fields)]
        made = [
            IndexModel(keys, name="_".join(fields)),
            IndexModel([("remove_at", 1)], name="expiry", expireAfterSeconds=0),
        ]
        with self._asking("make its indexes"):
            self._docs.create_indexes(made)

    # ------------------------------------------------------------ reading and writing

    def find(self, query: Mapping | None = None, fields: Iterable[str] | None = None) -> list[dict]:
        """All documents that fit the query, with these fields, or with all."""
        with self._asking("read the memories"):
            return list(self._docs.find(self._mine(query), fields and dict.fromkeys(fields, 1)))

    def one(self, query: Mapping | None = None) -> dict | None:
        with self._asking("read the memories"):
            return self._docs.find_one(self._mine(query))

    def insert(self, doc: Mapping) -> bool:
        """Write a new document. False when its `_id` is taken."""
        from pymongo.errors import DuplicateKeyError

        doc = {**doc, **self._mine(doc)}
        with self._asking("save the memory"):
            try:
                twice(lambda: self._docs.insert_one(doc))
            except DuplicateKeyError:
                return False
        return True

    def update(self, query: Mapping, fields: Mapping, gone: Iterable[str] = ()) -> int:
        """Set and remove fields of every document that fits; how many there were."""
        query, change = self._mine(query), self._change(fields, gone)
        with self._asking("change the memories"):
            return twice(lambda: self._docs.update_many(query, change)).matched_count

    def update_each(self, changes: Iterable[tuple[Mapping, Mapping, Iterable[str]]]) -> int:
        """For each (query, fields to set, fields to remove) change one document; how many fitted."""
        from pymongo import UpdateOne

        made = [UpdateOne(self._mine(q), self._change(fields, gone)) for q, fields, gone in changes]
        matched = 0
        with self._asking("change the memories"):
            for n in range(0, len(made), BATCH):
                part = made[n : n + BATCH]
                done = twice(lambda part=part: self._docs.bulk_write(part, ordered=False))
                matched += done.matched_count
        return matched

    def delete(self, query: Mapping | None = None) -> int:
        """Delete every document that fits; how many there were."""
        query = self._mine(query)
        with self._asking("erase the memories"):
            return twice(lambda: self._docs.delete_many(query)).deleted_count

    # ------------------------------------------------------------ inside

    def _mine(self, query: Mapping | None) -> dict:
        """The choke point: a query, or a document, of this customer and of nobody else."""
        return {**self._others(query or {}), self._owner: self._owned}

    def _change(self, fields: Mapping, gone: Iterable[str]) -> dict:
        change = {"$set": self._others(fields)}
        return {**change, "$unset": dict.fromkeys(gone, "")} if gone else change

    def _others(self, fields: Mapping) -> dict:
        if self._owner in fields:
            raise ValueError(f"{self._owner} comes from the login, never from a query or a fact")
        if any(str(name).startswith("$") for name in fields):
            raise ValueError("a query of a memory names fields, no operators")
        return dict(fields)

    def _asking(self, what: str):
        return asking(what, who="the memory")
