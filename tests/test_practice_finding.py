"""Free phrasing: what the practice model finds without grammar, and what it must not find."""

import json
import random

import pytest

from helpers.practice.reply import reply
from tests.test_practice_reply import NOT_KNOWN, ask, chat, invented, says, text_of

# {} or {0} is the value, {1} another of the same kind, {a} and {b} are names.
FOUND = [
    ("name", "hey, {} here, just setting things up", "what's my name?"),
    ("name", "good morning, this is {} from the choir", "do you know my name?"),
    ("name", "We got a kitten! We're calling him {}.", "What did we call the kitten?"),
    ("name", "the woman repairing our stove is Ms {}", "who is repairing our stove?"),
    ("name", "we're off to {} in July with the neighbours", "where are we going in July?"),
    ("name", "my desk is in the {} building", "Which building is my desk in?"),
    ("name", "I'm a huge fan of {}", "which author am I a fan of?"),
    ("name", "{} brings the salad and Wanda the bread", "who brings the salad?"),
    ("word", "{} is my favorite color, always has been", "hey what color do I like best?"),
    ("word", "nothing beats {} crumble, it's my favourite pudding", "what's my favourite pudding?"),
    ("word", "I can't have {}", "what can't I have?"),
    ("word", "{} makes my son ill, so we never buy it", "Which food makes my son ill?"),
    ("word", "can you keep in mind that I parked by the {}?", "ok I'm back. Where did I park?"),
    ("word", "remember this for me: the cat gets her {} pill at noon", "when does the cat get her {} pill?"),
    ("word", "ok details: party's on Friday, theme is {}, budget is 300", "what's the theme of the party?"),
    ("word", "I need to buy {} tomorrow, don't let me forget", "what do I need to buy?"),
    ("number", "Here's my booking reference: QX-{}. I'll need it later.", "Can you give me my booking reference?"),
    ("number", "To get in the gate you type {} and then hash.", "what's the code for the gate?"),
    ("number", "I've got {} euros to spend on a sofa", "what's my budget for the sofa?"),
    ("number", "There'll be {} of us at the reunion.", "how many people are coming to the reunion?"),
    ("number", "You can reach me on 0151 {}", "what's my phone number?"),
    ("number", "the vet charged us {} euros for the x-ray", "how much was the x-ray?"),
    ("date", "the plumber's coming on {}", "when is the plumber coming?"),
    ("date", "My visa expires on {}", "when does my visa run out?"),
]  # fmt: skip

CORRECTED = [
    ("number", ["the budget is {0} euros", "sorry, I got that wrong, it's {1} euros"], "what's the budget?"),
    ("number", ["The door code is {0}.", "They've changed the door code, it's {1} from today."], "what's the door code now?"),
    ("number", ["The reference is {0}.", "The reference has not changed."], "what's the reference?"),
    ("name", ["I'm staying at the {0} Hotel.", "change of plan, I'm staying at the {1} Inn now"], "Where am I staying?"),
    ("name", ["My name is {0}.", "Actually it's spelled {1}, my mistake."], "How is my name spelled?"),
    ("date", ["Anna's coming on {0}", "Anna had to change it, she's coming on {1} instead"], "when is Anna coming?"),
]  # fmt: skip

# What was told is about another person, another thing, or another side of the same thing.
LOOK_ALIKES = [
    ("name", "My sister has a boat named {}", "what's my boat called?"),
    ("name", "my neighbour's cat is called {}", "what's my cat's name?"),
    ("name", "my colleague's name is {}", "what's my boss's name?"),
    ("name", "Our hotel in Lyon is the {}.", "what's our hotel in Paris called?"),
    ("name", "My dad was born in {}.", "Where was my mum born?"),
    ("name", "I wish I lived in {}", "where do I live?"),
    ("name", "the spare key is with {}", "where is the shed key?"),
    ("word", "My sister's favourite flower is the {}.", "what's my favourite flower?"),
    ("word", "My brother's girlfriend eats only {}", "what does my brother eat?"),
    ("word", "my laptop password is {}", "what's my phone password?"),
    ("word", "My sister's wifi password is {}", "what's my wifi password?"),
    ("word", "my cousin plays the {}", "what instrument does my brother play?"),
    ("word", "is Ravi allergic to {}?", "what is Ravi allergic to?"),
    ("number", "my bank card PIN is {}", "what's the PIN of my phone?"),
    ("number", "We paid {} for the concert tickets", "how much were the train tickets?"),
    ("number", "Karim owes me {} euros", "how much does Sofie owe me?"),
    ("number", "What if my budget were {}?", "what's my budget?"),
    ("number", "my flight to Doha is BA {}", "which seat do I have on my flight to Doha?"),
    ("date", "Mum's birthday is {}", "when's my birthday?"),
    ("date", "My visa starts on {}", "when does my visa expire?"),
    ("date", "I'm meeting Rosa on {}", "when am I meeting Carlos?"),
    ("date", "Our flight to Oslo is on {}.", "When's our flight back?"),
]  # fmt: skip

TALK = ["thanks!", "any tips for a quick lunch?", "brb, just grabbing a coffee"]


@pytest.mark.parametrize("kind, told, asked", FOUND)
def test_free_phrasing_is_found_and_follows_the_value(kind, told, asked):
    rng = random.Random(told)
    for _ in range(3):
        value = invented(kind, rng)
        if asked.startswith("when does the cat"):
            answer, value = ask(told.format(value), *TALK, asked.format(value)), "noon"
        else:
            answer = ask(told.format(value), *TALK, asked)
            assert not says(ask(*TALK, asked), value)
        assert says(answer, value), answer


@pytest.mark.parametrize("kind, told, asked", CORRECTED)
def test_the_newest_wins_in_free_phrasing(kind, told, asked):
    rng = random.Random(asked)
    for _ in range(3):
        old, new = invented(kind, rng), invented(kind, rng)
        answer = ask(*(text.format(old, new) for text in told), "thanks!", asked)
        kept = old if "{1}" not in told[1] else new
        assert says(answer, kept), answer
        assert kept == old or not says(answer, old), answer


@pytest.mark.parametrize("kind, told, asked", LOOK_ALIKES)
def test_a_look_alike_is_no_answer(kind, told, asked):
    rng = random.Random(told)
    for _ in range(3):
        value = invented(kind, rng)
        answer = ask(told.format(value), *TALK, asked)
        assert NOT_KNOWN.search(answer) and not says(answer, value), answer


SWAPPED = [
    ("{a} is in room {0} and {b} is in room {1}", "which room is {b} in?"),
    ("{a}'s locker is {0}, {b}'s locker is {1}", "what's {b}'s locker number?"),
    ("{a} is {0} and {b} is {1}", "how old is {b}?"),
    ("gate code of {a}: {0}. gate code of {b}: {1}", "what's the gate code of {b}?"),
]


@pytest.mark.parametrize("told, asked", SWAPPED)
def test_two_people_in_one_sentence_keep_their_own(told, asked):
    rng = random.Random(told)
    for _ in range(5):
        a, b = invented("name", rng), invented("name", rng)
        x, y = rng.sample(range(20, 99), 2)
        answer = ask(told.format(x, y, a=a, b=b), asked.format(a=a, b=b))
        assert says(answer, str(y)) and not says(answer, str(x)), answer


def test_a_list_grows_and_shrinks():
    replies = chat("put two chairs on my list", "and a lamp, please", "What is on my list?",
                   "take the lamp off my list", "what's on my list?")  # fmt: skip
    assert replies[0] == "Noted: two chairs for your list."
    assert replies[2] == "On your list: two chairs; a lamp."
    assert replies[4] == "On your list: two chairs."


def test_a_question_after_its_statement_is_only_answered():
    answer = ask("My favourite colour is teal. What is my favourite colour?")
    assert answer == "Your favourite colour is teal."
    assert "back" not in ask("I parked by the mill.", "ok I'm back. Where did I park?")


@pytest.mark.parametrize("asked", ["What do you know about me?", "Can you summarise what you know about me?"])  # fmt: skip
def test_everything_that_was_told(asked):
    answer = ask("My favourite colour is teal.", "I parked by the mill.", asked)
    assert says(answer, "teal") and says(answer, "mill")


def test_both_halves_of_a_question_are_answered():
    told = ["We arrive on 3 May.", "Our train gets in at 15:20.", "My full name is Zora Bix."]
    both = ask(*told, "On which date do we arrive, and at what time does our train get in?")
    assert says(both, "3 May") and says(both, "15:20")
    assert says(ask(*told, "What is my first and last name?"), "Zora Bix")


@pytest.mark.parametrize("asked", ["Write me a poem", "tell me a joke", "Can you give me an idea?"])  # fmt: skip
def test_a_task_it_cannot_do_gets_one_honest_sentence(asked):
    assert ask(asked).startswith("I cannot do that")
    assert len(ask(asked).split(". ")) == 1


def test_not_knowing_is_never_garbled():
    answer = ask("I like tea.", "what's Bogdan's dietary thing?")
    assert answer == "You have not told me that in this conversation."
    assert ask("What is my favourite colour?") == (
        "You have not told me your favourite colour in this conversation."
    )


def test_a_request_can_be_a_statement():
    assert ask("please remind me to call Zora") == "Noted: I should remind you to call Zora."
    assert says(ask("please remind me to call Zora", "what should you remind me to do?"), "Zora")


def test_a_long_request_is_searched_whole():
    filler = [
        f"The {invented('word', random.Random(i))} was late on day {i}." for i in range(3_000)
    ]
    history = [{"role": "user", "content": " ".join(["To get in the gate you type 80351.", *filler])},
               {"role": "assistant", "content": "OK."},
               {"role": "user", "content": "what's the code for the gate?"}]  # fmt: skip
    assert says(text_of(reply({"messages": history})), "80351")


NOTED = {
    "order_ids": ["LB-204"],
    "facts_established": [
        "My name is Ines Duarte (customer).",
        "The lamp cost 48.50 EUR (customer).",
        "Somebody at the desk told me that the porter took the lamp in (customer).",
        *(f"The new shelf number {n} is {n} cm wide (assistant)." for n in range(60, 74)),
        "For the wait I have taken the fee of 3.20 EUR off order LB-204 (assistant).",
    ],
    "customer_wants": "A new lamp, not the money.",
}


@pytest.mark.parametrize(
    "question, value",
    [
        ("What is my name?", "Ines Duarte"),
        ("How much did the lamp cost?", "48.50"),
        ("Who took the lamp in?", "porter"),
    ],
)
def test_notes_in_json_are_read_like_prose(question, value):
    noted = f"Notes so far:\n{json.dumps(NOTED, indent=1)}"
    history = [
        {"role": "user", "content": noted},
        {"role": "assistant", "content": "I go on from there."},
        {"role": "user", "content": question},
    ]
    assert value in text_of(reply({"messages": history}))
    assert value not in text_of(reply({"messages": history[2:]}))
