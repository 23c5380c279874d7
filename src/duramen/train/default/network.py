"""Training a small network with plain NumPy: Adam on soft labels page by page, weights averaged at the end.

How good one network gets depends on its seed. So several are trained first, and what they think of each block on
average is half of what the one that is kept learns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.network import FAR
from duramen.train.default.pools import Pool, joined

TEACHERS = 1_000_000  # seeds from here on are those of teachers

Floats = NDArray[np.float32]
Layers = tuple[tuple[Floats, Floats], ...]


@dataclass(frozen=True, slots=True)
class Training:
    """How a network is trained."""

    hidden: tuple[int, ...] = (48, 24)  # two layers or more
    networks: int = 1  # trained from different seeds and averaged: side by side they are one network
    teachers: int = 3  # networks whose mean these learn from, beside the labels; 0: from the labels alone
    believed: float = 0.5  # what the teachers count, beside the label of a block
    epochs: int = 10
    batch: int = 2048  # blocks that are looked at together, about: pages are never cut
    rate: float = 2e-3
    decay: float = 1e-4
    dropout: float = 0.2  # share of hidden units that each step leaves out
    averaged: float = 0.4  # of the steps, at the end, whose weights are averaged
    seed: int = 0


class Lesson(NamedTuple):
    """What one page teaches, or several joined."""

    inputs: Floats  # standardised features, a row a block
    target: Floats  # share of each block that is content
    weight: Floats  # what each block counts; 0 where nobody knows
    share: Floats  # what it counts where the teachers know
    pools: tuple[Pool, ...]  # the parts whose means the second layer takes


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


def train(lessons: Sequence[Lesson], training: Training) -> Layers:
    """The layers of a network that predicts the targets of these pages."""
    if training.teachers:
        first = TEACHERS + training.seed * training.teachers
        teachers = [_train(lessons, training, seed) for seed in range(first, first + training.teachers)]
        together = side_by_side(teachers, len(lessons[0].pools))
        lessons = [taught(lesson, together, training.believed) for lesson in lessons]
    seeds = range(training.seed * training.networks, (training.seed + 1) * training.networks)
    return side_by_side([_train(lessons, training, seed) for seed in seeds], len(lessons[0].pools))


def taught(lesson: Lesson, teacher: Layers, believed: float) -> Lesson:
    """A lesson with what another network thinks of its blocks in it; where nobody knows, only that."""
    known = lesson.weight > 0
    thought = predict(teacher, lesson.inputs, lesson.pools)
    target = np.where(known, lesson.target + np.float32(believed) * (thought - lesson.target), thought)
    weight = np.where(known, lesson.weight, np.float32(believed) * lesson.share)
    return lesson._replace(target=target, weight=weight)


def side_by_side(networks: Sequence[Layers], pools: int) -> Layers:
    """One network whose log-odds are the mean of those of several."""
    first, *inner, last = zip(*networks)
    layers = [(np.hstack([weights for weights, _ in first]), np.concatenate([biases for _, biases in first]))]
    for number, level in enumerate(inner):
        # Units of all networks come before their means over the first pool, and so on.
        kinds = zip(*(np.split(weights, 1 if number else 1 + pools) for weights, _ in level))
        weights = np.vstack([_diagonal(blocks) for blocks in kinds])
        layers.append((weights, np.concatenate([biases for _, biases in level])))
    count = np.float32(len(networks))
    layers.append((np.vstack([weights for weights, _ in last]) / count, sum(biases for _, biases in last) / count))
    return tuple(layers)


def _diagonal(blocks: Sequence[Floats]) -> Floats:
    """A matrix of zeros but for these blocks along its diagonal."""
    found = np.zeros(np.sum([block.shape for block in blocks], axis=0), dtype=np.float32)
    top = left = 0
    for block in blocks:
        bottom, right = top + block.shape[0], left + block.shape[1]
        found[top:bottom, left:right] = block
        top, left = bottom, right
    return found


def _train(lessons: Sequence[Lesson], training: Training, seed: int) -> Layers:
    chance = np.random.default_rng(seed)
    parts = _first_weights(chance, lessons[0], training.hidden)
    first, second = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    mean = [np.zeros_like(part) for part in parts]
    blocks = sum(len(lesson.target) for lesson in lessons)
    usual = np.float32(sum(float(lesson.weight.sum()) for lesson in lessons) / blocks)
    batches = -(-len(lessons) // max(1, round(training.batch * len(lessons) / blocks)))
    steps = training.epochs * batches
    warm = max(1, min(200, steps // 10))  # steps in which the rate rises
    averaged = 0
    for step, batch in enumerate(_batches(lessons, chance, batches, training.epochs), 1):
        masks = [_mask(chance, (len(batch.target), width), training.dropout) for width in training.hidden]
        slopes = _slopes(parts, batch, batch.weight / (usual * len(batch.target)), masks)
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


def _first_weights(chance: np.random.Generator, lesson: Lesson, hidden: tuple[int, ...]) -> list[Floats]:
    taken = [lesson.inputs.shape[1], *hidden]  # inputs of each layer
    taken[1] *= 1 + len(lesson.pools)
    parts: list[Floats] = []
    for wide, narrow in zip(taken, (*hidden, 1)):
        weights = chance.standard_normal((wide, narrow)) * np.sqrt(2 / wide)
        parts += [weights.astype(np.float32), np.zeros(narrow, dtype=np.float32)]
    return parts


def _batches(lessons: Sequence[Lesson], chance: np.random.Generator, batches: int, epochs: int) -> Iterator[Lesson]:
    """All pages in another order in each epoch, some at a time."""
    for _ in range(epochs):
        order = chance.permutation(len(lessons))
        for number in range(batches):
            chosen = [lessons[k] for k in order[number::batches].tolist()]
            inputs, target, weight, share, pools = zip(*chosen)
            yield Lesson(
                np.concatenate(inputs),
                np.concatenate(target),
                np.concatenate(weight),
                np.concatenate(share),
                tuple(joined(pool) for pool in zip(*pools)),
            )


def _mask(chance: np.random.Generator, shape: tuple[int, int], dropout: float) -> Floats:
    """Zero for the units that are left out of a step; the others stand in for them."""
    kept: Floats = (chance.random(shape, dtype=np.float32) >= dropout).astype(np.float32) / np.float32(1 - dropout)
    return kept


def _slopes(parts: list[Floats], lesson: Lesson, weight: Floats, masks: list[Floats]) -> list[Floats]:
    """The slope of the weighted cross-entropy by every weight."""
    pools = lesson.pools
    values = [lesson.inputs]
    for at in range(0, len(parts) - 2, 2):
        units = np.maximum(values[-1] @ parts[at] + parts[at + 1], 0) * masks[at // 2]
        values.append(_with_means(units, pools) if at == 0 else units)
    margin = (values[-1] @ parts[-2] + parts[-1])[:, 0]
    wrong = ((1 / (1 + np.exp(-margin)) - lesson.target) * weight).astype(np.float32)[:, None]
    slopes: list[Floats] = []
    for at in range(len(parts) - 2, -1, -2):
        below = values[at // 2]
        slopes = [below.T @ wrong, wrong.sum(axis=0), *slopes]
        if at:
            mask = masks[at // 2 - 1]
            wrong = wrong @ parts[at].T
            if at == 2:
                own, *pooled = np.split(wrong, 1 + len(pools), axis=1)
                wrong = own + sum(pool.slopes(part) for pool, part in zip(pools, pooled))
            wrong = wrong * (below[:, : mask.shape[1]] > 0) * mask
    return slopes


def _with_means(units: Floats, pools: Sequence[Pool]) -> Floats:
    return np.concatenate((units, *(pool.means(units) for pool in pools)), axis=1)


def predict(layers: Layers, inputs: Floats, pools: Sequence[Pool]) -> Floats:
    """Probabilities of standardised inputs."""
    values = inputs
    for number, (weights, biases) in enumerate(layers[:-1]):
        values = np.maximum(values @ weights + biases, 0)
        if number == 0:
            values = _with_means(values, pools)
    weights, biases = layers[-1]
    found: Floats = 1 / (1 + np.exp(-(values @ weights + biases)[:, 0]))
    return found
