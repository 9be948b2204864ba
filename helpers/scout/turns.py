"""One turn with a model: asking, whole or word by word, and the record of what it took.

`Forgetful` and `FullHistory` are the two programs that come before Scout.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

from helpers.cost import Call
from helpers.messages import blocks, text_of
from helpers.models import CHAT_MODEL
from helpers.summaries import SummaryResult

from .guide import PERSONA

MAX_TOKENS = 500  # of one reply
ROUNDS = 10  # of tool calls in one turn

Show = Callable[[str], object]  # is given each piece of a reply as it arrives


class NoAnswer(RuntimeError):
    """The model refused, or its reply is empty or broken off in a tool call. Nothing is kept."""


@dataclass(frozen=True)
class Turn:
    """What one turn took. Tokens are the model's own, dollars list prices."""

    calls: tuple[Call, ...]  # of the chat model: one, and one more for each round of tools
    window_tokens: int = 0  # of the messages that are kept for the next turn
    dropped: int = 0  # messages that no longer fit into the budget
    over_budget: bool = False  # what is kept is over the budget: see `Scout`
    folds: tuple[SummaryResult, ...] = ()  # more than one only after a conflict
    summary_model: str = ""

    @property
    def prompt_tokens(self) -> int:
        """Tokens sent to the chat model: system prompt, summary, window, the turn itself."""
        return sum(call.prompt_tokens for call in self.calls)

    @property
    def output_tokens(self) -> int:
        return sum(call.output_tokens for call in self.calls)

    @property
    def folded(self) -> bool:
        """Whether dropped messages went into the summary."""
        return bool(self.folds) and self.folds[-1].ok

    @property
    def fold_calls(self) -> tuple[Call, ...]:
        """What the summary took, a fold of two calls as one."""
        made = [SimpleNamespace(usage=fold.usage, stop_reason=None) for fold in self.folds]
        request = {"model": self.summary_model}
        return tuple(Call.of(request, reply) for reply in made if reply.usage)

    @property
    def dollars(self) -> float:
        """Of the chat and of the summary, as far as the models have a list price."""
        return sum(call.dollars or 0 for call in (*self.calls, *self.fold_calls))


def ask(client, request: dict, show: Show | None = None):
    """The reply (an SDK Message) to a request; with `show`, streamed. NoAnswer: nothing usable."""
    if show is None:
        reply = client.messages.create(**request)
    else:
        with client.messages.stream(**request) as stream:
            for piece in stream.text_stream:
                show(piece)
            reply = stream.get_final_message()
    kinds = {block["type"] for block in blocks(reply)}
    if reply.stop_reason == "refusal":
        problem = "The model refused to answer"
    elif "tool_use" in kinds and reply.stop_reason != "tool_use":
        problem = f"The reply broke off in a tool call ({reply.stop_reason})"
    elif not kinds & {"tool_use"} and not text_of(reply).strip():
        problem = f"The reply has no text ({reply.stop_reason})"
    else:
        return reply
    raise NoAnswer(f"{problem}: nothing of this turn is kept, so say it again in other words.")


def user_message(text: str) -> dict:
    """What the user said, as a message. ValueError for a text that no API would take."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"say() takes a text that is not blank, not {text!r}.")
    return {"role": "user", "content": text.encode("utf-8", "replace").decode()}


def reply_message(reply) -> dict:
    """A reply as it is kept: a plain text as a string, everything else as blocks."""
    parts = blocks(reply)
    plain = len(parts) == 1 and parts[0].keys() == {"type", "text"}
    return {"role": "assistant", "content": parts[0]["text"] if plain else parts}


def without_thinking(message: dict) -> dict:
    """The message as it is kept once its turn is over. Thinking blocks of models that bind them
    would be refused as soon as something before them is dropped or summarised."""
    if isinstance(message["content"], str):
        return message
    kept = [b for b in message["content"] if b["type"] not in ("thinking", "redacted_thinking")]
    return {**message, "content": kept}


class Forgetful:
    """No memory: each request holds what the user says now, and nothing else."""

    def __init__(self, client, *, persona=PERSONA, model=CHAT_MODEL, max_tokens=MAX_TOKENS):
        self.client = client
        self.fixed = {"model": model, "max_tokens": max_tokens, "system": persona}
        self.last: Turn | None = None

    def say(self, text: str, *, show: Show | None = None) -> str:
        """The reply's text; `show` gets it piece by piece. Errors of the API pass through."""
        return text_of(self._turn([user_message(text)], show))

    def _turn(self, messages: list[dict], show: Show | None):
        request = {**self.fixed, "messages": messages}
        reply = ask(self.client, request, show)
        self.last = Turn((Call.of(request, reply),))
        return reply


class FullHistory(Forgetful):
    """The history as a list: every request holds the whole of it; lost when the process ends."""

    def __init__(self, client, **options):
        super().__init__(client, **options)
        self.history: list[dict] = []

    def say(self, text: str, *, show: Show | None = None) -> str:
        """As above. A turn that fails leaves the history as it was."""
        messages = [*self.history, user_message(text)]
        reply = self._turn(messages, show)
        self.history = [*messages, reply_message(reply)]
        return text_of(reply)
