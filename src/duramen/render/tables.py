"""Which tables hold data, and which only lay the page out."""

from __future__ import annotations

import numpy as np

from duramen.measure import subtree_sum
from duramen.page import BoolArray, Page
from duramen.tags import HEADINGS, tag_mask

LONG_CELL_CHARS = 600  # prose, not a value: a table without headers that holds such a cell is layout (a judgement)

_TABLE = tag_mask(["table"])
_CELL = tag_mask(["td", "th"])
_ROW = tag_mask(["tr"])
_PARAGRAPH = tag_mask(["p"])
_LABELS = tag_mask(["th", "caption", "thead"])
_LISTS = tag_mask(["ul", "ol", "menu", "dir", "dl"])
# No cell of a data table holds these: they are a page's skeleton.
_SKELETON = tag_mask([*HEADINGS, "pre", "listing", "xmp", "blockquote", "article", "section", "main", "nav", "figure"])


def data_tables(page: Page) -> BoolArray:
    """Which rows are tables of data.

    A table is layout where it says so (`role=presentation`), holds another table or a page's skeleton in its cells, or
    never has two cells side by side. Without headers or a caption it is layout as well when a cell holds a list,
    several paragraphs or a long text.
    """
    tables = page.has_tag(_TABLE)
    if not tables.any():
        return tables
    cells = page.has_tag(_CELL)
    wide = page.has_tag(_ROW)
    wide &= np.bincount(page.parent[cells], minlength=len(page)) > 1
    wordy = cells & (subtree_sum(page, page.has_tag(_PARAGRAPH)) > 1)
    wordy |= cells & (subtree_sum(page, page.chars) > LONG_CELL_CHARS)
    wordy |= page.has_tag(_LISTS)
    layout = (subtree_sum(page, tables | page.has_tag(_SKELETON)) > 1) | (subtree_sum(page, wide) == 0)
    layout |= (subtree_sum(page, wordy) > 0) & (subtree_sum(page, page.has_tag(_LABELS)) == 0)
    data: BoolArray = tables & ~layout
    for row in np.flatnonzero(data):
        if (page.attribute(int(row), "role") or "").strip().lower() in ("presentation", "none"):
            data[row] = False
    return data
