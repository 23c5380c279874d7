"""The network over all blocks at once: a few matrix products."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.features import FEATURES, Table
from duramen.models.default import DefaultModel
from duramen.page import FloatArray

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
    layers = [
        (np.ascontiguousarray(weights.T), biases.astype(np.float32)[:, None]) for weights, biases in model.layers
    ]
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


def probabilities(model: DefaultModel, table: Table) -> FloatArray:
    """The probability of content for each block."""
    ready = network(model)
    values = table if ready.rows is None else table[ready.rows]
    values = np.clip(values, ready.low, ready.high)
    for weights, biases in ready.layers[:-1]:
        values = weights @ values
        values += biases
        np.maximum(values, 0, out=values)
    weights, biases = ready.layers[-1]
    margin = (weights @ values + biases)[0].astype(np.float64)
    return 1 / (1 + np.exp(-margin))


def contributions(model: DefaultModel, table: Table) -> Table:
    """How much each feature moves the log-odds of each block, to first order: slope times distance from the centre."""
    rows = [FEATURES.index(name) for name in model.features]
    inputs = np.clip((table[rows].T - model.centre) / model.spread, -FAR, FAR)
    values, active = inputs, []
    for weights, biases in model.layers[:-1]:
        values = values @ weights + biases
        active.append(values > 0)
        values = np.maximum(values, 0)
    slope = np.broadcast_to(model.layers[-1][0][:, 0], values.shape)
    for (weights, _), on in zip(reversed(model.layers[:-1]), reversed(active)):
        slope = (slope * on) @ weights.T
    found: Table = slope * inputs
    return found
