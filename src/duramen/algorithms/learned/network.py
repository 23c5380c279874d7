"""The network over all blocks at once: a few layers, and means over parts of the page between them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from duramen.algorithms.learned.dense import Floats, Network, chances, filled, first_layer, grouped, judge, padded, pool
from duramen.algorithms.learned.features import FEATURES, Context, Table
from duramen.errors import ModelError
from duramen.models.default import DefaultModel
from duramen.page import FloatArray, IntArray

POOL_WORDS = 0.5  # added to the words of a block for its weight in a mean
FAR = 5.0  # spreads from the centre at which a feature is cut off


@lru_cache(maxsize=4)
def network(model: DefaultModel) -> Network:
    """The network of a model: the centres and spreads are part of the first weights."""
    unknown = [name for name in model.features if name not in FEATURES]
    if unknown:
        raise ModelError(f"the model asks for features that there are not: {', '.join(unknown)}")
    (weights, biases), *others = model.layers
    scaled = weights.astype(np.float64) / model.spread[:, None]
    rows = np.array([FEATURES.index(name) for name in model.features], dtype=np.intp)
    reach = FAR * model.spread
    first = first_layer(rows, model.centre - reach, model.centre + reach, scaled, biases - model.centre @ scaled)
    layers = []
    for (_, before), (weights, biases) in zip(model.layers, others):
        layers.append((grouped(_spread(weights, before)), filled(biases)))
    return Network(first, tuple(layers))


def _spread(weights: Floats, before: Floats) -> Floats:
    """Weights, with rows of zeros for what the units of the layer before, of these biases, are filled up with."""
    parts = weights.reshape(-1, len(before), weights.shape[1])
    return np.pad(parts, ((0, 0), (0, padded(len(before)) - len(before)), (0, 0))).reshape(-1, weights.shape[1])


def probabilities(model: DefaultModel, table: Table, shared: Context) -> FloatArray:
    """The probability of content for each block."""
    pools = tuple([_pooled(name, shared) for name in model.pools])
    return chances(judge(network(model), table, pools, shared.words + POOL_WORDS))


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
            given = np.ascontiguousarray(values, dtype=np.float32)
            weight = shared.words + POOL_WORDS
            parts = [_pooled(name, shared) for name in model.pools]
            means = [pool(given, weight, numbers, count)[numbers] for numbers, count in parts]
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
