"""Curves of training and sweeps as SVG and PNG files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from duramen.errors import MissingExtra
from duramen.train.evaluate import Evaluation
from duramen.train.swarm import Flight
from duramen.train.sweeps import Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = ("#0b6e4f", "#c1440e", "#2f5d9e", "#8a5aa3", "#8c7a1f", "#3f8fa8", "#b0477a", "#5b6b73")
_STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e3e3",
    "svg.hashsalt": "duramen",  # the same curves give the same file
    "svg.fonttype": "none",
}


def plot_curves(flights: Mapping[str, Flight], folder: Path, name: str = "curves") -> list[Path]:
    """Best (solid) and mean (dashed) score of each generation, for one or more swarms (the paper's Figure 3)."""
    figure = _figure(6.4, 3.6)
    axes = figure.add_subplot()
    for colour, (label, flight) in zip(_COLOURS * (1 + len(flights) // len(_COLOURS)), flights.items()):
        generations = np.arange(len(flight.best))
        axes.plot(generations, flight.best, color=colour, label=f"{label}: best")
        axes.plot(generations, flight.mean, color=colour, linestyle="--", linewidth=1, label=f"{label}: mean")
        axes.plot([flight.generation], [flight.score], "o", color=colour, markersize=4)
    axes.set_xlabel("generation")
    axes.set_ylabel("mean similarity on the training pages")
    axes.set_ylim(0, 1)
    axes.legend(fontsize=7, ncols=2, loc="lower right", frameon=False)
    return _save(figure, folder, name)


def plot_sweeps(sweeps: Sequence[Sweep], every_block: float, folder: Path, name: str = "sweeps") -> list[Path]:
    """One small plot a feature (the paper's Figure 4); the grey line is what all blocks score (PR)."""
    columns = 4
    rows = -(-len(sweeps) // columns)
    figure = _figure(9.0, 2.1 * rows)
    for at, found in enumerate(sweeps, 1):
        axes = figure.add_subplot(rows, columns, at)
        axes.axhline(every_block, color="#999999", linewidth=1)
        axes.plot(found.bounds, found.scores, color=_COLOURS[0])
        axes.plot([found.best], [found.score], "o", color=_COLOURS[1], markersize=4)
        axes.set_title(
            f"{found.feature.direction} {found.feature.name.replace('_', ' ')}: {found.score:.3f}", fontsize=8
        )
        axes.set_ylim(0, 1)
    return _save(figure, folder, name)


def plot_strategies(evaluation: Evaluation, folder: Path, name: str = "strategies") -> list[Path]:
    """A bar a strategy (the paper's Table 1)."""
    means = evaluation.means()
    figure = _figure(4.2, 2.6)
    axes = figure.add_subplot()
    bars = axes.bar(list(means), list(means.values()), color=_COLOURS[: len(means)], width=0.6)
    axes.bar_label(bars, fmt="%.3f", fontsize=8)
    axes.set_ylim(0, 1)
    axes.set_ylabel("mean similarity")
    axes.grid(axis="x", visible=False)
    return _save(figure, folder, name)


def _figure(width: float, height: float) -> Figure:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingExtra('plots need matplotlib: pip install "duramen[train]"') from None
    with matplotlib.rc_context(_STYLE):
        return Figure(figsize=(width, height), layout="constrained")


def _save(figure: Figure, folder: Path, name: str) -> list[Path]:
    import matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    with matplotlib.rc_context(_STYLE):
        figure.savefig(paths[0], metadata={"Date": None})
        figure.savefig(paths[1], dpi=110, metadata={"Software": None})
    return paths
