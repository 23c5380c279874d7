"""Tree construction (HTML standard, 13.2.6): what each end tag does in each insertion mode.

As with start tags, 1 stands for done and 0 for processing the tag again.
"""

from __future__ import annotations

from duramen.parse.start_tags import StartTags

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.names import *


class EndTags(StartTags):
    """End tags."""

    def end_tag(self, name: int) -> int:
        """An end tag; of a name that nothing has, `name` is 0."""
        self.skip_newline = 0
        role = self.roles[name] if name < self.static_names else R_OTHER
        if self.depth > 0 and self.open_kind[self.depth - 1] & K_FOREIGN and self.end_in_foreign(name, role):
            return 0
        while not self.end_in_mode(name, role):
            pass
        return 0

    def end_in_mode(self, name: int, role: int) -> int:
        """An end tag by the rules of the insertion mode."""
        mode = self.mode
        if mode == IN_BODY:
            return self.end_in_body(name, role)
        if mode == IN_TABLE:
            return self.end_in_table(name, role)
        if mode == IN_TABLE_BODY:
            return self.end_in_table_body(name, role)
        if mode == IN_ROW:
            return self.end_in_row(name, role)
        if mode == IN_CELL:
            return self.end_in_cell(name, role)
        if mode == IN_CAPTION:
            return self.end_in_caption(name, role)
        if mode == IN_COLUMN_GROUP:
            return self.end_in_column_group(name, role)
        if mode == IN_HEAD or mode == IN_HEAD_NOSCRIPT or mode == AFTER_HEAD:
            return self.end_in_head(role)
        if mode == IN_TEMPLATE:
            return self.close_template() if role == R_TEMPLATE else 1
        if mode == AFTER_BODY:
            if role == R_HTML:
                self.mode = AFTER_AFTER_BODY
                return 1
            self.mode = IN_BODY
            return 0
        if mode == AFTER_AFTER_BODY:
            self.mode = IN_BODY
            return 0
        if mode == IN_FRAMESET:
            if role == R_FRAMESET and self.depth > 1:
                self.pop()
                if not self.current_is(T_FRAMESET):
                    self.mode = AFTER_FRAMESET
            return 1
        if mode == AFTER_FRAMESET:
            if role == R_HTML:
                self.mode = AFTER_AFTER_FRAMESET
            return 1
        if mode == AFTER_AFTER_FRAMESET:
            return 1
        # "initial", "before html" and "before head"
        if mode == INITIAL:
            self.quirks = 1
            self.mode = BEFORE_HTML
        if role == R_HEAD or role == R_BODY or role == R_HTML or role == R_BR:
            self.drop_attributes()
            return self.start_before_head(0, R_OTHER)
        return 1

    def end_in_head(self, role: int) -> int:
        """The "in head", "in head noscript" and "after head" insertion modes."""
        if self.mode == IN_HEAD_NOSCRIPT:
            if role == R_NOSCRIPT or role == R_BR:
                self.pop()
                self.mode = IN_HEAD
                return role == R_NOSCRIPT
            return 1
        if role == R_TEMPLATE:
            return self.close_template()
        if self.mode == AFTER_HEAD:
            if role == R_BODY or role == R_HTML or role == R_BR:
                self.insert_body(0)
                self.mode = IN_BODY
                return 0
            return 1
        if role == R_HEAD or role == R_BODY or role == R_HTML or role == R_BR:
            self.pop()
            self.mode = AFTER_HEAD
            return role == R_HEAD
        return 1

    def end_in_body(self, name: int, role: int) -> int:
        """The "in body" insertion mode."""
        if role == R_BLOCK or role == R_BUTTON or role == R_PRE or role == R_DEFINITION or role == R_SELECT:
            if self.in_scope(name):
                self.pop_to(self.top_html[name])
        elif role == R_A or role == R_FORMATTING or role == R_NOBR:
            if not self.adopt(name):
                self.end_other(name)
        elif role == R_P:
            if self.top_html[T_P] < self.button_at:
                self.insert_implied(T_P)
            self.close_p()
        elif role == R_LI:
            if self.top_html[T_LI] >= self.list_at:
                self.pop_to(self.top_html[T_LI])
        elif role == R_HEADING:
            nearest = -1
            for heading in range(T_H1, T_H6 + 1):
                nearest = max(nearest, self.top_html[heading])
            if nearest >= self.scope_at:
                self.pop_to(nearest)
        elif role == R_BODY or role == R_HTML:
            if self.in_scope(T_BODY):
                self.mode = AFTER_BODY
                return role == R_BODY
        elif role == R_FORM:
            self.end_form()
        elif role == R_OBJECT:
            if self.in_scope(name):
                self.pop_to(self.top_html[name])
                self.clear_to_marker()
        elif role == R_TEMPLATE:
            return self.close_template()
        elif role == R_BR:
            return self.start_in_body(T_BR, R_BR)
        else:
            self.end_other(name)
        return 1

    def end_other(self, name: int) -> int:
        """Any other end tag: closes the nearest element of its name unless a special one is in between."""
        at = self.top_html[name]
        if at >= 0 and at >= self.special_at:
            self.pop_to(at)
        return 1

    def end_form(self) -> int:
        """The end of the form that is open, which may be below other open elements."""
        if self.top_html[T_TEMPLATE] >= 0:
            if self.in_scope(T_FORM):
                self.pop_to(self.top_html[T_FORM])
            return 1
        row = self.form_row
        self.form_row = -1
        at = self.top_html[T_FORM]
        if row < 0 or at < self.scope_at or self.open_row_of[at] != row:
            return 1
        self.close_implied(0)
        if at == self.depth - 1:
            self.pop()
        else:
            self.remove(at)
        return 1

    def end_in_table(self, name: int, role: int) -> int:
        """The "in table" insertion mode."""
        if role == R_TABLE:
            if self.in_table_scope(T_TABLE):
                self.pop_to(self.top_html[T_TABLE])
                self.reset_mode()
            return 1
        if R_CAPTION <= role <= R_CELL or role == R_BODY or role == R_HTML:
            return 1
        if role == R_TEMPLATE:
            return self.close_template()
        self.fostering = 1
        done = self.end_in_body(name, role)
        self.fostering = 0
        return done

    def end_in_table_body(self, name: int, role: int) -> int:
        """The "in table body" insertion mode."""
        if role == R_TABLE_BODY:
            if self.in_table_scope(name):
                self.pop_to(self.table_body_at())
                self.mode = IN_TABLE
            return 1
        if role == R_TABLE:
            return self.close_table_body()
        return self.end_in_table(name, role)

    def end_in_row(self, name: int, role: int) -> int:
        """The "in row" insertion mode."""
        if role == R_TR:
            self.close_row()
            return 1
        if role == R_TABLE:
            return self.close_row()
        if role == R_TABLE_BODY:
            return self.close_row() if self.in_table_scope(name) else 1
        return self.end_in_table(name, role)

    def end_in_cell(self, name: int, role: int) -> int:
        """The "in cell" insertion mode."""
        if role == R_CELL:
            if self.in_table_scope(name):
                self.pop_to(self.top_html[name])
                self.clear_to_marker()
                self.mode = IN_ROW
            return 1
        if role == R_TABLE or role == R_TABLE_BODY or role == R_TR:
            return self.close_cell() if self.in_table_scope(name) else 1
        if role == R_BODY or role == R_HTML or role == R_CAPTION or role == R_COL or role == R_COLGROUP:
            return 1
        return self.end_in_body(name, role)

    def end_in_caption(self, name: int, role: int) -> int:
        """The "in caption" insertion mode."""
        if role == R_CAPTION:
            self.close_caption()
            return 1
        if role == R_TABLE:
            return self.close_caption()
        if R_CAPTION <= role <= R_CELL or role == R_BODY or role == R_HTML:
            return 1
        return self.end_in_body(name, role)

    def end_in_column_group(self, name: int, role: int) -> int:
        """The "in column group" insertion mode."""
        if role == R_COLGROUP:
            self.close_column_group()
            return 1
        if role == R_COL:
            return 1
        if role == R_TEMPLATE:
            return self.close_template()
        return self.close_column_group()

    def end_in_foreign(self, name: int, role: int) -> int:
        """An end tag inside SVG or MathML; returns whether it was dealt with."""
        if role == R_BR or role == R_P:
            self.leave_foreign()
            return 0
        spelled = self.svg_names[name] if name < self.static_names else name
        at = max(self.top_foreign[name], self.top_foreign[spelled])
        if at <= self.html_at:
            return 0
        self.pop_to(at)
        return 1
