"""What a sentence of a conversation does: it complains, wishes, offers, asks, puts off, or states."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ..material.passages import AGENT, CALL, TOOL, Passage
from ..material.words import content_of
from ..reading.clauses import is_fact, is_question
from ..reading.person import expand
from ..reading.words import WORD, one_of

LONGEST = 600  # characters of a sentence that somebody says


@dataclass(frozen=True)
class Saying:
    """One sentence, and the passage it stands in."""

    text: str
    passage: Passage
    place: int  # of the passage
    plain: str = ""  # with short forms written out

    @property
    def by_agent(self) -> bool:
        return self.passage.who == AGENT

    @property
    def by_tool(self) -> bool:
        return self.passage.who == TOOL


def sayings_of(passages: list[Passage]) -> list[Saying]:
    """Every sentence of the prose, oldest first."""
    return [
        Saying(text, passage, place, expand(text))
        for place, passage in enumerate(passages)
        if passage.who != CALL
        for text in passage.sentences
        if len(text) <= LONGEST
    ]


# ---------------------------------------------------------------- complaints

_COMPLAINT = re.compile(
    r"\b"
    + one_of(r"""
        (?:has|have|had|did|does|was|were|is|am|do|could|can) (?:still |yet )?not (?:yet |even |really |been )?(?:arriv|receiv|deliver|c[oa]m|work|g[eo]t|show|load|start|turn|open|fit|match|refund|credit|reach|see|find|log|connect|print|charge|update|clos|respond|answer|heard|belong|here)\w*
        (?:does|do|did|will|would|can|could|is|are) not \w+(?: \w+)?(?: on| off| up)? (?:any ?more|at all|properly|correctly)
        (?:no longer|will not) (?:work|start|open|turn|charg|switch|clos|fit|load|print)\w*
        cannot (?:log|open|find|use|see|get|pay|reach|connect|access|print|save|sign)\w*
        never (?:arriv|c[oa]m|receiv|g[eo]t|work|reach|show|deliver|turn|was|been|sent|saw)\w*
        missing | lost | wrong(?:ly)? | broken | broke | damaged? | defective | faulty | (?<!work )(?<!works )(?<!worked )(?<!up )(?<!stay )late(?! (?:this|in the|at|on|tonight)\b) | delay(?:ed|s)? | overdue
        (?:charged?|billed|paid|debited|taken|invoiced)(?: \w+){0,4} (?:twice|double|again|two times|too much) | twice | double[- ]charged | overcharged
        problems? | issues?(?! (?:a|the|you)\b) | trouble | complain(?:t|ts|ing)? | mistakes? | errors? | crash(?:es|ed|ing)? | fail(?:s|ed|ing|ure)?
        stolen | empty | incorrect | leak(?:s|ed|ing)? | scratched | torn | crack(?:ed|s)? | dent(?:ed|s)? | disappeared | vanished | stuck
        no sign of | nowhere | still (?:waiting|nothing|no|missing) | not what | not the (?:one|right|same|colour|size) | freez(?:es|ing) | frozen | spoil(?:ed|t)
        unusable | stopped working | out of order | mould(?:y)? | noisy | too (?:small|big|large|loud|hot|cold|tight|short|long|slow) | another building
        hurts? | pain(?:ful)? | rude | unacceptable | smells? | stained | dirty | burnt | defects?
    """)
    + r"\b",
    re.I,
)
_DENIED = re.compile(
    r"\b(?:no (?:longer )?|not (?:a |any |really |been |at all )?|without (?:a |any )?|never (?:a |any )?(?:had )?)"
    r"(?:problems?|issues?|trouble|complain\w*|mistakes?|errors?|damaged?|broken|late|delay\w*|wrong|missing|lost|defects?)\b",
    re.I,
)


def complains(saying: Saying) -> bool:
    """Whether somebody says that something is wrong. What the agent says is no complaint."""
    if saying.by_agent or saying.by_tool:
        return False
    text = _DENIED.sub(" ", saying.plain)
    return bool(_COMPLAINT.search(text)) and not _asks(saying) and is_fact(saying.plain)


# ---------------------------------------------------------------- wishes

_HE = r"(?:i|we|he|she|they|(?:the |our |my |this )?(?:customer|client|user|caller|guest|buyer|patient|tenant|writer)s?)"
_WISH = re.compile(
    one_of(rf"""
        \b{_HE}(?: (?:would|do|does|did|really|just|only|still|much|now|also|am|is|are|will|have|rather|not|simply|definitely|therefore))* (?:wants?|wanted|needs?|like to (?:have|get|be|see|return|cancel|change|exchange|keep|receive|book|order|know)|like (?:a|an|the|my|it|to)|wish(?:es)?|prefers?|preferred|rather (?:have|get|not|keep|wait|be|take|go|see)|insists?|demands?|expects?|asks?|asked|asking|requests?|requested|looking) (?:for |to |that |on |a |an |the |my |our |it |you |you're |no |only |one |\w)
        \b(?:please|could you|can you|would you|will you)\b(?: \w+)?? (?:just )?(?:send|refund|replace|give|cancel|deliver|change|call|make|arrange|pay|return|bring|leave|exchange|transfer|take|put|add|remove|delete|ship|move|book|fix|repair|credit|reimburse|stop|extend|waive|escalate|use|ring|drop|collect|pick|reserve|switch|upgrade|let)\b
        \b(?:can|could|may) (?:i|we) (?:please |just |still |also )?(?:have|get|return|exchange|keep|change|cancel)\b
        ^(?:please |just |so |and |then )*(?:send|refund|replace|give|pay|cancel|call|credit|reimburse) (?:me|us|it|my|the|back)\b
        \bplease (?!ignore|tell|note|see\b|find|excuse|forgive|hold|wait|say|explain|help|let me know|check|advise|confirm|bear|remember)\w
        \bbut only (?:if|when)\b | \bas long as\b | \bprovided that\b | \bon condition that\b
        \bmoney back\b | \bpreference\b | \bpreferred\b | \bideally\b | \brather than\b | \bmy wish\b
    """),
    re.I,
)  # fmt: skip
_TO_KNOW = re.compile(
    r"\b(?:like|want|need|wish)s?(?:ed)? to (?:know|understand|ask|hear|find out|say|mention|add|tell)\b|\b(?:would|do) (?:not )?like (?:it|that)\b"
    r"|\bask(?:ed|s|ing)? (?:me|us|if|whether|why|what|when|where|how|him|her|them|the|my|our|at|in)\b"
    r"|\b(?:did|do|does|had|have) not (?:need|expect|ask|request)\b|\bexpected\b|\bdelivery preference\b",
    re.I,
)


def wishes(saying: Saying) -> bool:
    """Whether somebody, not the agent, says what he wants."""
    if saying.by_agent or saying.by_tool or _TO_KNOW.search(saying.plain):
        return False
    return bool(_WISH.search(saying.plain))


# ---------------------------------------------------------------- offers

_GIVEN = (
    r"(?:refund\w*|replace\w*|vouchers?|(?:store )?credit\w*|discounts?|compensat\w+|reimburs\w+|money back|gift\w*"
    r"|free of charge|for free|waiv\w+|coupons?|resen[dt]\w*|re-?ship\w*|exchang\w+|call\w* (?:you )?back|upgrad\w+"
    r"|new (?:one|parcel|order|item|delivery|copy|card)|another (?:one|parcel|delivery)|re-?deliver\w*|goodwill|rebates?|repair\w*"
    r"|technician|extension|extend\w*|points|instal?lments?|collect\w*|pick\w* (?:it |them )?up|courtesy|loan|spare)"
)
_OFFER = re.compile(
    one_of(rf"""
        \b(?:i|we)(?: (?:can|could|will|shall|would|have|had|am|are|be|able to|like to|happy to|also|already|now|just|going to|gladly|therefore|today))+ (?:\w+ ){{0,6}}?{_GIVEN}\b
        \b(?:i|we) (?:\w+ ){{0,3}}?(?:offer\w*|refunded|credited|issued|promised?|reimbursed|waived|compensated|replaced|resent|reshipped|granted)\b
        \byou (?:will|shall|can|are going to|should) (?:\w+ ){{0,2}}?(?:get|receive|be (?:refunded|credited|reimbursed|compensated|sent|called)|have|keep|expect)\b
        \b(?:would|do|will) you (?:\w+ ){{0,2}}?(?:like|prefer|accept|want|take|agree)\b(?:.{{0,60}}?)\b{_GIVEN}\b
        \b(?:here is|i have added|i have attached|let me offer|may i offer|how about)\b.{{0,60}}?\b{_GIVEN}\b
        \b{_GIVEN}\b.{{0,60}}?\b(?:has been|have been|is|was|will be|are|were) (?:\w+ )?(?:issued|paid|sent|approved|booked|arranged|offered|granted|on its way|added|processed|made|yours|available)\b
        \bas an? (?:small |sincere )?(?:apology|gesture|compensation|courtesy|goodwill)\b
        \b(?:i|we) (?:have )?(?:already |also |just )?(?:taken|took|deducted|removed|lowered|reduced|knocked)\b.{{0,80}}?\b(?:off|fee|charge|costs?|price)\b
        \b(?:i|we) (?:promise|guarantee|assure)\b | ^offered\b | \b(?:offered|promised)(?: you| to| an?| the| for)\b | \bto make up for\b
        \b(?:i|we) (?:will|shall) (?:\w+ )?(?:call|phone|ring) you\b
    """),
    re.I,
)  # fmt: skip
_REFUSED = re.compile(
    rf"\b(?:cannot|could not|can not|unable to|not able to|will not|not allowed to|am not|are not|do not|not possible to|never)\b(?: \w+){{0,5}} (?:offer\w*|promise|{_GIVEN})\b"
    r"|\bno (?:refund|replacement|voucher|credit|compensation|discount)\b|\bonly (?:if|when|after|once)\b",
    re.I,
)


def offers(saying: Saying) -> bool:
    """Whether the agent offers, promises or has given something."""
    if not saying.by_agent or _REFUSED.search(saying.plain):
        return False
    if saying.plain.startswith(("Offered for ", "offered for ")):
        return True
    return bool(_OFFER.search(saying.plain)) and not re.match(
        r"(?:if|unless)\b", saying.plain, re.I
    )


# ---------------------------------------------------------------- questions and what is put off

_PUT_OFF = re.compile(
    one_of(r"""
        \b(?:i|we)(?: (?:will|shall|am going to|have to|need to|must|still|first|now|are going to))+ (?:\w+ ){0,3}?(?:check|look into|find out|ask|investigate|verify|confirm|get back|clarify|escalate|forward|wait|see whether|see if|find|examine|contact|trace)\b
        \b(?:await\w*|waiting (?:for|on)|pending|unclear|not (?:yet )?(?:known|clear|confirmed|decided)|to be (?:checked|confirmed|decided|clarified)|remains? open|remains to be)\b
        \b(?:let you know|get back to you|come back to you|report back|look at it again|keep you posted|keep you updated|do not know yet|not heard|under (?:review|investigation))\b
        \b(?:have|has) not (?:yet )?(?:heard|answered|replied|confirmed|decided|responded)\b | ^open\b | \bto (?:check|clarify)\b:
    """),
    re.I,
)  # fmt: skip


def puts_off(saying: Saying) -> bool:
    """Whether something is to be checked, decided or waited for."""
    if saying.passage.who not in (AGENT, TOOL) and not re.search(
        r"\b(?:pending|await\w*|to be (?:confirmed|decided|checked|clarified)|(?:not (?:yet )?(?:known|clear|decided)))\b",
        saying.plain,
        re.I,
    ):
        return False
    return bool(_PUT_OFF.search(saying.plain))


def _asks(saying: Saying) -> bool:
    return saying.text.rstrip("\"')” ").endswith("?") or is_question(saying.text)


def asks(saying: Saying) -> bool:
    """Whether the sentence is a question that wants an answer (no wish, no offer, no "is it?")."""
    return (
        _asks(saying)
        and not offers(saying)
        and not (wishes(saying) and not re.match(r"(?:who|what|when|where|why|how)\b", saying.plain, re.I))
        and bool(content_of(saying.plain))
    )  # fmt: skip


# ---------------------------------------------------------------- statements

_POLITE = re.compile(
    r"(?:hello|hi|hey|dear|thanks?|thank you|good (?:morning|afternoon|evening|day)|ok(?:ay)?|sure|great|sorry|of course|certainly"
    r"|absolutely|perfect|fine|right|all right|understood|welcome|you are welcome|no problem|one moment|let me|please|best regards"
    r"|kind regards|have a|cheers|bye|goodbye|wonderful|excellent|noted|got it|no worries|indeed|exactly|that is (?:fine|good|great"
    r"|all|kind|ok|right|correct|helpful)|just a moment|i apologi[sz]e|my apologies|we apologi[sz]e)\b",
    re.I,
)
_FEELING = re.compile(
    r"\b(?:i|we) (?:am|are|was|were|feel|felt|have been)(?: \w+)?? (?:very |so |really |quite |just |rather |a bit |extremely )?(?:upset|angry|annoyed|frustrated"
    r"|disappointed|unhappy|tired|sorry|afraid|happy|glad|fed|sure|worried|grateful|confused|patient|surprised|pleased|here|ready|back|relieved|curious|certain)\b"
    r"|\b(?:i|we) (?:\w+ )?(?:understand|appreciate|hope|think|guess|believe|know|see|wonder|suppose|mean|apologi[sz]e|doubt|trust|feel|agree|remember|forgot|regret|am listening|will be patient)\b"
    r"|\byou (?:people|are|have been|can|may|must|should|need|could|were|do|did|know|said|say|told)\b|\b(?:take|takes) your time\b|\bstay on the line\b",
    re.I,
)
_CAPITAL = re.compile(r"(?<=[a-z,;:] )[A-Z\u00c0-\u00de][\w'-]*")


_DIGIT = re.compile(r"\d")
_DAY = re.compile(r"\b(?:today|tomorrow|yesterday|(?:next|last) (?:week|month|year))\b", re.I)


@lru_cache(maxsize=16_384)
def figures(text: str) -> frozenset[str]:
    """The exact things in a text: ids, amounts, dates, numbers, and names inside a sentence."""
    found = {w for w in WORD.findall(text) if _DIGIT.search(w)} if _DIGIT.search(text) else set()
    found |= {m.group() for m in _CAPITAL.finditer(text) if m.group() not in ("I", "I'm", "I've")}
    return frozenset(found.union(m.group().lower() for m in _DAY.finditer(text)))


def states(saying: Saying) -> bool:
    """Whether a sentence states something about the matter that is worth keeping."""
    if _asks(saying) or not is_fact(saying.plain):
        return False
    exact = figures(saying.text)
    if _SIGNED.match(saying.text):
        return False
    if saying.by_agent:
        return bool(exact) or bool(_SHOWN.search(saying.plain))
    if not exact and (
        _POLITE.match(saying.plain) or _FEELING.search(saying.plain)
        or _IDLE.match(saying.plain) or _REPORTED.search(saying.plain)
    ):  # fmt: skip
        return False
    return len(content_of(saying.plain)) >= (2 if exact else 3)


_IDLE = re.compile(r"(?:it|he|she|they|there|that|this|those|these|a pity)\b", re.I)
_REPORTED = re.compile(r"\b(?:says?|said|thinks?|thought|believes?) that (?:i|we|you)\b", re.I)
_SIGNED = re.compile(
    r"(?:(?:kind |best |warm |many )?(?:regards|wishes|greetings)|yours(?: \w+)?|sincerely|cheers)\b",
    re.I,
)
_SHOWN = re.compile(
    r"\b(?:shows?|showed|according to|confirm(?:s|ed)|says that|states?|records?|was (?:signed|delivered|scanned|left|charged|sent|handed)"
    r"|were (?:charged|sent)|found (?:that|out))\b",
    re.I,
)
