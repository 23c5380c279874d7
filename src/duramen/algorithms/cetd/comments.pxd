cimport cython

cdef tuple _WORDS


@cython.locals(
    parent="const int[::1]", attr_at="const int[::1]", names="const int[::1]", values="const int[::1]",
    attrs="const unsigned char[::1]", row=Py_ssize_t, k=Py_ssize_t, length=int, found=list, is_id=bint, is_class=bint,
)
cpdef list named_for_comments(object page, Py_ssize_t first, unsigned char[::1] marked)

@cython.locals(at=Py_ssize_t, letter=int, word=bytes)
cdef int _speaks(const unsigned char[::1] attrs, Py_ssize_t start, Py_ssize_t stop) except -1

@cython.locals(k=Py_ssize_t)
cdef int _reads(const unsigned char[::1] attrs, Py_ssize_t at, Py_ssize_t stop, bytes word) except -1
