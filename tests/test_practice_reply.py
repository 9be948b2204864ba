"""The reply half of the practice model: it answers from the request, all of it and nothing else."""

import copy
import random
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.practice.reading.rules import rules_in
from helpers.practice.reply import reply
from helpers.practice.weaknesses import WEAKNESSES, overlooks
from tests.strategies import histories

# --- talking to it --------------------------------------------------------------------------------


def text_of(answer) -> str:
    return " ".join(block["text"] for block in answer.content if block["type"] == "text")


def ask(*messages: str, system: str = "") -> str:
    """The reply to the last message, each earlier one answered with a bare "OK."."""
    history = []
    for text in messages:
        history += [{"role": "user", "content": text}, {"role": "assistant", "content": "OK."}]
    return text_of(reply({"messages": history[:-1], **({"system": system} if system else {})}))


def chat(*messages: str, system: str = "") -> list[str]:
    """All replies of a conversation whose history holds the model's own replies."""
    history, replies = [], []
    for text in messages:
        history.append({"role": "user", "content": text})
        said = text_of(reply({"messages": history, **({"system": system} if system else {})}))
        history.append({"role": "assistant", "content": said})
        replies.append(said)
    return replies


NOT_KNOWN = re.compile(r"\b(?:not told|does not say|not know)\b")


# --- facts that nobody has seen -------------------------------------------------------------------

# How a value is told, and how it is asked for. {} is the value; nothing else in the line is.
FACTS = {
    "name": [
        ("My name is {}.", "What is my name?"),
        ("I'm {}.", "Do you remember my name?"),
        ("Hi, I am {}!", "Who am I?"),
        ("Please call me {}.", "What's my name?"),
        ("My sister is called {}.", "What is my sister's name?"),
        ("My sister {} plays chess.", "What is my sister called?"),
        ("My dog's name is {}.", "What is the name of my dog?"),
        ("My boss is {}.", "Who is my boss?"),
        ("I live in {}.", "Where do I live?"),
        ("I moved to {} last year.", "Which city do I live in?"),
        ("I was born in {}.", "Where was I born?"),
        ("I come from {}.", "Where am I from?"),
        ("I am staying at the Hotel {}.", "Where am I staying?"),
        ("I work for {}.", "Who do I work for?"),
        ("I'm meeting {} at noon.", "Who am I meeting?"),
    ],
    "word": [
        ("My favourite colour is {}.", "What is my favorite color?"),
        ("My favorite food is {}.", "Tell me my favourite food."),
        ("My favourite band is {}, by the way.", "Which band do I like best?"),
        ("I'm allergic to {}.", "What am I allergic to?"),
        ("I don't eat {}.", "What don't I eat?"),
        ("I love {}.", "What do I love?"),
        ("The wifi password is {}.", "Can you tell me the wifi password?"),
        ("Please remember that the code word is {}.", "What is the code word?"),
        ("I put the key under the {}.", "Where is the key?"),
        ("I study {}.", "What do I study?"),
        ("My cat is {}.", "What do you know about my cat?"),
    ],
    "number": [
        ("The door code is {}.", "What is the door code?"),
        ("My booking reference is {}.", "Could you repeat my booking reference?"),
        ("I have {} children.", "How many children do I have?"),
        ("My budget is {} euros.", "How much is my budget?"),
        ("I am {} years old.", "How old am I?"),
        ("Remember this number: {}.", "What number did I ask you to remember?"),
        ("I paid {} francs for the tent.", "How much did I pay for the tent?"),
    ],
    "date": [
        ("My flight is on {}.", "When is my flight?"),
        ("My birthday is on {}.", "When was I born?"),
        ("The meeting is on {} at ten.", "When is the meeting?"),
        ("I have a dentist appointment on {}.", "When is my dentist appointment?"),
        ("My passport expires on {}.", "When does my passport expire?"),
    ],
}  # fmt: skip

TALK = ["Thanks!", "The weather is lovely today.", "I had soup for lunch.", "What is the capital of France?",
        "Hello again.", "The bus was late.", "Can you help me?", "My neighbour waters the plants."]  # fmt: skip


def invented(kind: str, rng: random.Random) -> str:
    """A value that no list holds."""
    word = "".join(
        rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(3, 4))
    )
    if kind == "name":
        return word.capitalize()
    if kind == "word":
        return word
    if kind == "number":
        return str(rng.randint(20, 99_999))
    months = ("January", "March", "April", "July", "August", "October", "November")
    return f"{rng.randint(1, 28)} {rng.choice(months)}"


def conversations(count: int, seed: int):
    """(kind, fact template, question, value, small talk before, small talk after)."""
    rng = random.Random(seed)
    for _ in range(count):
        kind = rng.choice(list(FACTS))
        told, asked = rng.choice(FACTS[kind])
        before, after = (rng.sample(TALK, rng.randint(0, 3)) for _ in range(2))
        yield kind, told, asked, invented(kind, rng), before, after


def says(answer: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", answer, re.I) is not None


def check_conversations(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for kind, told, asked, value, before, after in conversations(count, seed):
        with_history = chat(*before, told.format(value), *after, asked)[-1]
        assert says(with_history, value), (told, asked, value, with_history)
        without = ask(asked)
        assert not says(without, value) and NOT_KNOWN.search(without), (asked, without)
        # The message that carries the fact is deleted, the rest stays.
        deleted = ask(*before, *after, asked)
        assert not says(deleted, value), (asked, deleted)
        # Another value in its place: the reply follows.
        while (other := invented(kind, rng)) == value:
            pass
        followed = ask(*before, told.format(other), *after, asked)
        assert says(followed, other) and not says(followed, value), (told, asked, followed)


def test_300_conversations_with_values_never_seen():
    check_conversations(300, seed=1)


@pytest.mark.full
def test_5000_conversations_with_values_never_seen():
    check_conversations(5_000, seed=2)


@pytest.mark.parametrize("kind", list(FACTS))
def test_every_template_is_recalled_and_forgotten(kind):
    rng = random.Random(kind)
    for told, asked in FACTS[kind]:
        value = invented(kind, rng)
        assert says(ask(told.format(value), asked), value), (told, asked)
        assert not says(ask(asked), value), asked


def test_the_first_lesson():
    assert "green" in ask("My favourite colour is green.", "What is my favourite colour?")
    assert "green" not in ask("What is my favourite colour?")
    assert ask("My favourite colour is green.") == "Noted: your favourite colour is green."


# --- newest wins, nobody is mixed up --------------------------------------------------------------

CORRECTIONS = [
    (["My favourite colour is {0}.", "Actually it's {1}."], "What is my favourite colour?", "word"),
    (["My favourite colour is {0}.", "I changed my mind: my favourite is now {1}."], "What is my favourite colour?", "word"),
    (["My favourite colour is {0}.", "My favourite colour is {1}."], "What is my favourite colour?", "word"),
    (["My favourite colour is {0}.", "Sorry, I meant {1}."], "What is my favourite colour?", "word"),
    (["My flight is on {0}.", "No, I meant {1}."], "When is my flight?", "date"),
    (["My flight is on {0}.", "My flight was moved to {1}."], "When is my flight?", "date"),
    (["The meeting is on {0}.", "Not {0}, {1}."], "When is the meeting?", "date"),
    (["The meeting is on {0}.", "Correction: {1}, not {0}."], "When is the meeting?", "date"),
    (["I live in {0}.", "I moved to {1}."], "Where do I live?", "name"),
    (["I live in {0}.", "Actually, I live in {1}."], "Where do I live?", "name"),
    (["The door code is {0}.", "It's {1} now."], "What is the door code?", "number"),
    (["I have {0} hens.", "Sorry, {1} hens."], "How many hens do I have?", "number"),
]  # fmt: skip


@pytest.mark.parametrize("told, asked, kind", CORRECTIONS)
def test_the_newest_statement_wins(told, asked, kind):
    rng = random.Random(asked)
    for _ in range(5):
        old, new = invented(kind, rng), invented(kind, rng)
        answer = ask(*(text.format(old, new) for text in told), asked)
        assert says(answer, new) and not says(answer, old), answer


PEOPLE = [
    ("{a}'s favourite food is {x} and {b}'s favourite food is {y}.", "What is {a}'s favourite food?"),
    ("{a} likes {x}. {b} likes {y}.", "What does {a} like?"),
    ("My sister {a} is allergic to {x}, but my brother {b} is allergic to {y}.", "What is {a} allergic to?"),
    ("My sister {a} is allergic to {x}, but my brother {b} is allergic to {y}.", "What is my sister allergic to?"),
    ("I like {y}, but {a} prefers {x}.", "What does {a} prefer?"),
    ("My favourite food is {x}, {a}'s favourite food is {y}.", "What is my favourite food?"),
]  # fmt: skip


@pytest.mark.parametrize("told, asked", PEOPLE)
def test_people_are_not_mixed_up(told, asked):
    rng = random.Random(told)
    for _ in range(5):
        a, b, x, y = (invented(kind, rng) for kind in ("name", "name", "word", "word"))
        answer = ask(told.format(a=a, b=b, x=x, y=y), asked.format(a=a, b=b))
        assert says(answer, x) and not says(answer, y), answer


UNKNOWN = [
    ("My name is Zorilda.", "What is my sister's name?", "Zorilda"),
    ("My dog is called Zorilda.", "What is my name?", "Zorilda"),
    ("My sister Zorilda likes chess.", "What do I like?", "chess"),
    ("My favourite colour is teal.", "What is my favourite food?", "teal"),
    ("My favourite food is dal.", "What is my favourite colour?", "dal"),
    ("My favourite colour is teal.", "What is my brother's favourite colour?", "teal"),
    ("My locker number is 88.", "What is my room number?", "88"),
    ("My flight number is ZQ 93.", "When is my flight?", "93"),
    ("Is my name Zorilda?", "What is my name?", "Zorilda"),
    ("If my favourite colour were teal, I would say so.", "What is my favourite colour?", "teal"),
    ("Suppose I lived in Zorgrad.", "Where do I live?", "Zorgrad"),
    ("Do I like olives?", "What do I like?", "olives"),
    ("I don't like olives.", "What do I like?", "olives"),
    ('Zorilda said "my favourite colour is teal".', "What is my favourite colour?", "teal"),
    ("I do not know my blood type.", "What is my blood type?", "A"),
]


@pytest.mark.parametrize("told, asked, value", UNKNOWN)
def test_what_was_not_stated_is_not_known(told, asked, value):
    answer = ask(told, asked)
    assert NOT_KNOWN.search(answer) and not re.search(rf"\b{value}\b", answer), answer


@pytest.mark.parametrize(
    "told, asked, begin",
    [
        ("My favourite colour is blue.", "Is my favourite colour green?", "No"),
        ("My favourite colour is blue.", "Is my favourite colour blue?", "Yes"),
        ("I don't like olives.", "Do I like olives?", "No"),
        ("I like olives.", "Do I like olives?", "Yes"),
        ("I'm vegetarian.", "Am I vegetarian?", "Yes"),
        ("I'm vegetarian.", "Can I eat beef?", "No"),
        ("I'm allergic to peanuts.", "Can I eat peanuts?", "No"),
        ("My name is Zorilda.", "Is my name Bob?", "No"),
        ("I live in Zorgrad.", "Do I live in Zorgrad?", "Yes"),
        ("My name is Zorilda.", "Do I like olives?", "You have not told me"),
    ],
)
def test_yes_and_no(told, asked, begin):
    assert ask(told, asked).startswith(begin)


def test_several_facts_and_several_questions_in_one_message():
    told = "I'm Zorilda, I live in Zorgrad and I'm allergic to nuts."
    noted, answer = chat(told, "What's my name, and where do I live? What am I allergic to?")
    assert all(says(noted, v) for v in ("Zorilda", "Zorgrad", "nuts"))
    assert all(says(answer, v) for v in ("Zorilda", "Zorgrad", "nuts"))
    both = ask("My favourite colour is teal. What is my favourite colour?")
    assert both.count("teal") >= 1
    everything = ask(told, "My hen is called Bix.", "What do you know about me?")
    assert all(says(everything, v) for v in ("Zorilda", "Zorgrad", "nuts", "Bix"))


@pytest.mark.parametrize(
    "told, asked, value",
    [
        (
            ["My mother Zora is coming.", "She is vegan and cannot walk far."],
            "What is my mother's diet?",
            "vegan",
        ),
        (["I have a brother. He lives in Zorgrad."], "Where does my brother live?", "Zorgrad"),
        (["My sister Bix plays chess."], "What does she play?", "chess"),
        (["My favourite dish is dal.", "My sister's is soup."], "And what is my sister's?", "soup"),
        (["I forgot something."], "What is her name?", "not told"),
        (["Name: Zora\nCity: Zorgrad\nAllergies: soy"], "What am I allergic to?", "soy"),
        (["Name: Zora\nCity: Zorgrad\nAllergies: soy"], "Where do I live?", "Zorgrad"),
        (
            ["Remember: never book flights before 9am."],
            "What should you remember about flights?",
            "9am",
        ),
        (["Bix is my favourite band."], "Which band do I like best?", "Bix"),
        (["My door code is 7719."], "I forgot my door code. What is it?", "7719"),
        (["I used to live in Zorgrad but now I live in Bixby."], "Where do I live?", "Bixby"),
        (["My aunt Zora, who lives in Bixby, collects stamps."], "Where does Zora live?", "Bixby"),
    ],
)
def test_sentences_that_lean_on_others(told, asked, value):
    assert says(ask(*told, asked), value)


def test_an_acknowledgement_holds_no_other_fact():
    assert "Zorilda" not in ask("My name is Zorilda.", "My favourite colour is teal.")


def test_the_system_prompt_is_read_and_the_user_wins():
    summary = "Conversation summary so far: the user's name is Zorilda. The user lives in Zorgrad."
    assert says(ask("Where do I live?", system=summary), "Zorgrad")
    assert says(ask("What is my name?", system=summary), "Zorilda")
    assert says(ask("I moved to Bixby.", "Where do I live?", system=summary), "Bixby")
    assert says(ask("Who are you?", system="You are Zorbot, a local guide."), "Zorbot")


def test_an_assistant_turn_alone_is_no_source():
    history = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Noted: your favourite colour is teal."},
        {"role": "user", "content": "What is my favourite colour?"},
    ]
    assert "teal" not in text_of(reply({"messages": history}))


# --- everything in a reply stands in the request --------------------------------------------------

# Sentence starts and the model's own words; everything else with a capital must be in the request.
OWN = set("You Your Yes No Noted Nice Hello Goodbye I The All It That Say One Which What".split())


def test_every_name_and_number_in_a_reply_stands_in_the_request():
    for _, told, asked, value, before, after in conversations(150, seed=5):
        messages = [*before, told.format(value), *after, asked]
        seen = set(re.findall(r"\w+", " ".join(messages).lower()))
        for answer in chat(*messages):
            for word in re.findall(r"\b(?:[A-Z]\w*|\w*\d\w*)\b", answer):
                assert word in OWN or word.lower() in seen, (word, answer)


# --- pure, linear, never at a loss ----------------------------------------------------------------


def test_a_thousand_other_requests_change_nothing():
    body = {"messages": [{"role": "user", "content": "I'm Zorilda. What is my name?"}]}
    before = reply(copy.deepcopy(body))
    for index, (_, told, asked, value, *_) in enumerate(conversations(500, seed=7)):
        ask(told.format(value))
        ask(f"My name is {value}{index}.", asked)
    assert reply(body) == before
    assert body == {"messages": [{"role": "user", "content": "I'm Zorilda. What is my name?"}]}


@given(histories())
@settings(max_examples=50, deadline=None)
def test_it_answers_every_valid_history_and_changes_nothing(history):
    body = {"messages": history}
    kept = copy.deepcopy(body)
    answer = reply(body)
    assert body == kept
    assert answer.content and answer.stop_reason in ("end_turn", "tool_use")
    assert all(b["type"] != "text" or b["text"].strip() for b in answer.content)
    assert reply(body) == answer


ODD = st.one_of(
    st.text(st.characters(), min_size=1, max_size=300),
    st.lists(
        st.sampled_from(
            "my is I am not the what who where ? . , : ; ' \" ’ “ ” - — \n \x00 \ud83d 🎉 name favourite actually it's "
            "he she Ana Ana's of 4471 3 May call me if say exactly always never words one in my's :: -- ''".split(" ")
        ),
        max_size=25,
    ).map(" ".join),
).filter(str.strip)  # fmt: skip


@given(st.lists(ODD, min_size=1, max_size=5), ODD)
@settings(max_examples=150, deadline=None)
def test_it_never_raises_on_odd_text(texts, system):
    assert ask(*texts, system=system).strip()


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}],
        [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "My name is Bix."}}],
        "?",
        "." * 50_000,
        "my " * 20_000,
        "“" * 20_000,
        "my sister " * 10_000 + "?",
        "a-" * 30_000,
    ],
)  # fmt: skip
def test_odd_contents(content):
    assert text_of(reply({"messages": [{"role": "user", "content": content}]})).strip()


# --- instructions ---------------------------------------------------------------------------------

FACT = "My favourite colour is teal."
ASK = "What is my favourite colour?"


@pytest.mark.parametrize(
    "rule, right",
    [
        ("Answer in one word.", lambda t: t == "teal"),
        ("Reply with the value only.", lambda t: t == "teal"),
        ("Answer in at most 3 words.", lambda t: len(t.split()) <= 3 and "teal" in t),
        ("Answer in upper case.", lambda t: t == t.upper() and "TEAL" in t),
        ('Start your reply with "Ahoy".', lambda t: t.startswith("Ahoy") and "teal" in t),
        (
            "End every reply with 'Over and out'.",
            lambda t: t.endswith("Over and out") and "teal" in t,
        ),
        (
            "Always mention that parking is free.",
            lambda t: "parking is free" in t.lower() and "teal" in t,
        ),
        ("Never mention teal.", lambda t: "teal" not in t),
        ("Always address the user as Captain.", lambda t: "Captain" in t and "teal" in t),
        ("Reply with exactly: OK, done!", lambda t: t == "OK, done!"),
    ],
)
def test_a_rule_is_followed_in_the_system_prompt_and_in_the_last_message(rule, right):
    assert rules_in(rule)
    assert right(ask(FACT, ASK, system=rule))
    assert right(ask(FACT, f"{ASK} {rule}"))
    assert not right(ask(FACT, ASK))


def test_a_passing_rule_ends_with_its_message_and_a_standing_one_does_not():
    assert ask(FACT, f"{ASK} Answer in one word.", ASK) != "teal"
    assert ask("From now on, answer in one word.", FACT, ASK) == "teal"


def test_a_far_rule_between_long_messages_is_overlooked_whatever_it_says():
    rng = random.Random(3)
    for _ in range(20):
        word = invented("word", rng)
        rule = rng.choice(
            ["Always end your replies with '{}'.", "From now on start every reply with '{}'."]
        ).format(word)
        far = [rule, *["Note this. " + "lorem ipsum dolor " * 600] * 12, FACT, ASK]
        assert word not in ask(*far)
        assert word in ask(*far[1:-2], rule, FACT, ASK)
        assert word in ask(*far[1:], system=rule)
        assert word in ask(rule, *["Thanks!"] * 30, FACT, ASK)


@given(st.integers(0, 10**7), st.integers(0, 10**6))
def test_overlooking_grows_with_distance_and_surroundings(distance, surroundings):
    if overlooks(distance, surroundings):
        assert overlooks(distance + 1, surroundings) and overlooks(distance, surroundings + 1_000)
    if distance <= 4_000:
        assert not overlooks(distance, surroundings)


def test_weaknesses_can_be_printed():
    assert WEAKNESSES and all(w.name and w.what.endswith(".") for w in WEAKNESSES)


# --- tools ----------------------------------------------------------------------------------------

TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather in a city",
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
            "required": ["city"],
        },
    },
    {
        "name": "get_order",
        "description": "Looks up one order",
        "input_schema": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
    },
]  # fmt: skip


def call(text, history=(), **extra):
    return reply(
        {"messages": [*history, {"role": "user", "content": text}], "tools": TOOLS, **extra}
    )


def inputs(answer):
    return [(b["name"], b["input"]) for b in answer.content if b["type"] == "tool_use"]


def test_a_tool_is_called_with_values_from_the_text():
    rng = random.Random(4)
    for _ in range(10):
        city, order = invented("name", rng), invented("number", rng)
        answer = call(f"What is the weather in {city}?")
        assert answer.stop_reason == "tool_use" and inputs(answer) == [
            ("get_weather", {"city": city})
        ]
        assert inputs(call(f"Where is order {order}?")) == [("get_order", {"order_id": order})]


def test_a_list_makes_parallel_calls_with_their_own_ids():
    answer = call("What is the weather in Zorgrad and Bixby, in celsius?")
    assert inputs(answer) == [
        ("get_weather", {"city": "Zorgrad", "unit": "celsius"}),
        ("get_weather", {"city": "Bixby", "unit": "celsius"}),
    ]
    assert len({b["id"] for b in answer.content}) == 2
    one = call(
        "Weather in Zorgrad and Bixby?",
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
    )
    assert len(inputs(one)) == 1


def test_ids_are_new_in_their_conversation_even_when_older_calls_were_dropped():
    history = [
        {"role": "user", "content": "Weather in Zorgrad?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_0007", "name": "get_weather", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_0007", "content": "rain"}]},
        {"role": "assistant", "content": "Rain."},
    ]  # fmt: skip
    assert call("And the weather in Bixby?", history).content[0]["id"] == "toolu_0008"


def test_a_missing_value_is_asked_for_and_then_used():
    asked = call("What's the weather?")
    assert asked.stop_reason == "end_turn" and "city" in text_of(asked)
    history = [
        {"role": "user", "content": "What's the weather?"},
        {"role": "assistant", "content": text_of(asked)},
    ]
    assert inputs(call("In Zorgrad.", history)) == [("get_weather", {"city": "Zorgrad"})]


def test_tool_choice_is_obeyed():
    assert inputs(call("The weather in Zorgrad?", tool_choice={"type": "none"})) == []
    assert len(inputs(call("Hello", tool_choice={"type": "any"}))) == 1
    forced = call("Zorgrad", tool_choice={"type": "tool", "name": "get_weather"})
    assert inputs(forced) == [("get_weather", {"city": "Zorgrad"})]


def test_results_are_reported_and_errors_told_as_errors():
    answer = call("What is the weather in Zorgrad and Bixby?")
    results = [
        {"type": "tool_result", "tool_use_id": answer.content[0]["id"], "content": "18 degrees"},
        {
            "type": "tool_result",
            "tool_use_id": answer.content[1]["id"],
            "content": "no station",
            "is_error": True,
        },
    ]
    said = reply(
        {
            "messages": [
                {"role": "user", "content": "What is the weather in Zorgrad and Bixby?"},
                {"role": "assistant", "content": answer.content},
                {"role": "user", "content": results},
            ],
            "tools": TOOLS,
        }
    )
    assert said.stop_reason == "end_turn"
    assert re.search(r"Zorgrad\W+18 degrees", text_of(said)) and re.search(
        r"Bixby\) failed: no station", text_of(said)
    )


def test_no_tool_is_called_for_a_statement_or_a_question_of_memory():
    assert inputs(call("My favourite city is Zorgrad.")) == []
    assert inputs(call("What is my name?")) == []


def test_letters_of_the_alphabet_only():
    """The invented words really are invented: letters only, so that no pattern favours them."""
    rng = random.Random(0)
    assert all(set(invented("word", rng)) <= set(string.ascii_lowercase) for _ in range(50))
