"""Lists: "flour, eggs and milk", entries with dashes under a heading, one object an entry."""

import re
from collections.abc import Iterator

from ..material.jsons import key_words
from ..material.words import root
from ..reading.words import STOP, WORD
from .cues import GENERIC, head_of, kind_of_name, near, own_stems
from .ids import ids_of
from .schemas import Field
from .seeking import Seeker
from .spans import names_in
from .strings import strings_for

MOST = 200  # entries

_BULLET = re.compile(r"^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+(\S.*)$")
_HEADING = re.compile(r"^[#* \t]*([A-Za-z][^:\n]{0,60}?)[* \t]*:?[* \t]*$")
_AND = re.compile(r",\s*(?:and |or |& )?|\s+(?:and|or|&|plus|as well as)\s+|\s*;\s*|\s*/\s*", re.I)
_LINK = re.compile(
    r"(?:['’]s)?(?: (?:is|are|was|were|include|includes|including|like|such as|to|of|with|for|will be|needed|about|by|the|both|also|mainly|only|fluent|fluently|all|a|an|some|has|have|had|from|against|towards|in))*[ :=]+",
    re.I,
)
_STOPPING = re.compile(
    r"[.;!?](?=\s|$)| [-–—] | \(|,? (?:but|because|so|which|who|while|although|however)\b|,? and (?=(?:i|we|he|she|they|it|my|his|her|their|our)\b)",
    re.I,
)
_ARTICLE = re.compile(r"^(?:an?|the|some|my|our|also|of|to|both|for|with)\s+(?=\S)", re.I)
_PEOPLE = frozenset(map(root, """guest guests attendee attendees participant participants people author authors speaker
    speakers member members player players person persons passenger passengers host hosts party parties actor actors
    cast owner owners""".split()))  # fmt: skip


def texts_for(field: Field, seeker: Seeker) -> list[str]:
    """The entries of a list of texts, in their order; [] if the material lists none."""
    if is_of_ids(field):
        return list(dict.fromkeys(code for code, _ in ids_of(field, seeker)))
    older: list[str] = []
    for hit in seeker.by_key(field):
        if isinstance(hit.value, list) and all(isinstance(v, str | int | float) for v in hit.value):
            older += [v if isinstance(v, str) else str(v) for v in hit.value]
            if not seeker.material.talk:
                return older
    return list(dict.fromkeys([*older, *_stated(field, seeker)]))[:MOST]


def _stated(field: Field, seeker: Seeker) -> list[str]:
    """The entries that stand after a label, under a heading, or in a sentence."""
    for hit in seeker.by_label(field):
        if entries := entries_of(str(hit.value)):
            return entries
    for entries in _headed(field, seeker):
        return entries
    if found := strings_for(field, seeker):
        return found
    found = list(
        dict.fromkeys(entry for entries in _in_sentences(field, seeker) for entry in entries)
    )
    return found


def is_of_ids(field: Field) -> bool:
    """Whether the list is one of ids, by its name or its description."""
    words = {w.rstrip("s") for w in field.words}
    if words & {"id", "number", "code", "reference", "ref", "sku"}:
        return True
    return bool(re.search(r"\b(?:ids?|order numbers?|reference numbers?)\b", field.description, re.I)) and not (
        re.search(r"\b(?:facts?|sentences?|texts?|each with)\b", field.description, re.I)
    )  # fmt: skip


def entries_of(text: str) -> list[str]:
    """ "flour, eggs and milk" as its parts."""
    match = _STOPPING.search(text)
    text = text[: match.start()] if match else text
    parts = [_ARTICLE.sub("", p.strip(" \"“”'.,")) for p in _AND.split(text)]
    return [p for p in parts if p and WORD.search(p)]


def _headed(field: Field, seeker: Seeker) -> Iterator[list[str]]:
    """Entries with dashes or numbers that stand under a heading of the field's name."""
    own, head = own_stems(field), head_of(field)
    for passage in seeker.material.passages:
        entries: list[str] = []
        under = False
        for line in passage.prose.split("\n"):
            if match := _BULLET.match(line):
                if under:
                    entries.append(match[1].strip())
            elif line.strip():
                if entries:
                    break
                heading = _HEADING.match(line)
                said = {root(w) for w in key_words(heading[1])} if heading else set()
                under = bool(said) and (head in said or bool(own) and own <= said)
        if entries:
            yield entries[:MOST]


def _in_sentences(field: Field, seeker: Seeker) -> Iterator[list[str]]:
    """Enumerations behind a word of the field's name: "speaks Dutch, English and French"."""
    own, head = own_stems(field), head_of(field)
    cues = {w for w in own | near(head) if w not in STOP and w not in GENERIC}
    people = bool(own & _PEOPLE) or kind_of_name(field) == "person"
    for text, _ in seeker.sentences_with(cues):
        if text.endswith("?"):
            continue
        if people:
            if names := [name for *_, name in names_in(text)]:
                yield names
            continue
        matches = [m for m in WORD.finditer(text) if root(m.group()) in cues]
        for match in sorted(matches, key=lambda m: root(m.group()) != head):
            before = re.search(r"\b(?:not|never|no|cannot)(?: \w+)? $|n['’]t(?: \w+)? $", text[: match.start()])  # fmt: skip
            rest = text[match.end() :]
            link = _LINK.match(rest)
            if before or not link:
                continue
            entries = entries_of(rest[link.end() :])
            if entries and all(len(e.split()) <= 6 for e in entries) and _listed(match, link, entries, text):  # fmt: skip
                yield entries
                break


def _listed(match: re.Match, link: re.Match, entries: list[str], text: str) -> bool:
    """Whether what follows is a list of the thing, not the sentence going on."""
    if re.search(r"\b(?:is|are|was|were|include|includes|including|such as|of|to)\b|[:=]", link.group(), re.I):  # fmt: skip
        return True
    verb = match.group().lower()
    return len(entries) > 1 or verb.endswith("s") or bool(re.match(r"(?:i|we|he|she|they)\b", text, re.I))  # fmt: skip


# ---------------------------------------------------------------- entries that are objects


def segments_of(field: Field, seeker: Seeker) -> Iterator[list[str]]:
    """Ways to cut the material into entries: dashes and numbers, lines, sentences, parts of one."""
    headed = list(_headed(field, seeker))
    yield from headed
    for passage in seeker.material.passages:
        lines = [line for line in passage.prose.split("\n") if line.strip()]
        bullets = [m[1] for line in lines if (m := _BULLET.match(line))]
        if len(bullets) > 1 and not headed:
            yield bullets[:MOST]
        rows = [
            line for line in lines if line.count("|") > 1 and not re.fullmatch(r"[|:\s-]+", line)
        ]
        if len(rows) > 2:
            yield rows[1:MOST]
    cues = own_stems(field) | {w for w in near(head_of(field)) if w not in STOP}
    for passage in seeker.material.passages:
        lines = [line for line in passage.prose.split("\n") if line.strip()]
        if len(lines) > 1:
            yield lines[:MOST]
    sentences = [text for text, _ in seeker.all_sentences(MOST)]
    for text in sentences:
        parts = [p.strip() for p in re.split(r",\s+(?:and\s+)?|\s+and\s+|;\s*", text) if p.strip()]
        if len(parts) > 1 and (not cues or {root(w) for w in WORD.findall(text)} & cues):
            yield [_tail(parts[0]), *parts[1:]]
    yield sentences


def _tail(part: str) -> str:
    """The first entry of a list inside a sentence, without what announces it."""
    match = re.search(
        r"(?::|\b(?:bought|ordered|order|of|with|had|got|are|is|include|includes|for|like)\b)\s+(?=\S)",
        part,
    )
    return part[match.end() :] if match and match.end() < len(part) else part
