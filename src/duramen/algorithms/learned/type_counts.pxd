cimport cython
from libc.string cimport memcpy

from duramen.measure.buffers cimport Ints, Octets, check_tree, ints, octets

cdef enum:
    IS_BOUNDARY = 1
    IS_PARAGRAPH = 2
    IS_ARTICLE = 4
    IS_IMAGE = 8

cpdef enum:
    ROWS = 0
    WORDS = 1
    CHARS = 2
    LINKS = 3
    LINK_WORDS = 4
    P_WORDS = 5
    LONG_P = 6
    LONG_P_WORDS = 7
    PRICES = 8
    DATES = 9
    QUESTIONS = 10
    BLOCKS = 11
    LONG_BLOCKS = 12
    LONG_WORDS = 13
    SHORT_BLOCKS = 14
    LONGEST_BLOCK = 15
    SEEN = 16
    DEPTH = 17
    PUNCTS = 18
    CJK = 19
    ARTICLE_WORDS = 20
    TEXT_SIZE = 21
    REPEATED_COUNT = 22
    REPEATED_WORDS = 23
    REPEATED_LINKS = 24
    REPEATED_IMAGES = 25
    FIGURES = 26

cdef enum:
    PROBES = 16

cdef const unsigned char[::1] _KINDS, _COLUMNS
cdef int _LONG_WORDS, _REPEATED, _LEAST_WORDS
cdef double _LONG_LINKS
cdef unsigned long long _MIX


cdef inline unsigned long long low(unsigned long long value) noexcept nogil:
    return value


@cython.locals(
    tag=Ints, parent=Ints, end=Ints, depth=Ints,
    flags=Octets, chars=Ints, words=Ints, puncts=Ints,
    cjk=Ints, text_at=Ints, rows=Py_ssize_t, row=Py_ssize_t, other=int, number=int, kind=int,
    link_until=int, p_until=int, started=int, was_started=int, was_holder=int, own=int, below=int, links=int,
    images=int, seen=int, block="long long", block_links="long long", linked=bint, opened=bint,
)
cpdef int count_rows(
    object page, const unsigned char[::1] never, int[:, ::1] running, long long[::1] figures, long long[::1] tags
) except -1

cdef int _close_block(long long[::1] figures, long long words, long long in_links) except -1 nogil

@cython.locals(
    tag=Ints, parent=Ints, end=Ints, rows=Py_ssize_t, row=Py_ssize_t, below=int,
    mask="unsigned long long", key="unsigned long long", place="unsigned long long", probe=int, group=Py_ssize_t,
    count=Py_ssize_t, best=Py_ssize_t,
)
cpdef int count_repeated(
    object page,
    const int[:, ::1] running,
    const unsigned long long[::1] classes,
    int[::1] table,
    unsigned long long[::1] keys,
    int[:, ::1] groups,
    long long[::1] figures,
) except -1

@cython.locals(
    tag=Ints, chars=Ints, text_at=Ints, source=bytes, text="const unsigned char*",
    length=Py_ssize_t, rows=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, room=Py_ssize_t, start=Py_ssize_t,
    size=Py_ssize_t,
)
cpdef Py_ssize_t join_texts(object page, const unsigned char[::1] never, unsigned char[::1] joined) except -1


cdef inline int copy(
    const unsigned char* text, Py_ssize_t start, Py_ssize_t size, unsigned char[::1] joined, Py_ssize_t at
) except -1:
    if size > 0 and at >= 0 and size <= joined.shape[0] - at:
        memcpy(&joined[at], text + start, size)
    return 0
