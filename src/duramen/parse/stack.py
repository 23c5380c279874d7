"""The stack of open elements and the list of active formatting elements (HTML standard, 13.2.4.2 and 13.2.4.3).

Every question about the stack is answered without walking it: each name knows its topmost open element, and the
nearest boundary of each kind of scope is kept as elements are pushed and popped. Pages with a million open elements
take linear time.
"""

from __future__ import annotations

from duramen.parse.lexicon import longer, new_ints
from duramen.parse.rows import Rows

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.lexicon import NAME_LIMIT
    from duramen.parse.names import *

    MARKER = -1
    LIST_LIMIT = 256
    COPY_SLACK = 65536

_OPEN_FIELDS = 12
_FIRST_OPEN = 256


class Stack(Rows):
    """Open elements, outermost first, as arrays: element i is the row open_row_of[i]."""

    def __init__(self) -> None:
        super().__init__()
        self.open_capacity = _FIRST_OPEN
        self.open_store = new_ints(_OPEN_FIELDS, _FIRST_OPEN)
        self.view_open()
        self.listed_capacity = _FIRST_OPEN
        self.listed_store = new_ints(3, _FIRST_OPEN)
        self.listed_row, self.listed_name, self.listed_at = self.listed_store
        self.top_html, self.top_foreign = new_ints(2, NAME_LIMIT)
        self.clear_stack()

    def view_open(self) -> None:
        """Name the arrays of the store."""
        (
            self.open_row_of,
            self.open_name,
            self.open_kind,
            self.same_below,
            self.listed_as,
            self.scope_below,
            self.button_below,
            self.list_below,
            self.table_below,
            self.special_below,
            self.stop_below,
            self.html_below,
        ) = self.open_store

    def clear_stack(self) -> None:
        """Nothing is open."""
        self.depth = 0
        self.listed = 0
        self.scope_at = self.button_at = self.list_at = self.table_at = self.special_at = self.stop_at = 0
        self.html_at = -1
        self.fostering = self.fosters = self.tables_follow = 0
        self.comment_row, self.blank_row = 0, -1
        self.detached = 0
        self.form_row = -1
        self.flag = FLAG_NONE
        self.copies = 0
        self.moves = 0
        self.copy_limit = COPY_SLACK
        for name in range(self.name_count):
            self.top_html[name] = -1
            self.top_foreign[name] = -1

    def grow_open(self) -> int:
        """Room for twice as many open elements."""
        with cython.gil:
            self.open_capacity *= 2
            self.open_store = longer(self.open_store, self.open_capacity)
            self.view_open()
        return 0

    def grow_listed(self) -> int:
        """Room for twice as many formatting elements."""
        with cython.gil:
            self.listed_capacity *= 2
            self.listed_store = longer(self.listed_store, self.listed_capacity)
            self.listed_row, self.listed_name, self.listed_at = self.listed_store
        return 0

    # Pushing and popping.

    @cython.boundscheck(False)  # at < open_capacity, which the arrays of the stack have; names are below NAME_LIMIT
    def push(self, name: int, kind: int, row: int) -> int:
        """Open an element; returns its place on the stack."""
        at = self.depth
        if at == self.open_capacity:
            self.grow_open()
        self.depth = at + 1
        self.open_row_of[at] = row
        self.open_name[at] = name
        self.open_kind[at] = kind
        self.listed_as[at] = -1
        self.text_row = -1
        if kind & K_FOREIGN:
            self.same_below[at] = self.top_foreign[name]
            self.top_foreign[name] = at
        else:
            self.same_below[at] = self.top_html[name]
            self.top_html[name] = at
            self.html_below[at] = self.html_at
            self.html_at = at
        # Without a branch, which would be guessed wrong often.
        self.special_below[at] = self.special_at
        self.special_at = at if kind & K_SPECIAL else self.special_at
        self.stop_below[at] = self.stop_at
        self.stop_at = at if kind & K_STOPS_LI else self.stop_at
        if kind & K_ENDS_SCOPE:
            self.set_boundaries(at, kind)
        return at

    @cython.boundscheck(False)  # by `push`
    def set_boundaries(self, at: int, kind: int) -> int:
        """An element that ends scopes was pushed."""
        if kind & (K_SCOPE | K_BUTTON):
            self.button_below[at] = self.button_at
            self.button_at = at
        if kind & (K_SCOPE | K_LIST):
            self.list_below[at] = self.list_at
            self.list_at = at
        if kind & K_SCOPE:
            self.scope_below[at] = self.scope_at
            self.scope_at = at
        if kind & K_TABLE_SCOPE:
            self.table_below[at] = self.table_at
            self.table_at = at
        return 0

    @cython.boundscheck(False)  # at < depth, what `push` wrote
    def unlink(self) -> int:
        """Take the topmost element off the stack without ending its row."""
        at = self.depth - 1
        if at < 0:
            return 0
        self.depth = at
        name, kind = self.open_name[at], self.open_kind[at]
        if kind & K_FOREIGN:
            self.top_foreign[name] = self.same_below[at]
        else:
            self.top_html[name] = self.same_below[at]
            self.html_at = self.html_below[at]
        self.special_at = self.special_below[at]
        self.stop_at = self.stop_below[at]
        if kind & K_ENDS_SCOPE:
            if kind & (K_SCOPE | K_BUTTON):
                self.button_at = self.button_below[at]
            if kind & (K_SCOPE | K_LIST):
                self.list_at = self.list_below[at]
            if kind & K_SCOPE:
                self.scope_at = self.scope_below[at]
            if kind & K_TABLE_SCOPE:
                self.table_at = self.table_below[at]
        return 0

    @cython.boundscheck(False)  # at < depth; rows and entries are what `push` and `list_element` wrote
    def pop(self) -> int:
        """Close the current node."""
        at = self.depth - 1
        if at < 0:
            return 0
        self.end[self.open_row_of[at]] = self.count
        self.text_row = -1
        entry = self.listed_as[at]
        if entry >= 0:
            self.listed_at[entry] = -1
        return self.unlink()

    def pop_to(self, at: int) -> int:
        """Close every element from place `at` upwards."""
        while self.depth > at and self.depth > 0:
            self.pop()
        return 0

    def remove(self, at: int) -> int:
        """Take one element out of the stack and leave those above it open."""
        self.detached = 1
        row = self.open_row_of[at]
        self.end[row] = row + 1  # until its end is found below
        top = self.depth
        while self.depth > at:
            self.unlink()
        removed = self.listed_as[at]
        if removed >= 0:
            self.listed_at[removed] = -1
        open_text = self.text_row
        for k in range(at + 1, top):
            entry = self.listed_as[k]
            place = self.push(self.open_name[k], self.open_kind[k], self.open_row_of[k])
            self.listed_as[place] = entry
            if entry >= 0:
                self.listed_at[entry] = place
        self.text_row = open_text
        return 0

    # Questions (13.2.4.2).

    def in_scope(self, name: int) -> int:
        """Whether the stack has an HTML element of that name in scope."""
        return self.top_html[name] >= self.scope_at

    def in_table_scope(self, name: int) -> int:
        """The same, in table scope."""
        return self.top_html[name] >= self.table_at

    def close_p(self) -> int:
        """Close a p element that is in button scope."""
        if self.top_html[T_P] >= self.button_at:
            self.pop_to(self.top_html[T_P])
        return 0

    def close_implied(self, kept: int) -> int:
        """Generate implied end tags, except for elements of the name `kept` (0: none)."""
        while self.depth > 0 and self.open_kind[self.depth - 1] & K_IMPLIED:
            if self.open_name[self.depth - 1] == kept:
                break
            self.pop()
        return 0

    def current_is(self, name: int) -> int:
        """Whether the current node is the HTML element of that name."""
        return self.depth > 0 and self.top_html[name] == self.depth - 1

    def current_kind(self) -> int:
        """The kind bits of the current node."""
        return self.open_kind[self.depth - 1] if self.depth > 0 else 0

    # Insertion.

    @cython.boundscheck(False)  # depth > 0 where the stack is read
    def insert(self, name: int, kind: int) -> int:
        """Insert an element at the appropriate place and push it; it has the attributes of the tag just read."""
        top = self.depth - 1
        row = self.open_row(name, self.open_row_of[top] if top >= 0 else -1)
        if top >= 0 and self.fostering and self.open_kind[top] & K_FOSTERS:
            self.foster(row)
        if self.pending:
            self.take_attributes()
        return self.push(name, kind, row)

    def insert_bare(self, name: int, kind: int) -> int:
        """Insert an element that no tag stands for, before the tag just read is dealt with."""
        row = self.open_row(name, self.open_row_of[self.depth - 1] if self.depth > 0 else -1)
        if self.fostering and self.open_kind[self.depth - 1] & K_FOSTERS:
            self.foster(row)
        return self.push(name, kind, row)

    def insert_text(self, stop: int) -> int:
        """Insert the characters text[text_size:stop]."""
        if not (self.fostering and self.open_kind[self.depth - 1] & K_FOSTERS):
            return self.take_text(stop, self.open_row_of[self.depth - 1])
        self.text_row = -1
        self.take_text(stop, self.open_row_of[self.depth - 1])
        if self.text_row >= 0:
            self.foster(self.text_row)
        self.text_row = -1
        return 0

    def foster(self, row: int) -> int:
        """Mark a row that belongs in front of the table that it was read in (see `foster.py`)."""
        self.flags[row] |= MARK_FOSTERED
        self.fosters = 1
        return 0

    # The list of active formatting elements (13.2.4.3).

    def list_marker(self) -> int:
        """Elements before this entry do not count for what comes."""
        if self.listed == self.listed_capacity:
            self.grow_listed()
        self.listed_row[self.listed] = MARKER
        self.listed_name[self.listed] = 0
        self.listed_at[self.listed] = -1
        self.listed += 1
        return 0

    def clear_to_marker(self) -> int:
        """Forget entries up to and including the last marker."""
        while self.listed > 0:
            self.listed -= 1
            at = self.listed_at[self.listed]
            if at >= 0:
                self.listed_as[at] = -1
            if self.listed_row[self.listed] == MARKER:
                break
        return 0

    def unlist(self, entry: int) -> int:
        """Remove one entry."""
        at = self.listed_at[entry]
        if at >= 0:
            self.listed_as[at] = -1
        for k in range(entry, self.listed - 1):
            self.listed_row[k] = self.listed_row[k + 1]
            self.listed_name[k] = self.listed_name[k + 1]
            at = self.listed_at[k + 1]
            self.listed_at[k] = at
            if at >= 0:
                self.listed_as[at] = k
        self.listed -= 1
        return 0

    def list_element(self, at: int) -> int:
        """Push the open element at that place; of four alike the earliest goes (the Noah's Ark clause)."""
        row, name = self.open_row_of[at], self.open_name[at]
        alike, earliest, seen = 0, -1, 0
        for entry in range(self.listed - 1, -1, -1):
            if self.listed_row[entry] == MARKER:
                break
            seen += 1
            if self.listed_name[entry] == name and self.same_attributes(row, self.listed_row[entry]):
                alike += 1
                earliest = entry
        if seen > LIST_LIMIT:
            self.flag = FLAG_CROWDED
        if alike >= 3:
            self.unlist(earliest)
        if self.listed == self.listed_capacity:
            self.grow_listed()
        entry = self.listed
        self.listed = entry + 1
        self.listed_row[entry] = row
        self.listed_name[entry] = name
        self.listed_at[entry] = at
        self.listed_as[at] = entry
        return 0

    def last_listed(self, name: int) -> int:
        """The last entry of that name after the last marker, plus one; 0 if there is none."""
        for entry in range(self.listed - 1, -1, -1):
            if self.listed_row[entry] == MARKER:
                break
            if self.listed_name[entry] == name:
                return entry + 1
        return 0

    def reconstruct(self) -> int:
        """Reconstruct the active formatting elements: open again those that are listed but not open."""
        first = self.listed
        while first > 0 and self.listed_row[first - 1] != MARKER and self.listed_at[first - 1] < 0:
            first -= 1
        if first == self.listed:
            return 0
        entries, size = 0, 0
        self.attr_at[self.count] = self.attr_count
        for entry in range(first, self.listed):
            source = self.listed_row[entry]
            entries += self.attr_at[source + 1] - self.attr_at[source]
            size += self.attr_name_at[self.attr_at[source + 1]] - self.attr_name_at[self.attr_at[source]]
        self.copies += self.listed - first + entries + size
        if self.copies > self.copy_limit:
            self.flag = FLAG_CROWDED
            return 0
        if entries:
            self.make_gap(entries, size)
        for entry in range(first, self.listed):
            source = self.listed_row[entry]
            at = self.insert_bare(self.listed_name[entry], K_FORMATTING)
            if entries:
                self.copy_attributes(source)
            self.listed_row[entry] = self.open_row_of[at]
            self.listed_at[entry] = at
            self.listed_as[at] = entry
        return 0
