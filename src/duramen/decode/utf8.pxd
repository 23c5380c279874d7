# The compiled twins of `held_by` and `share_of_faults`.

cdef extern from "duramen/parse/bulk.h" nogil:
    int bulk_check(const unsigned char* byte, Py_ssize_t length)


cdef inline int found_in(bytes data):
    cdef const unsigned char* byte = data
    cdef Py_ssize_t size = len(data)
    cdef int found
    with nogil:
        found = bulk_check(byte, size)
    return found


cdef inline Py_ssize_t piece_of(const unsigned char* byte, Py_ssize_t left, bint* whole) noexcept nogil:
    """Bytes of the character that begins here, or of the longest start of one: what a decoder replaces as one."""
    cdef unsigned char lead = byte[0], low = 0x80, high = 0xBF
    cdef Py_ssize_t at = 1, size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    whole[0] = False
    if lead < 0xC2 or lead > 0xF4:
        return 1
    if lead == 0xE0:
        low = 0xA0
    elif lead == 0xED:
        high = 0x9F
    elif lead == 0xF0:
        low = 0x90
    elif lead == 0xF4:
        high = 0x8F
    while at < size:
        if at == left or byte[at] < low or byte[at] > high:
            return at
        low, high = 0x80, 0xBF
        at += 1
    whole[0] = True
    return size


cdef inline bint is_fault(const unsigned char* byte) noexcept nogil:
    """Whether a whole character is one that no page uses: some controls, those for private use, U+FFFD."""
    if byte[0] == 0xC2:
        return byte[1] < 0xA0 and byte[1] != 0x85
    if byte[0] == 0xEF:
        return byte[1] < 0xA4 or (byte[1] == 0xBF and byte[2] == 0xBD)
    return byte[0] == 0xEE


cdef inline double found_faults(const unsigned char[::1] data):
    cdef Py_ssize_t at = 0, size = data.shape[0], faults = 0, characters = 0
    cdef const unsigned char* byte
    cdef Py_ssize_t step = 0
    cdef bint whole = False
    if not size:
        return 0.0
    byte = &data[0]
    with nogil:
        while at < size:
            if byte[at] < 0x80:
                at += 1
                continue
            characters += 1
            # Read before stepping on: a character that is whole lies inside the bytes.
            step = piece_of(byte + at, size - at, &whole)
            if not whole or is_fault(byte + at):
                faults += 1
            at += step
    return <double> faults / characters if characters else 0.0


cpdef int held_by(bytes data)
cpdef double share_of_faults(bytes data)
