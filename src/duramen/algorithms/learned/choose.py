"""Probabilities → the set of blocks with the highest expected F1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from duramen.page import BoolArray, FloatArray


class Choice(NamedTuple):
    """Which blocks were taken, from which probability on, and the F1 that is expected of them."""

    taken: BoolArray
    threshold: float
    expected: float


def choose(probability: FloatArray, words: FloatArray, low: float, high: float, beta: float = 1.0) -> Choice:
    """The blocks from the threshold on that maximises the expected F-measure, kept between `low` and `high`.

    A block of n words and probability p holds p·n words of the content. `beta` above 1 favours recall.
    """
    order = np.argsort(-probability, kind="stable")
    ranked, sizes = probability[order], words[order]
    found, taken = np.cumsum(ranked * sizes), np.cumsum(sizes)
    whole = float(found[-1]) if len(found) else 0.0
    if whole <= 0:
        return Choice(np.zeros(len(probability), dtype=np.bool_), high, 0.0)
    square = beta * beta
    measure = (1 + square) * found / (taken + square * whole)
    threshold = float(np.clip(ranked[int(np.argmax(measure))], low, high))
    chosen: BoolArray = probability >= threshold
    size = float(words[chosen].sum())
    expected = 2 * float((probability * words)[chosen].sum()) / (size + whole)
    return Choice(chosen, threshold, expected)
