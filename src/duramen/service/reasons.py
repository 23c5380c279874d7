"""Why each node of a page was kept or dropped, in one line that a reader of the page understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.explain.explanation import Explanation
from duramen.explain.histogram import number
from duramen.explain.nodes import DROPPED, KEPT, VERDICTS, Nodes
from duramen.measure import nearest
from duramen.page import FloatArray, IntArray

_PATH_STEPS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """What the lines are put together from."""

    nodes: Nodes
    winner: int | None  # row
    threshold: float | None  # of the densities
    density: FloatArray | None  # what was compared with it, a row each
    section: IntArray  # the content section around each row, -1 outside
    thin: IntArray  # the nearest element around each row whose density misses the threshold, -1 where none does
    told: NDArray[Any] | None = None  # what the algorithm itself says of each node

    def why(self, k: int) -> str:
        """The line of a node."""
        nodes, row = self.nodes, int(self.nodes.row[k])
        words = [VERDICTS[nodes.verdict[k]]]
        if self.density is not None and self.threshold is not None:
            words += self._by_density(row, int(nodes.verdict[k]))
        else:
            score = None if nodes.score is None else float(nodes.score[k])
            if score is not None and np.isfinite(score):
                words.append(_compared(score, self.threshold if nodes.selection.blocks is not None else None))
            if self.told is not None and self.told[k]:
                words.append(str(self.told[k]))
            if self.winner is not None and nodes.verdict[k] in (KEPT, DROPPED):
                inside = self.winner <= row < int(nodes.page.end[self.winner])
                words.append(f"{'inside' if inside else 'outside'} the winner {nodes.label(self.winner)}")
        count = int(nodes.below["words"][k])
        words.append(f"{count:,} {'word' if count == 1 else 'words'}")
        words.append(" > ".join(nodes.path(row).split(" > ")[-_PATH_STEPS:]))
        return " · ".join(words)

    def _by_density(self, row: int, verdict: int) -> list[str]:
        """CETD: a section reaches the threshold, as does everything around it."""
        assert self.density is not None
        assert self.threshold is not None
        nodes = self.nodes
        element = row if nodes.page.tag[row] else int(nodes.page.parent[row])
        value, limit = float(self.density[element]), number(self.threshold)
        if not np.isfinite(value):
            return []
        own = f"density {number(value)}"
        section, thin = int(self.section[element]), int(self.thin[element])
        if verdict == KEPT and section >= 0:
            return ["a content section" if section == element else f"in the section {nodes.label(section)}", own]
        if verdict == DROPPED and thin >= 0:
            if thin == element:
                return [f"{own} < threshold {limit}"]
            return [f"in {nodes.label(thin)}, density {number(float(self.density[thin]))} < threshold {limit}"]
        return [own]


def _compared(score: float, threshold: float | None) -> str:
    if threshold is None:
        return f"score {number(score)}"
    return f"score {number(score)} {'≥' if score >= threshold else '<'} threshold {number(threshold)}"


def find_reasons(told: Explanation) -> Reasons:
    """What an explanation's lines rest on."""
    nodes, page = told.judged, told.page
    columns, trace = told.selection.columns, told.selection.trace
    density = columns.get("smoothed", columns.get("density"))
    threshold = trace.get("threshold")
    section = np.zeros(len(page), dtype=np.bool_)
    section[[row for row in trace.get("section_rows") or () if row < len(page)]] = True
    thin = np.zeros(len(page), dtype=np.bool_)
    threshold = threshold if isinstance(threshold, float) else None
    if density is None or threshold is None or told.selection.blocks is not None:
        density = None
    else:
        density = np.asarray(density, dtype=np.float64)
        with np.errstate(invalid="ignore"):  # elements outside the body have none
            thin = density < threshold * (1 - 1e-12)
    return Reasons(
        nodes=nodes,
        winner=told.story.winner,
        threshold=threshold,
        density=density,
        section=nearest(page, section),
        thin=nearest(page, thin),
        told=columns.get("because"),
    )
