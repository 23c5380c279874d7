cimport cython

from duramen.measure.buffers cimport Ints, NewOctets, ints, new_octets

cdef extern from *:
    """
    #include <string.h>
    /* Whether two to sixteen letters are the same: the first and the last ones, which may be read twice. */
    static inline int duramen_same_letters(const unsigned char *one, const unsigned char *other, Py_ssize_t size) {
        if (size >= 8) {
            unsigned long long a, b, c, d;
            memcpy(&a, one, 8);
            memcpy(&b, other, 8);
            memcpy(&c, one + size - 8, 8);
            memcpy(&d, other + size - 8, 8);
            return ((a ^ b) | (c ^ d)) == 0;
        }
        if (size >= 4) {
            unsigned int a, b, c, d;
            memcpy(&a, one, 4);
            memcpy(&b, other, 4);
            memcpy(&c, one + size - 4, 4);
            memcpy(&d, other + size - 4, 4);
            return ((a ^ b) | (c ^ d)) == 0;
        }
        return one[0] == other[0] && one[1] == other[1] && one[size - 1] == other[size - 1];
    }
    """
    bint duramen_same_letters(const unsigned char* one, const unsigned char* other, Py_ssize_t size) noexcept nogil

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


# Reads so many letters from both places, two at least: callers see to it that there are so many.
cdef inline bint same_letters(
    const unsigned char* attrs, Py_ssize_t start, const unsigned char[::1] letters, Py_ssize_t begin, Py_ssize_t size
) noexcept nogil:
    return duramen_same_letters(attrs + start, &letters[begin], size)


@cython.locals(size=Py_ssize_t, place=int, begin=Py_ssize_t)
cdef int kind_of(
    const unsigned char* attrs, Py_ssize_t length, Py_ssize_t start, Py_ssize_t middle, Py_ssize_t stop
) except -1 nogil

@cython.locals(
    count=Py_ssize_t, names=Ints, values=Ints, found=NewOctets, source=bytes, length=Py_ssize_t,
    attrs="const unsigned char*", at=Py_ssize_t, kind=int, named=Py_ssize_t,
)
cpdef Py_ssize_t fill_kinds(object page, object kinds) except -1

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
