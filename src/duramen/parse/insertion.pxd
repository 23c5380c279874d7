from duramen.parse.bulk cimport copy, same
from duramen.parse.names cimport *
from duramen.parse.stack cimport MARKER
from duramen.parse.adoption cimport Adoption


cdef class Insertion(Adoption):
    cdef const unsigned char[::1] roles, words_bytes
    cdef unsigned char[::1] template_modes, held_bytes
    cdef int[::1] kinds, svg_names, svg_kinds, math_kinds, svg_attributes, math_attributes, word_at, word_hash
    cdef int[::1] held_length, template_marks, late_value, late_length, late_hash
    cdef Py_ssize_t late_row, held, held_open
    cdef Py_ssize_t href_hash, hidden_hash, style_hash
    cdef unsigned long long wanted_keys
    cdef Py_ssize_t mglyph, malignmark, head_row
    cdef int mode, reads, templates, pending_marks
    cdef int quirks, frameset_ok, skip_newline, self_closing, late_tags, raw_open, had_template

    cdef clear_tree(self)
    cdef Py_ssize_t pending_word(self, int word) except -1 nogil
    cdef Py_ssize_t attribute_is(self, Py_ssize_t k, int word) except -1 nogil
    cdef Py_ssize_t value_is(self, Py_ssize_t k, int word) except -1 nogil
    cdef Py_ssize_t reads_word(self, Py_ssize_t at, Py_ssize_t stop, int word) except -1 nogil
    cdef Py_ssize_t drop_attributes(self) except -1 nogil
    cdef Py_ssize_t merge_attributes(self, Py_ssize_t row) except -1 nogil
    cdef Py_ssize_t has_attribute(self, Py_ssize_t row, Py_ssize_t k) except -1 nogil
    cdef Py_ssize_t insert_html(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t insert_void(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t insert_raw(self, Py_ssize_t name, int reads) except -1 nogil
    cdef Py_ssize_t insert_implied(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t mark_row(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t insert_foreign(self, Py_ssize_t name, int math) except -1 nogil
    cdef Py_ssize_t respell_attributes(self, int math) except -1 nogil
    cdef Py_ssize_t hold_late_text(self) except -1 nogil
    cdef Py_ssize_t put_late_text(self) except -1 nogil
    cdef Py_ssize_t insert_body(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t open_template(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t close_template(self) except -1 nogil
    cdef Py_ssize_t close_select(self) except -1 nogil
    cdef Py_ssize_t replace_body(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t table_body_at(self) except -1 nogil
    cdef Py_ssize_t close_table_body(self) except -1 nogil
    cdef Py_ssize_t close_row(self) except -1 nogil
    cdef Py_ssize_t close_cell(self) except -1 nogil
    cdef Py_ssize_t close_caption(self) except -1 nogil
    cdef Py_ssize_t close_column_group(self) except -1 nogil
    cdef Py_ssize_t reset_mode(self) except -1 nogil
    cdef Py_ssize_t leave_foreign(self) except -1 nogil
