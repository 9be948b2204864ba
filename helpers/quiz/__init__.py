"""A quiz over all lessons: `quiz("03")` shows the questions of lesson 03, each option explained.

The questions stand in `data/quiz.json`, once. `questions.py` reads them, `widget.py` shows them.
"""

from .questions import Option, Question, questions
from .widget import Quiz, quiz

__all__ = ["Option", "Question", "Quiz", "questions", "quiz"]
