"""Which calls are answered: by a visible result, or by what was stated of one that is not visible.

A finding names its tool and its page. Where a summary has dropped that, a finding still answers for its
subject as far as the fields go by which the rules begin to judge.
"""

import re
from collections.abc import Iterator

from .acting import kind_of
from .calls import Call, key_of, topic_of
from .findings import Finding
from .judging import fields_of
from .known import SEARCH, TOPIC, Case
from .records import Subject
from .tools import Param, Tool

MOST_TIMES = 2  # the same call

_HOPELESS = re.compile(
    r"\b(?:not found|unknown|no such|does not exist|not exist|invalid|not allowed|forbidden|there is no|no \w+ with)\b",
    re.I,
)


def is_open(case: Case, tool: Tool, given: dict) -> bool:
    """Whether a call has no answer and may be made."""
    key = key_of(tool.name, given)
    calls = [call for call in case.calls if call.key == key]
    if any(call.has_data for call in calls) or len(calls) >= MOST_TIMES:
        return False
    failed = [call for call in calls if call.error]
    if failed and _HOPELESS.search(failed[-1].text):
        return False
    if _is_stated(case, tool, given):
        return False
    return not calls or bool(failed) or _is_needed(case, tool, given)


def next_page(case: Case, tool: Tool, given: dict) -> object | None:
    """The value of the page parameter that follows an answered call; None on the last page."""
    if tool.page is None:
        return None
    key = key_of(tool.name, given)
    for call in reversed(case.calls):
        if call.key == key and call.page is not None:
            return typed(call.page.next, tool.page) if call.page.next else None
    for _, finding in reversed(_of_call(case, tool, given)):
        if following := finding.fields.get(_next(tool)):
            return typed(following, tool.page)
    page, later = page_of(tool, given), _later(case, tool, given)
    return later if page is not None and later and later > page else None


def page_of(tool: Tool, given: dict) -> int | None:
    """The page that a call asks for; None for a tool without pages that are counted."""
    if tool.page is None:
        return None
    return _number(str(given.get(tool.page.name, 1)))


def cursor_of(tool: Tool, given: dict) -> str | None:
    """The page that a call asks for where pages are not counted but marked."""
    if tool.page is None or page_of(tool, given) is not None:
        return None
    return str(given[tool.page.name])


def typed(value: str, param: Param) -> object:
    """The value as the schema wants it: a number where it asks for one."""
    kind = param.spec.get("type")
    try:
        if kind == "integer":
            return int(value)
        if kind == "number":
            return float(value)
    except ValueError:
        pass
    return value


def failures(case: Case) -> Iterator[Call]:
    """The lookups that failed for good: an error, and no visible answer to the same call."""
    good = {call.key for call in case.calls if call.has_data}
    seen = set()
    for call in case.calls:
        if call.error and call.key not in good and call.key not in seen and call.tool:
            seen.add(call.key)
            if call.tool.job == "look":
                yield call


# --- what was stated ------------------------------------------------------------------------------


def _is_stated(case: Case, tool: Tool, given: dict) -> bool:
    """Whether a finding of this very call is stated somewhere, and says all that the rules ask."""
    for place, finding in _of_call(case, tool, given):
        late = (
            place >= case.rules_at
        )  # stated when the rules were known, so it has all that they name
        if finding.kind == TOPIC or late or not _lacks(case, (finding.kind, finding.id)):
            return True
    return _is_told(case, tool, given)


def _of_call(case: Case, tool: Tool, given: dict) -> list[tuple[int, Finding]]:
    """The findings of one call, with their places."""
    page, ids = page_of(tool, given), _ids(tool, given)
    found = [
        e for e in case.stated if e[1].tool == tool.name and e[1].page == page and e[1].id in ids
    ]
    if page is None and tool.page is not None:
        mark = cursor_of(tool, given)
        found = [entry for entry in found if entry[1].fields.get(tool.page.words) == mark]
    return found


def _ids(tool: Tool, given: dict) -> set[str]:
    """The ids under which a finding of this call is stated."""
    values = [str(v) for v in given.values() if isinstance(v, str | int)]
    return {*values, topic_of(tool, given)} if values else {tool.name}


def _is_told(case: Case, tool: Tool, given: dict) -> bool:
    """Whether findings without a source answer a call."""
    told = _told(case, tool, given)
    if not told:
        return False
    if told[-1].kind == TOPIC:
        return True
    pages = [n for f in told if (n := _number(f.fields.get(_next(tool), "")))]
    page = page_of(tool, given)
    if pages and page is not None and (page < max(pages) or _next(tool) in told[-1].fields):
        return page < max(pages)
    return told[-1].kind == SEARCH or _is_settled(case, told)


def _told(case: Case, tool: Tool, given: dict) -> list[Finding]:
    """The findings without a source that are about what a call asks for."""
    if only_options(tool):
        about = {(TOPIC, topic_of(tool, given))}
    elif tool.searches:
        about = {(SEARCH, str(given.get(p.name))) for p in tool.required if p.free}
    else:
        about = set(_subjects(tool, given))
    return [f for _, f in case.stated if not f.tool and (f.kind, f.id) in about]


def _later(case: Case, tool: Tool, given: dict) -> int | None:
    """The page to go on with after one whose finding has lost its source: the next one known of."""
    page, ids = page_of(tool, given) or 0, _ids(tool, given)
    told = [_number(f.fields.get(_next(tool), "")) for f in _told(case, tool, given)]
    read = [f.page for _, f in case.stated if f.tool == tool.name and f.id in ids]
    if jumps := [n for n in told if n and n > page]:
        return max(jumps)
    return min((n for n in read if n and n > page), default=None)


def _is_settled(case: Case, told: list[Finding]) -> bool:
    """Whether findings of one subject say enough to begin to judge it."""
    rules, subject = case.rules.values(), (told[-1].kind, told[-1].id)
    said = {name for finding in told for name in finding.fields}
    if not rules or not said & fields_of(rules):
        return not rules
    begins = {r.conditions[0].field for r in rules if kind_of(case, r) in (subject[0], "")}
    above = case.ancestors(subject)
    return all(name in said or any(case.value(a, name) for a in above) for name in begins)


def _is_needed(case: Case, tool: Tool, given: dict) -> bool:
    """Whether a rule needs what a cleared result held."""
    if tool.searches:
        return False
    if only_options(tool):
        return not any(rule.topic == topic_of(tool, given) for rule in case.rules.values())
    subjects = _subjects(tool, given)
    return not case.rules or not subjects or any(_lacks(case, subject) for subject in subjects)


def _lacks(case: Case, subject: Subject) -> bool:
    """Whether a field that some rule names is not known of a subject."""
    return any(case.value(subject, name) is None for name in fields_of(case.rules.values()))


# --- small things ---------------------------------------------------------------------------------


def only_options(tool: Tool) -> bool:
    """Whether a tool is asked by choosing from a list, as rules are."""
    return bool(tool.required) and all(p.options for p in tool.required)


def _subjects(tool: Tool, given: dict) -> list[Subject]:
    return [(p.noun, str(given[p.name])) for p in tool.params if p.noun and p.name in given]


def _next(tool: Tool) -> str:
    return f"next {tool.page.words}" if tool.page else ""


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() and len(text) < 7 else None
