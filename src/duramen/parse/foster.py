"""Foster parenting (HTML standard, 13.2.6.1): what does not belong in a table stands in front of it.

While a page is read, such rows are marked and stay where they were read, inside the table. So all rows of an open
element are still the last of the page, which the rest of the scanner builds on. At the end of the page they move, each
to right before its table, in the order they were read in. Text joins the text that it then follows, as it would have
done if it had been put there at once.
"""

from __future__ import annotations

from duramen.parse.end_tags import EndTags
from duramen.parse.lexicon import new_ints

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import copy
    from duramen.parse.names import *


class Foster(EndTags):
    """Moves fostered rows to their places. Row 0, the root, is nobody's child, so 0 stands for no row in all links."""

    def __init__(self) -> None:
        super().__init__()
        self.drop_links()

    def move_fostered(self) -> int:
        """Bring all rows of a page that was read into document order."""
        self.text_at[self.count] = self.text_size
        self.attr_at[self.count] = self.attr_count
        with cython.gil:
            self.make_links(self.count + 1, self.attr_count + 1)
        self.link_rows()
        if not self.flag:
            self.order_rows()
            self.move_rows()
            self.move_attributes()
            self.move_text()
        with cython.gil:
            self.drop_links()
        return 0

    def make_links(self, rows: int, attributes: int) -> None:
        """Room for the links between rows, and for copies of what moves."""
        self.first_child, self.last_child, self.following, self.preceding = new_ints(4, rows)
        self.next_piece, self.last_piece, self.order, self.moved = new_ints(4, rows)
        self.moved_name, self.moved_value = new_ints(2, attributes)
        self.moved_bytes = bytearray(max(self.text_size, self.attrs_size, 1))

    def drop_links(self) -> None:
        """Give that room back."""
        self.first_child, self.last_child, self.following, self.preceding = new_ints(4, 1)
        self.next_piece, self.last_piece, self.order, self.moved = new_ints(4, 1)
        self.moved_name, self.moved_value = new_ints(2, 1)
        self.moved_bytes = bytearray(1)

    def link_rows(self) -> int:
        """Link every row with its siblings, as if each had been inserted at its place when it was read."""
        for row in range(1, self.count):
            parent = self.parent[row]
            if self.flags[row] & MARK_FOSTERED:
                self.link_before(row, self.table_of(parent))
                continue
            last = self.last_child[parent]
            if self.flags[row] & MARK_JOINS and last and self.tag[last] == 0:
                self.add_piece(last, row)
                continue
            self.preceding[row] = last
            self.last_child[parent] = row
            if last:
                self.following[last] = row
            else:
                self.first_child[parent] = row
        return 0

    def table_of(self, row: int) -> int:
        """The table that a row is or is a part of; 0 where there is none."""
        while row > 0 and self.tag[row] != T_TABLE:
            row = self.parent[row]
        return max(row, 0)

    def link_before(self, row: int, table: int) -> int:
        """Link a fostered row in front of its table."""
        if not table:
            self.flag = FLAG_FOSTER
            return 0
        before, parent = self.preceding[table], self.parent[table]
        if before and self.tag[row] == 0 and self.tag[before] == 0:
            if self.flags[before] & MARK_FOSTERED or self.flags[table] & MARK_FOLLOWS:
                return self.add_piece(before, row)
        self.parent[row] = parent
        self.preceding[row] = before
        self.following[row] = table
        self.preceding[table] = row
        if before:
            self.following[before] = row
        else:
            self.first_child[parent] = row
        return 0

    def add_piece(self, text: int, row: int) -> int:
        """Make the text of a row the end of that of another."""
        last = self.last_piece[text]
        self.next_piece[last if last else text] = row
        self.last_piece[text] = row
        return 0

    def order_rows(self) -> int:
        """Number the rows in document order: row k will be what row order[k] is."""
        row = count = 0
        while True:
            self.order[count] = row
            self.moved[row] = count
            count += 1
            if self.first_child[row]:
                row = self.first_child[row]
                continue
            while row and not self.following[row]:
                row = self.parent[row]
            if not row:
                break
            row = self.following[row]
        for k in range(1, count):  # the numbers of parents, while it is known which row is where
            self.last_child[k] = self.moved[self.parent[self.order[k]]]
        self.count = count
        return 0

    def move_rows(self) -> int:
        """Move what each row is."""
        for k in range(self.count):
            self.moved[k] = self.tag[self.order[k]]
        for k in range(self.count):
            self.tag[k] = self.moved[k]
        for k in range(self.count):
            self.moved[k] = self.flags[self.order[k]] & (MARK_PAGE | MARK_RAW)
        for k in range(self.count):
            self.flags[k] = self.moved[k]
            self.end[k] = k + 1
        for k in range(1, self.count):
            self.parent[k] = self.last_child[k]
            self.level[k] = self.level[self.parent[k]] + 1
        for k in range(self.count - 1, 0, -1):
            if self.end[self.parent[k]] < self.end[k]:
                self.end[self.parent[k]] = self.end[k]
        return 0

    def move_attributes(self) -> int:
        """Move the attributes of each row."""
        size = number = 0
        for k in range(self.count):
            row = self.order[k]
            first, stop = self.attr_at[row], self.attr_at[row + 1]
            shift = size - self.attr_name_at[first]
            size = copy(self.moved_bytes, size, self.attrs, self.attr_name_at[first], self.attr_name_at[stop])
            self.moved[k] = number
            for j in range(first, stop):
                self.moved_name[number] = self.attr_name_at[j] + shift
                self.moved_value[number] = self.attr_value_at[j] + shift
                number += 1
        copy(self.attrs, 0, self.moved_bytes, 0, size)
        for k in range(self.count):
            self.attr_at[k] = self.moved[k]
        for j in range(number):
            self.attr_name_at[j] = self.moved_name[j]
            self.attr_value_at[j] = self.moved_value[j]
        self.attr_name_at[number] = size
        self.attr_count = number
        self.attrs_size = size
        return 0

    def move_text(self) -> int:
        """Move the text of each row, the pieces that joined it included, and count it anew."""
        for k in range(self.count):  # where the text of scripts and style sheets is
            self.preceding[k] = self.chars[self.order[k]]
            self.following[k] = self.words[self.order[k]]
        size = 0
        for k in range(self.count):
            row = self.order[k]
            self.moved[k] = size
            if self.tag[k] == 0:
                size = copy(self.moved_bytes, size, self.text, self.text_at[row], self.text_at[row + 1])
                piece = self.next_piece[row]
                while piece:
                    size = copy(self.moved_bytes, size, self.text, self.text_at[piece], self.text_at[piece + 1])
                    piece = self.next_piece[piece]
        copy(self.text, 0, self.moved_bytes, 0, size)
        self.text_size = size
        for k in range(self.count):
            self.text_at[k] = self.moved[k]
            self.chars[k] = self.words[k] = self.puncts[k] = self.cjk[k] = 0
        self.text_at[self.count] = size
        for k in range(self.count):
            if self.flags[k] & MARK_RAW:
                self.chars[k] = self.preceding[k]
                self.words[k] = self.following[k]
            elif self.tag[k] == 0:
                self.after_space, self.after_join = 1, 0
                self.count_text(k, self.text_at[k], self.text_at[k + 1])
        return 0
