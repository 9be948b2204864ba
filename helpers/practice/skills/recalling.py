"""Recalling what the request states (first version)."""

import re

from helpers.practice.request import Reply, Request, say

_FACT = re.compile(r"\bmy ([\w' -]{1,60}?) (is|are) ([^.!?\n]{1,120})", re.I)
_ASKED = re.compile(r"\bwhat(?:'s| is| are) my ([\w' -]{1,60})\?", re.I)


def answer(request: Request) -> Reply | None:
    last = request.last_user_text
    asked = _ASKED.search(last)
    if asked:
        wanted = asked[1].lower().replace("favorite", "favourite").replace("color", "colour")
        for role, text in reversed(request.turns):
            for fact in reversed(_FACT.findall(text)) if role == "user" else ():
                key = fact[0].lower().replace("favorite", "favourite").replace("color", "colour")
                if key == wanted:
                    return say(f"Your {asked[1]} {fact[1]} {fact[2]}.")
        return say(f"You have not told me your {asked[1]} in this conversation.")
    if noted := _FACT.search(last):
        return say(f"Noted: your {noted[1]} {noted[2]} {noted[3]}.")
    return None
