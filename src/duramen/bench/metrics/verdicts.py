"""ECON's three verdicts on a page, by the longest common subsequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum

import numpy as np

from duramen.bench.metrics.lcs import aligned
from duramen.bench.metrics.scores import Scores, scores

TOLERANCE = 0.02
TOLERANCES = (0.0, 0.02, 0.05)  # those that reports show


class Verdict(str, Enum):
    """What became of a page's content."""

    CORRECTLY = "correctly"  # only and all content
    WRONGLY = "wrongly"  # all content, and noise
    MISSED = "missed"  # part of the content, or none

    def __str__(self) -> str:
        return self.value


def verdict(precision: float, recall: float, tolerance: float = TOLERANCE) -> Verdict:
    """The verdict for a precision and a recall; the last digit of a float is no reason to fail a page."""
    least = 1 - tolerance - 1e-12
    if recall < least:
        return Verdict.MISSED
    return Verdict.CORRECTLY if precision >= least else Verdict.WRONGLY


def lenient_scores(extracted: Sequence[str], gold: Sequence[str], dont_care: Sequence[str] = ()) -> Scores:
    """Scores by the longest common subsequence; words that stand for the don't-care ones count neither way."""
    right, wanted = aligned(extracted, gold)
    left_over = [word for word, hit in zip(extracted, right) if not hit]
    missing = [word for word, hit in zip(gold, wanted) if not hit]
    excused, forgiven = (int(np.count_nonzero(aligned(words, dont_care)[0])) for words in (left_over, missing))
    return scores(int(right.sum()), len(extracted) - excused, len(gold) - forgiven)


def shares(verdicts: Iterable[Verdict]) -> dict[Verdict, float]:
    """The share of each verdict; they add up to 1."""
    counts = Counter(verdicts)
    return {kind: counts[kind] / max(counts.total(), 1) for kind in Verdict}
