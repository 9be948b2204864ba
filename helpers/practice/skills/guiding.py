"""Guiding: recommends places from the read-only guide, keeping to every wish the request shows.

A wish counts where it can be seen: in what users say and in the system prompt. The model's own words
are no source, but "another one" leaves out what it named. Nothing is remembered between requests.
"""

import re
from pathlib import Path

from ..guide.asked import Ask, read_message
from ..guide.atlas import Atlas, atlas_at, fold
from ..guide.choosing import choose, need_of, told
from ..guide.naming import about_one_place
from ..guide.standing import Line, Wishes, read_standing
from ..guide.wanting import asks_for_places
from ..reading.clauses import LONGEST, is_question, sentences
from ..request import Reply, Request, say

GUIDE = Path(__file__).resolve().parents[3] / "data" / "scout" / "guide.json"
RECENT = 40  # sentences of one message in which a question is looked for
_A_GUIDE = re.compile(
    r"\b(?:guide|guides|concierge|tourists?|sightseeing|travel|recommend\w*)\b", re.I
)


def answer(request: Request, path: Path | None = None) -> Reply | None:
    """A recommendation, or what the guide says of a place; None if neither is asked for.

    path: the guide to use, in the form of data/scout/guide.json (the default).
    """
    lines = [line[:LONGEST] for line in request.last.sentences[-RECENT:]]
    if not lines or not (atlas := atlas_at(path or GUIDE)) or not atlas.places:
        return None
    wants = asks_for_places(lines, atlas, guiding=True)
    if not wants and not any(atlas.places_in(fold(line)) for line in lines):
        return None
    if wants and not asks_for_places(lines, atlas, guiding=False):
        wants = _is_about_guiding(request, atlas)
    stated, earlier = _read(request, atlas)
    wishes = read_standing(stated, atlas)
    ask = read_message(lines, atlas, wishes.today)
    if wants:
        if ask.follows:
            _continue(ask, _before(earlier, atlas))
        return _recommend(request, ask, wishes, atlas)
    if not any(is_question(line) for line in lines):
        return None
    text = about_one_place("\n".join(lines), ask, need_of(ask, wishes, atlas), atlas)
    return say(text) if text else None


def _recommend(request: Request, ask: Ask, wishes: Wishes, atlas: Atlas) -> Reply | None:
    if ask.foreign:
        if not _is_about_guiding(request, atlas):
            return None
        return say(f"The guide covers {atlas.city} and says nothing about {ask.foreign}.")
    need = need_of(ask, wishes, atlas)
    said = [place for text in _said(request) for place in atlas.places_in(fold(text))]
    if ask.more:
        need.not_names |= {place.name for place in said}
    last = [place.price for text in _said(request)[-1:] for place in atlas.places_in(fold(text))]
    if ask.cheaper and last:
        need.below = min(last)
    if ask.near and not ask.districts and wishes.district:
        need.districts = {wishes.district}
    places = choose(ask, need, wishes, atlas)
    return say(told(places, need, wishes, atlas), ", ".join(place.name for place in places))


def _read(request: Request, atlas: Atlas) -> tuple[list[Line], list[list[str]]]:
    """Every sentence that can state a wish, and the earlier messages that ask; both in order."""
    found = [Line(text) for text in sentences(request.system)]
    asked = []
    for turn in request.turns:
        if turn.role != "assistant":
            last = turn is request.last
            recent = turn.sentences[-RECENT:]
            asking = asks_for_places(recent, atlas, guiding=True)
            found += [Line(text, last, asking) for text in turn.sentences]
            if asking and not last and turn.role == "user":
                asked.append([line[:LONGEST] for line in recent])
    return found, asked


def _is_about_guiding(request: Request, atlas: Atlas) -> bool:
    """Whether the system prompt makes a guide of the model, or the city of the guide is named."""
    if _A_GUIDE.search(request.system) or atlas.about_here(fold(request.system)):
        return True
    return any(t.role == "user" and atlas.about_here(fold(t.text)) for t in request.turns)


def _said(request: Request) -> list[str]:
    return [turn.text for turn in request.turns if turn.role == "assistant"]


def _before(earlier: list[list[str]], atlas: Atlas) -> Ask | None:
    """What was asked for the last time, in the messages that can still be seen, oldest first."""
    running = None
    for lines in earlier:
        ask = read_message(lines, atlas, None)
        if ask.follows:
            _continue(ask, running)
        running = ask
    return running


def _continue(ask: Ask, before: Ask | None) -> None:
    """ "What about Sunday?" asks for the same as before, but on Sunday."""
    if before is None:
        return
    if not ask.kinds and not ask.themes and not ask.only_about:
        ask.kinds, ask.themes, ask.only_about = before.kinds, before.themes, before.only_about
        ask.meal = ask.meal or before.meal
    if not ask.districts:
        ask.districts = before.districts - ask.not_districts
    ask.features = {**before.features, **ask.features}
    ask.diets |= before.diets
    ask.suits |= before.suits - ask.not_suits
    ask.price = before.price if ask.price is None else ask.price
