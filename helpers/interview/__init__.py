"""The interview: answers built from figures that the lessons printed.

`answer_box("window")` is for the reader's own answer, `model_answer("window")` shows ours, and
`lines("03")` what to say about each thing of lesson 03. The texts stand in `data/interview/`.
`python -m helpers.interview` reads the figures again and writes the one-page summary.
"""

from .answers import lines, model_answer
from .box import AnswerBox, answer_box
from .figures import Figure, figures, number

__all__ = [
    "AnswerBox",
    "Figure",
    "answer_box",
    "figures",
    "lines",
    "model_answer",
    "number",
]
