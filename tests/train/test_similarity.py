from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.train.similarity import agreement, similarity, terms


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # P4
        ("the cat sat on the mat", "the cat sat on the mat the cat sat on the mat", 0.5),
        ("Home News the cat sat.", "the cat sat on a mat", 0.6),
        ("Home News", "the cat sat", 0.0),
        ("the cat", "the cat", 1.0),
        ("The CAT!", "the cat", 1.0),
        ("", "", 1.0),
        ("a b .", "", 1.0),  # terms of one character are none
        ("", "the cat", 0.0),
        ("the cat", "", 0.0),
    ],
)
def test_vectors(one: str, other: str, expected: float) -> None:
    assert similarity(one, other) == pytest.approx(expected, abs=1e-12)


def test_letter_case_can_matter() -> None:
    assert similarity("The cat", "the cat", lower=False) == pytest.approx(0.5)
    assert terms("The a cat", lower=False) == ["The", "cat"]


TEXTS = st.lists(st.sampled_from("the cat sat on mat of Home a".split()), max_size=30).map(" ".join)


@given(one=TEXTS, other=TEXTS)
def test_range_and_symmetry(one: str, other: str) -> None:
    found = similarity(one, other)
    assert 0 <= found <= 1
    assert math.isclose(found, similarity(other, one), abs_tol=1e-12)
    assert similarity(one, one) == 1.0


def test_agreement_of_two_people() -> None:
    assert agreement([("the cat", "the cat"), ("the cat sat", "dog")]) == (0.5, 2)
    mean, pages = agreement([])
    assert math.isnan(mean)
    assert pages == 0
