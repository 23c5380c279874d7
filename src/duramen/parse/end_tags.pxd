from duramen.parse.names cimport *
from duramen.parse.start_tags cimport StartTags


cdef class EndTags(StartTags):
    cdef Py_ssize_t end_tag(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t end_in_mode(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_in_head(self, int role) except -1 nogil
    cdef Py_ssize_t end_in_body(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_other(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t end_form(self) except -1 nogil
    cdef Py_ssize_t end_in_table(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_in_table_body(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_in_row(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_in_cell(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_in_caption(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_in_column_group(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t end_in_foreign(self, Py_ssize_t name, int role) except -1 nogil
