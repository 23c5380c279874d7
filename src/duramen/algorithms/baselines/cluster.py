"""k-means, without chance: seeds are chosen farthest first, and ties go to the first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.page import FloatArray

MOST_ROUNDS = 100


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Which cluster each point is in, and where the clusters are."""

    label: NDArray[np.intp]
    centroid: FloatArray  # one a cluster; an empty one keeps its place
    rounds: int


def kmeans(points: FloatArray, first: FloatArray, count: int, *, pinned: bool = False) -> Clusters:
    """`count` clusters of `points`, which has one point a row; fewer where there are not so many different points.

    The first seed is `first`, each further one the point farthest from all seeds so far. A `pinned` first centroid
    never moves.
    """
    axes = np.ascontiguousarray(points.T)  # long sums beat many short ones
    centroid = _seeds(axes, first, count)
    fixed = 1 if pinned else 0
    label = np.zeros(len(points), dtype=np.intp)
    rounds = 0
    while rounds < MOST_ROUNDS:
        rounds += 1
        nearest = np.argmin([_distance(axes, place) for place in centroid], axis=0)
        if rounds > 1 and np.array_equal(nearest, label):
            break
        label = nearest
        size = np.bincount(label, minlength=len(centroid))
        filled = size > 0
        filled[:fixed] = False
        for axis, values in enumerate(axes):
            total = np.bincount(label, values, len(centroid))
            centroid[filled, axis] = total[filled] / size[filled]
    return Clusters(label, centroid, rounds)


def _seeds(axes: FloatArray, first: FloatArray, count: int) -> FloatArray:
    seeds = [np.asarray(first, dtype=np.float64)]
    distance = _distance(axes, seeds[0])
    while len(seeds) < count and distance.max(initial=0.0) > 0.0:
        seeds.append(axes[:, int(np.argmax(distance))])
        distance = np.minimum(distance, _distance(axes, seeds[-1]))
    return np.array(seeds)


def _distance(axes: FloatArray, place: FloatArray) -> FloatArray:
    """Squared, which orders alike."""
    total = np.zeros(axes.shape[1])
    for values, at in zip(axes, place):
        total += np.square(values - at)
    return total
