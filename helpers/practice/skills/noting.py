"""Noting: a short acknowledgement that repeats what the last message states, and nothing else."""

from ..reading.clauses import is_question
from ..reading.memory import Memory, memory_of
from ..reading.person import to_second
from ..reading.rules import rules_in
from ..reading.statements import Statement, introduced_name
from ..request import Reply, Request, say

MOST = 8  # facts repeated in one acknowledgement
LONGEST = 700  # characters of an acknowledgement


def answer(request: Request) -> Reply | None:
    """Acknowledges what the message states; None if it states nothing."""
    text = note(request, memory_of(request))
    if not text and any(rules_in(s) for s in request.last.sentences[-20:]):
        text = "All right, I will do that."
    return say(text) if text else None


def note(request: Request, memory: Memory, brief: bool = False) -> str:
    """ "Noted: ..." with every fact of the last message; "" without any."""
    size = len(request.last.sentences)
    first = len(memory.lines) - size
    facts: list[Statement] = []
    for index in range(max(0, first), len(memory.lines)):
        line = memory.lines[index]
        if not line.own or is_question(line.text) or rules_in(line.text) or len(facts) >= MOST:
            continue
        facts += [s for s in memory.statements(index) if notable(s)]
    if not facts:
        return ""
    name = next((n for s in facts if s.linking and not s.about and s.root == "user"
                 and (n := introduced_name(s.value))), "")  # fmt: skip
    greeting = f"Nice to meet you, {name}. " if name else ""
    if name:
        facts = [s for s in facts if introduced_name(s.value) != name or s.about or s.value != name]
    if not facts:
        return greeting.strip()
    parts: list[str] = []
    for fact in facts:
        part = to_second(fact.text)
        part = part[0].lower() + part[1:] if part.split()[0].lower() in _SMALL else part
        if part not in parts and len("; ".join([*parts, part])) <= LONGEST:
            parts.append(part)
    return f"{greeting}Noted: {'; '.join(parts)}." if parts else greeting.strip()


_SMALL = frozenset(
    "you your the a an my i there this that it he she they his her their please".split()
)
_IDLE = frozenset("that this it there he she they these those let thanks".split())


def notable(statement: Statement) -> bool:
    """Whether a statement is worth repeating: about the user, a named thing or a person."""
    first = statement.text.split()[0].lower()
    if statement.root == "model" or first in _IDLE:
        return False
    return bool(statement.root or statement.verb)
