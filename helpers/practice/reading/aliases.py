"""Who is who: the names that sentences give to relations and things."""

import re
from collections.abc import Iterable, Iterator

from .words import stem

_CAP = r"((?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z\u00c0-\u00de][\w'-]*)"
_ALIAS = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) ((?:[a-z-]+ ){{0,2}}[a-z-]+),? {_CAP}(?=[\s,.!?;]|$)"
    rf"|\b(?:[Mm]y|[Oo]ur) ((?:[a-z-]+ ){{0,2}}[a-z-]+?)(?:['’]s name)? (?:is|was)(?: called| named)? {_CAP}(?=[\s,.!?;]|$)"
    rf"|\b{_CAP}(?:,| is) (?:my|our) ((?:[a-z-]+ )?[a-z-]+)"
    rf"|\b(?:a|an|one) ((?:[a-z-]+ )?[a-z-]+)(?:,| called| named| whose name is| by the name of) {_CAP}"
)


def naming(forms: Iterable[str]) -> re.Pattern:
    """What stands in every text in which `named` finds a noun, or a name, that has one of the forms."""
    noun = "|".join(re.escape(form) for form in forms)
    name = "|".join(
        re.escape(n) for form in forms for n in (form[:1].upper() + form[1:], form.upper())
    )
    return re.compile(
        rf"(?:{noun})[\w-]*(?:['’]s name)?,?(?: (?:is|was))?(?: (?:called|named|whose name is|by the name of))? [A-Z\u00c0-\u00de]"
        rf"|(?:,| is) (?:my|our) [a-z -]*(?:{noun})|(?:{name})"
    )


def named(text: str) -> Iterator[tuple[str, str]]:
    """(noun, name) as written: "my sister Ana" is ("sister", "Ana")."""
    for match in _ALIAS.finditer(text):
        noun1, name1, noun2, name2, name3, noun3, noun4, name4 = match.groups()
        for phrase, name in ((noun1, name1), (noun2, name2), (noun3, name3), (noun4, name4)):
            if phrase and name and name not in ("I", "I'm"):
                words = phrase.split()
                if not {"favourite", "name"} & {stem(w) for w in words}:
                    yield words[-1], name.removesuffix("'s").removesuffix("’s")
