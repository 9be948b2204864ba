"""Facts that a customer states and that will hold in later conversations: what a tool for remembering
is given, in the customer's own words.

What somebody asks to have remembered is kept whatever it is: to refuse is the business of the program
behind the tool. A wish for one time can be kept as more than that: see `weaknesses.overstates`.
"""

import re

from ..casework.trouble import tells_trouble
from ..obeying import languages
from ..obeying.english import STANDING
from ..obeying.orders import orders_in
from ..obeying.spelling import folded
from ..reading.clauses import is_question, is_request_to_keep
from ..reading.person import expand
from ..weaknesses import overstates

MOST = 5  # facts of one message
LONGEST = 500  # characters of a fact

_BEGINS = re.compile(r"^(?:(?:by the way|btw|also|and|oh|one more thing|hello|hi)[,:!]? )+", re.I)
_LEAD = (
    r"(?:(?:and|also|oh|so|but|hello|hi|by the way|one more thing|btw|please|kindly|can you|could you"
    r"|would you|will you|just|do)[,:!.]? )*"
)
_NOTES = r"(?:your|my|the) (?:notes?|memory|profile|file)"
_ASKED = re.compile(
    rf"^\W*{_LEAD}(?:(?:do not|never) forget|remember|keep in mind|bear in mind|make a note|note(?: down)?"
    r"|take (?:a )?note|write (?:it |this |that )?down|save|store|memori[sz]e"
    rf"|add (?:it |this |that )?to {_NOTES}"
    r"|for (?:the|your|my) (?:future|records?|notes?|file|next time|memory))\b"
    r"(?:(?: (?:that|this|it|the following|down|of (?:this|that|the following)|as a fact|forever|about me"
    r"|please|for (?:the )?(?:future|next time|later|me|us|good|all (?:later|future) \w+)"
    rf"|(?:in|to) {_NOTES}))*)(?P<mark>\s*[:,.;–-]*)\s*",
    re.I,
)
_PREFERS = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:prefer|like|love|hate|dislike|avoid|cannot stand|would rather|collect"
    r"|want(?= (?:all|every|my)))\b|\b(?:prefer|rather than|favou?rite)\b",
    re.I,
)
_WISH = re.compile(
    r"^\W*(?:\w+, )?(?:please|can you|could you|leave|deliver|send|bring|ring|call|put|drop|use|take|hand"
    r"|give|let|(?:i|we) (?:want|would like|need|wish))\b",
    re.I,
)
_OF_THE_CASE = (
    r"(?:order|parcel|package|payment|refund|card|problem|question|complaint|money|account was|last|first"
    r"|ticket|case|letter|invoice|delivery (?:has|is|was|did|never))"
)
_MINE = re.compile(
    rf"^\W*(?:(?:my|our) (?!{_OF_THE_CASE})[a-z][\w' -]{{1,40}}? (?:is|are)\b"
    r"|(?:i|we) (?:am|are) (?:an? |the |at home|at work|away|out|usually|allergic|vegetarian|vegan|deaf"
    r"|blind)|(?:i|we) (?:live|work|moved|have moved|have an?|own|sleep|speak|only speak)\b)",
    re.I,
)
_PLACE = re.compile(
    r"\b(?:deliver(?:y|ies)|parcels?|packages?|courier|letters?|invoices?|mail)\b[^.!?]*"
    r"\b(?:go|goes|must|should|belong|are to|is to|to be|only|never|not)\b",
    re.I,
)
_NEVER = re.compile(r"^\W*(?:please )?(?:never|do not ever|only ever)\b", re.I)
_SECRET = re.compile(
    r"\b(?:\d[ -]?){12,19}\b|\b(?:password|passcode|pin|cvv|cvc|one-time|otp)\b", re.I
)


def facts_in(paragraphs: list[list[str]]) -> list[str]:
    """The facts to keep of a message: its paragraphs, each a list of sentences."""
    found: list[str] = []
    for lines in paragraphs:
        n = 0
        while n < len(lines):
            asked = _ASKED.match(lines[n])
            if asked and (not lines[n].rstrip().endswith("?") or is_request_to_keep(lines[n])):
                rest = lines[n][asked.end() :].strip()
                more = not rest or ":" in asked["mark"] or len(lines) > n + 1 and _announces(asked)
                fact = " ".join([rest, *(lines[n + 1 :] if more else [])]).strip()
                n = len(lines) if more else n + 1
                found += [fact] if fact else []
                continue
            found += _volunteered(lines[n])
            n += 1
    clean = (_BEGINS.sub("", " ".join(fact.split()))[:LONGEST].strip(' "“”?') for fact in found)
    return list(dict.fromkeys(fact for fact in clean if len(fact) > 3))[:MOST]


def _announces(asked: re.Match) -> bool:
    return bool(re.search(r"\b(?:this|the following|it)\b\W*$", asked.group(), re.I))


def _volunteered(line: str) -> list[str]:
    """A sentence that states something lasting, or what is made of a wish for once; [] for others."""
    line = _BEGINS.sub("", line)
    text = expand(line)
    if is_question(line) or len(line) > LONGEST or _SECRET.search(line):
        return []
    if _WISH.match(text) and (more := overstates(line)):
        return [more]
    lasting = any(p.search(text) for p in (_PREFERS, _PLACE, _NEVER)) or STANDING.search(
        text.lower()
    )
    lasting = lasting or len(languages.STANDING.findall(folded(line))) > 1
    of_the_case = tells_trouble(text) and not _WISH.match(text) and not _PREFERS.search(text)
    if lasting and not of_the_case or orders_in(line):
        return [line]
    return [line] if _MINE.match(text) and not tells_trouble(text) else []
