"""Probabilities → the set of blocks with the highest expected F1.

This file compiles to C, with the types in `choose.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duramen.page import BoolArray, FloatArray

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.measure.buffers import doubles, longs, new_octets


class Choice(NamedTuple):
    """Which blocks were taken, from which probability on, and the F1 that is expected of them."""

    taken: BoolArray
    threshold: float
    expected: float


def choose(
    probability: FloatArray, words: FloatArray, low: float, high: float, beta: float = 1.0, least: float = 0.0
) -> Choice:
    """The blocks from the threshold on that maximises the expected F-measure, kept between `low` and `high`.

    A block of n words and probability p holds p·n words of the content. `beta` above 1 favours recall. Where no block
    is as likely as `least`, none is taken.
    """
    taken = np.zeros(len(probability), dtype=np.bool_)
    order = (-probability).argsort(kind="stable").astype(np.int64, copy=False)
    if not len(order) or float(probability[order[0]]) < least:
        return Choice(taken, high, 0.0)
    threshold, expected = take(order, probability, words, low, high, beta * beta, taken)
    return Choice(taken, threshold, expected)


def take(
    descending: Any, probabilities: Any, sizes: Any, low: float, high: float, square: float, marks: Any
) -> tuple[float, float]:
    """Mark the blocks to take; returns the threshold and the F1 that is expected."""
    count = len(descending)
    order, taken = longs(descending, count), new_octets(marks, count)
    probability, words = doubles(probabilities, count), doubles(sizes, count)
    whole = found = size = best = 0.0
    threshold = high
    for k in range(count):
        if not 0 <= order[k] < count:
            raise IndexError("there is no such block")
        whole += probability[k] * words[k]
    if whole > 0:
        for k in range(count):
            found += probability[order[k]] * words[order[k]]
            size += words[order[k]]
            measure = (1 + square) * found / (size + square * whole)
            if measure > best:
                best, threshold = measure, probability[order[k]]
        threshold = min(max(threshold, low), high)
        found = size = 0
        for k in range(count):
            if probability[k] >= threshold:
                taken[k] = 1
                found += probability[k] * words[k]
                size += words[k]
    return threshold, 2 * found / (size + whole) if whole > 0 else 0.0
