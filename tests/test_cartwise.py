"""helpers/cartwise/: the desk, the loop, and runs that are killed, with real processes."""

import itertools
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import anthropic
import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import cartwise
from helpers.backends import connect, failing
from helpers.cartwise import Approval, Desk, open_case, run_case
from helpers.cartwise.loop import MOST_TOKENS
from helpers.cartwise.tooling import definition, tool
from helpers.database import DatabaseUnavailable, connect_mongo, reset
from helpers.messages import validate_request
from helpers.models import AGENT_MODEL
from helpers.notes import RunNotes
from helpers.runs import Run, RunConflict, RunStore
from tests.scripted import answer, client_of, lookups, offers, planned, run_short
from tests.strategies import garbage

ROOT = Path(__file__).resolve().parents[1]
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}
WORLD = cartwise.world()
LONG, SHORT, MULTI = (WORLD["cases"][key] for key in ("long", "short", "multi"))
ORDER = LONG["orders"][0]
PARCEL = WORLD["orders"][ORDER]["parcels"][0]["parcel_id"]
THEIRS = SHORT["orders"][0]
THEIR_PARCEL = WORLD["orders"][THEIRS]["parcels"][0]["parcel_id"]
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson="test_cartwise")
    reset(database)
    yield database
    database.client.close()


@pytest.fixture(scope="module")
def store(db):
    return RunStore(db)


def desk(case=LONG, **options) -> Desk:
    return Desk(WORLD, case["customer_id"], **options)


def ask(the_desk, name, **given):
    text, is_error = the_desk.call(name, given)
    assert not is_error, text
    return json.loads(text)


# ---------------------------------------------------------------- the tools


def test_the_tools_as_the_model_sees_them():
    tools = {t["name"]: t for t in desk().tools}
    assert list(tools) == [
        "get_order",
        "get_tracking",
        "get_payments",
        "search_tickets",
        "get_policy",
        "offer_refund",
    ]
    hello = [{"role": "user", "content": "Hello"}]
    assert not validate_request(hello, tools=desk().tools, model=AGENT_MODEL)
    for name, made in tools.items():
        assert 100 < len(made["description"]) < 400 and "{" not in made["description"]
        for what in made["input_schema"]["properties"].values():
            assert what["description"] and "{" not in what["description"]
        assert made["input_schema"]["required"], name
    topics = [policy["topic"] for policy in WORLD["policies"]]
    assert tools["get_policy"]["input_schema"]["properties"]["topic"]["enum"] == topics
    page = tools["get_tracking"]["input_schema"]["properties"]["page"]
    assert page["type"] == "integer" and page["default"] == 1


def test_the_examples_are_nobodys():
    text = json.dumps(desk().tools)
    assert not any(one in text for one in [*WORLD["orders"], *WORLD["tracking"]])


def test_a_tool_from_a_function():
    @tool(city="The city, such as {city}.", days="How many.")
    def weather(city: str, days: int = 3, *, secret: str = ""):
        """Reads the weather
        of a city."""

    assert definition(weather, {"city": "Ulm"}, {"city": {"minLength": 1}}) == {
        "name": "weather",
        "description": "Reads the weather of a city.",
        "input_schema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "The city, such as Ulm.", "minLength": 1},
                "days": {"type": "integer", "description": "How many.", "default": 3},
            },
            "required": ["city"],
            "additionalProperties": False,
        },
    }


def test_what_the_tools_answer():
    one = desk()
    order = ask(one, "get_order", order_id=ORDER)
    assert order["delivery_building"] and len(order["parcels"]) == 4 and "basket" not in order
    first = ask(one, "get_tracking", parcel_id=PARCEL)
    last = ask(one, "get_tracking", parcel_id=PARCEL, page=6)
    assert (first["next_page"], last["next_page"], len(first["events"])) == (2, None, 8)
    assert "without news" in first["left_out"] and "legend" not in first
    assert ask(one, "get_payments", order_id=ORDER)["captured_total"] == order["order_total"]
    found = ask(one, "search_tickets", query=ORDER)
    assert [t["order_id"] for t in found["tickets"]] == [ORDER] * 3 and found["pages"] == 1
    policy = ask(one, "get_policy", topic=WORLD["policies"][0]["topic"])
    assert policy["rules"][0].keys() == {"rule", "when", "outcome", "amount"}


def test_raw_and_shaped_say_the_same():
    shaped, raw = desk(), desk(shaped=False)
    page = {"parcel_id": PARCEL, "page": 6}
    there = ask(raw, "get_tracking", **page)
    assert there == WORLD["tracking"][PARCEL][5] and "legend" in there
    newest = ask(shaped, "get_tracking", **page)["events"][-1]
    event = there["events"][-1]
    assert newest["status"] == there["legend"]["status"][event["status"]]
    assert newest.get("delivered_building") == event.get("delivered_building")


def test_all_forty_tickets_can_be_read():
    one, found, page = desk(), [], 1
    while page:
        result = ask(one, "search_tickets", query="", page=page)
        found += result["tickets"]
        page = result["next_page"]
    assert [t["ticket_id"] for t in found] == [t["ticket_id"] for t in WORLD["tickets"]]
    wrong = ask(one, "search_tickets", query="wrong building")
    assert wrong["pages"] > 1
    assert ask(one, "search_tickets", query="zzz")["tickets"] == []
    near = ask(one, "search_tickets", query="courier zzz weekend")
    assert near["pages"] == 1 and near["tickets"]


NOT_FOUND = [
    ("get_order", {"order_id": THEIRS}),
    ("get_order", {"order_id": ORDER.lower()}),
    ("get_order", {"order_id": ""}),
    ("get_payments", {"order_id": THEIRS}),
    ("get_tracking", {"parcel_id": THEIR_PARCEL}),
    ("offer_refund", {"order_id": THEIRS, "amount": 10.0, "reason": "x"}),
]


@pytest.mark.parametrize("name, given", NOT_FOUND)
def test_somebody_elses_order_is_not_found(name, given):
    text, is_error = desk().call(name, given)
    invented = {k: (v[:-4] + "0000" if k.endswith("_id") and v else v) for k, v in given.items()}
    assert is_error and "was found" in text
    other, _ = desk().call(name, invented)  # nobody's at all: the same words
    assert other.replace(repr(list(invented.values())[0]), "") == text.replace(
        repr(list(given.values())[0]), ""
    )


@pytest.mark.parametrize("shaped", [True, False])
def test_tickets_of_others_name_nobody(shaped):
    one, page = desk(shaped=shaped), 1
    mine = {t["ticket_id"] for t in WORLD["tickets"] if t["customer_id"] == LONG["customer_id"]}
    while page:
        result = ask(one, "search_tickets", query="", page=page)
        for ticket in result["tickets"]:
            assert "customer_id" not in ticket
            assert ("order_id" in ticket) == (ticket["ticket_id"] in mine)
        page = result["next_page"]
    other = next(t for t in WORLD["tickets"] if t["ticket_id"] not in mine)
    assert ask(one, "search_tickets", query=other["order_id"])["tickets"] == []


@pytest.mark.parametrize("customer", ["", "C-0", None, {"$ne": ""}, ["C"]])
def test_a_customer_of_the_shop(customer):
    with pytest.raises(ValueError, match="login"):
        Desk(WORLD, customer)


@pytest.mark.parametrize(
    "name, given, way_out",
    [
        ("get_orders", {}, "The tools are get_order,"),
        ("get_order", {}, "order_id is missing"),
        ("get_order", {"order_id": 3}, "must be a string"),
        ("get_order", {"order_id": None}, "must be a string"),
        ("get_order", {"id": ORDER}, "use order_id"),
        ("get_order", {"order_id": ORDER, "customer_id": "C"}, "no parameter 'customer_id'"),
        ("get_order", ORDER, "an object with order_id"),
        ("get_order", None, "an object with order_id"),
        ("get_tracking", {"parcel_id": PARCEL, "page": 7}, "1 to 6"),
        ("get_tracking", {"parcel_id": PARCEL, "page": 0}, "1 to 6"),
        ("get_tracking", {"parcel_id": PARCEL, "page": "2"}, "must be a integer"),
        ("get_tracking", {"parcel_id": PARCEL, "page": True}, "must be a integer"),
        ("get_policy", {"topic": "weather"}, "The topics are"),
        ("search_tickets", {"query": "zzz", "page": 2}, "1 to 1"),
        ("offer_refund", {"order_id": ORDER, "amount": 10.0}, "reason is missing"),
        ("offer_refund", {"order_id": ORDER, "amount": 10.0, "reason": " "}, "reason is empty"),
        ("offer_refund", {"order_id": ORDER, "amount": "10", "reason": "x"}, "must be a number"),
    ],
)
def test_errors_have_a_way_out(name, given, way_out):
    text, is_error = desk().call(name, given)
    assert is_error and way_out in text


@settings(max_examples=60, **QUIET)
@given(name=st.sampled_from([t["name"] for t in desk().tools]), thing=garbage())
def test_any_input(name, thing):
    one = desk()
    for given_ in (thing, {"order_id": thing}, {"query": thing, "page": 1}):
        text, is_error = one.call(name, given_)
        assert isinstance(text, str) and text and isinstance(is_error, bool)
    assert one.refunds.total() == 0


def test_refunds_and_approvals():
    one = desk()
    small, large = sorted(offer["amount"] for _, offer in offers(WORLD, LONG))

    def refund(amount, call):
        given_ = {"order_id": ORDER, "amount": amount, "reason": "the rules"}
        return json.loads(one.call("offer_refund", given_, call)[0])["status"]

    assert refund(large, "a") == refund(large, "b") == "waiting for approval"
    assert one.refunds.waiting() == [{"order_id": ORDER, "amount": str(large)}]
    assert refund(small, "c") == refund(small, "c") == "paid"  # the same call
    assert refund(small, "d") == "refused"  # another one
    one.approvals += (Approval(ORDER, large, "Ada"),)
    assert refund(large, "e") == "paid" and one.refunds.waiting() == []
    assert refund(large, "f") == "refused"
    assert one.refunds.total() == Decimal(str(small)) + Decimal(str(large))


def test_notes_and_other_toolsets(db):
    class More:
        tools = [{"name": "ring", "input_schema": {"type": "object"}}]

        def call(self, name, given, tool_use_id=None):
            return f"{name} {given} {tool_use_id}", False

    notes = RunNotes(db, "notes", LONG["customer_id"])
    one = desk(notes=notes, more=[More()])
    names = [t["name"] for t in one.tools]
    assert names[-3:] == ["write_note", "read_notes", "ring"]
    assert one.effects == {"offer_refund", "write_note", "ring"}
    assert ask(one, "write_note", text="Found it.")["saved"]
    assert ask(one, "read_notes")["notes"][0]["text"] == "Found it."
    assert one.call("ring", {"x": 1}, "t") == ("ring {'x': 1} t", False)


# ---------------------------------------------------------------- the loop


def text(said="Done."):
    return [{"type": "text", "text": said}]


def use(name="get_order", id="t1", **given_):
    return {"type": "tool_use", "id": id, "name": name, "input": given_ or {"order_id": ORDER}}


def scripted(*replies, seen=None):
    left = iter(replies)
    return client_of(lambda body: next(left), seen)


def results_of(message):
    return [block for block in message["content"] if block["type"] == "tool_result"]


@pytest.mark.parametrize("key", ["long", "short", "multi"])
@pytest.mark.parametrize("together", [1, 4])
def test_a_case_to_its_end(store, key, together):
    case, seen, heard, steps = WORLD["cases"][key], [], [], []
    run = run_case(
        client_of(planned(WORLD, case, together=together), seen),
        open_case(case, f"{key}-{together}"),
        desk(case),
        store=store,
        progress=lambda run, what: heard.append(what),
        after_step=lambda run: steps.append((run.step, run.version)),
    )
    assert run.done and run.reply == answer(WORLD, case) and run.pending is None
    assert cartwise.missing(run.reply, cartwise.verdict(WORLD, case)) == []
    planned_calls = lookups(WORLD, case) + offers(WORLD, case)
    assert run.step == len(run.ledger) == len(seen) == -(-len(planned_calls) // together) + 1
    assert [number for number, _ in steps] == list(range(1, run.step + 1))
    assert run.version == 2 * run.step - 1 == steps[-1][1]
    assert len(heard) == run.step and heard[-1] == "answered" and "get_order" in heard[0]
    assert store.load(run.run_id, case["customer_id"]) == run
    assert not validate_request(run.messages[:-1], tools=seen[0]["tools"])
    assert [body["messages"] for body in seen] == [
        run.messages[: len(body["messages"])] for body in seen
    ]
    assert seen[0]["system"] == cartwise.SYSTEM and seen[0]["model"] == AGENT_MODEL


def test_parallel_calls_are_answered_together():
    calls = [use(id="a"), use("nothing", id="b"), use("get_payments", id="c")]
    run = run_case(
        scripted(([*text("Three."), *calls], "tool_use"), (text(), "end_turn")),
        open_case(LONG, "r"),
        desk(),
    )
    assert [m["role"] for m in run.messages] == ["user", "assistant", "user", "assistant"]
    results = run.messages[2]["content"]
    assert [r["tool_use_id"] for r in results] == ["a", "b", "c"]
    assert [r.get("is_error", False) for r in results] == [False, True, False]
    assert "The tools are get_order" in results[1]["content"]


def test_ids_that_come_again_get_new_ones():
    seen = []
    run = run_case(
        scripted(
            ([use(id="call_0"), use("get_payments", id="call_0")], "tool_use"),
            ([use(id="call_0")], "tool_use"),
            (text(), "end_turn"),
            seen=seen,
        ),
        open_case(LONG, "r"),
        desk(),
    )
    ids = [r["tool_use_id"] for m in run.messages[2::2] for r in results_of(m)]
    assert run.done and ids == ["call_0", "call_0-2", "call_0-3"]


def test_a_tool_that_raises():
    class Broken(SimpleNamespace):
        tools, effects = desk().tools, frozenset()

        def call(self, name, given_, call_id):
            raise self.error

    for error, said in [(LookupError("no such place"), "no such place"), (KeyError(), "KeyError")]:
        run = run_case(
            scripted(([use()], "tool_use"), (text(), "end_turn")),
            open_case(LONG, "r"),
            Broken(error=error),
        )
        assert results_of(run.messages[2])[0]["is_error"] and said in str(run.messages[2])
    for error in (DatabaseUnavailable("gone"), RunConflict("other"), anthropic.AnthropicError()):
        run = open_case(LONG, "r")
        with pytest.raises(type(error)):
            run_case(scripted(([use()], "tool_use")), run, Broken(error=error))
        assert run.open_calls() and not run.done  # and it can be resumed
        assert run_case(scripted((text(), "end_turn")), run, desk()).done


def test_empty_results():
    class Empty(SimpleNamespace):
        tools, effects = desk().tools, frozenset()

        def call(self, name, given_, call_id):
            return "", name == "get_order"

    calls = [use(id="a"), use("get_payments", id="b")]
    client = scripted((calls, "tool_use"), (text(), "end_turn"))
    run = run_case(client, open_case(LONG, "r"), Empty())
    first, second = results_of(run.messages[2])
    assert first["is_error"] and first["content"] and second["content"] == ""


def test_the_step_limit():
    forever = client_of(lambda body: ([use(id=f"t{len(body['messages'])}")], "tool_use"))
    run = run_case(forever, open_case(LONG, "r"), desk(), max_steps=3)
    assert run.step == 3 and not run.done and not run.open_calls()
    assert run.pending["why"] == "step limit" and run.pending["step"] == 3
    assert "max_steps" in run.pending["text"]
    again = run_case(forever, run, desk(), max_steps=3)
    assert again is run and run.step == 3 and run.pending
    run_case(scripted((text(), "end_turn")), run, desk(), max_steps=4)
    assert run.done and run.pending is None


def test_a_turn_that_pauses():
    seen = []
    server = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}
    run = run_case(
        scripted(([*text("Looking."), server], "pause_turn"), (text(), "end_turn"), seen=seen),
        open_case(LONG, "r"),
        desk(),
    )
    assert run.done and [m["role"] for m in run.messages] == ["user", "assistant", "assistant"]
    assert seen[1]["messages"][-1]["content"][1] == server


@pytest.mark.parametrize("cut", [[use(order_id="CW-")], text("The refund of"), []])
def test_a_reply_that_was_cut(cut):
    seen = []
    run = run_case(
        scripted((cut, "max_tokens"), (text(), "end_turn"), seen=seen),
        open_case(LONG, "r"),
        desk(),
        max_tokens=100,
    )
    assert run.done and run.reply == "Done." and len(run.messages) == 2
    assert [body["max_tokens"] for body in seen] == [100, 200] and len(run.ledger) == 2
    assert seen[0]["messages"] == seen[1]["messages"]


def test_a_reply_that_is_cut_again_and_again():
    seen = []
    forever = client_of(lambda body: ([use()], "max_tokens"), seen)
    run = run_case(forever, open_case(LONG, "r"), desk(), max_tokens=3_000)
    assert run.pending["why"] == "cut" and f"{MOST_TOKENS:,}" in run.pending["text"]
    assert [body["max_tokens"] for body in seen] == [3_000, 6_000, 12_000, MOST_TOKENS]
    assert len(run.messages) == 1
    assert run_case(scripted((text(), "end_turn")), run, desk()).done


@pytest.mark.parametrize(
    "content, stop, why",
    [
        (text("I cannot help."), "refusal", "refused"),
        ([], "refusal", "refused"),
        ([use()], "refusal", "refused"),
        ([], "end_turn", "empty"),
        ([{"type": "text", "text": " \n"}], "end_turn", "empty"),
        ([{"type": "thinking", "thinking": "hm", "signature": "s"}], "end_turn", "empty"),
        (text("Half"), "model_context_window_exceeded", "window full"),
    ],
)
def test_replies_that_are_none(content, stop, why):
    run = run_case(scripted((content, stop)), open_case(LONG, "r"), desk())
    assert run.pending["why"] == why and not run.done and len(run.messages) == 1
    assert run_case(scripted((text(), "end_turn")), run, desk()).done and run.pending is None


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}


def test_thinking_is_kept_only_when_asked_for():
    for keep in (False, True):
        run = run_case(
            scripted(([THOUGHT, use()], "tool_use"), ([THOUGHT, *text()], "end_turn")),
            open_case(LONG, "r"),
            desk(),
            keep_thinking=keep,
        )
        kinds = [b["type"] for m in run.messages[1::2] for b in m["content"]]
        assert kinds == (
            ["thinking", "tool_use", "thinking", "text"] if keep else ["tool_use", "text"]
        )


def test_an_api_error_leaves_the_run_as_it_was(store):
    run = run_case(
        client_of(lambda body: ([use(id=f"t{len(body['messages'])}")], "tool_use")),
        open_case(LONG, "error"),
        desk(),
        store=store,
        max_steps=2,
    )
    before = run.model_copy(deep=True)
    for broken in (failing(connect("practice"), 529), scripted(httpx2.Response(500, json={}))):
        with pytest.raises(anthropic.APIStatusError):
            run_case(broken, run, desk(), store=store)
        assert run.messages == before.messages and run.version == before.version
    assert run_case(scripted((text(), "end_turn")), run, desk(), store=store).done


def test_what_is_sent_is_prepared():
    seen, prepared = [], []

    def prepare(run):
        prepared.append(run.step)
        run.cleared = ["t1"]
        return [{"role": "user", "content": "Only this."}]

    run = run_case(
        scripted(([use()], "tool_use"), (text(), "end_turn"), seen=seen),
        open_case(LONG, "r"),
        desk(),
        prepare=prepare,
        extra={"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
    )
    assert prepared == [0, 1] and run.cleared == ["t1"] and len(run.messages) == 4
    assert all(body["messages"] == [{"role": "user", "content": "Only this."}] for body in seen)
    assert seen[0]["tool_choice"]["disable_parallel_tool_use"]


def test_betas_go_through_the_beta_client():
    seen = []
    edits = {"edits": [{"type": "clear_tool_uses_20250919"}]}
    run_case(
        scripted((text(), "end_turn"), seen=seen),
        open_case(LONG, "r"),
        desk(),
        extra={"betas": ["context-management-2025-06-27"], "context_management": edits},
    )
    assert seen[0]["context_management"] == edits and "betas" not in seen[0]


def test_runs_that_cannot_be_worked_on():
    with pytest.raises(ValueError, match="no message"):
        run_case(None, Run(run_id="r", customer_id=LONG["customer_id"]), desk())
    with pytest.raises(ValueError, match="customer"):
        run_case(None, open_case(LONG, "r"), desk(SHORT))


def test_a_run_that_is_done_goes_on_with_the_next_message(store):
    run = run_case(
        scripted((text("First."), "end_turn")), open_case(LONG, "next"), desk(), store=store
    )
    version = run.version
    assert run_case(scripted(), run, desk(), store=store).version == version
    run.add({"role": "user", "content": "And now?"})
    run_case(scripted((text("Second."), "end_turn")), run, desk(), store=store)
    assert run.done and run.reply == "Second." and run.step == 2


# ---------------------------------------------------------------- with the practice model


@pytest.fixture(scope="module")
def client():
    return connect("practice")


def solved(client, world, case, the_desk, **options):
    """The run of a case; asserted: the verdict of the oracle, and the money that it gives."""
    run = run_case(client, open_case(case, f"r{next(NUMBERS)}"), the_desk, **options)
    assert run.done and run.pending is None
    assert cartwise.missing(run.reply, cartwise.verdict(world, case)) == []
    real = getattr(the_desk, "desk", the_desk)
    due = {(o["order_id"], Decimal(str(o["amount"]))) for _, o in offers(world, case)}
    paid = {
        (order_id, refund.amount)
        for order_id in case["orders"]
        for refund in real.refunds.paid(order_id)
    }
    waiting = {(w["order_id"], Decimal(w["amount"])) for w in real.refunds.waiting()}
    assert paid | waiting == due and not paid & waiting
    return run


@pytest.mark.parametrize("key, calls", [("long", 33), ("short", 9), ("multi", 20)])
@pytest.mark.parametrize("shaped", [True, False])
def test_the_practice_model_solves_the_cases(client, key, calls, shaped):
    case = WORLD["cases"][key]
    run = solved(client, WORLD, case, desk(case, shaped=shaped))
    assert run.step == calls
    if key == "long":  # thirty look-ups, two refunds, the answer
        names = [
            c["name"] for m in run.messages[1:-1:2] for c in m["content"] if c["type"] == "tool_use"
        ]
        assert names.index("offer_refund") == 30
        sent = [row.prompt_tokens for row in run.ledger]
        assert sent[29] > 80_000 if not shaped else sent[29] < 20_000


class Renamed:
    """A desk whose tools have other names and stand in another order."""

    def __init__(self, real: Desk):
        self.desk, self.customer_id = real, real.customer_id
        self.names = {f"action_{n}": t["name"] for n, t in enumerate(reversed(real.tools))}
        new = {old: name for name, old in self.names.items()}
        self.tools = [
            {**json.loads(_with_names(json.dumps(t), new)), "name": new[t["name"]]}
            for t in reversed(real.tools)
        ]
        self.effects = {name for name, old in self.names.items() if old in real.effects}

    def call(self, name, given_, call_id=None):
        said, is_error = self.desk.call(self.names.get(name, name), given_, call_id)
        return said, is_error


def _with_names(said, new):
    for old, name in new.items():
        said = said.replace(old, name)
    return said


def check_seed(client, seed, keys=("short", "multi", "long")):
    world = cartwise.world(seed)
    for key in keys:
        case = world["cases"][key]
        solved(client, world, case, Desk(world, case["customer_id"]))


def test_other_worlds(client):
    for seed in (1, 2):
        check_seed(client, seed, ("short", "multi"))


def test_other_names(client):
    solved(client, WORLD, MULTI, Renamed(desk(MULTI)))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 120))
def test_twenty_worlds(client, seed):
    check_seed(client, seed)


@pytest.mark.full
@pytest.mark.parametrize("key", ["short", "multi", "long"])
def test_other_names_in_all_cases(client, key):
    case = WORLD["cases"][key]
    solved(client, WORLD, case, Renamed(desk(case)))


# ---------------------------------------------------------------- killed


# One process, a thread for each point with a database of its own; all stand still where they are to be
# killed, and then the process is killed.
CHILD = f"""
import sys, threading, time
sys.path.insert(0, {str(ROOT)!r})
from helpers.database import connect_mongo
from tests.scripted import run_short

def stop_at(at):
    passed = iter(range(10_000))
    def on_point(name):
        if next(passed) == at:
            print(f"here {{at}} {{name}}\\n", end="", flush=True)
            time.sleep(600)
    run_short(mongo[f"agent_memory_test_kill_{{at}}"], "killed", on_point)

mongo = connect_mongo(lesson="test_kill").client
for at in sys.argv[1:]:
    threading.Thread(target=stop_at, args=[int(at)], daemon=True).start()
time.sleep(600)
"""


@pytest.fixture(scope="module")
def undisturbed():
    """The points of a run that nobody kills, and what it comes to."""
    points = []
    database = connect_mongo(lesson="test_kill_none")
    reset(database)
    run = run_short(database, "killed", points.append)
    outcome = state(database, run)
    database.client.close()
    assert run.done and len(outcome["refunds"]) == 2 and len(outcome["notes"]) == 2
    return points, outcome


def state(database, run):
    """All that a run has left behind, apart from times, versions and the like."""
    rows = list(database.refunds.find({}).sort("_id", 1))
    return {
        "messages": run.messages,
        "ids": run.message_ids,
        "reply": run.reply,
        "step": run.step,
        "refunds": [
            (row["_id"], made["amount"], made["offer_id"]) for row in rows for made in row["made"]
        ],
        "notes": [n.text for n in RunNotes(database, run.run_id, run.customer_id).read_notes()],
        "effects": database.run_effects.count_documents({}),
    }


def killed_at(numbers, points, outcome):
    """Runs that are killed at these points; here they go on."""
    mongo = connect_mongo(lesson="test_kill").client
    databases = {n: mongo[f"agent_memory_test_kill_{n}"] for n in numbers}
    for database in databases.values():
        reset(database)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *map(str, numbers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    try:
        there, said = {}, []
        while len(there) < len(databases):
            said.append(child.stdout.readline())
            assert said[-1], "".join(said)
            if said[-1].startswith("here "):
                _, number, name = said[-1].strip().split(maxsplit=2)
                there[int(number)] = name
    finally:
        child.kill()
        child.communicate()
    assert there == {n: points[n] for n in numbers}
    for number, database in databases.items():
        run = run_short(database, "killed", lambda name: None)
        assert run.done and state(database, run) == outcome, (number, points[number])
        assert not validate_request(run.messages[:-1])
        reset(database)
    mongo.close()


def chosen(points):
    """Where it hurts most: between a refund and the note of it, between two refunds, before a save."""
    paid = [n for n, name in enumerate(points) if name == "after replace_one"]
    noted = [n for n, name in enumerate(points) if name == "after once"]
    saves = [n for n, name in enumerate(points) if name == "before save"]
    return [paid[-1], noted[1], saves[2]]


def test_killed_between_its_steps(undisturbed):
    points, outcome = undisturbed
    killed_at(chosen(points), points, outcome)


@pytest.mark.full
def test_killed_at_every_point(undisturbed):
    points, outcome = undisturbed
    assert len(points) > 50
    killed_at(range(len(points)), points, outcome)


def test_two_processes_on_one_run(undisturbed, db):
    """Both may call the tools; one saves first, the other hears of it; nothing happens twice."""
    database = connect_mongo(lesson="test_kill_two")
    reset(database)
    _, outcome = undisturbed
    began = []

    def other_first(name):
        if name == "before save" and not began:
            began.append(name)
            run_short(database, "killed", lambda name: None)

    with pytest.raises(RunConflict):
        run_short(database, "killed", other_first)
    run = RunStore(database).load("killed", LONG["customer_id"])
    assert state(database, run) == outcome
    reset(database)
    database.client.close()
