"""Which call comes next: lookups whose parameters are known and whose answer is not visible.

First what there is of rules, then what users named, then what results point to, a thing's pages one
after the other; searching comes last. A call that was answered is not made again; one whose result was
cleared is, if nothing was stated of it and a rule needs it (see `answered`).
"""

import re
from dataclasses import dataclass
from itertools import islice, product

from ..reading.arguments import Missing, fill
from ..reading.words import DATE, STOP, WORD
from .answered import is_open, next_page, only_options, typed
from .known import SEARCH, Case
from .tools import Param, Tool
from .trouble import told_trouble

MOST_VALUES = 40  # of one tool's combined parameters
MOST_PAGES = 500
MOST_WORDS = 8  # in a query

_POLITE = frozenset(
    "hello dear sorry thank thanks regards think know find tell believe madam sir".split()
)


@dataclass(frozen=True)
class Wanted:
    """A call that could come next."""

    tool: Tool
    input: dict


def next_calls(case: Case) -> list[Wanted]:
    """The calls that can be made now, best first; none of them needs the answer of another one."""
    ranked: list[tuple[int, int, int, Wanted]] = []
    places = {subject: n for n, subject in enumerate(case.scope)}
    for number, tool in enumerate(case.tools):
        if tool.job != "look":
            continue
        rank = _rank(case, tool)
        for given in _inputs(case, tool):
            if wanted := _first_open(case, tool, given):
                asked = [
                    (p.noun, str(given[p.name])) for p in tool.params if p.noun and p.name in given
                ]
                place = min((places.get(subject, len(places)) for subject in asked), default=0)
                ranked.append((rank, place, number, wanted))
    ranked.sort(key=lambda entry: entry[:3])
    return [wanted for *_, wanted in ranked]


def can_begin(case: Case) -> bool:
    """Whether there is anything to look up that belongs to this case, not only rules and searches."""
    return any(case.facts.get(subject) for subject in case.scope) or any(
        tool.job == "look" and not tool.searches and not only_options(tool) and _inputs(case, tool)
        for tool in case.tools
    )


def lacking(case: Case) -> str:
    """What has to be named before anything can be looked up: "loan"; "" if nothing is lacking."""
    if can_begin(case):
        return ""
    nouns = [p.noun for tool in case.tools if tool.job == "look" for p in tool.required if p.noun]
    low = case.problem.lower()
    said = [noun for noun in nouns if re.search(rf"\b{re.escape(noun)}", low)]
    return next(iter([*said, *nouns]), "")


def _first_open(case: Case, tool: Tool, given: dict) -> Wanted | None:
    """The first of a call's pages that has still to be read; None if all is known."""
    for _ in range(MOST_PAGES):
        if is_open(case, tool, given):
            return Wanted(tool, given)
        following = next_page(case, tool, given)
        if following is None:
            return None
        given = {**given, tool.page.name: following}
    return None


# --- the parameters -------------------------------------------------------------------------------


def _rank(case: Case, tool: Tool) -> int:
    nouns = {p.noun for p in tool.required if p.noun}
    if tool.searches:
        return 4
    if only_options(tool):
        return 0
    return 1 if nouns <= set(case.named) else 2


def _inputs(case: Case, tool: Tool) -> list[dict]:
    """The inputs with which a tool can be called, without pages."""
    params = [p for p in tool.required if not p.pages]
    if not params:
        params = [p for p in tool.params if p.noun and ids_of(case, p.noun)]
    values = [[(p.name, v) for v in _values(case, tool, p)] for p in params]
    return [dict(chosen) for chosen in islice(product(*values), MOST_VALUES)]


def _values(case: Case, tool: Tool, param: Param) -> list:
    if param.options:
        low = case.problem.lower()
        return sorted(param.options, key=lambda o: not _mentioned(str(o), low))
    if param.noun:
        return [typed(v, param) for v in ids_of(case, param.noun)]
    if param.free:
        named = [value for values in case.named.values() for value in values]
        query = _query_before(case, tool, param) or query_of(case.problem)
        return [query] if query else named[:1]
    if "default" in param.spec:
        return [param.spec["default"]]
    known = [v for s in case.scope if (v := case.value(s, param.words)) is not None]
    if known:
        return [typed(v, param) for v in dict.fromkeys(known)]
    return _from_text(case.problem, param)


def _query_before(case: Case, tool: Tool, param: Param) -> str:
    """What this case was searched for already; one search is enough, in whatever words."""
    for call in reversed(case.calls):
        if call.name == tool.name and call.turn > case.concluded and param.name in call.input:
            return str(call.input[param.name])
    if case.concluded >= 0:
        return ""
    found = [f.id for _, f in case.stated if f.kind == SEARCH and f.tool == tool.name]
    return found[-1] if found else ""


def _from_text(text: str, param: Param) -> list:
    if not text.strip():
        return []
    try:
        schema = {"properties": {param.name: param.spec}, "required": [param.name]}
        return [filled[param.name] for filled in fill(schema, text[-4_000:])]
    except Missing:
        return []


def ids_of(case: Case, noun: str) -> list[str]:
    """The ids that a parameter of this noun can have: named ones, else those of the case's subjects."""
    if noun in case.named:
        return case.named[noun]
    found = [value for kind, value in case.scope if kind == noun]
    return found or case.given.get(noun, [])


def _mentioned(option: str, low: str) -> bool:
    words = [w.lower() for w in WORD.findall(option.replace("_", " ")) if len(w) > 2]
    return any(re.search(rf"\b{re.escape(w[:6])}", low) for w in words)


def query_of(problem: str) -> str:
    """The words of a problem for a search: those around what tells the trouble; "" without any."""
    words = told_trouble(DATE.sub(" ", problem[-4_000:]))
    plain = [w.lower() for w in words if w.isalpha() and (w.islower() or not w[1:].islower())]
    good = [w for w in plain if len(w) > 2 and w not in STOP and w not in _POLITE]
    return " ".join(list(dict.fromkeys(good))[:MOST_WORDS])
