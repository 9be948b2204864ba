"""The memory tool's files in a database: one document for one root, replaced as a whole.

A command is carried out on the tree that was read, and the result replaces exactly the version
that was read; if another process was faster, the command is carried out again on what that one
wrote. So no edit is lost silently, and a root has no way out: a path is only a key inside its own
document.
"""

import hashlib
import json
from collections.abc import Mapping
from uuid import uuid4

from helpers.database import DatabaseUnavailable
from helpers.database_calls import asking, safe_collection, twice
from helpers.sessions.records import checked_id, checked_time
from helpers.sessions.store import now_utc

from . import tree

TRIES = 100  # each failure means that another process has written
REMEMBERED = 20  # the last changes, by which one that comes again is known
AGAIN = "This was done before, at the first try of the same call. View the file to see it as it is."


class MemoryFiles:
    """The memory files of one customer, or of one run of one customer.

    db: a pymongo Database. customer_id, and run_id for a root of that run alone: from your own
    program and the login, never from what the model says. file_chars, root_chars: the most that
    one file and all files together may have. clock: gives the time, with a time zone.
    """

    tools = [{"type": "memory_20250818", "name": "memory"}]

    def __init__(
        self,
        db,
        customer_id: str,
        run_id: str | None = None,
        *,
        file_chars: int = tree.FILE_CHARS,
        root_chars: int = tree.ROOT_CHARS,
        clock=now_utc,
    ):
        self._mine = {
            "customer_id": checked_id("customer_id", customer_id),
            "run_id": None if run_id is None else checked_id("run_id", run_id),
        }
        self._id = json.dumps(list(self._mine.values()), ensure_ascii=False)
        self._docs = safe_collection(db, "memory_files")
        self._caps = {"file_chars": file_chars, "root_chars": root_chars}
        self._clock = clock

    def run(self, command: Mapping, tool_use_id: str | None = None) -> str:
        """Carry out a command of the memory tool; the answer for the model.

        With `tool_use_id` a change that comes again (the run was killed before it had noted the
        answer) is not made twice. MemoryRefused: nothing was changed, and why, for the model.
        """
        token = _token(tool_use_id, command)
        return self._change(token, lambda files: tree.run(files, command, **self._caps))

    def clear_all_memory(self) -> str:
        """Delete every file of this root."""
        return self._change(uuid4().hex, lambda files: ({}, "All memory cleared"))

    def files(self) -> dict[str, str | None]:
        """Everything in this root: path -> text, None for a directory."""
        return {f"{tree.ROOT}/{path}": text for path, text in _tree(self._read()).items()}

    def call(self, name: str, input: Mapping, tool_use_id: str | None = None) -> tuple[str, bool]:
        """Carry out a call of one of `tools`: the text of its result, and `is_error`."""
        if name != "memory":
            return f"There is no tool {name!r} here: use memory.", True
        try:
            return self.run(input, tool_use_id), False
        except tree.MemoryRefused as refused:
            return str(refused), True

    # ------------------------------------------------------------ inside

    def _change(self, token: str, change) -> str:
        answer = AGAIN
        for _ in range(TRIES):
            state = self._read()
            if token in state["recent"]:
                return answer
            before = _tree(state)
            after, answer = change(before)
            if after == before or self._replace(state, after, token):
                return answer
        raise DatabaseUnavailable(
            f"Other processes changed this memory {TRIES} times meanwhile: try again."
        )

    def _read(self) -> dict:
        with asking("read the memory"):
            return self._docs.find_one({"_id": self._id}) or {"recent": [], "files": []}

    def _replace(self, seen: dict, files: tree.Tree, token: str) -> bool:
        """Write the next version; False when `seen` is no longer the last one."""
        from pymongo.errors import DuplicateKeyError

        fields = {
            **self._mine,
            "files": [{"path": path, "text": text} for path, text in files.items()],
            "recent": [*seen["recent"], token][-REMEMBERED:],
            "version": uuid4().hex,  # not a number: a deleted root that begins anew has none of old
            "at": checked_time(self._clock()),
        }
        with asking("change the memory"):
            if "version" in seen:
                old = {"_id": self._id, "version": seen["version"]}
                return bool(
                    twice(lambda: self._docs.update_one(old, {"$set": fields})).matched_count
                )
            try:
                twice(lambda: self._docs.insert_one({"_id": self._id, **fields}))
            except DuplicateKeyError:
                return False
        return True


def _tree(state: Mapping) -> tree.Tree:
    return {file["path"]: file["text"] for file in state["files"]}


def _token(tool_use_id: str | None, command) -> str:
    """Names a change. The command is part of it, so that no change is lost to an id used twice."""
    if tool_use_id is None:
        return uuid4().hex
    parts = json.dumps([checked_id("tool_use_id", tool_use_id), command], default=str)
    return hashlib.sha256(parts.encode()).hexdigest()
