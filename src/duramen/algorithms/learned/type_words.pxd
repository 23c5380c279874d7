cimport cython
from libc.string cimport memcpy

from duramen.algorithms.learned.kinds cimport (
    CLASS, CONTENT, ID, ITEMPROP, ITEMTYPE, NAME, PROPERTY, REL, ROLE, SRC, TYPE, check_attributes, kind_of, says
)
from duramen.algorithms.learned.needles cimport Needles
from duramen.measure.buffers cimport Ints, ints

cdef enum:
    OTHER_BYTE = 0
    BLANK = 1
    SMALL_LETTER = 2
    CAPITAL = 3

cdef enum:
    IS_FRAME = 1
    IS_HEADING = 2
    IS_TITLE = 4
    IS_LABEL = 8

cdef enum:
    NAMED = 1
    FRAMED = 2
    HEADED = 3
    TITLED = 4
    LABELLED = 5
    META = 6
    OG_TYPE = 7
    GENERATOR = 8
    SCRIPT = 9
    LINKED_TYPE = 10
    FIRST_TYPE = 11
    PATH = 12
    FIRST_PART = 13
    HOST = 14

cdef unsigned long long _BASE, _MIX
cdef unsigned int _SALT
cdef Py_ssize_t _LONGEST
cdef const unsigned long long[::1] _POWERS, _INVERSES
cdef const unsigned char[::1] _SORTS, _NAME_CODES, _WORD_CODES, _KINDS
cdef Needles _LINKED_DATA, _TYPE_KEY
cdef int _META_TAG, _SCRIPT_TAG, _LINK_TAG
cdef const unsigned char* _OG_TYPE_KEY
cdef const unsigned char* _GENERATOR_KEY
cdef const unsigned char* _CANONICAL


cdef inline unsigned long long low(unsigned long long value) noexcept nogil:
    return value


cdef inline unsigned long long value_hash(
    const unsigned char* data, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """A hash of some bytes, taken eight at a time. Only whether two are equal matters, not their bytes' order."""
    cdef unsigned long long value = stop - start, word
    cdef Py_ssize_t at = start
    while at + 8 <= stop:
        memcpy(&word, data + at, 8)
        value = (value ^ word) * _MIX
        value ^= value >> 32
        at += 8
    if at < stop:
        word = 0
        memcpy(&word, data + at, stop - at)
        value = (value ^ word) * _MIX
        value ^= value >> 32
    return value


cdef inline unsigned int lowest(unsigned long long value) noexcept nogil:
    return <unsigned int> value


@cython.final
cdef class Told:
    cdef bint collects
    cdef readonly set every
    cdef const unsigned int[::1] hashes
    cdef const int[::1] starts
    cdef const unsigned char[::1] likely
    cdef unsigned char[::1] marks

    @cython.locals(hashed="unsigned int", at=Py_ssize_t, stop=Py_ssize_t)
    cdef int tell(self, unsigned long long value, unsigned int salt) except -1

    # These read data[start] .. data[stop - 1]: callers see to it that there are so many.
    @cython.locals(
        at=Py_ssize_t, size=Py_ssize_t, part_at=Py_ssize_t, sort=int, before=int, name="unsigned long long",
        part="unsigned long long",
    )
    cdef int tell_names(self, const unsigned char* data, Py_ssize_t start, Py_ssize_t stop, bint framed) except -1

    cdef int tell_name(self, unsigned long long value, bint framed) except -1

    @cython.locals(
        at=Py_ssize_t, code=int, second=int, cut=int, size=int, inside=bint, word="unsigned long long",
        power="unsigned long long",
    )
    cdef int tell_words(
        self, const unsigned char* data, Py_ssize_t start, Py_ssize_t stop, unsigned int salt
    ) except -1

    @cython.locals(
        at=Py_ssize_t, code=int, letters=int, told=int, word="unsigned long long", power="unsigned long long"
    )
    cdef int tell_letters(
        self, const unsigned char* data, Py_ssize_t start, Py_ssize_t stop, unsigned int salt, int most
    ) except -1

    @cython.locals(at=Py_ssize_t, code=int, word="unsigned long long", power="unsigned long long")
    cdef int tell_lowered(
        self, const unsigned char* data, Py_ssize_t start, Py_ssize_t stop, unsigned int salt
    ) except -1

    @cython.locals(at=Py_ssize_t, begin=Py_ssize_t, first=bint)
    cdef int tell_types(self, const unsigned char* data, Py_ssize_t start, Py_ssize_t stop) except -1


cdef bint _ideograph(const unsigned char* data, Py_ssize_t at, Py_ssize_t stop) noexcept nogil

@cython.locals(
    tag=Ints, attr_at=Ints, names=Ints, values=Ints, source=bytes,
    attrs="const unsigned char*", length=Py_ssize_t, rows=Py_ssize_t, count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, other=int,
    kind=int, framed=bint, value="unsigned long long", mask="unsigned long long",
)
cpdef int tell_attributes(
    object page, Told told, unsigned long long[::1] classes, unsigned long long[::1] known
) except -1

@cython.locals(
    tag=Ints, end=Ints, chars=Ints, words=Ints,
    text_at=Ints, source=bytes, text="const unsigned char*", length=Py_ssize_t, rows=Py_ssize_t, count=Py_ssize_t,
    row=Py_ssize_t, other=int, kind=int, heading_until=Py_ssize_t, title_until=Py_ssize_t, label_until=Py_ssize_t,
    heading_left=Py_ssize_t, title_left=Py_ssize_t, label_left=Py_ssize_t, start=Py_ssize_t, size=Py_ssize_t,
)
cpdef int tell_texts(
    object page, const unsigned char[::1] never, Told told, Py_ssize_t text_bytes, int label_words
) except -1

@cython.locals(
    tag="const int[::1]", end="const int[::1]", text_at="const int[::1]", source=bytes, text="const unsigned char*",
    length=Py_ssize_t, held=bytes, attrs="const unsigned char*", size=Py_ssize_t, attr_at=Ints,
    names=Ints, values=Ints, rows=Py_ssize_t, count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, kind=int,
    metas=int, scripts=int, key=Py_ssize_t, content=Py_ssize_t, src=Py_ssize_t, linked=bint, start=Py_ssize_t,
    stop=Py_ssize_t, raw_rows="const int[::1]", starts="const int[::1]", stops="const int[::1]", raw_source=bytes,
    raw_text="const unsigned char*", raw_length=Py_ssize_t, raws=Py_ssize_t, k=Py_ssize_t, raw=bint,
)
cpdef int tell_statements(object page, Told told, int most, Py_ssize_t linked_bytes) except -1

@cython.locals(at=Py_ssize_t, slashes=int, begin=Py_ssize_t, near=bint)
cdef int _tell_host(Told told, const unsigned char* attrs, Py_ssize_t start, Py_ssize_t stop) except -1

@cython.locals(
    tag=Ints, attr_at=Ints, names=Ints, values=Ints, source=bytes,
    attrs="const unsigned char*", length=Py_ssize_t, rows=Py_ssize_t, count=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, left=int,
    kind=int,
)
cpdef Py_ssize_t canonical_row(object page, int most) except -2

cpdef int tell_address(Told told, bytes path, bytes first, bytes host) except -1
