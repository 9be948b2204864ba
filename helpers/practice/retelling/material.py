"""Finding what is to be summarised: the instruction, and the material that the request carries."""

import re
from dataclasses import dataclass, field

from ..reading.clauses import sentences
from ..request import Request

_NOUN = r"(?:summar(?:y|ies)|recap|digest|overview|synopsis|abstract|condensed version|tl;?dr)"
_VERB = (
    r"(?:summari[sz](?:e|es|ing)|condens(?:e|es|ing)|merg(?:e|es|ing)|recap|compress(?:es|ing)?"
    r"|shorten(?:s|ing)?|boil(?:s|ing)?\b.{0,40}\bdown|distil\w*|abridge)"
)
_MAKE = (
    r"(?:write|give|make|produce|update|keep|maintain|return|create|prepare|draft|answer|reply|provide"
    r"|output|extend|rewrite|need|want|compose)s?"
)
_TASK = re.compile(rf"\b{_VERB}\b|\b{_MAKE}\b[^.?!\n]{{0,80}}\b{_NOUN}\b", re.I)
# A text with none of these asks for no summary; quicker to tell than by the pattern.
_HINTS = tuple(
    "summar recap digest overview synopsis abstract condens tl;dr tldr merg compress shorten boil distil abridg".split()
)
_ASKED = re.compile(
    r"^\W*(?:(?:please|now|ok|okay|kindly|then|so|next|can you|could you|would you|will you"
    rf"|i (?:want|need|would like) you to|your (?:task|job) is to|let us|let's),? )*(?:{_VERB}\b"
    rf"|(?:{_MAKE})\b[^.?!\n]{{0,80}}\b{_NOUN}\b|in (?:short|one|two|three|\d+)\b.{{0,40}}{_VERB})",
    re.I,
)
_TALK = re.compile(
    r"\b(?:(?:our|this|the|my) (?:whole |entire )?(?:conversation|chat|talk|discussion|dialogue)|so far"
    r"|we (?:have )?(?:said|discussed|talked)|i (?:have )?(?:told|said)|everything|the above)\b",
    re.I,
)
_OLD = re.compile(r"summar|so far|previous|existing|current|earlier|before|notes|memory", re.I)
_WANTED = re.compile(
    r"missing|left[ _-]?out|must|includ|forgot|omitted|leave out|lost|not in it", re.I
)
_USER = "user|human|customer|client|me|caller|guest"
_MODEL = "assistant|ai|bot|agent|model|support"
_SPEAKER = re.compile(
    rf"[ \t>*_-]*(?:(?P<user>{_USER})|(?P<model>{_MODEL})|(?P<tool>tool[\w ]*|function|system))"
    r"[*_]*(?: ?\([^)\n]{0,40}\))?[*_]*(?P<called> called [^:\n]{0,80})?\s?(?::|said:)[*_]*[ \t]*(?P<said>.*)",
    re.I,
)
_TAG = re.compile(r"<([A-Za-z][\w-]{0,40})(?: [^<>\n]{0,80})?>")
_HEADING = re.compile(r"^[#* \t]*([A-Z][^.:\n]{0,80}?)[* \t]*:[* \t]*$")


@dataclass
class Material:
    """What a summary is made of."""

    old: str = ""  # an earlier summary
    turns: list[tuple[str, str]] = field(default_factory=list)  # ("user", "model" or "text", words)
    wanted: str = ""  # a part of sentences that must not be left out
    named: str = ""  # what the instruction says of that
    instruction: str = ""  # what is asked, without the material


def material_of(request: Request) -> Material | None:
    """The material, if the request asks for a summary of something it carries; else None."""
    text = request.last.text
    sections, outside = _sections(text)
    low = outside.lower()
    task = _TASK.search(outside) if any(hint in low for hint in _HINTS) else None
    if not task and not request.tools and any(marked for *_, marked in sections):
        task = _TASK.search(request.system)
    if sections and task:
        found = Material(instruction=f"{request.system}\n{outside}")
        for label, inside, _ in sections:
            _sort_in(found, label, inside)
        wanted = [s for s in sentences(outside) if _WANTED.search(s)]
        found.named = " ".join(wanted)
        return found if found.turns or found.old else None
    return _unmarked(request, text)


def _unmarked(request: Request, text: str) -> Material | None:
    """ "Summarise this: ...", or "Summarise our conversation"."""
    head, _, rest = text.strip().partition("\n")
    first, after = _first_sentence(head)
    if not _ASKED.match(first):
        return None
    body = f"{after}\n{rest}".strip()
    if len(sentences(body)) >= 2:
        found = Material(instruction=f"{request.system}\n{first}")
        _sort_in(found, "", body)
        return found
    if _TALK.search(text) and len(request.turns) > 1:
        roles = {"user": "user", "assistant": "model"}
        said = [(roles[t.role], t.text) for t in request.turns[:-1] if t.role in roles]
        return Material(turns=said, instruction=f"{request.system}\n{text}")
    return None


def _first_sentence(head: str) -> tuple[str, str]:
    match = re.search(r"[:.!?](?:\s|$)", head)
    return (head[: match.end()], head[match.end() :]) if match else (head, "")


def _sections(text: str) -> tuple[list[tuple[str, str, bool]], str]:
    """(label, content, plainly marked) of every part, and the text outside of them."""
    found: list[tuple[str, str, bool]] = []
    outside: list[str] = []
    at = 0
    while at < len(text):
        tag, fence = _TAG.search(text, at), text.find("```", at)
        if tag and (fence < 0 or tag.start() < fence):
            end = text.find(f"</{tag[1]}>", tag.end())
            # a tag that the instruction merely names is no beginning
            begun = text.rfind(tag.group(), tag.start(), end) if end >= 0 else -1
            if begun > tag.start():
                outside.append(text[at:begun])
                at = begun
            elif end >= 0:
                outside.append(text[at : tag.start()])
                found.append((tag[1], text[tag.end() : end], True))
                at = end + len(tag[1]) + 3
            else:
                outside.append(text[at : tag.end()])
                at = tag.end()
        elif fence >= 0 and (end := text.find("```", fence + 3)) >= 0:
            before = text[at:fence]
            label = before.rstrip().rpartition("\n")[2]
            outside.append(before)
            found.append((label, text[fence + 3 : end].partition("\n")[2], True))
            at = end + 3
        else:
            outside.append(text[at:])
            break
    if found:
        return found, "\n".join(outside)
    return _headed(text)


def _headed(text: str) -> tuple[list[tuple[str, str, bool]], str]:
    """Parts under headings of a line each, or a transcript that stands bare."""
    found: list[tuple[str, list[str]]] = []
    outside: list[str] = []
    before = "."
    for line in text.split("\n"):
        speaks = _SPEAKER.fullmatch(line)
        after_all, before = not before.strip() and bool(_ASKED.match(line)), line
        if after_all and not speaks:  # "... Write a summary of this, please."
            outside.append(line)
        elif (heading := _HEADING.match(line)) and not speaks:
            found.append((heading[1], []))
        elif found:
            found[-1][1].append(line)
        elif speaks:
            found.append(("", [line]))
        else:
            outside.append(line)
    headings = " ".join(label for label, _ in found)
    parts = [
        (label, "\n".join(lines), bool(_transcript("\n".join(lines)))) for label, lines in found
    ]
    return parts, "\n".join([*outside, headings])


def _sort_in(found: Material, label: str, text: str) -> None:
    """Puts one part where it belongs, by its label and by its form."""
    turns = _transcript(text)
    if turns:
        found.turns += turns
    elif _WANTED.search(label):
        found.wanted += f"\n{text}"
    elif _OLD.search(label):
        found.old = f"{found.old}\n{text}".strip()
    elif text.strip():
        found.turns.append(("text", text))


def _transcript(text: str) -> list[tuple[str, str]]:
    """The turns of "user: ..." lines; [] if there are none. Calls of tools are left out."""
    turns: list[tuple[str, list[str]]] = []
    seen = False
    for line in text.split("\n"):
        if match := _SPEAKER.fullmatch(line):
            seen = True
            role = "user" if match["user"] else "model" if match["model"] else "text"
            turns.append(("" if match["called"] else role, [match["said"]]))
        elif turns:
            turns[-1][1].append(line)
        elif line.strip():
            turns.append(("text", [line]))
    return [(role, "\n".join(lines)) for role, lines in turns if role] if seen else []
