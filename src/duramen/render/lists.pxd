cimport cython

cdef const unsigned char[::1] _IS_LIST, _VALUE, _START, _REVERSED
cdef int OL, LI


@cython.locals(row=Py_ssize_t)
cdef int _has_ordered(const int[::1] tag) except -1


@cython.locals(
    rows=Py_ssize_t, row=Py_ssize_t, up=Py_ssize_t, owner=Py_ssize_t, other=Py_ssize_t, k=Py_ssize_t, number="long long"
)
cdef int _number(
    object page,
    const int[::1] tag,
    const int[::1] parent,
    const int[::1] attr_at,
    const int[::1] attr_name_at,
    const int[::1] attr_value_at,
    const unsigned char[::1] attrs,
    long long[:, ::1] lists,
    long long[::1] numbers,
    unsigned char[::1] numbered,
) except -1
