"""What a growing run costs, to play with."""

from .. import cost, models
from .basics import live, png
from .look import axes


def cost_explorer(
    model_id: str | None = None, base: int = 3_000, per_step: int = 4_000, steps: int = 30
) -> None:
    """Show sliders for the size of a run (tokens, steps) and the model; a figure of its dollars.

    Without a kernel the figure of the first setting stands there, with the same words.
    """
    model_id = model_id or next(iter(models.MODELS))
    fig, text = _drawn(model_id, base, per_step, steps)
    live(_widget(model_id, base, per_step, steps), text, fig)


def _drawn(model_id: str, base: int, per_step: int, steps: int):
    """The figure for one setting, and what it says in words."""
    requests = cost.growing_run(steps, base, per_step)
    full = cost.series_dollars(model_id, requests, cached=False)
    cached = cost.series_dollars(model_id, requests)
    fig, ax = axes("steps", "dollars for the input of the whole run")
    for prices, label in ((full, "every token in full"), (cached, "with prompt caching")):
        ax.plot(range(1, steps + 1), [sum(prices[: n + 1]) for n in range(steps)], label=label)
    ax.legend()
    text = (
        f"{models.model(model_id).name}, {base:,} tokens and {per_step:,} more each step: "
        f"{steps} steps send {cost.run_input(steps, base, per_step):,} tokens for "
        f"{sum(full):.2f} dollars in full, {sum(cached):.2f} with caching"
    )
    return fig, text


def _widget(model_id: str, base: int, per_step: int, steps: int):
    import ipywidgets as widgets

    def slider(name: str, value: int, most: int, step: int):
        return widgets.IntSlider(
            value=value, min=step, max=most, step=step, description=name,
            continuous_update=False, style={"description_width": "9em"},
            layout=widgets.Layout(width="480px"),
        )  # fmt: skip

    # buttons, since JupyterLab takes the arrow keys away from a list
    model = widgets.ToggleButtons(
        options=[(m.name, m.id) for m in models.MODELS.values()],
        value=model_id, description="model",
        style={"description_width": "9em", "button_width": "auto"},
    )  # fmt: skip
    sliders = [
        slider("fixed tokens", base, 20_000, 500),
        slider("tokens a step", per_step, 20_000, 500),
        slider("steps", steps, 200, 5),
    ]
    picture = widgets.Image(format="png", layout=widgets.Layout(width="600px"))
    words = widgets.HTML()

    def draw(*_) -> None:
        fig, text = _drawn(model.value, *(s.value for s in sliders))
        picture.value, words.value = png(fig), f"<p role='status'>{text}.</p>"

    for control in (model, *sliders):
        control.observe(draw, "value")
    draw()
    return widgets.VBox([model, *sliders, words, picture])
