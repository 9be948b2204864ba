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
