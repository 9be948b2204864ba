"""Seals on what the API hands out and will see again: a signature can be checked from it alone.

A seal holds a few fields in the open and a hash over them, keyed. It protects nobody's secrets: the
key stands here. It lets the API, which keeps nothing, tell what it wrote from what was changed.
"""

import base64
import hashlib
import hmac
import json

from ... import messages

_KEY = b"the practice API"
_MARK = "practice"


def seal(fields: dict, bound: str = "") -> str:
    """A signature over `fields`, which it carries, and over `bound`, which stands beside it."""
    carried = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    return f"{_MARK}.{base64.urlsafe_b64encode(carried).decode()}.{_hash(carried, bound)}"


def is_ours(signature: str) -> bool:
    """Whether a signature looks like one of ours, right or not."""
    return signature.startswith(_MARK + ".")


def opened(signature: str, bound: str = "") -> dict | None:
    """The fields that a signature carries; None if it was not made here, or not beside `bound`."""
    _, _, rest = signature.partition(".")
    carried, _, found = rest.partition(".")
    try:
        content = base64.b64decode(carried.encode("ascii"), altchars=b"-_", validate=True)
    except ValueError:
        return None
    if not is_ours(signature) or not hmac.compare_digest(
        found.encode(), _hash(content, bound).encode()
    ):
        return None
    return json.loads(content)


def _hash(carried: bytes, bound: str) -> str:
    beside = hashlib.sha256(bound.encode("utf-8", "surrogatepass")).digest()
    return hmac.new(_KEY, carried + beside, hashlib.sha256).hexdigest()[:32]


def tag(text: str) -> str:
    """A short name for a text: equal texts have equal names."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Prefix:
    """What stands before a place in a request, as two hashes: tools and system, and the messages.

    Read block by block as it was sent. Cache breakpoints, empty fields and how blocks are divided
    into messages of one role make no difference; neither do thinking blocks.
    """

    def __init__(self, body: dict):
        system = messages.blocks({"content": body.get("system") or []})
        self.start = tag(_canonical({"system": system, "tools": body.get("tools") or []}))
        self.so_far = ""

    def add(self, role: str, block: dict) -> None:
        """Goes on past one block."""
        if block["type"] not in ("thinking", "redacted_thinking"):
            self.so_far = tag(f"{self.so_far}{role}:{_canonical(block)}")


def _canonical(value) -> str:
    return json.dumps(_bare(value), sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _bare(value):
    if isinstance(value, list):
        return [_bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {k: _bare(v) for k, v in value.items() if k != "cache_control" and v is not None}
    if kept.get("type") == "tool_result" and isinstance(kept.get("content"), str):
        kept["content"] = [{"type": "text", "text": kept["content"]}] if kept["content"] else []
    return kept
