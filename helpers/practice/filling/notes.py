"""The parts of a case as the material states them: each with its source and the marks it stands under."""

import re
from functools import cached_property

from ..casework.findings import Finding, findings_in, offers_in
from ..material.passages import AGENT, TOOL, Material, Passage
from ..material.words import content_of
from .records import DENIED, findings_of, is_giving, offer_of
from .roles import FACTS, OFFERS, OPEN, PROBLEM, WISHES
from .sayings import (
    Saying,
    asks,
    complains,
    figures,
    offers,
    puts_off,
    sayings_of,
    states,
    wishes,
)
from .spans import codes_in
from .telling import Kept, corrected, shortened

FEW = 3  # complaints that are kept
MANY = 6  # wishes that are kept
LATER = 40  # sayings in which an answer to a question is looked for

_FINDING = re.compile(
    r"[A-Z][a-z]*(?: [a-z]+){0,3} (?:\"[^\"]+\"|[^\s\":;,()]+): [a-z][\w' -]* is "
)
_CLEARED = re.compile(r"\s*[\[(<].*[\])>]\s*\Z", re.S)  # a placeholder is no result
_REMEDY = re.compile(
    r"\b(?:refund|money back|replace\w*|new one|voucher|credit|exchange|cancel\w*|repair\w*|discount)\b",
    re.I,
)


class CaseReading:
    """The sentences of a material, sorted by what they do. Each part is worked out when asked for."""

    def __init__(self, material: Material, others: frozenset[str] = frozenset()):
        self.material = material
        self.others = others  # parts that have a field of their own

    def of(self, role: str) -> list[Kept]:
        """The entries of one part, oldest first."""
        parts = {
            PROBLEM: self.problem, WISHES: self.wishes, FACTS: self.facts,
            OFFERS: self.offered, OPEN: self.open,
        }  # fmt: skip
        return parts[role]

    @cached_property
    def sayings(self) -> list[Saying]:
        return [s for s in sayings_of(self.material.passages) if not _CLEARED.match(s.text)]

    @cached_property
    def _said_after(self) -> dict[int, int]:
        """For each saying where in the list it stands."""
        return {id(s): n for n, s in enumerate(self.sayings)}

    @cached_property
    def problem(self) -> list[Kept]:
        """What the user complains of: the first message that does, and what a later one adds."""
        found = [s for s in self.sayings if complains(s)]
        chosen: list[Saying] = []
        told: set[str] = set()
        for saying in found:
            new = content_of(saying.plain) | {w.lower() for w in figures(saying.text)}
            if len(chosen) < FEW and (not told or len(new - told) > len(new) // 2):
                chosen.append(saying)
                told |= new
        if not chosen and any(p.who in (AGENT, TOOL) for p in self.material.passages):
            said = [s for s in self.sayings if not s.by_agent and not s.by_tool]
            chosen = [s for s in said if s.place == said[0].place and states(s)][:1]
        return [_kept(s) for s in chosen]

    @cached_property
    def wishes(self) -> list[Kept]:
        """What the user wants; of two remedies the newer one."""
        chosen: list[Saying] = []
        remedied: list[frozenset[str]] = []
        for saying in reversed([s for s in self.sayings if wishes(s)]):
            if _REMEDY.search(saying.plain):
                things = frozenset(code for *_, code in codes_in(saying.text))
                if any(things <= newer or newer <= things for newer in remedied) and not _same(
                    saying, chosen
                ):
                    continue  # a newer wish for the same thing
                remedied.append(things)
            if len(chosen) < MANY and not _told(saying, chosen):
                chosen.append(saying)
        return [_kept(s) for s in reversed(chosen)]

    @cached_property
    def offered(self) -> list[Kept]:
        """What the agent offered, promised or gave, and what a giving tool answered."""
        found: list[Kept] = []
        stated = {(o.kind, o.id, o.status) for p in self.material.passages
                  if p.who == AGENT for o in offers_in(p.text)}  # fmt: skip
        by_place: dict[int, list[Saying]] = {}
        for saying in self.sayings:
            if saying.by_agent and offers(saying):
                by_place.setdefault(saying.place, []).append(saying)
        for place, passage in enumerate(self.material.passages):
            found += [_kept(s) for s in by_place.get(place, ())]
            if passage.who == TOOL and is_giving(passage.tool) and (given := offer_of(passage)):
                if (given.kind, given.id, given.status) not in stated:
                    found.append(Kept(str(given), passage.tool, list(passage.ids), place))
        return _without_doubles(found)

    @cached_property
    def open(self) -> list[Kept]:
        """Questions that nobody answered, and what is to be checked or waited for."""
        found = [s for s in self.sayings if self._is_open(s)]
        kept = [_kept(s) for s in found]
        for place, passage in enumerate(self.material.passages):
            if passage.who == TOOL and is_giving(passage.tool) and (given := offer_of(passage)):
                waits = re.search(r"\b(?:wait|pending|approval|review|open)", given.status, re.I)
                if waits and not self._settled(given.id, place):
                    kept.append(Kept(str(given), passage.tool, list(passage.ids), place))
        return _without_doubles(sorted(kept, key=lambda k: k.place))

    def _settled(self, name: str, place: int) -> bool:
        """Whether a later result for the same thing waits for nobody."""
        later = self.material.passages[place + 1 :]
        return any(
            p.who == TOOL and is_giving(p.tool) and name in p.text
            and (given := offer_of(p)) and not re.search(r"wait|pending|approval", given.status)
            for p in later
        )  # fmt: skip

    def _is_open(self, saying: Saying) -> bool:
        if puts_off(saying) and not offers(saying):
            return not self._answered(saying, 2)
        if not asks(saying):
            return False
        if saying.by_agent:  # what the user said next answers it
            after = self._after(saying)
            return not any(not s.by_agent and not s.by_tool for s in after)
        return not self._answered(saying, 1)

    def _after(self, saying: Saying) -> list[Saying]:
        at = self._said_after[id(saying)]
        return [s for s in self.sayings[at + 1 : at + LATER] if s.place > saying.place]

    def _answered(self, saying: Saying, least: int) -> bool:
        """Whether a later statement, not by the same side, says something of what was asked."""
        about = content_of(saying.plain) - _EMPTY
        after = self._after(saying)
        if not saying.by_agent and not saying.by_tool and not self.material.talk:
            return False
        for later in after:
            if later.by_agent is False and not later.by_tool and not saying.by_agent:
                continue
            if puts_off(later) or asks(later):
                continue
            shared = about & content_of(later.plain)
            if len(shared) >= min(least, len(about)) and about:
                return True
        if saying.by_agent or saying.by_tool:
            return False
        # what the agent says next is an answer if it puts nothing off and asks nothing back
        reply = [s for s in after if s.by_agent]
        first = [s for s in reply if s.place == reply[0].place] if reply else []
        if any(puts_off(s) or asks(s) or _IGNORANT.search(s.plain) for s in first):
            return False
        return any(len(content_of(s.plain)) > 1 for s in first)

    @cached_property
    def facts(self) -> list[Kept]:
        """What tools, the agent's findings and the user state."""
        found: list[Kept] = []
        stated = self._stated
        by_place: dict[int, list[Saying]] = {}
        for saying in self.sayings:
            if saying.passage.who != TOOL or not saying.passage.values:
                by_place.setdefault(saying.place, []).append(saying)
        for place, passage in enumerate(self.material.passages):
            if passage.who == TOOL and passage.values:
                if is_giving(passage.tool) and offer_of(passage):
                    continue
                for finding in _untold(findings_of(passage), stated):
                    found.append(Kept(str(finding), passage.tool, list(passage.ids), place))
                if DENIED.search(passage.text[:400]) and not findings_of(passage):
                    found.append(Kept(passage.text[:200], passage.tool, list(passage.ids), place))
            told = [] if passage.who == TOOL and passage.values else _findings_of(passage)
            found += [Kept(text, tool, list(passage.ids), place) for text, tool in told]
            whole = "\n".join(text for text, _ in told)
            for saying in by_place.get(place, ()):
                if saying.text not in whole:
                    found += self._facts_in(saying)
        return _without_doubles(corrected(self._news(found)))

    def _news(self, found: list[Kept]) -> list[Kept]:
        """Without what the agent only repeats: a fact of his must bring something exact that is new."""
        known: set[str] = set()
        news: list[Kept] = []
        for kept in found:
            exact = {w.lower() for w in figures(kept.text)}
            if kept.source != "agent" or exact - known:
                news.append(kept)
            known |= exact
            known |= {w.lower() for w in re.findall(r"[A-Z][\w'-]+", kept.text)}
        return news

    @cached_property
    def _stated(self) -> dict[tuple[str, str], set]:
        """(id, tool) of every finding that the agent states, with the pages."""
        found: dict[tuple[str, str], set] = {}
        for passage in self.material.passages:
            if passage.who == AGENT:
                for finding in findings_in(passage.text):
                    found.setdefault((finding.id, finding.tool), set()).add(finding.page)
        return found

    def _facts_in(self, saying: Saying) -> list[Kept]:
        if _FINDING.search(saying.text):
            return []  # `_findings_of` has it
        if not states(saying) or offers(saying) or puts_off(saying):
            return []
        if wishes(saying) and WISHES in self.others:
            return []
        return [_kept(saying)] if self._is_of_the_case(saying) else []

    @cached_property
    def _matter(self) -> frozenset[str]:
        """The words of what is complained of, wished, offered, exact, or answered by tools."""
        found: set[str] = set()
        for saying in self.sayings:
            if figures(saying.text) or complains(saying) or wishes(saying) or saying.by_tool:
                found |= content_of(saying.plain)
        for passage in self.material.passages:
            if passage.who == TOOL and passage.values:
                found |= content_of(passage.text[:4_000].replace("_", " "))
        return frozenset(found)

    def _is_of_the_case(self, saying: Saying) -> bool:
        """Not small talk: exact, said of oneself, of "it", or in words that the case has elsewhere."""
        if saying.by_agent or not self.material.talk or figures(saying.text):
            return True
        if re.search(r"\b(?:i|my|we|our|me|us|it|him|them)\b", saying.plain, re.I):
            return True
        return len(content_of(saying.plain) & self._matter) > 0


_EMPTY = content_of("check ask find wait know tell confirm look case please see still yet question answer help")  # fmt: skip
_IGNORANT = re.compile(
    r"\b(?:do not know|cannot (?:say|tell)|no information|not sure|have not been told)\b", re.I
)


def _untold(findings: list[Finding], stated: dict[tuple[str, str], set]) -> list[Finding]:
    """The findings of one result that nobody states in words. Entries without an id of their own, such
    as the rules of a topic, are told with the thing they belong to."""
    told = [
        any(page in (None, f.page) or f.page is None for page in stated.get((f.id, f.tool), ()))
        for f in findings
    ]
    whole = bool(told) and told[0]
    return [
        f
        for f, is_told in zip(findings, told, strict=True)
        if not is_told and not (whole and f.kind == "rule")
    ]


def _findings_of(passage: Passage) -> list[tuple[str, str]]:
    """(sentence, source) of every finding that a passage states in words."""
    if not _FINDING.search(passage.prose):
        return []
    return [(str(f), f.tool or _source(passage)) for f in findings_in(passage.prose)]


def _source(passage: Passage) -> str:
    if passage.who == TOOL:
        return passage.tool or "tool"
    if passage.who == AGENT:
        return "agent"
    return "customer" if passage.who == "user" else (passage.ids[0] if passage.ids else "text")


def _kept(saying: Saying) -> Kept:
    return Kept(
        shortened(saying.text), _source(saying.passage), list(saying.passage.ids), saying.place
    )


def _told(saying: Saying, chosen: list[Saying]) -> bool:
    """Whether a chosen sentence says all that this one does."""
    words = content_of(saying.plain)
    return any(words <= content_of(other.plain) for other in chosen)


def _same(saying: Saying, chosen: list[Saying]) -> bool:
    return any(
        saying.place == other.place and _REMEDY.search(other.plain) is not None for other in chosen
    )


def _without_doubles(found: list[Kept]) -> list[Kept]:
    """The same thing once, with the marks of all places that say it."""
    first: dict[object, Kept] = {}
    for kept in found:
        key = content_of(kept.text) | frozenset(w.lower() for w in figures(kept.text))
        before = first.setdefault(key or kept.text, kept)
        if before is not kept:
            before.ids += [i for i in kept.ids if i not in before.ids]
    return list(first.values())
