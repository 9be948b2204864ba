"""Looking: reads the documents of a request for its question, and answers with the ids it rests on."""

from ..looking.answering import look
from ..reading.clauses import sentences
from ..reading.rules import rules_in
from ..request import Reply, Request, say


def answer(request: Request) -> Reply | None:
    """Which documents say what is asked, or what one of them says; None without such a question."""
    looked = look(request)
    if looked is None:
        return None
    # Not what stands inside of the documents; and "which do not mention ...?" forbids nothing.
    rules = [rule for text in sentences(request.system) for rule in rules_in(text)]
    asked = [rule for text in sentences(looked.reading.asked) for rule in rules_in(text)]
    request.worked_out["rules"] = rules + [rule for rule in asked if rule.kind != "never"]
    return say(looked.answer, ", ".join(looked.ids))
