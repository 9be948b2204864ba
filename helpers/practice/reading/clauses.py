"""From text to clauses: sentences, which of them ask, and the parts that each state one thing."""

import re
from functools import lru_cache

from .person import expand
from .words import WORD, one_of

LONGEST = 400  # characters; a longer "sentence" is material, not something a person says of himself
KNOWN = 16_384  # short texts of which a function of the text alone keeps its answer


# --- sentences ------------------------------------------------------------------------------------

_BORDER = "\n\x00\n"
_TITLES = ("Mr", "Mrs", "Ms", "Dr", "Prof", "St", "No", "e.g", "i.e", "approx", "vs")


def sentences(text: str) -> list[str]:
    """The sentences of a text. Linear, and quick on long texts: plain replacements, no pattern."""
    return sentences_of([text])[0]


def sentences_of(texts: list[str]) -> tuple[list[str], list[int]]:
    """The sentences of several texts, and for each the number of the text it stands in.

    All at once, because thousands of short messages cost more than one long text.
    """
    text = _BORDER.join(texts)
    if text.count("\x00") >= len(texts):  # somebody wrote the mark that we put between the texts
        text = _BORDER.join(text.replace("\x00", " ") for text in texts)
    for title in _TITLES:
        if f"{title}. " in text:
            text = text.replace(f"{title}. ", f"{title}.\x00")
    for mark in ".!?":
        text = text.replace(f"{mark} ", f"{mark}\n").replace(f'{mark}" ', f'{mark}"\n')
    found: list[str] = []
    places: list[int] = []
    place = 0
    for line in text.split("\n"):
        if line == "\x00":
            place += 1
        elif clean := line.replace("\x00", " ").strip():
            found.append(clean)
            places.append(place)
    return found, places


# --- what is no statement -------------------------------------------------------------------------

_OPENER = one_of("""
    and | but | so | ok(?:ay)? | well | oh | hi | hello | hey | now | then | please | sorry | thanks
    thank you | great | also | by the way | actually | wait | hmm | just
""")
_PERSON = "(?:i|we|you|he|she|it|they|my|our|your|the|this|that|there|his|her|their|anyone|any)"
_QUESTION = re.compile(
    rf"(?:{_OPENER}[,.!]? )*"
    + one_of(rf"""
        (?:what|whats|who|whose|whom|where|when|why|how|which)\b(?!ever| a (?:lovely|nice|great|beautiful|day))
        (?:am|is|are|was|were|do|does|did|can|could|will|would|should|shall|may|have|has|had) {_PERSON}\b
        (?:is|are|was|were|do|does|did|have|has|would|should) not {_PERSON}\b
        (?:tell|give|show) me\b(?! (?:an?|some|something|another|any) (?!(?:bit|little|overview|summary|list|few)\b))
        (?:say|recall|repeat|list|summari[sz]e|fill in|let me know)\b
        remind me\b(?! that| to\b) | name (?:one|two|three|four|five|all|my|the|some|any|\d)
        i (?:forgot|forget|wonder)\b | (?:i )?(?:do not|cannot|can not) (?:remember|recall)\b
        i(?: would| want| need)?(?: like)? to know\b | any idea\b | (?:complete|finish) (?:the|this|my) sentence\b
    """),
    re.I,
)
_UNREAL = re.compile(
    r"\b"
    + one_of(r"""
        if(?! (?:i|you) (?:had|have|must|need|want) (?:to )?(?:pick|choose|say|name|know)) | suppose | supposing | imagine | imagining | pretend | whether | unless | hypothetically
        let us say | let's say | i wish | as though | what about | for example | e\.g\. | assume | assuming
        had i | were i | would have been | used to believe | wonder
    """)
    + r"\b",
    re.I,
)
_IGNORANT = re.compile(
    r"\b(?:i|we) (?:(?:do|did|could|can|have|had)(?: ?not)|cannot|never|am not|still do not)(?: \w+)? "
    r"(?:know|knew|known|remember|recall|sure|tell|told|say|said|mention|mentioned)\b"
    r"|\bi (?:forgot|forget|have forgotten|wonder|bet|doubt)\b",
    re.I,
)


# A statement in the form of a request: "can you keep in mind that ...?".
_ASKED_TO_KEEP = re.compile(
    rf"(?:{_OPENER}[,.!]? )*(?:(?:can|could|would|will) you (?:please |also |just )?|please |do |and )*"
    + one_of(r"""
        (?:keep|bear) in mind\b(?! about| of) | remind me (?:that|to)\b | (?:note|jot|write)(?: down)? (?:that|the|my|this|it)\b
        make a note | take note | do not (?:let me )?forget\b | (?:put|add|stick|get) .{1,80} (?:on|to|onto) (?:my|the|our) (?:\w+ )?list
        remember (?:that|this|to|:|for me) | remember(?=:| my \w+(?: \w+)* is\b)
    """),
    re.I,
)


KEEPING = ("mind", "note", "forget", "list", "remember", "write", "jot")


def is_request_to_keep(sentence: str) -> bool:
    """Whether a sentence is a statement in the form of a request: "can you keep in mind that ...?"."""
    return _keeps(sentence[:200])


@lru_cache(maxsize=KNOWN)
def _keeps(begins: str) -> bool:
    low = begins.lower()
    return any(hint in low for hint in KEEPING) and bool(_ASKED_TO_KEEP.match(expand(begins)))


def is_question(sentence: str) -> bool:
    """Whether a sentence asks (or asks to be told) rather than states."""
    return _asks(sentence[:200], sentence.rstrip("\"')” ").endswith("?"))


@lru_cache(maxsize=KNOWN)
def _asks(begins: str, marked: bool) -> bool:
    return not _keeps(begins) and (marked or bool(_QUESTION.match(expand(begins))))


# --- clauses --------------------------------------------------------------------------------------

VERBS = frozenset(
    """
    is are was were am be will would can could must should shall may might has have had does do did
    likes like loves love hates hate prefers prefer enjoys enjoy dislikes adores wants want needs need
    lives live works work studies study plays play eats eat drinks drink owns own drives drive speaks
    speak goes go went came comes come starts start begins begin ends end finishes leaves leave left
    arrives arrive departs depart lands land takes take took gave gives give got gets get makes make
    made said says say told tells tell thinks think believes wrote writes asked asks wears wear keeps
    keep kept sits sit stands stand sells sell teaches teach runs run opens open closes close costs cost
    moved moves stays stay sleeps sleep cooks cook plays collects collect paid pays pay bought buys buy
    became becomes become turned turns turn died grew grows called calls named means mean met meets
    visits visit visited uses use used knows know hurts weighs weigh expires expire ran plans plan
    belongs belong lies lie holds hold contains contain includes include brought brings sent sends
    found finds lost loses broke won studied worked lived loved liked married retired graduated wakes
    remains remain requires require allows allow changed changes happens happened lent borrowed hid put
    puts parked booked ordered cannot
""".split()
)
_CONNECT = r"(?:and|but|so|because|while|whereas|although|though|plus|yet)"
_START = (
    r"(?:(?i:i|we|he|she|they|it|there)\b|(?i:my|our|his|her|their|its|the|this|that) |"
    r"[A-Z\u00c0-\u00de][\w-]*(?:'s | (?:" + "|".join(sorted(VERBS)) + r"|[a-z]+ed)\b))"
)
_SPLIT = re.compile(
    r"\s*[;–—]\s*|:\s+(?=(?i:i|my|we|our)\b)|\s+-\s+"
    rf"|,?\s+{_CONNECT}\s+(?:also\s+|that\s+|now\s+)?(?={_START})"
    rf"|,?\s+{_CONNECT}\s+(?=(?i:i|my|the|he|she|it|they|we|our|his|her|their)\b)|,\s+(?={_START})"
    rf"|,\s+(?=(?i:i|my|our|he|she)\b)"
)
_REPORTED = re.compile(
    r"\b(?!i\b|we\b)\w+ (?:said|says|told|tells|thinks|believes|asked|asks|wrote|writes|claims|reads"
    r"|claimed|replied)\b", re.I,
)  # fmt: skip
_SUBJECT_FOLLOWS = "(?=,| that| i | my | the | it | we | you)"
# What only introduces a statement: "please remember that ...".
_ANNOUNCING = one_of(rf"""
    (?:(?:can|could|would|will) you )?(?:please |do |always |also |just )*(?:remember|remind me(?! to\b)|note|keep in mind|bear in mind|do not forget|know)(?: also| please| for later| for me)?
    make a note | write down | (?:just )?so you know | you should know | can you (?:please )?remember
    (?:i )?(?:just )?(?:want|wanted|would like|need)(?: you)? to (?:know|remember|say|add|mention|tell you)
    i should (?:mention|say|add|tell you) | i (?:have to|must) (?:say|admit|add)
    let me (?:tell you|add|mention) | it is (?:important|worth knowing)
    i forgot to (?:mention|say|tell you) | i (?:already )?(?:told you|said|mentioned)
    (?:the )?fact is | (?:i am )?happy to say | (?:i think|i guess|i believe|i am afraid|you know){_SUBJECT_FOLLOWS}
""")
# What may stand before it: "well, by the way, ...".
_MURMUR = one_of(r"""
    oh | well | so | and | but | also | ok | okay | yes | yeah | yep | no | nope | thanks | thank you
    (?:hi|hello|hey)(?: there)? | good (?:morning|afternoon|evening) | great | cool | sure | right
    actually | sorry | please | by the way | btw | fyi | just so you know | for the record | for your notes
    for your information | one more thing | another thing | in fact | as i said | as you know | to be clear
    honestly | oops | wait | correction | first | firstly | second | secondly | finally | lastly | anyway
    additionally | moreover | besides | unfortunately | luckily | hmm | ah | note | remember | important
    nb | update | p\.?s\.? | on second thoughts? | i(?: have)? changed my mind(?: again)? | change of plans?
    i was wrong | i made a mistake | come to think of it | scratch that | my mistake | my bad | then
    because | since then | (?:conversation )?summary(?: so far)? | (?:known )?facts | notes
""")
_LEAD = re.compile(
    rf"(?:{_ANNOUNCING}(?:\s*[:,]\s*|\s+that\s+|\s+)(?=\w)|{_MURMUR}(?:[,:!.]+\s*|\s+-+\s+|\s+))+",
    re.I,
)
_LEADING_WORDS = re.compile(
    one_of(r"""
        from now on | at the moment | right now | nowadays | these days | currently | for now
        as of today | since \w+ | this year
    """)
    + r",?\s+",
    re.I,
)
_BULLET = re.compile(r"^(?:[-*•]|\(?\d{1,2}[.)])\s+")
_LABEL = re.compile(r"^((?:my |the |our )?[^\W\d][\w' -]{1,40}?)\s*(?::|=|->|→)\s+(?=\S)", re.I)


_PHRASE = re.compile(
    r"(?:in|out of|on|at|during|after|before|for|as|by|with|since|until|every|of|to|from|my|our|the|an?|i)\b",
    re.I,
)


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that state something, without what merely introduces them."""
    return list(_clauses(sentence[:LONGEST]))


@lru_cache(maxsize=KNOWN)
def _clauses(sentence: str) -> tuple[str, ...]:
    text = _BULLET.sub("", expand(sentence).strip())
    if _REPORTED.search(text):
        parts = [text]
    else:
        parts = []
        for part in _SPLIT.split(text):
            if parts and not (
                _has_verb(part) and (_has_verb(parts[-1]) or not _PHRASE.match(parts[-1]))
            ):
                start = text.index(part, len(parts[-1]) and text.index(parts[-1]) + len(parts[-1]))
                parts[-1] = text[text.index(parts[-1]) : start + len(part)]
            else:
                parts.append(part)
    pieces = [strip_lead(piece) for part in parts for piece in _relative(part)]
    return tuple(filter(None, pieces))


_WHO = re.compile(
    r"\b(?:my|our|an?) ((?:[a-z][\w-]* )?[a-z][\w-]*(?: (?:called|named) [A-Z][\w'-]*| [A-Z][\w'-]*)?),? who (?=[a-z])",
    re.I,
)


def _relative(part: str) -> list[str]:
    """ "With my aunt, who sings" also states "my aunt sings"."""
    match = _WHO.search(part)
    if not match:
        return [part]
    noun = re.sub(r" (?:called|named) .*", "", match[1])
    return [part[: match.end(1)], f"my {noun} {part[match.end() :]}"]


_TRAIL = re.compile(
    r",? (?:by the way|btw|fyi|just so you know|for your information)$|, (?:please|thanks|thank you|too|though)$",
    re.I,
)


def strip_lead(text: str) -> str:
    """Without "please remember that", "by the way" and their like, and without the end mark."""
    return _stripped(text) if len(text) <= LONGEST else _stripped.__wrapped__(text)


@lru_cache(maxsize=KNOWN)
def _stripped(text: str) -> str:
    text = text.strip(" \t\"'“”.,;!*_")
    if match := _LEAD.match(text):
        text = text[match.end() :]
    if match := _LEADING_WORDS.match(text):
        text = text[match.end() :]
    return _TRAIL.sub("", text.strip(' \t"“”.,;!*_:'))


def _has_verb(text: str) -> bool:
    words = WORD.findall(text)
    return any(
        w.lower() in VERBS or w.islower() and w.endswith("ed")
        for w in words[1:]
        if w not in _PARTICIPLES
    ) or bool(label(text))


_CLAUSE = re.compile(r"(?:i|my|we|our|he|she|they|it|his|her|the|there)\b", re.I)


def label(text: str) -> re.Match | None:
    """ "Budget: 40 dollars", but not "I have two cats: Miso and Tofu"."""
    match = _LABEL.match(text)
    if match and _CLAUSE.match(text, match.end()) and _has_verb(text[match.end() :]):
        return None
    if match and not {w.lower() for w in WORD.findall(match[1])} & (VERBS | {"i", "we", "have"}):
        return match
    return None


_PARTICIPLES = frozenset(("called", "named"))


def is_fact(clause: str) -> bool:
    """Whether a clause states something (no question, no supposition, no confession of ignorance)."""
    return _states(clause) if len(clause) <= LONGEST else _states.__wrapped__(clause)


@lru_cache(maxsize=KNOWN)
def _states(clause: str) -> bool:
    return not (is_question(clause) or _UNREAL.search(clause) or _IGNORANT.search(clause))
