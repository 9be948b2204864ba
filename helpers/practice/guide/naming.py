"""Questions about one place by its name: hours, price, district, and what it has."""

import re

from .asked import Ask
from .atlas import DAYS, Atlas, Place, fold
from .choosing import Need, described, misses, priced

_PAST = re.compile(
    r"\b(?:did|was|were|had|have (?:i|we)|(?:i|we) (?:booked|had|ate|paid|said|went)"
    r"|(?:my|our) (?:table|booking|reservation|tickets?|visit|dinner|lunch|meal|order|favou?rite))\b"
)
_OPEN = re.compile(r"\b(?:open|opens|opening|closed?|closes|closing|hours|close)\b")
_PRICE = re.compile(r"\b(?:price|prices|cost|costs|how much|expensive|cheap|entry fee)\b")
_WHERE = re.compile(r"\b(?:where|which district|what district|address|located|which part)\b")
_FAR = re.compile(r"\b(?:how far|how long|distance|minutes)\b")
_WHAT = re.compile(
    r"\b(?:what (?:is|kind|sort)|tell me|describe|know about|more about|what about|how about|details)\b"
)
_SUITS = re.compile(r"\b(?:suits?|good for|right for|safe for|work for|ok for|fits?|can we|could we|should we)\b")  # fmt: skip


def about_one_place(text: str, ask: Ask, need: Need, atlas: Atlas) -> str:
    """The answer to the last question of the message that names one place; "" if there is none."""
    for line in reversed(text.split("\n")):
        folded = fold(line)
        named = atlas.places_in(folded)
        if len(named) == 1 and not _PAST.search(folded):
            answer = _answer(named[0], atlas.hide_names(folded), ask, need, atlas)
            if answer:
                return answer
    return ""


def _answer(place: Place, text: str, ask: Ask, need: Need, atlas: Atlas) -> str:
    name = place.name
    entries = [
        *((e, place.features) for _, e in atlas.features_in(text)),
        *((e, place.suits) for _, e in atlas.company_in(text, asked=True)),
        *((e, place.diets) for _, e in atlas.diets_in(text)),
        *((d, place.diets) for _, _, d in atlas.free_of(text)),
    ]
    if _OPEN.search(text) and not any("open" in e for e, _ in entries):
        day = DAYS[ask.day] if ask.day is not None else ""
        if day:
            shut = day in place.closed
            return f"{'No' if shut else 'Yes'}, {name} is {'closed' if shut else 'open'} on {day} ({place.open})."
        closed = f", closed on {' and '.join(place.closed)}" if place.closed else ""
        return f"{name} is open {place.open}{closed}."
    if entries:
        has = [e for e, listed in dict(entries).items() if e in listed]
        lacks = [e for e, listed in dict(entries).items() if e not in listed]
        if lacks:
            also = f", but {' and '.join(has)}" if has else ""
            return f"No, the guide does not list {' or '.join(lacks)} for {name}{also}."
        return f"Yes, the guide lists {' and '.join(has)} for {name}."
    if _PRICE.search(text):
        return f"{name}: {priced(place, atlas)}."
    if _FAR.search(text):
        return f"{name} is {place.minutes} minutes from the centre."
    if _WHERE.search(text):
        return f"{name} is in {place.district}."
    if _SUITS.search(text):
        lacks = misses(place, need, atlas)
        if lacks:
            return f"No, {name} does not fit: the guide does not give it {', '.join(lacks)}."
        return f"Yes, {name} fits: {described(place, atlas)}."
    if _WHAT.search(text):
        return f"{name} is {described(place, atlas)}. {place.description}".strip()
    return ""
