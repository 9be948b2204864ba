"""What a clause tells without the word for it: "I'm Ada" a name, "I'm vegan" a diet."""

import re

from .words import COLOURS, DATE, NUMBER_WORDS, TIME, has_number, stem

_DIETS = frozenset(map(stem, "vegetarian vegan pescatarian pescetarian coeliac celiac diabetic halal kosher "
                             "gluten-free lactose-intolerant lactose teetotal intolerant".split()))  # fmt: skip
_DIETING = frozenset(map(stem, "eat keep follow diet".split()))
# "I am Norwegian" tells no name. A list, because invented names can have any ending.
_NATIONS = frozenset(
    """
    African American Arab Argentinian Asian Australian Austrian Belgian Bolivian Brazilian British Bulgarian
    Canadian Catalan Chilean Chinese Colombian Croatian Cuban Czech Danish Dutch Egyptian English Estonian
    Ethiopian European Filipino Finnish French German Ghanaian Greek Hungarian Icelandic Indian Indonesian
    Iranian Iraqi Irish Israeli Italian Jamaican Japanese Kenyan Korean Latvian Lebanese Lithuanian
    Malaysian Mexican Moroccan Nepalese Nigerian Norwegian Pakistani Persian Peruvian Polish Portuguese
    Romanian Russian Scottish Serbian Singaporean Slovak Slovenian Spanish Swedish Swiss Syrian Taiwanese
    Thai Tunisian Turkish Ukrainian Vietnamese Welsh Catholic Muslim Jewish Hindu Buddhist Christian
""".split()
)
_NAME = re.compile(
    r"^([A-Z\u00c0-\u00de][\w'-]*(?: [A-Z\u00c0-\u00de][\w'-]*){0,2})(?=$|[,.!]| (?:and|from|by the way|here)\b)"
)


def introduced_name(value: str) -> str:
    """The name in what follows "I am", or ""."""
    match = _NAME.match(value)
    if not match or match[1] in _NATIONS or match[1].isupper() and len(match[1]) > 4:
        return ""
    return match[1]


_TALL = re.compile(
    r"\d(?: ?cm| ?m| ?centimet\w+| ?met\w+|')?\b.*\btall\b|\b(?:am|is|are) \d[.,]\d+ ?m\b|\b\d{3} ?cm\b",
    re.I,
)
_AVERSE = re.compile(
    r"\b(?:cannot|can not|could not) (?:stand|bear)\b|\b(?:fan of|keen on|crazy about|fond of)\b",
    re.I,
)
_NUMBERED = re.compile(r"\b[a-z]{3,} (?:is )?(?:[A-Z]{0,3}-?\d[\w-]*)(?=[\s,.]|$)")
_GOING = re.compile(r"^(?:i|we) (?:am|are|will be) going to [A-Z]", re.I)
_LISTED = re.compile(r"\b(?:have|has)\b.* [a-z]+[:,] [A-Z]\w+(?:,| and|$)")
_BY_PATTERN = {"height": _TALL, "like": _AVERSE, "trip": _GOING, "name": _LISTED, "time": TIME}
_AGE = re.compile(
    r"^(?:only |almost |nearly |about |now )?(\d{1,3}|[a-z]+(?:-[a-z]+)?)"
    r"(?: years?(?: old| of age)?| now| today| in [a-z]+$|$)"
)
_ROLE = re.compile(
    r"^(?:now |currently )?(?:an?|the) (?!(?:\w+ )?(?:person|fan|member|bit|lot|group|party)\b)",
    re.I,
)


def implied(statement, words: list[str], at: int) -> set[str]:
    """The stems of what a statement answers to without saying it; `at` is where its verb stands."""
    extra: set[str] = set()
    text, value, said = statement.text, statement.value, statement.words
    verb = statement.verb.lower()
    first, _, _ = value.partition(" ")
    bare = statement.root == "user" and not statement.owners and not statement.about
    if "allergy" in said:
        extra |= {"eat", "food"}
    elif (
        said & _DIETS
        and (statement.linking or said & _DIETING)
        or "eat" in said
        and statement.negative
    ):
        extra |= {"diet", "eat", "food"}
    if statement.linking and not statement.negative:
        if _is_age(value):
            extra.add("old")
        if bare and introduced_name(value):
            extra.add("name")
            if re.search(r", an? [a-z]", value):
                extra.add("job")
        if "name" not in statement.about and _ROLE.match(value) and not said & _DIETS:
            extra.add("job")
    if verb == "turned" and (first[:1].isdigit() or first in NUMBER_WORDS):
        extra.add("old")
    if bare and value.partition(" ")[0].strip(".,") in _NATIONS:
        extra |= {stem("nationality"), "from"}
    if statement.about & {"address", "city", stem("city"), "town", "residence"}:
        extra.add("live")
    if "live" in said:
        extra.add("address")
    if "buy" in said and has_number(value):
        extra.add("cost")
    if "like" in said and {"best", "most"} & {w.lower() for w in words}:
        extra.add("favourite")
    if said & COLOURS:
        extra.add("colour")
    if words[at + 1 : at + 2] in (["called"], ["named"]):
        extra.add("name")
    extra |= {word for word, pattern in _BY_PATTERN.items() if pattern.search(text)}
    if _NUMBERED.search(DATE.sub("", text)):
        extra.add("number")
    return extra


def _is_age(value: str) -> bool:
    """ "34", "34 years old", "thirty-four": a number that is all there is, or is one of years."""
    match = _AGE.match(value.lower())
    return bool(match) and (match[1].isdigit() or set(match[1].split("-")) <= NUMBER_WORDS)
