"""What a returning customer is told first: what the notes say of the last case, and of what is asked."""

import re

from ..casework.findings import conclusions_in, findings_in, offers_in
from ..casework.trouble import tells_trouble
from .lasttime import Item, items, last_case, nearest, refers_back

_CALLED = re.compile(r"^(?:the |your |their )?(?:last|latest|most recent) case(?: was|:)? +", re.I)
SORRY = "I am sorry that this has happened again."
BACK = "Welcome back."


def welcome(own: str, said: str, is_named) -> str:
    """The greeting; "" where the notes say nothing of a case or of what the customer speaks of.

    own: the customer's words. said: the notes. is_named: whether a text names something that can be
    looked up.
    """
    known = items(said)
    case = last_case(known, is_named, own)
    more = nearest(known, own, case)
    if not case and not more:
        return ""
    parts = [SORRY if refers_back(own) and tells_trouble(own) else BACK]
    if case:
        when = f" ({case.on})" if case.on and case.on not in case.text else ""
        parts.append(f"What I know of your last case: {_told(case)}{when}.")
    if more:
        parts.append(f"I also know: {'; '.join(map(_told, more))}.")
    return " ".join(parts)


def _told(item: Item) -> str:
    """A note as it can stand in a sentence, without the forms in which findings are stated."""
    text = _CALLED.sub("", item.text)
    if findings_in(text) or offers_in(text) or conclusions_in(text):
        text = text.replace(": ", ", ")
    return text.rstrip(".")
