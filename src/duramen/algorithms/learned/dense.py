"""A layer of a dense network, in C where it is compiled: no threads, and the same sums in the same order everywhere.

This file compiles to C, with the types in `dense.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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


def layer(weights: Any, biases: Any, values: Any, out: Any, at: int, bent: bool) -> int:
    """Fill in one row a unit: its weights (from number `at` on) times the values of each block, and its bias."""
    return dense(weights, at, biases, values, out, bent)


def gather(table: Any, rows: Any, low: Any, high: Any, out: Any) -> int:
    """Some rows of a table, each cut off at both ends, and zeros where the results have more columns."""
    with cython.nogil:
        for number in range(len(rows)):
            least, most = low[number], high[number]
            for k in range(table.shape[1]):
                value = table[rows[number], k]
                out[number, k] = least if value < least else most if value > most else value
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
