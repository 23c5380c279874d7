cimport cython
from libc.math cimport NAN

from duramen.measure.reading cimport body_of, mark_unseen

cdef enum:
    IS_BIG = 1
    IS_BLOCK = 2
    IS_UNREAD = 4
    IS_DROPPED = 8
    IS_HEADING = 16
    IS_PIECE = 32
    IS_BREAK = 64

cpdef enum:
    INSIDE = 1
    SEEN = 2
    TEXT = 4
    HAS_TEXT = 8
    CONTAINER = 16

cpdef enum:
    PRUNED = 1
    IN_PARA = 2
    HOLDS_PRUNED = 4
    HOLDS_LEAF = 8

cpdef enum:
    SOLID = 0
    CHARS = 1
    PUNCTS = 2

cpdef enum:
    FIRST = 0
    END = 1
    PARENT = 2
    ANONYMOUS = 3
    NODE = 4

cpdef enum:
    SET_FIRST = 0
    SET_END = 1
    SET_PARENT = 2
    SET_AT = 3
    SET_SIZE = 4
    SET_CHARS = 5
    SET_PUNCTS = 6

cdef const unsigned char[::1] _KINDS
cdef int _TITLE


@cython.locals(
    tag="const int[::1]", parent="const int[::1]", end="const int[::1]", chars="const int[::1]", rows=Py_ssize_t,
    stop=Py_ssize_t, row=Py_ssize_t, other=int, kind=int, solid="long long", characters="long long",
    marks="long long", words="const int[::1]", root=Py_ssize_t, unseen=int, dropped_until=Py_ssize_t, unread_until=Py_ssize_t, block=bint,
)
cpdef Py_ssize_t survey(
    object page,
    const int[::1] puncts,
    unsigned char[::1] place,
    long long[:, ::1] sums,
    long long[::1] below,
    double[::1] score,
) except -1

@cython.locals(
    tag="const int[::1]", parent="const int[::1]", end="const int[::1]", stop=Py_ssize_t, row=Py_ssize_t,
    up=Py_ssize_t, until=Py_ssize_t, last=Py_ssize_t, count=Py_ssize_t, found=Py_ssize_t, first=Py_ssize_t, other=int,
    kind=int, what=int, was_run=int, whole=bint, runs=bint, mixed=bint, goes_on=bint,
)
cpdef tuple find_units(
    object page,
    Py_ssize_t root,
    const unsigned char[::1] place,
    const long long[:, ::1] sums,
    long long[:, ::1] pieces,
    long long[:, ::1] units,
)

@cython.locals(row=Py_ssize_t, after=Py_ssize_t, k=Py_ssize_t, real=bint)
cdef Py_ssize_t _close_unit(
    const int[::1] parent,
    const int[::1] end,
    const long long[:, ::1] sums,
    long long[:, ::1] pieces,
    long long[:, ::1] units,
    Py_ssize_t first,
    Py_ssize_t stop,
    int is_run,
    Py_ssize_t found,
) except -1 nogil

@cython.locals(found=Py_ssize_t, k=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t)
cpdef Py_ssize_t join_units(
    const long long[:, :] units, Py_ssize_t count, const long long[:, ::1] sums, long long[:, ::1] sets
) except -1

@cython.locals(k=Py_ssize_t, row=Py_ssize_t)
cpdef int prune(const long long[:, :] sets, unsigned char[::1] fate) except -1

@cython.locals(
    tag="const int[::1]", parent="const int[::1]", end="const int[::1]", chars="const int[::1]", rows=Py_ssize_t,
    row=Py_ssize_t, other=int, kind=int, breaks="long long", characters="long long",
)
cpdef tuple keep(
    object page, const unsigned char[::1] place, unsigned char[::1] fate, unsigned char[::1] kept
)

@cython.locals(longest=Py_ssize_t, k=Py_ssize_t)
cpdef Py_ssize_t longest_para(const long long[:, :] sets) except -2

@cython.locals(cjk="const int[::1]", found=list, total="long long", row=Py_ssize_t)
cpdef tuple texts_in(object page, const unsigned char[::1] place, Py_ssize_t first, Py_ssize_t end)

@cython.locals(tag="const int[::1]", row=Py_ssize_t)
cpdef Py_ssize_t title_row(object page, Py_ssize_t root) except -2

@cython.locals(
    tag="const int[::1]", end="const int[::1]", text_at="const int[::1]", text="const unsigned char[::1]",
    allowed="const unsigned char[::1]", row=Py_ssize_t, at=Py_ssize_t, stop=Py_ssize_t, other=int, length="long long",
    found=list,
)
cpdef list headings(
    object page,
    Py_ssize_t root,
    const unsigned char[::1] place,
    const long long[:, ::1] sums,
    Py_ssize_t longest,
    bytes first_bytes,
)
