"""Whether a statement answers a question, and how exactly."""

import re

from .implied import introduced_name
from .questions import Question
from .statements import Statement
from .words import DATE, PLACE, REASON, has_date, has_number, stem

MOST = 8  # statements in one answer


def several(question: Question) -> bool:
    """Whether more than one statement may answer: what I like, what I cannot eat."""
    if question.words == {"favourite"}:
        return True
    return question.bare and bool(question.words) and question.words <= _MANY


_MANY = frozenset({"like", "eat", "diet", "allergy", "speak", "play", "food"})


def keys_of(statement: Statement) -> list[object]:
    """A newer statement with one of these keys replaces this one: the same words but for the verb, or
    another value of the same thing of the same person."""
    keys: list[object] = [statement.words - {"like", "eat"}]
    if statement.linking and statement.about:
        keys.append((statement.root, statement.owners, statement.about))
    return keys


def on_its_side(statement: Statement, question: Question) -> bool:
    """Likes for "what do I like", dislikes for "what don't I like"."""
    if "like" in question.words:
        return statement.negative == question.negative
    if "eat" in question.words and (question.negative or "can" in question.text.lower().split()):
        return statement.negative or bool({"diet", "allergy"} & statement.words)
    return True


def distance(statement: Statement, question: Question, names: dict[str, set[str]]) -> int | None:
    """How far a statement is from answering: 0 is exact, None is no answer at all.

    `names` maps a word to the words that name the same (a sister and her name).
    """
    if "model" in (statement.root, question.root) and statement.root != question.root:
        return None
    if question.bare and statement.root != "user":
        return None
    asked, said = question.words, statement.every_word if question.small else statement.words
    if not all(word in said or names.get(word, set()) & said for word in asked | question.owners):
        return None
    if not asked and not _group(statement, question):
        return None
    if (
        asked == {"name"}
        and not question.owners
        and not (
            "name" in statement.about or introduced_name(statement.value) and statement.linking
        )
    ):
        return None
    if asked == {"number"} and "number" not in statement.every_word:
        return None
    if "colour" in question.loose and "colour" not in said:
        return None
    if question.stranded and not re.search(rf"\b{question.stranded}\b", statement.text, re.I):
        return None
    if question.former and "used to" not in statement.text.lower():
        return None
    known = asked | question.owners | question.loose
    known |= {n for word in asked | question.owners for n in names.get(word, ())}
    about = statement.about | statement.owners
    if question.kind == "who" and not question.root and not question.owners and about - known:
        return 0 if statement.negative == question.negative else None
    if not statement.owners <= known:
        return None
    if "live" in asked:
        known |= {"address", stem("city"), "town"}
    extra = statement.about - known
    if question.bare and extra:
        return None
    if not question.bare and statement.about and not statement.about & known:
        return None
    if question.kind != "yesno" and not _fits(statement, question):
        return None
    past = "used to" in statement.text.lower() and not question.former
    return len(extra) + past


_GROUP = re.compile(r"^(?:an? (?:group|party|family|team|couple) of )?(?:\d+|[a-z]+)\b", re.I)
_SOMEBODY = re.compile(
    r"(?<=\s)(?!I\b)[A-Z\u00c0-\u00de]|\b(?:my|our|two|three|four|five|with an?|with the) [a-z]",
    re.U,
)


def _group(statement: Statement, question: Question) -> bool:
    """ "How many are we?" has no word to look for: "we are nine people", "we are a group of six"."""
    return (
        question.kind == "number"
        and statement.linking
        and "old" not in statement.words
        and bool((match := _GROUP.match(statement.value)) and has_number(match.group()))
    )


def _fits(statement: Statement, question: Question) -> bool:
    """Whether a statement holds the kind of value that is asked for, and something new at all."""
    text = statement.text
    if question.kind == "when":
        return has_date(text)
    if question.kind == "number":
        return has_number(text) or statement.negative
    if question.kind == "who" and question.bare:
        return bool(_SOMEBODY.search(DATE.sub("", text)))
    if question.kind == "why":
        return bool(REASON.search(text))
    new = statement.words - question.words - question.owners - question.loose
    if question.kind == "where":
        return bool(new) and bool(PLACE.search(text))
    if " or " in question.text:
        return True
    return bool(new) or has_number(statement.value)
