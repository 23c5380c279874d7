"""The set of the highest expected F1."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from duramen.algorithms.learned.choose import choose


def expected_f1(probability: np.ndarray, words: np.ndarray, taken: np.ndarray) -> float:
    hit = float((probability * words)[taken].sum())
    return 2 * hit / float(words[taken].sum() + (probability * words).sum())


def test_it_is_the_best_of_all_sets() -> None:
    chance = np.random.default_rng(3)
    for _ in range(20):
        probability, words = chance.random(8), chance.integers(1, 60, 8).astype(np.float64)
        best = max(
            expected_f1(probability, words, np.array(taken)) for taken in product((False, True), repeat=8) if any(taken)
        )
        choice = choose(probability, words, 0.0, 1.0)
        assert choice.expected == pytest.approx(best)
        assert choice.expected == pytest.approx(expected_f1(probability, words, choice.taken))


def test_the_threshold_stays_in_its_bounds() -> None:
    words = np.array([10.0, 10.0, 10.0])
    sure = choose(np.array([0.99, 0.9, 0.1]), words, 0.15, 0.6)
    assert sure.threshold == 0.6
    assert sure.taken.tolist() == [True, True, False]
    unsure = choose(np.array([0.1, 0.01, 0.02]), words, 0.15, 0.6)
    assert not unsure.taken.any()


def test_recall_takes_more_than_precision() -> None:
    probability, words = np.array([0.9, 0.6, 0.4, 0.2]), np.full(4, 20.0)
    taken = [int(choose(probability, words, 0.0, 1.0, beta).taken.sum()) for beta in (0.5, 1.0, 2.0)]
    assert taken == sorted(taken)
    assert taken[0] < taken[-1]


def test_nothing_to_choose_from() -> None:
    assert choose(np.zeros(0), np.zeros(0), 0.15, 0.6).expected == 0


def test_where_no_block_is_likely_none_is_taken() -> None:
    words = np.array([10.0, 10.0, 10.0])
    unlikely = np.array([0.19, 0.1, 0.18])
    assert choose(unlikely, words, 0.15, 0.6).taken.any()
    nothing = choose(unlikely, words, 0.15, 0.6, least=0.2)
    assert not nothing.taken.any()
    assert nothing.expected == 0
