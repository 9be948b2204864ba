"""Small talk: greetings, thanks and goodbyes, when the message is nothing else."""

import re

from ..request import Reply, Request, say

_END = r"(?:[ ,]+(?:so much|very much|a lot|\w+))?[\s.!?…]*"
_KINDS = [
    (re.compile(pattern + _END, re.I), reply)
    for pattern, reply in (
        (
            r"(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening)|good day)",
            "Hello! What can I do for you?",
        ),
        (
            r"(?:hi|hello|hey)?[ ,!]*how (?:are you|is it going|do you do)(?: today| doing)?",
            "I am well, thank you. What can I do for you?",
        ),
        (
            r"(?:(?:ok(?:ay)?|great|perfect|cool|good|yes|no|lovely|brilliant|nice)[ ,!.]+)?(?:many )?(?:thanks|thank you|cheers|ty|thx|ta)(?: for (?:your|the|that|all)\b.{0,30})?",
            "You are welcome.",
        ),
        (
            r"(?:thanks,? )?(?:bye|goodbye|see you|good night|that is all(?: for (?:today|now))?|that's all(?: for (?:today|now))?|talk (?:to you )?(?:later|soon))",
            "Goodbye!",
        ),
        (
            r"(?:ok|okay|yes|yeah|no|sure|great|fine|cool|perfect|good|nice|right|alright|all right|got it|sounds good|understood)",
            "All right.",
        ),
    )
]


def answer(request: Request) -> Reply | None:
    """A short answer in kind; None if the message says more than that."""
    text = request.last.text.strip()
    if len(text) > 80:
        return None
    for pattern, reply in _KINDS:
        if pattern.fullmatch(text):
            return say(reply)
    return None
