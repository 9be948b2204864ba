"""The exercises of lesson 05."""

import copy

from .source import Exercise, same, shown, word


def _which_case(answer):
    if not isinstance(answer, dict):
        return f"{shown(answer)} is not a dict."
    right = {"both": "goes on", "no file": "new id", "no row": "same id"}
    for case, outcome in right.items():
        if word(answer.get(case)) not in right.values():
            return f"{case}: {shown(answer.get(case))} is none of {', '.join(right.values())}."
        if word(answer[case]) != outcome:
            return f"{case}: not {answer[case]!r}. Where does the id come from in that case?"
    return True


def _append_once(answer):
    log = []
    for n, (message, length) in enumerate(
        (
            ({"id": "a", "content": "Hello."}, 1),
            ({"id": "a", "content": "Hello."}, 1),
            ({"id": "b", "content": "Hello."}, 2),
            ({"id": "a", "content": "Hello."}, 2),
        ),
        1,
    ):
        answer(log, dict(message))
        if not isinstance(log, list) or len(log) != length:
            return (
                f"Tried ids a, a, b, a one after another: after call {n} the log has "
                f"{shown([m.get('id') for m in log])}."
            )
    if [m["id"] for m in log] != ["a", "b"]:
        return f"The order is {shown([m['id'] for m in log])}."
    return True


def _save_if_unchanged(answer):
    for stored, seen, expected in (
        ({"version": 3, "window": ["old"]}, 3, True),
        ({"version": 4, "window": ["theirs"]}, 3, False),
        ({"version": 0, "window": []}, 0, True),
    ):
        row, before = copy.deepcopy(stored), copy.deepcopy(stored)
        got = answer(row, seen, ["mine"])
        tried = f"Tried a row {shown(before)} and the version {seen} that was loaded"
        if bool(got) is not expected:
            return f"{tried}: it returned {shown(got)}."
        wanted = {"version": seen + 1, "window": ["mine"]} if expected else before
        if not same(row, wanted):
            return f"{tried}: afterwards the row is {shown(row)}."
    return True


EXERCISES = [
    Exercise(
        id="05.1",
        minutes=3,
        task=(
            'Predict. A program starts. For each case say what happens: the conversation `"goes '
            'on"`, a fresh one begins under a `"new id"`, or a fresh one under the `"same id"`.'
        ),
        stub='answer = {"both": ..., "no file": ..., "no row": ...}',
        hint="The file gives the id, the row gives the messages.",
        solution='answer = {"both": "goes on", "no file": "new id", "no row": "same id"}',
        because="Without a file there is no id to look for. Without a row there is nothing to load.",
        check=_which_case,
        wrong=(
            'answer = {"both": "goes on", "no file": "same id", "no row": "new id"}',
            'answer = {"both": "goes on", "no file": "new id", "no row": "goes on"}',
            'answer = "goes on"',
            "answer = {}",
        ),
        right=('answer = {"no row": "Same id.", "no file": "new id", "both": " goes on "}',),
    ),
    Exercise(
        id="05.2",
        minutes=4,
        task=(
            "Write `append_once(log, message)`: add the message to the list `log` unless a message "
            "with the same `id` is there already. The same text with another id is another message."
        ),
        stub='''def append_once(log, message):
    """Add `message` to `log`; a repeated call with the same id changes nothing."""
    ...''',
        hint="Look at the ids that are there, not at the texts.",
        solution='''def append_once(log, message):
    """Add `message` to `log`; a repeated call with the same id changes nothing."""
    if message["id"] not in [stored["id"] for stored in log]:
        log.append(message)''',
        because="A write that can be repeated is called idempotent. A unique index does the same.",
        check=_append_once,
        wrong=(
            "def append_once(log, message):\n    log.append(message)",
            "def append_once(log, message):\n"
            "    if message['content'] not in [m['content'] for m in log]:\n"
            "        log.append(message)",
            "def append_once(log, message):\n"
            "    if not log or log[-1]['id'] != message['id']:\n        log.append(message)",
            "def append_once(log, message):\n    return log + [message]",
        ),
        right=(
            "def append_once(log, message):\n    if message not in log:\n        log.append(message)",
        ),
    ),
    Exercise(
        id="05.3",
        minutes=6,
        task=(
            "Write `save_if_unchanged(row, seen, window)`. `row` is the stored document with "
            "`version` and `window`; `seen` is the version that was loaded. If it is still that "
            "version: store the window, raise the version by one, return `True`. If not: change "
            "nothing, return `False`."
        ),
        stub='''def save_if_unchanged(row, seen, window):
    """Replace the window unless somebody else has saved since."""
    ...''',
        hint="Compare first, then change both fields.",
        solution='''def save_if_unchanged(row, seen, window):
    """Replace the window unless somebody else has saved since."""
    if row["version"] != seen:
        return False
    row["window"], row["version"] = window, seen + 1
    return True''',
        because=(
            "In a database, comparing and changing must be one step: "
            '`update_one({"_id": id, "version": seen}, {"$set": ...})`.'
        ),
        check=_save_if_unchanged,
        wrong=(
            "def save_if_unchanged(row, seen, window):\n    row['window'] = window\n    return True",
            "def save_if_unchanged(row, seen, window):\n    if row['version'] != seen:\n"
            "        return False\n    row['window'] = window\n    return True",
            "def save_if_unchanged(row, seen, window):\n    row.update(window=window,"
            " version=row['version'] + 1)\n    return row['version'] == seen + 1",
            "def save_if_unchanged(row, seen, window):\n    return row['version'] == seen",
        ),
        right=(
            "def save_if_unchanged(row, seen, window):\n    unchanged = row['version'] == seen\n"
            "    if unchanged:\n        row.update(window=window, version=seen + 1)\n"
            "    return unchanged",
        ),
    ),
]
