"""The quiz on the page: one question at a time where a kernel runs, all of them elsewhere."""

import re

from ..show import escape, live
from .questions import Question, questions

# the controls' own labels are one line high: a longer option would be cut in a narrow window
_WRAP = """<style>
.course-quiz .widget-checkbox { height: auto; }
.course-quiz .widget-checkbox .widget-label-basic {
  height: auto; white-space: normal; line-height: 1.5; overflow: visible; align-items: start; }
</style>"""


class Quiz:
    """Some questions, what was chosen in each, and which of them have been answered right."""

    def __init__(self, asked: tuple[Question, ...]):
        self.asked = asked
        self.at = 0  # which question is shown
        self.chosen: dict[str, frozenset[str]] = {}
        self.solved: set[str] = set()

    @property
    def question(self) -> Question:
        return self.asked[self.at]

    def move(self, by: int) -> None:
        """Show another question; the first and the last are the ends."""
        self.at = min(max(self.at + by, 0), len(self.asked) - 1)

    def check(self, letters) -> str:
        """Judge the letters that were chosen in this question: the verdict as HTML.

        Explained is what was chosen; once the answer is right, every option.
        """
        question = self.question
        self.chosen[question.id] = frozenset(letters)
        right, said = question.judge(letters)
        if right:
            self.solved.add(question.id)
        shown = question.lettered if right else sorted(set(letters) & set(question.lettered))
        mark = "✓" if right else "✗"
        reasons = "".join(_reason(question, letter) for letter in shown)
        return f"<p><b>{mark} {escape(said)}</b></p><ul>{reasons}</ul>"

    def heading(self) -> str:
        """Which question this is, how many are solved, and how many answers it has, as HTML."""
        one = "" if self.question.several else " <em>One answer.</em>"
        return (
            f"<p><b>Question {self.at + 1} of {len(self.asked)}</b> ({self.question.id}) · "
            f"{len(self.solved)} answered right</p><p>{_code(self.question.ask)}{one}</p>"
        )

    def words(self) -> str:
        """All questions with their options, and the right letters at the end, as text."""
        lines = [f"a quiz, {_count(len(self.asked))}"]
        for question in self.asked:
            lines.append(f"{question.id} {question.ask}")
            lines += [f"  {letter}  {o.text}" for letter, o in question.lettered.items()]
        answers = (f"{q.id} {''.join(sorted(q.right))}" for q in self.asked)
        return "\n".join([*lines, "Answers: " + ", ".join(answers)])

    def html(self) -> str:
        """All questions with their options, and the answer to each folded, as HTML."""
        return "".join(_static(question) for question in self.asked)

    def widget(self):
        """One question, its options, three buttons and a line that says what came of it."""
        import ipywidgets as widgets

        head, said = widgets.HTML(), widgets.HTML()
        options = widgets.VBox().add_class("course-quiz")
        button = {
            name: widgets.Button(description=name, tooltip=tip)
            for name, tip in (
                ("Check", "Check what I chose"),
                ("Back", "The question before this one"),
                ("Next", "The next question"),
            )
        }

        def status(text: str) -> None:
            said.value = f"<div role='status' aria-live='polite'>{text}</div>"

        def draw() -> None:
            question = self.question
            options.children = _controls(question, self.chosen.get(question.id, frozenset()))
            head.value = _WRAP + self.heading()
            button["Back"].disabled = self.at == 0
            button["Next"].disabled = self.at == len(self.asked) - 1
            status("")

        def on_check(_) -> None:
            status(self.check(_picked(options.children)))
            head.value = _WRAP + self.heading()

        def turn(by: int) -> None:
            picked = _picked(options.children)
            self.chosen[self.question.id] = frozenset(picked)
            self.move(by)
            draw()

        button["Check"].on_click(on_check)
        button["Back"].on_click(lambda _: turn(-1))
        button["Next"].on_click(lambda _: turn(1))
        draw()
        return widgets.VBox([head, options, widgets.HBox(list(button.values())), said])


def quiz(lesson: str) -> None:
    """Show the quiz of one lesson, such as "03". ValueError if there are no questions for it."""
    from ..show.basics import in_kernel

    made = Quiz(questions(lesson))
    live(made.widget() if in_kernel() else None, made.words(), html=made.html())


def _controls(question: Question, chosen: frozenset[str]) -> tuple:
    """A checkbox for each option; where one is right, ticking one unticks the others.

    No radio group: JupyterLab keeps the arrow keys, without which none can be worked by keyboard.
    """
    import ipywidgets as widgets

    wide = widgets.Layout(width="100%")
    boxes = tuple(
        widgets.Checkbox(
            value=letter in chosen,
            description=f"{letter}  {_plain(option.text)}",
            indent=False,
            layout=wide,
        )
        for letter, option in question.lettered.items()
    )

    def untick_others(change) -> None:
        for box in boxes:
            if change["new"] and box is not change["owner"]:
                box.value = False

    if not question.several:
        for box in boxes:
            box.observe(untick_others, "value")
    return boxes


def _picked(boxes) -> list[str]:
    """The letters that are ticked."""
    return [box.description[0] for box in boxes if box.value]


def _static(question: Question) -> str:
    options = "<br>".join(f"<b>{k}</b> {_code(o.text)}" for k, o in question.lettered.items())
    reasons = "".join(_reason(question, letter) for letter in question.lettered)
    return (
        f'<div style="margin-bottom:1.5em"><p><b>{question.id}</b> {_code(question.ask)}</p>'
        f"<p>{options}</p>"
        f"<details><summary>Answer to {question.id}</summary><ul>{reasons}</ul></details></div>"
    )


def _reason(question: Question, letter: str) -> str:
    option = question.lettered[letter]
    verdict = "right" if option.right else "not right"
    return f"<li><b>{letter}, {verdict}.</b> {_code(option.because)}</li>"


def _count(n: int) -> str:
    return f"{n} question{'s' * (n != 1)}"


def _code(text: str) -> str:
    """`text` as HTML: `code` and *stress* marked."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", marked)


def _plain(text: str) -> str:
    """`text` without its marks, for the label of a control."""
    return re.sub(r"[`*]", "", text)
