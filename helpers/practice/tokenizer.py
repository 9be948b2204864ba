"""The tokenizer of the practice model: a short rule, exact for this model and only for it.

A text is cut into pieces (a word, up to three digits, a mark, a line break with its indentation) and
every piece has a price that depends on nothing but itself. So counts add up: over blocks, over
messages, and over the parts of a request. The prices were fitted to `data/tokens.csv`, texts counted
with a reconstruction of Claude's newest tokenizer; the tests state how far off they are.
"""

import json
import re
from functools import lru_cache

# Tokens that the wrapping costs, on top of the text itself. Our own figures, kept small and constant.
PER_MESSAGE = 3
PER_SYSTEM = 3
PER_TOOL = 8
PER_CALL = 12  # a tool_use or tool_result block: its ids and its frame
IMAGE = 1_500  # an image block whatever its size
DOCUMENT = 1_500  # a document block whose text we cannot see (a PDF, a file id)

_MARKS = "\u0300-\u036f\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff"  # belong to the character before
_PIECE = re.compile(
    r" ?[A-Za-z\u00c0-\u024f\u0300-\u036f]+"  # a word in Latin letters, with the space before it
    r"|[0-9]{1,3}"
    r"|\r?\n[ \t]*"
    r"| ?[!-/:-@\[-`{-~]"  # a mark
    r"| ?(?:[\u0400-\u04ff]+|[\u0600-\u06ff]+|[\u0900-\u0dff]+|[\u3040-\u30ff]+)"
    r"|[ \t]+|[\x00-\x7f]"
    rf"| ?(?:[\ud800-\udbff][\udc00-\udfff]|[^\x00-\x7f])[{_MARKS}]*"
)
_IS_MARK = re.compile(f"[{_MARKS}]")
# Scripts without capitals or short forms that we know of: first letter, last letter, tokens for 20.
_SCRIPTS = (
    ("\u0400", "\u04ff", 8),  # Cyrillic
    ("\u0600", "\u06ff", 17),  # Arabic
    ("\u0900", "\u0dff", 14),  # of India
    ("\u3040", "\u30ff", 13),  # Japanese kana
)


def _price(piece: str) -> int:
    """Tokens of one piece; never falls when the piece grows, which `cut` relies on."""
    letters = piece.lstrip(" ") or piece
    first = letters[0]
    if first.isascii() and not first.isalpha():
        return 1
    if first < "\u0370":
        # One token for four letters, then one for every three; a capital counts as two letters and
        # one with an accent as six.
        units = sum(1 if "a" <= c <= "z" else 2 if c.isascii() else 6 for c in letters)
        return 1 + max(0, -(-(units - 4) // 3))
    for low, high, per_20 in _SCRIPTS:
        if low <= first <= high:
            return -(-len(letters) * per_20 // 20)
    # An emoji, or half of a surrogate pair that was sent alone, costs three.
    return 3 if first > "\uffff" or "\ud800" <= first <= "\udfff" else 1


_known_price = lru_cache(maxsize=65_536)(_price)


def count_text(text: str) -> int:
    """Tokens of this text alone. Linear in its length."""
    return _known_count(text) if SHORT < len(text) < LONG else _count(text)


def _count(text: str) -> int:
    return sum(map(_known_price, _PIECE.findall(text)))


# A run sends its results again with every step. Characters: shorter ones are not worth it, and a
# few very long ones would take the memory of all others.
SHORT, LONG = 100, 20_000
_known_count = lru_cache(maxsize=1_024)(_count)


def cut(text: str, max_tokens: int) -> str:
    """The longest beginning of `text` that has at most `max_tokens` tokens.

    Never ends inside a character: surrogate pairs and letters with combining marks stay whole.
    """
    left = max_tokens
    if left <= 0:
        return ""
    for match in _PIECE.finditer(text):
        piece = match.group()
        price = _known_price(piece)
        if price <= left:
            left -= price
            continue
        end = match.start() + _longest(piece, left)
        while end > match.start() and _IS_MARK.match(text[end]):
            end -= 1
        return text[:end]
    return text


def _longest(piece: str, tokens: int) -> int:
    """How many characters of a piece fit; only words can be divided."""
    if tokens <= 0 or not piece.lstrip(" ")[:1].isalpha():
        return 0
    low, high = 0, len(piece)
    while low < high:
        middle = (low + high + 1) // 2
        if _price(piece[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


def count_blocks(blocks: list[dict]) -> int:
    """Tokens of content blocks, without the wrapping of a message."""
    return sum(map(_count_block, blocks))


def _count_block(block: dict) -> int:
    kind = block.get("type")
    if kind == "text":
        return count_text(block["text"])
    if kind == "tool_use":
        return PER_CALL + count_text(block["name"]) + count_text(_json(block["input"]))
    if kind == "tool_result":
        return PER_CALL + _count_content(block.get("content") or [])
    if kind == "image":
        return IMAGE
    if kind == "document":
        return _count_document(block)
    # Any other kind (thinking, search results, ...) by the text it carries.
    return PER_CALL + count_text(_json({k: v for k, v in block.items() if k not in _UNCOUNTED}))


# never part of what the model reads
_UNCOUNTED = ("type", "signature", "encrypted_content", "cache_control")


def _count_document(block: dict) -> int:
    source = block.get("source") or {}
    labels = count_text(block.get("title") or "") + count_text(block.get("context") or "")
    if source.get("type") == "text":
        return PER_CALL + labels + count_text(source.get("data") or "")
    if source.get("type") == "content":
        return PER_CALL + labels + _count_content(source.get("content") or [])
    return DOCUMENT + labels


def _count_content(content: str | list[dict]) -> int:
    return count_text(content) if isinstance(content, str) else count_blocks(content)


def count_message(message: dict) -> int:
    """Tokens that this message alone adds to a request."""
    return PER_MESSAGE + _count_content(message["content"])


def count_request(body: dict) -> int:
    """Tokens of the whole request: system, tools and messages, each counted by itself."""
    total = sum(map(count_message, body.get("messages") or []))
    if system := body.get("system"):
        total += PER_SYSTEM + _count_content(system)
    for tool in body.get("tools") or []:
        read = {key: value for key, value in tool.items() if key not in _UNCOUNTED}
        total += PER_TOOL + count_text(_json(read))
    return total


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
