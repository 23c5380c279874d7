from duramen.parse.bulk cimport (
    ascii_counts, byte_array, copy, cut, cut_ints, int_array, marked, not_below, put, ready_arrays, same
)
from duramen.parse.lexicon cimport Lexicon, NAME_LIMIT
from duramen.parse.names cimport KNOWN_TAGS, MARK_PAGE, MARK_RAW

cdef enum:
    SPACE = 1
    CJK = 2
    STOP = 4
    GAP = 8
    NOTHING = 16


cdef class Rows(Lexicon):
    cdef const unsigned char[::1] classes
    cdef Py_ssize_t row_capacity, attr_capacity
    cdef object row_store, attr_store
    cdef const int[:, ::1] row_table, attr_table
    cdef int[::1] tag, parent, end, level, text_at, chars, words, puncts, cjk, attr_at
    cdef unsigned char[::1] flags, text, attrs
    cdef int[::1] other_number, other_name
    cdef int[::1] attr_name_at, attr_value_at, attr_hash
    cdef Py_ssize_t count, text_size, attr_count, attrs_size, attrs_need, pending
    cdef Py_ssize_t text_row, raw_count
    cdef object raw_store
    cdef const int[:, ::1] raw_table
    cdef int[::1] raw_row, raw_start, raw_stop
    cdef int after_space, after_join

    cdef view_rows(self)
    cdef view_attributes(self)
    cdef clear_rows(self)
    cdef size_buffers(self, Py_ssize_t text, Py_ssize_t attrs)
    cdef int grow_rows(self) except -1 nogil
    cdef int grow_attributes(self) except -1 nogil
    cdef int make_room(self, Py_ssize_t size) except -1 nogil
    cdef Py_ssize_t open_row(self, Py_ssize_t name, Py_ssize_t parent) except -1 nogil
    cdef int take_text(self, Py_ssize_t stop, Py_ssize_t parent) except -1 nogil
    cdef int leave_raw(self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t parent) except -1 nogil
    cdef Py_ssize_t take_short(self, Py_ssize_t read, Py_ssize_t parent) except -1 nogil
    cdef Py_ssize_t count_ascii(self, Py_ssize_t row, Py_ssize_t start, Py_ssize_t stop) except -1 nogil
    cdef int count_text(self, Py_ssize_t row, Py_ssize_t at, Py_ssize_t stop) except -1 nogil
    cdef int number_other_tags(self) except -1 nogil
    cdef int gather_raw(self) except -1 nogil
    cdef view_raw(self, Py_ssize_t size)
    cpdef object to_page(self, bytes source)
    cdef int take_attributes(self) except -1 nogil
    cdef int make_gap(self, Py_ssize_t entries, Py_ssize_t size) except -1 nogil
    cdef int copy_attributes(self, Py_ssize_t source) except -1 nogil
    cdef int same_attributes(self, Py_ssize_t one, Py_ssize_t other) except -1 nogil
    cdef int same_attribute(self, Py_ssize_t one, Py_ssize_t other) except -1 nogil
    cdef int forget_rows(self, Py_ssize_t count, Py_ssize_t text_size, Py_ssize_t attr_count) except -1 nogil
