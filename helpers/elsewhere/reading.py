"""The calls: each with a fresh context that holds some documents and the question, nothing else."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from helpers.backends import BackendError
from helpers.cost import Call
from helpers.models import AGENT_MODEL
from helpers.sessions.content import clean_text

from .answers import FORMAT, LAST_LINE, SYSTEM, NoAnswer, understood
from .documents import Documents, batches, checked, render


@dataclass(frozen=True)
class Elsewhere:
    """What came back. ids: of the documents on which the answer rests, in the documents' order.
    unknown: ids that the model named though it was given no such document; they are not in `ids`.
    calls: one for each batch, with its tokens and dollars."""

    answer: str
    ids: list[str]
    unknown: list[str] = field(default_factory=list)
    calls: tuple[Call, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens that the calls read and wrote, all of them outside the main context."""
        return sum(call.prompt_tokens + call.output_tokens for call in self.calls)

    @property
    def dollars(self) -> float:
        """US dollars of the calls, as far as the model has a list price."""
        return sum(call.dollars or 0 for call in self.calls)


class NotAllRead(RuntimeError):
    """Some documents were not read. `unread`: their ids. `read`: what the other batches say."""

    def __init__(self, unread: list[str], reasons: list[str], read: Elsewhere):
        shown = ", ".join(unread[:10]) + (f" and {len(unread) - 10} more" if unread[10:] else "")
        why = "; ".join(dict.fromkeys(reasons))
        super().__init__(f"Documents not read: {shown} ({why}). Ask again for these.")
        self.unread, self.read = unread, read


def read_elsewhere(
    client,
    documents: Documents,
    question: str,
    *,
    model: str = AGENT_MODEL,
    max_tokens: int = 1_000,
    parallel: int = 4,
    batch_tokens: int = 30_000,
) -> Elsewhere:
    """Ask a question about documents, in calls that hold nothing but these and the question.

    documents: id -> text, or pairs of both; an id is 1 to 100 letters, digits and - _ . : / #.
    max_tokens: of one answer. batch_tokens: of the documents of one call, estimated high; a
    document over it has a call of its own. parallel: calls at the same time. With several batches
    the answer has a paragraph for each, and no further call.

    NotAllRead when a call failed, or its answer was refused, cut or empty; it holds what the
    others say. ValueError for what are no documents or no question. Without documents: no call.
    """
    if not isinstance(question, str) or not question.strip():
        raise ValueError("the question is blank: ask what the documents are to be read for")
    for name, value in {"parallel": parallel, "batch_tokens": batch_tokens}.items():
        if type(value) is not int or value < 1:
            raise ValueError(f"{name} must be a whole number, 1 or more, and is {value!r}")
    parts = batches(checked(documents), batch_tokens)
    if not parts:
        return Elsewhere("There are no documents to read.", [])
    fixed = {"model": model, "max_tokens": max_tokens}
    with ThreadPoolExecutor(min(parallel, len(parts))) as threads:
        asked = [threads.submit(_read, client, batch, question, fixed) for batch in parts]
    failed = {n: error for n, one in enumerate(asked) if (error := one.exception())}
    found = _joined([one.result() for n, one in enumerate(asked) if n not in failed])
    if failed:
        unread = [name for n in failed for name in parts[n]]
        raise NotAllRead(unread, [_reason(error) for error in failed.values()], found) from next(
            iter(failed.values())
        )
    return found


def _read(client, batch: dict[str, str], question: str, fixed: dict) -> Elsewhere:
    shown = "\n".join(render(name, text) for name, text in batch.items())
    content = clean_text(f"{shown}\n\nQuestion: {question.strip()}")[0]
    request = {**fixed, "system": SYSTEM, "messages": [{"role": "user", "content": content}]}
    reply, request = _ask(client, request)
    answer, named = understood(reply, batch)
    return Elsewhere(
        answer,
        [name for name in batch if name in named],
        [name for name in dict.fromkeys(named) if name not in batch],
        (Call.of(request, reply),),
    )


def _ask(client, request: dict):
    """The reply, and the request that it answers. A server without structured output refuses the
    field: then the ids are asked for on a line of their own."""
    import anthropic

    try:
        with_format = {**request, "output_config": {"format": FORMAT}}
        return client.messages.create(**with_format), with_format
    except (anthropic.BadRequestError, anthropic.UnprocessableEntityError):
        plain = {**request, "system": SYSTEM + LAST_LINE}
        return client.messages.create(**plain), plain


def _joined(parts: list[Elsewhere]) -> Elsewhere:
    return Elsewhere(
        "\n".join(part.answer for part in parts),
        [name for part in parts for name in part.ids],
        list(dict.fromkeys(name for part in parts for name in part.unknown)),
        tuple(call for part in parts for call in part.calls),
    )


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, NoAnswer | BackendError) else type(error).__name__
