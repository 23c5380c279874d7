cimport cython
from cpython.object cimport PyObject_GenericSetAttr as put
from duramen.decode.utf8 cimport held_by

cdef enum:
    SEE_LABELS = 0
    SAYS_UTF8 = 1
    SAYS_NOTHING = 2
    NOT_ASCII = 4

cdef tuple _FIELDS
cdef bytes _META, _CHARSET, _UTF8, _XML, _MP4


@cython.locals(held=int)
cpdef object plain_utf8(bytes data, Py_ssize_t head, Py_ssize_t prescan)

@cython.locals(text="const unsigned char*", size=Py_ssize_t, at=Py_ssize_t, byte=int)
cpdef int begins_plainly(bytes data, Py_ssize_t stop) except -1

@cython.locals(text="const unsigned char*", size=Py_ssize_t, at=Py_ssize_t, end=Py_ssize_t, said=int)
cpdef int stated_in(bytes data, Py_ssize_t stop) except -1

@cython.locals(mentions=int, place=Py_ssize_t, quote=int)
cdef int _said_by_meta(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) except -1

cdef int _is_blank(int byte) noexcept nogil

@cython.locals(k=Py_ssize_t, size=Py_ssize_t, byte=int, letters="const unsigned char*")
cdef int _reads(const unsigned char* text, Py_ssize_t at, Py_ssize_t stop, bytes word) except -1
