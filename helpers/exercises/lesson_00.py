"""The exercises of lesson 00. A first guess, to be replaced with the lesson."""

from .source import Exercise, shown, word

PLACES = ("the model", "the server", "your program")


def _who_remembers(answer):
    if word(answer) not in PLACES:
        return f"{shown(answer)} is none of the three: {', '.join(PLACES)}."
    if word(answer) != "your program":
        return "Look at the second request again: where would the first sentence have come from?"
    return True


EXERCISES = [
    Exercise(
        id="00.1",
        minutes=1,
        task=(
            "In the second run the model knew your name. Where was the name kept between the two "
            'calls: in `"the model"`, in `"the server"`, or in `"your program"`?'
        ),
        stub='answer = ...  # "the model", "the server" or "your program"',
        hint="What did the second call send that the first did not?",
        solution='answer = "your program"',
        because="Both calls were sent by the same program, and it put the first sentence in again.",
        check=_who_remembers,
        wrong=('answer = "the model"', 'answer = "the server"', "answer = 3", 'answer = "me"'),
        right=('answer = "Your program."',),
    ),
]
