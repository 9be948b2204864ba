"""The reply half of the practice model: a pure function of one request."""

from helpers.practice.request import Reply, Request
from helpers.practice.skills import SKILLS

__all__ = ["Reply", "reply"]


def reply(body: dict) -> Reply:
    """Answer one validated request body, the dict that was sent over the wire."""
    request = Request(body)
    for answer in SKILLS:
        if (result := answer(request)) is not None:
            return result
    raise AssertionError("the last skill always answers")
