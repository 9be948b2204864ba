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
    own = f"{request.system}\n{looked.reading.asked}"  # not what stands inside of the documents
    request.worked_out["rules"] = [rule for text in sentences(own) for rule in rules_in(text)]
    return say(looked.answer, ", ".join(looked.ids))
