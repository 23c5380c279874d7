from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duramen.models.trees import Tree, read_tree
from duramen.page import FloatArray
from duramen.train.tree import Growth, grow, more_errors

NAMES = ("x", "y")


def grown(rows: Sequence[tuple[float, float]], content: Sequence[bool], **settings: Any) -> tuple[Tree, FloatArray]:
    features = np.array(rows, dtype=np.float64)
    yes = np.array(content, dtype=np.float64)
    return grow(features, 1 - yes, yes, NAMES, Growth(**settings)), features


def test_one_split_lies_in_the_middle() -> None:
    tree, features = grown([(k, 0) for k in range(10)], [k >= 6 for k in range(10)])
    assert len(tree) == 3
    assert (tree.feature[0], tree.threshold[0]) == (0, 5.5)
    assert tree.shares(features).tolist() == [0.0] * 6 + [1.0] * 4


def test_two_features_together() -> None:
    rows = [(x, y) for x in range(8) for y in range(8)]
    tree, features = grown(rows, [x > 3 and y > 3 for x, y in rows])
    assert ((tree.shares(features) > 0.5) == [x > 3 and y > 3 for x, y in rows]).all()
    assert tree.leaves() == 3


def test_cases_of_one_kind_need_no_question() -> None:
    tree, features = grown([(1, 1), (2, 2), (3, 3), (4, 4)], [True] * 4)
    assert len(tree) == 1
    assert tree.shares(features).tolist() == [1.0] * 4


def test_a_branch_has_at_least_so_many_cases() -> None:
    rows = [(float(k), 0.0) for k in range(40)]
    content = [k == 0 or k > 20 for k in range(40)]
    tree, features = grown(rows, content, fewest=5, confidence=1.0)
    _, counts = np.unique(tree.shares(features), return_counts=True)
    assert counts.min() >= 5


def test_noise_is_pruned() -> None:
    chance = np.random.default_rng(0)
    rows = [(float(x), float(y)) for x, y in chance.random((400, 2))]
    content = [bool(coin) for coin in chance.random(400) < 0.3]
    bare, _ = grown(rows, content, confidence=1.0)
    pruned, _ = grown(rows, content)
    severe, _ = grown(rows, content, confidence=0.01)
    assert len(bare) >= len(pruned) >= len(severe) == 1


@pytest.mark.parametrize(
    ("errors", "cases", "expected"),
    [
        (0, 6, 6 * (1 - 0.25 ** (1 / 6))),  # Quinlan's example: U25%(0, 6) = 0.206
        (0, 9, 9 * (1 - 0.25 ** (1 / 9))),  # 0.143
        (0, 1, 0.75),  # 0.750
        (3, 3, 0.0),
    ],
)
def test_expected_errors(errors: float, cases: float, expected: float) -> None:
    assert more_errors(errors, cases, 0.25) == pytest.approx(expected)


def test_more_confidence_expects_more_errors() -> None:
    assert more_errors(5, 100, 0.05) > more_errors(5, 100, 0.25) > more_errors(5, 100, 0.5) > 0
    assert more_errors(5, 100, 1.0) == 0
    between = more_errors(0.5, 100, 0.25)
    assert more_errors(0, 100, 0.25) < between < more_errors(1, 100, 0.25)


@settings(deadline=None, max_examples=50)
@given(
    rows=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), min_size=1, max_size=40),
)
def test_a_full_tree_is_right_where_the_cases_agree(rows: list[tuple[int, int, bool]]) -> None:
    tree, features = grown([(x, y) for x, y, _ in rows], [kind for *_, kind in rows], fewest=1, confidence=1.0)
    shares = tree.shares(features)
    assert ((shares >= 0) & (shares <= 1)).all()
    copy = read_tree(tree.to_dict())
    assert copy.shares(features).tolist() == pytest.approx(shares.tolist(), abs=1e-4)
    # Sums over leaves are what went in.
    assert math.isclose(float(shares.sum()), sum(kind for *_, kind in rows), abs_tol=1e-6)


@pytest.mark.parametrize("bad", [{"fewest": 0}, {"confidence": 0.0}, {"confidence": 1.5}])
def test_senseless_settings_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="confidence lies between"):
        Growth(**bad)
