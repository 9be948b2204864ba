"""Which kind of value a question asks for, and whether a text holds one."""

import re

from .words import (
    COLOURS,
    DATE,
    NUMBER_WORDS,
    PERSONS,
    PLACE,
    REASON,
    STOP,
    TIME,
    WORD,
    one_of,
    stem,
)

_NUM = r"(?:\d[\d.,]*|" + "|".join(sorted(NUMBER_WORDS - {"no", "once", "none", "single"})) + ")"
_CAP = r"[A-Z\u00c0-\u00de0-9][\w'’&-]*"
_CAPITALS = re.compile(rf"(?<![\w'’]){_CAP}(?:(?: (?:of|the|and|de|la|&))* {_CAP})*")
_CALLED = re.compile(
    r"\b(?:called|named|nicknamed|calls? (?:him|her|it|me|them)|calling (?:him|her|it|them)|names? (?:is|are|was)"
    r"|spel(?:led|t)|goes by|known as|(?:called|named) \w+ \w+)(?: just| it| the)* ((?!after\b|for\b|in\b)[\w'-]+(?: [A-Z][\w'-]*)*)",
    re.I,
)
_DIET = re.compile(
    one_of(r"""
        veg(?:an|etarian|gie)\w* | pesc[ae]tarian | c(?:o)?eliac | halal | kosher | diabetic | keto | paleo | (?:\w+[- ])?(?:free|intoleran\w+)
        allerg\w+ | (?:can ?not|can't|do not|does not|don't|doesn't|never|no longer|avoids?|without|off)(?: \w+)? (?:eat|have|touch|drink|meat)
        diet | (?:avoid|off|no)(?:s|ing)? \w+ | \w+ makes? \w+ (?:ill|sick|sneeze)
    """),
    re.I,
)
_PATTERNS = {
    "time": re.compile(TIME.pattern + r"|\b(?:before|after|around|by) (?!the\b|that\b|i\b)\w+|\b\d{1,2}(?:[:.]\d\d)? ?[ap]m\b|\b\d{1,2}[:.]\d\d\b", re.I),
    "date": re.compile(DATE.pattern + r"|\b\w+['’]s (?:day|eve)\b", re.I),
    "phone": re.compile(r"\+?\d[\d -]{5,}\d"),
    "email": re.compile(r"\S+@\S+\w"),
    "money": re.compile(rf"[$£€¥]\s?\d[\d.,]*\w?|\b{_NUM}(?: hundred| thousand)? ?(?:euros?|dollars?|pounds?|quid|francs?|cents|bucks|kroner|yen|rupees|[A-Z]{{3}}\b|[$£€%])|\d[\d.,]*k?\b", re.I),
    "duration": re.compile(rf"\b(?:{_NUM}|an?|several|few)(?: and a half| more)?[ -](?:second|minute|min|hour|hr|day|night|week|month|year)s?\b|\b(?:until|till|since|all (?:day|week))\b", re.I),
    "often": re.compile(rf"\b(?:every|daily|weekly|monthly|yearly|twice|once|each)\b|\b{_NUM} times\b|\b\w+days\b", re.I),
    "age": re.compile(rf"\b{_NUM}[- ]?(?:years?|months?|weeks?)\b|\b(?:am|is|are|was|turn(?:s|ed|ing)?|aged?|just|be)(?: actually| now| only| really| about| almost)* {_NUM}\b|, \d{{1,3}}\b|\b\d{{1,3}}(?= ?,| and|$)", re.I),
    "measure": re.compile(rf"\b{_NUM} ?[a-z\"']*", re.I),
    "colour": re.compile(r"\b(?:" + "|".join(sorted(COLOURS)) + r")\w*\b", re.I),
    "diet": _DIET,
    "why": REASON,
    "job": re.compile(r"\b(?:am|is|are|as|i'm|became|become) (?:now )?an? [a-z]|\b(?:work(?:s|ing)? (?:as|at|for|in|with|on)|jobs? (?:is|as|at|in)|teach\w*|runs?|professions?|employ\w+|business)\b|, an? [a-z]+", re.I),
    "code": re.compile(r"(?<![\w:.,])(?!\d\d?[:.]\d\d\b)(?=[\w-]*\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*(?: (?=[A-Z]*\d*[A-Z]*\b)[A-Z0-9]{2,})*(?!\w|[:,.]\d)"),
}  # fmt: skip
_TIMELESS = re.compile(r"\b(?:today|tonight|tomorrow|yesterday)\b", re.I)
_CALENDAR = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*", re.I)  # fmt: skip
_COUNTED = frozenset("people persons guests in per for after this".split())
_CURRENCY = re.compile(r"[$£€]|\b(?:euros?|dollars?|pounds?|quid)\b")
NAMELESS = frozenset("i i'm i've i'd i'll ok im it's that's".split())

# What the words of a question say about the kind of value.
_OF_WORD = {
    "code": "number code pin reference password passcode combination combo plate serial digit confirmation key".split(),
    "phone": ["phone"],
    "email": ["email"],
    "name": ["name", "surname", "title"],
    "money": "cost budget spend fee charge quote deposit owe".split(),
    "age": ["old"],
    "colour": ["colour"],
    "diet": ["diet", "dietary", "restriction"],
    "job": ["job"],
    "where": "place location city town country street area district village address".split(),
    "time": ["time"],
    "date": "day date month year birthday".split(),
    "measure": "size height weigh length distance".split(),
    "who": ["person"],
}
OF_WORD = {stem(word): kind for kind, words in _OF_WORD.items() for word in words}
_OF_PHRASE = {
    "how many": "number", "how much": "money", "how old": "age", "how long": "duration",
    "how often": "often", "how far": "measure", "how tall": "measure", "how big": "measure",
    "how heavy": "measure", "how large": "measure", "when": "when", "where": "where", "who": "who",
    "whom": "who", "whose": "who", "why": "why",
}  # fmt: skip


def kind_of(phrase: str, head: list[str], rest: list[str]) -> str:
    """The kind asked for by the question phrase, the noun after it, or a word of the question."""
    if phrase in _OF_PHRASE:
        return _OF_PHRASE[phrase]
    if head and phrase in ("in which", "at which"):
        return "where"
    for word in [*map(stem, head), *map(stem, rest)]:
        if word in OF_WORD:
            return OF_WORD[word]
    return "any"


def value_in(text: str, kind: str, known: frozenset[str]) -> str:
    """A value of the kind that is not among the words of the question; "" without one."""
    if kind == "when":
        return value_in(text, "date", known) or value_in(text, "time", known)
    if kind == "where":
        timeless = DATE.sub("", TIME.sub("", text))
        for match in PLACE.finditer(timeless):
            if _new(timeless[match.end() :], known):
                return timeless[match.end() :].strip(" .,!")
        return _capitals(timeless, known)
    if kind in ("name", "who"):
        return _name(text, kind, known)
    if kind == "number":
        rest = DATE.sub(
            "", TIME.sub("", _PATTERNS["money"].sub("", text) if _CURRENCY.search(text) else text)
        )
        return _count(WORD.findall(rest), known)
    if kind in _PATTERNS:
        if kind == "code":
            text = DATE.sub("", text)
        for match in _PATTERNS[kind].finditer(text):
            words = WORD.findall(match.group())
            if kind in ("diet", "job") or any(stem(w) not in known for w in words):
                return match.group().strip()
        if kind == "code":
            return _after_be(text, known)
        if kind == "colour" and "colo" in text.lower():
            return _new(text, known)
        return ""
    return _new(text, known)


def _count(words: list[str], known: frozenset[str]) -> str:
    """A number that counts what is asked: no other noun follows it ("eleven ducks")."""
    for at, word in enumerate(words):
        if (word[:1].isdigit() or word.lower() in NUMBER_WORDS) and stem(word) not in known:
            after = words[at + 1 : at + 4]
            if (
                not after
                or after[0].lower() in STOP | _COUNTED
                or any(stem(w) in known for w in after)
            ):
                return word
    return ""


def _name(text: str, kind: str, known: frozenset[str]) -> str:
    for match in _CALLED.finditer(text):
        if stem(match[1]) not in known and match[1].lower() not in STOP:
            return match[1]
    if found := _capitals(text, known):
        return found
    if kind == "who":
        return next((w for w in WORD.findall(text) if stem(w) in PERSONS - known), "")
    return ""


def _capitals(text: str, known: frozenset[str]) -> str:
    """Capitalised words that are no word of the question, no day and no month."""
    for match in _CAPITALS.finditer(text):
        words = match.group().split()
        while words and (
            words[0].lower() in NAMELESS | STOP or words[0][0].isdigit() or _CALENDAR.match(words[0])
            or stem(words[0]) in known or match.start() == 0 and len(words) == 1 and not _named_first(text, words[0])
        ):  # fmt: skip
            words = words[1:]
        if words:
            return " ".join(words).removesuffix("'s")
    return ""


def _named_first(text: str, word: str) -> bool:
    """Whether the first word of a sentence is a name: a verb follows."""
    after = text[len(word) : len(word) + 12].lower()
    return bool(re.match(r"(?:'s| is| has| lives| works| \w+s\b| \w+ed\b| &| here)", after))


def _after_be(text: str, known: frozenset[str]) -> str:
    """The word after "is": a password need not look like a code."""
    match = re.search(
        r"(?:\b(?:is|was|be|to|are)|[:=])(?: now| set to| just)* (\S+(?: \S+){0,2}?)\W*$", text
    )
    return match[1] if match and _new(match[1], known) else ""


def _new(text: str, known: frozenset[str]) -> str:
    words = [w for w in WORD.findall(_TIMELESS.sub("", text)) if w.lower() not in STOP]
    return " ".join(w for w in words if stem(w) not in known)
