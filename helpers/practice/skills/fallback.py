"""When nothing else applies."""

from helpers.practice.request import Reply, Request, say


def answer(request: Request) -> Reply:
    words = len(request.last_user_text.split())
    return say(
        f"I read your message of {words} words. I am the practice model: "
        "I can tell you what this conversation says, and little else."
    )
