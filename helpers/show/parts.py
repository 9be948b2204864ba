"""What a request is made of: its blocks in the order in which the model reads them."""

import functools
import json
import re
from dataclasses import dataclass, replace

from ..messages import blocks
from ..practice import tokenizer

KINDS = (
    "tools",
    "system",
    "summary",
    "notes",
    "memories",
    "user",
    "assistant",
    "thinking",
    "tool call",
    "tool result",
    "placeholder",
    "image or document",
    "other",
)
BEGINNING = 48  # characters of a block in a table
# Ours, and what a reader's own code may put there: a remark in square brackets and nothing else.
_REMARK = re.compile(r"\[[A-Z][^\[\]{}\"]*\]")


@dataclass(frozen=True)
class Part:
    """One block of a request, or several of one kind put together.

    kind: one of `KINDS`. tokens: with its share of what wraps it. text: all of it, as it is sent.
    place: where it stands ("system", "message 3"). ident: what it is known by in another version
    of the request, "" if only by its text. count: how many blocks stand behind it.
    cached: how many of its tokens are read from the prompt cache; None when that was not asked.
    change, twin: see `changes.py`.
    """

    kind: str
    tokens: int
    text: str
    place: str = ""
    ident: str = ""
    count: int = 1
    cached: int | None = None
    change: str = ""
    twin: int | None = None

    @property
    def name(self) -> str:
        """The kind, with the number of blocks if there are several."""
        return self.kind if self.count == 1 else f"{self.kind} ×{self.count:,}"

    @property
    def begins(self) -> str:
        """The beginning of the text on one line."""
        line = " ".join(self.text[: 4 * BEGINNING].split())
        return line if len(line) <= BEGINNING else line[: BEGINNING - 1] + "…"


def plain(request) -> dict:
    """The body of a request: a dict, or a list of messages; contents become lists of dict blocks.

    ValueError says what cannot be read.
    """
    try:
        body = request if isinstance(request, dict) else {"messages": request}
        messages = body["messages"] if "messages" in body else ()
        return {**body, "messages": [_plain(message) for message in messages]}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(_no_request(error)) from None


def _plain(message) -> dict:
    role = message["role"] if isinstance(message, dict) else message.role
    return {"role": role, "content": blocks(message)}


def _no_request(error) -> str:
    return (
        "this is not a request that can be shown: it takes a dict with `messages` (and `system`, "
        f"`tools`), or the list of messages ({type(error).__name__}: {error})"
    )


def context_parts(request) -> list[Part]:
    """The blocks of `request` in the order in which the model reads them: tools, system, messages.

    A list counts as a request that has only messages. Their tokens add up to the request's. What
    the helpers of this course write is known by its own marks: a summary below a persona or in a
    message, case notes, memories in front of what a customer said, a cleared result's placeholder;
    so one block of the API can be several here. ValueError says what cannot be read.
    """
    body = plain(request)
    try:
        return [*_tools(body), *_system(body), *_messages(body)]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(_no_request(error)) from None


def _tools(body):
    for tool in body.get("tools") or []:
        name = str(tool.get("name") or tool.get("type") or "?")
        rest = {k: v for k, v in tool.items() if k not in ("name", "description")}
        text = f"{name}: {tool.get('description') or ''}\n{_json(rest)}"
        yield Part(
            "tools", tokenizer.count_request({"tools": [tool]}), text, "tools", f"tool {name}"
        )


def _system(body):
    if system := body.get("system"):
        content = blocks({"content": system})
        wrapping = tokenizer.count_request({"system": system}) - tokenizer.count_blocks(content)
        yield from _of_blocks("system", "system", content, wrapping)


def _messages(body):
    for number, message in enumerate(body["messages"], 1):
        content, place = message["content"], f"message {number}"
        wrapping = tokenizer.count_message(message) - tokenizer.count_blocks(content)
        if content:
            yield from _of_blocks(message["role"], place, content, wrapping)
        else:
            yield Part(_role(message["role"]), wrapping, "(empty)", place)


def _of_blocks(role: str, place: str, content: list[dict], wrapping: int):
    for block in content:
        for part in _of_block(role, block):
            ident = part.ident
            if part.kind in ("system", "summary", "notes", "memories") and not ident:
                ident = part.kind
            yield replace(part, tokens=part.tokens + wrapping, place=place, ident=ident)
            wrapping = 0


def _of_block(role: str, block: dict) -> list[Part]:
    kind, tokens = block.get("type"), tokenizer.count_blocks([block])
    if kind == "text":
        return _of_text(role, block["text"])
    if kind == "tool_use":
        text = f"{block['name']} {_json(block['input'])}"
        return [Part("tool call", tokens, text, ident=f"call {block.get('id')}")]
    if kind == "tool_result":
        text = _text_of(block.get("content"))
        return [
            Part(_kind_of_result(text), tokens, text, ident=f"result {block.get('tool_use_id')}")
        ]
    if kind == "compaction":  # the service's own summary
        return [Part("summary", tokens, str(block.get("content") or ""))]
    if kind in ("thinking", "redacted_thinking"):
        return [Part("thinking", tokens, block.get("thinking", "(redacted)"))]
    if kind in ("image", "document"):
        return [Part("image or document", tokens, str(block.get("title") or kind))]
    return [Part("other", tokens, f"{kind} {_json(block)}")]


def _of_text(role: str, text: str) -> list[Part]:
    """The parts of one text. A count of a beginning never exceeds that of the whole."""
    found, before = [], 0
    end = 0
    for kind, piece in _pieces(role, text):
        end += len(piece)
        so_far = tokenizer.count_text(text[:end])
        found.append(Part(kind or _role(role), so_far - before, piece.strip("\n") or piece))
        before = so_far
    return found


def _role(role: str) -> str:
    return role if role in ("user", "assistant", "system") else "other"


@functools.cache
def _marks() -> dict[str, list[tuple[str, re.Pattern]]]:
    """For each role: kind and form of what the helpers write into its texts."""
    from ..compaction import HEADING as NOTES
    from ..guards.presenting import END, LABEL
    from ..summaries import HEADING as SUMMARY
    from ..summaries import summary_message

    memories = re.compile(rf"^{re.escape(LABEL)}\n.*?^{re.escape(END)}$", re.DOTALL | re.MULTILINE)
    front = re.escape(summary_message("?")["content"].removesuffix("?"))
    return {
        "system": [
            ("summary", re.compile(rf"(?:\A|\n\n){re.escape(SUMMARY)}\n.*\Z", re.DOTALL)),
            ("memories", memories),
        ],
        "user": [
            ("summary", re.compile(rf"\A(?:{front}|{re.escape(SUMMARY)}\n).*\Z", re.DOTALL)),
            ("notes", re.compile(rf"\A{re.escape(NOTES)}\n.*\Z", re.DOTALL)),
            ("memories", memories),
        ],
    }


def _pieces(role: str, text: str) -> list[tuple[str | None, str]]:
    """The text cut where something stands in it that a helper wrote: kind (or None) and piece."""
    for kind, form in _marks().get(role, ()):
        if match := form.search(text):
            start, end = match.span()
            inside = [(kind, text[start:end])]
            front = _pieces(role, text[:start]) if start else []
            return [*front, *inside, *(_pieces(role, text[end:]) if end < len(text) else [])]
    return [(None, text)]


def _kind_of_result(text: str) -> str:
    from ..editing import PLACEHOLDER
    from ..guards.presenting import LABEL

    if text == PLACEHOLDER or _REMARK.fullmatch(text):
        return "placeholder"
    return "memories" if text.startswith(LABEL) else "tool result"


def _text_of(content) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.text for block in content for part in _of_block("tool", block))


def _json(value) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def by_kind(parts: list[Part]) -> list[Part]:
    """One part for each kind, in the order of first appearance; within a kind by what changed."""
    first = {part.kind: n for n, part in reversed(list(enumerate(parts)))}
    groups: dict[tuple[str, str], list[Part]] = {}
    for part in sorted(parts, key=lambda p: (first[p.kind], p.change)):
        groups.setdefault((part.kind, part.change), []).append(part)
    return [
        Part(
            kind,
            sum(p.tokens for p in group),
            "",
            count=sum(p.count for p in group),
            cached=None if group[0].cached is None else sum(p.cached for p in group),
            change=change,
        )
        for (kind, change), group in groups.items()
    ]
