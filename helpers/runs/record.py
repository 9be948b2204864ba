"""The record of one run: everything that is known about one task, whatever the model is shown."""

import json
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from helpers.cost import Call
from helpers.messages import blocks
from helpers.shapes import listlike

ID_CHARS = 120  # of a run, customer or message id

Id = Annotated[str, Field(min_length=1, max_length=ID_CHARS, pattern=r"\S", strict=True)]


class LedgerRow(BaseModel):
    """One call of a model. Tokens: of the whole request and of the reply, as the API counted them.

    dollars: list price, None for a model without one. what: what the call was for ("step", "notes",
    ...). step: the step of the run in which it was made.
    """

    model_config = ConfigDict(extra="forbid")

    step: int
    model: str
    prompt_tokens: int
    output_tokens: int
    dollars: float | None
    what: str = "step"


class Run(BaseModel):
    """One task. run_id and customer_id come from the program and the login, never from a text.

    messages: the full history as plain dicts. It only grows; what the model sees of it is another
    matter (notes, covered_to, cleared). message_ids: one for each message, none twice.
    notes: typed notes as a dict, of the messages up to the one with the id covered_to (included).
    cleared: ids of tool calls whose results are shown as placeholders.
    step: calls of the model that were answered. pending: why the run pauses ({"why", "step", ...}),
    None while it goes on. done, reply: whether it has ended, and with which answer.
    version: of the stored record; 0 when it was never saved.
    """

    model_config = ConfigDict(extra="forbid")

    run_id: Id
    customer_id: Id
    messages: list[dict] = []
    message_ids: list[str] = []
    notes: dict | None = None
    covered_to: str | None = None
    cleared: list[str] = []
    step: int = 0
    pending: dict | None = None
    ledger: list[LedgerRow] = []
    done: bool = False
    reply: str = ""
    version: int = 0

    @model_validator(mode="after")
    def _fits(self):
        if len(self.messages) != len(self.message_ids):
            raise ValueError(
                f"{len(self.messages)} messages have {len(self.message_ids)} ids: each has one"
            )
        if len(set(self.message_ids)) < len(self.message_ids):
            raise ValueError("two messages have the same id: each has its own")
        self._covered()
        return self

    def add(self, message, message_id: str | None = None) -> str:
        """Append a message; its id, made here when none is given.

        message: a dict, or a reply of the SDK. It is kept as plain dicts that share nothing with
        it; half characters (lone surrogates), which no request can carry, become U+FFFD.
        The same id with the same message a second time changes nothing; with another one:
        ValueError, as for what is no message.
        """
        plain = plain_message(message)
        if message_id is None:
            number = len(self.messages) + 1
            while (message_id := f"m{number}") in self.message_ids:
                number += 1
        elif not isinstance(message_id, str) or not 0 < len(message_id.strip()) <= ID_CHARS:
            raise ValueError(f"a message id is a text of 1 to {ID_CHARS} characters, not blank")
        if message_id in self.message_ids:
            if self.messages[self.message_ids.index(message_id)] == plain:
                return message_id
            raise ValueError(f"another message has the id {message_id!r}: give this one its own")
        self.messages.append(plain)
        self.message_ids.append(message_id)
        return message_id

    def uncovered(self) -> list[dict]:
        """The messages after covered_to: those that the notes do not cover. A new list.

        ValueError when covered_to is none of the ids, or parts a tool call from its result.
        """
        return self.messages[self._covered() :]

    def charge(self, request: dict, reply, what: str = "step") -> LedgerRow:
        """Write down what a call took; `request` needs its model, `reply` is the SDK's."""
        call = Call.of(request, reply)
        row = LedgerRow(
            step=self.step,
            model=call.model,
            prompt_tokens=call.prompt_tokens,
            output_tokens=call.output_tokens,
            dollars=call.dollars,
            what=what,
        )
        self.ledger.append(row)
        return row

    @property
    def prompt_tokens(self) -> int:
        """Tokens sent in all calls of the run together."""
        return sum(row.prompt_tokens for row in self.ledger)

    @property
    def dollars(self) -> float:
        """List price of all calls of the run together, of models that have one."""
        return sum(row.dollars or 0 for row in self.ledger)

    def open_calls(self) -> list[dict]:
        """The tool calls of the last message, when that is the model's; else []."""
        last = self.messages[-1] if self.messages else {"role": "user"}
        if last["role"] != "assistant":
            return []
        return [block for block in blocks(last) if block.get("type") == "tool_use"]

    def _covered(self) -> int:
        """How many messages the notes cover."""
        if self.covered_to is None:
            return 0
        if self.covered_to not in self.message_ids:
            raise ValueError(
                f"covered_to names {self.covered_to!r}, which no message has: take an id out of "
                "message_ids, or None when the notes cover nothing"
            )
        cut = self.message_ids.index(self.covered_to) + 1
        calls, results = _ids(self.messages[:cut])
        _, later = _ids(self.messages[cut:])
        torn = (calls - results) & later if cut < len(self.messages) else calls - results
        if torn:
            raise ValueError(
                f"covered_to {self.covered_to!r} parts the tool call {sorted(torn)[0]} from its "
                "result: cover both or neither"
            )
        return cut


def _ids(messages: list[dict]) -> tuple[set[str], set[str]]:
    """Ids of the tool calls and of the results in some messages."""
    calls, results = set(), set()
    for message in messages:
        for block in blocks(message):
            if block.get("type") == "tool_use":
                calls.add(block.get("id"))
            elif block.get("type") == "tool_result":
                results.add(block.get("tool_use_id"))
    return calls, results


class NotAMessage(ValueError):
    """What was given has no role and content that a request could carry."""


def plain_message(message) -> dict:
    """{"role", "content"} of plain dicts, lists and texts. ValueError: it is no message."""
    try:
        role, content = _parts(message)
        text = json.dumps({"role": role, "content": content}, default=_plain, allow_nan=False)
        return json.loads(text, object_hook=_whole)
    except NotAMessage:
        raise
    except Exception as error:  # also what a stranger's object throws when it is read
        raise NotAMessage(f"this message cannot be kept as JSON ({type(error).__name__})") from None


def _parts(message) -> tuple[str, str | list[dict]]:
    if isinstance(message, Mapping):
        role, content = message.get("role"), message.get("content")
    else:
        role, content = getattr(message, "role", None), getattr(message, "content", None)
    if not isinstance(role, str) or role not in ("user", "assistant", "system"):
        raise NotAMessage("a message has a role: user, assistant or system")
    if not isinstance(content, str):
        given, content = content, blocks({"content": content})
        if not listlike(given) or len(content) < len(given):
            raise NotAMessage("a message's content is a text or a list of blocks")
    if not content:
        raise NotAMessage("a message has content: a text that is not empty, or blocks")
    return role, content


def _plain(value):
    if hasattr(type(value), "model_dump"):
        return value.model_dump(mode="json", exclude_unset=True)
    raise TypeError(f"it holds a {type(value).__name__}")


def _whole(pairs: dict) -> dict:
    return {_repaired(key): _repaired(value) for key, value in pairs.items()}


def _repaired(value):
    """Without half characters: two halves that belong together are joined."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_repaired(item) for item in value]
    return value
