"""One customer's memories in the database, and the copy of them in this process.

`memories` holds a document for each memory; its `_id` is made of customer and number. So of two
processes only one can write number n, and whoever writes n has seen everything before it: no double
and no contradiction slips through between a look and a write. Numbers are never used again.

`memory_heads` holds a document for each customer: the last number, and a version that every write
replaces after it is done. Each call reads it first (by `_id`); the copy in this process is used only
while the version is the one with which it was read. A version is no number: a customer whose
database was emptied begins with one that was never there.

A memory that supersedes others names them in its own document, so that one write decides; the mark
on the others follows, and whoever finds it missing makes up for it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from helpers.database import DatabaseUnavailable
from helpers.sessions.content import clean_text

from . import vectors
from .contradicting import Fact
from .documents import CURRENT, FORGOTTEN, SUPERSEDED, expired, expiry, removal
from .ranking import Index
from .rows import Rows
from .wording import date_tokens, same, tokens

BLANK = {"state": FORGOTTEN, "text": "", "vector": None, "model": None, "due": None}
TRIES = 100  # each failure means that another process has written
NEVER = float("inf")

CLUSTER = """
Where one server is not enough, spread the collections of this package by customer (memories,
memory_heads, profiles, memory_quarantine, memory_outcomes):

* MongoDB:  sh.shardCollection("<db>.memories", {customer_id: "hashed"})   and the same for the others
* Azure DocumentDB: the same call

Why: every query names the customer, so it goes to one machine. A shard key spreads load; it does not
keep customers apart: that is done by `rows.py`. `_id` holds the customer, so it is unique on the whole
cluster. Indexes: (customer_id, id) of memories, (customer_id, field, number) of profiles, and one on
remove_at of each collection whose documents expire. Vectors lie in the documents and are ranked in
this process, which is quickest up to some ten thousand for one customer. Beyond that a vector index
of the server takes over: `cosmosSearch` on Azure DocumentDB, `vectorSearch` on Atlas, both with a
filter on customer_id.
"""


class MemoryDamaged(RuntimeError):
    """A stored memory is none; the store itself never writes such a one."""


@dataclass
class State:
    """What was read of a customer: all documents but the forgotten ones' texts."""

    version: str | None
    docs: dict[int, dict]
    last: int
    said: int  # the last number whose writer has said so
    index: Index | None = None
    seen: dict[int, Fact] = field(default_factory=dict)

    def current(self, now: datetime) -> list[dict]:
        """Documents that hold now, oldest first."""
        return [d for d in self.docs.values() if d["state"] == CURRENT and not expired(d, now)]

    def fact(self, doc: Mapping) -> Fact:
        """What can be read out of a document's text, worked out once."""
        number = doc["number"]
        if number not in self.seen:
            self.seen[number] = Fact(doc["text"])
        return self.seen[number]


class Store:
    """The memories of one customer. clock, embedder: as `Memory` has them."""

    def __init__(self, db, customer_id: str, *, new_id: Callable[[], str], embedder):
        self.docs = Rows(db, "memories", customer_id)
        self._heads = Rows(db, "memory_heads", customer_id)
        self._new_id, self._embedder = new_id, embedder
        self._state: State | None = None
        self.docs.index("id")

    # ------------------------------------------------------------ reading

    def state(self) -> State:
        """The memories as they are now: from this process when nobody has written since."""
        head = self._heads.one({"_id": self._heads.key()})
        version = head["version"] if head else None
        if self._state is None or self._state.version != version:
            docs = sorted(self.docs.find(), key=lambda doc: doc["number"])
            said = head["last"] if head else 0
            last = max([said, *(doc["number"] for doc in docs[-1:])])
            self._state = State(version, {doc["number"]: doc for doc in docs}, last, said)
            self._make_up(self._state)
        return self._state

    def fetch(self, numbers: Iterable[int]) -> dict[int, dict]:
        """Documents as they stand in the database at this moment, by number."""
        ids = [self.docs.key(number) for number in numbers]
        return {doc["number"]: doc for doc in self.docs.find({"_id": {"$in": ids}})}

    def by_id(self, id: str) -> dict | None:
        return self.docs.one({"id": id})

    def drop_copy(self) -> None:
        """Read everything anew the next time."""
        self._state = None

    def with_earlier(self, id: str) -> list[dict]:
        """The memory with this id and all that it superseded, directly or not; [] for none."""
        first = self.by_id(id)
        if first is None:
            return []
        docs = {doc["id"]: doc for doc in self.docs.find()}
        found, ahead = {}, [first["id"]]
        while ahead:
            doc = docs.get(ahead.pop())
            if doc and doc["id"] not in found:
                found[doc["id"]] = doc
                ahead += doc["supersedes"]
        return list(found.values())

    def blank(self, docs: Iterable[Mapping]) -> int:
        """Take text and vector out of documents; how many had one."""
        docs = [doc for doc in docs if doc["state"] != FORGOTTEN]
        self.docs.update_each([({"_id": doc["_id"]}, BLANK, ()) for doc in docs] if docs else [])
        self.announce()
        return len(docs)

    def index(self, state: State) -> Index:
        """The current memories as arrays, those that have expired included."""
        if state.index is None:
            docs = [doc for doc in state.docs.values() if doc["state"] == CURRENT]
            embed = self._embedder()
            if embed:
                self._embed_missing(docs, embed)
            state.index = Index.of(
                [doc["number"] for doc in docs],
                [doc["vector"] for doc in docs] if embed else None,
                [doc["expires_at"].timestamp() if doc["expires_at"] else NEVER for doc in docs],
                [doc["written_on"].timestamp() for doc in docs],
                map(found_by, docs),
            )
        return state.index

    # ------------------------------------------------------------ writing

    def add(
        self,
        fields: Mapping,
        now: datetime,
        expires,
        choose: Callable[[State], tuple[dict | None, Sequence[dict]]],
    ) -> tuple[dict, list[dict], bool]:
        """Write a memory; its document, those that it superseded, and whether it is new.

        choose(state) says, in view of everything that was written before: the document that says
        this already (then nothing is written), and the documents that are to be superseded.
        """
        expires_at = expiry(now, expires)
        for _ in range(TRIES):
            state = self.state()
            there, ended = choose(state)
            if there:
                if there["number"] > state.said:  # its writer was killed before it could say so
                    self.announce(there["number"])
                return there, [], False
            doc = self._document(state, fields, now, expires_at, ended)
            if not self.docs.insert(doc):
                self.announce(doc["number"])
                continue
            self._mark(doc, ended)
            self._announce_own(state, doc)
            return doc, list(ended), True
        raise DatabaseUnavailable(
            f"Other processes wrote memories of this customer {TRIES} times meanwhile: try again."
        )

    def confirm(self, doc: Mapping, run_id: str, now: datetime, expires) -> None:
        """A fact that is there was stated again: note the run, and let it live as long as a new
        one."""
        until = expiry(now, expires)
        for _ in range(TRIES):
            old = doc["expires_at"]
            later = old if old is None or until and until < old else until
            sources = list(dict.fromkeys([*doc["sources"], run_id]))
            if (sources, later) == (doc["sources"], old):
                return
            seen = {"_id": doc["_id"], "state": CURRENT, "sources": doc["sources"]}
            fields = {"sources": sources, "expires_at": later, "remove_at": removal(later, now)}
            if self.docs.update(seen, fields):
                return self.announce()
            doc = self.docs.one({"_id": doc["_id"], "state": CURRENT})
            if doc is None:
                return  # superseded or forgotten meanwhile

    def announce(self, number: int = 0) -> None:
        """Say that something was written: whoever has read before reads again. Call it after the
        write."""
        self._state = None
        for _ in range(TRIES):
            head = self._heads.one({"_id": self._heads.key()})
            last = max(number, head["last"] if head else 0)
            if self._replace(head["version"] if head else None, last):
                return
        raise DatabaseUnavailable(
            f"Other processes wrote memories of this customer {TRIES} times meanwhile: try again."
        )

    # ------------------------------------------------------------ inside

    def _document(self, state: State, fields, now, expires_at, ended) -> dict:
        number, text = state.last + 1, fields["text"]
        embed = self._embedder()
        vector = vectors.to_bytes(embed([text])[0]) if embed else None
        return {
            "_id": self.docs.key(number),
            "number": number,
            "id": self._fresh_id(state),
            "state": CURRENT,
            **fields,
            "vector": vector,
            "model": vectors.MODEL if vector else None,
            "written_on": now,
            "expires_at": expires_at,
            "remove_at": removal(expires_at, now),
            "sources": [fields["run_id"]],
            "supersedes": [old["id"] for old in ended],
            "superseded_by": None,
        }

    def _fresh_id(self, state: State) -> str:
        used = {doc["id"] for doc in state.docs.values()}
        for _ in range(TRIES):
            id = self._new_id()
            if not isinstance(id, str) or not id.strip() or clean_text(id)[1]:
                raise ValueError(f"the id source must give texts, and gave {id!r:.80}")
            if id not in used:
                return id
        raise ValueError(f"the id source gave {TRIES} ids that are taken: it must give new ones")

    def _mark(self, doc: Mapping, ended: Iterable[dict]) -> None:
        """The mark on what `doc` supersedes. Its vector goes: it is never searched again."""
        mark = {"state": SUPERSEDED, "superseded_by": doc["id"], "vector": None, "model": None}
        self.docs.update_each(
            [({"_id": old["_id"], "state": CURRENT}, mark, ()) for old in ended] if ended else []
        )
        for old in ended:
            old.update(mark)

    def _make_up(self, state: State) -> None:
        """Marks that a process could not set any more."""
        by_id = {doc["id"]: doc for doc in state.docs.values()}
        for doc in state.docs.values():
            left = [by_id[id] for id in doc["supersedes"] if id in by_id]
            left = [old for old in left if old["state"] == CURRENT]
            if left:
                self._mark(doc, left)

    def _announce_own(self, state: State, doc: dict) -> None:
        """Like `announce`, but when nobody else has written, the copy here is kept up to date."""
        version = self._replace(state.version, doc["number"])
        if version is None:
            self.announce(doc["number"])
            return
        state.docs[doc["number"]] = doc
        state.last = state.said = doc["number"]
        state.index = None
        state.version = version  # last: from now on other threads take it for the newest
        self._state = state

    def _replace(self, seen: str | None, last: int) -> str | None:
        """Write the next version of the head; None when `seen` is no longer the newest."""
        key, version = self._heads.key(), uuid4().hex
        if seen is None:
            done = self._heads.insert({"_id": key, "version": version, "last": last})
        else:
            done = self._heads.update(
                {"_id": key, "version": seen}, {"version": version, "last": last}
            )
        return version if done else None

    def _embed_missing(self, docs: list[dict], embed) -> None:
        """Vectors for memories that were written where none could be made, or by another model."""
        missing = [d for d in docs if d["model"] != vectors.MODEL]
        if missing:
            made = embed([doc["text"] for doc in missing])
            changes = []
            for doc, vector in zip(missing, made, strict=True):
                query = {"_id": doc["_id"], "state": CURRENT, "text": doc["text"]}
                doc |= {"vector": vectors.to_bytes(vector), "model": vectors.MODEL}
                changes.append((query, {"vector": doc["vector"], "model": doc["model"]}, ()))
            self.docs.update_each(changes)
        for doc in docs:
            if not vectors.fits(doc["vector"]):
                raise MemoryDamaged(
                    f"The vector of memory {doc['id']!r} is damaged: correct the memory, or forget "
                    "it and remember it anew."
                )


def found_by(doc: Mapping) -> set[str]:
    """The tokens by which a memory is found: of its text, and the day on which it was written."""
    at = doc["written_on"]
    return tokens(doc["text"]) | date_tokens(at.month, at.day, at.year)


def double_of(state: State, text: str, kind: str, now: datetime) -> dict | None:
    """The memory that says the same in the same words, when there is one."""
    key = same(text)
    docs = (doc for doc in state.current(now) if doc["kind"] == kind)
    return next((doc for doc in docs if state.fact(doc).key == key), None)
