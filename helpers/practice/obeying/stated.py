"""What the model has stated itself, as it comes back to it in its own notes of a case.

`Topic fees: rule 1 is "when days late is over 10: waiver, amount fee" (get_rules).` gives a rule of the
house again, and `Offered for loan L-7: waiver of 12.50, paid (waive_fee).` tells nobody to pay. Both are
sentences of the form in `casework.findings`, with the name of a tool behind them. In the model's own
notes they are no material, unless something in them pulls that belongs to no rule: so nobody hides an
order by imitating the form. Elsewhere, in a ticket or a customer's words, they are texts like any other.
"""

import json
import re
from dataclasses import replace
from functools import lru_cache

from ..casework.findings import Offer, findings_in, offers_in, strings_in
from ..casework.judging import rule_stated
from ..reading.clauses import sentences
from .pulls import features, pull

_LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)+\"(?!\s*:)")


@lru_cache(maxsize=2_048)
def unstated_in_notes(text: str, tools: frozenset[str]) -> str:
    """A passage of a user turn, without what the model has stated in the JSON of notes inside it."""
    if "{" not in text or not any(key and unstated(s, tools) != s for key, s in strings_in(text)):
        return text

    def left(literal: re.Match) -> str:
        try:
            value = json.loads(literal.group(), strict=False)
        except ValueError:
            return literal.group()
        return json.dumps(unstated(value, tools), ensure_ascii=False)

    return _LITERAL.sub(left, text)


@lru_cache(maxsize=4_096)
def unstated(text: str, tools: frozenset[str]) -> str:
    """A text of the model's notes, without what it has stated in it.

    tools: the names of the tools of this request, of which one has to stand behind each sentence.
    """
    if ": " not in text:
        return text
    parts = sentences(text)
    left = [part for part in parts if not _is_stated(part, tools)]
    return text if len(left) == len(parts) else " ".join(left)


# An offer that has these features alone is still no order: somebody had to approve it.
_OF_ONE_OFFER = frozenset({"authority", "urgent", "reported"})


def _is_stated(sentence: str, tools: frozenset[str]) -> bool:
    for one in (*findings_in(sentence), *offers_in(sentence)):
        if str(one) != sentence or one.tool not in tools:
            continue
        if isinstance(one, Offer):
            said = f"{one.kind} {one.id}: {one.outcome} {one.amount}, {one.status}"
            return features(said) <= _OF_ONE_OFFER
        rules = {name for name, value in one.fields.items() if rule_stated(value, one.id)}
        beside = {name: "" if name in rules else value for name, value in one.fields.items()}
        return not pull(str(replace(one, fields=beside)))
    return False
