cimport cython

from duramen.parse.attributes cimport LENGTH_MASK, Attributes
from duramen.parse.bulk cimport HAS_NUL, HAS_RETURN, NOT_UTF8, check, copy, copy_lines, ends_name, find, pack_name, read_name, read_plain, read_short, same, skip
from duramen.parse.names cimport *
from duramen.parse.stack cimport COPY_SLACK, MARKER


@cython.final
cdef class Tokens(Attributes):
    cdef const unsigned char[::1] tag_letters
    cdef Py_ssize_t name_length, name_key
    cdef int has_returns

    cpdef object read_page(self, bytes page, int holds)
    cpdef int read(self, bytes page, int holds) except -1
    cdef Py_ssize_t run(self, int holds) except -1 nogil
    cdef Py_ssize_t read_data(self, Py_ssize_t at, Py_ssize_t out) except -1 nogil
    cdef int takes_text(self) except -1 nogil
    cdef Py_ssize_t read_less(self, Py_ssize_t at) except -1 nogil
    cdef int flag_split_text(self) except -1 nogil
    cdef Py_ssize_t copy_text(self, Py_ssize_t at, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t read_markup(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_start_tag(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_end_tag(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t end_named(self, Py_ssize_t name) except -1 nogil
    cdef Py_ssize_t read_long_name(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_bogus_comment(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_declaration(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_comment(self, Py_ssize_t start) except -1 nogil
    cdef Py_ssize_t read_doctype(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_cdata(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_raw(self, Py_ssize_t at) except -1 nogil
    cdef int stays_raw(self) except -1 nogil
    cdef Py_ssize_t raw_characters(self, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t ends_raw(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t find_script_end(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t find_escape_end(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t starts_script(self, Py_ssize_t at) except -1 nogil
