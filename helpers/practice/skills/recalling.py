"""Recalling: answers the questions of the last message from what the request states, and notes what
the message itself states. What is not stated is not known."""

import re

from ..reading.clauses import is_question
from ..reading.memory import memory_of
from ..reading.questions import read
from ..reading.responding import respond
from ..request import Reply, Request, say
from .noting import note

MOST = 4  # questions of one message that are answered: the last ones


def answer(request: Request) -> Reply | None:
    """Answers questions and notes statements; None if the message asks nothing."""
    asked = [text for text in request.last.sentences[-40:] if is_question(text)]
    if not asked:
        return None
    memory = memory_of(request)
    parts = [part for text in asked[-MOST:] for part in _parts(text)]
    answers = [respond(read(_spelled_out(part, request)), memory) for part in parts]
    known = any(value for _, value in answers)
    noted = "" if known else note(request, memory)
    texts = dict.fromkeys([*([noted] if noted else []), *(text for text, _ in answers)])
    return say(" ".join(texts), "; ".join(value for _, value in answers if value))


_AND = re.compile(
    r",?\s+and\s+(?=(?:(?:at|in|on|for|to|from) )?(?:what|who|where|when|how|which|why|do|does|did|am|is|are|can)(?:['’]?s)?\b )",
    re.I,
)


def _parts(text: str) -> list[str]:
    """ "What is my job and when is my flight?" asks two things."""
    parts = _AND.split(text)
    return parts if all(len(part.split()) > 1 for part in parts) else [text]


_WHAT_IS_IT = re.compile(
    r"^(?:so,? |and )?(what|when|where|who|how much) (is|was|are|were) (?:it|that|they|he|she)"
    r"(?: again)?\?*$",
    re.I,
)
_THING = re.compile(r"\b((?:my|our|the) (?:[a-z][\w'-]* ){0,3}[a-z][\w'-]*)", re.I)


def _spelled_out(text: str, request: Request) -> str:
    """ "I forgot my door code. What is it?" asks for the door code."""
    match = _WHAT_IS_IT.match(text.strip())
    sentences = request.last.sentences
    if match and text in sentences:
        for earlier in reversed(sentences[: sentences.index(text)]):
            if things := _THING.findall(earlier):
                return f"{match[1]} {match[2]} {things[-1]}?"
    return text
