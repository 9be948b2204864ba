"""Rewriting what somebody said: "I am", "my" become "the user is", "the user's"."""

import re

from ..reading.clauses import VERBS
from ..reading.person import expand

_ADVERBS = (
    "now also just still always never really already only both all usually often currently not "
    "recently soon probably definitely mostly normally too"
)
_AUXILIARY = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_FIXED = frozenset(
    """is was has had did does will would can could cannot may might must shall should ought be been
    went came saw took got gave made said told bought brought thought knew met left lost found kept felt
    spent sent sold paid ate drank slept sat stood ran won wrote read put let cut set hit lent built heard
    held began chose drove flew fell forgot grew hid rode spoke stole swam taught threw understood woke
    wore broke caught fought led meant sang rang shut cost hurt""".split()
)
_SUBJECT = re.compile(
    rf"\b(I|we|you)\b((?: (?:{'|'.join(_ADVERBS.split())})\b)*)(?: ((?-i:[a-z]+))\b)?", re.I
)
_WORD = re.compile(r"\b(my|our|mine|ours|me|us|myself|ourselves|your|yours|yourself)\b", re.I)
_AND = re.compile(r"\b(and|but|or) ((?:(?:now|also|then) )?)([a-z]+)\b")


def to_third(text: str, speaker: str) -> str:
    """What `speaker` ("user" or "model") said, told by somebody else; other texts stay."""
    if speaker not in ("user", "model"):
        return text.strip()
    me, you = ("the user", "the assistant") if speaker == "user" else ("the assistant", "the user")
    text = re.sub(r"\bof us\b", f"in {me}'s group", expand(text).strip())
    leads = bool(re.match(r"(?:I|we)\b", text, re.I))

    def subject(match: re.Match) -> str:
        pronoun, adverbs, verb = match.groups()
        if pronoun.lower() == "you" and (
            verb is None or verb not in VERBS and verb not in _FIXED and verb not in _AUXILIARY
        ):
            return you + adverbs + (f" {verb}" if verb else "")
        who = you if pronoun.lower() == "you" else me
        return who + adverbs + (f" {third(verb)}" if verb else "")

    def other(match: re.Match) -> str:
        low = match[1].lower()
        who = you if low.startswith("you") else me
        return f"{who}'s" if low in ("my", "our", "mine", "ours", "your", "yours") else who

    def joined(match: re.Match) -> str:
        word = match[3]
        base = word in VERBS and not word.endswith("s") and third(word) in VERBS
        return f"{match[1]} {match[2]}{third(word) if base else word}"

    text = _WORD.sub(other, _SUBJECT.sub(subject, text))
    return _AND.sub(joined, text) if leads else text


def third(verb: str) -> str:
    """ "leave" is "leaves"; past forms and auxiliaries stay as they are."""
    if verb in _AUXILIARY:
        return _AUXILIARY[verb]
    if verb in _FIXED or verb.endswith("ed") and verb not in ("need", "feed", "breed", "speed"):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "o", "z")):
        return verb + "es" if not verb.endswith("s") or verb.endswith("ss") else verb
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb + "s"
