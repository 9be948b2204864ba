"""helpers/cartwise/shaping.py: results made small."""

import copy
import json
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.cartwise import shape
from helpers.cartwise.shaping import LEFT_OUT, SHORTEST

QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}

PAGE = {
    "parcel_id": "P1",
    "next_page": None,
    "events": [
        {"at": f"2026-10-{day:02}", "status": status, "facility": "F1", "device": {"id": day}}
        for day, status in enumerate(["RG", "RG", "HB", "HB", "HB", "OD", "OD", "DL"], 1)
    ],
    "legend": {"status": {"RG": "registered", "HB": "at the hub", "DL": "delivered"}},
}
FIELDS = ["parcel_id", "next_page", "events.at", "events.status"]


def statuses(shaped):
    return [event["status"] for event in shaped["events"]]


def test_fields_and_codes():
    shaped = shape(PAGE, FIELDS)
    assert list(shaped) == ["parcel_id", "next_page", "events"]
    assert shaped["next_page"] is None
    assert shaped["events"][0] == {"at": "2026-10-01", "status": "registered"}
    assert shaped["events"][5]["status"] == "OD"  # not in the legend
    assert (
        shape(PAGE, FIELDS + ["legend"])["events"][7]["status"] == "DL"
    )  # for who reads it itself


def test_what_is_left_out_of_a_list():
    shaped = shape(PAGE, FIELDS, 5)
    assert statuses(shaped) == ["registered", "at the hub", "OD", "OD", "delivered"]
    assert [event["at"][-2:] for event in shaped["events"]] == ["01", "03", "06", "07", "08"]
    assert shaped[LEFT_OUT] == "3 events without news"
    shaped = shape(PAGE, FIELDS, 2)
    assert statuses(shaped) == ["OD", "delivered"]
    assert shaped[LEFT_OUT] == "4 events without news; 2 earlier events"
    assert statuses(shape(PAGE, FIELDS, 1)) == ["delivered"]


def test_the_newest_value_of_each_field_stays():
    page = copy.deepcopy(PAGE)
    page["events"][1]["signed_by"] = "Ada"
    page["events"][1]["building"] = None
    for limit in range(2, 9):
        shaped = shape(page, [*FIELDS, "events.signed_by"], limit)
        assert "Ada" in [event.get("signed_by") for event in shaped["events"]]
        assert statuses(shaped)[-1] == "delivered"


def test_paths_and_names():
    thing = {"a": {"b": [{"c": 1, "d": 2}, {"d": 3}], "e": 4}, "f": 5}
    assert shape(thing) == thing
    assert shape(thing, "a.b.c") == {"a": {"b": [{"c": 1}, {}]}}
    assert (
        shape(thing, ["a.b.c", "a.b"])
        == shape(thing, ["a.b", "a.b.c"])
        == {"a": {"b": thing["a"]["b"]}}
    )
    assert shape(thing, ["a", "a.e"]) == {"a": thing["a"]}
    assert shape(thing, ["f.x", "g"]) == {"f": 5}
    assert shape(thing, []) == {}
    assert shape([{"a": 1, "b": 2}] * 2, "b") == [{"b": 2}] * 2
    assert shape(3, "b") == 3 and shape(None) is None


def test_lists_of_other_things():
    assert shape(list(range(12)), limit=3) == [9, 10, 11, {LEFT_OUT: "9 earlier items"}]
    assert shape(["a"] * 12, limit=3) == ["a"] * 3 + [{LEFT_OUT: "9 items without news"}]
    shaped = shape({"x": [1, 2, 3], "y": ["a"] * 4, "z": [[1, 2, 3]]}, limit=2)
    assert shaped["x"] == [2, 3] and shaped["z"] == [[2, 3, {LEFT_OUT: "1 earlier items"}]]
    assert shaped[LEFT_OUT] == "1 earlier x; 2 y without news"
    again = shape({"x": [1, 2, 3], LEFT_OUT: "7 others"}, limit=2)
    assert again[LEFT_OUT] == "7 others; 1 earlier x"


def test_texts():
    assert shape("short") == "short"
    cut = shape("x" * 1_000, chars=100)
    assert cut == "x" * 76 + "… [924 more characters]"
    assert shape({"text": "y" * 700})["text"].endswith("more characters]")
    assert json.loads(shape(json.dumps(PAGE), FIELDS)) == shape(PAGE, FIELDS)
    assert shape(' [1, 2, "é"]', limit=1) == '["é", {"left_out": "2 earlier items"}]'
    for plain in ("{not json", "[1, NaN]", "[" * 3_000, '"text"', "3", ""):
        assert shape(plain, "a", chars=5_000) == plain


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, None, "8"])
def test_limits_that_cannot_be(limit):
    with pytest.raises(ValueError, match="limit"):
        shape({}, limit=limit)
    with pytest.raises(ValueError, match="chars"):
        shape({}, chars=limit)
    with pytest.raises(ValueError, match="40"):
        shape({}, chars=SHORTEST - 1)


@pytest.mark.parametrize(
    "character",
    [
        "e\u0301",
        "🦦",
        "👩🏽",
        "👩‍👩‍👧",
        "🇧🇪",
        "❤️",
        "\r\n",
        "\ud83e\udda6",  # as two halves
        "हि",
    ],
)
def test_no_cut_inside_a_character(character):
    for before in range(12):
        text = "." * before + character * 60
        cut = shape(text, chars=SHORTEST).partition("…")[0].lstrip(".")
        assert cut == character * (len(cut) // len(character))


# ---------------------------------------------------------------- properties

NAMES = st.sampled_from(["status", "at", "legend", "events", LEFT_OUT, "a", "b"])
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=False),
    st.text(max_size=60),
    st.sampled_from(["DL", "RG", "x" * 90, "[1]", '{"a": 1}']),
)


def _bigger(inner):
    return st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(NAMES, inner, max_size=5),
        st.lists(st.fixed_dictionaries({"at": st.integers(0, 9), "status": inner}), max_size=6),
        st.fixed_dictionaries(
            {
                "events": st.lists(
                    st.fixed_dictionaries({"status": st.sampled_from(["DL", "RG"])})
                ),
                "legend": st.just({"status": {"DL": "delivered", "RG": "DL"}}),
            }
        ),
    )


VALUES = st.recursive(LEAVES, _bigger, max_leaves=25)
PATHS = st.one_of(st.none(), st.lists(st.lists(NAMES, min_size=1, max_size=3).map(".".join)))


def sizes(value, counts):
    """(largest list, longest text) anywhere in a value."""
    if isinstance(value, dict):
        for item in value.values():
            sizes(item, counts)
    elif isinstance(value, list):
        plain = [item for item in value if not (isinstance(item, dict) and set(item) == {LEFT_OUT})]
        counts[0] = max(counts[0], len(plain))
        for item in value:
            sizes(item, counts)
    elif isinstance(value, str):
        counts[1] = max(counts[1], len(value))
    return counts


@settings(max_examples=150, **QUIET)
@given(value=VALUES, fields=PATHS, limit=st.integers(1, 5), as_text=st.booleans())
def test_shaping(value, fields, limit, as_text):
    if as_text:
        value = json.dumps(value)
    before = copy.deepcopy(value)
    shaped = shape(value, fields, limit, chars=50)
    assert value == before
    assert json.loads(json.dumps(shaped)) == shaped
    assert shape(shaped, fields, limit, chars=50) == shaped
    most_items, longest = sizes(_parsed(shaped) if as_text else shaped, [0, 0])
    assert most_items <= limit and longest <= 50


def _parsed(text):
    """What a text holds as JSON, or the text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict | list) else text


@settings(max_examples=100, **QUIET)
@given(text=st.text(max_size=200), chars=st.integers(SHORTEST, 80))
def test_a_text(text, chars):
    shaped = shape({"text": text}, chars=chars)["text"]
    assert len(shaped) <= chars and shape({"text": shaped}, chars=chars)["text"] == shaped
    if shaped != text:
        kept, _, note = shaped.rpartition("… [")
        assert text.startswith(kept) and int(note.split()[0]) == len(text) - len(kept)
        assert not kept or unicodedata.category(text[len(kept)])[0] != "M"
