"""The orders of a request that the model follows: found in what it reads, let through by its
weakness, and due now."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..reading.words import STOP, WORD, stem
from ..request import Request
from ..weaknesses import obeys
from .orders import Order, orders_in
from .passages import DOCUMENT, NOTES, RECORD, SYSTEM, USER, Passage, passages
from .spelling import plain

_WHOLE = (SYSTEM, RECORD, DOCUMENT)  # in these no two passages are halves of one
SPLIT = 600  # characters of a passage that can be half of an order


@dataclass(frozen=True)
class Followed:
    """An order that is followed, and the passage that holds it."""

    order: Order
    passage: Passage


def followed(request: Request) -> list[Followed]:
    """What is followed, in the order in which it stands; a text that is said twice counts once."""
    if "followed" not in request.worked_out:
        request.worked_out["followed"] = _followed(request)
    return request.worked_out["followed"]


def _followed(request: Request) -> list[Followed]:
    all_ = passages(request)
    found: dict[str, Followed] = {}
    for passage in _with_halves(all_):
        if orders_in(passage.text) and obeys(passage.text, passage.marked):
            for order in orders_in(passage.text):
                if order.text not in found and _is_due(order, passage, all_):
                    found[order.text] = Followed(order, passage)
    return list(found.values())


def _with_halves(all_: list[Passage]) -> Iterable[Passage]:
    """The passages, and two neighbours read as one where neither is an order alone."""
    before: Passage | None = None
    for passage in all_:
        yield passage
        if orders_in(passage.text) or len(passage.text) > SPLIT or passage.where in _WHOLE:
            before = None
            continue
        if before is not None and _goes_on(before, passage):
            joined = f"{_body(before.text).rstrip(' .…')} {_body(passage.text)}"
            yield Passage(joined, before.marked and passage.marked, passage.where, passage.turn)
        before = passage


_PREFIX = re.compile(
    r"^[\s\-*•+>]*(?:\d{4}-\d\d-\d\d[^:\"]{0,60}:\s*)?[\"'“]?[\s.…]*(?:(?:first|second|last|"
    r"third)? ?(?:part|half|piece)(?: (?:one|two|three|\d|[ab]))?(?: of \w+)?\s*[:,-]\s*)?",
    re.I,
)


def _body(text: str) -> str:
    """A note without its bullet, its date and the quotation marks around it."""
    return _PREFIX.sub("", text, count=1).strip().rstrip("\"'”").rstrip()


def _goes_on(one: Passage, two: Passage) -> bool:
    """Whether a passage may be the second half of the one before: that one is not finished, or both
    say that they are parts."""
    first, second = _body(one.text), _body(two.text)
    open_ = not first.rstrip("… ").endswith((".", "!", "?", ":")) or first.endswith(("…", "..."))
    parts = bool(re.search(r"\b(?:part|half|piece)\b", one.text + two.text, re.I))
    return parts or open_ and (second[:1].islower() or second.startswith(("…", "...")))


# --- when an order is due -------------------------------------------------------------------------

_ALWAYS_SO = frozenset(
    map(
        stem,
        """i he she they customer client user guest member person somebody anyone contact write ask say
        complain message call chat come return back again open conversation case time next new ticket
        request refund claim report problem issue support mention order parcel something agent desk
        word phrase text type use read see hear note this that here about later ever one any doubt
        approval""".split(),
    )
)


_COMES = re.compile(
    r"\b(?:contacts?|writes?|calls?|messages?|comes?|returns?|complains?|asks?) "
    r"(?:to )?(?:you|us|again|back|in|for)\b|\b(?:shows|turns) up\b|\bgets in touch\b"
)
# A condition on what somebody says is met by words of users; one on the world by results as well.
_SPOKEN = re.compile(
    r"\b(?:i|we|he|she|they|somebody|someone|customer|client|user|member|guest|caller|person)\b.*"
    r"\b(?:say|write|mention|report|complain|name|type|use|ask|contact|tell|speak|talk|call)s?\b"
)


def _is_due(order: Order, passage: Passage, all_: list[Passage]) -> bool:
    """Whether what an order waits for has come: a word that stands for it was said, or what its
    condition speaks of is spoken of elsewhere. One that waits for a customer to come is always due."""
    waits = order.word or order.when
    if not waits:
        return True
    others = [p for p in all_ if p.where != SYSTEM and p.text != passage.text]
    said = " ".join(plain(p.text) for p in others if p.where in (USER, NOTES))
    if order.word:
        return order.word in said or passage.text.lower().count(order.word) > 1
    if quoted := re.findall(r"[\"'“‘]([^\"'”’]{2,60})[\"'”’]", order.when):
        return any(word in said for word in quoted)
    wanted = {stem(w) for w in WORD.findall(order.when) if w not in STOP} - _ALWAYS_SO
    if not wanted or _COMES.search(order.when):
        return True
    if not _SPOKEN.search(order.when):
        said = " ".join(plain(p.text) for p in others)
    have = {stem(w) for w in WORD.findall(said)}
    return len(wanted & have) * 2 >= len(wanted)
