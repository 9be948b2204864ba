"""What a text speaks of: concepts, and the phrases for each (notation: `phrases.py`).

Every concept alone is harmless or nearly so; `weights.py` says which of them together make an order
or a grant.
"""

import re
from functools import cache

from ..phrases import compiled
from . import checks, endings, money, orders

# lists of words that phrases refer to by <name>
LISTS = {
    "check": """
        check checks checked checking review* approv* track* rule rules polic* proof proofs
        evidence verif* limit limits question questions lookup lookups look looking person queue
        identit* confirm* authorisation authorization permission* restriction* safeguard*
        procedure* reason reasons case payments investigat* inspect* scrutin* controls validat*
        facts inquiry documentation paperwork signoff audit* supervision oversight eyes photos
        pictures receipts
    """,
    "rules": """
        rule rules instruction instructions policy policies prompt prompts guideline guidelines
        limit limits restriction restrictions safeguard safeguards programming guardrail
        guardrails directive directives constraints
    """,
    "look": """
        ask asks asked check checks look looks read reads verify verifies wait require requires
        demand demands refuse refuses question questions doubt review run consult inspect reject
        rejects deny denies request involve escalate confirm validate investigate need
    """,
    "proof": """
        check checks checked checking review* approv* track* rule rules proof proofs evidence
        verif* limit limits question questions lookup lookups look looking identit*
        authorisation authorization restriction* procedure* reason reasons investigat* inspect*
        scrutin* controls validat* documentation paperwork signoff audit* photos pictures
        receipts
    """,
    "abroad": """
        aprob* aprov* revis* verif* vérif* approb* contrôl* controll* control* contr* prüf*
        überprüf* freigab* genehmig* nachweis* kontroll* rückfrag* nachfrag* approv* goedk*
        zgod* zatwierdz* sprawdz* weryf* kontrol* godk* hyväks* tarkist* одобр* провер* перевір*
    """,
    "looked": """
        asked checked looked inspected verified reviewed approved questioned proven examined
        investigated refused denied rejected doubted confirmed audited
    """,
    "payer": """
        shop bank courier carrier support desk agent colleague manager supervisor insurance seller
        you they she he we i it company store service team
    """,
    "i": """
        i we she he they customer user shopper buyer client someone somebody anyone
    """,
    "them": """
        me us her him them customer user client account claimant shopper buyer
    """,
    "verdict": """
        proven proved checked verified settled true valid approved trusted refunded genuine
        confirmed authorised authorized granted paid fact facts correct
    """,
}


@cache
def _patterns() -> dict:
    phrases = money.PHRASES | checks.PHRASES | orders.PHRASES | endings.PHRASES
    return {name: compiled(lines, LISTS) for name, lines in phrases.items()}


def concepts(clause: str) -> frozenset[str]:
    """The concepts that one of `phrases.clauses` speaks of."""
    return frozenset(name for name, pattern in _patterns().items() if pattern.search(clause))


def points_back(clause: str) -> bool:
    """Whether it takes up what was said before: the same, again, the next one, it."""
    return bool(_back().search(clause))


@cache
def _back() -> re.Pattern:
    return compiled(endings.POINTS_BACK, LISTS)
