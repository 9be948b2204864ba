"""What the material states: short sentences in the third person, the newest word on each thing."""

import re

from ..reading.clauses import VERBS, is_fact, is_question, sentences
from ..reading.memory import memory_of
from ..reading.person import expand
from ..reading.statements import Statement, parse
from ..reading.words import DATE, TIME, WORD, content
from ..request import Request
from .material import Material
from .newest import Item, Items, contrast, figures, sentence
from .third_person import to_third

_SAID = re.compile(r"The (user|assistant) said: [\"“](.+?)[\"”]?\.?$", re.I)
_REMIND = re.compile(r"\b(?:please )?remind (?:me|us) (?:of |about |that )?(.+)$", re.I)
_FORGET = re.compile(r"\b(?:please )?do not (?:let me )?forget (.+)$", re.I)
_TODAY = re.compile(rf"^(?:it|today|this) (?:is|was) (?:now )?(?:{DATE.pattern})", re.I)


def items_of(material: Material) -> list[Item]:
    """The sentences of a summary of the material, oldest first, before anything is shortened."""
    old = [s for line in material.old.split("\n") for s in sentences(line)]
    kept = [s for s in old if not _SAID.match(s)]
    turns = [(_role(m[1]), m[2]) for s in old if (m := _SAID.match(s))] + material.turns
    memory = memory_of(Request(_as_request(kept, turns)))
    items = Items()
    for n, s in enumerate(kept):
        if _tells(s):
            items.append(Item(s, memory.statements(n), True))
    told = " ".join([*kept, *(text for who, text in turns if who != "model")])
    known = {w.lower().removesuffix("'s") for w in WORD.findall(told)}
    at = len(kept)
    for who, text in turns:
        if who == "model":
            items.add(_of_model(text, known))
            continue
        lines = sentences(text)
        if not any(lines):
            continue
        for index in range(at, at + len(lines)):
            items.add(_of_user(memory, index, lines[index - at], who, items))
        at += len(lines)
    return items.all()


def _role(word: str) -> str:
    return "user" if word.lower() == "user" else "model"


def _tells(sentence: str) -> bool:
    return len(WORD.findall(sentence)) > 2 and not is_question(sentence)


def _as_request(old: list[str], turns: list[tuple[str, str]]) -> dict:
    """A request whose system prompt holds the earlier summary, so that it can be read as one."""
    messages: list[dict] = []
    for who, text in turns:
        role = "assistant" if who == "model" else "user"
        if messages and role == messages[-1]["role"] == "user":  # each text stays a turn of its own
            messages.append({"role": "assistant", "content": "."})
        messages.append({"role": role, "content": text})
    return {"system": "\n".join(old), "messages": messages}


# ---------------------------------------------------------------- sentence by sentence


def _of_user(memory, index: int, line: str, who: str, items: Items) -> list[Item]:
    """What one sentence adds. A promise asked for is kept; a question and a greeting add nothing."""
    text = expand(line).strip(" \"'“”")
    for pattern in (_REMIND, _FORGET):
        if (match := pattern.search(text)) and not text.endswith("?"):
            before = memory.lines[index - 1].text if index else ""
            wish = to_third(_spelled_out(match[1].rstrip(" .!"), before), who)
            return [Item(sentence(f"The user wants to be reminded {_to(wish)}"))]
    found = []
    if _put_right(text, items):
        return []
    for statement in memory.statements(index):
        wrong = line.lower().startswith("they ") and re.match(r"[A-Z]\w+ are\b", statement.text)
        if _worth(statement) and not wrong:
            told = to_third(_present(statement.text), who)
            found.append(Item(sentence(told), [statement]))
    return found


_MARKED = re.compile(
    r"(?:(?:oh|sorry|actually|oops|wait|no|correction|rather|i mean(?:t)?|make (?:it|that)|my mistake)\b[,:. ]*)+",
    re.I,
)
_NUMBER = re.compile(r"[$€£]?\d[\d.,:]*(?<![.,:])")


def _put_right(text: str, items: Items) -> bool:
    """ "Sorry, make it 45": puts the newest value of that kind right, where it stands."""
    match = _MARKED.match(text)
    rest = text[match.end() :] if match else ""
    if not 0 < len(rest.split()) <= 5:
        return False
    for kind in (DATE, TIME, _NUMBER):
        if new := kind.search(rest):
            for n, item in reversed(items.by_number.items()):
                if old := kind.search(item.text):
                    told = item.text
                    told = told[: old.start()] + new.group() + told[old.end() :]
                    items.put(n, Item(told, item.statements, item.repeated))
                    return True
    return False


_OBJECT = re.compile(
    r"\b((?:his|her|my|our|their|the|an?) (?:(?!with|in|on|at|to|for|from|by|here|there|back)[a-z-]+ ?){1,3})"
)


def _spelled_out(wish: str, before: str) -> str:
    """ "return it to her" after "Ann forgot her scarf": "return her scarf to Ann"."""
    objects, name = _OBJECT.findall(before), re.match(r"[A-Z][\w-]*", before)
    if objects:
        wish = re.sub(r"\b(?:it|them|that)\b", objects[-1].strip(), wish, count=1)
    if name and name[0] not in ("I", "We", "My", "Our", "The", "He", "She", "It", "They"):
        wish = re.sub(
            r"\b(?:him|her|them)\b(?! [a-z]+s?\b)|\b(?:him|them)\b", name[0], wish, count=1
        )
    return wish


def _to(wish: str) -> str:
    return wish if re.match(r"(?:to|of|about|that)\b", wish) else f"of {wish}"


def _present(text: str) -> str:
    """Without what the sentence says to be over, and without an announcement before a colon."""
    head, colon, rest = text.partition(": ")
    if (
        colon
        and len(head.split()) <= 8
        and re.search(r"\b(?:correct|change|mention|say|add)", head)
    ):
        text = rest
    for match in reversed(contrast(text)):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return re.sub(r"\bnow (?=\S)|,? now$", "", " ".join(text.split())).strip(" ,;")


_NO_NEWS = re.compile(r"\b(?:has|have)(?: not| never)? changed$|\b(?:some|a few) changes$", re.I)


def _worth(statement: Statement) -> bool:
    """Whether a statement belongs into a summary: it tells something, by figure, name or grammar."""
    text = statement.text
    if (
        _TODAY.match(text)
        or _NO_NEWS.search(text)
        or statement.root == "model"
        and not figures(text)
    ):
        return False
    if figures(text):
        return True
    words = content(WORD.findall(text))
    if re.search(r" (?:it|them|this|that|there)$", text):
        return False  # it cannot be understood alone
    if not statement.tells or not words:
        return False
    return len(words) >= 2 or (statement.root == "user" and statement.linking)


def _names(text: str) -> set[str]:
    words = WORD.findall(text)
    return {w.removesuffix("'s") for w in words[1:] if w[0].isupper() and w not in ("I", "I'm")}


_PROMISE = re.compile(r"\b(?:I|we) (?:will|shall|promise)\b|\byou will (?:get|receive)\b", re.I)


_IGNORANT = re.compile(
    r"\b(?:not (?:told|know|said|say|sure|find)|no (?:answer|record|information)|cannot answer)\b",
    re.I,
)


def _of_model(text: str, known: set[str]) -> list[Item]:
    """What the assistant said: promises, and what brings a name or a figure that nobody else did."""
    found = []
    for line in sentences(expand(text)):
        if is_question(line) or not is_fact(line) or _IGNORANT.search(line):
            continue
        new = {w.lower() for w in figures(line) | _names(line)} - known
        if new or _PROMISE.search(line):
            found.append(Item(sentence(to_third(line, "model"))))
    return found


# ---------------------------------------------------------------- taking a sentence apart


_JOINED = re.compile(
    r",? (?:and|so|but) (?=(?:the|every|all|each|there|it|he|she|they|my|our|his|her|[A-Z]\w+)\b \S)"
)
_SHARED = re.compile(
    rf",? and (?=(?:will |cannot |can )?(?:{'|'.join(sorted(VERBS | {'cannot'}))})\b)"
)


def apart(text: str) -> list[str]:
    """ "She arrives on Monday and leaves on Friday" as two sentences with the subject in both."""
    found: list[str] = []
    for clause in _JOINED.split(text.rstrip(".")):
        first, *others = _SHARED.split(clause)
        statement = parse(first, 0)
        if others and statement is not None and statement.subject:
            found += [first, *(f"{statement.subject} {part}" for part in others)]
        else:
            found.append(clause)
    return [sentence(part) for part in found]
