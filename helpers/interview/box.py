"""A box for the reader's own answer. What is typed stays in this kernel."""

from ..show import escape, live
from .answers import answers

_TYPED: dict[str, str] = {}  # by question: so a cell that is run again still has the text
EMPTY = "Say it aloud, or write it on paper; where the notebook runs there is a box to type in."


class AnswerBox:
    """The reader's own answer to one question, kept in memory for as long as the kernel runs."""

    def __init__(self, key: str):
        self.key, self.asked = key, answers()[key]["asked"]

    @property
    def typed(self) -> str:
        return _TYPED.get(self.key, "")

    @typed.setter
    def typed(self, text: str) -> None:
        _TYPED[self.key] = text

    def status(self) -> str:
        """How many words there are, in words."""
        n = len(self.typed.split())
        return f"{n} word{'s' * (n != 1)}; kept on this machine, for as long as the kernel runs."

    def widget(self):
        """A text field and a line under it."""
        import ipywidgets as widgets

        field = widgets.Textarea(
            value=self.typed,
            placeholder="Your answer: the point first, then a figure, then its price",
            tooltip=f"Your answer to: {self.asked}",
            rows=6,
            layout=widgets.Layout(width="98%", height="auto"),
        )
        label = widgets.HTML(f"<b>Your answer to</b> <em>{escape(self.asked)}</em>")
        said = widgets.HTML(_status(self.status()))

        def on_text(change) -> None:
            self.typed = change["new"]
            said.value = _status(self.status())

        field.observe(on_text, "value")
        return widgets.VBox([label, field, said])


def answer_box(key: str) -> None:
    """Show the box for the reader's own answer to a question, such as "window".

    KeyError if there is no such question.
    """
    from ..show.basics import in_kernel

    box = AnswerBox(key)
    page = f"<p><b>Your answer to</b> <em>{escape(box.asked)}</em></p><p>{EMPTY}</p>"
    live(box.widget() if in_kernel() else None, f"your answer to: {box.asked}\n{EMPTY}", html=page)


def _status(text: str) -> str:
    return f"<p role='status'>{escape(text)}</p>"
