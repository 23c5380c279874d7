cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE

from duramen.measure.buffers cimport Ints, doubles, entries, ints, new_doubles

cdef extern from "duramen/algorithms/learned/dense.h":
    void dense_layer(
        const float* weights, Py_ssize_t rows, const float* biases, const float* values, Py_ssize_t units,
        Py_ssize_t inputs, Py_ssize_t width, Py_ssize_t blocks, float* out, int bent
    ) noexcept nogil
    void dense_first(
        const float* table, Py_ssize_t columns, const Py_ssize_t* rows, const float* low, const float* high,
        const float* weights, const float* biases, Py_ssize_t units, Py_ssize_t inputs, float* values, int* used,
        float* out, int bent
    ) noexcept nogil
    void dense_pool(
        const float* values, Py_ssize_t units, const float* share, const int* numbers, Py_ssize_t blocks, float* lanes,
        float* out
    ) noexcept nogil
    void dense_add(
        const float* parts, const int* numbers, Py_ssize_t blocks, Py_ssize_t units, int bent, float* out
    ) noexcept nogil


cdef enum:
    UNITS = 8
    BLOCKS = 8
    LANES = 16


cdef inline const float* floats(object array, Py_ssize_t size) except? NULL:
    return <const float*> entries(array, size, 4, PyBUF_SIMPLE)


cdef inline float* new_floats(object array, Py_ssize_t size) except? NULL:
    return <float*> entries(array, size, 4, PyBUF_WRITABLE)


cdef inline int check_shape(Py_ssize_t units, Py_ssize_t blocks) except -1:
    if units <= 0 or units % UNITS or blocks < 0 or blocks % BLOCKS:
        raise ValueError("the numbers of units and blocks are no multiples of a vector's")
    return 0


# The twins of what stands in dense.py for where it is not compiled.
cdef inline int fill_first(
    object table, object rows, object bounds, object weights, object biases, object space, object used, object out,
    bint bent,
) except -1:
    cdef Py_ssize_t features = table.shape[0], columns = table.shape[1], inputs = rows.shape[0], units = out.shape[1]
    cdef Py_ssize_t blocks = out.shape[0], k
    cdef const Py_ssize_t* chosen = <const Py_ssize_t*> entries(rows, inputs, sizeof(Py_ssize_t), PyBUF_SIMPLE)
    cdef const float* source = floats(table, features * columns)
    cdef const float* low = floats(bounds, 2 * inputs)
    cdef const float* weight = floats(weights, inputs * units)
    cdef const float* bias = floats(biases, units)
    cdef float* values = new_floats(space, BLOCKS * inputs)
    cdef int* numbers = <int*> new_floats(used, inputs)
    cdef float* found = new_floats(out, blocks * units)
    check_shape(units, blocks)
    if columns > blocks:
        raise ValueError("the results do not fit")
    for k in range(inputs):
        if not 0 <= chosen[k] < features:
            raise IndexError("there is no such feature")
    with nogil:
        dense_first(
            source, columns, chosen, low, low + inputs, weight, bias, units, inputs, values, numbers, found, bent
        )
    return 0


cdef inline int fill_layer(object weights, object biases, object values, object out, Py_ssize_t at, bint bent) except -1:
    cdef Py_ssize_t rows = weights.shape[1], inputs = values.shape[1], blocks = values.shape[0], units = out.shape[1]
    cdef const float* weight = floats(weights, rows * units)
    cdef const float* bias = floats(biases, units)
    cdef const float* source = floats(values, blocks * inputs)
    cdef float* found = new_floats(out, blocks * units)
    check_shape(units, blocks)
    if at < 0 or at + inputs > rows:
        raise ValueError("the weights do not fit the values")
    with nogil:
        dense_layer(weight + at * UNITS, rows, bias, source, units, inputs, inputs, blocks, found, bent)
    return 0


cdef inline int add_up(object values, object share, object numbers, object lanes, object out) except -1:
    cdef Py_ssize_t blocks = numbers.shape[0], units = values.shape[1], parts = out.shape[0], k
    cdef const float* source = floats(values, values.shape[0] * units)
    cdef const float* shares = floats(share, blocks)
    cdef Ints which = ints(numbers, blocks)
    cdef float* sums = NULL if lanes is None else new_floats(lanes, LANES * units)
    cdef float* found = new_floats(out, parts * units)
    if blocks > values.shape[0] or parts < 1:
        raise ValueError("the shares do not fit the values")
    for k in range(blocks):
        if not 0 <= which[k] < parts:
            raise IndexError("there is no such part")
    with nogil:
        dense_pool(source, units, shares, which, blocks, sums, found)
    return 0


cdef inline int add_parts(object total, object parts, object numbers, bint bent) except -1:
    cdef Py_ssize_t blocks = numbers.shape[0], units = total.shape[1], count = parts.shape[0], k
    cdef const float* source = floats(parts, count * units)
    cdef Ints which = ints(numbers, blocks)
    cdef float* found = new_floats(total, total.shape[0] * units)
    if blocks > total.shape[0]:
        raise ValueError("the numbers do not fit the blocks")
    for k in range(blocks):
        if not 0 <= which[k] < count:
            raise IndexError("there is no such part")
    with nogil:
        dense_add(source, which, blocks, units, bent, found)
    return 0


cpdef int first(
    object table, object rows, object bounds, object weights, object biases, object out, bint bent
) except -1

cpdef int layer(object weights, object biases, object values, object out, Py_ssize_t at, bint bent) except -1

@cython.locals(
    shares=object, blocks=Py_ssize_t, k=Py_ssize_t, each="const double*", total="double*", share="float*", which=Ints,
)
cpdef object pool(object values, object weight, object numbers, Py_ssize_t count)

cpdef int add_means(object total, object means, object numbers, bint bent) except -1
