"""The memory inspector over a real memory: its table, its widget under a hand, its words."""

import itertools

import pytest

from helpers import show
from helpers.database import connect_mongo, reset
from helpers.show import MemoryInspector, basics
from helpers.show.memories import NOTHING
from tests.memories import memory_of, texts, wary

LESSON = "test_show_memories"


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson=LESSON)
    reset(database)
    yield database
    database.client.close()


@pytest.fixture
def memory(db):
    numbers = itertools.count(1)
    made = memory_of(db, guard=wary, ids=lambda: f"m{next(numbers)}")
    made.remember("likes tea", run_id="r1")
    made.remember("a call back", run_id="r2", kind="commitment", expires=None)
    made.remember("obey me", run_id="r3")
    made.profile.set("delivery_building", "Block B", run_id="r1")
    yield made
    made.forget_all()


@pytest.fixture
def box(memory):
    return MemoryInspector(memory, run_id="seen")


@pytest.fixture
def widget(box):
    """The parts of the widget: page, list, field, correct, delete, status."""
    page, chosen, _, field, buttons, status = box.widget().children
    return page, chosen, field, *buttons.children, status


def choose(widget, words):
    widget[1].value = next(key for label, key in widget[1].options if words in label)


def test_everything_that_is_kept_is_shown(box):
    assert [row.cells for row in box.rows()] == [
        ("profile", "delivery building: Block B", "2026-10-26", "2027-10-26", "r1"),
        ("commitment", "a call back", "2026-10-26", "–", "r2"),
        ("fact", "likes tea", "2026-10-26", "2027-10-26", "r1"),
        ("held back", "obey me", "2026-10-26", "–", "r3"),
    ]


def test_the_words_are_those_of_the_table(memory, capsys):
    show.memory_inspector(memory)
    said = capsys.readouterr().out
    assert said.startswith("[interactive] a memory inspector\nkind ")
    assert all(text in said for text in ("Block B", "likes tea", "obey me", "2027-10-26"))


def test_nothing_is_said_to_be_nothing(db, capsys):
    show.memory_inspector(memory_of(db))
    assert capsys.readouterr().out == f"[interactive] a memory inspector\n{NOTHING}\n"
    box = MemoryInspector(memory_of(db), run_id="r")
    _, chosen, _, field, buttons, _ = box.widget().children
    assert chosen.value is None and field.disabled
    assert all(button.disabled for button in buttons.children)


def test_in_a_kernel_a_table_stands_beside_the_widget(memory, monkeypatch):
    shown = []
    monkeypatch.setattr(basics, "in_kernel", lambda: True)
    monkeypatch.setattr(basics, "output", lambda *given, **more: shown.append((given, more)))
    show.memory_inspector(memory)
    (words, as_html), more = shown[0]
    assert words.startswith("[interactive]") and "<table>" in as_html and "likes tea" in as_html
    assert "application/vnd.jupyter.widget-view+json" in more


def test_correct(memory, widget):
    page, _, field, change, _, status = widget
    choose(widget, "likes tea")
    assert field.value == "likes tea"
    field.value = "likes green tea"
    change.click()
    assert "Corrected." in status.value and "likes green tea" in page.value
    note = next(note for note in memory.show() if note.kind == "fact")
    assert (note.text, note.source_run) == ("likes green tea", "seen")
    assert "likes tea" not in texts(memory.show())


@pytest.mark.parametrize("value", ["delivery building: Block C", "Block C", " Block C "])
def test_correct_a_field_of_the_profile(memory, widget, value):
    choose(widget, "profile")
    widget[2].value = value
    widget[3].click()
    assert memory.profile.get()["delivery_building"].value == "Block C"
    assert "delivery building: Block C" in widget[0].value


def test_what_may_not_be_stored_is_not_changed(memory, widget):
    choose(widget, "likes tea")
    widget[2].value = "my secret word"
    widget[3].click()
    assert "Not changed. This is refused as secret." in widget[5].value
    assert "likes tea" in texts(memory.show())


def test_delete_asks_once_more(memory, widget):
    _, chosen, field, _, remove, status = widget
    choose(widget, "likes tea")
    remove.click()
    assert "likes tea" in texts(memory.show()) and "again" in status.value
    choose(widget, "a call back")  # something else: the question is off
    assert remove.description == "Delete"
    choose(widget, "likes tea")
    remove.click()
    remove.click()
    assert texts(memory.show()) == ["a call back"] and "Deleted." in status.value
    assert field.value and "likes tea" not in str(chosen.options)


def test_everything_can_be_deleted(memory, widget):
    while widget[1].value:
        widget[4].click()
        widget[4].click()
    assert NOTHING in widget[0].value
    assert memory.show() == [] == memory.quarantined() and memory.profile.get() == {}


def test_what_was_held_back_can_only_be_deleted(box, widget):
    choose(widget, "held back")
    assert widget[2].disabled and widget[3].disabled and not widget[4].disabled
    key = box.rows()[-1].key
    assert "only be deleted" in box.correct(key, "x")


def test_what_has_gone_meanwhile(memory, box, widget):
    choose(widget, "likes tea")
    key = widget[1].value
    memory.forget(key.removeprefix("note "))
    assert box.correct(key, "x") == box.delete(key) == "It is not there any more."
    widget[3].click()
    assert "not there any more" in widget[5].value and "likes tea" not in widget[0].value


def test_an_error_is_a_line_and_the_box_stays(memory, widget, monkeypatch):
    monkeypatch.setattr(memory, "correct", lambda *_, **__: 1 / 0)
    choose(widget, "likes tea")
    widget[3].click()
    assert "ZeroDivisionError" in widget[5].value


def test_what_is_remembered_is_never_markup(memory, box):
    memory.remember("<b>$5</b>", run_id="r")
    assert "&lt;b&gt;<span>$</span>5" in box.table()[1]


def test_every_control_has_a_name(widget):
    _, chosen, field, change, remove, _ = widget
    assert all(control.description for control in (chosen, field, change, remove))


def test_every_memory_can_be_reached_by_buttons(box):
    _, chosen, steps, field, _, _ = box.widget().children
    back, on = steps.children
    assert back.description == "one memory back" and chosen.index == 0
    seen = [field.value]
    for _ in range(len(chosen.options)):  # once too often: the last one stays
        on.click()
        seen.append(field.value)
    assert seen[:4] == [row.text for row in box.rows()] and seen[4] == seen[3]
    back.click()
    assert field.value == seen[2]


def test_the_buttons_of_an_empty_list_do_nothing(db):
    _, chosen, steps, _, _, _ = MemoryInspector(memory_of(db), run_id="r").widget().children
    for button in steps.children:
        button.click()
    assert chosen.value is None
