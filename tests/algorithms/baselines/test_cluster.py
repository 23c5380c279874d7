"""k-means: seeds, ties, a centroid that stays."""

from __future__ import annotations

import numpy as np
import pytest

from duramen.algorithms.baselines.cluster import MOST_ROUNDS, kmeans


def line(*values: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64).reshape(-1, 1)


def test_seeds_are_farthest_first() -> None:
    # From 0 the farthest is 10, and from both of them 4.
    found = kmeans(line(0, 1, 4, 9, 10), np.array([0.0]), 3)
    assert found.label.tolist() == [0, 0, 2, 1, 1]
    assert found.centroid.ravel().tolist() == [0.5, 9.5, 4.0]


def test_a_pinned_centroid_stays() -> None:
    # Free, the first cluster moves to 1 and on to 1.5; pinned, 3 is nearer to the other two.
    points = line(1, 1, 3, 5, 9)
    free, pinned = (kmeans(points, np.zeros(1), 3, pinned=pinned) for pinned in (False, True))
    assert pinned.centroid[0, 0] == 0.0
    assert free.centroid[0, 0] > 0.0
    assert pinned.label.tolist() == [0, 0, 2, 2, 1]


def test_no_more_clusters_than_different_points() -> None:
    found = kmeans(line(2, 2, 2, 5), np.array([2.0]), 4)
    assert len(found.centroid) == 2
    assert found.label.tolist() == [0, 0, 0, 1]


def test_an_empty_cluster_keeps_its_place() -> None:
    # No point is nearest to the pinned origin.
    found = kmeans(line(10, 20), np.zeros(1), 3, pinned=True)
    assert found.centroid.ravel().tolist() == [0.0, 20.0, 10.0]
    assert found.label.tolist() == [2, 1]


def test_equal_distances_go_to_the_first_cluster() -> None:
    assert kmeans(line(0, 5, 10), np.array([0.0]), 2).label.tolist()[1] == 0


@pytest.mark.parametrize("size", [1, 2, 50, 5000])
def test_every_point_ends_up_with_the_nearest_centroid(size: int) -> None:
    points = np.random.default_rng(size).random((size, 3))
    found = kmeans(points, points[0], 3)
    distance = np.square(points[:, None] - found.centroid[None]).sum(axis=2)
    assert found.rounds <= MOST_ROUNDS
    assert np.array_equal(found.label, distance.argmin(axis=1))
