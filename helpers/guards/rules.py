"""Rules in controlled English, judged on the fields of a record.

    status is delivered and delivered building is not delivery building

Conditions are joined by " and ". Each names a field (the words of its key), then "is", and then a value
or another field; or "not", "over" or "under" and one of these; or "missing" or "known".
An amount is a field, or fields joined by " minus ".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_CONDITION = re.compile(r"(?P<field>.+?) is (?:(?P<how>not|over|under) )?(?P<other>.+)")
_LOOSE = re.compile(r" is |(?:^| )(?:and|or)$")  # a second condition that is not joined by " and "
CENT = Decimal("0.01")
MOST_DIGITS = 15  # before the point: no amount of money is larger


class BadRule(ValueError):
    """A rule that cannot be read; nothing is ever decided by guessing what it means."""


@dataclass(frozen=True)
class Rule:
    """One rule. when: its conditions. outcome: what is due. amount: an expression, "" for none."""

    name: str
    when: str
    outcome: str
    amount: str = ""

    @classmethod
    def of(cls, given: Mapping) -> "Rule":
        """From a policy's dict (rule, when, outcome, amount); BadRule when it cannot be read."""
        try:
            rule = cls(given["rule"], given["when"], given["outcome"], given["amount"])
        except (KeyError, TypeError) as error:
            raise BadRule(f"a rule has rule, when, outcome and amount: {given!r}") from error
        if not all(isinstance(part, str) for part in vars(rule).values()):
            raise BadRule(f"a rule's parts are texts: {given!r}")
        rule.conditions()
        return rule

    def conditions(self) -> list[tuple[str, str, str]]:
        """(field, "is" | "not" | "over" | "under" | "missing" | "known", value or field)."""
        found = []
        for part in self.when.split(" and "):
            match = _CONDITION.fullmatch(part.strip())
            if not match or _LOOSE.search(match["other"]):
                raise BadRule(f"rule {self.name}: {part!r} is no condition (field is value)")
            how, other = match["how"] or "is", match["other"].strip()
            if how == "is" and other in ("missing", "known"):
                how, other = other, ""
            found.append((match["field"].strip(), how, other))
        return found

    def fields(self) -> set[str]:
        """The fields that its conditions begin with."""
        return {field for field, _, _ in self.conditions()}

    def holds(self, record: Mapping) -> bool:
        """Whether every condition is true of the record (values by the words of their keys)."""
        return all(_true(record, *condition) for condition in self.conditions())

    def due(self, record: Mapping) -> Decimal | None:
        """The amount, rounded to cents; None for a rule without one. BadRule: no such field."""
        if not self.amount:
            return None
        values = [number(record.get(name.strip())) for name in self.amount.split(" minus ")]
        if None in values:
            raise BadRule(f"rule {self.name}: {self.amount!r} names a field without a number")
        return (values[0] - sum(values[1:])).quantize(CENT)


def words(record: Mapping) -> dict:
    """The record's plain values by the words of their keys: order_total becomes "order total"."""
    plain = {k: v for k, v in record.items() if isinstance(v, str | int | float)}
    return {key.replace("_", " "): value for key, value in plain.items()}


def number(value) -> Decimal | None:
    """A number of a size that amounts have, also out of a text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        return None
    try:
        made = Decimal(str(value).strip())
    except (InvalidOperation, ValueError):  # the latter for whole numbers of thousands of digits
        return None
    return made if made.is_finite() and made.adjusted() < MOST_DIGITS else None


def _true(record: Mapping, field: str, how: str, other: str) -> bool:
    value = record.get(field)
    if how in ("missing", "known"):
        return (value is None) == (how == "missing")
    if value is None:
        return False  # what is not known makes no other condition true
    other = record.get(other, other)
    left, right = number(value), number(other)
    if how in ("over", "under"):
        if left is None or right is None:
            return False
        return left > right if how == "over" else left < right
    both = left is not None and right is not None
    same = left == right if both else str(value) == str(other)
    return same == (how == "is")
