"""Inserting elements with their attributes, ending the parts of a table, templates, and choosing the insertion mode.

Nodes are never moved: where the standard would, the page is flagged.
"""

from __future__ import annotations

from duramen.parse import layout
from duramen.parse.adoption import Adoption
from duramen.parse.bulk import name_hash
from duramen.parse.lexicon import new_ints, table

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import copy, same
    from duramen.parse.names import *
    from duramen.parse.stack import MARKER

# What rules look for in attributes and their values; W_… index it.
WORDS = (
    *(b"href", b"hidden", b"style", b"type", b"encoding", b"color", b"face", b"size"),
    *(b"text/html", b"application/xhtml+xml", b"display", b"visibility", b"none", b"collapse"),
    *(b"doctype", b"[CDATA[", b"script"),
)


class Insertion(Adoption):
    """What the rules for start tags, end tags and characters share."""

    def __init__(self) -> None:
        super().__init__()
        self.roles = layout.roles()
        self.kinds = table(layout.kinds())
        self.svg_names = table(layout.svg_names())
        self.svg_kinds = table(layout.svg_kinds())
        self.math_kinds = table(layout.math_kinds())
        self.svg_attributes = table(layout.svg_attributes())
        self.math_attributes = table(layout.math_attributes())
        self.words_bytes = b"".join(WORDS)
        self.word_at = table([sum(map(len, WORDS[:k])) for k in range(len(WORDS) + 1)])
        self.word_hash = table([name_hash(word) for word in WORDS])
        self.href_hash, self.hidden_hash, self.style_hash = [name_hash(word) for word in WORDS[:3]]
        self.wanted_keys = sum({1 << name_hash(word) % 64 for word in WORDS[:3]})
        self.late_value, self.late_length, self.late_hash = new_ints(3, LATE_LIMIT)
        self.held_length = table([0] * HELD_LIMIT)
        self.held_bytes = bytearray(HELD_SIZE)
        self.mglyph = layout.STATIC_IDS["mglyph"]
        self.malignmark = layout.STATIC_IDS["malignmark"]
        self.template_modes = bytearray(TEMPLATE_LIMIT)
        self.template_marks = table([0] * (3 * TEMPLATE_LIMIT))
        self.clear_tree()

    def clear_tree(self) -> None:
        """Ready for a new page."""
        self.clear_rows()
        self.clear_stack()
        self.mode = INITIAL
        self.reads = DATA
        self.quirks = 0
        self.frameset_ok = 1
        self.skip_newline = 0
        self.head_row = -1
        self.templates = 0
        self.self_closing = 0
        self.pending_marks = 0
        self.late_row = -1
        self.held = 0
        self.held_open = 0
        self.late_tags = 0
        self.raw_open = 0
        self.had_template = 0

    def pending_word(self, word: int) -> int:
        """The pending attribute of that name, plus one; 0 if the tag has none."""
        for k in range(self.attr_count, self.attr_count + self.pending):
            if self.attr_hash[k] == self.word_hash[word] and self.attribute_is(k, word):
                return k + 1
        return 0

    def attribute_is(self, k: int, word: int) -> int:
        """Whether an attribute has one of WORDS for its name."""
        at = self.attr_name_at[k]
        length = self.word_at[word + 1] - self.word_at[word]
        if self.attr_value_at[k] - at != length:
            return 0
        return same(self.attrs, at, self.words_bytes, self.word_at[word], length)

    def value_is(self, k: int, word: int) -> int:
        """Whether an attribute has one of WORDS for its value, letter case aside."""
        at, stop = self.attr_value_at[k], self.attr_name_at[k + 1]
        if stop - at != self.word_at[word + 1] - self.word_at[word]:
            return 0
        return self.reads_word(at, stop, word)

    def reads_word(self, at: int, stop: int, word: int) -> int:
        """Whether attrs[at:stop] begins with one of WORDS, letter case aside."""
        start, length = self.word_at[word], self.word_at[word + 1] - self.word_at[word]
        if at < 0 or at + length > stop:
            return 0
        for k in range(length):
            byte = self.attrs[at + k] | 0
            if 0x41 <= byte <= 0x5A:
                byte += 32
            if byte != self.words_bytes[start + k]:
                return 0
        return 1

    def drop_attributes(self) -> int:
        """The tag just read has no attributes."""
        self.pending = 0
        self.pending_marks = 0
        return 0

    def merge_attributes(self, row: int) -> int:
        """A second <html> or <body> adds the attributes that the first lacks."""
        self.late_tags += 1
        if self.late_tags > LATE_LIMIT or self.pending > LATE_LIMIT:
            self.flag = FLAG_CROWDED
            return 0
        self.attr_at[self.count] = self.attr_count
        first, mid, fresh = self.attr_at[row + 1], self.attr_count, 0
        out = self.text_size  # what is new is kept behind the text in use while room is made for it
        for k in range(mid, mid + self.pending):
            if not self.has_attribute(row, k):
                name, value, end = self.attr_name_at[k], self.attr_value_at[k], self.attr_name_at[k + 1]
                out = copy(self.text, out, self.attrs, name, end)
                self.late_value[fresh] = value - name
                self.late_length[fresh] = end - name
                self.late_hash[fresh] = self.attr_hash[k]
                fresh += 1
                if self.attribute_is(k, W_HIDDEN) or (
                    self.pending_marks & MARK_STYLE and self.attribute_is(k, W_STYLE)
                ):
                    self.flags[row] |= MARK_HIDDEN
        size = out - self.text_size
        while mid + fresh > self.attr_capacity:
            self.grow_attributes()
        start = self.attr_name_at[first]
        copy(self.attrs, start + size, self.attrs, start, self.attrs_size)
        for k in range(mid, first, -1):
            self.attr_name_at[k + fresh] = self.attr_name_at[k] + size
            self.attr_value_at[k + fresh - 1] = self.attr_value_at[k - 1] + size
            self.attr_hash[k + fresh - 1] = self.attr_hash[k - 1]
        copy(self.attrs, start, self.text, self.text_size, out)
        for j in range(fresh):
            k = first + j
            self.attr_value_at[k] = self.attr_name_at[k] + self.late_value[j]
            self.attr_name_at[k + 1] = self.attr_name_at[k] + self.late_length[j]
            self.attr_hash[k] = self.late_hash[j]
        for later in range(row + 1, self.count + 1):
            self.attr_at[later] += fresh
        self.attr_count += fresh
        self.attrs_size += size
        return self.drop_attributes()

    def has_attribute(self, row: int, k: int) -> int:
        """Whether a row has an attribute of the name of the pending attribute k."""
        for j in range(self.attr_at[row], self.attr_at[row + 1]):
            if self.attr_hash[j] == self.attr_hash[k]:
                start, length = self.attr_name_at[k], self.attr_value_at[k] - self.attr_name_at[k]
                if self.attr_value_at[j] - self.attr_name_at[j] == length:
                    if same(self.attrs, self.attr_name_at[j], self.attrs, start, length):
                        return 1
        return 0

    def insert_html(self, name: int) -> int:
        """Insert an HTML element for the tag just read."""
        at = self.insert(name, self.kinds[name] if name < self.static_names else K_PLAIN)
        if self.pending_marks:
            self.mark_row(name)
        return at

    def insert_void(self, name: int) -> int:
        """Insert an HTML element and pop it at once."""
        self.insert_html(name)
        return self.pop()

    def insert_raw(self, name: int, reads: int) -> int:
        """Insert an HTML element whose text the tokenizer reads in its own way."""
        self.insert_html(name)
        self.reads = reads
        self.raw_open = 1
        return 1

    def insert_implied(self, name: int) -> int:
        """Insert an HTML element that no tag stands for."""
        return self.insert_bare(name, self.kinds[name])

    def mark_row(self, name: int) -> int:
        """Set the newest row's flags from the attributes that the tokenizer noticed."""
        marks = self.pending_marks
        self.pending_marks = 0
        if name != T_A and name != T_AREA:
            marks &= ~MARK_HREF
        if marks & MARK_STYLE:
            marks = marks & MARK_HREF | MARK_HIDDEN
        self.flags[self.count - 1] |= marks
        return 0

    def insert_foreign(self, name: int, math: int) -> int:
        """Insert an SVG or MathML element for the tag just read."""
        if math:
            kind = self.math_kinds[name] if name < self.static_names else K_FOREIGN | K_MATH
            if kind & K_ANNOTATION:
                k = self.pending_word(W_ENCODING)
                if k and (self.value_is(k - 1, W_TEXT_HTML) or self.value_is(k - 1, W_XHTML)):
                    kind |= K_HTML_POINT
        else:
            if name < self.static_names:
                name = self.svg_names[name]
            kind = self.svg_kinds[name] if name < self.static_names else K_FOREIGN
        if self.pending:
            self.respell_attributes(math)
        self.insert(name, kind)
        if self.pending_marks:
            self.mark_row(name)
        if self.self_closing:
            self.pop()
        return 1

    def respell_attributes(self, math: int) -> int:
        """Adjust MathML or SVG attributes: only the case of letters changes."""
        for k in range(self.attr_count, self.attr_count + self.pending):
            at = self.attr_name_at[k]
            length = self.attr_value_at[k] - at
            name = self.lookup(self.attrs, at, length, self.attr_hash[k])
            if 0 < name < self.static_names:
                name = self.math_attributes[name] if math else self.svg_attributes[name]
                copy(self.attrs, at, self.name_bytes, self.name_at[name], self.name_at[name] + length)
        return 0

    def hold_late_text(self) -> int:
        """Take the white space that stands after the head away, to let something into the head before it."""
        rows, start = self.count - self.late_row, self.text_at[self.late_row]
        if rows > HELD_LIMIT or self.text_size - start > HELD_SIZE:
            self.flag = FLAG_CROWDED
            return 0
        self.text_at[self.count] = self.text_size
        for k in range(rows):
            self.held_length[k] = self.text_at[self.late_row + k + 1] - self.text_at[self.late_row + k]
        copy(self.held_bytes, 0, self.text, start, self.text_size)
        self.held = rows
        self.held_open = 1 if self.text_row >= 0 else 0
        self.forget_rows(self.late_row, start, self.attr_count)
        self.late_row = -1
        return 0

    def put_late_text(self) -> int:
        """Put it back, now that the head is complete."""
        start, html = 0, self.open_row_of[0]
        if self.held:
            self.late_row = self.count
        for k in range(self.held):
            stop = start + self.held_length[k]
            self.text_row = -1
            self.take_text(copy(self.text, self.text_size, self.held_bytes, start, stop), html)
            start = stop
        if self.held and not self.held_open:
            self.text_row = -1
        self.held = 0
        return 0

    def insert_body(self, name: int) -> int:
        """Insert a body or frameset; 0 stands for a body that no tag stands for."""
        self.put_late_text()
        return self.insert_html(name) if name else self.insert_implied(T_BODY)

    def open_template(self, name: int) -> int:
        """A template: its contents are read like any others and forgotten at its end."""
        if self.templates == TEMPLATE_LIMIT:
            self.flag = FLAG_CROWDED
            return 1
        self.insert_html(name)
        self.list_marker()
        self.frameset_ok = 0
        self.had_template = 1
        self.mode = IN_TEMPLATE
        self.template_modes[self.templates] = IN_TEMPLATE
        self.template_marks[3 * self.templates] = self.count
        self.template_marks[3 * self.templates + 1] = self.text_size
        self.template_marks[3 * self.templates + 2] = self.attr_count
        self.templates += 1
        return 1

    def close_template(self) -> int:
        """An end tag "template", or the end of the page inside one."""
        if self.top_html[T_TEMPLATE] < 0:
            return 1
        self.pop_to(self.top_html[T_TEMPLATE] + 1)
        self.templates -= 1
        mark = 3 * self.templates
        self.forget_rows(self.template_marks[mark], self.template_marks[mark + 1], self.template_marks[mark + 2])
        self.drop_attributes()
        self.pop()
        self.clear_to_marker()
        for entry in range(self.listed - 1, -1, -1):
            if self.listed_row[entry] >= self.count:
                self.flag = FLAG_TEMPLATE
                break
            if self.listed_row[entry] != MARKER:
                break
        return self.reset_mode()

    def close_select(self) -> int:
        """A tag that cannot be inside a select ends it."""
        if self.in_scope(T_SELECT):
            self.pop_to(self.top_html[T_SELECT])
        return 0

    def replace_body(self, name: int) -> int:
        """A <frameset> takes the place of a body that has nothing in it to see."""
        row = self.open_row_of[1]
        if self.top_html[T_TEMPLATE] >= 0 or self.pending:
            self.flag = FLAG_FRAMESET
            return 1
        self.pop_to(1)
        self.forget_rows(row, self.text_at[row], self.attr_at[row])
        self.insert_html(name)
        self.mode = IN_FRAMESET
        return 1

    def table_body_at(self) -> int:
        """Where "clear the stack back to a table body context" stops."""
        groups = max(self.top_html[T_TBODY], self.top_html[T_THEAD], self.top_html[T_TFOOT])
        return max(groups, self.table_at)

    def close_table_body(self) -> int:
        at = self.table_body_at()
        if at == self.table_at:
            return 1
        self.pop_to(at)
        self.mode = IN_TABLE
        return 0

    def close_row(self) -> int:
        if not self.in_table_scope(T_TR):
            return 1
        self.pop_to(self.top_html[T_TR])
        self.mode = IN_TABLE_BODY
        return 0

    def close_cell(self) -> int:
        at = max(self.top_html[T_TD], self.top_html[T_TH])
        if at < self.table_at:
            return 1
        self.pop_to(at)
        self.clear_to_marker()
        self.mode = IN_ROW
        return 0

    def close_caption(self) -> int:
        if not self.in_table_scope(T_CAPTION):
            return 1
        self.pop_to(self.top_html[T_CAPTION])
        self.clear_to_marker()
        self.mode = IN_TABLE
        return 0

    def close_column_group(self) -> int:
        if not self.current_is(T_COLGROUP):
            return 1
        self.pop()
        self.mode = IN_TABLE
        return 0

    def reset_mode(self) -> int:
        """Reset the insertion mode appropriately (13.2.4.1): by the topmost element that has a mode of its own."""
        top = self.top_html
        cell = max(top[T_TD], top[T_TH])
        group = max(top[T_TBODY], top[T_THEAD], top[T_TFOOT])
        at = max(cell, group, top[T_TR], top[T_CAPTION], top[T_COLGROUP], top[T_TABLE])
        at = max(at, top[T_TEMPLATE], top[T_HEAD], top[T_BODY], top[T_FRAMESET], top[T_HTML])
        if at == cell:
            self.mode = IN_CELL
        elif at == top[T_TR]:
            self.mode = IN_ROW
        elif at == group:
            self.mode = IN_TABLE_BODY
        elif at == top[T_CAPTION]:
            self.mode = IN_CAPTION
        elif at == top[T_COLGROUP]:
            self.mode = IN_COLUMN_GROUP
        elif at == top[T_TABLE]:
            self.mode = IN_TABLE
        elif at == top[T_TEMPLATE]:
            self.mode = self.template_modes[self.templates - 1]
        elif at == top[T_HEAD]:
            self.mode = IN_HEAD
        elif at == top[T_BODY]:
            self.mode = IN_BODY
        elif at == top[T_FRAMESET]:
            self.mode = IN_FRAMESET
        else:
            self.mode = BEFORE_HEAD if self.head_row < 0 else AFTER_HEAD
        return 1

    def leave_foreign(self) -> int:
        """Pop until HTML may stand here."""
        while self.open_kind[self.depth - 1] & K_FOREIGN:
            if self.open_kind[self.depth - 1] & (K_TEXT_POINT | K_HTML_POINT):
                break
            self.pop()
        return 0
