"""The sentences that state findings, offers and conclusions: what is written is read back."""

import json
import string
import time

from hypothesis import given
from hypothesis import strategies as st

from helpers.practice.casework.findings import (
    Conclusion,
    Finding,
    Offer,
    conclusions_in,
    findings_in,
    findings_of,
    offers_in,
    strings_in,
)

WORD = st.text(string.ascii_lowercase, min_size=1, max_size=8).filter(lambda w: w != "is")
KINDS = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
IDS = st.one_of(
    st.from_regex(r"[A-Z]{1,3}-?[0-9]{1,6}", fullmatch=True),
    st.lists(WORD, min_size=1, max_size=3).map(" ".join),
)
CLEAN = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters='"'))
VALUES = st.one_of(
    st.lists(CLEAN, max_size=6).map(lambda parts: " ".join(" ".join(parts).split())[:300].strip()),
    st.sampled_from(["Hub 4, Kassel", "a, b is c", "49.90", "at [7]", "[3] {b", "x (y)", "No. 5", "2026-10-14T09:12:00Z"]),
)  # fmt: skip
FINDINGS = st.builds(
    Finding,
    kind=KINDS,
    id=IDS,
    fields=st.dictionaries(KINDS, VALUES, min_size=1, max_size=5),
    tool=st.one_of(st.just(""), WORD),
    page=st.none(),
)


@given(st.lists(FINDINGS, min_size=1, max_size=4), st.integers(1, 99))
def test_findings_are_read_back_as_they_were_written(written, page):
    paged = [Finding(f.kind, f.id, f.fields, f.tool, page if f.tool else None) for f in written]
    text = "So far: well. " + " ".join(map(str, paged)) + " That is all."
    assert findings_in(text) == paged
    notes = "Case notes so far:\n" + json.dumps({"facts": [str(f) for f in paged]}, indent=1)
    assert findings_of([notes]) == paged


@given(FINDINGS)
def test_a_finding_without_its_source_is_read_too(finding):
    bare = Finding(finding.kind, finding.id, finding.fields)
    assert findings_in(f"It was noted. {bare} Nothing else.") == [bare]


@given(KINDS, IDS, WORD, st.sampled_from(["", "5", "49.90", "1200"]), KINDS)
def test_offers_and_conclusions_are_read_back_and_are_no_findings(kind, id_, outcome, sum_, status):
    offer = Offer(kind, id_, outcome, sum_, status, "tool_a")
    conclusion = Conclusion(kind, id_, outcome, sum_, "state is lost and days late is over 3")
    text = f"{offer} {conclusion} Bye."
    assert offers_in(text) == [offer]
    assert conclusions_in(text) == [Conclusion(kind, id_, outcome, sum_)]
    assert not [f for f in findings_in(text) if f.id == id_ and f.kind == kind]


def test_a_value_with_a_comma_written_by_somebody_else():
    text = "Parcel Q-1: status is at rest, place is Hub 4, Kassel, signed by is nobody. Next thing."
    (finding,) = findings_in(text)
    assert finding.fields == {"status": "at rest", "place": "Hub 4, Kassel", "signed by": "nobody"}


@given(st.text(max_size=400))
def test_any_text_can_be_read(text):
    assert isinstance(findings_of([text, json.dumps([text])]), list)
    offers_in("Offered for " + text), conclusions_in("Conclusion for " + text)


def test_long_texts_are_read_quickly():
    started = time.perf_counter()
    for piece in (
        "A b ",
        "Ab c d e f: ",
        "Loan L-1: state is a, b ",
        "Offered for a b c: ",
        "{[",
        '"',
    ):
        text = piece * (200_000 // len(piece))
        findings_in(text), offers_in(text), conclusions_in(text), strings_in(text)
    assert time.perf_counter() - started < 5
