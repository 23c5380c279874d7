cimport cython

cdef enum:
    PAIRS = 1024


@cython.final
cdef class Needles:
    cdef readonly int every
    cdef Py_ssize_t window
    cdef const unsigned char[::1] steps, letters
    cdef const int[::1] first, following, begins, bits

    # These read data[start] .. data[stop - 1]: callers see to it that there are so many.
    @cython.locals(bits=int, at=Py_ssize_t, pair=int, step=int)
    cdef int found(self, const unsigned char* data, Py_ssize_t start, Py_ssize_t stop) except -1 nogil

    @cython.locals(at=Py_ssize_t, pair=int, step=int)
    cdef Py_ssize_t place(self, const unsigned char* data, Py_ssize_t start, Py_ssize_t stop) except -1 nogil

    @cython.locals(bits=int, at=Py_ssize_t, word=int, size=Py_ssize_t, same=Py_ssize_t, code=int)
    cdef int bits_at(self, const unsigned char* data, Py_ssize_t begin, Py_ssize_t stop) except -1 nogil
