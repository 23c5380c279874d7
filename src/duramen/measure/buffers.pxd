# The compiled twin of buffers.py.

cimport numpy
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_FromStringAndSize

ctypedef const int* Ints
ctypedef const unsigned char* Octets
ctypedef const double* Doubles
ctypedef const long long* Longs
ctypedef int* NewInts
ctypedef unsigned char* NewOctets
ctypedef double* NewDoubles
ctypedef long long* NewLongs


cdef extern from "duramen/measure/arrays.h":
    void* array_entries(numpy.ndarray array, Py_ssize_t size, Py_ssize_t width, bint writable)


cdef inline void* entries(object array, Py_ssize_t size, Py_ssize_t width, int access) except? NULL:
    """The buffer of an array of `size` entries of `width` bytes."""
    cdef Py_buffer view
    cdef void* first
    if type(array) is numpy.ndarray:
        first = array_entries(<numpy.ndarray> array, size, width, access == PyBUF_WRITABLE)
        if first != NULL:
            return first
    PyObject_GetBuffer(array, &view, access)  # what is not contiguous raises
    first = view.buf
    width = view.len - size * width
    PyBuffer_Release(&view)
    if width != 0:
        raise IndexError(f"an array of {size} entries is needed")
    return first


cdef inline Ints ints(object array, Py_ssize_t size) except? NULL:
    return <Ints> entries(array, size, 4, PyBUF_SIMPLE)


cdef inline Octets octets(object array, Py_ssize_t size) except? NULL:
    return <Octets> entries(array, size, 1, PyBUF_SIMPLE)


cdef inline Doubles doubles(object array, Py_ssize_t size) except? NULL:
    return <Doubles> entries(array, size, 8, PyBUF_SIMPLE)


cdef inline Longs longs(object array, Py_ssize_t size) except? NULL:
    return <Longs> entries(array, size, 8, PyBUF_SIMPLE)


cdef inline NewInts new_ints(object array, Py_ssize_t size) except? NULL:
    return <NewInts> entries(array, size, 4, PyBUF_WRITABLE)


cdef inline NewOctets new_octets(object array, Py_ssize_t size) except? NULL:
    return <NewOctets> entries(array, size, 1, PyBUF_WRITABLE)


cdef inline NewDoubles new_doubles(object array, Py_ssize_t size) except? NULL:
    return <NewDoubles> entries(array, size, 8, PyBUF_WRITABLE)


cdef inline NewLongs new_longs(object array, Py_ssize_t size) except? NULL:
    return <NewLongs> entries(array, size, 8, PyBUF_WRITABLE)


cdef inline bytearray room(Py_ssize_t size):
    return PyByteArray_FromStringAndSize(NULL, size)


cdef inline NewInts further(NewInts buffer, Py_ssize_t entries) noexcept:
    return buffer + entries


cdef inline NewOctets further_octets(NewOctets buffer, Py_ssize_t entries) noexcept:
    return buffer + entries


cdef inline NewDoubles further_doubles(NewDoubles buffer, Py_ssize_t entries) noexcept:
    return buffer + entries


cdef inline int check_tree(Ints tag, Ints parent, Ints end, int size) except -1:
    # Without a branch, so that the C compiler makes vector instructions of it.
    cdef int row, odd = 0
    if size == 0:
        return 0
    for row in range(1, size):
        odd |= (tag[row] < 0) | (parent[row] < 0) | (parent[row] >= row) | (end[row] <= row) | (end[row] > size)
    if odd or tag[0] <= 0 or parent[0] != -1 or end[0] < 1 or end[0] > size:
        raise IndexError("a row is no part of a tree")
    return 0
