"""Which places of the guide fit, and how that is said."""

import re
from dataclasses import dataclass, field

from .asked import Ask
from .atlas import DAYS, Atlas, Place, fold, single
from .standing import Wishes

MOST = 3  # names in one reply


@dataclass
class Need:
    """What a place must have, from the question and from what was stated before."""

    kinds: set[str]
    themes: set[str]
    only_about: str
    not_themes: dict[str, str]
    not_kinds: set[str]
    districts: set[str]
    not_districts: set[str]
    price: float | None
    meals_only: bool
    diets: list[str]
    suits: list[str]
    features: list[str]
    not_features: list[str]
    day: int | None
    meal: str
    not_names: set[str]
    below: float | None = None
    likes: set[str] = field(default_factory=set)


def need_of(ask: Ask, wishes: Wishes, atlas: Atlas) -> Need:
    """The newest word wins: what the question says counts before what was stated earlier."""
    features = {**wishes.features, **ask.features}
    wanted = [e for e, on in features.items() if on]
    unwanted = [e for e, on in features.items() if not on and not _all_have(ask.kinds, e, atlas)]
    price = wishes.budget if ask.price is None else ask.price
    suits = [e for e in [*sorted(wishes.suits), *sorted(ask.suits)] if e not in ask.not_suits]
    sort = [p for p in atlas.places if not ask.kinds or p.kind in ask.kinds]
    mood = {w for w in wishes.mood if any(w in p.words for p in sort)}
    return Need(
        kinds=ask.kinds,
        themes=ask.themes or (set() if ask.only_about else mood),
        only_about=ask.only_about,
        not_themes={w: k for w, k in wishes.not_themes.items() if w not in ask.themes},
        not_kinds=wishes.not_kinds - ask.kinds,
        districts=ask.districts,
        not_districts=(wishes.not_districts - ask.districts) | ask.not_districts,
        price=price,
        meals_only=ask.price is None and wishes.meals_only,
        diets=sorted({*wishes.diets, *ask.diets}),
        suits=list(dict.fromkeys(suits)),
        features=wanted,
        not_features=unwanted,
        day=ask.day,
        meal=ask.meal,
        not_names=wishes.avoided | ask.names | (set() if ask.again else wishes.visited),
    )


def _all_have(kinds: set[str], entry: str, atlas: Atlas) -> bool:
    """Whether the kinds asked for always have it: who asks for a concert wants music."""
    places = [p for p in atlas.places if p.kind in kinds]
    return bool(places) and all(entry in p.features for p in places)


def misses(place: Place, need: Need, atlas: Atlas) -> list[str]:
    """What the place lacks, in words; [] if it fits."""
    serves = place.kind in atlas.serving
    lacks = []
    if serves:
        lacks += [d for d in need.diets if d not in place.diets]
    lacks += [e for e in (*need.suits,) if e not in place.suits]
    lacks += [e for e in need.features if e not in place.features]
    lacks += [f"not {e}" for e in need.not_features if e in place.features]
    if need.price is not None and (serves or not need.meals_only) and place.price > need.price:
        lacks.append(_at_most(need.price, atlas))
    if need.day is not None and DAYS[need.day] in place.closed:
        lacks.append(f"open on {DAYS[need.day]}")
    if need.meal and serves and not _open_for(need.meal, place.open):
        lacks.append("open in the evening" if need.meal == "evening" else "open at noon")
    return lacks


def _asked_for(place: Place, need: Need) -> bool:
    disliked = any(w in place.words and k in ("", place.kind) for w, k in need.not_themes.items())
    return (
        _is_sort(place, need)
        and (not need.themes or bool(need.themes & place.words))
        and (not need.only_about or _is_about(place, need.only_about))
        and place.district not in need.not_districts
        and place.kind not in need.not_kinds
        and not disliked
        and place.name not in need.not_names
        and (need.below is None or place.price < need.below)
    )


def _is_sort(place: Place, need: Need) -> bool:
    return (not need.kinds or place.kind in need.kinds) and (
        not need.districts or place.district in need.districts
    )


def _is_about(place: Place, word: str) -> bool:
    word = single(fold(word))
    return word in place.words or bool(
        re.search(rf"\b{re.escape(word)}(?:s|es)?\b", fold(place.description))
    )


def _open_for(meal: str, hours: str) -> bool:
    """Whether the hours reach the meal; yes when they cannot be read."""
    match = re.search(r"(\d\d?):\d\d\s*-\s*(\d\d?):\d\d", hours)
    if not match:
        return True
    start, end = int(match[1]), int(match[2])
    end += 24 * (end <= start)
    return end >= 20 if meal == "evening" else start <= 13 < end


def choose(ask: Ask, need: Need, wishes: Wishes, atlas: Atlas) -> list[Place]:
    """Those that suit, the best first, at most `MOST`; of where the user stays, if any."""
    good = [p for p in atlas.places if _asked_for(p, need) and not misses(p, need, atlas)]
    if not need.districts and wishes.district:
        good = [p for p in good if p.district == wishes.district] or good

    def rank(place: Place) -> tuple:
        price = place.price if ask.cheap else 0
        return (price, -len(need.themes & place.words), place.minutes if ask.near else 0)

    return sorted(good, key=rank)[:MOST]


# --- words ----------------------------------------------------------------------------------------


def told(places: list[Place], need: Need, wishes: Wishes, atlas: Atlas) -> str:
    """The recommendation: a sentence each, with the reason."""
    if not places:
        return nothing_fits(need, wishes, atlas)
    lines = [
        f"{'I suggest' if n == 0 else 'Or'} {place.name}, {described(place, atlas)}"
        f"{_because(place, need, atlas)}."
        for n, place in enumerate(places)
    ]
    if wishes.district and not need.districts and places[0].district != wishes.district:
        lines.append(f"Nothing in {wishes.district} fits that.")
    if wishes.unlisted and any(p.kind in atlas.serving for p in places):
        what = " or ".join(sorted(wishes.unlisted))
        lines.append(f"The guide does not say which kitchens avoid {what}: please ask there.")
    return " ".join(lines)


def described(place: Place, atlas: Atlas) -> str:
    """ "a jazz bar in the Old Port, 20 euros a head"."""
    theme = "" if place.theme in place.diets or not place.theme else f" ({place.theme})"
    article = "an" if place.kind[:1].lower() in "aeiou" else "a"
    return f"{article} {place.kind}{theme} in {place.district}, {priced(place, atlas)}"


def priced(place: Place, atlas: Atlas) -> str:
    """The usual price of a visit for one."""
    return f"{place.price} {atlas.currency} a head" if place.price else "free"


def _because(place: Place, need: Need, atlas: Atlas) -> str:
    diets = need.diets if place.kind in atlas.serving else []
    reasons = list(dict.fromkeys([*need.features, *diets, *need.suits]))
    if need.day is not None:
        reasons.append(f"open on {DAYS[need.day]}")
    shown = reasons or list(place.features[:2])
    return f": {', '.join(shown)}" if shown else ""


def nothing_fits(need: Need, wishes: Wishes, atlas: Atlas) -> str:
    """Says so, and names what was asked."""
    serving = not need.kinds or bool(need.kinds & atlas.serving)
    parts = [" or ".join(k for k in atlas.kinds if k in need.kinds)]
    parts += sorted(need.themes) + [f"about {need.only_about}"] * bool(need.only_about)
    parts += [f"in {' or '.join(sorted(need.districts))}"] if need.districts else []
    parts += [f"not in {d}" for d in sorted(need.not_districts)]
    if need.price is not None and (serving or not need.meals_only):
        parts.append(_at_most(need.price, atlas))
    if need.below is not None:
        parts.append("cheaper than before")
    parts += [*need.features, *(need.diets if serving else []), *need.suits]
    parts += [f"open on {DAYS[need.day]}"] if need.day is not None else []
    near = [p for p in atlas.places if _is_sort(p, need)]  # what else was refused, if it matters
    parts += [f"not {e}" for e in need.not_features if any(e in p.features for p in near)]
    parts += [
        f"nothing about {w}" for w in sorted(need.not_themes) if any(w in p.words for p in near)
    ]
    parts += [f"not {p.name}" for p in near if p.name in need.not_names]
    listed = ", ".join(part for part in parts if part)
    return f"Nothing in the guide fits all of that: {listed}." if listed else "The guide is empty."


def _at_most(price: float, atlas: Atlas) -> str:
    return f"at most {price:g} {atlas.currency} a head"
