cimport cython
from libc.math cimport NAN

from duramen.measure.buffers cimport (
    Ints,
    NewDoubles,
    NewInts,
    NewOctets,
    Octets,
    check_tree,
    ints,
    new_doubles,
    new_ints,
    new_octets,
    octets,
    room,
)

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
    COUNTS = 4

cdef Octets _KINDS
cdef int _A, _BODY, _FORM, _SCRIPT, _NOSCRIPT, _OTHER
cdef double _SAME


@cython.final
@cython.auto_pickle(False)
cdef class Tally:
    cdef Ints tag, parent, end, chars, words, depth
    cdef Octets flags, dropped
    cdef NewOctets place, kept
    cdef NewInts counts
    cdef NewDoubles basic, final
    cdef object page
    cdef readonly object place_store, kept_store, count_store, basic_store, final_store
    cdef Py_ssize_t size
    cdef bint with_dropped
    cdef readonly Py_ssize_t body
    cdef readonly long long words_read, words_in_forms, page_text, page_links

    @cython.locals(size=Py_ssize_t)
    cdef int view(self) except -1

    cpdef int exclude(self, int without_forms, int without_scripts, int at_once, object dropped) except -1

    @cython.locals(tag=Ints, end=Ints, chars=Ints)
    cdef Py_ssize_t next_solid(self, Py_ssize_t row) noexcept nogil

    @cython.locals(
        tag=Ints, end=Ints, words=Ints, place=NewOctets, solid=Py_ssize_t, kinds=Octets, other=int,
        dropped=Octets, with_dropped=bint, until=int, form_until=int,
        total="long long", in_forms="long long", body=Py_ssize_t, skipped=int, row=Py_ssize_t, number=int,
    )
    cdef int exclude_rows(self, int without_forms, int without_scripts, int at_once) noexcept nogil

    cpdef int count(self, double threshold) except -1

    @cython.locals(
        tag=Ints, end=Ints, chars=Ints, flags=Octets, place=NewOctets, kinds=Octets, other=int, until=int, row=Py_ssize_t, number=int
    )
    cdef int find_links(self) noexcept nogil

    @cython.locals(
        tag=Ints, parent=Ints, words=Ints, place=NewOctets, counts=NewInts, row=Py_ssize_t, own=Py_ssize_t,
        up=Py_ssize_t, what=int, text="long long", link="long long",
    )
    cdef int add_up(self, double threshold) noexcept nogil

    @cython.locals(
        counts=NewInts, basic=NewDoubles, final=NewDoubles, words=int, links=int, best=double, row=Py_ssize_t,
        text="long long", share=double, total=double,
    )
    cpdef double score(self, int subset, double weight_ratio, double weight_text, long long page_text) except? -2

    @cython.locals(
        basic=NewDoubles, final=NewDoubles, depth=Ints, lowest=int, row=Py_ssize_t, found=list
    )
    cpdef list highest(self, double best)

    cpdef Py_ssize_t words_of(self, Py_ssize_t row, int subset) except -1

    @cython.locals(
        tag=Ints, end=Ints, chars=Ints, place=NewOctets, kept=NewOctets, members=list, other=int, number=int,
        between=Py_ssize_t, row=Py_ssize_t, stop=Py_ssize_t,
    )
    cpdef list keep(self, Py_ssize_t winner, int subset)

    @cython.locals(at=Py_ssize_t)
    cdef int take(self, Py_ssize_t row) noexcept nogil


cdef double ratio(double text, double link) noexcept nogil
