cimport cython


@cython.locals(
    whole=double, found=double, size=double, best=double, threshold=double, measure=double, k=Py_ssize_t,
)
cpdef tuple take(
    const Py_ssize_t[::1] order,
    const double[::1] probability,
    const double[::1] words,
    double low,
    double high,
    double square,
    unsigned char[::1] taken,
)
