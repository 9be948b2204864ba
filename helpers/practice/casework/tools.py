"""What a tool is for, told from its description and its schema; its name counts for nothing.

look: reads something. act: pays, books, cancels, ... read and write: what was noted. recall:
searches what is remembered of the user; keep: adds to that. files: the memory tool.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

from ..reading.words import WORD, stem
from .findings import words_of
from .shapes import Shape, shapes_of

_LOOK = frozenset(
    """get gets return returns read reads look looks show shows list lists find finds search searches fetch
    fetches tell tells check checks retrieve retrieves load loads see view views query queries display
    displays report reports give gives answer answers go goes""".split()
)
_ACT = frozenset(
    """pay pays offers refunds books cancel cancels send sends orders reserve reserves issue issues create
    creates charges renew renews waive waives ask asks requests grant grants places make makes moves
    reschedule reschedules schedules assign assigns approve approves starts opens close closes extend extends
    transfers deduct deducts credits replace replaces upgrades register registers submit submits arrange
    arranges changes update updates delete deletes remove removes propose proposes prescribe prescribes
    block blocks lift lifts admit admits cuts hand hands allow allows trigger triggers""".split()
)
# Verbs that are nouns as well: only with an object after them.
_EITHER = frozenset(
    """offer offers refund refunds book books order orders charge charges request requests place places move
    moves schedule schedules start starts open opens transfer transfers credit credits upgrade upgrades
    change changes cut cuts report reports""".split()
)
_OBJECT = re.compile(
    r"\s+(?:an?|the|one|this|these|some|its?|his|her|their|out|up|back|to|money"
    r"|(?!of|on|in|by|with|for|from|at|that|which)\w+ (?:an?|the|to))\b",
    re.I,
)
_KEEP = frozenset(
    "write writes save saves add adds store stores record records keep keeps append appends put puts note notes".split()
)
_MEMORY = re.compile(
    r"\b(?:memor(?:y|ies)|remember\w*|(?:earlier|past|previous|former) conversations?|recalls?)\b",
    re.I,
)
_KEPT = re.compile(r"\b(?:facts?|memor(?:y|ies)|preferences?|profiles?|notes?)\b", re.I)
# A note that is meant for more than this conversation is a memory of a person.
_LATER = re.compile(
    r"\b(?:future|later|next|other|further) (?:conversations?|visits?|chats?|calls?|sessions?|times?)\b"
    r"|\b(?:about|on|of) (?:this|the|a) (?:customer|user|guest|client|member|patient|reader|person)\b",
    re.I,
)
_ID_ENDS = frozenset("id number no nr code ref reference key".split())
_FREE = frozenset("query q question text search term terms keyword keywords words phrase".split())
_PAGES = frozenset("page cursor offset".split())
_REASON = frozenset("reason why text note message comment grounds explanation because".split())
_AMOUNT = frozenset("amount sum value price fee money total euros dollars cents".split())
_SAYS_ID = re.compile(r"\b(?:id|number|code|reference|identifier)\b", re.I)
_OF_WHAT = re.compile(
    r"\b([a-z]+)(?:'s|’s)? (?:id|number|code|reference)\b|\b(?:id|number|code|reference) of (?:an?|the|one) ([a-z]+)",
    re.I,
)
_NO_NOUN = frozenset("the an its this that his her exact full unique".split())
FIRST = 300  # characters of a description that say what the tool is for


@dataclass(frozen=True)
class Param:
    """One parameter: `noun` is what its value identifies ("loan" of "loan_id"), "" for no id."""

    name: str
    spec: dict
    required: bool
    noun: str = ""

    @property
    def words(self) -> str:
        return words_of(self.name)

    @cached_property
    def parts(self) -> frozenset[str]:
        return frozenset(self.words.split())

    @property
    def options(self) -> list:
        found = self.spec.get("enum")
        return found if isinstance(found, list) else []

    @property
    def free(self) -> bool:
        """Filled with words, not with a value."""
        return not self.options and not self.noun and bool(self.parts & _FREE)

    @property
    def pages(self) -> bool:
        return not self.noun and bool(self.parts & _PAGES)

    @property
    def reasons(self) -> bool:
        return bool(self.parts & _REASON)

    @property
    def counts(self) -> bool:
        return bool(self.parts & _AMOUNT)

    @cached_property
    def shapes(self) -> list[Shape]:
        return shapes_of(self.spec)


@dataclass(frozen=True)
class Tool:
    """A tool that the request offers. `about`: the stems by which an outcome is matched to it."""

    name: str
    job: str
    params: tuple[Param, ...]
    about: frozenset[str] = field(default=frozenset(), repr=False)

    @cached_property
    def required(self) -> list[Param]:
        return [p for p in self.params if p.required]

    @cached_property
    def page(self) -> Param | None:
        return next((p for p in self.params if p.pages), None)

    @property
    def searches(self) -> bool:
        return any(p.free for p in self.required)


def tools_of(offered: list[dict]) -> list[Tool]:
    """The tools of a request, in their order; a definition that cannot be read is left out."""
    return [_tool(t) for t in offered if isinstance(t.get("name"), str)]


def nouns_of(tools: list[Tool]) -> set[str]:
    """What the tools can be asked about: "loan" and "member" of loan_id and member_no."""
    return {p.noun for tool in tools for p in tool.params if p.noun}


def _tool(tool: dict) -> Tool:
    schema = tool.get("input_schema")
    schema = schema if isinstance(schema, dict) else {}
    given, needed = schema.get("properties"), schema.get("required")
    given = given if isinstance(given, dict) else {}
    needed = needed if isinstance(needed, list) else []
    text = tool.get("description")
    text = text if isinstance(text, str) and text.strip() else words_of(tool["name"])
    params = []
    for name, spec in given.items():
        spec = spec if isinstance(spec, dict) else {}
        params.append(Param(name, spec, name in needed, _noun(name, spec, text)))
    first = re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0][:FIRST]
    about = frozenset(stem(w) for w in WORD.findall(f"{first} {words_of(tool['name'])}"))
    return Tool(tool["name"], _job(first, text, params), tuple(params), about)


def _job(first: str, text: str, params: list[Param]) -> str:
    if any({"view", "create"} <= set(map(str, p.options)) for p in params):
        return "files"
    verb = _verb(first) or ("act" if any(p.reasons and p.required for p in params) else "look")
    needed = [p for p in params if p.required]
    if re.search(r"\bnotes?\b", first, re.I):
        texts = [p for p in needed if not p.noun and not p.options]
        if verb == "keep" and len(needed) == len(texts) == 1:
            return "keep" if _LATER.search(text[:FIRST]) else "write"
        if verb == "look" and not needed:
            return "read"
    if verb == "keep":
        return "keep" if _KEPT.search(first) else "act"
    if verb == "look" and any(p.free for p in params) and _MEMORY.search(text[:FIRST]):
        return "recall"
    acts = any(p.required and (p.counts or "reason" in p.parts) for p in params)
    return "act" if verb == "look" and acts and _acts_too(first) else verb


def _verb(text: str) -> str:
    """ "look", "act" or "keep" by the first verb that decides; "" without one."""
    for match in re.finditer(r"[A-Za-z]+", text):
        word = match.group().lower()
        if word in _EITHER and not _OBJECT.match(text, match.end()):
            continue
        if word in _KEEP and (
            word not in ("note", "notes", "record", "records") or not match.start()
        ):
            return "keep"
        if word in _ACT or word in _EITHER:
            return "act"
        if word in _LOOK:
            return "look"
    return ""


def _acts_too(text: str) -> bool:
    return any(w.lower() in _ACT for w in re.findall(r"[A-Za-z]+", text))


def _noun(name: str, spec: dict, about: str) -> str:
    """What a parameter identifies; "" if it identifies nothing."""
    words = words_of(name).split()
    kind = spec.get("type", "string")
    if spec.get("enum") or kind in ("boolean", "array", "object") or not words:
        return ""
    said = spec.get("description")
    said = said if isinstance(said, str) else ""
    if words[-1] in _ID_ENDS and len(words) > 1:
        return " ".join(words[:-1])
    if words == ["id"] or words[0] in _ID_ENDS and len(words) == 1:
        for text in (said, about):
            for match in _OF_WHAT.finditer(text):
                noun = (match[1] or match[2]).lower()
                if noun not in _NO_NOUN:
                    return noun
        return "thing"
    if (
        len(words) == 1
        and kind == "string"
        and not set(words) & (_FREE | _PAGES | _REASON | _AMOUNT)
    ):
        if _SAYS_ID.search(said) or isinstance(spec.get("pattern"), str):
            return words[0]
    return ""
