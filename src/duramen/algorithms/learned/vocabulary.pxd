cimport cython

from duramen.measure.buffers cimport Ints, NewInts, Octets, ints, new_ints, new_longs, octets, room

ctypedef unsigned int* NewHashes
ctypedef unsigned long long* NewSums
ctypedef const unsigned long long* Sums

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
    POWERS = 32
    KIND = 8
    SPELT = 255

cdef const unsigned char[::1] _BYTES, _LOWER_CASE, _SPELLED
cdef const unsigned long long[::1] _TALLY, _NAME_BYTES, _POWERS


cdef inline NewHashes new_hashes(object array, Py_ssize_t size) except? NULL:
    return <NewHashes> new_ints(array, size)


cdef inline NewSums new_sums(object array, Py_ssize_t size) except? NULL:
    return <NewSums> new_longs(array, size)


cdef inline Sums sums_of(const unsigned long long[::1] numbers) noexcept:
    return &numbers[0]


cdef inline Ints further(Ints buffer, Py_ssize_t entries) noexcept:
    return buffer + entries


cdef inline unsigned long long mixed(unsigned long long value) noexcept nogil:
    value = value ^ (value >> 32)
    return (value * MIX) >> 32


@cython.locals(
    blocks=Py_ssize_t, texts=Py_ssize_t, most=Py_ssize_t, at=Ints, rows=Ints, word_at=NewInts, word_hash=NewHashes, said=NewSums,
    marks=NewInts,
)
cpdef Py_ssize_t read_words(
    object page, object at_of, object rows_of, object hashes, object begins, object sums, object counts
) except -1

@cython.locals(
    length=Py_ssize_t, end=Ints, text_at=Ints, size=Py_ssize_t, texts=Py_ssize_t, most=Py_ssize_t, at=NewInts, rows=NewInts,
    word_hash=NewHashes, word_at=NewInts, marks=NewInts, k=Py_ssize_t, count=Py_ssize_t,
)
cpdef object read_title(object page, Py_ssize_t title)

@cython.locals(
    length=Py_ssize_t, text_at=Ints, kinds=Octets, lower=Octets, counted=Sums, powers=Sums, source=bytes, text=Octets,
    bytes_of_text=Py_ssize_t, tally="unsigned long long", digits="unsigned long long", count=Py_ssize_t, k=Py_ssize_t, j=Py_ssize_t,
    place=Py_ssize_t, stop=Py_ssize_t, last=Py_ssize_t, total="unsigned long long", value="unsigned long long", power="unsigned long long",
    code="unsigned int", kind=int, width=int, begun=Py_ssize_t, signs=int, questions=int, size=int,
)
cdef Py_ssize_t read_blocks(
    object page, Ints at, Ints rows, Py_ssize_t blocks, Py_ssize_t texts, NewHashes word_hash, Py_ssize_t most,
    NewInts word_at, NewSums said, NewInts marks
) except -1

@cython.locals(code=int, after=int)
cdef inline int script_at(Octets text, Py_ssize_t place, Py_ssize_t stop) noexcept nogil

@cython.locals(value="unsigned long long", power="unsigned long long", code="unsigned long long", place=Py_ssize_t)
cdef inline unsigned long long hash_bytes(Octets text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil

@cython.locals(
    count=Py_ssize_t, most=Py_ssize_t, starts=Ints, stops=Ints, name_at=NewInts, name_hash=NewHashes, known=Sums, fact="unsigned long long",
    source=bytes, attrs=Octets, length=Py_ssize_t, found=Py_ssize_t, number=Py_ssize_t, place=Py_ssize_t, stop=Py_ssize_t,
    name=Py_ssize_t, first=Py_ssize_t, start=Py_ssize_t, before="unsigned long long", whole="unsigned long long",
    rise="unsigned long long", value="unsigned long long", power="unsigned long long",
)
cpdef Py_ssize_t read_names(object page, object values, object begins, object hashes) except -1

@cython.locals(value="unsigned long long", power="unsigned long long", code="unsigned long long")
cpdef list hash_names(str text)
