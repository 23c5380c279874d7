from duramen.parse.bulk cimport copy
from duramen.parse.names cimport *
from duramen.parse.foster cimport Foster


cdef class Tree(Foster):
    cdef Py_ssize_t comment(self) except -1 nogil
    cdef Py_ssize_t blank_until(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t characters(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t is_foreign_here(self) except -1 nogil
    cdef Py_ssize_t characters_in_body(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t characters_in_table(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t drop_text(self, Py_ssize_t start, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t keep_blanks(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t characters_outside(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t let_late_text_in(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t end_of_file(self) except -1 nogil
