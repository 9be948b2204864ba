"""Turning what a user says of himself into what is said to him: "I am" becomes "you are"."""

import re

_SHORT = {
    "i'm": "I am", "i've": "I have", "i'll": "I will", "i'd": "I would", "we're": "we are",
    "we've": "we have", "we'll": "we will", "we'd": "we would", "they're": "they are",
    "they've": "they have", "you're": "you are", "you've": "you have", "it's": "it is",
    "he's": "he is", "she's": "she is", "that's": "that is", "there's": "there is", "what's": "what is",
    "who's": "who is", "where's": "where is", "when's": "when is", "how's": "how is",
    "name's": "name is", "can't": "cannot", "won't": "will not", "shan't": "shall not",
    "im": "I am", "ive": "I have", "dont": "do not", "whats": "what is", "cant": "cannot",
    "where'd": "where did", "when'd": "when did", "how'd": "how did", "what'd": "what did",
    "doesnt": "does not", "didnt": "did not", "isnt": "is not", "wasnt": "was not", "wheres": "where is",
}  # fmt: skip
_SHORT_FORM = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, _SHORT), key=len, reverse=True)) + r")\b|n't\b", re.I
)


# A text without an apostrophe and without one of these has no short form.
_UNMARKED = re.compile(r"\b(?:i(?:m|ve|snt)|d(?:ont|oesnt|idnt)|wh(?:at|ere)s|cant|wasnt)\b", re.I)
_HAS_BEEN = re.compile(r"'s been\b", re.I)


def expand(text: str) -> str:
    """Write short forms out: "I'm" is "I am", "don't" is "do not"."""

    if "'" not in text and "’" not in text and not _UNMARKED.search(text):
        return text

    def long(match: re.Match) -> str:
        short = match.group().lower()
        if short == "n't":
            return " not"
        full = _SHORT[short]
        return full[0].upper() + full[1:] if match.group()[0].isupper() else full

    return _SHORT_FORM.sub(long, _HAS_BEEN.sub(" has been", text.replace("’", "'")))


_TO_YOU = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "we": "you",
    "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves", "am": "are",
    "your": "my", "yours": "mine", "yourself": "myself",
}  # fmt: skip
_FIRST = re.compile(r"""(["“«][^"”»]*["”»])|\b(i|we|you) (was)\b|\b([A-Za-z]+)\b(?!')""", re.I)
# "you" is "me" before these and at the end, else "I": "I told you that", "you told me".
_OBJECT_NEXT = re.compile(
    r"\s*$|\s*[,.;:!?]|\s+(?:to|in|on|at|about|that|if|when|a|an|the|my|for|and|or|but|with|of|as|again|now|please|later"
    r"|today|more|better|how|what|where|who|why|because|before|after|some|this|these|so|very|from|by)\b"
)


_POSSESSED = re.compile(r"\b(?:is|are|was|of|with|to|than|like|and) $", re.I)


def to_second(text: str) -> str:
    """Rewrite from the user's mouth to the model's; what stands in quotation marks stays."""
    text = re.sub(
        r"^(?:please )?remind me to\b", "you should remind me to", expand(text), flags=re.I
    )
    text = re.sub(r"\bthank you\b", "thanks", text, flags=re.I)

    def turn(match: re.Match) -> str:
        quoted, who, was, word = match.groups()
        if quoted:
            return quoted
        if was:
            return "you were" if who.lower() != "you" else "I was"
        low = word.lower()
        if low == "you":
            return "me" if match.start() and _OBJECT_NEXT.match(text, match.end()) else "I"
        if low == "am" and not _after_i(text, match.start()):
            return word
        if low == "us" and word.isupper():
            return word
        if low == "mine" and not _POSSESSED.search(text, 0, match.start()):
            return word
        return _TO_YOU.get(low, word)

    return _FIRST.sub(turn, text)


def _after_i(text: str, start: int) -> bool:
    before = text[max(0, start - 12) : start].split()
    return (
        bool(before)
        and before[-1].lower() in {"i", "now", "also", "not", "really", "still"}
        or (text[start : start + 4].lower() == "am i")
    )


_USER = re.compile(r"\b(?:the )?user(?:('s|')|\b)(?: (is|was|has|does|\w+?s)\b(?!'))?", re.I)
_PLAIN = {"is": "am", "was": "was", "has": "have", "does": "do", "goes": "go", "always": "always"}


def user_to_first(text: str) -> str:
    """ "The user lives in ..." as the user would have said it: "I live in ..."."""

    def turn(match: re.Match) -> str:
        owner, verb = match.groups()
        if owner:
            return "my" + (f" {verb}" if verb else "")
        if not verb:
            return "I"
        plain = _PLAIN.get(verb.lower())
        if plain is None:
            plain = verb[:-3] + "y" if verb.endswith("ies") else verb[:-1]
            if verb.endswith(("shes", "ches", "sses", "xes")):
                plain = verb[:-2]
        return f"I {plain}"

    return _USER.sub(turn, text)


def sentence(text: str) -> str:
    """With a capital first and a full stop at the end."""
    text = text.strip().rstrip(".,;:")
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in "!?" else ".")
