"""Which part of a case a field wants: the problem, the wishes, the facts, the offers, what is open."""

import re

from .schemas import Field

PROBLEM, WISHES, FACTS, OFFERS, OPEN = "problem", "wishes", "facts", "offers", "open"
ROLES = (OPEN, OFFERS, WISHES, PROBLEM, FACTS)

# By the last word of a name, or by any of them.
_LAST = {
    OPEN: "questions question todo todos followups unknowns",
    OFFERS: "offer offers promises promise commitments commitment concessions",
    WISHES: "want wants wish wishes request requests desire desires demand demands goal goals expectation expectations preference preferences",
    PROBLEM: "problem problems issue issues complaint complaints trouble fault faults grievance concern concerns symptom symptoms",
    FACTS: "fact facts finding findings evidence memories memory learned claims observations",
}  # fmt: skip
_ANY = {
    OPEN: "unanswered unresolved outstanding pending",
    OFFERS: "offered promised",
    WISHES: "wants wanted wishes",
    FACTS: "facts findings",
}
_NAMED = {
    OPEN: re.compile(r"open (?:questions?|points?|issues?|items?|matters?|tasks?|ends?)"),
    OFFERS: re.compile(r"(?:given|granted|told|compensation)(?: so far| already)?$|already "),
    WISHES: re.compile(
        r"(?:desired|preferred|wanted|requested|hoped) (?:resolution|outcome|solution|remedy|result)"
    ),
    PROBLEM: re.compile(r"what (?:is|went) wrong"),
    FACTS: re.compile(r"(?:known|established) \w*(?:s|facts?)$|established$"),
}
_SAID = {
    OPEN: r"(?:not (?:yet )?answered|unanswered|still open|to be (?:checked|clarified|decided)|open questions?|waiting for|left to (?:do|check)|not known yet)",
    OFFERS: r"(?:offered|promised|what the (?:customer|user|client) (?:has been|was) (?:told|offered|given|promised)|already (?:paid|given|granted|refunded))",
    WISHES: r"(?:what the (?:customer|user|client|person|caller|writer|guest) (?:\w+ )?(?:wants?|asks?|prefers?|wishes|needs?|requests?|expects?)|the (?:customer|user|client) (?:wants|wishes|asks for))",
    PROBLEM: r"(?:what (?:is|went|goes) wrong|complain\w*|the problem|went wrong)",
    FACTS: r"(?:facts? (?:that|stated|found|established|known)|what (?:is|was) (?:known|established|found)|each fact|findings?|things (?:learned|stated))",
}  # fmt: skip
_PATTERNS = {role: re.compile(pattern, re.I) for role, pattern in _SAID.items()}
_OTHER = frozenset("id ids number count code date type level category status name kind at on".split())  # fmt: skip


def role_of(field: Field) -> str:
    """The part of a case that a field for text, or for a list of texts, wants; "" for any other."""
    words = field.words
    if not words or words[-1] in _OTHER:
        return ""
    name = " ".join(words)
    for role in ROLES:
        if words[-1] in _LAST[role].split() or set(words) & set(_ANY.get(role, "").split()):
            return role
        if _NAMED[role].search(name):
            return role
    return next((role for role in ROLES if _PATTERNS[role].search(field.description)), "")
