cimport cython

from duramen.algorithms.learned.kinds cimport (
    CLASS, COMPONENT, ID, ITEMPROP, ITEMTYPE, OTHER, ROLE, TESTID, check_attributes, fill_kinds
)
from duramen.algorithms.learned.needles cimport Needles
from duramen.measure.buffers cimport Ints, NewInts, NewLongs, NewOctets, Octets, further, ints, new_ints, new_longs, new_octets, octets, room

cdef extern from *:
    """
    #include <string.h>
    /* Eight bytes at a time; the last ones may be read twice. */
    static inline unsigned long long duramen_digest(const unsigned char *at, Py_ssize_t size) {
        unsigned long long sum = (unsigned long long) size * 0x9E3779B97F4A7C15u, next = 0;
        unsigned int half;
        if (size >= 8) {
            const unsigned char *last = at + size - 8;
            for (; at < last; at += 8) {
                memcpy(&next, at, 8);
                sum = (sum ^ next) * 0xD6E8FEB86659FD93u;
                sum ^= sum >> 32;
            }
            memcpy(&next, last, 8);
        } else if (size >= 4) {
            memcpy(&half, at, 4);
            next = half;
            memcpy(&half, at + size - 4, 4);
            next |= (unsigned long long) half << 32;
        } else if (size > 0) {
            next = at[0] | (unsigned long long) at[size / 2] << 8 | (unsigned long long) at[size - 1] << 16;
        }
        sum = (sum ^ next) * 0xD6E8FEB86659FD93u;
        return sum ^ sum >> 32;
    }
    """
    unsigned long long duramen_digest(const unsigned char* at, Py_ssize_t size) noexcept nogil

from libc.string cimport memcmp

cdef enum:
    PROBES = 16
    KIND = 31

cpdef enum:
    UNSEEN_WORD = 32
    COMMENT_WORD = 64
    COMMENT_TYPE = 128

cdef Needles _WORDS


# Both read up to attrs[stop - 1]: callers see to it that there are so many.
cdef inline long long digest(Octets attrs, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    return <long long> duramen_digest(attrs + start, stop - start)


cdef inline bint equal(Octets attrs, Py_ssize_t one, Py_ssize_t other, Py_ssize_t size) noexcept nogil:
    return memcmp(attrs + one, attrs + other, size) == 0


cdef inline Py_ssize_t slot_of(long long key, Py_ssize_t mask) noexcept nogil:
    return key & mask


@cython.locals(
    rows=Py_ssize_t, words=Ints, never=Octets, seen=NewInts, row=Py_ssize_t, total="long long",
)
cpdef int count_seen(object page, object unseen, object running) except -1

@cython.locals(
    rows=Py_ssize_t, count=Py_ssize_t, attr_at=Ints, names=Ints, ends=Ints, source=bytes, length=Py_ssize_t,
    attrs="const unsigned char*", kind_at=NewOctets, row_of=NewInts, value_of=NewInts, start_at=NewInts, stop_at=NewInts,
    digests=NewLongs, slots=NewInts, bits_of=NewOctets, mask=Py_ssize_t, named=Py_ssize_t, distinct=Py_ssize_t, size=Py_ssize_t, every=int, row=Py_ssize_t,
    at=Py_ssize_t, kind=int, bits=int, start=Py_ssize_t, stop=Py_ssize_t, key="long long", slot=Py_ssize_t, number=Py_ssize_t,
    known=Py_ssize_t, _=int,
)
cpdef tuple survey(object page, object kinds, object places, object values, Py_ssize_t naming)
