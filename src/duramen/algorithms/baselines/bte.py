"""BTE: body text extraction (Finn, Kushmerick & Smyth 2001).

The content is the one stretch of the page with the most words inside and the most tags outside. With a word as +1 and
a tag as -1 that is the stretch with the highest sum, found from running sums and their running minimum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.baselines.tokens import Tokens, row_values, rows_inside, tokenise, words_inside
from duramen.page import Page, Reason, Selection

MOST_WORDS = 100  # of the content, in the trace


@dataclass(frozen=True, slots=True)
class Bte:
    """Body text extraction: the stretch with the most words and the fewest tags. It has no settings."""

    paper: ClassVar[str] = (
        "Aidan Finn, Nicholas Kushmerick, Barry Smyth: Fact or Fiction: Content Classification for Digital "
        "Libraries. DELOS Workshop 2001"
    )

    def select(self, page: Page) -> Selection:
        """The text nodes of the best stretch; the score of a text node is the highest sum of a stretch through it."""
        tokens = tokenise(page)
        if len(tokens) == tokens.tags():
            return Selection(kept=np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        totals = _totals(tokens)
        first, stop, best = _best_stretch(totals)
        runs = np.arange(len(tokens.kind))
        within = ((runs >= first) & (runs < stop)).astype(np.float64)
        from_token, to_token = int(tokens.at[first]), int(tokens.at[stop]) - 1
        places = np.arange(len(tokens))
        trace = {
            "tokens": len(tokens),
            "tags": tokens.tags(),
            "best_sum": best,
            "objective": tokens.tags() + best,
            "first_token": from_token,
            "last_token": to_token,
            "words": words_inside(page, tokens, (places >= from_token) & (places <= to_token), MOST_WORDS),
        }
        # Through a run goes the lowest total up to it and the highest from it on.
        through = np.maximum.accumulate(totals[:0:-1])[::-1] - np.minimum.accumulate(totals[:-1])
        score = row_values(page, tokens, through.astype(np.float64))
        columns = {"first_token": row_values(page, tokens, tokens.at[:-1].astype(np.float64))}
        return Selection(rows_inside(page, tokens, within), score, columns, trace)


def _totals(tokens: Tokens) -> NDArray[np.int64]:
    """Words less tags before each run, and in all: inside a run they only rise or only fall."""
    totals = np.zeros(len(tokens.kind) + 1, dtype=np.int64)
    np.cumsum(np.where(tokens.tag(), -1, np.diff(tokens.at)), out=totals[1:])
    return totals


def _best_stretch(totals: NDArray[np.int64]) -> tuple[int, int, int]:
    """The runs first .. stop-1 with the highest sum, and that sum. Ties: the smallest first, then the smallest stop."""
    lowest = np.minimum.accumulate(totals[:-1])
    gain = totals[1:] - lowest
    # The lowest total only falls, so the first stop that reaches the best has the smallest first as well.
    last = int(np.argmax(gain))
    first = int(np.searchsorted(-lowest, -lowest[last]))
    return first, last + 1, int(gain[last])
