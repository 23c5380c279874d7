"""Figures: curves, bars and steps, as SVG and PNG; the same data give the same files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from duramen.bench.extras import need

COLOURS = ("#8a4318", "#0b6e4f", "#2f5d9e", "#8a5aa3", "#b8860b", "#3f8fa8", "#b0477a", "#5b6b73")
_STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6e1dc",
    "svg.hashsalt": "duramen",
    "svg.fonttype": "none",
}
LEGEND_COLUMNS = 4
MARKED = 20  # points of a curve that are marked one by one
Kind = Literal["curves", "bars", "stems"]
Place = Sequence[float] | Sequence[str]


@dataclass(frozen=True, slots=True)
class Figure:
    """What a figure shows: named series over the same places, and thin lines for what a paper says."""

    name: str
    title: str
    kind: Kind
    places: Place
    series: Mapping[str, Sequence[float | None]]
    x: str = ""
    y: str = ""
    lines: Mapping[str, float] = field(default_factory=dict)  # drawn across
    log: bool = False  # both axes
    limits: tuple[float, float] | None = None  # of the y axis

    def save(self, folder: Path) -> list[Path]:
        """Write NAME.svg and NAME.png."""
        matplotlib = need("matplotlib")
        canvas = need("matplotlib.figure")
        folder.mkdir(parents=True, exist_ok=True)
        with matplotlib.rc_context(_STYLE):
            wide = len(self.places) > 12 and self.kind != "curves"
            figure = canvas.Figure(figsize=(9.0 if wide else 6.2, 3.6), layout="constrained")
            self._draw(figure.add_subplot())
            paths = [folder / f"{self.name}.svg", folder / f"{self.name}.png"]
            figure.savefig(paths[0], metadata={"Date": None})
            figure.savefig(paths[1], dpi=100, metadata={"Software": None})
        return paths

    def _draw(self, axes: Any) -> None:
        colours = [COLOURS[at % len(COLOURS)] for at in range(len(self.series))]
        if self.kind == "bars":
            self._bars(axes, colours)
        for at, (colour, (name, values)) in enumerate(zip(colours, self.series.items())):
            shown = [float("nan") if value is None else value for value in values]
            if self.kind == "curves":
                mark = "o" if len(self.places) <= MARKED else None
                dashes = ("-", "--", ":")[at // len(COLOURS) % 3]  # where colours come again
                axes.plot(self.places, shown, dashes, color=colour, label=name, marker=mark, markersize=3)
            elif self.kind == "stems":
                axes.vlines(self.places, 0, shown, color=colour, linewidth=0.8, label=name)
        for at, (name, value) in enumerate(self.lines.items()):
            axes.axhline(value, color="#777777", linestyle=(0, (4, 2 + 2 * at)), linewidth=1, label=name)
        if self.log:
            axes.set_xscale("log")
            axes.set_yscale("log")
        if self.limits:
            axes.set_ylim(*self.limits)
        entries = len(self.series) + len(self.lines)
        lines = -(-entries // LEGEND_COLUMNS) if entries > 3 else 0  # of their own that the legend then has
        axes.set_title(self.title, fontsize=10, loc="left", pad=6 + 14 * lines)
        axes.set_xlabel(self.x)
        axes.set_ylabel(self.y)
        if entries > 1:
            # Above the plot, where it covers nothing.
            columns = min(entries, LEGEND_COLUMNS)
            axes.legend(fontsize=7, frameon=False, ncols=columns, loc="lower right", bbox_to_anchor=(1.0, 1.0))

    def _bars(self, axes: Any, colours: Sequence[str]) -> None:
        width = 0.8 / max(len(self.series), 1)
        for at, (colour, (name, values)) in enumerate(zip(colours, self.series.items())):
            where = [place + (at - (len(self.series) - 1) / 2) * width for place in range(len(self.places))]
            axes.bar(where, [value or 0 for value in values], width, color=colour, label=name)
        axes.set_xticks(range(len(self.places)), [str(place) for place in self.places])
        if len(self.places) > 6 or max((len(str(place)) for place in self.places), default=0) > 12:
            axes.tick_params(axis="x", labelsize=7)
            for label in axes.get_xticklabels():
                label.set(rotation=50, ha="right", rotation_mode="anchor")
        axes.grid(axis="x", visible=False)
