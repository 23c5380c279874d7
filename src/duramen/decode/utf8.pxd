# The compiled twin of `form_of`.

cdef extern from "duramen/parse/bulk.h" nogil:
    enum:
        BULK_HIGH

    int bulk_check(const unsigned char* byte, Py_ssize_t length)


cdef inline int found_form(const unsigned char[::1] data):
    cdef Py_ssize_t size = data.shape[0]
    cdef int found = 0
    if size:
        with nogil:
            found = bulk_check(&data[0], size)
    return -1 if found < 0 else (found & BULK_HIGH) != 0


cpdef int form_of(bytes data)
