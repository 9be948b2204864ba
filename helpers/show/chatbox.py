"""A box to type in, and its transcript for whoever reads without a kernel."""

from collections.abc import Callable, Sequence

from . import basics
from .basics import escape, live

END = "quit"
_SPEAKERS = {"you": "You", "model": "Model", "note": "Note"}


class ChatBox:
    """A conversation by way of `say(text) -> str`, which is called once for each turn.

    The box keeps only what it shows. Whether the model remembers anything is up to `say`.
    """

    def __init__(self, say: Callable[[str], str], greeting: str = "", script: Sequence[str] = ()):
        self.say = say
        self.lines: list[tuple[str, str]] = [("note", greeting)] if greeting else []
        self.ended = False
        for text in script:
            if not self.send(text):
                break

    def send(self, text: str) -> bool:
        """One turn. True: done (the field may be emptied). False: failed or over, keep the text.

        A blank text does nothing; "quit" ends the conversation; an error of `say` becomes a line.
        """
        text = text.strip()
        if self.ended:
            return False
        if not text:
            return True
        if text.lower() == END:
            self.ended = True
            self.lines.append(("note", "The conversation has ended. Run the cell for a new one."))
            return True
        try:
            reply = str(self.say(text))
        except Exception as error:  # anything may go wrong in a learner's own function
            why = " ".join(str(error).split())[:200]
            self.lines.append(("note", f"No reply to {text!r}: {type(error).__name__}: {why}"))
            return False
        self.lines += [("you", text), ("model", reply)]
        return True

    def transcript(self) -> str:
        """What was said so far, one line or more for each turn."""
        shown = [f"{_SPEAKERS[who]}: {text}" for who, text in self.lines]
        return "\n".join(shown) or "Nothing said yet."

    def html(self) -> str:
        """The log; what was typed is text there, never markup. The newest line stays in view."""
        rows = "".join(
            f'<p style="margin:2px 0;white-space:pre-wrap;overflow-wrap:anywhere">'
            f"<b>{_SPEAKERS[who]}:</b> {escape(text)}</p>"
            for who, text in self.lines
        )
        return (
            '<div style="display:flex;flex-direction:column-reverse;max-height:260px;'
            'overflow-y:auto" tabindex="0"><div role="log" aria-live="polite" '
            f'aria-label="Conversation">{rows}</div></div>'
        )

    def widget(self):
        """Log, text field and button; Enter sends as well."""
        import ipywidgets as widgets

        log = widgets.HTML(self.html())
        field = widgets.Text(
            description="You:",
            placeholder=f"Type and press Enter; {END} ends",
            tooltip="Your message to the model",
            layout=widgets.Layout(flex="1 1 auto"),
        )
        button = widgets.Button(description="Send", tooltip="Send the message")

        def submit(*_):
            text, button.disabled, button.description = field.value, True, "…"
            if self.send(text) and field.value == text:
                field.value = ""
            log.value = self.html()
            field.disabled = button.disabled = self.ended
            button.description = "Send"
            field.focus()

        def on_message(_, content, __):  # the field tells of Enter, and only of Enter, this way
            if content.get("event") == "submit":
                submit()

        field.on_msg(on_message)
        button.on_click(submit)
        return widgets.VBox([log, widgets.HBox([field, button])])


def chat(say: Callable[[str], str], greeting: str = "", script: Sequence[str] = ()) -> None:
    """Show a chat box. `say(text)` answers one turn; see ChatBox.

    `script` is said when the box appears, through `say` like anything typed: in practice mode that
    makes a transcript which is always the same, on a paid backend it costs what those turns cost.
    """
    box = ChatBox(say, greeting, script)
    words = "a chat box; type in it where the notebook runs\n" + box.transcript()
    live(box.widget() if basics.in_kernel() else None, words)
