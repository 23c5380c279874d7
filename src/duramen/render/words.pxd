# The compiled twin of words.py. What is given the size of a buffer checks its range first.

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memcpy

cdef enum:
    BEGUN = 1
    WAITS = 2

ctypedef unsigned long long Eight  # bytes
ctypedef const unsigned char* Bytes


cdef inline int begins_odd(unsigned char byte) noexcept nogil:
    """Whether a byte may begin white space or an invisible character, or is NUL, which counts as white space."""
    return byte <= 0x20 or byte == 0xC2 or (0xE1 <= byte <= 0xE3) or byte == 0xEF


cdef inline int space_width(Bytes text, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """How many bytes the white space at `text[at]` takes; 0 where there is none."""
    cdef unsigned char byte = text[at], middle, last
    if byte < 0x80:
        return byte == 0x20 or 0x09 <= byte <= 0x0D or 0x1C <= byte <= 0x1F
    if byte == 0xC2:
        return 2 if at + 1 < stop and (text[at + 1] == 0x85 or text[at + 1] == 0xA0) else 0
    if not 0xE1 <= byte <= 0xE3 or at + 2 >= stop:
        return 0
    middle = text[at + 1]
    last = text[at + 2]
    if byte == 0xE2:
        if middle == 0x80:  # U+2000 … U+200A, U+2028, U+2029, U+202F
            return 3 if 0x80 <= last <= 0x8A or last == 0xA8 or last == 0xA9 or last == 0xAF else 0
        return 3 if middle == 0x81 and last == 0x9F else 0  # U+205F
    if byte == 0xE1:
        return 3 if middle == 0x9A and last == 0x80 else 0  # U+1680
    return 3 if middle == 0x80 and last == 0x80 else 0  # U+3000


cdef inline int invisible_width(Bytes text, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """How many bytes the invisible character at `text[at]` takes; 0 where there is none."""
    cdef unsigned char byte = text[at], middle, last
    if byte == 0xC2:
        return 2 if at + 1 < stop and text[at + 1] == 0xAD else 0
    if (byte != 0xE2 and byte != 0xEF) or at + 2 >= stop:
        return 0
    middle = text[at + 1]
    last = text[at + 2]
    if byte == 0xE2:
        if middle == 0x80:  # U+200B, U+200E, U+200F
            return 3 if last == 0x8B or last == 0x8E or last == 0x8F else 0
        return 3 if middle == 0x81 and last == 0xA0 else 0  # U+2060
    return 3 if middle == 0xBB and last == 0xBF else 0  # U+FEFF


cdef inline int is_plain(Bytes byte) noexcept nogil:
    """Whether eight bytes are ASCII without control characters and two blanks in a row, the one before included."""
    cdef Eight word, other, blanks
    memcpy(&word, byte, 8)
    # The highest bit of each byte: of what is below a blank or not ASCII, and of blanks.
    other = ~((word & 0x7F7F7F7F7F7F7F7FULL) + 0x6060606060606060ULL) | word
    blanks = word ^ 0x2020202020202020ULL
    blanks = ~(((blanks & 0x7F7F7F7F7F7F7F7FULL) + 0x7F7F7F7F7F7F7F7FULL) | blanks)
    blanks &= 0x8080808080808080ULL
    if (other & 0x8080808080808080ULL) | (blanks & (blanks << 8)):
        return 0
    return byte[0] != 0x20 or (byte - 1)[0] != 0x20


cdef inline Py_ssize_t copy_words(unsigned char* target, Bytes source, Py_ssize_t length) noexcept nogil:
    """Copy the words, with single blanks between them, that `length` bytes begin with; returns how many bytes they are.

    The first byte is one of them in any case. They end before whatever may be white space or invisible.
    """
    cdef Py_ssize_t done = 1, until
    target[0] = source[0]
    while done < length:
        if done + 8 <= length and is_plain(source + done):
            memcpy(target + done, source + done, 8)
            done += 8
            continue
        until = length if length - done < 8 else done + 8
        while done < until and not (
            begins_odd(source[done]) and (source[done] != 0x20 or source[done - 1] == 0x20)
        ):
            target[done] = source[done]
            done += 1
        if done < until:
            break
    # A blank stays for who knows what follows it.
    return done - 1 if done > 1 and source[done - 1] == 0x20 else done


cdef inline long long collapse(
    unsigned char* out,
    Py_ssize_t room,
    Py_ssize_t at,
    Bytes text,
    Py_ssize_t size,
    Py_ssize_t start,
    Py_ssize_t stop,
    int state,
) except -1 nogil:
    cdef Py_ssize_t length
    cdef int width
    if start >= stop:
        return at << 2 | state
    if start < 0 or stop > size or at < 0 or at + (stop - start) >= room:
        raise IndexError("copy outside a buffer")
    while start < stop:
        if begins_odd(text[start]):
            width = 1 if text[start] == 0 else space_width(text, start, stop)
            if width:
                state |= (state & BEGUN) << 1  # it waits where something is written
                start += width
                continue
            width = invisible_width(text, start, stop)
            if width:
                start += width
                continue
        if state & WAITS:
            out[at] = 0x20
            at += 1
        state = BEGUN
        length = copy_words(out + at, text + start, stop - start)
        start += length
        at += length
    return <long long> at << 2 | state


cdef inline str decoded(Bytes text, Py_ssize_t size):
    return PyUnicode_DecodeUTF8(<const char*> text, size, "replace")


cdef inline int holds_space(Bytes text, Py_ssize_t size, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    if start < 0 or stop > size:
        return 0
    while start < stop:
        if space_width(text, start, stop):
            return 1
        start += 1
    return 0


cdef inline int zero_width_at(Bytes text, Py_ssize_t size, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    return invisible_width(text, at, stop) if 0 <= at < stop <= size else 0
