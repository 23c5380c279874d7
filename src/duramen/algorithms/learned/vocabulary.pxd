cimport cython

cdef extern from *:
    """
    
    #include <string.h>
    #define DURAMEN_BASE 0x9E3779B97F4A7C15ULL
    #define DURAMEN_MIX 0xD6E8FEB86659FD93ULL
    #define DURAMEN_MASK 0xFFFFFFFFFFFFFFFFULL
    /* Eight bytes at a time; the tail is padded with zeros, and the size is part of the sum. */
    static unsigned long long duramen_digest(const unsigned char *at, Py_ssize_t size) {
        unsigned long long sum = (unsigned long long) size * 0x9E3779B97F4A7C15u, next;
        while (size >= 8) {
            memcpy(&next, at, 8);
            sum = (sum ^ next) * 0xD6E8FEB86659FD93u;
            sum ^= sum >> 32;
            at += 8;
            size -= 8;
        }
        if (size > 0) {
            next = 0;
            memcpy(&next, at, (size_t) size);
            sum = (sum ^ next) * 0xD6E8FEB86659FD93u;
            sum ^= sum >> 32;
        }
        return sum;
    }
    """
    unsigned long long duramen_digest(const unsigned char* at, Py_ssize_t size) noexcept nogil
    const unsigned long long BASE "DURAMEN_BASE"
    const unsigned long long MIX "DURAMEN_MIX"
    const unsigned long long MASK "DURAMEN_MASK"

from libc.string cimport memcmp

cdef enum:
    WORD = 1
    CAPITAL = 2
    DIGIT = 4
    SIGN = 8
    QUESTION = 16
    WIDE = 32

cdef enum:
    BLANK = 1
    LETTER = 2
    UPPER = 4

cpdef enum:
    DIGITS = 0
    CAPITALS = 1
    SIGNS = 2
    QUESTIONS = 3
    SIZE = 4
    FIRST = 5
    LAST = 6

cdef enum:
    PROBES = 16

cdef const unsigned char[::1] _BYTES, _LETTERS, _SPELLED, _CLASS, _ID, _ROLE, _ITEMPROP


cdef inline unsigned long long digest(const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t stop) except? 0 nogil:
    if start < 0 or start >= stop or stop > source.shape[0]:
        raise IndexError("value outside the attributes")
    return duramen_digest(&source[start], stop - start)


cdef inline bint equal(
    const unsigned char[::1] source, Py_ssize_t one, Py_ssize_t other, Py_ssize_t size
) except -1 nogil:
    if one < 0 or other < 0 or size <= 0 or one + size > source.shape[0] or other + size > source.shape[0]:
        raise IndexError("value outside the attributes")
    return memcmp(&source[one], &source[other], size) == 0


cpdef unsigned long long mixed(unsigned long long value) noexcept nogil

@cython.locals(
    text="const unsigned char[::1]", text_at="const int[::1]", kinds="const unsigned char[::1]", count=Py_ssize_t, k=Py_ssize_t, j=Py_ssize_t,
    place=Py_ssize_t, stop=Py_ssize_t, last=Py_ssize_t, total="unsigned long long", value="unsigned long long", power="unsigned long long", code="unsigned long long",
    kind=int, width=int, begun=int, digits=int, capitals=int, signs=int, questions=int, size=int,
)
cpdef Py_ssize_t read_words(
    object page,
    const int[::1] at,
    const int[::1] rows,
    unsigned int[::1] word_hash,
    int[::1] word_at,
    unsigned long long[::1] said,
    int[:, ::1] marks,
) except -1

@cython.locals(code=int, after=int)
cdef inline int script_at(const unsigned char[::1] text, Py_ssize_t place, Py_ssize_t stop) except -9 nogil

@cython.locals(value="unsigned long long", power="unsigned long long", code="unsigned long long", place=Py_ssize_t)
cdef inline unsigned long long hash_bytes(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except? 0 nogil

@cython.locals(
    attrs="const unsigned char[::1]", attr_at="const int[::1]", name_at="const int[::1]", value_at="const int[::1]",
    mask="unsigned long long", count=Py_ssize_t, distinct=Py_ssize_t, size=Py_ssize_t, row=Py_ssize_t, k=Py_ssize_t,
    start=Py_ssize_t, stop=Py_ssize_t, key="unsigned long long", slot="unsigned long long", number=Py_ssize_t, known=Py_ssize_t, _=int,
)
cpdef tuple find_values(
    object page, int[::1] table, int[:, ::1] named, int[:, ::1] values, unsigned long long[::1] digests
)

@cython.locals(first=int, letters="const unsigned char[::1]", place=Py_ssize_t)
cdef inline bint names_something(const unsigned char[::1] attrs, Py_ssize_t at, Py_ssize_t size) except -1 nogil

@cython.locals(
    attrs="const unsigned char[::1]", letters="const unsigned char[::1]", spelled="const unsigned char[::1]",
    found=Py_ssize_t, number=Py_ssize_t, place=Py_ssize_t, stop=Py_ssize_t,
    end=Py_ssize_t, first=Py_ssize_t, start=Py_ssize_t, value="unsigned long long", power="unsigned long long",
)
cpdef Py_ssize_t read_names(
    object page, const int[:, ::1] values, Py_ssize_t count, int[::1] name_at, unsigned int[::1] name_hash
) except -1

@cython.locals(value="unsigned long long", power="unsigned long long", code="unsigned long long")
cpdef list hash_names(str text)
