"""Secrets by the clause they stand in: a word that names one and a value that looks like one, with
other words between them, in either order, in a few languages."""

import re
from collections.abc import Iterator

from .secret_names import ABOUT, CARD_CODE, CODE, KEY, ONCE, PASSWORD, PIN, TOKEN
from .secret_numbers import SPELLED, Hit
from .secret_words import END, YEAR

# ---------------------------------------------------------------- words that name a secret

_NAMES = {
    "PIN": rf"{PIN}|pins|p[. -]i[. -]n\.?|secret numbers?|geheimnummer|codes? (?:secret|confidentiel)s?"
    r"|número secreto|nip",
    "once": rf"{ONCE}|tans|t[. -]a[. -]n\.?|o[. -]t[. -]p\.?|authenticator|(?:bank|hardware|rsa|code)[ -]token|key ?fob|(?:tan|code)[ -]generator"
    r"|(?:zugangs|anmelde|freischalt|sms-|einmal-?|login-?)code|einmalpasscode"
    r"|codes? (?:d'accès|à usage unique|d'authentification|reçu)"
    r"|códigos? de (?:acceso|confirmación|un solo uso|inicio)",
    "card_code": rf"{CARD_CODE}|cryptogramme"
    r"|(?:three|3|drei|trois|tres) (?:digits|ziffern|chiffres|cifras|dígitos)(?= (?:on|at|auf|au|al) )",
    "password": rf"{PASSWORD}|(?:secret|security) words?|geheimwort|mots? secrets?"
    r"|palabras? secretas?|phrases? secrètes?|palabra de paso|(?:wi-?fi|wlan|network)[ -]?(?:keys?|schlüssel)",
    "key": rf"{KEY}|(?:api|zugangs|geheim)-?schlüssel|clés? (?:d'accès|d'api|secrètes?)"
    r"|claves? (?:de api|api|secretas?)",
    "token": rf"{TOKEN}|jetons?",
    "weak": r"log-?ins?|credentials|clave|zugang(?:sdaten)?|codes? d'entrée",
    "code": rf"(?<!-)(?:{CODE}|códigos?)",
}
_NAME = re.compile(
    r"(?<!\w)(?:" + "|".join(f"(?P<{kind}>{names})" for kind, names in _NAMES.items()) + ")"
    r"(?:[ -](?:app|generator|letter|brief|numbers?|nummer|nr\.?|code))?(?!\w)",
    re.IGNORECASE,
)  # fmt: skip
_KINDS = {"once": "one-time code", "code": "one-time code", "card_code": "security code"}
_OF_DIGITS = {"PIN", "once", "code", "card_code"}

# ---------------------------------------------------------------- what may stand between


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# a name is followed by what it is for, or by who sent it
_FURTHER = _words(
    "for of to from in on at by with via per that which who you i we they he she it your my our the"
    " sent texted mailed received given chosen printed shown behind under inside für von vom zu zum"
    " zur aus bei auf im der die das den ich du sie wir pour de du des d' à au aux sur par que qui"
    " j'ai vous reçu para del al por en me mi now right currently today jetzt gerade maintenant"
    " ahora actual , used would will has had should could"
)
_ASIDE = _words("in for from as just at which that den die das der qui que dont si la le the")
_IS = _words(
    "been "
    "is was are were be reads read says said shows showed displays goes gives ist war lautet lautete"
    " heißt heisst zeigt sagt est était dit affiche indique es era dice muestra = -> => - is: was:"
)
_STILL = _words("now still currently simply just right actually jetzt maintenant ahora")
_BUT = _words("there but so because while then aber weil denn mais donc pero porque")
_AND = _words("and or plus und oder et ou y o e")
_NUMBERED = re.compile(
    r"(?:orders?|parcels?|packages?|invoices?|rooms?|flats?|apartments?|house|floor|extension|phone"
    r"|numbers?|no|nr|id|street|total|amount|price|year|shelf|locker|tracking|customer|ticket|case"
    r"|bestellung|paket|rechnung|zimmer|wohnung|haus|etage|durchwahl|telefon|\w*nummer|commande"
    r"|colis|facture|chambre|étage|poste|numéro|pedido|paquete|factura|piso|casa|número|extensión)"
    r"[.,:]*",
    re.IGNORECASE,
)
# codes that stand on a sign or in a shop window
_PUBLIC = re.compile(
    r"\b(?:doors?|gates?|entrance|building|garage|lobby|discount|voucher|coupon|promo|sale|post(?:al)?"
    r"|zip|area|country|colou?r|product|error|tracking|parcels?|orders?|tür|tor|haus\w*|eingang\w*"
    r"|rabatt|gutschein|paket\w*|porte|portail|immeuble|entrée|réduction|colis|puerta|portal|edificio"
    r"|descuento|pedido|paquete)\b",
    re.IGNORECASE,
)
_SET = re.compile(
    r"\b(?:chang|set|reset|switch|updat|renam|chose|geändert|gesetzt|stell|mis\b|met[sz]|cambi|pus)",
    re.IGNORECASE,
)
_TO = _words("to as auf als à en comme a como into")
_ENTER = _words(
    "type typing typed enter entered entering put use used using try tried input insert with say give"
    " in gib geben tippe tippen nimm mit tapez tape tapé entrez entre utilisez avec pon teclea"
    " introduce usa escribe con"
)
_WHERE = _words(
    "where when if as at for into under once whenever wherever wo wenn als bei beim ins quand si comme"
    " où dans cuando donde como"
)
_THAT = _words("that's that is this das ist c'est es") | {""}
_SAME = _words("is was as = - -> for war ist als est était comme es era como")
_SMALL = _words(
    "a the my our your his her their new old current mein meine die der das dein ihr neue mon ma le"
    " la notre votre mi el su nuevo nueva l' bank one"
)
_BY_IT = re.compile(
    r"[^.!?;\n]{0,60}?[.,;:!)-]+ (?:it'?s|it (?:is|was|reads|says)|that'?s|er (?:ist|lautet)"
    r"|(?:es|sie) (?:ist|lautet)|c'est|es|namely|nämlich)(?: now)?:? +",
    re.IGNORECASE,
)

# ---------------------------------------------------------------- values

_OPEN = r"[\"'“”„«‘’`(\[<]*"
_DIGITS = re.compile(
    rf"{_OPEN}(?P<value>(?:[A-Z]-)?\d(?:[ ._-]?\d){{2,8}}|{SPELLED}(?:[ ,-]+{SPELLED}){{2,8}})"
    rf"(?!\w){END}",
    re.IGNORECASE,
)  # fmt: skip
_QUOTED = re.compile(r"[\"'“„«‘`](?P<value>[^\"“”„«»`\n]{4,60}?)[\"'”“»’`](?!\w)")
_WORD = re.compile(rf"{_OPEN}(?P<value>(?:\S ){{3,30}}\S(?!\S)|[^\s\"“”„«»`()<>]+)")
_ID = re.compile(r"[A-Za-z]{1,4}[-#]?\d+|#?\d+[A-Za-z]?|.*@\w[\w-]*\.\w+|(?:https?:|www\.).*", re.I)
_MORE = re.compile(r"[\"'”»]?(?:,|,? (?:and|or|und|oder|et|ou|y|o)(?= )) *")
_CLAUSE = re.compile(r"[.!?;](?=\s|$)|\n")
_SPACELESS = re.compile(r"\S+")
_SIGN = re.compile(r" ?([:=]|->|=>)? ?[(,-]? ?")
_MOST = 12  # words between a name and its value
_FAR = 160  # characters


def find(text: str) -> Iterator[Hit]:
    """Start, end and kind of values; the text is a folded one, numbers found already blotted out."""
    for name in _NAME.finditer(text):
        kind = name.lastgroup
        spans = [_behind(text, name, kind), _ahead(text, name, kind)]
        while (
            name.group().endswith("s") and spans[-2] and (more := _MORE.match(text, spans[-2][1]))
        ):
            spans.insert(-1, _value(text, more.end(), kind, sure=False))
        for span in filter(None, spans):
            yield *span, _KINDS.get(kind, "password" if kind == "weak" else kind)


def _value(text: str, at: int, kind: str, sure: bool) -> tuple[int, int] | None:
    """Where a value of this kind begins and ends, if one stands there. sure: "is" and the like
    lead up to it, so that it may look a little less like a secret."""
    if kind in _OF_DIGITS:
        match = _DIGITS.match(text, at)
        fewest = 4 if kind == "code" else 3
        fits = match and (match["value"][-1].isalpha() or _digits(match["value"]) >= fewest)
        return match.span("value") if fits else None
    quoted = _QUOTED.match(text, at) if kind == "password" else None
    if quoted and not ABOUT.match(quoted["value"]) and (sure or " " not in quoted["value"]):
        return quoted.span("value")
    match = _WORD.match(text, at)
    word = match["value"].rstrip(",.;:!?'’]") if match else ""
    if not word or _ID.fullmatch(word) and not (sure and kind == "password" and word.isdigit()):
        return None
    return (match.start("value"), match.start("value") + len(word)) if _odd(word, kind) else None


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _odd(word: str, kind: str) -> bool:
    """Whether a word is none of a language: figures among letters, signs inside it."""
    if word.isdigit():
        return kind == "password" and 4 <= len(word) <= 12
    letters, figures = any(map(str.isalpha, word)), _digits(word) > 0
    signs = re.search(r"\w[#!$%&*+=@^~?]|[#!$%&*=^~]\w", word)
    if kind in ("key", "token"):
        return len(word) >= 10 and letters and figures
    if kind == "weak":
        return len(word) >= 8 and letters and bool(figures or signs)
    return len(word) >= 5 and letters and bool(figures or signs)


def _behind(text: str, name: re.Match, kind: str) -> tuple[int, int] | None:
    """The value that follows a name: at once, or after what it is for and a word such as "is"."""
    start = name.end()
    if (again := _BY_IT.match(text, start)) and not _other(again.group(), kind):
        span = _value(text, again.end(), kind, sure=True)
        if span and not YEAR.fullmatch(text[slice(*span)]):
            return span
    sign = _SIGN.match(text, start)
    if kind != "weak" or ":" in sign.group():
        if span := _value(text, sign.end(), kind, sure=bool(sign[1])):
            return span
    words = _tokens(text, start, _end(text, start))
    for n, (at, word) in enumerate(words[:_MOST]):
        if word in _BUT or (n == 0 and not _leads(word) and word.strip("(") not in _FURTHER):
            return None
        if n == 1 and words[0][1] == "," and word not in _ASIDE:
            return None
        to = n == 0 and word in _TO and (kind not in _OF_DIGITS or _SET.search(text, 0, start))
        sign = word.endswith((":", "=", ","))
        if not (_leads(word) or to or sign or word.startswith("(")):
            continue
        after = n + (0 if word.startswith("(") else 1)
        while after < len(words) and words[after][1] in _STILL | {":"}:
            after += 1
        span = after < len(words) and _value(text, words[after][0], kind, sure=not to)
        if not span:
            continue
        between = [w for _, w in words[:n] if w] + [word] * sign
        listed = sign or word.startswith("(") or any(w in _AND or w.endswith(",") for w in between)
        if between and listed and _NUMBERED.fullmatch(between[-1]):
            return None
        if kind == "code" and _PUBLIC.search(text, start, at):
            return None
        return span
    return None


def _ahead(text: str, name: re.Match, kind: str) -> tuple[int, int] | None:
    """The value before a name: "X is my PIN", "X (PIN)", "type X where it asks for the PIN"."""
    first = max(0, name.start() - _FAR)
    for stop in _CLAUSE.finditer(text, first, name.start()):
        first = stop.end()
    words = _tokens(text, first, name.start())
    for n, (at, _) in enumerate(words):
        span = _value(text, at, kind, sure=False)
        before = words[n - 1][1] if n else ""
        if not span or span[1] > name.start() or _NUMBERED.fullmatch(before):
            continue
        link = text[span[1] : name.start()].lower().lstrip("\"'”“’!?»").strip()
        said = [word.strip(",()") for word in link.split()]
        last = re.match(r"[\"'”)]*(?:[.,;:!?)]|\s*$)", text[name.end() : name.end() + 4])
        if not said or len(said) > _MOST:
            continue
        small = all(word in _SMALL | {""} for word in said[1:])
        if link[0] == "(" and all(word in _SMALL | _THAT for word in said):
            return span
        if said[0] in _SAME and small and kind != "weak":
            return span
        if link[0] == "," and last and all(word in _SMALL | _THAT for word in said):
            return span
        few = kind == "code" and _digits(text[slice(*span)]) < 6
        if before in _ENTER and any(word in _WHERE for word in said[:3]) and not few:
            return span
    return None


def _tokens(text: str, start: int, end: int) -> list[tuple[int, str]]:
    return [(m.start(), m.group().lower()) for m in _SPACELESS.finditer(text, start, end)]


def _end(text: str, start: int) -> int:
    """Where the clause ends that goes on at a place."""
    stop = _CLAUSE.search(text, start, start + _FAR)
    return stop.start() if stop else min(len(text), start + _FAR)


def _leads(word: str) -> bool:
    return word in _IS or word.strip(":") in _IS


def _other(words: str, kind: str) -> bool:
    """Whether something else is spoken of that has a number, or that has a public code."""
    numbered = any(_NUMBERED.fullmatch(word) for word in words.split())
    return numbered or (kind == "code" and bool(_PUBLIC.search(words)))
