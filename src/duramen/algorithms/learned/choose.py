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
    from duramen.measure.buffers import doubles, further, further_doubles, ints, new_doubles, new_ints, new_octets, room

    SHIFTS = 7
    RUN = 8  # blocks that are put in order one by one before runs are merged
    # A page of which fewer words than this are expected to be content, and less than one in so many, has none: it is a
    # shell, a menu (chosen on wcxb dev).
    FEW_WORDS, ONE_IN = 6, 20

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

    `beta` above 1 favours recall. Where no block is as likely as `least`, or all of them together promise only a few
    words of a page that has many, none is taken; a `least` of 0 takes both rules away.
    """
    taken = np.zeros(len(probability), dtype=np.bool_)
    threshold, expected = take(probability, words, low, high, beta * beta, least, taken)
    return Choice(taken, threshold, expected)


def take(
    probabilities: Any, sizes: Any, low: float, high: float, square: float, least: float, marks: Any
) -> tuple[float, float]:
    """Mark the blocks to take; returns the threshold and the F1 that is expected."""
    count = len(probabilities)
    probability, words, taken = doubles(probabilities, count), doubles(sizes, count), new_octets(marks, count)
    stores = room(8 * count), room(32 * count)
    order = sort_down(probability, count, new_ints(stores[0], 2 * count))
    if count == 0 or probability[order[0]] < least or (least > 0 and promises_little(probability, words, count)):
        return high, 0.0
    odds = new_doubles(stores[1], 4 * count)
    size, likely = further_doubles(odds, count), further_doubles(odds, 2 * count)
    measures = further_doubles(odds, 3 * count)
    for k in range(count):
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


def promises_little(probability: Any, words: Any, count: int) -> bool:
    """Whether hardly any word of the page is expected to be content."""
    likely = total = 0.0
    for k in range(count):
        likely += probability[k] * words[k]
        total += words[k]
    return likely < FEW_WORDS and likely * ONE_IN < total


def sort_down(probability: Any, count: int, orders: Any) -> Any:
    """The numbers of blocks, the likeliest first and equals as they stand; `orders` has room for all of them twice."""
    order, other = orders, further(orders, count)
    for start in range(0, count, RUN):
        for k in range(start, min(start + RUN, count)):
            at = k
            while at > start and probability[order[at - 1]] < probability[k]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = k
    size = RUN
    while size < count:
        stop = 0
        while stop < count:
            start, middle = stop, min(stop + size, count)
            one, two, stop = start, middle, min(middle + size, count)
            for k in range(start, stop):
                if one < middle and (two == stop or probability[order[one]] >= probability[order[two]]):
                    other[k] = order[one]
                    one += 1
                else:
                    other[k] = order[two]
                    two += 1
        order, other = other, order
        size *= 2
    return order


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
