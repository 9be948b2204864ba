"""The exercises of lesson 11."""

import copy

from .source import Exercise, letters, same, shown


def _what_to_keep(answer):
    named = letters(answer)
    if not named or not named <= set("ABCDEF"):
        return f'{shown(answer)}: write letters, such as "AB".'
    for letter, why in (
        ("B", "what could somebody do with it who reads the database?"),
        ("D", "did the customer say so, or did somebody guess it?"),
        ("E", "would she expect to find this noted at a web shop?"),
    ):
        if letter in named:
            return f"{letter}: {why}"
    if named != set("ACF"):
        return f"You have {shown(answer)}; something that helps the next conversation is missing."
    return True


def _note(slot, text, written, expires):
    return {"slot": slot, "text": text, "written_on": written, "expires_on": expires}


def _current(answer):
    block_b = _note("delivery", "Block B", "2026-01-10", "2027-01-10")
    block_c = _note("delivery", "Block C", "2026-05-01", "2027-05-01")
    english = _note("language", "English", "2026-02-01", None)
    short = _note("delivery", "Gate 3", "2026-06-01", "2026-06-15")
    for notes, today, expected in (
        ([block_b], "2026-06-01", {"Block B"}),
        ([block_b, block_c], "2026-06-01", {"Block C"}),
        ([block_c, block_b], "2026-06-01", {"Block C"}),
        ([block_b, english], "2027-02-01", {"English"}),
        ([block_b], "2027-01-10", set()),
        ([block_b, block_c, short], "2026-06-14", {"Gate 3"}),
        ([block_b, block_c, short], "2026-07-01", {"Block C"}),
        ([], "2026-06-01", set()),
    ):
        given = copy.deepcopy(notes)
        got = answer(given, today)
        tried = f"Tried {[n['text'] for n in notes]} on {today}"
        if given != notes:
            return f"{tried}: the notes that it was given changed."
        try:
            texts = sorted(got)
        except TypeError:
            return f"{tried}: it returned {shown(got)}, which is no list of texts."
        if not same(texts, sorted(expected)):
            return f"{tried}: it returned {shown(got)}."
    return True


def _nearest(answer):
    notes = [
        {"customer_id": "A", "text": "likes tea", "vector": [1.0, 0.0]},
        {"customer_id": "B", "text": "likes green tea", "vector": [0.9, 0.1]},
        {"customer_id": "B", "text": "moved house", "vector": [0.0, 1.0]},
        {"customer_id": "A", "text": "likes milk", "vector": [0.8, 0.6]},
        {"customer_id": "A", "text": "a new address", "vector": [0.1, 0.9]},
        {"customer_id": "AB", "text": "drinks tea", "vector": [1.0, 0.0]},
    ]
    for who, query, k, expected in (
        ("A", [1.0, 0.0], 2, ["likes tea", "likes milk"]),
        ("B", [1.0, 0.0], 1, ["likes green tea"]),
        ("B", [1.0, 0.0], 5, ["likes green tea", "moved house"]),
        ("A", [0.0, 1.0], 1, ["a new address"]),
        ("C", [1.0, 0.0], 3, []),
        ("AB", [1.0, 0.0], 1, ["drinks tea"]),
    ):
        given = copy.deepcopy(notes)
        got = answer(given, who, list(query), k)
        tried = f"Tried customer {who!r}, the query {query} and k={k}"
        if given != notes:
            return f"{tried}: the notes that it was given changed."
        if not isinstance(got, list | tuple):
            return f"{tried}: it returned {shown(got)}, which is no list of texts."
        if not same(list(got), expected):
            return f"{tried}: it returned {shown(got)}."
    return True


EXERCISES = [
    Exercise(
        id="11.1",
        minutes=2,
        task=(
            "Predict. Which of these belong into the long-term memory of a web shop's agent?\n\n"
            "* A: She wants letters instead of calls.\n* B: The code from her text message is 224 118.\n"
            "* C: Order 4471 came broken on 3 May and was replaced.\n"
            "* D: She does not seem to like us any more.\n"
            "* E: She mentioned that she takes tablets for her heart.\n"
            "* F: We promised to call her back by 9 May."
        ),
        stub='answer = ...  # letters, such as "AB"',
        hint="Facts and wishes, cases, promises. What of the rest is secret, private, or a guess?",
        solution='answer = "ACF"',
        because="B is a secret, D a guess put as a fact, E a private matter that was said in passing.",
        check=_what_to_keep,
        wrong=('answer = "ABCF"', 'answer = "AC"', 'answer = "ACEF"', 'answer = "D"'),
        right=('answer = "f, a and c"', 'answer = ["A", "C", "F"]'),
    ),
    Exercise(
        id="11.2",
        minutes=8,
        task=(
            "Write `current(notes, today)`: the texts that hold on the day `today`. Each note is a dict "
            "with `slot` (what it is about), `text`, `written_on` and `expires_on`; days are texts such "
            'as `"2026-11-09"`, so they can be compared, and `expires_on` may be `None` for never. A '
            "note does not hold any more on the day on which it expires. Of several notes in one slot "
            "that hold, the one written last wins. The order of the texts does not matter."
        ),
        stub='''def current(notes, today):
    """The texts that hold today."""
    ...''',
        hint="Leave out what has expired first; then go through the rest in the order of `written_on`.",
        solution='''def current(notes, today):
    """The texts that hold today."""
    holds = [n for n in notes if n["expires_on"] is None or n["expires_on"] > today]
    newest = {}
    for note in sorted(holds, key=lambda n: n["written_on"]):
        newest[note["slot"]] = note["text"]
    return list(newest.values())''',
        because=(
            "The order of the two steps matters: a short-lived note that has expired gives way to the "
            "older one that still holds. (The course's memory decides otherwise: what was superseded "
            "stays so.)"
        ),
        check=_current,
        wrong=(
            "def current(notes, today):\n    return [n['text'] for n in notes]",
            "def current(notes, today):\n"
            "    return [n['text'] for n in notes if (n['expires_on'] or '9') > today]",
            "def current(notes, today):\n    newest = {}\n"
            "    for n in notes:\n        if n['expires_on'] is None or n['expires_on'] > today:\n"
            "            newest[n['slot']] = n['text']\n    return list(newest.values())",
            "def current(notes, today):\n    newest = {}\n"
            "    for n in sorted(notes, key=lambda n: n['written_on']):\n"
            "        newest[n['slot']] = n\n"
            "    return [n['text'] for n in newest.values() if (n['expires_on'] or '9') > today]",
            "def current(notes, today):\n    newest = {}\n"
            "    for n in sorted(notes, key=lambda n: n['written_on']):\n"
            "        if n['expires_on'] is None or n['expires_on'] >= today:\n"
            "            newest[n['slot']] = n['text']\n    return list(newest.values())",
        ),
        right=(
            "def current(notes, today):\n"
            "    holds = [n for n in notes if not n['expires_on'] or today < n['expires_on']]\n"
            "    return {n['text'] for n in holds if not any(o['slot'] == n['slot'] and\n"
            "            o['written_on'] > n['written_on'] for o in holds)}",
        ),
    ),
    Exercise(
        id="11.3",
        minutes=6,
        task=(
            "Write `nearest(notes, customer_id, query, k)`: the texts of the `k` notes of this customer "
            "that come nearest to the query, the nearest first. Each note is a dict with `customer_id`, "
            "`text` and `vector`; `query` is a vector. Nearness is the sum of the products of the "
            "numbers of both vectors, place by place: the larger, the nearer."
        ),
        stub='''def nearest(notes, customer_id, query, k):
    """The k nearest notes of one customer."""
    ...''',
        hint="`sum(a * b for a, b in zip(note['vector'], query))`. Whose notes are counted in k?",
        solution='''def nearest(notes, customer_id, query, k):
    """The k nearest notes of one customer."""
    own = [note for note in notes if note["customer_id"] == customer_id]
    def nearness(note):
        return sum(a * b for a, b in zip(note["vector"], query))
    return [note["text"] for note in sorted(own, key=nearness, reverse=True)[:k]]''',
        because=(
            "The owner comes first. Whoever takes the k nearest of all and then leaves out those of "
            "others has fewer than k, or none."
        ),
        check=_nearest,
        wrong=(
            "def nearest(notes, customer_id, query, k):\n"
            "    near = lambda n: -sum(a * b for a, b in zip(n['vector'], query))\n"
            "    return [n['text'] for n in sorted(notes, key=near)[:k]]",
            "def nearest(notes, customer_id, query, k):\n"
            "    near = lambda n: -sum(a * b for a, b in zip(n['vector'], query))\n"
            "    return [n['text'] for n in sorted(notes, key=near)[:k]\n"
            "            if n['customer_id'] == customer_id]",
            "def nearest(notes, customer_id, query, k):\n"
            "    near = lambda n: sum(a * b for a, b in zip(n['vector'], query))\n"
            "    own = [n for n in notes if n['customer_id'] == customer_id]\n"
            "    return [n['text'] for n in sorted(own, key=near)[:k]]",
            "def nearest(notes, customer_id, query, k):\n"
            "    near = lambda n: -sum(a * b for a, b in zip(n['vector'], query))\n"
            "    own = [n for n in notes if n['customer_id'].startswith(customer_id)]\n"
            "    return [n['text'] for n in sorted(own, key=near)[:k]]",
        ),
        right=(
            "import numpy as np\n\ndef nearest(notes, customer_id, query, k):\n"
            "    own = [n for n in notes if n['customer_id'] == customer_id]\n"
            "    own.sort(key=lambda n: -np.dot(n['vector'], query))\n"
            "    return tuple(n['text'] for n in own[:k])",
        ),
    ),
]
