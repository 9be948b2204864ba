"""What an id looks like, by the examples and the pattern in a parameter's schema, and the ids that a
text names.

A pattern from outside is never run as a regular expression: the few simple forms in which ids are
described are matched step by step, everything else is passed over.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

LONGEST = 40  # characters of an id
_STEP = re.compile(
    r"(\\d|\\w|\[[A-Za-z0-9_-]+\]|\\[-./_]|[A-Za-z0-9_/:-])(\{\d{1,3}(?:,\d{0,3})?\}|[+*?])?"
)
_CODE = re.compile(
    r"(?<![\w.@])(?=[\w/-]*\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*(?![\w@]|[.,]\d|:\d)"
)
_EXAMPLE = re.compile(
    r"(?:\be\.?g\.?|\bexample\b|\bexamples\b|\bsuch as\b|\blike\b|[\"'`(])[,:]?\s*", re.I
)


@dataclass(frozen=True)
class Shape:
    """The form of an id: steps of (characters, at least, at most), from a pattern or an example."""

    steps: tuple[tuple[frozenset[str], int, int], ...]
    exact: bool  # from a pattern: what does not fit is no such id

    def fits(self, text: str) -> bool:
        """Whether the whole text has this form; linear in the text for each step."""
        if len(text) > LONGEST:
            return False
        ends = {0}
        for allowed, least, most in self.steps:
            reached = set()
            for start in ends:
                end = start
                while end < len(text) and end - start < most and text[end] in allowed:
                    end += 1
                reached.update(range(start + least, end + 1))
            ends = reached
        return len(text) in ends


def shapes_of(spec: dict) -> list[Shape]:
    """The forms that a parameter's schema shows; [] if it shows none."""
    pattern = spec.get("pattern")
    if isinstance(pattern, str) and (shape := _from_pattern(pattern)):
        return [shape]
    given = spec.get("examples")
    given = list(given) if isinstance(given, list) else []
    given += [spec[key] for key in ("example", "default") if key in spec]
    said = spec.get("description")
    if isinstance(said, str):
        for match in _EXAMPLE.finditer(said[:400]):
            if code := _CODE.match(said, match.end()):
                given.append(code.group())
    return [_from_example(str(text)) for text in given if 0 < len(str(text)) <= LONGEST]


def _from_pattern(pattern: str) -> Shape | None:
    body = pattern.removeprefix("^").removesuffix("$")
    steps, at = [], 0
    while at < len(body):
        match = _STEP.match(body, at)
        if not match:
            return None
        allowed = _allowed(match[1])
        if allowed is None:
            return None
        steps.append((allowed, *_times(match[2])))
        at = match.end()
    return Shape(tuple(steps), True) if steps and len(steps) <= LONGEST else None


def _allowed(unit: str) -> frozenset[str] | None:
    digits, small = "0123456789", "abcdefghijklmnopqrstuvwxyz"
    known = {"\\d": digits, "\\w": digits + small + small.upper() + "_"}
    if unit in known:
        return frozenset(known[unit])
    if not unit.startswith("["):
        return frozenset(unit.lstrip("\\"))
    inside, found = unit[1:-1], set()
    while inside:
        if len(inside) > 2 and inside[1] == "-":
            first, last = ord(inside[0]), ord(inside[2])
            if last < first:
                return None
            found |= {chr(n) for n in range(first, last + 1)}
            inside = inside[3:]
        else:
            found.add(inside[0])
            inside = inside[1:]
    return frozenset(found)


def _times(quantifier: str | None) -> tuple[int, int]:
    if not quantifier:
        return 1, 1
    if quantifier in ("+", "*"):
        return int(quantifier == "+"), LONGEST
    if quantifier == "?":
        return 0, 1
    least, comma, most = quantifier[1:-1].partition(",")
    return int(least), int(most or LONGEST) if comma else int(least)


def _from_example(text: str) -> Shape:
    """The same letters before the first digit, then digits for digits, in any number."""
    steps = []
    for match in re.finditer(r"\d+|[^\d]", text):
        if match.group()[0].isdigit():
            steps.append((frozenset("0123456789"), 1, LONGEST))
        else:
            steps.append((frozenset((match.group().lower(), match.group().upper())), 1, 1))
    return Shape(tuple(steps), False)


# --- ids in texts ---------------------------------------------------------------------------------

_BEFORE = 40  # characters before an id in which its noun may stand
_JOINED = re.compile(r"(?:\s*(?:,|and|or|&|;)\s*)+$")
_LIKE = re.compile(
    r"(?:\be\.?g\.?|\bexample\b|\bsuch as\b|\blooks? like\b|\blike\b)[,:]?\s*[\"'`]?$", re.I
)
_DATE = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?|\d{1,2}/\d{1,2}(?:/\d{2,4})?")


def ids_in(text: str, nouns: dict[str, list[Shape]]) -> list[tuple[str, str]]:
    """(noun, id) for each id that a text names, in order. `nouns`: what can be named, and its forms.

    An id belongs to the noun whose form it has or whose word stands before it ("loan 7781").
    """
    found: list[tuple[str, str]] = []
    last_end, last_noun = -1, ""
    for match in _CODE.finditer(text):
        token = match.group()
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if len(token) > LONGEST or _LIKE.search(before):
            continue
        noun = _noun_of(token, before, nouns)
        if not noun and last_noun and _JOINED.fullmatch(text[last_end : match.start()]):
            noun = last_noun if not any(s.exact for s in nouns[last_noun]) else ""
        if noun:
            last_end, last_noun = match.end(), noun
            if (noun, token) not in found:
                found.append((noun, token))
    return found


def _noun_of(token: str, before: str, nouns: dict[str, list[Shape]]) -> str:
    best, most = "", 0
    said = before.lower()
    for noun, shapes in nouns.items():
        fits = any(shape.fits(token) for shape in shapes)
        if any(shape.exact for shape in shapes) and not fits:
            continue
        score = 4 * fits + 2 * _names(noun, said)
        if score > most:
            best, most = noun, score
    if not best and len(nouns) == 1 and _is_code(token):
        return next(iter(nouns))
    return best


def _names(noun: str, said: str) -> bool:
    """Whether the noun is what the words before an id speak of."""
    tail = re.escape(noun.split()[-1])
    return bool(
        re.search(
            rf"\b{tail}(?:s|es|'s)?(?:[\s(_]+(?:id|number|no\.?|nr\.?|code|reference|ref|is|was|are|called|[:#]))*[\s:#(\"']*$",
            said,
        )
    )


def _is_code(token: str) -> bool:
    """Not a date and not a small number, which people use for other things."""
    if _DATE.fullmatch(token):
        return False
    return len(token) >= 4 and token.isdigit() or any(c.isalpha() for c in token) and len(token) > 2


def shapes_by_noun(params: Iterable) -> dict[str, list[Shape]]:
    """The forms of every noun that some parameter identifies."""
    found: dict[str, list[Shape]] = {}
    for param in params:
        if param.noun:
            shapes = found.setdefault(param.noun, [])
            shapes += [s for s in param.shapes if s not in shapes]
    return found
