cimport cython

from duramen.parse.bulk cimport Bytes, find

cdef enum:
    LETTER = 32


@cython.locals(row=Py_ssize_t, first=int, second=int)
cpdef int tags_among(const int[::1] tags, int one, int other) except -1

@cython.locals(
    page=Bytes, found=list, depth=int, last=Py_ssize_t, number=Py_ssize_t, at=Py_ssize_t, stop=Py_ssize_t, code=int
)
cpdef list marks(bytes utf8, list begins, list ends)

cdef bint is_div(Bytes page, Py_ssize_t at) except -1
