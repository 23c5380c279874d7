"""The network over all blocks at once: a few matrix products."""

from __future__ import annotations

import numpy as np

from duramen.algorithms.learned.features import Matrix
from duramen.models.default import DefaultModel
from duramen.page import FloatArray

FAR = 5.0  # spreads from the centre at which a feature is cut off


def standardised(model: DefaultModel, features: Matrix) -> Matrix:
    """Features in spreads from their centre."""
    found: Matrix = np.clip((features - model.centre) / model.spread, -FAR, FAR)
    return found


def probabilities(model: DefaultModel, features: Matrix) -> FloatArray:
    """The probability of content for each row of features."""
    values = standardised(model, features)
    for weights, biases in model.layers[:-1]:
        values = values @ weights
        values += biases
        np.maximum(values, 0, out=values)
    weights, biases = model.layers[-1]
    margin = (values @ weights + biases)[:, 0].astype(np.float64)
    return 1 / (1 + np.exp(-margin))


def contributions(model: DefaultModel, features: Matrix) -> Matrix:
    """How much each feature moves the log-odds of each row, to first order: slope times distance from the centre."""
    inputs = standardised(model, features)
    values, active = inputs, []
    for weights, biases in model.layers[:-1]:
        values = values @ weights + biases
        active.append(values > 0)
        values = np.maximum(values, 0)
    slope = np.broadcast_to(model.layers[-1][0][:, 0], values.shape)
    for (weights, _), on in zip(reversed(model.layers[:-1]), reversed(active)):
        slope = (slope * on) @ weights.T
    found: Matrix = slope * inputs
    return found
