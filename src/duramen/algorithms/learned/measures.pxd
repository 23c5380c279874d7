cimport cython
from libc.math cimport log1p

from duramen.algorithms.learned.counts cimport (
    IS_CELL, IS_DIV, IS_HEADING, IS_IMAGE, IS_ITEM, IS_P, IS_PRE, Counts, Hashes
)
from duramen.algorithms.learned.outline cimport IN_COMMENTS, IN_HIDDEN, IN_PARTS, IN_TABLE
from duramen.algorithms.learned.vocabulary cimport CAPITALS, DIGITS, FIRST, LAST, QUESTIONS, SIGNS, SIZE, mixed
from duramen.measure.buffers cimport Doubles, Ints, NewDoubles, NewInts, further_doubles, new_doubles, new_ints, room

cdef enum:
    LEVELS = 4
    LEVEL_KINDS = 6
    WINDOW = 5
    FAR_BEFORE = 99
    FAR_HEADING = 50
    MOST_COPIES = 20
    MOST_DEPTH = 60
    MOST_WORD_CHARS = 30
    POINT_WORDS = 6
    POINT_MOST = 3
    BUCKETS = 32768
    KNOWN_LOGS = 1024
    AROUND_KINDS = 12
    PAGE_KINDS = 13
    LEXICAL_KINDS = 35

cdef enum:
    TEXT_AT = 0
    PLACE_AT = 15
    NAMED_AT = 55
    CONTAINERS_AT = 67
    GROUPS_AT = 94
    PAGE_AT = 100

cdef unsigned long long _MASK
cdef int _H1
cdef const unsigned char[::1] _KINDS, _ENDS
cdef const double[::1] _LOGS


cdef class Measures(Counts):
    @cython.locals(values=NewDoubles, k=Py_ssize_t)
    cpdef int fill_base(self, float[:, ::1] out) except -1

    @cython.locals(
        both=NewDoubles, path=NewDoubles, near=NewDoubles, said=NewDoubles, heading=NewDoubles, k=Py_ssize_t, mean=double
    )
    cpdef int fill_lexical(self, float[:, ::1] out, Py_ssize_t at, object scores) except -1

    @cython.locals(
        same=NewInts, copies=NewInts, k=Py_ssize_t, j=Py_ssize_t, words=double, size=double, number=int,
        found=double, sieve="unsigned long long", one="unsigned long long", title=Hashes,
    )
    cdef int measure_text(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(
        other=int, row=Py_ssize_t, last=Py_ssize_t, h1=Py_ssize_t, before=double, text_before=double, whole=double,
        k=Py_ssize_t, first=Py_ssize_t, box=Py_ssize_t, number=int, what=int, around="unsigned int", bit=int,
        heading=Py_ssize_t, images=int,
    )
    cdef int measure_place(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(total=double, k=Py_ssize_t)
    cdef int measure_neighbours(self, float[:, ::1] out, Py_ssize_t at, Doubles values) except -1

    @cython.locals(
        whole=double, which=int, bit="unsigned int", inside=double, before=double, begun=int, k=Py_ssize_t, logged=double,
    )
    cdef int measure_named(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(top=NewInts, alike=NewInts, density=NewDoubles, nested=NewDoubles, points=NewDoubles)
    cdef int measure_containers(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(
        end=Ints, parent=Ints, before=NewInts, row=Py_ssize_t, first=Py_ssize_t, stop=Py_ssize_t, up=Py_ssize_t, words=double,
    )
    cdef int find_containers(self, NewInts top, NewInts alike, NewDoubles density, NewDoubles nested) noexcept nogil

    @cython.locals(
        end=Ints, parent=Ints, before=NewInts, k=Py_ssize_t, row=Py_ssize_t, given=double, words=double, links=double,
    )
    cdef int give_points(self, NewDoubles points) noexcept nogil

    @cython.locals(
        end=Ints, densest=Py_ssize_t, best=Py_ssize_t, last=Py_ssize_t, row=Py_ssize_t, most=double, k=Py_ssize_t,
        first=Py_ssize_t,
    )
    cdef int fill_best(self, float[:, ::1] out, Py_ssize_t at, NewDoubles nested, NewDoubles points) noexcept nogil

    @cython.locals(
        end=Ints, parent=Ints, before=NewInts, k=Py_ssize_t, row=Py_ssize_t, last=Py_ssize_t, number=Py_ssize_t, level=int,
        size=Py_ssize_t, what=Py_ssize_t, first=Py_ssize_t, stop=Py_ssize_t, words=double, found=int,
    )
    cdef int fill_levels(
        self, float[:, ::1] out, Py_ssize_t at, NewInts top, NewInts alike, NewDoubles density
    ) noexcept nogil

    @cython.locals(held=NewDoubles, k=Py_ssize_t, group=Py_ssize_t, what=Py_ssize_t, size=double, words=double)
    cdef int measure_groups(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(
        links=double, most=double, items=double, largest=double, headings=int, cjk="long long", share=double,
        k=Py_ssize_t, j=Py_ssize_t, row=Py_ssize_t, around="unsigned int", tables=int, parts=int,
    )
    cdef int measure_page(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(
        held=NewDoubles, scored=NewDoubles, weights=double, total=double, mean=double, k=Py_ssize_t, weight=double,
    )
    cdef double measure_scores(self, float[:, ::1] out, Py_ssize_t at, Doubles values) except? -1

    @cython.locals(best=double, k=Py_ssize_t, section=Py_ssize_t)
    cdef int measure_headed(
        self, float[:, ::1] out, Py_ssize_t at, Doubles both, Doubles heading, double mean
    ) except -1

    @cython.locals(
        weights=NewDoubles, named=NewDoubles, spoken=NewDoubles, end=Ints, before=NewInts, k=Py_ssize_t, row=Py_ssize_t,
        first=Py_ssize_t, stop=Py_ssize_t, weight=double, level=int,
    )
    cdef int measure_boxes(self, float[:, ::1] out, Py_ssize_t at, Doubles both, Doubles said) except -1


cdef inline unsigned long long sibling_key(unsigned long long kind, Py_ssize_t parent) noexcept nogil

cdef inline double log_of(double number) noexcept nogil

@cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
cdef inline bint is_among(Hashes values, Py_ssize_t count, unsigned int wanted) noexcept nogil
