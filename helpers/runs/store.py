"""Runs in MongoDB: one document for each, saved as a whole after every step.

`runs` has the records. `run_effects` has what tool calls with an effect answered, one document for
each call. Where one server is not enough, shard both by run_id (every query names it; `_id` is made
of it, so it is unique on the whole cluster too):

    sh.shardCollection("<db>.runs", {run_id: "hashed"})   and the same for run_effects

No index is needed beyond `_id`. A record is kept as JSON text, since a tool's input may have keys that a
document cannot hold (dots, dollars).
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

from helpers.database_calls import asking, safe_collection, twice

from .record import ID_CHARS, Run

BYTES = 15_000_000  # of a record or an effect; the server's limit is 16 MB


class RunConflict(RuntimeError):
    """Another process saved the run since it was loaded. Load it again and go on from there."""


class RunTooLarge(ValueError):
    """The record would not fit into a document."""


class RunDamaged(RuntimeError):
    """A stored record is none; the store itself never writes such a one."""


def now_utc() -> datetime:
    return datetime.now(UTC)


class RunStore:
    """Run records in one database.

    db: a pymongo Database (`connect_mongo`). clock: gives the time, with a time zone.
    DatabaseUnavailable when the server does not answer.
    """

    def __init__(self, db, *, clock: Callable[[], datetime] = now_utc):
        self._runs = safe_collection(db, "runs")
        self._effects = safe_collection(db, "run_effects")
        self._clock = clock

    def load(self, run_id: str, customer_id: str) -> Run | None:
        """The run as it was last saved; None when this customer has none of this id."""
        mine = {"_id": _id("run_id", run_id), "customer_id": _id("customer_id", customer_id)}
        with asking("load the run"):
            row = self._runs.find_one(mine)
        if row is None:
            return None
        try:
            return Run.model_validate({**json.loads(row["body"]), "version": row["version"]})
        except (ValueError, KeyError, TypeError) as error:
            raise RunDamaged(
                f"The record of run {run_id!r} cannot be read ({type(error).__name__}): restore it "
                "from a backup."
            ) from error

    def save(self, run: Run) -> Run:
        """Write the run: one write. The same object, its version one higher.

        RunConflict when another process has saved it since it was loaded, or when its id is taken;
        nothing was written. RunTooLarge when the record is over 15 million bytes. ValueError when
        the record contradicts itself (ids, covered_to).
        """
        record = run.model_dump(exclude={"version"})
        Run.model_validate(record)
        row = {
            "_id": run.run_id,
            "run_id": run.run_id,
            "customer_id": run.customer_id,
            "body": _json(record, f"The record of run {run.run_id!r}"),
            "step": run.step,
            "done": run.done,
            "version": run.version + 1,
            "saved": uuid4().hex,  # by which a save knows itself when its answer was lost
            "at": self._clock(),
        }
        with asking("save the run", "load it again and see how far it came"):
            if not self._write(row, run.version):
                there = self._runs.find_one({"_id": run.run_id}, {"version": 1, "saved": 1})
                if not there or there["saved"] != row["saved"]:
                    raise RunConflict(_conflict(run, there))
        run.version += 1
        return run

    def once(self, run_id: str, tool_use_id: str, do: Callable[[], object]):
        """What `do()` gave, as JSON knows it; the same call a second time gets the stored answer.

        The key is unique, so of two processes one stores its answer and both return that one.
        A process that is killed between the effect and the storing of its answer will do it again:
        no store can know about the world outside. So `do` hands the id on to whatever has the
        effect (a payment, a note), and that refuses a second time. If `do` raises, nothing is stored.
        """
        from pymongo.errors import DuplicateKeyError

        key = json.dumps([_id("run_id", run_id), _id("tool_use_id", tool_use_id)])
        with asking("look an effect up"):
            row = self._effects.find_one({"_id": key})
        if row is None:
            result = _json(do(), f"The result of the call {tool_use_id!r}")
            row = {"_id": key, "run_id": run_id, "result": result, "at": self._clock()}
            with asking("note an effect", "resume the run: the effect is not repeated"):
                try:
                    twice(lambda: self._effects.insert_one(row))
                except DuplicateKeyError:
                    row = self._effects.find_one({"_id": key})
        return json.loads(row["result"])

    def _write(self, row: dict, version: int) -> bool:
        from pymongo.errors import DuplicateKeyError

        if version:
            old = {"_id": row["_id"], "customer_id": row["customer_id"], "version": version}
            return bool(twice(lambda: self._runs.replace_one(old, row)).matched_count)
        try:
            twice(lambda: self._runs.insert_one(row))
        except DuplicateKeyError:
            return False
        return True


def _id(what: str, value) -> str:
    """`value`, a usable id; else ValueError. A dict here could be a query for everybody's data."""
    if not isinstance(value, str) or not 0 < len(value.strip()) <= len(value) <= ID_CHARS:
        raise ValueError(
            f"{what} is a text of 1 to {ID_CHARS} characters, not blank: {value!r:.80}"
        )
    return value


def _json(value, what: str) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        size = len(text.encode())
    except UnicodeEncodeError:  # half characters: as escapes they come back as they were
        text = json.dumps(value, allow_nan=False)
        size = len(text)
    if size > BYTES:
        raise RunTooLarge(
            f"{what} has {size:,} bytes, the most is {BYTES:,}: shape the results before they are "
            "added, and go on in a new run."
        )
    return text


def _conflict(run: Run, there: dict | None) -> str:
    if there is None:
        return (
            f"Run {run.run_id!r} was deleted since it was loaded: set its version to 0 to store it "
            "anew."
        )
    if run.version == 0:
        return f"There is a run {run.run_id!r} already: load() it, or choose another id."
    return (
        f"Another process saved run {run.run_id!r} (version {there['version']}, yours began with "
        f"{run.version}): load() it again and go on from there."
    )
