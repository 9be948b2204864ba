"""The provider's memory tool over our database, beside the SDK's own over a folder."""

import asyncio
import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anthropic
import httpx2
import pymongo
import pytest
from anthropic.tools import (
    BetaAbstractMemoryTool,
    BetaAsyncAbstractMemoryTool,
    BetaLocalFilesystemMemoryTool,
    ToolError,
)
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pymongo.errors import AutoReconnect

from helpers import cartwise
from helpers.backends import connect
from helpers.database import DatabaseUnavailable, connect_mongo, reset
from helpers.messages import blocks, validate_request
from helpers.models import AGENT_MODEL
from helpers.notes import MemoryFiles, MemoryRefused, async_memory_tool, memory_tool
from helpers.notes import tree as trees
from helpers.runs import Run
from tests.strategies import garbage

ROOT = Path(__file__).resolve().parents[1]
LESSON = "test_memory"
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def db():
    database = connect_mongo(lesson=LESSON)
    reset(database)
    yield database
    database.client.close()


def fresh(db, **more) -> MemoryFiles:
    return MemoryFiles(db, f"customer {next(NUMBERS)}", **more)


@pytest.fixture
def files(db):
    return fresh(db)


def view(path="/memories", **more):
    return {"command": "view", "path": path, **more}


def create(path, text=""):
    return {"command": "create", "path": path, "file_text": text}


def replace(path, old, new):
    return {"command": "str_replace", "path": path, "old_str": old, "new_str": new}


def insert(path, line, text):
    return {"command": "insert", "path": path, "insert_line": line, "insert_text": text}


def delete(path):
    return {"command": "delete", "path": path}


def rename(old, new):
    return {"command": "rename", "old_path": old, "new_path": new}


# ---------------------------------------------------------------- beside the SDK's own tool


def outcome(tool, command):
    """("ok", answer), ("refused", sentence), or ("failed", error) of one command."""
    try:
        return "ok", tool.call(command)
    except ToolError as error:
        return "refused", str(error)
    except Exception as error:  # an error of the operating system, told to the model as it is
        return "failed", type(error).__name__


SIZE = re.compile(r"^[\d.]+[BKMG]\t", re.M)  # of a directory, which depends on the file system


def sizes_aside(said):
    kind, text = said
    head = "Here're the files"
    return (kind, SIZE.sub("", text)) if text.startswith(head) else said


def run_both(ours, commands):
    with tempfile.TemporaryDirectory() as folder:
        theirs = BetaLocalFilesystemMemoryTool(folder)
        for command in commands:
            before = {p for p in Path(folder).rglob("*") if p.is_dir()}
            expected, got = outcome(theirs, command), outcome(ours, command)
            if expected[0] == "failed":
                assert got[0] == "refused", (command, expected, got)
            else:
                assert sizes_aside(got) == sizes_aside(expected), command
            if expected[0] != "ok":  # theirs leaves directories of a rename that failed
                for made in sorted({p for p in Path(folder).rglob("*") if p.is_dir()} - before):
                    shutil.rmtree(made, ignore_errors=True)
        everything = {
            "/" + path.relative_to(folder).as_posix(): path.read_bytes().decode()
            if path.is_file()
            else None
            for path in theirs.memory_root.rglob("*")
        }
    return everything


NAMES = st.sampled_from(["a", "b", "b c", "a-b", "notes.md", ".hidden", "ü.md", "日本", "memories"])
ODD_PATHS = ["/", "", "memories/a", "/etc/passwd", "/memories/../x", "/memories/a/../../x"]
WORDS = st.lists(st.sampled_from("a b tea é 日 \n \n \r\n \t \x00 ` \u2028".split(" ")), max_size=8)
TEXTS = WORDS.map("".join)
KINDS = ["view", "range", "create", "create", "str_replace", "insert", "delete", "rename"]


@st.composite
def sequences(draw, most=10):
    """Commands, most of them about what is there at that moment."""
    tree, commands = {}, []
    for kind in ["create", "create", *draw(st.lists(st.sampled_from(KINDS), max_size=most))]:
        commands.append(draw(command_on(tree, kind)))
        try:
            tree, _ = trees.run(tree, commands[-1])
        except MemoryRefused:
            pass
    return commands


@st.composite
def command_on(draw, tree, kind):
    files = {path: text for path, text in tree.items() if text is not None}
    path = draw(paths(files if kind in ("insert", "str_replace") else tree, kind == "create"))
    if kind == "view":
        return view(path)
    if kind == "range":
        pair = st.lists(st.integers(-3, 6), min_size=2, max_size=2)
        return view(path, view_range=draw(st.one_of(pair, pair, st.just([2]), st.none())))
    if kind == "create":
        return create(path, draw(TEXTS))
    if kind == "insert":
        lines = next((text for p, text in files.items() if path.endswith(p)), "").count("\n")
        return insert(path, draw(st.integers(-(lines == 0), lines + 1)), draw(TEXTS))
    if kind == "delete":
        return delete(path)
    if kind == "rename":
        return rename(path, draw(paths(tree, True)))
    text = next((text for p, text in files.items() if path.endswith(p)), "")
    start = draw(st.integers(0, max(0, len(text) - 1)))
    part = text[start : start + draw(st.integers(1, 6))]
    return replace(path, draw(st.one_of(st.just(part), st.just(part), TEXTS)), draw(TEXTS))


@st.composite
def paths(draw, tree, new):
    """Of something that is there, or (new) of something in a place that is there; or odd ones."""
    inside = new and draw(st.integers(0, 9)) != 7  # else now and then of something in a file
    there = [f"/memories/{path}" for path, text in tree.items() if not inside or text is None]
    there.append("/memories")
    if draw(st.integers(0, 19)) == 7:
        return draw(st.sampled_from(ODD_PATHS))
    path = draw(st.sampled_from(there))
    if new or draw(st.integers(0, 9)) == 7:
        path = "/".join([path, *draw(st.lists(NAMES, min_size=1, max_size=2))])
    ways = [str, str, str, "{}/".format, "{}/.".format, lambda p: p.replace("/", "//")[1:]]
    return draw(st.sampled_from(ways))(path)


class InMemory:
    """Our commands without a database, as a tool."""

    def __init__(self):
        self.tree = {}

    def call(self, command):
        try:
            self.tree, answer = trees.run(self.tree, command)
        except MemoryRefused as refused:
            raise ToolError(str(refused)) from None
        return answer


@settings(max_examples=100, **QUIET)
@given(sequences())
@example([create("/memories/a", "x"), create("/memories/a/b", "x"), view("/memories/a/b")])
@example([create("/memories/a/b/notes.md", "x"), rename("/memories/a", "/memories/a/b/c")])
@example([create("/memories/a", ""), replace("/memories/a", "", "x"), view("/memories/a")])
@example([create("/memories/a", "x\r\ny"), insert("/memories/a", 1, "z\n\n"), view("/memories/a")])
@example([create("/memories/a/b/a/b", "x"), delete("/memories/a/b/a"), view()])
@example([rename("/memories/b", "/memories/a/b/a/x"), view(), rename("/memories", "/memories/a")])
def test_the_same_answers_as_the_sdks_own_tool(commands):
    ours = InMemory()
    everything = run_both(ours, commands)
    assert {f"/memories/{path}": text for path, text in ours.tree.items()} == everything


@pytest.mark.full
@settings(max_examples=10_000, **QUIET)
@given(sequences(most=25))
def test_the_same_answers_many_times(commands):
    run_both(InMemory(), commands)


@settings(max_examples=15, **QUIET)
@given(sequences())
def test_the_same_answers_through_the_database(db, commands):
    files = fresh(db)
    everything = run_both(memory_tool(files), commands)
    assert files.files() == everything
    assert MemoryFiles(db, files._mine["customer_id"]).files() == everything


def test_sizes_are_those_of_the_texts(files):
    files.run(create("/memories/a/b.md", "é" * 1_000))
    files.run(create("/memories/c.md", "x" * 1_024))
    assert files.run(view()).splitlines()[1:] == [
        "3.0K\t/memories".replace("3.0K", "3K"),
        "2K\t/memories/a/",
        "2K\t/memories/a/b.md",
        "1K\t/memories/c.md",
    ]


# ---------------------------------------------------------------- paths


ESCAPES = [
    "/etc/passwd",
    "",
    "/",
    ".",
    "..",
    "memories",
    "/memories/..",
    "/memories/../memories2/a",
    "/memories/a/../../b",
    "/memories/a/../b",  # stays inside, and there is no need for it
    "/memories/./../x",
    "/memories2/a",
    "/memoriesx",
    "//memories/a",
    "/Memories/a",
    "\\memories\\a",
    "/memories/..\\..\\a",
    "/memories/%2e%2e/a",
    "/memories/%2E%2E%2Fa",
    "/memories/a%00b",
    "/memories/%252e%252e/a",
    "/memories/a\x00b",
    "/memories/a\nb",
    "/memories/\x1b[2J",
    "/memories/\u202egnp.md",  # right-to-left override
    "/memories/a\u200b",
    "/memories/\ufeffa",
    "/memories/．．/a",
    "/memories/\u2024\u2024/a",
    "/memories/‥/a",
    "/memories/a／b",
    "/memories/a\u00a0b",
    "/memories/e\u0301",  # looks like another name
    "/memories/\ud83d",
    "/memories/" + "x" * 101,
    "/memories/" + "x/" * 300,
    "/memories/" + "../" * 300,
]


@pytest.mark.parametrize("path", ESCAPES, ids=ascii)
def test_no_path_leaves_the_root(files, path):
    files.run(create("/memories/a", "text"))
    before = files.files()
    for command in (
        view(path),
        create(path, "x"),
        replace(path, "t", "x"),
        insert(path, 0, "x"),
        delete(path),
        rename(path, "/memories/z"),
        rename("/memories/a", path),
    ):
        with pytest.raises(MemoryRefused) as refused:
            files.run(command)
        sentence = str(refused.value)
        assert sentence.encode() and len(sentence) < 250
        assert re.match("Path must start with /memories, got: |Path .* (would escape|has |is ref)", sentence, re.S)  # fmt: skip
    assert files.files() == before


@settings(max_examples=200, **QUIET)
@given(st.text(max_size=20), st.text(max_size=20))
def test_any_path_is_a_place_inside_or_refused(path, rest):
    for tried in (path, f"/memories/{path}", f"/memories/{path}/{rest}"):
        try:
            at = trees.place(tried)
        except MemoryRefused:
            continue
        names = at.split("/") if at else []
        assert not {"", ".", ".."} & set(names) and "\\" not in at and at.isprintable()


@pytest.mark.parametrize(
    "name", ["Grüße 2026.md", "日本語", "नोट.md", "a+b (1)_-,.txt", "100%", "café"]
)
def test_usual_names_are_fine(files, name):
    assert files.run(create(f"/memories/{name}", "x")).endswith(name)
    assert name in files.run(view())


def test_customers_and_runs_have_roots_of_their_own(db):
    owners = [("c", None), ("d", None), ("c", "r"), ("d", "r"), ('c", "r', None), ("c", "None")]
    every = [MemoryFiles(db, *owner) for owner in owners]
    for n, files in enumerate(every):
        files.run(create("/memories/a.md", f"secret {n}"))
    every[0].clear_all_memory()
    assert every[0].files() == {}
    for n, files in enumerate(every[1:], 1):
        assert files.files() == {"/memories/a.md": f"secret {n}"}


@pytest.mark.parametrize("bad", ["", " ", 0, {"$ne": None}, "x" * 121, "\ud83d"])
def test_what_is_no_id(db, bad):
    with pytest.raises(ValueError, match="customer_id"):
        MemoryFiles(db, bad)
    with pytest.raises(ValueError, match="run_id"):
        MemoryFiles(db, "c", bad)
    with pytest.raises(ValueError, match="customer_id"):
        MemoryFiles(db, None)


# ---------------------------------------------------------------- caps and odd input


def test_caps(db):
    files = fresh(db, file_chars=100, root_chars=250)
    files.run(create("/memories/a", "x" * 100))
    files.run(create("/memories/b", "x\n" * 50))
    for command in (
        create("/memories/c", "x" * 101),
        insert("/memories/b", 0, "y"),
        replace("/memories/b", "x\nx\nx\n" * 16, "y" * 200),
    ):
        with pytest.raises(MemoryRefused):
            files.run(command)
    with pytest.raises(
        MemoryRefused, match="/memories/b would have 102 characters, the most is 100"
    ):
        files.run(insert("/memories/b", 0, "y"))
    with pytest.raises(MemoryRefused, match="would have 251 characters, the most is 250: shorten"):
        files.run(create("/memories/c", "x" * 51))
    files.run(create("/memories/c", "x" * 50))
    # lowered caps still let everything shrink
    low = MemoryFiles(db, files._mine["customer_id"], file_chars=10, root_chars=10)
    low.run(replace("/memories/a", "x" * 100, "x" * 99))
    low.run(delete("/memories/b"))
    low.run(rename("/memories/a", "/memories/c2"))


def test_too_many_entries(files):
    tree = {f"f{n}": "" for n in range(trees.ENTRIES)}
    with pytest.raises(MemoryRefused, match="201 files and directories, the most is 200"):
        trees.run(tree, create("/memories/one more"))
    assert trees.run(tree, delete("/memories/f1"))[1] == "Successfully deleted /memories/f1"


def test_answers_do_not_grow_with_the_question(files):
    files.run(create("/memories/a", "ab" * 5_000))
    for old in ("a", "", "x" * 10_000):
        with pytest.raises(MemoryRefused, match="No replacement was performed") as refused:
            files.run(replace("/memories/a", old, "b"))
        assert len(str(refused.value)) < 500


@pytest.mark.parametrize(
    "command, sentence",
    [
        (None, "Unknown command: use one of view, create"),
        ("view", "Unknown command"),
        ([], "Unknown command"),
        ({}, "Unknown command"),
        ({"command": "chmod", "path": "/memories"}, "Unknown command"),
        ({"command": ["view"]}, "Unknown command"),
        ({"command": "view"}, "view needs `path`: a text."),
        (view(3), "view needs `path`: a text."),
        (view(view_range="1-2"), "view needs `view_range`: two line numbers"),
        (view(view_range=[1, "2"]), "view needs `view_range`"),
        (view(view_range=[1, True]), "view needs `view_range`"),
        (create("/memories/a", None), "create needs `file_text`: a text."),
        (insert("/memories/a", "1", "x"), "insert needs `insert_line`: a whole number."),
        (insert("/memories/a", True, "x"), "insert needs `insert_line`"),
        ({"command": "rename", "old_path": "/memories/a"}, "rename needs `new_path`"),
        ({"command": "str_replace", "path": "/memories/a", "old_str": "x"}, "needs `new_str`"),
    ],
)
def test_what_is_no_command(files, command, sentence):
    files.run(create("/memories/a", "x"))
    with pytest.raises(MemoryRefused, match=re.escape(sentence)):
        files.run(command)
    with pytest.raises(ToolError, match=re.escape(sentence)):
        memory_tool(files).call(command)
    assert files.files() == {"/memories/a": "x"}


@settings(max_examples=60, **QUIET)
@given(garbage(), st.sampled_from([*trees.COMMANDS]))
def test_calls_with_anything(db, value, name):
    files = MemoryFiles(db, "anything")
    for command in (value, {"command": name, "path": value}, {**create("/memories/a"), "file_text": value}):  # fmt: skip
        text, is_error = files.call("memory", command)
        assert text.encode() and isinstance(is_error, bool)


def test_half_characters_are_repaired(files):
    files.run(create("/memories/a", "x\ud83d\ude00y\ud83d\n\x00"))
    assert files.files() == {"/memories/a": "x\U0001f600y\ufffd\n\x00"}
    with pytest.raises(MemoryRefused):
        files.run(replace("/memories/a", "\ud83d!", ""))


# ---------------------------------------------------------------- several processes


def test_two_who_edit_the_same_file_lose_nothing(db, files):
    files.run(create("/memories/log.md", ""))
    customer = files._mine["customer_id"]
    start = threading.Barrier(4)

    def write(who):
        mine = MemoryFiles(db, customer)
        start.wait()
        for n in range(6):
            mine.run(insert("/memories/log.md", 0, f"{who}.{n}"))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(4)))
    lines = files.files()["/memories/log.md"].split()
    assert sorted(lines) == sorted(f"{who}.{n}" for who in range(4) for n in range(6))


def test_the_first_file_of_a_root_from_several_at_once(db, files):
    customer = files._mine["customer_id"]
    start = threading.Barrier(6)

    def write(who):
        mine = MemoryFiles(db, customer)
        start.wait()
        mine.run(create(f"/memories/{who}"))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, range(6)))
    assert sorted(files.files()) == [f"/memories/{who}" for who in range(6)]


class Meanwhile:
    """A collection in which somebody else writes before our first `times` updates."""

    def __init__(self, docs, do, times=1):
        self.docs, self.do, self.times = docs, do, times

    def __getattr__(self, name):
        return getattr(self.docs, name)

    def update_one(self, *given):
        if self.times:
            self.times -= 1
            self.do()
        return self.docs.update_one(*given)


def test_an_edit_is_made_on_what_the_other_wrote(db, files):
    files.run(create("/memories/a", "tea\n"))
    other = MemoryFiles(db, files._mine["customer_id"])
    files._docs = Meanwhile(files._docs, lambda: other.run(insert("/memories/a", 1, "milk")))
    files.run(replace("/memories/a", "tea", "coffee"))
    assert files.files() == {"/memories/a": "coffee\nmilk\n"}
    files._docs = Meanwhile(files._docs, lambda: other.run(replace("/memories/a", "milk", "rum")))
    with pytest.raises(MemoryRefused, match="old_str `milk` did not appear verbatim"):
        files.run(replace("/memories/a", "milk", "cream"))  # told, not lost


def test_a_cleared_root_does_not_come_back(db, files):
    files.run(create("/memories/a", "secret"))
    other = MemoryFiles(db, files._mine["customer_id"])
    files._docs = Meanwhile(files._docs, other.clear_all_memory)
    with pytest.raises(MemoryRefused, match="does not exist"):
        files.run(insert("/memories/a", 0, "more"))
    assert other.files() == {}
    assert "secret" not in str(list(db.memory_files.find({"customer_id": files._mine["customer_id"]})))  # fmt: skip


def test_what_was_deleted_is_nowhere(db, files):
    files.run(create("/memories/a", "my secret"), "toolu_1")
    files.run(replace("/memories/a", "secret", "mystery"), "toolu_2")
    files.run(delete("/memories/a"), "toolu_3")
    whole = str(list(db.memory_files.find({"customer_id": files._mine["customer_id"]})))
    assert "secret" not in whole and "mystery" not in whole


def test_others_who_never_stop(db, files, monkeypatch):
    monkeypatch.setattr("helpers.notes.files.TRIES", 3)
    files.run(create("/memories/a", ""))
    other = MemoryFiles(db, files._mine["customer_id"])
    files._docs = Meanwhile(files._docs, lambda: other.run(insert("/memories/a", 0, "x")), 99)
    with pytest.raises(DatabaseUnavailable, match="changed this memory 3 times"):
        files.run(insert("/memories/a", 0, "y"))


class LosesAnswers(Meanwhile):
    def _lose(self, done):
        if self.times:
            self.times -= 1
            raise AutoReconnect("connection reset")
        return done

    def insert_one(self, doc):
        return self._lose(self.docs.insert_one(doc))

    def update_one(self, *given):
        return self._lose(self.docs.update_one(*given))


def test_a_lost_answer_does_not_edit_twice(files):
    files._docs = LosesAnswers(files._docs, None)
    assert "created" in files.run(create("/memories/a", "x\n"))
    files._docs = LosesAnswers(files._docs.docs, None)
    assert "edited" in files.run(insert("/memories/a", 0, "y"))
    assert files.files() == {"/memories/a": "y\nx\n"}


def test_a_call_that_comes_again_is_not_done_twice(db, files):
    files.run(create("/memories/a", "x\n"), "toolu_1")
    files.run(insert("/memories/a", 0, "y"), "toolu_2")
    again = MemoryFiles(db, files._mine["customer_id"])  # after a kill
    assert again.run(insert("/memories/a", 0, "y"), "toolu_2").startswith("This was done before")
    assert again.run(create("/memories/a", "x\n"), "toolu_1").startswith("This was done before")
    again.run(insert("/memories/a", 0, "z"), "toolu_2")  # another call under an id used twice
    again.run(insert("/memories/a", 0, "y"))  # without an id each call is one of its own
    assert files.files() == {"/memories/a": "y\nz\ny\nx\n"}


WRITER = """
import sys
from helpers.database import connect_mongo
from helpers.notes import MemoryFiles
files = MemoryFiles(connect_mongo(lesson="test_memory"), sys.argv[1])
files.run({"command": "create", "path": "/memories/log.md", "file_text": ""})
for n in range(1_000_000):
    files.run({"command": "insert", "path": "/memories/log.md", "insert_line": n, "insert_text": str(n)})
    print(n, flush=True)
"""


def test_memory_survives_a_killed_process(db, files):
    command = [sys.executable, "-c", WRITER, files._mine["customer_id"]]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
    for line in process.stdout:
        if line.strip() == "20":
            break
    process.kill()
    process.wait(20)
    process.stdout.close()
    lines = files.files()["/memories/log.md"].split()
    assert len(lines) >= 21 and lines == [str(n) for n in range(len(lines))]


def test_a_dead_server_is_never_taken_for_an_empty_memory(files):
    files._docs = pymongo.MongoClient("127.0.0.1", 1, serverSelectionTimeoutMS=200).x.memory_files
    for do in (files.files, lambda: files.run(view()), lambda: files.call("memory", view())):
        with pytest.raises(DatabaseUnavailable, match="does not answer, so it could not read"):
            do()


# ---------------------------------------------------------------- with the SDK


def test_it_is_the_sdks_tool(files):
    tool = memory_tool(files, cache_control={"type": "ephemeral"})
    assert isinstance(tool, BetaAbstractMemoryTool) and tool.name == "memory"
    assert isinstance(async_memory_tool(files), BetaAsyncAbstractMemoryTool)
    definition = {"type": "memory_20250818", "name": "memory"}
    assert tool.to_dict() == {**definition, "cache_control": {"type": "ephemeral"}}
    assert files.tools == [memory_tool(files).to_dict()] == [definition]
    assert not validate_request([{"role": "user", "content": "Hi"}], tools=files.tools)


def test_objects_of_the_sdk_are_commands_too(files):
    from anthropic.types.beta import BetaMemoryTool20250818CreateCommand as Create

    command = Create(command="create", path="/memories/a", file_text="x")
    assert memory_tool(files).execute(command) == "File created successfully at: /memories/a"
    assert memory_tool(files).create(
        Create(command="create", path="/memories/b", file_text="")
    ) == ("File created successfully at: /memories/b")
    assert memory_tool(files).clear_all_memory() == "All memory cleared" and files.files() == {}


def test_the_async_tool(files):
    async def work():
        tool = async_memory_tool(files)
        await tool.call(create("/memories/a", "x"))
        with pytest.raises(ToolError, match="File /memories/a already exists"):
            await tool.call(create("/memories/a", "y"))
        assert (await tool.call(view("/memories/a"))).endswith("\tx")
        assert await tool.clear_all_memory() == "All memory cleared"

    asyncio.run(work())
    assert files.files() == {}


def scripted(*commands):
    """A client whose model gives these commands one after the other, and `sent`: the requests."""
    sent, left = [], list(commands)

    def api(request):
        body = json.loads(request.content)
        sent.append(body)
        content, stop = [{"type": "text", "text": "Done."}], "end_turn"
        if left:
            name = f"toolu_{len(sent)}"
            content = [{"type": "tool_use", "id": name, "name": "memory", "input": left.pop(0)}]
            stop = "tool_use"
        reply = {
            "id": f"msg_{len(sent)}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return httpx2.Response(200, json=reply)

    http = httpx2.Client(transport=httpx2.MockTransport(api))
    client = anthropic.Anthropic(
        api_key="practice", base_url="http://practice.invalid", max_retries=0, http_client=http
    )
    return client, sent


def test_the_tool_runner_uses_it(files):
    client, sent = scripted(
        create("/memories/a.md", "likes tea"), view("/memories/../etc"), {"a": 1}
    )
    runner = client.beta.messages.tool_runner(
        model=AGENT_MODEL,
        max_tokens=100,
        messages=[{"role": "user", "content": "Remember that I like tea."}],
        tools=[memory_tool(files)],
        thread=False,
    )
    assert runner.until_done().content[0].text == "Done."
    assert sent[0]["tools"] == files.tools
    results = [m["content"][0] for m in sent[-1]["messages"] if m["role"] == "user"][1:]
    assert [(r["content"], bool(r.get("is_error"))) for r in results] == [
        ("File created successfully at: /memories/a.md", False),
        ("Path /memories/../etc would escape /memories directory", True),
        ("Unknown command: use one of view, create, str_replace, insert, delete, rename.", True),
    ]
    assert files.files() == {"/memories/a.md": "likes tea"}


def test_as_part_of_a_loop_of_ones_own(files):
    assert files.call("memory", create("/memories/a", "x"), "toolu_1") == (
        "File created successfully at: /memories/a",
        False,
    )
    assert files.call("memory", delete("/memories"))[1] and files.call("memories", view())[1]


# ---------------------------------------------------------------- with the practice agent


@pytest.fixture(scope="module")
def practice():
    return connect("practice")


def work(client, files, **more) -> Run:
    """A session on the short case, with the memory tool among the desk's."""
    world = cartwise.world()
    case = world["cases"]["short"]
    run = Run(run_id="session", customer_id=case["customer_id"])
    run.add({"role": "user", "content": case["message"]}, "m1")
    desk = cartwise.Desk(world, case["customer_id"], more=[files])
    return cartwise.run_case(client, run, desk, **more)


def calls_of(run) -> list[tuple[str, str]]:
    found = [b for m in run.messages for b in blocks(m) if b["type"] == "tool_use"]
    return [(call["name"], str(call["input"])) for call in found]


def test_a_fresh_session_picks_up_from_the_files(db, practice):
    files = fresh(db)
    first = calls_of(work(practice, files, max_steps=6))
    kept = "".join(text or "" for text in files.files().values())
    again = MemoryFiles(db, files._mine["customer_id"])
    run = work(practice, again)
    second, once = calls_of(run), calls_of(whole := work(practice, fresh(db)))
    looked_up = {call for call in first[:-1] if call[0] != "memory"}
    assert len(looked_up) >= 2 and kept.count("\n") >= 2
    assert second[0] == first[0] and "/memories" in first[0][1]  # it looks there first
    assert not looked_up & set(second) and len(second) < len(once)
    assert run.done and run.reply == whole.reply
    assert "".join(text or "" for text in again.files().values()).startswith(kept)


def test_the_tool_runner_on_the_practice_model(db, practice):
    files = fresh(db)
    files.run(create("/memories/a.md", "The cat is called Bo."))
    asked = {"model": AGENT_MODEL, "max_tokens": 200}
    message = {"role": "user", "content": "View the path /memories/a.md with the memory tool."}
    runner = practice.beta.messages.tool_runner(
        **asked, messages=[message], tools=[memory_tool(files)], max_iterations=3
    )
    replies = list(runner)  # by threads at first; the practice API has it send the history
    assert replies[0].stop_reason == "tool_use"
    assert replies[0].content[-1].name == "memory"
