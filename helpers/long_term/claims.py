"""What a fact about a customer claims, where it has a form that can be read: slot and value.

    "My deliveries go to Block B"   ->  Claim("delivery", "block b")
    "I moved to 5 Elm Street"       ->  Claim("home", "5 elm street")

A slot is something that has one value at a time: the place of deliveries, the home, the preferred
way to be repaid or reached, and what "the ... is ..." names. Whatever else a fact says ("likes tea",
"order A was late") has no slot here, since the next fact of its kind does not end it. So are facts
about one order or one day, and those with a condition, unless the other has the same one: those
words become part of the slot. English only; facts in other languages have no claims.
"""

import re
from dataclasses import dataclass

from .wording import plain, same


@dataclass(frozen=True)
class Claim:
    """slot: what it is about. value: what it says of it. kind: of values that exclude each other.

    ends: slots whose earlier claims it makes stale, whatever their value.
    """

    slot: str
    value: str
    kind: str = ""
    ends: tuple[str, ...] = ()


DOMAINS = {  # values that exclude each other, each with the words for it
    "resolution": "refund|money back;replacement;voucher;credit|store credit;repair;exchange",
    "contact": "email|e-mail|mail;phone|call|phone call|telephone;text|sms|text message;"
    "letter|post;chat;whatsapp",
    "time of day": "morning;noon|lunchtime;afternoon;evening;night",
    "part of week": "weekday;weekend",
    "language": "english;german;french;spanish;italian;dutch;polish;portuguese;turkish;russian;"
    "arabic;chinese;japanese;korean;hindi;czech;danish;swedish;norwegian;finnish;greek;hungarian;"
    "romanian;ukrainian;swahili",
}
_OPTIONS = {
    word: (domain, group.split("|")[0])
    for domain, groups in DOMAINS.items()
    for group in groups.split(";")
    for word in group.split("|")
}
_OPTION = re.compile(
    r"\b(" + "|".join(sorted(map(re.escape, _OPTIONS), key=len, reverse=True)) + r")(?:s|es)?\b"
)

PERSON = frozenset(
    "i me my mine we us our he him his she her they them their the a an customer customer's you "
    "your this these all any".split()
)
_FILLER = re.compile(
    r"^(?:please |kindly |note:? |note that |remember:? |remember that |fyi:? |just so you know:? |"
    r"the customer (?:says|said|states|stated|told us|confirmed|asked)(?: that)? |customer: |"
    r"(?:i|we) said (?:that )?|for the future:? |(?:i |we |has |have )*moved(?: house| home)?: |so |and |actually,? |correction:? )+"
    r"|\b(?:now|currently|always|usually|normally|generally|please|actually|again|just|recently|"
    r"from now on|as of today|at the moment|in future|in the future|these days),?(?: |$)"
)
# what follows narrows a claim, and is part of its slot
_CONDITION = re.compile(
    r"[,;]?\s\b(?:(?:if|when|whenever|unless|while|until|during|except|because|since|as long as)\b.*"
    r"|(?:on|every|before|after|between|for|in) (?=[^,]*\b(?:mon|tues|wednes|thurs|fri|satur|sun)?"
    r"(?:days?|weekends?|weekdays?|weeks?|months?|winter|summer|holidays?|noon|mornings?|evenings?|"
    r"afternoons?|nights?|\d{1,2}(?::\d\d)?(?: ?[ap]m)?)\b).*|for (?:the |my |our |his |her )?\w+.*)$"
)
_IF = re.compile(r"\b(?:if|when|whenever|unless|while|until|except|because|for)\b")
_CUT = re.compile(
    r"(?:,|;|\s[-–]\s|\(|\.\s|,?\s(?:and|but)?\s?\b(?:not|instead of|rather than|no longer)\b).*$"
)
_INSTEAD = re.compile(
    r"(.*?) (?:no longer|not) (.+?\b(?:to|at|in|by)) .+? but (?:to |at |in |by )?(.+)"
)
_GOODS = r"(?:deliver(?:y|ies)|parcels?|packages?|orders?|shipments?|mail|post|goods|things)"
_HERE = r"(?:to|for) (?:this|my|the|our|his|her|their) (?:address|house|home|flat|customer|place)"
_PLACED = (
    r"(?:(?:must|should|shall|have to|has to|need to|needs to|are to|is to|can|may|will|ought to) )?"
    r"(?:go|goes|come|comes|belong|be (?:left|delivered|brought|sent|taken|handed|dropped|dropped off|"
    r"placed|put)|are (?:left|delivered|brought|sent)|to be (?:left|delivered|brought|sent))"
)
_TO = r"(?: over| only| straight)? (?P<how>to|at|in|with|into|by|behind|under|near|next to)"
_DELIVERY = [
    re.compile(rf"(?P<who>.*?)\b{_GOODS}\b(?P<which>.*?) {_PLACED}{_TO} (?P<v>.+)"),
    re.compile(
        rf"(?P<who>.*?)\b(?:wants?|would like|prefers?|asks? for|needs?|likes?)(?P<which>.*?) "
        rf"{_GOODS}(?: (?:to be )?(?:left|delivered|brought|sent))?{_TO} (?P<v>.+)"
    ),
    re.compile(
        rf"(?P<who>)(?:deliver|bring|send|leave|drop|take|hand|put)(?: off| over)?"
        rf"(?P<which>(?: (?:all|any|my|our|every|the|his|her|their))*(?: {_GOODS}| everything| it| them)?)"
        rf"{_TO} (?P<v>.+)"
    ),
    re.compile(
        rf"(?P<who>.*?)\b{_GOODS} (?P<which>)(?P<how>building|place|address|instructions?|location|"
        r"point|spot)(?: (?:is|are|was changed to|has changed to|changed to))?:? (?P<v>.+)"
    ),
    re.compile(rf"(?P<who>)(?P<which>)(?P<how>){_GOODS}: (?P<v>.+)"),
    re.compile(rf"(?P<who>)use (?P<v>.+?) for (?P<which>)(?P<how>)(?:\w+ )?{_GOODS}"),
]
_HOME = re.compile(
    r"(?P<who>.*?)\b(?:(?:have |has |had )?(?P<moved>moved|relocated)(?: house| home| out)?"
    r"(?: from .+?)? (?:to|into)|lives?(?: at| in| on)|resides? (?:at|in)|(?:is|am|are) living (?:at|in)|"
    r"(?P<which>(?:[\w-]+ ){0,2})address(?: is| was changed to| has changed to| changed to|:)) (?P<v>.+)"
)
_STREET = re.compile(
    r"\d|\b(?:street|road|lane|avenue|house|home|block|building|tower|court|square|flat|apartment|"
    r"gardens?|terrace|drive|close|way|yard|gate|hill|quarter)\b|(?:straße|strasse|platz|gasse|weg)\b"
)
_DETAIL = re.compile(
    r"\b(floor|door|entrance|bell|room|apartment|flat|desk|staircase|stairs|lift|level|side)\b"
)
_LIKES = re.compile(
    r"(?P<who>.*?)\b(?:prefers?|would prefer|would rather (?:have|get)|"
    r"(?:would like|wants?|likes?)(?=.* (?:rather than|instead of|over) ))"
    r"(?: to (?:get|have|be|receive))? (?P<v>.+)"
)
_OVER = re.compile(r"(.+?) (?:to|over|rather than|instead of|and not|not|more than) (.+)")
_REACH = re.compile(
    r"(?P<who>.*?)\b(?:contact|reach|write to|answer|reply to|respond to|call|called|contacted|reached)"
    r"(?: me| us| him| her| them| the customer)?(?: only)? (?:by|via|on|through|per|in|over) (?P<v>.+)"
)
_WISH = re.compile(
    r"\b(?:wants?|would|likes?|prefers?|needs?|asks?|has|have|wishes|can|could|should|must|may|only|"
    r"best|to|be|is)\b"
)
_CALLED = re.compile(
    r"(?P<who>.*?)\b(?:call me|be called|be addressed as|goes by|is called) "
    r"(?!(?:by|on|in|at|when|if|back|before|after|from|only|to|about|for|with|any|anytime|every|up|"
    r"via|over|between|during|until|unless)\b)(?P<v>.+)"
)
_STOREY = re.compile(
    r"(?P<who>.*?)\b(?:is|am|are|lives?|located) (?:up )?(?:on|in) (?:the )?"
    r"(?P<v>(?:\w+ )?(?:floor|storey)(?: \w+)?)"
)
_IS = re.compile(
    r"(?P<who>(?:[\w'’-]+ ){1,6}?)(?P<verb>is|has changed to|changed to|was changed to)(?: only)? (?P<v>.+)"
)
_ATTRIBUTES = frozenset(
    "name surname nickname number phone email mail language courier building block floor street city "
    "town postcode zip country contact neighbour neighbor concierge porter birthday title company "
    "employer locker store branch size colour color resolution method day birthday landlord".split()
)
_NO_VALUE = re.compile(
    r"(?:not|too|very|quite|still|already|broken|closed|open|wrong|late|missing|out|off|away|gone|"
    r"unknown|secret|being|in|on|at|under|about|important|fine|ok|good|bad|lost|full|correct|\w+ing|"
    r"\w+ed)\b"
)
_PAST = re.compile(r"\b(?:was|were|went|had been|has been|have been|did|used to)\b")


def claims(text: str) -> list[Claim]:
    """What the text claims; [] for a fact without a slot."""
    low = _FILLER.sub("", same(text)).strip()
    if happened(low):
        return []
    if instead := _INSTEAD.fullmatch(low):
        low = " ".join(instead.groups())
    if not _IF.search(low) and (found := _reach(low, "")):
        return [found]  # "in the evening" is no condition of it, but the value
    low, condition = _split(low)
    for read in (_storey, _home, _delivery, _reach, _likes, _called, _is):
        if (found := read(low, condition)) is not None:
            return [found] if found.value else []
    return []


def happened(text: str) -> bool:
    """Whether it tells of something that is over: nothing that the next one would end."""
    return bool(_PAST.search(same(text).replace("was changed", "")))


def designators(text: str) -> dict[str, str]:
    """Places that are told apart by a letter or number: {"block": "b", "gate": "3"}."""
    return {head: which for head, which in _DESIGNATED.findall(same(text))}


_DESIGNATED = re.compile(
    r"\b(block|building|tower|house|gate|door|entrance|floor|flat|apartment|room|desk|shelf|locker|"
    r"unit|suite|level|wing|bay|dock|zone|terminal|hall|staircase) "
    r"(?:no\.? |number )?([a-z]|\d{1,4}[a-z]?|north|south|east|west|left|right)\b"
)


def _split(low: str) -> tuple[str, str]:
    match = _CONDITION.search(low)
    return (low[: match.start()], _subject(match.group())) if match else (low, "")


def _subject(words: str) -> str:
    """The words that say about whom or what, in their plain form."""
    found = [re.sub(r"['’](?:s|d|m|ve|ll|re)?$", "", w) for w in re.findall(r"[\w'’-]+", words)]
    return " ".join(plain(word) for word in found if word not in PERSON)


def _value(text: str) -> str:
    text = _CUT.sub("", text).strip(" .!,")
    return re.sub(r"^(?:the|a|an|my|our|his|her|their) ", "", text)


def _slot(*parts: str) -> str:
    return "|".join(part for part in parts if part)


def _delivery(low: str, condition: str) -> Claim | None:
    for pattern in _DELIVERY:
        match = pattern.fullmatch(low)
        if not match:
            continue
        which = re.sub(rf"\b(?:{_GOODS}|everything|it|{_HERE})\b", "", match["which"] or "")
        about = _subject(match["who"] + " " + which)
        if len(about.split()) > 4:
            return None
        value = _value(match["v"])
        kind = "person" if match["how"] in ("with", "by") else "place"
        if details := _DETAIL.findall(value):
            kind = details[-1]
        return Claim(_slot("delivery", about, condition), value, kind)
    return None


def _home(low: str, condition: str) -> Claim | None:
    match = _HOME.fullmatch(low)
    if not match or re.search(r"\b(?:will|going to|about to|wants? to|plans?)\b", match["who"]):
        return None
    value, about = _value(match["v"]), _subject(match["who"])
    which = _subject(match["which"] or "")
    which = " ".join(w for w in which.split() if w not in ("new", "current", "home", "postal"))
    if re.search(r"\b(?:e-?mail|web|ip)\b", which) or "@" in value:
        return Claim(_slot("email", about, condition), value, "email")
    if re.search(r"\b(?:delivery|shipping)\b", which):
        return Claim(_slot("delivery", about, condition), value, "place")
    if which:
        return Claim(_slot(f"{which} address", about, condition), value, "place")
    place = bool(_STREET.search(value))
    kind = "street" if place else "town"
    if detail := _DETAIL.match(re.sub(r"^(?:\d+(?:st|nd|rd|th)|\w+) ", "", value)):
        kind, place = detail[1], False
    stale = (_slot("delivery", about),) if match["moved"] and place else ()
    return Claim(_slot("home", about, condition), value, kind, stale)


def _likes(low: str, condition: str) -> Claim | None:
    match = _LIKES.fullmatch(low)
    if not match:
        return None
    parts = _OVER.fullmatch(match["v"])
    wanted, other = parts.groups() if parts else (match["v"], "")
    options = _options(wanted)
    about = _subject(match["who"])
    if len(options) == 1:
        ((domain, option),) = options
        return Claim(_slot(f"prefers {domain}", about, condition), option, domain)
    if options or not other:
        return Claim("", "")
    pair = sorted([_value(wanted), _value(other)])
    return Claim(_slot(f"prefers {' or '.join(pair)}", about, condition), _value(wanted), "pair")


def _options(text: str) -> set[tuple[str, str]]:
    return {_OPTIONS[found] for found in _OPTION.findall(text)}


def _reach(low: str, condition: str) -> Claim | None:
    match = _REACH.fullmatch(low)
    options = _options(match["v"]) if match else set()
    if len(options) != 1:
        return None
    ((domain, option),) = options
    about = _subject(_WISH.sub("", match["who"]))
    return Claim(_slot(f"prefers {domain}", about, condition), option, domain)


def _called(low: str, condition: str) -> Claim | None:
    match = _CALLED.fullmatch(low)
    if not match:
        return None
    about = _subject(_WISH.sub("", match["who"]))
    return Claim(_slot("called", about, condition), _value(match["v"]), "value")


def _storey(low: str, condition: str) -> Claim | None:
    match = _STOREY.fullmatch(low)
    if not match:
        return None
    about = _subject(re.sub(r"\b(?:flat|apartment|home|office)\b", "", match["who"]))
    return Claim(_slot("floor", about, condition), _value(match["v"]), "floor")


def _is(low: str, condition: str) -> Claim | None:
    match = _IS.fullmatch(low) or re.fullmatch(
        r"(?P<who>(?:[\w'’-]+ ){0,4}[\w'’-]+)(?P<verb>:) (?P<v>.+)", low
    )
    if not match:
        return None
    words = [w for w in re.findall(r"[\w'’-]+", match["who"]) if w not in PERSON]
    words = [plain(re.sub(r"['’]s?$", "", w)) for w in words if w not in ("new", "current")]
    value = _value(match["v"])
    if not words or words[-1] not in _ATTRIBUTES or _NO_VALUE.match(value):
        return None
    return Claim(_slot(" ".join(words), condition), value, "value")
