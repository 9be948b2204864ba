"""When no other skill applies: says that the message was read, and what this model cannot do."""

import re

from ..reading.responding import CANNOT
from ..reading.words import WORD, content
from ..request import Reply, Request, say

_COMMAND = re.compile(
    r"(?:please |now |ok,? |hey,? |can you |could you )*(?:write|suggest|recommend|explain|translate|draft|create|make|compose|describe"
    r"|generate|plan|invent|give|help|sing|pick|compare|convert|calculate|find|search|book|order|send|call|tell|show|play)\b",
    re.I,
)
_CHAT = "All right. I have nothing to add to that."


def answer(request: Request) -> Reply:
    """Always answers."""
    text = request.last.text.strip()
    if not text:
        kinds = sorted({str(b.get("type", "block")).replace("_", " ") for b in request.last.blocks})
        return say(f"I got {' and '.join(kinds) or 'nothing'} and no text that I can read.")
    if not any(content([w]) for w in WORD.findall(text[:4_000])):
        return say("I read your message, but I have nothing to answer to it.")
    return say(CANNOT if _COMMAND.match(text) else _CHAT)
