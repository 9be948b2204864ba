"""A customer's long-term memory: written on purpose, dated, expiring, to be seen and to be erased."""

from collections.abc import Callable
from datetime import datetime

from helpers.guards import Verdict, may_store, present
from helpers.notes import MemoryFiles
from helpers.runs import Run
from helpers.sessions.records import checked_id, checked_time
from helpers.sessions.store import new_hex_id, now_utc

from . import erasing
from .contradicting import Fact, contradicted
from .documents import CURRENT, FORGOTTEN, KINDS, MONTHS, Note, Remembered, day, expired, note_of
from .opening import opening
from .outcomes import Part, case_text, outcome_of
from .profile import Profile
from .quarantine import Held, Quarantine
from .ranking import Query, rank
from .rows import Rows
from .store import State, Store, double_of
from .vectors import Embedder, shared_embedder
from .wording import normal

MOST = 50  # notes of one recall
BEFORE = 20  # earlier facts that a new one is read together with
FACT_CHARS = 500
READS = 3  # of a recall, when other processes write meanwhile
HOLD = "instruction"  # the kind of a verdict that is worth keeping to be looked at


class NoSuchMemory(LookupError):
    """This customer has no memory of this id."""


class Memory:
    """The memories of one customer.

    db: a pymongo Database (`connect_mongo`). customer_id: from the login, bound here once; no
    method takes another. ValueError for what is no id (empty, blank, not a string, over 120
    characters).
    clock: gives the time, with a time zone; expiry is judged by it. ids: makes ids of notes.
    guard(text, source=..., before=...): a Verdict on whether a text may be stored, as
    `guards.may_store` gives it. embedder(): makes vectors, or None to find notes by words alone.

    DatabaseUnavailable when the server does not answer: a failure is never "nothing remembered".
    Keep the object while the customer is there: it holds what it has read, and notices by itself
    when another process has written.
    """

    def __init__(
        self,
        db,
        customer_id: str,
        *,
        clock: Callable[[], datetime] = now_utc,
        ids: Callable[[], str] = new_hex_id,
        guard: Callable[..., Verdict] = may_store,
        embedder: Callable[[], Embedder | None] = shared_embedder,
    ):
        self._customer_id = checked_id("customer_id", customer_id)
        self._db, self._clock, self._guard, self._embedder = db, clock, guard, embedder
        self._store = Store(db, customer_id, new_id=ids, embedder=embedder)
        self._outcomes = Rows(db, "memory_outcomes", customer_id)
        held = Rows(db, "memory_quarantine", customer_id)
        self._quarantine = Quarantine(held, self._now, ids)
        self._profile = Profile(Rows(db, "profiles", customer_id), self._now, self._admit)
        self._files = MemoryFiles(db, customer_id, clock=self._now)

    @property
    def customer_id(self) -> str:
        """Of the login; it cannot be changed."""
        return self._customer_id

    @property
    def profile(self) -> Profile:
        """Named fields: set(field, value, run_id=...), get(), history(field)."""
        return self._profile

    @property
    def files(self) -> MemoryFiles:
        """This customer's root for the provider's memory tool: `notes.memory_tool(memory.files)`."""
        return self._files

    # ------------------------------------------------------------ writing

    def remember(
        self,
        fact: str,
        *,
        run_id: str,
        kind: str = "fact",
        expires=MONTHS,
        due=None,
        source: str = "agent",
    ) -> Remembered:
        """Store one fact, case or commitment; what became of it.

        run_id: of the run that says so. kind: "fact", "case" or "commitment"; due: the day of a
        commitment. expires: months, a timedelta, or None for never. source: who stated it, for the
        guard ("customer", "agent", "tool").

        What is known in the same words is ok, with the id that it has, and gains this run as a
        source. A fact that contradicts earlier ones supersedes them. Not ok, with a reason: what
        the guard refuses; what reads like an instruction is quarantined.
        ValueError: a fact that is no string, or another argument that is none of these.
        """
        run_id, due = checked_id("run_id", run_id), day(due)
        if not isinstance(fact, str):
            raise ValueError(f"a fact is a text, and this is a {type(fact).__name__}")
        if kind not in KINDS:
            raise ValueError(f"kind is one of {', '.join(KINDS)}, and is {kind!r:.80}")
        if due is not None and kind != "commitment":
            raise ValueError("only a commitment has a day on which it is due")
        if refused := self._admit(fact, run_id=run_id, where="memory", source=source):
            return refused
        fields = {"text": normal(fact), "kind": kind, "due": due, "run_id": run_id}
        return self._add(fields, expires)

    def correct(self, id: str, text: str, *, run_id: str) -> Remembered:
        """The customer says that a memory should read otherwise: a new one supersedes it.

        NoSuchMemory: this customer has none of this id, or it is not current any more. Not ok, with
        a reason: what may not be stored.
        """
        id, run_id = checked_id("id", id), checked_id("run_id", run_id)
        if not isinstance(text, str):
            raise ValueError(f"a memory is a text, and this is a {type(text).__name__}")
        old = self._store.by_id(id)
        if old is None or old["state"] != CURRENT:
            raise NoSuchMemory(_none(id))
        if refused := self._admit(text, run_id=run_id, where="memory", source="customer"):
            return refused
        kept = {name: old[name] for name in ("kind", "due", "outcome")}
        return self._add({**kept, "text": normal(text), "run_id": run_id}, MONTHS, correcting=id)

    def after_run(self, run: Run) -> Remembered:
        """Record what a run came to: exactly once, however often it is called, and also when the
        record was forgotten since. A run that has not ended is an open case, once; when it has
        ended, its case supersedes that. The memory of the case is returned.

        ValueError: the run of another customer, or notes that are none; nothing is written.
        """
        if not isinstance(run, Run) or run.customer_id != self._customer_id:
            raise ValueError("after_run records a Run of this customer: use that customer's memory")
        now = self._now()
        outcome = outcome_of(run, now.date())
        key = "open" if outcome.open else "case"
        if marker := self._outcomes.one({"_id": self._outcomes.key(run.run_id, key)}):
            return Remembered(True, marker["memory_id"], "It was recorded before.")
        for n, (promise, due) in enumerate(outcome.offered):
            if self._admit(promise, run_id=run.run_id, where="case") is None:
                fields = {"text": promise, "kind": "commitment", "due": day(due)}
                self._record(run, f"commitment {n}", fields)

        def allowed(part: Part) -> bool:
            return self._may_say(part, run.run_id)

        fields = {"text": case_text(outcome, allowed), "kind": "case", "due": None}
        done = self._record(run, key, fields)
        self._outcomes.insert(
            {"_id": self._outcomes.key(run.run_id, key), "run_id": run.run_id, "memory_id": done.id}
        )
        return done

    # ------------------------------------------------------------ reading

    def recall(self, query: str, k: int = 5) -> list[Note]:
        """The k notes that answer the query best, the best first; [] when none comes near.

        Found by meaning and by words, ids and dates; only current ones that have not expired.
        ValueError: a blank query, or k outside 1 to 50.
        """
        if not isinstance(query, str) or not query.strip():
            raise ValueError("a query is a text that is not blank")
        if type(k) is not int or not 1 <= k <= MOST:
            raise ValueError(f"k is a number from 1 to {MOST}, and is {k!r:.80}")
        text, now, embed = normal(query), self._now(), self._embedder()
        asked = Query.of(text, embed([text])[0] if embed else None)
        for _ in range(READS):
            index = self._store.index(self._store.state())
            found = rank(index, asked, now.timestamp(), k)
            docs = self._store.fetch(number for number, _ in found)
            holds = [(docs[n], s) for n, s in found if n in docs and _holds(docs[n], now)]
            if len(holds) == len(found):
                break
            self._store.drop_copy()  # one was changed or removed since it was read
        return [note_of(doc, now, score) for doc, score in holds]

    def at_start(self) -> str:
        """What opens a run, for its first message: a few hundred tokens; "" for a new customer.

        The profile, commitments that are due, open and last cases, the newest facts, labelled as
        data by `guards.present`.
        """
        return present(self.start_notes())

    def start_notes(self) -> list[Note]:
        """The notes that `at_start` shows."""
        today = self._now().date()
        return opening(self.profile.get().values(), self.show(), today)

    def first_message(self, words: str) -> dict:
        """The first message of a run: the notes, and in a block of its own what the customer wrote."""
        start = self.at_start()
        if not start:
            return {"role": "user", "content": words}
        texts = [{"type": "text", "text": text} for text in (start, words)]
        return {"role": "user", "content": texts}

    # ------------------------------------------------------------ the customer's rights

    def show(self, *, everything: bool = False) -> list[Note]:
        """What is remembered now, newest first; with `everything` also what was superseded or has
        expired and is still stored."""
        now, docs = self._now(), self._store.state().docs.values()
        kept = [
            doc for doc in docs if doc["state"] != FORGOTTEN and (everything or _holds(doc, now))
        ]
        return [note_of(doc, now) for doc in reversed(kept)]

    def quarantined(self) -> list[Held]:
        """What was held back, with the reasons: to be looked at, never recalled."""
        return self._quarantine.all()

    def forget(self, id: str) -> dict[str, int]:
        """Erase one memory with what it superseded, or a text that is held back: everywhere.

        Its text is also taken out of the profile, the files, run records, run notes, sessions and
        logs of this customer; numbers stay. How many documents were changed, by collection.
        NoSuchMemory: there is none of this id.
        """
        id = checked_id("id", id)
        docs, held = self._store.with_earlier(id), self._quarantine.find(id)
        if not docs and held is None:
            raise NoSuchMemory(_none(id))
        texts = [doc["text"] for doc in docs if doc["text"]] + ([held.text] if held else [])
        done = erasing.erase_text(self._db, self._customer_id, texts) if texts else {}
        done["memories"] = self._store.blank(docs)  # last: a forget that is cut off can be repeated
        self._quarantine.delete(id)
        return {name: n for name, n in done.items() if n}

    def forget_all(self) -> dict[str, int]:
        """Erase everything that this customer ever said, in every collection; numbers stay.

        How many documents were changed, by collection. A run or session that somebody holds
        loaded cannot be saved over it: it has to be loaded again.
        """
        done = erasing.erase_all(self._db, self._customer_id)
        self._store.announce()
        return done

    def export(self) -> dict:
        """Everything that is stored about this customer, as plain JSON."""
        return erasing.export(self._db, self._customer_id, self._now())

    # ------------------------------------------------------------ inside

    def _now(self) -> datetime:
        return checked_time(self._clock())

    def _admit(self, text: str, *, run_id: str, where: str, source: str = "customer"):
        """None when the guard lets the text in; else what became of it."""
        if not normal(text):
            return Remembered(False, reason="There is nothing in it.")
        facts = [d["text"] for d in self._store.state().current(self._now()) if d["kind"] == "fact"]
        verdict = self._guard(text, source=source, before=facts[-BEFORE:])
        if verdict.ok and len(normal(text)) > FACT_CHARS:
            return Remembered(False, reason=f"A memory has at most {FACT_CHARS} characters.")
        if verdict.ok:
            return None
        if verdict.kind == HOLD:
            self._quarantine.hold(text, verdict.reason, where=where, run_id=run_id)
        return Remembered(False, reason=verdict.reason, quarantined=verdict.kind == HOLD)

    def _may_say(self, part: Part, run_id: str) -> bool:
        """Whether what somebody said may stand in the memory of a case."""
        verdict = self._guard(part.text, source=part.said_by, before=())
        if verdict.kind == HOLD:
            self._quarantine.hold(part.text, verdict.reason, where="case", run_id=run_id)
        return verdict.ok or verdict.kind == "question"  # a customer's problem often is one

    def _add(self, fields: dict, expires, correcting: str | None = None) -> Remembered:
        now, new = self._now(), Fact(fields["text"])
        kind, due = fields["kind"], fields["due"]

        def choose(state: State):
            there = double_of(state, fields["text"], kind, now)
            if correcting:
                old = next((d for d in state.current(now) if d["id"] == correcting), None)
                if old is None:
                    raise NoSuchMemory(_none(correcting))
                if there is old:
                    return old, []
                ended = {old["number"]: old} | ({there["number"]: there} if there else {})
            elif there and there["due"] == due:
                return there, []
            else:
                ended = {there["number"]: there} if there else {}
            if kind == "fact":
                ended |= {doc["number"]: doc for doc in self._contradicted(state, new, now)}
            return None, list(ended.values())

        doc, ended, is_new = self._store.add({"outcome": None, **fields}, now, expires, choose)
        if is_new:
            return Remembered(True, doc["id"], superseded=tuple(old["id"] for old in ended))
        self._store.confirm(doc, fields["run_id"], now, expires)
        return Remembered(True, doc["id"], "It is known already.")

    def _contradicted(self, state: State, new: Fact, now: datetime) -> list[dict]:
        docs = [doc for doc in state.current(now) if doc["kind"] == "fact"]
        facts = {id(state.fact(doc)): doc for doc in docs}
        embed = self._embedder()

        def alike(one: Fact, two: Fact) -> float:
            a, b = embed([one.text, two.text])
            return float(a @ b)

        ended = contradicted(new, map(state.fact, docs), alike if embed else None)
        return [facts[id(fact)] for fact in ended]

    def _record(self, run: Run, what: str, fields: dict) -> Remembered:
        """A memory that a run leaves behind once, whatever became of it since."""
        key = f"{what} of {run.run_id}"

        def choose(state: State):
            docs = [doc for doc in state.docs.values() if doc["outcome"]]
            there = next((doc for doc in docs if doc["outcome"] == key), None)
            before = f"open of {run.run_id}" if what == "case" else ""
            ended = [d for d in docs if d["outcome"] == before and d["state"] == CURRENT]
            return there, ended

        fields = {**fields, "run_id": run.run_id, "outcome": key}
        doc, ended, is_new = self._store.add(fields, self._now(), MONTHS, choose)
        reason = "" if is_new else "It was recorded before."
        return Remembered(True, doc["id"], reason, tuple(old["id"] for old in ended))


def _holds(doc: dict, now: datetime) -> bool:
    return doc["state"] == CURRENT and not expired(doc, now)


def _none(id: str) -> str:
    return f"There is no current memory {id!r:.80} of this customer: show() lists them."
