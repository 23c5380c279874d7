cimport cython

from duramen.measure.buffers cimport Ints, NewOctets, Octets, check_tree, ints, new_octets, octets

cdef int _NOSCRIPT, _BODY, _PAGE_WORDS
cdef Octets _UNSEEN
cdef int _OTHER


@cython.locals(size=Py_ssize_t, tag=Ints, parent=Ints, end=Ints)
cpdef int fill_unseen(object page, object never) except -1


@cython.locals(
    row=Py_ssize_t, kinds=Octets, other=int, noscript=int, never_until=int, noscript_until=int, first=int, spare="long long", rest="long long",
    holds_page=bint,
)
cdef int mark_unseen(Ints tag, Ints end, Ints words, NewOctets never, Py_ssize_t rows) noexcept nogil

@cython.locals(row=Py_ssize_t)
cpdef Py_ssize_t body_of(const int[::1] tag) except -1 nogil

@cython.locals(row=Py_ssize_t, size=Py_ssize_t, chars=Ints, marked=Octets)
cpdef bint any_text(object page, object kept) except -1
