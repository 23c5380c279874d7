cimport cython

cdef int _NOSCRIPT, _BODY, _PAGE_WORDS
cdef const unsigned char[::1] _UNSEEN


@cython.locals(
    rows=Py_ssize_t, row=Py_ssize_t, other=int, never_until=int, noscript_until=int, spare="long long",
    rest="long long", holds_page=bint,
)
cpdef int mark_unseen(
    const int[::1] tag, const int[::1] end, const int[::1] words, unsigned char[::1] never
) except -1 nogil

@cython.locals(row=Py_ssize_t)
cpdef Py_ssize_t body_of(const int[::1] tag) except -1 nogil

@cython.locals(row=Py_ssize_t)
cpdef bint any_text(const int[::1] chars, const unsigned char[::1] kept) except -1
