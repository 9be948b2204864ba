"""Cache: what one changed character costs in seconds, by where it stands."""

from functools import partial
from statistics import mean

from .calls import Caller, assistant, cached_tokens, prompt_tokens, user
from .courier import log
from .steps import Step

ABOUT = (
    "A conversation is sent once. Then come four next turns, each with a short exchange more: one "
    "on the unchanged conversation, then one with a single digit changed near the end, in the "
    "middle, and at the front of what was sent before. Time to the first token, by streaming."
)
FULL = {"lines": 95, "repeats": 3, "seed": 100}
QUICK = FULL | {"lines": 40, "repeats": 1}

TURNS = ("unchanged", "near the end", "in the middle", "at the front")  # in this order
LINES_A_MESSAGE = 5


def steps(lines: int, repeats: int, seed: int) -> list[Step]:
    """`lines` of a log in one conversation, about 21 tokens each; another log every time."""
    return [
        Step(f"conversation {n + 1}", partial(_one, log(lines, seed + n))) for n in range(repeats)
    ]


def conversation(lines: list[str]) -> list[dict]:
    """The log, told in messages of some lines each, with a question at the end."""
    turns = []
    for start in range(0, len(lines), LINES_A_MESSAGE):
        turns += [user("\n".join(lines[start : start + LINES_A_MESSAGE])), assistant("Noted.")]
    return [*turns, user("Was the parcel weighed?")]


def _one(lines: list[str], caller: Caller) -> dict:
    messages = conversation(lines)
    last = len(messages) - 1
    places = {"near the end": last - 2, "in the middle": last // 4 * 2, "at the front": 0}
    calls = {"first": caller.timed(marked(messages))}
    for turn in TURNS:
        if turn in places:
            messages = changed(messages, places[turn])
        messages = [*messages, assistant("Yes."), user("And was it sorted?")]
        calls[turn] = caller.timed(marked(messages))
    return {"calls": calls}


def changed(messages: list[dict], place: int) -> list[dict]:
    """A copy in which the first digit of the message at `place` is another one."""
    text = messages[place]["content"]
    at = next(n for n, letter in enumerate(text) if letter.isdigit())
    other = str(1 + int(text[at]) % 9)
    message = messages[place] | {"content": text[:at] + other + text[at + 1 :]}
    return [*messages[:place], message, *messages[place + 1 :]]


def marked(messages: list[dict]) -> list[dict]:
    """A copy with a cache breakpoint at its end: without one Claude caches nothing."""
    *before, last = messages
    block = {"type": "text", "text": last["content"], "cache_control": {"type": "ephemeral"}}
    return [*before, last | {"content": [block]}]


def seconds(records: list[dict], turn: str) -> list[float]:
    """Seconds to the first token of that turn, one for each conversation."""
    return [r["calls"][turn]["first_token_seconds"] for r in records]


def shares(records: list[dict]) -> dict[str, float]:
    """The part of the prompt that came from the cache, turn by turn, on average."""
    return {
        turn: mean(
            cached_tokens(r["calls"][turn]) / prompt_tokens(r["calls"][turn]) for r in records
        )
        for turn in TURNS
    }
