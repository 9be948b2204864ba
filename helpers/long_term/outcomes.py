"""What a run came to, worked out in code: so every case is recorded, not only those that a model
thought worth it.

Orders and problem come from the typed notes; from the calls and the customer's first message when
there are none. What was done comes from the results of the tools, never from what somebody says.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from helpers.compaction import CaseNotes
from helpers.guards import mask
from helpers.guards.presenting import END
from helpers.messages import blocks, text_of
from helpers.runs import Run

from .wording import dates, normal, same, shortened

CASE_CHARS = 480
PROBLEM_CHARS = 160
REASON_CHARS = 140
_GREETING = re.compile(
    r"^(?:hi|hello|hey|dear \w+(?: \w+)?|good (?:morning|afternoon|evening|day))[,.! ]+(?=.)", re.I
)
_PROMISE = re.compile(r"\b(?:promis|will |shall |call(?:s|ed)? back|by |until |within |commit)")


@dataclass(frozen=True)
class Part:
    """A piece of a case's text. said_by: "customer", "agent", or "" for what code put together,
    which needs no guard."""

    text: str
    said_by: str = ""


@dataclass(frozen=True)
class Outcome:
    """orders: ids. problem: as the customer told it. done: what the tools answered, with the
    agent's reasons. offered: promises that have a day. open: the run has not ended."""

    orders: tuple[str, ...]
    problem: Part
    done: tuple[tuple[str, Part], ...]
    reply: Part
    offered: tuple[tuple[str, date], ...]
    open: bool


def outcome_of(run: Run, today: date) -> Outcome:
    """The outcome of a run. ValueError: its notes are no case notes; then nothing is known."""
    notes = CaseNotes.of(run.notes)
    calls = _calls(run)
    orders = [*notes.order_ids, *_orders(calls)] if run.notes is not None else _orders(calls)
    told = notes.customer_problem.strip()
    words = _GREETING.sub("", _clean(customer_words(run)))
    problem = Part(told, "agent") if told else Part(words, "customer")
    return Outcome(
        orders=tuple(dict.fromkeys(map(_clean, filter(str.strip, orders)))),
        problem=Part(shortened(_clean(problem.text), PROBLEM_CHARS), problem.said_by),
        done=tuple(_done(calls)),
        reply=Part(shortened(_clean(run.reply), PROBLEM_CHARS), "agent"),
        offered=tuple(_promises(notes.already_offered, today)) if run.done else (),
        open=not run.done,
    )


def case_text(outcome: Outcome, allowed: Callable[[Part], bool]) -> str:
    """The case as one memory: the orders, what was done, and as much more as there is room for.

    allowed(part): whether what somebody said may stand in it.
    """
    orders = f"on order {', '.join(outcome.orders)}" if outcome.orders else "without an order"
    found = [f"{'Open case' if outcome.open else 'Case'} {orders}."]
    found += [f"{line}." for line, _ in outcome.done]

    def room() -> int:
        return CASE_CHARS - len(" ".join(found)) - 2

    for n, (line, reason) in enumerate(outcome.done, 1):
        said = reason.text.rstrip(" .")
        if said and len(said) <= room() and allowed(reason):
            found[n] = f"{line}: {said}."
    more = [("Problem", outcome.problem)]
    if not outcome.done and not outcome.open:
        more.append(("Answer", outcome.reply))
    for label, part in more:
        if part.text and len(label) + len(part.text) + 2 <= room() and allowed(part):
            found.append(f"{label}: {part.text}")
    return shortened(" ".join(found), CASE_CHARS)


def customer_words(run: Run) -> str:
    """What the customer wrote first, without the notes that were put in front of it."""
    for message in run.messages:
        if message["role"] != "user":
            continue
        texts = [b["text"] for b in blocks(message) if b.get("type") == "text"]
        if texts:
            return texts[-1].rsplit(END, 1)[-1].strip()
    return ""


def _clean(text: str) -> str:
    return normal(mask(text).text)


def _calls(run: Run) -> list[tuple[Mapping, Mapping]]:
    """Inputs and results (as objects) of the calls that were carried out without an error."""
    asked: dict[str, Mapping] = {}
    found = []
    for message in run.messages:
        for block in blocks(message):
            if block.get("type") == "tool_use" and isinstance(block.get("input"), Mapping):
                asked[block["id"]] = block["input"]
            elif block.get("type") == "tool_result" and not block.get("is_error"):
                given = asked.get(block.get("tool_use_id"))
                result = _object(text_of(block.get("content") or ""))
                if given is not None and result is not None:
                    found.append((given, result))
    return found


def _object(text: str) -> dict | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _orders(calls) -> list[str]:
    """The orders that calls were about."""
    named = (given.get("order_id") for given, _ in calls)
    return [order for order in named if isinstance(order, str)]


def _done(calls):
    """(what a tool did, the reason that the agent gave) for each result that moved something."""
    newest: dict[tuple, tuple[str, Part]] = {}
    for given, result in calls:
        status, amount = result.get("status"), result.get("amount")
        if not isinstance(status, str) or isinstance(amount, bool):
            continue
        if not isinstance(amount, int | float):
            continue
        order = result.get("order_id")
        on = f" on order {_clean(order)}" if isinstance(order, str) and order.strip() else ""
        reason = given.get("reason")
        said = shortened(_clean(reason), REASON_CHARS) if isinstance(reason, str) else ""
        line = f"{amount:.2f}{on} {_clean(status)}"
        newest[order if isinstance(order, str) else "", amount] = line, Part(said, "agent")
    return newest.values()


def _promises(offered: list[str], today: date):
    """(text, day) of what was promised for a day that is still to come."""
    for text in dict.fromkeys(map(_clean, offered)):
        if _PROMISE.search(same(text)) and (day := _next_day(text, today)):
            yield shortened(text, CASE_CHARS), day


def _next_day(text: str, today: date) -> date | None:
    days = []
    for token in dates(same(text))[0]:
        if len(token) == 11:  # with a year
            days.append(date.fromisoformat(token[1:]))
        elif token.endswith("?"):
            month, day = int(token[1:3]), int(token[4:6])
            for year in range(today.year, today.year + 9):
                try:
                    made = date(year, month, day)
                except ValueError:  # 29 February
                    continue
                if made >= today:
                    days.append(made)
                    break
    return min((made for made in days if made >= today), default=None)
