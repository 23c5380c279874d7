from duramen.parse.bulk cimport copy
from duramen.parse.names cimport *
from duramen.parse.stack cimport MARKER, Stack

cdef enum:
    OUTER_LIMIT = 8
    INNER_LIMIT = 3
    SAVED_LIMIT = 1024


cdef class Adoption(Stack):
    cdef int[::1] saved_name, saved_kind, saved_row, saved_entry

    cdef int adopt(self, Py_ssize_t name) except -1 nogil
    cdef int move_block(self, Py_ssize_t at) except -1 nogil
    cdef int restack(self, Py_ssize_t at, Py_ssize_t block, Py_ssize_t entry, Py_ssize_t row) except -1 nogil
    cdef int stack_again(self, Py_ssize_t name, int kind, Py_ssize_t row, Py_ssize_t entry) except -1 nogil
    cdef int insert_entry(self, Py_ssize_t entry, Py_ssize_t name, Py_ssize_t row) except -1 nogil
    cdef int insert_row(self, Py_ssize_t row, Py_ssize_t name, Py_ssize_t parent, Py_ssize_t source) except -1 nogil
    cdef int insert_attributes(self, Py_ssize_t place, Py_ssize_t source, Py_ssize_t entries) except -1 nogil
