"""Text as it is meant: odd characters made plain, accents folded, encoded parts decoded.

A language model reads through spacing, look-alike letters and common encodings; so does this one, in a
few simple ways.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

LONGEST = 6_000  # characters that are looked at

# Cyrillic and Greek letters that look like Latin ones, in the order of the Latin ones below.
_ALIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝвнкмтαορτυνικε",
    "aeopcyxijsdhqwbhkmtaoptuvike",
)
_DIGITS = str.maketrans("0134578@$", "oieastbas")
_FEW = re.compile(r"(?<!\w)\w(?:[ .\-_*·|]\w){3,}(?!\w)")
_ENCODED = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,}={0,2}(?![\w+/=])")
_MIXED = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*[\d@$])[a-z\d@$]{4,}(?!\w)")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}|\w){0,40}(?:%[0-9A-Fa-f]{2}[^%\s]{0,8}){3,}")
_SAYS_TURNED = re.compile(r"\brot-?13\b|\bcaesar\b", re.I)
_SAYS_BACK = re.compile(r"\b(?:backwards?|reversed?|right to left|mirror(?:ed)?)\b", re.I)


@lru_cache(maxsize=4_096)
def plain(text: str) -> str:
    """The text in small letters without accents, as somebody reads it who is not put off by its form."""
    text = text[:LONGEST]
    if "&" in text:
        text = html.unescape(text)
    if "%" in text and _PERCENT.search(text):
        text = unquote(text, errors="ignore")
    text = _ENCODED.sub(lambda match: _decoded(match.group()), text)
    if _SAYS_TURNED.search(text):
        text = f"{text} {codecs.encode(text, 'rot13')}"
    if _SAYS_BACK.search(text):
        text = f"{text} {text[::-1]}"
    text = folded(text)
    if not text.isascii():
        text = re.sub(r"[^\W\d_]+", _latin, text)
    text = _FEW.sub(lambda match: re.sub(r"[ .\-_*·|]", "", match.group()), text)
    return _MIXED.sub(_spelled, text)


def folded(text: str) -> str:
    """In small letters, without accents and without characters that nobody sees."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(
            c for c in text if unicodedata.category(c) not in ("Mn", "Cf", "Cc") or c in "\n\t"
        )
        text = text.replace("ß", "ss").replace("ł", "l").replace("ø", "o").replace("ı", "i")
        text = re.sub(r"[‘’ʼ`´]", "'", re.sub(r"[“”„«»]", '"', text))
    return text.lower()


def _latin(match: re.Match) -> str:
    """A word of Latin letters and their look-alikes, in Latin letters; other words stay."""
    word = match.group()
    return word.translate(_ALIKE) if re.search("[a-z]", word) else word


def _spelled(match: re.Match) -> str:
    """ "0pen" is "open"; a code with several figures side by side stays."""
    word = match.group()
    if re.search(r"\d\d", word) or sum(c.isdigit() or c in "@$" for c in word) * 2 > len(word):
        return word
    return word.translate(_DIGITS)


def _decoded(token: str) -> str:
    """What a base64 or hex token says, if it says something; else the token."""
    if len(token) % 2 == 0 and re.fullmatch("[0-9A-Fa-f]+", token):
        made = bytes.fromhex(token)
    else:
        try:
            clean = token.replace("-", "+").replace("_", "/").rstrip("=")
            made = base64.b64decode(clean + "=" * (-len(clean) % 4), validate=True)
        except (binascii.Error, ValueError):
            return token
    try:
        said = made.decode("utf-8")
    except UnicodeDecodeError:
        return token
    words = re.findall(r"[^\W\d_]{2,}", said)
    return said if said.isprintable() and sum(map(len, words)) * 2 > len(said) else token
