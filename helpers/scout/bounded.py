"""Scout with bounded memory: a window within a budget, a rolling summary, both in a database."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from helpers.cost import Call
from helpers.messages import blocks, text_of
from helpers.models import CHAT_MODEL, SUMMARY_MODEL
from helpers.sessions import Session, SessionConflict, SessionStore
from helpers.sessions.records import checked_id
from helpers.sessions.store import new_hex_id
from helpers.summaries import build_request_system_prompt, fold
from helpers.trimming import count_messages, counter, trim

from .guide import PERSONA
from .turns import (
    MAX_TOKENS,
    ROUNDS,
    NoAnswer,
    Show,
    Turn,
    ask,
    reply_message,
    user_message,
    without_thinking,
)

TRIES = 100  # each failure means that another process got its turn in


class Scout:
    """A conversation of one user that any process can go on with, one `say` per turn.

    client: from `connect`. store: a SessionStore. user_id: who is logged in, from the caller's
    login and never from what is said. session_id: the conversation; a new one when None (see
    `session_id`). budget: tokens of the window that is kept between turns. trim_to: tokens to
    which a window over the budget is trimmed, half of it when None. summary_max_tokens: cap
    of the summary. max_tokens: cap of a reply. tools, call_tool: definitions as in the API, and
    `call_tool(name, input) -> str`, which runs one. fold: merges dropped messages into a summary,
    as `summaries.fold`. new_id: makes ids.

    A turn: load, count, ask, log, trim, fold (only if something was dropped), save. One read and
    two writes of the database. A request holds persona, summary, window and the turn itself, so it
    is at most tokens(persona) + summary_max_tokens + budget + tokens(turn), with three exceptions:

    * an exchange that alone is over the budget stays until the next one has come;
    * a fold that failed: summary and dropped messages stay as they were, and the next turn tries
      again; until it succeeds the window is over the budget by these messages;
    * a process that ended between its log and its save, or could not count the reply: the window
      has one turn more until the next turn has been trimmed.

    A turn is done when it is in the log. Whatever ends before that leaves no trace; whatever ends
    after it is made good by the next `load`.
    """

    def __init__(
        self,
        client,
        store: SessionStore,
        user_id: str,
        *,
        session_id: str | None = None,
        budget: int = 700,
        trim_to: int | None = None,
        summary_max_tokens: int = 400,
        persona: str = PERSONA,
        model: str = CHAT_MODEL,
        summary_model: str = SUMMARY_MODEL,
        max_tokens: int = MAX_TOKENS,
        tools: Sequence[dict] = (),
        call_tool: Callable[[str, dict], str] | None = None,
        fold=fold,
        new_id: Callable[[], str] = new_hex_id,
    ):
        trim_to = budget // 2 if trim_to is None else trim_to
        for tokens in (budget, trim_to):
            trim([], tokens, len)  # raises for what is no budget
        if trim_to > budget:
            raise ValueError(f"trim_to ({trim_to}) must not be over the budget ({budget})")
        if tools and call_tool is None:
            raise ValueError("tools need call_tool(name, input), which runs them")
        if not isinstance(summary_max_tokens, int) or summary_max_tokens < 1:
            raise ValueError(f"summary_max_tokens must be 1 or more, not {summary_max_tokens!r}")
        self.client, self.store, self.user_id = client, store, checked_id("user_id", user_id)
        self.session_id = checked_id("session_id", new_id() if session_id is None else session_id)
        self.budget, self.trim_to = budget, trim_to
        self.summary_max_tokens, self.persona = summary_max_tokens, persona
        self.model, self.summary_model = model, summary_model
        self.fixed = {"model": model, "max_tokens": max_tokens}
        if tools:
            self.fixed["tools"] = list(tools)
        self._call_tool, self._fold, self._new_id = call_tool, fold, new_id
        self.last: Turn | None = None  # the record of the last turn

    def session(self) -> Session:
        """The session as it stands in the database; a new one when it has no row there."""
        found = self.store.load(self.session_id, self.user_id)
        return found or self.store.create(self.user_id, self.session_id)

    def say(self, text: str, *, turn_id: str | None = None, show: Show | None = None) -> str:
        """One turn: what the user says in, the reply's text out; `show` gets it piece by piece.

        turn_id: a name for this turn, for callers that may have to send it again after a crash:
        if a turn of the window has it, its reply is returned and nobody is asked. Made when None.

        A call that fails leaves no trace, and its error passes through (NoAnswer for a reply that
        is none). SessionConflict from another process is met by loading again and storing the same
        turn after the other's, under the same message ids: once, whatever happened. ValueError: a
        blank text. DatabaseUnavailable: say it again, with the same turn_id if you gave one.
        """
        said = user_message(text)
        turn_id = self._new_id() if turn_id is None else turn_id
        checked_id("turn_id", f"{turn_id}-{2 * ROUNDS}")  # now, and not when the reply is there
        session = self.session()
        if stored := [m for m in session.window if m.id.rpartition("-")[0] == turn_id]:
            return text_of(stored[-1])
        turn = [said]
        self._count(session, turn)
        calls = self._ask(session, turn, show)
        turn = [{**without_thinking(m), "id": f"{turn_id}-{n}"} for n, m in enumerate(turn)]
        self._count_if_possible(session, turn)
        self.last = self._keep(session, turn, Turn(calls, summary_model=self.summary_model))
        return text_of(turn[-1])

    # ------------------------------------------------------------ the steps

    def _ask(self, session: Session, turn: list[dict], show: Show | None) -> tuple[Call, ...]:
        """Adds the reply to the turn, and the tool calls before it with their results."""
        system = build_request_system_prompt(self.persona, session.summary)
        calls = []
        for _ in range(ROUNDS):
            sent = [{"role": m["role"], "content": m["content"]} for m in turn]
            request = {**self.fixed, "system": system, "messages": [*session.messages(), *sent]}
            reply = ask(self.client, request, show)
            calls.append(Call.of(request, reply))
            turn.append(reply_message(reply))
            if reply.stop_reason != "tool_use":
                return tuple(calls)
            turn.append({"role": "user", "content": self._results(reply)})
        raise NoAnswer(f"No answer after {ROUNDS} rounds of tool calls: nothing is kept.")

    def _results(self, reply) -> list[dict]:
        results = []
        for call in (block for block in blocks(reply) if block["type"] == "tool_use"):
            result = {"type": "tool_result", "tool_use_id": call["id"]}
            try:
                result["content"] = str(self._call_tool(call["name"], call["input"]))
            except Exception as error:  # the model is told, and can do better
                problem = f"{type(error).__name__}: {error}"
                result |= {"content": problem, "is_error": True}
            results.append(result)
        return results

    def _count(self, session: Session, turn: list[dict]) -> list[int]:
        """Tokens of each message of the window and the turn, noted at those that had none."""
        messages = [*session.messages(), *(_bare(message) for message in turn)]
        noted = [m.tokens for m in session.window] + [m.get("tokens", {}) for m in turn]
        known = [tokens.get(self.model) for tokens in noted]
        tools = self.fixed.get("tools")
        counts = count_messages(self.client, self.model, messages, tools=tools, known=known)
        noted = [{**t, self.model: n} for t, n in zip(noted, counts, strict=True)]
        size = len(session.window)
        session.window = [
            replace(message, tokens=tokens)
            for message, tokens in zip(session.window, noted[:size], strict=True)
        ]
        for message, tokens in zip(turn, noted[size:], strict=True):
            message["tokens"] = tokens
        return counts

    def _count_if_possible(self, session: Session, turn: list[dict]) -> list[int] | None:
        """None when the counter fails: an answer that was paid for is not lost by that."""
        import anthropic

        try:
            return self._count(session, turn)
        except anthropic.AnthropicError:
            return None

    def _keep(self, session: Session, turn: list[dict], record: Turn) -> Turn:
        """Log, trim, fold and save; again from a fresh load when another process was faster."""
        for attempt in range(TRIES):
            try:
                if attempt:
                    session = self.session()
                self.store.append_turn(session, turn)
                record = self._bound(session, record)
                self.store.save(session)
                return record
            except SessionConflict:
                if attempt + 1 == TRIES:
                    raise

    def _bound(self, session: Session, record: Turn) -> Turn:
        """Trim the window to the budget and fold what was dropped into the summary."""
        counts = self._count_if_possible(session, [])
        if counts is None:
            return record
        # Well below the budget at once: else the next turn is over it again, and every turn folds.
        room = self.budget if sum(counts) <= self.budget else self.trim_to
        trimmed = trim(session.window, room, counter(session.window, counts))
        done = True
        if trimmed.dropped:
            result = self._fold(
                self.client,
                session.summary,
                trimmed.dropped,
                max_tokens=self.summary_max_tokens,
                model=self.summary_model,
            )
            record = replace(record, folds=(*record.folds, result))
            if done := result.ok:
                session.summary, session.window = result.text, trimmed.kept
                session.covers = trimmed.dropped[-1].seq
        tokens = trimmed.kept_tokens + (0 if done else trimmed.dropped_tokens)
        return replace(
            record,
            window_tokens=tokens,
            dropped=len(trimmed.dropped) if done else 0,
            over_budget=tokens > self.budget,
        )


def _bare(message: dict) -> dict:
    return {"role": message["role"], "content": message["content"]}
