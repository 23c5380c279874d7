cimport cython

from duramen.measure.buffers cimport (
    Longs,
    NewInts,
    NewLongs,
    NewOctets,
    Octets,
    further,
    longs,
    new_ints,
    new_longs,
    new_octets,
    octets,
    room,
)
from duramen.render.gaps cimport BLANK, BREAK, CELL, ITEM, NONE, PARAGRAPH, SPACE, Gaps
from duramen.render.words cimport BEGUN, collapse, decoded, zero_width_at

cdef enum:
    INDENT_BYTES = 2
    MARKER_BYTES = 24

cdef int LI, OL, BR, DEEPEST


@cython.final
cdef class Lines(Gaps):
    cdef Octets numbered
    cdef Longs numbers
    cdef NewOctets loose, out
    cdef NewInts start, place, tabs
    cdef NewLongs spans
    cdef object number_store, numbered_store, loose_store, out_store, line_store, span_store
    cdef Py_ssize_t lines, size, room, listings
    cdef bint with_numbers
    cdef readonly int empty_lines  # whether there may be several in a row

    cpdef str to_text(self)

    @cython.locals(k=Py_ssize_t, before=Py_ssize_t, at=Py_ssize_t, stop=Py_ssize_t, done=Py_ssize_t, width=Py_ssize_t)
    cdef str with_listings(self)

    @cython.locals(k=Py_ssize_t, row=Py_ssize_t)
    cdef int shows_numbers(self) except -1

    @cython.locals(pieces=Py_ssize_t, size=Py_ssize_t)
    cdef int view_lines(self) except -1

    @cython.locals(
        k=Py_ssize_t, row=Py_ssize_t, previous=Py_ssize_t, item=Py_ssize_t, other=Py_ssize_t, some_loose=int, apart=bint
    )
    cdef int settle(self) noexcept nogil

    @cython.locals(
        k=Py_ssize_t, row=Py_ssize_t, room=Py_ssize_t, up=Py_ssize_t, place=Py_ssize_t, gap=int, number=int, last=int,
        tabs=int,
    )
    cdef Py_ssize_t begin_lines(self) noexcept nogil

    @cython.locals(
        line=Py_ssize_t, k=Py_ssize_t, stop=Py_ssize_t, row=Py_ssize_t, before=Py_ssize_t, prefix_at=Py_ssize_t,
        at=Py_ssize_t, gap=int,
    )
    cdef int write_lines(self) except -1 nogil

    @cython.locals(row=Py_ssize_t, marks=int, _=int)
    cdef int write_prefix(self, Py_ssize_t line, Py_ssize_t before, Py_ssize_t first, int gap) except -1 nogil

    @cython.locals(depth=int)
    cdef int depth(self, Py_ssize_t row) noexcept nogil

    cdef int put(self, int byte) except -1 nogil

    @cython.locals(_=int)
    cdef int put_indent(self, int levels) except -1 nogil

    @cython.locals(number="long long", power="long long")
    cdef int put_marker(self, Py_ssize_t item) except -1 nogil

    @cython.locals(piece=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, end=Py_ssize_t, done="long long")
    cdef int write_line(self, Py_ssize_t k, Py_ssize_t stop) except -1 nogil

    @cython.locals(piece=Py_ssize_t, row=Py_ssize_t, gap=int, at=Py_ssize_t, end=Py_ssize_t, width=int)
    cdef int write_listing(self, Py_ssize_t k, Py_ssize_t stop) except -1 nogil
