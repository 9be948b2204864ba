"""The value of a field for text: a name, a place, a date as written, an id, a sentence."""

import re
from collections.abc import Iterator

from ..material.passages import TEXT, USER
from ..material.words import content_of, root
from ..reading.clauses import is_question
from ..reading.memory import Memory
from ..reading.person import expand
from ..reading.questions import read
from ..reading.responding import respond
from ..reading.words import STOP, WORD
from ..request import Request
from .cues import GENERIC, KINDS, head_of, kind_of_name, near, own_stems
from .ids import ids_of
from .names import FIRST_PERSON, SPEAKERS, introductions, names_for
from .sayings import sayings_of, states
from .schemas import Field
from .seeking import Hit, Seeker, is_another
from .spans import names_in, spans_of, tokens_of

FEW = 2  # sentences in a field of prose
LONGEST = 300  # characters of one
SURE = frozenset("email phone url job postcode street".split())  # kinds that need no other word
_TYPED = frozenset("email phone url date datetime time code money duration currency postcode street colour".split())  # fmt: skip
_LOOSE = frozenset("person place org language title".split())


def string_for(field: Field, seeker: Seeker) -> Hit | None:
    """The surest value of a field for text; None if nothing in the material points to one."""
    kind = kind_of_name(field)
    for hit in seeker.by_key(field):
        if isinstance(hit.value, str | int | float) and not isinstance(hit.value, bool):
            return Hit(str(hit.value), hit.score, hit.place)
    for hit in seeker.by_label(field):
        if value := _of_kind(str(hit.value), kind):
            return Hit(value, hit.score, hit.place)
    return next(_found(field, kind, seeker), None)


def said_to_be(field: Field, seeker: Seeker) -> Hit | None:
    """What the material plainly says that the thing of this very name is; None if it does not.

    "Preferred resolution: a new one", "My preferred resolution is a new one".
    """
    labelled = next((h for h in seeker.by_label(field) if h.score > 7), None)
    if labelled:
        return Hit(_unquoted(str(labelled.value)), labelled.score, labelled.place)
    if len(field.words) < 2:
        return None
    name = r"[ -]".join(map(re.escape, field.words))
    pattern = re.compile(rf"\b{name}s?(?: (?:is|are|was|were)(?: that)?:?| ?[:=]) (\S.*)$", re.I)
    for text, place in seeker.by_newness({head_of(field) or root(field.words[-1])}):
        if (match := pattern.search(text)) and not text.endswith("?"):
            value = match[1].strip().rstrip(".!")
            return Hit(value if len(value.split()) > 6 else _ARTICLE.sub("", value), 6, place)
    return None


def strings_for(field: Field, seeker: Seeker) -> list[str]:
    """All values of a kind that the field names, in their order: dates, names, amounts, addresses."""
    kind = kind_of_name(field)
    if kind in _TYPED and kind != "code":
        sure = kind in SURE or not own_stems(field) - {root(w) for w in KINDS if KINDS[w] == kind}
        hits = seeker.beside(field, lambda text: spans_of(kind, text), sure)
        values = [str(hit.value) for hit in hits]
        return sorted(dict.fromkeys(values), key=seeker.material.text.find)
    return []


def _of_kind(value: str, kind: str) -> str:
    """What stands after a label, or the part of it that is of the kind."""
    if kind in _TYPED:
        spans = spans_of(kind, value)
        return spans[0][2] if spans else "" if kind in ("email", "date", "datetime") else value
    return _unquoted(value)


def _unquoted(value: str) -> str:
    value = value.strip()
    match = re.fullmatch(r"[\"“'‘«](.+)[\"”'’»]\.?", value)
    return match[1] if match else value.rstrip(" .,;") if value.count(".") == 1 else value


def _found(field: Field, kind: str, seeker: Seeker) -> Iterator[Hit]:
    """Values by kind, surest way first."""
    if kind == "code":
        found = ids_of(field, seeker)
        yield from (Hit(value, 5, place) for value, place in found[:1])
    elif kind == "name" or kind == "person" and field.words[-1] in ("name", "surname"):
        yield from names_for(field, seeker)
    elif kind == "prose":
        yield from _prose(field, seeker)
    elif kind in _TYPED | SURE:
        own = own_stems(field) - {root(w) for w in KINDS if KINDS[w] == kind}
        sure = kind in SURE or not own
        yield from seeker.beside(field, lambda text: spans_of(kind, text), sure)
    elif kind in _LOOSE:
        if kind == "person" and not own_stems(field) - GENERIC:
            yield from names_for(field, seeker)
        yield from _places(field, seeker) if kind == "place" else ()
        if kind == "title":  # what stands in quotation marks is one
            yield from seeker.beside(field, lambda text: spans_of("quoted", text), True)
        yield from seeker.beside(field, lambda text: spans_of(kind, text))
        if kind == "person" and field.words[-1] in SPEAKERS:
            yield from introductions(seeker, (FIRST_PERSON,))
    if kind not in ("prose", "code", "email", "url", "phone", "date", "datetime", "time"):
        yield from _with_preposition(field, seeker)
        named = kind in ("name", "person", "org")
        yield from (h for h in _being(field, seeker) if not named or str(h.value)[:1].isupper())
        if kind not in ("name", "job"):
            yield from _answered(field, seeker)
    if kind in ("any", "title") and not own_stems(field) & {"status"}:
        yield from _described(field, seeker)


_IN = re.compile(r"\b(?:in|from|near|to|at) (?=[A-Z])|\bbased in (?=[A-Z])")


def _places(field: Field, seeker: Seeker) -> Iterator[Hit]:
    """ "in Porto, Portugal": the town, and the country after the comma."""
    country = head_of(field) == root("country")
    if head_of(field) not in {root(w) for w in ("country", "city", "town")} or not country:
        return
    for text, place in seeker.by_newness():
        spans = names_in(text)
        for (_, end, _), (start, _, name) in zip(spans, spans[1:], strict=False):
            if text[end:start] == ", " and _IN.search(text[:start]):
                yield Hit(name, 5, place)


# ---------------------------------------------------------------- what is said of it

_BE = re.compile(
    r"(?:['’]s)?(?: (?:of|for|in|at|with|on|from)(?: [\w'’-]+){1,4}?)?(?: number| name| thing| part| now| still| currently| itself)*"
    r"(?: (?:is|are|was|were|will be|would be|should be|has been|have been|means|reads|says|equals)| ?[:=])"
    r"(?: (?:now|currently|set to|called|named|about|around|only|just|still|always|roughly|exactly|probably))* (?=\S)"
)
_END = re.compile(
    r"[.;!?](?=\s|$)|,(?=\s)| [-–—] | \(|[,]? (?:and|but|because|so|which|who|while|when|although|if|since|whereas)\b (?=(?:i|my|the|he|she|it|we|they|his|her|their|our|there|you|this|that|a|an|is|was|[a-z]+s|[a-z]+ed|not)\b)",
    re.I,
)
_ARTICLE = re.compile(
    r"^(?:is|are|was|an?|the|in|at|on|to|from|by|of|for|with|called|named|my|our|his|her|their)\s+(?=\S)",
    re.I,
)
_IDLE = re.compile(
    r"(?:not|no|that|this|it|what|how|why|when|where|who|you|i|we|he|she|they|there|very|so|really|too|good|great|fine|bad|nice|ok|wrong|missing|being|been|going|never|still)\b",
    re.I,
)  # fmt: skip


def _with_preposition(field: Field, seeker: Seeker) -> Iterator[Hit]:
    """ "left_with": what follows "left with"; "signed_by": what follows "signed by"."""
    words = field.words
    if len(words) != 2 or words[1] not in STOP or words[1] in ("id", "no", "at", "on"):
        return
    pattern = re.compile(rf"\b{re.escape(words[0])}\b(?: [\w'-]+){{0,2}}? {words[1]} (\S.*)", re.I)
    for text, place in seeker.by_newness({root(words[0])}):
        if (match := pattern.search(text)) and (value := trimmed(match[1])):
            yield Hit(value, 4, place)


def _being(field: Field, seeker: Seeker) -> Iterator[Hit]:
    """ "The breed is ...": what a sentence says that the thing is."""
    head = head_of(field) or (root(field.words[-1]) if field.words else "")
    if not head:
        return
    for text, place in seeker.by_newness({head}):
        if text.endswith("?"):
            continue
        tokens, own = tokens_of(text), own_stems(field)
        for n, match in enumerate(WORD.finditer(text)):
            if root(match.group()) != head or is_another(tokens, n, own):
                continue
            if link := _BE.match(text[match.end() :]):
                value = trimmed(text[match.end() + link.end() :])
                if value and not _IDLE.match(value) and len(value.split()) <= 12:
                    yield Hit(value, 4, place)


def trimmed(value: str) -> str:
    """The beginning of what follows "is", up to where the next thing is said, without articles."""
    match = _END.search(value)
    value = value[: match.start()] if match else value
    value = value.strip(" \"“”'‘’,.:;!")
    while (shorter := _ARTICLE.sub("", value)) != value:
        value = shorter
    return value


def _answered(field: Field, seeker: Seeker) -> Iterator[Hit]:
    """What the reading of conversations answers to "what is my ...?"."""
    own = own_stems(field)
    if not own:
        return
    memory = _memory(seeker)
    phrase = " ".join(field.words)
    for question in (f"what is my {phrase}?", f"what is the {phrase}?"):
        value = respond(read(question), memory)[1].strip()
        place = memory.newest_with(value) if value else None
        if place is None or len(value) > 120:
            continue
        line = memory.lines[place].text
        pointing = content_of(expand(line)) & (own | near(head_of(field)))
        if value in seeker.material.text and pointing and not _IDLE.match(value):
            yield Hit(trimmed(value), 3, 0)


def _memory(seeker: Seeker) -> Memory:
    """The statements of the user, or of the text, as the reading half sees them."""
    if "memory" not in seeker.worked_out:
        texts = [p.prose for p in seeker.material.passages if p.who in (USER, TEXT) and p.prose]
        messages: list[dict] = []
        for text in texts:
            messages += [{"role": "user", "content": text}, {"role": "assistant", "content": "."}]
        seeker.worked_out["memory"] = Memory(Request({"messages": messages}))
    return seeker.worked_out["memory"]


# ---------------------------------------------------------------- prose

_WHY = re.compile(r"\b(?:because(?: of)?|due to|since|the reason (?:is|was)(?: that)?|as a result of|caused by|owing to)\s+(.+)", re.I)  # fmt: skip
_REASONS = frozenset(map(root, "reason cause rationale why explanation".split()))
_ENDED = frozenset(map(root, "resolution conclusion answer advice".split()))
_ENDING = re.compile(r"\b(?:conclu\w+|resolv\w+|decid\w+|agreed?|outcome|in the end|finally|solution|advis\w+|recommend\w*)\b", re.I)  # fmt: skip


def _prose(field: Field, seeker: Seeker) -> Iterator[Hit]:
    """The sentences that speak of what the field names; of nothing in particular, the first ones."""
    words = {root(w) for w in field.words}
    if words & _REASONS:
        for text, place in seeker.by_newness():
            if (match := _WHY.search(text)) and not text.endswith("?"):
                yield Hit(match[1].rstrip(" .!"), 4, place)
        return
    sayings = [s for s in sayings_of(seeker.material.passages) if len(s.text) <= LONGEST]
    own = own_stems(field) - {root(w) for w in field.words if KINDS.get(w) == "prose"}
    if hit := said_to_be(field, seeker):
        yield hit
    if words & _ENDED and not own:
        chosen = [s for s in sayings if _ENDING.search(s.plain) and not is_question(s.text)][-1:]
    elif own:
        chosen = [s for s in sayings if own & content_of(s.plain) and not is_question(s.text)]
        best = max((len(own & content_of(s.plain)) for s in chosen), default=0)
        chosen = [s for s in chosen if len(own & content_of(s.plain)) == best][:FEW]
    else:
        chosen = [s for s in sayings if not s.by_agent and states(s)][:FEW]
        if not chosen:
            plain = [s for s in sayings if not s.by_agent and not is_question(s.text)]
            chosen = [s for s in plain if len(content_of(s.plain)) > 1][:FEW]
    if chosen:
        yield Hit(" ".join(s.text for s in chosen), 3, chosen[0].place)


def _described(field: Field, seeker: Seeker) -> Iterator[Hit]:
    """A sentence that shares two words or more with the description of the field."""
    wanted = field.described - GENERIC
    if len(wanted) < 2:
        return
    best, chosen = 1, None
    for saying in sayings_of(seeker.material.passages):
        shared = len(wanted & content_of(saying.plain))
        if shared > best and len(saying.text) <= LONGEST and not is_question(saying.text):
            best, chosen = shared, saying
    if chosen:
        yield Hit(chosen.text, 1, chosen.place)


def leftover(text: str, taken: list[str]) -> str:
    """What is left of one entry of a list without the values that other fields took."""
    for value in sorted(taken, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", text, count=1)
    text = re.sub(r"^[\s>*•–-]+|^\d+[.)]\s", " ", text)
    text = re.sub(r"\b[x×] ?\d+\b|\b\d+ ?[x×](?=\s)", " ", text)
    text = re.sub(r"[$£€¥]|\b(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|each|for|at|x|times|pcs|pieces)\b|[@×|]", " ", text)  # fmt: skip
    words = re.sub(r"\s+", " ", text).strip(" ,.;:-–—()=+")
    while words.split() and words.split()[0].lower() in STOP | {"plus", "per"}:
        words = words.partition(" ")[2].strip(" ,.;:-")
    return words
