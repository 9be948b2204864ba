"""The loop: the model calls tools, the desk answers, until there is an answer for the customer.

A step is one call of the model and the tool calls in its reply. With a store the run is saved before
the tools are called and after they have answered, so it can be killed anywhere: `run_case` with the
loaded run goes on where it stopped, and a call that has an effect is not made a second time.
"""

import hashlib
import json
from collections.abc import Callable

from helpers.database import DatabaseUnavailable
from helpers.messages import blocks, text_of
from helpers.models import AGENT_MODEL, MODELS
from helpers.runs import Run, RunConflict, RunStore

from .prompts import SYSTEM

MAX_STEPS = 60  # answered calls of the model in one run
MAX_TOKENS = 2_000  # of one reply
MOST_TOKENS = 16_000  # of one reply that was cut and is asked for again
THOUGHTS = ("thinking", "redacted_thinking")

PAUSES = {
    "step limit": "The run has used its {step} steps: look at it, then go on with a higher max_steps.",
    "cut": "The reply was cut at {room:,} tokens: go on with a higher max_tokens.",
    "refused": "The model refused to answer: look at the case, or give it to a person.",
    "empty": "The reply is empty: go on to ask again, or give the case to a person.",
    "window full": "The context window is full: clear or compact what the model sees, then go on.",
}


def run_case(
    client,
    run: Run,
    desk,
    *,
    system=SYSTEM,
    model: str = AGENT_MODEL,
    max_steps: int = MAX_STEPS,
    max_tokens: int = MAX_TOKENS,
    prepare: Callable[[Run], list] | None = None,
    store: RunStore | None = None,
    progress: Callable[[Run, str], object] | None = None,
    after_step: Callable[[Run], object] | None = None,
    extra: dict | None = None,
    keep_thinking: bool = False,
) -> Run:
    """Work on a run until it is done or has to pause; the same run, changed.

    run: with at least the customer's message; also one that was loaded, wherever it stopped.
    desk: what has `tools`, `call(name, input, id)` and `effects`, such as `Desk`.
    prepare: what is sent in this step, made of the run; without it the full history. It may change
    the run's notes, covered_to and cleared, never its messages.
    store: where the run is saved, twice in each step. progress(run, what): after each step, with a
    few words about it. after_step(run): after its last save.
    extra: more of the request, such as tool_choice or cache_control; with `betas` in it the beta
    client is used. keep_thinking: store thinking blocks, which some models bind to what precedes.
    max_steps: of the whole run, those of earlier calls included.

    A pause is `run.pending`: {"why", "step", "text"} with one of PAUSES; the same call again goes on.
    Errors of the API and of the database pass through: nothing of that step is lost or half done.
    ValueError: no message to answer, or the desk of another customer.
    """
    if not run.messages:
        raise ValueError("the run has no message: add() what the customer wrote first")
    if getattr(desk, "customer_id", run.customer_id) != run.customer_id:
        raise ValueError(
            f"the run is of customer {run.customer_id!r} and the desk of {desk.customer_id!r}: make "
            "the desk with the run's customer_id"
        )
    if run.messages[-1]["role"] == "user":
        run.done = False
    run.pending = None
    options = {"model": model, "system": system, "max_tokens": max_tokens, **(extra or {})}
    asked = _Asking(client, desk.tools, options, prepare, keep_thinking)
    while not run.done and not run.pending:
        if calls := run.open_calls():
            _answer(run, calls, desk, store)
            what = ", ".join(f"{call['name']} {_brief(call['input'])}".strip() for call in calls)
        elif run.step >= max_steps:
            _pause(run, "step limit")
            what = "paused"
        else:
            asked.ask(run)
            what = run.pending["why"] if run.pending else "answered"
        if store:
            store.save(run)
        if run.open_calls():
            continue  # the step goes on
        if progress:
            progress(run, what)
        if after_step:
            after_step(run)
    return run


class _Asking:
    """Calls of the model; a reply that was cut is asked for again with more room."""

    def __init__(self, client, tools, options, prepare, keep_thinking):
        beta = "betas" in options
        self.create = client.beta.messages.create if beta else client.messages.create
        self.options = {**options, "tools": tools} if tools else options
        self.room = options["max_tokens"]
        row = MODELS.get(options["model"])
        self.most = max(self.room, min(MOST_TOKENS, row.max_output if row else MOST_TOKENS))
        self.prepare, self.keep_thinking = prepare, keep_thinking

    def ask(self, run: Run) -> None:
        """One step: append the reply to the run, end it, or say why it pauses."""
        messages = self.prepare(run) if self.prepare else list(run.messages)
        request = {**self.options, "max_tokens": self.room, "messages": messages}
        reply = self.create(**request)
        run.step += 1
        run.charge(request, reply)
        parts = blocks(reply)
        if not self.keep_thinking:
            parts = [block for block in parts if block["type"] not in THOUGHTS]
        calls = [block for block in parts if block["type"] == "tool_use"]
        text = text_of(parts)
        stop = reply.stop_reason
        if stop == "max_tokens":  # a call in it may be half a call: nothing of it is done or kept
            if self.room < self.most:
                self.room = min(2 * self.room, self.most)
            else:
                _pause(run, "cut", room=self.room)
        elif stop == "model_context_window_exceeded":
            _pause(run, "window full")
        elif stop == "refusal":
            _pause(run, "refused")
        elif stop in ("pause_turn", "compaction") and parts and not calls:
            run.add({"role": "assistant", "content": parts})  # the next request lets it go on
        elif not calls and not text.strip():
            _pause(run, "empty")
        else:
            parts = [block for block in parts if block["type"] != "text" or block["text"].strip()]
            run.add({"role": "assistant", "content": _own_ids(run, parts)})
            if not calls:
                run.done, run.reply = True, text


def _answer(run: Run, calls: list[dict], desk, store: RunStore | None) -> None:
    """Carry out the calls of the last message; all results go into one user message."""
    results = []
    for call in calls:
        text, is_error = _carry_out(run, call, desk, store)
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": text}
        if is_error:
            result |= {"is_error": True, "content": text or "The tool failed and gave no reason."}
        results.append(result)
    run.add({"role": "user", "content": results})


def _carry_out(run: Run, call: dict, desk, store: RunStore | None) -> tuple[str, bool]:
    import anthropic

    # not the call's id alone: some servers count from 1 in every reply
    effect = hashlib.sha256(
        json.dumps([run.run_id, run.message_ids[-1], call["id"]]).encode()
    ).hexdigest()[:40]

    def do() -> tuple[str, bool]:
        try:
            return desk.call(call["name"], call["input"], effect)
        except (DatabaseUnavailable, RunConflict, anthropic.AnthropicError):
            raise  # nothing that the model could do about it: the run stops here and can be resumed
        except Exception as error:
            return f"{call['name']} failed: {str(error) or type(error).__name__}", True

    if store and call["name"] in desk.effects:
        text, is_error = store.once(run.run_id, effect, do)
        return text, is_error
    return do()


def _own_ids(run: Run, parts: list[dict]) -> list[dict]:
    """The blocks of a reply; a tool call whose id the history has already gets a new one."""
    used = {block["id"] for m in run.messages for block in blocks(m) if block["type"] == "tool_use"}
    made = []
    for block in parts:
        if block["type"] == "tool_use":
            fresh, n = block["id"], 1
            while fresh in used:
                n += 1
                fresh = f"{block['id']}-{n}"
            used.add(fresh)
            block = {**block, "id": fresh}
        made.append(block)
    return made


def _pause(run: Run, why: str, **numbers) -> None:
    text = PAUSES[why].format(step=run.step, **numbers)
    run.pending = {"why": why, "step": run.step, "text": text}


def _brief(given) -> str:
    """The values of a call's input in a few words."""
    values = [str(v) for v in given.values() if isinstance(v, str | int | float)] if given else []
    text = " ".join(values)
    return text if len(text) <= 40 else text[:39] + "…"
