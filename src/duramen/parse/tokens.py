"""Tokenization (HTML standard, 13.2.5): bytes of UTF-8 → tokens, handed to the tree as they are read.

Text and attributes are decoded straight into the page's buffers, beyond what is in use; a token that the tree ignores
leaves them unused.
"""

from __future__ import annotations

from duramen.page import Page
from duramen.parse.attributes import Attributes, letters
from duramen.parse.doctype import is_quirky

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.attributes import LENGTH_MASK
    from duramen.parse.bulk import (
        HAS_NUL,
        HAS_RETURN,
        NOT_UTF8,
        check,
        copy,
        copy_lines,
        ends_name,
        find,
        pack_name,
        read_name,
        read_short,
    )
    from duramen.parse.names import *
    from duramen.parse.stack import COPY_SLACK, MARKER


class Tokens(Attributes):
    """Reads a page.

    Where indexes are not checked, every index of `page` was compared with `size`, tables by byte have 256 entries, and
    the current node is asked for only while there is one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tag_letters = letters(B_TAG_END)

    def read_page(self, page: bytes, holds: int) -> Page | None:
        """Read a whole page; None where it needs what is not modelled. `holds` is as for `read`."""
        return None if self.read(page, holds) else self.to_page(page)

    def read(self, page: bytes, holds: int) -> int:
        """Read a whole page; returns 0, or a FLAG_… for what is not modelled.

        `holds` is what `check` says of the page, or less than 0 if that is not known.
        """
        self.forget_names()
        self.clear_tree()
        self.forget_seen()
        self.page = page
        self.size = len(page)
        self.copy_limit = self.size + COPY_SLACK
        # No reference is longer than 6/5 of its source.
        room = self.size + self.size // 5 + 64
        self.size_buffers(room, room)
        with cython.nogil:
            self.run(check(self.page) if holds < 0 else holds)
        return self.flag

    @cython.boundscheck(False)
    def run(self, holds: int) -> int:
        """Read tokens until the end of the page, or until it is flagged."""
        at = 0
        if holds == NOT_UTF8:
            self.flag = FLAG_NOT_UTF8
        elif holds & HAS_NUL:
            self.flag = FLAG_NUL
        self.has_returns = holds & HAS_RETURN
        while at < self.size and not self.flag:
            if self.reads != DATA:
                at = self.read_raw(at)
                continue
            if self.page[at] != LESS:
                at = self.read_data(at, self.text_size)
            if at < self.size:
                at = self.read_markup(at)
        if not self.flag:
            self.end_of_file()
        return 0

    # Text.

    @cython.boundscheck(False)
    def read_data(self, at: int, out: int) -> int:
        """Characters in the data state, written from text[out] on; returns where they end."""
        if self.has_returns and at + 1 < self.size and self.page[at] == CR and self.page[at + 1] == LF:
            at += 1  # what most such texts begin with is one line feed, and the rest is plain
        if self.text_row < 0 and out == self.text_size and self.takes_text():
            read = read_short(self.page, at, self.size, self.text, out)
            if read:
                return at + self.take_short(read, self.open_row_of[self.depth - 1])
        at = self.decode_text(at, self.size, out, LESS)
        if self.takes_text():
            self.take_text(self.written, self.open_row_of[self.depth - 1])
        else:
            self.characters(self.written)
        return at

    @cython.boundscheck(False)
    def takes_text(self) -> int:
        """Whether text goes to the current node as it is, as most text does."""
        if (self.mode != IN_BODY and self.mode != IN_CELL) or self.skip_newline or self.frameset_ok:
            return 0
        if self.listed > 0 and self.listed_at[self.listed - 1] < 0 and self.listed_row[self.listed - 1] != MARKER:
            return 0
        return not self.open_kind[self.depth - 1] & K_FOREIGN

    def read_less(self, at: int) -> int:
        """The < at page[at] that begins no markup, and the characters after it; returns where they end."""
        if self.text_row >= 0:
            self.flag_split_text()
        self.text[self.text_size] = LESS
        return self.read_data(at + 1, self.text_size + 1)

    def flag_split_text(self) -> int:
        """In a table, characters that no token parts are judged as one: here they come in two pieces."""
        if self.mode == IN_TABLE or self.mode == IN_TABLE_BODY or self.mode == IN_ROW:
            self.flag = FLAG_FOSTER
        return 0

    def copy_text(self, at: int, stop: int) -> int:
        """Write page[at:stop] behind the text in use, ends of lines as line feeds, and return the end of it there."""
        if self.has_returns:
            return copy_lines(self.text, self.text_size, self.page, at, stop)
        return copy(self.text, self.text_size, self.page, at, stop)

    # Markup.

    @cython.boundscheck(False)
    def read_markup(self, at: int) -> int:
        """What begins with the < at page[at]; returns where it ends."""
        following = self.page[at + 1] if at + 1 < self.size else 0
        if self.byte_kinds[following] & B_LETTER:
            return self.read_start_tag(at)
        if following == SLASH:
            return self.read_end_tag(at)
        if following == BANG:
            return self.read_declaration(at)
        if following == QUESTION:
            return self.read_bogus_comment(at + 1)
        return self.read_less(at)

    @cython.boundscheck(False)
    def read_start_tag(self, at: int) -> int:
        """The start tag at page[at]."""
        packed = pack_name(self.page, at + 1, self.size, self.tag_letters)
        name = self.lookup_packed(packed) if packed else 0
        if name:
            at += 1 + (packed & 7)
        else:
            at = self.read_long_name(at + 1)
            start, length = self.attrs_size, self.name_length
            name = self.lookup(self.attrs, start, length, self.name_key)
            if name == 0:
                name = self.add_name(self.attrs, start, length, self.name_key)
                if name == 0:
                    self.flag = FLAG_CROWDED
                    return self.size
                self.top_html[name] = -1
                self.top_foreign[name] = -1
        if at < self.size and self.page[at] == GREATER:  # most have no attributes
            self.drop_attributes()
            self.self_closing = 0
            self.start_tag(name)
            return at + 1
        at = self.read_attributes(at)
        if self.complete:
            self.start_tag(name)
        return at

    @cython.boundscheck(False)
    def read_end_tag(self, at: int) -> int:
        """The end tag at page[at], or what looks like one."""
        at += 2
        if at >= self.size:
            return self.read_less(at - 2)
        name = self.open_name[self.depth - 1] if self.depth > 0 else 0
        packed = self.packed_of[name]
        if ends_name(self.page, at, self.size, packed):  # as most do that of the current node
            self.drop_attributes()
            self.end_named(name)
            return at + 1 + (packed & 7)
        following = self.page[at]
        if not self.byte_kinds[following] & B_LETTER:
            if following != GREATER:
                return self.read_bogus_comment(at)
            self.flag_split_text()
            return at + 1
        packed = pack_name(self.page, at, self.size, self.tag_letters)
        name = self.lookup_packed(packed) if packed else 0
        if name:
            at += packed & 7
        else:
            at = self.read_long_name(at)
            name = self.lookup(self.attrs, self.attrs_size, self.name_length, self.name_key)
        if at < self.size and self.page[at] == GREATER:
            at += 1
            self.drop_attributes()
        else:
            at = self.read_attributes(at)
            self.drop_attributes()
            if not self.complete:
                return at
        self.end_named(name)
        return at

    @cython.boundscheck(False)
    def end_named(self, name: int) -> int:
        """An end tag of that name; that of the current node without the detours of `end_tag`, if it needs none."""
        top = self.depth - 1
        if self.mode == IN_BODY and top >= 0 and self.open_name[top] == name and self.open_kind[top] & K_PLAIN:
            self.skip_newline = 0
            return self.pop()
        return self.end_tag(name)

    def read_long_name(self, at: int) -> int:
        """Write the tag name at page[at] behind the attributes in use; returns where it ends."""
        read = read_name(self.page, at, self.size, self.tag_letters, self.attrs, self.attrs_size, 0)
        self.name_length = read & LENGTH_MASK
        self.name_key = read >> 30
        return at + self.name_length

    # Comments and declarations.

    def read_bogus_comment(self, at: int) -> int:
        """A comment up to the next >."""
        self.comment()
        return min(find(self.page, GREATER, at, self.size) + 1, self.size)

    def read_declaration(self, at: int) -> int:
        """What begins with <!."""
        if at + 3 < self.size and self.page[at + 2] == DASH and self.page[at + 3] == DASH:
            return self.read_comment(at + 4)
        if self.reads_here(at + 2, W_DOCTYPE):
            return self.read_doctype(at + 9)
        if self.depth > 0 and self.open_kind[self.depth - 1] & K_FOREIGN and self.reads_here(at + 2, W_CDATA):
            return self.read_cdata(at + 9)
        return self.read_bogus_comment(at + 2)

    def read_comment(self, start: int) -> int:
        """A comment whose text begins at page[start]; returns where it ends."""
        self.comment()
        if start < self.size and self.page[start] == GREATER:
            return start + 1
        if start + 1 < self.size and self.page[start] == DASH and self.page[start + 1] == GREATER:
            return start + 2
        end = find(self.page, GREATER, start, self.size)
        while end < self.size:
            at = end
            if at - 1 >= start and self.page[at - 1] == BANG:
                at -= 1
            if at - 2 >= start and self.page[at - 1] == DASH and self.page[at - 2] == DASH:
                return end + 1
            end = find(self.page, GREATER, end + 1, self.size)
        return self.size

    def read_doctype(self, at: int) -> int:
        """A doctype; returns where it ends."""
        self.skip_newline = 0
        end = find(self.page, GREATER, at, self.size)
        if self.mode == IN_COLUMN_GROUP:
            self.flag = FLAG_REFERENCE  # which ends the column group
        if self.mode == INITIAL:
            self.mode = BEFORE_HTML
            with cython.gil:
                self.quirks = is_quirky(bytes(self.page[at:end]), end < self.size)
        return min(end + 1, self.size)

    def read_cdata(self, at: int) -> int:
        """A CDATA section, as there are in foreign content; returns where it ends."""
        end = find(self.page, GREATER, at, self.size)
        while end < self.size:
            if end - 2 >= at and self.page[end - 1] == BRACKET and self.page[end - 2] == BRACKET:
                break
            end = find(self.page, GREATER, end + 1, self.size)
        stop = end - 2 if end < self.size else self.size
        if stop > at:
            self.characters(self.copy_text(at, stop))
        return min(end + 1, self.size)

    # Raw text.

    def read_raw(self, at: int) -> int:
        """The text of an element that holds no markup, and its end tag; returns where that ends."""
        reads = self.reads
        if reads == PLAINTEXT:
            self.characters(self.copy_text(at, self.size))
            return self.size
        if reads == SCRIPT_DATA:
            stop = self.find_script_end(at)
        else:
            stop = find(self.page, LESS, at, self.size)
            while stop < self.size and not self.ends_raw(stop):
                stop = find(self.page, LESS, stop + 1, self.size)
        if reads == RCDATA:
            self.decode_text(at, stop, self.text_size, AMP)
            self.raw_characters(self.written)
        elif self.stays_raw():
            self.leave_raw(at, stop, self.open_row_of[self.depth - 1])
        else:
            self.raw_characters(self.copy_text(at, stop))
        self.reads = DATA
        if stop == self.size:
            return stop
        name = self.open_name[self.depth - 1]
        at = self.read_attributes(stop + 2 + self.name_at[name + 1] - self.name_at[name])
        self.drop_attributes()
        if self.complete:
            self.pop()
            self.raw_open = 0
        return at

    def stays_raw(self) -> int:
        """Whether the current node is a script or style sheet whose text stays where it is: one of the page itself."""
        name = self.open_name[self.depth - 1]
        return (name == T_SCRIPT or name == T_STYLE) and self.top_foreign[T_SVG] < 0 and self.top_foreign[T_MATH] < 0

    def raw_characters(self, stop: int) -> int:
        """Insert the text of a raw text element."""
        if self.skip_newline:
            self.skip_newline = 0
            if self.text_size < stop and self.text[self.text_size] == LF:
                stop = self.drop_text(self.text_size + 1, stop)
        return self.take_text(stop, self.open_row_of[self.depth - 1])

    def ends_raw(self, at: int) -> int:
        """Whether the end tag of the current node begins at page[at], a <."""
        name = self.open_name[self.depth - 1]
        start, length = self.name_at[name], self.name_at[name + 1] - self.name_at[name]
        if at + 2 + length >= self.size or self.page[at + 1] != SLASH:
            return 0
        if not self.byte_kinds[self.page[at + 2 + length]] & B_TAG_END:
            return 0
        for k in range(length):
            byte = self.page[at + 2 + k]
            if self.byte_kinds[byte] & B_UPPER:
                byte += 32
            if byte != self.name_bytes[start + k]:
                return 0
        return 1

    def find_script_end(self, at: int) -> int:
        """Where a script ends: at its end tag, which inside <!-- <script> --> is only text."""
        while True:
            at = find(self.page, LESS, at, self.size)
            if at == self.size or self.ends_raw(at):
                return at
            at += 1
            if at + 2 < self.size and self.page[at] == BANG and self.page[at + 1] == DASH and self.page[at + 2] == DASH:
                at = self.find_escape_end(at + 3)
                if at == self.size or self.page[at] == LESS:
                    return at

    def find_escape_end(self, at: int) -> int:
        """Script data escaped states: where --> ends them, or else the end tag or the end of the page."""
        dashes, double = 2, 0
        while at < self.size:
            byte = self.page[at]
            if byte == DASH:
                dashes += 1
            elif byte == GREATER and dashes >= 2:
                return at
            else:
                dashes = 0
                if byte == LESS:
                    if double:
                        double = 1 - self.ends_raw(at)
                    elif self.ends_raw(at):
                        return at
                    else:
                        double = self.starts_script(at)
            at += 1
        return at

    def starts_script(self, at: int) -> int:
        """Whether page[at:] reads <script and an end of the name."""
        if at + 7 >= self.size or not self.byte_kinds[self.page[at + 7]] & B_TAG_END:
            return 0
        return self.reads_here(at + 1, W_SCRIPT)
