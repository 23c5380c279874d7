cimport cython

from duramen.measure.buffers cimport Ints, NewOctets, ints, new_octets

cpdef enum:
    OTHER = 0
    CLASS = 1
    ID = 2
    STYLE = 3
    ROLE = 4
    ARIA_HIDDEN = 5
    ITEMPROP = 6
    ITEMTYPE = 7
    OPEN = 8
    COMPONENT = 9
    TESTID = 10
    TARGET = 11
    PROPERTY = 12
    NAME = 13
    CONTENT = 14
    TYPE = 15
    SRC = 16
    REL = 17

cdef enum:
    LONGEST = 14

cdef const unsigned char[::1] _KIND, _LETTERS
cdef const int[::1] _BEGINS


@cython.locals(size=Py_ssize_t, place=int, at=Py_ssize_t, begin=Py_ssize_t)
cdef int kind_of(
    const unsigned char* attrs, Py_ssize_t length, Py_ssize_t start, Py_ssize_t middle, Py_ssize_t stop
) except -1 nogil

@cython.locals(
    count=Py_ssize_t, names=Ints, values=Ints, found=NewOctets, source=bytes, length=Py_ssize_t,
    attrs="const unsigned char*", at=Py_ssize_t,
)
cpdef int fill_kinds(object page, object kinds) except -1

# Reads attrs[start] .. attrs[stop - 1]: callers see to it that there are so many.
@cython.locals(at=Py_ssize_t, code=int)
cdef bint says(
    const unsigned char* attrs, Py_ssize_t start, Py_ssize_t stop, const unsigned char* word, Py_ssize_t size
) except -1 nogil


cdef inline int check_attributes(Ints attr_at, Py_ssize_t rows, Py_ssize_t count) except -1:
    # Without a branch, so that the C compiler makes vector instructions of it.
    cdef Py_ssize_t row
    cdef int odd = 0
    for row in range(rows):
        odd |= attr_at[row + 1] < attr_at[row]
    if odd or attr_at[0] < 0 or attr_at[rows] > count:
        raise IndexError("an attribute outside of the page")
    return 0
