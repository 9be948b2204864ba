"""What the practice model does badly, on purpose: few weaknesses, each a function of text features.

They stand for faults of real models, to let a defence show its effect. None looks at what a text is
about, and no figure here is a property of Claude: the lab measures a real model. One more comes with
the lessons that need it: obeying an instruction found in material.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Weakness:
    """A weakness: its short name, and one sentence that says when it shows."""

    name: str
    what: str


# In characters: about four make one token.
ALWAYS_IN_REACH = 4_000
REACH = 150_000


def overlooks(distance: int, surroundings: int) -> bool:
    """Whether a rule that stands in a message is overlooked.

    `distance`: characters from the rule to the end of the request. `surroundings`: characters of the
    message that holds it and of the two before and after it. Between short messages a rule is seen from
    150,000 characters away; the longer what surrounds it, the nearer it must be. The last 4,000
    characters are always read. The same for any rule; a rule in `system` is never overlooked.
    """
    return distance > max(ALWAYS_IN_REACH, REACH // (1 + surroundings // 1_000))


SAFE_WORDS = 12  # a shorter sentence with at most one figure is retold whole
_BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_ENDS = re.compile(r"[\s.,;:!?]|$")
_JOINT = re.compile(
    r"(?:,|;|:| -)? (?:and|but|so|or|which|who|where|because|although|while|with)\b|[,;:] | - "
)
_FIGURE = re.compile(r"\d[\w.,:/-]*")


def fades(sentence: str) -> str:
    """What is left of a sentence of an old summary when that is summarised again.

    A sentence of more than 12 words, or with two figures or more, loses one detail: a bracket if
    there is one, else what follows its last joint (a comma, "and", "which", ...), unless fewer than
    four words would be left. A shorter one is safe. The same for any sentence, whatever it says.
    """
    if len(sentence.split()) <= SAFE_WORDS and len(_FIGURE.findall(sentence)) < 2:
        return sentence
    shorter = _BRACKET.sub(lambda m: "" if _ENDS.match(sentence, m.end()) else " ", sentence, 1)
    if shorter == sentence:
        joints = [m.start() for m in _JOINT.finditer(sentence) if m.end() < len(sentence)]
        cuts = [sentence[:at] for at in joints if len(sentence[:at].split()) >= 4]
        shorter = cuts[-1] if cuts else sentence
    return shorter.rstrip(" .,;:-") + "."


WEAKNESSES = [
    Weakness(
        "overlooks far rules",
        "A rule that stands in a message is overlooked when it is far from the end and long texts "
        "surround it; in the system prompt, or near the end, it is obeyed.",
    ),
    Weakness(
        "loses detail when it repeats",
        "When a summary is summarised again, a sentence of more than 12 words or with two figures "
        "loses a detail, such as a bracket or its last clause; what it is told to keep, it keeps.",
    ),
]
