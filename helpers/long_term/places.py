"""The collections that may hold what a customer said, and how a text is taken out of each.

Pure functions over documents. A change is made by fields to set and fields to remove; None deletes
the document. Ids, roles, names of tools and numbers stay, so that what is left can still be loaded.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import uuid4

from helpers.sessions.content import HALF

from .documents import FORGOTTEN
from .store import BLANK

ERASED = "[erased]"  # not nothing: a message has to have a text
Wipe = Callable[[str], str]
Change = tuple[dict, tuple[str, ...]]
NOTHING: Change = ({}, ())


@dataclass(frozen=True)
class Place:
    """One collection. owner: the field that names the customer.

    blank(doc): the change after which it holds no text. without(doc, wipe): the change after which
    it holds only texts that `wipe` leaves as they are. always: what every document is blanked to,
    where that is the same for all. version: the field by which a writer notices a change.
    """

    name: str
    without: Callable[[dict, Wipe], Change | None]
    blank: Callable[[dict], Change | None] = lambda doc: NOTHING
    owner: str = "customer_id"
    version: str = ""
    always: Mapping | None = None

    def touched(self, doc: Mapping) -> dict:
        """The fields by which others notice that the document was changed."""
        if not self.version:
            return {}
        token = uuid4().hex
        if isinstance(doc.get(self.version), int):
            return {self.version: doc[self.version] + 1, "saved": token}
        return {self.version: token}


# ---------------------------------------------------------------- texts inside texts


def wiped(value, wipe: Wipe):
    """The value with every text in it wiped, those in JSON texts too; what is unchanged is equal."""
    if isinstance(value, str):
        return _wiped_text(value, wipe)
    if isinstance(value, list):
        return [wiped(item, wipe) for item in value]
    if isinstance(value, Mapping):
        return {wipe(str(key)): wiped(item, wipe) for key, item in value.items()}
    return value


def _wiped_text(text: str, wipe: Wipe) -> str:
    if text[:1] in ("[", "{") and text[-1:] in ("]", "}"):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return wipe(text)
        new = wiped(value, wipe)
        return text if new == value else dump(new)
    return wipe(text)


def dump(value) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if HALF.search(text) else text


FRAME = ("type", "id", "tool_use_id", "name", "signature", "media_type")  # of a content block


def wiped_content(content, wipe: Wipe):
    """A message's content, in which ids, types and names of tools stay."""
    if not isinstance(content, list):
        return wiped(content, wipe)
    return [_wiped_block(block, wipe) for block in content]


def _wiped_block(block, wipe: Wipe):
    if not isinstance(block, Mapping):
        return wiped(block, wipe)
    read = {"content": wiped_content}
    return {
        key: value if key in FRAME else read.get(key, wiped)(value, wipe)
        for key, value in block.items()
    }


# ---------------------------------------------------------------- one collection after the other


def _fields(*names: str, also: Mapping | None = None):
    """Texts in fields of their own. also: what is set as well when one of them was changed."""

    def without(doc: dict, wipe: Wipe) -> Change:
        new = {name: wiped(doc[name], wipe) for name in names if name in doc}
        if all(doc[name] == value for name, value in new.items()):
            return NOTHING
        return {**new, **(also or {})}, ()

    return without


def _run_without(doc: dict, wipe: Wipe) -> Change:
    body = json.loads(doc["body"])
    messages = [{**m, "content": wiped_content(m["content"], wipe)} for m in body["messages"]]
    notes = body["notes"] and {**body["notes"]}
    for field, value in (notes or {}).items():
        if field == "facts_established" and isinstance(value, list):
            notes[field] = [_wiped_fact(fact, wipe) for fact in value]
        else:
            notes[field] = wiped(value, wipe)
    new = {"messages": messages, "notes": notes}
    new |= {name: wiped(body[name], wipe) for name in ("reply", "pending")}
    if all(body[name] == value for name, value in new.items()):
        return NOTHING
    return {"body": dump({**body, **new})}, ()


def _wiped_fact(fact, wipe: Wipe):
    if not isinstance(fact, Mapping):
        return wiped(fact, wipe)
    return {k: v if k == "message_ids" else wiped(v, wipe) for k, v in fact.items()}


def _run_blank(doc: dict) -> Change:
    body = json.loads(doc["body"])
    body["messages"] = [{"role": m["role"], "content": ERASED} for m in body["messages"]]
    body |= {"notes": None, "covered_to": None, "cleared": [], "pending": None}
    body |= {"reply": ERASED if body["reply"] else "", "done": True}
    return {"body": dump(body), "done": True}, ()


def _effect_blank(doc: dict) -> Change:
    result = json.loads(doc["result"])
    answer = isinstance(result, list) and len(result) == 2  # text, is_error
    return {"result": dump([ERASED, result[1] is True] if answer else ERASED)}, ()


def _wiped_message(fields: Mapping, wipe: Wipe) -> dict:
    """The fields of a message as sessions and logs keep it."""
    new = dict(fields)
    if "text" in new:
        new["text"] = wiped(new["text"], wipe)
    if "blocks" in new:
        blocks = json.loads(new["blocks"])
        changed = wiped_content(blocks, wipe)
        new["blocks"] = new["blocks"] if changed == blocks else dump(changed)
    return new


def _session_without(doc: dict, wipe: Wipe) -> Change:
    window = [_wiped_message(fields, wipe) for fields in doc["window"]]
    summary = wiped(doc["summary"], wipe)
    if (window, summary) == (doc["window"], doc["summary"]):
        return NOTHING
    return {"window": window, "summary": summary}, ()


def _session_blank(doc: dict) -> Change:
    return {"window": [], "summary": "", "covers": doc["last_seq"]}, ()


def _log_without(doc: dict, wipe: Wipe) -> Change:
    new = _wiped_message(doc, wipe)
    if doc.get("rest"):
        new["rest"] = [_wiped_message(fields, wipe) for fields in doc["rest"]]
    return {name: value for name, value in new.items() if doc[name] != value}, ()


def _log_blank(doc: dict) -> Change | None:
    if "seq" not in doc:
        return None  # a part of a large content
    return {"text": ERASED, "note": "", "rest": []}, ("blocks", "parts")


def _held_without(doc: dict, wipe: Wipe) -> Change | None:
    return NOTHING if wiped(doc["text"], wipe) == doc["text"] else None


_NO_VALUE = {"value": "", "state": FORGOTTEN}
_NO_VECTOR = {"vector": None, "model": None}  # made anew when it is next looked for

PLACES = [  # the memories last: an erasing that is cut off must still know what to look for
    Place(
        "notes",
        _fields("text", also={"call": None}),
        always={"text": ERASED, "call": None, "changed": ""},
    ),
    Place("run_effects", _fields("result"), _effect_blank, owner="run_id"),
    Place("runs", _run_without, _run_blank, version="version"),
    Place("sessions", _session_without, _session_blank, owner="user_id", version="version"),
    Place("logs", _log_without, _log_blank, owner="user_id"),
    Place(
        "memory_files",
        _fields("files", also={"recent": []}),
        lambda doc: ({"files": [], "recent": []}, ()),
        version="version",
    ),
    Place("profiles", _fields("value", also=_NO_VALUE), always=_NO_VALUE),
    Place("memory_quarantine", _held_without, lambda doc: None),
    Place("memories", _fields("text", also=_NO_VECTOR), always=BLANK),
]
# Collections of the course without a text of a customer.
WITHOUT_TEXT = ("memory_heads", "memory_outcomes", "refunds")
