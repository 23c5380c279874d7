cimport cython
from libc.math cimport sqrt

from duramen.algorithms.learned.vocabulary cimport mixed

cdef enum:
    TAGS = 0x5D0000
    NEAR = 3
    KNOWN_TAGS = 160

cdef enum:
    PATH_SCORE = 0
    NEAR_SCORE = 1
    WORD_SCORE = 2
    HEADING_SCORE = 3


@cython.locals(
    tag="const int[::1]", parent="const int[::1]", named="const int[:, ::1]", name_at="const int[::1]",
    name_hash="const unsigned int[::1]", at="const int[::1]", rows="const int[::1]", weights="int[:, ::1]", far="int[::1]",
    close="int[::1]", known="int[:, ::1]", number=int, paths="unsigned int", nears="unsigned int", name=Py_ssize_t, value=Py_ssize_t, one=int, two=int,
    k=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, key="unsigned long long", total=int, _=int,
)
cpdef int score_names(object raw, const signed char[::1] path, const signed char[::1] near, double[:, ::1] scores) except -1

@cython.locals(
    at="const int[::1]", hashes="const unsigned int[::1]", mask="unsigned int", heading_mask="unsigned int", k=Py_ssize_t,
    j=Py_ssize_t, one=int, two=int, root=double,
)
cpdef int score_words(object raw, const signed char[::1] words, const signed char[::1] heading, double[:, ::1] scores) except -1
