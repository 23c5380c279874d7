cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE

from libc.math cimport exp
from libc.string cimport memset

from duramen.measure.buffers cimport Doubles, Ints, NewDoubles, doubles, entries, ints, new_doubles

cdef extern from "duramen/algorithms/learned/dense.h":
    void dense_layer(
        const float* weights, Py_ssize_t rows, const float* biases, const float* values, Py_ssize_t units,
        Py_ssize_t inputs, Py_ssize_t blocks, float* out, int bent
    ) noexcept nogil
    void dense_pool(
        const float* values, Py_ssize_t units, const float* share, const int* numbers, Py_ssize_t blocks, float* lanes,
        float* out
    ) noexcept nogil
    void dense_add(
        const float* parts, const int* numbers, Py_ssize_t blocks, Py_ssize_t units, int bent, float* out
    ) noexcept nogil


cdef extern from "duramen/algorithms/learned/first.h":
    ctypedef struct FirstLayer:
        const float* table
        const Py_ssize_t* rows
        const float* low
        const float* high
        const float* scale
        const short* weights
        const float* factors
        const float* biases
        Py_ssize_t columns
        Py_ssize_t units
        Py_ssize_t pairs
        int bent

    void first_fill(const FirstLayer* layer, int* space, float* out) noexcept nogil


cdef enum:
    UNITS = 8
    BLOCKS = 8
    LANES = 16


cdef inline const float* floats(object array, Py_ssize_t size) except? NULL:
    return <const float*> entries(array, size, 4, PyBUF_SIMPLE)


cdef inline float* new_floats(object array, Py_ssize_t size) except? NULL:
    return <float*> entries(array, size, 4, PyBUF_WRITABLE)


cdef inline const short* shorts(object array, Py_ssize_t size) except? NULL:
    return <const short*> entries(array, size, 2, PyBUF_SIMPLE)


cdef inline const Py_ssize_t* places(object array, Py_ssize_t size) except? NULL:
    return <const Py_ssize_t*> entries(array, size, sizeof(Py_ssize_t), PyBUF_SIMPLE)


cdef inline float* further(float* buffer, Py_ssize_t entries) noexcept:
    return buffer + entries


cdef inline const float* from_row(const float* weights, Py_ssize_t row) noexcept:
    return weights + row * UNITS


cdef inline int fill_zeros(float* buffer, Py_ssize_t count) noexcept nogil:
    memset(buffer, 0, count * sizeof(float))
    return 0


# The caller sees to it that all buffers are large enough.
cdef inline int fill_first(
    const float* table, Py_ssize_t columns, const Py_ssize_t* rows, const float* bounds, const short* weights,
    const float* factors, const float* biases, Py_ssize_t units, Py_ssize_t inputs, float* space, float* out, bint bent,
) noexcept nogil:
    cdef FirstLayer layer
    layer.table, layer.rows, layer.columns = table, rows, columns
    layer.low, layer.high, layer.scale = bounds, bounds + inputs, bounds + 2 * inputs
    layer.weights, layer.factors, layer.biases = weights, factors, biases
    layer.units, layer.pairs, layer.bent = units, inputs // 2, bent
    first_fill(&layer, <int*> space, out)
    return 0


cdef inline int fill_layer(
    const float* weights, Py_ssize_t rows, const float* biases, const float* values, Py_ssize_t units, Py_ssize_t inputs,
    Py_ssize_t blocks, float* out, bint bent,
) noexcept nogil:
    dense_layer(weights, rows, biases, values, units, inputs, blocks, out, bent)
    return 0


cdef inline int add_up(
    const float* values, Py_ssize_t units, const float* share, const int* numbers, Py_ssize_t blocks, float* lanes,
    float* out, bint whole,
) noexcept nogil:
    dense_pool(values, units, share, numbers, blocks, lanes if whole else NULL, out)
    return 0


cdef inline int add_parts(
    const float* parts, const int* numbers, Py_ssize_t blocks, Py_ssize_t units, float* out, bint bent
) noexcept nogil:
    dense_add(parts, numbers, blocks, units, bent, out)
    return 0


@cython.locals(
    features=Py_ssize_t, columns=Py_ssize_t, inputs=Py_ssize_t, blocks=Py_ssize_t, last=Py_ssize_t, size=Py_ssize_t,
    units=Py_ssize_t, before=Py_ssize_t, most=Py_ssize_t, k=Py_ssize_t, number=Py_ssize_t, at=Py_ssize_t, count=Py_ssize_t,
    parts=Py_ssize_t, rows=Py_ssize_t, bent=bint, chosen="const Py_ssize_t*", source="const float*", bounds="const float*", weights="const float*",
    biases="const float*", factors="const float*", wholes="const short*", nothing="float*", space="float*", values="float*", found="float*", means="float*", added="float*",
    share="float*", lanes="float*", each=Doubles, total=NewDoubles, which=Ints,
)
cpdef object judge(object network, object table, tuple pools, object weight)

@cython.cdivision(True)
@cython.locals(count=Py_ssize_t, k=Py_ssize_t, odds="const float*", chance=NewDoubles)
cpdef object chances(object log_odds)

@cython.locals(k=Py_ssize_t)
cdef int fill_shares(Doubles each, Ints which, Py_ssize_t columns, Py_ssize_t count, double* total, float* share) except -1

@cython.locals(
    blocks=Py_ssize_t, units=Py_ssize_t, source="const float*", each=Doubles, which=Ints, total=NewDoubles, share="float*", lanes="float*", found="float*",
)
cpdef object pool(object values, object weight, object numbers, Py_ssize_t count)
