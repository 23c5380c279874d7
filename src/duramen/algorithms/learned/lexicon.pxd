cimport cython
from libc.math cimport sqrt

from duramen.algorithms.learned.counts cimport Counts, Hashes
from duramen.algorithms.learned.vocabulary cimport mixed
from duramen.measure.buffers cimport Doubles, Ints, NewDoubles, NewInts, doubles, ints, new_doubles, new_ints, octets, room

cdef enum:
    TAGS = 0x5D0000
    NEAR = 3
    KNOWN_TAGS = 160

cdef enum:
    PATH_SCORE = 0
    NEAR_SCORE = 1
    WORD_SCORE = 2
    HEADING_SCORE = 3
    PAIR_SCORE = 4


cdef inline const signed char* weights_of(object table, Py_ssize_t size) except? NULL:
    return <const signed char*> octets(table, size)


@cython.locals(
    tag=Ints, parent=Ints, named=Ints, name_at=Ints, name_hash=Hashes, at=Ints, rows=Ints, weights="const signed char*",
    known=Ints, step=Doubles, found=NewDoubles, sums=NewInts, above=NewInts, mask="unsigned int", name=Py_ssize_t,
    value=Py_ssize_t, one=int, two=int, k=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, number=int, key="unsigned int", total=int,
    _=int, values=Py_ssize_t, places=Py_ssize_t, length=Py_ssize_t, count=Py_ssize_t,
)
cpdef int score_names(Counts counts, object table, object tags, object steps, object scores) except -1

@cython.locals(
    at=Ints, hashes=Hashes, count=Py_ssize_t, mask="unsigned int", pair_mask="unsigned int", weights="const signed char*",
    pair_weights="const signed char*", step=Doubles, found=NewDoubles, k=Py_ssize_t, j=Py_ssize_t, key="unsigned int",
    word="unsigned int", before="unsigned int", one=int, two=int, both=int, size=int, root=double,
)
cpdef int score_words(Counts counts, object table, object pairs, object steps, object scores) except -1

cdef inline unsigned long long pair_key(unsigned long long first, unsigned long long second) noexcept nogil
