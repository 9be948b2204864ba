"""Does a text that should be a fact read like an instruction or a grant? By its features alone.

Not one word decides, but what stands together in one sentence: money and "approved in advance",
a moment to wait for and something to be paid then, a check and that nobody need make it. A sentence
about a refund that arrived has one of these, an order to the next agent has two or three.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .folding import fold
from .lexicon import concepts, points_back
from .phrases import clauses
from .readings import decodings, hidden, readings, set_apart
from .weights import ALONE, FRAMES, TOGETHER

HELD = 1.0  # the score from which a text is held back
_ALMOST = 0.9  # what tells of money that was paid does not reach it by speaking of a grant
_LAST = 5  # earlier texts that are read together with a new one
_SHORT = 8  # words of a sentence that only says who speaks
_MOST = 20_000  # characters of a text that are looked at


@dataclass(frozen=True)
class Suspicion:
    """score: 0 for none, from 1.0 it is held back. features: names; reasons: one sentence each."""

    score: float
    features: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.score >= HELD


def suspicious(text: str, *, before: Iterable[str] = ()) -> Suspicion:
    """What in the text speaks for an instruction to the agent or for a grant.

    before: earlier texts of the same customer (notes, turns), oldest first: an attack may be split
    over several, and is read together with them. Pure. TypeError: not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a string, and this is a {type(text).__name__}")
    alone = _judged(text[:_MOST])
    earlier = [said for said in before if isinstance(said, str)][-_LAST:]
    if alone or not earlier:
        return alone
    return max([alone, *(_together(said[:_MOST], text[:_MOST]) for said in earlier)], key=_score)


def reads_like_instruction(text: str, *, before: Iterable[str] = ()) -> bool:
    """Whether the text is to be held back (quarantined) instead of stored as a fact."""
    return bool(suspicious(text, before=before))


def _score(found: Suspicion) -> float:
    return found.score


def _judged(text: str) -> Suspicion:
    """A text in itself, in all its readings."""
    found = [_read(text)]
    for name, reading in readings(text).items():
        other = _read(reading)
        if other.score >= HELD > found[0].score:
            reason = f"It can be read in another way: {name}."
            found.append(Suspicion(other.score, (name, *other.features), (reason, *other.reasons)))
    features = {f"it {name}": HELD for name in hidden(text)}
    if set_apart(text):
        features["it has its letters set apart"] = HELD
    if decodings(text):
        features["it is written in a code"] = HELD
    found.append(_suspicion(features))
    return max(found, key=_score)


def _suspicion(features: dict[str, float]) -> Suspicion:
    reasons = tuple(f"{name[0].upper()}{name[1:]}." for name in features)
    return Suspicion(round(_total(features), 2), tuple(features), reasons)


def _read(text: str) -> Suspicion:
    """One reading: the frames in it, and its strongest sentence."""
    small = fold(text).text.lower()
    frames = {f"it {reason}": HELD for pattern, reason in FRAMES if pattern.search(small)}
    found = [(clause, concepts(clause)) for clause in clauses(text)]
    # who speaks is often said in a short sentence before
    speaks = any("authority" in said and clause.count(" ") <= _SHORT + 1 for clause, said in found)
    speaker = {"authority"} if speaks else set()
    sentences = [_sentence(clause, said | speaker, speaker) for clause, said in found]
    strongest = max(sentences, key=_total, default={})
    return _suspicion({**frames, **strongest})


def _sentence(clause: str, found: frozenset[str], speaker: Iterable[str]) -> dict[str, float]:
    """What one sentence weighs. Parts that tell of what is over do not count, unless what is left
    of it points back to them ("do the same for ...")."""
    features, damped = _features(found), _damped(found)
    rest = _unfinished(clause) if _total(features) >= HELD else clause
    if rest == clause:
        return damped
    left = concepts(rest) if rest.strip() else frozenset()
    if damped != features and "every" not in left:
        return damped
    alone = _features(left.union(speaker)) if left else {}
    return max(alone, features if points_back(rest) else {}, key=_total)


def _total(features: dict[str, float]) -> float:
    return sum(features.values())


def _unfinished(clause: str) -> str:
    """A sentence without the parts that tell of money that was paid, or that end a case."""
    parts = [f" {part.strip()} " for part in re.split(_JOINT, clause)]
    kept = [part for part in parts if not _is_over(concepts(part))]
    return clause if len(kept) == len(parts) else "".join(kept).replace("  ", " ")


def _is_over(found: frozenset[str]) -> bool:
    paid = "settled" in found and not found & _WANTS
    told = "told" in found and not found & (_WANTS | _GENERAL)
    return paid or told or ("ending" in found and found <= _HARMLESS_WITH_ENDING)


_JOINT = r" , | (?=(?:so|and|but|then|which|because|since) )"


def _features(found: frozenset[str]) -> dict[str, float]:
    """What concepts that stand together weigh, by the reason."""
    features: dict[str, float] = {}
    for names, weight, reason in [*ALONE, *TOGETHER]:
        if found.issuperset(names):
            features[f"it {reason}"] = features.get(f"it {reason}", 0.0) + weight
    return features


def _damped(found: frozenset[str]) -> dict[str, float]:
    """The same; what tells of money that was paid, or that a person decides, is not held back."""
    features = _features(found)
    for cue, said, wants in (
        ("settled", "tells of money that was paid", _WANTS),
        ("affirm", "says that a person has to allow it", _WANTS - {"must"}),
    ):
        if cue in found and not found & wants and _total(features) > _ALMOST:
            return {f"it {said}": _ALMOST}
    return features


_WANTS = set("order must trigger rules obey act trust leak play notes speak silence level".split())
_WANTS.add("no check")
_GENERAL = set("every many history precedent redirect grant approval".split())
_HARMLESS_WITH_ENDING = set(
    "ending settled told money order agent act must scope every many whole".split()
)


# ---------------------------------------------------------------- an attack in two parts

_GOES_ON = re.compile(r"\s*(?:[a-zà-ÿ]|and\b|but\b)")
_EVERYDAY = set(
    """about after also approved because been before customer door find from have house mean means
    name note number order orders parcel parcels people please refund refunds remember says that
    them then they this what when where which will with word words would write your""".split()
)


def _together(said: str, text: str) -> Suspicion:
    """A text and an earlier one as a whole, when one of them is made to be put together: both are
    pieces, one gives a meaning to a word of the other, or the later goes on in small letters."""
    first, second = (_all(clauses(part)) for part in (said, text))
    pieces = "piece" in first and "piece" in second
    defined = "define" in first | second and _words(said) & _words(text)
    if not second - {"define", "piece"} or not (pieces or defined or _GOES_ON.match(text)):
        return _suspicion({})
    joined = [concepts(clause) for clause in clauses(f"{said.rstrip(' .')} {text}")]
    if pieces or defined:
        joined.append(first | second | {"define"})
    best = max(joined, key=_weight, default=frozenset())
    if _weight(best) <= max(map(_weight, map(concepts, clauses(said))), default=0.0):
        return _suspicion({})
    found = _suspicion(_damped(best))
    reason = "Together with an earlier text it reads like an instruction."
    return Suspicion(found.score, found.features, (reason, *found.reasons))


def _words(text: str) -> set[str]:
    """Words and numbers that could be given a meaning of their own."""
    words = set(" ".join(clauses(text)).split())
    return {word for word in words if len(word) > 3 or word.isdigit()} - _EVERYDAY


def _all(said: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(concepts, said))


def _weight(found: frozenset[str]) -> float:
    return _total(_damped(found))
