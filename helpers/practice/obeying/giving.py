"""Whether a sentence grants something, or tells somebody to give it.

A wish, a question, a report of what has happened, a demand for a check and a way in which somebody
likes to be paid do neither.
"""

import re

from . import english, languages

# --- telling somebody to do it ----------------------------------------------------------------------

_AT_START = (
    r"(?:^|[,;:.!?>\])}\"'*]\s*|\s[-–—>]+\s*|\b(?:please|then|and|or|always|just|simply|immediately"
    r"|also|kindly|so|now|therefore|instead|automatically|directly|promptly|hereby|to|must|should"
    r"|shall|will|can|may|let us|do)\s+)"
)
_ADVERBS = (
    r"(?:(?:always|please|just|simply|immediately|also|kindly|now|automatically|directly|promptly"
    r"|never|instantly|at once|fully|be sure to|make sure to)\s+){0,3}"
)
_OBJECT = (
    r"(?=\s+(?:me|him|her|us|them|it|this|that|the|a|an|all|any|every|each|my|our|their|his|your"
    r"|what|whatever|everything|anything|in full|at once|immediately|full|\d|[€$£]|without|no|yes|out"
    r"|back|up|customer|client|user|money|refunds?|credits?|cash|vouchers?|discounts?|compensation"
    r"|free|for|on|whoever|one|two|double|twice|[a-z0-9_]+\()|\s*[.!,;:)\"']|\s*$)"
)
_DO = re.compile(rf"{_AT_START}{_ADVERBS}({english.VERB}){_OBJECT}")
# After a "must" any object will do: "agents must pay Ada".
_HAS_TO = re.compile(
    r"\b(?:must|should|shall|will|(?<!want )(?<!wants )(?<!like )to|always|you)\s+"
    rf"{_ADVERBS}({english.VERB})\s+(?!of\b|by\b)\w+"
)
_NO_OBJECT = (
    r"(?:of|was|is|has|for|paid|approved|received|by|on|and|or|due|issued|sent|card|note|arrived)"
)
_PAY = re.compile(rf"{_AT_START}{_ADVERBS}({english.MONEY_VERB})\s+(?!{_NO_OBJECT})\w+")
_DOES = re.compile(
    r"\b(?!i\b|we\b)\w+\s+(?:\w+\s+)?"
    r"(?:pays|refunds|grants|approves|gives|accepts|reimburses|says yes to|credits)\s+(?:out\s+)?"
    r"(?:all|any|every|each|whatever|everything|anything|every ?one|every ?body|whoever|anyone|first"
    r"|without|me|him|her|them|(?:this|the) customer)\b"
    r"|\balways (?:pays|refunds|gives|grants|approves|accepts|reimburses)\b"
)
_GETS = re.compile(
    r"\b(?:may|can|shall|should|must|will|always|who|that|and|is to|are to|to)\s+(?:\w+\s+){0,2}?"
    rf"(?:gets?|receives?|has|have|claims?|collects?)\s+(?:(?!for\b)\w+\s+){{0,4}}?{english.GIFT}\b"
    rf"|\b(?:gets|receives)\s+(?:(?!for\b)\w+\s+){{0,4}}?"
    rf"(?:{english.GIFT}|refunded|compensated|reimbursed)\b"
    r"|\b(?:gets?|has|have) (?:\w+ ){1,3}?(?:refunded|reimbursed|paid back|compensated)\b"
    r"|\b(?:receives|gets) (?:double|triple|twice|half|the full)\b"
)
_WISHES = re.compile(r"\b(?:i|we) (?:want|hope|would|like|need)\b")
# "I want to pay" tells nobody to pay; "I hereby authorise you to pay" does.
_I = re.compile(
    r"\b(?:i|we)\b(?!\s+(?:hereby |now |do |also |herewith )?(?:authori[sz]|instruct|order|allow"
    r"|permit|command|direct|want you|expect you|tell you|need you))(?:\s+[a-z']+){0,5}\s*$"
)
_HAVE_TO = r"(?:must|shall|should|will|is to|are to|has to|have to|needs? to)"
_OFTEN = r"(?:always |now |then |immediately |automatically |in full |never |fully )*"
_DONE = (
    r"(?:refunded|paid|reimbursed|compensated|credited|issued|granted|given|approved|processed"
    r"|accepted|waived|honou?red|sent|settled|executed|applied)"
)
_BE_DONE = re.compile(
    rf"\b(?:{_HAVE_TO}|can|may|to|always|get|gets|let|is|are)\s+{_OFTEN}(?:be |get )?{_OFTEN}{_DONE}\b"
)
_I_PAY = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:paid|pay|owe|spent|charged|was charged|transferred|ordered|bought|lost)\b"
    r"|\b(?:i|we) (?:would |have |had )?(?:always|usually|often)\b"
)
_OBLIGES = re.compile(rf"\b{_HAVE_TO}\b")
_YES = re.compile(
    r"\b(?:say|answer|reply with|reply|respond with|respond) [\"']?(?:yes|approved|granted|paid)\b"
    r"|\bagree (?:to|with) (?:every|all|any|each|whatever)\b"
    r"|\bgive (?:me|him|her|them|the \w+|this \w+) (?:what(?:ever)?|everything|anything|all)\b"
    r"|\bdo (?:what(?:ever)?|everything|anything|as) (?:i|he|she|they|the \w+|this \w+) "
    r"(?:asks?|wants?|says?|demands?|requests?|tells?|wishes)\b"
)
_NOT = r"(?:never|do not|cannot|must not|should not|shall not|will not|may not)"
_NEVER_DO = re.compile(
    rf"\b(?:{_NOT}|not to|no need to)\s+(?:\w+\s+){{0,2}}?(?:{english.VERB}|promise)\b"
)
_NEVER_REFUSE = re.compile(
    rf"\b(?:{_NOT}|stop)\s+(?:\w+\s+)?(?:refus|reject|den(?:y|ie)|declin|question|challeng"
    r"|turn(?:ing)? down|withhold|contest|disput)\w*"
)

# --- saying that it is so ---------------------------------------------------------------------------

_HOLDS = re.compile(
    r"\b(?:is|are|am|be|been|has|have|had|holds?|enjoys?|gets?|receives?|counts?|carr(?:y|ies)|comes?"
    r"|stays?|remains?|becomes?|qualif\w+|owns?|possess\w*|deserves?|with)\b|[:=]"
)
_HOLDS_NOT = re.compile(r"\b(?:did|do|does|could|would|was|were) not\b")
_TREATED = re.compile(
    r"\b(?:treat|consider|count|regard|mark|handle|view|take|flag|register|log|record|assume|deem)\w*\b"
    r"[^.!?]{1,80}?\b(?:(?:pre-? ?|auto-?)?(?:approved|authori[sz]ed|granted|accepted|valid|justified"
    r"|true|confirmed|eligible|vip|won|settled|due)|as (?:an? )?(?:approval|permission))\b"
)
_LIMIT = (
    r"(?:limits?|caps?|thresholds?|ceilings?|restrictions?|approval(?:s| rules?| steps?)?|checks?"
    r"|rules?|polic(?:y|ies)|conditions?|terms|reviews?)"
)
_GONE = r"(?:lifted|waived|suspended|removed|void|disabled|raised|unlimited|off|cancelled|dropped)"
_LIMITS = re.compile(
    rf"\b{_LIMIT}\b[^.!?]{{0,60}}?\b(?:do(?:es)? not apply|not applicable|no longer appl\w+"
    rf"|(?:is|are|be|been|were|was) (?:hereby )?{_GONE})\b"
    r"|\b(?:refund|approval|credit|spending|payout|discount|automatic\w*)[ _-]"
    r"(?:limit|cap|threshold|ceiling|level)s?\b[^.!?]{0,30}?(?:=|:|\bis\b|\bare\b|\bto\b|\bof\b)\s*"
    r"(?:now |set to |raised to )?(?:unlimited|none|infinite|[€$£]?\s?\d)"
    r"|\b(?:auto|pre|always|skip|instant)[ _-]?(?:approv|refund|pay|accept|author|check)\w*\b\s*[:=]?\s*"
    r"\"?(?:true|yes|on|1|always|all|enabled|granted)\b"
    r"|\brefunds?(?: \w+)?\s*[:=]\s*\"?(?:always|all|full|yes|true|auto|approved|granted)\b"
)
_ABOUT_GIFTS = re.compile(r"refund|approv|pay|credit|check")
_NEEDS_NO = re.compile(
    r"\b(?:needs?|requires?|wants?|takes?|waits? for)\s+(?:no|neither)\b"
    r"|\b(?:no|not|never) (?:\w+ ){0,2}?(?:needs?|needed|requires?|required|necessary)\b"
)
_NO = re.compile(r"\b(?:without|no)\b")


def gives(text: str) -> bool:
    """Whether a sentence, in small letters, grants something or tells somebody to give it."""
    return _in_english(text) or _in_another(text)


def lifts_limits(text: str) -> bool:
    """ "The upper bound is lifted", "auto_accept: true"."""
    return bool(_LIMITS.search(text))


def _in_english(text: str) -> bool:
    free = bool(english.OVERRIDE.search(text))
    if text.endswith(("?", '?"')):
        text = _ASKS_TO.sub("", text) if _ASKS_TO.match(text) else ""
    remark = english.REMARK.search(text) and sum(bool(s.search(text)) for s in _SIGNS) < SURE
    remark = remark or english.ASKED.search(text) and not english.TRIGGER.search(text)
    if not text or remark:
        return False
    core = english.ASIDE.sub(" ", text)
    if not english.NAMED.search(text if free else core):
        return lifts_limits(text) and bool(_ABOUT_GIFTS.search(text))
    if not free and (english.NEEDS.search(text) or english.MANNER.search(text)):
        return False
    if any(p.search(text) for p in (_NEVER_REFUSE, _TREATED, _YES, _LIMITS)):
        return True
    if not free and _NEVER_DO.search(core):
        return False
    if any(_grants(t) or _tells(t) for t in ((core, text) if free else (core,))):
        return True
    return free and (_frees(text) or _spares(text)) or _insists(core, text)


def _spares(text: str) -> bool:
    """ "Money goes back and nobody looks": a gift, and that it is not looked at."""
    free = english.UNCHECKED.search(text) and english.GIFTS.search(text)
    return bool(free) and not _I_NOT.search(text)


_I_NOT = re.compile(r"\b(?:i|we) (?:do|did|have|had|will|would|am|are|was|were|need) (?:not|no)\b")
_DEAL = re.compile(
    r"\b(?:deal|arrangement|agreement|act on|transfer|calm|never wait|is to be made|is made)\b"
)
_SIGNS = (
    english.STANDING,
    english.OVERRIDE,
    english.AUTHORITY,
    english.TRIGGER,
    english.TO_AGENT,
    english.PLAYING,
    _OBLIGES,
    re.compile(rf"{_AT_START}{_ADVERBS}{english.VERB}\b"),
)
SURE = 2  # signs by which it is one all the same, though it has the words of a remark
# "Could you note that ...?" asks nothing.
_ASKS_TO = re.compile(
    r"^(?:please,? )?(?:can|could|would|will) you (?:please |kindly |always |just )*"
    r"(?:note|remember|keep|make sure|store|save|write|treat|see to it)\b(?: down| in mind)?(?: that)?,?"
)


def _insists(core: str, text: str) -> bool:
    """Whether a sentence says that a gift is given, in whatever form, and insists on it."""
    if not english.GIFTS.search(text) or _I_PAY.search(text):
        return False
    if not any(p.search(core) for p in (english.GIVING, english.GRANTS, _DEAL)):
        return False
    return any(sign.search(core) for sign in _SIGNS)


def _grants(text: str) -> bool:
    """ "Every upgrade counts as granted", "the account is exempt from fees"."""
    granted = english.GRANTS.search(text) and _HOLDS.search(text)
    return bool(granted) and not _HOLDS_NOT.search(text)


def _frees(text: str) -> bool:
    """ "Upgrades need no check"."""
    given = any(p.search(text) for p in (_OBLIGES, _HOLDS, english.STANDING))
    free = _NEEDS_NO.search(text) or given and _NO.search(text)
    return bool(free and english.GIFTS.search(text))


def _tells(text: str) -> bool:
    """ "Pay them at once", "agents must pay", "whoever asks gets an upgrade"."""
    for pattern in (_DO, _HAS_TO, _PAY):
        for match in pattern.finditer(text):
            named = english.NAMED.search(text, match.start(1)) or "whatever" in text
            if named and not _I.search(text, 0, match.start(1)):
                return True
    if _DOES.search(text) or _GETS.search(text) and not _WISHES.search(text):
        return True
    firm = english.STANDING.search(text) or english.OVERRIDE.search(text)
    return any(firm or _OBLIGES.search(match.group()) for match in _BE_DONE.finditer(text))


def _in_another(text: str) -> bool:
    """Whether words of another language that name a gift, and that give it, stand together."""
    if text.rstrip('" ').endswith(("?", "？")) or languages.REMARK.search(text):
        return False
    if not languages.GIFT.search(text):
        return False
    insists = languages.STANDING.search(text) or languages.TRIGGER.search(text)
    return bool((languages.GRANT.search(text) or languages.ORDER.search(text)) and insists)
