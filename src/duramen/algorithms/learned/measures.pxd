cimport cython
from libc.math cimport log1p

from duramen.algorithms.learned.outline cimport IN_COMMENTS, IN_HIDDEN, IN_LINK
from duramen.algorithms.learned.vocabulary cimport CAPITALS, DIGITS, FIRST, LAST, QUESTIONS, SIGNS, SIZE, NewSums, Sums, mixed, new_sums
from duramen.measure.buffers cimport (
    Doubles, Ints, NewDoubles, NewInts, NewOctets, Octets, check_tree, further, further_doubles, ints, longs, new_doubles, new_ints,
    new_octets, octets
)

ctypedef const unsigned int* Hashes

cdef enum:
    IS_P = 1
    IS_ITEM = 2
    IS_CELL = 4
    IS_PRE = 8
    IS_DIV = 16
    IS_HEADING = 32
    IS_IMAGE = 64

cdef enum:
    PARAGRAPH_WORDS = 12
    LEVELS = 4
    ALIKE_LEVELS = 4
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
    COPY_WORDS = 6
    PAGE_KINDS = 10
    LEXICAL_KINDS = 35

cdef enum:
    TEXT_AT = 0
    PLACE_AT = 15
    NAMED_AT = 55
    CONTAINERS_AT = 67
    GROUPS_AT = 94
    PAGE_AT = 100

cdef double PARAGRAPH_LINKS
cdef unsigned long long _BASE, _MASK
cdef int _H1, _INPUT
cdef const unsigned char[::1] _KINDS, _ENDS
cdef const double[::1] _LOGS


cdef inline int whole(double number) noexcept nogil:
    return <int> number


cdef inline Sums sums_of(object array, Py_ssize_t size) except? NULL:
    return <Sums> longs(array, size)


cdef inline Hashes hashes_of(object array, Py_ssize_t size) except? NULL:
    return <Hashes> ints(array, size)


cdef class Measures:
    cdef Ints tag, parent, end, depth, page_words, page_chars, page_puncts, page_cjk
    cdef Ints at, rows, box, word_at, name_at, marks, named
    cdef Hashes around, word_hash, name_hash, title
    cdef Sums kind, said
    cdef Py_ssize_t length, count, texts, spoken, places, names, hashes, titled, inputs
    cdef readonly Py_ssize_t groups
    cdef NewDoubles words, links, text, values
    cdef NewInts puncts, chars, group, section, same
    cdef double[:, ::1] score
    cdef double total, running
    cdef tuple held

    @cython.locals(length=Py_ssize_t, count=Py_ssize_t, odd=bint, k=Py_ssize_t, box=int)
    cdef int check_blocks(self) except -1

    @cython.locals(values=NewDoubles, k=Py_ssize_t)
    cpdef int fill_base(self, float[:, ::1] out) except -1

    @cython.locals(values=NewDoubles, both=NewDoubles, k=Py_ssize_t, mean=double)
    cpdef int fill_lexical(self, float[:, ::1] out, Py_ssize_t at, const double[:, ::1] scores) except -1

    @cython.locals(
        other=int, heading=int, keys=NewSums, k=Py_ssize_t, j=Py_ssize_t, row=Py_ssize_t, words=int, links=int,
        puncts=int, chars=int, first=Py_ssize_t, number=int, key="unsigned long long", up=Py_ssize_t, _=int,
    )
    cpdef int count_blocks(self) except -1

    @cython.locals(first="int[::1]", k=Py_ssize_t, number=Py_ssize_t, found=Py_ssize_t)
    cpdef Py_ssize_t drop_repeated(self, unsigned char[::1] taken) except -1

    @cython.locals(
        same=NewInts, copies="int[::1]", k=Py_ssize_t, j=Py_ssize_t, words=double, size=double, number=int,
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

    @cython.locals(
        k=Py_ssize_t, row=Py_ssize_t, words=int, links=int, text=int, tags=int, inputs=Py_ssize_t,
    )
    cdef int sum_rows(self, int[:, ::1] inside) except -1

    @cython.locals(
        top="int[::1]", alike="int[::1]", inside="int[:, ::1]", score="double[:, ::1]", end=Ints,
        parent=Ints, densest=Py_ssize_t, best=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, words=double,
        tags=double, k=Py_ssize_t, points=double, most=double, first=Py_ssize_t, box=Py_ssize_t, number=Py_ssize_t, level=int,
        found=int,
    )
    cdef int measure_containers(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(held="double[:, ::1]", k=Py_ssize_t, group=Py_ssize_t, size=double, words=double)
    cdef int measure_groups(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(
        links=double, most=double, items=double, largest=double, headings=int, cjk="long long", share=double,
        k=Py_ssize_t, j=Py_ssize_t, row=Py_ssize_t,
    )
    cdef int measure_page(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(held="double[:, ::1]", weights=double, total=double, k=Py_ssize_t, weight=double)
    cdef double measure_scores(self, float[:, ::1] out, Py_ssize_t at, Doubles values) except? -1

    @cython.locals(best=double, k=Py_ssize_t, section=Py_ssize_t)
    cdef int measure_headed(
        self, float[:, ::1] out, Py_ssize_t at, Doubles both, const double[:, ::1] scores, double mean
    ) except -1

    @cython.locals(
        sums="double[:, ::1]", end=Ints, k=Py_ssize_t, row=Py_ssize_t, what=int, weight=double, level=int,
    )
    cdef int measure_boxes(self, float[:, ::1] out, Py_ssize_t at, Doubles both, Doubles said) except -1


@cython.locals(
    count=Py_ssize_t, texts=Py_ssize_t, length=Py_ssize_t, at=Ints, rows=Ints, chosen=Octets, marked=NewOctets, k=Py_ssize_t,
    j=Py_ssize_t,
)
cpdef int mark_rows(object begins, object text_rows, object blocks, object rows_marked) except -1

@cython.locals(
    size="unsigned long long", table="int[::1]", seen="unsigned long long[::1]", found=Py_ssize_t, k=Py_ssize_t, slot="unsigned long long",
)
cdef Py_ssize_t number_keys(Sums keys, Py_ssize_t count, NewInts numbers) except -1

cdef inline unsigned long long sibling_key(unsigned long long kind, Py_ssize_t parent) noexcept nogil

cdef inline double log_of(double number) except? -1 nogil

@cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
cdef inline bint is_among(Hashes values, Py_ssize_t count, unsigned int wanted) noexcept nogil
