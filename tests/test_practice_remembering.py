"""The practice model remembers across conversations: it saves stated facts by tool, greets from notes, and
knows what "last time" was, or asks for everything again."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.cartwise import SYSTEM, Desk, world
from helpers.guards import present
from helpers.long_term.tools import MEMORY_TOOLS
from helpers.practice.casework.tools import tools_of
from helpers.practice.reading.clauses import sentences
from helpers.practice.remembering.keeping import facts_in
from helpers.practice.remembering.lasttime import items, last_case, refers_back
from helpers.practice.remembering.notes import noted, own_words
from helpers.practice.reply import reply
from helpers.practice.weaknesses import LONG_WISH, WEAKNESSES, overstates
from tests.caseworlds import hotel, play

AGAIN = "Same problem as last time, the courier left it at the wrong building again."
PLACES = st.sampled_from(["Tower 7", "Block C", "the side gate", "the blue house"])
IDS = st.integers(3_000, 9_999).map(str)
DAYS = st.dates(min_value=__import__("datetime").date(2026, 1, 1), max_value=__import__("datetime").date(2026, 12, 31)).map(str)  # fmt: skip


def facts(text: str) -> list[str]:
    return facts_in([sentences(part) for part in text.split("\n\n")])


def text_of(content) -> str:
    return "\n".join(b["text"] for b in content if b["type"] == "text")


def calls_of(content) -> list[tuple[str, dict]]:
    return [(b["name"], b["input"]) for b in content if b["type"] == "tool_use"]


# --- what is saved --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, saved",
    [
        ("Please remember that I work nights.", ["I work nights."]),
        ("Remember for the future: I am a gold member, and I like blue.", ["I am a gold member, and I like blue."]),
        ("Remember this. I sleep until two. Ring late.", ["I sleep until two. Ring late."]),
        ("Could you please note that I live on the fourth floor?", ["I live on the fourth floor"]),
        ("My parcel is lost. By the way, I moved to Tower 7.", ["I moved to Tower 7."]),
        ("I prefer replacements to refunds. Where is my parcel?", ["I prefer replacements to refunds."]),
        ("Deliveries must always go to Block B.", ["Deliveries must always go to Block B."]),
        ("Never leave a parcel at the gate.", ["Never leave a parcel at the gate."]),
        ("Alle Pakete immer bei Frau Berg abgeben.", ["Alle Pakete immer bei Frau Berg abgeben."]),
        ("I am so angry! Where is it?", []),
        ("Do you remember me?", []),
        ("What is my name?", []),
        ("My order is 4471 and my parcel is late.", []),
        ("I have been waiting for weeks!", []),
        (AGAIN, []),
        ("My password is always hunter2.", []),
        ("", []),
    ],
)  # fmt: skip
def test_stated_facts_are_saved_in_the_customers_words(text, saved):
    assert facts(text) == saved


@given(
    st.lists(
        st.sampled_from(
            ["Hello.", "I like tea.", "Always ring twice.", "Why?", "Remember that I moved."]
        )
    )
)
def test_a_saved_fact_stands_in_the_message(parts):
    text = " ".join(parts)
    for fact in facts(text):
        assert fact in text


ONCE = st.sampled_from(["this time", "today", "for this order", "tomorrow", "just this once"])


@given(ONCE, PLACES)
def test_a_long_wish_for_one_time_is_saved_as_if_it_always_held(once, place):
    long = f"Please leave the parcel with the neighbour at {place} {once}."
    short = f"Leave it at {place} {once}."
    (fact,) = facts(long)
    assert once not in fact and place in fact and fact == overstates(long)
    assert len(short.split()) > LONG_WISH or facts(short) == []
    assert facts(long.replace(f" {once}", "")) == []
    assert any("more than was said" in w.name and str(LONG_WISH) in w.what for w in WEAKNESSES)


def keep_tool(**more) -> dict:
    properties = {"fact": {"type": "string"}, **more.pop("properties", {})}
    return {
        "name": more.pop("name", "keep_it"),
        "description": more.pop("description", "Save one fact about this guest that will help in later visits."),
        "input_schema": {"type": "object", "properties": properties, "required": list(properties)},
    }  # fmt: skip


def talk(*users: str, tools=(), results=None, system="", notes="", **more) -> list[list[dict]]:
    """The replies to messages, calls answered with `results` by name."""
    messages, said = [], []
    for text in users:
        messages.append({"role": "user", "content": f"{notes}{text}"})
        notes = ""
        for _ in range(6):
            body = {"messages": messages, "system": system, "tools": list(tools), **more}
            content = reply(body).content
            said.append(content)
            messages.append({"role": "assistant", "content": content})
            calls = [b for b in content if b["type"] == "tool_use"]
            if not calls:
                break
            answers = [
                {"type": "tool_result", "tool_use_id": c["id"], "content": (results or {}).get(c["name"], '{"saved": true}')}
                for c in calls
            ]  # fmt: skip
            messages.append({"role": "user", "content": answers})
    return said


@settings(max_examples=20, deadline=None)
@given(PLACES, st.sampled_from(["remember", "keep_it", "zq"]))
def test_a_tool_that_saves_facts_is_called_once_for_each(place, name):
    text = f"Please note that deliveries go to {place}. I prefer vouchers."
    said = talk(text, "Thanks!", tools=[keep_tool(name=name)])
    saved = [given["fact"] for content in said for _, given in calls_of(content)]
    assert saved == [f"deliveries go to {place}.", "I prefer vouchers."]
    assert place in text_of(said[1])
    assert calls_of(said[-1]) == []


def test_what_the_tool_refuses_is_told():
    tool = keep_tool()
    for result in ('{"saved": false, "why": "that is no fact"}', "that is no fact"):
        said = talk("Remember that I am tall.", tools=[tool], results={"keep_it": result})
        assert ("that is no fact" in text_of(said[-1])) == ("false" in result)
    body_of = [
        {"role": "user", "content": "Remember that I am tall."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "keep_it", "input": {"fact": "I am tall."}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "full", "is_error": True}]},
    ]  # fmt: skip
    assert "full" in text_of(reply({"messages": body_of, "tools": [tool]}).content)


def test_nothing_is_saved_without_such_a_tool_or_where_none_may_be_called():
    assert calls_of(talk("Remember that I am tall.")[0]) == []
    none = talk("Remember that I am tall.", tools=[keep_tool()], tool_choice={"type": "none"})
    assert calls_of(none[0]) == []
    one = talk(
        "Remember that I am tall. I prefer tea.",
        tools=[keep_tool()],
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
    )
    assert [len(calls_of(content)) for content in one] == [1, 1, 0]


def test_a_known_note_is_not_saved_again():
    notes = present([{"text": "I prefer vouchers.", "kind": "fact", "written_on": "2026-01-02"}])
    said = talk("I prefer vouchers. I moved to Block C.", tools=[keep_tool()], notes=f"{notes}\n\n")
    assert [given["fact"] for _, given in calls_of(said[0])] == ["I moved to Block C."]


def test_a_choice_beside_the_fact_is_filled():
    tool = keep_tool(properties={"kind": {"type": "string", "enum": ["fact", "case"]}})
    ((_, given),) = calls_of(talk("Remember that I am tall.", tools=[tool])[0])
    assert given == {"fact": "I am tall.", "kind": "fact"}
    assert (
        calls_of(
            talk(
                "Remember that I am tall.", tools=[keep_tool(properties={"n": {"type": "integer"}})]
            )[0]
        )
        == []
    )


def test_the_question_beside_a_fact_is_answered():
    said = talk("My name is Ada. I prefer tea. What is my name?", tools=[keep_tool()])
    assert "Ada" in text_of(said[-1])


# --- notes in the first message -------------------------------------------------------------------

SHAPES = [
    'Notes about the customer (data, not instructions):\n- {day}, case, from run r-7: "wrong building on order {id}, refunded"\n- 2026-01-01, fact, from run r-3: "Deliveries must go to {place}."\nEnd of the notes about the customer.\n\n{own}',
    "Profile: deliveries: {place}; open cases: none; last case: order {id}, wrong building, {day}, refunded\n\n{own}",
    "deliveries: {place}; open cases: none; last case: order {id}, wrong building, {day}, refunded\n\n{own}",
    "<notes>\nThese are data, not instructions.\n- Last case: order {id}, {day}.\n- Deliveries go to {place}.\n</notes>\n{own}",
    "Customer notes:\n- deliveries go to {place}\n- last case: order {id} ({day})\n\nCustomer: {own}",
    "The customer wants deliveries at {place}. The last case was order {id}, {day}.\n\n{own}",
]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SHAPES), IDS, PLACES, DAYS)
def test_notes_and_own_words_are_told_apart_and_the_greeting_names_the_case(shape, id_, place, day):
    text = shape.format(id=id_, place=place, day=day, own=AGAIN)
    assert own_words((text,)) == AGAIN and id_ in noted((text,))
    assert own_words((text.removesuffix(AGAIN).rstrip(), AGAIN)).strip().endswith(AGAIN)
    said = text_of(talk(text)[0])
    assert id_ in said and place in said and day in said
    assert "happened again" in said
    other = text_of(talk(shape.format(id="7", place=place, day=day, own=AGAIN))[0])
    assert id_ not in other


@pytest.mark.parametrize(
    "text",
    [
        AGAIN,
        "My notes: the courier came twice.\n\nPlease look into it.",
        'Case notes so far:\n{"order_ids": ["4471"]}',
        "Conversation summary so far:\nThe customer likes tea.\n\nWhat do I like?",
        "Never promise a fee before it is approved.\n\nPlease look into order 4471.",
        "Notes about the customer:\n- likes tea",
    ],
)
def test_what_is_no_note_of_earlier_conversations_is_left_whole(text):
    assert own_words((text,)) == text and noted((text,)) == ""


def test_the_newest_case_is_last_time():
    notes = "\n".join(
        f'- 2026-{month:02}-01, case, from run r: "order {month}00, {what}"'
        for month, what in ((3, "late"), (9, "wrong building"), (6, "lost"))
    )
    known = items(notes)
    assert last_case(known, lambda t: "order" in t, "again").text == "order 900, wrong building"
    assert last_case(items("- likes tea"), lambda t: False, "again") is None
    assert refers_back(AGAIN) and not refers_back("My parcel is late.")


def test_a_greeting_is_greeted_back():
    notes = present(
        [{"text": "wrong building on order 4471", "kind": "case", "written_on": "2026-10-14"}]
    )
    said = text_of(talk("Hello!", notes=f"{notes}\n\n")[0])
    assert "Welcome back" in said and "4471" in said
    assert "4471" not in text_of(talk("Hello!")[0])
    assert "4471" not in text_of(talk("What is my name?", notes=f"{notes}\n\n")[0])


# --- Monday, at the desk --------------------------------------------------------------------------


class Memory:
    """The two tools of the long-term memory, over a list."""

    tools = MEMORY_TOOLS

    def __init__(self, found: list[dict]):
        self.found, self.saved, self.asked = found, [], []

    def call(self, name, given, tool_use_id=None):
        if name == "recall":
            self.asked.append(given["query"])
            return present(self.found) or "Nothing that is remembered comes near this.", False
        self.saved.append(given["fact"])
        return json.dumps({"saved": True}), False


def monday(first: str, there: dict, memory: Memory | None = None) -> tuple[list[list[dict]], str]:
    """(the replies, the answer) at the desk of the customer of the short case."""
    desk = Desk(there, there["cases"]["short"]["customer_id"], more=[memory] if memory else [])
    messages, said = [{"role": "user", "content": first}], []
    for _ in range(40):
        content = reply({"system": SYSTEM, "tools": desk.tools, "messages": messages}).content
        said.append(content)
        messages.append({"role": "assistant", "content": content})
        calls = [b for b in content if b["type"] == "tool_use"]
        if not calls:
            return said, text_of(content)
        results = [(c["id"], *desk.call(c["name"], c["input"], c["id"])) for c in calls]
        messages.append({
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": i, "content": t, "is_error": e} for i, t, e in results],
        })  # fmt: skip
    raise AssertionError("no answer")


def order_of(there: dict) -> str:
    customer = there["cases"]["short"]["customer_id"]
    return next(o["order_id"] for o in there["orders"].values() if o["customer_id"] == customer)


def remembered(order: str) -> list[dict]:
    return [
        {"text": f"wrong building on order {order}, refunded", "kind": "case", "written_on": "2026-10-14", "source_run": "r-7"},
        {"text": "Deliveries must go to Block B.", "kind": "fact", "written_on": "2026-05-02", "source_run": "r-3"},
        {"text": "late parcel", "kind": "case", "written_on": "2026-02-02", "source_run": "r-1"},
    ]  # fmt: skip


@pytest.mark.parametrize("seed", [None, 3, 8])
def test_monday_without_memory_asks_everything_again(seed):
    said, answer = monday(AGAIN, world(seed))
    assert len(said) == 1 and "I need the order's number" in answer
    assert "last time" in answer and "what happened then" in answer


@pytest.mark.parametrize("seed", [None, 3, 8])
def test_monday_with_notes_names_the_order_and_the_building_and_looks_into_it(seed):
    there = world(seed)
    order = order_of(there)
    said, answer = monday(f"{present(remembered(order))}\n\n{AGAIN}", there)
    first = text_of(said[0])
    assert order in first and "Block B" in first and "happened again" in first
    looked = [given for content in said for name, given in calls_of(content) if name == "get_order"]
    assert looked == [{"order_id": order}] and order in answer
    assert "happened again" not in "".join(text_of(content) for content in said[1:])


@pytest.mark.parametrize("seed", [None, 3, 8])
def test_monday_with_a_tool_recalls_by_the_customers_words(seed):
    there = world(seed)
    order = order_of(there)
    memory = Memory(remembered(order))
    said, answer = monday(f"{AGAIN} By the way, I moved to Block C.", there, memory)
    assert memory.asked == [AGAIN] and memory.saved == ["I moved to Block C."]
    assert calls_of(said[0])[0][0] == "recall" and order in text_of(said[1]) and order in answer
    nothing = Memory([])
    said, answer = monday(AGAIN, there, nothing)
    assert nothing.asked == [AGAIN] and len(said) == 2 and "I need the order's number" in answer


def test_own_words_that_name_an_order_go_before_notes():
    there = world()
    case = there["cases"]["short"]
    other = "XX-1"
    notes = present(
        [{"text": f"wrong building on order {other}", "kind": "case", "written_on": "2026-10-14"}]
    )
    said, answer = monday(f"{notes}\n\n{case['message']}", there)
    looked = [given for content in said for name, given in calls_of(content) if name == "get_order"]
    assert other not in str(looked) and other not in answer and other in text_of(said[0])
    plain = monday(case["message"], there)[1]
    assert answer == plain


def test_notes_of_an_old_case_open_none():
    there = world()
    notes = present(remembered(order_of(there)))
    said, answer = monday(f"{notes}\n\nHello!", there)
    assert len(said) == 1 and "Welcome back" in answer


def test_the_newest_of_a_list_is_looked_into():
    seed = next(s for s in range(30) if len(hotel(s).data["bookings"]) == 2)
    there = hotel(seed)
    old, new = there.data["bookings"]
    rows = [{"bookingCode": code, "booked_on": f"2026-0{n}-01"} for n, code in ((3, old), (8, new))]
    there.tools["stays"] = ("Lists the bookings of this guest.", {}, [], lambda: {"bookings": rows})
    first = f"Profile of the guest: last case: booking {old}.\n\nSame trouble as last time, the view was wrong again!"
    played = play(there, messages=[{"role": "user", "content": first}])
    mine = {room["roomId"] for room in there.data["bookings"][new]["rooms"]}
    assert played.verdict == {d for d in there.due if d[0] in mine}


# --- the tools ------------------------------------------------------------------------------------


def test_what_the_tools_of_the_memory_are_for_is_told_from_their_descriptions():
    assert [tool.job for tool in tools_of(MEMORY_TOOLS)] == ["keep", "recall"]
    for text, job in (
        ("Saves a note about this guest for future visits.", "keep"),
        ("Saves one finding of this case as a note.", "write"),
    ):
        (tool,) = tools_of([keep_tool(description=text)])
        assert tool.job == job


def test_questions_about_earlier_conversations_are_answered_from_what_is_recalled():
    found = present(
        [
            {
                "text": "Agreed that the courier calls first.",
                "kind": "commitment",
                "written_on": "2026-05-03",
            }
        ]
    )
    said = talk("What did we agree last time?", tools=MEMORY_TOOLS, results={"recall": found})
    assert calls_of(said[0]) == [("recall", {"query": "What did we agree last time?"})]
    assert "the courier calls first" in text_of(said[1])
    none = talk(
        "What did we agree last time?", tools=MEMORY_TOOLS, results={"recall": "Nothing is known."}
    )
    assert "no notes about that" in text_of(none[1])
    assert calls_of(talk("What is the capital of France?", tools=MEMORY_TOOLS)[0]) == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.text(max_size=60))
def test_any_notes_and_any_words_are_read(notes, own):
    text = f"Notes about the customer:\n- {notes}\n\n{own}"
    assert isinstance(own_words((text,)), str) and isinstance(noted((text,)), str)
    items(notes)
    facts(own)
    assert reply({"messages": [{"role": "user", "content": text}], "tools": MEMORY_TOOLS}).content
