"""Calls that keep stated facts for later conversations."""

import re

from ..reading.clauses import sentences
from ..remembering.keeping import facts_in
from .calls import Call, parsed
from .known import Case
from .tools import Tool

_SUMMARY = re.compile(r"\W*(?:\w+ )?(?:notes|summary|progress)\b[^.\n]{0,60}:", re.I)


def keeping(case: Case) -> list[tuple[Tool, dict]]:
    """The calls that save the facts of the newest message of the customer; [] when all are saved."""
    tool = next((t for t in case.tools if t.job == "keep"), None)
    if tool is None or not (words := _newest(case)):
        return []
    known = {
        _same(str(v)) for call in case.calls if call.name == tool.name for v in call.input.values()
    }
    known |= {_same(line) for line in case.memory.split("\n")}
    calls = []
    for fact in facts_in([sentences(p) for p in re.split(r"\n[ \t]*\n", words)]):
        given = _filled(tool, fact)
        if given and not any(_same(fact) in text for text in known):
            calls.append((tool, given))
    return calls


def not_kept(case: Case) -> list[str]:
    """What the customer is told of a fact that was not saved."""
    lines = []
    for call in case.calls:
        if call.tool and call.tool.job == "keep" and (why := refused(call)):
            lines.append(f"I have not saved one thing that you told me: {why}.")
    return list(dict.fromkeys(lines))


def refused(call: Call) -> str:
    """Why a fact was not saved, in the words of the tool; "" if it was."""
    if not call.answered:
        return ""
    value = parsed(call.text)
    if isinstance(value, dict):
        done = next((v for v in value.values() if isinstance(v, bool)), True)
        if done and not call.error:
            return ""
        text = next((str(v) for v in value.values() if isinstance(v, str) and v.strip()), "")
        return " ".join(text.split())[:200].rstrip(".") or "it was refused"
    return " ".join(call.text.split())[:200].rstrip(".") or "it was refused" if call.error else ""


def _newest(case: Case) -> str:
    """The last message of a customer, without notes."""
    own = [w for w in case.user if not (w.remembered or w.key or _SUMMARY.match(w.text))]
    last = max((written.turn for written in own), default=-1)
    return "\n\n".join(written.text for written in own if written.turn == last)


def _filled(tool: Tool, fact: str) -> dict:
    """The input with which a tool saves a fact: the first free text is the fact; {} if it lacks more."""
    given: dict = {}
    for param in tool.required:
        if param.options:
            given[param.name] = param.options[0]
        elif param.spec.get("type", "string") == "string" and fact not in given.values():
            given[param.name] = fact
        else:
            return {}
    return given if fact in given.values() else {}


def _same(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()
