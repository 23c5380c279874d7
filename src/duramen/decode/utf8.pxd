# The compiled twin of `is_utf8`. It checks its range once and reads only inside it.

from libc.string cimport memcpy

cdef enum:
    BLOCK = 16
    LONG_BLOCK = 128


cdef inline bint is_ascii(const unsigned char* byte, int length) noexcept nogil:
    """Whether `length` bytes, a multiple of eight, are all ASCII."""
    cdef unsigned long long word, high = 0
    cdef int k
    for k in range(0, length, 8):
        memcpy(&word, byte + k, 8)
        high |= word
    return (high & 0x8080808080808080ULL) == 0


cdef inline bint reads_utf8(const unsigned char* byte, Py_ssize_t size) noexcept nogil:
    """Whether `size` bytes are UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF."""
    cdef Py_ssize_t at = 0
    cdef int more
    cdef unsigned char lead, lowest, highest
    while at < size:
        lead = byte[at]
        if lead < 0x80:
            while at + LONG_BLOCK <= size and is_ascii(byte + at, LONG_BLOCK):
                at += LONG_BLOCK
            while at + BLOCK <= size and is_ascii(byte + at, BLOCK):
                at += BLOCK
            while at < size and byte[at] < 0x80:
                at += 1
            continue
        more = 1 if 0xC2 <= lead < 0xE0 else 2 if 0xE0 <= lead < 0xF0 else 3 if 0xF0 <= lead < 0xF5 else 0
        if more == 0 or at + more >= size:
            return False
        lowest = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
        highest = 0x9F if lead == 0xED else 0x8F if lead == 0xF4 else 0xBF
        if byte[at + 1] < lowest or byte[at + 1] > highest:
            return False
        if more > 1 and (byte[at + 2] & 0xC0) != 0x80:
            return False
        if more > 2 and (byte[at + 3] & 0xC0) != 0x80:
            return False
        at += more + 1
    return True


cdef inline bint is_valid(const unsigned char[::1] data):
    cdef Py_ssize_t size = data.shape[0]
    cdef bint valid = True
    if size:
        with nogil:
            valid = reads_utf8(&data[0], size)
    return valid


cpdef bint is_utf8(bytes data)
