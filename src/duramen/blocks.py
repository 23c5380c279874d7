"""Page → blocks: runs of inline text between block boundaries."""

from __future__ import annotations

import numpy as np

from duramen.measure import nearest, seen_text
from duramen.page import Blocks, BoolArray, Page
from duramen.tags import INLINE, TAG_NAMES, tag_mask

# Anything that is not inline breaks a run of text, and so does a line break. Unknown elements are inline, as in CSS.
BOUNDARIES: frozenset[str] = frozenset(TAG_NAMES) - INLINE - {"#text"} | {"br"}
_BOUNDARY = tag_mask(BOUNDARIES)


def blocks(page: Page, text: BoolArray | None = None, boundary: BoolArray | None = None) -> Blocks:
    """The blocks of a page.

    `text` says which text rows take part (default: all that a reader sees); `boundary` which elements break a run
    where they start and where they end (default: everything that is not inline, and `<br>`).
    """
    text = seen_text(page) if text is None else text
    boundary = page.has_tag(_BOUNDARY) if boundary is None else boundary
    rows = np.flatnonzero(text).astype(np.int32)
    if not len(rows):
        return Blocks(at=np.zeros(1, dtype=np.int32), rows=rows)
    # A boundary lies between two text rows when one starts between them, or when their nearest ones differ.
    started = np.cumsum(boundary, dtype=np.int32)[rows]
    holder = nearest(page, boundary)[rows]
    breaks = (started[1:] != started[:-1]) | (holder[1:] != holder[:-1])
    at = np.concatenate(([0], np.flatnonzero(breaks) + 1, [len(rows)])).astype(np.int32)
    return Blocks(at=at, rows=rows)
