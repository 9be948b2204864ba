"""What the practice model does badly, on purpose: few weaknesses, each a function of text features.

They stand for faults of real models, to let a defence show its effect. None looks at what a text is
about, and no figure here is a property of Claude: the lab measures a real model. Two more come with
the lessons that need them: obeying an instruction found in material, and losing detail when its own
prose is summarised again.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Weakness:
    """A weakness: its short name, and one sentence that says when it shows."""

    name: str
    what: str


# In characters: about four make one token.
ALWAYS_IN_REACH = 4_000
REACH = 400_000


def overlooks(distance: int, surroundings: int) -> bool:
    """Whether a rule that stands in a message is overlooked.

    `distance`: characters from the rule to the end of the request. `surroundings`: characters of the
    message that holds it and of the two before and after it. Between short messages a rule is seen from
    400,000 characters away; the longer what surrounds it, the nearer it must be. The last 4,000
    characters are always read. The same for any rule; a rule in `system` is never overlooked.
    """
    return distance > max(ALWAYS_IN_REACH, REACH // (1 + surroundings // 1_000))


WEAKNESSES = [
    Weakness(
        "overlooks far rules",
        "A rule that stands in a message is overlooked when it is far from the end and long texts "
        "surround it; in the system prompt, or near the end, it is obeyed.",
    ),
]
