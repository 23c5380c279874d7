cimport cython

from duramen.measure.buffers cimport (
    Doubles, Ints, NewDoubles, NewInts, NewOctets, doubles, further, further_doubles, ints, new_doubles, new_ints,
    new_octets, room
)

cdef enum:
    SHIFTS = 7
    RUN = 8
    FEW_WORDS = 6
    ONE_IN = 20

cdef const double[::1] _FACTORS, _CHANCES


@cython.locals(
    count=Py_ssize_t, order=NewInts, taken=NewOctets, probability=Doubles, words=Doubles, odds=NewDoubles, size=NewDoubles,
    likely=NewDoubles, measures=NewDoubles, chance=double, even=double, best=double, threshold=double, last=Py_ssize_t, k=Py_ssize_t,
)
cpdef tuple take(
    object probabilities, object sizes, double low, double high, double square, double least, object marks
)

@cython.locals(likely=double, total=double, k=Py_ssize_t)
cdef bint promises_little(Doubles probability, Doubles words, Py_ssize_t count) noexcept

@cython.locals(
    order=NewInts, other=NewInts, start=Py_ssize_t, k=Py_ssize_t, at=Py_ssize_t, size=Py_ssize_t, one=Py_ssize_t,
    two=Py_ssize_t, middle=Py_ssize_t, stop=Py_ssize_t,
)
cdef NewInts sort_down(Doubles probability, Py_ssize_t count, NewInts orders) noexcept

@cython.locals(whole=double, found=double, total=double, even=double, factor=double, chance=double, number=Py_ssize_t, k=Py_ssize_t)
cdef int expect(
    Doubles odds, Doubles size, Py_ssize_t count, double square, NewDoubles likely, NewDoubles measures
) except -1

@cython.locals(
    count=Py_ssize_t, texts=Py_ssize_t, length=Py_ssize_t, at=Ints, rows=Ints, probability=Doubles, tags=Ints, parent=Ints,
    taken=NewOctets, likeliest=Py_ssize_t, begun=bint, k=Py_ssize_t,
)
cpdef bint take_heading(object page, object blocks, int tag, object probabilities, double least, object marks) except -1
