"""An agent that follows a plan, behind the real client: for tests of the loop without any model.

It sees nothing but the request. Which step it is at, it tells by the results that stand there.
"""

import json

import anthropic
import httpx2

from helpers.cartwise import verdict
from helpers.messages import validate_request


def lookups(world: dict, case: dict) -> list[tuple[str, dict]]:
    """Every look-up that a case needs, in the order of an agent that looks up one thing a step."""
    plan = []
    for order_id in case["orders"]:
        plan.append(("get_order", {"order_id": order_id}))
        for parcel in world["orders"][order_id]["parcels"]:
            pages = len(world["tracking"][parcel["parcel_id"]])
            plan += [
                ("get_tracking", {"parcel_id": parcel["parcel_id"], "page": page + 1})
                for page in range(pages)
            ]
        plan.append(("get_payments", {"order_id": order_id}))
        plan.append(("search_tickets", {"query": order_id}))
    return plan + [("get_policy", {"topic": policy["topic"]}) for policy in world["policies"]]


def offers(world: dict, case: dict) -> list[tuple[str, dict]]:
    """The refunds that are due in a case."""
    found = []
    for order_id in case["orders"]:
        for entry in verdict(world, {"orders": [order_id]}):
            if entry["outcome"] == "refund":
                given = {"order_id": order_id, "amount": entry["amount"], "reason": "the rules"}
                found.append(("offer_refund", given))
    return found


def answer(world: dict, case: dict) -> str:
    lines = []
    for entry in verdict(world, case):
        amount = "" if entry["amount"] is None else f" of {entry['amount']:.2f}"
        lines.append(f"{entry['subject']}: {entry['outcome']}{amount}.")
    return "\n".join(lines)


def planned(world: dict, case: dict, *, together: int = 1):
    """A function from a request's body to content and stop reason: the plan, then the answer."""
    plan = lookups(world, case) + offers(world, case)
    steps = [plan[n : n + together] for n in range(0, len(plan), together)]
    final = answer(world, case)

    def reply(body: dict):
        done = sum(
            isinstance(m["content"], list)
            and any(block["type"] == "tool_result" for block in m["content"])
            for m in body["messages"]
        )
        if done >= len(steps):
            return [{"type": "text", "text": final}], "end_turn"
        calls = [
            {"type": "tool_use", "id": f"toolu_{done}_{n}", "name": name, "input": given}
            for n, (name, given) in enumerate(steps[done])
        ]
        return [{"type": "text", "text": f"Step {done + 1}."}, *calls], "tool_use"

    return reply


def client_of(reply, seen: list | None = None):
    """A real client. reply(body) gives content and stop reason, or an httpx2.Response; each body that
    arrives goes into `seen`, and one that the API would refuse fails."""

    def api(request):
        body = json.loads(request.content)
        problems = validate_request(
            body["messages"], system=body.get("system"), tools=body.get("tools")
        )
        pausing = body["messages"][-1]["role"] == "assistant"
        if problems and not pausing:
            raise AssertionError(problems[0])
        if seen is not None:
            seen.append(body)
        given = reply(body)
        if isinstance(given, httpx2.Response):
            return given
        content, stop = given
        message = {
            "id": f"msg_{len(body['messages'])}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 10 * len(body["messages"]), "output_tokens": 7},
        }
        return httpx2.Response(200, json=message)

    transport = httpx2.Client(transport=httpx2.MockTransport(api))
    return anthropic.Anthropic(api_key="practice", max_retries=0, http_client=transport)


# ---------------------------------------------------------------- a run that can be stopped anywhere


def short_plan(world: dict) -> tuple[dict, list[list[tuple[str, dict]]]]:
    """A case and four steps with everything in them: look-ups side by side, notes, two refunds."""
    case = world["cases"]["long"]
    order_id = case["orders"][0]
    parcel = world["orders"][order_id]["parcels"][0]["parcel_id"]
    return case, [
        [("get_order", {"order_id": order_id})],
        [
            ("get_tracking", {"parcel_id": parcel, "page": 6}),
            ("write_note", {"text": "The last page is read."}),
        ],
        [*offers(world, case), ("write_note", {"text": "Both refunds are asked for."})],
    ]


def follow(steps: list, final: str):
    """Like `planned`, for given steps."""

    def reply(body: dict):
        done = sum(isinstance(m["content"], list) and m["role"] == "user" for m in body["messages"])
        if done >= len(steps):
            return [{"type": "text", "text": final}], "end_turn"
        # the same ids in every reply, as some servers give them
        calls = [
            {"type": "tool_use", "id": f"call_{n}", "name": name, "input": given}
            for n, (name, given) in enumerate(steps[done])
        ]
        return calls, "tool_use"

    return reply


def run_short(db, run_id: str, on_point, *, shaped: bool = True):
    """The short plan against a database, loaded if it was begun; on_point(name) before and after
    everything that could be the last thing that a process does."""
    from helpers import cartwise
    from helpers.cartwise import Approval, Desk, run_case
    from helpers.notes import RunNotes
    from helpers.runs import RunStore

    world = cartwise.world()
    case, steps = short_plan(world)

    def around(name, function):
        def wrapped(*given, **options):
            on_point(f"before {name}")
            result = function(*given, **options)
            on_point(f"after {name}")
            return result

        return wrapped

    store = RunStore(db)
    run = store.load(run_id, case["customer_id"]) or cartwise.open_case(case, run_id)
    desk = Desk(
        world,
        case["customer_id"],
        db=db,
        shaped=shaped,
        notes=RunNotes(db, run_id, case["customer_id"]),
        approvals=[Approval(o["order_id"], o["amount"], "Ada") for _, o in offers(world, case)],
    )
    desk.call = around("call", desk.call)
    store.save, store.once = around("save", store.save), around("once", store.once)
    store._effects = Watched(store._effects, around)
    desk.refunds._docs = Watched(desk.refunds._docs, around)
    client = client_of(around("reply", follow(steps, "All is done.")))
    return run_case(client, run, desk, store=store)


class Watched:
    """A collection whose writes are points, too: between an effect and the note that it happened."""

    def __init__(self, docs, around):
        self.docs, self.around = docs, around

    def __getattr__(self, name):
        found = getattr(self.docs, name)
        return self.around(name, found) if name in ("insert_one", "replace_one") else found
