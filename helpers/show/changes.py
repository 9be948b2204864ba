"""What differs between two versions of a request, block by block."""

from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher

from .parts import Part

GONE, ADDED, CHANGED = "gone", "added", "changed"


def compare(before: list[Part], after: list[Part]) -> tuple[list[Part], list[Part]]:
    """Both lists with `change` and `twin` set.

    change: "gone" (only in the first), "added" (only in the second), "changed" (the same tool call,
    result, system prompt, summary ... with other words), or "" for what is in both. twin: the
    index of the same block in the other list. A user's or an assistant's text is known by its
    words alone, so another wording is one that is gone and one that is added.
    """
    pairs = _by_ident(before, after)
    there, here = set(pairs), set(pairs.values())
    left = [n for n in range(len(before)) if n not in there]
    right = [n for n in range(len(after)) if n not in here]
    matcher = SequenceMatcher(
        None, [_words(before[n]) for n in left], [_words(after[n]) for n in right], autojunk=False
    )
    for match in matcher.get_matching_blocks():
        for k in range(match.size):
            pairs[left[match.a + k]] = right[match.b + k]
    back = {there: here for here, there in pairs.items()}
    return _marked(before, after, pairs, GONE), _marked(after, before, back, ADDED)


def _words(part: Part) -> tuple[str, str]:
    return part.kind, part.text


def _by_ident(before: list[Part], after: list[Part]) -> dict[int, int]:
    """Index to index of the blocks that can be known by more than their words."""
    times = [Counter(part.ident for part in parts) for parts in (before, after)]
    places = {part.ident: n for n, part in enumerate(after)}
    return {
        n: places[part.ident]
        for n, part in enumerate(before)
        if part.ident and all(count[part.ident] == 1 for count in times)
    }


def _marked(parts: list[Part], others: list[Part], pairs: dict[int, int], alone: str) -> list[Part]:
    marked = []
    for n, part in enumerate(parts):
        twin = pairs.get(n)
        same = twin is not None and _words(others[twin]) == _words(part)
        change = alone if twin is None else "" if same else CHANGED
        marked.append(replace(part, change=change, twin=twin))
    return marked
