"""Layers of a dense network, in C where they are compiled: no threads, and the same sums everywhere.

The first layer works in whole numbers, which know no order; the others add up in the same order on every machine.

Values have one row a block and one column a unit; both are filled up to multiples of eight. This file compiles to C,
with the types in `dense.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.page import FloatArray

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

Floats = NDArray[np.float32]

EIGHT = 8  # numbers of units and blocks are multiples of this
MOST_VALUE, MOST_WEIGHT, MOST_SUM = 2047, 32767, (1 << 31) - 1  # in the first layer: of features, weights and sums

if not cython.compiled:
    from duramen.measure.buffers import doubles, ints, new_doubles

    UNITS, BLOCKS, LANES = 8, 8, 16

    def exp(power: float) -> float:
        """The exponential, infinite where it is too large."""
        return math.exp(power) if power < 709 else math.inf

    def floats(array: Any, size: int) -> Any:
        """The `size` entries of an array, one row after the other."""
        return array.reshape(size)

    new_floats = places = shorts = floats

    def further(buffer: Any, entries: int) -> Any:
        """The buffer from so many entries on."""
        return buffer[entries:]

    def from_row(weights: Any, row: int) -> Any:
        """Weights from one row of each group on."""
        return weights[row * UNITS :]

    def fill_zeros(buffer: Any, count: int) -> int:
        """Zeros at the beginning of a buffer."""
        buffer[:count] = 0
        return 0

    def fill_first(
        table: Any,
        columns: int,
        rows: Any,
        bounds: Any,
        weights: Any,
        factors: Any,
        biases: Any,
        units: int,
        inputs: int,
        space: Any,
        out: Any,
        bent: bool,
    ) -> int:
        """Cut off the features at both ends, round them, and fill in the first layer."""
        low, high, scale = bounds.reshape(3, inputs, 1)
        values = np.zeros((padded(columns), inputs), dtype=np.int64)
        values[:columns] = np.rint(np.clip(table.reshape(-1, columns)[rows], low, high) * scale).T
        pairs = weights.reshape(units // UNITS, inputs // 2, UNITS, 2)
        sums = values @ pairs.transpose(1, 3, 0, 2).reshape(inputs, units).astype(np.int64)
        found = sums.astype(np.float32) * factors + biases
        out[: len(values) * units] = (np.maximum(found, 0) if bent else found).reshape(-1)
        return 0

    def fill_layer(
        weights: Any,
        rows: int,
        biases: Any,
        values: Any,
        units: int,
        inputs: int,
        blocks: int,
        out: Any,
        bent: bool,
    ) -> int:
        """Fill in values × weights + biases, with what is below zero cut off where it is `bent`."""
        groups = [weights[rows * unit : rows * unit + UNITS * inputs] for unit in range(0, units, UNITS)]
        flat = np.hstack([group.reshape(inputs, UNITS) for group in groups])
        found = values[: blocks * inputs].reshape(blocks, inputs) @ flat + biases[:units]
        out[: blocks * units] = (np.maximum(found, 0) if bent else found).reshape(-1)
        return 0

    def add_up(
        values: Any, units: int, share: Any, numbers: Any, blocks: int, lanes: Any, out: Any, whole: bool
    ) -> int:
        """Add the shares of the values of each block to the sums of its number."""
        each = values[: blocks * units].reshape(blocks, units) * share[:blocks, None]
        sums = out[: out.size // units * units].reshape(-1, units)
        np.add.at(sums, np.asarray(numbers), each)
        return 0

    def add_parts(parts: Any, numbers: Any, blocks: int, units: int, out: Any, bent: bool) -> int:
        """Add to each block what was found for its part."""
        some = out[: blocks * units].reshape(blocks, units)
        some += parts[: parts.size // units * units].reshape(-1, units)[np.asarray(numbers)]
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


class First(NamedTuple):
    """A first layer, in whole numbers of 16 bits: its sums are exact, and the same in whatever order they are made."""

    rows: NDArray[np.intp]  # of the table, one for each input; their number is even
    bounds: Floats  # where each feature is cut off, below and above, and what it is then multiplied by and rounded
    weights: NDArray[np.int16]  # groups of eight units × pairs of inputs × units × the two of a pair
    factors: Floats  # what one in a unit's sum counts
    biases: Floats


def first_layer(rows: NDArray[np.intp], low: Floats, high: Floats, weights: FloatArray, biases: FloatArray) -> First:
    """The first layer of these weights (inputs × units) for features cut off at `low` and `high`."""
    inputs, units = weights.shape
    reach = np.maximum(np.maximum(np.abs(low), np.abs(high)), 1e-30).astype(np.float64)
    each = weights * (reach / MOST_VALUE)[:, None]  # what one in a rounded feature counts
    # Room for all features at their ends, and for what rounding adds.
    most = (MOST_SUM - inputs * MOST_VALUE) / MOST_VALUE
    largest, together = np.abs(each).max(axis=0), np.abs(each).sum(axis=0)
    factors = np.maximum(np.maximum(largest / MOST_WEIGHT, together / most), 1e-30)
    whole = np.zeros((inputs + inputs % 2, padded(units)), dtype=np.int16)
    whole[:inputs, :units] = np.rint(each / factors)
    grouped_pairs = whole.reshape(-1, 2, padded(units) // EIGHT, EIGHT).transpose(2, 0, 3, 1)
    bounds = np.zeros((3, len(whole)), dtype=np.float32)
    bounds[:, :inputs] = low, high, MOST_VALUE / reach
    return First(
        np.resize(rows, len(whole)), bounds, np.ascontiguousarray(grouped_pairs), filled(factors), filled(biases)
    )


def filled(values: NDArray[np.floating]) -> Floats:
    """A value for each unit, and zeros for those that there are not."""
    return np.pad(values.astype(np.float32), (0, padded(len(values)) - len(values)))


class Network(NamedTuple):
    """A network, ready for tables of features."""

    first: First
    layers: tuple[tuple[Floats, Floats], ...]  # the others: weights in groups of units, and biases


def judge(network: Network, table: Any, pools: Any, weight: Any) -> Floats:
    """What the last layer says of each column of a table of features.

    The second layer sees, besides a block, weighted means of the first over parts of the page: each of the `pools` is
    the number of every block's part, and how many parts there are.
    """
    first = network.first
    features, columns, inputs, last = table.shape[0], table.shape[1], len(first.rows), len(network.layers)
    chosen, source = places(first.rows, inputs), floats(table, features * columns)
    bounds, each = floats(first.bounds, 3 * inputs), doubles(weight, columns)
    units = len(first.biases)
    wholes = shorts(first.weights, inputs * units)
    factors, biases = floats(first.factors, units), floats(first.biases, units)
    if inputs % 2 or units % UNITS:
        raise ValueError("the first layer is not filled up")
    for k in range(inputs):
        if not 0 <= chosen[k] < features:
            raise IndexError("there is no such feature")
    blocks, most, before = padded(columns), 0, 0
    for _, count in pools:
        most = max(most, padded(count))
    widths = [units, *[len(layer_biases) for _, layer_biases in network.layers]]
    size = (BLOCKS + 1) * inputs + units + blocks * sum(widths) + (2 * most + LANES + 1) * max(widths) + columns
    room, totals = np.empty(size, dtype=np.float32), np.empty(most)
    space, total = new_floats(room, size), new_doubles(totals, most)
    values = found = further(space, (BLOCKS + 1) * inputs + units)
    means = further(values, blocks * sum(widths))
    added = further(means, most * max(widths))
    lanes = further(added, most * max(widths))
    nothing = further(lanes, LANES * max(widths))
    share = further(nothing, max(widths))
    fill_zeros(nothing, max(widths))
    fill_first(source, columns, chosen, bounds, wholes, factors, biases, units, inputs, space, found, last > 0)
    found, before = further(found, blocks * units), units
    for number in range(1, last + 1):
        layer_weights, layer_biases = network.layers[number - 1]
        rows, units = layer_weights.shape[1], len(layer_biases)
        weights, biases = floats(layer_weights, rows * units), floats(layer_biases, units)
        if units % UNITS or rows != (before * (1 + len(pools)) if number == 1 else before):
            raise ValueError("the layers do not fit each other")
        bent = number < last and not (number == 1 and len(pools) > 0)
        fill_layer(weights, rows, biases, values, units, before, blocks, found, bent)
        for at in range(len(pools) if number == 1 else 0):
            numbers, count = pools[at]
            which, parts = ints(numbers, columns), padded(count)
            fill_shares(each, which, columns, count, total, share)
            fill_zeros(means, parts * before)
            fill_zeros(lanes, LANES * before)
            add_up(values, before, share, which, columns, lanes, means, count == 1)
            fill_layer(from_row(weights, (at + 1) * before), rows, nothing, means, units, before, parts, added, False)
            add_parts(added, which, columns, units, found, at + 1 == len(pools) and last > 1)
        values, found, before = found, further(found, blocks * units), units
    told: Floats = np.empty(columns, dtype=np.float32)
    odds = new_floats(told, columns)
    for k in range(columns):
        odds[k] = values[k * before]
    return told


def chances(log_odds: Floats) -> FloatArray:
    """Log-odds as probabilities."""
    count = len(log_odds)
    found: FloatArray = np.empty(count)
    odds, chance = floats(log_odds, count), new_doubles(found, count)
    for k in range(count):
        chance[k] = 1 / (1 + exp(-odds[k]))
    return found


def fill_shares(each: Any, which: Any, columns: int, count: int, total: Any, share: Any) -> int:
    """What each block counts in the mean of its part."""
    for k in range(count):
        total[k] = 0
    for k in range(columns):
        if not 0 <= which[k] < count:
            raise IndexError("there is no such part")
        total[which[k]] += each[k]
    for k in range(columns):
        share[k] = each[k] / total[which[k]]
    return 0


def pool(values: Any, weight: Any, numbers: Any, count: int) -> Floats:
    """Weighted means of values (one row a block) over blocks of the same number below `count`: one row a number."""
    blocks, units = len(numbers), values.shape[1]
    if len(values) != blocks or count < 1:
        raise ValueError("the numbers do not fit the values")
    source, each, which = floats(values, blocks * units), doubles(weight, blocks), ints(numbers, blocks)
    totals, shares = np.empty(count), np.empty(blocks, dtype=np.float32)
    sums, means = np.zeros((LANES, units), dtype=np.float32), np.zeros((count, units), dtype=np.float32)
    total, share = new_doubles(totals, count), new_floats(shares, blocks)
    lanes, found = new_floats(sums, LANES * units), new_floats(means, count * units)
    fill_shares(each, which, blocks, count, total, share)
    add_up(source, units, share, which, blocks, lanes, found, count == 1)
    return means
