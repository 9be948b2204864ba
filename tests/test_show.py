"""Figures, tables, progress, the chat box and the context view."""

import base64
import io
import sys
import tempfile
import time
from types import SimpleNamespace

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from helpers import rebuild, show
from helpers.show import basics


@pytest.fixture
def page(monkeypatch):
    """What a notebook would be given: a list of (data, metadata)."""
    given_to_it = []
    monkeypatch.setattr("helpers.show.basics.in_kernel", lambda: True)
    monkeypatch.setattr(
        "IPython.display.display",
        lambda data, raw=False, metadata=None: given_to_it.append((data, metadata or {})),
    )
    return given_to_it


def pixels(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture))


# ---------------------------------------------------------------- figures


def a_figure():
    fig, ax = show.axes("turn", "cost (US dollars)", "From $1 to $2")
    ax.plot([1, 2], [1, 2_000_000], label="$1")
    ax.legend()
    return fig


def test_a_figure_is_a_picture_words_and_a_caption(page):
    show.figure(a_figure(), "cost rises from $1 to $2 <now>")
    (picture, metadata), (caption, _) = page
    assert picture["text/plain"] == "[figure] cost rises from $1 to $2 <now>"
    assert metadata["image/png"]["alt"] == "cost rises from $1 to $2 <now>"
    image = pixels(base64.b64decode(picture["image/png"]))
    assert image.format == "PNG" and 500 < image.width < 800
    assert caption["text/plain"] == "Figure: cost rises from $1 to $2 <now>"
    assert "<now>" not in caption["text/html"] and "$1 to $2" not in caption["text/html"]


def test_a_figure_is_opaque_and_the_same_on_every_run(page):
    first, second = basics.png(a_figure()), basics.png(a_figure())
    assert first == second and b"Software" not in first
    image = pixels(first).convert("RGBA")
    assert image.getpixel((0, 0)) == (255, 255, 255, 255)
    assert image.getextrema()[3] == (255, 255)


def test_details_are_folded_under_the_caption(page):
    show.figure(a_figure(), "two lines", "a <1>\nb 2")
    assert page[0][0]["text/plain"] == "[figure] two lines\na <1>\nb 2"
    assert "<details><summary>" in page[1][0]["text/html"]
    assert "<pre>a &lt;1&gt;\nb 2</pre>" in page[1][0]["text/html"]


def test_a_pyplot_figure_is_not_shown_twice(page):
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    fig, ax = pyplot.subplots()
    ax.plot([1, 2])
    show.figure(fig, "a line")
    assert len(page) == 2 and not pyplot.get_fignums()


def test_axes_write_numbers_in_full():
    fig = a_figure()
    basics.png(fig)
    texts = [label.get_text() for label in fig.axes[0].get_yticklabels()]
    assert "1,000,000" in texts and fig.axes[0].get_ylabel() == "cost (US dollars)"


def test_words_on_an_axis_stay_words():
    fig, ax = show.axes()
    ax.bar(["short", "long"], [1, 2])
    basics.png(fig)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["short", "long"]


def test_the_style_overrides_the_readers_own():
    import matplotlib

    matplotlib.rcParams["figure.facecolor"] = "black"
    show.style()
    assert matplotlib.rcParams["figure.facecolor"] == "white"
    assert matplotlib.rcParams["text.parse_math"] is False


def test_without_a_notebook_a_figure_is_its_words(capsys):
    show.figure(a_figure(), "what it shows")
    assert capsys.readouterr().out == "[figure] what it shows\n"


def test_a_console_without_the_character_gets_an_escape(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252"))
    show.output("a · b → c \ud83d")
    sys.stdout.flush()
    assert raw.getvalue().decode("cp1252").rstrip() == r"a · b \u2192 c \ud83d"


# ---------------------------------------------------------------- live


def test_a_widget_has_a_twin(page):
    import ipywidgets

    show.live(ipywidgets.IntSlider(value=3), "a slider at 3", a_figure())
    (bundle, metadata), (under, _) = page
    assert bundle["text/plain"] == "[interactive] a slider at 3"
    assert metadata == {"image/png": {"alt": "a slider at 3"}}
    assert under["text/plain"] == "Figure: before anything is moved: a slider at 3."
    assert rebuild.WIDGET_VIEW in bundle
    assert pixels(base64.b64decode(bundle["image/png"])).format == "PNG"


def test_without_a_notebook_a_widget_is_its_words(capsys):
    show.live(None, "a slider at 3")
    assert capsys.readouterr().out == "[interactive] a slider at 3\n"


# ---------------------------------------------------------------- progress


def test_progress_yields_everything_and_ends_with_one_line(capsys):
    assert list(show.progress(range(3), "asking")) == [0, 1, 2]
    assert list(show.progress(iter("ab"), "reading")) == ["a", "b"]
    assert list(show.progress(iter("ab"), "reading", total=2)) == ["a", "b"]
    assert list(show.progress([], "nothing")) == []
    assert capsys.readouterr().out.splitlines() == [
        "[progress] asking: 3 of 3",
        "[progress] reading: 2 done",
        "[progress] reading: 2 of 2",
        "[progress] nothing: 0 of 0",
    ]


def test_progress_that_ends_early_says_nothing(capsys):
    for n in show.progress(range(3), "asking"):
        if n == 1:
            break
    with pytest.raises(ZeroDivisionError):
        for n in show.progress(range(3), "asking"):
            1 / n
    assert capsys.readouterr() == ("", "")


def test_the_steps_of_a_run_end_with_one_line_when_it_is_done_or_pauses(capsys):
    shown = show.steps("the case")
    for n in range(1, 4):
        shown(SimpleNamespace(step=n, done=n == 3, pending=None), "get_order")
    shown(SimpleNamespace(step=4, done=False, pending={"why": "step limit"}), "paused")
    assert capsys.readouterr().out.splitlines() == [
        "[progress] the case: 3 steps",
        "[progress] the case: 4 steps",
    ]


def test_progress_of_a_failing_iterable_passes_its_error_on():
    def fails():
        yield 1
        raise LookupError("here")

    with pytest.raises(LookupError, match="here"):
        list(show.progress(fails(), "asking"))


def test_a_long_loop_in_a_terminal_moves_on_one_line(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("helpers.show.bars.PATIENCE", 0)
    monkeypatch.setattr("helpers.show.bars.STEP", 0)
    for _ in show.progress(range(3), "ask ünd wait"):
        time.sleep(0.002)
    out, err = capsys.readouterr()
    assert out == "[progress] ask ünd wait: 3 of 3\n"
    assert r"ask \xfcnd wait: 2 of 3" in err and "\n" not in err and err.endswith("\r")


# ---------------------------------------------------------------- tables


def test_table(capsys):
    rows = [("a", 1234, 0.5, "$0.0012", True), ("béé", None, 12.25, "$1.00", False), ("c",)]
    show.table(rows, ("name", "tokens", "s", "cost", "ok"), title="What it costs")
    assert capsys.readouterr().out.splitlines() == [
        "What it costs",
        "name  tokens      s     cost  ok",
        "----  ------  -----  -------  ---",
        "a      1,234   0.50  $0.0012  yes",
        "béé        –  12.25    $1.00  no",
        "c",
    ]


@pytest.mark.parametrize("rows, header", [([], ()), ([], ("a", "b")), ([()], ()), ([[1], []], ())])
def test_small_tables(rows, header, capsys):
    show.table(rows, header)
    assert capsys.readouterr().out.endswith("\n")


def test_wide_characters_keep_the_columns(capsys):
    show.table([("日本", "x"), ("abcd", "y"), ("e\u0301", "z")])
    assert capsys.readouterr().out.splitlines() == ["日本  x", "abcd  y", "e\u0301     z"]


def test_the_table_as_html(page):
    show.table([("<b>", "$1"), ("a\nb", "$2")], ("k", "v"))
    ((bundle, _),) = page
    assert bundle["text/html"].count("<tr>") == 3 and "&lt;b&gt;" in bundle["text/html"]
    assert "a b" in bundle["text/plain"] and "text-align:right" in bundle["text/html"]


cells = st.none() | st.booleans() | st.integers() | st.floats() | st.text()


@given(st.lists(st.lists(cells, max_size=4), max_size=4), st.lists(st.text(), max_size=4))
def test_any_table_is_shown(rows, header):
    show.table(rows, header)


# ---------------------------------------------------------------- the chat box


def test_chat_says_what_say_returns():
    heard = []
    box = show.ChatBox(lambda text: heard.append(text) or text.upper(), "Hello.", ["one", " two "])
    assert heard == ["one", "two"]
    assert box.transcript() == "Note: Hello.\nYou: one\nModel: ONE\nYou: two\nModel: TWO"


def test_chat_ignores_blanks_and_ends_with_quit():
    box = show.ChatBox(lambda text: "never asked" if text.lower() == "quit" else "yes")
    assert box.transcript() == "Nothing said yet."
    assert box.send("   ") and not box.lines
    assert box.send(" QUIT ") and box.ended
    assert not box.send("hello") and "never asked" not in box.transcript()


def test_an_error_of_say_is_one_line_and_the_text_can_be_sent_again():
    failing = iter([True, False])

    def say(text):
        if next(failing):
            raise RuntimeError("overloaded\nsecond line")
        return "here"

    box = show.ChatBox(say)
    assert box.send("hello") is False
    assert box.transcript() == "Note: No reply to 'hello': RuntimeError: overloaded second line"
    assert box.send("hello") is True
    assert box.transcript().endswith("You: hello\nModel: here")


def test_a_script_stops_at_its_first_error():
    box = show.ChatBox(lambda text: 1 / 0, script=["a", "b"])
    assert box.transcript().count("\n") == 0


def test_what_is_typed_is_never_markup():
    box = show.ChatBox(lambda text: f"<i>{text}</i>", script=["<script>x</script> $1 $2 \ud83d"])
    assert "<script>" not in box.html() and "<i>" not in box.html()
    assert 'role="log"' in box.html() and 'aria-live="polite"' in box.html()
    box.html().encode("utf-8")


def test_the_widget_sends_by_enter_and_by_button():
    box = show.ChatBox(lambda text: text.upper() if text != "bad" else 1 / 0)
    log, row = box.widget().children
    field, button = row.children
    assert field.description == "You:" and button.description == "Send"
    field.value = "hello"
    field._handle_custom_msg({"event": "submit"}, [])
    assert field.value == "" and "HELLO" in log.value
    field.value = "bad"
    button.click()
    assert field.value == "bad" and "ZeroDivisionError" in log.value and not button.disabled
    field.value = "quit"
    button.click()
    assert field.disabled and button.disabled and field.value == ""


def test_chat_has_a_transcript_for_who_only_reads(page, capsys):
    show.chat(str.upper, "Hello.", ["hi"])
    ((bundle, _),) = page
    assert bundle["text/plain"].startswith("[interactive] a chat box")
    assert bundle["text/plain"].endswith("Note: Hello.\nYou: hi\nModel: HI")
    assert rebuild.WIDGET_VIEW in bundle


# ---------------------------------------------------------------- in a real kernel


def test_in_a_kernel_everything_has_words_and_nothing_else_is_saved():
    setup = f"import sys; sys.path.insert(0, {str(rebuild.ROOT)!r})"
    sources = [
        f"{setup}\nimport time\nfrom helpers import show",
        "for _ in show.progress(range(8), 'waiting'):\n    time.sleep(0.1)",
        "show.chat(str.upper, script=['hi'])",
        "fig, ax = show.axes('turn', 'tokens')\nshow.figure(fig, 'empty')",
        "show.table([('a', 1)])",
        "show.output('half a pair: \\ud83d')",
    ]
    nb = new_notebook(cells=[new_code_cell(source) for source in sources])
    with tempfile.TemporaryDirectory() as data_dir:
        rebuild.execute(nb, data_dir, rebuild.run_conditions(data_dir))
    assert rebuild.WIDGET_VIEW in str(nb.cells[1])  # the bar was there for who waited
    outputs = [cell.outputs for cell in rebuild.tidy(nb).cells]
    forms = [[sorted(out.data) for out in of_cell] for of_cell in outputs]
    plain, rich = ["text/plain"], ["text/html", "text/plain"]
    assert forms == [[], [plain], [plain], [["image/png", "text/plain"], rich], [rich], [plain]]
    assert outputs[1][0].data["text/plain"] == "[progress] waiting: 8 of 8"
    assert outputs[5][0].data["text/plain"] == r"half a pair: \ud83d"
    nbformat.validate(nb)
