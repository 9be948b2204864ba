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


def rank(index: Index, query: str, vector, now: float, k: int) -> list[tuple[int, float]]:
    """(number, score) of the k best notes that have not expired, the best first.

    vector: of the query, None for none. now: seconds since 1970. Of equal scores the newer wins.
    """
    import numpy as np

    n = len(index.numbers)
    if not n:
        return []
    if vector is None or index.matrix is None:
        scores, floor = np.zeros(n, np.float32), 1e-6
    else:
        scores, floor = index.matrix @ vector, FLOOR
    for places, weight in _bonuses(index, query, n):
        scores[places] += weight
    if _LAST.search(same(query)):
        scores += LAST * index.age
    gone = index.expires <= now
    if gone.any():
        scores[gone] = -1
    least = max(floor, np.partition(scores, n - k)[n - k]) if k < n else floor
    best = np.flatnonzero(scores >= least)
    order = np.lexsort((-index.numbers[best], -np.round(scores[best], 4)))[:k]
    return [(int(index.numbers[i]), round(float(scores[i]), 3)) for i in best[order]]


def _bonuses(index: Index, query: str, n: int):
    found = tokens(query, query=True)
    weights = {}
    for token in found:
        places = index.words.get(token, ())
        if is_date(token):
            weights[token] = DATE
        elif is_id(token):
            weights[token] = ID
        else:
            weights[token] = 1 + log((1 + n) / (1 + len(places)))
    whole = sum(w for token, w in weights.items() if not (is_date(token) or is_id(token)))
    for token, weight in weights.items():
        places = index.words.get(token)
        if places is None:
            continue
        if not (is_date(token) or is_id(token)):
            weight *= WORDS / (whole + 1)
        yield places, weight
