from duramen.parse.bulk cimport PACKED, copy, cut, same

cdef enum:
    NAME_SLOTS = 16384
    NAME_LIMIT = 5120
    PROBE_LIMIT = 64
    PACKED_SLOTS = 1024


cdef class Lexicon:
    cdef int[::1] name_slot, slots_taken, name_hash, name_at
    cdef unsigned char[::1] name_bytes
    cdef long long[::1] packed_names, packed_of
    cdef int[::1] packed_ids
    cdef Py_ssize_t name_count, static_names

    cdef forget_names(self)
    cdef name(self, Py_ssize_t number)
    cdef Py_ssize_t packed_slot(self, long long packed) except -1 nogil
    cdef Py_ssize_t lookup_packed(self, long long packed) except -1 nogil
    cdef Py_ssize_t lookup(self, const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t length, Py_ssize_t key) except -1 nogil
    cdef Py_ssize_t add_name(self, const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t length, Py_ssize_t key) except -1 nogil
    cdef int grow_names(self, Py_ssize_t size) except -1 nogil
