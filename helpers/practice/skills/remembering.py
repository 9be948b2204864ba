"""Remembering across conversations: saves stated facts with a tool, looks up what was before with one,
and greets a returning customer from notes. Where a case is worked on, `working` does the same beside it.
"""

import re

from ..casework.keeping import keeping, refused
from ..casework.known import Case, texts_of
from ..casework.tools import Tool
from ..casework.trouble import is_desk, tells_trouble
from ..reading.clauses import is_question
from ..reading.words import STOP, WORD, stem
from ..remembering.greeting import welcome
from ..remembering.lasttime import items, refers_back
from ..remembering.notes import noted, own_words
from ..request import Reply, Request, say
from . import guiding, noting, recalling, smalltalk
from .calling import next_number

MOST = 3  # notes that answer a question
_NOTHING = re.compile(r"\W*(?:no|nothing|none|not)\b", re.I)
_NONE = "I have no notes about that."
_ALL_AGAIN = (
    "I am sorry about this. I do not know what was last time: nothing of it is shown to me. Which case is "
    "it, with its number, what happened then, and what has gone wrong now?"
)


def answer(request: Request) -> Reply | None:
    """A call that saves or looks up, what came of it, or a greeting; None if there is nothing of it."""
    turns, choice = request.turns, request.tool_choice.get("type")
    if not turns or turns[-1].role == "assistant" or choice == "tool":
        return None
    own = own_words(texts_of(request.last)).strip()
    case = Case(request) if request.tools else None
    jobs = {tool.job for tool in case.tools} if case else set()
    if jobs & {"keep", "recall"}:
        if request.last.of_type("tool_result"):
            more = keeping(case) if choice != "none" else []
            return _call(request, more) if more else _after(case)
        if choice != "none" and (calls := _calls(case, own)):
            return _call(request, calls)
    return _greeted(request, own)


# --- with tools -----------------------------------------------------------------------------------


def _calls(case: Case, own: str) -> list[tuple[Tool, dict]]:
    calls = keeping(case)
    tool = next((t for t in case.tools if t.job == "recall"), None)
    asked = tool and any(call.name == tool.name for call in case.calls)
    if tool and not asked and not case.memory and refers_back(own):
        param = next(p for p in tool.params if p.free)
        calls.append((tool, {param.name: own[-300:].strip()}))
    return calls


def _call(request: Request, calls: list[tuple[Tool, dict]]) -> Reply:
    if request.tool_choice.get("disable_parallel_tool_use"):
        calls = calls[:1]
    first = next_number(request)
    return Reply(
        [
            {"type": "tool_use", "id": f"toolu_{first + n:04d}", "name": tool.name, "input": given}
            for n, (tool, given) in enumerate(calls)
        ],
        "tool_use",
    )


def _after(case: Case) -> Reply | None:
    """What the customer is told when the calls of this skill were answered."""
    newest = [call for call in case.newest if call.tool]
    if not newest or any(call.tool.job not in ("keep", "recall") for call in newest):
        return None
    said = [t.text for t in case.request.turns if t.role == "user" and t.text.strip()]
    own = own_words((said[-1],)) if said else ""
    parts = []
    for call in newest:
        if call.tool.job == "recall":
            parts.append(
                _found(case, own)
                if call.answered and not call.error
                else f"I could not look it up: {call.text[:200]}"
            )
        elif why := refused(call):
            parts.append(f"I have not saved that: {why}.")
        else:
            parts.append(
                f"I will remember this: {next(iter(call.input.values()), '')}".rstrip(".") + "."
            )
    if rest := _otherwise(case.request, own):
        parts.append(rest)
    return say("\n".join(parts))


def _found(case: Case, own: str) -> str:
    """What a search of the memory says to the customer's words."""
    if greeting := welcome(own, case.memory, case.names_in):
        return greeting
    words = {stem(w) for w in WORD.findall(own) if w.lower() not in STOP}
    if _NOTHING.match(case.memory):
        return _NONE
    near = sorted(items(case.memory), key=lambda item: -len(item.stems & words))[:MOST]
    return f"From my notes: {'; '.join(i.text.rstrip('.') for i in near)}." if near else _NONE


def _otherwise(request: Request, own: str) -> str:
    """The answer to what the message asks beside that, as other skills give it without tools."""
    at = max(n for n, turn in enumerate(request.turns) if turn.role == "user" and turn.text.strip())
    if not any(is_question(s) for s in request.turns[at].sentences) or refers_back(own):
        return ""
    messages = [
        {"role": t.role, "content": t.text} for t in request.turns[: at + 1] if t.text.strip()
    ]
    plain = Request({"system": request.body.get("system") or "", "messages": messages})
    for skill in (smalltalk, guiding, recalling, noting):
        if reply := skill.answer(plain):
            return reply.content[0]["text"]
    return ""


# --- without them ---------------------------------------------------------------------------------


def _greeted(request: Request, own: str) -> Reply | None:
    """A greeting from the notes of the first message; at a desk without notes, all is asked again."""
    first = sum(turn.role == "user" for turn in request.turns) == 1
    said = noted(texts_of(request.last)) if first else ""
    if said and (len(own) <= 80 and _greets(request, own) or tells_trouble(own)):
        if greeting := welcome(own, said, lambda text: any(c.isdigit() for c in text)):
            more = "" if tells_trouble(own) else " What can I do for you?"
            return say(greeting + more)
    if first and not said and is_desk(request.system) and refers_back(own) and tells_trouble(own):
        return say(_ALL_AGAIN)
    return None


def _greets(request: Request, own: str) -> bool:
    return smalltalk.answer(Request({"messages": [{"role": "user", "content": own}]})) is not None
