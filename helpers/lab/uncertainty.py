"""How sure a measured figure is: an interval for a share, a curve through points."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist


def wilson(hits: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for the share that `hits` of `trials` stand for, both ends in 0..1.

    Unlike the plus-minus of a normal curve it stays inside 0..1 and has a width at 0 of 10 too.
    ValueError unless 0 <= hits <= trials and there is a trial.
    """
    if not 0 <= hits <= trials or trials < 1:
        raise ValueError(f"{hits} of {trials} is no share")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, z2 = hits / trials, z * z / trials
    middle = share + z2 / 2
    spread = z * sqrt(share * (1 - share) / trials + z2 / (4 * trials))
    # rounding may not push an end past the share itself, or out of 0..1
    low, high = (middle - spread) / (1 + z2), (middle + spread) / (1 + z2)
    return max(0.0, min(share, low)), min(1.0, max(share, high))


@dataclass(frozen=True)
class Fit:
    """`y = slope * x + bend * x * x` by least squares; the errors are standard errors."""

    slope: float
    slope_error: float
    bend: float
    bend_error: float

    def at(self, x: float) -> float:
        return self.slope * x + self.bend * x * x


def fit(x: Sequence[float], y: Sequence[float]) -> Fit:
    """The curve through the origin with a straight and a square part; three points or more."""
    import numpy

    if len(x) != len(y) or len(set(x)) < 3:
        raise ValueError("a curve with two parts needs three points or more")
    columns = numpy.column_stack([x, numpy.square(x)]).astype(float)
    found, *_ = numpy.linalg.lstsq(columns, numpy.asarray(y, float), rcond=None)
    rest = numpy.asarray(y, float) - columns @ found
    spread = rest @ rest / (len(x) - 2)
    errors = numpy.sqrt(numpy.diag(spread * numpy.linalg.inv(columns.T @ columns)))
    return Fit(float(found[0]), float(errors[0]), float(found[1]), float(errors[1]))
