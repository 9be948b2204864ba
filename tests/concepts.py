"""Where each concept of the course is taught: lessons, the cells that show it, and what asks for it.

The number is the key of its line for an interview, too (`data/interview/lines.json`), which lesson
14 shows. A cell is named by a piece of its source that stands in no other cell of that lesson.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Concept:
    """One thing that is taught.

    cells: (lesson, piece of the source of the cell that shows it), the first being code.
    asked: ids of exercises ("04.2") and quiz questions ("04.q2").
    """

    about: str
    cells: tuple[tuple[str, str], ...]
    asked: tuple[str, ...]

    @property
    def lessons(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(lesson for lesson, _ in self.cells))


def taught(about: str, cells: dict[str, str | tuple[str, ...]], asked: str) -> Concept:
    pairs = tuple(
        (lesson, piece)
        for lesson, pieces in cells.items()
        for piece in ((pieces,) if isinstance(pieces, str) else pieces)
    )
    return Concept(about, pairs, tuple(asked.split()))


CONCEPTS: dict[int, Concept] = {
    1: taught(
        "stateless calls; the application remembers by sending",
        {
            "01": ('assert "green" not in text_of(second)', 'assert "green" not in str(asked)'),
            "00": "answer = ask([question])",
            "lab": 'fresh, history = hits("fresh"), hits("history")',
        },
        "01.1 01.2 01.3 lab.2 00.q1 00.q2 01.q1 01.q2 lab.q1",
    ),
    2: taught(
        "a loop to type into until quit, and the favourite colour; terminal programs",
        {
            "01": ("def chat_without_memory", "chat(lambda text: text_of(ask(text)), script="),
            "02": "chat(lambda text: say_safely(client, talk, text)",
            "06": "python -m helpers.scout --memory bounded",
        },
        "01.q3 06.q6",
    ),
    3: taught(
        "the history list works, inside one process",
        {"02": ("def say(client, history, text)", 'assert "green" in history[3]')},
        "02.2 02.3 02.q1 02.q3",
    ),
    4: taught(
        "the window is finite, replies fill it, quality falls first, a bigger one is no answer",
        {
            "03": (
                "client.messages.create(model=small.id, max_tokens=100, messages=too_long)",
                'assert reply.stop_reason == "model_context_window_exceeded"',
                "cost.dollars(m.id, 100_001)",
            ),
            "lab": 'show_measured("attention")',
        },
        "lab.3 03.q5 03.q6 lab.q3",
    ),
    5: taught(
        "lost when the process ends",
        {
            "02": 'answer = ask_in_a_new_process("What is the code of locker 1?")',
            "05": 'answer = in_a_new_process("holiday", "noor", "What is my favourite colour?")',
        },
        "00.1 02.q2",
    ),
    6: taught(
        "why a document database, what is automatic, and search by meaning",
        {
            "05": (
                'row = db.sessions.find_one({}, {"_id": 0})',
                'assert store.load("holiday", "mallory") is None',
            ),
            "11": ('found = [note.text for note in memory.recall("damaged item")]', "cosmosSearch"),
        },
        "05.q1 05.q5 11.q7",
    ),
    7: taught(
        "the session's file and row: three cases",
        {
            "05": (
                "resumed = open_session(file",
                "fresh = open_session(file",
                "restarted = open_session(file",
            ),
            "06": "python -m helpers.scout --memory bounded",
        },
        "05.1 05.q2 06.q6",
    ),
    8: taught(
        "where the summary stands, and what each place costs",
        {"06": "in_system = dollars_for("},
        "06.q3",
    ),
    9: taught(
        "counted by the model's own counter; the extra round trip",
        {
            "03": ('assert off["json"] > 1.9', "perf_counter()"),
            "04": "counts = count_messages(client, CHAT_MODEL, history)",
        },
        "03.3 04.2 03.q3 04.q3",
    ),
    10: taught(
        "exchanges; newest first within the budget; the newest stays; kept and dropped",
        {
            "04": (
                "assert [len(piece) for piece in exchanges(with_tool)] == [4, 1]",
                "trimmed.dropped + trimmed.kept == history",
                "tight = trim(history, 5, count)",
            )
        },
        "04.1 04.3 04.q1 04.q2 04.q4",
    ),
    11: taught(
        "the incremental summary: only what was dropped, cheaper, capped",
        {
            "06": (
                "second = merge_summary(client, first.text, later)",
                "folded = fold(client",
            ),
            "14": "for way, sizes in folds(said).items():",
        },
        "06.1 06.2 06.3 06.q1",
    ),
    12: taught(
        "why plain prose: the same facts in three forms",
        {"06": 'assert sizes["prose"] < sizes["JSON"]'},
        "06.q2",
    ),
    13: taught(
        "two collections: a small document for each turn, an append-only log",
        {
            "05": ('assert sizes["sessions"] * 50 < sizes["logs"]', 'store.replay("long"'),
            "06": 'log = SessionStore(db).log("hundred", "marit")',
        },
        "05.q3",
    ),
    14: taught(
        "naive is quadratic, bounded is linear; the bound; the verdict with caching",
        {
            "06": (
                "correlation(range(20, 101), sums) ** 2 > 0.99",
                "caps = tokens(build_request_system_prompt(PERSONA",
                "cached = sum(cost.series_dollars(CHAT_MODEL, requests))",
            ),
            "03": "assert 2 < grows(15) < grows(240) < 4",
            "02": "assert 3 < so_far[39] / so_far[19] < 5",
        },
        "02.1 02.q4 06.q4",
    ),
    15: taught(
        "the limits, and what removes each",
        {
            "05": ("store.append_turn(ours, mine)\nstore.save(ours)", "def in_a_new_process"),
            "06": ("broken = fold(failing(client, times=2)", "## What is still missing"),
        },
        "05.2 05.3 05.q4 06.q5",
    ),
    16: taught(
        "from forgetting to remembering: what each step solved",
        {
            "13": (
                "table([(name, FAILURE[name], with_all[name], without[name])",
                "The whole way, and what each step solved",
            ),
            "00": "answer = ask([stored, question])",
        },
        "13.q1",
    ),
    17: taught(
        "two opposite problems: too much in one task, nothing between tasks",
        {
            "11": 'assert "CW-9646" not in said(without)',
            "07": "for step in (10, 20, 30):",
        },
        "07.q1",
    ),
    18: taught(
        "three kinds of memory: where, how long, an example",
        {
            "07": 'context_view(request, {**request, "messages": seen}',
            "03": "## Three kinds of memory",
        },
        "03.q1",
    ),
    19: taught(
        "the growth formula, and twice as long",
        {
            "03": (
                "assert cost.step_input(30) == 119_000",
                "== (1_830_000, 7.32)",
                "assert 3.9 < ratio < 4",
            ),
            "07": "assert round(cost.dollars(opus.id, cost.run_input(30)), 2) == 7.32",
        },
        "03.1 03.2 07.1 14.1 03.q2 07.q5",
    ),
    20: taught(
        "three harms: cost, speed, attention",
        {
            "03": "== (7.32, 0.937)",
            "lab": (
                'show_measured("speed")',
                'show_measured("cache")',
                'show_measured("attention")',
            ),
        },
        "lab.1 03.q4 lab.q2",
    ),
    21: taught(
        "the smallest context for this step; the rest stays in the task's state",
        {"07": 'context_view(request, {**request, "messages": seen}'},
        "07.q3",
    ),
    22: taught(
        "the order in which to reach for the techniques",
        {
            "10": ("cheapest = [min(WAYS", "runs = {pair: work(*pair)"),
            "07": "In this order one reaches for a technique",
        },
        "13.1 14.4 07.q6 10.q5 13.q3",
    ),
    23: taught(
        "small at the source",
        {"07": ("def shape_by_hand", 'assert "delivered_building" in shaped["events"][-1]')},
        "07.3 07.q2",
    ),
    24: taught(
        "clear old results: placeholder, id kept, a copy",
        {
            "08": (
                "def clear_by_hand",
                "assert history == with_results(pages)",
                "== (17_600, 461_100, 1.84)",
            )
        },
        "08.1 08.2 14.2 08.q1 08.q5",
    ),
    25: taught(
        "clearing against the cache; batches; when not to clear",
        {
            "08": (
                "== [0.937, 1.830, 0.924, 0.838]",
                "assert both(15)[0] < both(15)[1]",
                'unread = work("keep none"',
            ),
            "03": "every entry has expired",
        },
        "08.3 03.q7 08.q2 08.q3",
    ),
    26: taught(
        "bound thinking and the provider's own edit",
        {"08": ('"cleared by hand": ask(by_hand, model)', "reply = ask(history, betas=BETA")},
        "08.4 08.q4",
    ),
    27: taught(
        "compaction into typed notes; exact; recent verbatim; safe cut; history kept",
        {
            "09": (
                "assert result.ok and talk.messages == messages",
                "invented = sorted(",
                "assert safe_cut(run.messages, 8) == 0",
                "rows = [attempt(kind) for kind in [*KINDS, 429, 529]]",
                "rounds = {name: ten_rounds(way)",
            )
        },
        "09.1 09.2 09.q1 09.q2 09.q3",
    ),
    28: taught(
        "already offered: the failure that it prevents",
        {"09": ('go_on({**run.notes, "already_offered": []})', "answer = go_on(run.notes)")},
        "09.3 09.q4",
    ),
    29: taught(
        "the provider's compaction: what it takes and gives",
        {"09": ("theirs = meter.calls[-1]", "refused = summarised(client, older, output_config")},
        "09.4 09.q5 09.q6",
    ),
    30: taught(
        "the agent's notes outlive clearing; a fresh session picks up",
        {
            "10": (
                "found = session(case, ",
                "monday_in_a_process_that_dies())",
                "answer, refused = memories.call(",
            )
        },
        "10.1 10.2 13.4 10.q1 10.q2 13.q5",
    ),
    31: taught(
        "heavy reading elsewhere, and when it is worth it",
        {"10": ("assert sent[0] < sent[2] < sent[1]", "assert not rows[0][-1] and rows[-1][-1]")},
        "10.3 10.q3 10.q4",
    ),
    32: taught(
        "rules in the system prompt with their reason, enforced in code; three fixes",
        {
            "07": (
                'last |= {"system": SYSTEM',
                "assert raw.refunds.total() == before",
                "resumed = run_case(client, again, desk",
            )
        },
        "07.2 07.4 07.q4",
    ),
    33: taught(
        "what to remember, and what never",
        {"11": "assert [verdict.ok for verdict in verdicts]"},
        "11.1 11.q1",
    ),
    34: taught(
        "three shapes: profile, searchable notes, memory files",
        {
            "11": (
                'refused = memory.profile.set("preferred_resolution", "a bouquet"',
                'found = [note.text for note in memory.recall("broken glass", k=2)]',
                'print(memory.files.run({"command": "view"',
            )
        },
        "11.3 11.q2",
    ),
    35: taught(
        "writing by a tool and by a pipeline, and why both",
        {"11": ('friday = talk("friday"', "first = memory.after_run(thursday)", "parts = {")},
        "11.q3",
    ),
    36: taught(
        "reading: the first message, and recall as a tool",
        {
            "11": ("start = memory.at_start()", 'searching = talk("monday, recall"'),
            "13": "assert opening not in seen",
        },
        "13.3 11.q4 13.q4",
    ),
    37: taught(
        "the returning customer's Monday, without and with memory",
        {"11": ('without = talk("monday", monday', 'with_memory = talk("monday, with memory"')},
        "11.q5",
    ),
    38: taught(
        "stale, wrong, poisoned, leaked: each shown failing and holding",
        {
            "12": (
                'expect_in_practice(client, "the old place"',
                'assert len(done.superseded) == 1 and "Block B" not in memory.at_start()',
                'expect_in_practice(client, "once"',
                "assert not guess.ok",
                'expect_in_practice(client, "too much", sum(',
                'assert guarded.quarantined() and "pre-approved" not in guarded.at_start()',
                'assert recall_by_hand("key")',
                "assert set(seen[0]) == public and crossed == []",
            )
        },
        "12.2 12.q1 12.q2 12.q5",
    ),
    39: taught(
        "data, never instructions; no memory changes what tools permit; identity from the login",
        {
            "12": (
                "desks['labelled'].paid",
                "assert float(real.refunds.total()) <= due",
                "assert gate == 0",
                "for odd in (",
            ),
            "07": "assert raw.refunds.total() == before",
        },
        "12.1 12.3 14.3 12.q3 12.q4 12.q6 13.q4",
    ),
    40: taught(
        "date, expiry, source; see, correct, delete",
        {
            "11": (
                "for months in (0, 6, 11, 13):",
                "done = memory.correct(bell.id",
                "memory.forget(bowl.id)",
                "print(memory.forget_all())",
                "memory_inspector(memory",
            ),
            "12": "done = memory.correct(note.id, text",
        },
        "11.2 11.q6 11.q8",
    ),
    41: taught(
        "the design table: need, technique, proof",
        {"13": ("for number, heading, line in PROOFS:", "| Need | Technique | Proof |")},
        "13.2 13.q2",
    ),
    42: taught(
        "five questions, the six-part answer, the thing to volunteer, three self-tests",
        {
            "14": (
                'model_answer("window")',
                'model_answer("structured")',
                'model_answer("memory")',
                'model_answer("risks")',
                'model_answer("bigger")',
                'model_answer("volunteer")',
                "memory.forget_all()",
            )
        },
        "14.1 14.2 14.3",
    ),
}
