"""Trimming, turn by turn: what is kept, what is dropped now, what went before."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..trimming import counter, trim
from .basics import escape, live, png
from .look import COLOURS, axes

LONGEST = 60  # characters of what was said in a turn
NAMED = 3  # exchanges that the words quote

# state of an exchange: face, hatching; told apart by hatching alone
LOOKS = {
    "kept": (COLOURS["blue"], ""),
    "dropped now": (COLOURS["vermilion"], "//"),
    "dropped before": ("#DDDDDD", "..."),
}
FOLDED = {"dropped now": "folded now", "dropped before": "in the summary"}


@dataclass(frozen=True)
class Step:
    """The window after one turn: exchanges `first` to `turn` (from 1) are in it.

    Before this turn's trimming it began at `before`. `tokens`: of the window.
    """

    turn: int
    before: int
    first: int
    tokens: int

    def state(self, exchange: int) -> str:
        """Which of `LOOKS` an exchange (1 to `turn`) is in."""
        if exchange >= self.first:
            return "kept"
        return "dropped now" if exchange >= self.before else "dropped before"


def trimming_steps(sizes: Sequence[int], budget: int, *, trim_to: int | None = None) -> list[Step]:
    """What `trim` keeps after each turn, for exchanges of `sizes` tokens, oldest first.

    A window over `budget` tokens is trimmed to `trim_to` (the budget itself when None), as Scout
    does it. Raises what `trim` raises: ValueError for a budget, CountFailed for a size.
    """
    pieces = [{"role": "user", "content": str(n)} for n, _ in enumerate(sizes, 1)]
    count = counter(pieces, sizes)
    steps, first = [], 1
    for turn in range(1, len(pieces) + 1):
        window = pieces[first - 1 : turn]
        fits = trim(window, budget, count)
        done = trim(window, budget if trim_to is None else trim_to, count) if fits.dropped else fits
        steps.append(Step(turn, first, first + len(done.dropped), done.kept_tokens))
        first = steps[-1].first
    return steps


def trimming_stepper(
    said: Sequence[str],
    sizes: Sequence[int],
    budget: int,
    *,
    trim_to: int | None = None,
    folded: bool = False,
    turn: int | None = None,
) -> None:
    """Show a conversation with a slider and two buttons that go from turn to turn.

    said: what the user said in each turn. sizes: tokens of each exchange (that, and its answer).
    budget, trim_to: tokens, as in `trimming_steps`. folded: what is dropped goes into a summary.
    turn: where it begins (from 1); the first turn that drops something when None. Without a kernel
    the figure of that turn stands there, with the same words. ValueError: nothing was said, or
    `said` and `sizes` differ in length.
    """
    said = [" ".join(str(text).split()) for text in said]
    if not said or len(said) != len(sizes):
        raise ValueError(f"{len(said)} turns and {len(sizes)} sizes: give one size for each turn.")
    steps = trimming_steps(sizes, budget, trim_to=trim_to)
    if turn is None:
        turn = next((s.turn for s in steps if s.first > s.before), len(steps))
    if not 1 <= turn <= len(steps):
        raise ValueError(f"There are turns 1 to {len(steps)}, and no turn {turn!r}.")
    names = FOLDED if folded else {}

    def drawn(turn: int):
        step = steps[turn - 1]
        return _figure(step, sizes, budget, names), _words(step, said, budget, names)

    fig, text = drawn(turn)
    live(_widget(drawn, turn, len(steps), png(fig), text), text, fig)


def _words(step: Step, said: list[str], budget: int, names: dict[str, str]) -> str:
    """The step in words; exchanges are told by what the user said."""
    text = (
        f"turn {step.turn}: {_range(step.first, step.turn)} kept, "
        f"{step.tokens:,} tokens of {budget:,}"
    )
    if step.tokens > budget:
        text += " (the newest exchange alone is over the budget)"
    if step.before > 1:
        text += f"; {names.get('dropped before', 'dropped before')}: {_range(1, step.before - 1)}"
    if step.first > step.before:
        now = names.get("dropped now", "dropped now")
        text += f"; {now}: {_range(step.before, step.first - 1)}"
        gone = [f"“{_short(said[n - 1])}”" for n in range(step.before, step.first)]
        more = f" and {len(gone) - NAMED} more" if len(gone) > NAMED else ""
        text += f" ({', '.join(gone[:NAMED])}{more})"
    return text


def _range(first: int, last: int) -> str:
    return f"exchange {first}" if first == last else f"exchanges {first} to {last}"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _figure(step: Step, sizes: Sequence[int], budget: int, names: dict[str, str]):
    """One bar for each exchange so far, in its place among all that will come."""
    from matplotlib.patches import Patch

    fig, ax = axes("exchange", "tokens of the exchange")
    legend = []
    for state, (face, hatch) in LOOKS.items():
        there = [n for n in range(1, step.turn + 1) if step.state(n) == state]
        heights = [sizes[n - 1] for n in there]
        look = {"facecolor": face, "hatch": hatch, "edgecolor": "black", "linewidth": 0.3}
        ax.bar(there, heights, width=0.9, **look)
        label = f"{names.get(state, state)}: {sum(heights):,} tokens"
        legend.append(Patch(label=label, **look))
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_xlim(0.3, len(sizes) + 0.7)
    ax.set_ylim(0, max(sizes) * 1.1 or 1)
    ax.set_title(f"After turn {step.turn}: {step.tokens:,} of {budget:,} tokens in the window")
    fig.legend(handles=legend, loc="outside lower center", ncols=3)
    return fig


def _widget(drawn, turn: int, turns: int, picture: bytes, text: str):
    import ipywidgets as widgets

    slider = widgets.IntSlider(
        value=turn, min=1, max=turns, description="turn", continuous_update=False,
        layout=widgets.Layout(width="480px"),
    )  # fmt: skip
    back, on = (widgets.Button(description=name) for name in ("one turn back", "one turn on"))
    image = widgets.Image(value=picture, format="png", layout=widgets.Layout(width="640px"))
    words = widgets.HTML(_status(text))

    def draw(*_) -> None:
        fig, text = drawn(slider.value)
        image.value, words.value = png(fig), _status(text)

    def step(by: int):
        return lambda _: setattr(slider, "value", min(max(slider.value + by, 1), turns))

    slider.observe(draw, "value")
    back.on_click(step(-1))
    on.on_click(step(1))
    return widgets.VBox([slider, widgets.HBox([back, on]), words, image])


def _status(text: str) -> str:
    return f"<p role='status'>{escape(text)}.</p>"
