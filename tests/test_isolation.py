"""Two customers whose ids try to collide: every public method, on both, with the other's ids in hand.

Each customer has something of every kind, with a word that only this customer says. Whatever a
method of one returns or changes, the other's word never comes up and the other's documents stay
byte for byte.
"""

import inspect
import unicodedata

import pytest

from helpers.database import connect_mongo, reset
from helpers.long_term import Memory, MemoryTools, NoSuchMemory, Profile, shared_embedder
from helpers.notes import MemoryFiles
from helpers.runs import Run
from tests.memories import everything_in, memory_of, wary

NFD = unicodedata.normalize("NFD", "Zoë")
PAIRS = [
    # separators: what two ids and a number might be joined to
    ("a", "a:"),
    ("a:b", "a"),
    ("a/b", "a"),
    ("a/b", "a/b/"),
    ("a.b", "a_b"),
    ("a|b", "a|"),
    ("a,1", "a"),
    ('a", 1', "a"),
    ('["a", 1]', "a"),
    ('a"', 'a\\"'),
    ("a\\", "a\\\\"),
    ("a-1", "a-11"),
    # prefixes and endings
    ("C-650", "C-6506"),
    ("C-6506", "6506"),
    ("1", "10"),
    ("x" * 119, "x" * 120),
    # case
    ("Priya@example.org", "priya@example.org"),
    ("ABC", "abc"),
    ("STRASSE", "straße"),
    ("İ", "i"),
    # unicode forms and look-alikes
    ("Zoë", NFD),
    ("Zoë", "Zoe"),
    ("ﬁ", "fi"),
    ("Ａ", "A"),
    ("\u0430", "a"),  # the first is Cyrillic
    ("\u212b", "\u00c5"),
    ("②", "2"),
    # whitespace
    ("a", " a"),
    ("a", "a "),
    ("a b", "a  b"),
    ("a b", "a\u00a0b"),
    ("a\tb", "a b"),
    ("a\n", "a"),
    ("a", "a\u200b"),
    ("a\x00", "a"),
    # operators and patterns, as strings
    ('{"$ne": null}', "C-1"),
    ('{"$gt": ""}', "z"),
    (".*", "anybody"),
    ("$where", "customer_id"),
    ("null", "None"),
    ("*", "C-2"),
    ("../a", "a"),
]


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson="test_isolation")
    yield database
    database.client.close()


class Side:
    """One customer, and something of every kind that only this one said."""

    def __init__(self, db, customer, word):
        self.word, self.customer = word, customer
        self.memory = memory_of(db, customer, guard=wary, embedder=shared_embedder)
        self.tools = MemoryTools(self.memory, "r1")
        memory = self.memory
        old = memory.remember(f"Deliveries go to {word} House", run_id="r1")
        self.note = memory.remember(f"Deliveries go to {word} Tower", run_id="r1")
        assert self.note.superseded == (old.id,)
        memory.remember(f"a call about {word}", run_id="r1", kind="commitment", due="2026-10-30")
        memory.remember(f"obey {word}", run_id="r1")
        memory.profile.set("called", f"Dr. {word}", run_id="r1")
        self.run = Run(run_id="the same run", customer_id=customer, done=True, reply=word)
        self.run.add({"role": "user", "content": f"Where is {word}?"})
        self.case = memory.after_run(self.run)
        self.held = memory.quarantined()[0]
        path = {"command": "create", "path": "/memories/a.md"}
        memory.files.run({**path, "file_text": f"likes {word}"})
        self.mine = everything_of(db, customer)

    def ids(self) -> list[str]:
        return [self.note.id, *self.note.superseded, self.held.id]


def everything_of(db, customer) -> dict:
    found = {n: list(db[n].find({"customer_id": customer})) for n in db.list_collection_names()}
    return {name: sorted(map(str, docs)) for name, docs in found.items() if docs}


def refused(error, call, *args, **more) -> str:
    with pytest.raises(error) as said:
        call(*args, **more)
    return str(said.value)


def forget_of(memory, id) -> str:
    return refused(NoSuchMemory, memory.forget, id)


# For each public name what it gives on `a` to somebody who knows everything about `b`.
def on_memory(a: Side, b: Side):
    m = a.memory
    about = f"{b.word}, {b.customer}, where do deliveries go, last time"
    return {
        "customer_id": lambda: "" if m.customer_id == a.customer else b.word,
        "profile": lambda: m.profile.get(),
        "files": lambda: m.files.files(),
        "recall": lambda: m.recall(about, k=50),
        "at_start": m.at_start,
        "start_notes": m.start_notes,
        "first_message": lambda: m.first_message("Hello"),
        "show": lambda: (m.show(), m.show(everything=True)),
        "quarantined": m.quarantined,
        "export": m.export,
        "remember": lambda: m.remember("Deliveries go to Block C", run_id=b.run.run_id),
        "correct": lambda: [
            refused(NoSuchMemory, m.correct, id, "mine now", run_id="r1") for id in b.ids()
        ],
        "after_run": lambda: [refused(ValueError, m.after_run, b.run), m.after_run(a.run)],
        "forget": lambda: [forget_of(m, id) for id in b.ids()],
        "forget_all": m.forget_all,
    }


def on_profile(a: Side, b: Side):
    profile = a.memory.profile
    return {
        "fields": lambda: list(profile.fields),
        "get": profile.get,
        "history": lambda: [profile.history(field) for field in profile.fields],
        "set": lambda: profile.set("called", "Q", run_id=b.run.run_id),
        "forget": lambda: profile.forget("called"),
    }


def on_tools(a: Side, b: Side):
    tools = a.tools
    hints = [{"customer_id": b.customer}, {"user_id": b.customer}, {"memory": {"$ne": None}}]
    return {
        "tools": lambda: tools.tools,
        "call": lambda: [
            tools.call("recall", {"query": f"{b.customer} deliveries"}, "t1"),
            tools.call("remember", {"fact": "Deliveries go to Block D"}, "t1"),
            *(tools.call("recall", {"query": "deliveries", **hint}, "t2") for hint in hints),
            *(tools.call("remember", {"fact": "mine", **hint}, "t3") for hint in hints),
        ],
    }


def on_files(a: Side, b: Side):
    files = a.memory.files
    odd = [f"/memories/../{b.customer}", "/memories/a.md", "/memories"]

    def view(path):
        return files.call("memory", {"command": "view", "path": path})

    return {
        "tools": lambda: files.tools,
        "files": files.files,
        "call": lambda: [view(path) for path in odd],
        "run": lambda: files.run({"command": "view", "path": "/memories"}),
        "clear_all_memory": files.clear_all_memory,
    }


EVERY = {Memory: on_memory, Profile: on_profile, MemoryTools: on_tools, MemoryFiles: on_files}
LAST = ("forget_all", "clear_all_memory", "forget")  # what erases comes after what reads


def public(kind) -> set[str]:
    names = {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}
    return names | ({"fields"} if kind is Profile else set())


def test_every_public_method_is_tried():
    assert len(PAIRS) >= 40 and len({frozenset(pair) for pair in PAIRS}) == len(PAIRS)
    assert all(one != two for one, two in PAIRS)

    class Any:
        def __getattr__(self, name):
            return self

        __call__ = __iter__ = lambda self, *_: self

    for kind, calls in EVERY.items():
        made = calls(Any(), Any())
        assert public(kind) == set(made), f"say how {kind.__name__} is tried"


@pytest.mark.parametrize("one, two", PAIRS, ids=range(1, len(PAIRS) + 1))
def test_nothing_crosses(db, one, two):
    reset(db)
    a, b = Side(db, one, "Zanzibar"), Side(db, two, "Timbuktu")
    crossings = []
    calls = {
        f"{kind.__name__}.{name}": call
        for kind, of in EVERY.items()
        for name, call in of(a, b).items()
    }
    order = sorted(calls, key=lambda name: [n in name for n in LAST])
    for name in order:
        if b.word in str(calls[name]()):
            crossings.append(f"{name} gave something of the other's")
    assert crossings == [] and everything_of(db, two) == b.mine
    assert a.word not in everything_in(db)  # forget_all was among them
    shown = b.memory.show(everything=True)
    assert len(shown) == 4 and all(b.word in note.text or note.kind == "case" for note in shown)
    again = memory_of(db, two, embedder=shared_embedder)
    assert b.word in again.recall("where do deliveries go")[0].text
    assert b.word in again.at_start() and b.word in str(again.export())
    assert again.profile.get()["called"].value == f"Dr. {b.word}"
    assert again.files.files() == {"/memories/a.md": f"likes {b.word}"}
