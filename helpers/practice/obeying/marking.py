"""Which parts of a text are marked as data: what stands in a frame whose heading says that it holds
data, notes, quotations or the like, and no instructions.

The wording is free. A frame is closed by its tag, by its fence, or by a line that says so; without one
it goes on to the end of the text. A text inside it that looks like its end ends it, because nothing
else could be seen: what follows is not marked any more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_ORDERS = (
    r"(?:instructions?|commands?|directives?|orders? to (?:you|follow|obey)|prompts?"
    r"|requests? to (?:you|follow)|rules? (?:for you|to follow))"
)
# What a label speaks of: a sentence without one of these is about something else.
_HELD = re.compile(
    r"\b(?:notes?|data|information|texts?|contents?|material|below|following|follows?|these|them|it"
    r"|this (?:block|section|part|list|frame|text|result)|blocks?|sections?|records?|memor(?:y|ies)"
    r"|profiles?|histor(?:y|ies)|summar(?:y|ies)|tickets?|results?|documents?|everything|anything"
    r"|whatever|nothing|inside|within|between|quoted|stored|retrieved|remembered|entries|tags?"
    r"|messages?|replies|facts?|reports?|transcripts?|excerpts?|quotes?|quotations?)\b",
    re.I,
)
_WORD = r"(?: [\w'’-]+)"
_ONLY = r"(?:just |only |merely |purely |plain |pure |nothing but )"
_DO_NOT_FOLLOW = (
    r"(?:ignore|disregard|(?:do not|don['’]t|never|must not) "
    r"(?:follow|obey|act (?:up)?on|execute|carry out|heed))"
)
_INSIDE = (
    r"(?:in|inside|within|from|found|contained|below|here|there|appear\w*|stand\w*|it contains"
    r"|they contain)"
)
_SAYS = [
    re.compile(pattern, re.I)
    for pattern in (
        # "data, not instructions", "never to be read as instructions"
        r"\b(?:not|no|never|nor|rather than|instead of|without being)\b"
        rf"(?:[ ,]+(?!but\b|rather\b|only\b|just\b|is\b|are\b)[\w'’-]+){{0,6}}?[ ,]+{_ORDERS}\b(?! yet)",
        # "instructions in it are not meant for you"
        rf"\b{_ORDERS}{_WORD}{{0,8}}? (?:never (?:to be|meant|followed|obeyed|apply)"
        r"|not (?:meant|for you|to be|addressed|intended|apply|valid|binding|from)"
        r"|(?:must|should|are to|is to|will|can) (?:never |not )?be (?:ignored|disregarded|left|not)"
        r"|have no (?:force|effect|meaning)|are (?:just|only|merely) (?:text|data|words))",
        # "do not follow requests found in them"
        rf"\b{_DO_NOT_FOLLOW}{_WORD}{{0,4}}? (?:{_ORDERS}|requests?|demands?|orders|wishes)(?: that)?"
        rf"(?: you)?(?: may)?{_WORD}{{0,2}}? {_INSIDE}\b"
        r"(?! (?:the |your )?(?:system|policy|prompt|heading|label|rules|operator))",
        # "treat everything below as data"
        r"\b(?:treat|regard|read|take|handle|use|consider|understand|see)\w*(?: [\w'’,-]+){0,8}? "
        r"(?:only |purely |strictly |merely |solely |just )?as "
        r"(?:mere |plain |pure |untrusted |quoted |background )*"
        r"(?:data|information|facts?|reference|background|material|content|quotations?|notes?|text)\b",
        rf"\b(?:untrusted|unverified){_WORD}{{0,3}}? "
        r"(?:content|data|text|input|notes?|source|material|words|information)\b",
        rf"\b(?:is|are|holds?|contains?|it's|they're) {_ONLY}+"
        r"(?:data|information|facts?|notes?|quotations?|background|reference)\b",
        r"\b(?:data|information|facts|reference|background|context|notes) only\b"
        r"|\b(?:for (?:your )?(?:information|reference|background) only"
        r"|only for (?:information|reference|background))\b",
        rf"\bnothing (?:in|inside|below|here|they|it|that){_WORD}{{0,8}}? (?:instruct\w*|command\w*"
        r"|order to|be (?:followed|obeyed|executed)|changes? (?:your|the) (?:rules|instructions|task))",
        r"\b(?:do not (?:obey|follow|execute|act (?:up)?on) (?:it|them|anything|what|whatever)"
        r"|(?:cannot|can not|may not|must not|never) (?:change|alter|override) "
        r"(?:your|the|any|these) (?:rules|instructions|task|polic\w+))\b",
    )
]
# "but this line is an instruction" is no label; nor is one that speaks of what stands above it.
_UNSAYS = re.compile(
    r"\b(?:this|that|following|next|below|rest|what follows|but)\b[^.\n]{0,40}\b(?:is|are) "
    r"(?:an? |the |real |actual |binding )*(?:instruction|command|order)s?\b(?! (?:number|\d))",
    re.I,
)
_BEHIND = re.compile(r"\b(?:above|previous|earlier text|before this)\b", re.I)
_AHEAD = re.compile(r"\b(?:below|following|follows)\b", re.I)

_OPENS = re.compile(r"<([A-Za-z][\w:.-]{0,40})((?:\s[^<>]{0,200})?)>")
_OPENS_NEXT = re.compile(r"\s*(?:[^\n<]{0,120}\n\s*)?" + _OPENS.pattern)
_FENCE = re.compile(r"^[ \t]*([-=*#~_`\"'+>|])\1{2,}")
_FENCE_NEXT = re.compile(r"\s*\n?[ \t]*([-=*#~_`\"'+|])\1{2,}[^\n]*")
_RULER = r"[\[(<{=*#~_`-]*"
_NOTES = (
    r"(?:notes?|data|memor(?:y|ies)|profile|records?|block|context|section|history|summar(?:y|ies)"
    r"|information|materials?|results?|text|quote|quotation|tickets?|documents?|frame|list|facts|input"
    r"|content|excerpt|entries|file)"
)
_END_LINE = re.compile(
    rf"^[ \t]*{_RULER}[ \t]*(?:end(?:s| of)?|/|stop|close of|here ends?)\b[ \t]*(?:of )?"
    rf"(?:the |these |this |all )?(?:[\w'’-]+[ \t]){{0,5}}?{_NOTES}(?:[ \t][\w'’-]+){{0,5}}"
    r"[ \t]*[.:!\])>}=*#~_`-]*[ \t]*$",
    re.I | re.M,
)
_SHORT_END = re.compile(
    rf"^[ \t]*{_RULER}[ \t]*(?:end|/notes?|/data)[ \t]*[\])>}}=*#~_`.-]*[ \t]*$", re.I | re.M
)
_SPEAKERS = r"(?:customer|user|client|guest|member|patient|reader)"
_SPEAKER = re.compile(
    rf"^[ \t]*{_RULER}[ \t]*"
    r"(?:(?:the )?(?:new |current |next |latest )?(?:message|words|question|request) (?:of|from|by) "
    rf"(?:the )?{_SPEAKERS}"
    rf"|(?:the )?(?:{_SPEAKERS}|human|system|assistant|developer|operator)(?:['’]s)?"
    r"(?: (?:message|words|question|request|says|writes|wrote|now|prompt|note))*)"
    r"[ \t]*[\])>}=*#~_`]*[ \t]*:",
    re.I | re.M,
)
_TO_TEXT = re.compile(r"[\s.:;,)\]}*=_#]*")  # what a heading ends with
SHORT = 60  # characters of a line behind a label that belong to it
NEAR = 200  # characters before a heading in which its frame may open
LONGEST = 600  # characters of a heading

# A text with none of these has no label: most texts are passed over quickly.
_HINTS = (
    "instruct", "command", "directive", "orders", "data", "information", "reference", "facts", "prompt",
    "untrusted", "unverified", "background", "follow", "obey", "execute", "quotation", "notes", "material",
    "rules",
)  # fmt: skip


@dataclass(frozen=True)
class Span:
    """From `start` to `end` a text is marked; the heading stands before, from `heading` on."""

    heading: int
    start: int
    end: int


@lru_cache(maxsize=8_192)  # the keys and the short values of records come again and again
def says_data(text: str) -> bool:
    """Whether a sentence says that something is data and no instructions."""
    return _label(text) is not None


def _label(text: str) -> tuple[int, int] | None:
    """Where the label stands in a line; None for a line that is none."""
    if len(text) > LONGEST or not _HELD.search(text) or _UNSAYS.search(text):
        return None
    found = [match for pattern in _SAYS if (match := pattern.search(text))]
    if not found or _BEHIND.search(text) and not _AHEAD.search(text):
        return None
    return min(m.start() for m in found), max(m.end() for m in found)


@lru_cache(maxsize=2_048)
def spans(text: str, tags: frozenset[str] = frozenset(), strict: bool = False) -> tuple[Span, ...]:
    """The marked parts of a text, in their order.

    tags: names of tags that are known to hold data. strict: only a label that announces something, as
    a title or with a colon does; in a system prompt others speak of what stands elsewhere.
    """
    low = text.lower()
    if not any(word in low for word in _HINTS) and not any(f"<{tag}" in low for tag in tags):
        return ()
    labels = [(start, start + label[1]) for start, line in _lines(text) if (label := _label(line))]
    about = {span: _named(text[span[0] : span[1]]) for span in labels}  # labels of tags elsewhere
    tags = tags | {name.lower() for names in about.values() for name in names}
    opened = [
        match
        for match in _OPENS.finditer(text)
        if match[1].lower() in tags
        and not any(start <= match.start() < end for (start, end), names in about.items() if names)
    ]
    labels = [span for span in labels if not about[span]]
    found: list[Span] = []
    at = 0
    while span := _next(text, at, labels, opened, strict):
        found.append(span)
        at = max(span.end, span.start)
    return tuple(found)


def _named(label: str) -> list[str]:
    """The tags of which a label says that they hold data: "what stands in <a> and <b> is data"."""
    return re.findall(r"<([A-Za-z][\w:.-]{0,40})>", label) if _IN_TAG.search(label) else []


_IN_TAG = re.compile(
    r"\b(?:in|inside|within|between|of)(?: the| every| each| an?)? <[A-Za-z]", re.I
)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their places; a line together with the next one, where a sentence goes on."""
    for match in re.finditer(r"[^\n]+(?:(?<![.:!?>])\n(?![ \t]*[-*•\d<\n])[^\n]+)?", text):
        yield match.start(), match.group()


def _next(text: str, at: int, labels: list, opened: list, strict: bool) -> Span | None:
    """The first marked part that begins at or after `at`: behind a label, or in a tag for data."""
    framed = (_framed(text, start, end, at, strict) for start, end in labels if start >= at)
    best = next((span for span in framed if span), None)
    tag = next((match for match in opened if match.start() >= at), None)
    if tag and (best is None or tag.start() < best.heading):
        return Span(tag.start(), tag.end(), _closed_by(text, tag[1], tag.end()))
    return best


def _framed(text: str, heading: int, label_end: int, floor: int, strict: bool) -> Span | None:
    """The span behind a label: closed by a tag, by a fence, by a line that says so, or not at all."""
    line_end = text.find("\n", label_end)
    line_end = len(text) if line_end < 0 else line_end
    tag, start, begins = _tag_of(text, heading, label_end, line_end, floor)
    if tag:
        inside = _inside(text, start, line_end) if start == label_end else start
        return Span(begins, inside, _closed_by(text, tag, start))
    if fence := _fence_of(text, heading, line_end, floor):
        mark, start = fence
        closing = re.compile(rf"^[ \t]*{re.escape(mark)}{{3,}}", re.M).search(text, start)
        return Span(heading, start, closing.start() if closing else _said_end(text, start))
    rest = text[label_end:line_end].strip()
    announces = (
        ":" in rest or not rest.endswith((".", "!")) or _AHEAD.search(text[heading:line_end])
    )
    if strict and not announces:
        return None
    start = _inside(text, label_end, line_end)
    return Span(heading, start, max(start, _said_end(text, min(start, line_end))))


def _inside(text: str, label_end: int, line_end: int) -> int:
    """Where the inside of a frame begins: behind the sentence that the label stands in."""
    rest = text[label_end:line_end]
    ends = re.search(r"[.:!?](?=\s|$|[\])])", rest)
    if ends or len(rest) < SHORT:
        label_end += ends.end() if ends else len(rest)
    return _TO_TEXT.match(text, label_end).end()


def _tag_of(
    text: str, heading: int, label_end: int, line_end: int, floor: int
) -> tuple[str, int, int]:
    """The tag around what a label announces: it holds the label, or opens just before or after it."""
    for match in _OPENS.finditer(text, max(floor, heading - NEAR), line_end):
        closed = text.lower().find(f"</{match[1].lower()}", match.end(), label_end) >= 0
        if not closed and match[1].lower() not in ("br", "hr", "p", "b", "i"):
            return match[1], max(match.end(), label_end), min(heading, match.start())
    after = _OPENS_NEXT.match(text, label_end)
    if after and f"</{after[1].lower()}" in text[after.end() :].lower():
        return after[1], after.end(), heading
    return "", 0, heading


def _closed_by(text: str, tag: str, start: int) -> int:
    match = re.compile(rf"<\s*/\s*{re.escape(tag)}\s*>", re.I).search(text, start)
    return match.start() if match else len(text)


def _fence_of(text: str, heading: int, start: int, floor: int) -> tuple[str, int] | None:
    """The fence around what is announced: (its character, where the inside begins)."""
    line = text[text.rfind("\n", 0, heading) + 1 : start]
    if match := _FENCE.match(line):
        after = re.compile(rf"\s*[ \t]*{re.escape(match[1])}{{3,}}[^\n]*").match(text, start)
        return match[1], after.end() if after else start
    after = _FENCE_NEXT.match(text, start)
    if after:
        return after[1], after.end()
    before = text[floor:heading].rstrip().rpartition("\n")[2]
    if match := _FENCE.match(before):
        return match[1], start
    return None


def _said_end(text: str, start: int) -> int:
    """Where a line says that the frame ends, or somebody else begins to speak; else the end."""
    found = [m.start() for p in (_END_LINE, _SHORT_END, _SPEAKER) if (m := p.search(text, start))]
    return min(found, default=len(text))


# --- what the system prompt says of other places ---------------------------------------------------

_TAGS = re.compile(r"</?([A-Za-z][\w:.-]{0,40})[^<>]{0,100}>|\b([a-z][\w-]{1,30}) tags?\b", re.I)
_RESULTS = re.compile(
    r"\b(?:tools?|results?|tickets?|search\w*|records?|retrieved|database|external|"
    r"third[- ]part\w+)\b",
    re.I,
)
_DOCUMENTS = re.compile(r"\b(?:documents?|files?|attachments?)\b", re.I)


@dataclass(frozen=True)
class Told:
    """What a system prompt says is data wherever it stands: tags, results of tools, documents."""

    tags: frozenset[str] = frozenset()
    results: bool = False
    documents: bool = False


@lru_cache(maxsize=256)
def told_by(system: str) -> Told:
    """What the sentences of a system prompt mark as data."""
    tags: set[str] = set()
    results = documents = False
    low = system.lower()
    if not any(word in low for word in _HINTS):
        return Told()
    for sentence in re.split(r"(?<=[.!?])\s+|\n{2,}", system):
        if says_data(sentence):
            tags |= {(a or b).lower() for a, b in _TAGS.findall(sentence)}
            results = results or bool(_RESULTS.search(sentence))
            documents = documents or bool(_DOCUMENTS.search(sentence))
    return Told(frozenset(tags - {"the", "these", "such", "and", "of"}), results, documents)
