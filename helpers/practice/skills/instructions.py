"""Following instructions about the form of the reply, from the system prompt and from messages.

What must be said word for word is a skill of its own (`answer`). Every other rule changes a reply that
another skill has written (`obey`). A rule in an old message can be overlooked: see `weaknesses`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from ..obeying.following import Followed, followed
from ..obeying.marking import told_by
from ..obeying.orders import FORM, SAY, SHOW
from ..obeying.passages import DOCUMENT, NOTES, RECORD, RESULT, cut
from ..reading.clauses import sentences
from ..reading.memory import memory_of
from ..reading.questions import read
from ..reading.responding import respond
from ..reading.rules import ENDING, HINTS, STANDING_HINTS, WAITING, Rule, is_standing, rules_in
from ..reading.words import WORD, content
from ..remembering.notes import pieces
from ..request import Reply, Request, say
from ..weaknesses import obeys, overlooks

SHOWN = 300  # characters of the system prompt that are given away when a text asks for it
OBEYED_LAST = ("upper", "lower")  # after everything that adds words


def answer(request: Request) -> Reply | None:
    """Says word for word what the last message, or the system prompt, asks for."""
    for rule in rules(request):
        if rule.kind == "exact" and rule.text:
            return say(rule.text, rule.text)
    return None


def rules(request: Request) -> list[Rule]:
    """The rules in force: the system prompt's, and those of the messages that are not overlooked."""
    if "rules" not in request.worked_out:
        request.worked_out["rules"] = _rules(request)
    return request.worked_out["rules"]


def _rules(request: Request) -> list[Rule]:
    system = sentences(request.system)
    parts = cut(request.system, told_by(request.system).tags, True)
    found = [rule for text in system if _heeded(parts, text) for rule in rules_in(text)]
    found += _found_in_material(request)
    stated: dict[int, list[tuple[int, list[Rule]]]] = {}  # by turn: sentence, rules
    for at in _promising(request):
        text, turn = request.lines.texts[at], request.lines.turns[at]
        last = request.turns[turn] is request.last
        if (here := rules_in(text)) and (last or is_standing(text)):
            stated.setdefault(turn, []).append((at, here))
    lengths = [turn.length for turn in request.turns] if stated else []
    upto = [0, *accumulate(lengths)]
    for turn in sorted(stated, reverse=True):
        after = upto[-1] - upto[turn + 1]  # characters from this turn to the end of the request
        around = sum(lengths[max(0, turn - 2) : turn + 3])
        first = bisect_left(request.lines.turns, turn)
        ends = list(accumulate(map(len, request.lines.texts[first : stated[turn][-1][0] + 1])))
        for at, here in stated[turn]:
            if not overlooks(after + max(0, lengths[turn] - ends[at - first]), around):
                found += here if _heeded(_parts(request, turn), request.lines.texts[at]) else []
    return found


def _parts(request: Request, turn: int) -> list[tuple[str, bool]]:
    """The passages of a user turn, each with whether it is marked as data."""
    tags = told_by(request.system).tags
    texts = (block.get("text") or "" for block in request.turns[turn].of_type("text"))
    return [part for text in texts for part in cut(text, tags)]


def _heeded(parts: Iterable[tuple[str, bool]], sentence: str) -> bool:
    """Whether a rule is heeded where it stands: always, but where it is marked as data by its wording."""
    bare = sentence.lstrip("-*•+ \t")
    return all(obeys(part, True) for part, marked in parts if marked and bare in part)


_FORMS = ("upper", "lower", "start", "end", "mention", "words", "sentence", "address")


def _found_in_material(request: Request) -> list[Rule]:
    """Rules for the form of the reply, and things to say, that stand in results, documents and notes."""
    found: list[Rule] = []
    for told in followed(request) if _has_material(request) else ():
        if told.passage.where not in (NOTES, RESULT, RECORD, DOCUMENT):
            continue
        if told.order.kind == SHOW:
            found.append(Rule("mention", f"that {' '.join(request.system.split())[:SHOWN]}"))
        elif told.order.kind == SAY:
            found.append(Rule("mention", f"that {_as_written(told)}"))
        elif told.order.kind == FORM and told.passage.where != NOTES:
            for text in sentences(told.passage.text):
                found += [
                    rule for rule in rules_in(text) if rule.kind in _FORMS and is_standing(text)
                ]
    return found


def _as_written(told: Followed) -> str:
    """What is to be said, with its capital letters where they can be found again."""
    at = told.passage.text.lower().find(told.order.said)
    return told.passage.text[at : at + len(told.order.said)] if at >= 0 else told.order.said


def _has_material(request: Request) -> bool:
    """Whether there is more to read than what users wrote."""
    users = [turn for turn in request.turns if turn.role == "user"]
    if any(turn.of_type("tool_result") or turn.of_type("document") for turn in users):
        return True
    texts = tuple(block.get("text") or "" for block in users[0].of_type("text")) if users else ()
    return any(piece.noted for piece in pieces(texts))


def _promising(request: Request) -> list[int]:
    """The sentences in which a rule can stand: in the last message any, before it a standing one."""
    lines = request.lines
    found = lines.with_any(STANDING_HINTS)
    last = next((n for n, turn in enumerate(request.turns) if turn is request.last), None)
    if last is not None:
        first, end = bisect_left(lines.turns, last), bisect_right(lines.turns, last)
        found = {at for at in found if not first <= at < end}
        ending = {at for at in lines.having("end ") if lines.lows[at].startswith("end ")}
        found |= {
            at for at in lines.with_any(HINTS + ENDING + WAITING) | ending if first <= at < end
        }
    return sorted(found)


def obey(request: Request, reply: Reply) -> Reply:
    """The reply, changed as the rules in force ask. Tool calls are left alone."""
    in_force = rules(request)
    if not in_force or reply.stop_reason != "end_turn":
        return reply
    text = " ".join(block["text"] for block in reply.content if block.get("type") == "text")
    if any(rule.kind == "exact" for rule in in_force):
        return reply
    for rule in in_force:
        if rule.kind == "never":
            text = _without(text, rule.text)
    shown = {rule.kind for rule in in_force}
    if "value" in shown and reply.value and reply.value in _kept(text, reply.value):
        text = reply.value
    if "sentence" in shown:
        text = sentences(text)[0] if text else text
    limits = [rule.number for rule in in_force if rule.kind == "words" and rule.number]
    if limits:
        text = _shorter(text, reply.value, min(limits))
    for rule in in_force:
        if rule.kind == "mention":
            text = f"{text} {_mentioned(rule.text, request)}"
        elif rule.kind == "address" and rule.text not in text:
            text = (
                f"{rule.text}, {text[0].lower() + text[1:] if text.split()[0] in _SMALL else text}"
            )
    for rule in in_force:
        if rule.kind == "start" and not text.startswith(rule.text):
            text = f"{rule.text} {text}" if rule.text[-1:] in ".!?,:;" else f"{rule.text}: {text}"
        elif rule.kind == "end" and not text.endswith(rule.text):
            text = f"{text} {rule.text}"
    if "upper" in shown:
        text = text.upper()
    elif "lower" in shown:
        text = text.lower()
    return say(text, reply.value)


_SMALL = ("Your", "You", "The", "Noted:", "All", "I", "No:", "Yes:")


def _kept(text: str, value: str) -> str:
    """The value may be said only if the text still says it (a rule may have taken it out)."""
    return text + value if all(part.lower() in text.lower() for part in WORD.findall(value)) else ""


def _without(text: str, banned: str) -> str:
    """The sentences that do not speak of what is banned."""
    words = content(WORD.findall(banned))
    if not words:
        return text
    kept = [
        s
        for s in sentences(text)
        if not words <= content(WORD.findall(s)) and banned.lower() not in s.lower()
    ]
    return " ".join(kept) or "I was asked not to speak about that."


def _shorter(text: str, value: str, limit: int) -> str:
    """At most `limit` words: the bare value if the sentence is too long, else its beginning."""
    if len(text.split()) <= limit:
        return text
    if value and len(value.split()) <= limit:
        return value
    first = sentences(text)[0]
    if len(first.split()) <= limit:
        return first
    return " ".join((value or first).split()[:limit]).rstrip(",;:")


def _mentioned(what: str, request: Request) -> str:
    """A clause is said as it is; of a thing ("the opening hours") what the request says of it."""
    if match := re.match(r"that (.+)", what, re.I):
        return match[1][0].upper() + match[1][1:] + "."
    if what.lower().startswith(("the ", "our ", "your ")):
        text, value = respond(read(f"what is {what}"), memory_of(request))
        if value:
            return text
    return what[0].upper() + what[1:] + ("" if what[-1] in ".!?" else ".") if what else ""
