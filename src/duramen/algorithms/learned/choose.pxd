cimport cython

from duramen.measure.buffers cimport Doubles, Longs, NewOctets, doubles, longs, new_octets


@cython.locals(
    count=Py_ssize_t, order=Longs, taken=NewOctets, probability=Doubles, words=Doubles, whole=double, found=double,
    size=double, best=double, threshold=double, measure=double, k=Py_ssize_t,
)
cpdef tuple take(
    object descending, object probabilities, object sizes, double low, double high, double square, object marks
)
