"""Which parts of a text are marked as data: what stands in a frame whose heading says that it holds
data, notes, quotations or the like, and no instructions.

The wording is free. A frame is closed by its tag, by its fence, or by a line that says so; without
one
it goes on to the end of the text. A text inside it that looks like its end ends it, because nothing
else could be seen: what follows is not marked any more.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

_ORDERS = r"(?:instructions?|commands?|directives?|orders? to (?:you|follow|obey)|prompts?|requests? to (?:you|follow)|rules? (?:for you|to follow))"
_HELD = re.compile(
    r"\b(?:notes?|data|information|texts?|content|contents|material|below|following|"
    r"follows?|these|this (?:block|section|part|list|frame|text|result)|blocks?|sections?|"
    r"records?|memor(?:y|ies)|profiles?|histor(?:y|ies)|summar(?:y|ies)|tickets?|results?|"
    r"documents?|everything|anything|whatever|nothing|inside|within|between|them|it|quoted|"
    r"stored|"
    r"retrieved|remembered|entries|tags?|messages?|replies|facts?|reports?|transcripts?|"
    r"excerpts?|quotes?|quotations?)\b",
    re.I,
)
_SAYS = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"\b(?:not|no|never|nor|rather than|instead of|without being)\b(?:[ ,]+(?!but\b|"
        rf"rather\b|only\b|just\b|is\b|are\b)[\w'’-]+){{0,6}}?[ ,]+{_ORDERS}\b(?! yet)",
        rf"\b{_ORDERS}(?: [\w'’-]+){{0,8}}? (?:not (?:meant|for you|to be|addressed|intended|"
        rf"apply|valid|binding|from)|never (?:to be|meant|followed|obeyed|apply)|(?:must|"
        rf"should|are to|is to|will|can) (?:never |not )?be (?:ignored|disregarded|left|not)|"
        rf"have no (?:force|effect|meaning)|are (?:just|only|merely) (?:text|data|words))",
        rf"\b(?:ignore|disregard|do not (?:follow|obey|act (?:up)?on|execute|carry out|heed)|"
        rf"don['’]t (?:follow|obey|act (?:up)?on|execute|carry out)|never (?:follow|obey|"
        rf"act (?:up)?on|execute|carry out|heed)|must not (?:follow|"
        rf"obey))(?: [\w'’-]+){{0,4}}? (?:{_ORDERS}|requests?|demands?|orders|"
        rf"wishes)(?: that)?(?: you)?(?: may)?(?: [\w'’-]+){{0,2}}? (?:in|inside|within|from|"
        rf"found|contained|below|here|there|appear\w*|stand\w*|it contains|"
        rf"they contain)\b(?! (?:the |your )?(?:system|policy|prompt|heading|label|rules|"
        rf"operator))",
        r"\b(?:treat|regard|read|take|handle|use|consider|understand|"
        r"see)\w*(?: [\w'’,-]+){0,8}? (?:only |purely |strictly |merely |solely |"
        r"just )?as (?:mere |plain |pure |untrusted |quoted |background )*(?:data|"
        r"information|facts?|reference|background|material|content|quotations?|notes?|"
        r"text)\b",
        r"\b(?:untrusted|unverified)(?: [\w'’-]+){0,3}? (?:content|data|text|input|notes?|"
        r"source|material|words|information)\b",
        r"\b(?:is|are|holds?|contains?|it's|they're) (?:just |only |merely |purely |plain |"
        r"pure |nothing but )+(?:data|information|facts?|notes?|quotations?|background|"
        r"reference)\b",
        r"\b(?:data|information|facts|reference|background|context|notes) only\b|"
        r"\bfor (?:your )?(?:information|reference|background) only\b|"
        r"\bonly for (?:information|reference|background)\b",
        r"\bnothing (?:in|inside|below|here|they|it|that)(?: [\w'’-]+){0,8}? (?:instruct\w*|"
        r"command\w*|order to|be (?:followed|obeyed|executed)|changes? (?:your|"
        r"the) (?:rules|instructions|task))",
        r"\bdo not (?:obey|follow|execute|act (?:up)?on) (?:it|them|anything|what|"
        r"whatever)\b|\b(?:cannot|can not|may not|must not|never) (?:change|alter|"
        r"override) (?:your|the|any|these) (?:rules|instructions|task|polic\w+)\b",
    )
]
_UNSAYS = re.compile(
    r"\b(?:this|that|following|next|below|rest|what follows|but)\b[^.\n]{0,40}\b(?:is|"
    r"are) (?:an? |the |real |actual |binding )*(?:instruction|command|"
    r"order)s?\b(?! (?:number|\d))",
    re.I,
)
_BEHIND = re.compile(r"\b(?:above|previous|earlier text|before this)\b", re.I)

_OPENS = re.compile(r"<([A-Za-z][\w:.-]{0,40})((?:\s[^<>]{0,200})?)>")
_FENCE = re.compile(r"^[ \t]*([-=*#~_`\"'+>|])\1{2,}")
_NOTES = r"(?:notes?|data|memor(?:y|ies)|profile|records?|block|context|section|history|summar(?:y|ies)|information|materials?|results?|text|quote|quotation|tickets?|documents?|frame|list|facts|input|content|excerpt|entries|file)"
_END_LINE = re.compile(
    r"^[ \t]*[\[(<{=*#~_`-]*[ \t]*(?:end(?:s| of)?|/|stop|close of|here ends?)\b[ \t]*(?:of )?(?:the |these |this |all )?(?:[\w'’-]+[ \t]){0,5}?"
    + _NOTES
    + r"(?:[ \t][\w'’-]+){0,5}[ \t]*[.:!\])>}=*#~_`-]*[ \t]*$",
    re.I | re.M,
)
_SHORT_END = re.compile(
    r"^[ \t]*[\[(<{=*#~_`-]*[ \t]*(?:end|/notes?|/data)[ \t]*[\])>}=*#~_`.-]*[ \t]*$", re.I | re.M
)
_SPEAKER = re.compile(
    r"^[ \t]*[\[(<{=*#~_`-]*[ \t]*(?:(?:the )?(?:new |current |next |latest )?(?:message|words|question|request) (?:of|from|by) (?:the )?(?:customer|user|client|guest|member|patient|reader)"
    r"|(?:the )?(?:customer|user|client|guest|member|patient|reader|human|system|assistant|"
    r"developer|operator)(?:['’]s)?(?: (?:message|words|question|request|says|writes|wrote|"
    r"now|prompt|note))*)[ \t]*[\])>}=*#~_`]*[ \t]*:",
    re.I | re.M,
)
NEAR = 200  # characters before a heading in which its frame may open


@dataclass(frozen=True)
class Span:
    """From `start` to `end` a text is marked; the heading stands before, from `heading` on."""

    heading: int
    start: int
    end: int


def says_data(text: str) -> bool:
    """Whether a sentence says that something is data and no instructions."""
    return _label(text) is not None


def _label(text: str) -> tuple[int, int] | None:
    """Where the label stands in a line; None for a line that is none."""
    if len(text) > 600 or not _HELD.search(text) or _UNSAYS.search(text):
        return None
    found = [match for pattern in _SAYS if (match := pattern.search(text))]
    if (
        not found
        or _BEHIND.search(text)
        and not re.search(r"\b(?:below|following|follows)\b", text, re.I)
    ):
        return None
    return min(m.start() for m in found), max(m.end() for m in found)


@lru_cache(maxsize=2_048)
def spans(text: str, tags: frozenset[str] = frozenset()) -> tuple[Span, ...]:
    """The marked parts of a text, in their order. `tags`: names of tags that are known to hold data."""
    low = text.lower()
    if not any(word in low for word in _WORDS) and not any(f"<{tag}" in low for tag in tags):
        return ()
    found: list[Span] = []
    at = 0
    while (span := _next(text, at, tags)) is not None:
        found.append(span)
        at = max(span.end, span.start)
        if at >= len(text):
            break
    return tuple(found)


_WORDS = ("instruct", "command", "directive", "orders", "data", "information", "reference", "facts", "prompt",
          "untrusted", "unverified", "background", "follow", "obey", "execute", "quotation", "notes", "material", "rules")  # fmt: skip


def _next(text: str, at: int, tags: frozenset[str]) -> Span | None:
    """The first marked part that begins at or after `at`."""
    best: Span | None = None
    for line in _lines(text, at):
        if (label := _label(line.group())) is not None:
            best = _framed(text, line.start(), line.start() + label[1], at)
            break
    for match in _OPENS.finditer(text, at, best.heading if best else len(text)):
        if match[1].lower() in tags:
            return Span(match.start(), match.end(), _closed_by(text, match[1], match.end()))
    return best


def _lines(text: str, at: int):
    """Lines; and a line together with the next one, where a sentence goes on."""
    for match in re.finditer(r"[^\n]+(?:(?<![.:!?>])\n(?![ \t]*[-*•\d<\n])[^\n]+)?", text[at:]):
        yield _Shifted(match, at)


class _Shifted:
    """A match in the rest of a text, with its places in the whole text."""

    def __init__(self, match: re.Match, by: int):
        self.group, self._match, self._by = match.group, match, by

    def start(self) -> int:
        return self._match.start() + self._by


def _framed(text: str, heading: int, label_end: int, floor: int) -> Span:
    """The span behind a label: closed by a tag, by a fence, by a line that says so, or not at all."""
    line_end = text.find("\n", label_end)
    line_end = len(text) if line_end < 0 else line_end
    tag, start, begins = _tag_of(text, heading, label_end, line_end, floor)
    if tag:
        return Span(begins, start, _closed_by(text, tag, start))
    if fence := _fence_of(text, heading, line_end, floor):
        mark, start = fence
        ends = [
            m.start() for m in re.finditer(rf"^[ \t]*{re.escape(mark)}{{3,}}", text[start:], re.M)
        ]
        return Span(heading, start, start + ends[0] if ends else _said_end(text, start))
    return Span(heading, label_end, _said_end(text, line_end))


def _tag_of(
    text: str, heading: int, label_end: int, line_end: int, floor: int
) -> tuple[str, int, int]:
    """The tag that frames what a label announces: it holds the label, stands just before, or after."""
    inside = None
    for match in _OPENS.finditer(text, max(floor, heading - NEAR), line_end):
        closed = text.lower().find(f"</{match[1].lower()}", match.end(), label_end) >= 0
        if not closed and match[1].lower() not in ("br", "hr", "p", "b", "i"):
            inside = inside or match
    if inside:
        return inside[1], max(inside.end(), min(label_end, line_end)), min(heading, inside.start())
    after = re.compile(r"\s*(?:[^\n<]{0,120}\n\s*)?" + _OPENS.pattern).match(text, label_end)
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
    after = re.compile(r"\s*\n?[ \t]*([-=*#~_`\"'+|])\1{2,}[^\n]*").match(text, start)
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
    if not any(word in low for word in _WORDS):
        return Told()
    for sentence in re.split(r"(?<=[.!?])\s+|\n{2,}", system):
        if says_data(sentence):
            tags |= {(a or b).lower() for a, b in _TAGS.findall(sentence)}
            results = results or bool(_RESULTS.search(sentence))
            documents = documents or bool(_DOCUMENTS.search(sentence))
    return Told(frozenset(tags - {"the", "these", "such", "and", "of"}), results, documents)
