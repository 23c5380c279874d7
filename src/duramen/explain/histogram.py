"""A bar for every judged node in document order, as inline SVG: CETD's Figures 3 and 4 for any algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from duramen.explain.nodes import KEPT, UNREAD, VERDICTS, Nodes, shorten
from duramen.page import FloatArray

BARS = 600  # more nodes than this share bars: each then stands for the highest of its nodes
BAR_PIXELS = 2  # least width of a bar; a wider chart scrolls
_PLOT = 94.0  # percent of the height that the bars take; below them a mark tells the kept ones


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """The bars of a chart: one a node, or one for several nodes that follow each other."""

    label: str  # what is measured
    unit: NDArray[np.intp]  # the node that each bar stands for
    value: FloatArray
    kept: NDArray[np.bool_]
    per_bar: int  # nodes a bar
    nodes: int  # nodes measured
    threshold: float | None = None

    @property
    def logarithmic(self) -> bool:
        """Whether a few bars would dwarf all others on a linear scale, as counts that add up towards the root do."""
        positive = self.value[self.value > 0]
        return len(positive) > 10 and float(positive.max()) > 8 * float(np.percentile(positive, 90))

    def heights(self, values: FloatArray) -> FloatArray:
        """Values as heights in the chart, from 0 to 1."""
        values = np.clip(values, 0.0, self.top)
        shares: FloatArray = np.log1p(values) / np.log1p(self.top) if self.logarithmic else values / self.top
        return shares

    @property
    def top(self) -> float:
        """The highest value that the chart shows."""
        return max(float(self.value.max(initial=0.0)), (self.threshold or 0.0) * 1.05) or 1.0


def bars(nodes: Nodes) -> Bars:
    """The density of each node where the algorithm has one, else its score, else the characters of its text."""
    label, values = _measured(nodes)
    found = np.flatnonzero(np.isfinite(values) & (nodes.verdict != UNREAD))
    values = values[found]
    per_bar = max(1, -(-len(found) // BARS))
    if per_bar > 1:
        padded = np.full(-(-len(found) // per_bar) * per_bar, -np.inf)
        padded[: len(found)] = values
        best = padded.reshape(-1, per_bar).argmax(axis=1) + np.arange(0, len(padded), per_bar)
        shown, values = found[best], values[best]
    else:
        shown = found
    threshold = nodes.selection.trace.get("threshold") if label.endswith("density") else None
    return Bars(
        label=label,
        unit=shown,
        value=values,
        kept=nodes.verdict[shown] == KEPT,
        per_bar=per_bar,
        nodes=len(found),
        threshold=float(threshold) if isinstance(threshold, (int, float)) and np.isfinite(threshold) else None,
    )


def _measured(nodes: Nodes) -> tuple[str, FloatArray]:
    for name in ("smoothed", "density"):  # what is compared with the threshold comes first
        density = nodes.selection.columns.get(name)
        if density is not None:
            return ("smoothed density" if name == "smoothed" else name), np.asarray(density, dtype=np.float64)
    if nodes.score is not None and np.isfinite(nodes.score).any():
        return "score", nodes.score
    return "characters", np.where(nodes.chars > 0, nodes.chars, np.nan)


def draw(chart: Bars, nodes: Nodes) -> str:
    """The chart as SVG; each bar is a link to its node in the page."""
    if not len(chart.unit):
        return '<p class="none">No node was measured, so there is nothing to draw.</p>'
    step = 100.0 / len(chart.unit)
    width = len(chart.unit) * BAR_PIXELS
    lines = [f'<svg id="bars" role="group" aria-label="{escape(chart.label)} per node" width="{width}" height="220">']
    for at, (unit, value, share, kept) in enumerate(
        zip(chart.unit.tolist(), chart.value.tolist(), chart.heights(chart.value).tolist(), chart.kept.tolist())
    ):
        height = max(_PLOT * share, 0.4)
        name = f"{VERDICTS[nodes.verdict[unit]]}, {chart.label} {number(value)}: {nodes.label(int(nodes.row[unit]))}"
        excerpt = shorten(nodes.excerpt(unit), 40)
        title = escape(f"{name}, “{excerpt}”" if excerpt else name, quote=False)
        mark = f'<rect x="{at * step:.3f}%" y="96%" width="{step:.3f}%" height="4%"/>' if kept else ""
        lines.append(
            f'<a href="#n{unit}" data-bar="{unit}" class="{VERDICTS[nodes.verdict[unit]]}" '
            f'tabindex="{-1 if at else 0}"><title>{title}</title>'
            f'<rect x="{at * step:.3f}%" y="{_PLOT - height:.2f}%" width="{step * 0.82:.3f}%" height="{height:.2f}%"/>'
            f"{mark}</a>"
        )
    if chart.threshold is not None:
        level = _PLOT - _PLOT * float(chart.heights(np.array([chart.threshold]))[0])
        place = f'x1="0" x2="100%" y1="{level:.2f}%" y2="{level:.2f}%"'
        lines.append(f'<line class="halo-line" {place}/><line class="threshold" {place}/>')
    lines.append("</svg>")
    return "".join(lines)


def ticks(chart: Bars) -> tuple[str, str]:
    """The values at the top and half-way up the chart."""
    top = chart.top
    return number(top), number(round(math.expm1(math.log1p(top) / 2), 2) if chart.logarithmic else top / 2)


def number(value: float) -> str:
    """A number as a person reads it: four significant digits, thousands apart."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"
