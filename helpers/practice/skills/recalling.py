"""Recalling: answers every question of the last message from what the request states, and notes
what the message states. What is not stated is not known."""

import re
from dataclasses import replace

from ..reading.clauses import is_question
from ..reading.matching import several
from ..reading.memory import Memory, memory_of
from ..reading.person import sentence, to_second
from ..reading.questions import Question, read
from ..reading.statements import Statement, introduced_name
from ..reading.words import DATE, NUMBER_WORDS, TIME, WORD, stem
from ..request import Reply, Request, say
from .noting import notable, note

MOST = 8  # statements in one answer
READ_FOR_ALL = 200  # sentences read to say what is known


def answer(request: Request) -> Reply | None:
    """Answers questions and notes statements; None if the message holds neither."""
    asked = [s for s in request.last.sentences[-40:] if is_question(s)]
    if not asked:
        return None
    memory = memory_of(request)
    answers = [
        respond(read(_spelled_out(part, request)), memory)
        for text in asked[-4:]
        for part in _parts(text)
    ]
    noted = note(request, memory, brief=True)
    texts = ([noted] if noted else []) + list(dict.fromkeys(text for text, _ in answers))
    return say(" ".join(texts), "; ".join(value for _, value in answers if value))


_WHAT_IS_IT = re.compile(
    r"^(?:so,? |and )?(what|when|where|who|how much) (is|was|are|were) (?:it|that|they|he|she)( again)?\?*$",
    re.I,
)
_THING = re.compile(r"\b((?:my|our|the) (?:[a-z][\w'-]* ){0,3}[a-z][\w'-]*)", re.I)


def _spelled_out(text: str, request: Request) -> str:
    """ "I forgot my door code. What is it?" asks for the door code."""
    match = _WHAT_IS_IT.match(text.strip())
    if match:
        before = request.last.sentences
        for earlier in reversed(before[: before.index(text)] if text in before else []):
            if things := _THING.findall(earlier):
                return f"{match[1]} {match[2]} {things[-1]}?"
    return text


_AND = re.compile(
    r",?\s+and\s+(?=(?:what|who|where|when|how|which|why|do|does|did|am|is|are|can)\b (?!is the\b\s*$))",
    re.I,
)


def _parts(text: str) -> list[str]:
    """ "What is my name and where do I live?" asks two things."""
    parts = _AND.split(text)
    return parts if all(len(p.split()) > 1 for p in parts) else [text]


_WHO_ARE_YOU = re.compile(
    r"^(?:who|what) are you\b|^what is your name|^your name$|^what (?:should|can|do) i call you",
    re.I,
)


def respond(question: Question, memory: Memory) -> tuple[str, str]:
    """The answer to one question: a sentence, and the bare value ("" if it is not known)."""
    if question.kind == "all":
        return _everything(memory)
    if question.kind == "topic":
        return _about(question, memory)
    if _WHO_ARE_YOU.match(question.text):
        return (
            memory.persona
            or "I am the practice model of this course, a stand-in without a network.",
            "",
        )
    if re.match(r"^who (?:am i|i am)$", question.text, re.I):
        question = read("What is my name?")
    if known := _naming(question, memory):
        return known
    question = _completed(question, memory)
    found = memory.find(question)
    if question.kind == "yesno":
        return _yes_or_no(question, found, memory)
    if "like" in question.words or "eat" in question.words:
        found = _same_side(question, _current(found))
    if not found and question.loose:
        return _nearest(question, memory)
    if not found:
        return _unknown(question, memory), ""
    if several(question):
        return _several(found, question)
    best = found[0]
    return sentence(to_second(best.text)), value_of(best, question)


def _naming(question: Question, memory: Memory) -> tuple[str, str] | None:
    """Names are told in many ways ("I'm Ada", "call me Ada", "my sister Ana"); one form of answer."""
    if question.kind == "who" and len(question.words) == 1 and not question.owners:
        (word,) = question.words
        if pair := memory.relation_of(word):
            return f"{pair[1]} is your {pair[0]}.", pair[0]
        if question.root == "user" and (name := memory.name_of(question.words)):
            return sentence(f"{to_second(_noun(question))} is {name}"), name
    if "name" not in question.words or question.kind not in ("what", "who"):
        return None
    others = question.words - {"name"} | question.owners
    if question.root == "user" and others and others <= {"last", "surname", "famili", "first"}:
        own = (
            respond(read("What is my full name?"), memory)[1]
            or respond(read("What is my name?"), memory)[1]
        )
        parts = own.split()
        if len(parts) > 1 and all(part[:1].isupper() for part in parts):
            part = parts[0] if "first" in others else parts[-1]
            return f"Your {' '.join(sorted(others - {'famili'})) or 'family'} name is {part}.", part
    if question.root == "user" and not others:
        if found := memory.find(question):
            newest = found[0]
            name = _own_name(newest)
            if name:
                return f"Your name is {name}.", name
            return sentence(to_second(newest.text)), value_of(newest, question)
    elif others and not memory.find(question):
        if name := memory.name_of(others):
            noun = _noun(question)
            return sentence(f"{to_second(noun)} is {name}") if noun.lower().endswith(
                "name"
            ) else f"{name}.", name
        for statement in memory.search(others, {}):
            if (
                question.root == statement.root
                and not statement.owners
                and _is_named(statement, others)
            ):
                return sentence(to_second(statement.text)), value_of(statement, question)
    return None


def _is_named(statement: Statement, words: frozenset[str]) -> bool:
    """Whether a thing is called by its name: "the Hotel Aurora", "my team is the Harbour Owls"."""
    if statement.linking and statement.about and statement.about <= words:
        return any(word[:1].isupper() for word in WORD.findall(statement.value))
    tokens = WORD.findall(statement.text)
    return any(
        stem(token) in words
        and any(t[:1].isupper() for t in tokens[max(1, i - 1) : i + 2] if t != token)
        for i, token in enumerate(tokens)
    )


def _noun(question: Question) -> str:
    return re.sub(r"^(?:what|who) (?:is|was|are) (?:the name of )?", "", question.text, flags=re.I)


def _own_name(statement: Statement) -> str:
    text = statement.text
    if match := re.search(r"\b(?:call|calls) me (\w[\w'-]*(?: [A-Z][\w'-]*)?)", text):
        return match[1]
    if statement.linking and not statement.about and (name := introduced_name(statement.value)):
        return name
    return ""


def _completed(question: Question, memory: Memory) -> Question:
    """ "And what is my sister's?": the noun comes from what was spoken of before."""
    if not question.owners or question.words - question.owners or not question.text.endswith("'s"):
        return question
    for index in range(len(memory.lines) - 1, max(-1, len(memory.lines) - 12), -1):
        line = memory.lines[index]
        if is_question(line.text):
            earlier = read(line.text)
            about = earlier.words - earlier.owners
        else:
            about = next((s.about for s in memory.statements(index) if s.about), frozenset())
        if about:
            return replace(question, words=question.words | about)
    return question


_MEAT = frozenset(
    map(
        stem,
        "meat beef pork chicken ham bacon lamb turkey steak sausage duck veal fish salmon tuna shrimp".split(),
    )
)
_DAIRY = frozenset(
    map(stem, "egg eggs milk cheese butter honey cream yoghurt yogurt dairy".split())
)


def _against_diet(question: Question, memory: Memory) -> Statement | None:
    """The diet that speaks against what the user asks to eat, if he told one."""
    food = question.words - {"eat"}
    if "eat" not in question.words or not question.bare or not food <= _MEAT | _DAIRY:
        return None
    for statement in memory.search(frozenset({"diet"}), {}):
        if statement.root == "user" and not statement.about and not statement.owners:
            if "vegan" in statement.words or "vegetarian" in statement.words and food <= _MEAT:
                return None if statement.negative else statement
    return None


def _same_side(question: Question, found: list[Statement]) -> list[Statement]:
    """Likes for "what do I like", dislikes for "what don't I like"."""
    if "like" in question.words:
        return [s for s in found if s.negative == question.negative]
    if question.negative or "can" in question.text.lower().split():
        return [s for s in found if s.negative or {"diet", "allergy"} & s.words]
    return found


def _current(found: list[Statement]) -> list[Statement]:
    """Without what a newer statement of the same thing replaced: "I no longer like tea"."""
    newest: list[Statement] = []
    for statement in sorted(found, key=lambda s: -s.place):
        if not any(_rest(s) == _rest(statement) or _same_thing(s, statement) for s in newest):
            newest.append(statement)
    return newest


def _several(found: list[Statement], question: Question) -> tuple[str, str]:
    kept = sorted(_current(found)[:MOST], key=lambda s: s.place)
    return (
        " ".join(dict.fromkeys(sentence(to_second(s.text)) for s in kept)),
        ", ".join(value_of(s, question) for s in kept),
    )


def _same_thing(one: Statement, other: Statement) -> bool:
    """Two statements of the value of one thing: "my favourite food is ..."."""
    return (
        one.linking and other.linking and bool(one.about)
        and (one.root, one.owners, one.about) == (other.root, other.owners, other.about)
    )  # fmt: skip


def _rest(statement: Statement) -> frozenset[str]:
    return statement.words - {"like", "eat", "longer", "anymore"}


def _nearest(question: Question, memory: Memory) -> tuple[str, str]:
    """A category in the question that no statement repeats: says what is known, and that it fits only
    so far."""
    return _unknown(question, memory), ""


def _yes_or_no(question: Question, found: list[Statement], memory: Memory) -> tuple[str, str]:
    if found:
        best = found[0]
        if best.verb in ("was", "were") and not re.match(
            r"(?:was|were|did|have|had)\b", question.text, re.I
        ):
            return sentence(to_second(best.text)), ""  # it was so once, which says nothing of now
        fits = best.negative == question.negative
        if (
            "eat" in question.words
            and question.text.lower().startswith("can")
            and ({"allergy"} & best.words)
        ):
            fits = False
        word = "Yes" if fits else "No"
        return f"{word}: {to_second(best.text)}.", word
    if diet := _against_diet(question, memory):
        return f"No: {to_second(diet.text)}.", "No"
    # The same thing with another value: "Is my name Bob?" when it is not.
    names = memory.names_of(question)
    if question.words & {"like", "eat"} and question.bare:
        return _unknown(question, memory), ""
    for statement in (
        memory.search(frozenset(list(_subjectwords(question))[:1]), names)
        if _subjectwords(question)
        else ()
    ):
        subject = statement.about | statement.owners
        single = (
            statement.words & {"live", "birthday", "name", "job", "from"}
            if question.bare
            else frozenset()
        )
        if question.root not in ("", statement.root) and statement.root != "":
            continue
        known = question.words | {n for w in question.words for n in names.get(w, ())}
        if (subject and statement.linking and subject <= known and statement.value) or (
            single and single <= question.words
        ):
            if statement.negative:
                continue
            return f"No: {to_second(statement.text)}.", "No"
    return _unknown(question, memory), ""


def _subjectwords(question: Question) -> list[str]:
    words = [stem(w) for w in WORD.findall(question.text)]
    return [w for w in words if w in question.words]


def _about(question: Question, memory: Memory) -> tuple[str, str]:
    """ "What did I say about the parking?": the sentences that speak of it."""
    if question.root == "model" or not question.words:
        return _unknown(question, memory), ""
    names = memory.names_of(question)
    found = [
        s
        for s in memory.search(question.words, names)
        if all(w in s.words or names.get(w, set()) & s.words for w in question.words)
        and _belongs(s, question)
    ]
    if not found:
        return (
            f"You have not told me anything about {question.topic or 'that'} in this conversation.",
            "",
        )
    kept = sorted(found[:4], key=lambda s: s.place)
    text = "; ".join(dict.fromkeys(to_second(s.text) for s in kept))
    return f"You told me: {text}.", text


def _belongs(statement: Statement, question: Question) -> bool:
    """Whether what is said belongs to the user himself, if that is what was asked about."""
    whose = statement.owners | statement.about
    return question.root != "user" or not whose or bool(whose & question.words)


def _everything(memory: Memory) -> tuple[str, str]:
    """What the user said of himself, newest kept when one thing was said twice."""
    facts: list[Statement] = []
    for statement in memory.personal(READ_FOR_ALL):
        if notable(statement):
            about = statement.owners, statement.about, statement.linking and bool(statement.about)
            if about[2] and any((s.owners, s.about) == about[:2] and s.linking for s in facts):
                continue
            facts.append(statement)
    if not facts:
        return "You have not told me anything about yourself in this conversation.", ""
    kept = list(dict.fromkeys(to_second(s.text) for s in reversed(facts)))
    more = f" (and {len(kept) - 12} more)" if len(kept) > 12 else ""
    return f"You told me: {'; '.join(kept[-12:])}{more}.", "; ".join(kept[-12:])


def _unknown(question: Question, memory: Memory | None = None) -> str:
    """Not knowing, said of what was asked."""
    topic = question.topic.strip(" ?.")
    if question.root == "user" or question.owners or memory and _spoken_of(question, memory):
        return f"You have not told me {topic or 'that'} in this conversation."
    if question.root == "model":
        return "I am the practice model of this course: I know only what this request holds, and it does not say that."
    return (
        f"I know only what this request holds, and it does not say {topic or 'that'}. "
        "(I am a practice model: I have no general knowledge.)"
    )


def _spoken_of(question: Question, memory: Memory) -> bool:
    return memory.mentions(question.words)


# --- bare values ----------------------------------------------------------------------------------

_LEAD = re.compile(
    r"^(?:now|also|really|only|actually|currently|in|on|at|to|from|of|with|by|the|an?|called|named|near|is|are|am|was|were|be|that|it|for|as|set|due|i|my|'s)\s+",
    re.I,
)


def value_of(statement: Statement, question: Question) -> str:
    """The part of a statement that answers, without the rest of the sentence."""
    text = statement.text
    if question.kind == "when" and (
        spans := [m.group() for p in (DATE, TIME) if (m := p.search(text))]
    ):
        return " ".join(dict.fromkeys(spans))
    if question.kind == "number":
        for word in WORD.findall(text):
            if word[-1:].isdigit() or word[:1].isdigit() or word.lower() in NUMBER_WORDS:
                return word
    value = statement.value or text
    known = question.words | question.loose | question.owners
    last = 0
    for match in WORD.finditer(value):
        if stem(match.group()) in known:
            last = match.end()
    if value[last:].strip(" .,"):
        value = value[last:]
    value = value.strip(" ,.;")
    while (shorter := _LEAD.sub("", value)) != value:
        value = shorter
    return re.split(
        r",\s| and (?=i\b|my\b|work)| but | because | so ", value, maxsplit=1, flags=re.I
    )[0].strip()
