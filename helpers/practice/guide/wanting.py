"""Whether a message asks for places, and the general words in which it does."""

import re
from functools import lru_cache

from ..reading.clauses import LONGEST
from .atlas import DAYS, Atlas, fold
from .meanings import KIND_WORDS, NOT_SIGHTS, TO_DO

_WE = r"(?:i|we|one|you|they|he|she|the kids|the children|(?:my|our) [\w']+)"
_RECALLS = re.compile(
    r"\b(?:did|was|were|had|remind|forgot|forget|said|told|mentioned|have (?:i|we)|do (?:i|we) (?:like|prefer|have|live|work|stay|want|need)"
    r"|(?:does|do) (?:my|our|he|she|they)|(?:i|we) (?:booked|visited|ate|saw|went|chose|liked|have been))\b"
)
RECOMMEND = re.compile(r"\b(?:recommend(?:ation)?s?|suggest(?:ion)?s?|advise|tips?)\b")
_WHERE = re.compile(
    rf"\bwhere (?:else )?(?:(?:can|could|should|shall|would|might|may|do) {_WE} (?:\w+ ){{0,2}}?(?:eat|drink|dine|have|get|go|find|see|take|walk|buy|hear|play|listen|spend|try|visit|watch|relax|sit|enjoy|picnic|recommend|suggest|stroll)|to (?:\w+ ){{0,1}}?(?:eat|drink|go|have|get|find|buy|walk|see|take|dine|hear)|is there|are there)\b"
)
_WHICH = re.compile(
    rf"\b(?:which|what)\b[^?]*\b(?:would|should|can|could|suits?|fits?|is|are|has|have|do you|serves?|allows?|opens?|offers?|might|one)\b|\bwhat (?:can|could|should|shall|might) {_WE} (?:see|visit|do|try|eat|drink)\b|\bwhat is there to\b"
)
_THERE = re.compile(
    r"\b(?:is|are) there (?:\w+ ){0,3}?(?:an?|any|some|anything|anywhere|somewhere|something|places?|good|nice)\b|\bdo you (?:know|have)\b"
)
_LOOKING = re.compile(
    r"\b(?:looking|searching) for\b|\b(?:wants?|needs?|would like|would love|fancy|feel like|mood for)\b(?: to (?:find|have|try))? (?:an?|some|somewhere|something|another)\b"
)
_GIVE = re.compile(
    r"^(?:\W*(?:please|ok|and|now|can you|could you|would you|will you|thanks)\W+)*(?:help (?:me|us)(?: to)? find|find|show|give|name|list|tell|pick|choose|get|plan)\b"
)
_FRAGMENT = re.compile(
    r"\b(?:somewhere|anywhere|something|anything|places? (?:to|for|with|that|where)|a place)\b"
)
FOLLOW = re.compile(
    r"^(?:\W*(?:ok(?:ay)?|thanks|thank you|great|good|and|so|well|hm+|nice|sorry)\W+)*(?:(?:what|how) about|and (?:for|in|on|with|something|somewhere|a|another)|(?:an)?other|any(?:thing| others?)? (?:else|other|cheaper|closer)|(?:something|somewhere) (?:else|cheaper|closer|different|quieter|livelier)|more)\b"
)
_OWN = re.compile(r"\b(?:my|our|his|her|their)(?: (?!favou?rite)[\w-]+){0,2} @kind|\bfavou?rite\b")
_STRONG = re.compile(
    rf"\b(?:would|should|could|can|may|might) {_WE}\b|\bsuits?\b|\bto (?:eat|go)\b"
)
MORE = re.compile(r"\b(?:another|others?|else|different|more)\b")
CHEAP = re.compile(r"\b(?:cheap(?:er|est)?|inexpensive|affordable|low[- ]cost)\b")
_ONE = re.compile(r"\b(?:an?|some|another)\b")
_STANDING = re.compile(r"\b(?:always|every|everywhere|each|never|all)\b")
_PLACES = re.compile(
    r"\b(?:which|what) (?:\w+ )?(?:places|spots)\b|^what is (?:still |also )?open (?:on|in|now|today|tonight|late)\b"
)
_TO_SEE = re.compile(r"\b(?:things?|something|anything|what is there|what) to (?:do|see|visit)\b")


def asks_for_places(lines: list[str], atlas: Atlas, *, guiding: bool) -> bool:
    """Whether a sentence wants places recommended. `guiding`: the request is about being a guide;
    without that only a plain question for a kind of place counts."""
    return any(_wants_places(line[:LONGEST], atlas, guiding) for line in lines)


@lru_cache(maxsize=8192)  # a pure function of the sentence and the guide
def _wants_places(line: str, atlas: Atlas, guiding: bool) -> bool:
    text = atlas.hide_names(fold(line))
    if _RECALLS.search(text):
        return False
    named = bool(atlas.any_kind.search(text))
    if named and _OWN.search(atlas.any_kind.sub("@kind", text)) or "my favo" in text:
        return False
    thing = named or bool(kinds_meant(text, atlas))
    if thing and (_WHERE.search(text) or RECOMMEND.search(text)):
        return True
    if guiding and _PLACES.search(text):
        return True
    if named and _WHICH.search(text):
        return guiding or bool(_STRONG.search(text)) and not re.search(r"\bwhat is\b", text)
    if not guiding:
        return False
    if _WHERE.search(text) or RECOMMEND.search(text):
        return True
    vague = bool(_FRAGMENT.search(text)) or bool(TO_DO.search(text))
    narrow = bool(
        thing
        or atlas.features_in(text)
        or atlas.themes_in(text)
        or atlas.districts_in(text)
        or atlas.company_in(text, asked=True)
        or atlas.diets_in(text)
    )
    if FOLLOW.search(text):
        return narrow or bool(MORE.search(text) or CHEAP.search(text) or day_of(text, None)[0])
    if "?" in text and _TO_SEE.search(text):
        return True
    if re.search(r"\b(?:is|are) there\b", text):
        return bool(_THERE.search(text)) and (thing or narrow or vague)
    if _THERE.search(text) or _GIVE.search(text):
        return named or (vague or thing and bool(_ONE.search(text))) and narrow
    if re.search(rf"\bwhat (?:can|could|should|shall|might) {_WE} (?:see|visit|do)\b", text):
        return not re.search(r"\byou\b|\bdo (?:about|with|if)\b", text)
    if _LOOKING.search(text):
        return not _STANDING.search(text) and (thing or vague and narrow)
    short = len(text.split()) <= 14
    vague = bool(_FRAGMENT.search(text))
    return short and (vague and narrow and not _is_told(text) or named and _bare(text))


def _is_told(text: str) -> bool:
    return bool(re.match(r"(?:\w+ )?(?:i|we|he|she|they|it|there|my|our|this|that)\b", text))


def _bare(text: str) -> bool:
    """ "A vegan cafe in the old town, please": no verb, or a question mark after a short wish."""
    return bool(re.match(r"(?:an?|any|some|the best|good|which)\b", text)) and bool(
        re.search(r"\?\s*$|\bplease\b", text)
    )


def kinds_meant(text: str, atlas: Atlas) -> set[str]:
    """Kinds for which a general word stands: "dinner", "a walk", "something to do"."""
    found = {
        kind
        for said, meant in KIND_WORDS
        if said.search(text)
        for kind in atlas.kinds
        if any(m.search(fold(kind)) for m in meant)
    }
    if not found and TO_DO.search(text):
        found = sights(atlas)
    return found


def sights(atlas: Atlas) -> set[str]:
    """Kinds to go and see: not to eat, drink or buy at."""
    return {k for k in atlas.kinds if not any(m.search(fold(k)) for m in NOT_SIGHTS)}


def day_of(plain: str, today: int | None) -> tuple[int | None, bool]:
    """The day meant, and whether it was named."""
    for number, name in enumerate(DAYS):
        if re.search(rf"\b(?:on |this |next |for |open )?{name.lower()}s?\b", plain):
            return number, True
    if today is None:
        return None, False
    if "tomorrow" in plain:
        return (today + 1) % 7, False
    if re.search(r"\b(?:today|tonight|now|this (?:morning|afternoon|evening))\b", plain):
        return today, False
    return None, False
