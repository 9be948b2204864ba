"""Other ways to read a text: what was written backwards, apart, in figures or in a code."""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from urllib.parse import unquote

from .folding import bare, is_latin, mixes, visible, words_of

_LEET = str.maketrans("01345789@$!|+", "oieastbgasilt")
_SPACED = re.compile(r"(?<![^\W\d_])[^\W\d_](?:[ .*_-]{1,3}[^\W\d_]){7,}(?![^\W\d_])")
_SPLIT = re.compile(r"(?<=[^\W\d_])[.*_·•~^'’/|-](?=[^\W\d_])")
_MOST = 2000  # characters of a text that are tried in other readings
_BLOCK = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{10,}={0,2}(?![\w+/=-])")
_HEX = re.compile(r"(?<!\w)(?:(?:0x)?[0-9a-fA-F]{2}[ :,-]?){8,}(?!\w)")
_BITS = re.compile(r"(?<!\w)(?:[01]{8} ?){4,}(?!\w)")
_ESCAPES = re.compile(
    r"(?:%[0-9a-fA-F]{2}|&#x?[0-9a-fA-F]+;|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}){1}"
)


# A reading without any of these is noise: most texts are no text when they are read backwards.
_WORTH = re.compile(
    "refund|money|pay|paid|approv|rule|instruct|check|ignor|credit|claim|limit|bypass"
)


def readings(text: str) -> dict[str, str]:
    """Name and text of each other reading that differs from the text and says something."""
    text = text[:_MOST]
    plain = bare(text)
    found = {
        "signs inside words": _SPLIT.sub("", plain) if len(_SPLIT.findall(plain)) > 2 else plain,
        "figures for letters": _unleet(plain),
        "written backwards": plain[::-1],
        "words written backwards": " ".join(word[::-1] for word in plain.split()),
        "letters moved by 13": codecs.encode(plain, "rot13"),
        "escapes": _unescaped(text) if len(_ESCAPES.findall(text)) > 2 else plain,
    }
    if decoded := " ".join(decodings(text)):
        found["a code"] = decoded
    return {
        name: reading
        for name, reading in found.items()
        if reading != plain and _WORTH.search(bare(reading))
    }


def set_apart(text: str) -> bool:
    """Whether single letters stand in a row, as nobody writes a fact: in an alphabet of letters
    that words are made of."""
    found = _SPACED.search(bare(text[:_MOST]))
    return bool(found) and any(is_latin(c) for c in found.group())


def _unleet(text: str) -> str:
    def word(match: re.Match) -> str:
        said = match.group()
        letters = sum(c.isalpha() for c in said)
        return said.translate(_LEET) if letters and letters < len(said) else said

    return re.sub(r"[\w@$!|+]+", word, text)


def _unescaped(text: str) -> str:
    text = html.unescape(unquote(text))
    return re.sub(
        r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})", lambda m: chr(int(m[1] or m[2], 16)), text
    )


def decodings(text: str) -> list[str]:
    """What blocks of Base64, of hexadecimal and of binary digits say, if it is text."""
    found = []
    for block in _BLOCK.findall(text):
        whole = block.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            found.append(base64.b64decode(whole + "=" * (-len(whole) % 4), validate=True))
        except (binascii.Error, ValueError):
            continue
    for block in _HEX.findall(text):
        digits = re.sub(r"0x|[^0-9a-fA-F]", "", block)
        found.append(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for block in _BITS.findall(text):
        bits = block.replace(" ", "")
        found.append(bytes(int(bits[n : n + 8], 2) for n in range(0, len(bits) // 8 * 8, 8)))
    return [said for raw in found if (said := _as_text(raw))]


def _as_text(raw: bytes) -> str:
    try:
        said = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    good = sum(c.isalpha() or c in " ,.!?'" for c in said)
    return said if len(said) >= 6 and good >= 0.9 * len(said) else ""


# ---------------------------------------------------------------- characters

_BIDI = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"  # embeddings, overrides, isolates
_FLAG = "\U0001f3f4"  # regional flags are written with tag characters


def hidden(text: str) -> list[str]:
    """What is invisible in a text and does something: names of its kinds."""
    found = []
    if any(c in _BIDI for c in text):
        found.append("turns the direction of writing")
    tags = [n for n, c in enumerate(text) if 0xE0000 <= ord(c) <= 0xE007F]
    if tags and not text[: tags[0]].endswith(_FLAG):
        found.append("holds characters that nobody sees")
    inner = re.findall(r"(?<=[A-Za-z])([^\x00-\x7f])(?=[A-Za-z])", text)
    if any(not visible(c) and c != "\u00ad" for c in inner):
        found.append("has invisible characters inside words")
    if sum(unicodedata.category(c) == "Co" for c in text) > 1:
        found.append("holds characters that nobody sees")
    if any(mixes(word) for _, word in words_of(text)):
        found.append("mixes alphabets inside a word")
    return list(dict.fromkeys(found))
