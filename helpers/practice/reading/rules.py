"""Rules about the form of a reply, read from sentences: "answer in one word", "never mention X"."""

import re
from dataclasses import dataclass

from .person import expand
from .words import WORD


@dataclass(frozen=True)
class Rule:
    """`kind`: words (at most `number`), value, sentence, upper, lower, start, end, exact, mention,
    never, address, before; `text` is what to say or not to say, or (before) what not to do as long
    as `until` says: "until the deposit is in"."""

    kind: str
    text: str = ""
    number: int = 0
    until: str = ""


_NUMBERS = {
    w: n
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_NUMBERS |= {
    "a single": 1,
    "single": 1,
    "a": 1,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
_N = r"(\d{1,3}|a single|" + "|".join(w for w in _NUMBERS if len(w) > 1 and w != "a single") + ")"
_SPEAK = r"(?:answer|reply|respond|say|write|keep|use|limit|tell|speak|response|give)"
_REPLY = r"(?:(?:all|every|each|any|your|the|of|to me|my|single|one) )*(?:repl(?:y|ies)|answers?|messages?|responses?|sentences?|texts?)"
_QUOTED = r"[\"'“‘](.{1,200}?)[\"'”’](?=[\s.,;!?]|$)"

# Cheap test: a sentence with none of these words holds no rule.
HINTS = (
    "answer", "repl", "respon", "say", "word", "upper", "lower", "capital", "caps", "start", "begin",
    "finish", "sign", "exact", "always", "never", "mention", "address", "repeat", "sentence", "only", "use the",
)  # fmt: skip
ENDING = tuple(f"{before}end " for before in " \"“'‘(*-:,")  # another hint; "friend " is none
_THEM = r"(?:me|them|people|the user|customers?|users|everyone)"
_WORDS = re.compile(rf"\b(fewer than|less than|under|below)?\s*{_N}[- ]words?\b", re.I)
_WORDS_ASK = re.compile(
    rf"\b{_SPEAK}|\bmax|\bat most|\bno more|\bor (?:fewer|less)"
    r"|\bin (?:at most|no more than|exactly|only|just|one|a single|under|fewer|\d)",
    re.I,
)
_A_VALUE = (
    r"(?:value|answer|name|number|word|code|date|colou?r|city|fact|time|place|price|amount)\b"
)
_VALUE = re.compile(
    rf"\b(?:only|just|nothing but)(?: with| give| say| the| me| and)* {_A_VALUE}"
    rf"|\b(?:with|the) [\w ]{{0,20}}{_A_VALUE} (?:only|alone)\b"
    r"|\bnothing (?:else|more)\b|\bno (?:other|extra|explanation)\b",
    re.I,
)
_SENTENCE = re.compile(r"\bin (?:one|a single) (?:short )?sentence\b", re.I)
_AT_TIMES = re.compile(r"\W*(?:after|before|for|on|with|when|whenever|once|if|between)\b", re.I)
_UPPER = re.compile(r"\b(?:upper ?-?case|all caps|capitals|capital letters|block letters)\b", re.I)
_LOWER = re.compile(r"\blower ?-?case\b|\bno capital letters\b", re.I)
_WITH = (
    r"(?: (?:with|by saying|by|using))(?: the)?"
    r"(?: (?:word|words|phrase|sentence|line|text|emoji|letter|greeting)s?)?[: ]+"
)
_START = re.compile(rf"\b(?:start|begin|open|prefix)(?:s|ing)? (?:{_REPLY}){_WITH}(.+)$", re.I)
_END = re.compile(rf"\b(?:end|finish|close|conclude)(?:s|ing)? (?:{_REPLY}){_WITH}(.+)$", re.I)
_SIGN = re.compile(rf"\bsign (?:off )?(?:{_REPLY} )?(?:off )?(?:as|with)[: ]+(.+)$", re.I)
_EXACT = re.compile(
    r"^(?:please |now |just |and )*"
    r"(?:reply|answer|respond|say|write|output|print)"
    r"(?: to (?:me|this))?(?: back)?(?: only| just)?(?: with)?"
    r" exactly(?: this| the following| the words?| the phrase)?\s*:?\s+(.+)"
    r"|^(?:please )?(?:repeat (?:after me|exactly|the following|this)|echo)\s*:?\s+(.+)"
    r"|^(?:please )?(?:reply|answer|respond|say)(?: only| just)?(?: with)?(?: only| just)?"
    rf"(?: the words?| the phrase)?\s*:?\s+{_QUOTED}[.!]?$"
    r"|^(?:please )?(?:reply|answer|respond) (?:only|just) with(?: the)? words? (\S+?)[.!]?$",
    re.I | re.S,
)
_MENTION = re.compile(
    rf"\balways (?:say|mention|include|add|state|tell {_THEM})(?: in (?:your|every|each) \w+)?[: ]+(.+)$",
    re.I,
)
_NEVER = re.compile(
    r"\b(?:never|do not|must not|under no circumstances)(?: ever)? "
    r"(?:say|mention|use|reveal|talk about|speak (?:of|about)|disclose|tell \w+|write|refer to|give out|share"
    r"|bring up)(?: to \w+)?(?: about)?(?: the words?)?[: ]+(.+)$",
    re.I,
)
# "Never hand out a key before the guest has shown a passport, because ..."
_BEFORE = re.compile(
    r"(?:^|[:;] )(?:(?:please|also|and|but|remember|important|rule|note)[,:]? )*(?:that )?"
    r"(?:you (?:must|may|should|shall|are to|can) )?(?:never|do not|must not|not|under no circumstances)(?: ever| to)? "
    r"([a-z][\w-]*(?: [^\s,;:.]+){0,12}?) ((?:before|until|unless|without|as long as)\b [^,;.(]{2,120}?)"
    r"(?=,| because\b| since\b|;|\.|\(|$)",
    re.I,
)
WAITING = (
    "before ",
    "until ",
    "unless ",
    "without ",
    "as long as ",
)  # one of them is in each such rule
_ADDRESS = re.compile(
    rf"\b(?:address|refer to|greet|call) {_THEM}(?: always)? (?:as|by the name|with)? ?"
    r"[\"'“]?((?:[A-Z][\w-]*)(?: [A-Z][\w-]*)*)",
    re.I,
)
_STANDING = re.compile(
    r"\b(?:always|never|from now on|from here on|every|each|all (?:of )?your|in future|in this (?:chat|conversation)|whenever|for the rest|do not ever|must not|rule)\b",
    re.I,
)
_ANY_NUMBER = re.compile(r"\d+")


def rules_in(sentence: str) -> list[Rule]:
    """The rules that one sentence states; [] for most."""
    low = sentence[:500].lower()
    waiting = any(word in low for word in WAITING) and (
        "never" in low or "not" in low or " no " in low
    )
    if not any(hint in low for hint in HINTS) and not (
        low.startswith("end ") or any(hint in low for hint in ENDING)
    ):
        return _before(expand(sentence[:500]).strip()) if waiting else []
    text = expand(sentence[:500]).strip()
    if match := _EXACT.match(text):
        said = next(g for g in match.groups() if g)
        return [Rule("exact", _unquote(said, keep=True))]
    found: list[Rule] = []
    if (match := _WORDS.search(text)) and _WORDS_ASK.search(text):
        number = int(match[2]) if match[2].isdigit() else _NUMBERS[match[2].lower()]
        number -= 1 if match[1] else 0
        found.append(Rule("value" if number == 1 else "words", number=number))
    if _VALUE.search(text):
        found.append(Rule("value"))
    if _SENTENCE.search(text) and not _AT_TIMES.match(text):  # "after each step say in one sentence"
        found.append(Rule("sentence"))
    if _UPPER.search(text) and _says_how(low):
        found.append(Rule("upper"))
    if _LOWER.search(text) and _says_how(low):
        found.append(Rule("lower"))
    for kind, pattern in (
        ("start", _START),
        ("end", _END),
        ("end", _SIGN),
        ("mention", _MENTION),
        ("never", _NEVER),
    ):
        if match := pattern.search(text):
            found.append(Rule(kind, _unquote(match[1])))
    if (
        (match := _ADDRESS.search(text))
        and ("address" in low or "always" in low or "greet" in low)
        and match[1][0].isupper()
    ):
        found.append(Rule("address", match[1]))
    if waiting and not found:
        found = _before(text)
    return found


def _before(text: str) -> list[Rule]:
    """The rule that something is not done before something else is so."""
    match = _BEFORE.search(text)
    return [Rule("before", match[1], until=match[2].strip())] if match else []


# A sentence of an earlier message with none of these states no rule for later ones.
STANDING_HINTS = ("always", "never", "from now on", "from here on", "every ", "each ", "all your", "all of your", "in future",
                   "in this c", "whenever", "not ever", "must not", "rule", "for the rest")  # fmt: skip


def is_standing(sentence: str) -> bool:
    """Whether a rule is meant for later messages too, not only for the one that holds it."""
    return bool(_STANDING.search(sentence))


def _says_how(low: str) -> bool:
    return any(
        w in low for w in ("answer", "repl", "respon", "write", "in ", "use ", "speak", "shout")
    )


def _unquote(text: str, keep: bool = False) -> str:
    """What stands in quotation marks, else the text without its end mark."""
    text = text.strip()
    if match := re.match(_QUOTED, text):
        return match[1]
    if match := re.search(r"[\"“]([^\"”]{1,200})[\"”]", text):
        return match[1]
    return text.rstrip(" .!\"'”") if not keep and WORD.search(text) else text
