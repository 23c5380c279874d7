"""The adoption agency algorithm (HTML standard, 13.2.6.4.7): </b> and its like across the borders of blocks.

The block that such a tag cuts in two is always open, so its rows are the last of the page. Moving it out of the
formatting element leaves the order of all rows as it is: copies of the formatting elements are inserted before the
block and right inside it, and some parents change.
"""

from __future__ import annotations

from duramen.parse.lexicon import new_ints
from duramen.parse.stack import Stack

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import copy
    from duramen.parse.names import *
    from duramen.parse.stack import MARKER

    OUTER_LIMIT = 8
    INNER_LIMIT = 3
    SAVED_LIMIT = 1024


class Adoption(Stack):
    """Moves blocks out of formatting elements."""

    def __init__(self) -> None:
        super().__init__()
        self.saved_name, self.saved_kind, self.saved_row, self.saved_entry = new_ints(4, SAVED_LIMIT)

    def adopt(self, name: int) -> int:
        """Run the algorithm for a tag; returns whether it dealt with it. If not, it is like any other end tag."""
        top = self.depth - 1
        if self.top_html[name] == top and self.listed_as[top] < 0:
            self.pop()
            return 1
        for _ in range(OUTER_LIMIT):
            entry = self.last_listed(name) - 1
            if entry < 0:
                return 0
            at = self.listed_at[entry]
            if at < 0:
                self.unlist(entry)
                return 1
            if at < self.scope_at:
                return 1
            if self.special_at < at:  # no furthest block
                self.pop_to(at)
                self.unlist(entry)
                return 1
            self.move_block(at)
            if self.flag:
                return 1
        return 1

    def move_block(self, at: int) -> int:
        """Move the furthest block out of the formatting element at that place of the stack."""
        block = at + 1
        while not self.open_kind[block] & K_SPECIAL:
            block += 1
        if self.depth - at >= SAVED_LIMIT:
            self.flag = FLAG_CROWDED
            return 0
        for place in range(block - 1, at, -1):
            if self.listed_as[place] >= 0 and block - place > INNER_LIMIT:
                self.flag = FLAG_REFERENCE  # which loses its place in the list when it removes an entry here
                return 0
        row = first = self.open_row_of[block]
        for place in range(at, block):
            self.end[self.open_row_of[place]] = row
        # Copies of the formatting elements in between go around the block …
        parent, bookmark = self.open_row_of[at - 1], self.listed_as[at]
        for place in range(at + 1, block):
            entry = self.listed_as[place]
            if entry >= 0:
                self.insert_row(row, self.open_name[place], parent, self.open_row_of[place])
                self.open_row_of[place] = row
                self.listed_row[entry] = row
                bookmark = entry + 1
                parent = row
                row += 1
        # … which becomes the last child of what the formatting element is in …
        self.parent[row] = parent
        self.flags[row] &= MARK_PAGE
        if self.fostering and self.open_kind[at - 1] & K_FOSTERS:
            self.foster(first)
        deeper = self.level[parent] + 1 - self.level[row]
        for k in range(row, self.count):
            self.level[k] += deeper
        # … and a copy of the formatting element takes all that is in the block.
        self.insert_row(row + 1, self.open_name[at], row, self.open_row_of[at])
        for k in range(row + 2, self.count):
            self.level[k] += 1
            if self.parent[k] == row:
                self.parent[k] = row + 1
        entry = self.listed_as[at]
        self.unlist(entry)
        if entry < bookmark:
            bookmark -= 1
            if bookmark < self.listed:
                self.flag = FLAG_REFERENCE  # which forgets that what is behind the entry has moved up
                return 0
        self.insert_entry(bookmark, self.open_name[at], row + 1)
        return self.restack(at, block, bookmark, row + 1)

    def restack(self, at: int, block: int, entry: int, row: int) -> int:
        """Put the copy, which is that row and entry of the list, above the block; what was not copied goes."""
        name, kind, kept, open_text = self.open_name[at], self.open_kind[at], 0, self.text_row
        for place in range(at + 1, self.depth):
            if place >= block or self.listed_as[place] >= 0:
                self.saved_name[kept] = self.open_name[place]
                self.saved_kind[kept] = self.open_kind[place]
                self.saved_row[kept] = self.open_row_of[place]
                self.saved_entry[kept] = self.listed_as[place]
                kept += 1
        above = kept - (self.depth - 1 - block)  # entries up to the block
        while self.depth > at:
            self.unlink()
        for k in range(kept):
            if k == above:
                self.stack_again(name, kind, row, entry)
            self.stack_again(self.saved_name[k], self.saved_kind[k], self.saved_row[k], self.saved_entry[k])
        if kept == above:
            self.stack_again(name, kind, row, entry)
        self.text_row = open_text  # the current node is the one that it is in, or the copy that took it
        return 0

    def stack_again(self, name: int, kind: int, row: int, entry: int) -> int:
        """Push a row that exists, and is that entry of the list if it is one."""
        place = self.push(name, kind, row)
        self.listed_as[place] = entry
        if entry >= 0:
            self.listed_at[entry] = place
        return 0

    def insert_entry(self, entry: int, name: int, row: int) -> int:
        """Insert an entry into the list of active formatting elements."""
        if self.listed == self.listed_capacity:
            self.grow_listed()
        for k in range(self.listed, entry, -1):
            self.listed_row[k] = self.listed_row[k - 1]
            self.listed_name[k] = self.listed_name[k - 1]
            at = self.listed_at[k - 1]
            self.listed_at[k] = at
            if at >= 0:
                self.listed_as[at] = k
        self.listed += 1
        self.listed_row[entry] = row
        self.listed_name[entry] = name
        self.listed_at[entry] = -1
        return 0

    def insert_row(self, row: int, name: int, parent: int, source: int) -> int:
        """A new row in front of `row`, with the attributes of an earlier one."""
        count = self.count
        self.moves += count - row + 1
        if self.moves > 8 * self.copy_limit:
            self.flag = FLAG_CROWDED
        if count == self.row_capacity:
            self.grow_rows()
        self.attr_at[count] = self.attr_count
        self.text_at[count] = self.text_size
        entries = self.attr_at[source + 1] - self.attr_at[source]
        if entries:
            self.insert_attributes(self.attr_at[row], self.attr_at[source], entries)
        for k in range(count, row, -1):
            self.tag[k] = self.tag[k - 1]
            above = self.parent[k - 1]
            self.parent[k] = above + 1 if above >= row else above
            self.end[k] = self.end[k - 1] + 1
            self.level[k] = self.level[k - 1]
            self.flags[k] = self.flags[k - 1]
            self.text_at[k] = self.text_at[k - 1]
            self.chars[k] = self.chars[k - 1]
            self.words[k] = self.words[k - 1]
            self.puncts[k] = self.puncts[k - 1]
            self.cjk[k] = self.cjk[k - 1]
            self.attr_at[k] = self.attr_at[k - 1] + entries
        self.tag[row] = name
        self.parent[row] = parent
        self.end[row] = row + 1
        self.level[row] = self.level[parent] + 1
        self.flags[row] = self.flags[source] & MARK_PAGE
        self.chars[row] = 0
        self.words[row] = 0
        self.puncts[row] = 0
        self.cjk[row] = 0
        self.count = count + 1
        if self.text_row >= row:
            self.text_row += 1
        for place in range(self.depth - 1, -1, -1):
            if self.open_row_of[place] < row:
                break
            self.open_row_of[place] += 1
        for entry in range(self.listed - 1, -1, -1):
            if self.listed_row[entry] == MARKER:
                break
            if self.listed_row[entry] >= row:
                self.listed_row[entry] += 1
        if self.form_row >= row:
            self.form_row += 1
        return 0

    def insert_attributes(self, place: int, source: int, entries: int) -> int:
        """Copy attributes source .. source+entries-1 to before attribute `place`, which comes later."""
        stop = self.attr_count + self.pending
        start, tail = self.attr_name_at[place], self.attr_name_at[stop]
        first = self.attr_name_at[source]
        size = self.attr_name_at[source + entries] - first
        self.make_room(size)
        while stop + entries > self.attr_capacity:
            self.grow_attributes()
        copy(self.attrs, start + size, self.attrs, start, tail)
        for k in range(stop, place, -1):
            self.attr_name_at[k + entries] = self.attr_name_at[k] + size
            self.attr_value_at[k + entries - 1] = self.attr_value_at[k - 1] + size
            self.attr_hash[k + entries - 1] = self.attr_hash[k - 1]
        copy(self.attrs, start, self.attrs, first, first + size)
        for j in range(entries):
            self.attr_value_at[place + j] = self.attr_value_at[source + j] - first + start
            self.attr_hash[place + j] = self.attr_hash[source + j]
            self.attr_name_at[place + j + 1] = self.attr_name_at[source + j + 1] - first + start
        self.attr_count += entries
        self.attrs_size += size
        return 0
