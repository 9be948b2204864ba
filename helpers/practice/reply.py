"""The reply half of the practice model: a pure function of one request."""

from .request import Reply, Request
from .skills import SKILLS
from .skills.instructions import obey

__all__ = ["Reply", "reply"]


def reply(body: dict) -> Reply:
    """Answer one validated request body, the dict that was sent over the wire.

    Deterministic, without memory between calls. `content` holds text and tool_use blocks;
    `stop_reason` is "end_turn" or "tool_use". Limits (max_tokens, stop sequences) are the API's job.
    """
    request = Request(body)
    for answer in SKILLS:
        if (result := answer(request)) is not None:
            return obey(request, result)
    raise AssertionError("the last skill always answers")
