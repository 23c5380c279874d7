# The compiled twin of `is_utf8`.

cdef extern from "duramen/parse/bulk.h" nogil:
    int bulk_check(const unsigned char* byte, Py_ssize_t length)


cdef inline bint is_valid(const unsigned char[::1] data):
    cdef Py_ssize_t size = data.shape[0]
    cdef bint valid = True
    if size:
        with nogil:
            valid = bulk_check(&data[0], size) >= 0
    return valid


cpdef bint is_utf8(bytes data)
