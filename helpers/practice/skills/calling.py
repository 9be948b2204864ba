"""Calling tools: picks a tool that the last message asks for, fills its parameters from the text, and
reports what came back. Nothing is called while a required value is missing: it is asked for."""

import json
import re

from ..reading.arguments import Missing, fill
from ..reading.clauses import is_question
from ..reading.person import expand
from ..reading.words import WORD, content, stem
from ..request import Reply, Request, readable, say

MOST = 8  # calls in one turn
LONGEST = 600  # characters shown of one result

_WANT = re.compile(
    r"\b(?:i|we) (?:want|need|would like|wish)\b|\b(?:please|can you|could you)\b", re.I
)
_OWN = re.compile(r"^(?:i|my|we|our|he|she|it|they|the|there|this|that|his|her|your|you)\b", re.I)
_SPLIT_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PLAIN = frozenset(map(stem, """get fetch find search look lookup list read check create make do run call set
    show give tool use user data info information the for add update return query all one by""".split()))  # fmt: skip


def answer(request: Request) -> Reply | None:
    """Reports results, calls a tool, or asks for a missing value; None if no tool is asked for."""
    if results := request.last.of_type("tool_result"):
        if request.turns[-1].role != "assistant":
            return say(_report(request, results))
    choice = request.tool_choice
    if not request.tools or choice.get("type") == "none":
        return None
    text = _asked(request)
    forced = choice.get("type") in ("any", "tool")
    tool = _chosen(request, text, forced)
    if tool is None:
        return None
    try:
        inputs = fill(tool["input_schema"], text, forced, _words_of(tool))
    except Missing as missing:
        return say(
            f"I can use {tool['name']} for that, but you have not told me the {missing}. Which one is it?"
        )
    if choice.get("disable_parallel_tool_use"):
        inputs = inputs[:1]
    first = next_number(request)
    return Reply(
        [
            {
                "type": "tool_use",
                "id": f"toolu_{first + i:04d}",
                "name": tool["name"],
                "input": filled,
            }
            for i, filled in enumerate(inputs[:MOST])
        ],
        "tool_use",
    )


def _asked(request: Request) -> str:
    """The last message; after our own question for a value, together with the message before it."""
    text = expand(request.last.text[-4_000:])
    users = [turn.text for turn in request.turns if turn.role == "user"]
    models = [turn.text for turn in request.turns if turn.role == "assistant"]
    if len(users) > 1 and models and len(text.split()) <= 8:
        if any(f"I can use {tool['name']} for that" in models[-1] for tool in request.tools):
            return f"{expand(users[-2][-4_000:])} {text}"
    return text


def _chosen(request: Request, text: str, forced: bool) -> dict | None:
    """The tool whose name or description shares the most words with the request."""
    choice = request.tool_choice
    if choice.get("type") == "tool":
        return next((t for t in request.tools if t["name"] == choice.get("name")), None)
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", text) if forced or _asks(s)]
    words = content(WORD.findall(" ".join(sentences)))
    scored = [(_score(tool, words), -index) for index, tool in enumerate(request.tools)]
    best, at = max(scored)
    if best >= 2 or forced:
        return request.tools[-at]
    return None


def _asks(sentence: str) -> bool:
    return is_question(sentence) or bool(_WANT.search(sentence)) or not _OWN.match(sentence.strip())


def _score(tool: dict, words: frozenset[str]) -> int:
    """Two points for a word of the name, one for a word of the description."""
    name = content([w.lower() for w in _SPLIT_NAME.findall(tool["name"])])
    about = content(WORD.findall((tool.get("description") or "")[:400]))
    verbs = len(name & words & _PLAIN)  # "search", "get": only decide between equals
    real = 2 * len((name - _PLAIN) & words) + len((about - name - _PLAIN) & words)
    return real and real + (verbs > 0)


def _words_of(tool: dict) -> frozenset[str]:
    """The words by which a user asks for the tool, which are therefore no values."""
    words = [
        *_SPLIT_NAME.findall(tool["name"]),
        *WORD.findall((tool.get("description") or "")[:400]),
    ]
    return content([w.lower() for w in words])


_ID = re.compile(r"toolu_(\d+)$")


def next_number(request: Request) -> int:
    """One more than the highest number the request already holds, so ids stay unique in it."""
    used = [0]
    for turn in request.turns:
        for block in turn.blocks:
            if match := _ID.match(str(block.get("id") or block.get("tool_use_id") or "")):
                used.append(int(match[1]))
    return max(used) + 1


def _report(request: Request, results: list[dict]) -> str:
    """What the tools answered, call by call; an error is told as an error."""
    calls = {
        b.get("id"): b for turn in request.turns for b in turn.blocks if b.get("type") == "tool_use"
    }
    parts = []
    for result in results:
        call = calls.get(result.get("tool_use_id"), {})
        what = ", ".join(
            str(v) for v in (call.get("input") or {}).values() if isinstance(v, str | int | float)
        )
        text = _readable(" ".join(readable(result)).strip())
        label = f"{call.get('name', 'the tool')}" + (f" ({what})" if what else "")
        if result.get("is_error"):
            parts.append(f"{label} failed: {text or 'no reason was given'}.".replace("..", "."))
        else:
            parts.append(f"{label}: {text or 'an empty result'}.".replace("..", "."))
    return " ".join(parts)


def _readable(text: str) -> str:
    """JSON objects as "field value" lists, everything else as it is, within the limit."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    try:
        if isinstance(value, dict):
            text = ", ".join(f"{key.replace('_', ' ')} {_plain(v)}" for key, v in value.items())
        elif isinstance(value, list):
            text = "; ".join(_plain(v) for v in value)
    except RecursionError:
        pass  # nested too deeply: told as it came
    text = _sendable(text)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST].rstrip()} ... ({len(text) - LONGEST:,} more characters)"
    return text


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(v)}" for key, v in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _sendable(text: str) -> str:
    """With a question mark for half of a character pair, which no reply can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
