"""Whether a request is accepted: every check, in the order in which the API makes them."""

from .. import messages
from .context import asking, compacting, edits
from .errors import Refused
from .fields import check_fields, check_values


def check(body: dict, betas: set[str], *, counting: bool) -> None:
    """Refused, with the first fault that the service would name. `counting`: of count_tokens.

    Not looked at here: cache breakpoints, thinking blocks, and the size of the prompt.
    """
    check_fields(body, counting=counting)
    summarising = body.get("compaction") is not None
    if summarising:
        asking.check_request(body, betas)
    if body.get("context_management") is not None:
        edits.check(body, betas)
    compacting.check_blocks(body, betas)
    if summarising and not counting:
        asking.check_covered(body["messages"])
    problems = messages.validate_request(
        _as_answered(body["messages"]) if summarising else body["messages"],
        system=body.get("system"),
        tools=body.get("tools"),
        model=body["model"],
    )
    if problems:
        raise Refused(problems[0].status, problems[0].type, problems[0].message)
    check_values(body, betas)
    edits.check_thinking(body)
    if summarising:
        asking.check_reply_shape(body)


def _as_answered(sent) -> list:
    """Messages that end with a finished reply, as if the user had gone on."""
    if isinstance(sent, list) and sent and isinstance(sent[-1], dict):
        if sent[-1].get("role") == "assistant":
            return [*sent, {"role": "user", "content": "."}]
    return sent
