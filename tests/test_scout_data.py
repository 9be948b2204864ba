"""Scout's fictional guide and the conversation: whole, varied, and right about themselves."""

import itertools
import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "data" / "scout"
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
SHORT = [day[:3] for day in DAYS]

GUIDE = json.loads((FOLDER / "guide.json").read_text(encoding="utf-8"))
TALK = json.loads((FOLDER / "conversation.json").read_text(encoding="utf-8"))
PLACES, TEXTS, PROBES = GUIDE["places"], TALK["texts"], TALK["probes"]
GUIDE_PROBES = [probe for probe in PROBES if probe["kind"] == "guide"]

FIELDS = {
    "id": str,
    "name": str,
    "kind": str,
    "theme": str,
    "district": str,
    "price_per_head": int,
    "diets": list,
    "suitable_for": list,
    "features": list,
    "open": str,
    "closed_days": list,
    "minutes_from_centre": int,
    "description": str,
}


def named(places) -> list[str]:
    return [place["name"] for place in places]


def fits(place: dict, wish: dict) -> bool:
    """Whether the place meets every constraint of a guide probe's asked or remembered."""
    rules = {
        "kind": lambda v: place["kind"] == v,
        "district": lambda v: place["district"] == v,
        "max_price": lambda v: place["price_per_head"] <= v,
        "diets": lambda v: set(v) <= set(place["diets"]),
        "suitable_for": lambda v: set(v) <= set(place["suitable_for"]),
        "features": lambda v: set(v) <= set(place["features"]),
        "not_features": lambda v: not set(v) & set(place["features"]),
        "about": lambda v: v in place["theme"],
        "not_theme": lambda v: place["theme"] not in v,
        "not_names": lambda v: place["name"] not in v,
        "open_on": lambda v: v not in place["closed_days"],
    }
    return all(rules[key](value) for key, value in wish.items())


OVER = re.compile(r"\b(?:not|no longer|instead of)\b.*?(?:[,;.]|\bbut\b|$)", re.I | re.M)


def says(text: str, value: str) -> bool:
    """Whether the value stands in the text as whole words (the file's own scoring rule)."""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE))


def right(reply: str, probe: dict) -> bool:
    """The rule that conversation.json states under "scoring"."""
    good = all(any(says(reply, value) for value in values) for values in probe["must"])
    return good and not any(says(OVER.sub("", reply), value) for value in probe["must_not"])


# ---------------------------------------------------------------- the files


@pytest.mark.parametrize("name", ["guide.json", "conversation.json"])
def test_files_are_written_in_one_way(name):
    raw = (FOLDER / name).read_bytes()
    assert b"\r" not in raw
    text = raw.decode("utf-8")
    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"


def test_the_folder_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 120_000


# ---------------------------------------------------------------- the guide


def test_the_guide_names_its_words():
    assert GUIDE["city"] and GUIDE["currency"] == "euros"
    districts = [district["name"] for district in GUIDE["districts"]]
    assert len(districts) == len(set(districts)) == 8
    assert all(district["description"].endswith(".") for district in GUIDE["districts"])
    assert len(GUIDE["kinds"]) == 10
    assert {place["kind"] for place in PLACES} == set(GUIDE["kinds"])
    assert {place["district"] for place in PLACES} == set(districts)
    for field in ("diets", "suitable_for", "features"):
        used = {value for place in PLACES for value in place[field]}
        assert used == set(GUIDE[field]), field


def test_every_place_has_the_same_fields_of_the_same_types():
    assert len(PLACES) == 72
    for place in PLACES:
        assert {key: type(value) for key, value in place.items()} == FIELDS, place["name"]
        assert place["price_per_head"] >= 0 and place["minutes_from_centre"] > 0
        for field in ("diets", "suitable_for", "features", "closed_days"):
            assert len(place[field]) == len(set(place[field])), (place["name"], field)
        assert place["suitable_for"] and place["features"]


def test_ids_count_up_and_names_are_each_themselves():
    assert [place["id"] for place in PLACES] == [f"p{n:02}" for n in range(1, 73)]
    names = named(PLACES)
    assert len({name.casefold() for name in names}) == 72
    others = [GUIDE["city"], *(district["name"] for district in GUIDE["districts"])]
    for one, other in itertools.permutations(names + others, 2):
        # A name inside another could not be told apart in a reply; a district may lend its own.
        assert not says(other, one) or one in others, (one, other)


def test_each_kind_is_there_often_enough():
    count = {kind: sum(place["kind"] == kind for place in PLACES) for kind in GUIDE["kinds"]}
    assert count["restaurant"] >= 20 and count["cafe"] >= 8
    assert min(count.values()) >= 4
    for district in GUIDE["districts"]:
        inside = [place for place in PLACES if place["district"] == district["name"]]
        assert len(inside) >= 6 and len({place["kind"] for place in inside}) >= 4


def open_days(text: str) -> set[str]:
    spec = text.rsplit(" ", 1)[0]
    if spec == "Daily":
        return set(DAYS)
    found = set()
    for part in spec.split(", "):
        first, _, last = part.partition("-")
        at, end = SHORT.index(first), SHORT.index(last or first)
        found |= {DAYS[(at + n) % 7] for n in range((end - at) % 7 + 1)}
    return found


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place["id"])
def test_opening_hours_and_closed_days_agree(place):
    hours = re.fullmatch(r"[A-Z][\w, -]* (\d\d):(\d\d)-(\d\d):(\d\d)", place["open"])
    start, end = (int(hours[n]) + int(hours[n + 1]) / 60 for n in (1, 3))
    assert place["closed_days"] == [day for day in DAYS if day not in open_days(place["open"])]
    assert len(place["closed_days"]) < 7
    late = end >= 23.5 or end < start
    assert ("open late" in place["features"]) == late


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place["id"])
def test_a_place_does_not_contradict_itself(place):
    diets, features = set(place["diets"]), set(place["features"])
    assert "vegetarian" in diets or "vegan" not in diets
    assert not {"quiet", "lively"} <= features
    assert ("free entry" in features) == (place["price_per_head"] == 0)
    assert place["kind"] != "viewpoint" or "view" in features
    assert place["kind"] != "music venue" or "live music" in features


def test_descriptions_are_one_sentence_and_share_no_four_words():
    seen = {}
    for place in PLACES:
        text = place["description"]
        assert re.fullmatch(r"[A-Z][^.!?]{30,140}\.", text), text
        words = re.findall(r"[\w'-]+", text.lower())
        for at in range(len(words) - 3):
            run = tuple(words[at : at + 4])
            assert seen.setdefault(run, place["id"]) == place["id"], run


def test_constraints_narrow_the_guide_to_a_few():
    districts = [district["name"] for district in GUIDE["districts"]]
    sizes = []
    for kind, district, diet, company in itertools.product(
        GUIDE["kinds"], districts, GUIDE["diets"], GUIDE["suitable_for"]
    ):
        wish = {"kind": kind, "district": district, "diets": [diet], "suitable_for": [company]}
        sizes.append(sum(fits(place, wish) for place in PLACES))
    assert max(sizes) == 3 and min(sizes) == 0
    # Over the whole city, too, several wishes leave a handful, never a page.
    for diet, company, price in itertools.product(
        ["vegetarian", "vegan", "gluten-free", "nut-free"], GUIDE["suitable_for"], [20, 30]
    ):
        wish = {
            "kind": "restaurant",
            "diets": [diet],
            "suitable_for": [company],
            "max_price": price,
            "features": ["quiet"],
        }
        assert sum(fits(place, wish) for place in PLACES) <= 7


def test_no_district_and_no_diet_is_left_without_a_table():
    eating = [place for place in PLACES if place["kind"] in ("restaurant", "cafe", "market")]
    for diet in GUIDE["diets"]:
        assert any(diet in place["diets"] for place in eating), diet
    for district in GUIDE["districts"]:
        wish = {"kind": "restaurant", "district": district["name"], "diets": ["vegetarian"]}
        assert any(fits(place, wish) for place in PLACES), district["name"]


# ---------------------------------------------------------------- the conversation


def test_a_hundred_texts_short_and_each_once():
    assert len(TEXTS) == len(set(TEXTS)) == 100
    for text in TEXTS:
        assert isinstance(text, str) and text == text.strip()
        assert 0 < len(text) < 300


def test_the_days_cover_every_turn_once():
    turns = [n for day in TALK["days"] for n in range(day["first"], day["last"] + 1)]
    assert turns == list(range(1, 101))
    assert len(TALK["days"]) >= 5


def test_no_text_is_a_counted_sample():
    samples = (FOLDER.parent / "tokens.csv").read_text(encoding="utf-8")
    assert not [text for text in TEXTS if text in samples and len(text) > 12]


def test_probes_are_many_in_order_and_reach_far_back():
    turns = [probe["turn"] for probe in PROBES]
    assert len(PROBES) >= 25 and turns == sorted(set(turns))
    assert {probe["kind"] for probe in PROBES} == {
        "fact",
        "corrected",
        "promise",
        "guide",
        "unknown",
    }
    far = [p for p in PROBES if p["turns"] and p["turn"] - min(p["turns"]) >= 30]
    assert len(far) >= 20


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: f"turn{probe['turn']}")
def test_a_probe_rests_on_what_was_said(probe):
    assert 1 <= probe["turn"] <= 100 and TEXTS[probe["turn"] - 1].count("?") == 1
    assert all(1 <= turn < probe["turn"] for turn in probe["turns"])
    assert probe["must"] and all(probe["must"])
    cited = "\n".join(TEXTS[turn - 1] for turn in probe["turns"])
    for values in probe["must"]:
        if probe["kind"] == "guide":
            assert set(values) <= set(named(PLACES))
        elif probe["kind"] != "unknown":
            assert any(says(cited, value) for value in values), values
    if probe["kind"] == "corrected":
        assert any(says(cited, value) for value in probe["must_not"])
    if probe["kind"] == "unknown":
        assert probe["turns"] == []
    # The question itself does not give the answer away.
    asked = TEXTS[probe["turn"] - 1]
    assert not right(asked, probe)
    assert not any(says(asked, v) for values in probe["must"] for v in values)


@pytest.mark.parametrize("probe", GUIDE_PROBES, ids=lambda probe: f"turn{probe['turn']}")
def test_a_guide_probe_is_what_the_guide_says(probe):
    asked = [place for place in PLACES if fits(place, probe["asked"])]
    good = [place for place in asked if fits(place, probe["remembered"])]
    assert probe["must"] == [named(good)] and 1 <= len(good) <= 3
    assert probe["must_not"] == named(p for p in asked if p not in good)


def test_most_guide_probes_need_the_memory():
    assert len(GUIDE_PROBES) >= 10
    assert sum(bool(probe["must_not"]) for probe in GUIDE_PROBES) >= 8


def test_places_visited_and_named_are_in_the_guide():
    visited = next(p for p in GUIDE_PROBES if "not_names" in p["remembered"])["remembered"]
    assert set(visited["not_names"]) <= set(named(PLACES))
    for name in visited["not_names"]:
        assert any(says(text, name) for text in TEXTS)


def test_the_scoring_rule_tells_right_from_wrong():
    budget = next(probe for probe in PROBES if probe["turn"] == 55)
    assert right("Your budget is 28 euros a head.", budget)
    assert not right("Your budget is 35 euros a head.", budget)
    assert not right("Your budget is 128 euros.", budget)
    assert not right("", budget)
    assert right("Your budget is now 28 euros a head, not 35.", budget)
    assert not right("Your budget is 35 euros a head, not 28.", budget)
    assert not right("It is not 28 but 35 euros a head.", budget)
    leaving = next(probe for probe in PROBES if probe["turn"] == 91)
    assert right("You leave on 20 May, no longer on Tuesday 19 May.", leaving)
    assert not right("You leave on 19 May, or was it 20 May?", leaving)
    visited = next(probe for probe in PROBES if probe["turn"] == 88)
    assert right(
        "Thornwick Table, the Wheelhouse Pantry and Bakkal\N{RIGHT SINGLE QUOTATION MARK}s Table.",
        visited,
    )
    assert not right("Thornwick Table and Bakkal's Table.", visited)
