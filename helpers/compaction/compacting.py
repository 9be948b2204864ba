"""Folding the older part of a run into its notes: all of it works, or the run stays as it was."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from helpers.cost import added_usage
from helpers.editing import clear_old_results, count_by
from helpers.editing.counting import Count, counted, whole
from helpers.models import NOTES_MODEL
from helpers.trimming import CountFailed

from .asking import ask
from .cutting import UnansweredCall, safe_cut
from .merging import merge_notes
from .notes import CaseNotes
from .showing import shown

if TYPE_CHECKING:
    import anthropic

TRIES = 3  # calls of one compaction at most


@dataclass(frozen=True)
class Compacted:
    """What became of a compaction. When `ok` is False the run is what it was, byte for byte.

    before, after: tokens of the messages that the model sees (`window`), without system prompt and
        tools; equal when nothing was changed, None when they were not counted.
    usage: what was billed, all calls added up; None if there was none. A failed reply is billed too.
    covered: messages that were folded into the notes by this compaction.
    """

    ok: bool
    reason: str  # one sentence: what was done, or why nothing was
    before: int | None
    after: int | None
    usage: "anthropic.types.Usage | None" = None
    covered: int = 0
    calls: int = 0


class CompactionStuck(RuntimeError):
    """However much is folded, what must stay is over the limit. The run is what it was.

    before, after, limit: tokens (`after`: the smallest that was reached); usage, calls: as in
    `Compacted`.
    """

    def __init__(self, before: int, after: int, pinned: int, limit: int, usage=None, calls=0):
        sent_anyway = f" and {pinned} sent anyway" if pinned else ""
        super().__init__(
            f"Still over the limit of {limit} tokens after {calls} of at most {TRIES} calls: "
            f"{before} tokens of messages would become {after}{sent_anyway}. Raise the limit, lower "
            "keep_last, clear or shape the newest tool results, or start a new run from the notes."
        )
        self.before, self.after, self.limit = before, after, limit
        self.usage, self.calls = usage, calls


def compact(
    client,
    run,
    keep_last: int = 8,
    *,
    model: str = NOTES_MODEL,
    max_tokens: int = 2000,
    min_saving: int = 1,
    limit: int | None = None,
    pinned: int = 0,
    count: Count | None = None,
    within_turn: bool = False,
) -> Compacted:
    """Fold the older messages of a run (`runs.Run`) into its notes, by one call to a model.

    The messages that no notes cover yet are cut with `safe_cut(..., keep_last, within_turn)`. The
    older ones go to `model` as text (results that were cleared, as placeholders), which fills
    `CaseNotes` in at most `max_tokens`; these are merged into the run's notes by `merge_notes`. On
    success `run.notes` and `run.covered_to` change and nothing else: `run.messages` keeps the full
    history. Save the run, and write `usage` into its ledger.

    min_saving: tokens that it must be able to save. Where folding the older messages away could
        not save as many, nobody is asked: so a loop that compacts above a threshold does not fold
        two messages at every step.
    limit: tokens of the whole request that `pinned` (system prompt and tools) and the messages must
        come down to; cuts whose newest messages alone are over it are not tried. If the first is
        not enough, more is folded: half as many messages stay, then as few as can; at most three
        calls, each over the newly folded messages only.
    count: `count(part of a request body) -> tokens`; by default `model` counts for itself.

    Not ok, with the run untouched: nothing that could be cut, a call unanswered at the end, a call
    or count that failed, a reply that was refused, cut, empty, or no valid notes, and a result that
    is not smaller than before. A reply that failed was billed all the same (`usage`): in a loop,
    wait some steps before the next try. CompactionStuck, likewise: still over `limit`. ValueError: an
    argument of the wrong kind, or a run whose notes or `covered_to` are damaged.
    """
    tokens = {"pinned": pinned, "max_tokens": max_tokens, "min_saving": min_saving}
    for name, value in {**tokens, "limit": 0 if limit is None else limit}.items():
        if not whole(value):
            raise ValueError(f"{name} must be a whole number of tokens, 0 or more, not {value!r}.")
    recent = run.uncovered()
    try:
        cuts = _cuts(recent, keep_last, within_turn, several=limit is not None)
    except UnansweredCall as error:
        return Compacted(False, f"Nothing was changed: {error}", None, None)
    try:
        count = count or count_by(client, model)
        return _Compaction(
            client, run, recent, model, max_tokens, max(1, min_saving), limit, pinned, count
        ).run_through(cuts)
    except CountFailed as error:
        return Compacted(False, str(error), None, None)


def _cuts(recent: list, keep_last: int, within_turn: bool, *, several: bool) -> list[int]:
    """Where to cut, first try first; [] if there is no place."""
    keeps = [keep_last, keep_last // 2, 0] if several else [keep_last]
    cuts = [safe_cut(recent, keep, within_turn=within_turn) for keep in keeps]
    return [cut for cut in dict.fromkeys(cuts) if cut]


class _Compaction:
    """One compaction under way. The run is touched in `_commit` and nowhere else."""

    def __init__(self, client, run, recent, model, max_tokens, min_saving, limit, pinned, count):
        self.client, self.run, self.model, self.max_tokens = client, run, model, max_tokens
        self.min_saving = min_saving
        self.recent, self.ids = recent, run.message_ids[len(run.message_ids) - len(recent) :]
        self.limit, self.pinned, self.count = limit, pinned, count
        self.notes = CaseNotes.of(run.notes)
        self.usage, self.calls = None, 0
        self.before = self._size(run.notes, recent)

    def run_through(self, cuts: list[int]) -> Compacted:
        if not cuts:
            return self._nothing("there is no place at which the older messages could be cut")
        done, smallest, last = 0, self.before, "the notes would not make it smaller"
        seen = clear_old_results(self.recent, keep=sys.maxsize, cleared=self.run.cleared)
        for cut in cuts:
            least = self._size(self.notes.stored(), self.recent[cut:])
            smallest = min(smallest, least)
            if self._over(least):
                continue
            if self.before - least < self.min_saving:
                last = f"it could save {max(0, self.before - least)} tokens at most"
                continue
            older, ids = seen.messages[done:cut], self.ids[done:cut]
            asked = ask(self.client, self.model, self.max_tokens, older, ids, self.notes)
            self.calls += 1
            self.usage = added_usage(self.usage, asked.usage)
            if asked.notes is None:
                return self._nothing(asked.fault)
            self.notes, done = merge_notes(self.notes, asked.notes), cut
            after = self._size(self.notes.stored(), self.recent[cut:])
            if after >= self.before:
                last = f"the notes would not make it smaller ({self.before} tokens, then {after})"
            elif not self._over(after):
                return self._commit(cut, after)
            smallest = after
        if not self._over(smallest):
            return self._nothing(last)
        raise CompactionStuck(
            self.before, smallest, self.pinned, self.limit, self.usage, self.calls
        )

    def _commit(self, cut: int, after: int) -> Compacted:
        self.run.notes, self.run.covered_to = self.notes.stored(), self.ids[cut - 1]
        reason = f"{cut} messages were folded into the notes: {self.before} tokens became {after}."
        return Compacted(True, reason, self.before, after, self.usage, cut, self.calls)

    def _nothing(self, why: str) -> Compacted:
        reason = f"Nothing was changed: {why.rstrip('.')}."
        return Compacted(False, reason, self.before, self.before, self.usage, calls=self.calls)

    def _over(self, tokens: int) -> bool:
        return self.limit is not None and tokens + self.pinned > self.limit

    def _size(self, notes, recent) -> int:
        """Tokens of the messages that the model would see. A service counts only what it accepts,
        so an answer at the end gets a user message behind it, before and after alike."""
        messages = shown(notes, recent, self.run.cleared)
        if not messages or messages[-1]["role"] == "assistant":
            messages = [*messages, {"role": "user", "content": "."}]
        return counted(self.count, {"messages": messages})
