"""Passwords, PINs, one-time codes, keys and tokens: by the words around them, or by their form."""

import re
from collections.abc import Iterator

from .secret_names import ABOUT, CARD_CODE, CODE, KEY, ONCE, PASSWORD, PIN, TOKEN
from .secret_numbers import SPELLED, Hit

BLOT = "\x00"  # stands in no folded text

# ---------------------------------------------------------------- keys by their form

_FORMS = [
    ("key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.|\n)*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"),
    ("key", r"(?<![\w-])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}"),
    ("key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("key", r"(?<![\w-])AIza[\w-]{30,}"),
    ("key", r"(?<![\w-])SG\.[\w-]{16,}\.[\w-]{16,}"),
    ("token", r"(?<![\w-])(?:gh[pousr]|github_pat|glpat|npm|hf|pypi|dop_v1|shpat|xox[abeoprs])[-_]"
              r"[\w-]{16,}"),
    ("token", r"(?<![\w.-])ey[JA-Z][\w-]{8,}\.ey[JA-Z][\w-]{8,}\.?[\w-]*"),
    ("token", r"(?<![\w-])ya29\.[\w-]{16,}"),
    ("password", r"(?<=://)[^\s/:@]{0,80}:[^\s/@]{1,200}(?=@)"),
]  # fmt: skip
_LONG = re.compile(r"(?<![\w/+=.-])[A-Za-z0-9+_-]{32,}={0,2}(?![\w/])")
_PUBLIC = re.compile(r"[a-z]+_0[0-9]")  # the ids of an API's messages and calls

# ---------------------------------------------------------------- passwords and keys after their names

_NAMED = rf"(?:(?P<password>{PASSWORD})|(?P<PIN>{PIN})|(?P<key>{KEY})|(?P<token>{TOKEN}))"
_CODES = rf"(?:(?P<PIN>{PIN})|(?P<once>{ONCE}|{CODE})|(?P<card_code>{CARD_CODE}))"
_IS = (
    r"(?: *(?:[:=]|->|=>) *| (?:is|was|are|to|lautet|ist|est|es|è|jest|это|as|of|reads|said|says)"
    r"(?: (?:now|still|actually|currently|simply|just|called|the following|set to|changed to|jetzt"
    r"|maintenant|ahora))?(?: ?[:=])? |[是为為は]+ ?)"
)
_DENIED = re.compile(
    r"(?:not|wrong|incorrect|invalid|too|no|still|never|always|lost|blocked|expired|saved|stored"
    r"|kept|known|only|needed|asked|required|somewhere|in|on|at)\b",
    re.IGNORECASE,
)
_QUOTED = r"[\"'“”„«»‘’`]([^\"'“”„«»‘’`\n]{3,80})[\"'“”„«»‘’`]"
_VALUE = re.compile(rf"{_QUOTED}|(\S+)")
_MORE = re.compile(r" (?=\S*[\d!#$%&*+=@^_~])(?!\d{1,2} )(\S+)")
_REST = re.compile(r"[^.;\n]{1,120}")

_SECRET_IS = re.compile(
    rf"(?<![\w-]){_NAMED}(?:[ ]?\([^)\n]{{1,40}}\)"
    r"| (?:for|to|of|at|in|von|für|pour|de|para|with)(?: [\w.@'-]+){1,4}?)?"
    rf"(?:{_IS}|(?<=bearer) )",
    re.IGNORECASE,
)
_LETTERS = re.compile(
    r"(?<![\w-])(?P<password>pass|pw|psw|login:? *[\w.@+-]+(?= ?[/|]))(?: *[:=/|] *)", re.IGNORECASE
)
_IS_SECRET = re.compile(
    rf"(?<!\S)(?P<value>{_QUOTED}|\S{{3,200}}) (?:is|was|as|for|ist|est|es) "
    rf"(?:(?:my|the|our|your|his|her|mein|das|mon|le|mi|la|el|a) )?(?:\w+ )?{_NAMED}\b",
    re.IGNORECASE,
)

# ---------------------------------------------------------------- codes of digits

_FILL = (
    r"(?:(?:is|was|were|are|says|said|reads|shows|showed|it|now|from|the|my|your|sms|text|message"
    r"|app|mail|email|e-mail|i|just|got|received|have|had|you|they|sent|me|us|this|morning|today|by"
    r"|on|phone|which|that|new|last|for|login|bank|back|screen|entered|typed|came|comes|asked|with|and"
    r"|card|of|number|ist|lautet|est|es|jest|called|in|letter|per|via|code|digits|\x00+)"
    r"[ :,=-]{1,3}){0,8}"
)
_DIGITS = (
    rf"(?P<digits>\d{{4}}(?:[ ._-]{{1,3}}\d{{3,6}}){{2,4}}"  # as long as a card's, but none
    rf"|(?:[A-Z]-|[A-Z]{{2,3}}-(?=\d{{5}}))?\d(?:[ .-]?\d){{2,8}}|{SPELLED}(?:[ ,-]+{SPELLED}){{2,8}})"
)
_UNIT = (  # what a number counts that is no code
    r"eur|euro|usd|dollars?|percent|%|€|\$|o'clock|am|pm|characters?|digits?|letters?|signs?|words?|times"
    r"|minutes?|hours?|days?|met(?:er|re)s?|km|kg|pieces?|people|parcels?|orders?|boxes|stellen|ziffern|zeichen|minuten"
    r"|tage|uhr|chiffres?|jours?|heures?|cifras?|días?|horas?"
)
END = rf"(?![\d,.]*\d|[-/]\d| ?(?:{_UNIT})(?!\w))"
_CODE_IS = re.compile(
    rf"(?<![\w-]){_CODES}[ :,=('\"“-]{{1,3}}{_FILL}['\"“(]?{_DIGITS}(?!\w){END}",
    re.IGNORECASE,
)
_IS_CODE = re.compile(
    rf"(?<![\w#+-]){_DIGITS}['\"”]? (?:is|was|as|for|ist|est|es) "
    rf"(?:(?:my|the|our|your|mein|der|le|mi|el|a|it) )?(?:\w+ )?{_CODES}\b",
    re.IGNORECASE,
)
_ONCE_LETTERS = re.compile(
    rf"(?<![\w-])(?:{ONCE}){_IS}['\"“(]?"
    r"(?P<value>(?=\S*\d)[A-Z0-9]{4,12}(?:-[A-Z0-9]{3,8})*)(?!\w)",
    re.IGNORECASE,
)
_STREET = re.compile(r"(?: [A-Z][\w']+){1,3} (?:Street|Road|Lane|Avenue|Way|Square|Drive|Close)\b")
YEAR = re.compile(r"(?:19|20)\d\d$")
_DATE = re.compile(
    r"(?:19|20)\d\d[-. ][01]?\d[-. ][0-3]?\d$|[0-3]?\d[-. ][01]?\d[-. ](?:19|20)?\d\d$"
)


def find(text: str) -> Iterator[Hit]:
    """Start, end and kind of what a text gives away; the text is a folded one, in which numbers
    that were found already are blotted out (`BLOT`)."""
    for kind, form in _FORMS:
        for match in re.finditer(form, text):
            yield *match.span(), kind
    for match in _LONG.finditer(text):
        if _is_key(match.group()):
            yield *match.span(), "key"
    for match in [*_SECRET_IS.finditer(text), *_LETTERS.finditer(text)]:
        yield from _after(text, match)
    for match in _IS_SECRET.finditer(text):
        word = match["value"].strip("\"'“”„«»‘’`,.;:!?()")
        last = not re.match(r" ?\w", text[match.end() : match.end() + 2])  # of its clause
        if _looks_secret(word) or (last and len(word) > 3 and not ABOUT.match(word)):
            yield *match.span("value"), _kind(match)
    for match in _CODE_IS.finditer(text):
        if not _DATE.fullmatch(match["digits"]) and not _is_year(match, text):
            yield *match.span("digits"), _kind(match)
    for match in _IS_CODE.finditer(text):
        yield *match.span("digits"), _kind(match)
    for match in _ONCE_LETTERS.finditer(text):
        yield *match.span("value"), "one-time code"


def _kind(match: re.Match) -> str:
    kind = next(k for k, value in match.groupdict().items() if value and k not in _VALUES)
    return {"once": "one-time code", "card_code": "security code"}.get(kind, kind)


_VALUES = {"value", "digits"}


def _is_key(word: str) -> bool:
    """A long word of small and capital letters and digits, as no language has them."""
    mixed = all(re.search(kind, word) for kind in ("[a-z]", "[A-Z]", r"\d"))
    return mixed and not _PUBLIC.match(word)


def _is_year(match: re.Match, text: str) -> bool:
    said = text[match.start() : match.start("digits")].rstrip(" :='\"“(").lower()
    return bool(YEAR.fullmatch(match["digits"])) and said.endswith((" in", " from", " of", " on"))


def _looks_secret(word: str) -> bool:
    """Whether a word that is called a password is one: no plain word of a sentence."""
    return len(word) >= 4 and bool(re.search(r"\d|[^\w\s'-]|[a-z][A-Z]", word))


def _after(text: str, match: re.Match) -> Iterator[Hit]:
    kind, start = _kind(match), match.end()
    if "phrase" in match.group().lower():  # of several words
        rest = _REST.match(text, start)
        if rest and len(rest.group().split()) > 2 and not _DENIED.match(rest.group()):
            yield *rest.span(), kind
            return
    value = _VALUE.match(text, start)
    if value is None:
        return
    if value[1]:
        yield *value.span(1), kind
        return
    word = value[2].rstrip(",.;:!?)")
    plain = not re.search(r"\d|[^\w\s'-]", word)
    if len(word) < 3 or (plain and ABOUT.match(word)):
        return
    if kind == "PIN" and (not re.search(r"\d{3}", word) or _STREET.match(text, start + len(word))):
        return
    if kind in ("key", "token") and (len(word) < 6 or not re.search(r"\d|[a-z][A-Z]|[_=+]", word)):
        return
    end = start + len(word)
    while value[2] == word and (more := _MORE.match(text, end)):  # "Tulip 99 !x" has spaces in it
        word = value_word = more[1]
        end += 1 + len(value_word.rstrip(",.;"))
        if value_word != value_word.rstrip(",.;"):
            break
    yield start, end, kind
