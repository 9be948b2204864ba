"""From text to statements: sentences, their clauses, and what each clause says about whom.

A statement keeps its words as they stand in the request. Beside them stand the few things needed to
find it again: who it is about, whose thing it is, which words carry its meaning.
"""

import re
from dataclasses import dataclass, field

from .person import expand
from .words import COLOURS, NUMBER_WORDS, STOP, TIME, WORD, content, has_number, stem

LONGEST = 400  # characters; a longer "sentence" is material, not something a person says of himself


@dataclass(frozen=True)
class Statement:
    """One clause that states something.

    `root` is whose mouth's "my" it hangs on: "user", "model" or "" (a thing or another person).
    `owners` are the people or things that have the `about`: in "my sister's favourite food is ramen"
    {sister} has {favourite, food}. "I live in Ede" has neither.
    """

    text: str
    place: int  # order in the request; a larger one is newer
    root: str
    owners: frozenset[str]
    about: frozenset[str]
    words: frozenset[str]
    negative: bool
    subject: str = ""  # as written
    verb: str = ""
    value: str = ""  # what follows the verb
    linking: bool = False  # the verb is a form of "be"
    own: bool = field(default=True)  # said by the user, not by the system prompt

    def mentions(self, stems: frozenset[str]) -> bool:
        return stems <= self.words


# --- sentences ------------------------------------------------------------------------------------

_TITLES = ("Mr", "Mrs", "Ms", "Dr", "Prof", "St", "No", "e.g", "i.e", "approx", "vs")


def sentences(text: str) -> list[str]:
    """The sentences of a text. Linear, and quick on long texts: plain replacements, no pattern."""
    for title in _TITLES:
        text = text.replace(f"{title}. ", f"{title}.\x00")
    for mark in ".!?":
        text = text.replace(f"{mark} ", f"{mark}\n").replace(f'{mark}" ', f'{mark}"\n')
    return [s for line in text.split("\n") if (s := line.replace("\x00", " ").strip())]


# --- what is no statement -------------------------------------------------------------------------

_QUESTION = re.compile(
    r"(?:and |but |so |ok(?:ay)?,? |well,? |oh,? |hi,? |hello,? |hey,? |now,? |then,? |please,? |sorry,? "
    r"|thanks[,.!]? |thank you[,.!]? |great[,.!]? |also,? |by the way,? |actually,? |wait,? |hmm,? |just )*"
    r"(?:(?:what|whats|who|whose|whom|where|when|why|how|which)\b(?! a (?:lovely|nice|great|beautiful|day))"
    r"(?!(?:ever)\b)|(?:am|is|are|was|were|do|does|did|can|could|will|would|should|shall|may|have|has|had)"
    r" (?:i|we|you|he|she|it|they|my|our|your|the|this|that|there|his|her|their|anyone|any|not)\b"
    r"|tell me\b|remind me\b|give me\b|say\b|recall\b|repeat\b|list\b|name (?:one|two|three|four|five|all|my|the|some|any|\d)"
    r"|summari[sz]e\b|i (?:forgot|forget)\b|(?:i )?(?:do not|cannot|can not) (?:remember|recall)\b"
    r"|i(?: would| want| need)?(?: like)? to know\b|show me\b|any idea\b|remember my \w+\?|i wonder\b|let me know\b)",
    re.I,
)
_UNREAL = re.compile(
    r"\b(?:if|suppose|supposing|imagine|imagining|pretend|whether|unless|hypothetically|let us say|let's say"
    r"|i wish|as though|what about|for example|e\.g\.|assume|assuming|had i|were i|would have been"
    r"|used to believe|wonder)\b",
    re.I,
)
_IGNORANT = re.compile(
    r"\b(?:i|we) (?:do not|did not|cannot|can not|could not|forgot|forget|have forgotten|never)\b"
    r"(?: \w+)? ?(?:know|knew|remember|recall|sure|tell|told|told you|say|said|mention|mentioned)?\b",
    re.I,
)
_IGNORANT_VERBS = _IGNORANT_WORDS = re.compile(
    r"\b(?:i|we) (?:(?:do|did|could|can|have|had)(?: ?not)|cannot|never|am not|still do not)(?: \w+)? "
    r"(?:know|knew|known|remember|recall|sure|tell|told|say|said|mention|mentioned)\b"
    r"|\bi (?:forgot|forget|have forgotten|wonder)\b",
    re.I,
)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks (or asks to be told) rather than states."""
    return sentence.rstrip("\"')” ").endswith("?") or bool(_QUESTION.match(expand(sentence[:200])))


# --- clauses --------------------------------------------------------------------------------------

_VERBS = frozenset("""
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
""".split())
_CONNECT = r"(?:and|but|so|because|while|whereas|although|though|plus|yet)"
_START = (
    r"(?:(?:i|we|he|she|they|it|there)\b|(?:my|our|his|her|their|its|the|this|that) |"
    r"[A-Z\u00c0-\u00de][\w-]*(?:'s | (?:" + "|".join(sorted(_VERBS)) + r")\b))"
)
_SPLIT = re.compile(
    rf"\s*[;–—]\s*|\s+-\s+|,?\s+{_CONNECT}\s+(?:also\s+|that\s+)?(?={_START})"
    rf"|,?\s+{_CONNECT}\s+(?=(?i:i|my|the|he|she|it|they|we|our|his|her|their)\b)|,\s+(?={_START})"
    rf"|,\s+(?=(?i:i|my|our|he|she)\b)"
)
_REPORTED = re.compile(
    r"\b(?!i\b|we\b)\w+ (?:said|says|told|tells|thinks|believes|asked|asks|wrote|writes|claims|reads"
    r"|claimed|replied)\b", re.I,
)  # fmt: skip
_LEAD = re.compile(
    r"(?:(?:(?:please |do |always )?(?:remember|note|keep in mind|bear in mind|do not forget|make a note|write down|know)"
    r"(?: also| please| for later| for me)?"
    r"|(?:just )?so you know|you should know|(?:i )?(?:just )?(?:want|wanted|would like|need)(?: you)? to"
    r" (?:know|remember|say|add|mention|tell you)|i should (?:mention|say|add|tell you)|i (?:have to|must) (?:say|admit|add)"
    r"|let me (?:tell you|add|mention)|it is (?:important|worth knowing)|i forgot to (?:mention|say|tell you)"
    r"|i (?:already )?(?:told you|said|mentioned)|can you (?:please )?remember|(?:the )?fact is|i think"
    r"|(?:i am )?happy to say|i am afraid|i guess|i believe|you know)"
    r"(?:\s*[:,]\s*|\s+that\s+|\s+)(?=\w)"
    r"|(?:oh|well|so|and|but|also|ok|okay|yes|yeah|yep|no|nope|hi|hello|hey|hey there|hi there|hello there|thanks|thank you"
    r"|great|cool|sure|right|actually|sorry|please|by the way|btw|fyi|just so you know|for the record"
    r"|for your information|for your notes|good (?:morning|afternoon|evening)|one more thing|another thing|in fact"
    r"|as i said|as you know|to be clear|honestly|oops|wait|correction|first|firstly|second|secondly|finally|lastly"
    r"|anyway|additionally|moreover|besides|unfortunately|luckily|hmm|ah|note|remember|important|nb|p\.?s\.?"
    r"|on second thoughts?|come to think of it|scratch that|my mistake|my bad|then|because|since then"
    r"|conversation summary so far|summary so far|conversation summary|summary|known facts|facts|notes)"
    r"(?:[,:!.]+\s*|\s+-+\s+|\s+))+",
    re.I,
)
_LEADING_WORDS = re.compile(
    r"(?:from now on|at the moment|right now|nowadays|these days|currently|for now|as of today|since \w+|this year),?\s+",
    re.I,
)
_BULLET = re.compile(r"^(?:[-*•]|\(?\d{1,2}[.)])\s+")
_LABEL = re.compile(r"^((?:my |the |our )?[^\W\d][\w' -]{1,40}?)\s*(?::|=|->|→)\s+(?=\S)", re.I)


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that state something, without what merely introduces them."""
    text = _BULLET.sub("", expand(sentence[:LONGEST]).strip())
    if _REPORTED.search(text):
        parts = [text]
    else:
        parts = []
        for part in _SPLIT.split(text):
            if parts and not (_has_verb(part) and _has_verb(parts[-1])):
                start = text.index(part, len(parts[-1]) and text.index(parts[-1]) + len(parts[-1]))
                parts[-1] = text[text.index(parts[-1]) : start + len(part)]
            else:
                parts.append(part)
    return [clean for part in parts if (clean := strip_lead(part))]


def strip_lead(text: str) -> str:
    """Without "please remember that", "by the way" and their like, and without the end mark."""
    text = text.strip(" \t\"'“”.,;!*_")
    if match := _LEAD.match(text):
        text = text[match.end() :]
    if match := _LEADING_WORDS.match(text):
        text = text[match.end() :]
    return text.strip(" \t\"“”.,;!*_:")


def _has_verb(text: str) -> bool:
    words = WORD.findall(text)
    return any(w.lower() in _VERBS for w in words[1:] if w not in _PARTICIPLES) or bool(_label(text))


def _label(text: str) -> re.Match | None:
    """ "Budget: 40 dollars", but not "I have two cats: Miso and Tofu"."""
    match = _LABEL.match(text)
    if match and not {w.lower() for w in WORD.findall(match[1])} & (_VERBS | {"i", "we", "have"}):
        return match
    return None


_PARTICIPLES = frozenset(("called", "named", "parked", "booked", "ordered", "made", "used"))


def is_fact(clause: str) -> bool:
    """Whether a clause states something (no question, no supposition, no confession of ignorance)."""
    return not (is_question(clause) or _UNREAL.search(clause) or _IGNORANT_VERBS.search(clause))


# --- statements -----------------------------------------------------------------------------------

_BE = frozenset("am is are was were be been being".split())
_MODAL = frozenset("will would can could must should shall may might has have had does do did".split())
_NEGATIVE = frozenset("not never no none nothing neither nor cannot without hate hates hated dislike "
                      "dislikes disliked detest detests loathe stopped quit".split())  # fmt: skip
_ADVERBS = frozenset("also really just still now always never usually often currently only actually "
                     "already then both all truly absolutely normally mostly definitely".split())  # fmt: skip
_DIETS = frozenset(map(stem, "vegetarian vegan pescatarian pescetarian coeliac celiac diabetic halal kosher "
                             "gluten-free lactose-intolerant lactose teetotal intolerant".split()))  # fmt: skip
_NATION = re.compile(
    r"(?:\w+(?:ish|ese|egian|alian|erman|rench|utch|reek|wiss|exican|azilian|ndian|ussian|ustralian"
    r"|anadian|merican|frican|ustrian|elgian|kranian|omanian|ungarian|gyptian|igerian|enyan|sian"
    r"|opean|hilean|ersian|oroccan)|Czech|Thai|Arab|Catholic|Muslim|Jewish|Hindu|Buddhist|Christian)$"
)
_ALIVE = frozenset(map(stem, "dog cat pet horse rabbit hamster parrot bird fish goldfish turtle pony puppy kitten".split()))


_CALL_ME = re.compile(r"\bcalls? me ((?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)|[\w'-]+)")


def parse(clause: str, place: int, own: bool = True) -> Statement | None:
    """What a clause says, or None if it cannot be read as a statement."""
    if label := _label(clause):
        clause = f"{label[1]} is {clause[label.end() :]}"
    words = WORD.findall(clause)
    if len(words) < 2:
        return None
    low = [w.lower() for w in words]
    at, linking = _verb(words, low)
    if at is None:
        return _bare(clause, words, place, own)
    if match := _CALL_ME.search(clause):
        said = content(words) | {"name"}
        return Statement(clause, place, "user", frozenset(), frozenset({"name"}), said, False,
                         "my name", "is", match[1], True, own)  # fmt: skip
    root = "user" if low[0] in ("i", "we", "my", "our") else "model" if low[0] in ("you", "your") else ""
    owners, about = (frozenset(), frozenset()) if low[0] in ("i", "we", "you") else _subject(words[:at])
    named = linking and any(w in ("called", "named") for w in low[at : at + 3])
    if about and (named or not linking):
        owners, about = owners | about, frozenset({"name"}) if named else frozenset()
    negative = bool(_NEGATIVE & set(low[max(0, at - 2) : at + 5])) or "no longer" in clause.lower()
    start, end = _span(clause, words, at)
    value = clause[end:].strip()
    said = content(words) | about | owners
    if "from" in low:
        said |= {"from"}
    statement = Statement(
        clause, place, root, owners, about, said, negative, clause[:start].strip(), words[at],
        value, linking, own,
    )  # fmt: skip
    implied = _implied(statement, words, at)
    return Statement(**{**statement.__dict__, "words": said | implied}) if implied else statement


def _verb(words: list[str], low: list[str]) -> tuple[int | None, bool]:
    """Where the verb stands, and whether it is a form of "be"."""
    if low[0] in ("i", "we", "you", "he", "she", "it", "they", "there"):
        at = 1
        while at < len(low) - 1 and low[at] in _ADVERBS:
            at += 1
        return _past_modal(low, at)
    for at in range(1, min(len(low), 12)):
        if low[at] in _VERBS and not words[at - 1].lower() in ("to", "the", "a", "my") and words[at].islower():
            return _past_modal(low, at)
    for at in range(2 if low[0] in STOP else 1, min(len(low) - 1, 8)):
        word = low[at]
        if words[at].islower() and word.isalpha() and len(word) > 3 and (
            word.endswith("ed") or word.endswith("s") and not word.endswith(("ss", "us", "is"))
        ) and (low[at + 1] in STOP or low[at + 1][0].isdigit()):  # fmt: skip
            return at, False
    return None, False


def _past_modal(low: list[str], at: int) -> tuple[int, bool]:
    """Steps over "will", "has", "not" and adverbs if "be" follows."""
    ahead = at
    while ahead < len(low) - 1 and (low[ahead] in _MODAL or low[ahead] in _ADVERBS or low[ahead] == "not"):
        ahead += 1
    if low[ahead] in _BE:
        return ahead, True
    return at, False


def _subject(words: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The owners and the thing of a noun phrase: "my sister's dog" is ({sister}, {dog})."""
    owners: set[str] = set()
    thing: list[str] = []
    after_of: list[str] | None = None
    for word in words:
        if word.lower().endswith(("'s", "s'")):
            owners |= content([*thing, word])
            thing = []
        elif word.lower() in ("of", "for") and thing:
            after_of = []
        elif after_of is not None:
            after_of.append(word)
        else:
            thing.append(word)
    about = content(thing)
    if after_of:
        if about == {"name"}:
            owners |= content(after_of)
        else:
            about |= content(after_of)
    return frozenset(owners), frozenset(w for w in about if w not in ("last", "first") or len(about) == 1)


def _bare(clause: str, words: list[str], place: int, own: bool) -> Statement | None:
    """A noun phrase that was to be remembered: "the code word pineapple"."""
    said = content(words)
    if len(words) > 12 or len(said) < 2:
        return None
    low = words[0].lower()
    root = "user" if low in ("my", "our") else ""
    owners, about = _subject(words)
    return Statement(clause, place, root, owners, about, said, False, own=own)


def _span(clause: str, words: list[str], at: int) -> tuple[int, int]:
    """Start and end of the verb in the text."""
    for index, match in enumerate(WORD.finditer(clause)):
        if index == at:
            return match.span()
    return len(clause), len(clause)


_GOING = re.compile(r"^(?:i|we) (?:am|are|will be) going to [A-Z]", re.I)
_LISTED = re.compile(r"\b(?:have|has)\b.* [a-z]+[:,] [A-Z]\w+(?:,| and|$)")
_AGE = re.compile(r"^(?:only |almost |nearly |about |now )?(\d{1,3}|[a-z]+(?:-[a-z]+)?)(?: years?(?: old| of age)?| now| today|$)")
_ROLE = re.compile(r"^(?:an?|the|now an?|currently an?) ", re.I)


def _implied(statement: Statement, words: list[str], at: int) -> set[str]:
    """Words that a statement answers to without using them: "I'm Ada" tells a name."""
    extra: set[str] = set()
    value, said, verb = statement.value, statement.words, statement.verb.lower()
    bare = statement.root == "user" and not statement.owners and not statement.about
    if said & _DIETS or "allergy" in said or ("eat" in said and statement.negative):
        extra |= {"diet", "eat", "food"}
        if "allergy" in said:
            extra.discard("diet")
    if statement.linking and not statement.negative:
        match = _AGE.match(value.lower())
        if match and (match[1].isdigit() or set(match[1].split("-")) <= NUMBER_WORDS):
            if "year" in value or (value.replace(".", "").split() or [""])[0] == value.strip("."):
                extra.add("old")
        if bare and introduced_name(value) or "birthday" in said and False:
            extra.add("name")
        if (bare or not statement.about & {"name"}) and _ROLE.match(value) and not said & _DIETS:
            extra.add("job")
    if verb == "turned" and value[:1].isdigit():
        extra.add("old")
    if verb in ("weigh", "weighs"):
        extra.add("weight")
    if "live" in said:
        extra.add("address")
    if "buy" in said and has_number(value):
        extra.add("cost")
    if _GOING.match(statement.text):
        extra.add("trip")
    if _LISTED.search(value) or _LISTED.search(statement.text):
        extra.add("name")
    if bare and re.search(r", an? [a-z]", value) and introduced_name(value):
        extra.add("job")
    if "like" in said and {"best", "most"} & {w.lower() for w in words}:
        extra.add("favourite")
    if said & COLOURS:
        extra.add("colour")
    if TIME.search(statement.text):
        extra.add("time")
    if len(words) > at + 1 and words[at + 1].lower() in ("called", "named"):
        extra.add("name")
    return extra


_NAME = re.compile(r"^([A-Z\u00c0-\u00de][\w'-]*(?: [A-Z\u00c0-\u00de][\w'-]*){0,2})(?=$|[,.!]| (?:and|from|by the way|here)\b)")


def introduced_name(value: str) -> str:
    """The name in what follows "I am", or ""."""
    match = _NAME.match(value)
    if not match or _NATION.match(match[1]) or match[1].isupper() and len(match[1]) > 4:
        return ""
    return match[1]
