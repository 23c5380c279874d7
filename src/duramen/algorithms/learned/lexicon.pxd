cimport cython
from libc.math cimport sqrt

from duramen.algorithms.learned.counts cimport Counts, Hashes
from duramen.algorithms.learned.vocabulary cimport mixed
from duramen.measure.buffers cimport Ints

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
    tag=Ints, parent=Ints, named=Ints, name_at=Ints, name_hash=Hashes, at=Ints, rows=Ints, weights="int[:, ::1]",
    sums="int[:, ::1]", mask="unsigned int", name=Py_ssize_t, value=Py_ssize_t, one=int, two=int,
    k=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, key="unsigned int", total=int, _=int,
    values=Py_ssize_t, places=Py_ssize_t, length=Py_ssize_t, count=Py_ssize_t,
)
cpdef int score_names(
    Counts counts, const signed char[:, ::1] table, const int[:, ::1] tags, double[:, ::1] scores
) except -1

@cython.locals(
    at=Ints, hashes=Hashes, count=Py_ssize_t, mask="unsigned int", k=Py_ssize_t, j=Py_ssize_t, key="unsigned int",
    one=int, two=int, root=double,
)
cpdef int score_words(Counts counts, const signed char[:, ::1] table, double[:, ::1] scores) except -1
