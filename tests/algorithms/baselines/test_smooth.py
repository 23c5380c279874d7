"""The Gaussian blur, against its definition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from duramen.algorithms.baselines.smooth import blur


def by_definition(values: list[float], radius: int, deviation: float) -> list[float]:
    result = []
    for i in range(len(values)):
        near = range(max(0, i - radius), min(len(values), i + radius + 1))
        weights = [math.exp(-((k - i) ** 2) / (2 * deviation**2)) for k in near]
        result.append(sum(w * values[k] for w, k in zip(weights, near)) / sum(weights))
    return result


@pytest.mark.parametrize("length", [1, 2, 3, 5, 40, 200])
@pytest.mark.parametrize(("radius", "deviation"), [(1, 1.0), (2, 1.0), (7, 3.5), (500, 40.0)])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_it_is_the_weighted_mean_of_the_neighbours(length: int, radius: int, deviation: float, kind: Any) -> None:
    values = np.random.default_rng(length).random(length).astype(kind)
    blurred = blur(values, radius, deviation)
    assert blurred.dtype == kind
    expected = by_definition(values.tolist(), radius, deviation)
    assert blurred == pytest.approx(expected, abs=1e-5 if kind == np.float32 else 1e-12)


def test_what_is_even_stays_even_up_to_the_ends() -> None:
    assert blur(np.ones(100), 40, 20.0) == pytest.approx(np.ones(100))


def test_nothing_stays_nothing() -> None:
    assert len(blur(np.zeros(0), 3, 1.0)) == 0


def test_the_values_themselves_are_left_alone() -> None:
    values = np.array([1.0])
    assert blur(values, 1, 1.0) is not values
