cimport cython

from duramen.parse.bulk cimport find, read_name, read_plain, same, skip
from duramen.parse.decoding cimport Decoding
from duramen.parse.lexicon cimport PROBE_LIMIT
from duramen.parse.names cimport *

cdef enum:
    FEW_ATTRIBUTES = 12
    LENGTH_MASK = 0x3FFFFFFF
    COUNT_MASK = 63
    NOTICED_MASK = 4095


cdef class Attributes(Decoding):
    cdef const unsigned char[::1] attribute_letters
    cdef object seen_store
    cdef int[::1] seen_attribute, seen_in
    cdef Py_ssize_t seen_capacity
    cdef int tags, complete

    cdef int forget_seen(self) except -1
    cdef Py_ssize_t read_attributes(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_plain_attributes(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_attribute(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t read_value(self, Py_ssize_t at, Py_ssize_t out) except -1 nogil
    cdef Py_ssize_t find_value_end(self, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t is_repeated(self, Py_ssize_t value, Py_ssize_t key) except -1 nogil
    cdef Py_ssize_t seen_slot(self, Py_ssize_t key) except -1 nogil
    cdef Py_ssize_t is_name_of(self, Py_ssize_t k, Py_ssize_t start, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t note_all(self) except -1 nogil
    cdef Py_ssize_t grow_seen(self) except -1 nogil
    cdef Py_ssize_t notice(self, Py_ssize_t key) except -1 nogil
    cdef Py_ssize_t hides(self, Py_ssize_t start, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t is_style_space(self, int byte) except -1 nogil
