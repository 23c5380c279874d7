from duramen.parse.bulk cimport copy, copy_until, frequent_reference, same
from duramen.parse.names cimport *
from duramen.parse.tree cimport Tree

cdef enum:
    REPLACEMENT = 0xFFFD


cdef class Decoding(Tree):
    cdef const unsigned char[::1] page, byte_kinds, reference_names, reference_values
    cdef int[::1] reference_slots, reference_hashes, reference_name_at, reference_value_at, c1_controls
    cdef Py_ssize_t size, reference_mask, longest_legacy, reference_entry, written
    cdef int reference_code

    cdef Py_ssize_t decode_text(self, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t out, int end) except -1 nogil
    cdef Py_ssize_t decode_value(self, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t out, int end) except -1 nogil
    cdef Py_ssize_t put_text(self, Py_ssize_t out, int code) except -1 nogil
    cdef Py_ssize_t read_reference(self, Py_ssize_t at, Py_ssize_t stop, int in_attribute) except -1 nogil
    cdef Py_ssize_t find_reference(self, Py_ssize_t start, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t read_number(self, Py_ssize_t at, Py_ssize_t stop) except -1 nogil
    cdef Py_ssize_t reads_here(self, Py_ssize_t at, int word) except -1 nogil
