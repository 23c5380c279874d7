cimport cython

from duramen.algorithms.learned.hiding cimport SMALL
from duramen.algorithms.learned.kinds cimport CLASS, ID, check_attributes, kind_of
from duramen.algorithms.learned.sight cimport KIND
from duramen.measure.buffers cimport Ints, NewOctets, Octets, check_tree, ints, new_octets, octets

cdef extern from "duramen/algorithms/learned/sheets.h":
    Py_ssize_t sheet_brace(const unsigned char* sheet, Py_ssize_t at, Py_ssize_t stop) noexcept nogil
    Py_ssize_t sheet_word(const unsigned char* sheet, Py_ssize_t at, Py_ssize_t stop) noexcept nogil

cdef const unsigned char[::1] _NAME_BYTES
cdef int _STYLE_TAG
cdef const unsigned char* _NONE
cdef const unsigned char* _HIDDEN


cdef inline unsigned int low(unsigned int value) noexcept nogil:
    return value


@cython.locals(
    rows=Py_ssize_t, count=Py_ssize_t, tag=Ints, parent=Ints, end=Ints, text_at=Ints, text=bytes, row=Py_ssize_t,
    start=Py_ssize_t, stop=Py_ssize_t, parts=list, raw_rows=Ints, starts=Ints, stops=Ints, source=bytes, k=Py_ssize_t, raw=bint,
)
cpdef bytes style_sheet(object page, Py_ssize_t most)

@cython.locals(
    attr_at=Ints, names=Ints, values=Ints, kinds=Octets, marks=Octets, called=NewOctets, source=bytes, length=Py_ssize_t,
    attrs="const unsigned char*", rows=Py_ssize_t, count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, start=Py_ssize_t,
    stop=Py_ssize_t, kind=int, hashed="unsigned int",
)
cpdef int mark_called(object page, object marked, object attribute_kinds, object bits) except -1

@cython.locals(
    sheet="const unsigned char*", size=Py_ssize_t, hit=Py_ssize_t, last=Py_ssize_t, opened=Py_ssize_t,
    begin=Py_ssize_t, alone=bint, hashed="unsigned int",
)
cpdef bint may_hide(bytes source, object bits) except -1

@cython.locals(at=Py_ssize_t)
cdef Py_ssize_t _past_comment(const unsigned char* sheet, Py_ssize_t start, Py_ssize_t stop) except -1 nogil

cdef Py_ssize_t _past_blanks(const unsigned char* sheet, Py_ssize_t at, Py_ssize_t stop) except -1 nogil

@cython.locals(
    attr_at="const int[::1]", names="const int[::1]", values="const int[::1]", source=bytes, length=Py_ssize_t, attrs="const unsigned char*",
    rows=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, start=Py_ssize_t, stop=Py_ssize_t, begin=Py_ssize_t, kind=int,
    found=list,
)
cpdef list names_like(object page, const unsigned char[::1] marks, const unsigned char[::1] likely)

@cython.locals(
    sheet="const unsigned char*", size=Py_ssize_t, at=Py_ssize_t, hit=Py_ssize_t, closed=Py_ssize_t, begin=Py_ssize_t,
    opened=Py_ssize_t, last=Py_ssize_t, end=Py_ssize_t, depth=int, commented=bint, found=list,
)
cpdef list hiding_rules(bytes source, int most)

# These read up to sheet[size - 1]: callers see to it that there are so many.
@cython.locals(at=Py_ssize_t, hides=bint)
cdef Py_ssize_t _next_hiding(const unsigned char* sheet, Py_ssize_t start, Py_ssize_t size) except -1 nogil

@cython.locals(at=Py_ssize_t)
cdef Py_ssize_t _end_of_comment(const unsigned char* sheet, Py_ssize_t start, Py_ssize_t size) except -1 nogil

@cython.locals(k=Py_ssize_t)
cdef bint _declares(
    const unsigned char* sheet, Py_ssize_t at, Py_ssize_t size, const unsigned char* value, Py_ssize_t letters
) except -1 nogil
