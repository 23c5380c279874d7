"""A layer of a dense network, in C where it is compiled: no threads, and the same sums in the same order everywhere.

This file compiles to C, with the types in `dense.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

PADDED = 16  # the number of columns is a multiple of this

if not cython.compiled:

    def dense(weights: Any, at: int, biases: Any, values: Any, out: Any, bent: bool) -> int:
        """Fill in weights × values + biases, with what is below zero cut off where it is `bent`."""
        values, found = np.asarray(values), np.asarray(out)
        np.matmul(np.asarray(weights)[:, at : at + len(values)], values, out=found)
        found += np.asarray(biases)[:, None]
        if bent:
            np.maximum(found, 0, out=found)
        return 0

    def clip(table: Any, row: int, low: float, high: float, out: Any, number: int) -> int:
        """One row, cut off at both ends."""
        values = np.asarray(table)[row]
        np.clip(values, np.float32(low), np.float32(high), out=np.asarray(out)[number, : len(values)])
        return 0

    def add_up(values: Any, share: Any, numbers: Any, count: int, out: Any) -> int:
        """Add the shares of the values of each block to the sum of its number."""
        summed = np.asarray(out)
        each = np.asarray(values)[:, : len(numbers)] * np.asarray(share)
        np.add.at(summed.T, np.asarray(numbers), each.T)
        return 0


def pool(values: Any, weight: Any, numbers: Any, count: int, columns: int) -> NDArray[np.float32]:
    """Weighted means over blocks of the same number below `count`: one row a unit, and at least as many columns."""
    total: Any = np.zeros(count).data
    share: Any = np.empty(len(numbers), dtype=np.float32).data
    found = np.zeros((len(values), columns), dtype=np.float32)
    with cython.nogil:
        for k in range(len(numbers)):
            total[numbers[k]] += weight[k]
        for k in range(len(numbers)):
            share[k] = weight[k] / total[numbers[k]]
    add_up(values, share, numbers, count, found.data)
    return found


def layer(weights: Any, biases: Any, values: Any, out: Any, at: int, bent: bool) -> int:
    """Fill in one row a unit: its weights (from number `at` on) times the values of each block, and its bias."""
    return dense(weights, at, biases, values, out, bent)


def gather(table: Any, rows: Any, low: Any, high: Any, out: Any) -> int:
    """Some rows of a table, each cut off at both ends, and zeros where the results have more columns."""
    with cython.nogil:
        for number in range(len(rows)):
            clip(table, rows[number], low[number], high[number], out, number)
            for k in range(table.shape[1], out.shape[1]):
                out[number, k] = 0
    return 0


def add_means(total: Any, means: Any, numbers: Any, bent: bool) -> int:
    """Add to each block what was found for its part of the page; what is below zero is cut off where it is `bent`."""
    with cython.nogil:
        for row in range(total.shape[0]):
            for k in range(len(numbers)):
                total[row, k] += means[row, numbers[k]]
                if bent and total[row, k] < 0:
                    total[row, k] = 0
    return 0
