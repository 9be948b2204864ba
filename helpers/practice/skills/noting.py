"""Noting: a short acknowledgement that repeats what the last message states, and nothing else."""

from itertools import islice

from ..reading.clauses import is_question
from ..reading.implied import introduced_name
from ..reading.lists import items_told
from ..reading.memory import Memory, memory_of
from ..reading.person import to_second
from ..reading.rules import rules_in
from ..reading.statements import Statement
from ..reading.words import WORD
from ..request import Reply, Request, say

MOST = 8  # facts repeated in one acknowledgement
READ = 100  # sentences of a message in which facts are looked for
LONGEST = 700  # characters of an acknowledgement


def answer(request: Request) -> Reply | None:
    """Acknowledges what the message states; None if it states nothing."""
    text = note(request, memory_of(request))
    if not text and any(rules_in(s) for s in request.last.sentences[-20:]):
        text = "All right, I will do that."
    return say(text) if text else None


def note(request: Request, memory: Memory) -> str:
    """ "Noted: ..." with every fact of the last message; "" without any."""
    first = len(memory.lines) - len(request.last.sentences)
    listed = {index: (item, on) for index, item, on in items_told(memory) if index >= first}
    facts = [fact for fact in _facts(request, memory) if fact.place not in listed]
    name = next((_introduced(fact) for fact in facts if _introduced(fact)), "")
    greeting = f"Hello, {name}!" if name else ""
    parts = [
        f"{to_second(item)} {'for' if on else 'off'} your list" for item, on in listed.values()
    ]
    for fact in facts:
        part = _small(to_second(fact.text))
        greeted = name and fact.value.strip() == name and not fact.about
        if not greeted and part not in parts and len("; ".join([*parts, part])) <= LONGEST:
            parts.append(part)
    return f"{greeting} Noted: {'; '.join(parts)}.".strip() if parts else greeting


def _facts(request: Request, memory: Memory) -> list[Statement]:
    facts: list[Statement] = []
    first = len(memory.lines) - len(request.last.sentences)
    said = (i for i in range(first, len(memory.lines)) if _is_more(memory.lines.texts[i]))
    for index in islice(said, READ):
        line = memory.lines[index]
        if (
            len(facts) < MOST
            and line.own
            and not is_question(line.text)
            and not rules_in(line.text)
        ):
            facts += [statement for statement in memory.statements(index) if statement.tells]
    return facts


def _is_more(text: str) -> bool:
    """Whether a sentence is more than its marks."""
    return len(text) > 2 and bool(WORD.search(text))


def _introduced(fact: Statement) -> str:
    """The name with which the user introduces himself here, or ""."""
    own = fact.linking and not fact.about and fact.root == "user"
    return introduced_name(fact.value) if own else ""


_SMALL = frozenset("you your the a an my i there this that it he she they his her their".split())


def _small(text: str) -> str:
    """With a small first letter, unless the first word may be a name."""
    return (
        text[0].lower() + text[1:]
        if text.split()[0].lower() in _SMALL and not text.startswith("I ")
        else text
    )
