cimport cython

from duramen.algorithms.learned.kinds cimport CLASS, COMPONENT, ID, ITEMPROP, ITEMTYPE, TESTID, check_attributes
from duramen.algorithms.learned.needles cimport Needles
from duramen.algorithms.learned.sight cimport COMMENT_TYPE, COMMENT_WORD, KIND
from duramen.measure.buffers cimport Ints, Octets, check_tree, ints, octets

cdef enum:
    IS_HEADING = 1

cdef Needles _HEADED
cdef const unsigned char[::1] _KINDS


@cython.locals(
    names=Ints, values=Ints, attr_at=Ints, kinds=Octets, rows=Py_ssize_t, count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t,
    kind=int, found=list,
)
cpdef list named_sections(object page, object attribute_kinds)

@cython.locals(
    tag=Ints, parent=Ints, end=Ints, text_at=Ints, inside=Octets, seen=Ints, source=bytes,
    length=Py_ssize_t, text="const unsigned char*", rows=Py_ssize_t, row=Py_ssize_t, other=int, below="long long", left=int,
    found=list,
)
cpdef list headed_sections(object page, object sections, object running, int most, int heading_words)
