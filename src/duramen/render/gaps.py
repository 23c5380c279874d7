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

if not cython.compiled:
    from duramen.measure.buffers import check_tree, further, ints, new_ints, new_octets, octets, room
    from duramen.render.words import holds_space

    # What stands between two pieces, from weak to strong (see `flow.py`).
    NONE, SPACE, BREAK, LINE, PARAGRAPH, CELL, ITEM, BLANK = range(8)
    # Bits of what an element is to a rendering.
    HIDES, PREFORMATS, HOLDS_ITEMS, IS_CELL, IS_ROW, IS_BREAK, IS_CLOSE = 1, 2, 4, 8, 16, 32, 64

    def is_final(byte: int) -> int:
        """Whether a small letter or a digit of ASCII."""
        return 97 <= byte <= 122 or 48 <= byte <= 57

    def is_initial(byte: int) -> int:
        """Whether a capital or a digit of ASCII."""
        return 65 <= byte <= 90 or 48 <= byte <= 57


PREFORMATTED: frozenset[str] = frozenset({"pre", "listing", "xmp", "plaintext"})
FORMULA_SOURCES = frozenset({"annotation", "annotation-xml"})  # which MathML carries beside the formula
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
        (64, {"code", "kbd", "samp", "tt", "var", "sub", "sup", "rt", "rp"}),  # what is close to what is beside it
    ):
        kinds[[TAG_IDS[name] for name in sorted(names)]] |= bit
    return kinds


_STRENGTH, _KINDS = _strengths().tobytes(), _kinds().tobytes()
_LI, _DD, _OL, _TABLE = TAG_IDS["li"], TAG_IDS["dd"], TAG_IDS["ol"], TAG_IDS["table"]


class Gaps:
    """What a rendering shows of a page, and what stands before each piece of it."""

    def __init__(self, page: Page, kept: BoolArray, show_tables: bool, also: BoolArray | None = None) -> None:
        self.page, self.kept_store, self.also_store = page, np.ascontiguousarray(kept), also
        self.page_rows = size = len(page)
        self.show_tables = show_tables
        self.row_store, self.gap_store, self.place_store = room(4 * size), room(size), room(24 * size)
        self.close_store = bytearray(size + 1)
        self.table_store: FlagArray | None = None
        self.kind_store, self.strength_store = _KINDS, _STRENGTH
        if page.other_tags and not FORMULA_SOURCES.isdisjoint(page.other_tags):
            others = bytes(HIDES if name in FORMULA_SOURCES else 0 for name in page.other_tags)
            self.kind_store = _KINDS[: len(TAG_NAMES)] + others + b"\0"
            self.strength_store = _STRENGTH + bytes(len(others))
        self.begin, self.stop = 0, size
        self.pieces = self.items = self.ordered = self.with_data = 0
        self.view()

    def view(self) -> int:
        """The buffers of all arrays, checked."""
        page, size = self.page, self.page_rows
        self.tag, self.parent, self.end = ints(page.tag, size), ints(page.parent, size), ints(page.end, size)
        check_tree(self.tag, self.parent, self.end, size)
        self.chars, self.text_at = ints(page.chars, size), ints(page.text_at, size + 1)
        self.text_size = len(page.text)
        self.text, self.kept = octets(page.text, self.text_size), octets(self.kept_store, size)
        self.with_also = self.also_store is not None
        self.also = self.kept if self.also_store is None else octets(self.also_store, size)
        self.data = self.kept  # until there are tables
        self.rows, self.gap = new_ints(self.row_store, size), new_octets(self.gap_store, size)
        self.closes = new_octets(self.close_store, size + 1)
        self.other_tag = len(self.kind_store) - 1
        self.kinds = octets(self.kind_store, self.other_tag + 1)
        self.strengths = octets(self.strength_store, self.other_tag + 1)
        self.cell = new_ints(self.place_store, 6 * size)
        self.pre, self.lists = further(self.cell, size), further(self.cell, 2 * size)
        self.item, self.definitions = further(self.cell, 3 * size), further(self.cell, 4 * size)
        self.cells = further(self.cell, 5 * size)
        return 0

    def narrow(self) -> int:
        """Leave out the rows before the first that is shown, unless it lies in them, and those after the last."""
        chars, kept = self.chars, self.kept
        first, stop = 0, self.page_rows
        while first < stop and not (kept[first] and chars[first] > 0):
            first += 1
        while stop > first and not (kept[stop - 1] and chars[stop - 1] > 0):
            stop -= 1
        self.begin, self.stop = first, stop
        return stop - first

    def find_tables(self) -> int:
        """Tell tables of data from others, as far as they have to do with what is shown."""
        tag, end, first, stop = self.tag, self.end, -1, 0
        for row in range(self.stop):
            if tag[row] == _TABLE and end[row] > self.begin:
                first = row if first < 0 else first
                stop = max(stop, end[row])
        if first >= 0:
            self.table_store = data_tables(self.page, first, stop)
            if self.table_store is not None:
                self.data, self.with_data = octets(self.table_store, self.page_rows), 1
        return 0

    def widen(self) -> int:
        """Take in the whole of a table of data or of preformatted text that the first or the last row lies in."""
        row, other = 0, self.other_tag
        while row < self.begin:
            if self.end[row] <= self.begin:
                row = max(self.end[row], row + 1)
                continue
            number = self.tag[row] if self.tag[row] < other else other
            if self.kinds[number] & PREFORMATS or (self.with_data and self.data[row]):
                self.begin = row
            row += 1
        up = self.stop - 1
        while up >= 0:
            number = self.tag[up] if self.tag[up] < other else other
            if self.kinds[number] & PREFORMATS:
                self.stop = self.end[up]
            up = self.parent[up]
        return 0

    def find(self) -> int:
        """Fill in the shown rows and the gap before each of them; returns their number.

        And for each row: which cell of a table of data it lies in (0: none), which preformatted element, in how many
        lists; its list item outside of cells (-1: none), its definitions, and how many cells have started.
        """
        self.find_tables()
        with cython.nogil:
            self.pieces = self.find_pieces()
        return self.pieces

    def find_shown(self) -> int:
        """The same, but only the rows that are shown and those that they lie in are filled in."""
        if not self.narrow():
            return 0
        self.find_tables()
        with cython.nogil:
            self.widen()
            self.pieces = self.find_pieces()
        return self.pieces

    def find_pieces(self) -> int:
        """The same."""
        tag, parent, end, chars, kept = self.tag, self.parent, self.end, self.chars, self.kept
        text, text_at, closes, gaps = self.text, self.text_at, self.closes, self.gap
        kinds, strengths, data = self.kinds, self.strengths, self.data
        begin, size, other = self.begin, self.stop, self.other_tag
        with_data, with_also = self.with_data, self.with_also
        cells, pres, depths, items = self.cell, self.pre, self.lists, self.item
        nestings, counted, rows = self.definitions, self.cells, self.rows
        count, previous = 0, -1
        hidden_until = pre_until = data_until = cell_until = 0
        pre_number = cell_number = 0
        gap = breaks = spaces = filled = 0
        after = 0
        while after < size:
            row, stop = after, end[after]
            if row < begin and stop <= begin:
                after = max(stop, row + 1)
                continue
            after += 1
            number = tag[row] if tag[row] < other else other
            kind, strength, up = kinds[number], strengths[number], parent[row]
            if kind & HIDES and stop > hidden_until:
                hidden_until = stop
            if with_data and data[row] and stop > data_until:
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
                lists, item, definitions = depths[up], items[up], nestings[up]
            if kind & HOLDS_ITEMS:
                self.ordered |= number == _OL
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
                self.items += 1
            elif number == _DD:
                definitions += 1
            cells[row], pres[row], depths[row] = cell, pre, lists
            items[row], nestings[row], counted[row] = item, definitions, cell_number
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
                elif spaces == 0 and 0 <= text_at[row] < text_at[row + 1] <= self.text_size:
                    # It puts white space between its neighbours: a blank at either end, or NBSP and the like.
                    if text[text_at[row]] <= 0x20 or text[text_at[row + 1] - 1] <= 0x20:
                        spaces = 1
                    elif chars[row] == 0:
                        spaces = holds_space(text, self.text_size, text_at[row], text_at[row + 1])
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
                    if pre and pre == pres[previous]:
                        at = text_at[previous + 1]
                        ended = tag[previous] != 0 or (
                            0 <= text_at[previous] < at <= self.text_size and text[at - 1] == 0x0A
                        )
                        gap = BREAK if gap >= LINE and not ended else NONE
                    elif gap == NONE and self.touch(previous, row):
                        gap = SPACE
                rows[count], gaps[count] = row, gap
                count += 1
                previous = row
                gap = breaks = spaces = 0
            breaks += breaks_line
        return count

    def touch(self, previous: int, row: int) -> int:
        """Whether two texts are parted by nothing but the style of the elements around them.

        "<a>Ann Lee</a><span>Editor</span>" is two things to a reader, and one word without the style sheet. It is taken
        for that where one inline element ends and another begins, a small letter or a digit stands before a capital or
        a digit, and neither text is a single character: H<sub>2</sub>O, drop caps and code stay as they are.
        """
        tag, up, other = self.tag, self.parent[previous], self.parent[row]
        if tag[previous] or tag[row] or up < 0 or other <= previous or self.end[up] > row:
            return 0
        if self.is_close(up) or self.is_close(other) or self.is_close(self.parent[up]):
            return 0
        start, end, stop = self.text_at[previous], self.text_at[row], self.text_at[row + 1]
        if start < 0 or end - start < 2 or stop - end < 2 or stop > self.text_size or self.text_at[previous + 1] != end:
            return 0
        if self.text[end - 2] <= 0x20 or self.text[end + 1] <= 0x20:
            return 0
        return is_final(self.text[end - 1]) and is_initial(self.text[end])

    def is_close(self, row: int) -> int:
        """Whether an element is close to what is beside it: code, a formula's indices."""
        if row < 0:
            return 0
        number = self.tag[row] if self.tag[row] < self.other_tag else self.other_tag
        return self.kinds[number] & IS_CLOSE

    def holds_shown(self, row: int, stop: int, hidden_until: int) -> int:
        """Whether there is text to show in rows `row` .. `stop`-1."""
        other = self.other_tag
        for below in range(row, stop):
            number = self.tag[below] if self.tag[below] < other else other
            if self.kinds[number] & HIDES or (not self.show_tables and self.with_data and self.data[below]):
                hidden_until = max(hidden_until, self.end[below])
            if below >= hidden_until and self.kept[below] and self.chars[below] > 0:
                return 1
        return 0
