cimport cython


@cython.locals(
    roots="const long long[::1]", kinds="const long long[::1]", nodes="const int[:, ::1]", limits="const double[::1]",
    tree=Py_ssize_t, node="long long",
)
cpdef int sum_leaves(object forest, const double[::1] features, double[::1] sums) except -1
