from duramen.parse.bulk cimport copy
from duramen.parse.names cimport *
from duramen.parse.end_tags cimport EndTags


cdef class Foster(EndTags):
    cdef int[::1] first_child, last_child, following, preceding, next_piece, last_piece, order, moved
    cdef int[::1] moved_name, moved_value
    cdef unsigned char[::1] moved_bytes

    cdef int move_fostered(self) except -1 nogil
    cdef make_links(self, Py_ssize_t rows, Py_ssize_t attributes)
    cdef drop_links(self)
    cdef int link_rows(self) except -1 nogil
    cdef Py_ssize_t table_of(self, Py_ssize_t row) except -1 nogil
    cdef int link_before(self, Py_ssize_t row, Py_ssize_t table) except -1 nogil
    cdef int add_piece(self, Py_ssize_t text, Py_ssize_t row) except -1 nogil
    cdef int order_rows(self) except -1 nogil
    cdef int move_rows(self) except -1 nogil
    cdef int move_attributes(self) except -1 nogil
    cdef int move_text(self) except -1 nogil
