"""The network over all blocks at once: a few matrix products."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.features import FEATURES, Context, Table
from duramen.algorithms.learned.measures import pool
from duramen.models.default import DefaultModel
from duramen.page import FloatArray, IntArray

POOL_WORDS = 0.5  # added to the words of a block for its weight in a mean
FAR = 5.0  # spreads from the centre at which a feature is cut off


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A model's network, ready for tables of features: the centres and spreads are part of the first weights."""

    rows: NDArray[np.intp] | None  # of the table, where not all are used
    low: Table  # one column: where each feature is cut off
    high: Table
    layers: tuple[tuple[Table, Table], ...]  # weights (outputs × inputs), and biases as a column


@lru_cache(maxsize=4)
def network(model: DefaultModel) -> Network:
    """The network of a model."""
    unknown = [name for name in model.features if name not in FEATURES]
    if unknown:
        raise ValueError(f"the model asks for features that there are not: {', '.join(unknown)}")
    rows = np.array([FEATURES.index(name) for name in model.features], dtype=np.intp)
    layers = [(np.ascontiguousarray(weights.T), biases.astype(np.float32)[:, None]) for weights, biases in model.layers]
    first, biases = layers[0]
    scaled = first.astype(np.float64) / model.spread
    layers[0] = (
        np.ascontiguousarray(scaled, dtype=np.float32),
        (biases - (scaled @ model.centre.astype(np.float64))[:, None]).astype(np.float32),
    )
    reach = FAR * model.spread
    return Network(
        None if model.features == FEATURES else rows,
        (model.centre - reach)[:, None],
        (model.centre + reach)[:, None],
        tuple(layers),
    )


def probabilities(model: DefaultModel, table: Table, shared: Context) -> FloatArray:
    """The probability of content for each block."""
    ready = network(model)
    values = table if ready.rows is None else table[ready.rows]
    values = np.clip(values, ready.low, ready.high)
    for number, (weights, biases) in enumerate(ready.layers[:-1]):
        width = len(values)
        found = weights[:, :width] @ values
        found += biases
        for at, name in enumerate(model.pools if number == 1 else (), 1):
            numbers, count = _pooled(name, shared)
            means = pool(values, shared.words + POOL_WORDS, numbers, count)
            found += (weights[:, at * width : (at + 1) * width] @ means)[:, numbers]
        values = np.maximum(found, 0, out=found)
    weights, biases = ready.layers[-1]
    margin = (weights @ values + biases)[0].astype(np.float64)
    chance: FloatArray = 1 / (1 + np.exp(-margin))
    return chance


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
            means = [pool(given, shared.words + POOL_WORDS, numbers, count)[:, numbers].T for numbers, count in pooled]
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
