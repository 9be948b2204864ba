"""Three small worlds of different subject for the practice model's work on cases, and a plain loop.

Each world has data, tools over them, rules in controlled English, a message that brings the case, and a
verdict that is computed from the data by plain Python, without a look at the practice model. Values,
numbers of parts and pages, names of tools and their order come from a seed.
"""

import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from helpers.practice.casework.findings import conclusions_in
from helpers.practice.reply import reply

FIRST = ["Ava", "Bruno", "Chandra", "Dagny", "Emre", "Fumiko"]


@dataclass
class World:
    """`tools`: name -> (description, properties, required, function). `due`: (id, outcome, amount)."""

    message: str
    system: str
    tools: dict[str, tuple]
    due: set[tuple]
    data: dict = field(default_factory=dict)
    done: list[dict] = field(default_factory=list)  # what the acting tool was asked for

    def offered(self, rng: random.Random | None = None) -> tuple[list[dict], dict[str, str]]:
        """The tools as the API wants them, renamed and shuffled by `rng`; and the names behind."""
        names = {}
        for name in self.tools:
            shown = name if rng is None else "".join(rng.choices(string.ascii_lowercase, k=8))
            names[shown] = name
        made = [
            {
                "name": shown,
                "description": self.tools[name][0],
                "input_schema": {
                    "type": "object",
                    "properties": self.tools[name][1],
                    "required": self.tools[name][2],
                },
            }
            for shown, name in names.items()
        ]
        if rng is not None:
            rng.shuffle(made)
        return made, names


@dataclass
class Played:
    """What came of a case: the last text, the calls, the messages, the last request."""

    text: str
    calls: list[tuple[str, str]]
    messages: list[dict]
    steps: int
    tools: list[dict]

    @property
    def verdict(self) -> set[tuple]:
        said = conclusions_in(self.text)
        return {(c.id, c.outcome, float(c.amount) if c.amount else None) for c in said}

    @property
    def repeated(self) -> int:
        return len(self.calls) - len(set(self.calls))


def by_function(**body) -> tuple[list[dict], str]:
    """The reply half alone."""
    answer = reply(body)
    return answer.content, answer.stop_reason


def by_client(client) -> Callable:
    """The same through a real client."""
    from helpers.messages import blocks
    from helpers.models import AGENT_MODEL

    def ask(**body):
        made = client.messages.create(model=AGENT_MODEL, max_tokens=4_000, **body)
        return blocks(made), made.stop_reason

    return ask


def play(
    world: World, rng=None, *, ask=by_function, prepare=None, messages=None, most=150, **more
) -> Played:
    """The loop: append the reply, run the tools, append the results, until there is an answer."""
    tools, names = world.offered(rng)
    messages = list(messages or [{"role": "user", "content": world.message}])
    calls = []
    for step in range(1, most + 1):
        sent = prepare(messages) if prepare else messages
        content, stop = ask(system=world.system, tools=tools, messages=sent, **more)
        messages.append({"role": "assistant", "content": content})
        if stop != "tool_use":
            text = "\n".join(b["text"] for b in content if b["type"] == "text")
            return Played(text, calls, messages, step, tools)
        results = []
        for block in content:
            if block["type"] == "tool_use":
                name = names[block["name"]]
                calls.append((name, json.dumps(block["input"], sort_keys=True)))
                text, failed = run(world, name, block["input"])
                result = {"type": "tool_result", "tool_use_id": block["id"], "content": text}
                results.append(result | ({"is_error": True} if failed else {}))
        messages.append({"role": "user", "content": results})
    raise AssertionError(f"no answer after {most} steps: {calls[-6:]}")


def run(world: World, name: str, given: dict) -> tuple[str, bool]:
    """A tool's answer and whether it is an error: a plain text is one, a pair is taken as it is."""
    result = world.tools[name][3](**given)
    if isinstance(result, tuple):
        return result
    return (result, True) if isinstance(result, str) else (json.dumps(result), False)


def text_param(description: str, **more) -> dict:
    return {"type": "string", "description": description, **more}


def cents(one, sign: str, other) -> float:
    """Two numbers put together and rounded to cents, halves up."""
    a, b = Decimal(str(one)), Decimal(str(other))
    result = {"*": a * b, "/": a / (b or 1), "-": a - b}[sign]
    return float(result.quantize(Decimal("0.01"), ROUND_HALF_UP))


def _noise(rng: random.Random) -> dict:
    return {
        "device": {
            "id": f"{rng.getrandbits(32):08x}",
            "status": "ok",
            "battery": rng.randrange(100),
        },
        "checksum": f"{rng.getrandbits(64):016x}",
        "geo": {"lat": rng.random(), "lon": rng.random(), "fixes": [{"q": 1, "state": "x"}] * 2},
    }


def _rules_tool(rules: dict[str, list[tuple]], topics: list[str]) -> tuple:
    def look(topic: str):
        if topic not in rules:
            return f"No rules on {topic}."
        rows = [
            {"rule": n, "when": w, "outcome": o, "amount": a}
            for n, (w, o, a) in enumerate(rules[topic])
        ]
        return {
            "topic": topic,
            "rules": rows,
            "text": "The first rule that fits is the one that counts.",
        }

    about = "Reads the house rules on one topic."
    return about, {"topic": {"type": "string", "enum": topics}}, ["topic"], look


# --- a library's lending desk ---------------------------------------------------------------------


def library(seed: int) -> World:
    """A reader has several loans with a log of what happened to each; the desk waives or charges."""
    rng = random.Random(f"library {seed}")
    member = f"M{rng.randrange(100, 1000)}"
    kind, rate = rng.choice(["staff", "student", "guest"]), rng.choice([0.25, 0.4, 1.5])
    codes = {"RT": "returned", "LO": "lent", "MS": "missing", "DM": "damaged"}
    loans, logs = {}, {}
    for _ in range(rng.randrange(1, 5)):
        loan = f"LN-{rng.randrange(10_000, 99_999)}"
        loans[loan] = {
            "loan_id": loan,
            "title": rng.choice(["Tides", "Bread", "Maps of Salt"]),
            "price": rng.randrange(500, 6_000) / 100,
            "days_late": rng.randrange(0, 60),
        }
        pages = rng.randrange(1, 4)
        events = []
        for n in range(pages * 3):
            state = rng.choice(list(codes))
            shelf = {"shelf": rng.choice(["A1", "B2"])} if state == "RT" else {}
            event = {
                "log_id": f"{loan}/{n}",
                "at": f"2026-{3 + n // 28:02d}-{n % 28 + 1:02d}T10:{n:02d}",
            }
            events.append({**event, "state": state, **shelf, **_noise(rng)})
        shuffled = [rng.sample(events[3 * p : 3 * p + 3], 3) for p in range(pages)]
        logs[loan] = (events, shuffled)
    rules = {
        "late returns": [
            ("state is returned and days late is under 8", "no fee", ""),
            ("state is returned and member type is staff", "warning", ""),
            ("state is returned and shelf is not home shelf", "fee", "daily rate times days late"),
            ("state is returned", "fee", "half of price"),
        ],
        "lost books": [("state is missing and price is over 40", "fee", "price minus 10"), ("state is missing", "fee", "price")],
    }  # fmt: skip

    def get_member(member_id):
        if member_id != member:
            return f"No reader {member_id}."
        return {
            "member_id": member,
            "member_type": kind,
            "home_shelf": "A1",
            "daily_rate": rate,
            "loans": [{"loan_id": k, "title": v["title"]} for k, v in loans.items()],
        }

    def get_loan(loan_id):
        return (
            {**loans[loan_id], "member_id": member} if loan_id in loans else f"No loan {loan_id}."
        )

    def get_log(loan_id, page=1):
        if loan_id not in logs:
            return "not found"
        shown = logs[loan_id][1]
        following = page + 1 if page < len(shown) else None
        legend = {"state": codes}
        return {
            "loan_id": loan_id,
            "page": page,
            "next_page": following,
            "log": shown[page - 1],
            "legend": legend,
        }

    done: list[dict] = []

    def charge(member_id, amount, reason):
        done.append({"member_id": member_id, "amount": amount, "reason": reason})
        return {
            "status": "booked" if amount < 20 else "waiting for the head librarian",
            "why": "desk rules",
        }

    due = set()
    for loan, fields in loans.items():
        newest = max(logs[loan][0], key=lambda e: e["at"])
        state = codes[newest["state"]]
        shelf = next((e["shelf"] for e in reversed(logs[loan][0]) if "shelf" in e), None)
        late, price = fields["days_late"], fields["price"]
        if state == "returned":
            if late < 8:
                due.add((loan, "no fee", None))
            elif kind == "staff":
                due.add((loan, "warning", None))
            elif shelf != "A1":
                due.add((loan, "fee", cents(rate, "*", late)))
            else:
                due.add((loan, "fee", cents(price, "/", 2)))
        elif state == "missing":
            due.add((loan, "fee", cents(price, "-", 10 if price > 40 else 0)))
    member_id = text_param("The number on the reader's card.", examples=["M999"])
    loan_id = text_param("The loan, for example LN-10000.")
    reason = text_param("Why the fee is due.")
    return World(
        f"Hello, this is {rng.choice(FIRST)}, card number {member}. I got letters about books that I brought back "
        "long ago. Please look into all my loans and tell me what I owe.",
        "You are the lending desk of a library and settle what its readers complain about.",
        {
            "member": (
                "Shows a reader and the reader's loans.",
                {"member_id": member_id},
                ["member_id"],
                get_member,
            ),
            "loan": (
                "Looks up one loan: its price and how late it is.",
                {"loan_id": loan_id},
                ["loan_id"],
                get_loan,
            ),
            "log": (
                "Lists what happened to a lent book, one page at a time.",
                {"loan_id": loan_id, "page": {"type": "integer"}},
                ["loan_id"],
                get_log,
            ),
            "rules": _rules_tool(rules, list(rules)),
            "charge": (
                "Charges a fee to a reader's account.",
                {"member_id": member_id, "amount": {"type": "number"}, "reason": reason},
                ["member_id", "amount", "reason"],
                charge,
            ),
        },
        due,
        {"loans": loans, "logs": logs, "member": member},
        done,
    )


# --- a clinic's appointments ----------------------------------------------------------------------


def clinic(seed: int) -> World:
    """One or two appointments by number; the patient stands inside; no money, another appointment."""
    rng = random.Random(f"clinic {seed}")
    visits = {}
    for _ in range(rng.randrange(1, 3)):
        number = f"{rng.randrange(100_000, 999_999)}"
        visits[number] = {
            "appointment_number": number,
            "state": rng.choice(["kept", "cancelled by clinic", "missed", "cancelled by patient"]),
            "hours_notice": rng.randrange(0, 72),
            "patient": {
                "patient_id": f"PT{rng.randrange(1000, 9999)}",
                "group": rng.choice(["child", "adult"]),
            },
            "referral": rng.choice([None, "Dr. Ode"]),
            "room": {"number": rng.randrange(1, 40), "floor": rng.randrange(4)},
        }
    rules = {
        "appointments": [
            ("state is cancelled by clinic", "new appointment", ""),
            ("state is missed and group is child", "new appointment", ""),
            ("state is missed and referral is missing", "closed", ""),
            ("state is missed", "call back", ""),
            (
                "state is cancelled by patient and hours notice is at least 24",
                "new appointment",
                "",
            ),
            ("state is kept", "nothing", ""),
        ]
    }

    def look(number):
        found = visits.get(number)
        return {"appointment": found} if found else f"No appointment {number} found."

    done: list[dict] = []

    def book(patient_id, reason):
        done.append({"patient_id": patient_id, "reason": reason})
        return {"state": "requested", "message": "The ward confirms it."}

    due = set()
    for number, v in visits.items():
        state, child = v["state"], v["patient"]["group"] == "child"
        if state == "cancelled by clinic":
            due.add((number, "new appointment", None))
        elif state == "missed":
            outcome = (
                "new appointment" if child else "closed" if v["referral"] is None else "call back"
            )
            due.add((number, outcome, None))
        elif state == "cancelled by patient" and v["hours_notice"] >= 24:
            due.add((number, "new appointment", None))
        elif state == "kept":
            due.add((number, "nothing", None))
    numbers = " and ".join(visits)
    patient_id = text_param("The patient's id.")
    return World(
        f"Something went wrong with my appointment{'s' if len(visits) > 1 else ''} {numbers}. Can you find out "
        "what happened and what comes next?",
        "You work at the front desk of a clinic, on requests of patients.",
        {
            "visit": (
                "Returns one appointment with its patient.",
                {
                    "number": text_param(
                        "The appointment's number, six digits.", pattern="^[0-9]{6}$"
                    )
                },
                ["number"],
                look,
            ),
            "rules": _rules_tool(rules, list(rules)),
            "book": (
                "Books a new appointment for a patient.",
                {"patient_id": patient_id, "reason": text_param("What for.")},
                ["patient_id", "reason"],
                book,
            ),
        },
        due,
        {"visits": visits},
        done,
    )


# --- a hotel --------------------------------------------------------------------------------------


def hotel(seed: int) -> World:
    """Bookings with rooms, minibar sheets behind cursors, and a search over complaints of all guests."""
    rng = random.Random(f"hotel {seed}")
    bookings, rooms = {}, {}
    for _ in range(rng.randrange(1, 4)):
        code = f"BK{rng.randrange(1000, 9999)}"
        mine = [f"R{len(rooms) + n}-{rng.randrange(100, 999)}" for n in range(rng.randrange(1, 4))]
        bookings[code] = {
            "bookingCode": code,
            "tier": rng.choice(["gold", "plain"]),
            "promisedView": rng.choice(["sea", "park"]),
            "rooms": [{"roomId": r, "rate": rng.randrange(60, 300)} for r in mine],
        }
        for room in mine:
            rooms[room] = [
                {
                    "view": rng.choice(["sea", "park", "yard"]),
                    "noise": rng.randrange(20, 90),
                    "nights": n + 1,
                }
                for n in range(rng.randrange(1, 4))
            ]
    rules = {
        "rooms": [
            ("view is not promised view and tier is gold", "discount", "rate"),
            ("view is not promised view", "discount", "half of rate"),
            ("noise is over 70", "discount", "20 percent of rate"),
        ]
    }

    def booking(booking_code):
        return bookings.get(booking_code, "unknown booking")

    def sheet(room_id, cursor=""):
        if room_id not in rooms:
            return "unknown room"
        at = int(cursor[1:]) if cursor else 0
        following = f"c{at + 1}" if at + 1 < len(rooms[room_id]) else ""
        return {"roomId": room_id, **rooms[room_id][at], "nextCursor": following}

    def search(query, page=1):
        hits = [
            {
                "complaintId": f"CP{n}",
                "bookingCode": rng.choice([*bookings, "BK0000"]),
                "tier": "gold",
                "noise": 99,
            }
            for n in range(3)
        ]
        return {"query": query, "page": page, "next_page": None, "complaints": hits}

    done: list[dict] = []

    def grant(booking_code, amount, reason):
        done.append({"booking_code": booking_code, "amount": amount, "reason": reason})
        return (
            {"decision": "refused", "why": "the manager is away"}
            if amount > 150
            else {"decision": "granted"}
        )

    due = set()
    for b in bookings.values():
        for room in b["rooms"]:
            last, rate = rooms[room["roomId"]][-1], room["rate"]
            if last["view"] != b["promisedView"]:
                due.add((room["roomId"], "discount", rate if b["tier"] == "gold" else rate / 2))
            elif last["noise"] > 70:
                due.add((room["roomId"], "discount", cents(rate, "/", 5)))
    code = text_param("The code of the booking, such as BK0001.")
    return World(
        f"We were not happy with our rooms: {', '.join(bookings)}. It was noisy and the view was wrong. "
        "Please check all of it.",
        "You handle complaints of a hotel's guests.",
        {
            "booking": (
                "Gives a booking with its rooms.",
                {"booking_code": code},
                ["booking_code"],
                booking,
            ),
            "sheet": (
                "Reads one sheet of a room's stay; later sheets replace earlier ones.",
                {"room_id": text_param("The room."), "cursor": text_param("From nextCursor.")},
                ["room_id"],
                sheet,
            ),
            "search": (
                "Searches complaints of all guests.",
                {"query": text_param("Words."), "page": {"type": "integer"}},
                ["query"],
                search,
            ),
            "rules": _rules_tool(rules, list(rules)),
            "grant": (
                "Grants a discount on a booking, or passes it on.",
                {"booking_code": code, "amount": {"type": "number"}, "reason": text_param("Why.")},
                ["booking_code", "amount", "reason"],
                grant,
            ),
        },
        due,
        {"bookings": bookings, "rooms": rooms},
        done,
    )


WORLDS = {"library": library, "clinic": clinic, "hotel": hotel}
