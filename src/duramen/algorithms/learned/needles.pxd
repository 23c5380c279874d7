cimport cython

cdef enum:
    PAIRS = 1024


@cython.final
cdef class Needles:
    cdef readonly int every
    cdef Py_ssize_t window
    cdef const unsigned char[::1] steps, letters
    cdef const int[::1] first, following, begins, bits

    @cython.locals(bits=int, at=Py_ssize_t, pair=int, step=int)
    cpdef int found(self, const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop) except -1 nogil

    @cython.locals(at=Py_ssize_t, pair=int, step=int)
    cpdef Py_ssize_t place(self, const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop) except -1 nogil

    @cython.locals(bits=int, at=Py_ssize_t, word=int, size=Py_ssize_t, same=Py_ssize_t, code=int)
    cdef int bits_at(self, const unsigned char[::1] data, Py_ssize_t begin, Py_ssize_t stop) except -1 nogil
