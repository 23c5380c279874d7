cimport cython

from duramen.algorithms.learned.kinds cimport CLASS, COMPONENT, ID, ITEMPROP, ITEMTYPE, TESTID, kind_of
from duramen.algorithms.learned.needles cimport Needles

cdef enum:
    IS_HEADING = 1

cdef Needles _NAMES, _SCHEMA, _HEADED
cdef const unsigned char[::1] _KINDS


@cython.locals(
    names="const int[::1]", values="const int[::1]", attr_at="const int[::1]", source=bytes, length=Py_ssize_t, attrs="const unsigned char*",
    rows=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, kind=int, found=list,
)
cpdef list named_sections(object page)

@cython.locals(
    tag="const int[::1]", end="const int[::1]", words="const int[::1]", text_at="const int[::1]",
    source=bytes, length=Py_ssize_t, text="const unsigned char*", rows=Py_ssize_t, row=Py_ssize_t, other=int, total="long long", below="long long",
    left=int, found=list,
)
cpdef list headed_sections(
    object page,
    const unsigned char[::1] inside,
    unsigned char[::1] never,
    int[::1] seen,
    int most,
    int heading_words,
)
