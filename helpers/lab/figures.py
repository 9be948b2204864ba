"""One figure for each measurement, with its uncertainty and its numbers in words."""

from pathlib import Path
from statistics import mean

from ..show import axes, figure
from . import attention, cache, clearing, drift, forgetting, speed
from .records import DATA, load
from .uncertainty import wilson


def show_measured(name: str, folder: Path = DATA) -> None:
    """Show the figure of a recorded measurement: "forgetting", "attention", "drift", "speed",
    "cache" or "clearing". FileNotFoundError when there is no such file in `folder`."""
    document = load(name, folder)
    fig, text = _DRAWN[name](document["records"])
    figure(fig, f"{document['model']}, {text}")


def percent(hits: int, trials: int) -> str:
    """`38 of 40 (95 % interval 84 to 99 %)`."""
    low, high = wilson(hits, trials)
    return f"{hits} of {trials} (95 % interval {100 * low:.0f} to {100 * high:.0f} %)"


def _forgetting(records):
    ways = {"in a fresh request": "fresh", "with the history": "history"}
    hits = [forgetting.recalled(records, way) for way in ways.values()]
    fig, ax = axes("", "share of the facts recalled")
    shares = [n / len(records) for n in hits]
    ax.bar(list(ways), shares, width=0.5, yerr=_bars(hits, [len(records)] * 2), capsize=6)
    ax.set_ylim(0, 1.05)
    said = "; ".join(f"{way} {percent(n, len(records))}" for way, n in zip(ways, hits, strict=True))
    return fig, f"facts recalled when asked {said}"


def _bars(hits, trials):
    """The lengths of error bars, down and up, for shares."""
    ends = [(h / n, *wilson(h, n)) for h, n in zip(hits, trials, strict=True)]
    return [[max(0, s - low) for s, low, _ in ends], [max(0, high - s) for s, _, high in ends]]


def _attention(records):
    table, lengths = attention.recall(records), attention.lengths(records)
    ticks = "where the fact stands (0: first line, 1: last line)"
    fig, ax = axes(ticks, "share found", size=(8, 3.2))
    said = []
    for n, (lines, tokens) in enumerate(lengths.items()):
        cells = [table[lines, depth] for depth in attention.DEPTHS]
        hits, trials = [c[0] for c in cells], [c[1] for c in cells]
        places = [d + 0.012 * (n - 1.5) for d in attention.DEPTHS]  # or the bars hide each other
        shares = [h / t for h, t in cells]
        ax.errorbar(places, shares, _bars(hits, trials), marker="o", capsize=3,
                    label=f"{tokens:,} tokens")  # fmt: skip
        said.append(f"{tokens:,} tokens {', '.join(map(str, hits))}")
    ax.set_ylim(-0.05, 1.05)
    ax.legend(title="the whole prompt", loc="center left", bbox_to_anchor=(1, 0.5))
    each = trials[0]
    return fig, (
        f"facts found of {each} at depths 0, 0.25, 0.5, 0.75, 1 of the log: {'; '.join(said)}"
    )


def _drift(records):
    fig, ax = axes("round", "exact facts left")
    said = []
    for series, colour, line in zip(drift.SERIES, ("#0072B2", "#D55E00"), "-:", strict=True):
        kept = [drift.kept(r) for r in records if r["series"] == series]
        rounds = range(len(kept[0]))
        means = [mean(k[n] for k in kept) for n in rounds]
        for one in kept:
            ax.plot(rounds, one, "-", color=colour, linewidth=1, alpha=0.4)
        ax.plot(rounds, means, line, color=colour, marker="o", label=series)
        said.append(
            f"{series} {means[1]:.1f} after round 1 and {means[-1]:.1f} after round {rounds[-1]} "
            f"({min(k[-1] for k in kept)} to {max(k[-1] for k in kept)})"
        )
    ax.set_ylim(bottom=0)
    ax.legend(title="mean of the texts (thin: each text)", loc="lower left")
    texts = len(records) // len(drift.SERIES)
    return fig, (
        f"exact facts left of {len(records[0]['facts'])} on average over {texts} texts "
        f"(from the worst to the best): {'; '.join(said)}"
    )


def _speed(records):
    points, curve = speed.points(records), speed.curve(records)
    tokens = [t for t, _ in points]
    fig, ax = axes("tokens of the prompt", "seconds to the first token")
    steps = [max(tokens) * n / 100 for n in range(101)]
    ax.plot(tokens, [s for _, s in points], "o", label="measured")
    ax.plot(steps, [curve.at(t) for t in steps], "-", label="curve")
    ax.legend()
    return fig, (
        f"nothing in the cache, {len(points)} prompts of {tokens[0]:,} to {tokens[-1]:,} tokens: by "
        f"the curve {curve.at(500):.1f} s to the first token at 500 tokens and "
        f"{curve.at(5_000):.1f} s at 5,000; it is {1000 * curve.slope:.1f} ± "
        f"{1000 * curve.slope_error:.1f} ms a token plus {1e6 * curve.bend:.2f} ± "
        f"{1e6 * curve.bend_error:.2f} s for a million pairs of tokens"
    )


def _cache(records):
    fig, ax = axes("what was changed in the conversation before", "seconds to the first token")
    seconds = {turn: cache.seconds(records, turn) for turn in cache.TURNS}
    names = ["nothing" if turn == "unchanged" else turn for turn in cache.TURNS]
    ax.bar(names, [mean(s) for s in seconds.values()], width=0.5)
    for n, found in enumerate(seconds.values()):
        ax.plot([n] * len(found), found, "ko", markersize=4)
    shares = cache.shares(records)
    said = [
        f"{name} {mean(found):.1f} s ({min(found):.1f} to {max(found):.1f}; {shares[turn]:.0%} "
        "of the prompt from the cache)".replace("%", " %")
        for name, (turn, found) in zip(names, seconds.items(), strict=True)
    ]
    return fig, f"seconds to the first token of the next turn, by what changed: {'; '.join(said)}"


def _clearing(records):
    fig, ax = axes("turn", "seconds to the first token, summed up")
    said = []
    for every in dict.fromkeys(r["every"] for r in records):
        runs = [clearing.seconds(r) for r in records if r["every"] == every]
        turns = range(1, len(runs[0]) + 1)
        name = {0: "never", 1: "at every turn"}.get(every, f"every {every} results")
        low, high = ([f(run[n - 1] for run in runs) for n in turns] for f in (min, max))
        (line,) = ax.plot(turns, [mean(run[n - 1] for run in runs) for n in turns], label=name)
        ax.fill_between(turns, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
        ends = [run[-1] for run in runs]
        said.append(f"{name} {mean(ends):.1f} s ({min(ends):.1f} to {max(ends):.1f})")
    ax.set_xticks(range(0, turns[-1] + 1, 5))
    ax.legend(title="old results cleared")
    return fig, f"reading time of {turns[-1]} turns, old results cleared {', '.join(said)}"


_DRAWN = {
    "forgetting": _forgetting,
    "attention": _attention,
    "drift": _drift,
    "speed": _speed,
    "cache": _cache,
    "clearing": _clearing,
}
