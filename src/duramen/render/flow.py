"""What a rendering shows, and what stands between one piece and the next.

All renderings share this pass, and it runs on whole arrays: the text (and pictures) to show, in order, and before each
the strongest boundary that lies between it and the one before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.page import BoolArray, FlagArray, IntArray, Page, Selection
from duramen.render.gaps import Gaps
from duramen.render.options import RenderOptions
from duramen.render.words import ZERO_WIDTH
from duramen.tags import TAG_NAMES, TEXT

# What stands between two pieces, from weak to strong; the strongest boundary between them decides.
NONE = 0  # nothing: "wor<b>ld</b>"
SPACE = 1  # white space
BREAK = 2  # a new line of the same paragraph: <br>, or a line of preformatted text
LINE = 3  # another block, set without a margin: <div>
PARAGRAPH = 4  # another paragraph or heading, or two <br>
CELL = 5  # another cell of the same row of data
ITEM = 6  # another list item, definition or row of data
BLANK = 7  # a block that stands apart: a list, a table, a quotation, a section


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """The pieces of a rendering in order; the other arrays have one entry a row of the page."""

    rows: IntArray  # text rows, and pictures and rules where asked for
    gap: FlagArray  # what stands before each of `rows`
    data: BoolArray  # tables of data
    cell: IntArray  # 0, or which cell of a table of data the row lies in
    pre: IntArray  # 0, or which preformatted element the row lies in
    lists: IntArray  # in how many lists the row lies

    def __len__(self) -> int:
        return len(self.rows)


def flow(page: Page, selection: Selection, options: RenderOptions, also: BoolArray | None = None) -> Flow:
    """The kept text of a page in order; `also` names elements that are shown where they are kept."""
    gaps = Gaps(page, selection.kept, options.tables, also)
    count, data = gaps.find(), gaps.table_store
    tables = np.zeros(len(page), dtype=np.bool_) if data is None else data.view(np.bool_)
    rows, gap = np.frombuffer(gaps.row_store, np.int32, count), np.frombuffer(gaps.gap_store, np.uint8, count)
    return Flow(rows, gap, tables, *np.frombuffer(gaps.place_store, np.int32).reshape(6, len(page))[:3])


def tag_numbers(page: Page) -> IntArray:
    """The tag of each row, with one number for all elements that have no name of their own in `TAG_NAMES`."""
    numbers: IntArray = np.minimum(page.tag, np.int32(len(TAG_NAMES)))
    return numbers


def levels(page: Page, roots: BoolArray) -> IntArray:
    """In how many of `roots` each row lies, counting itself."""
    rows = np.flatnonzero(roots)
    if not len(rows):
        return np.zeros(len(page), dtype=np.int32)
    steps = np.bincount(rows, minlength=len(page) + 1) - np.bincount(page.end[rows], minlength=len(page) + 1)
    return np.cumsum(steps[:-1]).astype(np.int32)


def regions(page: Page, roots: BoolArray) -> IntArray:
    """The number, from 1, of the outermost of `roots` that each row lies in; 0 outside of them."""
    level = levels(page, roots)
    number = np.cumsum(roots & (level == 1), dtype=np.int32)
    return np.where(level > 0, number, np.int32(0))


def edges(page: Page, rows: IntArray, strength: FlagArray) -> FlagArray:
    """Before each of `rows` the `strength` of the strongest element that starts or ends after the one before it."""
    if not len(rows):
        return np.zeros(0, dtype=np.uint8)
    at = np.zeros(len(page) + 1, dtype=np.uint8)
    for code in range(SPACE, BLANK + 1):
        at[page.end[strength == code]] = code
    np.maximum(at[:-1], strength, out=at[:-1])
    since = np.concatenate(([0], rows[:-1] + 1))
    edge: FlagArray = np.maximum.reduceat(at[: int(rows[-1]) + 1], since)
    edge[0] = BLANK
    return edge


def events(page: Page, rows: NDArray[np.integer]) -> list[int]:
    """A walk over some rows: `row` where one starts, `~row` where an element ends (text and void elements do not)."""
    starts = 2 * rows.astype(np.int64) + 1
    closing = rows[page.tag[rows] != TEXT][::-1]  # what started later ends first
    ends = 2 * page.end[closing].astype(np.int64)
    order = np.argsort(np.concatenate((ends, starts)), kind="stable")
    walk: list[int] = np.concatenate((~closing, rows))[order].tolist()
    return walk


def without_zero_width(text: str) -> str:
    """The text without invisible characters."""
    if text.isascii():
        return text
    for mark in ZERO_WIDTH:
        if mark in text:
            text = text.replace(mark, "")
    return text
