"""The memory tool as the place of the agent's notes: files that are viewed first and added to.

What the visible context shows of the tool decides: a listing is read file by file, and new findings go
into a file of this session, one line after the other. Nothing is changed that somebody else wrote.
"""

import hashlib
import re

from .calls import Call
from .known import Case
from .tools import Tool

ROOT = "/memories"
NAME = f"{ROOT}/progress_"
MOST = 12  # files that are read at the start

_PATH = re.compile(rf"(?<![^\s])({ROOT}/[^\s]+)")
_NUMBER = re.compile(rf"{re.escape(NAME)}(\d{{1,4}})\.md$")


def reading(case: Case, tool: Tool) -> dict | None:
    """What to view next: the directory when nothing is known, then each file in it; None when done."""
    viewed = {str(call.input.get("path")) for call in _calls(case, tool, "view")}
    if ROOT not in viewed and not case.stated:
        return {"command": "view", "path": ROOT}
    mine = {str(call.input.get("path")) for call in _calls(case, tool, "create")}
    for path in _listed(case, tool)[:MOST]:
        if path not in viewed | mine:
            return {"command": "view", "path": path}
    return None


def writing(case: Case, tool: Tool, text: str) -> dict:
    """The command that keeps a text: a new file, or one more line of the file that this session began."""
    begun = [call for call in _calls(case, tool, "create") if not call.error]
    if not begun:
        return {"command": "create", "path": _new_path(case, tool, text), "file_text": text}
    path = str(begun[-1].input.get("path"))
    lines = _lines(begun[-1].input.get("file_text"))
    for call in _calls(case, tool, "insert"):
        if not call.error and call.input.get("path") == path:
            lines += _lines(call.input.get("insert_text"))
    return {"command": "insert", "path": path, "insert_line": lines, "insert_text": text}


def _calls(case: Case, tool: Tool, command: str) -> list[Call]:
    return [c for c in case.calls if c.name == tool.name and c.input.get("command") == command]


def _listed(case: Case, tool: Tool) -> list[str]:
    """The files of the newest listing that is visible, without directories."""
    for call in reversed(_calls(case, tool, "view")):
        if call.input.get("path") == ROOT and call.prose and not call.error:
            paths = [path for line in call.text.splitlines() for path in _PATH.findall(line)]
            return [path for path in dict.fromkeys(paths) if not path.endswith(("/", ":", ","))]
    return []


def _new_path(case: Case, tool: Tool, text: str) -> str:
    listed = [
        call for call in _calls(case, tool, "view") if call.input.get("path") == ROOT and call.prose
    ]
    failed = [str(call.input.get("path")) for call in _calls(case, tool, "create")]
    if not listed:  # what there is cannot be seen, so the name must be one that nobody has
        return f"{NAME}{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}.md"
    used = [int(m[1]) for path in [*_listed(case, tool), *failed] if (m := _NUMBER.match(path))]
    return f"{NAME}{max(used, default=0) + 1}.md"


def _lines(text: object) -> int:
    return text.count("\n") + 1 if isinstance(text, str) else 0
