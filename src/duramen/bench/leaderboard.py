"""Who is best, and how surely: the standings of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import numpy as np

from duramen.bench.metrics import Interval, aeb_scores, harmonic, interval, resampled_means, snippet_scores
from duramen.bench.runs import Run
from duramen.bench.tables import Cell, Table, table
from duramen.page import FloatArray

Scores = Mapping[str, Any]
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Standing:
    """One extractor on all data sets of a run."""

    name: str
    by_dataset: dict[str, float]  # F1: mean over pages of the bag of words, or of pooled snippets
    macro: Interval  # mean over the data sets
    behind: Interval | None  # behind the best, paired; None for the best itself and for other data sets
    pages: int
    errors: int
    timeouts: int
    empty: int
    mean_ms: float
    median_ms: float
    figures: dict[str, float | None]  # macro averages of the other metrics


@dataclass(frozen=True, slots=True)
class Standings:
    """All extractors of a run, the best first."""

    standings: tuple[Standing, ...]
    datasets: tuple[str, ...]
    pages: dict[str, int]  # of each data set that all of its extractors have
    by_kind: dict[str, dict[str, float]]  # page type → extractor → F1, over all data sets that have types

    def leader(self) -> Standing:
        """The best one."""
        return self.standings[0]


FIGURES = ("p", "r", "lcs_f1", "ce", "sim")


def standings(run: Run, *, resamples: int = RESAMPLES) -> Standings:
    """The standings of a run, over the pages that every extractor of a data set was measured on."""
    scores: dict[str, dict[str, dict[str, Scores]]] = {}
    for dataset, extractor, pages in run.all_scores():
        scores.setdefault(dataset, {})[extractor] = dict(pages)
    scores = {dataset: common for dataset, found in scores.items() if (common := _common(found))}
    drawn = {dataset: _resampled(found, resamples, run.seed) for dataset, found in scores.items()}
    names = [name for name in run.extractors if any(name in found for found in scores.values())]
    f1 = {
        name: {data: dataset_f1(found[name].values()) for data, found in scores.items() if name in found}
        for name in names
    }
    macro = {name: fmean(f1[name].values()) for name in names}
    spread = {name: np.mean([drawn[data][name] for data in f1[name]], axis=0) for name in names}
    names.sort(key=lambda name: (-len(f1[name]), -macro[name], name))
    ranked = []
    for name in names:
        behind = None
        if name != names[0] and f1[name].keys() == f1[names[0]].keys():
            behind = interval(macro[name] - macro[names[0]], spread[name] - spread[names[0]])
        mine = {data: list(each[name].values()) for data, each in scores.items() if name in each}
        ranked.append(_standing(name, mine, f1[name], interval(macro[name], spread[name]), behind))
    counts = {data: len(next(iter(each.values()))) for data, each in scores.items()}
    return Standings(tuple(ranked), tuple(scores), counts, _kinds(scores))


def _common(found: dict[str, dict[str, Scores]]) -> dict[str, dict[str, Scores]]:
    """The pages that every extractor has; nothing where there is none."""
    keys = sorted(set.intersection(*(set(pages) for pages in found.values())))
    return {name: {key: pages[key] for key in keys} for name, pages in found.items()} if keys else {}


def dataset_f1(pages: Iterable[Scores]) -> float:
    """The headline figure of a data set: mean F1 of words, or pooled F1 of snippets where there is no gold text."""
    pages = list(pages)
    values = [page["f1"] for page in pages if "f1" in page]
    return fmean(values) if values else snippet_scores(page["snip"] for page in pages if "snip" in page).f1


def _resampled(found: Mapping[str, Mapping[str, Scores]], resamples: int, seed: int) -> dict[str, FloatArray]:
    """The data set's F1 in every resample, by extractor; the same pages for all of them."""
    names, rows = list(found), [list(pages.values()) for pages in found.values()]
    if "f1" in rows[0][0]:
        values = np.array([[page.get("f1", 0.0) for page in pages] for pages in rows]).T
        means = resampled_means(values, resamples=resamples, seed=seed)
        return {name: means[:, at] for at, name in enumerate(names)}
    counts = np.array([[page["snip"][:3] for page in pages] for pages in rows], dtype=float)  # extractors × pages × 3
    flat = counts.transpose(1, 0, 2).reshape(counts.shape[1], -1)
    sums = resampled_means(flat, resamples=resamples, seed=seed).reshape(resamples, len(names), 3)
    f1 = 2 * sums[..., 0] / np.maximum(2 * sums[..., 0] + sums[..., 1] + sums[..., 2], 1e-12)
    return {name: f1[:, at] for at, name in enumerate(names)}


def _standing(
    name: str, pages: dict[str, list[Scores]], f1: dict[str, float], macro: Interval, behind: Interval | None
) -> Standing:
    every = [page for found in pages.values() for page in found]
    errors = [page["error"] for page in every if "error" in page]
    times = [page["ms"] for page in every]
    figures: dict[str, float | None] = {}
    for key in FIGURES:
        means = [fmean(page[key] for page in found) for found in pages.values() if key in found[0]]
        figures[key] = fmean(means) if means else None
    aeb = [aeb_scores(page["aeb"] for page in found).f1 for found in pages.values() if "aeb" in found[0]]
    figures["aeb"] = fmean(aeb) if aeb else None
    snippets = [page["snip"] for page in every if "snip" in page]
    figures["snippets"] = snippet_scores(snippets).f1 if snippets else None
    precision, recall = figures["p"], figures["r"]
    figures["f1_of_means"] = None if precision is None or recall is None else harmonic(precision, recall)
    return Standing(
        name=name,
        by_dataset=f1,
        macro=macro,
        behind=behind,
        pages=len(every),
        errors=len(errors) - errors.count("timeout"),
        timeouts=errors.count("timeout"),
        empty=sum(page["n_pred"] == 0 for page in every),
        mean_ms=fmean(times),
        median_ms=median(times),
        figures=figures,
    )


def _kinds(scores: Mapping[str, Mapping[str, Mapping[str, Scores]]]) -> dict[str, dict[str, float]]:
    groups: dict[str, dict[str, list[float]]] = {}
    for found in scores.values():
        for name, pages in found.items():
            for page in pages.values():
                if page.get("kind") and "f1" in page:
                    groups.setdefault(page["kind"], {}).setdefault(name, []).append(page["f1"])
    return {kind: {name: fmean(values) for name, values in groups[kind].items()} for kind in sorted(groups)}


def leaderboard(found: Standings) -> Table:
    """F1 of each data set, their mean with its interval, and how far behind the best."""
    rows: list[Sequence[Cell]] = []
    for each in found.standings:
        behind = (
            "" if each.behind is None else f"{each.behind.value:+.3f} [{each.behind.low:+.3f}, {each.behind.high:+.3f}]"
        )
        span = f"[{each.macro.low:.3f}, {each.macro.high:.3f}]"
        rows.append(
            (each.name, *(each.by_dataset.get(name) for name in found.datasets), each.macro.value, span, behind)
        )
    head = ("extractor", *found.datasets, "macro", "95 %", "to the best (paired)")
    return table("leaderboard", "F1 (macro: mean over the data sets)", head, rows)


def other_figures(found: Standings) -> Table:
    """The other metrics, what went wrong, and the time."""
    rows = [
        (
            each.name,
            each.pages,
            *(each.figures[key] for key in (*FIGURES, "aeb", "snippets")),
            each.errors,
            each.timeouts,
            each.empty,
            f"{each.median_ms:.1f}",
            f"{each.mean_ms:.1f}",
            f"{1000 / each.mean_ms:.1f}" if each.mean_ms else NEVER,
        )
        for each in found.standings
    ]
    head = (
        *("extractor", "pages", "P", "R", "LCS F1", "CleanEval", "cosine × length", "AEB F1", "snippet F1"),
        *("errors", "timeouts", "empty", "median ms", "mean ms", "pages/s"),
    )
    return table("figures", "Other metrics (macro over the data sets that have them; CPU time)", head, rows)


def kinds(found: Standings) -> Table | None:
    """F1 by page type, where pages have types."""
    if not found.by_kind:
        return None
    rows = [(each.name, *(kind.get(each.name) for kind in found.by_kind.values())) for each in found.standings]
    return table("page-types", "F1 by page type", ("extractor", *found.by_kind), rows)


NEVER = "–"
