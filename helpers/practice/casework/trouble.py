"""Whether a message brings a case: it tells of trouble, or asks to have something looked into."""

import re

NEAR = 4  # words on each side of a word of trouble

_TROUBLE = re.compile(
    r"\b(?:never (?:arrived|came|got|received|happened|saw)|(?:did|has|have|was|were|is|does|could|can)(?: not|n['’]t)"
    r"|wrong(?:ly)?|missing|lost|late|twice|double|broken|damaged|faulty|trouble|problems?|issues?|complain\w*"
    r"|disput\w*|claim\w*|(?:over)?charged|fined?|refund\w*|compensat\w*|mistake|error|disappear\w*|stolen|stole"
    r"|unfair|cancell?ed|delayed|overdue|still waiting|waiting for|instead of|money back|gone|again|nobody|cannot"
    r"|can['’]t|incorrect|unexpected|no longer|not been|dirty|cold|noisy|ill|pain|hurts?|unhappy|disappointed)\b",
    re.I,
)
_WORK = re.compile(
    r"\b(?:look(?:ing)? into|investigat\w*|find out|sort (?:this|it|that) out|clear (?:this|it|that) up"
    r"|resolve|examine|review|go through|clarif\w+|(?:work|carry|go) on|work through|continue|pick up|proceed"
    r"|check (?:what|whether|why|if|all|every|each|this|these|both|the|my|on)|decide|settle|handle|what (?:is|am) i due"
    r"|what became of|what happened|what (?:can|may) i expect|help me with)\b",
    re.I,
)
_DESK = re.compile(
    r"\b(?:investigat\w*|disputes?|cases?|claims?|complaints?|resolv\w*|decid\w*|look into|polic(?:y|ies)|rules"
    r"|desk|customers?|guests?|patients?|members?|requests?|work on)\b",
    re.I,
)


def tells_trouble(text: str) -> bool:
    """Whether a text tells that something went wrong."""
    return bool(_TROUBLE.search(text))


def told_trouble(text: str) -> list[str]:
    """The words that tell the trouble: around each place that does, as they stand."""
    words = list(re.finditer(r"[^\W\d_][\w'’-]*", text))
    near: set[int] = set()
    for match in _TROUBLE.finditer(text):
        inside = [
            n for n, w in enumerate(words) if w.end() > match.start() and w.start() < match.end()
        ]
        near.update(n + step for n in inside for step in range(-NEAR, NEAR + 1))
    return [w.group() for n, w in enumerate(words) if n in near]


def asks_for_work(text: str) -> bool:
    """Whether a text asks to have something looked into."""
    return bool(_WORK.search(text))


def is_desk(system: str) -> bool:
    """Whether a system prompt gives the model people's cases to work on."""
    return bool(_DESK.search(system))


_TOGETHER = re.compile(
    r"\b(?:look\s?ups?|calls?|tools?|requests?|searches)\b[^.!?\n]{0,80}\b(?:together|in parallel|at once|at the same time"
    r"|in (?:one|the same|a single) (?:reply|turn|message|step))\b"
    r"|\b(?:in parallel|parallel)\b[^.!?\n]{0,60}\b(?:look\s?ups?|calls?|tools?)\b",
    re.I,
)
_NOT = re.compile(r"\b(?:never|not|no|one (?:tool|call|lookup) (?:at a time|per))\b", re.I)


def together(system: str) -> bool:
    """Whether the system prompt says that lookups which need nothing of one another go together."""
    match = _TOGETHER.search(system)
    before = system[max(0, match.start() - 60) : match.end()] if match else ""
    return bool(match) and not _NOT.search(re.split(r"[.!?\n]", before)[-1])
