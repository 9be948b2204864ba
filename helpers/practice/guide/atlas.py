"""The guide's file, read once, with ways to find its words in a text."""

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from ..reading.person import expand
from .meanings import ASKED_COMPANY, COMPANY, DIET_WORDS, FREE_OF, MEANINGS, PALE

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@lru_cache(maxsize=8192)  # the same sentence is read for several things
def fold(text: str) -> str:
    """Small letters without accents, short forms written out."""
    plain = unicodedata.normalize("NFKD", expand(text))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


@dataclass(frozen=True)
class Place:
    """One place of the guide; price in the guide's currency for one person."""

    name: str
    kind: str
    theme: str
    district: str
    price: int
    diets: tuple[str, ...]
    suits: tuple[str, ...]
    features: tuple[str, ...]
    open: str
    closed: tuple[str, ...]
    minutes: int
    description: str

    @cached_property
    def words(self) -> frozenset[str]:
        """The single words of its theme."""
        return frozenset(single(w) for w in re.findall(r"[\w-]+", fold(self.theme)))


def single(word: str) -> str:
    """A word without the ending of the plural."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def whole(phrases, *, plural: bool = False) -> re.Pattern:
    """A pattern for any of the folded phrases as whole words; one that never matches for none."""
    ordered = sorted({p for p in phrases if p}, key=lambda p: (-len(p), p))
    parts = [_plural(p) if plural else re.escape(p) for p in ordered]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])" if parts else r"(?!)")


def _plural(phrase: str) -> str:
    if phrase.endswith("y"):
        return re.escape(phrase[:-1]) + "(?:y|ies)"
    return re.escape(phrase) + "(?:s|es)?"


class Atlas:
    """A guide: `places`, its lists of words, and what of them stands in a folded text."""

    def __init__(self, data: dict):
        self.city = str(data.get("city") or "")
        self.currency = str(data.get("currency") or "euros")
        self.places = [_place(p) for p in data.get("places") or []]
        self.districts = {fold(p.district): p.district for p in self.places if p.district}
        self.kinds = list(dict.fromkeys(p.kind for p in self.places))
        self.diets = _entries(self.places, "diets")
        self.suits = _entries(self.places, "suits")
        self.features = _entries(self.places, "features")
        self.names = {}
        for place in self.places:
            name = fold(place.name)
            self.names[name] = self.names[name.removeprefix("the ")] = place
        self._names = whole(self.names)
        self._districts = whole(self.districts)
        self._where = whole([*self.districts, fold(self.city)])
        self._kinds = [(whole([fold(kind)], plural=True), kind) for kind in self.kinds]
        self.any_kind = whole([fold(kind) for kind in self.kinds], plural=True)
        self.stops = frozenset(
            single(w)
            for text in (self.city, self.currency, *self.kinds, *self.districts, *self.diets)
            for w in fold(text).split()
        ) | {single(w) for w in PALE}
        self.theme_words = frozenset(w for p in self.places for w in p.words) - self.stops
        served = {k: [bool(p.diets) for p in self.places if p.kind == k] for k in self.kinds}
        # A kind at which most places promise a diet is one where people eat or drink.
        self.serving = frozenset(k for k, has in served.items() if 2 * sum(has) > len(has))

    # Each of these takes a folded text.

    def places_in(self, text: str) -> list[Place]:
        return list(dict.fromkeys(self.names[m.group()] for m in self._names.finditer(text)))

    def hide_names(self, text: str) -> str:
        """The text with "@" for the name of a place, whose words say nothing else."""
        return self._names.sub("@", text)

    def about_here(self, text: str) -> bool:
        """Whether the city, a district or a place of the guide is named."""
        return bool(self._where.search(text) or self._names.search(text))

    def districts_in(self, text: str) -> list[tuple[int, str]]:
        return [(m.start(), self.districts[m.group()]) for m in self._districts.finditer(text)]

    def kinds_in(self, text: str) -> list[tuple[int, str]]:
        return [(m.start(), kind) for seen, kind in self._kinds for m in seen.finditer(text)]

    def themes_in(self, text: str) -> list[tuple[int, str]]:
        found = [(m.start(), single(m.group())) for m in re.finditer(r"[\w-]+", text)]
        return [(at, word) for at, word in found if word in self.theme_words]

    def features_in(self, text: str) -> list[tuple[int, str]]:
        return self._meant(text, self.features, self._feature_words, MEANINGS)

    def company_in(self, text: str, *, asked: bool = False) -> list[tuple[int, str]]:
        more = ASKED_COMPANY if asked else []
        return self._meant(text, self.suits, self._suit_words if asked else [], [*COMPANY, *more])

    def diets_in(self, text: str) -> list[tuple[int, str]]:
        return self._meant(text, self.diets, self._diet_words, DIET_WORDS)

    def free_of(self, text: str) -> list[tuple[int, int, str]]:
        """Start and end of what an allergy may be to, with the diet that leaves it out."""
        return [
            (m.start(), m.end(), diet)
            for diet, pattern in self._free_of
            for m in pattern.finditer(text)
        ]

    @cached_property
    def _feature_words(self):
        return [(whole([fold(e)], plural=True), e) for e in self.features]

    @cached_property
    def _suit_words(self):
        return [(whole([fold(e)], plural=True), e) for e in self.suits]

    @cached_property
    def _diet_words(self):
        return [(whole([fold(e), fold(e).replace("-", " ")]), e) for e in self.diets]

    @cached_property
    def _free_of(self):
        found = []
        for diet in self.diets:
            head, dash, tail = fold(diet).rpartition("-")
            if dash and tail == "free":
                found.append((diet, FREE_OF.get(head) or whole([head], plural=True)))
        return found

    @staticmethod
    def _meant(text, entries, own, meanings) -> list[tuple[int, str]]:
        found = [(m.start(), entry) for seen, entry in own for m in seen.finditer(text)]
        for said, meant in meanings:
            for match in said.finditer(text):
                found += [(match.start(), e) for e in entries if meant.search(fold(e))]
        return sorted(set(found))


def _place(data: dict) -> Place:
    def words(key: str) -> tuple[str, ...]:
        return tuple(map(str, data.get(key) or ()))

    return Place(
        *(str(data.get(key) or "") for key in ("name", "kind", "theme", "district")),
        data.get("price_per_head") or 0,
        *(words(key) for key in ("diets", "suitable_for", "features")),
        str(data.get("open") or ""),
        words("closed_days"),
        data.get("minutes_from_centre") or 0,
        str(data.get("description") or ""),
    )


def _entries(places: list[Place], field: str) -> list[str]:
    return list(dict.fromkeys(entry for p in places for entry in getattr(p, field)))


@lru_cache(maxsize=8)
def atlas_at(path: Path) -> Atlas | None:
    """The guide in that file, read at its first use; None if there is no such file."""
    if not path.is_file():
        return None
    return Atlas(json.loads(path.read_text(encoding="utf-8")))
