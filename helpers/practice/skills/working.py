"""Working a case with tools: looks up what is missing, states what it found, judges the rules, acts, and
concludes with reasons. All of it is read anew from each request: tools from their descriptions, facts
from visible results and from what was stated of those that are no longer visible."""

import hashlib
import json

from ..casework.acting import action_for, offer_for, verdicts
from ..casework.answering import all_told, answer_from
from ..casework.choosing import lacking, next_calls
from ..casework.concluding import conclusion
from ..casework.files import reading, writing
from ..casework.findings import Finding, Offer
from ..casework.grants import action_told, gifts_told, lifted
from ..casework.keeping import keeping, not_kept
from ..casework.known import Case, texts_of
from ..casework.stating import statements
from ..casework.tools import Tool
from ..casework.trouble import asks_for_work, is_desk, tells_trouble, together
from ..reading.clauses import is_question, is_request_to_keep, sentences
from ..remembering.greeting import welcome
from ..remembering.lasttime import refers_back
from ..remembering.notes import own_words
from ..request import Reply, Request, say
from .instructions import rules

MOST = 8  # calls in one reply
LONGEST_NOTE = 1_500  # characters of one note
_ASKING = "'s number to look into this. Which one is it?"
_BEGUN = "I will look into this."
_NO_MEMORY = (
    "I am sorry about this. I do not know what was last time: nothing of it is shown to me."
)
_ALL_OF_IT = "Please tell me also what happened then, and what has gone wrong now."
_LOST = "I have looked, but the results are no longer shown to me, and what they said is written nowhere."
_NOTHING = "I have looked at everything that I can, and found nothing that decides this."


def answer(request: Request) -> Reply | None:
    """The next step of a case; None if the request is no case in work."""
    turns, choice = request.turns, request.tool_choice.get("type")
    if not request.tools or not turns or turns[-1].role == "assistant" or choice == "tool":
        return None
    case = Case(request)
    if not any(tool.job == "look" for tool in case.tools):
        return None
    if request.last.of_type("tool_result"):
        if not _was_opened(case):
            return None
    elif found := answer_from(case):
        return say(*found)
    elif not _opens(case):
        return None
    return _work(case, choice or "auto")


# --- whether it is a case -------------------------------------------------------------------------


def _was_opened(case: Case) -> bool:
    return any(_is_case(case, written.text) for written in case.user if not written.remembered)


def _opens(case: Case) -> bool:
    """Whether the last message brings a case, or what a case needs to go on."""
    last = own_words(texts_of(case.request.last))
    if _is_case(case, last):
        return True
    models = [turn.text for turn in case.request.turns if turn.role == "assistant"]
    return bool(models) and _ASKING in models[-1] and case.names_in(last)


def _is_case(case: Case, text: str) -> bool:
    """Trouble or a task, with tools for more than one step; less is needed where the system prompt
    says that people's cases are the model's work."""
    if is_request_to_keep(text) and not asks_for_work(text):
        return False
    steps = [tool for tool in case.tools if tool.job in ("look", "act")]
    if len(steps) > 1 and (
        asks_for_work(text) or tells_trouble(text) and not _only_asks(case, text)
    ):
        return True
    return is_desk(case.request.system) and case.names_in(text) and len(text.split()) > 3


def _only_asks(case: Case, text: str) -> bool:
    """Whether a short question follows a conclusion and brings nothing new: it needs no lookup."""
    asks = len(text) < 200 and all(is_question(s) for s in sentences(text))
    return case.concluded >= 0 and asks and not case.names_in(text)


# --- one step -------------------------------------------------------------------------------------


def _work(case: Case, choice: str) -> Reply | None:
    found = statements(case)
    keeps = keeping(case)
    notes = [*_notes(case, found), *keeps]
    if choice == "none":
        return say(_told(found, _concluded(case)))
    if first := _reading(case):
        return _reply(case, found, [*notes, first])
    if noun := lacking(case):
        recall = _recalling(case)
        return _reply(case, found, [recall, *keeps]) if recall else say(_asked(case, noun))
    calls = [(wanted.tool, wanted.input) for wanted in next_calls(case)]
    if calls:
        return _reply(case, found, [*notes, *calls[: MOST if together(case.request.system) else 1]])
    if action := _action(case) or action_told(case):
        return _reply(case, found, [*notes, action])
    if notes:
        return _reply(case, found, notes)
    return None if choice == "any" else say(_told(found, _concluded(case)))


def _concluded(case: Case) -> str:
    holding = [rule for rule in rules(case.request) if rule.kind == "before" and not lifted(case)]
    lost = any(call.answered and not call.error and not call.has_data for call in case.calls)
    if text := "\n".join(filter(None, [conclusion(case, holding), *gifts_told(case)])):
        return "\n".join([text, *not_kept(case)])
    if lost and not case.facts:
        return _LOST
    told = "" if case.rules else all_told(case)
    return f"This is what I found. {told}" if told else _NOTHING


def _action(case: Case) -> tuple[Tool, dict] | None:
    """The first outcome that a tool carries out and that was not carried out or offered yet."""
    for verdict in verdicts(case):
        if offer_for(case, verdict) is None and (action := action_for(case, verdict)):
            return action
    return None


def _tool(case: Case, job: str) -> Tool | None:
    return next((tool for tool in case.tools if tool.job == job), None)


def _reading(case: Case) -> tuple[Tool, dict] | None:
    """The call that reads what was noted before, when nothing of it is visible."""
    if (files := _tool(case, "files")) and (given := reading(case, files)):
        return files, given
    if (tool := _tool(case, "read")) is None:
        return None
    calls = [call for call in case.calls if call.name == tool.name]
    lost = calls and not any(call.has_data for call in calls) and not case.stated
    return (tool, {}) if not calls and not case.stated or lost and len(calls) < 2 else None


def _recalling(case: Case) -> tuple[Tool, dict] | None:
    """The call that searches what is remembered of the user, once."""
    tool = _tool(case, "recall")
    if tool is None or any(call.name == tool.name for call in case.calls):
        return None
    param = next(p for p in tool.params if p.free)
    said = [s for s in sentences(case.problem) if refers_back(s) or tells_trouble(s)]
    return tool, {param.name: " ".join(said)[-300:].strip() or case.problem[-300:].strip()}


def _notes(case: Case, found: list) -> list[tuple[Tool, dict]]:
    """The calls that write the new findings down; [] without a tool for it."""
    texts = [str(entry) for entry in found if isinstance(entry, Finding | Offer)]
    tool, files = _tool(case, "write"), _tool(case, "files")
    if not texts or not (tool or files):
        return []
    if tool is None:
        return [(files, writing(case, files, "\n".join(texts)))]
    notes = [texts[0]]
    for text in texts[1:]:
        if len(notes[-1]) + len(text) < LONGEST_NOTE:
            notes[-1] += f" {text}"
        else:
            notes.append(text)
    return [(tool, {tool.required[0].name: note}) for note in notes]


# --- the reply ------------------------------------------------------------------------------------


def _asked(case: Case, noun: str) -> str:
    """The question for what is lacking; where nothing of "last time" is known, for all of it again."""
    need = f"I need the {noun}{_ASKING}"
    if greeting := _greeting(case):
        return f"{greeting} {need}"
    if refers_back(case.problem):
        return f"{_NO_MEMORY} {need} {_ALL_OF_IT}"
    return need


def _greeting(case: Case) -> str:
    """What a returning customer is told, once: before anything was looked up."""
    if (
        any(call.tool and call.tool.job in ("look", "act") for call in case.calls)
        or not case.memory
    ):
        return ""
    return welcome(case.problem, case.memory, case.names_in)


def _told(found: list, more: str) -> str:
    return "\n".join([*map(str, found), more])


def _reply(case: Case, found: list, calls: list[tuple[Tool, dict]]) -> Reply:
    """What was found, then the calls: as many as the request allows."""
    if case.request.tool_choice.get("disable_parallel_tool_use"):
        calls = calls[:1]
    greeting = _greeting(case)
    text = "\n".join(map(str, found)) or ("" if case.calls and not greeting else _BEGUN)
    text = f"{greeting} {text}".strip()
    blocks = [{"type": "text", "text": text}] if text else []
    mark = _mark(case.request)
    blocks += [
        {"type": "tool_use", "id": f"toolu_{mark}{n:02d}", "name": tool.name, "input": given}
        for n, (tool, given) in enumerate(calls, 1)
    ]
    return Reply(blocks, "tool_use")


def _mark(request: Request) -> str:
    """Part of an id that no other request of the run has, also when older calls were cut away."""
    said = json.dumps(request.body.get("messages"), sort_keys=True, default=str)
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:12]
