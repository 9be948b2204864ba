"""The picture of the course: a request to scale, block by block, with what is cached and changed."""

from dataclasses import replace

from . import basics, cached, changes
from .basics import caption, live, output
from .parts import Part, by_kind, context_parts
from .tables import rendered

UNIT = "practice tokens"  # counted by the practice model's own rule, exact for it alone
MOST_BLOCKS = 24  # a bar with more of them is drawn one piece for each kind


def context_view(
    *requests, title: str | None = None, titles=(), after=None, usage=None, compare: bool = True
) -> None:
    """Show what the model sees: each block of a request as wide as its tokens.

    requests: one, or several under each other on one scale; each the dict of keyword arguments of
        `client.messages.create` (`meter.calls[-1].request` is one), or a list of messages.
    title, titles: a name for the picture; names of the requests.
    after: the request that went out just before, or the list of all that did. Says how much of each
        shown request is then read from the prompt cache, by the cache's rules.
    usage: the `usage` of the reply (a list of them for several requests): the same, as reported.
    compare: two requests are marked with what is gone, added and changed; False leaves that out.

    Where a kernel runs, the blocks can be chosen from a list and read in full. Elsewhere stand the
    figure and, folded, a table of the blocks with their tokens, share and beginning. With more than
    24 blocks in one request figure and table have one piece for each kind. What cannot be read as
    a request is one sentence, no error.
    """
    try:
        bars = [context_parts(request) for request in requests]
        readings = _readings(requests, after, usage)
    except ValueError as error:
        output(f"[context] {error}")
        return
    if not bars:
        output("[context] nothing to show")
        return
    bars = [
        cached.marked(bar, reading) if reading else bar
        for bar, reading in zip(bars, readings, strict=True)
    ]
    if compare and len(bars) == 2:
        bars = list(changes.compare(*bars))
    names = [*map(str, titles), *(f"request {n}" for n in range(len(titles) + 1, len(bars) + 1))]
    if len(bars) == 1 and not titles:
        names = [title or "the request"]
    heading = title if len(bars) > 1 else None
    _show(bars, names[: len(bars)], readings, heading)


def _readings(requests, after, usage) -> list:
    """For each request what is read from the cache, or None if that was not asked."""
    if usage is not None:
        given = usage if isinstance(usage, list | tuple) else [usage] * len(requests)
        if len(given) != len(requests):
            raise ValueError(f"{len(requests)} requests and {len(given)} usages: give one for each")
        return [cached.by_usage(r, u) for r, u in zip(requests, given, strict=True)]
    if after is None:
        return [None] * len(requests)
    before = cached.earlier(after)
    return [cached.by_rules(request, before) for request in requests]


def _show(bars, names, readings, title) -> None:
    grouped = max(map(len, bars)) > MOST_BLOCKS
    drawn = [by_kind(bar) for bar in bars] if grouped else bars
    said = " ".join(_sentence(*of) for of in zip(names, bars, readings, strict=True))
    if len(bars) == 2:
        said += _changed(bars)
    said = f"{title}. {said}" if title else said
    tables = [_table(*of, grouped) for of in zip(names, drawn, strict=True)]
    words = "\n".join([said, *(text for text, _ in tables)])
    if not basics.in_kernel():
        live(None, words)
        return
    from .context_box import widget
    from .context_figure import draw, small

    fig = draw(drawn, names, readings, title)
    picture = small(fig)
    live(widget(bars, names, picture), words, picture=picture, alt=said)
    caption(said, "".join(page for _, page in tables), summary="The blocks as a table")


def _sentence(name: str, bar: list[Part], reading) -> str:
    kinds = by_kind([replace(part, change="") for part in bar])
    total = sum(p.tokens for p in kinds)
    shares = ", ".join(f"{p.name} {p.tokens:,}" for p in kinds)
    said = f"{name[:1].upper()}{name[1:]}: {total:,} {UNIT}" + (f" ({shares})." if shares else ".")
    return f"{said} {reading.words()}" if reading else said


def _changed(bars: list[list[Part]]) -> str:
    """What became of the blocks, in one sentence; "" when nothing did."""
    before, after = bars
    found = []
    for state, bar in ((changes.GONE, before), (changes.ADDED, after), (changes.CHANGED, after)):
        parts = [part for part in bar if part.change == state]
        if parts:
            tokens = f"{sum(part.tokens for part in parts):,}"
            if state == changes.CHANGED:
                tokens = f"{sum(before[part.twin].tokens for part in parts):,} to {tokens}"
            found.append(f"{len(parts):,} block{'s' * (len(parts) > 1)} {state} ({tokens} tokens)")
    return f" From the first to the second: {', '.join(found)}." if found else ""


def _table(name: str, parts: list[Part], grouped: bool) -> tuple[str, str]:
    """The blocks of one request as text and as HTML."""
    total = sum(part.tokens for part in parts)
    columns = {
        "kind" if grouped else "block": [part.name for part in parts],
        "tokens": [part.tokens for part in parts],
        "share": [cached.percent(part.tokens, total) for part in parts],
    }
    if any(part.cached is not None for part in parts):
        columns["from cache"] = [cached.percent(part.cached or 0, part.tokens) for part in parts]
    if any(part.change for part in parts):
        columns["change"] = [part.change for part in parts]
    if not grouped:
        columns["begins"] = [part.begins for part in parts]
    rows = list(zip(*columns.values(), strict=True))
    return rendered(rows, list(columns), f"{name}: {total:,} {UNIT}")
