"""How a request is drawn: one bar, a piece for each block, and what is cached and changed."""

import io

from .basics import png
from .cached import percent
from .changes import ADDED, CHANGED, GONE
from .look import COLOURS, axes
from .parts import Part, by_kind

WIDTH, ROW, FOOT = 6.5, 0.72, 0.95  # inches: of the figure, of one bar, of the axis below
LETTERS = 68  # letters of a label that a bar of the whole width has room for
TINTS = 64  # colours that are kept of a picture: its size is a third of that in full

# kind: face, hatching; told apart by hatching alone, in print and without colour
LOOKS = {
    "tools": ("#F0E442", "o"),
    "system": (COLOURS["orange"], "//"),
    "summary": ("#C9E3F5", "O"),
    "notes": ("#FBD9A8", "-\\\\"),
    "memories": ("#E8C6DB", "*"),
    "user": (COLOURS["sky"], ""),
    "assistant": (COLOURS["green"], "\\\\"),
    "thinking": ("#BBBBBB", "--"),
    "tool call": (COLOURS["purple"], "xx"),
    "tool result": (COLOURS["vermilion"], ".."),
    "placeholder": ("#FFFFFF", "."),
    "image or document": ("#FFFFFF", "||"),
    "other": ("#FFFFFF", "++"),
}
# what became of a block: sign in front of its words, hatching of the strip above it
CHANGES = {GONE: ("−", "xxxx"), ADDED: ("+", ""), CHANGED: ("≠", "////")}


def draw(bars: list[list[Part]], names: list[str], readings: list, title: str | None):
    """The figure of `bars` (a list of parts each), on one scale."""
    totals = [sum(part.tokens for part in bar) for bar in bars]
    longest = max([*totals, 1])
    row = ROW + 0.2 * any(readings) + 0.15 * any(part.change for bar in bars for part in bar)
    fig, ax = axes("tokens of the request (practice tokens)", title=title or "", size=(WIDTH, 1))
    for n, (bar, total) in enumerate(zip(bars, totals, strict=True)):
        _bar(ax, n, bar, longest)
        _strips(ax, n, bar, longest)
        ax.text(total + longest * 0.01, n, f"{total:,}", va="center", weight="bold")
        if readings[n]:
            _cache(ax, n, readings[n], longest)
    ax.set_yticks(range(len(bars)), names)
    ax.set_ylim(len(bars) - 0.42, -0.58)
    ax.set_xlim(0, longest * 1.1)
    ax.grid(False)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    lines = _legend(fig, bars)
    fig.set_figheight(FOOT + row * len(bars) + 0.2 * lines + 0.25 * bool(title))
    return fig


def _bar(ax, n: int, bar: list[Part], longest: int) -> None:
    left = 0
    for part in bar:
        face, hatch = LOOKS.get(part.kind, LOOKS["other"])
        ax.barh(n, part.tokens, 0.44, left, color=face, hatch=hatch, edgecolor="black", lw=0.8)
        room = part.tokens / longest * LETTERS
        label = f"{part.name}\n{part.tokens:,}"
        if len(part.name) + 2 > room:
            label = f"{part.tokens:,}"
        if len(label.split("\n")[-1]) + 2 <= room:
            ax.text(
                left + part.tokens / 2, n, label, ha="center", va="center", fontsize=8,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )  # fmt: skip
        left += part.tokens


def _strips(ax, n: int, bar: list[Part], longest: int) -> None:
    """Above the bar, over each run of blocks that changed in one way: a strip and words."""
    left, runs = 0, []
    for part in bar:
        if runs and runs[-1][0] == part.change:
            runs[-1][2] += part.tokens
            runs[-1][3] += part.count
        else:
            runs.append([part.change, left, part.tokens, part.count])
        left += part.tokens
    free = 0  # tokens up to which words stand already
    for change, start, tokens, count in runs:
        if not change:
            continue
        sign, hatch = CHANGES[change]
        ax.barh(
            n - 0.29, tokens, 0.09, start, color="white", hatch=hatch, edgecolor="black", lw=0.8
        )
        label = f"{sign} {change} {count:,}" if count > 1 else f"{sign} {change}"
        half = len(label) / 2 * longest / LETTERS
        middle = max(start + tokens / 2, half)
        if middle - half < free:
            label, half, middle = sign, longest / LETTERS, start + tokens / 2
        if middle - half < free:
            continue  # no room: the hatching says it, with the legend
        ax.text(middle, n - 0.36, label, ha="center", va="bottom", fontsize=8)
        free = middle + half


def _cache(ax, n: int, reading, longest: int) -> None:
    """Below the bar: how far it is read from the cache, with its share in words."""
    if reading.read:
        ax.plot([0, reading.read], [n + 0.29] * 2, "|-", color="black", lw=2.5, ms=7)
    share = f"{reading.read:,} from the cache ({percent(reading.read, reading.total)})"
    ax.text(longest * 0.004, n + 0.34, share, ha="left", va="top", fontsize=8)


def _legend(fig, bars: list[list[Part]]) -> int:
    """What the hatchings mean; for a single bar with the tokens, as small pieces have no room.

    Its number of lines.
    """
    from matplotlib.patches import Patch

    kinds = by_kind([part for bar in bars for part in bar])
    tokens = {}
    for part in kinds:
        tokens[part.kind] = tokens.get(part.kind, 0) + part.tokens
    states = [s for s in CHANGES if any(part.change == s for part in kinds)]
    if len(tokens) + len(states) < 2:
        return 0
    patches = []
    for kind, sum_of_it in tokens.items():
        face, hatch = LOOKS.get(kind, LOOKS["other"])
        label = f"{kind} {sum_of_it:,}" if len(bars) == 1 else kind
        patches.append(Patch(facecolor=face, hatch=hatch, edgecolor="black", lw=0.8, label=label))
    for state in states:
        sign, hatch = CHANGES[state]
        look = {"facecolor": "white", "edgecolor": "black", "hatch": hatch, "lw": 0.8}
        patches.append(Patch(label=f"{sign} {state}", **look))
    fig.legend(handles=patches, loc="outside lower left", ncols=4, fontsize=8, handlelength=2.4)
    return -(-len(patches) // 4)


def small(fig) -> bytes:
    """The picture of `fig` with few colours: flat faces and black lines need no more."""
    from PIL import Image

    with Image.open(io.BytesIO(png(fig))) as full:
        few = full.convert("RGB").quantize(
            TINTS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )  # the other methods give the colour of a small piece away
    buffer = io.BytesIO()
    few.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()
