"""Makes the world of the Cartwise dispute desk from a seed. All of it is invented.

    python data/cartwise/make.py --seed 413 --out world.json --chat chat.json

The same seed gives the same files, byte for byte, on every Python from 3.11. Another seed gives other
ids, names, places, dates, amounts, words of the courier, rules and outcomes. The words come
from `words.json`; what the right answers are, `oracle.py` says from the finished world.
"""

import argparse
import json
import random
from datetime import datetime, timedelta
from pathlib import Path

HERE = Path(__file__).parent
SEED = 413  # of the files that are stored
WORDS = json.loads((HERE / "words.json").read_text(encoding="utf-8"))

EVENTS = 21  # on a page of tracking
LEGS = 6  # changes of status or place on a page; all other events repeat what is known
LONG_PAGES = (6, 6, 6, 6)  # of the parcels of the long case
TICKETS = 40
CENTS = 100


def make(seed: int = SEED) -> dict:
    """The world of this seed: a dict that JSON can hold."""
    return _Maker(seed).world()


def make_chat(seed: int = SEED) -> dict:
    """The chat of this seed: sixty messages, and the facts in them that must not get lost."""
    return _Maker(seed).chat()


class _Maker:
    def __init__(self, seed: int):
        self.seed = seed
        self.rng = random.Random(f"cartwise {seed}")
        self.today = datetime(2026, 10, 5) + timedelta(days=self.rng.randrange(60))
        self.used: set[int] = set()
        pick = self.rng.choice
        self.shop, self.box = pick(WORDS["shops"]), pick(WORDS["parcels"])
        self.status = {key: pick(words) for key, words in WORDS["statuses"].items()}
        self.topic = {key: pick(words) for key, words in WORDS["topics"].items()}
        self.code = self._codes()
        self.facilities = {
            f"F-{self._number():04d}": f"Hub {n} {name}"
            for n, name in enumerate(self._shuffled(WORDS["hubs"]), 1)
        }
        self.approval_over = pick([120, 150, 180])

    # ------------------------------------------------------------ small things

    def _shuffled(self, values) -> list:
        return self.rng.sample(list(values), len(values))

    def _number(self) -> int:
        """A number of four digits that nothing else has."""
        while (number := self.rng.randrange(1_000, 10_000)) in self.used:
            pass
        self.used.add(number)
        return number

    def _codes(self) -> dict[str, str]:
        """The courier's code of two letters for each status."""
        codes: dict[str, str] = {}
        for key, word in self.status.items():
            letters = word.replace(" ", "").upper()
            pairs = [letters[0] + letter for letter in letters[1:]]
            codes[key] = next(c for c in self._shuffled(pairs) if c not in codes.values())
        return codes

    def _hex(self, digits: int) -> str:
        return f"{self.rng.getrandbits(4 * digits):0{digits}x}"

    def _money(self, low: int, high: int) -> float:
        return self.rng.randrange(low * CENTS, high * CENTS) / CENTS

    # ------------------------------------------------------------ the world

    def world(self) -> dict:
        customers = self._customers()
        self.orders: dict[str, dict] = {}
        self.payments: dict[str, dict] = {}
        self.tracking: dict[str, list] = {}
        cases = self._cases(customers)
        for customer in customers[3:]:  # people who just have orders
            for _ in range(self.rng.choice([1, 2])):
                story = self.rng.choice(["right", "right", "transit", "wrong"])
                self._order(customer, [(story, 1)], self.rng.choice(["once", "split", "refunded"]))
        tickets, truth = self._tickets(customers)
        return {
            "seed": self.seed,
            "note": "Invented: no person, shop, courier or address in this file is real.",
            "today": self.today.date().isoformat(),
            "currency": "EUR",
            "approval_over": self.approval_over,
            "ids": {
                "order": {"pattern": f"^{self.shop}-[0-9]{{4}}$", "example": self._id(self.shop)},
                "parcel": {"pattern": f"^{self.box}-[0-9]{{4}}$", "example": self._id(self.box)},
            },
            "customers": customers,
            "orders": self.orders,
            "payments": self.payments,
            "tracking": self.tracking,
            "tickets": tickets,
            "ticket_truth": truth,
            "policies": self._policies(),
            "cases": cases,
        }

    def _id(self, letters: str) -> str:
        return f"{letters}-{self._number()}"

    def _customers(self) -> list[dict]:
        people = self._shuffled(WORDS["people"])[:8]
        return [
            {
                "customer_id": f"C-{self._number()}",
                "name": name,
                "delivery_building": self.rng.choice(WORDS["buildings"]),
                "delivery_street": self.rng.choice(WORDS["streets"]),
            }
            for name in people
        ]

    def _cases(self, customers) -> dict:
        long, short, multi = customers[:3]
        # of the wrong building always one, and dear enough to need somebody's approval
        others = self.rng.sample(["right", "unsigned", "lost", "lost dear", "returned"], 3)
        stories = self._shuffled(["wrong dear", *others])
        one = self._order(long, list(zip(stories, LONG_PAGES, strict=True)), "once")
        two = self._order(short, [(self.rng.choice(["wrong", "lost", "unsigned"]), 1)], "once")
        kinds = [
            ([("right", 1)], "twice"),
            ([("lost", 1), ("right", 1)], self.rng.choice(["once", "split"])),
            (
                [("wrong", 2), (self.rng.choice(["returned", "transit"]), 1)],
                self.rng.choice(["once", "refunded"]),
            ),
        ]
        three = [self._order(multi, parcels, paid) for parcels, paid in self._shuffled(kinds)]
        self.case_orders = [[one], [two], three]
        cases = {}
        for key, customer, orders in (
            ("long", long, [one]),
            ("short", short, [two]),
            ("multi", multi, three),
        ):
            count = len(self.orders[orders[0]]["parcels"])
            cases[key] = {
                "case_id": key,
                "customer_id": customer["customer_id"],
                "orders": orders,
                "message": self.rng.choice(WORDS["cases"][key]).format(
                    name=customer["name"],
                    order=orders[0],
                    orders=", ".join(orders[:-1]) + f" and {orders[-1]}",
                    count={4: "four"}.get(count, str(count)),
                    building=customer["delivery_building"],
                    street=customer["delivery_street"],
                ),
            }
        return cases

    # ------------------------------------------------------------ orders and payments

    def _order(self, customer: dict, parcels: list[tuple[str, int]], paid: str) -> str:
        """A new order whose parcels meet these fates, on so many pages of tracking each."""
        order_id = self._id(self.shop)
        days = 8 + 4 * max(pages for _, pages in parcels)
        placed = self.today - timedelta(days=days + self.rng.randrange(6))
        made = []
        for story, pages in parcels:
            parcel_id = self._id(self.box)
            dear = story.endswith("dear")
            value = self._money(self.approval_over + 5, 320) if dear else self._money(15, 90)
            items = self.rng.sample(WORDS["goods"], self.rng.choice([1, 1, 2]))
            made.append({"parcel_id": parcel_id, "items": items, "parcel_value": value})
            self.tracking[parcel_id] = self._pages(
                parcel_id, story.split()[0], customer, placed, pages
            )
        total = round(sum(parcel["parcel_value"] for parcel in made), 2)
        self.orders[order_id] = {
            "order_id": order_id,
            "customer_id": customer["customer_id"],
            "placed_on": placed.date().isoformat(),
            "order_total": total,
            "currency": "EUR",
            "delivery_building": customer["delivery_building"],
            "delivery_street": customer["delivery_street"],
            "parcels": made,
            "channel": self.rng.choice(["app", "web"]),
            "basket": self._hex(24),
            "terms": f"T{self._number()}",
            "warehouse": {
                "site": self._hex(6),
                "wave": self.rng.randrange(40),
                "lane": self._hex(4),
            },
        }
        self.payments[order_id] = self._paid(order_id, total, placed, paid)
        return order_id

    def _paid(self, order_id: str, total: float, placed: datetime, how: str) -> dict:
        part = round(total * self.rng.choice([0.25, 0.4, 0.5]), 2)
        amounts = {
            "once": [total],
            "twice": [total, total],
            "split": [part, round(total - part, 2)],
        }
        amounts["refunded"] = amounts["twice"]
        return {
            "order_id": order_id,
            "payments": [
                {
                    "payment_id": f"P-{self._number()}",
                    "amount": amount,
                    "status": "captured",
                    "captured_on": (placed + timedelta(days=n)).date().isoformat(),
                    "processor": {"trace": self._hex(32), "batch": self._hex(8), "response": "00"},
                }
                for n, amount in enumerate(amounts[how])
            ],
            "captured_total": round(sum(amounts[how]), 2),
            "refunded_total": total if how == "refunded" else 0.0,
        }

    # ------------------------------------------------------------ tracking

    def _pages(self, parcel_id, story, customer, placed, pages) -> list[dict]:
        """The courier's pages about one parcel, oldest events first, as its interface sends them."""
        legs = self._legs(story, pages)
        last = self._ending(story, customer)
        at = placed + timedelta(days=1, hours=7)
        step = (self.today - timedelta(days=2) - at) / (pages * EVENTS)
        serial = self._hex(6).upper()
        result = []
        for n in range(pages):
            mine = legs[LEGS * n : LEGS * (n + 1)]
            events = []
            for m, (status, facility) in enumerate(self._spread(mine, final=n == pages - 1)):
                moment = at + (n * EVENTS + m) * step
                number = n * EVENTS + m + 1
                events.append(self._event(serial, number, moment, status, facility))
            if n == pages - 1:
                events[-1] |= last
            legend = {
                "status": {c: self.status[k] for k, c in self.code.items()},
                "facility": {f: self.facilities[f] for f in sorted({f for _, f in mine})},
            }
            result.append(
                {
                    "parcel_id": parcel_id,
                    "page": n + 1,
                    "pages": pages,
                    "next_page": n + 2 if n + 1 < pages else None,
                    "events": events,
                    "legend": legend,
                }
            )
        return result

    def _legs(self, story: str, pages: int) -> list[tuple[str, str]]:
        """(status, place) after status and place, no two neighbours the same."""
        end = {"wrong": "delivered", "right": "delivered", "unsigned": "delivered"}.get(
            story, story
        )
        total = LEGS * pages
        route = self._shuffled(self.facilities)
        legs = [("registered", route[0]), ("collected", route[0])]
        stop = 0
        while len(legs) < total - 2:
            stop = (stop + 1) % len(route)
            legs += [("hub", route[stop]), ("transit", route[stop])]
            if self.rng.random() < 0.12:
                legs.append(("attempted", route[stop]))
        legs = legs[: total - 2]
        before = {"delivered": "out", "returned": "attempted"}.get(end, "hub")
        here = route[(stop + 1) % len(route)]
        return [*legs, (before, here), (end, here)]

    def _spread(self, legs: list, *, final: bool) -> list:
        """The legs of a page, repeated until the page is full; the end of the road comes once."""
        free = legs[:-1] if final else legs
        counts = [1] * len(free)
        for _ in range(EVENTS - len(legs)):
            counts[self.rng.randrange(len(free))] += 1
        spread = [leg for leg, count in zip(free, counts, strict=True) for _ in range(count)]
        return spread + (legs[-1:] if final else [])

    def _event(self, serial, number, moment, status, facility) -> dict:
        pick = self.rng.randrange
        return {
            "event_id": f"{serial}{number:04d}",
            "at": moment.isoformat(timespec="minutes"),
            "status": self.code[status],
            "facility": facility,
            "device": {
                "id": self._hex(8),
                "firmware": f"{pick(4, 8)}.{pick(10)}",
                "battery": pick(9, 100),
            },
            "geo": {
                "lat": 51 + pick(10**4) / 10**4,
                "lon": 3 + pick(10**4) / 10**4,
                "acc": pick(3, 40),
            },
            "routing": {"lane": self._hex(3), "sort": f"{pick(100, 999)}-{pick(10, 99)}"},
            "checksum": self._hex(24),
        }

    def _ending(self, story: str, customer: dict) -> dict:
        """What only the last event says."""
        home = customer["delivery_building"]
        if story == "wrong":
            elsewhere = [b for b in WORDS["buildings"] if b != home]
            return {
                "delivered_building": self.rng.choice(elsewhere),
                "signed_by": self.rng.choice(WORDS["signers"]),
            }
        if story == "right":
            return {"delivered_building": home, "signed_by": customer["name"].split()[0]}
        return {"delivered_building": home} if story == "unsigned" else {}

    # ------------------------------------------------------------ tickets

    def _tickets(self, customers) -> tuple[list[dict], dict[str, str]]:
        """Forty tickets of all customers, and of which kind each is."""
        kinds = self._shuffled(
            ["wrong building"] * 12 + ["look-alike"] * 11 + ["other"] * (TICKETS - 23)
        )
        about = []  # (customer, order), the order none for one of long ago
        for customer, orders in zip(customers[:3], self.case_orders, strict=True):
            each = 3 if len(orders) == 1 and len(self.orders[orders[0]]["parcels"]) > 1 else 1
            about += [(customer, order) for order in orders for _ in range(each)]
        about += [(self.rng.choice(customers[3:]), None) for _ in range(TICKETS - len(about))]
        drawn: dict[str, list] = {}
        tickets, truth = [], {}
        for kind, (customer, order_id) in zip(kinds, about, strict=True):
            if not drawn.get(kind):
                drawn[kind] = self._shuffled(WORDS["tickets"][kind])
            subject, text = drawn[kind].pop()
            ticket = self._ticket(customer, order_id, subject, text)
            tickets.append(ticket)
            truth[ticket["ticket_id"]] = kind
        tickets.sort(key=lambda t: (t["opened_on"], t["ticket_id"]))
        return tickets, {ticket["ticket_id"]: truth[ticket["ticket_id"]] for ticket in tickets}

    def _ticket(self, customer: dict, order_id: str | None, subject: str, text: str) -> dict:
        home = customer["delivery_building"]
        ago, goods = self.rng.randrange(2, 90), WORDS["goods"]
        if order_id:
            order = self.orders[order_id]
            placed = datetime.fromisoformat(order["placed_on"])
            ago = self.rng.randrange(1, (self.today - placed).days - 1)
            goods = [item for parcel in order["parcels"] for item in parcel["items"]]
        return {
            "ticket_id": f"T-{self._number()}",
            "customer_id": customer["customer_id"],
            "order_id": order_id or self._id(self.shop),
            "opened_on": (self.today - timedelta(days=ago)).date().isoformat(),
            "subject": subject,
            "text": text.format(
                home=home,
                other=self.rng.choice([b for b in WORDS["buildings"] if b != home]),
                item=self.rng.choice(goods),
                signer=self.rng.choice(WORDS["signers"]),
            ),
            "mail": {"thread": self._hex(32), "client": self._hex(8), "spam_score": 0.1},
        }

    # ------------------------------------------------------------ the chat

    def chat(self) -> dict:
        """Messages, and facts: the strings that must survive (`must`), the note they belong into,
        what was corrected and must not stand as true (`gone`), and the message they came from."""
        slots = self._slots()
        messages, facts = [], []
        for n, (text, stated) in enumerate(WORDS["chat"]):
            role = "assistant" if n % 2 else "user"
            messages.append({"role": role, "content": text.format(**slots)})
            for fact in stated:
                filled = {
                    k: [v.format(**slots) for v in fact[k]] for k in ("must", "gone") if k in fact
                }
                facts.append({"field": fact["field"], "message": n, **filled})
        return {"seed": self.seed, "messages": messages, "facts": facts}

    def _slots(self) -> dict[str, str]:
        name = self.rng.choice(WORDS["people"])
        home, wrong, other = self._shuffled(WORDS["buildings"])[:3]
        goods = self._shuffled(WORDS["goods"])
        days = [self.today + timedelta(days=n) for n in (-16, -21, -20, -15, 6, 9, -3, -18)]
        words = [f"{day.day} {day:%B}" for day in days]
        amounts = [f"{value:.2f}" for value in self._amounts(3)]
        return {
            **{
                "name": name,
                "first": name.split()[0],
                "home": home,
                "wrong": wrong,
                "other": other,
            },
            **dict(zip(("d1", "d2", "d3", "d4", "d5", "d6", "d7", "d3b"), words, strict=True)),
            **dict(zip(("item1", "item2", "item3"), goods, strict=False)),
            **dict(zip(("m1", "m2", "m3"), amounts, strict=True)),
            **{letter: self._id(self.shop) for letter in "abc"},
            "v1": str(self.rng.randrange(10, 30)),
            "f1": f"{self.rng.randrange(3, 8)}.90",
            "signer": self.rng.choice(WORDS["signers"]),
            "ref": f"PAY-{self._number()}",
            "case": f"INQ-{self._number()}",
        }

    def _amounts(self, count: int) -> list[float]:
        return [value / CENTS for value in self.rng.sample(range(20 * CENTS, 200 * CENTS), count)]

    # ------------------------------------------------------------ policies

    def _policies(self) -> list[dict]:
        s, pick = self.status, self.rng.choice
        other = self._shuffled(WORDS["outcomes"])
        value, nothing = ("refund", "parcel value"), ("no refund", "")
        # what is due for a parcel in the wrong building is a refund for most seeds
        elsewhere = pick([value, value, value, (other[0], "")])
        lost = pick([value, value, (other[1], "")])
        dear = pick([value, (other[1], "")])
        back = pick([value, (other[2], "")])
        limit = pick([100, 110])
        delivered = f"status is {s['delivered']}"
        deliveries = [
            (f"{delivered} and delivered building is not delivery building", *elsewhere),
            (f"{delivered} and signed by is missing", other[1], ""),
            (f"{delivered} and delivered building is delivery building", *nothing),
            (f"status is {s['lost']} and parcel value is over {limit}", *dear),
            (f"status is {s['lost']}", *lost),
            (f"status is {s['transit']}", pick(WORDS["wait"]), ""),
        ]
        payments = [
            ("captured total is over order total and refunded total is over 0", *nothing),
            ("captured total is over order total", "refund", "captured total minus order total"),
            ("captured total is order total", *nothing),
        ]
        returns = [
            (f"status is {s['returned']} and parcel value is under 25", other[0], ""),
            (f"status is {s['returned']} and parcel value is over 24.99", *back),
        ]
        prose = {
            "deliveries": (
                "What counts is where the courier handed a parcel over, and to whom: a block, a tower or "
                "a house that is not the one on the order is somebody else's door. The last entry of the "
                "tracking decides; what came before it is history."
            ),
            "payments": (
                "Two charges for the same goods are one too many, whoever made the mistake. An order paid "
                "in two parts is not paid twice: look at the total."
            ),
            "returns": (
                "A parcel that went home to the warehouse is not lost. Its contents are checked before "
                "anything else happens."
            ),
        }
        approval = (
            f" An order's refunds of more than {self.approval_over} EUR together need the approval of a "
            "person first; until that is given, nobody tells the customer that the money will come."
        )
        made = []
        for key, rules in (
            ("deliveries", deliveries),
            ("payments", payments),
            ("returns", returns),
        ):
            fields = ("rule", "when", "outcome", "amount")
            made.append(
                {
                    "topic": self.topic[key],
                    "rules": [
                        dict(zip(fields, (f"{key[0].upper()}{n}", *rule), strict=True))
                        for n, rule in enumerate(rules, 1)
                    ],
                    "text": prose[key] + approval,
                }
            )
        return made


def write(value: dict, path: Path) -> None:
    """As JSON: the outer levels on lines of their own, so that a change can be read."""
    path.write_text(_lines(value, 0) + "\n", encoding="utf-8", newline="\n")


def _lines(value, depth: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if depth == 4 or len(flat) < 100 or not isinstance(value, dict | list) or not value:
        return flat
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        inner = [
            f"{json.dumps(k, ensure_ascii=False)}: {_lines(v, depth + 1)}" for k, v in value.items()
        ]
    else:
        inner = [_lines(item, depth + 1) for item in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{pad}" + f",\n{pad}".join(inner) + f"\n{' ' * depth}{right}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the world of the Cartwise dispute desk.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, help="where the world goes")
    parser.add_argument("--chat", type=Path, help="where the chat goes")
    options = parser.parse_args()
    if options.out or not options.chat:
        write(make(options.seed), options.out or HERE / "world.json")
    if options.chat or not options.out:
        write(make_chat(options.seed), options.chat or HERE / "chat.json")


if __name__ == "__main__":
    main()
