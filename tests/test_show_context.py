"""The context view: its parts, what is cached and changed, its words, picture and box."""

import base64
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from helpers import rebuild, show
from helpers.backends import connect
from helpers.compaction import CaseNotes, notes_message
from helpers.cost import Meter
from helpers.editing import PLACEHOLDER, clear_old_results
from helpers.guards import present
from helpers.models import CHAT_MODEL, model
from helpers.practice import tokenizer
from helpers.show import context_box, context_figure
from helpers.show.cached import by_rules, by_usage, earlier, percent
from helpers.show.changes import compare
from helpers.show.context import MOST_BLOCKS
from helpers.show.context_figure import CHANGES, LOOKS
from helpers.show.parts import KINDS, by_kind
from helpers.summaries import build_request_system_prompt, summary_message


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


@pytest.fixture
def drawn(page, monkeypatch):
    """The figures that were drawn."""
    figures = []
    real = context_figure.small
    monkeypatch.setattr(
        "helpers.show.context_figure.small", lambda fig: figures.append(fig) or real(fig)
    )
    return figures


REQUEST = {
    "model": "any",
    "max_tokens": 9,
    "system": "You are a guide.",
    "tools": [{"name": "find", "description": "Find", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": "Find tea."},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Tea, then.", "signature": "s"},
                {"type": "text", "text": "Looking."},
                {"type": "tool_use", "id": "t1", "name": "find", "input": {"what": "tea"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "A tea house."},
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {"type": "text", "text": "And coffee?"},
            ],
        },
    ],
}


def test_the_parts_of_a_request_in_the_order_in_which_it_is_read():
    parts = show.context_parts(REQUEST)
    assert [part.kind for part in parts] == [
        "tools", "system", "user", "thinking", "assistant", "tool call", "tool result",
        "image or document", "user",
    ]  # fmt: skip
    assert sum(part.tokens for part in parts) == tokenizer.count_request(REQUEST)
    assert parts[2].tokens == tokenizer.count_message(REQUEST["messages"][0])
    assert parts[4].tokens == tokenizer.count_text("Looking.")
    assert parts[8].begins == "And coffee?"


texts = st.text(max_size=40)
block = st.builds(lambda t: {"type": "text", "text": t}, texts) | st.builds(
    lambda t: {"type": "tool_result", "tool_use_id": "x", "content": t}, texts
)
message = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant"]),
    texts | st.lists(block, max_size=3),
)
requests = st.fixed_dictionaries(
    {"messages": st.lists(message, max_size=40)}, optional={"system": texts}
)


@given(requests)
def test_the_parts_add_up_to_the_request(request):
    parts = show.context_parts(request)
    assert sum(part.tokens for part in parts) == tokenizer.count_request(request)
    assert sum(part.tokens for part in by_kind(parts)) == tokenizer.count_request(request)
    assert sum(part.count for part in by_kind(parts)) == len(parts)
    assert {part.kind for part in parts} <= set(LOOKS)
    assert show.context_parts(request["messages"]) == [p for p in parts if p.kind != "system"]


def test_sdk_objects_are_read():
    from anthropic.types import TextBlock

    history = [{"role": "assistant", "content": [TextBlock(type="text", text="Hello.")]}]
    (part,) = show.context_parts(history)
    assert (part.kind, part.begins) == ("assistant", "Hello.")


def test_context_view_in_words(page):
    show.context_view(REQUEST, title="the third call")
    (picture, _), (caption, _) = page
    total = tokenizer.count_request(REQUEST)
    first, *lines = picture["text/plain"].splitlines()
    assert first.startswith(f"[interactive] The third call: {total:,} practice tokens (tools ")
    assert "user ×2 " in first and first.endswith(").")
    assert lines[0] == f"the third call: {total:,} practice tokens" and len(lines) == 12
    tokens = tokenizer.count_message(REQUEST["messages"][0])
    assert lines[5].split() == ["user", str(tokens), "1", "%", "Find", "tea."]
    assert "image/png" in picture and "Find tea." in caption["text/html"]


def test_two_requests_share_one_scale(drawn):
    short = {"messages": REQUEST["messages"][:1]}
    show.context_view(short, REQUEST, titles=("first", "second"))
    (ax,) = drawn[0].axes
    ends = {}
    for bar in ax.patches:
        row = round(bar.get_y() + bar.get_height() / 2)
        ends[row] = max(ends.get(row, 0), bar.get_x() + bar.get_width())
    assert ends == {0: tokenizer.count_request(short), 1: tokenizer.count_request(REQUEST)}
    assert [t.get_text() for t in ax.get_yticklabels()] == ["first", "second"]


def test_a_long_history_is_drawn_by_kind(page):
    history = [
        {"role": r, "content": f"Turn {n}."} for n in range(100) for r in ("user", "assistant")
    ]
    assert len(history) > MOST_BLOCKS
    show.context_view(history, REQUEST["messages"])
    text = page[0][0]["text/plain"]
    assert "user ×100" in text and "assistant ×100" in text
    assert len(text.splitlines()) < 24


@pytest.mark.parametrize(
    "request_", [{}, [], {"messages": []}, {"messages": [{"role": "user", "content": ""}]}]
)
def test_an_empty_request_has_a_picture_too(request_, page):
    show.context_view(request_)
    assert "image/png" in page[0][0]


@pytest.mark.parametrize("wrong", [3, "text", None, [3], [{"content": "x"}], {"messages": 3}])
def test_what_is_no_request_is_one_sentence(wrong, capsys):
    show.context_view(wrong)
    said = capsys.readouterr().out
    assert said.startswith("[context] this is not a request") and said.count("\n") == 1


def test_no_request_at_all(capsys):
    show.context_view()
    assert capsys.readouterr().out == "[context] nothing to show\n"


# ---------------------------------------------------------------- what the helpers write


def kinds(request):
    return [part.kind for part in show.context_parts(request)]


def user(*texts):
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


MEMORIES = present([{"text": "likes tea", "kind": "fact"}])


def test_a_summary_below_a_persona_and_in_front_of_the_messages():
    system = build_request_system_prompt("You are a guide.", "Noor likes tea.\n\nShe reads.")
    persona, summary = show.context_parts({"system": system, "messages": []})
    assert (persona.kind, persona.text) == ("system", "You are a guide.")
    assert summary.kind == "summary" and summary.text.endswith("tea.\n\nShe reads.")
    assert persona.tokens + summary.tokens == tokenizer.count_request({"system": system})
    assert kinds({"system": build_request_system_prompt("", "Noor."), "messages": []}) == [
        "summary"
    ]
    assert kinds([summary_message("Noor."), user("Hello.")]) == ["summary", "user"]
    assert kinds([{"role": "assistant", "content": [{"type": "compaction", "content": "x"}]}]) == [
        "summary"
    ]


def test_notes_memories_and_placeholders():
    result = {"type": "tool_result", "tool_use_id": "t1", "content": PLACEHOLDER}
    blocks = [{**result, "content": [{"type": "text", "text": PLACEHOLDER}]}, result]
    blocks += [{**result, "content": "[Taken out.]"}, {**result, "content": MEMORIES}]
    blocks += [{**result, "content": text} for text in ('["A", "B"]', "[]", "[1] A [2] B", "None.")]
    assert kinds([notes_message(CaseNotes.empty()), user(MEMORIES, "Find tea.")]) == [
        "notes", "memories", "user",
    ]  # fmt: skip
    assert kinds([{"role": "user", "content": blocks}]) == [
        *["placeholder"] * 3, "memories", *["tool result"] * 4,
    ]  # fmt: skip


def test_memories_in_the_middle_of_a_text():
    parts = show.context_parts([user(f"Hello.\n\n{MEMORIES}\n\nFind tea.")])
    assert [(part.kind, part.text) for part in parts] == [
        ("user", "Hello."), ("memories", MEMORIES), ("user", "Find tea."),
    ]  # fmt: skip
    assert kinds({"system": f"You are a guide.\n\n{MEMORIES}", "messages": []}) == [
        "system", "memories",
    ]  # fmt: skip


def test_what_only_speaks_of_it_is_no_summary_and_no_memory():
    said = ["What is in the Conversation summary so far: anything?", MEMORIES.splitlines()[0]]
    assert kinds([user(*said)]) == ["user", "user"]
    assert kinds([{"role": "assistant", "content": summary_message("x")["content"]}]) == [
        "assistant"
    ]


def test_every_kind_has_its_look():
    assert set(KINDS) == set(LOOKS)
    assert len({hatch for _, hatch in LOOKS.values()}) == len(LOOKS)  # also without colour
    assert len({hatch for _, hatch in CHANGES.values()}) == len(CHANGES) == 3


# ---------------------------------------------------------------- the cache

CACHED = {"model": CHAT_MODEL, "cache_control": {"type": "ephemeral"}}
LONG = "You are a guide who knows the old town and its tea houses well. " * 200
ASKED = {**CACHED, "system": LONG, "messages": [user("Find tea.")]}
AGAIN = {
    **ASKED,
    "messages": [user("Find tea."), {"role": "assistant", "content": "Here."}, user("Thanks.")],
}


def test_after_the_request_before_all_of_it_is_read_and_the_rest_is_written():
    reading = by_rules(AGAIN, earlier(ASKED))
    old, new = tokenizer.count_request(ASKED), tokenizer.count_request(AGAIN)
    assert (reading.read, reading.written, reading.full) == (old, new - old, 0)
    first = by_rules(ASKED, [])
    assert (first.read, first.written, first.full) == (0, old, 0)


def test_what_was_changed_is_read_up_to_the_change_only():
    marked = [{"type": "text", "text": LONG, "cache_control": {"type": "ephemeral"}}]
    before, after = ({**of, "system": marked} for of in (ASKED, AGAIN))
    after["messages"] = [user("Find coffee."), *after["messages"][1:]]
    reading = by_rules(after, earlier(before))
    assert reading.read == tokenizer.count_request({"system": LONG})
    assert by_rules({**AGAIN, "system": "Be brief."}, earlier(ASKED)).read == 0


def test_several_requests_before_and_a_plain_list():
    assert len(earlier([ASKED, AGAIN])) == 2 and len(earlier(ASKED["messages"])) == 1
    assert by_rules(AGAIN, earlier([AGAIN, ASKED])).read == tokenizer.count_request(AGAIN)


def test_why_nothing_is_read():
    assert "does not ask for caching" in by_rules({"messages": AGAIN["messages"]}, []).why
    short = by_rules({**CACHED, "messages": [user("Hi.")]}, [])
    assert f"shorter than {model(CHAT_MODEL).min_cacheable:,} tokens" in short.why
    assert short.words().startswith("Nothing is read from the prompt cache: ")


def test_the_rules_are_those_of_the_practice_model():
    meter = Meter()
    client = connect("practice", meter=meter)
    replies = [client.messages.create(max_tokens=50, **body) for body in (ASKED, AGAIN)]
    reported = by_usage(AGAIN, replies[1].usage)
    assert reported == by_rules(meter.calls[1].request, earlier(meter.calls[0].request))
    assert reported.read == replies[1].usage.cache_read_input_tokens > 0


def test_a_usage_in_other_tokens_is_carried_over_by_its_shares():
    usage = {
        "cache_read_input_tokens": 600,
        "cache_creation_input_tokens": 300,
        "input_tokens": 300,
    }
    total = tokenizer.count_request(AGAIN)
    reading = by_usage(AGAIN, usage)
    assert abs(reading.read - total / 2) <= 1 and reading.total == total
    assert by_usage(AGAIN, {"input_tokens": 5}).why and by_usage(AGAIN, None).why


def test_the_cached_share_stands_in_words_table_and_picture(drawn, page):
    show.context_view(AGAIN, after=ASKED)
    words = page[0][0]["text/plain"]
    old, new = tokenizer.count_request(ASKED), tokenizer.count_request(AGAIN)
    assert f"Read from the prompt cache: {old:,} of {new:,} tokens" in words
    lines = [line for line in words.splitlines() if "%" in line and "[" not in line]
    assert [line.split("%")[1].strip() for line in lines] == ["100", "100", "0", "0"]
    (ax,) = drawn[0].axes
    assert list(ax.lines[0].get_xdata()) == [0, old]
    assert any(f"{old:,} from the cache" in text.get_text() for text in ax.texts)


def test_usages_that_do_not_fit(capsys):
    show.context_view(ASKED, AGAIN, usage=[None])
    assert "[context] 2 requests and 1 usages" in capsys.readouterr().out
    wrong = {**ASKED, "cache_control": {"type": "forever"}}
    show.context_view(wrong, after=ASKED)
    assert capsys.readouterr().out.startswith("[context] cache_control")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_only_nothing_is_0_percent_and_only_all_is_100(part, more):
    said = percent(part, part + more)
    assert (said == "0 %") == (part == 0)
    assert (said == "100 %") == (part > 0 and more == 0)


# ---------------------------------------------------------------- what changed


def exchange(n, result):
    use = {"type": "tool_use", "id": f"t{n}", "name": "find", "input": {"n": n}}
    return [
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{n}", **result}]},
    ]


def test_gone_added_and_changed():
    big = {"content": "A tea house. " * 40}
    history = [user("Hi."), user("Find."), *exchange(1, big), *exchange(2, big)]
    cleared = clear_old_results(history, keep=1).messages[1:] + [user("Thanks.")]
    before, after = compare(show.context_parts(history), show.context_parts(cleared))
    assert [part.change for part in before] == ["gone", "", "", "changed", "", ""]
    assert [part.change for part in after] == ["", "", "changed", "", "", "added"]
    assert [part.twin for part in before] == [None, 0, 1, 2, 3, 4]
    assert after[2].kind == "placeholder"


def test_a_changed_prompt_and_the_same_words_twice():
    before = {"system": "Be brief.", "messages": [user("Hi."), user("Hi.")]}
    after = {"system": build_request_system_prompt("Be kind.", "Noor."), "messages": [user("Hi.")]}
    one, two = compare(*map(show.context_parts, (before, after)))
    assert [part.change for part in two] == ["changed", "added", ""]
    assert sorted(part.change for part in one) == ["", "changed", "gone"]


@settings(deadline=None)
@given(requests, requests)
def test_any_two_requests_are_compared(one, two):
    before, after = compare(show.context_parts(one), show.context_parts(two))
    for parts, others, alone in ((before, after, "gone"), (after, before, "added")):
        for n, part in enumerate(parts):
            assert (part.twin is None) == (part.change == alone)
            if part.twin is not None:
                assert others[part.twin].twin == n
                same = (part.kind, part.text) == (others[part.twin].kind, others[part.twin].text)
                assert same == (part.change == "")
    again, _ = compare(before, before)
    assert not any(part.change for part in again)


def test_changes_stand_in_words_table_and_picture(drawn, page):
    longer = [*REQUEST["messages"], {"role": "assistant", "content": "Here."}]
    show.context_view(REQUEST, longer, titles=("first", "second"))
    words = page[0][0]["text/plain"]
    assert "From the first to the second: 2 blocks gone (" in words and "1 block added (" in words
    assert [line.split()[2:] for line in words.splitlines() if line.startswith("block ")] == [
        ["share", "change", "begins"]
    ] * 2
    strips = [bar for bar in drawn[0].axes[0].patches if bar.get_height() < 0.2]
    assert [bar.get_hatch() for bar in strips] == [CHANGES["gone"][1], CHANGES["added"][1]]
    assert {"− gone 2", "+ added"} <= {text.get_text() for text in drawn[0].axes[0].texts}
    show.context_view(REQUEST, longer, compare=False)
    assert "From the first" not in page[2][0]["text/plain"]


def test_words_above_a_bar_do_not_stand_on_each_other(drawn, page):
    big = {"content": "A tea house. " * 400}
    history = [user("Find."), *(m for n in range(6) for m in exchange(n, big))]
    show.context_view(history, clear_old_results(history, keep=1).messages)
    renderer = FigureCanvasAgg(drawn[0]).get_renderer()
    drawn[0].draw(renderer)
    (ax,) = drawn[0].axes
    boxes = [t.get_window_extent(renderer) for t in ax.texts if "≠" in t.get_text()]
    assert 6 <= len(boxes) < 10  # of ten changed blocks, five of them now very small
    for n, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:n])


# ---------------------------------------------------------------- the box and its twin


def test_the_twin_says_the_same_and_is_small(page):
    show.context_view(REQUEST, REQUEST["messages"], titles=("all of it", "messages"))
    (bundle, metadata), (under, _) = page
    assert bundle["text/plain"].startswith("[interactive] All of it: ")
    assert rebuild.WIDGET_VIEW in bundle and "text/html" not in bundle
    picture = base64.b64decode(bundle["image/png"])
    image = Image.open(io.BytesIO(picture))
    assert image.format == "PNG" and len(picture) < 20_000 and 600 < image.width < 750
    assert image.convert("RGBA").getpixel((0, 0)) == (255, 255, 255, 255)
    assert metadata["image/png"]["alt"] == under["text/plain"].removeprefix("Figure: ")
    assert "<details><summary>The blocks as a table" in under["text/html"]
    for part in show.context_parts(REQUEST):
        assert (
            f">{part.tokens:,}</td>" in under["text/html"] and part.begins in bundle["text/plain"]
        )


def test_every_block_has_a_colour_in_the_picture(page):
    """A small block keeps its own colour, though the picture has few."""
    show.context_view([user("x " * 3000), {"role": "assistant", "content": "Hi."}])
    image = Image.open(io.BytesIO(base64.b64decode(page[0][0]["image/png"]))).convert("RGB")
    wanted = tuple(int(LOOKS["assistant"][0][n : n + 2], 16) for n in (1, 3, 5))
    close = lambda a: max(abs(x - y) for x, y in zip(a, wanted, strict=True)) < 12  # noqa: E731
    assert any(close(colour) for _, colour in image.getcolors(10**6))


def columns(*requests, **more):
    bars = [show.context_parts(request) for request in requests]
    if len(bars) == 2:
        bars = compare(*bars)
    return context_box.widget(list(bars), more.get("names", ["a", "b"][: len(bars)]), b"").children[
        1
    ]


def test_a_block_is_chosen_and_read():
    (column,) = columns(REQUEST).children
    _, chosen, buttons, said, text = column.children
    assert chosen.description and len(chosen.options) == 9
    for n, part in enumerate(show.context_parts(REQUEST)):
        chosen.index = n
        assert show.escape(part.text) in text.value
        assert part.kind in said.value and f"{part.tokens:,} tokens" in said.value
        assert "role='status'" in said.value and "tabindex='0'" in text.value
    assert chosen.options[2][0].startswith("3 user, ")
    back, on = buttons.children
    for button, index in ((on, 8), (back, 7), (back, 6), (on, 7)):
        button.click()
        assert chosen.index == index and chosen.options[index][0].startswith(f"{index + 1} ")
    chosen.index = 0
    back.click()
    assert chosen.index == 0


def test_a_block_that_is_in_both_is_chosen_in_both():
    longer = [user("Earlier."), *REQUEST["messages"]]
    left, right = (column.children for column in columns(REQUEST, longer).children)
    left[1].index = 2  # "Find tea."
    assert right[1].index == 1 and "Find tea." in right[4].value
    right[1].index = 6
    assert left[1].index == 7 and left[4].value == right[4].value.replace(" of b", " of a")
    right[1].index = 0  # only there
    assert left[1].index == 7 and "[added]" in right[1].options[0][0]


def test_what_stands_in_a_block_is_never_markup():
    (column,) = columns([user("<script>x</script> $1 $2")], names=["<b>'\"x"]).children
    assert "<script>" not in column.children[4].value and "<b>'" not in column.children[0].value
    assert "<script>" not in str(column.children[1].options).replace("<script>x</script> $1 $2", "")


def test_a_request_without_blocks_has_an_empty_box():
    (column,) = columns([]).children
    assert column.children[1].index is None and column.children[4].value == ""
