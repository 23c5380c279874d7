cimport cython

from duramen.measure.buffers cimport Ints, NewOctets, Octets, ints, new_octets, octets

cdef Octets _LETTERS
cdef const int[::1] _ENDS


@cython.locals(
    rows=Py_ssize_t, attributes=Py_ssize_t, size=Py_ssize_t, parent=Ints, attr_at=Ints, names=Ints, values=Ints,
    attrs=Octets, holds=NewOctets, row=Py_ssize_t, k=Py_ssize_t, name=int, value=int, end=int, found=list, is_id=bint,
    is_class=bint,
)
cpdef list named_for_comments(object page, Py_ssize_t first, object marked)

@cython.locals(at=Py_ssize_t, letter=int, k=Py_ssize_t)
cdef int _speaks(Octets attrs, Py_ssize_t start, Py_ssize_t stop) except -1 nogil

@cython.locals(k=Py_ssize_t)
cdef int _reads(Octets attrs, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t first, Py_ssize_t end) noexcept nogil
