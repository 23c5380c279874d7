cimport cython

from duramen.algorithms.learned.kinds cimport CLASS, COMPONENT, ID, ITEMPROP, ITEMTYPE, TESTID, check_attributes, kind_of
from duramen.algorithms.learned.needles cimport Needles
from duramen.measure.buffers cimport Ints, NewInts, Octets, ints, new_ints, octets

cdef enum:
    IS_HEADING = 1

cdef Needles _NAMES, _SCHEMA, _HEADED
cdef const unsigned char[::1] _KINDS


@cython.locals(
    names=Ints, values=Ints, attr_at=Ints, source=bytes, length=Py_ssize_t, attrs="const unsigned char*",
    rows=Py_ssize_t, count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, kind=int, found=list,
)
cpdef list named_sections(object page)

@cython.locals(
    tag=Ints, end=Ints, words=Ints, text_at=Ints, inside=Octets, never=Octets, seen=NewInts, source=bytes,
    length=Py_ssize_t, text="const unsigned char*", rows=Py_ssize_t, row=Py_ssize_t, other=int, total="long long",
    below="long long", left=int, found=list,
)
cpdef list headed_sections(object page, object sections, object running, int most, int heading_words)
