"""The ids of a kind of thing: codes that stand beside its noun, and others of the same shape."""

import re

from ..material.words import root
from ..reading.words import STOP
from .cues import own_stems
from .schemas import Field
from .seeking import Seeker
from .spans import codes_in

_ID_WORDS = frozenset(
    map(root, "id ids number numbers no code codes reference references ref refs sku".split())
)
_ABSTRACT = frozenset(map(root, "subject item object thing record case target entity main".split()))
_BETWEEN = re.compile(
    r"(?: ?(?:numbers?|nos?\.?|ids?|codes?|refs?\.?|references?|nr\.?|is|are|was|were|with|the|:|#|called|named|under|and|or|,|\(|=|both|my|again|for|about|of|it|it's|that))*[ #(:\"'“]*",
    re.I,
)
REACH = 80  # characters between a noun and the ids after it


def ids_of(field: Field, seeker: Seeker) -> list[tuple[str, int]]:
    """(id, passage) of every id that the field asks for, in the order of their first mention.

    An id of a single-valued field comes first if it is the newest of a conversation.
    """
    nouns = own_stems(field) - _ID_WORDS
    shapes = {shape_of(code) for _, _, code in codes_in(field.example)}
    if lead := _lead(field.spec):
        shapes.add((lead, 0))
    found: dict[str, int] = {}
    others: set[tuple[str, int]] = set()
    loose: list[tuple[str, int]] = []
    spare: list[tuple[str, int]] = []  # of other things
    for words, values in seeker.keys.items():
        is_id = bool(words) and words[-1] in _ID_WORDS
        mine = set(words) - _ID_WORDS <= nouns and (bool(set(words) & nouns) or not nouns)
        if not (mine or is_id):
            continue
        for value, place in values:
            for one in value if isinstance(value, list) else [value]:
                if not isinstance(one, str | int) or isinstance(one, bool):
                    continue
                if mine and (is_id or words[-1] in nouns and re.search(r"\d", str(one))):
                    found[str(one)] = min(place, found.get(str(one), place))
                elif is_id and isinstance(one, str):
                    others.add(shape_of(one))
    newest_first: list[tuple[str, int]] = []
    for text, place in seeker.all_sentences(100_000):
        codes = codes_in(text)
        if not codes:
            continue
        by = _beside(text, codes, nouns)
        for start, _, code in codes:
            before = _noun_before(text, start)
            if not nouns or code in by:
                if nouns or before in _ID_WORDS | {""} or not before:
                    found.setdefault(code, place)
                    newest_first.append((code, place))
            elif before and before not in nouns:
                others.add(shape_of(code))
                spare.append((code, place))
            else:
                loose.append((code, place))
    shapes |= {shape_of(code) for code in found} - {("", n) for n in range(40)}
    for code, place in loose:
        shape = shape_of(code)
        if (
            code not in found
            and (shape in shapes or (shape[0], 0) in shapes)
            and shape not in others
        ):
            found[code] = place
    ordered = sorted(found.items(), key=lambda item: item[1])
    if (
        not ordered
        and nouns
        and nouns <= _ABSTRACT
        and len({code for code, _ in loose + spare}) == 1
    ):
        return (loose + spare)[:1]
    if field.spec.get("type") != "array" and seeker.material.talk and newest_first:
        return newest_first[-1:] + ordered
    return ordered


def _beside(text: str, codes: list, nouns: frozenset[str]) -> set[str]:
    """The codes that stand in a row after one of the nouns: "orders A-1, A-2 and A-3"."""
    found: set[str] = set()
    if not nouns:
        return found
    ends = [m.end() for m in re.finditer(r"[A-Za-z][A-Za-z-]*", text) if root(m.group()) in nouns]
    for end in ends:
        at = end
        for start, till, code in codes:
            if start < at:
                continue
            gap = text[at:start]
            if len(gap) > REACH or not _BETWEEN.fullmatch(gap):
                break
            found.add(code)
            at = till
    for _, till, code in codes:  # "the A-12 order"
        after = re.match(r"\)? ?([A-Za-z]+)", text[till:])
        if after and root(after[1]) in nouns:
            found.add(code)
    return found


_NOUN = re.compile(r"([A-Za-z][a-z]+)(?: (?:number|no\.?|id|nr\.?|code|ref\.?|reference))?(?: is| are|:)? ?[#(]?\"?$", re.I)  # fmt: skip


def _noun_before(text: str, start: int) -> str:
    """The stem of the noun that a code is the name of; "" without one."""
    match = _NOUN.search(text[:start])
    if not match or match[1].lower() in STOP:
        return ""
    return root(match[1])


def shape_of(code: str) -> tuple[str, int]:
    """The letters an id begins with, and how many figures it has."""
    match = re.match(r"[A-Za-z]+[-_/]?", code)
    return (match[0].lower() if match else "", sum(c.isdigit() for c in code))


def _lead(spec: dict) -> str:
    """The letters with which a pattern says that ids begin: "^AB-" (the pattern is not run)."""
    items = spec.get("items") if isinstance(spec.get("items"), dict) else {}
    pattern = spec.get("pattern") or items.get("pattern")
    match = re.match(r"\^([A-Za-z]+[-_/]?)", pattern) if isinstance(pattern, str) else None
    return match[1].lower() if match else ""
