"""Words that say nearly the same in a document: each line is one meaning."""

from functools import lru_cache

from ..material.words import root

_LINES = """
    wrong incorrect mistaken
    damaged damage broken crushed dented torn smashed cracked ripped squashed wrecked shattered bent bashed battered dent
    box carton package packaging
    parcel package delivery shipment
    building house block tower
    late delayed delay overdue
    missing lost gone vanished disappeared
    refund reimburse reimbursed reimbursement money-back
    replacement replace exchange
    charge charged billed debited deducted charges
    twice double duplicate
    courier driver carrier postman deliveryman
    neighbour neighbor
    cancel cancellation cancelled
    rude unfriendly impolite
    empty nothing-inside
    wet soaked damp drenched
    stolen theft stole
    signed signature sign
    guard porter doorman gatekeeper caretaker
    ask request want demand asked
    praise thank thanks compliment
    deliver delivery delivered
    return returned send-back
    cold freezing
    noisy loud noise
    dirty filthy unclean
    slow slowly
    cheap inexpensive
    expensive costly pricey
    tasty delicious
    kind friendly nice
    arrive come came reach
    invoice bill
    voucher coupon
    leak leaking leaked leaky
    scratch scratched
    colour color
    film movie
    crash crashes crashed
    price cost
    phone telephone
    doctor physician
    car vehicle
    flat apartment
    street road
"""
_GROUPS = [frozenset(map(root, line.split())) for line in _LINES.strip().splitlines()]
_OF: dict[str, frozenset[str]] = {}
for _group in _GROUPS:
    for _word in _group:
        _OF[_word] = _OF.get(_word, frozenset()) | _group
WRONG = _OF[root("wrong")]


def near(word: str) -> frozenset[str]:
    """The roots that do as well as this one."""
    return _OF.get(word, frozenset()) | {word}


@lru_cache(maxsize=65_536)
def alike(word: str, wanted: str) -> bool:
    """Whether a root in a document stands for the wanted one: the same, near, or derived from it."""
    if word in near(wanted):
        return True
    short, long = sorted((word, wanted), key=len)
    return len(short) > 4 and long.startswith(short) and len(long) - len(short) <= 3
