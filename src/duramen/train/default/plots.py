"""The reliability plot: what confidence promised, and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from duramen.models.default import DefaultModel
from duramen.train.default.judge import Judged, measured

BINS = 10


def reliability(judged: Sequence[Judged], model: DefaultModel) -> list[tuple[float, float, int]]:
    """Mean confidence, mean F1 and number of pages for each tenth of the confidence."""
    known = measured(judged)
    confidence = np.interp([each.expected for each in known], model.expected, model.actual)
    f1 = np.array([each.f1 for each in known], dtype=np.float64)
    place = np.minimum((confidence * BINS).astype(np.intp), BINS - 1)
    return [
        (float(confidence[place == at].mean()), float(f1[place == at].mean()), int((place == at).sum()))
        for at in range(BINS)
        if (place == at).any()
    ]


def plot_reliability(judged: Sequence[Judged], model: DefaultModel, folder: Path) -> None:
    """`reliability.svg` in the folder."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    points = reliability(judged, model)
    figure, axes = pyplot.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.plot([point[0] for point in points], [point[1] for point in points], marker="o", color="#1f5f8b")
    for confidence, f1, pages in points:
        axes.annotate(str(pages), (confidence, f1), textcoords="offset points", xytext=(6, -10), fontsize=8)
    axes.set(xlabel="confidence", ylabel="mean F1 of pages held out", xlim=(0, 1), ylim=(0, 1))
    axes.set_title("Reliability, cross-validated by site (numbers: pages)")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "reliability.svg", metadata={"Date": None})
    pyplot.close(figure)
