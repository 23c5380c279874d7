cimport cython

from duramen.algorithms.learned.vocabulary cimport NewHashes, NewSums, further, mixed, new_hashes, new_sums
from duramen.measure.buffers cimport Ints, NewInts, Octets, check_tree, ints, new_ints, octets

cdef enum:
    HREF = 1
    HIDDEN = 2

cpdef enum:
    IN_COMMENTS = 65536
    IN_REVIEWS = 131072
    IN_RELATED = 262144
    IN_HIDDEN = 524288
    IN_LINK = 1048576
    IN_PARTS = 63
    IN_TABLE = 256

cdef enum:
    BODY_DEPTH = 1
    KNOWN = 4096

cdef const unsigned int[::1] _AROUND
cdef const unsigned int[:, ::1] _KNOWN_NAMES
cdef int _TITLE
cdef const unsigned char[::1] _IS_KNOWN, _BREAKS


@cython.locals(
    count=Py_ssize_t, size=Py_ssize_t, name_at=Ints, name_hash=NewHashes, sums=NewSums, bits=NewHashes, number=Py_ssize_t,
    k=Py_ssize_t, j=Py_ssize_t, total="unsigned long long", value="unsigned int", around="unsigned int",
)
cpdef int sum_values(object begins, object hashes, object totals, object found) except -1

@cython.locals(
    length=Py_ssize_t, names=Py_ssize_t, values=Py_ssize_t, tag=Ints, parent=Ints, end=Ints, depth=Ints, chars=Ints, text_at=Ints, size=Py_ssize_t, flags=Octets,
    never=Octets, named_row=Ints, named_value=Ints, sums=NewSums, bits=NewHashes, kind=NewSums, around=NewHashes, box=NewInts,
    rows=NewInts, at=NewInts, other=int, number=int, texts=Py_ssize_t, blocks=Py_ssize_t, name=Py_ssize_t, value=Py_ssize_t,
    started=int, last_started=int, last_box=int, full=int, title=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t,
    inside="unsigned int", total="unsigned long long",
)
cpdef tuple outline(
    object page,
    object sight,
    object value_sums,
    object value_bits,
    Py_ssize_t most,
    object kinds,
    object boxes,
    object surroundings,
    object block_rows,
    object block_at,
)
