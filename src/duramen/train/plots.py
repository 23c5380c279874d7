"""Curves of training and sweeps as SVG and PNG files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    "lines.linewidth": 1.4,
    "svg.hashsalt": "duramen",  # the same curves give the same file
    "svg.fonttype": "none",
}


def plot_curves(flights: Mapping[str, Flight], folder: Path, name: str = "curves") -> list[Path]:
    """Best (solid) and mean (dotted) score of each generation, for one or more swarms (the paper's Figure 3)."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for number, (label, flight) in enumerate(flights.items()):
            colour = _COLOURS[number % len(_COLOURS)]
            generations = np.arange(len(flight.best))
            axes.plot(generations, flight.best, color=colour, label=label)
            axes.plot(generations, flight.mean, color=colour, linestyle=":", linewidth=1)
            axes.plot([flight.generation], [flight.score], "o", color=colour, markersize=4)
        axes.set_xlabel("generation")
        axes.set_ylabel("similarity: best, and mean (dotted)")
        axes.set_ylim(0, 1)
        figure.legend(loc="outside right upper", frameon=False)

    return _write(draw, (7.2, 3.2), folder, name)


def plot_sweeps(sweeps: Sequence[Sweep], every_block: float, folder: Path, name: str = "sweeps") -> list[Path]:
    """One small plot a feature (the paper's Figure 4); the grey line is what all blocks score (PR)."""
    columns = 4
    rows = -(-len(sweeps) // columns)

    def draw(figure: Figure) -> None:
        for at, found in enumerate(sweeps, 1):
            axes = figure.add_subplot(rows, columns, at)
            axes.axhline(every_block, color="#999999", linewidth=1)
            axes.plot(found.bounds, found.scores, color=_COLOURS[0])
            axes.plot([found.best], [found.score], "o", color=_COLOURS[1], markersize=4)
            label = found.feature.name.replace("_", " ")
            axes.set_title(f"{found.feature.direction} {label}: {found.score:.3f}", fontsize=8)
            axes.set_ylim(0, 1)

    return _write(draw, (9.0, 2.0 * rows), folder, name)


def plot_strategies(evaluation: Evaluation, folder: Path, name: str = "strategies") -> list[Path]:
    """A bar a strategy (the paper's Table 1)."""
    means = evaluation.means()

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        bars = axes.bar(list(means), list(means.values()), color=_COLOURS[: len(means)], width=0.6)
        axes.bar_label(bars, fmt="%.3f", fontsize=8)
        axes.set_ylim(0, 1)
        axes.set_ylabel("mean similarity")
        axes.grid(axis="x", visible=False)

    return _write(draw, (4.2, 2.6), folder, name)


def _write(draw: Callable[[Figure], None], size: tuple[float, float], folder: Path, name: str) -> list[Path]:
    """Draw a figure and write it in both formats."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingExtra('plots need matplotlib: pip install "duramen[train]"') from None
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        figure.savefig(paths[0], metadata={"Date": None, "Creator": None})
        figure.savefig(paths[1], dpi=100, metadata={"Software": None})
    return paths
