"""The set of the highest expected F1."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from duramen.algorithms.learned.choose import choose

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(7)


def expected_f1(probability: np.ndarray, words: np.ndarray, taken: np.ndarray) -> float:
    """What F1 is on average where all log-odds, doubled, move together by a normal of a spread of 4."""
    odds = 2 * np.log(probability / (1 - probability))
    chance = 1 / (1 + np.exp(-odds - 4 * NODES[:, None]))
    found = 2 * (chance * words)[:, taken].sum(axis=1) / (words[taken].sum() + (chance * words).sum(axis=1))
    return float(WEIGHTS @ found / WEIGHTS.sum())


def test_it_is_the_best_of_all_thresholds() -> None:
    chance = np.random.default_rng(3)
    for _ in range(20):
        probability, words = chance.random(8), chance.integers(1, 60, 8).astype(np.float64)
        best = max(expected_f1(probability, words, probability >= each) for each in probability)
        choice = choose(probability, words, 0.0, 1.0)
        assert choice.expected == pytest.approx(best)
        assert choice.expected == pytest.approx(expected_f1(probability, words, choice.taken))


def test_the_expectation_is_that_of_the_shift() -> None:
    """Seven nodes come close to a thousand equal parts of the normal."""
    probability, words = np.array([0.9, 0.6, 0.3, 0.1]), np.array([30.0, 20.0, 40.0, 10.0])
    odds, found = 2 * np.log(probability / (1 - probability)), []
    taken = choose(probability, words, 0.0, 1.0).taken
    for part in range(1000):
        chance = 1 / (1 + np.exp(-odds - NormalDist(0, 4).inv_cdf((part + 0.5) / 1000)))
        found.append(2 * (chance * words)[taken].sum() / (words[taken].sum() + (chance * words).sum()))
    assert expected_f1(probability, words, taken) == pytest.approx(np.mean(found), abs=0.01)


def test_a_long_list_that_is_rather_not_content_is_left_out() -> None:
    """Were its blocks right or wrong each by itself, some would be content for certain, and all worth taking."""
    probability, words = np.array([0.95] * 5 + [0.35] * 20), np.full(25, 20.0)
    apart = [
        2 * (probability * words)[:some].sum() / (words[:some].sum() + (probability * words).sum()) for some in (5, 25)
    ]
    assert apart[1] > apart[0]
    assert int(choose(probability, words, 0.0, 1.0).taken.sum()) == 5


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


@pytest.mark.parametrize("count", [1, 7, 8, 9, 16, 17, 100, 1000])
def test_the_order_of_blocks_is_no_matter(count: int) -> None:
    chance = np.random.default_rng(count)
    probability, words = chance.random(count), chance.integers(1, 60, count).astype(np.float64)
    choice, order = choose(probability, words, 0.15, 0.8), chance.permutation(count)
    other = choose(probability[order], words[order], 0.15, 0.8)
    assert (other.threshold, other.expected) == (choice.threshold, choice.expected)
    assert np.array_equal(other.taken, choice.taken[order])


def test_blocks_of_the_same_probability_come_in_the_order_of_the_page() -> None:
    """What is expected is added up in that order: the last bits tell."""
    chance = np.random.default_rng(5)
    probability, words = chance.integers(1, 5, 90) / 5, chance.integers(1, 60, 90).astype(np.float64)
    order = (-probability).argsort(kind="stable")
    sorted_once = choose(probability[order], words[order], 0.15, 0.8)
    assert choose(probability, words, 0.15, 0.8).expected == sorted_once.expected


@pytest.mark.parametrize(
    ("likely", "menu", "taken"),
    [(3.0, 200.0, False), (3.0, 20.0, True), (12.0, 200.0, True)],
    ids=["a few words of many", "a few words of a few", "more than a few"],
)
def test_where_a_page_promises_only_a_few_words_none_is_taken(likely: float, menu: float, taken: bool) -> None:
    probability, words = np.array([0.9, 0.001]), np.array([likely, menu])
    assert bool(choose(probability, words, 0.15, 0.6, least=0.3).taken.any()) == taken
    assert choose(probability, words, 0.15, 0.6).taken.any()  # nobody asked for a rule
