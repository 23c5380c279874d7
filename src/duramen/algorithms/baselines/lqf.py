"""LQF: link quota filter (Mantratzis, Orgun & Cassidy 2005).

An element most of whose text lies in links is a list of links, and is taken out. What is left is content.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np

from duramen.algorithms.baselines.scope import scope
from duramen.measure import subtree_sum, within
from duramen.page import HREF, Page, Reason, Selection
from duramen.tags import TAG_IDS, tag_mask

Preset = Literal["LQF-25", "LQF-50", "LQF-75"]
PRESETS: Mapping[str, float] = MappingProxyType({"LQF-25": 0.25, "LQF-50": 0.5, "LQF-75": 0.75})
# Only these are taken out: a link inside a sentence stays.
STRUCTURE: frozenset[str] = frozenset(
    """
    table tbody tr td th div ul ol dl li dt dd p form center blockquote h1 h2 h3 h4 h5 h6
    section nav article aside header footer
    """.split()
)
MOST_REMOVED = 50  # elements that the trace names
_STRUCTURE = tag_mask(STRUCTURE)
_A = TAG_IDS["a"]


@dataclass(frozen=True, slots=True)
class Lqf:
    """Link quota filter: all but the elements that are mostly links."""

    paper: ClassVar[str] = (
        "Constantine Mantratzis, Mehmet Orgun, Steve Cassidy: Separating XHTML Content from Navigation Clutter Using "
        "DOM-Structure Block Analysis. Hypertext 2005"
    )

    preset: Preset = "LQF-50"  # names the quota
    tau: float | None = None  # the quota itself: elements above it are taken out; none: as the preset says
    min_links: int = 1  # an element with fewer links stays

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise ValueError(f"preset is one of {', '.join(PRESETS)}; not {self.preset!r}")
        if self.tau is not None and not 0.0 <= self.tau <= 1.0:
            raise ValueError(f"tau lies between 0 and 1, not {self.tau}")
        if self.min_links < 1:
            raise ValueError(f"min_links is 1 or more, not {self.min_links}")

    def select(self, page: Page) -> Selection:
        """Everything in the body but elements of links; an element's score is the share of its text not in links."""
        read = scope(page)
        tau = PRESETS[self.preset] if self.tau is None else self.tau
        chars = np.where(read.text, page.chars, 0)
        link = read.rows & (page.tag == _A) & ((page.flags & HREF) != 0)
        total = subtree_sum(page, chars)
        link_chars = subtree_sum(page, np.where(within(page, link), chars, 0))
        links = subtree_sum(page, link)
        quota = link_chars / np.maximum(total, 1)
        # Going down from the body, what lies below a removed element is not looked at: it goes with it anyway.
        full = read.rows & page.has_tag(_STRUCTURE) & (quota > tau) & (links >= self.min_links)
        gone = within(page, full)
        kept = read.rows & (read.text | ~page.is_text()) & ~gone
        outermost = np.flatnonzero(full & ~gone[page.parent])  # the root is never full
        trace: dict[str, Any] = {
            "threshold": tau,
            "body_quota": float(quota[read.body]) if len(page) else 0.0,
            "removed": len(outermost),
            "removed_rows": outermost[:MOST_REMOVED].tolist(),
            "removed_chars": int(total[outermost].sum()),
        }
        reason = None
        if not chars[kept].any():
            kept[:] = False
            reason = Reason.NO_CONTENT if chars.any() else Reason.NO_TEXT
        columns = {"chars": total, "link_chars": link_chars, "links": links, "quota": quota}
        return Selection(kept, np.where(total > 0, 1.0 - quota, np.nan), columns, trace, reason=reason)
