"""What one clause states: about whom, whose thing, and which words carry its meaning.

A statement keeps its words as they stand in the request; the rest only serves to find it again.
"""

import re
from dataclasses import dataclass, replace

from .clauses import VERBS, label
from .implied import implied
from .words import STOP, WORD, content, stem

_IDLE = frozenset("that this it there he she they these those let thanks".split())


_NOTHING = re.compile(
    r"i (?:have|have got|need) (?:a|an|another|one|some|your) (?:\w+ )?(?:question|request|problem|help|favou?r)"
    r"|(?:i|we) (?:am|are) (?:just |now |all )?(?:back|here|ready|done|off|lost|curious|wondering|fine|good|ok|okay|sorry"
    r"|sure|bored|home)(?: now| again)?$",
    re.I,
)


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
    kept: bool = False  # the user asked that it be remembered

    @property
    def tells(self) -> bool:
        """Whether it is worth repeating: about the user, a named thing or a person."""
        if self.kept:
            return True
        idle = self.text.split(" ", 1)[0].lower() in _IDLE or _NOTHING.match(self.text)
        return not idle and self.root != "model" and bool(self.root or self.verb)

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


_OPENING = re.compile(
    r"(?:in|on|at|during|after|before|for|as|by|with|since|until|every|out of|of|to|from) [^,;:]{1,40}?(?:, | )(?=(?:i|we|my|our) )",
    re.I,
)
_MINE = re.compile(r"(?:(?:my|our)(?: [\w'-]+){1,4}|(?:[A-Z][\w-]*'s)(?: [\w'-]+){1,3})$")
_HAVE_NAMED = re.compile(
    r"(?:i|we) (?:also )?(?:have|have got|own|adopted|got) (?:an?|one) ((?:[a-z-]+ )?[a-z-]+) (?:called|named) [A-Z][\w'-]*$",
    re.I,
)
_CALL_ME = re.compile(
    r"^(?:[\w ]{2,14}[,!.]+ )?(?:this is ([A-Z][\w'-]*)(?= from| speaking| again|$|[,.!])"
    r"|it is ([A-Z][\w'-]*)(?= again| here)|([A-Z][\w'-]*) (?:here|speaking)(?=$|[,.!]))"
    r"|\bi go by ([A-Z][\w'-]*)|\bcalls? me ((?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)|[\w'-]+)"
)


# What a list says of the one who writes it: "Name: Olu", "Allergies: soy".
_PERSONAL = frozenset(
    map(
        stem,
        """name age city town country address email phone mobile budget diet allergy birthday
    birthplace job profession language nationality hobby nickname surname height weight company hotel team""".split(),
    )
)


def _of_mine(label: str) -> str:
    """ "Budget" of "Budget: 40 dollars" as the subject and verb of a sentence."""
    words = label.split()
    mine = (
        stem(words[-1]) in _PERSONAL
        and words[0].lower() not in ("my", "our", "the")
        and "'" not in label
    )
    subject = f"my {label[0].lower()}{label[1:]}" if mine else label
    return (
        f"{subject} {'are' if words[-1].endswith('s') and not words[-1].endswith('ss') else 'is'}"
    )


def note_of(text: str, place: int) -> Statement:
    """Anything that was to be remembered and has no grammar that we read."""
    words = content(WORD.findall(text))
    return Statement(text, place, "", frozenset(), frozenset(), words, False, kept=True)


def parse(clause: str, place: int, own: bool = True) -> Statement | None:
    """What a clause says, or None if it cannot be read as a statement."""
    if match := label(clause):
        clause = f"{_of_mine(match[1])} {clause[match.end() :]}"
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
    if match := _CALL_ME.search(clause):
        said = content(words) | {"name"}
        return Statement(clause, place, "user", frozenset(), frozenset({"name"}), said, False,
                         "my name", "is", next(filter(None, match.groups())), True, own)  # fmt: skip
    at, linking = _verb(words, low)
    if at is None:
        return _bare(clause, words, place, own)
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
        # "Nine is my lucky number": what is told of stands after the verb.
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
    more = implied(statement, words, at)
    return replace(statement, words=said | more) if more else statement


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
            and words[at - 1].lower() not in ("to", "the", "a", "my")
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
