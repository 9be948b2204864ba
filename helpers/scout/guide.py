"""Who Scout is, and what of the guide goes into a request."""

import json
from pathlib import Path

_FILE = Path(__file__).parents[2] / "data" / "scout" / "guide.json"

PERSONA = (
    "You are Scout, a friendly local guide for the city of Tarnvelle. Recommend places from the "
    "city guide of Tarnvelle and name no others. Answer in a few plain sentences."
)


def guide() -> dict:
    """The guide of the city: `places` and what is said about them (data/scout/guide.json)."""
    return json.loads(_FILE.read_text(encoding="utf-8"))


def persona_with_places(persona: str = PERSONA) -> str:
    """The persona and all places of the guide, one line each: what a real model needs to know.

    The practice model reads the guide itself and needs the persona alone. This one costs about
    4,200 tokens (by the practice model's counter) in every request; it never changes, so a prompt
    cache can hold it.
    """
    lines = [_line(place) for place in guide()["places"]]
    head = "The city guide (name; kind; district; euros a head; diets; suits; features; open):"
    return "\n".join([persona, "", head, *lines])


def _line(place: dict) -> str:
    lists = (", ".join(place[key]) or "-" for key in ("diets", "suitable_for", "features"))
    kind = f"{place['theme']} {place['kind']}" if place.get("theme") else place["kind"]
    parts = [place["name"], kind, place["district"], str(place["price_per_head"])]
    return "; ".join([*parts, *lists, place["open"]])
