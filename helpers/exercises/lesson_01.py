"""The exercises of lesson 01. A first guess, to be replaced with the lesson."""

from .source import Exercise, same, shown


def _messages_of_third_call(answer):
    if type(answer) is not int:
        return f"{shown(answer)} is not a whole number."
    if not same(answer, 1):
        return f"With {answer} messages, which of them did the loop add? Count them in its code."
    return True


EXERCISES = [
    Exercise(
        id="01.1",
        minutes=1,
        task="The stateless loop has run three turns. How many messages did its third call send?",
        stub="answer = ...  # a number",
        hint="Read what stands between the brackets of `messages=[...]`.",
        solution="answer = 1",
        because="The loop sends what was typed and nothing else, however long it has run.",
        check=_messages_of_third_call,
        wrong=("answer = 3", "answer = 5", "answer = 0", 'answer = "one"', "answer = True"),
        right=("answer = 3 - 2",),
    ),
]
