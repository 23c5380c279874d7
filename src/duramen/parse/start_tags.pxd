from duramen.parse.names cimport *
from duramen.parse.insertion cimport Insertion


cdef class StartTags(Insertion):
    cdef Py_ssize_t start_tag(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t takes_html(self, int kind, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t start_in_mode(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_before_head(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_head(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_head_noscript(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_after_head(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_late_in_head(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_template(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_frameset(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_body(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_rare_in_body(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_a(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t start_table(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t start_form(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t start_of_select(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_table(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_table_body(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_row(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_cell(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_caption(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_column_group(self, Py_ssize_t name, int role) except -1 nogil
    cdef Py_ssize_t start_in_foreign(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t breaks_out(self, Py_ssize_t name) except -1 nogil
