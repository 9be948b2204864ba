"""What one clause states: about whom, whose thing, and which words carry its meaning.

A statement keeps its words as they stand in the request; the rest only serves to find it again.
"""

import re
from dataclasses import dataclass, replace

from .clauses import VERBS, label
from .words import COLOURS, DATE, NUMBER_WORDS, STOP, TIME, WORD, content, has_number, stem


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
    own: bool = True  # said by the user, not by the system prompt

    @property
    def every_word(self) -> frozenset[str]:
        """The stems of all its words, the small ones too."""
        return frozenset(map(stem, WORD.findall(self.text)))


_BE = frozenset("am is are was were be been being".split())
_MODAL = frozenset(
    "will would can could must should shall may might has have had does do did".split()
)
_NEGATIVE = frozenset("not never no none nothing neither nor cannot without hate hates hated dislike "
                      "dislikes disliked detest detests loathe stopped quit stand bear".split())  # fmt: skip
_ADVERBS = frozenset("also really just still now always never usually often currently only actually "
                     "already then both all truly absolutely normally mostly definitely".split())  # fmt: skip
_DIETS = frozenset(map(stem, "vegetarian vegan pescatarian pescetarian coeliac celiac diabetic halal kosher "
                             "gluten-free lactose-intolerant lactose teetotal intolerant".split()))  # fmt: skip
_NATION = re.compile(
    r"(?:\w+(?:ish|ese|egian|alian|erman|rench|utch|reek|wiss|exican|azilian|ndian|ussian|ustralian"
    r"|anadian|merican|frican|ustrian|elgian|kranian|omanian|ungarian|gyptian|igerian|enyan|sian"
    r"|opean|hilean|ersian|oroccan)|Czech|Thai|Arab|Catholic|Muslim|Jewish|Hindu|Buddhist|Christian)$"
)
_ALIVE = frozenset(
    map(
        stem,
        "dog cat pet horse rabbit hamster parrot bird fish goldfish turtle pony puppy kitten".split(),
    )
)


_OPENING = re.compile(
    r"(?:in|on|at|during|after|before|for|as|by|with|since|until|every|out of|of|to|from) [^,;:]{1,40}?(?:, | )(?=(?:i|we|my|our) )",
    re.I,
)
_HAVE_NAMED = re.compile(
    r"(?:i|we) (?:also )?(?:have|have got|own|adopted|got) (?:an?|one) ((?:[a-z-]+ )?[a-z-]+) (?:called|named) [A-Z][\w'-]*$",
    re.I,
)
_CALL_ME = re.compile(r"\bcalls? me ((?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)|[\w'-]+)")


def parse(clause: str, place: int, own: bool = True) -> Statement | None:
    """What a clause says, or None if it cannot be read as a statement."""
    if match := label(clause):
        clause = f"{match[1]} is {clause[match.end() :]}"
    if match := _OPENING.match(clause):
        # "In my free time I build ships": the subject comes after the opening phrase.
        if statement := parse(clause[match.end() :], place, own):
            return replace(
                statement, text=clause, words=statement.words | content(WORD.findall(match.group()))
            )
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
    root = (
        "user"
        if low[0] in ("i", "we", "my", "our")
        else "model"
        if low[0] in ("you", "your")
        else ""
    )
    owners, about = (
        (frozenset(), frozenset()) if low[0] in ("i", "we", "you") else _subject(words[:at])
    )
    if linking and not root and at <= 4 and _MINE.match(" ".join(words[at + 1 :])):
        # "Blue is my favourite colour": what is told of stands after the verb.
        root = "user" if low[at + 1] in ("my", "our") else ""
        owners, about = _subject(words[at + 1 :])
        said = content(words)
        return Statement(clause, place, root, owners, about, said, "not" in low, " ".join(words[at + 1 :]),
                         words[at], " ".join(words[:at]), True, own)  # fmt: skip
    named = linking and any(w in ("called", "named") for w in low[at : at + 3])
    if about and (named or not linking):
        owners, about = owners | about, frozenset({"name"}) if named else frozenset()
    negative = bool(_NEGATIVE & set(low[max(0, at - 2) : at + 5])) or "no longer" in clause.lower()
    start, end = _span(clause, words, at)
    value = clause[end:].strip()
    if linking and not value:
        return None
    if match := _HAVE_NAMED.match(clause):
        owners, about = content(WORD.findall(match[1])), frozenset({"name"})
    said = content(words) | about | owners
    if "from" in low:
        said |= {"from"}
    statement = Statement(
        clause, place, root, owners, about, said, negative, clause[:start].strip(), words[at],
        value, linking, own,
    )  # fmt: skip
    implied = _implied(statement, words, at)
    return replace(statement, words=said | implied) if implied else statement


def _verb(words: list[str], low: list[str]) -> tuple[int | None, bool]:
    """Where the verb stands, and whether it is a form of "be"."""
    if low[0] in ("i", "we", "you", "he", "she", "it", "they", "there"):
        at = 1
        while at < len(low) - 1 and low[at] in _ADVERBS:
            at += 1
        return _past_modal(low, at)
    for at in range(1, min(len(low), 12)):
        if (
            low[at] in VERBS
            and not words[at - 1].lower() in ("to", "the", "a", "my")
            and words[at].islower()
        ):
            return _past_modal(low, at)
    for at in range(2 if low[0] in STOP else 1, min(len(low) - 1, 8)):
        word = low[at]
        if words[at].islower() and word.isalpha() and len(word) > 3 and (
            word.endswith("ed") or word.endswith("s") and not word.endswith(("ss", "us", "is"))
            and (low[at + 1] in STOP or low[at + 1][0].isdigit())
        ):  # fmt: skip
            return at, False
    return None, False


def _past_modal(low: list[str], at: int) -> tuple[int, bool]:
    """Steps over "will", "has", "not" and adverbs if "be" follows."""
    ahead = at
    while ahead < len(low) - 1 and (
        low[ahead] in _MODAL or low[ahead] in _ADVERBS or low[ahead] == "not"
    ):
        ahead += 1
    if low[ahead] in _BE:
        return ahead, True
    return at, False


_ASIDE = frozenset(
    "on in at near from by under behind to with inside beside who that which".split()
)


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
        elif word.lower() in _ASIDE and thing:
            break  # "the bakery on our street": only the bakery is the subject
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
    return frozenset(owners), frozenset(
        w for w in about if w not in ("last", "first") or len(about) == 1
    )


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


_TALL = re.compile(
    r"\d(?: ?cm| ?m| ?centimet\w+| ?met\w+|')?\b.*\btall\b|\b(?:am|is|are) \d[.,]\d+ ?m\b|\b\d{3} ?cm\b",
    re.I,
)
_AVERSE = re.compile(
    r"\b(?:cannot|can not|could not) (?:stand|bear)\b|\b(?:fan of|keen on|crazy about|fond of)\b",
    re.I,
)
_NUMBERED = re.compile(r"\b[a-z]{3,} (?:is )?(?:[A-Z]{0,3}-?\d[\w-]*)(?=[\s,.]|$)")
_GOING = re.compile(r"^(?:i|we) (?:am|are|will be) going to [A-Z]", re.I)
_LISTED = re.compile(r"\b(?:have|has)\b.* [a-z]+[:,] [A-Z]\w+(?:,| and|$)")
_MINE = re.compile(r"(?:(?:my|our)(?: [\w'-]+){1,4}|(?:[A-Z][\w-]*'s)(?: [\w'-]+){1,3})$")
_AGE = re.compile(
    r"^(?:only |almost |nearly |about |now )?(\d{1,3}|[a-z]+(?:-[a-z]+)?)(?: years?(?: old| of age)?| now| today| in [a-z]+$|$)"
)
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
    if verb == "turned" and (value[:1].isdigit() or value.split(" ")[0] in NUMBER_WORDS):
        extra.add("old")
    if _TALL.search(statement.text):
        extra.add("height")
    if _AVERSE.search(statement.text):
        extra.add("like")
    if bare and _NATION.match(value):
        extra |= {stem("nationality"), "from"}
    if _NUMBERED.search(DATE.sub("", statement.text)):
        extra.add("number")
    if "address" in statement.about:
        extra.add("live")
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


_NAME = re.compile(
    r"^([A-Z\u00c0-\u00de][\w'-]*(?: [A-Z\u00c0-\u00de][\w'-]*){0,2})(?=$|[,.!]| (?:and|from|by the way|here)\b)"
)


def introduced_name(value: str) -> str:
    """The name in what follows "I am", or ""."""
    match = _NAME.match(value)
    if not match or _NATION.match(match[1]) or match[1].isupper() and len(match[1]) > 4:
        return ""
    return match[1]
