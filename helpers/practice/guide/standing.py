"""What holds for every question: the wishes that the visible request states, the newest word first.

Read from the system prompt and from what users say, sentence by sentence, in their order. What the
model said before is no source: a wish that was cut away with its message is gone.
"""

import re
from dataclasses import dataclass, field

from ..reading.clauses import LONGEST, is_question
from .atlas import DAYS, Atlas, fold
from .meanings import DOGS, FAMILIES, NO_MEAT, OPPOSITES
from .money import amount, number
from .phrases import LIKE, dislikes, holder_of, likes, negated, past, refused

_RELEASE = re.compile(
    r"\b(?:(?:not|no longer|never) (?:minds?|dislikes?|hates?|avoids?|needs?|bothered)|(?:is|are) fine(?: now| again)?$|stopped disliking)\b"
)
_WANT = re.compile(
    r"\b(?:wants?|needs?|prefers?|must|should|only|always|looking for|would like|would love|would rather|important|requires?|has to|have to|please|insists?)\b"
)
_MOOD = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:want|would like|would love|fancy|feel like|prefer)\b|\bin the mood\b"
)
_CLAIM = re.compile(
    r"\b(?:am|is|are|be|been|needs?|must|requires?|eats?|keeps?|wants?|prefers?|diets?|dietary|follows?|only|strictly|turned|became|becomes?|has to|have to|serves?|for)\b|:"
)
_ALLERGY = re.compile(r"\b(?:allerg\w+|intoleran\w+)\b")
_OUTGROWN = re.compile(
    r"\b(?:outgrown?|outgrew|no longer allergic|(?:is|am|are) not allergic(?! to))\b"
)
_CORRECTION = re.compile(r"\b(?:correct\w*|actually|i meant|mistaken?|wrong|sorry|rather than)\b")
_ALLERGIC_TO = re.compile(
    r"\b(?:allergic|allergy|allergies|intolerant) to (?:any |all |the )?(\w+)(?: (?:and|or) (\w+)(?=[,.;!]|$))?"
)
_AT_HOME = re.compile(
    r"\b(?:stays?|left|leave|leaves|leaving|remains?|is|are)\b[^,;]* (?:at|back) home\b|\bstay(?:s|ed)? (?:behind|with (?!us|me))|\bdo(?:es)? not come\b|\bnot coming\b|\blives?\b|\bas a (?:child|kid)\b|\bno longer\b|\bwhether\b"
)
_BRING = re.compile(
    r"\b(?:with|have|has|had|brings?|bringing|travel\w*|takes?|taking|along|joins?|comes?|coming|allowed|welcome|needs?|must|for)\b"
)
_VISITED = re.compile(
    r"\b(?:was|were|had|ate|went|visited|saw|spent|tried|toured|walked|drank|dined|been|enjoyed|loved|liked|seen|bought|visited:|already|lunched|stopped)\b|^visited\b"
)
_AHEAD = re.compile(r"\b(?:will|want to|would like to|booked|plan(?:s|ning)? to|going to)\b")
_BUDGET = re.compile(
    r"\b(?:budgets?|spend|afford|at most|up to|under|below|less than|no more than|not more than|maximum|max|cheaper than|within|limit|ha(?:ve|s)(?= (?:about |only |just )?[€$£\d]))\b"
)
_SPENT = re.compile(r"\b(?:costs?|paid|spent|was|were)\b")
_MEAL = re.compile(r"\b(?:dinners?|lunch(?:es)?|meals?|suppers?|food|eating|restaurants?)\b")
_TOGETHER = re.compile(r"\b(?:in total|altogether|for all of us|for (?:the )?(\w+) of us|for (\w+) people|together)\b")  # fmt: skip
_HEAD = re.compile(r"\b(?:a|per) (?:head|person)\b|\beach\b")
_PARTY = re.compile(r"\b(\w+) of us\b|\b(?:we (?:are|will be)|party of|group of) (\w+)\b")
_TODAY = re.compile(r"\b(?:it is|today is|today:|date:)(?: now)?(?: already)?,? (\w+day)\b")
_HERE = re.compile(
    r"\b(?:we|i|us|me|our|my|the user|user's)\b|^(?:district|area|please|only|rather|make it|let|stay|keep|somewhere|something)\b"
)
_WHERE = re.compile(
    r"^(?:district|area):|\b(?:stay|stays|staying|stick|hotel|base|based|rather|prefer|prefers|wants?|would like|only|keep|go|somewhere|something|eat|looking|make it|moved?|are in|am in|is in|be in)\b"
)


@dataclass
class Wishes:
    """What every recommendation has to keep to, as far as the request shows it."""

    diets: dict[str, set[str]] = field(default_factory=dict)  # diet: who needs it ("" unknown)
    unlisted: dict[str, set[str]] = field(
        default_factory=dict
    )  # allergies the guide has no word for
    suits: set[str] = field(default_factory=set)
    features: dict[str, bool] = field(default_factory=dict)  # True wanted, False unwanted
    not_themes: dict[str, str] = field(default_factory=dict)  # theme word: the kind it was said of
    not_kinds: set[str] = field(default_factory=set)
    budget: float | None = None
    meals_only: bool = False  # the budget is for meals
    party: int = 0
    district: str = ""  # where the user stays or wants to be
    not_districts: set[str] = field(default_factory=set)
    visited: set[str] = field(default_factory=set)
    avoided: set[str] = field(default_factory=set)
    today: int | None = None  # 0 is Monday
    mood: set[str] = field(default_factory=set)  # theme words wished since the last question


@dataclass(frozen=True)
class Line:
    """A sentence, whether it is of the last message, and whether its message asks for places."""

    text: str
    last: bool = False
    asking: bool = False


def read_standing(lines: list[Line], atlas: Atlas) -> Wishes:
    """The wishes stated in the lines, oldest first."""
    wishes = Wishes()
    reader = _Reader(atlas, wishes)
    for line in lines:
        if line.asking and not line.last:
            wishes.mood = set()  # that was for then
        reader.read(line.text[:LONGEST], line.last, line.asking)
    return wishes


class _Reader:
    def __init__(self, atlas: Atlas, wishes: Wishes):
        self.atlas, self.wishes = atlas, wishes

    def read(self, line: str, last: bool, asking: bool) -> None:
        text = fold(line)
        self._today(text)
        asks = is_question(line)
        named = self.atlas.places_in(text)
        if named and not asks:
            self._places(text, named)
        text = self.atlas.hide_names(text)
        if "@" in text or text.startswith(("you are ", "your ")):
            return  # said of a place, or to the model of itself
        if asks and not last:
            return
        if not asks:
            self._budget(text)
            self._district(text)
            self._company(text)
            self._tastes(text, asking and not last)
            if (match := _PARTY.search(text)) and (size := number(match[1] or match[2])):
                self.wishes.party = int(size)
        self._diets(text, line)

    def _today(self, text: str) -> None:
        if (match := _TODAY.search(text)) and match[1].capitalize() in DAYS:
            self.wishes.today = DAYS.index(match[1].capitalize())

    def _places(self, text: str, named) -> None:
        if dislikes(text, len(text.rstrip(" .!"))) or re.search(
            r"\b(?:not|never) (?:to|go|want|at|in)\b", text
        ):
            self.wishes.avoided |= {p.name for p in named}
        elif _VISITED.search(text) and not _AHEAD.search(text):
            self.wishes.visited |= {p.name for p in named}

    def _budget(self, text: str) -> None:
        found = amount(text, self.atlas.currency, bare=bool(re.search(r"\bbudget\b", text)))
        spoken = _BUDGET.search(text) and not re.search(r"\b(?:paid|spent)\b", text)
        if found is None or not (spoken or _HEAD.search(text) and not _SPENT.search(text)):
            return
        together = _TOGETHER.search(text)
        if together and not _HEAD.search(text):
            heads = number(together[1] or together[2] or "") or self.wishes.party
            found = found / heads if heads else found
        self.wishes.budget, self.wishes.meals_only = found, bool(_MEAL.search(text))

    def _district(self, text: str) -> None:
        if not _HERE.search(text) or not _WHERE.search(text) or past(text):
            return
        wanted = ""
        for at, district in self.atlas.districts_in(text):
            if not negated(text, at):
                wanted = wanted or district
            elif self.wishes.district == district:
                self.wishes.district = ""
                if not re.search(r"\bno longer\b", text):
                    self.wishes.not_districts.add(district)
            elif not re.search(r"\bno longer\b", text):
                self.wishes.not_districts.add(district)
        if wanted:
            self.wishes.district = wanted
            self.wishes.not_districts.discard(wanted)

    def _company(self, text: str) -> None:
        away = _AT_HOME.search(text)
        for at, entry in self.atlas.company_in(text):
            folded = fold(entry)
            if DOGS.search(folded) and not (away or _BRING.search(text)):
                continue
            personal = DOGS.search(folded) or FAMILIES.search(folded)
            off = away if personal else re.search(r"\bno longer\b", text)
            if off or personal and negated(text, at):
                self.wishes.suits.discard(entry)
            else:
                self.wishes.suits.add(entry)
        if re.search(r"\bcan walk\b", text) and "again" in text:
            self.wishes.suits -= {e for _, e in self.atlas.company_in("wheelchair")}

    def _tastes(self, text: str, asking: bool) -> None:
        """Liked and disliked features, themes and kinds."""
        features = self.atlas.features_in(text)
        for at, entry in features:
            self._taste(text, at, entry, asking)
        kinds = self.atlas.kinds_in(text)
        themes = self.atlas.themes_in(text)
        taken = {at for at, _ in [*features, *kinds]}
        for at, word in themes:
            if at in taken:
                continue
            if _MOOD.search(text) and not negated(text, at) and not dislikes(text, at):
                self.wishes.mood.add(word)
            if _RELEASE.search(text) or likes(text, at):
                self.wishes.not_themes.pop(word, None)
            elif dislikes(text, at) or negated(text, at) and _WANT.search(text):
                near = [kind for _, kind in kinds]
                self.wishes.not_themes[word] = near[0] if near else ""
        for at, kind in kinds:
            if likes(text, at):
                self.wishes.not_kinds.discard(kind)
            elif (dislikes(text, at) or refused(text, at)) and not features and not themes:
                self.wishes.not_kinds.add(kind)

    def _taste(self, text: str, at: int, entry: str, asking: bool) -> None:
        features = self.wishes.features
        if _RELEASE.search(text):
            features.pop(entry, None)
        elif negated(text, at) or dislikes(text, at):
            features[entry] = False
        elif asking and not re.search(r"\b(?:always|every|all|only)\b", text):
            return  # "it should be quiet" was said of that evening
        elif _WANT.search(text):
            features[entry] = True
            for one, other in (OPPOSITES, OPPOSITES[::-1]):
                if one.search(fold(entry)):
                    for rival in [e for e in features if other.search(fold(e))]:
                        if features[rival]:
                            del features[rival]
        elif LIKE.search(text) and features.get(entry) is False:
            del features[entry]

    def _diets(self, text: str, line: str) -> None:
        for at, diet in self.atlas.diets_in(text):
            holder = holder_of(text, line, at)
            if negated(text, at):
                self._release(diet, holder)
            elif _CLAIM.search(text):
                self.wishes.diets.setdefault(diet, set()).add(holder)
        for match in NO_MEAT.finditer(text):
            holder = holder_of(text, line, match.start())
            if negated(text, match.start()) or dislikes(text, match.start()):
                for _, diet in self.atlas.diets_in("vegetarian"):
                    self.wishes.diets.setdefault(diet, set()).add(holder)
            elif "again" in text:
                for _, diet in self.atlas.diets_in("vegetarian vegan"):
                    self._release(diet, holder)
        allergic = _ALLERGY.search(text)
        self._allergies(text, allergic, holder_of(text, line, allergic.start() if allergic else 0))

    def _allergies(self, text: str, allergic: re.Match | None, holder: str) -> None:
        over = _OUTGROWN.search(text)
        gained, lost, known = set(), set(), set()
        for start, end, diet in self.atlas.free_of(text):
            known.add(text[start:end])
            tied = text[end : end + 5] == "-free" or text[end : end + 5] == " free"
            if tied:
                continue
            no = negated(text, start) or dislikes(text, start)
            if allergic or over:
                (lost if no or over else gained).add(diet)
            elif no:
                gained.add(diet)
        if _CORRECTION.search(text) and gained and holder:
            own = {d for d, who in self.wishes.diets.items() if holder in who}
            lost |= {d for d in own if d.endswith("-free")}
        if over and not lost:
            lost = {d for d in self.wishes.diets if d.endswith("-free")} - gained
        for diet in lost - gained:
            self._release(diet, holder)
        for diet in gained:
            self.wishes.diets.setdefault(diet, set()).add(holder)
        if _CORRECTION.search(text) and allergic:
            self.wishes.unlisted = {
                w: h for w, h in self.wishes.unlisted.items() if holder not in h
            }
        for match in _ALLERGIC_TO.finditer(text):
            for word in filter(None, match.groups()):
                if negated(text, match.start()):
                    self.wishes.unlisted.pop(word, None)
                elif word not in known and not self.atlas.diets_in(word):
                    self.wishes.unlisted.setdefault(word, set()).add(holder)

    def _release(self, diet: str, holder: str) -> None:
        """The holder needs it no longer; if nobody is known to, nobody does."""
        holders = self.wishes.diets.get(diet)
        if holders is None:
            return
        if holder in holders and holder:
            holders.discard(holder)
        else:
            holders.clear()
        if not holders:
            del self.wishes.diets[diet]
