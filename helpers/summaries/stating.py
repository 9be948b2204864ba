"""Which sentences state something, and which part of them still holds."""

import re

_ASKS = re.compile(
    r"(?:(?:and|but|so|ok|okay|please|then|now|also|for my notes)[,:]? )*"
    r"(?:(?:what|which|who|whose|whom|where|when|why|how)\b(?!ever)"
    r"|(?:in|on|at|to|from|for|with|by) (?:what|which|whom?|whose)\b"
    r"|(?:am|is|are|was|were|do|does|did|can|could|will|would|should|shall|may|have|has|had)"
    r" (?:i|we|you|he|she|it|they|my|our|your|the|this|that|there|his|her|their|any)\b"
    r"|(?:tell|give|show) (?:me|us)\b|summari[sz]e\b|i wonder\b)",
    re.I,
)
_SUPPOSES = re.compile(
    r"(?:(?:and|but|so|ok|well)[, ]+)*(?:if|suppose|supposing|imagine|assuming|assume|pretend|let us say"
    r"|let's say|what if|had i|were i)\b|\b(?:i wish|would have|hypothetically|for example|for instance"
    r"|e\.g\.|as if|as though|used to think)\b|\b(?:would|could|might)\b.*\bif\b|\bif\b.*\b(?:would|could|might)\b",
    re.I,
)
_IGNORES = re.compile(
    r"\b(?:do|does|did|can|could|have|has|had) not (?:\w+ )?(?:know|remember|recall|told|tell|said|say|mention"
    r"|mentioned|given|give|find|found|see)\b|\bno (?:answer|record|information|idea)\b|\b(?:not|never) (?:sure|told|said|mentioned)\b"
    r"|\bcannot (?:answer|tell|say|find|see)\b",
    re.I,
)


def states(sentence: str) -> bool:
    """Whether a sentence (as `plain` gives it) states something: no question, no supposition, no
    confession of not knowing."""
    bare = sentence.strip(" \"'“”*_-–()")
    return not (
        bare.endswith("?") or _ASKS.match(bare) or _SUPPOSES.search(bare) or _IGNORES.search(bare)
    )


# What a sentence says to be over: "not X but", ", not X", "no longer X", "instead of X".
_REST = r"(?:[^,;.()!?]|[.,](?=\d))*"
_CONTRAST = re.compile(
    rf"(?:,|;|\(|–|—|\band|\bis|\bare|\bwas|\bwere|\bam|\bhas|^) ?not (?:on |at |in |to |from |for |a |an |the )*{_REST}?,? but\b"
    rf"|(?:,|;|\(|–|—|\band) ?not\b(?! only)(?=,? ?(?:on |at |in |to |from |for |with |by |a |an |the |my |our )*[\w$€£#'\"]+){_REST}"
    rf"|\b(?:no longer|not any ?more|instead of|rather than|formerly|previously){_REST}"
    rf"|\b(?:changed|moved|switched|rescheduled|corrected|postponed|brought forward|updated) from\b{_REST}?(?= to\b)"
    rf"|\b(?:is|are|was|were|am) not (?:on |at |in |for |called |named )?(?=(?-i:[A-Z\d$€£#])){_REST}",
    re.I,
)


def held(sentence: str) -> tuple[str, list[str]]:
    """A sentence without what it says to be over, and the parts that are over."""
    over: list[str] = []

    def take(match: re.Match) -> str:
        over.append(match.group())
        return " "

    return _CONTRAST.sub(take, sentence), over
