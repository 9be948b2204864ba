"""The exercises of lesson 00."""

import re

from .practice_model import refusal, replied
from .source import Exercise, shown, word

PLACES = ("the model", "the variables", "the database")
QUESTION = "What is my name?"


def _where_it_was(answer):
    named = [place for place in PLACES if place.split()[1].rstrip("s") in word(answer)]
    if len(named) != 1:
        return f"{shown(answer)} names none, or not one, of the three: {', '.join(PLACES)}."
    if named[0] == "the model":
        return "The model was asked in the second of the six cells, and did not know."
    if named[0] == "the variables":
        return "What happens to the variables of a program when it ends?"
    return True


def _knows_zora(answer):
    if not isinstance(answer, list):
        return f"{shown(answer)} is not a list of messages."
    if problem := refusal(answer):
        return f"The API would refuse this list: {problem}"
    if QUESTION.lower() not in shown(answer[-1], 1000).lower():
        return f"The last message is {shown(answer[-1])}; it should ask {QUESTION!r}."
    reply = replied(answer)
    known = re.search(r"your (full )?name is zora\b", reply, re.IGNORECASE)
    return True if known else f"Sent it. The reply was: {reply}"


EXERCISES = [
    Exercise(
        id="00.1",
        minutes=1,
        task=(
            "This program ends now and starts again tomorrow. Which of the three still holds the "
            'favourite colour: `"the model"`, `"the variables"` or `"the database"`?'
        ),
        stub='answer = ...  # "the model", "the variables" or "the database"',
        hint="Two of the three are empty at every start.",
        solution='answer = "the database"',
        because=(
            "The model keeps nothing between two calls, and variables end with their program. What "
            "was stored can be read back and sent again."
        ),
        check=_where_it_was,
        wrong=(
            'answer = "the model"',
            'answer = "the variables"',
            "answer = 3",
            'answer = "green"',
        ),
        right=('answer = "The database."', 'answer = "in the database"', 'answer = "database"'),
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
            'messages = [{"role": "user", "content": "My name is not Zora."},\n'
            '            {"role": "user", "content": "What is my name?"}]',
            'messages = [{"role": "user", "content": "My dog is called Zora."},\n'
            '            {"role": "user", "content": "What is my name?"}]',
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
