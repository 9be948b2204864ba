"""Small talk: greetings, thanks and goodbyes, when the message is nothing else."""

import re

from ..request import Reply, Request, say

_KINDS = (
    (re.compile(r"^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)\b", re.I), "Hello! What can I do for you?"),
    (re.compile(r"^(?:thanks|thank you|many thanks|cheers|great,? thanks|perfect,? thanks|ok(?:ay)?,? thanks)\b", re.I),
     "You are welcome."),
    (re.compile(r"^(?:bye|goodbye|see you|good night|that is all|that's all|talk (?:to you )?(?:later|soon))\b", re.I), "Goodbye!"),
    (re.compile(r"^(?:ok|okay|yes|no|sure|great|fine|cool|perfect|good|nice|right|alright|got it|sounds good)\b", re.I),
     "All right."),
    (re.compile(r"^how (?:are you|is it going|do you do)\b", re.I), "I am well, thank you. What can I do for you?"),
)  # fmt: skip


def answer(request: Request) -> Reply | None:
    """A short answer in kind; None if the message says more than that."""
    text = request.last.text.strip()
    if len(text.split()) > 10:
        return None
    for pattern, reply in _KINDS:
        if pattern.match(text):
            return say(reply)
    return None
