"""Which notes answer a query: close in meaning, or with its words, ids and dates.

score = cosine of the vectors + up to WORDS for the share of the query's words that a note has, rare
words weighing more + ID for each id and DATE for each date that both name. A query that speaks of the last
time ("again", "as before") gives the newest notes up to LAST more.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log

from .vectors import DIMENSIONS
from .wording import is_date, is_id, same, tokens

WORDS, ID, DATE, LAST = 0.5, 1.0, 0.6, 0.2
FEW = 20
FLOOR = 0.1  # a lower score is no answer; without vectors every word counts
_LAST = re.compile(
    r"\b(?:last time|last case|last order|again|as before|like before|same (?:problem|issue|thing)|"
    r"previous(?:ly)?|most recent|latest|earlier|the other day)\b"
)


@dataclass
class Index:
    """Notes as arrays, in the order of their numbers; `words` has the places of each token."""

    numbers: object
    matrix: object  # len x 256, float32; None without vectors
    expires: object  # seconds since 1970; inf for never
    age: object  # 0 for the oldest note to 1 for the newest
    words: dict[str, object] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        numbers: Sequence[int],
        vectors: Sequence[bytes] | None,
        expires: Sequence[float],
        written: Sequence[float],
        found_by: Iterable[Iterable[str]],
    ) -> "Index":
        """written: seconds since 1970. found_by: the tokens of each note."""
        import numpy as np

        n = len(numbers)
        places = defaultdict(list)
        for place, some in enumerate(found_by):
            for token in some:
                places[token].append(place)
        matrix = None
        if vectors is not None:
            matrix = (
                np.frombuffer(b"".join(vectors), "<f4").reshape(n, DIMENSIONS).astype(np.float32)
            )
        age = np.empty(n, np.float32)
        age[np.lexsort((np.asarray(numbers), np.asarray(written)))] = np.linspace(0, 1, n)
        return cls(
            np.asarray(numbers, np.int64),
            matrix,
            np.asarray(expires, np.float64),
            age,
            {token: np.asarray(some, np.int64) for token, some in places.items()},
        )


@dataclass(frozen=True)
class Query:
    """What is asked: its tokens, its vector (None where there are none), whether it speaks of the
    last time."""

    words: frozenset[str]
    named: frozenset[str]  # ids and dates
    vector: object
    last: bool

    @classmethod
    def of(cls, text: str, vector=None) -> "Query":
        found = tokens(text, query=True)
        named = frozenset(token for token in found if is_id(token) or is_date(token))
        return cls(frozenset(found - named), named, vector, bool(_LAST.search(same(text))))


def rank(index: Index, query: Query, now: float, k: int) -> list[tuple[int, float]]:
    """(number, score) of the k best notes that have not expired, the best first.

    now: seconds since 1970. Of equal scores the newer wins.
    """
    import numpy as np

    n = len(index.numbers)
    if not n:
        return []
    if query.vector is None or index.matrix is None:
        scores, floor = np.zeros(n, np.float32), 1e-6
    else:
        scores, floor = index.matrix @ query.vector, FLOOR
    _add_words(scores, index, query)
    if query.last:
        scores += LAST * index.age
    gone = index.expires <= now
    if gone.any():
        scores[gone] = -1
    least = max(floor, _kth(scores, k) - 0.0005) if k < n else floor
    best = np.flatnonzero(scores >= least)
    rounded = np.round(scores[best].astype(np.float64), 3)
    order = np.lexsort((-index.numbers[best], -rounded))[:k]
    return [(int(index.numbers[best[i]]), float(rounded[i])) for i in order]


def _add_words(scores, index: Index, query: Query) -> None:
    n = len(scores)
    for token in query.named:
        if (places := index.words.get(token)) is not None:
            scores[places] += DATE if is_date(token) else ID
    weights = {t: 1 + log((1 + n) / (1 + len(index.words.get(t, ())))) for t in query.words}
    whole = 1 + sum(weights.values())
    for token, weight in weights.items():
        if (places := index.words.get(token)) is not None:
            scores[places] += WORDS * weight / whole


def _kth(scores, k: int) -> float:
    """The k-th highest score. For a few it is quicker to take the highest away k times."""
    import numpy as np

    if k > FEW:
        return np.partition(scores, len(scores) - k)[len(scores) - k]
    left = scores.copy()
    for _ in range(k):
        best = left.argmax()
        least, left[best] = left[best], -np.inf
    return least
