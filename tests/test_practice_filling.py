"""The practice model fills a schema: valid JSON, from what the request states and nothing else."""

import importlib.util
import json
import random
import re
import string
import time
from datetime import date
from pathlib import Path

import anthropic
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from helpers import backends
from helpers.compaction import CaseNotes, notes_schema, render
from helpers.models import NOTES_MODEL
from helpers.practice.reply import reply
from helpers.practice.request import Request
from helpers.practice.skills import SKILLS, filling
from helpers.practice.tokenizer import count_text

from .schema_cases import CASES

ROOT = Path(__file__).parents[1]


def asking(schema, messages, **more):
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    form = {"format": {"type": "json_schema", "schema": schema}}
    return {"messages": messages, "output_config": form, **more}


def filled(schema, messages, **more):
    """The JSON of the reply, which is one text block."""
    schema = schema if isinstance(schema, dict) else anthropic.transform_schema(schema)
    (block,) = reply(asking(schema, messages, **more)).content
    return json.loads(block["text"], parse_constant=pytest.fail)


# ---------------------------------------------------------------- any schema

NAMES = st.sampled_from(
    """name age city date order_ids facts facts_established total items tags email score open_questions
    wants active when note text source message_ids id count price kind status x customer_problem
    already_offered reason quantity created_at""".split()
)
LEAVES = st.one_of(
    st.sampled_from(["string", "integer", "number", "boolean", "null"]).map(lambda t: {"type": t}),
    st.sampled_from("date date-time time email uri uuid".split()).map(
        lambda f: {"type": "string", "format": f}
    ),
    st.lists(
        st.one_of(st.text(max_size=6), st.integers(), st.booleans(), st.none()),
        min_size=1, max_size=4, unique_by=repr,
    ).map(lambda options: {"enum": options}),
    st.one_of(st.text(max_size=5), st.integers(-5, 5), st.booleans()).map(lambda c: {"const": c}),
    st.sampled_from([
        {"type": ["string", "null"]}, {}, {"$ref": "#/$defs/A"}, {"type": "string", "maxLength": 5},
        {"type": "string", "minLength": 3}, {"type": "integer", "minimum": 3, "maximum": 9},
        {"type": "number", "exclusiveMinimum": 0}, {"type": "integer", "multipleOf": 7, "minimum": 5},
    ]),
)  # fmt: skip


def objects(parts):
    """Objects of these properties, some of them required."""
    return st.dictionaries(NAMES, parts, max_size=4).flatmap(
        lambda known: st.sets(st.sampled_from(sorted(known)) if known else st.just("")).map(
            lambda needed: {
                "type": "object",
                "properties": known,
                "required": sorted(needed & set(known)),
                "additionalProperties": False,
            }
        )
    )


def larger(parts):
    limits = st.sampled_from([{}, {"minItems": 1}, {"maxItems": 2}, {"uniqueItems": True}])
    lists = st.tuples(parts, limits).map(lambda p: {"type": "array", "items": p[0], **p[1]})
    unions = st.lists(parts, min_size=1, max_size=3).map(lambda some: {"anyOf": some})
    return st.one_of(objects(parts), lists, unions, parts.map(lambda part: {"allOf": [part]}))


SCHEMAS = objects(st.recursive(LEAVES, larger, max_leaves=8))
DEFINED = st.sampled_from([{"type": "string"}, {"type": "array", "items": {"type": "integer"}}])
TEXTS = st.one_of(
    st.text(min_size=1, max_size=200),
    st.sampled_from([
        '[m1] user: order AB-12 is late. I want 5 euros.\n[m2] tool result of get: {"order_id": "AB-12", '
        '"total": 5.5, "items": [{"name": "lamp", "price": 2}]}',
        "Name: Ada\nAge: 7\nTags: a, b\nScore: 4 out of 5\nDate: 9 October 2026\nemail: a@b.example",
        '{"name": "x", "age": "12", "facts": [1, null], "total": 1e400, "items": "y", "count": NaN}',
        "4, 4, and 4 items: a, a and a.",
    ]),
)  # fmt: skip


def check_any(schema, defined, text):
    schema = {**schema, "$defs": {"A": defined}}
    value = filled(schema, text)
    Draft202012Validator(schema).validate(value)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS, DEFINED, TEXTS)
def test_the_reply_is_valid_json_for_any_schema(schema, defined, text):
    check_any(schema, defined, text)


@pytest.mark.full
@settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(SCHEMAS, DEFINED, TEXTS)
def test_the_reply_is_valid_json_for_many_more_schemas(schema, defined, text):
    check_any(schema, defined, text)


@pytest.mark.parametrize(
    "schema, value",
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}}, {}),  # optional: left out
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"a": ""}),
        ({"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "required": ["a"]}, {"a": None}),
        ({"properties": {"a": {"enum": ["x", "other"]}}, "required": ["a"]}, {"a": "other"}),
        ({"properties": {"a": {"type": "array", "items": {}}}, "required": ["a"]}, {"a": []}),
        ({"properties": {"a": {"type": "string", "format": "date"}}, "required": ["a"]}, {"a": ""}),
        ({"properties": {"a": {"const": 7}}, "required": ["a"]}, {"a": 7}),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"properties": {"a": {"$ref": "#"}}, "required": []}, {}),  # endless
        ({}, ""),
    ],
)  # fmt: skip
def test_what_is_not_stated_is_empty(schema, value):
    assert filled(schema, "Hm.") == value


# ---------------------------------------------------------------- models of many subjects

SETS = [(case, values) for case in CASES for values in case.values]
IDS = [f"{case.model.__name__}{case.values.index(values)}" for case, values in SETS]


@pytest.mark.parametrize("case, values", SETS, ids=IDS)
def test_each_field_gets_what_the_text_states(case, values):
    text = case.text(values)
    got = filled(case.model, text)
    assert case.model.model_validate(got) == case.expected(values)
    nothing_invented(got, anthropic.transform_schema(case.model), text)


def empty(value):
    return value in ("", 0, None, [], False, "unknown")


@pytest.mark.parametrize("case, values", SETS, ids=IDS)
def test_what_the_text_no_longer_states_is_gone(case, values):
    schema = anthropic.transform_schema(case.model)
    for names in case.parts:
        text = case.text(values, without=names)
        got = filled(schema, text)
        Draft202012Validator(schema).validate(got)
        assert all(empty(got.get(name)) for name in names.split()), (names, got)
        nothing_invented(got, schema, text)


SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()


def nothing_invented(value, schema, text):
    """Every value stands in the text, is an option, or says nothing."""
    options = {repr(o) for o in _options(schema)}
    plain = " ".join(text.split()).lower()
    for leaf in _leaves(value):
        if empty(leaf) or isinstance(leaf, bool) or repr(leaf) in options:
            continue
        if isinstance(leaf, int | float):
            forms = {f"{leaf}", f"{leaf:,}", f"{leaf:.2f}", f"{leaf:,.2f}", f"{leaf:.0f}"}
            forms |= {SMALL[int(leaf)]} if 0 <= leaf <= 12 else set()
            assert any(form in plain for form in forms), (leaf, text)
        elif match := re.match(r"(\d{4})-(\d\d)-(\d\d)", leaf):
            day = date(*map(int, match.groups()))
            assert match[0] in plain or f"{day.day} {day:%B %Y}".lower() in plain, (leaf, text)
        else:
            assert " ".join(leaf.split()).lower() in plain, (leaf, text)


def _leaves(value):
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _leaves(part)
    else:
        yield value


def _options(schema):
    if isinstance(schema, dict):
        yield from schema.get("enum", ()) if isinstance(schema.get("enum"), list) else ()
        for part in schema.values():
            yield from _options(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _options(part)


# ---------------------------------------------------------------- where the text comes from


class Person(BaseModel):
    name: str
    city: str
    age: int


TOLD = "My name is Ilka Brandt. I live in Ghent. I am 38 years old."
RIGHT = {"name": "Ilka Brandt", "city": "Ghent", "age": 38}


def dialogue(*texts):
    return [
        {"role": "assistant" if n % 2 else "user", "content": text} for n, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    "messages",
    [
        TOLD,
        f"Extract the person.\n\n{TOLD}",
        f"Extract the person from the text: {TOLD}",
        f"{TOLD}\n\nFill the fields from the text above.",
        f"Please fill in the form.\n<text>\n{TOLD}\n</text>\nReturn JSON only.",
        f"Read this.\n```\n{TOLD}\n```",
        f"Fill the record.\n\n[a1] user: {TOLD}\n[a2] assistant: Thank you.",
        f"Fill the record.\n\nuser: {TOLD}\nassistant: Thank you.",
        f"<conversation>\n[a1] user: {TOLD}\n[a2] assistant: Thanks.\n</conversation>\nFill the fields.",
        dialogue(TOLD, "Noted.", "Fill the form from our conversation, please."),
        [{"role": "user", "content": [
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": TOLD}},
            {"type": "text", "text": "Extract the person from the document."},
        ]}],
        '{"person": {"name": "Ilka Brandt", "city": "Ghent", "age": 38}}',
        "Name: Ilka Brandt\nCity: Ghent\nAge: 38",
        "| Field | Value |\n|---|---|\n| Name | Ilka Brandt |\n| City | Ghent |\n| Age | 38 |",
    ],
)  # fmt: skip
def test_the_material_may_come_in_any_form(messages):
    assert filled(Person, messages) == RIGHT


def test_the_instruction_is_no_material():
    text = "Extract the person. Keep the name and the city as written. Alan from Oslo is an example.\n\nIt rains."
    assert filled(Person, text) == {"name": "", "city": "", "age": 0}


def test_the_newest_word_of_a_conversation_counts():
    messages = dialogue(
        "My name is Ilka Brandt and I live in Ghent.", "Noted.", "I live in Lille now.", "Noted.",
        "My budget is 300 euros. No, sorry: my budget is 450 euros.",
    )  # fmt: skip
    schema = {"properties": {"city": {"type": "string"}, "budget": {"type": "integer"}}}
    assert filled(schema, messages) == {"city": "Lille", "budget": 450}


def test_what_the_tools_answered_fills_fields_by_their_keys():
    call = {"type": "tool_use", "id": "t1", "name": "get_order", "input": {"order_id": "A-1"}}
    answer = json.dumps({"order_id": "A-1", "order_total": 58.2, "placed_on": "2026-10-01"})
    back = {"type": "tool_result", "tool_use_id": "t1", "content": answer}
    messages = [
        {"role": "user", "content": "Look at order A-1, please."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [back]},
    ]
    schema = {"properties": {"order_total": {"type": "number"}, "placed_on": {"type": "string", "format": "date"},
                             "order_id": {"type": "string"}}}  # fmt: skip
    assert filled(schema, messages) == {**json.loads(answer)}


def test_a_tool_that_is_still_to_be_called_comes_first():
    tool = {
        "name": "get_weather",
        "description": "Get the weather of a city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }  # fmt: skip
    text = "What is the weather in Ghent?"
    answer = reply(asking({"properties": {}}, text, tools=[tool]))
    assert answer.stop_reason == "tool_use" and answer.content[0]["input"] == {"city": "Ghent"}


def test_rules_about_prose_do_not_spoil_the_json():
    rule = "Always answer in capital letters and end every reply with the word over."
    assert filled(Person, f"{rule}\n\n{TOLD}", system=rule)["city"] == "Ghent"


def test_other_requests_are_left_to_other_skills():
    body = {"messages": [{"role": "user", "content": TOLD}]}
    assert filling.answer(Request(body)) is None
    assert filling.answer(Request({**body, "output_config": {"effort": "low"}})) is None
    assert filling.answer(Request({**body, "output_config": {"format": None}})) is None
    assert SKILLS[0] is filling.answer


# ---------------------------------------------------------------- notes of a case

QUIET = [
    ("It is a grey day here, is it not?", "Grey here as well."),
    ("My neighbour sends his regards.", "How nice of him."),
    ("Thank you for being so patient.", "You are welcome."),
    ("I just came back from lunch.", "I hope that it was good."),
]


class Chat:
    """Sixty messages of a dispute with random values, and what the notes must hold."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        code = lambda lead: f"{lead}-{rng.randrange(1000, 9999)}"  # noqa: E731
        money = lambda: f"{rng.randrange(5, 90)}.{rng.randrange(10, 99)}"  # noqa: E731
        day = lambda: f"{rng.randrange(1, 29)} {rng.choice(['March', 'April', 'June'])}"  # noqa: E731
        self.orders = [code("QX"), code("QX")]
        self.amounts = [money() for _ in range(4)]
        self.days = [day() for _ in range(3)]
        self.wish = rng.choice(["a replacement", "my money back", "a new lid"])
        self.thing = rng.choice(["kettle", "carpet", "lantern", "bench"])
        a, b = self.orders
        told = [
            (f"Hello, the {self.thing} of order {a} arrived broken on {self.days[0]}.", "I am sorry to hear that."),
            (f"I paid {self.amounts[0]} EUR for it.", f"I see {self.amounts[0]} EUR here."),
            (f"And order {b} never came, it was due on {self.days[1]}.", "Let me look at that."),
            ("What does the courier say?", f"The courier scanned it at Depot {rng.randrange(2, 90)} on {self.days[2]}."),
            ("That does not help me.", f"I can offer you a voucher of {self.amounts[1]} EUR."),
            (f"I would like {self.wish} for order {a}.", f"I will send you {self.amounts[2]} EUR as an apology."),
            (f"The caretaker signed for {b}, he told me.", "That is good to know."),
            ("When will the second parcel be here?", "I will ask the courier and get back to you."),
            (f"By the way, the delivery cost {self.amounts[3]} EUR.", "I have noted that."),
        ]  # fmt: skip
        while len(told) < 30:
            told.insert(rng.randrange(1, len(told)), rng.choice(QUIET))
        self.texts = [text for pair in told for text in pair]

    def text(self, without=""):
        said = [t for t in self.texts if not without or without not in t]
        roles = ["user" if t in self.texts[::2] else "assistant" for t in said]
        lines = [f"[e{n}] {role}: {t}" for n, (role, t) in enumerate(zip(roles, said, strict=True))]
        return "Fill in the case notes from these entries.\n\n" + "\n".join(lines)


def notes_of(text):
    got = filled(notes_schema(), text)
    CaseNotes.model_validate_json(json.dumps(got), strict=True)
    return got


@pytest.mark.parametrize("seed", range(6))
def test_notes_of_sixty_messages(seed):
    chat = Chat(seed)
    assert len(chat.texts) == 60
    text = chat.text()
    notes = notes_of(text)
    facts = " ".join(fact["text"] for fact in notes["facts_established"])
    offered = " ".join(notes["already_offered"])
    assert notes["order_ids"] == chat.orders
    assert chat.thing in notes["customer_problem"] and "never came" in notes["customer_problem"]
    assert chat.wish in notes["customer_wants"]
    assert all(value in facts for value in (*chat.days, chat.amounts[0], chat.amounts[3]))
    assert chat.amounts[1] in offered and chat.amounts[2] in offered
    assert any("second parcel" in question for question in notes["open_questions"])
    assert not any("grey" in question for question in notes["open_questions"])
    assert count_text(json.dumps(notes)) < count_text(text)
    lines = dict(re.findall(r"^\[(e\d+)\] \w+: (.*)$", text, re.M))
    for fact in notes["facts_established"]:
        assert fact["source"] in ("customer", "assistant") and fact["message_ids"]
        assert all(fact["text"][1:] in lines[name] for name in fact["message_ids"]), fact


@pytest.mark.parametrize("seed", range(3))
def test_a_message_that_is_gone_takes_its_facts_with_it(seed):
    chat = Chat(seed)
    for value in (*chat.orders, *chat.amounts, *chat.days, chat.wish):
        assert value in json.dumps(notes_of(chat.text())) or value == chat.wish
        assert value not in json.dumps(notes_of(chat.text(without=value)))


def test_tool_results_are_stated_once_with_their_source():
    text = """Fill in the notes.

[s1] user: My order KV-12 never came.
[s2] assistant calls get_loan({"order_id": "KV-12"})
[s3] tool result of get_order: {"order_id": "KV-12", "placed_on": "2026-04-02", "order_total": 31.5}
[s4] assistant: Order KV-12: placed on is 2026-04-02, order total is 31.5 (get_order).
[s5] assistant calls get_tracking({"parcel_id": "P-9", "page": 2})
[s6] tool result of get_tracking: {"parcel_id": "P-9", "page": 2, "events": [{"at": "2026-04-03", "status": "moved"}, {"at": "2026-04-05", "status": "delivered", "delivered_building": "Annex 4"}]}
[s7] assistant: I will look at the payments next.
[s8] tool result of get_notes: [Older result cleared to save space.]"""
    facts = notes_of(text)["facts_established"]
    about = {fact["text"].partition(":")[0]: fact for fact in facts}
    order, parcel = about["Order KV-12"], about["Parcel P-9"]
    assert (order["source"], order["message_ids"]) == ("get_order", ["s4"])
    assert (parcel["source"], parcel["message_ids"]) == ("get_tracking", ["s6"])
    assert "delivered building is Annex 4" in " ".join(fact["text"] for fact in facts)
    assert len([fact for fact in facts if "KV-12:" in fact["text"]]) == 1
    assert "cleared" not in json.dumps(facts)


def test_what_a_tool_paid_was_offered_and_what_waits_is_open():
    def case(status):
        return f"""Fill in the notes.
[s1] assistant calls offer_refund({{"order_id": "KV-12", "amount": 31.5, "reason": "it never came"}})
[s2] tool result of offer_refund: {{"status": "{status}", "order_id": "KV-12", "amount": 31.5, "why": "x"}}"""

    notes = notes_of(case("paid"))
    assert notes["already_offered"] == [
        "Offered for order KV-12: refund of 31.5, paid (offer_refund)."
    ]
    assert notes["open_questions"] == []
    notes = notes_of(case("waiting for approval"))
    assert len(notes["already_offered"]) == len(notes["open_questions"]) == 1
    notes = notes_of(case("refused"))
    assert notes["already_offered"] == [] and "refused" in json.dumps(notes["facts_established"])


def test_entries_of_older_notes_are_kept_as_they_are():
    old = {
        "order_ids": ["KV-12"],
        "customer_problem": "The lamp of order KV-12, which cost 31.50 EUR, came in pieces on 3 May 2026.",
        "facts_established": [{"text": "A fact of 12 words with 3 figures, a (bracket) and, well, a tail.",
                               "source": "get_order", "message_ids": ["m1", "m7"]}],
        "already_offered": ["A voucher of 5.00 EUR (12 May), to be used within 30 days, or later."],
        "customer_wants": "",
        "open_questions": [],
    }  # fmt: skip
    new = "[m20] user: I want a refund for order KV-99, please."
    for _ in range(10):
        got = notes_of(f"Update the notes.\n\nNotes so far:\n{json.dumps(old)}\n\n{new}")
        assert got["order_ids"] == ["KV-12", "KV-99"]
        for name in ("customer_problem", "facts_established", "already_offered"):
            assert got[name] == old[name]
        assert got["customer_wants"] == "I want a refund for order KV-99, please."
        old = {**got, "order_ids": ["KV-12"], "customer_wants": ""}


def test_facts_as_texts_carry_their_source_if_the_description_asks_for_it():
    class Plain(BaseModel):
        facts_established: list[str]

    class Sourced(BaseModel):
        facts_established: list[str] = Field(description="each with its source")

    text = "[m1] user: The guard at the north gate signed for it.\n[m2] assistant: Thank you."
    assert filled(Plain, text) == {
        "facts_established": ["The guard at the north gate signed for it."]
    }
    got = filled(Sourced, text)["facts_established"]
    assert got == ["The guard at the north gate signed for it (customer)"]


def test_a_correction_puts_right_what_was_said_before():
    text = """[m1] user: I was charged 40.20 EUR on 3 May and the same again on 6 May.
[m2] assistant: I see.
[m3] user: Sorry, I looked again: the second charge was on 8 May, not on 6 May."""
    facts = notes_of(text)["facts_established"]
    assert "6 May" not in json.dumps(facts)
    assert facts[0]["text"] == "I was charged 40.20 EUR on 3 May and the same again on 8 May."
    assert facts[0]["message_ids"] == ["m1", "m3"]
    contrast = text.replace("Sorry, I looked again: the", "The")
    assert "6 May" in notes_of(contrast)["facts_established"][0]["text"]


def test_of_two_wishes_for_the_same_the_newer_counts():
    said = "[m1] user: I would like a refund.\n[m2] assistant: All right.\n[m3] user: {}"
    got = notes_of(said.format("I have changed my mind, I want a replacement, please."))
    assert "refund" not in got["customer_wants"] and "replacement" in got["customer_wants"]
    got = notes_of(said.format("For order A-12 I want a replacement, please. Only ring twice."))
    assert "replacement" in got["customer_wants"]


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(n, marks=pytest.mark.full) for n in range(4, 60))])  # fmt: skip
def test_notes_of_the_chats_of_the_desk(seed):
    """Chats that somebody else wrote, with what must be in the notes of each."""
    place = ROOT / "data" / "cartwise" / "make.py"
    spec = importlib.util.spec_from_file_location("make_cartwise", place)
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    chat = make.make_chat(seed)
    ids = [f"m{n}" for n in range(len(chat["messages"]))]
    notes = notes_of(f"Fill in the case notes.\n\n{render(chat['messages'], ids)}")
    corrected = {text: fact["message"] for fact in chat["facts"] for text in fact.get("gone", ())}
    for fact in chat["facts"]:
        held = json.dumps(notes[fact["field"]], ensure_ascii=False)
        for text in fact["must"]:
            if corrected.get(text, -1) <= fact["message"]:
                assert text in held, fact
    facts = " ".join(fact["text"] for fact in notes["facts_established"])
    assert not any(text in facts for text in corrected)


# ---------------------------------------------------------------- through the client, and its limits


def test_through_the_real_client():
    client = backends.connect("practice")
    text = f"Extract the person.\n\n{TOLD}"
    reply = client.messages.parse(
        model=NOTES_MODEL, max_tokens=500, output_format=Person,
        messages=[{"role": "user", "content": text}],
    )  # fmt: skip
    assert reply.parsed_output == Person(**RIGHT) and reply.stop_reason == "end_turn"


def test_the_same_request_gets_the_same_reply_whatever_came_between():
    case, values = SETS[0]
    before = filled(case.model, case.text(values))
    for other, more in SETS[1:20]:
        filled(other.model, other.text(more))
    assert filled(case.model, case.text(values)) == before


HARD = {
    "figures": "1" * 390, "letters": "A " * 199, "brackets": "[" * 3_000, "objects": '{"a":' * 3_000,
    "marks": "\n".join(f"[m{n}] user: x" for n in range(2_000)), "tags": "<a>" * 3_000,
    "commas": "1," * 199, "days": "1 May " * 66, "labels": "a:" * 199, "half": "\ud83d and a name",
    "endless": '{"total": 1e999, "age": NaN, "facts": [NaN]}', "zero": "\x00 a \x00",
}  # fmt: skip


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_hard_texts_are_read_in_time(text):
    start = time.perf_counter()
    for case in CASES[::4]:
        filled(case.model, text)
    json.dumps(notes_of(text), ensure_ascii=False).encode("utf-8")
    assert time.perf_counter() - start < 20


def long_case(entries):
    rng = random.Random(5)
    lines = []
    for n in range(entries):
        name, amount = f"KV-{rng.randrange(10_000)}", f"{rng.randrange(90)}.50"
        events = [{"at": f"2026-05-{d:02d}", "status": "moved", "sum": f"{rng.getrandbits(128):032x}"} for d in range(1, 9)]  # fmt: skip
        lines.append(
            rng.choice([
                f"[m{n}] user: The parcel of order {name} did not come. I would like {amount} EUR back.",
                f"[m{n}] assistant: I can offer you a voucher of {amount} EUR for order {name}.",
                f"[m{n}] user: When will it be here? The guard of gate {rng.randrange(9)} took it.",
                f"[m{n}] tool result of get_tracking: {json.dumps({'parcel_id': name, 'events': events})}",
                f"[m{n}] assistant: Parcel {name}: status is moved, paid is {amount} (get_tracking, page 2).",
            ])
        )  # fmt: skip
    return "Fill in the notes.\n\n" + "\n".join(lines)


def test_a_hundred_thousand_tokens_are_read_quickly_and_in_linear_time():
    text = long_case(1_000)
    assert count_text(text) > 100_000
    half, whole = (min(_seconds(part) for _ in range(3)) for part in (text[: len(text) // 2], text))
    assert whole < 2.5  # about 0.4 on a quiet machine
    assert whole < 4 * half + 0.1


def _seconds(text):
    start = time.perf_counter()
    filled(notes_schema(), text)
    return time.perf_counter() - start


def test_letters_of_other_scripts_are_kept():
    letters = "".join(c for c in "žluťoučký 日本 Ωμέγα" if c not in string.ascii_letters)
    got = filled({"properties": {"title": {"type": "string"}}}, f"Title: {letters}")
    assert got == {"title": letters}
