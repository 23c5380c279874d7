cimport cython
from libc.math cimport NAN

from duramen.measure.buffers cimport (
    Ints, NewDoubles, NewInts, NewOctets, Octets, check_tree, ints, new_doubles, new_ints, new_octets, octets
)
from duramen.measure.reading cimport mark_unseen

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

cdef Octets _KINDS
cdef int _TITLE, _BODY, _OTHER


@cython.locals(
    rows=Py_ssize_t, root=Py_ssize_t, tag=Ints, parent=Ints, end=Ints, chars=Ints, words=Ints, marks=Ints,
    what=NewOctets, totals=NewInts, under=NewInts, scores=NewDoubles,
)
cpdef Py_ssize_t survey(
    object page, object puncts, object place, object sums, object below, object score
) except -1

@cython.locals(row=Py_ssize_t)
cdef Py_ssize_t _find_root(Ints tag, Py_ssize_t rows) noexcept nogil

@cython.locals(
    stop=Py_ssize_t, row=Py_ssize_t, kinds=Octets, other=int, kind=int, at_chars=Py_ssize_t, at_marks=Py_ssize_t, solid="long long",
    characters="long long", punctuation="long long", unseen=int, dropped_until=Py_ssize_t, unread_until=Py_ssize_t,
)
cdef int _add_up(
    Ints tag, Ints parent, Ints end, Ints chars, Ints marks, NewOctets place, NewInts sums, Py_ssize_t root,
    Py_ssize_t rows,
) noexcept nogil

@cython.locals(row=Py_ssize_t, kinds=Octets, other=int, at_marks=Py_ssize_t, block=bint)
cdef int _sum_below(
    Ints tag, Ints parent, Ints end, NewOctets place, NewInts sums, NewInts below, NewDoubles score, Py_ssize_t rows
) noexcept nogil

@cython.locals(
    rows=Py_ssize_t, tag=Ints, parent=Ints, end=Ints, what=Octets, totals=Ints, piece=NewInts, unit=NewInts,
    row=Py_ssize_t, stop=Py_ssize_t, up=Py_ssize_t, last=Py_ssize_t, count=Py_ssize_t, found=Py_ssize_t, first=Py_ssize_t, kinds=Octets, other=int,
    kind=int, is_a=int, was_run=int, whole=bint, runs=bint, mixed=bint, goes_on=bint,
)
cpdef tuple find_units(object page, Py_ssize_t root, object place, object sums, object pieces, object units)

@cython.locals(row=Py_ssize_t, after=Py_ssize_t, k=Py_ssize_t, real=bint, chars=Py_ssize_t)
cdef Py_ssize_t _close_unit(
    Ints parent, Ints end, Ints sums, NewInts pieces, NewInts units, Py_ssize_t rows, Py_ssize_t first,
    Py_ssize_t stop, int is_run, Py_ssize_t found,
) noexcept nogil

@cython.locals(
    rows=Py_ssize_t, unit=Ints, totals=Ints, found_set=NewInts, became=NewOctets, at_first=Py_ssize_t,
    at_end=Py_ssize_t, parent=Py_ssize_t, set_first=Py_ssize_t, set_end=Py_ssize_t, set_parent=Py_ssize_t,
    set_at=Py_ssize_t, set_size=Py_ssize_t, set_chars=Py_ssize_t, set_puncts=Py_ssize_t, chars=Py_ssize_t,
    puncts=Py_ssize_t, found=Py_ssize_t, longest=Py_ssize_t, last=Py_ssize_t, k=Py_ssize_t, row=Py_ssize_t,
    first=Py_ssize_t, end=Py_ssize_t,
)
cpdef tuple join_units(object units, Py_ssize_t count, object sums, object sets, object fate)

@cython.locals(rows=Py_ssize_t, parent=Ints, under=Ints, above=Py_ssize_t)
cpdef Py_ssize_t climb(object page, object below, Py_ssize_t row, Py_ssize_t root) except -1

@cython.locals(rows=Py_ssize_t, cjk=Ints, what=Octets, total="long long", row=Py_ssize_t)
cpdef long long cjk_in(object page, object place, Py_ssize_t first, Py_ssize_t end) except -1

@cython.locals(
    rows=Py_ssize_t, size=Py_ssize_t, text_at=Ints, text=Octets, what=Octets, row=Py_ssize_t, at=Py_ssize_t,
    stop=Py_ssize_t, missing=int,
)
cpdef tuple plain_sentences(object page, object place, Py_ssize_t first, Py_ssize_t end, int fewest)

cdef int _is_space(int byte) noexcept nogil

cdef int _ends_sentence(int byte) noexcept nogil

@cython.locals(
    rows=Py_ssize_t, row=Py_ssize_t, kinds=Octets, other=int, kind=int, tag=Ints, parent=Ints, end=Ints, chars=Ints, what=Octets,
    became=NewOctets, stays=NewOctets, breaks="long long", characters="long long",
)
cpdef tuple keep(
    object page, Py_ssize_t first, Py_ssize_t stop, object place, object fate, object kept
)

@cython.locals(tag="const int[::1]", row=Py_ssize_t)
cpdef Py_ssize_t title_row(object page, Py_ssize_t root) except -2

@cython.locals(
    rows=Py_ssize_t, row=Py_ssize_t, size=Py_ssize_t, kinds=Octets, other=int, tag=Ints, end=Ints, text_at=Ints, text=Octets,
    allowed=Octets, what=Octets, totals=Ints, chars=Py_ssize_t, at=Py_ssize_t, stop=Py_ssize_t, found=list,
    known=Py_ssize_t, lengths_known=Octets, chars_of=Ints, length=Py_ssize_t,
)
cpdef list headings(
    object page, Py_ssize_t root, object place, object sums, Py_ssize_t longest, bytes first_bytes, bytes lengths
)
