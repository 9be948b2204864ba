"""The exercises of lesson 01."""

from .practice_model import refusal, replied
from .source import Exercise, letters, shown


def _which_requests(answer):
    named = letters(answer)
    if not named <= set("ABC"):
        return f'{shown(answer)}: write letters, such as "AB".'
    if "B" in named:
        return "B: look at everything that request sends. Is the name of the dog in it?"
    if named != {"A", "C"}:
        return f"You have {' and '.join(sorted(named)) or 'none'}; there is one more."
    return True


def _request_that_knows(answer):
    for fact, question, known in (
        ("My dog is called Rex.", "What is my dog called?", "Rex"),
        ("I live in Uppsala.", "Where do I live?", "Uppsala"),
        ("The door code is 7731.", "What is the door code?", "7731"),
    ):
        tried = f"Tried request_that_knows({fact!r}, {question!r})"
        messages = answer(fact, question)
        if not isinstance(messages, list):
            return f"{tried}: it returned {shown(messages)}, which is not a list."
        if problem := refusal(messages):
            return f"{tried}: the API would refuse the list: {problem}"
        if question.lower() not in shown(messages[-1], 1000).lower():
            return f"{tried}: the last message is {shown(messages[-1])}, not the question."
        reply = replied(messages)
        if known not in reply:
            return f"{tried} and sent the list. The reply was: {reply}"
    return True


_REQUESTS = (
    ({"messages": [{"role": "user", "content": "My dog is called Rex."}]}, "rex", True),
    ({"messages": [{"role": "user", "content": "What is my dog called?"}]}, "Rex", False),
    ({"messages": [{"role": "user", "content": "The lake is CALM today."}]}, "calm", True),
    (
        {
            "system": "The user's dog is called Rex.",
            "messages": [{"role": "user", "content": "What is my dog called?"}],
        },
        "Rex",
        True,
    ),
    (
        {
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "This is Rex, my dog."}]},
                {"role": "assistant", "content": "Hello!"},
                {"role": "user", "content": "Who is it?"},
            ]
        },
        "Rex",
        True,
    ),
)


def _could_know(answer):
    for request, name, expected in _REQUESTS:
        got = answer(request, name)
        if bool(got) is not expected:
            return f"Tried could_know({shown(request, 160)}, {name!r}): it returned {got}."
    return True


EXERCISES = [
    Exercise(
        id="01.1",
        minutes=2,
        task=(
            "Predict. Three requests go out one after another, on the same client:\n\n"
            "* A sends `My dog is called Rex.`\n"
            "* B sends `What is my dog called?`\n"
            "* C sends both sentences in one list.\n\n"
            "Which replies can contain the name?"
        ),
        stub='answer = ...  # letters, such as "AB"',
        hint="For each request ask: is the name anywhere in what is sent?",
        solution='answer = "AC"',
        because="A and C hold the name, B does not, and what A sent is gone when B is answered.",
        check=_which_requests,
        wrong=('answer = "ABC"', 'answer = "C"', 'answer = "A"', 'answer = "yes"', "answer = 2"),
        right=('answer = ["C", "A"]', 'answer = "a, c"', 'answer = "A and C"'),
    ),
    Exercise(
        id="01.2",
        minutes=5,
        task=(
            "Write `request_that_knows(fact, question)`: the list of messages with which the model "
            "can answer `question` from `fact`. The check sends your lists to the practice model."
        ),
        stub='''def request_that_knows(fact, question):
    """Messages that state `fact` and end with `question`; both are texts."""
    ...''',
        hint="One message can hold both texts, or two messages one each. The last one must be the user's.",
        solution='''def request_that_knows(fact, question):
    """Messages that state `fact` and end with `question`; both are texts."""
    return [{"role": "user", "content": fact}, {"role": "user", "content": question}]''',
        because="The application remembers by sending. There are many right lists.",
        check=_request_that_knows,
        wrong=(
            'def request_that_knows(fact, question):\n    return [{"role": "user", "content": question}]',
            "def request_that_knows(fact, question):\n    return [fact, question]",
            'def request_that_knows(fact, question):\n    return [{"role": "user", "content": question},\n'
            '            {"role": "assistant", "content": fact}]',
            'def request_that_knows(fact, question):\n    return {"role": "user", "content": fact + question}',
        ),
        right=(
            "def request_that_knows(fact, question):\n"
            '    return [dict(role="user", content=f"{fact}\\n{question}")]',
            'def request_that_knows(fact, question):\n    return [{"role": "user", "content": fact},\n'
            '            {"role": "assistant", "content": "I see."},\n'
            '            {"role": "user", "content": question}]',
        ),
    ),
    Exercise(
        id="01.3",
        minutes=6,
        task=(
            "Write `could_know(request, word)`: `True` if the word stands anywhere in what the "
            "request sends to the model (capitals do not matter), else `False`. A request is a dict "
            "as in `meter.calls[0].request`. It may have a `system` text, and the content of a "
            "message may be a text or a list of blocks. (The words that are tried are none of the "
            "API's own, such as `user`.)"
        ),
        stub='''def could_know(request, word):
    """Is `word` anywhere in the request?"""
    ...''',
        hint="`str(request)` turns all of it into one text, whatever its form.",
        solution='''def could_know(request, word):
    """Is `word` anywhere in the request?"""
    return word.lower() in str(request).lower()''',
        because=(
            "When a model says something that it cannot know, or does not know what it should, this "
            "is the first thing to look at: was it sent?"
        ),
        check=_could_know,
        wrong=(
            "def could_know(request, word):\n    return word in str(request)",
            'def could_know(request, word):\n    return word.lower() in str(request["messages"]).lower()',
            'def could_know(request, word):\n    last = request["messages"][-1]["content"]\n'
            "    return word.lower() in str(last).lower()",
            'def could_know(request, word):\n    return any(word in m["content"] for m in request["messages"])',
            "def could_know(request, word):\n    return True",
            'def could_know(request, word):\n    return "rex" in str(request).lower()',
        ),
        right=(
            "import json\n\ndef could_know(request, word):\n"
            "    return json.dumps(request).lower().find(word.lower()) >= 0",
        ),
    ),
]
