from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.train.align import align


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


def length(a: list[str], b: list[str]) -> int:
    """Of the longest common subsequence, by the textbook."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row[:]
        for j, y in enumerate(b, 1):
            row[j] = before[j - 1] + 1 if x == y else max(before[j], row[j - 1])
    return row[-1]


@pytest.mark.parametrize(
    ("page", "gold", "expected"),
    [
        ("home the cat sat on the mat", "the cat sat on the red mat today", "0111111"),
        ("b a", "a b", "10"),
        ("a b c", "", "000"),
        ("", "a", ""),
        ("x y", "a b", "00"),
    ],
)
def test_aligned_words(page: str, gold: str, expected: str) -> None:
    found = align(page.split(), gold.split())
    assert found.sum() == expected.count("1")
    assert len(found) == len(expected)


WORDS = st.lists(st.sampled_from("abcde"), max_size=20)


@given(page=WORDS, gold=WORDS)
def test_any_two_sequences(page: list[str], gold: list[str]) -> None:
    chosen = [word for word, kept in zip(page, align(page, gold).tolist()) if kept]
    assert is_subsequence(chosen, gold)
    assert len(chosen) == length(page, gold)


def test_long_texts() -> None:
    chance = np.random.default_rng(0)
    words = [f"w{k}" for k in chance.integers(0, 500, 20_000).tolist()]
    assert align(words, words[5_000:15_000])[5_000:15_000].sum() > 9_000
