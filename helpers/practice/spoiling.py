"""Replies as they go wrong: each kind is made of the reply that would have been given.

For lessons and tests that need a failure on demand. A kind changes one message, a dict as the API
sends it, and nothing else; what was used and billed stays as it was.
"""

import json
from collections.abc import Callable

REFUSAL = "I cannot do that."


def _truncated(answer: dict, _body: dict) -> dict:
    content = [_text(b, lambda t: t[: len(t) // 2]) for b in answer["content"]]
    kept = [b for b in content if b["type"] != "tool_use" and b.get("text") != ""]
    return {**answer, "content": kept, "stop_reason": "max_tokens", "stop_sequence": None}


def _prose(answer: dict, _body: dict) -> dict:
    return _each_text(answer, _in_words)


def _fenced(answer: dict, _body: dict) -> dict:
    return _each_text(answer, lambda text: f"```json\n{text}\n```")


def _malformed(answer: dict, _body: dict) -> dict:
    return _each_text(
        answer, lambda text: text.replace('":', '"', 1) if '":' in text else text + "}"
    )


def _refusal(answer: dict, _body: dict) -> dict:
    details = {"type": "refusal", "category": None, "explanation": None}
    said = [{"type": "text", "text": REFUSAL}]
    ending = {"stop_reason": "refusal", "stop_sequence": None, "stop_details": details}
    return {**answer, "content": said, **ending}


def _refused_empty(answer: dict, body: dict) -> dict:
    return {**_refusal(answer, body), "content": []}


def _empty(answer: dict, _body: dict) -> dict:
    return {**answer, "content": [], "stop_reason": "end_turn", "stop_sequence": None}


def _extra_field(answer: dict, _body: dict) -> dict:
    def add(fields: dict) -> dict:
        name = "remark"
        while name in fields:
            name += "_"
        return {**fields, name: "This field was not asked for."}

    return _each_text(answer, lambda text: _with_fields(text, add))


def _missing_field(answer: dict, body: dict) -> dict:
    wanted = (body.get("output_config") or {}).get("format") or {}
    required = (wanted.get("schema") or {}).get("required") or []

    def drop(fields: dict) -> dict:
        first = next((name for name in required if name in fields), next(iter(fields), None))
        return {name: value for name, value in fields.items() if name != first}

    return _each_text(answer, lambda text: _with_fields(text, drop))


KINDS: dict[str, Callable[[dict, dict], dict]] = {
    "truncated": _truncated,  # cut by max_tokens
    "prose": _prose,  # sentences in place of JSON
    "fenced": _fenced,  # JSON inside a Markdown fence
    "malformed": _malformed,  # JSON that cannot be read
    "refusal": _refusal,
    "refused_empty": _refused_empty,  # a refusal without a word
    "empty": _empty,
    "extra_field": _extra_field,
    "missing_field": _missing_field,
}


def check_kind(kind: str) -> str:
    """`kind` itself; ValueError names the kinds that there are."""
    if kind not in KINDS:
        raise ValueError(f"no reply is spoiled in the way {kind!r}; there are {', '.join(KINDS)}")
    return kind


def spoil(answer: dict, kind: str, body: dict) -> dict:
    """The message `answer` (a dict as it comes over the wire) spoiled in one of the KINDS.

    `body`: the request that it answers. Where there is nothing of that kind to spoil (no text, no
    JSON), the reply stays as it was. A summary of a compaction request that fails comes
    without content, whatever the kind; `stop_reason` says why.
    """
    check_kind(kind)
    if answer["stop_reason"] == "compaction":
        reasons = {"truncated": "max_tokens", "refusal": "refusal", "refused_empty": "refusal"}
        return {**answer, "content": [], "stop_reason": reasons.get(kind, "end_turn")}
    return KINDS[kind](answer, body)


def _text(block: dict, change: Callable[[str], str]) -> dict:
    return {**block, "text": change(block["text"])} if block["type"] == "text" else block


def _each_text(answer: dict, change: Callable[[str], str]) -> dict:
    return {**answer, "content": [_text(block, change) for block in answer["content"]]}


def _with_fields(text: str, change: Callable[[dict], dict]) -> str:
    """A text that is a JSON object, with its fields changed."""
    fields = _json(text)
    return json.dumps(change(fields), ensure_ascii=False) if isinstance(fields, dict) else text


def _in_words(text: str) -> str:
    """JSON told in sentences; other text as it is."""
    fields = _json(text)
    if not isinstance(fields, dict):
        return f"In words: {text}" if fields is not None else text
    told = [f"The {name.replace('_', ' ')} is {_told(value)}." for name, value in fields.items()]
    return " ".join(told) or "There is nothing to tell."


def _told(value) -> str:
    if isinstance(value, list):
        return ", ".join(map(_told, value)) or "empty"
    if isinstance(value, dict):
        return ", ".join(f"{k} {_told(v)}" for k, v in value.items()) or "empty"
    return "unknown" if value is None else str(value)


def _json(text: str):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
