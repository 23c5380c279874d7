"""The lines of a plain text, made of a flow: gaps settled, white space collapsed, indentation and markers before them.

This file compiles to C, with the types in `lines.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import numpy as np

from duramen.page import BoolArray, Page
from duramen.render.gaps import Gaps
from duramen.render.listing import lines_of
from duramen.render.lists import number_items
from duramen.tags import TAG_IDS

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.measure.buffers import further, longs, new_ints, new_longs, new_octets, octets, room
    from duramen.render.gaps import BLANK, BREAK, CELL, ITEM, NONE, PARAGRAPH, SPACE
    from duramen.render.words import BEGUN, collapse, decoded, zero_width_at

    INDENT_BYTES = 2  # of each list that a line lies in
    MARKER_BYTES = 24  # a list marker has less: a bullet, or a number of at most 19 digits

MAX_NESTING = 20  # levels of lists and quotations that are shown: deeper ones cost ever more indentation

LI, OL, BR = TAG_IDS["li"], TAG_IDS["ol"], TAG_IDS["br"]
DEEPEST = MAX_NESTING
_NO_NUMBERS, _NONE_NUMBERED = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8)


class Lines(Gaps):
    """What `to_text` writes, line by line. A cell of a table of data is a line too."""

    def __init__(self, page: Page, kept: BoolArray, show_tables: bool) -> None:
        super().__init__(page, kept, show_tables)
        self.number_store, self.numbered_store = _NO_NUMBERS, _NONE_NUMBERED
        self.lines = self.room = self.size = self.listings = self.empty_lines = 0
        self.with_numbers = False

    def to_text(self) -> str:
        """The lines as one text, with whatever stands between them."""
        if not self.find_shown():
            return ""
        if self.ordered and self.shows_numbers():
            self.number_store, self.numbered_store = number_items(self.page)
            self.with_numbers = len(self.number_store) > 0
        self.view_lines()
        with cython.nogil:
            self.settle()
            self.room = self.begin_lines()
        self.out_store = room(self.room)
        self.out = new_octets(self.out_store, self.room)
        with cython.nogil:
            self.write_lines()
        if not self.listings:
            return decoded(self.out, self.size)
        return self.with_listings()

    def with_listings(self) -> str:
        """The text, with the lines of preformatted text as they are, each as far in as the first one."""
        out, parts, done = bytes(self.out_store[: self.size]), [], 0
        for k in range(self.listings):
            before, at, stop = self.spans[3 * k], self.spans[3 * k + 1], self.spans[3 * k + 2]
            parts.append(out[done:at].decode("utf-8", "replace"))
            width = at - before  # a marker is ASCII
            lines = lines_of(out[at:stop].decode("utf-8", "replace"))
            parts.append("\n".join([" " * width + line if line else "" for line in lines])[width:])
            done = stop
        parts.append(out[done:].decode("utf-8", "replace"))
        return "".join(parts)

    def view_lines(self) -> int:
        """Make room for what is known of lines, and of preformatted ones."""
        pieces, size = self.pieces, self.page_rows
        self.line_store, self.span_store, self.loose_store = room(12 * pieces), room(24 * pieces), bytearray(size)
        self.spans = new_longs(self.span_store, 3 * pieces)
        self.loose = new_octets(self.loose_store, size)
        self.numbers = longs(self.number_store, size if self.with_numbers else 0)
        self.numbered = octets(self.numbered_store, size if self.with_numbers else 0)
        self.start = new_ints(self.line_store, 3 * pieces)
        self.place, self.tabs = further(self.start, pieces), further(self.start, 2 * pieces)
        return 0

    def shows_numbers(self) -> int:
        """Whether something is shown of an ordered list."""
        k = 0
        for row in range(self.stop):
            if self.tag[row] == OL:
                while k < self.pieces and self.rows[k] < row:
                    k += 1
                if k < self.pieces and self.rows[k] < self.end[row]:
                    return 1
        return 0

    def settle(self) -> int:
        """The gaps of plain text: a cell is one line, and items of several paragraphs stand apart."""
        previous, some_loose = self.rows[0], 0
        for k in range(1, self.pieces):
            row = self.rows[k]
            if self.cell[row] > 0 and self.cell[row] == self.cell[previous] and self.gap[k] > SPACE:
                self.gap[k] = SPACE
            item = self.item[row]
            if (self.gap[k] == PARAGRAPH or self.gap[k] == BLANK) and item >= 0 and item == self.item[previous]:
                self.loose[item] = some_loose = 1
            previous = row
        if some_loose:
            previous = self.rows[0]
            for k in range(1, self.pieces):
                row = self.rows[k]
                item, other = self.item[row], self.item[previous]
                apart = item != other and ((item >= 0 and self.loose[item]) or (other >= 0 and self.loose[other]))
                if apart and self.gap[k] == ITEM:
                    self.gap[k] = PARAGRAPH
                previous = row
        return 0

    def begin_lines(self) -> int:
        """Where lines start, where their indentation is measured, and the empty cells before them.

        Returns how many bytes they take at most.
        """
        room, number = 0, 0
        for k in range(self.pieces):
            row, gap = self.rows[k], self.gap[k]
            room += self.text_at[row + 1] - self.text_at[row] + 2
            # A break inside preformatted text is part of it; elsewhere it ends the line, like any boundary.
            if gap < BREAK or (gap == BREAK and self.pre[row] > 0):
                continue
            last, number = number, self.cell[row]
            place, tabs = row, 0
            if number > 0:
                while self.cell[self.parent[place]] == number:
                    place = self.parent[place]  # so that a list inside a cell does not count
                up = self.parent[place]
                tabs = number - 1 - (last if gap == CELL else self.cells[up] if up >= 0 else 0)
            self.start[self.lines], self.place[self.lines], self.tabs[self.lines] = k, place, tabs
            self.lines += 1
            room += 2 + INDENT_BYTES * DEEPEST + (tabs if tabs > 0 else 0)
        return room + MARKER_BYTES * self.items

    def write_lines(self) -> int:
        """Write every line with what stands before it."""
        before = -1
        for line in range(self.lines):
            k = self.start[line]
            stop = self.start[line + 1] if line + 1 < self.lines else self.pieces
            row, gap = self.rows[k], self.gap[k]
            if gap == CELL:
                self.put(0x09)
            elif line > 0:
                self.put(0x0A)
                if gap in (PARAGRAPH, BLANK):
                    self.put(0x0A)
            prefix_at = self.size
            self.write_prefix(line, before, row, gap)
            before = row
            if self.pre[row] > 0:
                self.spans[3 * self.listings], self.spans[3 * self.listings + 1] = prefix_at, self.size
                self.write_listing(k, stop)
                self.spans[3 * self.listings + 2] = self.size
                self.listings += 1
                self.empty_lines = 1
            else:
                at = self.size
                self.write_line(k, stop)
                if self.size == at:
                    self.empty_lines = 1
        return 0

    def write_prefix(self, line: int, before: int, first: int, gap: int) -> int:
        """The indentation, the markers of the items that start here, and the tabs of empty cells."""
        marks = 0
        # The nearest item comes last: where that is an old one, none starts here.
        for row in range(before + 1 if self.item[first] > before else first + 1, first + 1):
            if self.tag[row] == LI and self.end[row] > first and self.cell[row] == 0 and self.pre[row] == 0:
                if marks == 0:  # the outermost item that starts on a line sets its indentation
                    self.put_indent(self.depth(row) - 1)
                if marks < DEEPEST:
                    self.put_marker(row)
                    marks += 1
        if marks == 0 and gap != CELL:
            self.put_indent(self.depth(self.place[line]))
        for _ in range(self.tabs[line]):
            self.put(0x09)
        return 0

    def depth(self, row: int) -> int:
        """In how many lists and definitions a row lies, as far as that is shown."""
        depth = self.lists[row] + self.definitions[row]
        return depth if depth < DEEPEST else DEEPEST

    def put(self, byte: int) -> int:
        """Write one byte."""
        if self.size >= self.room:
            raise IndexError("a line is longer than expected")
        self.out[self.size] = byte
        self.size += 1
        return 0

    def put_indent(self, levels: int) -> int:
        """Write the indentation of so many levels."""
        for _ in range(INDENT_BYTES * levels):
            self.put(0x20)
        return 0

    def put_marker(self, item: int) -> int:
        """Write the bullet or number of a list item."""
        if not (self.with_numbers and self.numbered[item]):
            self.put(0x2D)
        else:
            number = self.numbers[item]
            if number < 0:
                self.put(0x2D)
                number = -number
            power = 1
            while number // power >= 10:
                power *= 10
            while power > 0:
                self.put(0x30 + number // power % 10)
                power //= 10
            self.put(0x2E)
        self.put(0x20)
        return 0

    def write_line(self, k: int, stop: int) -> int:
        """The pieces of one line, white space collapsed, without invisible characters."""
        done = self.size << 2  # … and what the line has so far
        for piece in range(k, stop):
            row = self.rows[piece]
            if piece > k and self.gap[piece] != NONE:
                done |= (done & BEGUN) << 1
            at, end = self.text_at[row], self.text_at[row + 1]
            done = collapse(self.out, self.room, done >> 2, self.text, self.text_size, at, end, done & 3)
            if self.tag[row] == BR:
                done |= (done & BEGUN) << 1
        self.size = done >> 2
        return 0

    def write_listing(self, k: int, stop: int) -> int:
        """The pieces of preformatted text as they are, without invisible characters."""
        for piece in range(k, stop):
            row, gap = self.rows[piece], self.gap[piece]
            if piece > k and gap != NONE:
                self.put(0x0A if gap == BREAK else 0x20)
            at, end = max(self.text_at[row], 0), min(self.text_at[row + 1], self.text_size)
            while at < end:
                width = zero_width_at(self.text, self.text_size, at, end)
                if width:
                    at += width
                    continue
                self.put(self.text[at] if self.text[at] else 0x20)
                at += 1
            if self.tag[row] == BR:
                self.put(0x0A)
        return 0
