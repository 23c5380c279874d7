cimport cython

from duramen.measure.buffers cimport Ints, NewOctets, Octets, ints, new_octets, octets

cdef Octets _LETTERS
cdef const int[::1] _ENDS
cdef Py_ssize_t _FIRST_BEFORE, _COMMENT, _FIRST_BEHIND


@cython.locals(
    rows=Py_ssize_t, attributes=Py_ssize_t, size=Py_ssize_t, parent=Ints, attr_at=Ints, names=Ints, values=Ints,
    attrs=Octets, seen=NewOctets, row=Py_ssize_t, section=Py_ssize_t, k=Py_ssize_t, name=int, value=int, end=int, found=list,
    verdict=int,
)
cpdef list named_for_comments(object page, Py_ssize_t first, list sections)

cdef int _is_name(Octets attrs, Py_ssize_t at, Py_ssize_t stop) noexcept nogil

@cython.locals(found=int, start=Py_ssize_t)
cdef int _speaks(Octets attrs, Py_ssize_t at, Py_ssize_t stop) except -2 nogil

@cython.locals(k=Py_ssize_t)
cdef int _is_comments(Octets attrs, Py_ssize_t at, Py_ssize_t stop) except -2 nogil

@cython.locals(k=Py_ssize_t)
cdef int _may_end(Octets attrs, Py_ssize_t at, Py_ssize_t stop) except -2 nogil

@cython.locals(k=Py_ssize_t, first=Py_ssize_t, length=Py_ssize_t)
cdef int _reads(Octets attrs, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t word) except -2 nogil
