"""Rules in controlled English, judged on fields.

Conditions are joined by " and "; each is "<field> is <value or field>", "is not", "is over", "is under",
"is at least", "is at most", "is missing" or "is known". A condition on a field that is not known does
not hold, unless it says that the field is missing.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from .times import moment

_HOW = (
    "not ",
    "over ",
    "above ",
    "more than ",
    "under ",
    "below ",
    "less than ",
    "at least ",
    "at most ",
)
_UNARY = ("missing", "known", "unknown")
_OVER, _UNDER = ("over ", "above ", "more than "), ("under ", "below ", "less than ")
_SPLIT = re.compile(r" and (?=(?:(?! and ).)+ is )")
_STATED = re.compile(
    r"(?:when|if) (.+? is .+?): ([^\n,:]{1,80}?)(?:, amount ([^\n]{1,120}))?$", re.I
)
_WHEN = ("when", "if", "condition", "conditions", "provided")
_OUTCOME = ("outcome", "then", "decision", "result", "action", "verdict", "do")
_AMOUNT = ("amount", "sum", "pays", "pay", "value", "fee", "how much")
_MONEY = r"(?:[$€£¥]|[A-Z]{3})"
_NUMBER = re.compile(
    rf"{_MONEY}? ?(-?\d[\d,]*(?:\.\d+)?)(?: ?(?:{_MONEY}|%|euros?|dollars?|days?))?$"
)

Fields = Callable[[str], str | None]


@dataclass(frozen=True)
class Condition:
    """One condition: `how` is "" for "is", "not", "over", "missing", ...; `other` a field or a value."""

    field: str
    how: str
    other: str = ""


@dataclass(frozen=True)
class CaseRule:
    """A rule: under these conditions this outcome, with an amount ("" for none)."""

    conditions: tuple[Condition, ...]
    outcome: str
    amount: str = ""
    topic: str = ""
    when: str = ""

    def __str__(self) -> str:
        amount = f", amount {self.amount}" if self.amount else ""
        return f"when {self.when}: {self.outcome}{amount}"

    @property
    def fields(self) -> set[str]:
        """What could be a field in the conditions."""
        return {c.field for c in self.conditions} | {c.other for c in self.conditions if c.other}


def rule_from(row: dict, topic: str) -> CaseRule | None:
    """A rule from a row of a result; None if it cannot be read."""
    when, outcome = _first(row, _WHEN), _first(row, _OUTCOME)
    if not when or not outcome:
        return None
    return _rule(when, outcome, _first(row, _AMOUNT), topic)


def rule_stated(text: str, topic: str) -> CaseRule | None:
    """A rule from "when <conditions>: <outcome>, amount <expression>"; None for any other text."""
    match = _STATED.match(text.strip().rstrip("."))
    return _rule(match[1], match[2], match[3] or "", topic) if match else None


def _first(row: dict, keys: tuple[str, ...]) -> str:
    return next((str(row[k]).strip() for k in keys if isinstance(row.get(k), str | int)), "")


def _rule(when: str, outcome: str, amount: str, topic: str) -> CaseRule | None:
    when = " ".join(when.split())
    conditions = []
    for part in _SPLIT.split(when):
        if (condition := _condition(part)) is None:
            return None
        conditions.append(condition)
    return CaseRule(tuple(conditions), outcome.strip(), amount.strip(), topic, when)


def _condition(text: str) -> Condition | None:
    name, found, rest = text.strip().partition(" is ")
    name, rest = name.strip().lower(), rest.strip()
    if not found or not name or not rest:
        return None
    if rest in _UNARY:
        return Condition(name, "missing" if rest == "unknown" else rest)
    for how in _HOW:
        if rest.startswith(how):
            if how == "not " and rest[4:] in _UNARY:
                return Condition(name, "missing" if rest[4:] == "known" else "known")
            return Condition(name, how.strip(), rest[len(how) :].strip())
    return Condition(name, "", rest)


# --- judging --------------------------------------------------------------------------------------


def holds(rule: CaseRule, fields: Fields) -> bool:
    """Whether every condition holds. `fields`: the value of a field by its words; None if missing."""
    return all(_true(condition, fields) for condition in rule.conditions)


def _true(condition: Condition, fields: Fields) -> bool:
    value = fields(condition.field)
    if condition.how in _UNARY:
        gone = (
            value is None or value.casefold() == "missing"
        )  # a word that a field may hold as well
        return gone == (condition.how == "missing")
    if value is None:
        return False
    other = value_of(condition.other, fields)
    how = f"{condition.how} "
    if not condition.how or condition.how == "not":
        return same(value, other) != (condition.how == "not")
    left, right = _comparable(value, other)
    if left is None or right is None:
        return False
    if how in _OVER:
        return left > right
    if how in _UNDER:
        return left < right
    return left >= right if condition.how == "at least" else left <= right


def value_of(words: str, fields: Fields) -> str:
    """The value of the field with these words, or the words themselves."""
    found = fields(words.lower())
    return words if found is None else found


def same(one: str, other: str) -> bool:
    """Whether two values are equal: as numbers to the hundredth, else as text."""
    left, right = number(one), number(other)
    if left is not None and right is not None:
        return round(left, 2) == round(right, 2)
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _comparable(one: str, other: str) -> tuple:
    left, right = number(one), number(other)
    if left is None or right is None:
        left, right = moment(one), moment(other)
    return left, right


def number(text: str) -> Decimal | None:
    """The number that a value states, a currency beside it left out; None for anything else."""
    match = _NUMBER.match(text.strip()) if len(text) <= 40 else None
    if not match or moment(text):
        return None
    try:
        return Decimal(match[1].replace(",", ""))
    except InvalidOperation:
        return None


# --- amounts --------------------------------------------------------------------------------------

_STEP = re.compile(r" (plus|minus|times|divided by|[+*/-]) ")
_CENT = Decimal("0.01")
_SHARE = re.compile(r"(half|\d{1,3}(?:\.\d+)? ?(?:percent|per cent|%))(?: of)? (?:the )?(.+)")


def amount_of(expression: str, fields: Fields) -> str:
    """The amount of an expression over fields ("fee times days late"), worked out from left to right.

    "" where there is none, or where a field in it is not known. With cents if anything in it has them.
    """
    if not expression.strip():
        return ""
    first, *rest = _STEP.split(f"{expression.strip()}")
    total = _operand(first, fields)
    for sign, text in zip(rest[::2], rest[1::2], strict=True):
        value = _operand(text, fields)
        if total is None or value is None:
            return ""
        if sign in ("plus", "+"):
            total += value
        elif sign in ("minus", "-"):
            total -= value
        elif sign in ("times", "*"):
            total *= value
        elif value:
            total /= value
        else:
            return ""
    return "" if total is None else money(total)


def money(value: Decimal) -> str:
    """ "49.90"; "12" for a whole number without cents."""
    whole = value == value.to_integral_value() and value.as_tuple().exponent >= 0
    return str(int(value)) if whole else str(value.quantize(_CENT, ROUND_HALF_UP))


def _operand(text: str, fields: Fields) -> Decimal | None:
    text = text.strip().lower()
    value = fields(text)
    if value is not None:
        return number(value)
    if match := _SHARE.fullmatch(text):
        whole = _operand(match[2], fields)
        share = Decimal(50) if match[1] == "half" else Decimal(re.match(r"[\d.]+", match[1])[0])
        return None if whole is None else whole * share / 100
    return number(text)


# --- why ------------------------------------------------------------------------------------------


def reason_of(rule: CaseRule, fields: Fields) -> str:
    """The conditions of a rule with the values on which they hold."""
    said = []
    for condition in rule.conditions:
        value = fields(condition.field)
        if value is None or condition.how == "missing":
            said.append(f"{condition.field} is missing")
        elif not condition.how and fields(condition.other.lower()) is not None:
            said.append(f"{condition.field} is {value}, the same as {condition.other.lower()}")
        elif condition.how in ("", "known"):
            said.append(f"{condition.field} is {value}")
        else:
            said.append(
                f"{condition.field} is {value}, {condition.how} {value_of(condition.other, fields)}"
            )
    return " and ".join(said)


def fields_of(rules: Collection[CaseRule]) -> set[str]:
    """Every field that a rule may want: in conditions and in amounts."""
    found = {name.lower() for rule in rules for name in rule.fields}
    for rule in rules:
        for text in _STEP.split(f"{rule.amount.lower()}"):
            match = _SHARE.fullmatch(text.strip())
            found |= {text.strip(), match[2] if match else ""}
    return found - {"", "plus", "minus", "times", "divided by", "+", "-", "*", "/"}
