"""Pronouns, ellipses and corrections: sentences that say something only together with an earlier one."""

import re
from collections.abc import Iterable
from itertools import chain

from .clauses import strip_lead
from .person import expand
from .statements import Statement, parse
from .words import COLOURS, DATE, NUMBER_WORDS, PERSONS, TIME, WORD, content, one_of, stem

_MARK = re.compile(
    "^(?:"
    + one_of(r"""
        oh | ah | sorry(?: about that)? | wait | no | nope | actually | correction | oops | hmm | hold on
        scratch that | my mistake | my bad | well | i made a mistake | i was wrong | rather | update
        that (?:was|is) (?:wrong|not right) | i(?: have)? changed my mind(?: again)? | change of plans?
        on second thoughts? | i misspoke | to correct myself | let me correct (?:that|myself) | but | and
        forget that | there was a change | small correction | i mean | i meant(?: to say)?
        i should have said | make (?:that|it)
    """)
    + r"\b[\s,:;.!–—-]*)+",
    re.I,
)
# After these a bare word can be the new value; after a mere "no" or "well" only a date or a number.
_STRONG = re.compile(
    r"actually|sorry|correction|i mean|meant|wait|oops|changed my mind|rather|make|mistake|wrong|second thought"
    r"|should have said|misspoke|scratch|hold on",
    re.I,
)
_NO_VALUE = frozenset(
    """not never thanks thank please forget nothing ok okay yes no nope what which who when where how why
    can could would will do does did is are am show tell give find let go call send book cancel stop never mind help look
    if that this these those there you your sure right fine good great just""".split()
)
_IT = re.compile(
    "^(?:it|that|this|they|he|she) "
    + one_of(r"""
        is | are | was | were | should be | will be | has to be | should have been | must be
        (?:has (?:been )?|was |got )?(?:moved|changed) to
    """)
    + r"(?: actually| really| now| in fact| rather)*\s+(.+)$",
    re.I,
)
_NOT_BUT = re.compile(
    r"^not (?:on |in |at |the )?(.+?)(?:,? but|,)(?: rather| actually)? (.+)$", re.I
)
_BUT_NOT = re.compile(
    r"^(.+?)(?:, not| and not| instead of| rather than|, rather than|, instead of) (?:on |in |at |the )?(.+)$",
    re.I,
)
_INSTEAD = re.compile(r",? (?:instead|now|actually|then|rather|after all|of course|please)$", re.I)
_NUMBER = re.compile(r"[$€£]?\d[\d.,:]*(?:\s?[%€$£])?")


def corrected(sentence: str, place: int, before: Iterable[Statement]) -> Statement | None:
    """The statement that a sentence puts right, with its new value; None if it corrects nothing."""
    text = expand(sentence[:300]).strip(" \t\"'“”.!")
    mark = _MARK.match(text)
    rest = text[mark.end() :] if mark else text
    new, old, pronoun = rest, "", False
    if match := _IT.match(rest):
        new, pronoun = match[1], True
    elif not mark and not rest.lower().startswith("not "):
        return None
    strong = pronoun or bool(mark and _STRONG.search(mark.group()))
    if match := _NOT_BUT.match(new):
        old, new = match[1], match[2]
        if inner := _IT.match(new):
            new = inner[1]
    elif match := _BUT_NOT.match(new):
        new, old = match[1], match[2]
    elif pronoun and not mark:
        return None  # an ordinary "it is ...", which `resolve` reads
    strong = strong or bool(_INSTEAD.search(new) and mark)
    new, old = _INSTEAD.sub("", new).strip(" ,."), old.strip(" ,.")
    words = new.split()
    if not words or len(words) > 8 or words[0].lower() in _NO_VALUE:
        return None
    if not pronoun and _is_clause(new, place):
        return None
    for earlier in before:
        if changed := _put(earlier, new, old, strong):
            return parse(changed, place)
    return None


def _is_clause(text: str, place: int) -> bool:
    low = text.lower().split()
    if (
        low[0] in ("i", "my", "we", "our", "the", "he", "she", "his", "her", "their", "they")
        and len(low) > 2
    ):
        statement = parse(text, place)
        return statement is not None and bool(statement.verb)
    statement = parse(text, place)
    return statement is not None and bool(statement.verb) and len(low) > 3


def _put(statement: Statement, new: str, old: str, strong: bool) -> str:
    """The statement's text with its value replaced; "" if the new value does not belong there."""
    text = statement.text
    if old:
        at = text.lower().find(old.lower())
        if at < 0 and (parts := old.split()) and len(parts) > 1:
            at, old = text.lower().find(parts[-1].lower()), parts[-1]
        return text[:at] + new + text[at + len(old) :] if at >= 0 else ""
    for pattern in (DATE, TIME, _NUMBER):
        if (there := pattern.search(new)) and len(there.group()) >= len(new) - 6:
            now = pattern.search(text)
            if not now:
                if pattern is _NUMBER:
                    return _number_word(text, new)
                return ""
            lead = re.match(r"(?:on|in|at|the|to) ", new, re.I)
            if lead and not now.group().lower().startswith(lead.group().lower()):
                new = new[lead.end() :]
            return text[: now.start()] + new + text[now.end() :]
    if set(new.lower().split()) & NUMBER_WORDS and (swapped := _number_word(text, new.split()[0])):
        return swapped
    if (
        not statement.value
        or not strong
        or len(new.split()) > 4
        or len(statement.value.split()) > 6
    ):
        return ""
    start = len(text) - len(statement.value)
    lead = re.match(
        r"(?:in|at|on|to|from|with|by|near|called|named|an?|the|only) ", statement.value, re.I
    )
    if lead and not re.match(r"(?:in|at|on|to|from|with|by|near|an?|the) ", new, re.I):
        start += lead.end()
    return text[:start] + new


def _number_word(text: str, new: str) -> str:
    for match in WORD.finditer(text):
        if match.group().lower() in NUMBER_WORDS or match.group().isdigit():
            return text[: match.start()] + new + text[match.end() :]
    return ""


# --- pronouns -------------------------------------------------------------------------------------

_PRONOUN = re.compile(r"^(he|she|it|they|his|her|its|their)\b", re.I)
_HAVE = re.compile(
    r"^(?:i|we) (?:have|have got|got|bought|own|adopted|booked|drive|rent|ordered)(?: a| an| one| two| three| some| my)? ((?:[a-z-]+ )?[a-z-]+)",
    re.I,
)


def resolve(clause: str, same: Iterable[Statement], before: Iterable[Statement], own: bool) -> str:
    """The clause with a leading pronoun replaced by what it stands for, if that is known.

    `same` are the statements of the same turn, `before` those of earlier turns too: they are taken
    up only by a value of the same kind ("it is 9902 now" after "the door code is 4471").
    """
    match = _PRONOUN.match(clause)
    if not match:
        return clause
    pronoun, rest = match[1].lower(), clause[match.end() :]
    if pronoun in ("it", "they") and _IMPERSONAL.match(rest):
        return clause
    phrase = next((p for s in same if (p := _phrase(s, pronoun, own))), "")
    if not phrase and pronoun in _PERSONAL:
        phrase = next((p for s in before if (p := person_in(s))), "")
    elif not phrase and pronoun in ("it", "they") and (value := _BE_VALUE.match(rest)):
        phrase = next(
            (_phrase(s, pronoun, own) for s in before if s.linking and _alike(value[1], s.value)),
            "",
        )
    if not phrase or pronoun in ("they", "their") and re.fullmatch(r"[A-Z]\w*[^s\W]", phrase):
        return clause  # "Ana has hens. They are brown."
    if pronoun in ("his", "her", "its", "their"):
        phrase = "my" if phrase == "I" else f"{phrase}'s"
    return phrase + _agree(rest, phrase)


_BE_VALUE = re.compile(
    r"^ (?:is|are|was|were|will be|has been|have been|got)"
    r"(?: (?:moved|changed|postponed|put off|brought forward|pushed back|rescheduled) (?:to|until|till))? (.+)$",
    re.I,
)
_IMPERSONAL = re.compile(
    r"^ (?:is|was|will be)(?: not| very| so| too| really| quite| a bit)* (?:snowing|raining|cold|hot|warm|late|early|nice|great"
    r"|good|bad|important|possible|time|true|clear|hard|easy|sunny|dark|ok|fine|my|our|just|a pity|necessary|about|all)\b",
    re.I,
)


def _alike(value: str, other: str) -> bool:
    """Whether two values are of one kind: dates, numbers, colours, or the second is "... now"."""
    for test in (DATE.search, TIME.search, _NUMBER.search):
        if test(value):
            return bool(test(other))
    if content(WORD.findall(value)) & COLOURS:
        return bool(content(WORD.findall(other)) & COLOURS)
    return bool(re.search(r"\bnow\b", value)) and len(value.split()) <= 4


def _agree(rest: str, phrase: str) -> str:
    if phrase != "I":
        return rest
    rest = re.sub(r"^ is\b", " am", rest)
    rest = re.sub(r"^ has\b", " have", rest)
    return re.sub(
        r"^ (\w{2,})s\b(?!')", lambda m: " " + m[1] + ("s" if m[1] in ("wa", "alway") else ""), rest
    )


_PERSONAL = ("he", "she", "his", "her")
_OF_MINE = re.compile(r"\b([Mm]y|[Oo]ur) ((?:[a-z][\w-]* ){0,2}[a-z][\w-]*)")


def person_in(statement: Statement) -> str:
    """The person a statement is about or mentions: "my mother", "Tom"; "" without one."""
    subject = re.sub(r"['’]s?\b.*", "", statement.subject)
    if (
        subject[:1].isupper()
        and subject.lower() not in ("i", "we")
        and statement.owners
        and " " not in subject
    ):
        return subject
    for match in chain(_OF_MINE.finditer(subject), _OF_MINE.finditer(statement.text)):
        words = match[2].split()
        for size, word in enumerate(words, 1):
            if stem(word) in PERSONS:
                return f"{match[1]} {' '.join(words[:size])}"
    return ""


_ANIMALS = frozenset(map(stem, "dog cat pet horse baby child".split()))


def _is_human(statement: Statement) -> bool:
    """Whether a statement's subject is a relation, whom nobody calls "it"."""
    words = re.split(r"['’]s\b", statement.subject)[-1].split()
    return bool(words) and stem(words[-1]) in PERSONS - _ANIMALS


def _phrase(statement: Statement, pronoun: str, own: bool) -> str:
    """What a pronoun can take up from a statement: its subject, or what it says somebody has."""
    subject = statement.subject
    if pronoun in ("it", "its") and _is_human(statement):
        return ""
    person = pronoun in ("he", "she", "his", "her")
    if person and own and (found := person_in(statement)):
        return found
    if statement.root == "user" and not statement.owners and not statement.about:
        if have := _HAVE.match(statement.text):
            return f"my {have[1]}"
        return "I" if not own and pronoun not in ("it", "its") else ""
    if (
        not own
        and person
        and statement.root == "user"
        and not statement.owners
        and statement.about == {"name"}
    ):
        return "I"
    if not subject:
        return ""
    if person or pronoun in ("its", "it"):
        owner = re.match(r"^(.*?)'s? name$", subject)
        if owner:
            return owner[1]
    return strip_lead(subject) if len(subject.split()) <= 6 else ""


_NOUN_OF = re.compile(r"(?:.*'s|my|our|the) (.+)$", re.I)


def complete(statement: Statement, before: Iterable[Statement]) -> Statement:
    """ "My favourite is now blue", "Bea's is on Monday": the noun comes from an earlier statement."""
    if (
        statement.linking
        and statement.owners
        and not statement.about
        and statement.subject.endswith("'s")
    ):
        for earlier in before:
            if earlier.about and earlier.linking and (noun := _NOUN_OF.match(earlier.subject)):
                text = f"{statement.subject} {noun[1]} {statement.verb} {statement.value}"
                return parse(text, statement.place, statement.own) or statement
    if statement.about != {"favourite"} or not statement.linking:
        return statement
    for earlier in before:
        if (
            "favourite" in earlier.about
            and len(earlier.about) > 1
            and earlier.owners == statement.owners
        ):
            text = f"{earlier.subject} {statement.verb} {statement.value}"
            return parse(text, statement.place, statement.own) or statement
    return statement
