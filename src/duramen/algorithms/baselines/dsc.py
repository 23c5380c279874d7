"""DSC: document slope curves (Pinto et al. 2002).

The curve counts the tags up to each token of the page. Where it is flat for several windows in a row there is text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.baselines.tokens import Tokens, row_values, rows_inside, share_inside, tokenise, words_inside
from duramen.page import BoolArray, FloatArray, Page, Reason, Selection

Step = Literal["window", "half"]
Places = NDArray[np.int64]

# The window that fits a page: the largest from MANY_TOKENS on, the smallest up to FEW_TOKENS, in proportion between.
LARGEST_WINDOW, MANY_TOKENS = 50, 5000
SMALLEST_WINDOW, FEW_TOKENS = 8, 200
MOST_REFINEMENTS = 200  # values of k that are tried; pages of millions of tokens have a few hundred at most
MOST_WORDS = 100  # of the content, in the trace
MOST_SECTIONS = 50  # likewise


@dataclass(frozen=True, slots=True)
class Dsc:
    """Document slope curves: the sections where several windows in a row have few tags."""

    paper: ClassVar[str] = (
        "David Pinto, Michael Branstein, Ryan Coleman, W. Bruce Croft, Matthew King, Wei Li, Xing Wei: QuASM: "
        "A System for Question Answering Using Semi-Structured Data. JCDL 2002"
    )

    factor: float = 0.5  # a slope is low below this share of the page's own
    window: int | None = None  # tokens; none: 8 to 50, as the page is long
    step: Step = "window"  # from one window to the next: a whole window, or half of it
    windows: int = 3  # that in a row open or close a section
    refine: bool = True  # ask for more windows in a row as long as enough of the page is left
    least_share: float = 0.1  # … which is this share of its tokens

    def __post_init__(self) -> None:
        if not 0.0 < self.factor <= 1.0:
            raise ValueError(f"factor lies between 0 and 1, not {self.factor}")
        if self.window is not None and self.window < 2:
            raise ValueError(f"window is 2 tokens or more, not {self.window}")
        if self.step not in ("window", "half"):
            raise ValueError(f"step is one of window, half; not {self.step!r}")
        if self.windows < 1:
            raise ValueError(f"windows is 1 or more, not {self.windows}")
        if not 0.0 <= self.least_share <= 1.0:
            raise ValueError(f"least_share lies between 0 and 1, not {self.least_share}")

    def select(self, page: Page) -> Selection:
        """The text nodes of which half or more lies in flat sections; a text node's score is its share of words."""
        tokens = tokenise(page)
        count, tags = len(tokens), tokens.tags()
        if count == tags:
            return Selection(kept=np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        curve = np.concatenate(([0], np.cumsum(np.repeat(tokens.tag(), np.diff(tokens.at)), dtype=np.int64)))
        slopes = _slopes(curve, self.window or _fitting_window(count), self.step)
        limit = self.factor * tags / count
        if tags:
            sections, in_a_row = self._search(curve, slopes, limit)
        else:
            sections, in_a_row = np.array([[0, count]]), 0
        steps = np.zeros(count + 1, dtype=np.int64)
        steps[sections[:, 0]] += 1
        steps[sections[:, 1]] -= 1
        inside: BoolArray = np.cumsum(steps[:-1]) > 0
        kept = rows_inside(page, tokens, share_inside(inside, tokens.at))
        flat = row_values(page, tokens, 1.0 - _mean_slope(tokens, slopes))
        trace: dict[str, Any] = {
            "tokens": count,
            "tags": tags,
            "slope": tags / count,
            "threshold": limit,
            "window": slopes.size,
            "windows": in_a_row,
            "section_tokens": int(inside.sum()),
            "section_count": len(sections),
            "stretches": sections[:MOST_SECTIONS].tolist(),
            "words": words_inside(page, tokens, inside, MOST_WORDS),
        }
        reason = None if page.chars[kept].any() else Reason.NO_CONTENT
        columns = {"first_token": row_values(page, tokens, tokens.at[:-1].astype(np.float64))}
        return Selection(kept, flat, columns, trace, reason=reason)

    def _search(self, curve: Places, slopes: _Slopes, limit: float) -> tuple[Places, int]:
        """The flat sections, as tokens from and to, and how many windows in a row it took."""
        runs = _runs(slopes.value < limit)
        in_a_row = self.windows
        found = _sections(runs, slopes, in_a_row)
        while not len(found) and in_a_row > 1:  # a short page
            in_a_row -= 1
            found = _sections(runs, slopes, in_a_row)
        if not self.refine or in_a_row < self.windows:
            return found, in_a_row
        # Nothing changes between two lengths of a run, so only the numbers just above one are tried.
        sizes = np.unique(runs.size)
        for more in (sizes[sizes >= in_a_row] + 1)[:MOST_REFINEMENTS].tolist():
            fewer = _sections(runs, slopes, more)
            length = int((fewer[:, 1] - fewer[:, 0]).sum())
            tags = int((curve[fewer[:, 1]] - curve[fewer[:, 0]]).sum())
            if not length or length < self.least_share * (len(curve) - 1) or tags > limit * length:
                break
            found, in_a_row = fewer, more
        return found, in_a_row


@dataclass(frozen=True, slots=True, eq=False)
class _Slopes:
    """The slope of the curve in every window."""

    size: int  # tokens of a window
    start: Places  # the token that each starts at
    stop: Places
    value: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Windows in a row that are all low, or all not."""

    low: BoolArray
    start: NDArray[np.intp]  # first window
    size: NDArray[np.intp]


def _fitting_window(tokens: int) -> int:
    share = (tokens - FEW_TOKENS) / (MANY_TOKENS - FEW_TOKENS)
    return round(SMALLEST_WINDOW + (LARGEST_WINDOW - SMALLEST_WINDOW) * min(max(share, 0.0), 1.0))


def _slopes(curve: Places, size: int, step: Step) -> _Slopes:
    count = len(curve) - 1
    start = np.arange(0, count, size if step == "window" else max(size // 2, 1), dtype=np.int64)
    stop = np.minimum(start + size, count)
    return _Slopes(size, start, stop, (curve[stop] - curve[start]) / (stop - start))


def _runs(low: BoolArray) -> _Runs:
    start = np.flatnonzero(np.concatenate(([True], low[1:] != low[:-1])))
    return _Runs(low[start], start, np.diff(np.append(start, len(low))))


def _sections(runs: _Runs, slopes: _Slopes, in_a_row: int) -> Places:
    """A section opens with `in_a_row` low windows and closes before as many that are not; shorter runs change nothing.

    What is left of the page may be too short to close a section in that way: a last run that is not low does.
    """
    decides = runs.size >= in_a_row
    decides[-1] |= not runs.low[-1]
    deciding = np.flatnonzero(decides)
    low = runs.low[deciding]
    # Of deciding runs alike in a row the first opens or closes.
    turns = np.flatnonzero(np.concatenate((low[:1], low[1:] != low[:-1])))
    windows = np.append(runs.start[deciding[turns]], len(slopes.start))
    opened, closed = windows[:-1][low[turns]], windows[1:][low[turns]]
    return np.column_stack((slopes.start[opened], slopes.stop[closed - 1]))


def _mean_slope(tokens: Tokens, slopes: _Slopes) -> FloatArray:
    """For each run the mean slope of the windows that its first and last tokens start in."""
    last = len(slopes.value) - 1
    step = int(slopes.start[1]) if last else slopes.size
    end = np.maximum(tokens.at[1:] - 1, tokens.at[:-1])
    first, stop = (np.minimum(at // step, last) for at in (tokens.at[:-1], end))
    running = np.concatenate(([0.0], np.cumsum(slopes.value)))
    mean: FloatArray = (running[stop + 1] - running[first]) / (stop + 1 - first)
    return mean
