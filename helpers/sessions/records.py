"""What a session and a message are: in Python, and as documents.

A message's document has its content as `text` (a string) or `blocks` (a list of blocks, as JSON);
or as `parts`, which names the documents of its own that hold it, when it is large.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from helpers.shapes import listlike

from .content import HALF, clean_content, clean_text, shorten, to_json

ID_CHARS = 120  # of a user, session or message id: all three fit an index key on any server
TURN_MESSAGES = 1_000
# In characters. The server's limit is 16 MB for a document, and a character takes up to 4 bytes.
INLINE_CHARS = 1_000_000  # of a turn; what goes beyond is stored in parts
PART_CHARS = 3_000_000
WINDOW_CHARS = 1_000_000  # of one message in the window: more than most models can read at once

ROLES = ("user", "assistant", "system")


@dataclass(frozen=True)
class StoredMessage:
    """One message, as the store hands it out.

    id: made by the client, unique in its session. seq: 1, 2, 3, ... in its session, no gaps.
    content: a string or a list of block dicts. at: when it was stored (UTC). tokens: what the
    message adds to a request, by model id. note: what was changed to store it, "" for nothing.
    """

    id: str
    seq: int
    role: str
    content: str | list[dict]
    at: datetime
    tokens: dict[str, int] = field(default_factory=dict)
    note: str = ""

    def to_param(self) -> dict:
        """The message as a request carries it."""
        return {"role": self.role, "content": self.content}


@dataclass
class Session:
    """What the model needs at the start of a turn. `window` and `summary` are yours to change.

    covers: the number of the last message that the summary covers. last_seq: of the last message
    in the log. begin: of the first message of this conversation (more than 1 when the session's
    row was deleted and the log went on). version: of the row; 0 when there is none yet.
    note: what `save` had to change, "" for nothing.
    """

    user_id: str
    session_id: str
    created_at: datetime
    updated_at: datetime
    window: list[StoredMessage] = field(default_factory=list)
    summary: str = ""
    covers: int = 0
    last_seq: int = 0
    begin: int = 1
    version: int = 0
    note: str = field(default="", compare=False)

    def messages(self) -> list[dict]:
        """The window as a request carries it."""
        return [message.to_param() for message in self.window]


# ---------------------------------------------------------------- what may come in


def checked_id(what: str, value) -> str:
    """`value`, a usable id; else ValueError. A dict here could be a query for everybody's data."""
    if not isinstance(value, str):
        raise ValueError(f"{what} must be a string, and is {type(value).__name__}")
    if not value.strip():
        raise ValueError(f"{what} is blank: each needs an id of its own")
    if len(value) > ID_CHARS:
        raise ValueError(f"{what} has {len(value)} characters, the most is {ID_CHARS}")
    if HALF.search(value):
        raise ValueError(f"{what} holds half a character (a lone surrogate): {value!r}")
    return str(value)


def checked_time(value) -> datetime:
    """In UTC, cut to the milliseconds that a database keeps."""
    if not isinstance(value, datetime) or value.tzinfo is None or value.utcoffset() is None:
        raise ValueError(
            f"the clock must give a datetime with a time zone, such as datetime.now(UTC), and "
            f"gave {value!r}"
        )
    value = value.astimezone(UTC)
    return value.replace(microsecond=value.microsecond // 1000 * 1000)


def new_messages(
    messages, *, first: int, at: datetime, new_id: Callable[[], str]
) -> list[StoredMessage]:
    """A turn's messages, numbered from `first`; ValueError names what cannot be stored."""
    if not listlike(messages) or not 0 < len(messages) <= TURN_MESSAGES:
        raise ValueError(f"a turn is a list of 1 to {TURN_MESSAGES:,} messages")
    made = [_new_message(m, n, first + n, at, new_id) for n, m in enumerate(messages)]
    if len({message.id for message in made}) < len(made):
        raise ValueError("two messages of the turn have the same id: give each its own")
    return made


def _new_message(message, n: int, seq: int, at: datetime, new_id) -> StoredMessage:
    where = f"messages.{n}"
    if isinstance(message, StoredMessage):
        message = message.to_param() | {"id": message.id, "tokens": message.tokens}
    elif not isinstance(message, Mapping) and hasattr(message, "model_dump"):  # a whole reply
        message = {"role": message.role, "content": message.content}
    if not isinstance(message, Mapping) or not {"role", "content"} <= set(message):
        raise ValueError(f"{where}: a message is a dict with role and content")
    extra = set(message) - {"role", "content", "id", "tokens"}
    if extra:
        raise ValueError(
            f"{where}: {', '.join(sorted(map(repr, extra)))} would be lost; a message to be "
            "stored has role, content and, if you like, id and tokens"
        )
    if message["role"] not in ROLES:
        raise ValueError(f"{where}: role must be one of {', '.join(ROLES)}")
    content, note = clean_content(message["content"], where)
    return StoredMessage(
        id=checked_id("message id", message["id"] if "id" in message else new_id()),
        seq=seq,
        role=str(message["role"]),
        content=content,
        at=at,
        tokens=_tokens(message.get("tokens", {}), where),
        note=note,
    )


def _tokens(tokens, where: str) -> dict[str, int]:
    right = isinstance(tokens, Mapping) and all(
        isinstance(model, str) and type(n) is int and 0 <= n < 2**63 for model, n in tokens.items()
    )
    if not right:
        raise ValueError(f"{where}: tokens is a dict of model id to a count, such as {{MODEL: 12}}")
    return {clean_text(model)[0]: n for model, n in tokens.items()}


# ---------------------------------------------------------------- in and out of documents


def to_fields(message: StoredMessage) -> dict:
    """The fields of a message's document, content and all."""
    text = isinstance(message.content, str)
    return {
        "seq": message.seq,
        "id": message.id,
        "role": message.role,
        "text" if text else "blocks": message.content if text else to_json(message.content),
        "at": message.at,
        "tokens": [{"model": model, "n": n} for model, n in message.tokens.items()],
        "note": message.note,
    }


def from_fields(fields: Mapping, body: str | None = None) -> StoredMessage:
    """The message of a document. `body`: its content, where that is stored in parts."""
    kind = "text" if "text" in fields else "blocks"
    if body is None:
        body = fields[kind]
    else:
        kind = fields["parts"]["of"]
    return StoredMessage(
        id=fields["id"],
        seq=fields["seq"],
        role=fields["role"],
        content=body if kind == "text" else json.loads(body),
        at=fields["at"],
        tokens={item["model"]: item["n"] for item in fields["tokens"]},
        note=fields["note"],
    )


def split_large(turn: list[dict]) -> list[dict]:
    """Takes contents out of a turn's fields until it fits one document; returns them in parts.

    A part is named by the hash of the whole content, so the same content has the same parts.
    """
    room, parts = INLINE_CHARS, {}
    for fields in turn:
        kind = "text" if "text" in fields else "blocks"
        if len(fields[kind]) <= room:
            room -= len(fields[kind])
            continue
        body = fields.pop(kind)
        digest = hashlib.sha256(body.encode()).hexdigest()
        pieces = [body[i : i + PART_CHARS] for i in range(0, len(body), PART_CHARS)]
        fields["parts"] = {"of": kind, "sha256": digest, "count": len(pieces)}
        for n, piece in enumerate(pieces):
            parts[digest, n] = {"id": {"sha256": digest, "part": n}, "text": piece}
    return list(parts.values())


def join_parts(fields: Mapping, pieces: Mapping[tuple[str, int], str]) -> str | None:
    """The content that `split_large` took out, or None when a part is missing or changed."""
    digest, count = fields["parts"]["sha256"], fields["parts"]["count"]
    body = "".join(pieces.get((digest, n), "") for n in range(count))
    return body if hashlib.sha256(body.encode()).hexdigest() == digest else None


# ---------------------------------------------------------------- the window's share of a result


def for_window(message: StoredMessage) -> StoredMessage:
    """The message itself, or when it is over WINDOW_CHARS a shortened copy that says so."""
    content = message.content
    if len(content if isinstance(content, str) else to_json(content)) <= WINDOW_CHARS:
        return message
    hint = f"the whole is message {message.seq} of the log"
    note = f"shortened for the window; {hint}"
    return replace(
        message,
        content=shorten(content, WINDOW_CHARS, hint),
        note="; ".join(filter(None, [message.note, note])),
    )
