cimport cython

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


cdef int _LI, _DD, _TABLE


cdef class Gaps:
    cdef const int[::1] tag, parent, end, chars, text_at
    cdef const unsigned char[::1] text, kept, also, data, kinds, strengths
    cdef int[::1] rows, cell, pre, lists, item, definitions, cells
    cdef unsigned char[::1] gap, closes
    cdef readonly object row_store, gap_store, place_store, table_store
    cdef readonly Py_ssize_t pieces
    cdef int show_tables

    @cython.locals(places="int[:, ::1]")
    cdef int view_places(self) except -1

    @cython.locals(row=Py_ssize_t)
    cdef int holds_tag(self, int tag) except -1

    cpdef Py_ssize_t find(self) except -1

    @cython.locals(
        tag="const int[::1]", parent="const int[::1]", end="const int[::1]", chars="const int[::1]",
        kept="const unsigned char[::1]", text="const unsigned char[::1]", text_at="const int[::1]",
        closes="unsigned char[::1]", gaps="unsigned char[::1]", with_data=bint, with_also=bint, item=int,
        lists=int, definitions=int, size=Py_ssize_t, count=Py_ssize_t, previous=Py_ssize_t, row=Py_ssize_t,
        up=Py_ssize_t, stop=Py_ssize_t, at=Py_ssize_t, hidden_until=Py_ssize_t, pre_until=Py_ssize_t,
        data_until=Py_ssize_t, cell_until=Py_ssize_t, pre_number=int, cell_number=int, gap=int, breaks=int, spaces=int,
        filled=int, kind=int, strength=int, cell=int, pre=int, breaks_line=int, shown=int, ended=bint, number=int,
        other=int,
    )
    cdef Py_ssize_t find_pieces(self) except -1 nogil

    @cython.locals(below=Py_ssize_t, other=int, number=int)
    cdef int holds_shown(self, Py_ssize_t row, Py_ssize_t stop, Py_ssize_t hidden_until) except -1 nogil


cdef int _is_white(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, int chars) except -1 nogil

@cython.locals(width=int)
cdef int holds_space(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil

@cython.locals(byte=int, middle=int, last=int)
cdef int space_at(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop) except -1 nogil

@cython.locals(byte=int, middle=int, last=int)
cdef int zero_width_at(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop) except -1 nogil
