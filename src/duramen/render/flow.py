"""What a rendering shows, and what stands between one piece and the next.

All renderings share this pass, and it runs on whole arrays: the text (and pictures) to show, in order, and before each
the strongest boundary that lies between it and the one before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.measure import holds
from duramen.page import BoolArray, FlagArray, IntArray, Page, Selection
from duramen.render.lists import LISTS
from duramen.render.options import RenderOptions
from duramen.render.tables import data_tables
from duramen.tags import TAG_IDS, TAG_NAMES, TEXT, UNSEEN, tag_mask

# What stands between two pieces, from weak to strong; the strongest boundary between them decides.
NONE = 0  # nothing: "wor<b>ld</b>"
SPACE = 1  # white space
BREAK = 2  # a new line of the same paragraph: <br>, or a line of preformatted text
LINE = 3  # another block, set without a margin: <div>
PARAGRAPH = 4  # another paragraph or heading, or two <br>
CELL = 5  # another cell of the same row of data
ITEM = 6  # another list item, definition or row of data
BLANK = 7  # a block that stands apart: a list, a table, a quotation, a section

MAX_NESTING = 20  # levels of lists and quotations that are shown: deeper ones cost ever more indentation

# Invisible, and in the way of whoever searches the text. Joiners (U+200C, U+200D) stay: they shape letters and emoji.
ZERO_WIDTH = "\u00ad\u200b\u200e\u200f\u2060\ufeff"

PREFORMATTED: frozenset[str] = frozenset({"pre", "listing", "xmp", "plaintext"})
# Anything that is not named here is inline.
_STRENGTHS = {
    SPACE: "option optgroup button select textarea iframe embed object video audio canvas",
    LINE: """
        div address center figcaption summary legend marquee noframes applet
        thead tbody tfoot tr td th frame
    """,
    PARAGRAPH: "p h1 h2 h3 h4 h5 h6 hgroup",
    ITEM: "li dt dd caption",
    BLANK: """
        html body article section nav aside header footer main search blockquote figure table form fieldset details
        dialog hr ul ol menu dir dl pre listing xmp plaintext frameset
    """,
}


def _strengths() -> FlagArray:
    strength = np.zeros(len(TAG_NAMES) + 1, dtype=np.uint8)
    for code, names in _STRENGTHS.items():
        strength[[TAG_IDS[name] for name in names.split()]] = code
    strength.flags.writeable = False
    return strength


_STRENGTH = _strengths()
_UNSEEN = tag_mask(UNSEEN - {"noscript"})  # a page may stand in its <noscript>: the selection knows
_PRE = tag_mask(PREFORMATTED)
_LIST = tag_mask(LISTS)
_CELL = tag_mask(["td", "th"])


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
    seen = levels(page, _never_shown(page)) == 0
    data = data_tables(page)
    if not options.tables and data.any():
        seen &= levels(page, data) == 0
    is_text = page.tag == TEXT
    shown: BoolArray = selection.kept & seen & (page.chars > 0)
    pre = regions(page, page.has_tag(_PRE))
    line_break = seen & (page.tag == TAG_IDS["br"])
    if pre.any():
        # In preformatted text white space and line breaks are content.
        filled = levels(page, page.has_tag(_PRE) & holds(page, shown)) > 0
        shown |= filled & (line_break | (seen & is_text & (page.chars == 0)))
        line_break &= pre == 0
    white = _white_rows(page, is_text & seen & ~shown)
    if also is not None:
        shown |= also & selection.kept & seen & (pre == 0)
    rows = np.flatnonzero(shown).astype(np.int32)
    line_breaks = np.flatnonzero(line_break).astype(np.int32)
    lists = levels(page, page.has_tag(_LIST))
    cell = np.zeros(len(page), dtype=np.int32)
    strength = _STRENGTH[tag_numbers(page)]
    strength[(lists > 1) & page.has_tag(_LIST)] = ITEM
    if data.any():
        in_data = levels(page, data) > 0
        cells = in_data & page.has_tag(_CELL)
        cell = regions(page, cells)
        strength[(cell > 0) & (strength > LINE)] = LINE  # whatever a cell holds, it stays in its row
        strength[cells] = CELL
        strength[in_data & (page.tag == TAG_IDS["tr"])] = ITEM
    gap = edges(page, rows, strength)
    if len(rows) > 1:
        breaks = np.diff(np.searchsorted(line_breaks, rows))
        spaces = np.diff(np.searchsorted(white, rows))
        between = gap[1:]
        between[(spaces > 0) & (between < SPACE)] = SPACE
        between[(breaks > 0) & (between < BREAK)] = BREAK
        between[(breaks > 1) & (between < PARAGRAPH)] = PARAGRAPH
        if pre.any():
            together = (pre[rows[1:]] > 0) & (pre[rows[1:]] == pre[rows[:-1]])
            between[together] = np.where((between >= LINE) & ~_ends_line(page, rows[:-1]), BREAK, NONE)[together]
    return Flow(rows, gap, data, cell, pre, lists)


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


def _never_shown(page: Page) -> BoolArray:
    """Elements whose text no rendering shows, whatever was kept."""
    rows = page.has_tag(_UNSEEN)
    for name in ("annotation", "annotation-xml"):  # a formula's source, which MathML carries beside the formula
        if name in page.other_tags:
            rows = rows | (page.tag == len(TAG_NAMES) + page.other_tags.index(name))
    return rows


def _white_rows(page: Page, left: BoolArray) -> IntArray:
    """Of the text rows that are not shown, those that put white space between their neighbours."""
    left = left & (page.text_at[1:] > page.text_at[:-1])
    rows = np.flatnonzero(left).astype(np.int32)
    if not len(rows):
        return rows
    text = np.frombuffer(page.text, dtype=np.uint8)
    white = (text[page.text_at[rows]] <= 0x20) | (text[page.text_at[rows + 1] - 1] <= 0x20)
    # Blank without an ASCII blank at either end: NBSP and the like, or nothing but zero-width characters.
    for at in np.flatnonzero(~white & (page.chars[rows] == 0)):
        white[at] = any(mark.isspace() for mark in page.text_of(int(rows[at])))
    return rows[white]


def _ends_line(page: Page, rows: IntArray) -> BoolArray:
    """Which of these pieces of preformatted text end with a line break."""
    last = np.frombuffer(page.text + b" ", dtype=np.uint8)[page.text_at[rows + 1] - 1]
    ends: BoolArray = ((last == 0x0A) & (page.text_at[rows + 1] > page.text_at[rows])) | (page.tag[rows] != TEXT)
    return ends
