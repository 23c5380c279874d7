cimport cython

from duramen.algorithms.learned.vocabulary cimport mixed

cdef enum:
    HREF = 1
    HIDDEN = 2

cpdef enum:
    IN_COMMENTS = 65536
    IN_REVIEWS = 131072
    IN_RELATED = 262144
    IN_HIDDEN = 524288
    IN_LINK = 1048576

cdef enum:
    BODY_DEPTH = 1
    KNOWN = 4096

cdef const unsigned int[::1] _AROUND
cdef const unsigned int[:, ::1] _KNOWN_NAMES
cdef int _TITLE
cdef const unsigned char[::1] _IS_KNOWN, _BREAKS


@cython.locals(
    number=Py_ssize_t, k=Py_ssize_t, j=Py_ssize_t, total="unsigned long long", value="unsigned int", around="unsigned int",
)
cpdef int sum_values(
    const int[::1] name_at, const unsigned int[::1] name_hash, Py_ssize_t count, unsigned long long[::1] sums, unsigned int[::1] bits
) except -1

@cython.locals(
    tag="const int[::1]", parent="const int[::1]", depth="const int[::1]",
    flags="const unsigned char[::1]", chars="const int[::1]",
    other=int, number=int, texts=Py_ssize_t, blocks=Py_ssize_t, name=Py_ssize_t, started=int, last_started=int,
    last_box=int, full=int, title=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, inside="unsigned int", total="unsigned long long",
)
cpdef tuple outline(
    object page,
    const unsigned char[::1] never,
    const int[:, ::1] named,
    const unsigned long long[::1] sums,
    const unsigned int[::1] bits,
    Py_ssize_t most,
    unsigned long long[::1] kind,
    int[::1] box,
    unsigned int[::1] around,
    int[::1] rows,
    int[::1] at,
)
