cimport cython
from libc.math cimport log1p

from duramen.algorithms.learned.outline cimport IN_COMMENTS, IN_HIDDEN, IN_LINK
from duramen.algorithms.learned.vocabulary cimport CAPITALS, DIGITS, FIRST, LAST, QUESTIONS, SIGNS, SIZE, mixed
from duramen.measure.buffers cimport check_tree, ints

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


cdef class Measures:
    cdef const int[::1] tag, parent, end, depth, page_words, page_chars, page_puncts, page_cjk
    cdef const int[::1] at, rows, box, word_at, name_at
    cdef const unsigned int[::1] around, word_hash, name_hash, title
    cdef const unsigned long long[::1] kind, said
    cdef const int[:, ::1] marks, named
    cdef Py_ssize_t length, count, inputs
    cdef readonly Py_ssize_t groups
    cdef double[::1] words, links, text, values
    cdef int[::1] puncts, chars, group, section, same
    cdef double[:, ::1] score
    cdef double total, running

    @cython.locals(length=Py_ssize_t, count=Py_ssize_t, odd=bint, k=Py_ssize_t, box=int)
    cdef int check_blocks(self) except -1

    @cython.locals(values="double[::1]", k=Py_ssize_t)
    cpdef int fill_base(self, float[:, ::1] out) except -1

    @cython.locals(values="double[::1]", both="double[::1]", k=Py_ssize_t, mean=double)
    cpdef int fill_lexical(self, float[:, ::1] out, Py_ssize_t at, const double[:, ::1] scores) except -1

    @cython.locals(
        other=int, heading=int, keys="unsigned long long[::1]", k=Py_ssize_t, j=Py_ssize_t, row=Py_ssize_t, words=int, links=int,
        puncts=int, chars=int, first=Py_ssize_t, number=int, key="unsigned long long", up=Py_ssize_t, _=int,
    )
    cpdef int count_blocks(self) except -1

    @cython.locals(first="int[::1]", k=Py_ssize_t, number=Py_ssize_t, found=Py_ssize_t)
    cpdef Py_ssize_t drop_repeated(self, unsigned char[::1] taken) except -1

    @cython.locals(
        same="int[::1]", copies="int[::1]", k=Py_ssize_t, j=Py_ssize_t, words=double, size=double, number=int,
        found=double, sieve="unsigned long long", one="unsigned long long", title="const unsigned int[::1]",
    )
    cdef int measure_text(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(
        other=int, row=Py_ssize_t, last=Py_ssize_t, h1=Py_ssize_t, before=double, text_before=double, whole=double,
        k=Py_ssize_t, first=Py_ssize_t, box=Py_ssize_t, number=int, what=int, around="unsigned int", bit=int,
        heading=Py_ssize_t, images=int,
    )
    cdef int measure_place(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(total=double, k=Py_ssize_t)
    cdef int measure_neighbours(self, float[:, ::1] out, Py_ssize_t at, const double[::1] values) except -1

    @cython.locals(
        whole=double, which=int, bit="unsigned int", inside=double, before=double, begun=int, k=Py_ssize_t, logged=double,
    )
    cdef int measure_named(self, float[:, ::1] out, Py_ssize_t at) except -1

    @cython.locals(
        k=Py_ssize_t, row=Py_ssize_t, words=int, links=int, text=int, tags=int, inputs=Py_ssize_t,
    )
    cdef int sum_rows(self, int[:, ::1] inside) except -1

    @cython.locals(
        top="int[::1]", alike="int[::1]", inside="int[:, ::1]", score="double[:, ::1]", end="const int[::1]",
        parent="const int[::1]", densest=Py_ssize_t, best=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, words=double,
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
    cdef double measure_scores(self, float[:, ::1] out, Py_ssize_t at, const double[::1] values) except? -1

    @cython.locals(best=double, k=Py_ssize_t, section=Py_ssize_t)
    cdef int measure_headed(
        self, float[:, ::1] out, Py_ssize_t at, const double[::1] both, const double[:, ::1] scores, double mean
    ) except -1

    @cython.locals(
        sums="double[:, ::1]", end="const int[::1]", k=Py_ssize_t, row=Py_ssize_t, what=int, weight=double, level=int,
    )
    cdef int measure_boxes(self, float[:, ::1] out, Py_ssize_t at, const double[::1] both, const double[::1] said) except -1


@cython.locals(k=Py_ssize_t, j=Py_ssize_t)
cpdef int mark_rows(
    const int[::1] at, const int[::1] rows, const unsigned char[::1] blocks, unsigned char[::1] marked
) except -1

@cython.locals(
    size="unsigned long long", table="int[::1]", seen="unsigned long long[::1]", found=Py_ssize_t, k=Py_ssize_t, slot="unsigned long long",
)
cpdef Py_ssize_t number_keys(const unsigned long long[::1] keys, int[::1] numbers) except -1

cdef inline unsigned long long sibling_key(unsigned long long kind, Py_ssize_t parent) noexcept nogil

cdef inline double log_of(double number) except? -1 nogil

@cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
cdef inline bint is_among(const unsigned int[::1] values, unsigned int wanted) except -1 nogil
