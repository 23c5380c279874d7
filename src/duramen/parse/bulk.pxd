# The compiled twin of bulk.py. Every function checks its range first and reads or writes only inside it.

from libc.string cimport memchr, memcmp, memcpy, memmove

ctypedef const unsigned char[::1] Bytes

cdef enum:
    CHUNK = 16384
    BLOCK = 16
    LONG_BLOCK = 128
    PACKED = 7


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


cdef inline Py_ssize_t copy_lines(
    unsigned char[::1] target, Py_ssize_t at, const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t stop
) except -1 nogil:
    cdef Py_ssize_t end
    while start < stop:
        end = find(source, 0x0D, start, stop)
        at = copy(target, at, source, start, end)
        start = end + 1
        if end < stop and (start == stop or source[start] != 0x0A):
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
    const unsigned char[::1] page, Py_ssize_t start, Py_ssize_t stop, const unsigned char[::1] lowered
) except -1 nogil:
    cdef const unsigned char* byte
    cdef const unsigned char* lower
    cdef long long packed = 0
    cdef Py_ssize_t length = 0
    cdef unsigned char letter
    if start < 0 or stop > page.shape[0] or lowered.shape[0] < 256:
        raise IndexError("name outside the page")
    if start >= stop:
        return 0
    byte = &page[start]
    lower = &lowered[0]
    stop -= start
    while length < stop:
        letter = lower[byte[length]]
        if letter == 0:
            break
        if length == PACKED:
            return 0
        packed = packed << 8 | letter
        length += 1
    return packed << 3 | length


cdef inline long long read_name(
    const unsigned char[::1] page,
    Py_ssize_t start,
    Py_ssize_t stop,
    const unsigned char[::1] lowered,
    unsigned char[::1] target,
    Py_ssize_t at,
) except -1 nogil:
    cdef const unsigned char* byte
    cdef const unsigned char* lower
    cdef unsigned char* to
    cdef unsigned int key = 0
    cdef Py_ssize_t length = 0
    cdef unsigned char letter
    if start >= stop:
        return 0
    if start < 0 or stop > page.shape[0] or lowered.shape[0] < 256 or at < 0 or at >= target.shape[0]:
        raise IndexError("name outside the page")
    if stop - start > target.shape[0] - at:
        stop = start + (target.shape[0] - at)
    byte = &page[start]
    lower = &lowered[0]
    to = &target[at]
    stop -= start
    letter = byte[0]
    if lower[letter]:
        letter = lower[letter]
    while True:
        to[length] = letter
        key = key * 31 + letter
        length += 1
        if length == stop:
            break
        letter = lower[byte[length]]
        if letter == 0:
            break
    return <long long> (key & 0x7FFFFFFF) << 30 | length


cdef inline int same(
    const unsigned char[::1] one, Py_ssize_t at, const unsigned char[::1] other, Py_ssize_t start, Py_ssize_t length
) except -1 nogil:
    if length <= 0:
        return True
    if at < 0 or at + length > one.shape[0] or start < 0 or start + length > other.shape[0]:
        return False
    return memcmp(&one[at], &other[start], length) == 0


cdef inline unsigned char not_space(unsigned char byte) noexcept nogil:
    return (<unsigned char> (byte - 9) > 4) & (<unsigned char> (byte - 28) > 4)


cdef inline int has_high(const unsigned char* byte, int length) noexcept nogil:
    """Whether one of `length` bytes, a multiple of eight, is not ASCII."""
    cdef unsigned long long word, high = 0
    cdef int k
    for k in range(0, length, 8):
        memcpy(&word, byte + k, 8)
        high |= word
    return (high & 0x8080808080808080ULL) != 0


cdef inline long long count_block(const unsigned char* byte, int length) noexcept nogil:
    """The figures of ascii_counts for a block of a fixed length: the C compiler makes vector instructions of it."""
    cdef unsigned char solids = 0, starts = 0, stops = 0
    cdef int k
    for k in range(length):
        solids += not_space(byte[k])
        starts += not_space(byte[k]) & (not_space(byte[k - 1]) ^ 1)
        stops += (byte[k] == 0x2E) | (byte[k] == 0x2C)
    return length | <long long> solids << 15 | <long long> starts << 30 | <long long> stops << 45


cdef inline long long ascii_counts(
    const unsigned char[::1] text,
    Py_ssize_t start,
    Py_ssize_t stop,
    int after_space,
    const long long[::1] steps,
) except -1 nogil:
    cdef const unsigned char* byte
    cdef const unsigned char* last
    cdef const long long* step_of
    cdef long long done = 0, total = 0
    cdef Py_ssize_t state = 128 if after_space else 0
    cdef Py_ssize_t length = stop - start
    if length <= 0:
        return 0
    if start < 0 or stop > text.shape[0] or steps.shape[0] < 384:
        raise IndexError("count outside the text")
    if length > CHUNK:
        length = CHUNK
    byte = &text[start]
    step_of = &steps[0]
    if start > 0 and length >= BLOCK:
        # What blocks see before their first byte is the end of another text: set right what that means.
        if byte[0] < 0x80 and not_space(byte[0]):
            total = <long long> ((state >> 7) - (not_space((byte - 1)[0]) ^ 1)) << 30
        while done + LONG_BLOCK <= length and not has_high(byte, LONG_BLOCK):
            total += count_block(byte, LONG_BLOCK)
            done += LONG_BLOCK
            byte += LONG_BLOCK
        while done + BLOCK <= length and not has_high(byte, BLOCK):
            total += count_block(byte, BLOCK)
            done += BLOCK
            byte += BLOCK
        if done == 0:
            total = 0
        else:
            state = (not_space((byte - 1)[0]) ^ 1) << 7
    last = byte + (length - done)
    while byte < last and byte[0] < 0x80:
        total += step_of[state | byte[0]]
        state = step_of[256 + byte[0]]
        byte += 1
    return total


cdef inline int is_utf8(const unsigned char[::1] page, Py_ssize_t size) except -1 nogil:
    cdef Py_ssize_t at = 0, more
    cdef const unsigned char* byte
    cdef unsigned char lead, second
    cdef int k
    if size == 0:
        return True
    if size < 0 or size > page.shape[0]:
        raise IndexError("search outside the page")
    byte = &page[0]
    while at < size:
        if byte[at] < 0x80:
            while at + LONG_BLOCK <= size and not has_high(byte + at, LONG_BLOCK):
                at += LONG_BLOCK
            while at + BLOCK <= size and not has_high(byte + at, BLOCK):
                at += BLOCK
            while at < size and byte[at] < 0x80:
                at += 1
            continue
        lead = byte[at]
        more = 1 if 0xC2 <= lead < 0xE0 else 2 if 0xE0 <= lead < 0xF0 else 3 if 0xF0 <= lead < 0xF5 else 0
        if more == 0 or at + more >= size:
            return False
        second = byte[at + 1]
        # No overlong forms, no surrogates, nothing beyond U+10FFFF.
        if (
            (second & 0xC0) != 0x80
            or (lead == 0xE0 and second < 0xA0)
            or (lead == 0xED and second > 0x9F)
            or (lead == 0xF0 and second < 0x90)
            or (lead == 0xF4 and second > 0x8F)
        ):
            return False
        for k in range(2, more + 1):
            if (byte[at + k] & 0xC0) != 0x80:
                return False
        at += more + 1
    return True
