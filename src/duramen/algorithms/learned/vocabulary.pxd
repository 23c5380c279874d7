cimport cython

cdef extern from *:
    """
    #define DURAMEN_BASE 0x9E3779B97F4A7C15ULL
    #define DURAMEN_MIX 0xD6E8FEB86659FD93ULL
    #define DURAMEN_MASK 0xFFFFFFFFFFFFFFFFULL
    """
    const unsigned long long BASE "DURAMEN_BASE"
    const unsigned long long MIX "DURAMEN_MIX"
    const unsigned long long MASK "DURAMEN_MASK"

cdef enum:
    WORD = 1
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
    HALF = 32

cdef const unsigned char[::1] _BYTES, _LOWER_CASE, _LETTERS, _SPELLED
cdef const unsigned long long[::1] _TALLY


cdef inline unsigned long long mixed(unsigned long long value) noexcept nogil:
    value = value ^ (value >> 32)
    return (value * MIX) >> 32


@cython.locals(
    text="const unsigned char[::1]", text_at="const int[::1]", kinds="const unsigned char[::1]", lower="const unsigned char[::1]",
    counted="const unsigned long long[::1]", blocks=Py_ssize_t, room=Py_ssize_t, tally="unsigned long long", digits="unsigned long long", count=Py_ssize_t, k=Py_ssize_t, j=Py_ssize_t,
    place=Py_ssize_t, stop=Py_ssize_t, last=Py_ssize_t, total="unsigned long long", value="unsigned long long", power="unsigned long long", code="unsigned long long",
    kind=int, width=int, begun=int, signs=int, questions=int, size=int,
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
    attrs="const unsigned char[::1]", letters="const unsigned char[::1]", spelled="const unsigned char[::1]",
    room=Py_ssize_t, found=Py_ssize_t, number=Py_ssize_t, place=Py_ssize_t, stop=Py_ssize_t, name=Py_ssize_t, first=Py_ssize_t,
    start=Py_ssize_t, before=int, kind=int, code=int, whole="unsigned long long", rise="unsigned long long",
    value="unsigned long long", power="unsigned long long",
)
cpdef Py_ssize_t read_names(
    object page, const int[:, ::1] values, Py_ssize_t count, int[::1] name_at, unsigned int[::1] name_hash
) except -1

@cython.locals(value="unsigned long long", power="unsigned long long", code="unsigned long long")
cpdef list hash_names(str text)
