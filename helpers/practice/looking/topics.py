"""What a question wants to find in documents: pairs such as "wrong building", and single words."""

import re
from dataclasses import dataclass

from ..material.words import root
from ..reading.clauses import VERBS
from ..reading.person import expand
from ..reading.words import STOP, WORD, one_of
from .alike import WRONG

NOUNS = r"(?:documents?|docs?|tickets?|reviews?|notes?|e-?mails?|mails?|letters?|messages?|entr(?:y|ies)|items?|texts?|articles?|reports?|cases?|comments?|customers?|people|persons?|ones?|records?|files?|posts?|complaints?|pages?|users?|clients?|guests?|writers?)"
_SAYING = one_of(r"""
    mention(?:s|ed|ing)?(?: of)? | (?:speak|talk)(?:s|ing)? (?:of|about) | sa(?:y|ys|id|ying)(?: that)? | tell(?:s|ing)? (?:of|about|that)
    report(?:s|ed|ing)?(?: that| on| of)? | describ(?:e|es|ed|ing) | complain(?:s|ed|ing)? (?:of|about|that) | (?:is|are|were|was) about | concern(?:s|ing)?
    refer(?:s|ring)? to | stat(?:e|es|ed|ing)(?: that)? | deal(?:s|ing)? with | contain(?:s|ing)? | involv(?:e|es|ing) | discuss(?:es|ing)? | cover(?:s|ing)?
    claim(?:s|ed|ing)?(?: that)? | write(?:s)? (?:of|about|that) | show(?:s)? that | name(?:s)? | include(?:s)? | bring(?:s)? up
""")  # fmt: skip
_WHICH = re.compile(
    rf"\b(?:(?P<count>how many)|(?P<any>(?:do|does|did|is there|are there|are|is|has|have) (?:any(?: of)?|one of|some of|a|an))|(?:in |from |of )?which|what(?= {NOUNS})|(?:list|find|name|identify|show|give|collect|pick(?: out)?|select|count|return|tell)\b(?: me)?(?: the)?(?: ids?| numbers?| names?)?(?: of)?(?: all| every| any| each| those)?|any|whether any|ids of)\b"
    rf"(?: (?:of|in|from|the|these|those|them|all|my|our|\d+|ids?|which|me|numbers?|any|every|following|above|below|support|earlier|old))*(?: {NOUNS})?"
    rf"(?: (?:that|which|who|where|in which|of customers|of them))?(?P<not> (?:do|does|did) not| don't| doesn't| without| never)?(?: (?:ever|actually|also|explicitly|really|clearly))? "
    rf"(?:{_SAYING}) (?P<topic>.+)",
    re.I,
)
_ABOUT = re.compile(
    rf"\b(?:which|how many|is there an?|are there|any|list|find|name|identify|show|give|collect|pick|select|count|return|ids of)\b(?: (?:of|the|these|those|all|my|our|\d+|ids?|me))*(?: {NOUNS}) (?P<how>about|on|with|where|in which|that|which|who|concerning|regarding|without) (?P<topic>.+)",
    re.I,
)
_PLAIN = re.compile(
    rf"\b(?P<in>in )?(?:which|how many)\b(?: (?:of|these|those|the|them|all|\d+))* ?(?P<noun>{NOUNS})?(?P<not> (?:do|does|did|is|are|was|were|have|has) not)? (?P<topic>.+)",
    re.I,
)
_TAIL = re.compile(
    r"[?.!\s]+$|,? (?:and|or) (?:how many|which|list|give|name|tell|what|say)\b.*$|,? please$|[.;] .*$|\?.*$|:$",
    re.I,
)


@dataclass(frozen=True)
class Topic:
    """What a document must say: pairs (modifier, noun), words, phrases in quotation marks.

    `text` is the topic as it was asked; `without`: the documents that do not say it are wanted.
    """

    text: str
    pairs: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    others: tuple["Topic", ...] = ()  # each of them does as well
    without: bool = False
    wished: bool = False  # the document must ask for it
    verb: str = "mention"


def topic_of(asked: str) -> Topic | None:
    """The topic of "which of these mention ...?"; None if the text asks something else."""
    text = re.sub(r"\s+", " ", expand(re.sub(r"^\W*question\W*:?", "", asked, flags=re.I))).strip()
    sentences = re.split(r"(?<=[.!?])\s+", text)
    for sentence in reversed(sentences):
        for pattern in (_WHICH, _ABOUT, _PLAIN):
            for match in pattern.finditer(sentence):
                if found := _topic(match, pattern):
                    return found
    return None


def _topic(match: re.Match, pattern: re.Pattern) -> Topic | None:
    text = match["topic"]
    while (shorter := _TAIL.sub("", text)) != text:
        text = shorter
    groups = match.groupdict()
    without = bool(groups.get("not")) or (groups.get("how") or "").lower() == "without"
    if pattern is _PLAIN and not (groups.get("noun") or groups.get("in") or _OF_THESE.search(match.group())):  # fmt: skip
        return None
    wish = _WISHED.match(text) if pattern is _PLAIN else None
    if wish:
        text = text[wish.end() :]
    said = match.group()[: match.start("topic") - match.start()]
    made = made_of(
        text,
        clause=pattern is _PLAIN or said.rstrip().lower().endswith((" that", " where", " which")),
    )
    if not made:
        return None
    verb = wish or re.search(_SAYING, said, re.I)
    verb = verb.group().strip().lower() if verb else ""
    if (groups.get("how") or "").lower() in ("about", "on", "concerning", "regarding"):
        verb = "are about"
    return Topic(text, *made, without=without, wished=bool(wish), verb=verb)


_WISHED = re.compile(r"(?:ask(?:s|ed)? for|want(?:s|ed)?|request(?:s|ed)?|demand(?:s|ed)?|need(?:s|ed)?|wish(?:es)? for) (?!to\b)", re.I)  # fmt: skip
_OF_THESE = re.compile(r"\bof (?:these|those|them|the)\b", re.I)
_OR = re.compile(r",? or (?:of |about |that )?(?=(?:a|an|the|another|his|her|their|my|our) )|,? or (?:of|about|that) ", re.I)  # fmt: skip
_BEING = re.compile(
    r"(?:the |a |an |my |their |his |her |our )?(?P<head>[\w'-]+) (?:was|were|is|are|arrived|came|has been|had been|got|be|being) (?:\w+ly |too |very )?(?P<mod>[\w'-]+)$|^(?:was|were|is|are) (?:the |a |an |my |their |his |her )?(?P<head2>[\w'-]+) (?:\w+ly |too |very )?(?P<mod2>[\w'-]+)$",
    re.I,
)
_QUOTED = re.compile(r"[\"“”‘]([^\"“”’]{2,120})[\"”’]|(?<!\w)'([^']{2,120})'(?!\w)")
_KEPT = frozenset("another other different not right wrong same new twice again off".split())
_LEFT_OUT = frozenset(
    "anything something everything kind sort type fact word words instance case cases time times problem".split()
)


def made_of(text: str, clause: bool = False) -> tuple[tuple, tuple, tuple, tuple] | None:
    """(pairs, words, phrases, other topics) of a topic; None if it names nothing.

    `clause`: it is one ("the app crashes"), so that its last word may be a verb.
    """
    phrases = tuple(a or b for a, b in _QUOTED.findall(text))
    rest = _QUOTED.sub(" ", text)
    parts = [part for part in _OR.split(rest) if part.strip()]
    others: tuple[Topic, ...] = ()
    if len(parts) > 1:
        made = [(part, made_of(part)) for part in parts[1:]]
        others = tuple(Topic(part, *found) for part, found in made if found)
        rest = parts[0]
    pairs: list[tuple[str, str]] = []
    words: list[str] = []
    if match := _BEING.search(rest):
        head, mod = match["head"] or match["head2"], match["mod"] or match["mod2"]
        plain = mod.lower() not in STOP - _KEPT and mod.lower() not in ("twice", "again", "off")
        if plain and head.lower() not in STOP:
            pairs.append((root(mod), root(head)))
            rest = rest[: match.start()] + " , " + rest[match.end() :]
    for run in re.split(r"[,;:()]|\b(?:and|or)\b", rest):
        pairs_here, words_here = _of_run(run, clause)
        pairs += pairs_here
        words += words_here
    if not (pairs or words or phrases):
        return None
    return tuple(pairs), tuple(dict.fromkeys(words)), phrases, others


def _of_run(text: str, clause: bool) -> tuple[list[tuple[str, str]], list[str]]:
    pairs: list[tuple[str, str]] = []
    words: list[str] = []
    chunk: list[str] = []
    for token in [*WORD.findall(text), ""]:
        low = token.lower()
        if token and low not in (STOP - _KEPT) and low not in _LEFT_OUT:
            chunk.append(token)
            continue
        if chunk:
            verb = any(w.lower() in VERBS for w in chunk) and not _participle_first(chunk)
            verb = verb or chunk[-1].lower() in _KEPT or clause and _ends_with_verb(chunk)
            code = any(any(c.isdigit() for c in w) for w in chunk)
            if len(chunk) > 1 and not verb and not code:
                pairs += [(root(w), root(chunk[-1])) for w in chunk[:-1]]
            else:
                codes = [w.lower() for w in chunk if any(c.isdigit() for c in w)]
                words += codes or [root(w) for w in chunk]
        chunk = []
    return pairs, words


def _ends_with_verb(chunk: list[str]) -> bool:
    """ "App crashes": two words of which the last may be what the first does."""
    first, last = chunk[0].lower(), chunk[-1].lower()
    adjective = first.endswith("ed") or root(first) in WRONG
    return len(chunk) == 2 and last.endswith(("s", "ed")) and not adjective


def _participle_first(chunk: list[str]) -> bool:
    """ "Lost parcel", "broken lamp": the first word is a verb's form before a noun."""
    return len(chunk) == 2 and chunk[0].lower() in (
        "lost",
        "left",
        "broken",
        "paid",
        "used",
        "found",
    )
