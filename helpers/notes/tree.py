"""The commands of the memory tool on a tree of files: pure functions, without a database.

A tree is a dict: path below /memories -> text of a file, or None for a directory. The answers and
errors are those of the SDK's own file-system tool (anthropic 2.14), so that a model meets the
same words. Where that tool fails with an error of the operating system, or accepts a path that
only looks harmless, there is a sentence instead.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping

from helpers.sessions.content import clean_text

ROOT = "/memories"
FILE_CHARS = 20_000  # of one file: it is viewed whole
ROOT_CHARS = 200_000  # of all files together
ENTRIES = 200  # files and directories
NAME_CHARS, PATH_CHARS = 100, 500

Tree = dict[str, str | None]


class MemoryRefused(ValueError):
    """A command that changed nothing; the sentence is made for the model."""


def run(
    tree: Tree, command, *, file_chars: int = FILE_CHARS, root_chars: int = ROOT_CHARS
) -> tuple[Tree, str]:
    """The tree after a command, and the answer for the model; the given tree stays as it is.

    command: what the model gave as the tool's input, such as {"command": "view", "path":
    "/memories"}. MemoryRefused for what cannot be done.
    """
    name = command.get("command") if isinstance(command, Mapping) else None
    if not isinstance(name, str) or name not in COMMANDS:
        raise MemoryRefused(f"Unknown command: use one of {', '.join(COMMANDS)}.")
    do, fields = COMMANDS[name]
    after, answer = do(dict(tree), **_arguments(name, command, fields))
    _check_size(tree, after, file_chars, root_chars)
    return after, answer


def _arguments(name: str, command: Mapping, fields: dict[str, type]) -> dict:
    """The fields of a command, texts cleaned; MemoryRefused when one is missing or of a wrong type.

    The SDK gives what the model wrote, unchecked.
    """
    found = {}
    for field, kind in fields.items():
        value = command.get(field)
        if field == "view_range" and value is None:
            continue
        if type(value) is not kind or kind is list and any(type(n) is not int for n in value):
            raise MemoryRefused(f"{name} needs `{field}`: {_KINDS[kind]}.")
        found[field] = clean_text(value)[0] if kind is str else value
    return found


_KINDS = {str: "a text", int: "a whole number", list: "two line numbers, such as [1, 20]"}


def _check_size(before: Tree, after: Tree, file_chars: int, root_chars: int) -> None:
    """Refuses what grows over a cap; what makes a tree smaller is always allowed."""
    known = set(before.values())  # a file that is only moved has not grown
    for path, text in after.items():
        if text not in known and len(text or "") > max(file_chars, len(before.get(path) or "")):
            raise MemoryRefused(
                f"The file {ROOT}/{path} would have {len(text):,} characters, the most is "
                f"{file_chars:,}: keep what matters, or begin another file."
            )
    if _chars(after) > max(root_chars, _chars(before)):
        raise MemoryRefused(
            f"The memory would have {_chars(after):,} characters, the most is {root_chars:,}: "
            "shorten or delete what is no longer needed first."
        )
    if len(after) > max(ENTRIES, len(before)):
        raise MemoryRefused(
            f"The memory would have {len(after)} files and directories, the most is {ENTRIES}: "
            "put notes that belong together into one file, or delete old ones first."
        )


def _chars(tree: Tree) -> int:
    return sum(len(text or "") for text in tree.values())


# ---------------------------------------------------------------- paths


def place(path: str) -> str:
    """The place of a path in a tree, "" for /memories itself; MemoryRefused for every way out.

    Nothing is decoded or resolved: a name with `..`, a percent code, a backslash, a control or
    invisible character, or a character that stands for a plainer one is refused as it stands.
    """
    shown = path if len(path) <= PATH_CHARS else f"{path[:60]}…"
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise MemoryRefused(f"Path must start with {ROOT}, got: {shown}")
    if len(path) > PATH_CHARS:
        raise MemoryRefused(
            f"Path {shown} has {len(path):,} characters, the most is {PATH_CHARS}: use a shorter one."
        )
    names = [name for name in path[len(ROOT) :].split("/") if name not in ("", ".")]
    if ".." in names:
        raise MemoryRefused(f"Path {shown} would escape {ROOT} directory")
    for name in names:
        if len(name) > NAME_CHARS:
            raise MemoryRefused(
                f"Path {shown} has a name of {len(name)} characters, the most is {NAME_CHARS}: use "
                "a shorter one."
            )
        if _ODD.search(name) or unicodedata.normalize("NFKC", name) != name or _invisible(name):
            raise MemoryRefused(
                f"Path {ascii(shown)[1:-1]} is refused: use plain letters, digits, spaces and - _ . "
                "in names."
            )
    return "/".join(names)


_ODD = re.compile(r"[\\\ufffd]|%[0-9a-fA-F]{2}")


def _invisible(name: str) -> bool:
    return any(unicodedata.category(char)[0] in "CZ" and char != " " for char in name)


def _exists(tree: Tree, at: str) -> bool:
    return at == "" or at in tree


def _text(tree: Tree, at: str, path: str) -> str:
    """The text of a file that is to be edited."""
    if not _exists(tree, at):
        raise MemoryRefused(f"The path {path} does not exist. Please provide a valid path.")
    if tree.get(at) is None:
        raise MemoryRefused(f"The path {path} is not a file.")
    return tree[at]


def _make_parents(tree: Tree, at: str) -> None:
    names = at.split("/")[:-1]
    for n in range(1, len(names) + 1):
        above = "/".join(names[:n])
        if tree.setdefault(above, None) is not None:
            raise MemoryRefused(
                f"The path {ROOT}/{above} is a file, so nothing can be put into it."
            )


# ---------------------------------------------------------------- the commands


def _view(tree: Tree, path: str, view_range: list | None = None) -> tuple[Tree, str]:
    at = place(path)
    if not _exists(tree, at):
        raise MemoryRefused(f"The path {path} does not exist. Please provide a valid path.")
    if tree.get(at) is None:
        return tree, _listing(tree, at, path)
    lines, first = tree[at].split("\n"), 1
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0])
        lines = lines[first - 1 : len(lines) if view_range[1] == -1 else view_range[1]]
    return tree, f"Here's the content of {path} with line numbers:\n{_numbered(lines, first)}"


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(lines, first))


def _listing(tree: Tree, at: str, path: str) -> str:
    shown = [f"{_size(tree, at)}\t{path}"]
    above = f"{at}/" if at else ""
    below = [p.removeprefix(above) for p in tree if p.startswith(above)]
    for names in sorted(p.split("/") for p in below):  # a directory, then what is in it
        if len(names) <= 2 and not any(name.startswith(".") for name in names):
            here = above + "/".join(names)
            slash = "/" if tree[here] is None else ""
            shown.append(f"{_size(tree, here)}\t{path}/{'/'.join(names)}{slash}")
    head = (
        f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    )
    return "\n".join([head, *shown])


def _size(tree: Tree, at: str) -> str:
    """Of a file, or of all files of a directory."""
    inside = f"{at}/" if at else ""
    texts = [t for p, t in tree.items() if t and (p == at or p.startswith(inside))]
    size, units = sum(len(text.encode()) for text in texts), list("BKM")
    while size >= 1024 and len(units) > 1:
        size, units = size / 1024, units[1:]
    return f"{size:.1f}".removesuffix(".0") + units[0]


def _create(tree: Tree, path: str, file_text: str) -> tuple[Tree, str]:
    at = place(path)
    if _exists(tree, at):
        raise MemoryRefused(f"File {path} already exists")
    _make_parents(tree, at)
    return {**tree, at: file_text}, f"File created successfully at: {path}"


def _str_replace(tree: Tree, path: str, old_str: str, new_str: str) -> tuple[Tree, str]:
    at = place(path)
    text = _text(tree, at, path)
    shown = old_str if len(old_str) <= 200 else f"{old_str[:200]}…"
    if text.count(old_str) == 0:
        raise MemoryRefused(
            f"No replacement was performed, old_str `{shown}` did not appear verbatim in {path}."
        )
    if text.count(old_str) > 1:
        lines = ", ".join(map(str, _lines_with(text, old_str)))
        raise MemoryRefused(
            f"No replacement was performed. Multiple occurrences of old_str `{shown}` in lines: "
            f"{lines}. Please ensure it is unique"
        )
    changed = text[: text.find(old_str)].count("\n")
    after = text.replace(old_str, new_str)
    start = max(0, changed - 2)
    snippet = _numbered(after.split("\n")[start : changed + 3], start + 1)
    answer = (
        "The memory file has been edited. Here is the snippet showing the change (with line "
        f"numbers):\n{snippet}"
    )
    return {**tree, at: after}, answer


def _lines_with(text: str, part: str) -> list:
    """The lines in which it begins, the first fifty."""
    found, at = [], text.find(part)
    while at >= 0:
        if len(found) == 50:
            return [*found, "and more"]
        found.append(text[:at].count("\n") + 1)
        at = text.find(part, at + 1)
    return found


def _insert(tree: Tree, path: str, insert_line: int, insert_text: str) -> tuple[Tree, str]:
    at = place(path)
    lines = _text(tree, at, path).split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= insert_line <= len(lines):
        raise MemoryRefused(
            f"Invalid `insert_line` parameter: {insert_line}. It should be within the range "
            f"[0, {len(lines)}]."
        )
    lines.insert(insert_line, insert_text.rstrip("\n"))
    text = "\n".join(lines)
    text += "" if text.endswith("\n") else "\n"
    return {**tree, at: text}, f"The file {path} has been edited."


def _delete(tree: Tree, path: str) -> tuple[Tree, str]:
    at = place(path)
    if not at:
        raise MemoryRefused(f"Cannot delete the {ROOT} directory itself")
    if at not in tree:
        raise MemoryRefused(f"The path {path} does not exist")
    after = {p: t for p, t in tree.items() if p != at and not p.startswith(f"{at}/")}
    return after, f"Successfully deleted {path}"


def _rename(tree: Tree, old_path: str, new_path: str) -> tuple[Tree, str]:
    old, new = place(old_path), place(new_path)
    if not old:
        raise MemoryRefused(f"Cannot rename the {ROOT} directory itself")
    if _exists(tree, new):
        raise MemoryRefused(f"The destination {new_path} already exists")
    if old not in tree:
        raise MemoryRefused(f"The path {old_path} does not exist")
    if new.startswith(f"{old}/"):
        raise MemoryRefused(f"The path {old_path} cannot be moved into itself")
    _make_parents(tree, new)
    after = {}
    for path, text in tree.items():
        moved = path == old or path.startswith(f"{old}/")
        after[new + path[len(old) :] if moved else path] = text
    return after, f"Successfully renamed {old_path} to {new_path}"


COMMANDS: dict[str, tuple[Callable, dict[str, type]]] = {
    "view": (_view, {"path": str, "view_range": list}),
    "create": (_create, {"path": str, "file_text": str}),
    "str_replace": (_str_replace, {"path": str, "old_str": str, "new_str": str}),
    "insert": (_insert, {"path": str, "insert_line": int, "insert_text": str}),
    "delete": (_delete, {"path": str}),
    "rename": (_rename, {"old_path": str, "new_path": str}),
}
