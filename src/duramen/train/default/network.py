"""Training a small network with plain NumPy: Adam on soft labels page by page, weights averaged at the end.

How good one network gets depends on its seed, and their mean is better than any. So several are trained first, and the
one that is kept learns from that mean. Teachers know the pages they learned from by heart; so half of the time they are
asked about pages that do not exist, with noise in their features, which show what they make of pages they never saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.network import FAR
from duramen.train.default.pools import Places, Pool, joined

TEACHERS = 1_000_000  # seeds from here on are those of teachers

Floats = NDArray[np.float32]
Layers = tuple[tuple[Floats, Floats], ...]


@dataclass(frozen=True, slots=True)
class Training:
    """How a network is trained."""

    hidden: tuple[int, ...] = (48, 24)  # two layers or more
    teachers: int = 4  # networks whose mean the one that is kept learns from; 0: it learns from the labels alone
    believed: float = 0.7  # what they count, beside the label of a block
    disturbed: float = 0.5  # share of the pages that get noise, where the teachers alone are believed
    noise: float = 0.25  # added to the features of these pages, in spreads
    blanked: float = 0.1  # share of their features that are left out
    epochs: int = 10
    pupil_epochs: int = 12
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
    if not training.teachers:
        return _train(lessons, training, training.seed)
    first = TEACHERS + training.seed * training.teachers
    teachers = [_train(lessons, training, seed) for seed in range(first, first + training.teachers)]
    pupil = replace(training, epochs=training.pupil_epochs, dropout=0.0)
    return _train(lessons, pupil, training.seed, teachers)


def taught(
    lesson: Lesson, page: Places, teachers: Sequence[Layers], training: Training, chance: np.random.Generator
) -> Lesson:
    """A lesson with what the teachers think of its blocks: beside the labels that are known, or alone.

    `page` is the number of each block's page.
    """
    disturbed = (chance.random(int(page[-1]) + 1) < training.disturbed)[page]
    inputs = np.where(disturbed[:, None], noisy(lesson.inputs, page, training, chance), lesson.inputs)
    odds = np.mean([_odds(teacher, inputs, lesson.pools) for teacher in teachers], axis=0)
    thought = _chance(odds.astype(np.float32))
    both = lesson.target + np.float32(training.believed) * (thought - lesson.target)
    target = np.where((lesson.weight > 0) & ~disturbed, both, thought)
    return lesson._replace(inputs=inputs, target=target, weight=lesson.share)


def noisy(inputs: Floats, page: Places, training: Training, chance: np.random.Generator) -> Floats:
    """Features with noise, some of them left out of a whole page."""
    noise = chance.standard_normal(inputs.shape, dtype=np.float32)
    kept = chance.random((int(page[-1]) + 1, inputs.shape[1])) >= training.blanked
    found: Floats = (inputs + np.float32(training.noise) * noise) * kept[page]
    return found


def _train(lessons: Sequence[Lesson], training: Training, seed: int, teachers: Sequence[Layers] = ()) -> Layers:
    chance = np.random.default_rng(seed)
    parts = _first_weights(chance, lessons[0], training.hidden)
    first, second = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    mean = [np.zeros_like(part) for part in parts]
    blocks = sum(len(lesson.target) for lesson in lessons)
    counted = [lesson.share if teachers else lesson.weight for lesson in lessons]
    usual = np.float32(sum(float(weight.sum()) for weight in counted) / blocks)
    batches = -(-len(lessons) // max(1, round(training.batch * len(lessons) / blocks)))
    steps = training.epochs * batches
    warm = max(1, min(200, steps // 10))  # steps in which the rate rises
    averaged = 0
    for step, (given, page) in enumerate(_batches(lessons, chance, batches, training.epochs), 1):
        batch = taught(given, page, teachers, training, chance) if teachers else given
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


def _batches(
    lessons: Sequence[Lesson], chance: np.random.Generator, batches: int, epochs: int
) -> Iterator[tuple[Lesson, Places]]:
    """All pages in another order in each epoch, some at a time, and the number of each block's page among these."""
    for _ in range(epochs):
        order = chance.permutation(len(lessons))
        for number in range(batches):
            chosen = [lessons[k] for k in order[number::batches].tolist()]
            inputs, target, weight, share, pools = zip(*chosen)
            yield (
                Lesson(
                    np.concatenate(inputs),
                    np.concatenate(target),
                    np.concatenate(weight),
                    np.concatenate(share),
                    tuple(joined(pool) for pool in zip(*pools)),
                ),
                np.repeat(np.arange(len(chosen)), [len(each) for each in target]),
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
    return _chance(_odds(layers, inputs, pools))


def _chance(odds: Floats) -> Floats:
    found: Floats = np.reciprocal(1 + np.exp(-odds))
    return found


def _odds(layers: Layers, inputs: Floats, pools: Sequence[Pool]) -> Floats:
    """Their log-odds."""
    values = inputs
    for number, (weights, biases) in enumerate(layers[:-1]):
        values = np.maximum(values @ weights + biases, 0)
        if number == 0:
            values = _with_means(values, pools)
    weights, biases = layers[-1]
    found: Floats = (values @ weights + biases)[:, 0]
    return found
