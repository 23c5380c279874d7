"""The network over all blocks at once: a few layers, and means over parts of the page between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.dense import PADDED, add_means, gather, layer, pool
from duramen.algorithms.learned.features import FEATURES, Context, Table
from duramen.errors import ModelError
from duramen.models.default import DefaultModel
from duramen.page import FloatArray, IntArray

POOL_WORDS = 0.5  # added to the words of a block for its weight in a mean
FAR = 5.0  # spreads from the centre at which a feature is cut off


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A model's network, ready for tables of features: the centres and spreads are part of the first weights."""

    rows: NDArray[np.intp]  # of the table, one for each input
    low: NDArray[np.float32]  # where each feature is cut off
    high: NDArray[np.float32]
    layers: tuple[tuple[Table, NDArray[np.float32]], ...]  # weights (outputs × inputs), and biases


@lru_cache(maxsize=4)
def network(model: DefaultModel) -> Network:
    """The network of a model."""
    unknown = [name for name in model.features if name not in FEATURES]
    if unknown:
        raise ModelError(f"the model asks for features that there are not: {', '.join(unknown)}")
    (weights, biases), *others = model.layers
    scaled = weights.T.astype(np.float64) / model.spread
    first = scaled, biases - scaled @ model.centre.astype(np.float64)
    reach = FAR * model.spread
    return Network(
        np.array([FEATURES.index(name) for name in model.features], dtype=np.intp),
        model.centre - reach,
        model.centre + reach,
        tuple(
            (np.ascontiguousarray(weights, dtype=np.float32), np.ascontiguousarray(biases, dtype=np.float32))
            for weights, biases in (first, *((weights.T, biases) for weights, biases in others))
        ),
    )


def probabilities(model: DefaultModel, table: Table, shared: Context) -> FloatArray:
    """The probability of content for each block."""
    ready = network(model)
    blocks, columns = table.shape[1], padded(table.shape[1])
    values = np.empty((len(ready.rows), columns), dtype=np.float32)
    gather(table.data, ready.rows.data, ready.low.data, ready.high.data, values.data)
    last = len(ready.layers) - 1
    for number, (weights, biases) in enumerate(ready.layers):
        found = np.empty((len(weights), columns), dtype=np.float32)
        pools = model.pools if number == 1 else ()
        layer(weights.data, biases.data, values.data, found.data, 0, number < last and not pools)
        for at, name in enumerate(pools, 1):
            numbers, count = _pooled(name, shared)
            means = pool(values.data, (shared.words + POOL_WORDS).data, numbers.data, count, padded(count))
            added = np.empty((len(weights), means.shape[1]), dtype=np.float32)
            nothing = np.zeros(len(weights), dtype=np.float32)
            layer(weights.data, nothing.data, means.data, added.data, at * len(values), False)
            add_means(found.data, added.data, numbers.data, at == len(pools))
        values = found
    chance: FloatArray = 1 / (1 + np.exp(-values[0, :blocks].astype(np.float64)))
    return chance


def padded(count: int) -> int:
    """The number of columns that hold so many blocks."""
    return -(-count // PADDED) * PADDED


def _pooled(name: str, shared: Context) -> tuple[IntArray, int]:
    """The number of each block's part of the page, over which means are taken, and how many there are."""
    if name == "group":
        return shared.group, shared.measures.groups
    return np.zeros(len(shared.words), dtype=np.int32), 1


def contributions(model: DefaultModel, table: Table, shared: Context) -> Table:
    """How much each feature moves the log-odds of each block, to first order: slope times distance from the centre.

    What a block's features do to other blocks, by means over the page, is left out.
    """
    rows = [FEATURES.index(name) for name in model.features]
    inputs = np.clip((table[rows].T - model.centre) / model.spread, -FAR, FAR)
    values, active, widths = inputs, [], [inputs.shape[1]]
    for number, (weights, biases) in enumerate(model.layers[:-1]):
        if number == 1 and model.pools:
            given = np.ascontiguousarray(values.T)
            pooled = [(*_pooled(name, shared),) for name in model.pools]
            weight = shared.words + POOL_WORDS
            means = [
                pool(given.data, weight.data, numbers.data, count, count)[:, numbers].T for numbers, count in pooled
            ]
            values = np.concatenate((values, *means), axis=1)
        values = values @ weights + biases
        active.append(values > 0)
        values = np.maximum(values, 0)
        widths.append(values.shape[1])
    slope = np.broadcast_to(model.layers[-1][0][:, 0], values.shape)
    for (weights, _), on, width in zip(reversed(model.layers[:-1]), reversed(active), reversed(widths[:-1])):
        slope = (slope * on) @ weights[:width].T
    found: Table = slope * inputs
    return found
