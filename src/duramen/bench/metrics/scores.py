"""Precision, recall and F1: of a page, and of many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

OUTLIER_F1 = 0.8  # a source below is worth a look


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and F1 of one page."""

    precision: float
    recall: float
    f1: float
    no_gold: bool = False  # something was extracted where the gold is empty


@dataclass(frozen=True, slots=True)
class Means:
    """The scores of many pages. Papers print either F1: that of the means, or the mean of the pages'."""

    pages: int
    precision: float
    recall: float
    f1_of_means: float
    mean_f1: float


def harmonic(precision: float, recall: float) -> float:
    """F1 of a precision and a recall."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def scores(common: float, extracted: float, gold: float) -> Scores:
    """Scores from the sizes of what is right, of what was extracted, and of what should have been.

    Two empty sets agree; an empty extraction scores nothing; one where the gold is empty misses nothing.
    """
    if not gold:
        return Scores(0.0, 1.0, 0.0, no_gold=True) if extracted else Scores(1.0, 1.0, 1.0)
    if not extracted:
        return Scores(0.0, 0.0, 0.0)
    return Scores(common / extracted, common / gold, 2 * common / (extracted + gold))


def means(pages: Sequence[Scores]) -> Means:
    """The macro averages, each page counting the same; all zero without pages."""
    if not pages:
        return Means(0, 0.0, 0.0, 0.0, 0.0)
    precision, recall = fmean(page.precision for page in pages), fmean(page.recall for page in pages)
    return Means(len(pages), precision, recall, harmonic(precision, recall), fmean(page.f1 for page in pages))


def pooled(counts: Iterable[tuple[float, float, float]]) -> Scores:
    """The micro average: all pages' (common, extracted, gold) added up first."""
    totals = [sum(column) for column in zip(*counts)] or [0.0, 0.0, 0.0]
    return scores(*totals)


def by_source(pages: Iterable[tuple[str, Scores]]) -> dict[str, Means]:
    """The means of each source, by name."""
    groups: dict[str, list[Scores]] = defaultdict(list)
    for source, page in pages:
        groups[source].append(page)
    return {source: means(groups[source]) for source in sorted(groups)}


def over_sources(sources: Sequence[Means]) -> Means:
    """The plain mean of sources, however many pages each has."""
    if not sources:
        return Means(0, 0.0, 0.0, 0.0, 0.0)
    return Means(
        sum(each.pages for each in sources),
        fmean(each.precision for each in sources),
        fmean(each.recall for each in sources),
        fmean(each.f1_of_means for each in sources),
        fmean(each.mean_f1 for each in sources),
    )


def outliers(sources: dict[str, Means], below: float = OUTLIER_F1) -> list[str]:
    """Sources whose F1 is low, worst first."""
    low = [name for name, each in sources.items() if each.f1_of_means < below]
    return sorted(low, key=lambda name: sources[name].f1_of_means)
