cimport cython

from duramen.measure.buffers cimport (
    Ints,
    NewInts,
    NewOctets,
    Octets,
    check_tree,
    further,
    ints,
    new_ints,
    new_octets,
    octets,
    room,
)
from duramen.render.words cimport holds_space

cdef enum:
    NONE = 0
    SPACE = 1
    BREAK = 2
    LINE = 3
    PARAGRAPH = 4
    CELL = 5
    ITEM = 6
    BLANK = 7

cpdef enum:
    HIDES = 1
    PREFORMATS = 2
    HOLDS_ITEMS = 4
    IS_CELL = 8
    IS_ROW = 16
    IS_BREAK = 32
    IS_CLOSE = 64


cdef inline int is_final(int byte) noexcept nogil:
    return 97 <= byte <= 122 or 48 <= byte <= 57


cdef inline int is_initial(int byte) noexcept nogil:
    return 65 <= byte <= 90 or 48 <= byte <= 57


cdef int _LI, _DD, _OL, _TABLE


cdef class Gaps:
    cdef Ints tag, parent, end, chars, text_at
    cdef Octets text, kept, also, data, kinds, strengths
    cdef NewInts rows, cell, pre, lists, item, definitions, cells
    cdef NewOctets gap, closes
    cdef object kept_store, also_store, close_store, kind_store, strength_store
    cdef Py_ssize_t page_rows, text_size
    cdef readonly object row_store, gap_store, place_store, table_store
    cdef readonly Py_ssize_t pieces
    cdef Py_ssize_t begin, stop, items  # what is looked at, and how many list items it has
    cdef int show_tables, ordered, with_data, with_also, other_tag
    cdef object page

    @cython.locals(size=Py_ssize_t)
    cdef int view(self) except -1

    @cython.locals(chars=Ints, kept=Octets, first=Py_ssize_t, stop=Py_ssize_t)
    cdef Py_ssize_t narrow(self) except -1

    @cython.locals(tag=Ints, end=Ints, row=Py_ssize_t, first=Py_ssize_t, stop=Py_ssize_t)
    cdef int find_tables(self) except -1

    @cython.locals(row=Py_ssize_t, up=Py_ssize_t, number=int, other=int)
    cdef int widen(self) noexcept nogil

    cpdef Py_ssize_t find(self) except -1

    cdef Py_ssize_t find_shown(self) except -1

    @cython.locals(
        tag=Ints, parent=Ints, end=Ints, chars=Ints, kept=Octets, text=Octets, text_at=Ints, closes=NewOctets,
        gaps=NewOctets, kinds=Octets, strengths=Octets, data=Octets, with_data=bint, with_also=bint, item=int,
        lists=int, definitions=int, begin=Py_ssize_t, size=Py_ssize_t, after=Py_ssize_t, count=Py_ssize_t,
        previous=Py_ssize_t, row=Py_ssize_t,
        up=Py_ssize_t, stop=Py_ssize_t, at=Py_ssize_t, hidden_until=Py_ssize_t, pre_until=Py_ssize_t,
        data_until=Py_ssize_t, cell_until=Py_ssize_t, pre_number=int, cell_number=int, gap=int, breaks=int, spaces=int,
        filled=int, kind=int, strength=int, cell=int, pre=int, breaks_line=int, shown=int, ended=bint, number=int,
        other=int, cells=NewInts, pres=NewInts, depths=NewInts, items=NewInts, nestings=NewInts, counted=NewInts,
        rows=NewInts,
    )
    cdef Py_ssize_t find_pieces(self) except -1 nogil

    @cython.locals(
        tag=Ints, up=Py_ssize_t, other=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, stop=Py_ssize_t,
    )
    cdef int touch(self, Py_ssize_t previous, Py_ssize_t row) noexcept nogil

    @cython.locals(number=int)
    cdef int is_close(self, Py_ssize_t row) noexcept nogil

    @cython.locals(below=Py_ssize_t, other=int, number=int)
    cdef int holds_shown(self, Py_ssize_t row, Py_ssize_t stop, Py_ssize_t hidden_until) noexcept nogil
