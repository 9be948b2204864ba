"""What the visible context of a case holds: the problem, calls with their results, facts, rules.

A `Case` is read from one request, oldest message first, and nothing else is remembered. A raw result
is read where it stands; where it was cleared, only what was stated of it is known.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ..request import Request, readable
from .findings import Finding, Offer, conclusions_in, findings_in, offers_in, strings_in, words_of
from .judging import CaseRule, rule_from, rule_stated
from .records import Page, Said, Subject, read_result
from .shapes import ids_in, shapes_by_noun
from .times import moment, time_field
from .tools import Tool, nouns_of, tools_of

TOPIC = "topic"  # the kind of a finding that states rules
TIMES = ("at", "time", "timestamp")  # fields of a finding that say when it was observed
SEARCH = "search"  # the kind of a finding that says what a search found
Key = tuple[str, str]  # a tool's name and its input, so written that the same call has the same key


@dataclass
class Call:
    """One call that the context shows, with what came back. `value`: JSON; None for no data."""

    tool: Tool | None
    name: str
    input: dict
    key: Key
    turn: int
    answered: bool = False
    error: bool = False
    text: str = ""
    page: Page | None = None
    prose: bool = False  # words that are no mere placeholder
    findings: list[Finding] = field(default_factory=list)

    @property
    def has_data(self) -> bool:
        """Whether something can be learned from the result as it stands here."""
        known = self.page is not None or self.prose or bool(self.findings)
        return self.answered and not self.error and known


@dataclass
class Fact:
    """A value of a field, when it was observed ("" if no event told it), and where it was read."""

    value: str
    at: str
    place: int


class Case:
    """Everything that one request shows of a case."""

    def __init__(self, request: Request):
        self.request = request
        self.tools = tools_of(request.tools)
        self.nouns = nouns_of(self.tools)
        self.by_name = {tool.name: tool for tool in self.tools}
        self.calls: list[Call] = []
        self.facts: dict[Subject, dict[str, Fact]] = {}
        self.aside: dict[Subject, dict[str, Fact]] = {}
        self.parents: dict[Subject, list[Subject]] = {}
        self.rules: dict[tuple[str, str], CaseRule] = {}
        self.stated: list[tuple[int, Finding]] = []  # with their place in the reading
        self.offers: list[Offer] = []
        self.told: list[str] = []  # strings of notes which say what was offered, in any words
        self.concluded = -1  # the newest turn in which the model has concluded
        self.user: list[tuple[int, str, str]] = []  # turn, key, text: what users wrote, and notes
        self.rules_at = -1  # where the newest rule was first read
        self._place = 0
        self._read()

    # --- reading ----------------------------------------------------------------------------------

    def _read(self) -> None:
        by_id: dict[str, Call] = {}
        self._texts(-1, self.request.system, "system")
        for number, turn in enumerate(self.request.turns):
            for block in turn.blocks:
                kind = block.get("type")
                if kind == "text":
                    self._texts(number, block.get("text") or "", turn.role)
                elif kind == "tool_use":
                    call = self._call(block, number)
                    by_id[str(block.get("id"))] = call
                elif kind == "tool_result" and (call := by_id.get(str(block.get("tool_use_id")))):
                    self._result(call, block)
        for call in self.calls:
            if call.page and call.tool and call.tool.searches:
                for said in self.matches(call):
                    self._said(said)
        self.__dict__.pop("scope", None)  # what the searches found belongs to it now

    def _texts(self, turn: int, text: str, role: str) -> None:
        if role == "assistant" and conclusions_in(text):
            self.concluded = turn
        for key, part in strings_in(text):
            self._place += 1
            if role == "user":
                self.user.append((turn, key, part))
            if role != "system":
                for finding in findings_in(part):
                    self._finding(finding)
                offers = offers_in(part)
                self.offers += offers
                if key and not offers and _OFFERED.search(key):
                    self.told.append(part)
            if role != "assistant":
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
        self._said(Said(subject, dict(finding.fields), {}, parents, at), trusted=True)

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
        call.prose = value is None and not _CLEARED.search(call.text) and bool(call.text)
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
                self.user.append((call.turn, "", call.text))
            return
        if call.tool.job == "act":
            call.page = Page()
            return
        call.page = read_result(value, self.asked(call), self.nouns)
        topic = topic_of(call.tool, call.input)
        for row in call.page.rules:
            if rule := rule_from(row, topic):
                self._rule(rule)
        if call.tool.searches:
            return  # what a search finds counts only for what is known otherwise: see `matches`
        for said in call.page.said:
            self._said(said)

    def _said(self, said: Said, trusted: bool = False) -> None:
        own = self.facts.setdefault(said.subject, {})
        for target, fields in (
            (own, said.fields),
            (self.aside.setdefault(said.subject, {}), said.aside),
        ):
            for words, value in fields.items():
                old = target.get(words)
                if old is None or not _older(said.at, old.at):
                    target[words] = Fact(value, said.at, self._place)
        links = self.parents.setdefault(said.subject, [])
        links += [p for p in said.parents if p not in links and p != said.subject]

    # --- calls ------------------------------------------------------------------------------------

    def asked(self, call: Call) -> dict[str, str]:
        """The ids that a call asked about, by noun."""
        if call.tool is None:
            return {}
        return {
            p.noun: str(call.input[p.name])
            for p in call.tool.params
            if p.noun and isinstance(call.input.get(p.name), str | int)
        }

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
        texts = [(turn, text) for turn, _, text in self.user if _plain(text)]
        newer = [text for turn, text in texts if turn > self.concluded]
        return "\n".join(newer or [text for _, text in texts])

    @cached_property
    def named(self) -> dict[str, list[str]]:
        """Ids that users name, by noun, in their order; notes name theirs under their own keys."""
        shapes = shapes_by_noun(p for tool in self.tools for p in tool.params)
        found: dict[str, list[str]] = {}
        since = [entry for entry in self.user if entry[0] > self.concluded]
        for entries in (since, self.user):
            for _, key, text in entries:
                for noun, value in self._ids(key, text, shapes):
                    known = found.setdefault(noun, [])
                    known += [value] if value not in known else []
            if found:
                break
        return found

    def names_in(self, text: str) -> bool:
        """Whether a text names something that the tools can be asked about."""
        return bool(ids_in(text, shapes_by_noun(p for tool in self.tools for p in tool.params)))

    def _ids(self, key: str, text: str, shapes: dict) -> Iterable[tuple[str, str]]:
        noun = key.removesuffix(" ids").removesuffix(" id").removesuffix("s")
        if noun in shapes and len(text) <= 80:
            fits = not any(s.exact for s in shapes[noun]) or any(s.fits(text) for s in shapes[noun])
            return [(noun, text.strip())] if text.strip() and fits else []
        if key and not _ABOUT_PROBLEM.search(key):
            return []
        if findings_in(text) or offers_in(text) or conclusions_in(text):
            return []
        return ids_in(text, shapes)

    @cached_property
    def given(self) -> dict[str, list[str]]:
        """Ids that the system prompt gives, such as who has logged in."""
        shapes = shapes_by_noun(p for tool in self.tools for p in tool.params)
        found: dict[str, list[str]] = {}
        for noun, value in ids_in(self.request.system[:20_000], shapes):
            found.setdefault(noun, []).append(value)
        return found

    # --- facts ------------------------------------------------------------------------------------

    def value(self, subject: Subject, words: str) -> str | None:
        """The value of a subject's field: its own, else that of what it belongs to; None if unknown."""
        seen, level = set(), [subject]
        while level:
            for store in (self.facts, self.aside):
                for one in level:
                    if fact := store.get(one, {}).get(words):
                        return fact.value
            seen |= set(level)
            above = [p for one in level for p in self.parents.get(one, ()) if p not in seen]
            level = list(dict.fromkeys(above))
        return None

    def ancestors(self, subject: Subject) -> list[Subject]:
        """What a subject belongs to, nearest first."""
        found: list[Subject] = []
        level = [subject]
        while level:
            above = [p for one in level for p in self.parents.get(one, ())]
            level = [p for p in dict.fromkeys(above) if p not in found and p != subject]
            found += level
        return found

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

# What stands in for a result that was taken out; the wording is free, so these are its usual words.
_CLEARED = re.compile(
    r"\b(?:cleared|removed|omitted|elided|dropped|trimmed|truncated|shortened|placeholder|stub)\b"
    r"|\b(?:call|run|use|ask) (?:the |this |that )?(?:tool )?again\b|\b(?:old|older|earlier) (?:tool )?results?\b",
    re.I,
)
_OFFERED = re.compile(r"\b(?:offer\w*|promis\w*|paid|granted|given|refunded|booked|issued|done)\b")
_ABOUT_PROBLEM = re.compile(r"\b(?:problem|wants?|request\w*|complaint|issue|trouble)\b")


def key_of(name: str, given: dict) -> Key:
    """The same for the same call: the first page is what a call without a page gives."""
    clean = {k: v for k, v in given.items() if not (words_of(k) == "page" and v in (1, "1", None))}
    try:
        return name, json.dumps(clean, sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError):
        return name, repr(clean)


def topic_of(tool: Tool, given: dict) -> str:
    """The value of the enum that a call chooses; the tool's name for a tool without one."""
    chosen = [str(given[p.name]) for p in tool.params if p.options and p.name in given]
    return " ".join(chosen) or tool.name


def parsed(text: str) -> object | None:
    """The dict or list that a text is, amounts as they are written; None for any other text."""
    if not text[:1] or text[0] not in "{[":
        return None
    try:
        value = json.loads(text, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _older(new: str, old: str) -> bool:
    if not new or not old:
        return False
    one, other = moment(new), moment(old)
    return one is not None and other is not None and one < other


def _plain(text: str) -> bool:
    return bool(text.strip()) and not findings_in(text)
