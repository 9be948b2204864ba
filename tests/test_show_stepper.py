"""The trimming stepper: its steps against `trim` itself, its words, and its widget under a hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import show
from helpers.show import stepper
from helpers.show.stepper import trimming_steps
from helpers.trimming import CountFailed, counter, trim

SAID = [f"This is what was said in turn {n}." for n in range(1, 7)]
SIZES = [40, 40, 40, 40, 90, 130]


@pytest.fixture
def shown(monkeypatch):
    """What `live` was given: (widget, text, fig)."""
    calls = []
    monkeypatch.setattr(stepper, "live", lambda *given: calls.append(given))
    return calls


def test_each_turn_is_trimmed_as_trim_does_it():
    steps = trimming_steps(SIZES, 120)
    assert [(s.before, s.first, s.tokens) for s in steps] == [
        (1, 1, 40), (1, 1, 80), (1, 1, 120), (1, 2, 120), (2, 5, 90), (5, 6, 130)
    ]  # fmt: skip
    assert [steps[4].state(n) for n in range(1, 6)] == [
        "dropped before", "dropped now", "dropped now", "dropped now", "kept"
    ]  # fmt: skip


def test_trim_to_makes_room_at_once():
    steps = trimming_steps(SIZES, 120, trim_to=60)
    assert [(s.first, s.tokens) for s in steps] == [
        (1, 40), (1, 80), (1, 120), (4, 40), (5, 90), (6, 130)
    ]  # fmt: skip


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 100), max_size=30), st.integers(0, 300), st.integers(0, 300))
def test_any_conversation(sizes, budget, trim_to):
    pieces = [{"role": "user", "content": str(n)} for n in range(len(sizes))]
    for part in (None, min(trim_to, budget)):
        steps = trimming_steps(sizes, budget, trim_to=part)
        assert [s.turn for s in steps] == list(range(1, len(sizes) + 1))
        for before, step in zip([None, *steps], steps, strict=False):
            assert step.before == (before.first if before else 1) <= step.first <= step.turn
            assert step.tokens == sum(sizes[step.first - 1 : step.turn])
            assert step.tokens <= budget or step.first == step.turn
            if part is None:  # trimmed turn by turn, or all at once: the same
                whole = trim(pieces[: step.turn], budget, counter(pieces, sizes))
                assert len(whole.dropped) == step.first - 1


def test_the_words_name_what_is_forgotten(capsys):
    show.trimming_stepper(SAID, SIZES, 120)
    assert capsys.readouterr().out == (
        "[interactive] turn 4: exchanges 2 to 4 kept, 120 tokens of 120; dropped now: exchange 1 "
        "(“This is what was said in turn 1.”)\n"
    )
    show.trimming_stepper(SAID, SIZES, 120, turn=6, trim_to=60, folded=True)
    assert capsys.readouterr().out == (
        "[interactive] turn 6: exchange 6 kept, 130 tokens of 120 (the newest exchange alone is "
        "over the budget); in the summary: exchanges 1 to 4; folded now: exchange 5 "
        "(“This is what was said in turn 5.”)\n"
    )


def test_long_and_many_words_are_cut(capsys):
    show.trimming_stepper(["one\ntwo " + "three " * 30] * 6, [10] * 5 + [100], 100)
    said = capsys.readouterr().out
    assert said.count("“one two three") == 3 and said.count("…”") == 3 and " and 2 more)" in said


def test_nothing_dropped_begins_at_the_end(capsys):
    show.trimming_stepper(["Hi"], [5], 100)
    assert capsys.readouterr().out == "[interactive] turn 1: exchange 1 kept, 5 tokens of 100\n"


def test_the_buttons_and_the_slider_move(shown):
    show.trimming_stepper(SAID, SIZES, 120)
    (widget, text, fig), = shown  # fmt: skip
    slider, buttons, words, image = widget.children
    back, on = buttons.children
    assert text.startswith("turn 4:") and text.replace("$", "") in words.value and fig.axes
    first = bytes(image.value)
    assert first.startswith(b"\x89PNG")
    on.click()
    assert slider.value == 5 and "turn 5:" in words.value and bytes(image.value) != first
    back.click()
    assert bytes(image.value) == first
    slider.value = 1
    back.click()
    assert slider.value == 1
    slider.value = slider.max
    on.click()
    assert slider.value == len(SAID)


def test_what_was_said_is_never_markup(shown):
    show.trimming_stepper(["<b>$1", "x"], [10, 10], 10)
    words = shown[0][0].children[2].value
    assert "&lt;b&gt;<span>$</span>1" in words


@pytest.mark.parametrize(
    "given, error, match",
    [
        ((SAID, SIZES[1:], 120), ValueError, "6 turns and 5 sizes"),
        (([], [], 120), ValueError, "0 turns and 0 sizes"),
        ((SAID, SIZES, -1), ValueError, "budget must be a whole number"),
        ((SAID, [-1] * 6, 120), CountFailed, "whole number of tokens"),
    ],
)
def test_bad_input_is_named(given, error, match):
    with pytest.raises(error, match=match):
        show.trimming_stepper(*given)


@pytest.mark.parametrize("turn", [0, 7, -1])
def test_a_turn_that_is_not_there(turn):
    with pytest.raises(ValueError, match="turns 1 to 6"):
        show.trimming_stepper(SAID, SIZES, 120, turn=turn)
