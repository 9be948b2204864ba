"""The exercises of lesson 00."""

from .practice_model import refusal, replied
from .source import Exercise, shown, word

PLACES = ("the model", "the client", "the database")
QUESTION = "What is my name?"


def _where_it_was(answer):
    if word(answer) not in PLACES:
        return f"{shown(answer)} is none of the three: {', '.join(PLACES)}."
    if word(answer) != "the database":
        return f"{shown(answer)} was there in the second cell too, and the model did not know."
    return True


def _knows_zora(answer):
    if not isinstance(answer, list):
        return f"{shown(answer)} is not a list of messages."
    if problem := refusal(answer):
        return f"The API would refuse this list: {problem}"
    if QUESTION not in shown(answer[-1], 1000):
        return f"The last message is {shown(answer[-1])}; it should ask {QUESTION!r}."
    reply = replied(answer)
    return True if "Zora" in reply else f"Sent it. The reply was: {reply}"


EXERCISES = [
    Exercise(
        id="00.1",
        minutes=1,
        task=(
            "Between `del statement` and the last question, where was the favourite colour kept: "
            'in `"the model"`, in `"the client"` or in `"the database"`?'
        ),
        stub='answer = ...  # "the model", "the client" or "the database"',
        hint="Which of the three was asked for it in the cell after?",
        solution='answer = "the database"',
        because=(
            "The model had finished its call and the client keeps nothing. The stored message was "
            "read back and sent again."
        ),
        check=_where_it_was,
        wrong=('answer = "the model"', 'answer = "the client"', "answer = 3", 'answer = "green"'),
        right=('answer = "The database."', 'answer = " the database "'),
    ),
    Exercise(
        id="00.2",
        minutes=3,
        task=(
            "Write a list of messages that ends with the question `What is my name?` and to which "
            "the model can answer *Zora*. The check sends it to the practice model."
        ),
        stub="messages = [...]",
        hint="The question alone is a list of one message. What has to stand before it?",
        solution="""messages = [
    {"role": "user", "content": "My name is Zora."},
    {"role": "user", "content": "What is my name?"},
]""",
        because="Two user messages in a row are read as one turn. The name is there, so it is known.",
        check=_knows_zora,
        wrong=(
            'messages = [{"role": "user", "content": "What is my name?"}]',
            'messages = ["My name is Zora.", "What is my name?"]',
            'messages = [{"role": "user", "content": "What is my name?"},\n'
            '            {"role": "assistant", "content": "Zora"}]',
            'messages = "Zora"',
            'messages = [{"role": "user", "content": "My name is Mona."},\n'
            '            {"role": "user", "content": "What is my name?"}]',
        ),
        right=(
            'messages = [{"role": "user", "content": "My name is Zora. What is my name?"}]',
            'messages = [{"role": "user", "content": "I am Zora."},\n'
            '            {"role": "assistant", "content": "Hello."},\n'
            '            {"role": "user", "content": "What is my name?"}]',
        ),
    ),
]
