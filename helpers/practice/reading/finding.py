"""Finding an answer in sentences that the grammar cannot read.

A part of a sentence answers a question if it shares all the words that matter, holds a value of the kind
that is asked for, and is about nobody else. What it leaves out ("it's at nine") may stand in the
sentences beside it, if the part names no thing of its own. The newest answer wins, and what puts it
right wins over it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .clauses import is_fact, strip_lead
from .kinds import value_in
from .memory import Memory
from .parts import about_another, about_it, covered, first_word, heads_of, is_open, parts_of
from .person import expand, sentence, to_second
from .questions import Question
from .wanting import GENERIC, Wanted, wanted_by
from .words import COLOURS, DATE, NUMBER_WORDS, STOP, TIME, WORD, search_forms, stem

_TOLD = "You told me: "
AROUND = 3  # sentences before and after that may complete a part
MOST = 100  # candidate sentences that are read
LONGEST = 400  # characters of a sentence that somebody says
NEXT = 2  # turns of a conversation from one message of the user to his next
SPOKEN = (
    12  # sentences of one message; in a longer one, notes say, nobody takes back what he just said
)
SEVERAL = 6  # answers to a question for more than one

_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_LINK = re.compile(
    r"\b(?:am|is|are|was|were|be|called|named|as|beats?|to|have|has|got|chose|with)\b|[:=]|\d"
)
_AVERSE = re.compile(r"\b(?:not|never|cannot|hates?|hated|dislikes?|detests?|loathes?)\b", re.I)
_FOND = re.compile(
    r"(?<!not )(?<!never )\b(?:likes?|liked|love[sd]?|enjoy(?:s|ed)?|adores?|fond|fan|favou?rite)\b",
    re.I,
)
_INNER = re.compile(r"\b(?:it|him|them|its|their)\b", re.I)
_BY_ME = re.compile(r"\b(?:i|we)\b", re.I)
_OF_ME = re.compile(r"\b(?:i|we|me|us)\b", re.I)
_MARK = re.compile(
    r"\b(?:actually|sorry|wrong|mistake|correct\w*|meant|mean|chang\w+|moved|update|instead|now|scratch|(?<!the )wait|oops|rather"
    r"|turns? out|postponed|rescheduled|make (?:that|it)|no longer|not|new)\b",
    re.I,
)  # fmt: skip
_PRONOUNS = frozenset("it they that this he she its his her their there those these".split())
_MARKS = frozenset(map(stem, "actually sorry wrong mistake correction mean change move update instead wait oops rather make turn out only got".split()))  # fmt: skip


@dataclass(frozen=True)
class Found:
    """An answer: as it is said, its bare value, the sentence it stands in, whether it is complete."""

    text: str
    value: str
    place: int
    whole: bool
    many: bool = False


def find(question: Question, memory: Memory) -> Found | None:
    """The newest answer to a question that a search finds; None if there is none."""
    wanted = wanted_by(question, memory)
    if wanted is None or not wanted.near and wanted.kind == "name":
        return None
    if wanted.kind == "code" and wanted.typed - wanted.must:
        # "The password is ..." is better than any code that stands beside the thing.
        near = {**wanted.near, **{w: frozenset({w}) for w in wanted.typed}}
        if found := next(_answers(replace(wanted, near=near, typed=frozenset()), memory), None):
            return put_right(found, question, memory)
    if not wanted.many:
        found = next(_answers(wanted, memory), None)
        return found and put_right(found, question, memory)
    newest_first = list({f.value: f for f in _answers(wanted, memory)}.values())[:SEVERAL]
    if len(newest_first) < 2:
        return newest_first[0] if newest_first else None
    said = "; ".join(f.text.removeprefix(_TOLD).rstrip(".") for f in reversed(newest_first))
    value = ", ".join(f.value for f in reversed(newest_first))
    return Found(f"{_TOLD}{said}.", value, newest_first[0].place, True, many=True)


def find_other(question: Question, memory: Memory) -> Found | None:
    """ "Is my lesson on Monday?" when another day was told."""
    text, wanted = question.text, wanted_by(question, memory)
    words = {stem(w) for w in WORD.findall(text)}
    numbers = {stem(w) for w in WORD.findall(text) if w[0].isdigit() or w.lower() in NUMBER_WORDS}
    spans = " ".join(m.group() for pattern in (DATE, TIME) for m in pattern.finditer(text))
    kind = "when" if spans else "number" if numbers else "colour" if words & COLOURS else ""
    values = {stem(w) for w in WORD.findall(spans)} | numbers | words & COLOURS
    near = {w: some for w, some in wanted.near.items() if w not in values} if wanted else {}
    if not kind or not near:
        return None
    return next(_answers(replace(wanted, kind=kind, near=near, linking=False), memory), None)


def someone_elses(value: str, question: Question, memory: Memory) -> bool:
    """Whether the newest part that has the value speaks of somebody that the question is not about."""
    wanted, place = wanted_by(question, memory), memory.newest_with(value)
    if wanted is None or place is None or not value:
        return False
    parts = [part for part in parts_of(memory.lines[place].text) if value in part]
    thing = replace(wanted, kind="any")
    return bool(parts) and all(about_another(expand(part), thing) for part in parts)


def put_right(found: Found, question: Question, memory: Memory) -> Found:
    """The correction that follows an answer in the same or the next message, or the answer itself."""
    wanted = wanted_by(question, memory)
    if wanted is None or wanted.kind == "yesno":
        return found
    marked = False
    sizes: dict[int, int] = {}  # sentences of a turn
    for index in range(found.place + 1, len(memory.lines)):
        line, old = memory.lines[index], memory.lines[found.place]
        if line.turn > old.turn + NEXT:
            break
        if line.turn == old.turn:
            if line.turn not in sizes:
                sizes[line.turn] = memory.lines.turns.count(line.turn)
            if sizes[line.turn] > SPOKEN:
                continue
        if not _tells(index, memory):
            continue
        same_turn = memory.lines[index - 1].turn == line.turn
        marked = bool(_MARK.search(line.text)) or marked and same_turn
        for part in map(expand, reversed(parts_of(line.text)) if marked else ()):
            value = value_in(part, wanted.kind, wanted.words | _MARKS)
            if value and value not in old.text and _corrects(part, value, found.value, wanted):
                found = Found(_said([part]), value, index, False)
                break
    return found


def _corrects(part: str, value: str, old: str, wanted: Wanted) -> bool:
    """Whether a part with a new value speaks of the same thing as the answer it follows."""
    if about_another(part, wanted):
        return False
    missing = wanted.must - covered(part, wanted)
    if not missing or first_word(part) in _PRONOUNS or _names(old) & _names(part):
        return True
    if _BY_ME.search(part) and wanted.must - missing - wanted.people:
        return True
    return not missing & wanted.people and is_open(part, value, wanted.words | _MARKS)


# --- the search -------------------------------------------------------------------------------------


def _answers(wanted: Wanted, memory: Memory) -> Iterator[Found]:
    """Answers in the sentences around which every word is said, newest first."""
    last = len(memory.lines)
    chosen: set[int] | None = None
    for near in wanted.near.values():
        at = memory.with_any(form for word in sorted(near) for form in search_forms(word))
        spread = {i + step for i in at for step in range(-AROUND, AROUND + 1)}
        chosen = spread if chosen is None else chosen & spread
    if chosen is None:
        chosen = set(range(max(0, last - MOST), last))
    for index in sorted((i for i in chosen if 0 <= i < last), reverse=True)[:MOST]:
        if _tells(index, memory) and (found := _answer_at(index, wanted, memory)):
            yield found


def _tells(index: int, memory: Memory) -> bool:
    line = memory.lines[index]
    own = line.own or not line.low.startswith("you")
    return len(line.text) <= LONGEST and own and is_fact(strip_lead(line.text))


def _answer_at(index: int, wanted: Wanted, memory: Memory) -> Found | None:
    text = memory.lines[index].text
    parts = parts_of(text)
    for part in parts if len(parts) == 1 else [*parts, text]:
        if (
            part == text
            and len(parts) > 1
            and any(covered(p, wanted) and about_another(expand(p), wanted) for p in parts)
        ):
            continue  # what the question speaks of is said of somebody else
        plain = expand(_QUOTED.sub("", part))
        missing = wanted.must - covered(plain, wanted)
        value = "yes" if wanted.kind == "yesno" else value_in(plain, wanted.kind, wanted.words)
        if not value and (wanted.kind != "any" or first_word(plain) not in _PRONOUNS):
            continue
        if (
            wanted.mine
            and not wanted.near
            and not _OF_ME.search(plain)
            and heads_of(plain) - GENERIC - wanted.words
        ):
            continue
        if about_another(plain, wanted) or missing < wanted.must and not about_it(plain, wanted):
            continue
        if wanted.signed and not (_AVERSE if wanted.question.negative else _FOND).search(plain):
            continue
        if not missing and value and (not wanted.linking or _LINK.search(plain)):
            if wanted.near or _OF_ME.search(plain) or not heads_of(plain) - GENERIC - wanted.words:
                whole = not wanted.question.bare or bool(_BY_ME.search(part))
                return Found(_said([part]), value, index, whole)
        if value and missing and (part != text or len(parts) == 1):
            if lent := _lent(missing, index, plain, value, wanted, memory):
                return Found(_said([*lent, part]), value, index, False)
        elif not value and wanted.kind == "any" and first_word(plain) in _PRONOUNS:
            before = _before(index, part, memory)
            value = value_in(before, "any", wanted.words) if before else ""
            told = missing < wanted.must and missing <= covered(before, wanted)
            if value and told and not about_another(before, wanted, lent=True):
                return Found(_said([before, part]), value, index, False)
    return None


def _lent(missing, index: int, part: str, value: str, wanted: Wanted, memory: Memory) -> list[str]:
    """The sentences beside a part that say what it leaves out; [] if they do not, or it names another thing."""
    is_bare = is_open(part, value, wanted.words | _MARKS)
    pronoun = first_word(part) in _PRONOUNS or is_bare and bool(_INNER.search(part))
    if not pronoun and (missing & wanted.people or not is_bare):
        return []
    turn = memory.lines[index].turn
    lent: list[str] = []
    for other in (index, index - 1, index - 2, index - AROUND, index + 1):
        if missing and 0 <= other < len(memory.lines) and _tells(other, memory):
            line = memory.lines[other]
            near = pronoun and other == index - 1 and line.turn >= turn - NEXT
            if (line.turn == turn or near) and (helped := missing & covered(line.text, wanted)):
                missing = missing - helped
                lent.append(
                    line.text if other != index else line.text.replace(part, "").strip(" ,;")
                )
    return [] if missing else lent


def _before(index: int, part: str, memory: Memory) -> str:
    """What stands before a part: in its sentence, else the sentence before."""
    text = memory.lines[index].text
    if at := text.find(part):
        return text[:at].strip(" ,;")
    return memory.lines[index - 1].text if index and _tells(index - 1, memory) else ""


def _names(text: str) -> set[str]:
    return {w for w in WORD.findall(text) if not w.islower() and w.lower() not in STOP}


def _said(parts: list[str]) -> str:
    """What the user told, said to him."""
    clean = [strip_lead(part) for part in dict.fromkeys(parts)]
    return sentence(_TOLD + "; ".join(to_second(part) for part in clean if part))
