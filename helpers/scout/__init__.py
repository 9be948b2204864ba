"""Scout, the local guide of Tarnvelle, with three kinds of memory.

    scout = Scout(client, SessionStore(db), user_id)
    print(scout.say("Where can we eat?"))
    print(scout.last)                    # tokens, dollars, what was dropped and folded

`Forgetful` and `FullHistory` are the same guide with no memory and with a growing list. In a
terminal: `python -m helpers.scout --memory none|list|bounded`.
"""

from .bounded import Scout
from .guide import PERSONA, guide, persona_with_places
from .turns import Forgetful, FullHistory, NoAnswer, Turn

__all__ = [
    "PERSONA",
    "Forgetful",
    "FullHistory",
    "NoAnswer",
    "Scout",
    "Turn",
    "guide",
    "persona_with_places",
]
