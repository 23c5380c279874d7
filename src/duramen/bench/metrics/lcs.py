"""The longest common subsequence of an extraction and the gold: order counts, repeated words are distinct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from duramen.bench.extras import need
from duramen.bench.metrics.scores import Scores, scores
from duramen.bench.metrics.words import numbered
from duramen.page import BoolArray

MOST_ALIGNED = 20_000  # words of each text; the way back through the matrix takes a bit for every pair


@dataclass(frozen=True, slots=True)
class LcsScores:
    """What CETD and CleanEval report of a page."""

    scores: Scores
    cleaneval: float  # 1 - distance / alignment
    common: int
    distance: int  # insertions and removals that make one text of the other
    alignment: int  # length of the two texts laid beside each other


def lcs_length(one: Sequence[str], other: Sequence[str]) -> int:
    """How long the longest common subsequence is."""
    a, b = numbered(one, other)
    length: int = need("rapidfuzz.distance").LCSseq.similarity(a, b)
    return length


def lcs_scores(extracted: Sequence[str], gold: Sequence[str]) -> LcsScores:
    """Precision, recall, F1 and CleanEval score of words against the gold's words."""
    common = lcs_length(extracted, gold)
    alignment = len(extracted) + len(gold) - common
    return LcsScores(
        scores=scores(common, len(extracted), len(gold)),
        cleaneval=common / alignment if alignment else 1.0,
        common=common,
        distance=alignment - common,
        alignment=alignment,
    )


def aligned(one: Sequence[str], other: Sequence[str]) -> tuple[BoolArray, BoolArray]:
    """Which words of each text belong to a longest common subsequence; words beyond MOST_ALIGNED do not."""
    a, b = numbered(one[:MOST_ALIGNED], other[:MOST_ALIGNED])
    in_one, in_other = np.zeros(len(one), dtype=np.bool_), np.zeros(len(other), dtype=np.bool_)
    for block in need("rapidfuzz.distance").LCSseq.opcodes(a, b).as_matching_blocks():
        in_one[block.a : block.a + block.size] = True
        in_other[block.b : block.b + block.size] = True
    return in_one, in_other
