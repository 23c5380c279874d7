"""Tree construction (HTML standard, 13.2.6): characters, comments, and the end of the page."""

from __future__ import annotations

from duramen.parse.foster import Foster

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import copy
    from duramen.parse.names import *


class Tree(Foster):
    """Builds the rows of a page from its tokens."""

    def comment(self) -> int:
        """A comment is no row, but what stands before and after it are two text nodes."""
        self.skip_newline = 0
        self.held_open = 0
        if self.mode == AFTER_BODY or self.mode == AFTER_AFTER_BODY or self.mode == AFTER_AFTER_FRAMESET:
            if not self.current_kind() & K_FOREIGN:
                return 0  # it goes to the end of the document
        self.text_row = -1
        if self.current_kind() & K_FOSTERS:
            self.comment_row = self.count
        return 0

    def blank_until(self, stop: int) -> int:
        """Where the white space that text[text_size:stop] begins with ends."""
        at = self.text_size
        while at < stop:
            byte = self.text[at]
            if byte > SPACE_BYTE or not (byte == SPACE_BYTE or byte == LF or byte == TAB or byte == FF or byte == CR):
                break
            at += 1
        return at

    def characters(self, stop: int) -> int:
        """The characters text[text_size:stop]."""
        if self.skip_newline:
            self.skip_newline = 0
            if self.text_size < stop and self.text[self.text_size] == LF:
                stop = self.drop_text(self.text_size + 1, stop)
        if self.text_size == stop:
            return 0
        if self.depth > 0 and self.is_foreign_here():
            if self.frameset_ok and self.blank_until(stop) < stop:
                self.frameset_ok = 0
            return self.insert_text(stop)
        mode = self.mode
        if mode == IN_BODY or mode == IN_CELL or mode == IN_CAPTION or mode == IN_TEMPLATE:
            return self.characters_in_body(stop)
        if mode == IN_TABLE or mode == IN_TABLE_BODY or mode == IN_ROW:
            return self.characters_in_table(stop)
        return self.characters_outside(stop)

    def is_foreign_here(self) -> int:
        """Whether characters here are foreign content."""
        kind = self.open_kind[self.depth - 1]
        return kind & K_FOREIGN and not kind & (K_TEXT_POINT | K_HTML_POINT)

    def characters_in_body(self, stop: int) -> int:
        if self.listed > 0:
            self.reconstruct()
        if self.frameset_ok and self.blank_until(stop) < stop:
            self.frameset_ok = 0
        return self.insert_text(stop)

    def characters_in_table(self, stop: int) -> int:
        """The "in table text" insertion mode: only white space may stay."""
        if self.blank_until(stop) < stop:
            self.fostering = 1
            self.characters_in_body(stop)
            self.fostering = 0
            return 0
        if not self.open_kind[self.depth - 1] & (K_FOSTERS | K_TABLE_SCOPE):
            return self.characters_in_body(stop)
        if self.text_row >= 0 or self.depth == 0:
            return self.insert_text(stop)
        self.insert_text(stop)
        if self.fosters and self.comment_row <= self.blank_row:
            self.flags[self.text_row] |= MARK_JOINS
        self.blank_row = self.text_row
        return 0

    def drop_text(self, start: int, stop: int) -> int:
        """Take text[text_size:start] out of the characters up to `stop`; returns their new end."""
        for at in range(start, stop):
            self.text[self.text_size + at - start] = self.text[at]
        return stop - (start - self.text_size)

    def keep_blanks(self, stop: int) -> int:
        """Take all but white space out of text[text_size:stop]; returns its new end."""
        kept = self.text_size
        for at in range(self.text_size, stop):
            byte = self.text[at]
            if byte == SPACE_BYTE or byte == LF or byte == TAB or byte == FF or byte == CR:
                self.text[kept] = byte
                kept += 1
        return kept

    def characters_outside(self, stop: int) -> int:
        """Characters in the modes before, between and after head and body, and in a column group."""
        while self.text_size < stop:
            mode = self.mode
            solid = self.blank_until(stop)
            if mode == INITIAL or mode == BEFORE_HTML or mode == BEFORE_HEAD:
                stop = self.drop_text(solid, stop)
                if self.text_size < stop:
                    self.drop_attributes()
                    self.start_before_head(0, R_OTHER)
            elif mode == IN_HEAD or mode == IN_HEAD_NOSCRIPT or mode == AFTER_HEAD or mode == IN_COLUMN_GROUP:
                if mode == AFTER_HEAD:
                    if self.held:
                        stop = self.let_late_text_in(stop)
                        continue
                    if self.late_row < 0 and solid > self.text_size:
                        self.late_row = self.count
                self.insert_text(solid)
                if self.text_size < stop:
                    if mode == IN_COLUMN_GROUP:
                        if self.close_column_group():
                            return 0
                    elif mode == AFTER_HEAD:
                        self.insert_body(0)
                        self.mode = IN_BODY
                    else:
                        self.pop()
                        self.mode = AFTER_HEAD if mode == IN_HEAD else IN_HEAD
            elif mode == AFTER_BODY or mode == AFTER_AFTER_BODY:
                if solid < stop:
                    self.mode = IN_BODY
                return self.characters_in_body(stop)
            elif mode == AFTER_AFTER_FRAMESET and solid < stop:
                self.flag = FLAG_REFERENCE  # which ignores the white space, too
                return 0
            elif mode == IN_FRAMESET or mode == AFTER_FRAMESET or mode == AFTER_AFTER_FRAMESET:
                return self.insert_text(self.keep_blanks(stop))
            else:
                return self.characters(stop)
        return 0

    def let_late_text_in(self, stop: int) -> int:
        """Put held white space back in front of the characters up to `stop`; returns their new end."""
        size = 0
        for k in range(self.held):
            size += self.held_length[k]
        copy(self.text, self.text_size + size, self.text, self.text_size, stop)
        self.put_late_text()
        return stop + size

    def end_of_file(self) -> int:
        """Stop parsing: elements that every page has are inserted, all others end."""
        if self.raw_open:
            self.pop()
        while self.top_html[T_TEMPLATE] >= 0:
            self.close_template()
        if self.mode <= BEFORE_HEAD:
            self.drop_attributes()
            self.start_before_head(0, R_OTHER)
        if self.mode == IN_HEAD_NOSCRIPT:
            self.pop()
            self.mode = IN_HEAD
        if self.mode == IN_HEAD:
            self.pop()
            self.mode = AFTER_HEAD
        if self.mode == AFTER_HEAD:
            self.insert_body(0)
        self.pop_to(0)
        if self.detached:
            for row in range(self.count - 1, 0, -1):
                parent = self.parent[row]
                if self.end[parent] < self.end[row]:
                    self.end[parent] = self.end[row]
        if self.fosters:
            self.move_fostered()
        elif self.tables_follow:
            for row in range(self.count):
                self.flags[row] &= MARK_PAGE | MARK_RAW
        return 0
