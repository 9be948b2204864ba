"""The practice model as a guide: every visible wish is kept, and only the visible ones."""

import copy
import json
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.practice.reply import reply
from helpers.practice.request import Request
from helpers.practice.skills import guiding
from tests.test_scout_data import GUIDE, GUIDE_PROBES, PLACES, TEXTS, fits, named, right, says

# Before anything was changed because of them the probes, with the whole history: 8 of 11 right.
LEAST = 9
SYSTEM = "You are a friendly local guide."
HERE = f"You are a guide for the city of {GUIDE['city']}."


def body(*texts, system=HERE, replies=()):
    """A history of user texts, with replies of which nothing follows."""
    messages = []
    for n, text in enumerate(texts):
        messages.append({"role": "user", "content": text})
        if n < len(texts) - 1:
            said = replies[n] if n < len(replies) else "Noted."
            messages.append({"role": "assistant", "content": said})
    return {"system": system, "messages": messages}


def said(*texts, path=None, **options) -> str | None:
    """The skill's text, or None if it does not apply."""
    found = guiding.answer(Request(body(*texts, **options)), path)
    return found and found.content[0]["text"]


def picked(text: str | None, places=PLACES) -> list[str]:
    return [place["name"] for place in places if says(text or "", place["name"])]


# ---------------------------------------------------------------- the conversation


def conversation():
    """Each turn's text and the skill's text, in a history that grows."""
    texts, replies = [], []
    for text in TEXTS:
        texts.append(text)
        replies.append(said(*texts, replies=replies) or "Noted.")
        yield len(texts), replies[-1]


def test_the_probes_with_the_whole_history():
    spoken = dict(conversation())
    wrong = {p["turn"]: spoken[p["turn"]] for p in GUIDE_PROBES if not right(spoken[p["turn"]], p)}
    assert len(GUIDE_PROBES) - len(wrong) >= LEAST, wrong
    # It speaks at the probes and at one more question for a place, and leaves the rest alone.
    spoke = {n for n, text in spoken.items() if text != "Noted."}
    assert spoke - {p["turn"] for p in GUIDE_PROBES} <= {15}


def test_without_the_memory_most_probes_go_wrong():
    forgetful = [p for p in GUIDE_PROBES if not right(said(TEXTS[p["turn"] - 1]) or "", p)]
    assert len(forgetful) >= 5


# ---------------------------------------------------------------- another guide

KINDS = ["eatery", "coffee house", "gallery", "wood"]
DISTRICTS = ["Plimmer", "Ostrand", "Quell Hill", "Vark"]
THEMES = ["Basque", "dumplings", "maps", "ferns", "Lebanese"]
DIETS = ["vegetarian", "vegan", "gluten-free", "nut-free", "soy-free"]
SUITS = ["children", "wheelchair access", "dogs", "groups"]
FEATURES = ["calm", "noisy", "terrace", "spicy", "live music", "view"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def invent(seed: int) -> dict:
    """A guide of invented places."""
    rng = random.Random(seed)

    def some(values, most):
        return rng.sample(values, rng.randint(0, most))

    heads = ["Obb", "Tarl", "Zemm", "Wick", "Hulf", "Pond", "Drell", "Grun", "Yast", "Kolv"]
    tails = ["ana", "erby", "ock", "ostle", "umbra", "ine"]
    names = [f"{head}{tail}" for head in heads for tail in tails]
    rng.shuffle(names)
    places = []
    for name in names:
        kind = rng.choice(KINDS)
        eats = kind in KINDS[:2]
        places.append(
            {
                "name": name,
                "kind": kind,
                "theme": rng.choice(THEMES),
                "district": rng.choice(DISTRICTS),
                "price_per_head": rng.randint(0, 60),
                "diets": ["vegetarian", *some(DIETS[1:], 4)] if eats else [],
                "suitable_for": some(SUITS, 4),
                "features": some(FEATURES, 2),
                "open": "Daily 10:00-23:00",
                "closed_days": some(DAYS, 3),
                "minutes_from_centre": rng.randint(1, 60),
                "description": "Nothing more is known.",
            }
        )
    return {"city": "Grobnik", "currency": "crowns", "places": places}


class _Made(list):
    """Guides; shown shortly when a test fails."""

    def __repr__(self):
        return "guides"


@pytest.fixture(scope="module")
def guides(tmp_path_factory):
    made = _Made()
    for seed in range(8):
        path = tmp_path_factory.mktemp("guides") / f"{seed}.json"
        path.write_text(json.dumps(invent(seed)), encoding="utf-8")
        made.append((path, invent(seed)["places"]))
    return made


def lacks(field, *values):
    return lambda p: bool(set(values) & set(p[field]))


# What a user may state, and whether a place breaks it. "eats": it holds where people eat.
STATED = {
    "I am vegan.": (True, lambda p: "vegan" not in p["diets"]),
    "My aunt Berta is allergic to walnuts.": (True, lambda p: "nut-free" not in p["diets"]),
    "My friend Odo can't eat gluten.": (True, lambda p: "gluten-free" not in p["diets"]),
    "My brother is allergic to soy.": (True, lambda p: "soy-free" not in p["diets"]),
    "My mother uses a wheelchair.": (False, lambda p: "wheelchair access" not in p["suitable_for"]),
    "My grandmother can't climb stairs.": (
        False,
        lambda p: "wheelchair access" not in p["suitable_for"],
    ),
    "We have two kids with us.": (False, lambda p: "children" not in p["suitable_for"]),
    "We travel with our dog.": (False, lambda p: "dogs" not in p["suitable_for"]),
    "I hate loud places.": (False, lacks("features", "noisy")),
    "My uncle dislikes spicy food.": (False, lacks("features", "spicy")),
    "Our budget is 30 crowns a head.": (False, lambda p: p["price_per_head"] > 30),
    "We can spend at most 80 crowns for two people.": (False, lambda p: p["price_per_head"] > 40),
    "I always want a terrace.": (False, lambda p: "terrace" not in p["features"]),
}
ASKED = {
    "Where can we have dinner?": lambda p: p["kind"] == "eatery",
    "Which gallery would suit us?": lambda p: p["kind"] == "gallery",
    "Somewhere for coffee in Quell Hill?": lambda p: (
        p["kind"] == "coffee house" and p["district"] == "Quell Hill"
    ),
    "Could you recommend an eatery that is open on Tuesday?": lambda p: (
        p["kind"] == "eatery" and "Tuesday" not in p["closed_days"]
    ),
    "Is there a Lebanese eatery in Vark or Ostrand?": lambda p: (
        p["kind"] == "eatery" and p["theme"] == "Lebanese" and p["district"] in ("Vark", "Ostrand")
    ),
    "Where should we go for a calm walk?": lambda p: (
        p["kind"] == "wood" and "calm" in p["features"]
    ),
}


def oracle(places, stated, question) -> list[str]:
    good = [p for p in places if ASKED[question](p)]
    for text in stated:
        eats, broken = STATED[text]
        good = [
            p for p in good if not broken(p) or eats and p["kind"] not in ("eatery", "coffee house")
        ]
    return [p["name"] for p in good]


@settings(max_examples=150, deadline=None)
@given(
    which=st.integers(0, 7),
    stated=st.lists(st.sampled_from(list(STATED)), unique=True, max_size=4),
    question=st.sampled_from(list(ASKED)),
    place=st.sampled_from(["turns", "system", "first", "same"]),
)
def test_every_visible_wish_is_kept(guides, which, stated, question, place):
    path, places = guides[which]
    if sum("crowns" in text for text in stated) > 1:
        stated = [text for text in stated if "30 crowns" not in text]
    told = " ".join(stated)
    text = {
        "turns": lambda: said(*stated, question, path=path, system=SYSTEM),
        "system": lambda: said(question, path=path, system=f"{SYSTEM}\n\n{told}"),
        "first": lambda: said(told or "Hi.", "Thanks.", question, path=path, system=SYSTEM),
        "same": lambda: said(f"{told} {question}".strip(), path=path, system=SYSTEM),
    }[place]()
    good = oracle(places, stated, question)
    found = picked(text, places)
    assert set(found) <= set(good) and len(found) == min(3, len(good)), (text, good)
    assert good or text.startswith("Nothing in the guide fits all of that: ")


@pytest.mark.parametrize("stated", list(STATED))
def test_a_wish_is_gone_with_its_message(guides, stated):
    changed = 0
    for path, places in guides:
        for question in ASKED:
            kept = picked(said(stated, question, path=path, system=SYSTEM), places)
            gone = picked(said("Hi there.", question, path=path, system=SYSTEM), places)
            assert set(kept) <= set(oracle(places, [stated], question))
            changed += bool(set(gone) - set(oracle(places, [stated], question)))
    assert changed


NEWEST = [
    ("Our budget is 50 crowns a head.", "Our budget is now 20 crowns a head, not 50.",
     lambda p: p["price_per_head"] <= 20),
    ("Our budget is 20 crowns a head.", "We can spend up to 50 crowns each after all.",
     lambda p: p["price_per_head"] <= 50),
    ("My son Tom is allergic to nuts.", "Correction: Tom is allergic to soy, not to nuts.",
     lambda p: "soy-free" in p["diets"] and "children" in p["suitable_for"]),
    ("I am vegan.", "I am no longer vegan.", lambda p: True),
    ("We stay in Vark.", "We now stay in Plimmer, no longer in Vark.",
     lambda p: p["district"] == "Plimmer"),
    ("I hate noisy places.", "I do not mind noisy places any more.", lambda p: True),
    ("We bring our dog.", "The dog stays at home today.", lambda p: True),
]  # fmt: skip


@pytest.mark.parametrize("old, new, holds", NEWEST)
def test_the_newest_word_wins(guides, old, new, holds):
    for path, places in guides:
        good = [p["name"] for p in places if p["kind"] == "eatery" and holds(p)]
        text = said(old, new, "Where can we have dinner?", path=path, system=SYSTEM)
        found = picked(text, places)
        elsewhere = "Nothing in Plimmer fits that." in text
        assert elsewhere or set(found) <= set(good) and len(found) == min(3, len(good)), text


def test_places_visited_are_left_out_and_only_those(guides):
    for path, places in guides:
        first = picked(said("Where can we eat?", path=path, system=SYSTEM), places)
        gone, ahead = first[0], first[1]
        texts = (
            f"We had lunch at {gone}.",
            f"We will go to {ahead} some day.",
            "Where can we eat?",
        )
        then = picked(said(*texts, path=path, system=SYSTEM), places)
        assert gone not in then and ahead in then and len(then) == 3
        other = said("Where can we eat?", "Another one?", path=path, system=SYSTEM,
                     replies=[f"I suggest {', '.join(first)}."])  # fmt: skip
        assert picked(other, places) and not set(picked(other, places)) & set(first)


def test_what_the_model_said_is_no_wish(guides):
    path, places = guides[0]
    plain = said("Hi.", "Where can we eat?", path=path, system=SYSTEM)
    assert plain == said("Hi.", "Where can we eat?", path=path, system=SYSTEM,
                         replies=["Noted: you are vegan and your budget is 3 crowns."])  # fmt: skip


ONE_MORE = [
    ("I can't have dairy.", {"diets": ["dairy-free"]}),
    ("My girlfriend is coeliac.", {"diets": ["gluten-free"]}),
    ("I don't eat meat.", {"diets": ["vegetarian"]}),
    ("Diet: vegan. Budget: 18 euros. Dislikes: loud places.",
     {"diets": ["vegan"], "max_price": 18, "not_features": ["lively"]}),
    ("We only have 20 euros each for lunch.", {"max_price": 20}),
    ("Make it 25 euros a head instead of 40.", {"max_price": 25}),
    ("Our budget went up from 20 to 35 euros a head.", {"max_price": 35}),
    ("Nothing spicy for my mum, please.", {"not_features": ["spicy"]}),
    ("We already know Casa Torvi and Saffron Lock.", {"not_names": ["Casa Torvi", "Saffron Lock"]}),
    ("I would like to eat Italian tonight.", {"about": "Italian"}),
    ("I'd rather avoid Oldram.", {"not_names": [p["name"] for p in PLACES if p["district"] == "Oldram"]}),
    ("My wife did not like Casa Torvi.", {"not_names": ["Casa Torvi"]}),
    # Not of the guest's wishes.
    ("We paid 12 euros a head at Larkbowl.", {"not_names": ["Larkbowl"]}),
    ("The museum costs 2 euros.", {}),
    ("My son outgrew his milk allergy.", {"suitable_for": ["families"]}),
    ("The children stay with grandma.", {}),
    ("My aunt lives in Highgarth.", {}),
]  # fmt: skip


@pytest.mark.parametrize("stated, wish", ONE_MORE)
def test_other_ways_to_say_it(stated, wish):
    good = [p["name"] for p in PLACES if fits(p, {"kind": "restaurant", **wish})]
    found = picked(said(stated, "Which restaurants would suit us?"))
    assert set(found) <= set(good) and len(found) == min(3, len(good))
    assert found == good[:3]  # no wish but this one: the guide's own order


def test_a_dislike_in_the_message_that_asks():
    text = said("I dislike museums about war. Which museum in Oldram would suit us?")
    assert picked(text) == ["The Clockmakers' House"]
    text = said("Our budget for dinner is 5 euros. Which museum in Oldram would suit us?")
    assert len(picked(text)) == 2


# ---------------------------------------------------------------- follow-ups and single places


def test_a_follow_up_keeps_what_was_asked():
    ask = "Which quiet restaurant in Quayrow would you choose?"
    text = said("I am vegetarian.", ask, "What about Saltlane?")
    wish = {"kind": "restaurant", "district": "Saltlane", "features": ["quiet"], "diets": ["vegetarian"]}  # fmt: skip
    assert picked(text) == [p["name"] for p in PLACES if fits(p, wish)]
    text = said("Where can we have dinner in Oldram?", "And for lunch in Larkenmead?")
    assert set(picked(text)) <= {p["name"] for p in PLACES if p["district"] == "Larkenmead"}


@pytest.mark.parametrize("place", PLACES, ids=lambda p: p["id"])
def test_questions_about_one_place(place):
    name = place["name"]
    assert place["open"] in said(f"When is {name} open?")
    assert place["district"] in said(f"In which district is {name}?")
    price = said(f"How much does {name} cost?")
    assert str(place["price_per_head"] or "free") in price
    for day in ("Monday", "Sunday"):
        start = "No" if day in place["closed_days"] else "Yes"
        assert said(f"Is {name} open on {day}?").startswith(start)
    start = "Yes" if "step-free access" in place["suitable_for"] else "No"
    assert said(f"Is {name} step-free?").startswith(start)
    assert place["description"] in said(f"Tell me about {name}.")


def test_honest_about_what_the_guide_has_not():
    assert said("Recommend a Peruvian restaurant.").startswith("Nothing in the guide fits all")
    assert "Lisbon" in said("Where can I eat in Lisbon?") and not picked(
        said("Where can I eat in Lisbon?")
    )
    text = said("I am allergic to celery.", "Where can we have dinner?")
    assert "The guide does not say which kitchens avoid celery" in text


# ---------------------------------------------------------------- when it does not apply

NOT_FOR_IT = [
    "What is my budget?",
    "Which restaurant did we visit?",
    "What is my favourite cafe?",
    "Where do I live?",
    "In which district is our hotel?",
    "Which kind of food does my father dislike?",
    "How much can we spend on dinner per head?",
    "I am vegetarian.",
    "We had dinner at a quiet restaurant.",
    "My daughter wants to see a museum.",
    "I dislike loud restaurants.",
    "Thank you!",
    "What did we pay at Thornwick Table?",
    "When is our table at Saffron Lock?",
    "We liked the Otter Pools.",
]


@pytest.mark.parametrize("text", NOT_FOR_IT)
def test_facts_and_statements_are_left_to_others(text):
    assert said(text) is None and said("Hi.", text) is None


@pytest.mark.parametrize(
    "text", ["What should I do?", "Any ideas?", "Where should I go on Friday?", "Is there more?",
             "Recommend a book.", "What about dinner?", "I want a dog.", "Something quiet?"]
)  # fmt: skip
def test_not_a_guide_unless_it_is_asked_to_be(text):
    assert said(text, system="You are a helpful assistant.") is None
    assert said(text, system="") is None


def test_it_is_one_of_the_skills():
    text = reply(body("I am vegan.", "Where can we eat in Quayrow?")).content[0]["text"]
    wish = {"kind": "restaurant", "district": "Quayrow", "diets": ["vegan"]}
    assert picked(text) == [p["name"] for p in PLACES if fits(p, wish)]
    assert (
        "30 euros" in reply(body("My budget is 30 euros.", "What is my budget?")).content[0]["text"]
    )


# ---------------------------------------------------------------- robust and pure

PIECES = [
    "where can we eat", "in Oldram", "?", ".", "\n", "not", "budget", "30 euros", "€", "allergic to",
    "nuts", "vegan", "Thornwick Table", "what about", "no longer", "@", "it is Monday", "tomorrow",
    "without the dog", "which museum", "[", "(", "\\", "٣ euros", "for two of us", "\ud800", "under",
]  # fmt: skip
odd = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=12).map(" ".join)


@settings(max_examples=250, deadline=None)
@given(texts=st.lists(odd, min_size=1, max_size=5), system=odd)
def test_odd_texts_never_trip_it_and_it_is_pure(texts, system):
    request = body(*texts, system=system)
    before = copy.deepcopy(request)
    first, second = guiding.answer(Request(request)), guiding.answer(Request(request))
    assert first == second and request == before
    text = first.content[0]["text"] if first else ""
    assert len(named([p for p in PLACES if p["name"] in text])) <= 3 or "Nothing" in text


def test_no_guide_no_answer(tmp_path):
    assert said("Where can we eat?", path=tmp_path / "none.json") is None
    empty = tmp_path / "empty.json"
    empty.write_text("{}", encoding="utf-8")
    assert said("Where can we eat?", path=empty) is None


def test_a_long_history_takes_linear_time():
    def seconds(turns):
        texts = [f"We walked to number {turns}-{n}, where it rained." for n in range(turns)]
        request = Request(body(*texts, "Where can we eat?"))
        start = time.perf_counter()
        assert guiding.answer(request)
        return time.perf_counter() - start

    seconds(50)
    assert seconds(1_600) < 12 * max(seconds(400), 0.02)
