"""When to clear: each clearing makes what follows it new to the cache, so few and large ones pay."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from helpers.messages import blocks

from .clearing import PLACEHOLDER, Edited, clear_old_results, number_of_results
from .counting import Count, counted, whole


@dataclass(frozen=True)
class ClearingPolicy:
    """When the old results of a run are cleared; without `trigger` and `every`, never.

    trigger: tokens of the whole request; above it, all but the newest `keep` results are cleared.
    every: clear whenever the number of results reaches a multiple of it, all but the newest `keep`
        of these. Results that come in parallel cannot jump over a multiple: it counts as reached.
    at_least: tokens; a clearing that would save fewer waits. None: for `every` any, for `trigger` a
        quarter of the request. Without it a run whose newest results alone are over the trigger
        would be cleared, and its cache broken, on every call.
    exclude_tools, placeholder: as in `clear_old_results`.

    Both may be given; what is met first clears. ValueError: a number of the wrong kind.
    """

    trigger: int | None = None
    keep: int = 3
    at_least: int | None = None
    every: int | None = None
    exclude_tools: str | Sequence[str] = ()
    placeholder: str = PLACEHOLDER

    def __post_init__(self) -> None:
        for name in ("trigger", "at_least", "every"):
            value = getattr(self, name)
            if value is not None and not whole(value):
                raise ValueError(f"{name} must be a whole number, 0 or more, not {value!r}.")
        if self.every == 0:
            raise ValueError("every must be 1 or more (1 clears on every call), or None for never.")
        clear_old_results(  # raises for what it cannot use
            [], keep=self.keep, exclude_tools=self.exclude_tools, placeholder=self.placeholder
        )

    def step(
        self,
        messages: Sequence,
        cleared: Sequence[str] = (),
        *,
        tokens: int | None = None,
        count: Count | None = None,
    ) -> Edited:
        """What to send now. `messages`: the full history, or of a compacted run `run.uncovered()`;
        `cleared`: what earlier steps cleared.

        tokens: of the whole request as it would go out with `cleared` shown as placeholders, for
        the trigger: that of the last call's usage and what was added since. Without it the messages
        are counted by `count` (as in `clear_old_results`), system and tools left out.

        Pure: the same arguments give the same result. Store `Edited.cleared` with the run and pass
        it to the next step; a step on the same history then clears nothing more.
        ValueError: a trigger, and neither `tokens` nor `count`.
        """
        if tokens is not None and not whole(tokens):
            raise ValueError(f"tokens must be a whole number, 0 or more, not {tokens!r}.")
        tokens = self._size(messages, cleared, tokens, count)
        if tokens is not None and tokens > self.trigger:
            at_least = tokens // 4 if self.at_least is None else self.at_least
            edited = self._clear(messages, self.keep, at_least, cleared, count)
            if edited.new:
                return edited
        keep = sys.maxsize
        if self.every:
            number = number_of_results(messages)
            keep = number % self.every + self.keep  # all that came since the last multiple, too
        return self._clear(messages, keep, self.at_least or 0, cleared, count)

    def _size(self, messages, cleared, tokens: int | None, count: Count | None) -> int | None:
        """Tokens of the request as it stands; None if no trigger asks for them."""
        if self.trigger is None:
            return None
        if tokens is not None:
            return tokens
        if count is None:
            raise ValueError(
                "A trigger needs to know how large the request is: give step() tokens=, from the "
                "last usage, or count=, such as count_by(client, model)."
            )
        shown = self._clear(messages, sys.maxsize, 0, cleared, count).messages
        return counted(count, {"messages": [_plain(m) for m in shown]})

    def _clear(self, messages, keep: int, at_least: int, cleared, count) -> Edited:
        return clear_old_results(
            messages,
            keep=keep,
            exclude_tools=self.exclude_tools,
            placeholder=self.placeholder,
            min_saving=at_least,
            cleared=cleared,
            count=count,
        )


def _plain(message) -> dict:
    """A message as any counter can read it: a dict, with dicts for blocks."""
    if hasattr(message, "get"):
        role, content = message.get("role"), message.get("content")
    else:
        role, content = message.role, message.content
    return {"role": role, "content": content if isinstance(content, str) else blocks(message)}
