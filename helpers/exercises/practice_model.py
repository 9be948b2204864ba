"""Trying a learner's messages: would the API take them, and what does the practice model reply?"""

from ..messages import text_of, validate_request
from ..models import CHAT_MODEL


def refusal(messages) -> str | None:
    """The API's first objection to these messages; None if it takes them."""
    problems = validate_request(messages, model=CHAT_MODEL)
    return str(problems[0]) if problems else None


def replied(messages) -> str:
    """The practice model's reply to a valid request, whatever backend the notebook uses."""
    from ..practice.reply import reply

    body = {"model": CHAT_MODEL, "max_tokens": 200, "messages": messages}
    return text_of(reply(body).content)
