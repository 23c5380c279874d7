"""Probabilities → the set of blocks with the highest expected F1.

This file compiles to C, with the types in `choose.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import numpy as np

from duramen.page import Blocks, BoolArray, FloatArray, Page

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.measure.buffers import doubles, ints, longs, new_doubles, new_octets

    SHIFTS = 7

# Blocks of a page are right or wrong together: a whole list is content or none of it is. So each is taken for surer
# than its probability says (log-odds count twice), and all of a page for likelier or less likely at once, by a shift of
# their log-odds that is normal with a spread of 4. These are the nodes of a Gaussian quadrature over the shift, as
# factors of odds, and their weights.
_FACTORS = memoryview(array("d", [3.05365e-07, 7.73602e-05, 0.00987626, 1, 101.253, 12926.5, 3.27477e06]))
_CHANCES = memoryview(array("d", [0.000548269, 0.0307571, 0.240123, 0.457143, 0.240123, 0.0307571, 0.000548269]))


class Choice(NamedTuple):
    """Which blocks were taken, from which probability on, and the F1 that is expected of them."""

    taken: BoolArray
    threshold: float
    expected: float


def choose(
    probability: FloatArray, words: FloatArray, low: float, high: float, beta: float = 1.0, least: float = 0.0
) -> Choice:
    """The blocks from the threshold on that maximises the expected F-measure, kept between `low` and `high`.

    `beta` above 1 favours recall. Where no block is as likely as `least`, none is taken.
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
    room = np.empty((4, count))
    odds, size = new_doubles(room[0], count), new_doubles(room[1], count)
    likely, measures = new_doubles(room[2], count), new_doubles(room[3], count)
    for k in range(count):
        if not 0 <= order[k] < count:
            raise IndexError("there is no such block")
        chance = min(probability[order[k]], 1 - 1e-9)
        even = chance / (1 - chance)
        odds[k] = even * even
        size[k] = words[order[k]]
    expect(odds, size, count, square, likely, measures)
    best, threshold, last = 0.0, high, -1
    for k in range(count):
        if measures[k] > best:
            best, threshold = measures[k], probability[order[k]]
    threshold = min(max(threshold, low), high)
    for k in range(count):
        if probability[order[k]] >= threshold:
            taken[order[k]] = 1
            last = k
    if square != 1:
        expect(odds, size, count, 1.0, likely, measures)
    return threshold, measures[last] if last >= 0 else 0.0


def expect(odds: Any, size: Any, count: int, square: float, likely: Any, measures: Any) -> int:
    """What F-measure is expected of the first block alone, of the first two, and so on."""
    for k in range(count):
        measures[k] = 0
    for number in range(SHIFTS):
        factor, chance = _FACTORS[number], _CHANCES[number]
        whole = found = total = 0.0
        for k in range(count):
            even = odds[k] * factor
            likely[k] = even / (1 + even) * size[k]
        for k in range(count):
            whole += likely[k]
        for k in range(count):
            found += likely[k]
            total += size[k]
            if found > 0:
                measures[k] += chance * (1 + square) * found / (total + square * whole)
    return 0


def take_heading(page: Page, blocks: Blocks, tag: int, probabilities: Any, least: float, marks: Any) -> bool:
    """Mark the likeliest block in a heading of this tag above those taken, from a probability on, where none is taken.

    Returns whether there is one.
    """
    count, texts, length = len(probabilities), len(blocks.rows), len(page)
    at, rows, probability = ints(blocks.at, count + 1), ints(blocks.rows, texts), doubles(probabilities, count)
    tags, parent, taken = ints(page.tag, length), ints(page.parent, length), new_octets(marks, count)
    likeliest, begun = -1, False
    for k in range(count):
        begun = begun or taken[k] != 0
        if not 0 <= at[k] < texts or not 0 <= rows[at[k]] < length or not 0 <= parent[rows[at[k]]] < length:
            raise IndexError("a block outside of the page")
        if tags[parent[rows[at[k]]]] == tag:
            if taken[k]:
                return False
            if not begun and (likeliest < 0 or probability[k] > probability[likeliest]):
                likeliest = k
    if not begun or likeliest < 0 or probability[likeliest] < least:
        return False
    taken[likeliest] = 1
    return True
