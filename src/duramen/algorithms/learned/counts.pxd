cimport cython

from duramen.algorithms.learned.outline cimport IN_LINK
from duramen.algorithms.learned.vocabulary cimport LAST, NewSums, Sums, mixed, new_sums
from duramen.measure.buffers cimport (
    Ints, NewDoubles, NewInts, NewOctets, Octets, check_tree, further, further_doubles, ints, longs, new_doubles, new_ints,
    new_octets, octets, room
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
    ALIKE_LEVELS = 4
    COPY_WORDS = 6
    SHORT_WORDS = 6

cdef double PARAGRAPH_LINKS
cdef unsigned long long _BASE, _MASK
cdef int _INPUT, _TABLE, _TD, _TH
cdef const unsigned char[::1] _KINDS


cdef inline Sums sums_of(object array, Py_ssize_t size) except? NULL:
    return <Sums> longs(array, size)


cdef inline int whole(double number) noexcept nogil:
    return <int> number


cdef inline Hashes hashes_of(object array, Py_ssize_t size) except? NULL:
    return <Hashes> ints(array, size)


cdef class Counts:
    cdef Ints tag, parent, end, depth, page_words, page_chars, page_puncts, page_cjk
    cdef Ints at, rows, box, word_at, name_at, marks, named
    cdef Hashes around, word_hash, name_hash, title
    cdef Sums kind, said
    cdef Py_ssize_t length, count, texts, spoken, places, names, hashes, titled, inputs
    cdef readonly Py_ssize_t groups
    cdef NewDoubles words, links, text, values
    cdef NewInts puncts, chars, group, section, same
    cdef NewInts blocks_before, tags_before, words_before, links_before, text_before
    cdef double total, running
    cdef tuple held

    @cython.locals(length=Py_ssize_t, count=Py_ssize_t, odd=bint, k=Py_ssize_t, box=int)
    cdef int check_blocks(self) except -1

    @cython.locals(
        other=int, heading=int, keys=NewSums, k=Py_ssize_t, j=Py_ssize_t, row=Py_ssize_t, words=int, links=int,
        puncts=int, chars=int, first=Py_ssize_t, number=int, key="unsigned long long", up=Py_ssize_t, _=int,
    )
    cpdef int count_blocks(self) except -1

    @cython.locals(
        words=int, links=int, text=int, tags=int, inputs=Py_ssize_t, k=Py_ssize_t, row=Py_ssize_t, first=Py_ssize_t,
    )
    cdef int count_before(self) except -1

    @cython.locals(
        probability=NewDoubles, number=NewDoubles, total=NewDoubles, k=Py_ssize_t, found=Py_ssize_t, headers=Py_ssize_t,
    )
    cpdef Py_ssize_t level(self, object probabilities) except -1

    @cython.locals(
        table=NewInts, number=NewDoubles, total=NewDoubles, row=Py_ssize_t, up=Py_ssize_t, k=Py_ssize_t, box=Py_ssize_t,
    )
    cdef int level_tables(self, NewDoubles probability) except -1

    @cython.final
    @cython.locals(number=Py_ssize_t, kind=int)
    cdef bint is_short(self, Py_ssize_t k) noexcept nogil

    @cython.locals(marked=NewOctets, first=NewInts, k=Py_ssize_t, number=Py_ssize_t, found=Py_ssize_t)
    cpdef Py_ssize_t drop_repeated(self, object taken) except -1


@cython.locals(
    count=Py_ssize_t, texts=Py_ssize_t, length=Py_ssize_t, at=Ints, rows=Ints, chosen=Octets, marked=NewOctets, k=Py_ssize_t,
    j=Py_ssize_t,
)
cpdef int mark_rows(object begins, object text_rows, object blocks, object rows_marked) except -1

@cython.locals(
    size="unsigned long long", table=NewInts, seen=NewSums, found=Py_ssize_t, k=Py_ssize_t, slot="unsigned long long",
)
cdef Py_ssize_t number_keys(Sums keys, Py_ssize_t count, NewInts numbers) except -1
