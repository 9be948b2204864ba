"""Results made small at the source: the fields that are needed, words instead of codes, short lists.

The cheapest token is the one that is never added. `shape` works on any result that JSON can hold and
knows no tool: which fields matter, the caller says.
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping

from helpers.shapes import listlike

LIMIT = 8  # items of a list
CHARS = 600  # characters of a text
SHORTEST = 40  # characters: room for a few of the text and for the note
LEFT_OUT = "left_out"  # the key that says what is gone; it stays whatever the fields are


def shape(
    result, fields: Iterable[str] | str | None = None, limit: int = LIMIT, *, chars: int = CHARS
):
    """A copy of `result` with what the model needs of it. Pure; the input stays as it is.

    result: a dict, a list or a text. A text that holds a JSON object or list comes back as JSON
    text, shaped; any other is only cut.
    fields: names, or paths with dots such as "events.status" (a path goes through lists). A name
    keeps everything below it; None keeps every field. If the result has a `legend` of the form
    {field: {code: word}}, words take the place of codes and the legend goes; with "legend" among
    the fields both stay as they are.
    limit: the most items of a list, 1 or more. First go the items without news, which say nothing
    but what the one before them said, then the oldest (lists run from old to new). As long as there
    is room, the newest known value of every field stays. `left_out` says how many are gone: beside
    the list, or for a list inside no dict as one more item at its end.
    chars: the most characters of a text, 40 or more. It is never cut inside a character, and its
    end says how many are gone.

    Shaping a second time changes nothing. ValueError: a limit that cannot be.
    """
    if type(limit) is not int or limit < 1:
        raise ValueError(f"limit is a whole number of items from 1, and is {limit!r}")
    if type(chars) is not int or chars < SHORTEST:
        raise ValueError(f"chars is a whole number from {SHORTEST}, and is {chars!r}")
    if isinstance(result, str):
        value = _json_of(result)
        if value is None:
            return _short(result, chars)
        return json.dumps(shape(value, fields, limit, chars=chars), ensure_ascii=False)
    wanted = None if fields is None else _tree([fields] if isinstance(fields, str) else fields)
    legend = result.get("legend") if isinstance(result, Mapping) else None
    if not _is_legend(legend) or (wanted is not None and "legend" in wanted):
        legend = {}
    else:
        result = {key: value for key, value in result.items() if key != "legend"}
    return _Shaper(legend, limit, chars).shaped(result, wanted)


class _Shaper:
    def __init__(self, legend: Mapping, limit: int, chars: int):
        self.legend, self.limit, self.chars = legend, limit, chars

    def shaped(self, value, wanted: dict | None):
        if isinstance(value, Mapping):
            return self.record(value, wanted)
        if listlike(value):
            kept, gone = self.items(value, wanted, "items")
            return [*kept, {LEFT_OUT: gone}] if gone else kept
        return _short(value, self.chars) if isinstance(value, str) else value

    def record(self, record: Mapping, wanted: dict | None) -> dict:
        made: dict = {}
        gone: list[str] = []
        for key, value in record.items():
            if wanted is not None and key not in wanted and key != LEFT_OUT:
                continue
            below = (wanted or {}).get(key)
            value = self.word(key, value)
            if listlike(value):
                made[key], said = self.items(value, below, str(key))
                gone += [said] * bool(said)
            else:
                made[key] = self.shaped(value, below)
        if gone:
            before = [made[LEFT_OUT]] if isinstance(made.get(LEFT_OUT), str) else []
            made[LEFT_OUT] = _short("; ".join(before + gone), self.chars)
        return made

    def word(self, key, value):
        """The word for a code, where the legend has one."""
        words = self.legend.get(key)
        return words.get(value, value) if words and isinstance(value, str) else value

    def items(self, values, wanted: dict | None, noun: str) -> tuple[list, str]:
        """What is kept of a list, and a few words about what is not."""
        values, said = list(values), []
        if values and _is_note(values[-1]):  # shaped before
            said = [values.pop()[LEFT_OUT]]
        values = [self.shaped(value, wanted) for value in values]
        if len(values) > self.limit:
            newest, news = _newest(values), _news(values)
            weight = sorted(range(len(values)), key=lambda n: (n not in newest, n not in news, -n))
            gone = set(weight[self.limit :])
            dull = len(gone - news)
            said += [f"{dull} {noun} without news"] * bool(dull)
            said += [f"{len(gone) - dull} earlier {noun}"] * (len(gone) > dull)
            values = [value for n, value in enumerate(values) if n not in gone]
        return values, _short("; ".join(said), self.chars)


# ---------------------------------------------------------------- lists


def _newest(items: list) -> set[int]:
    """The items that hold the last known value of some field."""
    last: dict = {}
    for n, item in enumerate(items):
        if isinstance(item, Mapping):
            last.update((key, n) for key, value in item.items() if value is not None)
    return set(last.values())


def _news(items: list) -> set[int]:
    """The items that say something which the one before them does not.

    A field that rises with every item (a time, a running number) is no news by itself.
    """
    rising = _rising(items)
    told = [_without(item, rising) for item in items]
    return {n for n, item in enumerate(told) if n == 0 or item != told[n - 1]}


def _rising(items: list) -> set:
    if not all(isinstance(item, Mapping) for item in items):
        return set()
    found = set()
    for key in items[0]:
        values = [item.get(key) for item in items]
        try:
            if all(a < b for a, b in zip(values, values[1:], strict=False)):
                found.add(key)
        except TypeError:
            pass  # not in every item, or not to be compared
    return found


def _without(item, keys: set):
    if not isinstance(item, Mapping):
        return item
    return {key: value for key, value in item.items() if key not in keys}


# ---------------------------------------------------------------- small things


def _tree(fields: Iterable[str]) -> dict:
    """{"events": {"status": None}} for "events.status"; None: everything below."""
    tree: dict = {}
    for path in sorted(fields, key=lambda path: path.count(".")):
        here = tree
        *above, name = path.split(".")
        for step in above:
            here = here.setdefault(step, {})
            if here is None:
                break
        else:
            here.setdefault(name, None)
    return tree


def _is_legend(value) -> bool:
    return isinstance(value, Mapping) and all(isinstance(v, Mapping) for v in value.values())


def _is_note(value) -> bool:
    return (
        isinstance(value, Mapping)
        and list(value) == [LEFT_OUT]
        and isinstance(value[LEFT_OUT], str)
    )


def _json_of(text: str) -> dict | list | None:
    """The object or list that a text holds as JSON; None for every other text."""
    try:
        value = json.loads(text, parse_constant=_no_constant) if text.strip()[:1] in "{[" else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _no_constant(name: str):
    raise ValueError(f"{name} is no JSON")


def _short(text: str, chars: int) -> str:
    """The text, or its beginning with a note of what is gone: at most `chars` characters."""
    if len(text) <= chars:
        return text
    end = chars - len(_gone(len(text)))
    while end > 0 and _inside(text, end):
        end -= 1
    return text[:end] + _gone(len(text) - end)


def _gone(count: int) -> str:
    return f"… [{count} more characters]"


_JOINER = "\u200d"
_FLAGS = ("\U0001f1e6", "\U0001f1ff")


def _inside(text: str, at: int) -> bool:
    """Whether a cut at `at` would part what is read as one character."""
    before, after = text[at - 1], text[at]
    if unicodedata.category(after)[0] == "M" or after == _JOINER or before == _JOINER:
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True  # a skin tone, a tag
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return True
    if before == "\r" and after == "\n":
        return True
    flags = 0
    while flags < at and _FLAGS[0] <= text[at - 1 - flags] <= _FLAGS[1]:
        flags += 1
    return flags % 2 == 1 and _FLAGS[0] <= after <= _FLAGS[1]
