"""Phrases written in a small notation, and looking for them in a text.

    skip|waive* ..4 <check>

One phrase a line, word by word. `a|b`: one of them. `stem*`: any ending. `..4`: up to four words.
`<name>`: any word of a list. `(a|b)`: may be there or not. `^`: the beginning of a clause.
`!a|b`: not after these words. `~a|b`: none of these among the next three words.
Words of writings without spaces are found anywhere.
"""

import re
from collections.abc import Iterable, Mapping

from .folding import bare

# after these a clause begins as after a comma
_JOINTS = (
    "please,must,should,shall,can,may,will,and,then,you,now,just,simply,so,also,but,always,never,"
    "not,"
    "that,agent,agents,assistant,bot,kindly,first,only,immediately,therefore,you to,agent to,"
    "agents to,assistant to,not to,have to,remember to,need to,are to"
).split(",")
_WITHOUT_DOTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_APART = re.compile(r"[\u0590-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")


def clauses(text: str) -> list[str]:
    """The sentences of a text as phrases are looked for in them: bare words between blanks, with
    commas, colons, dashes and the like as words of their own."""
    flat = re.sub(
        r"(?<=\d)[.,](?=\d)", "", bare(re.sub(r"[—–―](?!\d)|[^\S\n]-+[^\S\n]", " , ", text))
    )
    flat = flat.replace("’", "'")
    found = []
    for sentence in re.split(r"[.!?。！？\n]+", flat):
        words = re.sub(r"[,:;，、：；(){}\[\]\"“”„<>|=/]+", " , ", sentence)
        words = " ".join(re.sub(r"[^\w,'%€$£]|_", " ", words).split())
        if words.strip(" ,"):
            found.append(
                f" {words} ".replace(" sign off ", " signoff ").replace(" look up ", " lookup ")
            )
    return found


def compiled(lines: str, lists: Mapping[str, str]) -> re.Pattern:
    """One pattern for all phrases of a block of lines."""
    # a phrase that was broken after a bar is put together again
    phrases = [re.sub(r"\| +", "|", line).split() for line in lines.splitlines() if line.strip()]
    return re.compile("|".join(_phrase(words, lists) for words in phrases))


def _phrase(words: Iterable[str], lists: Mapping[str, str]) -> str:
    words = list(words)
    if len(words) == 1 and all(_APART.search(word) for word in words[0].split("|")):
        return "|".join(map(re.escape, words[0].split("|")))
    made = []
    for word in words:
        if word == "^":
            joints = "".join(f"|(?<= {joint} )" for joint in _JOINTS)
            made.append(rf"(?:(?<=^ )|(?<=, ){joints})")
        elif word.startswith(".."):
            made.append(rf"(?:\S+ ){{0,{word[2:]}}}?")
        elif word[0] == "!":
            made += [f"(?<! {re.escape(other)} )" for other in word[1:].split("|")]
        elif word[0] == "~":
            made.append(rf"(?!(?:\S+ ){{0,2}}(?:{_any(word[1:], lists)}) )")
        elif word[0] == "(":
            made.append(f"(?:(?:{_any(word[1:-1], lists)}) )?")
        else:
            made.append(f"(?:{_any(word, lists)}) ")
    return r"(?<![^ ])" + "".join(made)


def _any(word: str, lists: Mapping[str, str]) -> str:
    parts = []
    for part in word.split("|"):
        if part.startswith("<"):
            parts += map(_one, lists[part[1:-1]].split())
        else:
            parts.append(_one(part))
    return "|".join(parts)


def _one(word: str) -> str:
    end = r"[^\s,]*" if word.endswith("*") else ""
    stem = word.rstrip("*")
    forms = dict.fromkeys(
        [bare(stem), stem.translate(_WITHOUT_DOTS)]
    )  # "prüf" is typed "pruef", too
    return "|".join(re.escape(form) + end for form in forms)
