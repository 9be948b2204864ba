"""What a message that asks for places asks for."""

import re
from dataclasses import dataclass, field

from .atlas import DAYS, Atlas, fold, single
from .meanings import EATING, OPPOSITES
from .money import amount
from .phrases import dislikes, negated
from .wanting import (
    CHEAP,
    FOLLOW,
    MORE,
    RECOMMEND,
    asks_for_places,
    day_of,
    kinds_meant,
    sights,
)

_NEAR = re.compile(
    r"\b(?:near(?:by)?|close(?:st)? (?:to|by)|around here|not far|walking distance)\b"
)
_ABOUT = re.compile(
    r"\b(?:about|dedicated to|devoted to) (?!here|there|that|this|it|now|the place)(?:the )?([\w-]+)"
)
_UNDER = re.compile(
    r"\b(?:under|below|at most|up to|less than|no more than|not more than|maximum|max|within|cheaper than|for|spend|budget|costs?)\b"
)
_CAPITAL = r"(?-i:([A-Z][\w'-]+))"
_FOREIGN = re.compile(rf"(?:\bin|\bnear|\baround|\bto) {_CAPITAL}")
_MEALS = (
    (re.compile(r"\b(?:dinner|supper|this evening|tonight)\b"), "evening"),
    (re.compile(r"\blunch\b"), "noon"),
)
_PAST = re.compile(r"\b(?:had|ate|went|visited|was|were|spent|saw)\b", re.I)
_AGAIN = re.compile(r"\bagain\b|\bgo back\b|\brevisit\b")


@dataclass
class Ask:
    """What one message asks of the guide. An empty set or string: nothing was said about it."""

    kinds: set[str] = field(default_factory=set)
    themes: set[str] = field(default_factory=set)
    only_about: str = ""  # a word that theme or description must have
    districts: set[str] = field(default_factory=set)
    not_districts: set[str] = field(default_factory=set)
    features: dict[str, bool] = field(default_factory=dict)
    diets: set[str] = field(default_factory=set)
    suits: set[str] = field(default_factory=set)
    not_suits: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    price: float | None = None
    day: int | None = None  # 0 is Monday
    meal: str = ""
    foreign: str = ""  # a place that the guide does not cover
    more: bool = False
    again: bool = False
    cheap: bool = False
    cheaper: bool = False
    near: bool = False
    follows: bool = False


def read_message(lines: list[str], atlas: Atlas, today: int | None) -> Ask:
    """What a message asks for, by its sentences; `today` is the day of the week, if known.

    The sentences that ask count; what else it tells fills in the sort of place and the day, unless
    it tells of the past.
    """
    asking = [line for line in lines if asks_for_places([line], atlas, guiding=True)] or lines
    rest = [x for x in lines if x not in asking and not _PAST.search(x)]
    ask, told = (read_ask("\n".join(part), atlas, today) for part in (asking, rest))
    ask.names = {p.name for line in lines for p in atlas.places_in(fold(line))}
    if not (ask.kinds or ask.themes or ask.only_about):
        ask.kinds, ask.themes = told.kinds, told.themes
    ask.day = told.day if ask.day is None else ask.day
    ask.meal = ask.meal or told.meal
    ask.more, ask.again = ask.more or told.more, ask.again or told.again
    plain = atlas.hide_names(fold("\n".join(asking)))
    if not (ask.kinds or ask.themes or ask.only_about or ask.follows):
        if ask.diets:
            ask.kinds = set(atlas.serving)
        elif RECOMMEND.search(plain) and not re.search(r"\b(?:\w*where|places?)\b", plain):
            ask.kinds = sights(atlas)
    if ask.meal == "evening" and not any(EATING.search(fold(kind)) for kind in ask.kinds):
        ask.meal = ""
    return ask


def read_ask(text: str, atlas: Atlas, today: int | None) -> Ask:
    """What a text asks for, word by word."""
    ask = Ask()
    plain = atlas.hide_names(fold(text))
    kinds = [k for at, k in atlas.kinds_in(plain) if not negated(plain, at)]
    ask.kinds = set(kinds) or kinds_meant(plain, atlas)
    for at, district in atlas.districts_in(plain):
        (ask.not_districts if negated(plain, at) else ask.districts).add(district)
    ask.districts -= ask.not_districts
    taken = {at for at, _ in atlas.kinds_in(plain)}
    for at, entry in atlas.features_in(plain):
        taken.add(at)
        unwanted = negated(plain, at) or dislikes(plain, at)
        ask.features[entry] = not unwanted and ask.features.get(entry, True)
    _settle(ask.features)
    for at, entry in atlas.company_in(plain, asked=True):
        gone = re.search(r"\bwithout\b", plain[max(0, at - 20) : at])
        (ask.not_suits if gone else ask.suits).add(entry)
    ask.diets = {diet for at, diet in atlas.diets_in(plain) if not negated(plain, at)}
    _themes(ask, text, plain, taken, atlas)
    money = amount(plain, atlas.currency)
    if money is not None and _UNDER.search(plain):
        ask.price = money
    ask.day, _ = day_of(plain, today)
    ask.meal = next((meal for pattern, meal in _MEALS if pattern.search(plain)), "")
    ask.more, ask.again = bool(MORE.search(plain)), bool(_AGAIN.search(plain))
    ask.cheap, ask.near = bool(CHEAP.search(plain)), bool(_NEAR.search(plain))
    ask.cheaper = "cheaper" in plain
    ask.follows = any(FOLLOW.search(line) for line in plain.split("\n")) or ask.more
    if not ask.districts:
        ask.foreign = _elsewhere(text, atlas)
    return ask


def _settle(features: dict[str, bool]) -> None:
    """Quiet and lively both wished in one message: the guide calls no place both."""
    one, other = (
        [e for e, wanted in features.items() if wanted and side.search(fold(e))]
        for side in OPPOSITES
    )
    if one and other:
        for entry in other:
            del features[entry]


def _themes(ask: Ask, text: str, plain: str, taken: set[int], atlas: Atlas) -> None:
    for at, word in atlas.themes_in(plain):
        fits = [
            p for p in atlas.places if word in p.words and (not ask.kinds or p.kind in ask.kinds)
        ]
        if at not in taken and fits and not negated(plain, at) and not dislikes(plain, at):
            ask.themes.add(word)
    match = _ABOUT.search(plain)
    if (
        match
        and not dislikes(plain, match.end())
        and single(match[1]) not in atlas.stops | {"@"}
        and match[1] not in ("what", "how")
    ):
        if not (atlas.districts_in(match[1]) or atlas.features_in(match[1])):
            ask.only_about = match[1]
            ask.themes.discard(single(match[1]))
    # "A Thai restaurant", of which the guide may know none.
    after = "|".join(re.escape(kind) for kind in [*atlas.kinds, "food", "cuisine"])
    for match in re.finditer(rf"(?<=\w ){_CAPITAL} (?:{after})", text, re.I):
        word = single(fold(match[1]))
        known = atlas.about_here(word) or atlas.diets_in(word) or atlas.features_in(word)
        if word not in atlas.theme_words and not known and match[1].capitalize() not in DAYS:
            ask.only_about = match[1]


def _elsewhere(text: str, atlas: Atlas) -> str:
    for match in _FOREIGN.finditer(text):
        word = fold(match[1])
        month = re.fullmatch(r"(?:jan|febr|mar|apr|may|june?|july?|aug|sept|oct|nov|dec)\w*", word)
        if not (atlas.about_here(word) or month or match[1] in DAYS or word in ("i", "the")):
            if match.group().split()[0] == "in":
                return match[1]
    return ""
