"""Names: of the person who speaks or is spoken of, and of things that have one."""

import re
from collections.abc import Iterator

from ..material.passages import AGENT, TEXT, TOOL, USER
from ..material.words import root
from ..reading.implied import introduced_name
from ..reading.words import WORD
from .schemas import Field
from .seeking import Hit, Seeker
from .spans import names_in

_PEOPLE = frozenset("""full first last customer user client contact guest person patient applicant candidate
    employee student passenger sender caller display family given sur own buyer reporter member reviewer""".split())  # fmt: skip
# Who may be the one who speaks.
SPEAKERS = frozenset("donor caller member sender buyer tenant applicant customer client patient borrower reporter reviewer writer person user guest passenger".split())  # fmt: skip
_OWN_NAME = re.compile(
    r"\b(?:[Nn]ame(?:'s|’s| is|:)|I am|I'm|I’m|[Tt]his is|[Cc]alls? (?:me|him|her|himself|herself|it)|[Cc]all me|[Nn]amed|[Cc]alled|[Gg]oes by|(?:story|text|letter|note|report) is about|am called|[Mm]y name,) (?:just |simply |Mr\.? |Mrs\.? |Ms\.? |Dr\.? )?(?=[A-Z\u00c0-\u00de])"
)
FIRST_PERSON = re.compile(r"\b(?:I am|I'm|I’m|[Mm]y name is|[Tt]his is|[Cc]all me) (?=[A-Z\u00c0-\u00de])")  # fmt: skip
_SIGNED = re.compile(
    r"(?:regards|best|thanks|cheers|sincerely|yours|love|wishes|thank you)[,.!]?\s*\n+\s*(?=[A-Z])",
    re.I,
)
_SPEAKING = re.compile(r"(?:^|[,!.] )([A-Z][\w'-]+(?: [A-Z][\w'-]+)*) (?:here|speaking)\b")


def names_for(field: Field, seeker: Seeker) -> Iterator[Hit]:
    """The name of the person, or of the thing that the field's other words name."""
    things = [w for w in field.words if w not in ("name", "names") and w not in _PEOPLE]
    above = [w for w in field.path[-2:-1] if w.lower() not in _PEOPLE]
    part = next(
        (w for w in field.words if w in ("first", "last", "given", "family", "surname")), ""
    )
    nouns = things or [w for w in field.words if w in _PEOPLE] or above
    if nouns:
        for hit in _named(root(nouns[-1]), seeker):
            yield Hit(_part(str(hit.value), part), hit.score, hit.place)
    if things:
        return
    for hit in introductions(seeker):
        yield Hit(_part(str(hit.value), part), hit.score, hit.place)
    for place in seeker.material.passages and range(len(seeker.material.passages)):
        passage = seeker.material.passages[place]
        if passage.who in (USER, TEXT) and (match := _SIGNED.search(passage.prose)):
            if name := _name_from(passage.prose, match.end()):
                yield Hit(_part(name, part), 4, place)
    for text, place in seeker.all_sentences(40):
        who = seeker.material.passages[place].who
        if who in (USER, TEXT):
            for start, _, name in names_in(text):
                if start == 0:
                    yield Hit(_part(name, part), 2, place)


def introductions(seeker: Seeker, patterns=(_OWN_NAME, _SPEAKING)) -> Iterator[Hit]:
    """Names that somebody gives himself: "I'm Ada Brook", "Ada here"; and those of what is called so."""
    for text, place in seeker.by_newness():
        if seeker.material.passages[place].who in (AGENT, TOOL):
            continue
        for pattern in patterns:
            if match := pattern.search(text):
                start = match.start(1) if pattern is _SPEAKING else match.end()
                if name := _name_from(text, start):
                    yield Hit(name, 5, place)


def _name_from(text: str, start: int) -> str:
    match = re.match(
        r"[A-Z\u00c0-\u00de][\w'’-]*(?: (?:van|von|de|da|del|of|the)(?= [A-Z])| [A-Z\u00c0-\u00de][\w'’-]*)*", text[start:]
    )  # fmt: skip
    name = re.sub(r"['’]s$", "", match[0]) if match else ""
    first = name.split(" ")[0] if name else ""
    if not name or first in ("I", "I'm") or not introduced_name(first):
        return ""
    return name


def _part(name: str, part: str) -> str:
    words = name.split()
    if part in ("first", "given") and words:
        return words[0]
    if part in ("last", "family", "surname"):
        return " ".join(words[1:]) if len(words) > 1 else ""
    return name


def _named(noun: str, seeker: Seeker) -> Iterator[Hit]:
    """ "my dog Miso", "a dog called Miso", "Miso, my dog", "the Hotel Aurora"."""
    for text, place in seeker.by_newness({noun}):
        names = names_in(text)
        for match in WORD.finditer(text):
            if root(match.group()) != noun:
                continue
            rest = text[match.end() :]
            link = re.match(
                r"(?:['’]s name)?,?(?: (?:is|was|are|in question|we stayed at|I bought))?(?: (?:called|named|is))? (?:the )?[\"“'‘]?",
                rest,
            )
            after = match.end() + (link.end() if link else 0)
            for start, end, name in names:
                if start == after:
                    yield Hit(name, 6, place)
                elif start <= match.start() and end >= match.end():
                    yield Hit(name, 5.5, place)
                elif end <= match.start() and re.fullmatch(
                    r",? (?:is |was )?(?:my|our|the|a|an|his|her|their)(?: [\w-]+){0,2} ?", text[end : match.start()]
                ):  # fmt: skip
                    yield Hit(name, 5, place)
