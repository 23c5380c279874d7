"""FE: FeatureExtractor (Debnath, Mitra & Giles 2005).

The page is cut into blocks, and the one block that has most of the desired feature, mostly text, is the content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from duramen.algorithms.baselines.partition import FEATURES, partition
from duramen.page import Page, Reason, Selection

Feature = Literal["text", "links", "images", "lists", "tables", "forms", "objects", "scripts"]


@dataclass(frozen=True, slots=True)
class Fe:
    """FeatureExtractor: the one block that has most of the desired feature."""

    paper: ClassVar[str] = (
        "Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Automatic Extraction of Informative Blocks from Webpages. "
        "SAC 2005"
    )

    desired: Feature = "text"  # the feature that is looked for
    spans: bool = False  # cut the page at `<span>` as well

    def __post_init__(self) -> None:
        if self.desired not in FEATURES:
            raise ValueError(f"desired is one of {', '.join(FEATURES)}; not {self.desired!r}")

    def select(self, page: Page) -> Selection:
        """The rows of the winning block; the score of a block is its share of the most that any block has."""
        cut = partition(page, spans=self.spans)
        wanted = cut.share[:, FEATURES.index(self.desired)]
        dominant = (wanted > 0) & (wanted >= cut.share.max(axis=1, initial=0.0))
        chosen = np.zeros(len(cut), dtype=np.bool_)
        trace: dict[str, Any] = {"blocks": len(cut), "candidates": int(dominant.sum()), "block": None}
        if wanted.any():
            # Its share is 1, which no other feature of it exceeds: the largest of all is always a candidate.
            winner = int(np.argmax(wanted))
            chosen[winner] = True
            trace |= {
                "block": winner,
                "winner": int(np.argmax(cut.block == winner)),
                "features": dict(zip(FEATURES, cut.counts[winner].tolist())),
            }
        kept = cut.rows_of(chosen)
        reason = None
        if not page.chars[kept].any():
            reason = Reason.NO_CONTENT if len(cut.with_text) else Reason.NO_TEXT
        # The share of the desired feature among all that the block holds.
        weight = wanted / np.maximum(cut.share.sum(axis=1), np.finfo(np.float64).tiny)
        columns = {**dict(zip(FEATURES, cut.counts[cut.with_text].T)), "weight": weight[cut.with_text]}
        return Selection(kept, wanted[cut.with_text], columns, trace, blocks=cut.texts, reason=reason)
