"""Scores that are made of all pages' counts at once: snippets, and the article extraction benchmark (AEB)."""

from __future__ import annotations

from collections.abc import Iterable

from duramen.bench.metrics.scores import Scores, harmonic


def snippet_scores(pages: Iterable[tuple[int, int, int, int]]) -> Scores:
    """Pooled over pages: snippets found that should be, found that should not, missed, and rightly left out."""
    found, wrong, missed, _ = [sum(column) for column in zip(*pages)] or [0, 0, 0, 0]
    precision = found / (found + wrong) if found + wrong else 0.0
    recall = found / (found + missed) if found + missed else 0.0
    return Scores(precision, recall, 2 * found / (2 * found + wrong + missed) if found else 0.0)


def aeb_scores(pages: Iterable[tuple[float, float, float]]) -> Scores:
    """The benchmark's own average: F1 of the mean precision and the mean recall.

    A page without extracted shingles has no precision, one without gold shingles no recall; they are left out of
    that mean.
    """
    precisions, recalls = [], []
    for right, wrong, missed in pages:
        if right + wrong:
            precisions.append(right / (right + wrong))
        if right + missed:
            recalls.append(right / (right + missed))
    precision = sum(precisions) / len(precisions) if precisions else 0.0
    recall = sum(recalls) / len(recalls) if recalls else 0.0
    return Scores(precision, recall, harmonic(precision, recall))
