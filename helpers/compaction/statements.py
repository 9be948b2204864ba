"""What a fact states, where it has the form of a finding, and whether two such facts disagree.

    Parcel P-1: status is delivered, signed by is "Rao, at the gate" (get_tracking, page 6).

Subject, then fields with values, then the source, which may be lacking. A value with a comma stands
in quotation marks. Facts in other forms are compared as whole sentences only.
"""

import re
from dataclasses import dataclass, field

_FIELD = r"[A-Za-z][\w' -]{0,60}?"
_HEAD = re.compile(
    rf"\s*([A-Za-z][\w ]{{0,60}}? (?:\"[^\"]{{1,80}}\"|[^\s:\"]{{1,80}})): (?={_FIELD} is )"
)
_PAIR = re.compile(
    rf"({_FIELD}) is (?:\"([^\"]*)\"|(.+?))"
    rf"(?=, {_FIELD} is | \([^()]*\)\.?\s*$|\.?\s*$)"
)
_SOURCE = re.compile(r"\(([^(),]+)(?:, page (\d+))?\)\.?\s*$")
_MOMENTS = ("at", "on", "date", "time", "when", "as of")


@dataclass(frozen=True)
class Statement:
    """The subject and {field: value}, in the form in which they are compared; {} for other facts."""

    subject: str = ""
    values: dict[str, str] = field(default_factory=dict)
    tool: str = ""
    page: str | None = None


def same(text: str) -> str:
    """What two texts have in common that say the same thing in the same words."""
    return re.sub(r"[\s.]+$", "", " ".join(text.split())).casefold()


def statement(text: str) -> Statement:
    """What the text of a fact states."""
    head = _HEAD.match(text)
    if not head:
        return Statement()
    values, at = {}, head.end()
    while pair := _PAIR.match(text, at):
        values[same(pair[1])] = same(pair[2] if pair[2] is not None else pair[3])
        at = pair.end()
        if not text.startswith(", ", at):
            break
        at += 2
    source = _SOURCE.search(text)
    tool, page = (same(source[1]), source[2]) if source else ("", None)
    return Statement(same(head[1].replace('"', "")), values, tool, page)


def contradicts(one: Statement, other: Statement, name: str) -> bool:
    """Whether two statements about one subject give its field `name` values that cannot both hold."""
    if one.values[name] == other.values[name] or name in _MOMENTS:
        return False
    for moment in _MOMENTS:
        if moment in one.values and moment in other.values:
            if one.values[moment] != other.values[moment]:
                return False
    return not (one.tool and one.tool == other.tool and one.page != other.page)
