"""How sure a figure is: resampling of pages, paired where two extractors saw the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from duramen.page import FloatArray

RESAMPLES = 1000
LEVEL = 0.95
_AT_ONCE = 4_000_000  # numbers drawn at a time, so that memory stays small


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and the interval that holds it in 95 of 100 resamples."""

    value: float
    low: float
    high: float

    def excludes_zero(self) -> bool:
        """Whether a difference is beyond chance."""
        return self.low > 0 or self.high < 0


def resampled_means(values: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> FloatArray:
    """The means of `resamples` samples with replacement; along axis 0, pages. The same seed draws the same pages."""
    table = np.asarray(values, dtype=np.float64)
    count, generator = len(table), np.random.default_rng(seed)
    if not count:
        return np.full((resamples, *table.shape[1:]), np.nan)
    drawn: list[FloatArray] = []
    step = max(1, _AT_ONCE // count)
    for first in range(0, resamples, step):
        # How often each page is drawn, times the pages' values: no copy of the values for every resample.
        rows = min(step, resamples - first)
        pick = generator.integers(count, size=(rows, count)) + np.arange(rows)[:, None] * count
        times = np.bincount(pick.ravel(), minlength=rows * count).reshape(rows, count)
        drawn.append(times @ table / count)
    return np.concatenate(drawn)


def interval(value: float, resampled: ArrayLike, level: float = LEVEL) -> Interval:
    """The middle `level` of resampled figures."""
    low, high = np.quantile(np.asarray(resampled), [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high))


def paired_bootstrap(
    one: Sequence[float], other: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """The mean difference of two extractors on the same pages, with its interval."""
    if len(one) != len(other):
        raise ValueError(f"paired scores have the same pages: {len(one)} and {len(other)} differ")
    difference = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    if not len(difference):
        return Interval(0.0, 0.0, 0.0)
    return interval(float(difference.mean()), resampled_means(difference, resamples=resamples, seed=seed))
