"""Layers of a dense network, in C where they are compiled: no threads, and the same sums in the same order everywhere.

Values have one row a block and one column a unit; both are filled up to multiples of eight. This file compiles to C,
with the types in `dense.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

Floats = NDArray[np.float32]

EIGHT = 8  # numbers of units and blocks are multiples of this
SIDE_BY_SIDE = 16  # sums for the mean of a whole page

if not cython.compiled:
    from duramen.measure.buffers import doubles, ints

    new_doubles = doubles

    def new_floats(array: Any, size: int) -> Any:
        """The buffer of an array of `size` entries."""
        return array.reshape(size).data

    def fill_first(
        table: Any, rows: Any, bounds: Any, weights: Any, biases: Any, space: Any, used: Any, out: Any, bent: bool
    ) -> int:
        """Cut off the features at both ends, and fill in the first layer."""
        values = np.zeros((len(out), len(rows)), dtype=np.float32)
        np.clip(table[rows], bounds[0][:, None], bounds[1][:, None], out=values[: table.shape[1]].T)
        return fill_layer(weights, biases, values, out, 0, bent)

    def fill_layer(weights: Any, biases: Any, values: Any, out: Any, at: int, bent: bool) -> int:
        """Fill in values × weights + biases, with what is below zero cut off where it is `bent`."""
        flat = weights[:, at : at + values.shape[1]].transpose(1, 0, 2).reshape(values.shape[1], -1)
        np.matmul(values, flat, out=out)
        out += biases
        if bent:
            np.maximum(out, 0, out=out)
        return 0

    def add_up(values: Any, share: Any, numbers: Any, lanes: Any, out: Any) -> int:
        """Add the shares of the values of each block to the sums of its number."""
        np.add.at(out, numbers, values[: len(numbers)] * share[:, None])
        return 0

    def add_parts(total: Any, parts: Any, numbers: Any, bent: bool) -> int:
        """Add to each block what was found for its part."""
        some = total[: len(numbers)]
        some += parts[numbers]
        if bent:
            np.maximum(some, 0, out=some)
        return 0


def padded(count: int) -> int:
    """So many units or blocks, filled up."""
    return -(-count // EIGHT) * EIGHT


def grouped(weights: Floats) -> Floats:
    """Weights (inputs × units) as layers read them: groups of eight units, zeros for those that there are not."""
    whole = np.zeros((len(weights), padded(weights.shape[1])), dtype=np.float32)
    whole[:, : weights.shape[1]] = weights
    return np.ascontiguousarray(whole.reshape(len(weights), -1, EIGHT).transpose(1, 0, 2))


def first(table: Any, rows: Any, bounds: Any, weights: Any, biases: Any, out: Any, bent: bool) -> int:
    """Fill in a layer over some rows of a table of features, each cut off at both `bounds`.

    The results have one row for each column of the table, and what they are filled up with.
    """
    space = np.empty((len(rows), EIGHT), dtype=np.float32)
    return fill_first(table, rows, bounds, weights, biases, space, np.empty(len(rows), dtype=np.int32), out, bent)


def layer(weights: Any, biases: Any, values: Any, out: Any, at: int, bent: bool) -> int:
    """Fill in one row a block: its values times the weights of the inputs from number `at` on, and the biases."""
    return fill_layer(weights, biases, values, out, at, bent)


def pool(values: Any, weight: Any, numbers: Any, count: int) -> Floats:
    """Weighted means over blocks of the same number below `count`: one row a number, and what they are filled up with."""
    blocks = len(numbers)
    totals, shares = np.zeros(count), np.empty(blocks, dtype=np.float32)
    each, which = doubles(weight, blocks), ints(numbers, blocks)
    total, share = new_doubles(totals, count), new_floats(shares, blocks)
    for k in range(blocks):
        if not 0 <= which[k] < count:
            raise IndexError("there is no such part")
        total[which[k]] += each[k]
    for k in range(blocks):
        share[k] = each[k] / total[which[k]]
    found = np.zeros((padded(count), values.shape[1]), dtype=np.float32)
    lanes = np.zeros((SIDE_BY_SIDE, values.shape[1]), dtype=np.float32) if count == 1 else None
    add_up(values, shares, numbers, lanes, found)
    return found


def add_means(total: Any, means: Any, numbers: Any, bent: bool) -> int:
    """Add to each block what was found for its part of the page; what is below zero is cut off where it is `bent`."""
    return add_parts(total, means, numbers, bent)
