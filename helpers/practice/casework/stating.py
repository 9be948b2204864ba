"""What is said of the newest results: a finding for each subject, so that it outlives the result."""

import re

from .acting import offer_of
from .answered import cursor_of, page_of
from .calls import Call, topic_of
from .findings import NOTHING, Finding, Offer, words_of
from .grants import offer_told
from .judging import fields_of
from .known import SEARCH, TIMES, TOPIC, Case
from .records import Said

MOST = 6  # fields of a finding when no rule says which ones matter
SHORT = 60  # characters of a value worth telling then
LONGEST_ANSWER = 300  # characters of a result in prose

_NOISE = re.compile(r"[0-9a-f]{12,}|.*://.*", re.I)


def statements(case: Case) -> list[Finding | Offer | str]:
    """What the newest results say, one entry a subject; [] when there are none."""
    found: list[Finding | Offer | str] = []
    for call in case.newest:
        if call.tool is None or call.tool.job in ("write", "read", "files"):
            continue
        if call.error:
            found.append(_failed(call))
        elif call.tool.job == "act":
            offer = offer_of(case, call) or offer_told(case, call)
            found += [offer] if offer else []
        elif call.page is not None and call.tool.job == "look":
            found += _of_page(case, call)
        elif call.prose and not call.findings and call.tool.job == "look":
            found.append(_of_prose(call))
    return found


def _failed(call: Call) -> str:
    what = ", ".join(str(v) for v in call.input.values() if isinstance(v, str | int))[:120]
    text = " ".join(call.text.split())[:LONGEST_ANSWER].rstrip(".") or "no reason was given"
    return f"{call.name}{f' [{what}]' if what else ''} failed: {text}."


def _of_page(case: Case, call: Call) -> list[Finding]:
    if call.page.rules:
        rules = [r for r in case.rules.values() if r.topic == topic_of(call.tool, call.input)]
        said = {f"rule {n}": str(rule) for n, rule in enumerate(rules, 1)}
        return [_finding(call, TOPIC, topic_of(call.tool, call.input), said or NOTHING)]
    if call.tool.searches:
        return _of_search(case, call)
    wanted = fields_of(case.rules.values())
    scope = set(case.scope)
    asked = set(call.asked.items())
    found: list[Finding] = []
    whole = False  # whether what the call asked about says something that matters itself
    for said in call.page.said:
        kind, name = said.subject
        if said.subject not in scope and said.subject not in asked:
            continue
        told = _told(case, said, wanted)
        links = {f"{p[0]} id": p[1] for p in said.parents if p[0] in case.nouns or p in scope}
        if said.subject in asked:
            whole = whole or bool(told)
            found.append(_finding(call, kind, name, {**links, **told} or NOTHING))
        elif kind in case.nouns or told and not whole:
            found.append(_finding(call, kind, name, {**links, **told} or NOTHING))
    if not any((f.kind, f.id) in asked for f in found):
        kind, name = next(iter(asked), _nameless(call))
        found.append(_finding(call, kind, name, NOTHING))
    return [_with_next(call, f) if n == _at(found, asked) else f for n, f in enumerate(found)]


def _at(found: list[Finding], asked: set) -> int:
    """The finding that is about what the call asked for."""
    places = (n for n, f in enumerate(found) if (f.kind, f.id) in asked)
    return next(places, len(found) - 1)


def _told(case: Case, said: Said, wanted: set[str]) -> dict[str, str]:
    """The fields that matter: those that rules and actions name, else the first few short ones."""
    fields = {**said.aside, **said.fields}
    if wanted:
        needed = {p.words for t in case.tools if t.job == "act" for p in t.required if not p.noun}
        told = {w: v for w, v in fields.items() if w in wanted or w in needed}
    else:
        clear = [
            (w, v) for w, v in said.fields.items() if len(v) <= SHORT and not _NOISE.fullmatch(v)
        ]
        told = dict(clear[:MOST])
    if told and said.at:
        name = next((w for w, v in said.fields.items() if v == said.at), "at")
        told |= {name if name in TIMES else "at": said.at}
    return {w: v for w, v in told.items() if re.fullmatch(r"[a-z][a-z0-9' -]{0,60}", w)}


def _of_search(case: Case, call: Call) -> list[Finding]:
    """The records that are about a subject of the case, and which ones they were."""
    found = []
    for said in case.matches(call):
        kind, name = said.subject
        links = {f"{p[0]} id": p[1] for p in said.parents if p in set(case.scope)}
        short = {
            w: v for w, v in said.fields.items() if len(v) <= SHORT and not _NOISE.fullmatch(v)
        }
        rest = {w: v for w, v in short.items() if v not in links.values()}
        found.append(
            _finding(call, kind, name, {**links, **dict(list(rest.items())[:2])} or NOTHING)
        )
    query = next(str(call.input.get(p.name)) for p in call.tool.required if p.free)
    about = {"found": ", ".join(f.id for f in found)} if found else NOTHING
    return [*found, _with_next(call, _finding(call, SEARCH, query, about))]


def _of_prose(call: Call) -> Finding:
    answer = " ".join(call.text.split())[:LONGEST_ANSWER]
    asked = {
        p.noun: str(call.input[p.name]) for p in call.tool.params if p.noun and p.name in call.input
    }
    kind, name = next(iter(asked.items()), _nameless(call))
    return _finding(call, kind, name, {"answer": answer})


def _nameless(call: Call) -> tuple[str, str]:
    """The subject of a result that is about nothing with an id: what was asked, or the tool."""
    values = [str(v) for v in call.input.values() if isinstance(v, str | int)]
    return "result", values[0] if values else call.name


def _finding(call: Call, kind: str, name: str, fields: dict[str, str]) -> Finding:
    kind = " ".join(re.findall("[a-z]+", kind.lower())[:4]) or "thing"
    if cursor := cursor_of(call.tool, call.input):
        fields = {**fields, call.tool.page.words: cursor}
    return Finding(kind, name, dict(fields), call.name, page_of(call.tool, call.input))


def _with_next(call: Call, finding: Finding) -> Finding:
    """The finding, with the page that follows, so that a later session can go on there."""
    if call.tool.page is None or not call.page.next:
        return finding
    fields = {w: v for w, v in finding.fields.items() if {w: v} != NOTHING}
    words = f"next {words_of(call.tool.page.name)}"
    return Finding(
        finding.kind, finding.id, {**fields, words: call.page.next}, finding.tool, finding.page
    )
