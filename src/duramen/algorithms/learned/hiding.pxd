cimport cython

from duramen.algorithms.learned.kinds cimport ARIA_HIDDEN, CLASS, ID, OPEN, OTHER, ROLE, STYLE, TARGET, check_attributes, kind_of, says
from duramen.algorithms.learned.needles cimport Needles
from duramen.algorithms.learned.sight cimport KIND, UNSEEN_WORD
from duramen.measure.buffers cimport Ints, NewInts, NewOctets, Octets, check_tree, ints, new_ints, new_octets, octets, room

cdef enum:
    IS_FRAME = 1
    IS_CHROME = 2
    IS_DIALOG = 4
    IS_DETAILS = 8

cpdef enum:
    NEVER = 1
    HELD = 2
    SHRUNK = 4
    UNSPOKEN = 8
    DETAILS = 16
    SMALL = 32
    FADED = 64

cpdef enum:
    PANEL = 1
    CHROME = 2
    MAYBE_PANEL = 4
    MAYBE_CHROME = 8
    KNOWN = 16
    NEAR = 32
    CALLED = 64

cdef enum:
    TELLS = 1
    SET_ASIDE = 2
    COLOUR = 4
    CLEAR = 8
    PAPER = 16
    SIZE = 32
    CUT_OFF = 64
    PLACE = 128

cdef Needles _STYLE_WORDS, _AROUND, _ORDER_WORDS
cdef const unsigned char[::1] _KINDS
cdef int _SUMMARY, _DETAILS
cdef const unsigned char* _TRUE
cdef const unsigned char* _TABPANEL
cdef double _WHOLE_PAGE, _BY_RULES


@cython.locals(
    tag=Ints, parent=Ints, end=Ints, flags=Octets, attr_at=Ints, names=Ints, values=Ints, kinds=Octets, text=Octets,
    seen=Ints, held=NewInts, marks=NewOctets, found=int, source=bytes, length=Py_ssize_t, attrs="const unsigned char*",
    every=bint, rows=Py_ssize_t, count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, other=int, number=int, mark=int,
    opened=bint, kind=int, bits=int, total="long long", below="long long", small=double, most=double, doubtful=list,
)
cpdef tuple find_roots(object page, object wanted, object running, object attribute_kinds, object marked)

@cython.locals(
    tag="const int[::1]", end="const int[::1]", parent="const int[::1]", attr_at="const int[::1]",
    names="const int[::1]", values="const int[::1]", source=bytes, length=Py_ssize_t, attrs="const unsigned char*", rows=Py_ssize_t,
    row=Py_ssize_t, root=Py_ssize_t, at=Py_ssize_t, start=Py_ssize_t, stop=Py_ssize_t, other=int, number=int,
    bits=int, kind=int, most=double, doubtful=list,
)
cpdef list read_names(
    object page, const unsigned char[::1] marks, const int[::1] seen, unsigned char[::1] around, Py_ssize_t name_bytes
)

@cython.locals(rows=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, level=int)
cpdef int spread_names(
    const int[::1] parent, const unsigned char[::1] marks, unsigned char[::1] around, int levels
) except -1

@cython.locals(
    tag="const int[::1]", end="const int[::1]", attr_at="const int[::1]", names="const int[::1]",
    values="const int[::1]", source=bytes, length=Py_ssize_t, attrs="const unsigned char*", rows=Py_ssize_t,
    row=Py_ssize_t, at=Py_ssize_t, until=Py_ssize_t, opened=bint,
)
cpdef int mark_shown(object page, unsigned char[::1] shown) except -1

@cython.locals(
    names="const int[::1]", values="const int[::1]", source=bytes, length=Py_ssize_t, attrs="const unsigned char*", at=Py_ssize_t, found=list
)
cpdef list targets_in(object page)

@cython.locals(
    chars="const int[::1]", words="const int[::1]", cjk="const int[::1]", text_at="const int[::1]",
    source=bytes, length=Py_ssize_t, text="const unsigned char*", row=Py_ssize_t, long=bint, found=list,
)
cpdef list orders_in(object page, const unsigned char[::1] rows)
