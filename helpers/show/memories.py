"""What is remembered about a customer: to be seen, corrected and deleted."""

import re
from dataclasses import dataclass

from . import basics
from .basics import escape, live
from .picking import step_buttons
from .tables import rendered

HEADER = ("kind", "what is remembered", "written", "until", "from run")
NOTHING = "Nothing is remembered about this customer."
LONGEST = 60  # characters of a memory in the list and in plain text; the table has all of it
_DAY = re.compile(r"""(<td style="text-align:left)(">\d{4}-\d\d-\d\d</td>)""")


@dataclass(frozen=True)
class Row:
    """One thing that is stored. kind: "fact", "case", "commitment", "profile" or "held back"."""

    key: str
    kind: str
    text: str
    written: str
    until: str
    source: str

    @property
    def cells(self) -> tuple[str, ...]:
        return self.kind, self.text, self.written, self.until, self.source


class MemoryInspector:
    """The memories of one customer, with what the customer may do to them.

    memory: a `long_term.Memory`, bound to the customer of the login. run_id: stands as the source
    of what is corrected here.
    """

    def __init__(self, memory, *, run_id: str):
        self.memory, self.run_id = memory, run_id

    def rows(self) -> list[Row]:
        """The profile, the memories (newest first), and what was held back."""
        fields = [
            Row(f"profile {e.field}", "profile", f"{_words(e.field)}: {e.value}", *_origin(e))
            for e in self.memory.profile.get().values()
        ]
        notes = [Row(f"note {n.id}", n.kind, n.text, *_origin(n)) for n in self.memory.show()]
        held = [
            Row(f"note {h.id}", "held back", h.text, *_origin(h)) for h in self.memory.quarantined()
        ]
        return fields + notes + held

    def correct(self, key: str, text: str) -> str:
        """Let a memory read otherwise; a sentence that says what became of it."""
        row = self._row(key)
        if row is None:
            return "It is not there any more."
        if row.kind == "held back":
            return "What was held back is not used, and can only be deleted."
        what, _, name = key.partition(" ")
        if what == "profile":
            done = self.memory.profile.set(name, _value(name, text), run_id=self.run_id)
        else:
            done = self.memory.correct(name, text, run_id=self.run_id)
        return (done.reason or "Corrected.") if done.ok else f"Not changed. {done.reason}"

    def delete(self, key: str) -> str:
        """Erase a memory everywhere; a sentence that says so."""
        if self._row(key) is None:
            return "It is not there any more."
        what, _, name = key.partition(" ")
        if what == "profile":
            self.memory.profile.forget(name)
        else:
            self.memory.forget(name)
        return "Deleted."

    def table(self) -> tuple[str, str]:
        """What is remembered, as text and as HTML."""
        if not (rows := self.rows()):
            return NOTHING, f"<p>{NOTHING}</p>"
        short = [(row.kind, _short(row.text), *row.cells[2:]) for row in rows]
        text, (_, page) = rendered(short, HEADER)[0], rendered([row.cells for row in rows], HEADER)
        return text, _DAY.sub(r"\1;white-space:nowrap\2", page)

    def widget(self):
        """List, text field and two buttons; everything can be reached and used by keyboard."""
        import ipywidgets as widgets

        wide = widgets.Layout(width="640px")
        label = {"description_width": "6em"}
        chosen = widgets.Select(description="memory", rows=6, layout=wide, style=label)
        field = widgets.Textarea(description="text", rows=3, layout=wide, style=label)
        change = widgets.Button(description="Correct", tooltip="Let the memory read as the text")
        remove = widgets.Button(description="Delete", tooltip="Erase the memory everywhere")
        page, status = widgets.HTML(), widgets.HTML(_status(""))

        def fill(*_) -> None:
            """The text of what is chosen; a delete that was begun is off."""
            row = self._row(chosen.value) if chosen.value else None
            field.value = row.text if row else ""
            field.disabled = change.disabled = not row or row.kind == "held back"
            remove.disabled, remove.description = not row, "Delete"

        def draw() -> None:
            kept = chosen.value
            rows = self.rows()
            chosen.options = [(_short(f"{row.kind}: {row.text}"), row.key) for row in rows]
            keys = [row.key for row in rows]
            chosen.value = kept if kept in keys else next(iter(keys), None)
            page.value = self.table()[1]
            fill()

        def act(do) -> None:
            try:
                said = do()
                draw()
            except Exception as error:  # whatever it was: the box stays, and says so
                said = f"{type(error).__name__}: {error}"
            status.value = _status(said)

        def on_remove(_) -> None:
            if remove.description == "Delete":  # it cannot be undone
                remove.description = "Delete for good"
                status.value = _status("Press the button again to delete it for good.")
            else:
                act(lambda: self.delete(chosen.value))

        chosen.observe(fill, "value")
        change.on_click(lambda _: act(lambda: self.correct(chosen.value, field.value)))
        remove.on_click(on_remove)
        draw()
        steps = widgets.HBox(step_buttons(chosen, "memory"))
        buttons = widgets.HBox([change, remove])
        return widgets.VBox([page, chosen, steps, field, buttons, status])

    def _row(self, key: str) -> Row | None:
        return next((row for row in self.rows() if row.key == key), None)


def memory_inspector(memory, *, run_id: str = "inspector") -> None:
    """Show what is remembered about a customer, with a box to correct and to delete it.

    memory: a `long_term.Memory`. run_id: the source of what is corrected here. Without a kernel a
    table stands there, with the same words.
    """
    box = MemoryInspector(memory, run_id=run_id)
    text, as_html = box.table()
    live(box.widget() if basics.in_kernel() else None, f"a memory inspector\n{text}", html=as_html)


def _words(field: str) -> str:
    return field.replace("_", " ")


def _value(field: str, text: str) -> str:
    """A field's value out of "name of the field: value", or the text as it is."""
    name, colon, value = text.partition(":")
    return value.strip() if colon and name.strip().lower() == _words(field) else text.strip()


def _origin(thing) -> tuple[str, str, str]:
    """When it was written, until when it holds, and which run wrote it."""
    until = getattr(thing, "expires_on", None)
    return thing.written_on.isoformat(), until.isoformat() if until else "–", thing.source_run


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _status(text: str) -> str:
    return f"<p role='status' aria-live='polite'>{escape(text)}</p>"
