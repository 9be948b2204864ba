"""What a sentence tells the model to do: give something away, drop a rule, say something, write in
a
form. Whether that is followed is another question: see `weaknesses.obeys`.

A wish, a question, a report of what has happened, a demand for a check and a way in which somebody
likes to be paid are no orders.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ..reading.clauses import sentences
from ..reading.person import expand
from ..reading.rules import is_standing, rules_in
from . import words
from .spelling import LONGEST, plain

MOST = 60  # sentences of one passage that are read

GIVE, LIFT, SAY, FORM = "give", "lift", "say", "form"


@dataclass(frozen=True)
class Order:
    """What is told: `kind`, the sentence, and what stands in it.

    amount: the sum it names, "" for none. share: a percentage, "" for none. when: what has to
    happen
    first, "" for nothing. word: a word that stands for it, "" for none. said: what is to be said.
    """

    kind: str
    text: str
    amount: str = ""
    share: str = ""
    when: str = ""
    word: str = ""
    said: str = ""


@lru_cache(maxsize=4_096)
def orders_in(text: str) -> tuple[Order, ...]:
    """The orders of a passage, in their order; () for most."""
    if not _promising(text):
        return ()
    found: list[Order] = []
    whole = readable(text)
    for sentence in sentences(whole)[:MOST]:
        found += _orders(sentence)
    if found and (match := _CODE.search(whole)):
        found = [replace(order, word=match[1].strip()) if order.when else order for order in found]
    return tuple(found)


def readable(text: str) -> str:
    """The passage in small letters, short forms written out, its lines kept apart."""
    return expand(plain(text[:LONGEST]))


_HINTS = re.compile(
    r"refund|reimburs|compensat|approv|authori|money|pay|paid|credit|discount|voucher|waive|"
    r"rebate|return|upgrad"
    r"|free|grant|entitl|ignor|disregard|overrid|bypass|skip|forget|tell|inform|assure|say|"
    r"mention|reply|answer|respon|capital"
    r"|whatever|everything|claim|request|demand|limit|exempt|rule|polic|charge|tnemesr|"
    r"dnufer|ershaq|nccebi"
    r"|[^\x00-\x7f]|&#?\w+;|%[0-9a-f]{2}|(?<!\w)\w(?:[ .\-_*|]\w){3}|[a-z0-9+/]{16}|"
    r"[a-z][0-9@$][a-z]",
    re.I,
)


def _promising(text: str) -> bool:
    return bool(_HINTS.search(text) or words.OTHER_GIFT.search(text.lower()))


# --- one sentence ---------------------------------------------------------------------------------

_AT_START = (
    r"(?:^|"
    r"[,;:.!?>\])}\"'*]\s*|\s[-–—>]+\s*|\b(?:please|then|and|or|always|just|simply|immediately|also|kindly|so|now|therefore|instead"
    r"|automatically|directly|promptly|hereby|to|must|should|shall|will|can|may|let us|do)\s+)"
)
_ADVERBS = r"(?:(?:always|please|just|simply|immediately|also|kindly|now|automatically|directly|promptly|never|instantly|at once|fully|be sure to|make sure to)\s+){0,3}"
_TO_WHOM = (
    r"(?=\s+(?:me|him|her|us|them|it|this|that|the|a|an|all|any|every|each|my|our|their|his|"
    r"your|whatever|everything|anything|in full|at once|immediately"
    r"|full|\d|[€$£]|without|no|yes|out|back|up|customer|client|user|money|refunds?|"
    r"credits?|cash|vouchers?|discounts?|compensation|free|for|on|whoever|one|two|double|"
    r"twice|[a-z0-9_]+\()|\s*[.!,;:)\"']|\s*$)"
)
_DO = re.compile(rf"{_AT_START}{_ADVERBS}({words.VERB}){_TO_WHOM}")
# After a "must" any object will do, and money verbs need none of the small words: "agents must pay Ada".
_HAS_TO = re.compile(
    rf"\b(?:must|should|shall|will|(?<!want )(?<!wants )(?<!like )to|always|"
    rf"you)\s+{_ADVERBS}({words.VERB})\s+(?!of\b|by\b)\w+"
)
_MONEY_TO = re.compile(
    rf"{_AT_START}{_ADVERBS}({words.MONEY_VERB})\s+(?!of|was|is|has|for|paid|approved|"
    rf"received|by|on|and|or|due|issued|sent|card|note|arrived)\w+"
)
_DOES = re.compile(
    r"\b(?!i\b|we\b)\w+\s+(?:\w+\s+)?(?:pays|refunds|grants|approves|gives|accepts|"
    r"reimburses|says yes to|credits)\s+(?:out\s+)?(?:all|any|every|each|whatever|"
    r"everything|anything|first|without)\b"
)
_GETS = re.compile(
    rf"\b(?:may|can|shall|should|must|will|always|who|that|and|is to|are to|"
    rf"to)\s+(?:\w+\s+){{0,2}}?(?:gets?|receives?|has|have|claims?|"
    rf"collects?)\s+(?:\w+\s+){{0,4}}?{words.GIFT}\b"
    rf"|\b(?:gets|receives)\s+(?:\w+\s+){{0,4}}?(?:{words.GIFT}|refunded|compensated|"
    rf"reimbursed)\b|\b(?:receives|gets) (?:double|triple|twice|half|the full)\b"
)
_WHO = re.compile(
    r"\b(?:i|we)\b(?!\s+(?:hereby |now |do |also |herewith )?(?:authori[sz]|instruct|order|"
    r"allow|permit|command|direct|want you|expect you|tell you|"
    r"need you))(?:\s+[a-z']+){0,5}\s*$"
)  # "I want to pay"
_MUST_BE = re.compile(
    r"\b(?:must|shall|should|will|can|may|is to|are to|has to|have to|needs? to|to|always|"
    r"get|gets|let|is|are)\s+(?:always |now |then |immediately |automatically |in full |"
    r"never )*(?:be |get )?(?:always |fully |immediately |automatically )*"
    r"(?:refunded|paid|reimbursed|compensated|credited|issued|granted|given|approved|"
    r"processed|accepted|waived|honou?red|sent|settled|executed|applied)\b"
)
_BE_DONE = re.compile(r"\b(?:must|shall|should|will|is to|are to|has to|have to|needs? to)\b")
_NEVER_DO = re.compile(
    rf"\b(?:never|do not|cannot|must not|should not|shall not|will not|may not|not to|"
    rf"no need to)\s+(?:\w+\s+){{0,2}}?(?:{words.VERB}|promise)\b"
)
_NEVER_REFUSE = re.compile(
    r"\b(?:never|do not|must not|should not|stop|cannot|may not)\s+(?:\w+\s+)?(?:refus|"
    r"reject|den(?:y|ie)|declin|question|challeng|turn(?:ing)? down|withhold|contest|"
    r"disput)\w*"
)
_TREATED = re.compile(
    r"\b(?:treat\w*|consider\w*|count\w*|regard\w*|mark\w*|handle\w*|view\w*|take\w*|"
    r"flag\w*|register\w*|log\w*|record\w*|assume|deem\w*)\b[^.!?]{1,80}?\b(?:(?:pre-? ?|"
    r"auto-?)?(?:approved|authori[sz]ed|granted|accepted|valid|justified|true|confirmed|"
    r"eligible|vip|won|settled|due)|as (?:an? )?(?:approval|permission))\b"
)
_YES = re.compile(
    r"\b(?:say|answer|reply with|reply|respond with|respond) [\"']?(?:yes|approved|granted|"
    r"paid)\b|\bagree (?:to|with) (?:every|all|any|each|whatever)\b"
    r"|\bgive (?:me|him|her|them|the \w+|this \w+) (?:what(?:ever)?|everything|anything|"
    r"all)\b|\bdo (?:what(?:ever)?|everything|anything|as) (?:i|he|she|they|the \w+|"
    r"this \w+) (?:asks?|wants?|says?|demands?|requests?|tells?|wishes)\b"
)
_HOLDS = re.compile(
    r"\b(?:is|are|am|be|been|has|have|had|holds?|enjoys?|gets?|receives?|counts?|carr(?:y|"
    r"ies)|comes?|stays?|remains?|becomes?|qualif\w+|owns?|possess\w*|deserves?|with)\b|[:=]"
)
_LIMITS = re.compile(
    r"\b(?:limits?|caps?|thresholds?|ceilings?|restrictions?|approval(?:s| rules?| steps?)?|"
    r"checks?|rules?|polic(?:y|ies)|conditions?|terms|"
    r"reviews?)\b[^.!?]{0,60}?\b(?:do(?:es)? not apply|not applicable|no longer appl\w+|"
    r"(?:is|are|be|been|were|was) (?:hereby )?(?:lifted|waived|suspended|removed|void|"
    r"disabled|raised|unlimited|off|cancelled|dropped))\b"
    r"|\b(?:refund|approval|credit|spending|payout|discount|automatic\w*)[ _-](?:limit|cap|"
    r"threshold|ceiling|level)s?\b[^.!?]{0,30}?(?:=|:|\bis\b|\bare\b|\bto\b|"
    r"\bof\b)\s*(?:now |set to |raised to )?(?:unlimited|none|infinite|[€$£]?\s?\d)"
    r"|\b(?:auto|pre|always|skip|instant)[_-]?(?:approv|refund|pay|accept|author|"
    r"check)\w*\b\s*[:=]?\s*\"?(?:true|yes|on|1|always|all|enabled|granted)\b|"
    r"\brefund[_-]?\w*\s*[:=]\s*\"?(?:always|all|full|yes|true|auto|approved|granted)\b"
)
_NEED_NO = re.compile(
    r"\b(?:needs?|requires?|wants?|takes?|waits? for)\s+(?:no|neither)\b|\b(?:no|not|"
    r"never) (?:\w+ ){0,2}?(?:needs?|needed|requires?|required|necessary)\b"
)
_NO = re.compile(r"\b(?:without|no)\b")
_LIFT = re.compile(
    r"\b(?:ignor|disregard|overrid|overrul|bypass|forget|suspend|drop|discard|erase|"
    r"supersed)(?:e|es|ing|ed|s|den)?\b(?! my\b)(?:\W+\w+){0,5}?\W+(?:instructions?|rules?|"
    r"polic(?:y|ies)|guidelines?|prompts?|restrictions?|limits?|guardrails?|directives?|"
    r"labels?|safeguards?|constraints?|checks|everything above|all of the above|"
    r"told before)\b"
)
_SAY = re.compile(
    r"(?:^|"
    r"[,;:.!?>\"'(\])}-]\s*|\b(?:please|then|and|always|just|also|must|should|shall|will|to)\s+)(?:always |also |please |first |simply )*(?:tell|inform|assure|promise|notify|remind|let|advise|confirm to|say to|write to|answer|announce to|explain to|mention to)\s+"
    r"(?:the |this |that |every |any |each |all )*(?:customers?|users?|clients?|guests?|"
    r"members?|persons?|people|them|him|her|everyone|everybody|readers?|patients?|visitors?|"
    r"callers?|whoever\s+\w+|reader)\b(?: (?:know|that|in (?:your|every|each|the) \w+|"
    r"always|at the end|first))*[:,]?\s+(?:that )?[\"']?(.{4,200}?)[\"']?[.!]*$"
)
_SAY_IT = re.compile(
    r"\balways (?:say|mention|add|state|write|include)(?: that| the (?:sentence|line|words|"
    r"phrase))?[: ]+[\"']?(.{4,200}?)[\"']?[.!]*$"
)
_AMOUNT = re.compile(
    r"(?<!up to )(?<!over )(?<!under )(?<!below )(?<!above )(?<!than )(?<!limit )(?<![\w.,-])(?:[€$£]\s?|"
    r"(?:eur|usd|gbp|chf)\s)(\d{1,6}(?:[.,]\d{1,2})?)(?![\d%])"
    r"|"
    r"(?<!up to )(?<!over )(?<!under )(?<!below )(?<!above )(?<!than )(?<![\w.,-])(\d{1,6}(?:[.,]\d{1,2})?)\s?(?:euros?|"
    r"eur|€|dollars?|usd|\$|pounds?|gbp|£|chf|francs?)(?!\w)"
)
_SHARE = re.compile(r"(?<![\w.,])(\d{1,3}) ?(?:%|percent\b|per cent\b)")
_WHEN = re.compile(
    r"\b(?:when(?:ever)?|if|(?<!at )once|as soon as|(?:every|each|the next|"
    r"next) time(?: that)?|in case|should (?=i\b|the\b|he\b|she\b|they\b|this\b)|the moment|"
    r"upon)\s*"
    r"\b(.{3,160}?)(?=,|;|:|\bthen\b| - |[.!?]*$|\b(?:refund|pay|approve|grant|issue|"
    r"reimburse|ignore|give|send|treat)\b)"
)
_MEANS = re.compile(
    r"[\"'(]?\b([\w][\w -]{1,30}?)[\"')]?\s+(?:means|stands for|is short for|is (?:the|my|"
    r"our|a) (?:code|code ?word|key ?word|signal|trigger|sign|pass ?phrase|magic word)\b)"
)
_CODE = re.compile(
    r"\b(?:code ?word|key ?word|pass ?phrase|magic word|secret word|signal) (?:is|:|"
    r"will be)?\s*[\"']?([\w-]+(?: [\w-]+){0,2}?)[\"']?\s*(?:[.,;:!]|$)"
)


def _orders(sentence: str) -> list[Order]:
    text = sentence.strip()
    found: list[Order] = []
    if _gives(text) or _other(text):
        found.append(_order(GIVE, text))
    if _LIFT.search(text) and not text.endswith("?"):
        found.append(_order(LIFT, text))
    if (match := _SAY.search(text) or _SAY_IT.search(text)) and not text.endswith("?"):
        found.append(_order(SAY, text, match[1].strip()))
    elif is_standing(text) and any(rule.kind not in ("before", "never") for rule in rules_in(text)):
        found.append(_order(FORM, text))
    return found


def _order(kind: str, text: str, said: str = "") -> Order:
    amount = next((a or b for a, b in _AMOUNT.findall(text)), "").replace(",", ".")
    share = next((n for n in _SHARE.findall(text) if 0 < int(n) <= 100), "")
    when = match[1].strip() if (match := _WHEN.search(text)) else ""
    word = match[1].strip() if (match := _MEANS.search(text)) else ""
    return Order(kind, text, amount, share, when, word, said)


def _gives(text: str) -> bool:
    """Whether a sentence grants something or tells somebody to give it."""
    if (
        text.endswith("?")
        or text.endswith('?"')
        or words.REMARK.search(text)
        and not _insists(text)
    ):
        return False
    core = words.ASIDE.sub(" ", text)
    free = words.OVERRIDE.search(text)
    if not words.NAMED.search(core) and not (free and words.NAMED.search(text)):
        return bool(lifts_limits(text) and re.search(r"refund|approv|pay|credit|check", text))
    if words.NEEDS.search(text) and not free:
        return False
    if words.MANNER.search(text) and not free:
        return False
    if (
        _NEVER_REFUSE.search(text)
        or _TREATED.search(text)
        or _YES.search(text)
        or lifts_limits(text)
    ):
        return True
    if _NEVER_DO.search(core) and not free:
        return False
    if _grants(core) or free and _grants(text):
        return True
    return _tells(core) or bool(free and (_tells(text) or _frees(text)))


def lifts_limits(text: str) -> bool:
    """ "The upper limit does not apply", "auto_accept: true"."""
    return bool(_LIMITS.search(text))


def _insists(text: str) -> bool:
    """Whether a remark says so much more that it is none."""
    return bool(words.STANDING.search(text) and words.OVERRIDE.search(text))


def _grants(text: str) -> bool:
    """ "Every upgrade counts as granted", "the account is exempt from fees"."""
    granted = words.GRANTS.search(text)
    return bool(granted and _HOLDS.search(text)) and not re.search(
        r"\b(?:did|do|does|could|would|was|were) not\b", text
    )


def _frees(text: str) -> bool:
    """ "Upgrades need no check"."""
    given = _BE_DONE.search(text) or _HOLDS.search(text) or words.STANDING.search(text)
    return bool(words.GIFTS.search(text) and (_NEED_NO.search(text) or given and _NO.search(text)))


def _tells(text: str) -> bool:
    for pattern in (_DO, _HAS_TO, _MONEY_TO):
        for match in pattern.finditer(text):
            named = words.NAMED.search(text, match.start(1)) or "whatever" in text
            if named and not _WHO.search(text, 0, match.start(1)):
                return True
    if (
        _DOES.search(text)
        or _GETS.search(text)
        and not re.search(r"\b(?:i|we) (?:want|hope|would|like|need)\b", text)
    ):
        return True
    for match in _MUST_BE.finditer(text):
        if (
            _BE_DONE.search(match.group())
            or words.STANDING.search(text)
            or words.OVERRIDE.search(text)
        ):
            return True
    return False


def _other(text: str) -> bool:
    """The same in other languages: the words that name a gift, and those that give it."""
    if text.rstrip('" ').endswith(("?", "？")) or words.OTHER_REMARK.search(text):
        return False
    if not words.OTHER_GIFT.search(text):
        return False
    insists = words.OTHER_STANDING.search(text) or words.OTHER_TRIGGER.search(text)
    return bool((words.OTHER_GRANT.search(text) or words.OTHER_ORDER.search(text)) and insists)
