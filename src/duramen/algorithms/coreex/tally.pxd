cimport cython
from libc.math cimport NAN

cdef enum:
    UNREAD = 1
    FIELD = 2
    MEDIA = 4
    BREAKS = 8

cpdef enum:
    EXCLUDED = 1
    LINKED = 2
    OUTERMOST = 4
    FILLED = 8
    MOSTLY_TEXT = 16
    IN_FORM = 32

cpdef enum:
    WORDS = 0
    LINKS = 1
    SET_WORDS = 2
    SET_LINKS = 3

cdef const unsigned char[::1] _KINDS
cdef int _A, _FORM, _SCRIPT, _NOSCRIPT
cdef double _SAME


@cython.locals(
    tag="const int[::1]", end="const int[::1]", chars="const int[::1]", words="const int[::1]", rows=Py_ssize_t,
    row=Py_ssize_t, other=int, number=int, until=int, form_until=int, script_until=int, count=int,
    skipped=int, total="long long", in_forms="long long",
)
cpdef tuple exclude(
    object page,
    int without_forms,
    int without_scripts,
    int at_once,
    const unsigned char[::1] dropped,
    int[::1] solid,
    unsigned char[::1] place,
)

@cython.locals(
    tag="const int[::1]", parent="const int[::1]", end="const int[::1]", flags="const unsigned char[::1]",
    chars="const int[::1]", words="const int[::1]", rows=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, other=int,
    number=int, until=int, text="long long", link="long long",
)
cpdef int tally(object page, double threshold, unsigned char[::1] place, long long[:, ::1] counts) except -1

cdef double ratio(double text, double link) noexcept nogil

@cython.locals(
    rows=Py_ssize_t, row=Py_ssize_t, words=Py_ssize_t, links=Py_ssize_t, text="long long", basic=double, final=double,
    best=double,
)
cpdef double score_rows(
    const long long[:, ::1] counts,
    int subset,
    Py_ssize_t body,
    double weight_ratio,
    double weight_text,
    long long page_text,
    double[:, ::1] scores,
) except? -2

@cython.locals(rows=Py_ssize_t, row=Py_ssize_t, lowest=int, found=list)
cpdef list highest(const double[:, ::1] scores, const int[::1] depth, double best)

@cython.locals(
    tag="const int[::1]", end="const int[::1]", chars="const int[::1]", members=list, other=int, number=int,
    between=Py_ssize_t, row=Py_ssize_t, stop=Py_ssize_t,
)
cpdef list keep(
    object page, Py_ssize_t winner, int subset, const unsigned char[::1] place, unsigned char[::1] kept
)

@cython.locals(at=Py_ssize_t)
cdef int _take(
    Py_ssize_t row, Py_ssize_t stop, const unsigned char[::1] place, unsigned char[::1] kept
) except -1
