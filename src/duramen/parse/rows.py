"""The arrays of a page under construction: rows, text with its counts, attributes.

Buffers only grow and are used again for the next page. The types of all fields and methods are in `rows.pxd`; this
file runs uncompiled as it stands.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TypeVar

from duramen.page import NO_RAW_TEXT, Page, RawText
from duramen.parse.characters import CLASSES
from duramen.parse.lexicon import Lexicon, longer, new_ints

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import (
        ascii_counts,
        byte_array,
        copy,
        cut,
        cut_ints,
        int_array,
        marked,
        not_below,
        put,
        ready_arrays,
        same,
    )

# Bits of characters.CLASSES.
if not cython.compiled:
    SPACE, CJK, STOP, GAP, NOTHING = 1, 2, 4, 8, 16
    from duramen.parse.lexicon import NAME_LIMIT
    from duramen.parse.names import KNOWN_TAGS, MARK_PAGE, MARK_RAW

Made = TypeVar("Made")

_ROW_FIELDS = 10  # int32 arrays with an entry a row
_EXACT_FIELDS = 8  # those without one more at the end; they come first
_FIRST_ROWS = 1024
_FIRST_ATTRIBUTES = 1024
_FIRST_RAW = 64
_PAGE_FIELDS = tuple(field.name for field in fields(Page))
_RAW_FIELDS = tuple(field.name for field in fields(RawText))


def made(kind: type[Made], names: tuple[str, ...], values: tuple[object, ...]) -> Made:
    """A new object of a frozen class; its constructor would take longer than all else that makes a page."""
    new = object.__new__(kind)
    for name, value in zip(names, values):
        put(new, name, value)
    return new


class Rows(Lexicon):
    """Rows in document order, and the buffers they point into."""

    def __init__(self) -> None:
        super().__init__()
        ready_arrays()
        self.classes = CLASSES if cython.compiled else CLASSES.tobytes()
        self.row_capacity = _FIRST_ROWS
        self.row_store = new_ints(_ROW_FIELDS, _FIRST_ROWS + 1)
        self.flags = bytearray(_FIRST_ROWS)
        self.attr_capacity = _FIRST_ATTRIBUTES
        self.attr_store = new_ints(3, _FIRST_ATTRIBUTES + 1)
        self.text = bytearray(64)
        self.attrs = bytearray(64)
        self.other_number, self.other_name = new_ints(2, NAME_LIMIT)
        for name in range(NAME_LIMIT):
            self.other_number[name] = -1
        self.count = 0
        self.view_rows()
        self.view_attributes()
        self.view_raw(_FIRST_RAW)
        self.clear_rows()

    def view_rows(self) -> None:
        """Name the arrays of the row store."""
        self.row_table = self.row_store
        (self.tag, self.parent, self.end, self.level, self.chars, self.words, self.puncts) = self.row_store[:7]
        self.cjk, self.text_at, self.attr_at = self.row_store[7:]

    def view_attributes(self) -> None:
        """Name the arrays of the attribute store."""
        self.attr_table = self.attr_store
        self.attr_name_at, self.attr_value_at, self.attr_hash = self.attr_store

    def view_raw(self, size: int) -> None:
        """Make and name the arrays of raw text."""
        self.raw_store = new_ints(3, size)
        self.raw_table = self.raw_store
        self.raw_row, self.raw_start, self.raw_stop = self.raw_store

    def clear_rows(self) -> None:
        """Forget the last page."""
        self.count = 0
        self.text_size = 0
        self.attr_count = 0
        self.attrs_size = 0
        self.text_row = -1
        self.raw_count = 0
        self.after_space = 1
        self.after_join = 0
        self.pending = 0
        self.attr_name_at[0] = 0

    def size_buffers(self, text: int, attrs: int) -> None:
        """Make room for all text and attributes that a page can have."""
        if len(self.text) < text:
            self.text = bytearray(text)
        if len(self.attrs) < attrs:
            self.attrs = bytearray(attrs)
        self.attrs_need = attrs

    def grow_rows(self) -> int:
        """Room for twice as many rows."""
        with cython.gil:
            self.row_capacity *= 2
            self.row_store = longer(self.row_store, self.row_capacity + 1)
            self.view_rows()
            flags = bytearray(self.row_capacity)
            flags[: self.count] = memoryview(self.flags)[: self.count]
            self.flags = flags
        return 0

    def grow_attributes(self) -> int:
        """Room for twice as many attributes."""
        with cython.gil:
            self.attr_capacity *= 2
            self.attr_store = longer(self.attr_store, self.attr_capacity + 1)
            self.view_attributes()
        return 0

    def make_room(self, size: int) -> int:
        """Room for `size` bytes more of attributes than the page has: for copies of formatting elements."""
        self.attrs_need += size
        if self.attrs_need > len(self.attrs):
            with cython.gil:
                attrs = bytearray(max(self.attrs_need, 2 * len(self.attrs)))
                attrs[: len(self.attrs)] = memoryview(self.attrs)
                self.attrs = attrs
        return 0

    @cython.boundscheck(False)  # row < row_capacity, parent < row: every array of rows has as many entries
    def open_row(self, name: int, parent: int) -> int:
        """A new row below `parent` for the element `name` (0: a text node)."""
        row = self.count
        if row == self.row_capacity:
            self.grow_rows()
        self.count = row + 1
        self.tag[row] = name
        self.parent[row] = parent
        self.level[row] = 0 if parent < 0 else self.level[parent] + 1
        self.text_at[row] = self.text_size
        self.attr_at[row] = self.attr_count
        self.flags[row] = 0
        self.chars[row] = 0
        self.words[row] = 0
        self.puncts[row] = 0
        self.cjk[row] = 0
        self.text_row = -1
        return row

    def take_text(self, stop: int, parent: int) -> int:
        """Make text[text_size:stop] part of the text node at the end of `parent`; start one if there is none."""
        start = self.text_size
        if stop <= start:
            return 0
        row = self.text_row
        if row < 0:
            row = self.open_row(0, parent)
            self.end[row] = row + 1
            self.text_row = row
            start = self.count_ascii(row, start, stop)
        self.text_size = stop
        return self.count_text(row, start, stop) if start < stop else 0

    def leave_raw(self, start: int, stop: int, parent: int) -> int:
        """A text node below `parent` whose text stays where it is: in the page, from `start` to `stop`."""
        if start < stop:
            row = self.open_row(0, parent)
            self.end[row] = row + 1
            self.flags[row] = MARK_RAW
            self.chars[row], self.words[row] = start, stop
            self.raw_count += 1
        return 0

    @cython.boundscheck(False)  # a row that open_row has just made
    def take_short(self, read: int, parent: int) -> int:
        """Start a text node with what `read_short` read; returns its length."""
        row = self.open_row(0, parent)
        length, solids, starts = read & 0xFF, read >> 8 & 0xFF, read >> 16 & 0xFF
        self.end[row] = row + 1
        self.text_row = row
        self.text_size += length
        # Without a branch: whether a text is white space cannot be guessed.
        self.chars[row] = solids + starts - (1 if solids else 0)
        self.words[row] = starts
        self.puncts[row] = read >> 24 & 0xFF
        self.after_space = read >> 32
        self.after_join = 1 - self.after_space
        return length

    def count_ascii(self, row: int, start: int, stop: int) -> int:
        """The counts of the ASCII that a new text node begins with; returns where it ends.

        For most text nodes that is all there is to do.
        """
        packed = ascii_counts(self.text, start, stop, 1)
        start += packed & 0x7FFF
        solids, starts, stops = (packed >> 15) & 0x7FFF, (packed >> 30) & 0x7FFF, packed >> 45
        self.after_space, self.after_join = 1, 0
        if solids:
            self.chars[row] = solids + starts - 1
            self.words[row] = starts
            self.puncts[row] = stops
            if not self.classes[self.text[start - 1]] & SPACE:
                self.after_space, self.after_join = 0, 1
        return start

    def count_text(self, row: int, at: int, stop: int) -> int:
        """Add the counts of text[at:stop] to those of a text row (see `characters.py`)."""
        after_space, after_join = self.after_space, self.after_join
        chars, words, puncts, cjk = self.chars[row], self.words[row], self.puncts[row], self.cjk[row]
        while at < stop:
            lead = self.text[at]
            if lead < 0x80:
                packed = ascii_counts(self.text, at, stop, after_space)
                at += packed & 0x7FFF
                if packed < 0x8000:  # all of it is white space
                    after_space, after_join = 1, 0
                    continue
                starts = (packed >> 30) & 0x7FFF
                words += starts
                puncts += packed >> 45
                # A gap between two words is a character, so the first word has none before it.
                gaps = starts - 1 if chars == 0 and starts > 0 else starts
                chars += ((packed >> 15) & 0x7FFF) + gaps
                first_is_space = self.classes[lead] & SPACE
                if not (first_is_space or after_space or after_join):
                    words += 1  # a word right after a CJK character
                after_space = self.classes[self.text[at - 1]] & SPACE
                after_join = 1 - after_space
                continue
            if lead < 0xE0:
                point = (lead & 0x1F) << 6 | (self.text[at + 1] & 0x3F)
                at += 2
            elif lead < 0xF0:
                point = (lead & 0x0F) << 12 | (self.text[at + 1] & 0x3F) << 6 | (self.text[at + 2] & 0x3F)
                at += 3
            else:
                point = (lead & 0x07) << 18 | (self.text[at + 1] & 0x3F) << 12
                point |= (self.text[at + 2] & 0x3F) << 6 | (self.text[at + 3] & 0x3F)
                at += 4
            kind = self.classes[point]
            if kind & NOTHING:
                continue
            if kind & SPACE:
                after_space, after_join = 1, 0
                continue
            if after_space and chars > 0:
                chars += 1
            chars += 1
            if kind & STOP:
                puncts += 1
            if kind & CJK:
                cjk += 1
                words += 1
            elif not (kind & GAP or after_join):
                words += 1
            after_space, after_join = 0, 0 if kind & (CJK | GAP) else 1
        self.chars[row], self.words[row], self.puncts[row], self.cjk[row] = chars, words, puncts, cjk
        self.after_space, self.after_join = after_space, after_join
        return 0

    @cython.boundscheck(False)  # rows are below count, names below NAME_LIMIT, numbers below those
    def number_other_tags(self) -> int:
        """Turn names into tags: those outside the page format's table are numbered as they appear."""
        others = 0
        row = not_below(self.tag, 0, self.count, KNOWN_TAGS)
        while row < self.count:
            name = self.tag[row]
            number = self.other_number[name]
            if number < 0:
                number = others
                others += 1
                self.other_number[name] = number
                self.other_name[number] = name
            self.tag[row] = KNOWN_TAGS + number
            row = not_below(self.tag, row + 1, self.count, KNOWN_TAGS)
        for number in range(others):
            self.other_number[self.other_name[number]] = -1
        return others

    @cython.boundscheck(False)  # rows are below count; raw_count is at least the number of those with the mark
    def gather_raw(self) -> int:
        """List the rows whose text stays in the source; returns their number."""
        count = 0
        row = marked(self.flags, 0, self.count, MARK_RAW)
        while row < self.count:
            self.raw_row[count], self.raw_start[count], self.raw_stop[count] = row, self.chars[row], self.words[row]
            self.chars[row] = self.words[row] = self.flags[row] = 0
            count += 1
            row = marked(self.flags, row + 1, self.count, MARK_RAW)
        return count

    def to_page(self, source: bytes) -> Page:
        """The finished page, read from `source`, as copies of exactly the size they need."""
        rows, attributes = self.count, self.attr_count
        self.text_at[rows] = self.text_size
        self.attr_at[rows] = attributes
        if self.raw_count > len(self.raw_row):
            self.view_raw(2 * self.raw_count)
        with cython.nogil:
            others = self.number_other_tags()
            raws = self.gather_raw() if self.raw_count else 0
        # One buffer for all: to make one, and an array of it, takes longer than to fill it.
        stored = cut_ints(self.row_table, _EXACT_FIELDS, rows, self.attr_table, attributes, self.raw_table, raws)
        tag, parent, end, depth, chars, words, puncts, cjk = [
            int_array(stored, field * rows, rows) for field in range(_EXACT_FIELDS)
        ]
        at = _EXACT_FIELDS * rows
        text_at, attr_at = int_array(stored, at, rows + 1), int_array(stored, at + rows + 1, rows + 1)
        at += 2 * (rows + 1)
        name_at = int_array(stored, at, attributes + 1)
        value_at = int_array(stored, at + attributes + 1, attributes)
        at += 2 * attributes + 1
        raw = NO_RAW_TEXT
        if raws:
            parts = [int_array(stored, at + field * raws, raws) for field in range(3)]
            raw = made(RawText, _RAW_FIELDS, (*parts, source))
        flags = byte_array(cut(self.flags, 0, rows))
        text, attrs = cut(self.text, 0, self.text_size), cut(self.attrs, 0, self.attrs_size)
        names = tuple([self.name(self.other_name[number]) for number in range(others)])
        values = (tag, parent, end, depth, flags, text_at, text, chars, words, puncts, cjk, attr_at)
        return made(Page, _PAGE_FIELDS, (*values, name_at, value_at, attrs, names, raw))

    def take_attributes(self) -> int:
        """Make the pending attributes those of the newest row."""
        self.attr_count += self.pending
        self.pending = 0
        self.attrs_size = self.attr_name_at[self.attr_count]
        return 0

    def make_gap(self, entries: int, size: int) -> int:
        """Move the pending attributes up to let copies of `entries` attributes, `size` bytes, in before them."""
        first, stop = self.attr_count, self.attr_count + self.pending
        tail = self.attr_name_at[stop]
        self.make_room(size)
        while stop + entries > self.attr_capacity:
            self.grow_attributes()
        copy(self.attrs, self.attrs_size + size, self.attrs, self.attrs_size, tail)
        for k in range(stop, first, -1):
            self.attr_name_at[k + entries] = self.attr_name_at[k] + size
            self.attr_value_at[k + entries - 1] = self.attr_value_at[k - 1] + size
            self.attr_hash[k + entries - 1] = self.attr_hash[k - 1]
        return 0

    def copy_attributes(self, source: int) -> int:
        """Give the newest row the attributes of an earlier one; `make_gap` made room for them."""
        first, stop = self.attr_at[source], self.attr_at[source + 1]
        shift = self.attrs_size - self.attr_name_at[first]
        copy(self.attrs, self.attrs_size, self.attrs, self.attr_name_at[first], self.attr_name_at[stop])
        for k in range(first, stop):
            self.attr_value_at[self.attr_count] = self.attr_value_at[k] + shift
            self.attr_hash[self.attr_count] = self.attr_hash[k]
            self.attr_count += 1
            self.attr_name_at[self.attr_count] = self.attr_name_at[k + 1] + shift
        self.attrs_size = self.attr_name_at[self.attr_count]
        self.flags[self.count - 1] |= self.flags[source] & MARK_PAGE
        return 0

    def same_attributes(self, one: int, other: int) -> int:
        """Whether two rows have the same attributes, in whatever order."""
        self.attr_at[self.count] = self.attr_count
        first, start = self.attr_at[one], self.attr_at[other]
        number = self.attr_at[one + 1] - first
        if number != self.attr_at[other + 1] - start:
            return 0
        for k in range(first, first + number):
            found = 0
            for j in range(start, start + number):
                if self.attr_hash[j] == self.attr_hash[k] and self.same_attribute(j, k):
                    found = 1
                    break
            if not found:
                return 0
        return 1

    def same_attribute(self, one: int, other: int) -> int:
        """Whether two attributes have the same name and value."""
        at, start = self.attr_name_at[one], self.attr_name_at[other]
        length = self.attr_name_at[one + 1] - at
        if self.attr_value_at[one] - at != self.attr_value_at[other] - start:
            return 0
        if length != self.attr_name_at[other + 1] - start:
            return 0
        return same(self.attrs, at, self.attrs, start, length)

    def forget_rows(self, count: int, text_size: int, attr_count: int) -> int:
        """Drop every row from `count` on, and their text and attributes."""
        self.count = count
        self.text_size = text_size
        self.attr_count = attr_count
        self.attrs_size = self.attr_name_at[attr_count]
        self.text_row = -1
        return 0
