"""Bags of words: order does not count. More lenient than the longest common subsequence, and never below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from duramen.bench.metrics.scores import Scores, scores
from duramen.train.similarity import agreement, similarity

__all__ = ["agreement", "bag_scores", "shingle_shares", "shingles", "similarity", "snippet_counts"]

SHINGLE_WORDS = 4


def bag_scores(extracted: Sequence[str], gold: Sequence[str], *, distinct: bool = False) -> Scores:
    """Overlap of the words' counts, or of the `distinct` words."""
    if distinct:
        one, other = set(extracted), set(gold)
        return scores(len(one & other), len(one), len(other))
    common = (Counter(extracted) & Counter(gold)).total()
    return scores(common, len(extracted), len(gold))


def snippet_counts(text: str, required: Sequence[str], forbidden: Sequence[str]) -> tuple[int, int, int, int]:
    """How many of the required snippets are found, of the forbidden found, and how many of each are not.

    White space in a snippet matches any white space. An empty snippet is in every text.
    """
    flat = " ".join(text.split())
    found, wrong = (sum(" ".join(one.split()) in flat for one in kind) for kind in (required, forbidden))
    return found, wrong, len(required) - found, len(forbidden) - wrong


def shingles(words: Sequence[str], size: int = SHINGLE_WORDS) -> Counter[tuple[str, ...]]:
    """Runs of `size` words; a shorter text is one shingle, an empty one none."""
    if not words:
        return Counter()
    return Counter(tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1)))


def shingle_shares(extracted: Sequence[str], gold: Sequence[str]) -> tuple[float, float, float]:
    """Right, wrong and missed shingles as shares of all of them, so that each page weighs the same (AEB)."""
    one, other = shingles(extracted), shingles(gold)
    right = (one & other).total()
    wrong, missed = one.total() - right, other.total() - right
    total = (right + wrong + missed) or 1
    return right / total, wrong / total, missed / total
