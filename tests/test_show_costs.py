"""The cost explorer: its words against the formulas, its widget under a hand, its twin."""

import re

import pytest

from helpers import cost, models, show
from helpers.show import basics, costs

MODEL = models.CHAT_MODEL


@pytest.fixture
def box():
    """The parts of the widget: model, fixed tokens, tokens a step, steps, words, picture."""
    return costs._widget(MODEL, 3_000, 4_000, 30).children


def said(box) -> str:
    return re.sub("<[^>]+>", "", box[4].value)


def in_words(model_id, base, per_step, steps):
    requests = cost.growing_run(steps, base, per_step)
    full = sum(cost.series_dollars(model_id, requests, cached=False))
    cached = sum(cost.series_dollars(model_id, requests))
    return (
        f"{models.model(model_id).name}, {base:,} tokens and {per_step:,} more each step: {steps} "
        f"steps send {cost.run_input(steps, base, per_step):,} tokens for {full:.2f} dollars in "
        f"full, {cached:.2f} with caching"
    )


def test_the_words_without_a_kernel(capsys):
    show.cost_explorer(MODEL)
    assert capsys.readouterr().out == f"[interactive] {in_words(MODEL, 3_000, 4_000, 30)}\n"


def test_the_twin_is_the_figure_of_the_first_setting(monkeypatch):
    shown = []
    monkeypatch.setattr(basics, "in_kernel", lambda: True)
    monkeypatch.setattr(basics, "output", lambda *given, **more: shown.append((given, more)))
    show.cost_explorer()
    (words, _), more = shown[0]
    assert words == f"[interactive] {in_words(next(iter(models.MODELS)), 3_000, 4_000, 30)}"
    assert "image/png" in more and "application/vnd.jupyter.widget-view+json" in more


def test_every_control_changes_words_and_picture(box):
    model, base, per_step, steps, _, picture = box
    assert said(box) == in_words(MODEL, 3_000, 4_000, 30) + "."
    seen = {bytes(picture.value)}
    other = next(m for m in models.MODELS if m != MODEL)
    for control, value in ((model, other), (base, 500), (per_step, 1_000), (steps, 200)):
        control.value = value
        assert bytes(picture.value) not in seen
        seen.add(bytes(picture.value))
    assert said(box) == in_words(other, 500, 1_000, 200) + "."


def test_every_control_has_a_name_and_takes_keys(box):
    """JupyterLab takes the arrow keys from lists, so there are buttons and sliders only."""
    import ipywidgets as widgets

    controls = box[:4]
    assert [type(c) for c in controls] == [widgets.ToggleButtons] + [widgets.IntSlider] * 3
    assert all(control.description for control in controls)
    assert "role='status'" in box[4].value
