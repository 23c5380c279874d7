"""Which tables hold data, and which only lay the page out.

This file compiles to C, with the types in `tables.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import numpy as np

from duramen.page import FlagArray, Page
from duramen.tags import HEADINGS, TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

LONG_CELL_CHARS = 600  # prose, not a value: a table without headers that holds such a cell is layout (a judgement)

# Bits of what an element is to a table.
if not cython.compiled:
    TABLE, CELL, ROW, PARAGRAPH, LABEL, LIST, SKELETON = 1, 2, 4, 8, 16, 32, 64

_NAMES = {
    1: "table",
    2: "td th",
    4: "tr",
    8: "p",
    16: "th caption thead",
    32: "ul ol menu dir dl",
    # No cell of a data table holds these: they are a page's skeleton.
    64: " ".join((*HEADINGS, "pre listing xmp blockquote article section main nav figure")),
}
_FIGURES = 7  # arrays of one entry a row that the tables are judged by


def _kinds() -> FlagArray:
    kinds = np.zeros(len(TAG_NAMES) + 1, dtype=np.uint8)
    for bit, names in _NAMES.items():
        kinds[[TAG_IDS[name] for name in names.split()]] |= bit
    kinds.flags.writeable = False
    return kinds


_KINDS = _kinds()


def data_tables(page: Page, first: int = 0, stop: int = -1) -> FlagArray | None:
    """Which rows are tables of data; None where none is. Those from `first` to before `stop` are looked at.

    A table is layout where it says so (`role=presentation`), holds another table or a page's skeleton in its cells, or
    never has two cells side by side. Without headers or a caption it is layout as well when a cell holds a list,
    several paragraphs, a long text or a long script.
    """
    data = np.zeros(len(page), dtype=np.uint8)
    stop = len(page) if stop < 0 else stop
    figures = np.zeros((_FIGURES, stop - first), dtype=np.int32)
    for row, start, end in zip(page.raw.rows.tolist(), page.raw.starts.tolist(), page.raw.stops.tolist()):
        if first < row < stop:
            figures[2, row - first] = end - start
    tables = _judge(page.tag.data, page.parent.data, page.chars.data, _KINDS.data, first, stop, figures.data)
    for row in tables:
        data[row] = (page.attribute(row, "role") or "").strip().lower() not in ("presentation", "none")
    return data if tables else None


def _judge(
    tag: memoryview,
    parent: memoryview,
    chars: memoryview,
    kinds: memoryview,
    first: int,
    stop: int,
    figures: memoryview,
) -> list[int]:
    """The tables that nothing speaks against; `figures` has the totals below each row from `first` on."""
    known, found = len(kinds) - 1, []
    for row in range(stop - 1, first - 1, -1):
        number = tag[row]
        kind = kinds[number if number < known else known]
        k, up = row - first, parent[row] - first
        # 0 cells right below, 1 paragraphs, 2 characters (and bytes of scripts), 3 tables and skeleton, 4 wide rows,
        # 5 wordy, 6 labels
        paragraphs = figures[1, k] + (1 if kind & PARAGRAPH else 0)
        held = figures[2, k] + chars[row]
        bones = figures[3, k] + (1 if kind & (TABLE | SKELETON) else 0)
        wide = figures[4, k] + (1 if kind & ROW and figures[0, k] > 1 else 0)
        wordy = figures[5, k] + (1 if kind & LIST else 0)
        if kind & CELL and (paragraphs > 1 or held > LONG_CELL_CHARS):
            wordy += 1
        labels = figures[6, k] + (1 if kind & LABEL else 0)
        if kind & TABLE and bones == 1 and wide > 0 and (wordy == 0 or labels > 0):
            found.append(row)
        if up >= 0:
            if kind & CELL:
                figures[0, up] += 1
            figures[1, up] += paragraphs
            figures[2, up] += held
            figures[3, up] += bones
            figures[4, up] += wide
            figures[5, up] += wordy
            figures[6, up] += labels
    return found
