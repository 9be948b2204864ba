"""From a sentence that asks to what is asked: which words, about whom, and which kind of answer."""

import re
from dataclasses import dataclass

from .asking import bare_question, topic_named
from .person import to_second
from .wording import AUXILIARY, topic_of, whether
from .words import STOP, WORD, content, stem


@dataclass(frozen=True)
class Question:
    """`kind`: what, who, where, when, number, why, yesno, topic ("what did I say about ..."), all."""

    kind: str
    text: str  # without "tell me", "do you remember" and the like
    root: str  # "user", "model" or ""
    bare: bool  # its subject is "I" itself, not something of mine
    words: frozenset[str]
    owners: frozenset[str]
    negative: bool
    loose: frozenset[str]  # kinds of thing ("which city"): an answer need not use the word
    topic: str  # what is asked, said to the user: "your lucky number", "where you live"
    superlative: bool = False
    stranded: str = ""  # a last preposition that the answer must have: "who am I staying with"
    small: bool = False  # it has small words only ("when do I get up"), which then count
    former: bool = False  # about what used to be


_WH = re.compile(
    r"^(?:(?:in|on|at|to|from|for|by|with|of|about|under) )?"
    r"(how (?:many|much|old|long|far|often|tall|big|heavy|large)"
    r"|what|which|who|whom|whose|where|when|why|how)\b\s*",
    re.I,
)
_MEASURES = {"how old": "old", "how tall": "height", "how heavy": "weigh"}
_LIVING = re.compile(
    r"^(?:do|does|did|am|is) (?:i|we|my \w+|\w+) (?:do|doing)(?: for (?:a living|work|money))?$",
    re.I,
)
_LOOSE = frozenset(map(stem, """
    day date time month year moment place location city town country street area district village kind
    type sort number amount person thing word way part colour figure reason
""".split()))  # fmt: skip
# A thing's category, which a statement seldom repeats: "what food do I hate?", "I hate olives".
CATEGORY = frozenset(map(stem, """
    food dish meal drink music sport hobby animal fruit vegetable game book film movie subject language
    hobby medicine tool plant flower tree course shop restaurant show series song artist exercise dessert snack bird
    brand model make kind type sort cuisine genre weather season instrument activity pet
""".split()))  # fmt: skip
_DATES = frozenset(map(stem, "day date time month year".split()))
_PLACES = frozenset(
    map(stem, "place location city town country street area district village".split())
)
_QUIET = frozenset(
    map(
        stem,
        "have has get own be happen need know remember told tell say said mention think spell".split(),
    )
)
_LIGHT = frozenset("like take need want use make give keep put see say".split())
_INFORMATION = r"(?:info\w*|details?|overview|summary|list|bit|hint|reminder|idea of)\b"
_HAVING = frozenset(("have", "get", "got", "own", "need"))
_GRAMMAR = frozenset(
    map(
        stem,
        "i we am are is was were do does did have has had will would can could be been the a an to".split(),
    )
)
_PUTTING = frozenset({"put", "depart", "park", "keep"})  # "where did I put my keys": where are they


def read(sentence: str) -> Question:
    """What a sentence asks. Every sentence gets a reading; a poor one simply matches nothing."""
    text, reported, everything = bare_question(sentence)
    if everything:
        return _question("all", text, "user", True, frozenset(), frozenset())
    if about := topic_named(text):
        return _question("topic", text, _root(about), False, content(WORD.findall(about)), frozenset(),
                         topic=to_second(about))  # fmt: skip
    if match := _WH.match(text):
        return _wh(text, match[1].lower(), text[match.end() :])
    if re.match(r"(?:if|whether|that)\b", text, re.I):
        return _yes_no(text, text.split(" ", 1)[1] if " " in text else "", embedded=True)
    if match := AUXILIARY.match(text):
        return _yes_no(text, text[match.end() :], aux=match[1].lower(), negative=bool(match[2]))
    if reported and re.match(rf"(?:an?|some|something|another|any) (?!{_INFORMATION})", text, re.I):
        return _question("task", text, "", False, frozenset(), frozenset())
    # "my door code", "tell me the name of my dog": a noun phrase, or a bare statement with "?".
    text = re.sub(r"\s+(?:is|are|was)$", "", text)
    if reported or len(text.split()) <= 6:
        return _wh("what is " + text, "what", "is " + text)
    return _yes_no(text, text, embedded=True)


def _wh(text: str, wh: str, rest: str) -> Question:
    """A question with a question word."""
    rest = rest.strip()
    words = WORD.findall(rest)
    low = [w.lower() for w in words]
    kind = {
        "who": "who",
        "whom": "who",
        "whose": "who",
        "where": "where",
        "when": "when",
        "why": "why",
    }.get(wh, "what")
    if wh.startswith("how "):
        kind = {
            "how many": "number",
            "how much": "number",
            "how old": "number",
            "how tall": "number",
        }.get(wh, "what")
    superlative = bool({"best", "most", "favourite", "favorite"} & set(low)) and bool(
        {"like", "love", "enjoy"} & set(low)
    )
    asked = set(content(words))
    if re.search(r"\bused? to\b", rest, re.I):
        asked.discard("use")
    if superlative:
        asked = (asked - {"like", "best", "most"}) | {"favourite"}
    if wh == "what" and _LIVING.search(rest):
        asked = asked - {"live", "job", "money"} - content(["living"]) | {"job"}
    if wh in _MEASURES:
        asked.add(_MEASURES[wh])
    head = _head(words) if wh in ("what", "which", "how many", "how much", "whose") else frozenset()
    # Only what stands right after the question word: "which city do I live in", not "my favourite city".
    loose = (
        set() if superlative else asked & (head & (_LOOSE | CATEGORY) | _subject_kind(low) & _LOOSE)
    )
    if kind == "what" and (head & _DATES or _subject_kind(low) & _DATES):
        kind = "when"
    elif kind == "what" and head & _PLACES:
        kind = "where"
    elif kind == "what" and _subject_kind(low) & _PLACES:
        kind = "where"
    if not ({"birthday"} & asked) and kind == "when":
        asked -= _DATES
    asked -= _QUIET if len(asked - _QUIET) else set()
    if not asked - loose:
        loose = set()
    if "address" in asked and len(asked) > 1:
        loose |= {"address"}
    if kind == "where":
        if "i" in low and asked - loose - _PUTTING:
            asked -= _PUTTING
        if low and low[-1] == "from":
            asked.add("from")
    if wh == "how much" and head - {"cost"}:
        asked.discard("cost")
    root = _root(rest)
    owners = _owners(words)
    bare = _bare(low)
    if (
        kind == "what"
        and head
        and asked - head
        and not root
        and not {"do", "does", "did"} & set(low)
    ):
        kind = "who"  # "which order never came": the subject itself is asked for
    negative = bool({"not", "cannot", "never", "hate", "dislike", "detest", "loathe"} & set(low))
    deed = next((b for a, b in zip(low, low[1:], strict=False) if a in ("i", "we")), "")
    if bare and head and not superlative and (asked - head - _LIGHT) and deed not in _HAVING:
        loose |= head & asked  # "which team do I support": the verb says enough
    small = bare and not asked
    if small:
        asked = {stem(w) for w in low} - _GRAMMAR
    stranded = low[-1] if low and low[-1] in ("with", "from", "about") and kind == "who" else ""
    former = bool(re.search(r"\bused? to\b", rest, re.I))
    return Question(kind, text, root, bare, frozenset(asked - loose), owners, negative, frozenset(loose),
                    topic_of(wh, rest), superlative, stranded, small, former)  # fmt: skip


def _subject_kind(low: list[str]) -> set[str]:
    """ "what is the date of my flight": the kind stands in the subject's head."""
    if len(low) > 2 and low[0] in ("is", "was", "are") and low[1] in ("the", "my"):
        found = {stem(low[2])}
        return found if len(low) > 3 and low[3] in ("of", "for") else set()
    return set()


def _head(words: list[str]) -> frozenset[str]:
    """The noun right after the question word: "which city do I live in"."""
    found = []
    for word in words[:4]:
        if AUXILIARY.match(word.lower() + " ") or word.lower() in ("i", "my", "we"):
            break
        found.append(word)
    return content(found)


def _yes_no(
    text: str, rest: str, aux: str = "", negative: bool = False, embedded: bool = False
) -> Question:
    words = WORD.findall(rest)
    low = [w.lower() for w in words]
    asked = content(words) - (_QUIET if len(content(words) - _QUIET) else frozenset())
    return _question("yesno", text, _root(rest), _bare(low) or bool(low[:1] in (["i"], ["we"])), asked,
                     _owners(words), negative or "not" in low, frozenset(), whether(rest, aux))  # fmt: skip


def _question(
    kind,
    text,
    root,
    bare,
    words,
    owners,
    negative=False,
    loose=frozenset(),
    topic="",
    superlative=False,
):
    return Question(kind, text, root, bare, words, owners, negative, loose, topic, superlative)


def _root(rest: str) -> str:
    low = [w.lower() for w in WORD.findall(rest)]
    if {"i", "my", "me", "mine", "we", "our", "us", "myself"} & set(low):
        return "user"
    return "model" if {"you", "your", "yourself"} & set(low) else ""


def _bare(low: list[str]) -> bool:
    return any(w in ("i", "we") for w in low)


def _owners(words: list[str]) -> frozenset[str]:
    """Whose: every possessor of the question, and the person who is its subject."""
    owners: set[str] = set()
    run: list[str] = []
    for word in words:
        if word.lower().endswith(("'s", "s'")):
            owners |= content([*run, word])
            run = []
        elif word.lower() in STOP:
            run = []
        else:
            run.append(word)
    return frozenset(owners)
