"""Yes or no, and one of several options: by what is named, else by words that go with an option."""

import re
from collections.abc import Iterator

from ..material.passages import AGENT
from ..material.words import root
from ..reading.person import expand
from ..reading.words import STOP, WORD
from .cues import GENERIC, head_of, near, own_stems
from .sayings import Saying, sayings_of
from .schemas import Field
from .seeking import Hit, Seeker

_NEGATED = re.compile(
    r"\b(?:not|no|never|without|nor|neither|none|nobody|cannot|nothing|isn't|aren't|out of|lacks?)\b(?!only)(?: [\w'’-]+){0,4} ?$|\b(?:not|no longer)\b[^,;.]*$",
    re.I,
)
_PLAIN_WORDS = frozenset(map(root, """is has was are have had does do can should will needs need wants allowed possible
    available included requested required there any""".split()))  # fmt: skip
_ALLOWED = frozenset(map(root, """allowed welcome permitted possible fine ok okay accepted available included offered
    provided""".split()))  # fmt: skip
_DEEDS = {
    root("requested"): frozenset(map(root, "request want ask like please need prefer rather".split())),
    root("resolved"): frozenset(map(root, "solve resolved works fixed settled".split())),
    root("delivered"): frozenset(map(root, "delivered arrived came received got".split())),
    root("urgent"): frozenset(map(root, "urgent urgently asap immediately emergency".split())),
    root("remote"): frozenset(map(root, "remote remotely".split())),
}  # fmt: skip
_YES = frozenset("yes true y".split())
_NO = frozenset("no false n none".split())


def boolean_for(field: Field, seeker: Seeker) -> Hit | None:
    """Whether the material says it; None if it says neither."""
    for hit in seeker.by_key(field):
        if isinstance(hit.value, bool):
            return hit
    for hit in seeker.by_label(field):
        first = WORD.findall(str(hit.value).lower())[:1]
        if first and first[0] in _YES | _NO:
            return Hit(first[0] in _YES, hit.score, hit.place)
    words = [w for w in field.words if w not in STOP]
    own = [root(w) for w in words if root(w) not in _PLAIN_WORDS] or [root(w) for w in words]
    if not own:
        return None
    asks_leave = bool({root(w) for w in field.words} & _ALLOWED)
    hits = []
    for text, place in seeker.sentences_with([own[0], *near(own[0]), *_DEEDS.get(own[0], ())]):
        plain = expand(text)
        if text.endswith("?") or re.match(r"(?:if|when|whether)\b", plain, re.I):
            continue
        said = [(m.start(), root(m.group())) for m in WORD.finditer(plain)]
        form = next((w for w in words if root(w) == own[0]), own[0])
        said = [(a, s) for a, s in said if s != own[0] or plain[a : a + 3].lower() == form[:3]]
        stems = {s for _, s in said}
        places = [a for a, s in said if s == own[0] or s in _DEEDS.get(own[0], ()) or s in near(own[0]) - STOP - GENERIC]  # fmt: skip
        if not places or any(
            not ({w} | _DEEDS.get(w, frozenset()) | near(w)) & stems for w in own[1:]
        ):
            continue
        denied = bool(_NEGATED.search(plain[: places[0]])) or bool(
            re.match(r"\S+(?: [\w'-]+){0,2} (?:not|never|no)\b", plain[places[0] :])
        )
        if asks_leave and not denied and not stems & _ALLOWED and len(own) == 1:
            continue
        hits.append(Hit(not denied, 3, place))
    for _, place in _with_prefix(own[0], words, seeker):
        hits.append(Hit(False, 3, place))
    if not hits:
        return None
    return max(hits, key=lambda h: h.place) if seeker.material.talk else hits[0]


def _with_prefix(own: str, words: list[str], seeker: Seeker) -> Iterator[tuple[str, int]]:
    """ "Unfurnished", "non-smoking"."""
    form = next((w for w in words if root(w) == own), own)
    pattern = re.compile(rf"\b(?:un|non-?|in|dis){re.escape(form[:-1])}", re.I)
    for text, place in seeker.sentences_with([f"un{own}", f"non{own}", f"non-{own}"]):
        if pattern.search(text):
            yield text, place


# ---------------------------------------------------------------- one of several


def choice_for(field: Field, options: list, seeker: Seeker) -> Hit | None:
    """The option that the material names, else the one its words go with; None if neither."""
    known = {_plain(o): o for o in options if o is not None}
    for hit in (*seeker.by_key(field), *seeker.by_label(field)):
        said = _plain(hit.value)
        if said in known:
            return Hit(known[said], hit.score, hit.place)
        for word, option in sorted(known.items(), key=lambda kv: -len(kv[0])):
            if len(word) > 1 and f" {word} " in f" {said} ":
                return Hit(option, hit.score - 1, hit.place)
    hits = [hit for option in options for hit in _named(field, option, seeker)]
    if not hits and {_plain(o) for o in options if o is not None} <= _SIZES:
        hits = [h for o in options for h in _named(field, o, seeker, plainly=True)]
        hits = hits if len({h.value for h in hits}) == 1 else []
    if not hits:
        meant = [hit for option in options if (hit := _meant(option, seeker))]
        return max(meant, key=lambda h: h.score, default=None)
    talk = seeker.material.talk
    return max(hits, key=lambda h: (round(h.score, 1), h.place if talk else -h.place))


def choices_for(field: Field, options: list, seeker: Seeker) -> list:
    """All options that the material names, in the order of the schema."""
    found = []
    for hit in seeker.by_key(field):
        if isinstance(hit.value, list):
            found += [o for o in options if o in hit.value]
    for option in options:
        if option not in found and any(True for _ in _named(field, option, seeker)):
            found.append(option)
    return found


def _plain(value: object) -> str:
    return " ".join(re.findall(r"[^\W_]+", str(value).lower()))


_QUIET = frozenset("other none unknown neutral low high medium normal new old general small large big long short open closed yes no true false left right up down on off".split())  # fmt: skip


_SIZES = frozenset("small medium large big xs s m l xl xxl single double twin unknown other none".split()) | {"extra large"}  # fmt: skip


def _named(field: Field, option: object, seeker: Seeker, plainly: bool = False) -> Iterator[Hit]:
    """Where the material uses the words of an option, and does not deny them.

    A common word ("high") counts beside a word of the field's name only, unless `plainly`.
    """
    if option is None or isinstance(option, bool):
        return
    words = _plain(option).split()
    telling = [root(w) for w in words if w not in STOP] or [root(w) for w in words]
    if not telling:
        return
    own, cues = own_stems(field), near(head_of(field)) - STOP
    needs_cue = len(words) == 1 and (len(words[0]) < 3 or words[0] in _QUIET or words[0].isdigit())
    needs_cue = needs_cue and not plainly
    if needs_cue and not own:
        return
    for text, place in seeker.sentences_with([telling[0]] if len(telling[0]) > 1 else own):
        said = [(m.start(), root(m.group())) for m in WORD.finditer(text)]
        stems = [s for _, s in said]
        if any(w not in stems for w in telling):
            continue
        at = said[stems.index(telling[0])][0]
        pointed = bool((own | cues) & set(stems))
        if needs_cue and not _close(stems, telling[0], own | cues) or _NEGATED.search(expand(text[:at])):  # fmt: skip
            continue
        agent = seeker.material.passages[place].who == AGENT
        yield Hit(option, 2 + 1.5 * pointed + 0.5 * (len(telling) - 1) - agent, place)


def _close(stems: list[str], word: str, others: frozenset[str]) -> bool:
    """Whether a word stands within three words of one of the others."""
    places = [n for n, s in enumerate(stems) if s == word]
    return any(set(stems[max(0, n - 3) : n + 4]) & others for n in places)


_GOES_WITH = {
    "positive good happy satisfied praise compliment love great": r"love[ds]?|great|excellent|wonderful|amazing|perfect|delicious|fantastic|recommend|enjoyed|happy|best|superb|brilliant|delighted|friendly|thank you so much|well done|lovely|charming",
    "negative bad unhappy dissatisfied angry": r"terrible|awful|worst|disappoint\w*|hate[ds]?|poor|rude|never again|horrible|bad|broken|boring|slow|cold|dirty|refund|unacceptable|waste|mess|angry|annoyed|frustrat\w*|upset",
    "mixed": r"(?:good|great|nice|lovely|liked?|loved?|excellent)\b.{0,80}\b(?:but|however|although)\b",
    "urgent high critical severe emergency immediate asap": r"urgent(?:ly)?|asap|as soon as possible|immediately|right away|emergency|critical|data loss|lost (?:all|my) (?:data|work)|cannot work|down for|everyone|today",
    "low minor trivial cosmetic": r"no (?:hurry|rush)|whenever|minor|cosmetic|not urgent|when you have time|typo|small thing|take your time",
    "complaint problem issue bug defect": r"complain\w*|problem|broken|wrong|damaged|crash\w*|error|fail\w*|not work\w*|unacceptable|bug",
    "question inquiry enquiry": r".*\?",
    "thanks praise compliment": r"thank you|thanks|well done|great (?:work|service|job)",
    "request feature": r"would be (?:nice|great)|could you add|please add|feature|i would like|i wish",
    "refund money": r"refund\w*|money back|reimburs\w*",
    "replacement exchange replace": r"replac\w*|exchang\w*|new one|swap",
    "cancellation cancel": r"cancel\w*",
    "delivery shipping shipment logistics": r"deliver\w*|parcel|courier|arriv\w*|package|shipp\w*|tracking",
    "billing payment invoice charge": r"charg\w*|invoice\w*|bill\w*|paid|payment|card|debit\w*|price|double",
    "technical tech software": r"crash\w*|error|app|website|screen|install\w*|update|software|freez\w*|loading",
    "account login access": r"password|log ?in|logged|account|sign in|username|locked out",
    "product quality item": r"broken|defect\w*|quality|scratch\w*|faulty|size|colour|material|item",
    "preference like taste": r"prefers?|rather|likes?|loves?|favou?rite|hates?|dislikes?|always|enjoys?",
    "commitment promise": r"promis\w*|will call|call (?:you )?back|guarantee\w*|by (?:monday|tuesday|wednesday|thursday|friday)",
    "event appointment date": r"on (?:the )?\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{4}-\d\d-\d\d|january|february|march|april|june|july|august|september|october|november|december|tomorrow|yesterday",
    "allergy diet health": r"allerg\w*|vegan|vegetarian|gluten|intoleran\w*",
    "veg vegetarian": r"vegetarian|vegan|no meat",
    "sunny clear": r"sun(?:ny|shine)?|clear sk\w+|blue sky",
    "rain rainy wet": r"rain\w*|shower\w*|drizzl\w*|downpour",
    "snow snowy": r"snow\w*",
    "cloudy overcast": r"cloud\w*|overcast|grey sk\w+",
}  # fmt: skip
_GOING: dict[str, re.Pattern] = {}
for _words, _pattern in _GOES_WITH.items():
    for _word in _words.split():
        _GOING.setdefault(root(_word), re.compile(rf"\b(?:{_pattern})", re.I))


def _meant(option: object, seeker: Seeker) -> Hit | None:
    """How often the material has words that go with an option; None if it has none."""
    if not isinstance(option, str):
        return None
    words = [root(w) for w in _plain(option).split()]
    patterns = [_GOING[w] for w in words if w in _GOING]
    found = place = 0
    for saying in _sayings(seeker) if patterns else ():
        for pattern in () if saying.by_agent else patterns:
            for match in pattern.finditer(saying.plain):
                if match.end() > match.start():
                    denied = _NEGATED.search(saying.plain[: match.start()])
                    found, place = found + (not denied), saying.place
    return Hit(option, found, place) if found else None


def _sayings(seeker: Seeker) -> list[Saying]:
    if "sayings" not in seeker.worked_out:
        seeker.worked_out["sayings"] = sayings_of(seeker.material.passages)
    return seeker.worked_out["sayings"]
