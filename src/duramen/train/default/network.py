"""Training a small dense network with plain NumPy: Adam on soft labels, weights averaged over the last epochs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.network import FAR

Floats = NDArray[np.float32]
Layers = tuple[tuple[Floats, Floats], ...]


@dataclass(frozen=True, slots=True)
class Training:
    """How a network is trained."""

    hidden: tuple[int, ...] = (48, 24)
    networks: int = 3  # trained from different seeds and averaged: side by side they are one network
    epochs: int = 12
    batch: int = 2048
    rate: float = 2e-3
    decay: float = 1e-4
    dropout: float = 0.25  # share of hidden units that each step leaves out
    blurred: float = 0.0  # share of features that each step leaves out
    averaged: float = 0.4  # of the steps, at the end, whose weights are averaged
    seed: int = 0


def spreads(features: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Centre and spread of every feature."""
    share = (weight / weight.sum()).astype(np.float64)
    centre = share @ features
    # Rounding may leave the variance of a constant below zero.
    spread = np.sqrt(np.maximum(share @ np.square(features, dtype=np.float64) - centre**2, 0))
    return centre.astype(np.float32), np.maximum(spread, 1e-3).astype(np.float32)


def scaled(features: Floats, centre: Floats, spread: Floats) -> Floats:
    """Features as the network takes them."""
    found: Floats = np.clip((features - centre) / spread, -FAR, FAR)
    return found


def train(inputs: Floats, target: Floats, weight: Floats, training: Training) -> Layers:
    """The layers of a network that predicts `target` from standardised inputs."""
    seeds = range(training.seed * training.networks, (training.seed + 1) * training.networks)
    return side_by_side([_train(inputs, target, weight, training, seed) for seed in seeds])


def side_by_side(networks: Sequence[Layers]) -> Layers:
    """One network whose log-odds are the mean of those of several."""
    first, *inner, last = zip(*networks)
    layers = [(np.hstack([weights for weights, _ in first]), np.concatenate([biases for _, biases in first]))]
    for level in inner:
        heights, widths = zip(*(weights.shape for weights, _ in level))
        joined = np.zeros((sum(heights), sum(widths)), dtype=np.float32)
        top = left = 0
        for weights, _ in level:
            joined[top : top + weights.shape[0], left : left + weights.shape[1]] = weights
            top, left = top + weights.shape[0], left + weights.shape[1]
        layers.append((joined, np.concatenate([biases for _, biases in level])))
    count = np.float32(len(networks))
    layers.append((np.vstack([weights for weights, _ in last]) / count, sum(biases for _, biases in last) / count))
    return tuple(layers)


def _train(inputs: Floats, target: Floats, weight: Floats, training: Training, seed: int) -> Layers:
    chance = np.random.default_rng(seed)
    sizes = (inputs.shape[1], *training.hidden, 1)
    parts: list[Floats] = []
    for wide, narrow in pairwise(sizes):
        parts += [
            (chance.standard_normal((wide, narrow)) * np.sqrt(2 / wide)).astype(np.float32),
            np.zeros(narrow, dtype=np.float32),
        ]
    first, second = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    mean = [np.zeros_like(part) for part in parts]
    weight = (weight / weight.mean()).astype(np.float32)
    steps = training.epochs * -(-len(inputs) // training.batch)
    warm = max(1, min(200, steps // 10))  # steps in which the rate rises
    step, averaged = 0, 0
    for _ in range(training.epochs):
        order = chance.permutation(len(inputs))
        for begin in range(0, len(order), training.batch):
            rows = order[begin : begin + training.batch]
            masks = [_mask(chance, (len(rows), inputs.shape[1]), training.blurred)] if training.blurred else []
            masks += [_mask(chance, (len(rows), width), training.dropout) for width in training.hidden]
            given = inputs[rows] * masks.pop(0) if training.blurred else inputs[rows]
            slopes = _slopes(parts, given, target[rows], weight[rows], masks)
            step += 1
            rate = training.rate * min(1.0, step / warm) * (0.5 + 0.5 * float(np.cos(np.pi * step / steps)))
            for part, slope, one, two in zip(parts, slopes, first, second):
                one += 0.1 * (slope - one)
                two += 0.002 * (slope * slope - two)
                fix = np.float32(1 - 0.9**step), np.float32(1 - 0.998**step)
                part -= rate * ((one / fix[0]) / (np.sqrt(two / fix[1]) + 1e-8) + training.decay * part)
            if step > steps * (1 - training.averaged):
                averaged += 1
                for total, part in zip(mean, parts):
                    total += (part - total) / averaged
    return tuple((mean[at], mean[at + 1]) for at in range(0, len(mean), 2))


def _mask(chance: np.random.Generator, shape: tuple[int, int], dropout: float) -> Floats:
    """Zero for the units that are left out of a step; the others stand in for them."""
    kept: Floats = (chance.random(shape, dtype=np.float32) >= dropout).astype(np.float32) / np.float32(1 - dropout)
    return kept


def _slopes(parts: list[Floats], inputs: Floats, target: Floats, weight: Floats, masks: list[Floats]) -> list[Floats]:
    """The slope of the weighted cross-entropy by every weight."""
    values = [inputs]
    for at in range(0, len(parts) - 2, 2):
        values.append(np.maximum(values[-1] @ parts[at] + parts[at + 1], 0) * masks[at // 2])
    margin = (values[-1] @ parts[-2] + parts[-1])[:, 0]
    wrong = ((1 / (1 + np.exp(-margin)) - target) * weight / len(inputs)).astype(np.float32)[:, None]
    slopes: list[Floats] = []
    for at in range(len(parts) - 2, -1, -2):
        below = values[at // 2]
        slopes = [below.T @ wrong, wrong.sum(axis=0), *slopes]
        if at:
            wrong = (wrong @ parts[at].T) * (below > 0) * masks[at // 2 - 1]
    return slopes


def predict(layers: Layers, inputs: Floats) -> Floats:
    """Probabilities of standardised inputs."""
    values = inputs
    for weights, biases in layers[:-1]:
        values = np.maximum(values @ weights + biases, 0)
    weights, biases = layers[-1]
    found: Floats = 1 / (1 + np.exp(-(values @ weights + biases)[:, 0]))
    return found
