"""Tree construction (HTML standard, 13.2.6): what each start tag does in each insertion mode.

A method for an insertion mode returns 1 when it has dealt with the tag and 0 when the tag is to be processed again in
the mode that it switched to. Errors are not reported, so "generate implied end tags, then pop until X" is simply
popping until X.
"""

from __future__ import annotations

from duramen.parse.insertion import Insertion

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.names import *


class StartTags(Insertion):
    """Start tags; the attributes of the tag are pending."""

    def start_tag(self, name: int) -> int:
        """A start tag; its attributes are pending."""
        self.skip_newline = 0
        if self.depth > 0:
            kind = self.open_kind[self.depth - 1]
            if kind & K_FOREIGN and not self.takes_html(kind, name):
                return self.start_in_foreign(name)
        role = self.roles[name] if name < self.static_names else R_OTHER
        if self.mode == IN_BODY and self.start_in_body(name, role):
            return 0
        while not self.start_in_mode(name, role):
            pass
        return 0

    def takes_html(self, kind: int, name: int) -> int:
        """Whether a start tag inside that foreign element is HTML."""
        if kind & K_HTML_POINT:
            return 1
        if kind & K_TEXT_POINT:
            return name != self.mglyph and name != self.malignmark
        return kind & K_ANNOTATION and name == T_SVG

    def start_in_mode(self, name: int, role: int) -> int:
        """A start tag by the rules of the insertion mode."""
        mode = self.mode
        if mode == IN_BODY:
            return self.start_in_body(name, role)
        if mode == IN_TABLE:
            return self.start_in_table(name, role)
        if mode == IN_TABLE_BODY:
            return self.start_in_table_body(name, role)
        if mode == IN_ROW:
            return self.start_in_row(name, role)
        if mode == IN_CELL:
            return self.start_in_cell(name, role)
        if mode == IN_CAPTION:
            return self.start_in_caption(name, role)
        if mode == IN_COLUMN_GROUP:
            return self.start_in_column_group(name, role)
        if mode == IN_HEAD:
            return self.start_in_head(name, role)
        if mode == IN_HEAD_NOSCRIPT:
            return self.start_in_head_noscript(name, role)
        if mode == AFTER_HEAD:
            return self.start_after_head(name, role)
        if mode == IN_TEMPLATE:
            return self.start_in_template(name, role)
        if mode == IN_FRAMESET or mode == AFTER_FRAMESET or mode == AFTER_AFTER_FRAMESET:
            return self.start_in_frameset(name, role)
        if mode == AFTER_BODY or mode == AFTER_AFTER_BODY:
            if role == R_HTML:
                return self.start_in_body(name, role)
            self.mode = IN_BODY
            return 0
        return self.start_before_head(name, role)

    def start_before_head(self, name: int, role: int) -> int:
        """The "initial", "before html" and "before head" insertion modes."""
        if self.mode == INITIAL:
            self.quirks = 1  # no doctype
            self.mode = BEFORE_HTML
        if self.mode == BEFORE_HTML:
            self.mode = BEFORE_HEAD
            if role == R_HTML:
                self.insert_html(name)
                return 1
            self.insert_implied(T_HTML)
        if role == R_HTML:
            return self.start_in_body(name, role)
        self.mode = IN_HEAD
        if role == R_HEAD:
            self.head_row = self.open_row_of[self.insert_html(name)]
            return 1
        self.head_row = self.open_row_of[self.insert_implied(T_HEAD)]
        return 0

    def start_in_head(self, name: int, role: int) -> int:
        """The "in head" insertion mode."""
        if role == R_META:
            self.insert_void(name)
            return 1
        if role == R_TITLE:
            return self.insert_raw(name, RCDATA)
        if role == R_STYLE:
            return self.insert_raw(name, RAWTEXT)
        if role == R_SCRIPT:
            return self.insert_raw(name, SCRIPT_DATA)
        if role == R_NOSCRIPT:
            self.insert_html(name)
            self.mode = IN_HEAD_NOSCRIPT
            return 1
        if role == R_TEMPLATE:
            return self.open_template(name)
        if role == R_HTML:
            return self.start_in_body(name, role)
        if role == R_HEAD:
            return 1
        self.pop()
        self.mode = AFTER_HEAD
        return 0

    def start_in_head_noscript(self, name: int, role: int) -> int:
        """The "in head noscript" insertion mode."""
        if role == R_HTML:
            return self.start_in_body(name, role)
        if role == R_STYLE or (role == R_META and name != T_BASE):
            return self.start_in_head(name, role)
        if role == R_HEAD or role == R_NOSCRIPT:
            return 1
        self.pop()
        self.mode = IN_HEAD
        return 0

    def start_after_head(self, name: int, role: int) -> int:
        """The "after head" insertion mode."""
        if role == R_BODY:
            self.insert_body(name)
            self.frameset_ok = 0
            self.mode = IN_BODY
            return 1
        if role == R_META or role == R_TITLE or role == R_STYLE or role == R_SCRIPT or role == R_TEMPLATE:
            return self.start_late_in_head(name, role)
        if role == R_HTML:
            return self.start_in_body(name, role)
        if role == R_HEAD:
            return 1
        if role == R_FRAMESET:
            self.insert_body(name)
            self.mode = IN_FRAMESET
            return 1
        self.insert_body(0)
        self.mode = IN_BODY
        return 0

    def start_late_in_head(self, name: int, role: int) -> int:
        """Something that belongs into the head after its end: the head is opened again for it."""
        if self.late_row >= 0:
            self.hold_late_text()
        at = self.push(T_HEAD, self.kinds[T_HEAD], self.head_row)
        self.start_in_head(name, role)
        self.remove(at)
        return 1

    def start_in_template(self, name: int, role: int) -> int:
        """The "in template" insertion mode."""
        if role == R_META or role == R_TITLE or role == R_STYLE or role == R_SCRIPT or role == R_TEMPLATE:
            return self.start_in_head(name, role)
        if role == R_CAPTION or role == R_COLGROUP or role == R_TABLE_BODY:
            self.mode = IN_TABLE
        elif role == R_COL:
            self.mode = IN_COLUMN_GROUP
        elif role == R_TR:
            self.mode = IN_TABLE_BODY
        elif role == R_CELL:
            self.mode = IN_ROW
        else:
            self.mode = IN_BODY
        self.template_modes[self.templates - 1] = self.mode
        return 0

    def start_in_frameset(self, name: int, role: int) -> int:
        """The "in frameset", "after frameset" and "after after frameset" insertion modes."""
        if role == R_HTML:
            return self.start_in_body(name, role)
        if name == T_NOFRAMES:
            return self.start_in_head(name, role)
        if self.mode == IN_FRAMESET:
            if role == R_FRAMESET:
                self.insert_html(name)
            elif role == R_FRAME:
                self.insert_void(name)
        return 1

    def start_in_body(self, name: int, role: int) -> int:
        """The "in body" insertion mode."""
        if role == R_OTHER or role == R_NOSCRIPT:
            self.reconstruct()
            self.insert_html(name)
        elif role == R_BLOCK or role == R_P:
            self.close_p()
            self.insert_html(name)
        elif role == R_A:
            self.start_a(name)
        elif role == R_FORMATTING:
            self.reconstruct()
            self.list_element(self.insert_html(name))
        elif role == R_LI:
            self.frameset_ok = 0
            if self.top_html[T_LI] >= self.stop_at:
                self.pop_to(self.top_html[T_LI])
            self.close_p()
            self.insert_html(name)
        elif role == R_VOID or role == R_BR:
            self.reconstruct()
            self.insert_void(name)
            self.frameset_ok = 0
        elif role == R_HEADING:
            self.close_p()
            if T_H1 <= self.open_name[self.depth - 1] <= T_H6 and not self.current_kind() & K_FOREIGN:
                self.pop()
            self.insert_html(name)
        elif role == R_SCRIPT or role == R_STYLE or role == R_META or role == R_TITLE or role == R_TEMPLATE:
            return self.start_in_head(name, role)
        elif role == R_SVG or role == R_MATH:
            self.reconstruct()
            return self.insert_foreign(name, role == R_MATH)
        elif role == R_INPUT:
            self.close_select()
            self.reconstruct()
            k = self.pending_word(W_TYPE)
            if not k or not self.value_is(k - 1, W_HIDDEN):
                self.frameset_ok = 0
            self.insert_void(name)
        elif role == R_DEFINITION:
            self.frameset_ok = 0
            nearest = max(self.top_html[T_DD], self.top_html[T_DT])
            if nearest >= self.stop_at:
                self.pop_to(nearest)
            self.close_p()
            self.insert_html(name)
        elif role == R_BUTTON:
            if self.in_scope(T_BUTTON):
                self.pop_to(self.top_html[T_BUTTON])
            self.reconstruct()
            self.insert_html(name)
            self.frameset_ok = 0
        elif role == R_FORM:
            self.start_form(name)
        elif role == R_TABLE:
            self.start_table(name)
        elif role == R_SELECT or role == R_OPTION or role == R_OPTGROUP or role == R_HR:
            self.start_of_select(name, role)
        else:
            return self.start_rare_in_body(name, role)
        return 1

    def start_rare_in_body(self, name: int, role: int) -> int:
        """The start tags that "in body" seldom meets."""
        if role == R_PRE:
            self.close_p()
            self.insert_html(name)
            self.skip_newline = 1
            self.frameset_ok = 0
        elif role == R_IFRAME:
            self.frameset_ok = 0
            return self.insert_raw(name, RAWTEXT)
        elif role == R_NOEMBED:
            return self.insert_raw(name, RAWTEXT)
        elif role == R_TEXTAREA:
            if self.listed > 0 and self.listed_at[self.listed - 1] < 0 and self.listed_row[self.listed - 1] >= 0:
                self.flag = FLAG_REFERENCE  # which reconstructs formatting elements inside the text area
            self.skip_newline = 1
            self.frameset_ok = 0
            return self.insert_raw(name, RCDATA)
        elif role == R_XMP:
            self.close_p()
            self.reconstruct()
            self.frameset_ok = 0
            return self.insert_raw(name, RAWTEXT)
        elif role == R_PARAM:
            self.insert_void(name)
        elif role == R_IMAGE:
            if self.fostering:
                self.flag = FLAG_REFERENCE  # which drops it
            return self.start_in_body(T_IMG, R_VOID)
        elif role == R_NOBR:
            self.reconstruct()
            if self.in_scope(T_NOBR):
                self.adopt(T_NOBR)
                self.reconstruct()
            self.list_element(self.insert_html(name))
        elif role == R_OBJECT:
            self.reconstruct()
            self.insert_html(name)
            self.list_marker()
            self.frameset_ok = 0
        elif role == R_RUBY_BASE or role == R_RUBY_TEXT:
            if self.in_scope(T_RUBY):
                self.close_implied(T_RTC if role == R_RUBY_TEXT else 0)
            self.insert_html(name)
        elif role == R_PLAINTEXT:
            self.close_p()
            self.insert_html(name)
            self.reads = PLAINTEXT
        elif role == R_HTML:
            if self.top_html[T_TEMPLATE] < 0:
                self.merge_attributes(self.open_row_of[0])
        elif role == R_BODY:
            if self.depth > 1 and self.open_name[1] == T_BODY and self.top_html[T_TEMPLATE] < 0:
                self.frameset_ok = 0
                self.merge_attributes(self.open_row_of[1])
        elif role == R_FRAMESET:
            if self.depth > 1 and self.open_name[1] == T_BODY:
                if self.frameset_ok:
                    self.replace_body(name)
                elif self.had_template:
                    self.flag = FLAG_REFERENCE  # to which a template makes no difference here
        elif role == R_SELECTEDCONTENT:
            self.flag = FLAG_SELECTEDCONTENT  # holds a copy of the option that is selected
        return 1  # the rest, parts of a table and of a frameset, are ignored

    def start_a(self, name: int) -> int:
        """An <a> ends one that is open."""
        entry = self.last_listed(T_A)
        if entry:
            row = self.listed_row[entry - 1]
            self.adopt(T_A)
            # Out of scope it is still open: it leaves the list and the stack.
            entry = self.last_listed(T_A)
            if entry and self.listed_row[entry - 1] == row:
                at = self.listed_at[entry - 1]
                self.unlist(entry - 1)
                if at >= 0:
                    self.remove(at)
        self.reconstruct()
        return self.list_element(self.insert_html(name))

    def start_table(self, name: int) -> int:
        """A <table>: what is fostered out of it may join the text right before it."""
        if not self.quirks:
            self.close_p()
        text = self.text_row
        row = self.open_row_of[self.insert_html(name)]
        if text >= 0 and text == row - 1:
            self.flags[row] |= MARK_FOLLOWS
            self.tables_follow = 1
        self.frameset_ok = 0
        self.mode = IN_TABLE
        return 1

    def start_form(self, name: int) -> int:
        """A <form> inside a form is ignored."""
        template = self.top_html[T_TEMPLATE]
        if self.form_row >= 0 and template < 0:
            return 1
        self.close_p()
        at = self.insert_html(name)
        if template < 0:
            self.form_row = self.open_row_of[at]
        return 1

    def start_of_select(self, name: int, role: int) -> int:
        """<select>, <option>, <optgroup> and <hr>, which may be inside a select."""
        inside = self.in_scope(T_SELECT)
        if role == R_SELECT:
            if inside:
                self.close_select()
                return self.drop_attributes()
            self.reconstruct()
            self.insert_html(name)
            self.frameset_ok = 0
            return 1
        if role == R_HR:
            self.close_p()
            if inside:
                self.close_implied(0)
            self.insert_void(name)
            self.frameset_ok = 0
            return 1
        if inside:
            self.close_implied(T_OPTGROUP if role == R_OPTION else 0)
        elif self.current_is(T_OPTION):
            self.pop()
        self.reconstruct()
        self.insert_html(name)
        return 1

    def start_in_table(self, name: int, role: int) -> int:
        """The "in table" insertion mode."""
        if role == R_TR or role == R_CELL:
            self.pop_to(self.table_at + 1)
            self.insert_implied(T_TBODY)
            self.mode = IN_TABLE_BODY
            return 0
        if role == R_TABLE_BODY:
            self.pop_to(self.table_at + 1)
            self.insert_html(name)
            self.mode = IN_TABLE_BODY
            return 1
        if role == R_CAPTION:
            self.pop_to(self.table_at + 1)
            self.list_marker()
            self.insert_html(name)
            self.mode = IN_CAPTION
            return 1
        if role == R_COLGROUP:
            self.pop_to(self.table_at + 1)
            self.insert_html(name)
            self.mode = IN_COLUMN_GROUP
            return 1
        if role == R_COL:
            self.pop_to(self.table_at + 1)
            self.insert_implied(T_COLGROUP)
            self.mode = IN_COLUMN_GROUP
            return 0
        if role == R_TABLE:
            if not self.in_table_scope(T_TABLE):
                return 1
            self.pop_to(self.top_html[T_TABLE])
            self.reset_mode()
            return 0
        if name == T_STYLE or role == R_SCRIPT or role == R_TEMPLATE:
            return self.start_in_head(name, role)
        if role == R_FORM:
            if self.top_html[T_TEMPLATE] < 0 and self.form_row < 0:
                self.form_row = self.open_row_of[self.insert_html(name)]
                self.pop()
            return 1
        if role == R_INPUT:
            k = self.pending_word(W_TYPE)
            if k and self.value_is(k - 1, W_HIDDEN):
                self.insert_void(name)
                return 1
        self.fostering = 1
        done = self.start_in_body(name, role)
        self.fostering = 0
        return done

    def start_in_table_body(self, name: int, role: int) -> int:
        """The "in table body" insertion mode."""
        if role == R_TR:
            self.pop_to(self.table_body_at() + 1)
            self.insert_html(name)
            self.mode = IN_ROW
            return 1
        if role == R_CELL:
            self.pop_to(self.table_body_at() + 1)
            self.insert_implied(T_TR)
            self.mode = IN_ROW
            return 0
        if role == R_CAPTION or role == R_COL or role == R_COLGROUP or role == R_TABLE_BODY:
            return self.close_table_body()
        return self.start_in_table(name, role)

    def start_in_row(self, name: int, role: int) -> int:
        """The "in row" insertion mode."""
        if role == R_CELL:
            self.pop_to(max(self.top_html[T_TR], self.table_at) + 1)
            self.insert_html(name)
            self.mode = IN_CELL
            self.list_marker()
            return 1
        if role == R_CAPTION or role == R_COL or role == R_COLGROUP or role == R_TABLE_BODY or role == R_TR:
            return self.close_row()
        return self.start_in_table(name, role)

    def start_in_cell(self, name: int, role: int) -> int:
        """The "in cell" insertion mode."""
        if R_CAPTION <= role <= R_CELL:
            return self.close_cell()
        return self.start_in_body(name, role)

    def start_in_caption(self, name: int, role: int) -> int:
        """The "in caption" insertion mode."""
        if R_CAPTION <= role <= R_CELL:
            return self.close_caption()
        return self.start_in_body(name, role)

    def start_in_column_group(self, name: int, role: int) -> int:
        """The "in column group" insertion mode."""
        if role == R_COL:
            self.insert_void(name)
            return 1
        if role == R_HTML:
            return self.start_in_body(name, role)
        if role == R_TEMPLATE:
            return self.start_in_head(name, role)
        return self.close_column_group()

    def start_in_foreign(self, name: int) -> int:
        """A start tag inside SVG or MathML."""
        if name == T_SUP:
            self.flag = FLAG_REFERENCE  # which lets it stay inside
        if self.breaks_out(name):
            self.leave_foreign()
            role = self.roles[name]
            while not self.start_in_mode(name, role):
                pass
            return 0
        return self.insert_foreign(name, self.open_kind[self.depth - 1] & K_MATH)

    def breaks_out(self, name: int) -> int:
        """Whether that start tag ends foreign content."""
        if name == T_FONT:
            return self.pending_word(W_COLOR) + self.pending_word(W_FACE) + self.pending_word(W_SIZE)
        return self.kinds[name] & K_BREAKOUT if name < self.static_names else 0
