"""Requests at the edge: none of them may raise, hang, or be answered with less than is known."""

import time

import pytest

from helpers.practice.reply import reply

NESTED = "[" * 1000 + "]" * 1000


def asks(*texts: str) -> dict:
    messages = []
    for text in texts[:-1]:
        messages += [{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}]
    return {"messages": [*messages, {"role": "user", "content": texts[-1]}]}


def answer(*texts: str) -> str:
    return reply(asks(*texts)).content[0]["text"]


def after_a_call(result: str, *more: dict) -> dict:
    call = {"type": "tool_use", "id": "toolu_0001", "name": "read_note", "input": {}}
    back = {"type": "tool_result", "tool_use_id": "toolu_0001", "content": result}
    return {
        "messages": [
            {"role": "user", "content": "Read the note, please."},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [back]},
            *more,
        ]
    }


def test_half_of_a_character_pair_in_a_result_becomes_a_question_mark():
    said = reply(after_a_call(r'{"note":"caf\ud83d"}')).content[0]["text"]
    assert "note caf?" in said
    said.encode("utf-8")


def test_a_deeply_nested_result_is_told_as_it_came():
    assert "[[[[" in reply(after_a_call(NESTED)).content[0]["text"]


def test_a_system_turn_after_results_does_not_hide_them():
    body = after_a_call("the shelf is empty", {"role": "system", "content": "Be brief."})
    assert "the shelf is empty" in reply(body).content[0]["text"]


def called(parameter: object, text: str, name: str = "order") -> list[dict]:
    schema = {"type": "object", "properties": {name: parameter}, "required": [name]}
    tool = {"name": "check_order", "description": "Check an order.", "input_schema": schema}
    choice = {"type": "tool", "name": "check_order"}
    return reply({**asks(text), "tools": [tool], "tool_choice": choice}).content


@pytest.mark.parametrize(
    "parameter",
    [True, False, None, {"type": "array", "items": True}, {"type": "array", "items": {"type": "array"}},
     {"type": ["string", "null"]}, {"type": "object"}, {"type": 7, "enum": 7}],
)  # fmt: skip
def test_a_parameter_of_any_schema_gets_a_value(parameter):
    (block,) = called(parameter, "Check order AB-12 in Rome, please.")
    assert block["type"] == "tool_use" and "order" in block["input"]


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_a_number_too_long_for_any_parameter_is_passed_over(kind):
    (block,) = called({"type": kind}, f"Check order {'9' * 400} and 7.")
    assert block["input"] == {"order": 7}


def test_a_pattern_is_never_run():
    spec = {"type": "string", "pattern": "^([A-Z0-9]+)+-$"}
    start = time.perf_counter()
    (block,) = called(spec, f"Check order {'A1' * 20}.")
    assert block["input"] == {"order": "A1" * 20}
    assert time.perf_counter() - start < 30  # run, it would take years


def test_a_friend_who_is_told_of_together_with_us_does_not_answer_for_me():
    told = "My best mate Fergus lives in Dundee, so we don't see each other much."
    assert answer("I live in Leith.", told, "where do I live?") == "You live in Leith."
    assert "Dundee" not in answer(told, "where do I live?")


def test_it_is_no_child():
    told = "My little boy can't have kiwi, it brings him out in hives."
    assert "kiwi" in answer(told, "Which fruit can't my little boy have?")


def test_a_statement_and_its_question_in_two_messages_in_a_row():
    said = ("My favourite colour is green.", "What is my favourite colour?")
    body = {"messages": [{"role": "user", "content": text} for text in said]}
    assert reply(body).content == [{"type": "text", "text": "Your favourite colour is green."}]


def test_a_code_that_was_never_told():
    unknown = "You have not told me the code of locker 1 in this conversation."
    assert answer("Good evening.", "What is the code of locker 1?") == unknown
    assert answer("The code of locker 2 is 55.", "What is the code of locker 1?") == unknown
