"""data/cartwise/: the world from a seed, the oracle, the chat."""

import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import cartwise
from helpers.guards import Policy, Rule
from helpers.messages import validate_request
from helpers.practice.tokenizer import count_text
from tests.scripted import lookups

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "data" / "cartwise"
ORACLE = cartwise.world.__globals__["_script"]("oracle.py")
SEEDS = range(1, 21)


def tokens(value) -> int:
    return count_text(json.dumps(value, ensure_ascii=False))


@pytest.fixture(scope="module")
def world():
    return cartwise.world()


# ---------------------------------------------------------------- from the seed


def test_the_stored_files_are_what_the_script_writes(tmp_path):
    made = tmp_path / "world.json", tmp_path / "chat.json"
    command = [sys.executable, "-B", FOLDER / "make.py", "--out", made[0], "--chat", made[1]]
    subprocess.run(command, check=True, env={"PYTHONHASHSEED": "5", "SYSTEMROOT": "C:\\Windows"})
    for path in made:
        assert path.read_bytes() == (FOLDER / path.name).read_bytes()


def test_the_same_seed_and_another(tmp_path):
    out = tmp_path / "other.json"
    script = [sys.executable, "-B", FOLDER / "make.py", "--seed", "7", "--out", out]
    subprocess.run(script, check=True)
    assert json.loads(out.read_text(encoding="utf-8")) == cartwise.world(7) == cartwise.world(7)
    assert not (tmp_path / "chat.json").exists()
    assert cartwise.chat(7) == cartwise.chat(7) != cartwise.chat(8)
    one, two = cartwise.world(7), cartwise.world(8)
    for part in ("orders", "tracking", "payments", "ticket_truth"):
        assert not set(one[part]) & set(two[part])


def test_the_files_are_small():
    sizes = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert sizes["world.json"] < 300_000 and sum(sizes.values()) < 350_000


def check_world(world):
    """What holds for the world of any seed."""
    orders, tracking, cases = world["orders"], world["tracking"], world["cases"]
    assert len(world["customers"]) >= 6 and 10 <= len(orders) <= 16 and len(world["tickets"]) == 40
    assert set(orders) == set(world["payments"])
    ids = [*orders, *tracking, *(t["ticket_id"] for t in world["tickets"])]
    ids += [c["customer_id"] for c in world["customers"]]
    ids += [p["payment_id"] for paid in world["payments"].values() for p in paid["payments"]]
    assert len(set(ids)) == len(ids)
    for kind, made in (("order", orders), ("parcel", tracking)):
        form = world["ids"][kind]
        assert all(re.fullmatch(form["pattern"], one) for one in [*made, form["example"]])
        assert form["example"] not in ids
    for order_id, order in orders.items():
        values = [parcel["parcel_value"] for parcel in order["parcels"]]
        assert order["order_total"] == pytest.approx(sum(values)) and min(values) > 0
        paid = world["payments"][order_id]
        total = sum(payment["amount"] for payment in paid["payments"])
        assert paid["captured_total"] == pytest.approx(total)
        assert paid["captured_total"] >= order["order_total"]
        assert order["placed_on"] < world["today"]
    for parcel_id, pages in tracking.items():
        times = [event["at"] for page in pages for event in page["events"]]
        assert times == sorted(set(times)) and times[-1][:10] < world["today"]
        serials = [event["event_id"] for page in pages for event in page["events"]]
        assert len(set(serials)) == len(serials)
        for n, page in enumerate(pages, 1):
            assert (page["parcel_id"], page["page"], page["pages"]) == (parcel_id, n, len(pages))
            assert page["next_page"] == (n + 1 if n < len(pages) else None)
            legend = page["legend"]
            assert all(event["status"] in legend["status"] for event in page["events"])
            assert all(event["facility"] in legend["facility"] for event in page["events"])
    kinds = list(world["ticket_truth"].values())
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "wrong building": 12,
        "look-alike": 11,
        "other": 17,
    }
    assert set(cases) == {"long", "short", "multi"}
    for case in cases.values():
        assert all(orders[o]["customer_id"] == case["customer_id"] for o in case["orders"])
        assert all(order_id in case["message"] for order_id in case["orders"])
    check_verdicts(world)


def check_verdicts(world):
    topics = [policy["rules"] for policy in world["policies"]]
    for rules in topics:
        for rule in rules:
            Rule.of(rule)
    policy = Policy(topics, approval_over=world["approval_over"])
    for order_id, order in world["orders"].items():
        entries = cartwise.verdict(world, {"orders": [order_id]})
        wanted = sorted([order_id, *(parcel["parcel_id"] for parcel in order["parcels"])])
        assert [entry["subject"] for entry in entries] == wanted  # one outcome for each subject
        # the guard, which was written apart from the oracle, comes to the same refunds
        owner = cartwise.Desk(world, order["customer_id"])
        due = policy.due(order, world["payments"][order_id], owner._parcels(order))
        assert {s: float(a) for s, a in due.items()} == ORACLE["due"](world, order_id)
    long = cartwise.verdict(world, world["cases"]["long"])
    multi = cartwise.verdict(world, world["cases"]["multi"])
    assert any(entry["outcome"] == "refund" for entry in multi)
    assert len({entry["outcome"] for entry in long}) >= 2


def test_the_stored_world(world):
    check_world(world)
    long = cartwise.verdict(world, world["cases"]["long"])
    refunds = [entry["amount"] for entry in long if entry["outcome"] == "refund"]
    assert max(refunds) > world["approval_over"] > min(refunds)  # one waits, one is paid


def test_other_seeds():
    worlds = [cartwise.world(seed) for seed in SEEDS]
    for made in worlds:
        check_world(made)
    outcomes = {
        tuple(e["outcome"] for e in cartwise.verdict(made, made["cases"]["long"]))
        for made in worlds
    }
    assert len(outcomes) > 10


@pytest.mark.full
def test_many_seeds():
    for seed in range(1_000, 1_200):
        check_world(cartwise.world(seed))
        check_chat(cartwise.chat(seed))


# ---------------------------------------------------------------- how much there is


def test_the_cases_take_so_many_lookups(world):
    steps = {key: len(lookups(world, case)) for key, case in world["cases"].items()}
    assert steps == {"long": 30, "short": 7, "multi": 18}


def test_raw_pages_are_about_ten_times_the_shaped_ones(world):
    for made in (world, cartwise.world(3)):
        for customer in made["customers"]:
            raw = cartwise.Desk(made, customer["customer_id"], shaped=False)
            shaped = cartwise.Desk(made, customer["customer_id"])
            for parcel_id, pages in made["tracking"].items():
                if not raw._owns(parcel_id):
                    continue
                for page in range(1, len(pages) + 1):
                    call = ("get_tracking", {"parcel_id": parcel_id, "page": page})
                    assert 3_600 < count_text(raw.call(*call)[0]) < 4_400
                    assert 330 < count_text(shaped.call(*call)[0]) < 480


# ---------------------------------------------------------------- the oracle


def changed(world, **fields):
    """A small world of one order with one parcel, with these fields."""
    event = {k: v for k, v in fields.items() if k in ("status", "delivered_building", "signed_by")}
    order = {"order_id": "O", "order_total": 50.0, "delivery_building": "Mill"}
    order["parcels"] = [{"parcel_id": "P", "parcel_value": fields.get("parcel_value", 20.0)}]
    paid = {"order_id": "O", "captured_total": 50.0, "refunded_total": 0.0}
    paid |= {k: v for k, v in fields.items() if k in paid}
    page = {"events": [event], "legend": {"status": {"XX": "delivered"}}}
    return {
        "orders": {"O": order},
        "payments": {"O": paid},
        "tracking": {"P": [page]},
        "policies": world["policies"],
    }


RULES = [
    (
        "status is delivered and delivered building is not delivery building",
        "refund",
        "parcel value",
    ),
    ("status is delivered and signed by is missing", "voucher", ""),
    ("status is delivered and signed by is known", "no refund", ""),
    ("status is lost and parcel value is under 10", "wait", ""),
]
PAID = [
    ("captured total is over order total", "refund", "captured total minus order total"),
    ("captured total is order total", "no refund", ""),
]


@pytest.mark.parametrize(
    "fields, outcome",
    [
        ({"status": "XX", "delivered_building": "Tower", "signed_by": "x"}, ("refund", 20.0)),
        ({"status": "XX", "delivered_building": "Mill"}, ("voucher", None)),
        ({"status": "XX", "delivered_building": "Mill", "signed_by": "x"}, ("no refund", None)),
        ({"status": "lost", "parcel_value": 9.99}, ("wait", None)),
        ({"status": "lost", "parcel_value": 10}, None),
        ({"status": "delivered", "signed_by": "x"}, ("no refund", None)),  # building not known
        ({}, None),
    ],
)
def test_the_oracle_judges(fields, outcome):
    def rules(made):
        keys = ("when", "outcome", "amount")
        return [dict(zip(keys, rule, strict=True)) for rule in made]

    policies = {"policies": [{"rules": rules(RULES)}, {"rules": rules(PAID)}]}
    entries = cartwise.verdict(changed(policies, **fields), {"orders": ["O"]})
    found = {entry["subject"]: (entry["outcome"], entry["amount"]) for entry in entries}
    assert found.pop("O") == ("no refund", None)
    assert found.get("P") == outcome
    twice = changed(policies, captured_total=100.0, **fields)
    assert ("O", "refund", 50.0) in [
        (e["subject"], e["outcome"], e["amount"])
        for e in cartwise.verdict(twice, {"orders": ["O"]})
    ]


def test_the_newest_event_counts(world):
    order_id = world["cases"]["long"]["orders"][0]
    parcel = world["orders"][order_id]["parcels"][0]["parcel_id"]
    before = cartwise.verdict(world, {"orders": [order_id]})
    other = copy.deepcopy(world)
    pages = other["tracking"][parcel]
    pages[0]["events"][0] |= {"delivered_building": "Somewhere", "signed_by": "nobody"}
    pages[0]["events"][3]["status"] = pages[-1]["events"][-1]["status"]
    assert cartwise.verdict(other, {"orders": [order_id]}) == before


ENTRIES = [
    {"subject": "CW-1000", "outcome": "no refund", "amount": None},
    {"subject": "PX-2000", "outcome": "refund", "amount": 31.1},
]


@pytest.mark.parametrize(
    "text, gone",
    [
        ("CW-1000: no refund. PX-2000: refund of 31.10 EUR.", 0),
        ("For PX-2000 there is a Refund of 31.1.\nNo refund for the order CW-1000: all fine.", 0),
        ("**PX-2000**\nRefund, 31.10 EUR\n\n**CW-1000**\nNo refund", 0),
        ("- CW-1000 - no refund\n- PX-2000 - a refund of EUR 31.10, because it is lost", 0),
        ("CW-1000: no refund. PX-2000: no refund of 31.10.", 1),
        ("CW-1000: refund. PX-2000: refund of 31.11.", 2),
        ("CW-1000: no refund.", 1),
        ("", 2),
    ],
)
def test_what_an_answer_leaves_out(text, gone):
    found = cartwise.missing(text, ENTRIES)
    assert len(found) == gone, found


def test_tickets_of_the_wrong_building(world):
    told = {ticket["ticket_id"]: ticket for ticket in world["tickets"]}
    wrong = cartwise.wrong_building(world)
    assert len(wrong) == 12 and wrong == sorted(wrong)
    for ticket_id, ticket in told.items():
        says = "wrong building" in f"{ticket['subject']} {ticket['text']}".lower()
        assert says == (ticket_id in wrong)


# ---------------------------------------------------------------- the chat


def check_chat(chat):
    messages = chat["messages"]
    assert len(messages) == 60 and not validate_request(messages[:-1])
    assert [m["role"] for m in messages] == ["user", "assistant"] * 30
    fields = {fact["field"] for fact in chat["facts"]}
    assert fields == {
        "order_ids",
        "facts_established",
        "already_offered",
        "customer_wants",
        "open_questions",
    }
    for fact in chat["facts"]:
        said = messages[fact["message"]]["content"]
        assert fact["must"] and all(text in said for text in fact["must"]), fact
        for text in fact.get("gone", ()):
            earlier = " ".join(m["content"] for m in messages[: fact["message"]])
            assert text in earlier and text not in fact["must"]
    text = json.dumps(messages)
    assert "{" not in re.sub(r'\{"role"', "", text)  # every gap is filled


def test_the_chat():
    for seed in (None, *SEEDS):
        chat = cartwise.chat(seed)
        check_chat(chat)
    messages = cartwise.chat()["messages"]
    assert 3_000 < tokens(messages) < 5_000
    replies = [count_text(message["content"]) for message in messages[1::2]]
    assert sum(120 <= size <= 250 for size in replies) >= 10  # as long as an agent's replies are


def test_which_facts_hold_and_which_are_there():
    said = {"facts": [
        {"message": 0, "must": ["4 May", "lamp"]},
        {"message": 2, "must": ["5 May"], "gone": ["4 May"]},
        {"message": 5, "must": ["12.50"]},
    ]}  # fmt: skip
    old, new, last = said["facts"]
    assert cartwise.facts_until(said, 2) == [old]
    assert cartwise.facts_until(said, 5) == [new] and cartwise.facts_until(said) == [new, last]
    every = said["facts"]
    assert cartwise.facts_in("The Lamp came on 4 May. It cost 12.50.", every) == [old, last]
    assert cartwise.facts_in("The lamp\ncame on 4 May", every) == []  # not in one line
    assert cartwise.facts_in(["A lamp. It came on 4 May."], every) == [old]
    assert cartwise.facts_in([], every) == cartwise.facts_in("", every) == []
