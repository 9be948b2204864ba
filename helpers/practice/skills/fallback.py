"""When no other skill applies: says what was read, and that it has no answer to it."""

from ..reading.clauses import sentences
from ..reading.words import WORD, content
from ..request import Reply, Request, say


def answer(request: Request) -> Reply:
    """Always answers."""
    text = request.last.text.strip()
    if not text:
        kinds = sorted({str(b.get("type", "block")).replace("_", " ") for b in request.last.blocks})
        return say(f"I got {' and '.join(kinds) or 'nothing'} and no text that I can read.")
    words = [w for w in WORD.findall(text[:4_000]) if content([w])]
    if not words:
        return say("I read your message, but I have nothing to answer to it.")
    count = len(sentences(text))
    subject = ", ".join(dict.fromkeys(w.removesuffix("'s") for w in words[:4]))
    size = "" if count < 2 else f" ({count} sentences)"
    return say(f"I read your message about {subject}{size}, but I have no answer to it: "
               "I am a practice model and know only what this request holds.")  # fmt: skip
