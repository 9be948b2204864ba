"""Finding an answer in sentences that the grammar cannot read.

The question is cut into the words that an answer must share with it (people, things, what is done) and
the kind of value that it asks for. A part of a sentence answers if it shares all of them, holds such a
value, and is about nobody else. What it leaves out ("it's at nine") may stand in the sentences beside
it, if the part names no thing of its own. The newest answer wins, and what puts it right wins over it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .clauses import VERBS, is_fact, strip_lead
from .kinds import NAMELESS, OF_WORD, kind_of, value_in
from .memory import Memory
from .naming import name_asked
from .person import expand, sentence, to_second
from .questions import CATEGORY, Question, read
from .wording import AUXILIARY
from .words import COLOURS, DATE, NUMBER_WORDS, PERSONS, STOP, TIME, WORD, search_forms, stem

AROUND = 3  # sentences before and after that may complete a part
MOST = 200  # candidate sentences that are read
LONGEST = 400  # characters of a sentence that somebody says
_TOLD = "You told me: "
NEXT = 2  # turns of a conversation from one message of the user to his next

_WH = re.compile(
    r"^(?:(?:in|on|at|to|from|for|by|with|of|about|under|until) )?"
    r"(how (?:many|much|old|long|far|often|tall|big|heavy|large)"
    r"|what|which|whom?|whose|where|when|why|how)\b\s*",
    re.I,
)
# Words that say little about what is asked, and small words that `STOP` does not have.
_GENERIC = frozenset(
    map(stem, """get take have make do go come put keep use give need want find set plan follow happen be know tell
        say mention ask choose recommend suggest supposed kind type sort thing way one place today tonight
        tomorrow week this last next time day again total exactly dietary kept going spell end called pick
        earlier leave-it people person guest number amount name""".split()),
)  # fmt: skip
_SMALL = frozenset(
    "before after during until since per without between because while though via around within".split()
)
_TEMPORARY = frozenset(map(stem, "last next".split()))
# Words that stand for one another in an answer. Unlike synonyms a word may stand in several lines.
_GROUPS = [
    frozenset(map(stem, line.split()))
    for line in """
    favourite best most go-to beat
    cost price pay charge quote fee bill spend
    budget spend afford aside
    live address
    house home place flat
    hotel stay accommodation hostel inn lodge
    trip go fly off head
    arrive get
    remind remember forget
    marry wedding anniversary
    dog puppy
    cat kitten
    child son
    child daughter
    child boy
    child girl
    son boy
    daughter girl
    expire run valid
    sibling brother
    sibling sister
    parent mother
    parent father
    meeting appointment
    learn study class lesson course
    return back
    sing song
    have own got
    hate stand bear
    allergy diet eat
    book reserve
    guest people
    buy get
    """.strip().splitlines()
]
_NEAR: dict[str, frozenset[str]] = {}
for _group in _GROUPS:
    for _word in _group:
        _NEAR[_word] = _NEAR.get(_word, frozenset()) | _group

_JOIN = re.compile(
    r"\s*[;–—]\s*|,\s+(?:and |but |so |while |yet )?|\s+(?:and|but|while|whereas|so)\s+"
)
_OWN = ("phone", "email", "age", "diet", "job")  # kinds that need no other word: "how old am I"
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_LINK = re.compile(
    r"\b(?:am|is|are|was|were|be|called|named|as|beats?|to|have|has|got|chose|with)\b|[:=]|\d"
)
_HAVING = frozenset(
    "have get got own need take use".split()
)  # which every thing can be the object of
_AVERSE = re.compile(r"\b(?:not|never|cannot|hates?|hated|dislikes?|detests?|loathes?)\b", re.I)
_INNER = re.compile(r"\b(?:it|him|them|its|their)\b", re.I)
_BY_ME = re.compile(r"\b(?:i|we)\b", re.I)
_FIRST = re.compile(r"\b(?:i|me|we|us|mine|ours|my|our)\b", re.I)
_MARK = re.compile(
    r"\b(?:actually|sorry|wrong|mistake|correct\w*|meant|mean|chang\w+|moved|update|instead|now|scratch|wait|oops|rather"
    r"|turns? out|postponed|rescheduled|make (?:that|it)|no longer|not|new)\b",
    re.I,
)  # fmt: skip
_PREPOSITIONS = frozenset("of for from to in at on with near by".split())
_PRONOUNS = frozenset("it they that this he she its his her their there those these".split())
_OTHERS = frozenset("he she his her".split())
_MARKS = frozenset(map(stem, "actually sorry wrong mistake correction mean change move update instead wait oops rather make turn out only got".split()))  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """What an answer must share with the question, and the kind of value that it must hold."""

    kind: str
    must: frozenset[str]
    people: frozenset[str]  # those of the question
    words: frozenset[str]  # all that the question says itself, which is no news
    mine: bool  # about the user and nobody else
    acting: bool  # somebody else does something
    typed: frozenset[str]  # words that a value of the kind stands for: "code"
    negative: bool
    linking: bool  # "what is my ...": the answer has to say what something is
    bare: bool  # the user himself is its subject
    many: bool  # more than one is asked for: "which shops"
    near: dict[str, frozenset[str]]  # for each word of `must` the words that do as well


@dataclass(frozen=True)
class Found:
    """An answer: as it is said, its bare value, the sentence it stands in, whether it is complete."""

    text: str
    value: str
    place: int
    whole: bool
    many: bool = False


def find(question: Question, memory: Memory) -> Found | None:
    """The newest answer to a question that a search finds; None if there is none."""
    wanted = wanted_by(question, memory)
    if wanted is None or not wanted.must and wanted.kind == "name":
        return None
    if wanted.kind == "code" and wanted.typed - wanted.must:
        both = {**wanted.near, **{w: frozenset({w}) for w in wanted.typed}}
        said = replace(wanted, must=frozenset(both), near=both, typed=frozenset())
        places = _candidates(said, memory)
        if found := next((f for i in places if (f := _answer_at(i, said, memory))), None):
            return put_right(found, question, memory, wanted)
    all_found: dict[str, Found] = {}
    for index in _candidates(wanted, memory):
        if found := _answer_at(index, wanted, memory):
            if not wanted.many:
                return put_right(found, question, memory, wanted)
            all_found.setdefault(found.value, found)
    if not all_found:
        return None
    oldest_first = list(all_found.values())[: NEXT * AROUND][::-1]
    said = "; ".join(f.text.removeprefix(_TOLD).rstrip(".") for f in oldest_first)
    newest = oldest_first[-1]
    value = ", ".join(f.value for f in oldest_first)
    return Found(f"{_TOLD}{said}.", value, newest.place, newest.whole, len(oldest_first) > 1)


def someone_elses(value: str, question: Question, memory: Memory) -> bool:
    """Whether the newest part that has the value speaks of somebody that the question is not about."""
    wanted, place = wanted_by(question, memory), memory.newest_with(value)
    if wanted is None or place is None or not value:
        return False
    parts = [part for part in _parts(memory.lines[place].text) if value in part]
    return bool(parts) and all(
        _of_another(expand(part), replace(wanted, kind="any")) for part in parts
    )


def put_right(
    found: Found, question: Question, memory: Memory, wanted: Wanted | None = None
) -> Found:
    """The correction that follows an answer in the same or the next message, or the answer itself."""
    wanted = wanted or wanted_by(question, memory)
    if wanted is None or wanted.kind == "yesno":
        return found
    base, marked = found, False
    for index in range(found.place + 1, len(memory.lines)):
        line, old = memory.lines[index], memory.lines[base.place]
        if line.turn > old.turn + NEXT:
            break
        if not _tells(index, memory):
            continue
        marked = (
            bool(_MARK.search(line.text)) or marked and memory.lines[index - 1].turn == line.turn
        )
        for part in map(expand, reversed(_parts(line.text)) if marked else ()):
            value = value_in(part, wanted.kind, wanted.words | _MARKS)
            if value and value not in old.text and not _of_another(part, wanted):
                missing = wanted.must - _covered(part, wanted)
                if (
                    not missing
                    or not missing & wanted.people
                    and _open(part, value, wanted)
                    or _first(part) in _PRONOUNS
                    or _names(base.value) & _names(part)
                    or _BY_ME.search(part)
                    and wanted.must - missing - wanted.people
                ):
                    base = Found(_said([part]), value, index, False)
                    break
    return base


# --- the question -----------------------------------------------------------------------------------


def wanted_by(question: Question, memory: Memory) -> Wanted | None:
    """What the question wants; None if it names nothing to look for."""
    text = expand(question.text).strip(" ?.!,")
    match = _WH.match(text)
    phrase = match[1].lower() if match else ""
    tokens = WORD.findall(text[match.end() :] if match else text)
    at = next(
        (i for i, w in enumerate(tokens) if AUXILIARY.match(w.lower() + " ") or w == "cannot"), None
    )
    if phrase in ("what", "which", "whose", "how many", "how much"):
        head = tokens[:at] if at is not None else tokens[:1]
    else:
        head = []
    rest = tokens[len(head) :]
    low = [w.lower() for w in tokens]
    kind = kind_of(phrase, head, rest) if match else "yesno"
    best = {"best", "most"} & set(low)
    names = memory.names_of(question)
    stems = [stem(w) for w in rest if w.lower() not in STOP | _SMALL]
    people = frozenset(
        stem(w) for w in tokens if stem(w) in PERSONS or w[0].isupper() and w.lower() not in NAMELESS
        and not DATE.search(w)
    )  # fmt: skip
    must = {w for w in stems if w not in _GENERIC and not (best and w == "like")}
    must |= {"favourite"} if best else set()
    if (
        {"eat", "have"} & set(low)
        and not must - {"eat"} - people
        and {"not", "cannot", "never", "avoid"} & set(low)
    ):
        kind = "diet"
    typed = {w for w in must if OF_WORD.get(w) == kind or kind == "diet" and w == "eat"}
    if must - typed or question.root == "user" and kind in _OWN:
        must -= typed
    soft = {stem(w) for w in head if w.lower() not in STOP | NUMBER_WORDS} - _GENERIC
    verb = at is None or low[at] not in ("is", "are", "was", "were")
    done = _deed(tokens, at, people) if verb else ""
    said_enough = done not in _HAVING
    if soft and (
        not (must - people)
        or kind == "number"
        or verb
        and not said_enough
        or not verb
        and not soft <= CATEGORY | set(OF_WORD)
    ):
        open_soft = {w for w in soft if OF_WORD.get(w) != kind}
        must |= open_soft - CATEGORY or ({w for w in stems if w in _GENERIC} if must else open_soft)
    if not must and not (question.root == "user" and kind in (*_OWN, "name")):
        must = set(stems) if kind not in ("any", "name", "yesno") else set()
        if not must:
            return None
    linking = (
        kind == "any"
        and at is not None
        and low[at] in ("is", "are", "was", "were")
        and question.root != ""
    )
    acting = (
        bool(people)
        and at is not None
        and not linking
        and not {"i", "we"} & set(low)
        and low[at][0] in "dhcw"
    )
    many = phrase in ("what", "which") and any(
        w.lower() in NUMBER_WORDS or w.endswith("s") and not w.endswith(("ss", "us", "is"))
        for w in head
    )
    near = {
        w: frozenset({w}) | _NEAR.get(w, frozenset()) | frozenset(names.get(w, ()))
        for w in must
    }  # fmt: skip
    own = name_asked(read("my name"), memory) if question.root == "user" else None
    tokens += own[1].split() if own else []
    words = frozenset(map(stem, tokens)) | frozenset(n for some in near.values() for n in some)
    mine = question.root == "user" and not people
    return Wanted(
        kind,
        frozenset(must),
        people,
        words,
        mine,
        acting,
        frozenset(typed),
        question.negative,
        linking,
        question.bare,
        many,
        near,
    )


def _deed(tokens: list[str], at: int | None, people: frozenset[str]) -> str:
    """What somebody does: "play" of "does my son play"; "" if nobody does anything."""
    if at is None:
        return ""
    for index in range(at + 1, len(tokens) - 1):
        if tokens[index].lower() in ("i", "we") or stem(tokens[index]) in people:
            return tokens[index + 1].lower()
    return ""


# --- the search -------------------------------------------------------------------------------------


def _candidates(wanted: Wanted, memory: Memory) -> Iterator[int]:
    """Sentences around which every word is said, newest first."""
    chosen: set[int] | None = None
    for near in wanted.near.values():
        at = memory.with_any(form for word in sorted(near) for form in search_forms(word))
        spread = {i + step for i in at for step in range(-AROUND, AROUND + 1)}
        chosen = spread if chosen is None else chosen & spread
    last = len(memory.lines)
    if chosen is None:
        chosen = set(range(max(0, last - MOST), last))
    return iter(sorted((i for i in chosen if 0 <= i < last), reverse=True)[:MOST])


def _tells(index: int, memory: Memory) -> bool:
    line = memory.lines[index]
    return (
        len(line.text) <= LONGEST
        and is_fact(strip_lead(line.text))
        and (line.own or not line.low.startswith("you"))
    )


def _answer_at(index: int, wanted: Wanted, memory: Memory) -> Found | None:
    if not _tells(index, memory):
        return None
    text = memory.lines[index].text
    parts = _parts(text)
    for part in parts if len(parts) == 1 else [*parts, text]:
        plain = expand(_QUOTED.sub("", part))
        if _of_another(plain, wanted) or "like" in wanted.must and bool(_AVERSE.search(plain)) != wanted.negative:
            continue
        missing = wanted.must - _covered(plain, wanted)
        if missing < wanted.must and not _about_it(plain, wanted):
            continue
        value = value_in(plain, wanted.kind, wanted.words) if wanted.kind != "yesno" else "yes"
        if not missing and value and not (wanted.linking and not _LINK.search(expand(part))):
            if wanted.must or _FIRST.search(plain) or not _subject(plain):
                return Found(
                    _said([part]), value, index, not wanted.bare or bool(_BY_ME.search(part))
                )
        if (
            not value
            and wanted.kind == "any"
            and _first(plain) in _PRONOUNS
            and wanted.must - missing
        ):
            before = _before(index, part, memory)
            value = value_in(before, "any", wanted.words) if before else ""
            if (
                value
                and not missing - _covered(before, wanted)
                and not _of_another(before, wanted, True)
            ):
                return Found(_said([before, part]), value, index, False)
        elif missing and value and part != text or missing and value and len(parts) == 1:
            if lent := _lent(missing, index, plain, value, wanted, memory):
                return Found(_said([*lent, part]), value, index, False)
    return None


def _lent(missing, index: int, part: str, value: str, wanted: Wanted, memory: Memory) -> list[str]:
    """The sentences beside a part that say what it leaves out; [] if they do not, or it names another thing."""
    pronoun = _first(part) in _PRONOUNS or _INNER.search(part) and _open(part, value, wanted)
    if not pronoun and (missing & wanted.people or not _open(part, value, wanted)):
        return []
    turn = memory.lines[index].turn
    lent: list[str] = []
    for other in (index, index - 1, index - 2, index - AROUND, index + 1):
        if not missing:
            break
        if not 0 <= other < len(memory.lines) or not _tells(other, memory):
            continue
        line = memory.lines[other]
        if line.turn == turn or pronoun and other == index - 1 and line.turn >= turn - NEXT:
            if helped := missing & _covered(line.text, wanted):
                missing = missing - helped
                lent.append(
                    line.text.replace(part, "").strip(" ,;") if other == index else line.text
                )
    return [] if missing else lent


def _before(index: int, part: str, memory: Memory) -> str:
    """What stands before a part: in its sentence, else the sentence before."""
    text = memory.lines[index].text
    if at := text.find(part):
        return text[:at].strip(" ,;")
    return memory.lines[index - 1].text if index and _tells(index - 1, memory) else ""


def _about_it(part: str, wanted: Wanted) -> bool:
    """Whether the words of the question are more than the tail of another subject ("the bus to ...")."""
    subject = _subject(part)
    head = _head(subject)
    heads = {stem(w) for w in head if w.lower() not in STOP | NAMELESS}
    if len(head) == len(subject) or not heads or heads & wanted.words:
        return True
    said = {stem(w) for w in WORD.findall(part)[len(subject) :]}
    return any(near & said for near in wanted.near.values())


def _names(text: str) -> set[str]:
    return {w for w in WORD.findall(text) if not w.islower() and w.lower() not in STOP}


def _covered(text: str, wanted: Wanted) -> frozenset[str]:
    said = {stem(w) for w in WORD.findall(text)}
    return frozenset(word for word, near in wanted.near.items() if near & said)


# --- parts of sentences -----------------------------------------------------------------------------


def _parts(text: str) -> list[str]:
    """The parts of a sentence that each have a verb; the rest stays with what stands before it."""
    found: list[str] = []
    start = end = 0
    for match in [*_JOIN.finditer(text), None]:
        stop = match.start() if match else len(text)
        piece = text[start:stop]
        if found and not (_verb_in(piece) is not None and _verb_in(found[-1]) is not None):
            found[-1] = text[end - len(found[-1]) : stop]
        else:
            found.append(piece)
        end = stop
        start = match.end() if match else stop
    return [part for part in found if part.strip()]


def _verb_in(text: str) -> int | None:
    """Where the verb of a part begins, among its first words."""
    text = text[:120]
    for number, match in enumerate(WORD.finditer(text)):
        word = match.group().lower()
        if number > 9:
            return None
        if word.endswith(("'s", "’s", "'m", "’m", "'re", "’re", "'ve", "’ve")) and re.match(
            r" (?:an?|the|on|in|at|my|not|just|been|called|now|allergic|afraid|vegan|vegetarian|\w+(?:ing|ed)|\d)\b| \w+$",
            text[match.end() :],
        ):
            return match.end()
        if (
            number
            and (word in VERBS or word.endswith("ed") and match.group().islower())
            or word in ("is", "are")
        ):
            return match.start()
        if (
            number == 1
            and text[:1].isupper()
            and match.group().islower()
            and word.isalpha()
            and len(word) > 3
            and word.endswith("s")
        ):
            return match.start()
    return None


def _subject(text: str) -> list[str]:
    at = _verb_in(text)
    return WORD.findall(text[:at]) if at else []


def _head(subject: list[str]) -> list[str]:
    """A subject without what follows its first preposition: "the bus" of "the bus from the station"."""
    at = next((i for i, w in enumerate(subject) if i and w.lower() in _PREPOSITIONS), len(subject))
    return subject[:at]


def _first(text: str) -> str:
    words = WORD.findall(strip_lead(expand(text[:80])))
    return words[0].lower() if words else ""


def _open(part: str, value: str, wanted: Wanted) -> bool:
    """Whether a part names nothing of its own: all its words are the question's, or its value."""
    allowed = wanted.words | _GENERIC | _MARKS | {stem(w) for w in WORD.findall(value)}
    subject = [
        w
        for w in (_subject(part) or WORD.findall(part.partition(value)[0]))
        if w.lower() not in STOP | NAMELESS
    ]
    if {w.lower() for w in _subject(part)} & {"i", "we"}:
        subject = [
            w
            for w in WORD.findall(part.replace(value, ""))
            if w.lower() not in STOP | NAMELESS | _SMALL
        ]
    return all(stem(w) in allowed for w in subject)


def _of_another(part: str, wanted: Wanted, lent: bool = False) -> bool:
    """Whether a part is about somebody that the question is not about."""
    known = wanted.words
    subject = _subject(strip_lead(part))
    others = set()
    for number, word in enumerate(subject):
        named = word[0].isupper() and word.lower() not in NAMELESS | STOP and (number > 0 or len(subject) == 1 or "'" in word or "’" in word)  # fmt: skip
        if (stem(word) in PERSONS or named and not DATE.search(word)) and stem(word) not in known:
            others.add(word)
    foreign = any(w in others and re.search("['’]s$", w) for w in subject[:-1])
    if wanted.mine:
        if _first(part) in _OTHERS and not _FIRST.search(part):
            return True
        mine = re.sub(r"^\W*(?:\w+ )?(?:my|our)\b", "", part, flags=re.I) if others else part
        if foreign or others and wanted.kind not in ("who", "name") and not _FIRST.search(mine):
            return True
        heads = {stem(w) for w in _head(subject) if w.lower() not in STOP | NAMELESS}
        return bool(heads) and not heads & known and not _FIRST.search(mine)
    if wanted.people:
        possessed = any(re.search("['’]s$", w) for w in subject[:-1])
        asked = {stem(w) for w in subject} & wanted.people or wanted.kind in ("who", "name")
        if foreign or any(stem(w) in PERSONS for w in others) and (possessed or not asked):
            return True
        return not lent and wanted.acting and _first(part) in ("i", "we") and wanted.kind != "who"
    return False


def _said(parts: list[str]) -> str:
    """What the user told, said to him."""
    clean = [strip_lead(part) for part in dict.fromkeys(parts)]
    return sentence(_TOLD + "; ".join(to_second(part) for part in clean if part))


# --- yes and no -------------------------------------------------------------------------------------


def find_other(question: Question, memory: Memory) -> Found | None:
    """ "Is my lesson on Monday?" when another day was told."""
    text = question.text
    kind = "when" if DATE.search(text) or TIME.search(text) else ""
    words = {stem(w) for w in WORD.findall(text)}
    numbers = {stem(w) for w in WORD.findall(text) if w[0].isdigit() or w.lower() in NUMBER_WORDS}
    kind = kind or ("number" if numbers else "colour" if words & COLOURS else "")
    wanted = wanted_by(question, memory)
    if not kind or wanted is None:
        return None
    spans = " ".join(m.group() for p in (DATE, TIME) for m in p.finditer(text))
    values = {stem(w) for w in WORD.findall(spans)} | numbers | words & COLOURS
    near = {w: n for w, n in wanted.near.items() if w not in values}
    if not near:
        return None
    wanted = replace(wanted, kind=kind, must=frozenset(near), near=near, linking=False)
    return next(
        (f for i in _candidates(wanted, memory) if (f := _answer_at(i, wanted, memory))), None
    )
