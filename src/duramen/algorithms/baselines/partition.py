"""Page → leaf blocks and what each holds: text, links, images, lists, tables, forms, objects, scripts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.baselines.scope import Scope, scope
from duramen.measure import nearest, subtree_sum
from duramen.page import HREF, Blocks, BoolArray, FloatArray, IntArray, Page
from duramen.tags import HEADINGS, TAG_IDS, tag_mask

PARTITIONING: tuple[str, ...] = ("table", "tr", "td", "p", "hr", "ul", "ol", "div", "form", "li", *HEADINGS)
FEATURES = ("text", "links", "images", "lists", "tables", "forms", "objects", "scripts")

_BOUNDARY = tag_mask(PARTITIONING)
_BOUNDARY_OR_SPAN = tag_mask((*PARTITIONING, "span"))
_SCRIPT = tag_mask(("script", "style"))
_COUNTED = (
    tag_mask(("img",)),
    tag_mask(("ul", "ol", "dl", "menu", "dir")),
    tag_mask(("table",)),
    tag_mask(("form", "input", "select", "textarea", "button")),
    tag_mask(("object", "applet", "embed", "iframe", "video", "audio", "canvas")),
    _SCRIPT,
)
_A = TAG_IDS["a"]


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The leaf blocks of a page, in document order."""

    counts: NDArray[np.int64]  # a row a block, a column a feature: text in characters, the others in elements
    share: FloatArray  # the same, each column as a share of its largest entry
    texts: Blocks  # the text rows of those blocks that have any
    with_text: NDArray[np.intp]  # … and which blocks these are
    block: IntArray  # per row of the page: its block, or -1

    def __len__(self) -> int:
        return len(self.counts)

    def rows_of(self, chosen: BoolArray) -> BoolArray:
        """The page's rows in the chosen blocks."""
        rows: BoolArray = np.append(chosen, False)[self.block]
        return rows


def partition(page: Page, *, spans: bool = False) -> Partition:
    """The elements that partition a page and hold no other such element, and the runs of text between them.

    Elements that hold nothing that is counted are no blocks; nor is what stands between blocks without text.
    """
    read = scope(page)
    scripts = page.has_tag(_SCRIPT) & (read.rows[page.parent] | (page.parent == read.body))
    boundary = page.has_tag(_BOUNDARY_OR_SPAN if spans else _BOUNDARY) & read.rows
    leaf = boundary & (subtree_sum(page, boundary) == 1)
    rows = np.flatnonzero((read.rows | scripts) & (leaf | ~boundary))
    # As with runs of inline text, a piece ends where a boundary starts, or the nearest one around is another.
    started, holder = np.cumsum(boundary)[rows], nearest(page, boundary)[rows]
    fresh = (started[1:] != started[:-1]) | (holder[1:] != holder[:-1])
    piece = np.cumsum(np.concatenate((np.zeros(min(len(rows), 1), dtype=np.int64), fresh)))

    counts = _count(page, read, rows, piece)
    number = np.full(len(page), -1, dtype=np.int32)
    is_block = counts[:, 0] > 0
    is_block[piece[leaf[rows]]] |= counts[piece[leaf[rows]]].any(axis=1)
    number[rows] = np.where(is_block, np.cumsum(is_block) - 1, -1)[piece]
    counts = counts[is_block]

    text_rows = np.flatnonzero(read.text & (page.chars > 0)).astype(np.int32)
    size = np.bincount(number[text_rows], minlength=len(counts))
    with_text = np.flatnonzero(size)
    texts = Blocks(np.concatenate(([0], np.cumsum(size[with_text]))).astype(np.int32), text_rows)
    number[scripts | (page.is_text() & ~read.text)] = -1
    share = counts / np.maximum(counts.max(axis=0, initial=0), 1)
    return Partition(counts, share, texts, with_text, number)


def _count(page: Page, read: Scope, rows: NDArray[np.intp], piece: NDArray[np.int64]) -> NDArray[np.int64]:
    """The features of every piece, one a column."""
    tag = page.tag[rows]
    pieces = int(piece[-1]) + 1 if len(piece) else 0
    text = np.bincount(piece, np.where(read.text, page.chars, 0)[rows], pieces).astype(np.int64)
    links = (tag == _A) & ((page.flags[rows] & HREF) != 0)
    marks = [links, *(page.has_tag(mask)[rows] for mask in _COUNTED)]
    return np.column_stack([text, *(np.bincount(piece[marked], minlength=pieces) for marked in marks)])
