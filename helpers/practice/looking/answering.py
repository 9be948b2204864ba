"""The answer from documents: which of them say the topic, or what one says of a thing."""

import re
from dataclasses import dataclass
from functools import cached_property

from ..filling.numbers import numbers_in
from ..material.words import root
from ..reading.clauses import is_question, sentences
from ..reading.kinds import value_in
from ..reading.person import expand, to_second
from ..reading.questions import read
from ..reading.words import STOP, WORD
from ..request import Request
from .alike import alike
from .documents import Document, Reading, reading_of
from .saying import said_in
from .topics import NOUNS, Topic, topic_of

MOST = 3  # sentences in an answer of words


@dataclass(frozen=True)
class Looked:
    """What was found: the answer as it is said, the documents it rests on, what each says."""

    answer: str
    hits: tuple[Document, ...]
    quotes: tuple[str, ...]
    reading: Reading
    listing: bool  # it was asked which documents say something

    @cached_property
    def ids(self) -> list[str]:
        return [one.id for one in self.hits]


def look(request: Request) -> Looked | None:
    """The answer to the question about the documents of a request; None if there is no such."""
    if "looked" not in request.worked_out:
        reading = reading_of(request)
        request.worked_out["looked"] = _look(reading) if reading and reading.asked else None
    return request.worked_out["looked"]


def _look(reading: Reading) -> Looked | None:
    if named := _named(reading):
        return _about_named(named, reading)
    topic = topic_of(reading.asked) if len(reading.documents) > 1 or reading.marked else None
    if topic and (reading.marked or len(reading.documents) > 1):
        return _which(topic, reading)
    if reading.marked and (asked := _question(reading.asked)):
        return _value(asked, reading.documents, reading)
    return None


# ---------------------------------------------------------------- which of them


def _which(topic: Topic, reading: Reading) -> Looked:
    found = [(one, said_in(one, topic)) for one in reading.documents]
    hits = [(one, quote) for one, quote in found if bool(quote) != topic.without]
    many, few = len(reading.documents), len(hits)
    noun = _noun(reading)
    verb = topic.verb or "say"
    what = to_second(topic.text)
    not_ = "do not " if topic.without else ""
    base = _base(verb)
    if not topic.verb:
        base, what = "say", "so"
    if not hits:
        third = f"does not {base}" if topic.without else _third(base)
        text = f"None of the {many} {noun}s {third} {what}."
    elif few == 1:
        third = f"does not {base}" if topic.without else _third(base)
        text = f"1 of the {many} {noun}s {third} {what}: {hits[0][0].id}."
    else:
        ids = [one.id for one, _ in hits]
        listed = f"{', '.join(ids[:-1])} and {ids[-1]}"
        text = f"{few} of the {many} {noun}s {not_}{base} {what}: {listed}."
    return Looked(text, tuple(o for o, _ in hits), tuple(q for _, q in hits), reading, True)


def _noun(reading: Reading) -> str:
    """What the question calls the documents."""
    match = re.search(rf"\b{NOUNS}\b", reading.asked, re.I)
    word = match.group().lower() if match else reading.noun
    if word in ("ones", "one", "people", "customers", "customer", "persons", "users", "clients"):
        word = reading.noun
    word = {"entries": "entry"}.get(word, word.removesuffix("s"))
    return "entrie" if word == "entry" else word


_IRREGULAR = {"said": "say", "says": "say", "describing": "describe", "are about": "are about", "is about": "are about"}  # fmt: skip


def _base(verb: str) -> str:
    """The plural form of the verb of the question: "mentions" is "mention"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    first, _, rest = verb.partition(" ")
    if first in ("is", "was", "were", "are"):
        return f"are {rest}"
    first = re.sub(r"^(mention|report|complain|refer|stat|describ|concern|claim|involv|contain|tell|talk|speak|discuss|cover|deal|say)(?:e?s|ed|ing|e)?$", r"\1", first)  # fmt: skip
    first = {"stat": "state", "describ": "describe", "involv": "involve"}.get(first, first)
    return f"{first} {rest}".strip()


def _third(base: str) -> str:
    first, _, rest = base.partition(" ")
    if first == "are":
        return f"is {rest}"
    first += "es" if first.endswith(("s", "sh", "ch")) else "s"
    return f"{first} {rest}".strip()


# ---------------------------------------------------------------- what one says


def _named(reading: Reading) -> list[Document]:
    """The documents that the question names by their ids."""
    asked = {w.lower() for w in re.findall(r"[\w.:/#-]*[\w#]", reading.asked)}
    telling = [
        d for d in reading.documents if re.search(r"[^\W\d_]", d.id) and re.search(r"\d", d.id)
    ]
    return [d for d in telling if d.id.lower() in asked]


def _about_named(named: list[Document], reading: Reading) -> Looked:
    """ "What does T-3 say about the delivery?"."""
    asked = reading.asked
    match = re.search(r"\b(?:about|of|on|regarding|concerning) (?!.*\babout )(.+)", asked, re.I)
    ids = {root(w) for one in named for w in WORD.findall(one.id)}
    about = match[1] if match else asked
    wanted = _wanted(about) - ids
    told: list[tuple[Document, str]] = []
    for one in named:
        lines = _telling(one.text)
        best = _best(wanted, lines, read(_question(asked) or asked).kind) if wanted else lines
        told += [(one, line) for line in best[:MOST]]
    if not told:
        names = " and ".join(one.id for one in named)
        verb = "says" if len(named) == 1 else "say"
        text = f"{names} {verb} nothing about that."
        return Looked(text, tuple(named), (), reading, False)
    text = " ".join(f"{one.id} says: “{line}”" for one, line in told)
    hits = tuple(dict.fromkeys(one for one, _ in told))
    return Looked(text, hits, tuple(line for _, line in told), reading, False)


_NO_QUESTION = re.compile(
    r"(?:please |can you |could you )*(?:summari[sz]e|list|repeat|say)\b", re.I
)
_WEIGHING = re.compile(
    r"\b(?:most|least) (?:often|common|frequent|mentioned|named)|\bhow often\b|\bon average\b|\bin total\b|\baltogether\b",
    re.I,
)
CANNOT = (
    "I can tell which documents say a thing and what they say of it, but not weigh or add it up."
)


def _question(asked: str) -> str:
    """The last question in the text around the documents."""
    text = re.sub(r"^\W*question\W*:\s*", "", asked.strip(), flags=re.I)
    found = [s for s in sentences(text) if is_question(s) and not _NO_QUESTION.match(s)]
    return found[-1] if found else ""


_QUIET = frozenset(map(root, """say says document documents ticket tickets text according question answer tell name
    give find does stand written mention know""".split()))  # fmt: skip


def _wanted(text: str) -> frozenset[str]:
    words = [w for w in WORD.findall(expand(text)) if w.lower() not in STOP]
    return frozenset(root(w) for w in words) - _QUIET


def _telling(text: str) -> list[str]:
    return [line for line in sentences(text) if not is_question(line)]


def _best(wanted: frozenset[str], lines: list[str], kind: str = "") -> list[str]:
    """The sentences that share all the words that are asked for, else most of them (at least two)."""
    scored = []
    for n, line in enumerate(lines):
        said = {root(w) for w in WORD.findall(expand(line))}
        shared = sum(1 for w in wanted if any(alike(s, w) for s in said))
        if shared and _has_kind(line, kind, wanted):
            scored.append((-shared, n, line))
    if not scored:
        return []
    top = -min(scored)[0]
    if top < len(wanted) and (top < 2 or top * 3 < len(wanted) * 2):
        return []
    return [line for shared, _, line in sorted(scored) if -shared == top]


def _spread(
    wanted: frozenset[str], kind: str, documents: list[Document], first: str
) -> list[tuple[Document, str]]:
    """Sentences of the right kind with some of the words, where their document has the others.

    Of several the one with the `first` word of the question.
    """
    told = []
    for one in documents:
        said = {root(w) for w in WORD.findall(expand(one.text))}
        if not wanted or not all(any(alike(s, w) for s in said) for w in wanted):
            continue
        lines = _telling(one.text)
        some = [line for line in lines if _has_kind(line, kind, wanted) and _wanted(line) & wanted]
        some.sort(key=lambda line: first not in _wanted(line))
        told += [(one, line) for line in some[:1]]
    return told


def _has_kind(line: str, kind: str, wanted: frozenset[str]) -> bool:
    if kind == "money":
        return any(number.money for number in numbers_in(line))
    if kind in ("when", "number", "where", "why"):
        return bool(value_in(line, kind, wanted))
    return True


def _value(asked: str, documents: list[Document], reading: Reading) -> Looked:
    """What the documents say to a question for a value, in their own words."""
    if _WEIGHING.search(asked):
        return Looked(CANNOT, (), (), reading, False)
    wanted = _wanted(asked)
    kind = "money" if re.search(r"\bhow much\b", asked, re.I) else read(asked).kind
    lines = [(one, line) for one in documents for line in _telling(one.text)]
    best = set(_best(wanted, [line for _, line in lines], kind)) if wanted else set()
    told = [(one, line) for one, line in lines if line in best][:MOST]
    first = next((root(w) for w in WORD.findall(expand(asked)) if root(w) in wanted), "")
    told = told or _spread(wanted, kind, documents, first)[:MOST]
    if not told:
        text = f"The {len(documents)} {_noun(reading)}s do not say that."
        if len(documents) == 1:
            text = f"The {_noun(reading)} does not say that."
        return Looked(text, (), (), reading, False)
    text = " ".join(f"{one.id}: “{line}”" for one, line in told)
    hits = tuple(dict.fromkeys(one for one, _ in told))
    return Looked(text, hits, tuple(line for _, line in told), reading, False)
