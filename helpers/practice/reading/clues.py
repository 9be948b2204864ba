"""What gives a statement away in plain text, so that only promising sentences are read."""

import re

from .words import COLOUR_WORDS, NUMBER_WORDS, search_forms, stem

# Words that a statement may answer to without using them, and what gives such a statement away.
_VEG = (
    "veg",
    "diet",
    "coeliac",
    "celiac",
    "diabet",
    "halal",
    "kosher",
    "gluten",
    "lactose",
    "pesc",
)
IMPLIED = {
    "name": ("i am ", "i'm ", "i’m ", "im ", "name", "call", "this is ", " here", " again", " speaking", "go by"),
    "old": ("i am ", "i'm ", "i’m ", "im ", "turn", "year", "age", "old", "is "),
    "job": ("am a", "'m a", "’m a", "im a", ", a", "job", "work", "profession", "occupation", "career", "is a", "employ"),
    "eat": ("eat", "ate", "allerg", *_VEG),
    "diet": ("eat", *_VEG),
    "food": ("eat", "food", "allerg", *_VEG),
    "colour": ("colo", *COLOUR_WORDS),
    "favourite": ("favo", "prefer", "best", "most"),
    "like": ("like", "love", "enjoy", "ador", "fond", "hate", "dislik", "detest", "loath", "stand", "bear", "fan of", "keen", "crazy"),
    stem("nationality"): ("i am ", "i'm ", "i’m ", "nationality"),
    "number": ("",),
    "height": ("tall", "height", "cm", " m"),
    "address": ("address", "live"),
    "live": ("live", "living", "reside", "residence", "moved", "move", "relocat", "based", "address", "city", "town"),
    "cost": ("cost", "price", "pay", "paid", "buy", "bought", "purchase"),
    "trip": ("going to", "trip", "travel", "journey", "holiday", "vacation"),
}  # fmt: skip
SHARP = frozenset({"colour", "favourite", "like", "live"})  # rare enough to narrow a search
ANYWHERE = frozenset({"time"})  # implied by too many words to search for
LEANING = (
    "he ", "she ", "it ", "they ", "his ", "her ", "its ", "their ", "it's", "he's", "she's", "they're",
    "it’s", "he’s", "she’s", "they’re", "oh", "ah", "sorry", "wait", "no", "actually", "correction",
    "oops", "scratch", "my mistake", "my bad", "i was wrong", "i meant", "i mean", "i made", "make ", "not ",
    "rather", "on second", "change", "i changed", "i've changed", "i’ve changed", "i have changed",
    "hold on", "that ", "update", "and ", "but ", "well", "hmm", "um", "er,", "nope", "i misspoke", "small corr", "there was",
)  # fmt: skip
# What gives a name, an age or a colour away: the word itself; a capital after "I am", "this is"; a
# number after "am" or "is"; a colour. All but that for names are for texts in small letters.
TELLS = {
    "name": re.compile(
        r"(?i:\b(?:names?|named|calls?|called|nickname|here|again|speaking|go by)\b)|(?i:\b(?:i am|i'm|i’m|im|this is)) [A-Z\u00c0-\u00de]"
        r"|(?i:\b(?:have|has)\b).* [A-Z]"
    ),
    "old": re.compile(
        r"\b(?:old|ages?|aged|years?-old)\b|(?:\b(?:am|is|are|was|were|be|been|being|im|turned)|['’](?:m|re|s)|:|=|->|→)\s+"
        r"(?:(?:only|almost|nearly|about|now)\s+)?(?:\d{1,3}\b|"
        + "|".join(sorted(NUMBER_WORDS))
        + ")",
    ),
    "colour": re.compile(r"\bcolou?rs?\b|\b(?:" + "|".join(COLOUR_WORDS) + r")\b"),
}
# One of these strings stands in every text in which `of_himself` finds something.
HIMSELF = ("i ", "i'", "i’", "i,", "i.", "i-", "i:", "i;", "i(", "i)", '"i', "we", "im", "ive", "my ", "our ", ":", "=", "->", "→")  # fmt: skip
_MY = (
    r"\b(?:my|our)(?: (?:own|very|new|current|now|old|last|first|only|real|full|other))* (?:the )?"
)


def of_himself(known: frozenset[str]) -> re.Pattern:
    """What stands in every sentence that answers a question about the user himself ("where do I live"):
    "I", something of his that the question names, or a label ("City: ...")."""
    forms = {re.escape(form) for word in known for form in search_forms(word)}
    return re.compile(rf"\b(?:i|we|im|ive)\b|(?::|=|->|→)\s|{_MY}(?:{'|'.join(sorted(forms))})")
