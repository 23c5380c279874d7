# The compiled twin of bulk.py. Every function checks its range first; what it calls in bulk.h stays inside it.

cimport numpy
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject_GenericSetAttr
from libc.string cimport memchr, memcmp, memcpy, memmove

ctypedef const unsigned char[::1] Bytes

cdef extern from "duramen/parse/bulk.h" nogil:
    ctypedef struct BulkCounts:
        Py_ssize_t bytes, solids, starts, stops

    Py_ssize_t bulk_copy_until(
        unsigned char* to, Py_ssize_t room, const unsigned char* source, Py_ssize_t length, int one, int two, int three
    )
    int bulk_check(const unsigned char* byte, Py_ssize_t length)
    BulkCounts bulk_count(const unsigned char* byte, Py_ssize_t length, Py_ssize_t readable, int after_space)
    long long bulk_pack_name(const unsigned char* byte, Py_ssize_t length, const unsigned char* letters)
    Py_ssize_t bulk_attributes(
        const unsigned char* byte, Py_ssize_t length, unsigned char* to, int* starts, int* values, int* keys,
        Py_ssize_t* count, Py_ssize_t most, unsigned long long wanted, unsigned int* noticed
    )
    int bulk_ends_name(const unsigned char* byte, Py_ssize_t length, long long packed)
    Py_ssize_t bulk_not_below(const int* number, Py_ssize_t row, Py_ssize_t rows, int limit)
    Py_ssize_t bulk_marked(const unsigned char* flags, Py_ssize_t row, Py_ssize_t rows, int mark)
    int bulk_reference(const unsigned char* byte, Py_ssize_t length)
    Py_ssize_t bulk_short_text(
        const unsigned char* byte, Py_ssize_t length, unsigned char* to, BulkCounts* counts, int* ends_in_space
    )
    long long bulk_read_name(
        const unsigned char* byte, Py_ssize_t length, const unsigned char* letters, unsigned char* to, Py_ssize_t room,
        int of_attribute
    )

cdef enum:
    CHUNK = 16384
    PACKED = 7
    NOT_UTF8 = -1
    HAS_NUL = 1
    HAS_RETURN = 2


cdef inline Py_ssize_t find(const unsigned char[::1] page, int byte, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
    cdef const unsigned char* first
    cdef const unsigned char* hit
    if start >= stop:
        return stop
    if start < 0 or stop > page.shape[0]:
        raise IndexError("search outside the page")
    first = &page[start]
    hit = <const unsigned char*> memchr(first, byte, stop - start)
    return stop if hit == NULL else start + (hit - first)


cdef inline Py_ssize_t copy(
    unsigned char[::1] target, Py_ssize_t at, const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t stop
) except -1 nogil:
    cdef Py_ssize_t length = stop - start
    if length <= 0:
        return at
    if start < 0 or stop > source.shape[0] or at < 0 or at + length > target.shape[0]:
        raise IndexError("copy outside a buffer")
    memmove(&target[at], &source[start], length)  # within one buffer they may overlap
    return at + length


cdef inline bytes cut(const unsigned char[::1] buffer, Py_ssize_t start, Py_ssize_t stop):
    if start < 0 or start > stop or stop > buffer.shape[0]:
        raise IndexError("copy outside a buffer")
    return PyBytes_FromStringAndSize(<const char*> &buffer[start] if start < stop else NULL, stop - start)


cdef inline char* put_ints(
    char* out, const int[:, ::1] table, Py_ssize_t first, Py_ssize_t last, Py_ssize_t length
) except NULL:
    cdef Py_ssize_t field, size = length * sizeof(int)
    if first < 0 or first > last or last > table.shape[0] or length < 0 or length > table.shape[1]:
        raise IndexError("copy outside an array")
    for field in range(first, last):
        if size > 0:
            memcpy(out + (field - first) * size, &table[field, 0], size)
    return out + (last - first) * size


cdef inline bytes cut_ints(
    const int[:, ::1] rows, Py_ssize_t exact, Py_ssize_t count, const int[:, ::1] attributes, Py_ssize_t number,
    const int[:, ::1] raw, Py_ssize_t raws,
):
    cdef Py_ssize_t fields = rows.shape[0], size
    cdef bytes joined
    cdef char* out
    if exact < 0 or exact > fields or count < 0 or number < 0 or raws < 0:
        raise IndexError("copy outside an array")
    size = exact * count + (fields - exact) * (count + 1) + 2 * number + 1 + raw.shape[0] * raws
    joined = PyBytes_FromStringAndSize(NULL, size * sizeof(int))
    out = put_ints(PyBytes_AS_STRING(joined), rows, 0, exact, count)
    out = put_ints(out, rows, exact, fields, count + 1)
    out = put_ints(out, attributes, 0, 1, number + 1)
    out = put_ints(out, attributes, 1, 2, number)
    put_ints(out, raw, 0, raw.shape[0], raws)
    return joined


cdef inline Py_ssize_t not_below(const int[::1] number, Py_ssize_t row, Py_ssize_t rows, int limit) except -1 nogil:
    if row >= rows:
        return rows
    if row < 0 or rows > number.shape[0]:
        raise IndexError("search outside an array")
    return bulk_not_below(&number[0], row, rows, limit)


cdef inline Py_ssize_t marked(const unsigned char[::1] flags, Py_ssize_t row, Py_ssize_t rows, int mark) except -1 nogil:
    if row >= rows:
        return rows
    if row < 0 or rows > flags.shape[0]:
        raise IndexError("search outside an array")
    return bulk_marked(&flags[0], row, rows, mark)


cdef inline int ready_arrays() except -1:
    numpy.import_array()
    return 0


cdef inline object int_array(bytes store, Py_ssize_t start, Py_ssize_t length):
    cdef numpy.npy_intp size = length
    if start < 0 or length < 0 or (start + length) * <Py_ssize_t> sizeof(int) > len(store):
        raise IndexError("array outside a buffer")
    array = numpy.PyArray_SimpleNewFromData(1, &size, numpy.NPY_INT32, PyBytes_AS_STRING(store) + start * sizeof(int))
    return kept_by(store, array)


cdef inline object byte_array(bytes store):
    cdef numpy.npy_intp size = len(store)
    return kept_by(store, numpy.PyArray_SimpleNewFromData(1, &size, numpy.NPY_UINT8, PyBytes_AS_STRING(store)))


cdef inline object kept_by(bytes store, numpy.ndarray array):
    """An array that keeps its bytes alive and cannot write to them."""
    numpy.PyArray_CLEARFLAGS(array, numpy.NPY_ARRAY_WRITEABLE)
    numpy.set_array_base(array, store)
    return array


cdef inline int put(object target, object name, object value) except -1:
    return PyObject_GenericSetAttr(target, name, value)


cdef inline Py_ssize_t copy_until(
    unsigned char[::1] target,
    Py_ssize_t at,
    const unsigned char[::1] source,
    Py_ssize_t start,
    Py_ssize_t stop,
    int one,
    int two,
    int three,
) except -1 nogil:
    if start >= stop:
        return 0
    if start < 0 or stop > source.shape[0] or at < 0 or at + (stop - start) > target.shape[0]:
        raise IndexError("copy outside a buffer")
    return bulk_copy_until(&target[at], target.shape[0] - at, &source[start], stop - start, one, two, three)


cdef inline Py_ssize_t copy_lines(
    unsigned char[::1] target, Py_ssize_t at, const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t stop
) except -1 nogil:
    cdef Py_ssize_t done
    while start < stop:
        done = copy_until(target, at, source, start, stop, 0x0D, 0x0D, 0x0D)
        start += done + 1
        at += done
        if start <= stop and (start == stop or source[start] != 0x0A):
            target[at] = 0x0A
            at += 1
    return at


cdef inline Py_ssize_t skip(
    const unsigned char[::1] page, Py_ssize_t start, Py_ssize_t stop, const unsigned char[::1] kinds, int kind
) except -1 nogil:
    cdef const unsigned char* byte
    cdef const unsigned char* kind_of
    if start >= stop:
        return stop
    if start < 0 or stop > page.shape[0] or kinds.shape[0] < 256:
        raise IndexError("search outside the page")
    byte = &page[0]
    kind_of = &kinds[0]
    while start < stop and kind_of[byte[start]] & kind:
        start += 1
    return start


cdef inline long long pack_name(
    const unsigned char[::1] page, Py_ssize_t start, Py_ssize_t stop, const unsigned char[::1] letters
) except -1 nogil:
    if start >= stop:
        return 0
    if start < 0 or stop > page.shape[0] or letters.shape[0] < 256:
        raise IndexError("name outside the page")
    return bulk_pack_name(&page[start], stop - start, &letters[0])


cdef inline int ends_name(
    const unsigned char[::1] page, Py_ssize_t start, Py_ssize_t stop, long long packed
) except -1 nogil:
    if start < 0 or start >= stop or stop > page.shape[0]:
        raise IndexError("name outside the page")
    return bulk_ends_name(&page[start], stop - start, packed)


cdef inline long long read_name(
    const unsigned char[::1] page,
    Py_ssize_t start,
    Py_ssize_t stop,
    const unsigned char[::1] letters,
    unsigned char[::1] target,
    Py_ssize_t at,
    int of_attribute,
) except -1 nogil:
    if start >= stop:
        return 0
    if start < 0 or stop > page.shape[0] or letters.shape[0] < 256 or at < 0 or at >= target.shape[0]:
        raise IndexError("name outside the page")
    return bulk_read_name(&page[start], stop - start, &letters[0], &target[at], target.shape[0] - at, of_attribute)


cdef inline Py_ssize_t read_plain(
    const unsigned char[::1] page,
    Py_ssize_t start,
    Py_ssize_t stop,
    unsigned char[::1] target,
    int[::1] starts,
    int[::1] values,
    int[::1] keys,
    Py_ssize_t first,
    Py_ssize_t count,
    Py_ssize_t most,
    unsigned long long wanted,
) except -1 nogil:
    cdef Py_ssize_t at, number = count
    cdef unsigned int noticed = 0
    if start < 0 or start >= stop or stop > page.shape[0]:
        raise IndexError("attribute outside the page")
    if first < 0 or count < 0 or most > 12 or starts.shape[0] <= first + most:
        raise IndexError("attribute outside an array")
    if values.shape[0] < first + most or keys.shape[0] < first + most or count >= most:
        return 0
    at = starts[first + count]
    if at < 0 or at + (stop - start) > target.shape[0]:
        raise IndexError("copy outside a buffer")
    start += bulk_attributes(
        &page[start], stop - start, &target[at], &starts[first], &values[first], &keys[first], &number, most,
        wanted, &noticed,
    )
    return start << 18 | <Py_ssize_t> noticed << 6 | (number - count) if number > count else 0


cdef inline Py_ssize_t read_short(
    const unsigned char[::1] page, Py_ssize_t start, Py_ssize_t stop, unsigned char[::1] target, Py_ssize_t at
) except -1 nogil:
    cdef BulkCounts counts
    cdef int ends_in_space = 0
    cdef Py_ssize_t length = stop - start
    if start < 0 or length < 0 or stop > page.shape[0] or at < 0 or at + length > target.shape[0]:
        raise IndexError("copy outside a buffer")
    if bulk_short_text(&page[start], length, &target[at], &counts, &ends_in_space) == 0:
        return 0
    return counts.bytes | counts.solids << 8 | counts.starts << 16 | counts.stops << 24 | <Py_ssize_t> ends_in_space << 32


cdef inline int frequent_reference(const unsigned char[::1] page, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
    if start < 0 or start >= stop or stop > page.shape[0]:
        raise IndexError("reference outside the page")
    return bulk_reference(&page[start], stop - start)


cdef inline int same(
    const unsigned char[::1] one, Py_ssize_t at, const unsigned char[::1] other, Py_ssize_t start, Py_ssize_t length
) except -1 nogil:
    if length <= 0:
        return True
    if at < 0 or at + length > one.shape[0] or start < 0 or start + length > other.shape[0]:
        return False
    return memcmp(&one[at], &other[start], length) == 0


cdef inline long long ascii_counts(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, int after_space
) except -1 nogil:
    cdef BulkCounts counts
    cdef Py_ssize_t length = stop - start
    if length <= 0:
        return 0
    if start < 0 or stop > text.shape[0]:
        raise IndexError("count outside the text")
    if length > CHUNK:
        length = CHUNK
    counts = bulk_count(&text[start], length, text.shape[0] - start, after_space)
    return counts.bytes | <long long> counts.solids << 15 | <long long> counts.starts << 30 | <long long> counts.stops << 45


cdef inline int check(const unsigned char[::1] page) noexcept nogil:
    return bulk_check(&page[0], page.shape[0]) if page.shape[0] else 0
