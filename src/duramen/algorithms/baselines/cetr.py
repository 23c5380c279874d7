"""CETR: content extraction via tag ratios (Weninger, Hsu & Han 2010).

Each line of the source has a ratio of text to tags. Smoothed, and together with how steeply it changes, it tells lines
of content from lines near the origin of that plane, which are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from duramen.algorithms.baselines.cluster import Clusters, kmeans
from duramen.algorithms.baselines.lines import lines
from duramen.algorithms.baselines.smooth import blur
from duramen.algorithms.baselines.tokens import row_values, rows_inside, tokenise
from duramen.page import BoolArray, FloatArray, Page, Reason, Selection

Variant = Literal["CETR", "CETR-KM", "CETR-TM"]

SHORT_PAGE_LINES = 20  # up to here a radius of 1, from there on of 2
MOST_RADIUS = 1000
MOST_LINES = 100  # whose figures the trace has
MOST_STRETCHES = 50  # of content lines, likewise


@dataclass(frozen=True, slots=True)
class Cetr:
    """Tag ratios: lines with much text for their tags, by clustering (CETR, CETR-KM) or a threshold (CETR-TM)."""

    paper: ClassVar[str] = "Tim Weninger, William H. Hsu, Jiawei Han: CETR: Content Extraction via Tag Ratios. WWW 2010"

    variant: Variant = "CETR"  # clusters of ratio and rise; KM: of the ratio alone; TM: a threshold on the ratio
    radius: int | None = None  # of the smoothing, in lines; none: 2, on short pages 1
    lambda_: float = 1.0  # CETR-TM: the threshold in standard deviations
    clusters: int = 3
    ahead: int = 3  # lines that the rise looks ahead
    wrap: int = 65  # characters of a line on pages with very long ones

    def __post_init__(self) -> None:
        if self.variant not in get_args(Variant):
            raise ValueError(f"variant is one of {', '.join(get_args(Variant))}; not {self.variant!r}")
        if self.radius is not None and not 1 <= self.radius <= MOST_RADIUS:
            raise ValueError(f"radius is a whole number from 1 to {MOST_RADIUS}; not {self.radius}")
        if not (math.isfinite(self.lambda_) and self.lambda_ >= 0):
            raise ValueError(f"lambda is a number from 0, not {self.lambda_}")
        if self.clusters < 2:
            raise ValueError(f"clusters is 2 or more, not {self.clusters}")
        if self.ahead < 1:
            raise ValueError(f"ahead is 1 or more, not {self.ahead}")
        if self.wrap < 1:
            raise ValueError(f"wrap is 1 or more, not {self.wrap}")

    def select(self, page: Page) -> Selection:
        """The text nodes of which half or more is in content lines; their score is the smoothed ratio there."""
        tokens = tokenise(page)
        found = lines(page, tokens, self.wrap)
        if not found.chars.any():
            return Selection(kept=np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        radius = self.radius or (1 if len(found) <= SHORT_PAGE_LINES else 2)
        ratio = found.chars / np.maximum(found.tags, 1)
        smooth = blur(ratio, radius, radius)
        rise = blur(_rise(smooth, self.ahead), radius, radius)
        trace: dict[str, Any] = {
            "variant": self.variant,
            "lines": len(found),
            "wrapped": found.wrapped,
            "radius": radius,
            "deviation": float(smooth.std()),
        }
        columns: dict[str, Any] = {"tags": found.tags, "chars": found.chars, "ratio": ratio, "smooth": smooth}
        if self.variant == "CETR-TM":
            trace["threshold"] = self.lambda_ * trace["deviation"]
            content: BoolArray = smooth >= trace["threshold"]
        else:
            if self.variant == "CETR":
                columns["rise"] = rise
            points = np.column_stack((smooth, rise) if self.variant == "CETR" else (smooth,))
            clusters = kmeans(points, np.zeros(points.shape[1]), self.clusters, pinned=self.variant == "CETR")
            content = clusters.label != 0
            columns["cluster"] = clusters.label
            trace |= {"rounds": clusters.rounds, "clusters": _told(clusters)}
        share = found.mean(content)
        kept = rows_inside(page, tokens, share)
        trace |= {
            "content_lines": int(content.sum()),
            "stretches": _stretches(content)[:MOST_STRETCHES],
            "histogram": _histogram(columns, content),
        }
        reason = None if page.chars[kept].any() else Reason.NO_CONTENT
        figures = {"content_share": row_values(page, tokens, share)}
        return Selection(kept, row_values(page, tokens, found.mean(smooth)), figures, trace, reason=reason)


def _rise(smooth: FloatArray, ahead: int) -> FloatArray:
    """How far each line is from the mean of the next ones; 0 for the last."""
    count = len(smooth)
    running = np.concatenate(([0.0], np.cumsum(smooth)))
    first = np.arange(1, count + 1)
    stop = np.minimum(first + ahead, count)
    means = (running[stop] - running[first]) / np.maximum(stop - first, 1)
    return np.where(stop > first, np.abs(means - smooth), 0.0)


def _told(clusters: Clusters) -> list[dict[str, Any]]:
    size = np.bincount(clusters.label, minlength=len(clusters.centroid)).tolist()
    return [{"size": count, "centroid": place} for count, place in zip(size, clusters.centroid.round(6).tolist())]


def _stretches(content: BoolArray) -> list[list[int]]:
    """Content lines in a row: the first, and the one after the last."""
    edges = np.diff(np.concatenate(([False], content, [False])).astype(np.int8))
    found: list[list[int]] = np.column_stack((np.flatnonzero(edges == 1), np.flatnonzero(edges == -1))).tolist()
    return found


def _histogram(columns: dict[str, Any], content: BoolArray) -> list[dict[str, Any]]:
    """The figures of the first lines."""
    figures = {name: values[:MOST_LINES].round(6).tolist() for name, values in columns.items()}
    figures["content"] = content[:MOST_LINES].tolist()
    return [{"line": number, **dict(zip(figures, line))} for number, line in enumerate(zip(*figures.values()))]
