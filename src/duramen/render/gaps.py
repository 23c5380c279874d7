"""One pass over a page's rows that finds what is shown, and what stands between one piece and the next.

This file compiles to C, with the types in `gaps.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import numpy as np

from duramen.page import BoolArray, FlagArray, Page
from duramen.render.lists import LISTS
from duramen.render.tables import data_tables
from duramen.tags import TAG_IDS, TAG_NAMES, UNSEEN

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

# What stands between two pieces, from weak to strong (see `flow.py`).
if not cython.compiled:
    NONE, SPACE, BREAK, LINE, PARAGRAPH, CELL, ITEM, BLANK = range(8)
    # Bits of what an element is to a rendering.
    HIDES, PREFORMATS, HOLDS_ITEMS, IS_CELL, IS_ROW, IS_BREAK = 1, 2, 4, 8, 16, 32

PREFORMATTED: frozenset[str] = frozenset({"pre", "listing", "xmp", "plaintext"})
FORMULA_SOURCES = ("annotation", "annotation-xml")  # which MathML carries beside the formula
# Anything that is not named here is inline.
STRENGTHS = {
    1: "option optgroup button select textarea iframe embed object video audio canvas",
    3: """
        div address center figcaption summary legend marquee noframes applet
        thead tbody tfoot tr td th frame
    """,
    4: "p h1 h2 h3 h4 h5 h6 hgroup",
    6: "li dt dd caption",
    7: """
        html body article section nav aside header footer main search blockquote figure table form fieldset details
        dialog hr ul ol menu dir dl pre listing xmp plaintext frameset
    """,
}


def _strengths() -> FlagArray:
    strength = np.zeros(len(TAG_NAMES) + 1, dtype=np.uint8)
    for code, names in STRENGTHS.items():
        strength[[TAG_IDS[name] for name in names.split()]] = code
    return strength


def _kinds() -> FlagArray:
    kinds = np.zeros(len(TAG_NAMES) + 1, dtype=np.uint8)
    for bit, names in (
        (1, UNSEEN - {"noscript"}),  # a page may stand in its <noscript>: the selection knows
        (2, PREFORMATTED),
        (4, LISTS),
        (8, {"td", "th"}),
        (16, {"tr"}),
        (32, {"br"}),
    ):
        kinds[[TAG_IDS[name] for name in sorted(names)]] |= bit
    return kinds


_STRENGTH, _KINDS = _strengths(), _kinds()
_NO_ROWS = memoryview(b"")
_LI, _DD, _TABLE = TAG_IDS["li"], TAG_IDS["dd"], TAG_IDS["table"]


class Gaps:
    """What a rendering shows of a page, and what stands before each piece of it."""

    def __init__(self, page: Page, kept: BoolArray, show_tables: bool, also: BoolArray | None = None) -> None:
        size = len(page)
        self.tag, self.parent, self.end = page.tag.data, page.parent.data, page.end.data
        self.chars, self.text_at, self.text = page.chars.data, page.text_at.data, memoryview(page.text)
        self.kept = np.ascontiguousarray(kept).view(np.uint8).data
        self.also = _NO_ROWS if also is None else also.view(np.uint8).data
        self.show_tables = show_tables
        self.row_store, self.gap_store = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.uint8)
        self.place_store = np.empty((6, size), dtype=np.int32)
        self.rows, self.gap = self.row_store.data, self.gap_store.data
        self.closes = bytearray(size + 1)
        self.table_store = data_tables(page) if self.holds_tag(_TABLE) else None
        self.data = _NO_ROWS if self.table_store is None else self.table_store.data
        self.view_places()
        kinds, strengths = _KINDS, _STRENGTH
        if page.other_tags and not set(FORMULA_SOURCES).isdisjoint(page.other_tags):
            others = [HIDES if name in FORMULA_SOURCES else 0 for name in page.other_tags]
            kinds = np.concatenate((kinds[: len(TAG_NAMES)], others, [0])).astype(np.uint8)
            strengths = np.concatenate((strengths, np.zeros(len(others)))).astype(np.uint8)
        self.kinds, self.strengths = kinds.data, strengths.data
        self.pieces = 0

    def view_places(self) -> int:
        """Name the arrays of the place store."""
        places = self.place_store
        if cython.compiled:  # slices of views cost nothing, and Python has none of more than one dimension
            self.cell, self.pre, self.lists = places[0], places[1], places[2]
            self.item, self.definitions, self.cells = places[3], places[4], places[5]
        else:
            self.cell, self.pre, self.lists, self.item, self.definitions, self.cells = (row.data for row in places)
        return 0

    def holds_tag(self, tag: int) -> int:
        """Whether there is such an element on the page."""
        for row in range(len(self.tag)):
            if self.tag[row] == tag:
                return 1
        return 0

    def find(self) -> int:
        """Fill in the shown rows and the gap before each of them; returns their number.

        And for each row: which cell of a table of data it lies in (0: none), which preformatted element, in how many
        lists; its list item outside of cells (-1: none), its definitions, and how many cells have started.
        """
        with cython.nogil:
            self.pieces = self.find_pieces()
        return self.pieces

    def find_pieces(self) -> int:
        """The same."""
        tag, parent, end, chars, kept = self.tag, self.parent, self.end, self.chars, self.kept
        text, text_at, closes, gaps = self.text, self.text_at, self.closes, self.gap
        size, other, with_data, with_also = len(tag), len(self.kinds) - 1, len(self.data) > 0, len(self.also) > 0
        count, previous = 0, -1
        hidden_until = pre_until = data_until = cell_until = 0
        pre_number = cell_number = 0
        gap = breaks = spaces = filled = 0
        for row in range(size):
            number = tag[row] if tag[row] < other else other
            kind, strength, up, stop = self.kinds[number], self.strengths[number], parent[row], end[row]
            if kind & HIDES and stop > hidden_until:
                hidden_until = stop
            if with_data and self.data[row] and stop > data_until:
                data_until = stop
                if not self.show_tables and stop > hidden_until:
                    hidden_until = stop
            if kind & PREFORMATS and row >= pre_until:
                pre_until = stop
                pre_number += 1
                filled = self.holds_shown(row, stop, hidden_until)
            lists = definitions = 0
            item = -1
            if up >= 0:
                lists, item, definitions = self.lists[up], self.item[up], self.definitions[up]
            if kind & HOLDS_ITEMS:
                lists += 1
                if lists > 1:
                    strength = ITEM
            if row < data_until:
                if kind & IS_CELL and row >= cell_until:
                    cell_until = stop
                    cell_number += 1
                if row < cell_until and strength > LINE:
                    strength = LINE  # whatever a cell holds, it stays in its row
                if kind & IS_CELL:
                    strength = CELL
                elif kind & IS_ROW:
                    strength = ITEM
            cell = cell_number if row < cell_until else 0
            pre = pre_number if row < pre_until else 0
            if number == _LI and cell == 0:
                item = row
            elif number == _DD:
                definitions += 1
            self.cell[row], self.pre[row], self.lists[row] = cell, pre, lists
            self.item[row], self.definitions[row], self.cells[row] = item, definitions, cell_number
            if strength:
                if strength > closes[stop]:
                    closes[stop] = strength
                if strength > gap:
                    gap = strength
            if closes[row] > gap:
                gap = closes[row]
            if row < hidden_until:
                continue
            breaks_line = shown = 0
            if number == 0:
                if kept[row] and chars[row] > 0:
                    shown = 1
                elif pre and filled and chars[row] == 0:
                    shown = 1  # in preformatted text white space is content …
                elif spaces == 0 and text_at[row + 1] > text_at[row]:
                    spaces = _is_white(text, text_at[row], text_at[row + 1], chars[row])
            elif kind & IS_BREAK:
                if pre:
                    shown = filled  # … and so are line breaks
                else:
                    breaks_line = 1
            if with_also and self.also[row] and kept[row] and not pre:
                shown = 1
            if shown:
                if previous < 0:
                    gap = BLANK
                else:
                    if spaces and gap < SPACE:
                        gap = SPACE
                    if breaks and gap < BREAK:
                        gap = BREAK
                    if breaks > 1 and gap < PARAGRAPH:
                        gap = PARAGRAPH
                    if pre and pre == self.pre[previous]:
                        at = text_at[previous + 1]
                        ended = tag[previous] != 0 or (at > text_at[previous] and text[at - 1] == 0x0A)
                        gap = BREAK if gap >= LINE and not ended else NONE
                self.rows[count], gaps[count] = row, gap
                count += 1
                previous = row
                gap = breaks = spaces = 0
            breaks += breaks_line
        return count

    def holds_shown(self, row: int, stop: int, hidden_until: int) -> int:
        """Whether there is text to show in rows `row` .. `stop`-1."""
        other = len(self.kinds) - 1
        for below in range(row, stop):
            number = self.tag[below] if self.tag[below] < other else other
            if self.kinds[number] & HIDES or (not self.show_tables and len(self.data) and self.data[below]):
                hidden_until = max(hidden_until, self.end[below])
            if below >= hidden_until and self.kept[below] and self.chars[below] > 0:
                return 1
        return 0


def _is_white(text: memoryview, start: int, stop: int, chars: int) -> int:
    """Whether text that is not shown puts white space between its neighbours."""
    if text[start] <= 0x20 or text[stop - 1] <= 0x20:
        return 1
    # Blank without an ASCII blank at either end: NBSP and the like, or nothing but zero-width characters.
    return chars == 0 and holds_space(text, start, stop)


def holds_space(text: memoryview, start: int, stop: int) -> int:
    """Whether there is white space in UTF-8 `text[start:stop]`."""
    while start < stop:
        width = space_at(text, start, stop)
        if width:
            return 1
        start += 1
    return 0


def space_at(text: memoryview, at: int, stop: int) -> int:
    """How many bytes the white space (in the sense of `str.isspace`) at `text[at]` takes; 0 where there is none."""
    byte = text[at]
    if byte < 0x80:
        return 1 if byte == 0x20 or 0x09 <= byte <= 0x0D or 0x1C <= byte <= 0x1F else 0
    if byte == 0xC2:
        return 2 if at + 1 < stop and (text[at + 1] == 0x85 or text[at + 1] == 0xA0) else 0
    if not 0xE1 <= byte <= 0xE3 or at + 2 >= stop:
        return 0
    middle, last = text[at + 1], text[at + 2]
    if byte == 0xE2:
        if middle == 0x80:  # U+2000 … U+200A, U+2028, U+2029, U+202F
            return 3 if last <= 0x8A or last == 0xA8 or last == 0xA9 or last == 0xAF else 0
        return 3 if middle == 0x81 and last == 0x9F else 0  # U+205F
    if byte == 0xE1:
        return 3 if middle == 0x9A and last == 0x80 else 0  # U+1680
    return 3 if middle == 0x80 and last == 0x80 else 0  # U+3000


def zero_width_at(text: memoryview, at: int, stop: int) -> int:
    """How many bytes the invisible character (`flow.ZERO_WIDTH`) at `text[at]` takes; 0 where there is none."""
    byte = text[at]
    if byte == 0xC2:
        return 2 if at + 1 < stop and text[at + 1] == 0xAD else 0
    if at + 2 >= stop:
        return 0
    middle, last = text[at + 1], text[at + 2]
    if byte == 0xE2:
        if middle == 0x80:  # U+200B, U+200E, U+200F
            return 3 if last == 0x8B or last == 0x8E or last == 0x8F else 0
        return 3 if middle == 0x81 and last == 0xA0 else 0  # U+2060
    return 3 if byte == 0xEF and middle == 0xBB and last == 0xBF else 0  # U+FEFF
