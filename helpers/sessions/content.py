"""A message's content as a database can hold it, and as much of it as the window can hold.

Content is kept as text: a string as it is, a list of blocks as JSON. JSON text holds what a
document cannot: NULs and dollars in keys, dots, whole numbers of more than 64 bits. Half characters
(lone surrogates) are repaired, since neither JSON nor the API can carry them.
"""

import json
import math
import re
from collections.abc import Mapping

from helpers.shapes import dump, listlike

HALF = re.compile("[\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def clean_text(text: str) -> tuple[str, str]:
    """Without half characters, and a note: halves that belong together are joined, others become
    U+FFFD."""
    halves = len(HALF.findall(text))
    if not halves:
        return text, ""
    text = _PAIR.sub(lambda m: m.group().encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return HALF.sub("\ufffd", text), f"half characters (lone surrogates) repaired: {halves}"


def clean_content(content, where: str) -> tuple[str | list[dict], str]:
    """A copy that the database can hold and that shares nothing with the original."""
    if isinstance(content, str):
        return clean_text(str(content))
    try:
        plain = _plain(content)
        if not (isinstance(plain, list) and all(isinstance(block, dict) for block in plain)):
            raise TypeError("it is neither a string nor a list of content blocks")
        text, note = clean_text(to_json(plain))
        return json.loads(text, object_pairs_hook=_no_twins if note else None), note
    except RecursionError:
        reason = "it is nested too deeply"
    except Exception as error:  # also what a stranger's object throws when it is read
        reason = str(error) or type(error).__name__
    raise ValueError(f"{where}: this content cannot be stored: {reason}")


def _plain(value):
    """Dicts, lists, strings, numbers, true, false, null. TypeError for what would be changed."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise TypeError(f"JSON has no number {value}")
        return value
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is not a string")
        return {key: _plain(item) for key, item in value.items()}
    if hasattr(type(value), "model_dump"):  # a block of the SDK, less its empty fields
        return {k: _plain(v) for k, v in dump(value).items() if v is not None}
    if listlike(value):
        return [_plain(item) for item in value]
    raise TypeError(f"it holds a {type(value).__name__}; only what JSON knows can be stored")


def _no_twins(pairs: list) -> dict:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("two keys differ only in half characters")
    return dict(pairs)


def to_json(value) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


# ---------------------------------------------------------------- the window's share of a result

_NOTE_CHARS = 200  # what is hardly longer than the note about it stays as it is


def shorten(content: str | list, room: int, hint: str):
    if isinstance(content, str):
        if len(content) <= room + _NOTE_CHARS:
            return content
        gone = f"{len(content) - room:,} of {len(content):,} characters"
        return f"{content[:room]}\n[{gone} are cut off here; {hint}]"
    if not isinstance(content, list):
        return f"[left out here; {hint}]"
    return [_short_block(block, room // max(1, len(content)), hint) for block in content]


def _short_block(block: dict, room: int, hint: str) -> dict:
    """A block of about `room` characters of the same type and id, so that pairs stay pairs."""
    size = len(to_json(block))
    if size <= room + _NOTE_CHARS:
        return block
    match block:
        case {"type": "text", "text": str(text)}:
            return {**block, "text": shorten(text, room, hint)}
        case {"type": "tool_result"}:
            return {**block, "content": shorten(block.get("content"), room, hint)}
        case {"type": "tool_use"}:
            return {**block, "input": {"note": f"{size:,} characters left out here; {hint}"}}
    kind = block.get("type") if isinstance(block, dict) else "block"
    return {"type": "text", "text": f"[{kind} of {size:,} characters left out here; {hint}]"}
