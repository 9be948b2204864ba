"""What the visible context of a case holds: the problem, calls with their results, facts, rules.

A `Case` is read from one request, oldest message first, and nothing else is remembered. A raw result
is read where it stands; where it was cleared, only what was stated of it is known.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..reading.clauses import sentences
from ..remembering.lasttime import items, last_case, refers_back
from ..remembering.notes import own_words, pieces
from ..request import Request, Turn, readable
from .calls import Call, is_placeholder, key_of, parsed, topic_of
from .facts import Facts
from .findings import Finding, Offer, conclusions_in, findings_in, offers_in, strings_in
from .judging import CaseRule, rule_from, rule_stated
from .records import Page, Said, Subject, read_result
from .shapes import ids_in, shapes_by_noun
from .times import moment, time_field
from .tools import nouns_of, tools_of

TOPIC = "topic"  # the kind of a finding that states rules
TIMES = ("at", "time", "timestamp")  # fields of a finding that say when it was observed
SEARCH = "search"  # the kind of a finding that says what a search found


@dataclass(frozen=True)
class Written:
    """A text of a user turn: its turn, its key if it stands in JSON, whether it is notes or a summary.

    `remembered`: it is what earlier conversations have left, and none of the customer's words here.
    """

    turn: int
    key: str
    text: str
    noted: bool
    remembered: bool = False


class Case(Facts):
    """Everything that one request shows of a case."""

    def __init__(self, request: Request):
        super().__init__()
        self.request = request
        self.tools = tools_of(request.tools)
        self.nouns = nouns_of(self.tools)
        self.by_name = {tool.name: tool for tool in self.tools}
        self.calls: list[Call] = []
        self.rules: dict[tuple[str, str], CaseRule] = {}
        self.stated: list[tuple[int, Finding]] = []  # with their place in the reading
        self.offers: list[Offer] = []
        self.told: list[str] = []  # strings of notes which say what was offered, in any words
        self.concluded = -1  # the newest turn in which the model has concluded
        self.user: list[Written] = []  # what users wrote, and notes
        self.rules_at = -1  # where the newest rule was first read
        self._place = 0
        self._read()

    # --- reading ----------------------------------------------------------------------------------

    def _read(self) -> None:
        by_id: dict[str, Call] = {}
        self._texts(-1, self.request.system, "system")
        for number, turn in enumerate(self.request.turns):
            parts = pieces(texts_of(turn)) if turn.role == "user" else ()
            remembered = [part.text for part in parts if part.noted]
            self.user += [Written(number, "", text, True, True) for text in remembered]
            if remembered:
                self._texts(number, own_words(texts_of(turn)), turn.role)
            for block in turn.blocks:
                kind = block.get("type")
                if kind == "text" and not remembered:
                    self._texts(number, block.get("text") or "", turn.role)
                elif kind == "tool_use":
                    call = self._call(block, number)
                    by_id[str(block.get("id"))] = call
                elif kind == "tool_result" and (call := by_id.get(str(block.get("tool_use_id")))):
                    self._result(call, block)
        for call in self.calls:
            if call.page and call.tool and call.tool.searches:
                for said in self.matches(call):
                    self.add(said, self._place)
        self.__dict__.pop("scope", None)  # what the searches found belongs to it now

    def _texts(self, turn: int, text: str, role: str) -> None:
        if role == "assistant" and conclusions_in(text):
            self.concluded = turn
        noted = role != "user" or bool(_NOTED.search(text))
        for key, part in strings_in(text):
            self._place += 1
            if role == "user":
                self.user.append(Written(turn, key, part, noted))
            if not (noted or key):
                continue  # what people write about their own case is no finding
            for finding in findings_in(part):
                self._finding(finding)
            offers = offers_in(part)
            self.offers += offers
            if key and not offers and _OFFERED.search(key):
                self.told.append(part)
            if role == "system":
                self._rules_in(part)

    def _rules_in(self, text: str) -> None:
        low = text.lower()
        if ("when " in low or "if " in low) and " is " in low:
            for line in re.split(r"\n|(?<=[.;]) ", text):
                if rule := rule_stated(line.strip(" -*•"), ""):
                    self._rule(rule)

    def _rule(self, rule: CaseRule) -> None:
        key = (rule.topic, str(rule))
        if key not in self.rules:
            self.rules[key] = rule
            self.rules_at = self._place

    def _finding(self, finding: Finding) -> None:
        source = self.by_name.get(finding.tool)
        if source and source.job == "act":
            return  # what an action answered says nothing of the world
        self.stated.append((self._place, finding))
        if finding.kind == TOPIC:
            for value in finding.fields.values():
                if rule := rule_stated(value, finding.id):
                    self._rule(rule)
            return
        subject = (finding.kind, finding.id)
        parents = []
        for words, value in finding.fields.items():
            noun = words.removesuffix(" id")
            if words.endswith(" id") or words in self.nouns:
                if noun != finding.kind:
                    parents.append((noun, value))
        name = time_field(finding.fields)
        at = finding.fields[name] if name in TIMES else ""
        self.add(Said(subject, dict(finding.fields), {}, parents, at), self._place)

    def _call(self, block: dict, turn: int) -> Call:
        name = str(block.get("name"))
        given = block.get("input")
        given = given if isinstance(given, dict) else {}
        call = Call(self.by_name.get(name), name, given, key_of(name, given), turn)
        self.calls.append(call)
        return call

    def _result(self, call: Call, block: dict) -> None:
        self._place += 1
        call.answered, call.error = True, bool(block.get("is_error"))
        call.text = "\n".join(readable(block)).strip()
        if call.error or call.tool is None or call.tool.job == "write":
            return
        value = parsed(call.text)
        call.prose = value is None and not is_placeholder(call.text) and bool(call.text)
        if call.tool.job == "files" and call.input.get("command") != "view":
            return
        if call.tool.job in ("read", "recall", "files") or value is None:
            for _, part in strings_in(call.text):
                for finding in findings_in(part):
                    call.findings.append(finding)
                    self._finding(finding)
                self.offers += offers_in(part)
            if call.tool.job in ("read", "recall") and value is not None:
                call.page = Page()
            if call.tool.job == "recall":
                self.user.append(Written(call.turn, "", call.text, True, True))
            return
        if call.tool.job == "act":
            call.page = Page()
            return
        read = _known_page if len(call.text) < LONG else _page
        call.page = read(call.text, tuple(call.asked.items()), frozenset(self.nouns))
        topic = topic_of(call.tool, call.input)
        for row in call.page.rules:
            if rule := rule_from(row, topic):
                self._rule(rule)
        if call.tool.searches:
            return  # what a search finds counts only for what is known otherwise: see `matches`
        for said in call.page.said:
            self.add(said, self._place)

    # --- calls ------------------------------------------------------------------------------------

    @cached_property
    def newest(self) -> list[Call]:
        """The calls whose results are in the last turn: nothing was said about them yet."""
        turns = self.request.turns
        if not turns or turns[-1].role == "assistant":
            return []
        first = max((n for n, t in enumerate(turns) if t.role == "assistant"), default=-1)
        return [call for call in self.calls if call.answered and call.turn == first]

    # --- what users said --------------------------------------------------------------------------

    @cached_property
    def problem(self) -> str:
        """What the users wrote about the case: since the last conclusion, if there is any since."""
        own = [w for w in self.user if not w.remembered]
        texts = [(w.turn, plain) for w in own if (plain := _own_words(w.text))]
        newer = [text for turn, text in texts if turn > self.concluded]
        return "\n".join(newer or [text for _, text in texts])

    @cached_property
    def named(self) -> dict[str, list[str]]:
        """Ids that users name, by noun, in their order; notes name theirs under their own keys."""
        shapes = shapes_by_noun(p for tool in self.tools for p in tool.params)
        told = [written for written in self.user if not written.remembered]
        since = [written for written in told if written.turn > self.concluded]
        for some in (since, told):
            own = [pair for w in some if not w.noted for pair in self._ids(w, shapes)]
            noted = [pair for w in some if w.noted for pair in self._ids(w, shapes)]
            # a summary also mentions parts of what was named, and means no restriction to them
            whole = [p for p in noted if not set(self.ancestors(p)) & {*own, *noted}]
            if pairs := list(dict.fromkeys([*own, *whole])):
                return {noun: [v for n, v in pairs if n == noun] for noun, _ in pairs}
        return self._last_time(shapes)

    @property
    def memory(self) -> str:
        """What is remembered of the user: notes in the first message, and what a search of them found."""
        return "\n".join(written.text for written in self.user if written.remembered)

    def _last_time(self, shapes: dict) -> dict[str, list[str]]:
        """The ids of the case that users mean by "last time", or of the newest one that a list of theirs
        gives; {} if they mean none."""
        searched = any(call.tool and call.tool.job == "recall" for call in self.calls)
        if not self.memory or not (searched or refers_back(self.problem)):
            return {}
        last = last_case(items(self.memory), self.names_in, self.problem)
        pairs = ids_in(last.text, shapes) if last else []
        return {noun: self._listed(noun) or [v for n, v in pairs if n == noun] for noun, _ in pairs}

    def _listed(self, noun: str) -> list[str]:
        """The newest thing of its kind in what a call without an id has listed; [] without one."""
        found: dict[str, str] = {}
        for call in self.calls:
            if call.page and call.tool and not call.asked and not call.tool.searches:
                for said in call.page.said:
                    name = time_field(said.fields) if said.subject[0] == noun else ""
                    found |= {said.subject[1]: said.fields[name]} if name else {}
        dated = {value: at for value, text in found.items() if (at := moment(text))}
        return [max(dated, key=dated.__getitem__)] if dated else []

    def names_in(self, text: str) -> bool:
        """Whether a text names something that the tools can be asked about."""
        return bool(ids_in(text, shapes_by_noun(p for tool in self.tools for p in tool.params)))

    def _ids(self, written: "Written", shapes: dict) -> Iterable[Subject]:
        key, text = written.key, written.text
        noun = key.removesuffix(" ids").removesuffix(" id").removesuffix("s")
        if noun in shapes and len(text) <= 80:
            fits = not any(s.exact for s in shapes[noun]) or any(s.fits(text) for s in shapes[noun])
            return [(noun, text.strip())] if text.strip() and fits else []
        if key and not _ABOUT_PROBLEM.search(key):
            return []
        return ids_in(_own_words(text), shapes)

    @cached_property
    def given(self) -> dict[str, list[str]]:
        """Ids that the system prompt gives, such as who has logged in."""
        shapes = shapes_by_noun(p for tool in self.tools for p in tool.params)
        found: dict[str, list[str]] = {}
        for noun, value in ids_in(self.request.system[:20_000], shapes):
            found.setdefault(noun, []).append(value)
        return found

    # --- what belongs to it -----------------------------------------------------------------------

    @cached_property
    def scope(self) -> list[Subject]:
        """The subjects of the case: what users named, its parts, and what it belongs to."""
        roots = [(noun, value) for noun, values in self.named.items() for value in values]
        if not roots:
            roots = [(noun, value) for noun, values in self.given.items() for value in values]
        above = [a for root in roots for a in self.ancestors(root)]
        found = dict.fromkeys([*roots, *above])
        for subject in [*self.facts, *self.parents]:
            if subject in found or subject[0] in self.named:
                continue
            if not roots or set(self.ancestors(subject)) & set(roots):
                found[subject] = None
        return list(found)

    def matches(self, call: Call) -> list[Said]:
        """The records that a search found about a subject of the case; look-alikes are left out."""
        if call.page is None:
            return []
        scope = set(self.scope)
        return [
            said
            for said in call.page.said
            if set(said.parents) & scope or said.subject in scope and said.subject[0] in self.named
        ]


# --- small things ---------------------------------------------------------------------------------


def _page(text: str, asked: tuple[Subject, ...], nouns: frozenset[str]) -> Page:
    return read_result(parsed(text), dict(asked), set(nouns))


# A run sends its results again with every step; a page that was read is never changed.
LONG = 20_000  # characters; a few longer ones would take the memory of all others
_known_page = lru_cache(maxsize=256)(_page)

_NOTED = re.compile(
    r"\b(?:notes?|summar\w+|so far|retold|progress|up to here|memor(?:y|ies))\b", re.I
)
_OFFERED = re.compile(r"\b(?:offer\w*|promis\w*|paid|granted|given|refunded|booked|issued|done)\b")
_ABOUT_PROBLEM = re.compile(r"\b(?:problem|wants?|request\w*|complaint|issue|trouble)\b")


def texts_of(turn: Turn) -> tuple[str, ...]:
    """The text blocks of a turn."""
    return tuple(block.get("text") or "" for block in turn.of_type("text"))


def _own_words(text: str) -> str:
    """A text without the sentences that state findings, offers and conclusions."""
    if not (findings_in(text) or offers_in(text) or conclusions_in(text)):
        return text.strip()
    kept = (s for s in sentences(text) if not (findings_in(s) or offers_in(s) or conclusions_in(s)))
    return " ".join(kept)
