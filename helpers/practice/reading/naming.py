"""Answers about names, which are told in many ways: "I'm Ada", "call me Ada", "my sister Ana"."""

import re

from .implied import introduced_name
from .memory import Memory
from .person import sentence, to_second
from .questions import Question, read
from .statements import Statement
from .values import value_of
from .words import PERSONS, WORD, stem

_CALLS_ME = re.compile(r"\bcalls? me (\w[\w'-]*(?: [A-Z][\w'-]*)*)")
_NOUN = re.compile(r"^(?:what|who) (?:is|was|are) (?:the name of )?", re.I)
_PARTS = frozenset(map(stem, ("first", "last", "surname", "family")))


def name_asked(question: Question, memory: Memory) -> tuple[str, str] | None:
    """The answer to a question for a name, or for who somebody is; None if it is neither."""
    if question.kind == "who" and len(question.words) == 1 and not question.owners:
        return _who_is(question, memory)
    others = question.words - {"name"} | question.owners
    if question.kind not in ("what", "who") or not question.words & {"name", "surname"}:
        return None
    if question.root == "user" and others and others <= _PARTS:
        return _part_of_own(others, memory)
    found = memory.find(question)
    if found and question.root == "user" and not others:
        return _own(found[0], question)
    return None if found or not others else _somebodys(question, others, memory)


def _who_is(question: Question, memory: Memory) -> tuple[str, str] | None:
    """ "Who is Ana?", "Who is my sister?"."""
    (word,) = question.words
    if pair := memory.relation_of(word):
        noun, name = pair
        return f"{name} is your {noun}.", noun
    if question.root == "user" and (name := memory.name_of(question.words)):
        return sentence(f"{to_second(_NOUN.sub('', question.text))} is {name}"), name
    return None


def _own(statement: Statement, question: Question) -> tuple[str, str]:
    """The user's own name, however he told it."""
    if match := _CALLS_ME.search(statement.text):
        return f"Your name is {match[1]}.", match[1]
    if statement.subject == "my name" and re.fullmatch(
        r"[^\Wa-z][\w'-]*(?: [^\Wa-z][\w'-]*)*", statement.value
    ):
        return f"Your name is {statement.value}.", statement.value
    if statement.linking and not statement.about and (name := introduced_name(statement.value)):
        return f"Your name is {name}.", name
    return sentence(to_second(statement.text)), value_of(statement, question)


def _part_of_own(part: frozenset[str], memory: Memory) -> tuple[str, str] | None:
    """ "What is my last name?" from a full name of two words or more."""
    for asked in ("my full name", "my name"):
        question = read(asked)
        if found := memory.find(question):
            words = _own(found[0], question)[1].split()
            if len(words) > 1 and all(word[:1].isupper() for word in words):
                if len(part & {"first", "last"}) == 2:
                    return f"Your name is {' '.join(words)}.", " ".join(words)
                first = "first" in part
                name = words[0] if first else words[-1]
                return f"Your {'first' if first else 'last'} name is {name}.", name
    return None


def _somebodys(
    question: Question, others: frozenset[str], memory: Memory
) -> tuple[str, str] | None:
    """ "What is my sister's name?" when it was told as "my sister Ana"."""
    if name := memory.name_of(others if len(others) == 1 else others & PERSONS):
        noun = to_second(_NOUN.sub("", question.text))
        return sentence(f"{noun} is {name}") if noun.lower().endswith("name") else f"{name}.", name
    for statement in memory.search(others, {}):
        if (
            statement.root == question.root
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
